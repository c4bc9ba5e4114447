import { render } from 'preact';
import type { RecordHostMessage, RecordPageMessage } from '../../protocol/recordProtocol';
import { Texts } from '../../summary/texts';
import { element, followFocus, keepFocus } from '../dom/dom';
import { noRecord, recordBody, recordHead } from './record';

/** Shows the finding that the host loads, on a page of its own. */
export function startRecordPage(api: { postMessage(message: RecordPageMessage): void }): void {
  const root = element('main', { class: 'record-page', tabindex: '0' });
  document.body.append(root);

  window.addEventListener('message', ({ data }: MessageEvent<RecordHostMessage>) => {
    if (data.type === 'record') {
      root.setAttribute('aria-label', data.record.title);
    }
    keepFocus(() =>
      render(
        recordPage(data, (message) => api.postMessage(message)),
        root,
      ),
    );
  });
  followFocus(root);
  api.postMessage({ type: 'ready' });
}

function recordPage(message: RecordHostMessage, send: (message: RecordPageMessage) => void) {
  if (message.type !== 'record') {
    return (
      <>
        {recordHead(document.title, 1)}
        <div class="record-body">{noRecord(message, () => send({ type: 'reload' }))}</div>
      </>
    );
  }
  const { record: shown, texts, locale } = message;
  return (
    <>
      {recordHead(shown.title, 1)}
      <div class="record-body">
        {recordBody({ shown, record: 0, level: 1, texts: new Texts(texts, locale), send })}
      </div>
    </>
  );
}

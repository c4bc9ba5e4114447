import { render } from 'preact';
import { element, keepFocus } from '../dom/dom';
import type { FindingHostMessage, FindingPageMessage } from '../../protocol/findingProtocol';
import { findingPage } from './findingPage';

/** Shows the finding that the host loads. */
export function startFindingPage(api: { postMessage(message: FindingPageMessage): void }): void {
  const root = element('main', { class: 'finding', tabindex: '0' });
  document.body.append(root);

  const send = (message: FindingPageMessage) => () => {
    api.postMessage(message);
  };

  /** Focuses the page if its webview has the focus. Never takes the focus from another part of VS Code. */
  function focus(): void {
    if (document.hasFocus() && document.activeElement === document.body) {
      root.focus({ preventScroll: true });
    }
  }

  window.addEventListener('message', ({ data }: MessageEvent<FindingHostMessage>) => {
    if (data.type === 'finding') {
      root.setAttribute('aria-label', data.finding.title);
    }
    keepFocus(() => render(findingPage(data, send), root));
  });
  // Its keys work only while the page has the focus, which VS Code gives to the editor.
  window.addEventListener('focus', focus);
  focus();
  api.postMessage({ type: 'ready' });
}

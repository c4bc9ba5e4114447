import { HostLink, type VsCodeApi } from './hostLink';
import { TablePage } from './tablePage';
import { pageState } from './pageState';
import type { HostMessage } from './protocol';
import { element, icon, textButton } from './dom';

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();
let page: TablePage | undefined;
let endFailure: (() => void) | undefined;

const link: HostLink = new HostLink(api, (message) => {
  switch (message.type) {
    case 'init':
      endFailure?.();
      endFailure = undefined;
      if (page) {
        link.forget();
        page.restart(message);
      } else {
        page = new TablePage(link, api, message);
      }
      break;
    case 'info':
      page?.update(message.info);
      break;
    case 'about':
      page?.updateAbout(message.about);
      break;
    case 'problems':
      page?.links.problemsChanged(message);
      break;
    case 'show':
      page?.show(message.tab, message.chosen);
      break;
    case 'requestExport':
      page?.exportTable();
      break;
    case 'failed':
      endFailure?.();
      page?.closeAll();
      endFailure = showFailure(message, {
        tryAgain: () => {
          link.send({ type: 'reload' });
        },
        openText: () => {
          link.send({ type: 'openText' });
        },
      });
      break;
  }
});
const list = pageState(api.getState())?.list;
link.send({ type: 'ready', ...(list !== undefined && { list }) });

/** The actions of a failed table. */
interface FailureActions {
  readonly tryAgain: () => void;
  readonly openText: () => void;
}

/**
 * Shows why there is no table, and what to do. It cannot be closed: there is nothing to return to,
 * and the page behind it is inert until the table is back.
 * @returns a function that removes the message and restores the focus
 */
function showFailure(
  { message, tryAgain, openText }: Extract<HostMessage, { type: 'failed' }>,
  actions: FailureActions,
): () => void {
  const again = textButton(tryAgain, actions.tryAgain, 'primary');
  const root = element(
    'dialog',
    { class: 'failure', role: 'alertdialog', 'aria-modal': 'true', 'aria-label': message },
    icon('error'),
    element('p', {}, message),
    element(
      'div',
      { class: 'failure-actions' },
      again,
      textButton(openText, actions.openText, 'secondary'),
    ),
  );
  // Escape does not leave the dialog. Shortcuts of VS Code, such as Ctrl+P, still reach it.
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
    }
  });
  root.addEventListener('cancel', (event) => {
    event.preventDefault();
  });
  document.body.append(root);
  root.showModal();
  again.focus();
  return () => {
    // This restores the focus.
    root.close();
    root.remove();
  };
}

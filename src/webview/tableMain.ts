import { markSelected } from './state/actions';
import { HostLink, type VsCodeApi } from './state/hostLink';
import { closeHelp } from './menus/helpPage';
import { closeMenu } from './dom/menu';
import { TablePage } from './tablePage';
import { pageState } from './state/pageState';
import { showFailure } from './views/failureDialog';

/** Shows the table that the host opens. */
export function startTablePage(api: VsCodeApi): void {
  let page: TablePage | undefined;
  let endFailure: (() => void) | undefined;

  const link: HostLink = new HostLink(api, (message) => {
    switch (message.type) {
      case 'init':
        endFailure?.();
        endFailure = undefined;
        link.generation = message.generation;
        if (page) {
          link.forget();
          page.restart(message);
        } else {
          page = new TablePage(link, api, message);
        }
        break;
      case 'info':
        page?.store.update(message.info);
        break;
      case 'about':
        page?.store.set({ about: message.about });
        break;
      case 'ratings':
        page?.store.set({ ratings: message.ratings });
        break;
      case 'problems':
        page?.store.problemsChanged(message);
        break;
      case 'marked':
        page?.store.hasMarked();
        break;
      case 'markSelected':
        if (page) {
          markSelected(page.store, message);
        }
        break;
      case 'show':
        page?.show(message.tab, message.chosen);
        break;
      case 'failed':
        endFailure?.();
        closeMenu();
        closeHelp();
        endFailure = showFailure(message, (action) => {
          link.send(action);
        });
        break;
    }
  });
  const list = pageState(api.getState())?.list;
  link.send({ type: 'ready', ...(list !== undefined && { list }) });
}

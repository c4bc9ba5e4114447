import { showFailure } from './failure';
import { HostLink, type VsCodeApi } from './hostLink';
import { TablePage } from './tablePage';

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
      page?.learn(message.about);
      break;
    case 'show':
      page?.show(message.tab, message.chosen);
      break;
    case 'askExport':
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
link.send({ type: 'ready' });

import { showFailure } from './failure';
import { HostLink, type VsCodeApi } from './hostLink';
import { TablePage } from './tablePage';

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();
let page: TablePage | undefined;
let failure: HTMLElement | undefined;

const link: HostLink = new HostLink(api, (message) => {
  switch (message.type) {
    case 'init':
      failure?.remove();
      failure = undefined;
      if (page) {
        page.restart(message);
      } else {
        page = new TablePage(link, api, message);
      }
      break;
    case 'info':
      page?.update(message.info);
      break;
    case 'failed':
      failure?.remove();
      failure = showFailure(message, {
        tryAgain: () => {
          link.send({ type: 'reload' });
        },
        openText: () => {
          link.send({ type: 'openText' });
        },
      });
      break;
    case 'do':
      page?.do(message.action);
      break;
  }
});
link.send({ type: 'ready' });

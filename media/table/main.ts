import { HostLink, type VsCodeApi } from './hostLink';
import { TablePage } from './tablePage';

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();
let page: TablePage | undefined;

const link: HostLink = new HostLink(api, (message) => {
  switch (message.type) {
    case 'init':
      if (page) {
        page.restart(message);
      } else {
        page = new TablePage(link, api, message);
      }
      break;
    case 'info':
      page?.update(message.info);
      break;
    case 'do':
      page?.do(message.action);
      break;
  }
});
link.send({ type: 'ready' });

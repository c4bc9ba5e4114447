import type { VsCodeApi } from './state/hostLink';
import { startTablePage } from './tableMain';
import { startRecordPage } from './views/recordPage';
import { startTrendPage } from './views/trendPage';

declare function acquireVsCodeApi(): VsCodeApi;

const pages: Partial<Record<string, (api: VsCodeApi) => void>> = {
  record: startRecordPage,
  trend: startTrendPage,
};
const start = pages[document.body.dataset.page ?? ''] ?? startTablePage;
start(acquireVsCodeApi());

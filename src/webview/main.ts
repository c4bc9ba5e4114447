import type { VsCodeApi } from './state/hostLink';
import { startTablePage } from './tableMain';
import { startRecordPage } from './views/recordPage';

declare function acquireVsCodeApi(): VsCodeApi;

const start = document.body.dataset.page === 'record' ? startRecordPage : startTablePage;
start(acquireVsCodeApi());

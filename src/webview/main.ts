import type { VsCodeApi } from './state/hostLink';
import { startTablePage } from './tableMain';
import { startFindingPage } from './views/findingMain';

declare function acquireVsCodeApi(): VsCodeApi;

const start = document.body.dataset.page === 'finding' ? startFindingPage : startTablePage;
start(acquireVsCodeApi());

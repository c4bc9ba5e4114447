import type { FindingHostMessage } from '../findingProtocol';
import { FindingPage } from './findingPage';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

const api = acquireVsCodeApi();
const page = new FindingPage((message) => {
  api.postMessage(message);
});
document.body.append(page.root);
window.addEventListener('message', ({ data }: MessageEvent<FindingHostMessage>) => {
  page.show(data);
});
// Its keys work only while the page has the focus, which VS Code gives to the editor.
window.addEventListener('focus', () => {
  page.focus();
});
page.focus();
api.postMessage({ type: 'ready' });

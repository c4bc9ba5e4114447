import * as fs from 'node:fs';
import * as path from 'node:path';
import type { DemoService } from '../../../src/demo/demoService';
import { comparedDumps } from '../../helpers/comparedDumps';
import type { FaultyService } from '../../ui/faultyService';
import type { Camera } from './camera';
import { ReportTable } from '../workbench/reportTable';
import { expandLoaded, findingRow, halvorsen, startReportOfAll } from '../workbench/steps';
import { scrollTo, setExpanded } from '../workbench/tree';
import type { Workbench } from '../workbench/workbench';
import { workspace } from './workspaceWalk';

const scorecardId = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';

/** What the walk uses besides its window. */
export interface Services {
  readonly demo: DemoService;
  readonly service: FaultyService;
  /** The folder of the window; it has the files `neighbor.json` and `neighbor.ndjson`. */
  readonly folder: string;
}

/** From the signed-out view to the comparison of two reports; each state has its picture. */
export async function reviewWalk(
  workbench: Workbench,
  camera: Camera,
  services: Services,
  only: readonly string[],
): Promise<void> {
  const all = { findings, reports, editors, exports, workspace, collections, account, settings };
  const unknown = only.filter((name) => !Object.hasOwn(all, name));
  if (unknown.length > 0) {
    throw new Error(
      `Unknown part ${unknown.join()}: use ${Object.keys(all).join(', ')} or german.`,
    );
  }
  const parts = Object.entries(all)
    .filter(([name]) => only.length === 0 || only.includes(name))
    .map(([, part]) => part);
  await signInSteps(workbench, camera, services);
  await walkParts(workbench, camera, services, parts);
}

/** Walks through parts, one after the other, even if some of them fail. */
export async function walkParts(
  workbench: Workbench,
  camera: Camera,
  services: Services,
  parts: readonly ((workbench: Workbench, camera: Camera, services: Services) => Promise<void>)[],
): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) {
    try {
      await part(workbench, camera, services);
    } catch (error) {
      // Continues with the other parts, which are still worth seeing.
      failures.push(error);
      await camera.window(`99-failed-${part.name}`);
      services.service.heal();
      await workbench.page.keyboard.press('Escape');
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, failures.map(String).join('\n'));
  }
}

async function signInSteps(
  workbench: Workbench,
  camera: Camera,
  { demo, service }: Services,
): Promise<void> {
  const { quickInput } = workbench;
  const step = (number: number) =>
    quickInput.widget.getByText(`Sign In (${number}/2)`, { exact: true }).waitFor();
  await workbench.openContainer('Scorecard');
  await workbench.view('Findings').getByRole('button', { name: 'Sign In' }).waitFor();
  await camera.sideBar('01-signed-out');
  await palette(workbench, camera, '07-palette-signed-out');
  await workbench.runCommand('Scorecard: Sign In');
  await step(1);
  await quickInput.type('');
  await camera.picker('02-sign-in-address');
  // Nothing listens there.
  await quickInput.answer('http://127.0.0.1:1');
  await quickInput.widget.getByRole('button', { name: 'Use Anyway' }).waitFor();
  await camera.picker('03-sign-in-address-problem');
  await quickInput.answer(service.baseUrl);
  await step(2);
  await camera.picker('04-sign-in-key');
  await quickInput.answer('not-the-key');
  await quickInput.message.getByText(/refused this key/).waitFor();
  await camera.picker('05-sign-in-key-problem');
  await quickInput.answer(demo.apiKey);
  await quickInput.widget.waitFor({ state: 'hidden' });
  await workbench.notifications.toast('key verified').waitFor();
  await camera.toast('06-signed-in');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.treeItem(halvorsen).waitFor();
  await palette(workbench, camera, '08-palette-signed-in');
}

async function palette(workbench: Workbench, camera: Camera, state: string): Promise<void> {
  await workbench.page.keyboard.press('F1');
  await workbench.quickInput.type('>Scorecard: ');
  await workbench.quickInput.rows.filter({ hasText: 'Scorecard: Delete Local Data' }).waitFor();
  await camera.window(state);
  await workbench.quickInput.dismiss();
}

async function findings(
  workbench: Workbench,
  camera: Camera,
  { service }: Services,
): Promise<void> {
  const { quickInput } = workbench;
  const view = workbench.view('Findings');
  await camera.sideBar('10-scorecards');
  await workbench.runCommand('Scorecard: Add Scorecard or Issue Types');
  await quickInput.input.waitFor();
  await camera.picker('11-add-scorecard');
  await quickInput.answer('example.com');
  await quickInput.message.getByText(/not supported/).waitFor();
  await camera.picker('12-add-scorecard-problem');
  await quickInput.answer(scorecardId);
  await quickInput.row('Select From List').waitFor();
  await camera.picker('13-issue-types');
  await quickInput.pick('Select From List');
  await quickInput.row('Select From List').waitFor({ state: 'detached' });
  await quickInput.rows.first().waitFor();
  await camera.picker('14-issue-type-list');
  await quickInput.dismiss();
  await expandLoaded(workbench, halvorsen, 'Open port');
  await camera.sideBar('15-findings');
  await workbench.runCommand('Scorecard: Go to Finding');
  await quickInput.input.waitFor();
  await camera.picker('16-go-to-finding');
  await quickInput.answer('30001');
  await workbench.treeItem(/, finding 30,001$/).waitFor();
  await camera.sideBar('17-gap');
  await workbench.runCommand('Scorecard: Filter Findings');
  await quickInput.input.waitFor();
  await camera.picker('18-filter');
  await quickInput.answer('nginx');
  await camera.sideBar('19-filtered');
  await workbench.runCommand('Scorecard: Filter Findings');
  await quickInput.answer('no such word');
  await workbench.treeItem(/, No matches, /, view).waitFor();
  await camera.sideBar('19-filtered-without-matches');
  await workbench.runCommand('Scorecard: Clear Filter');
  await findingRow(workbench, 1).click();
  await workbench.webview.getByText('Issue ID').waitFor();
  await workbench.runCommand('Scorecard: Copy Findings...');
  await quickInput.rows.first().waitFor();
  await camera.picker('20-copy');
  await quickInput.dismiss();
  await workbench.runCommand('View: Close All Editors');
  await findingRow(workbench, 1).focus();
  await workbench.page.keyboard.press('Home');
  await setExpanded(workbench.treeItem(/^Open port/, view), false);
  await setExpanded(workbench.treeItem(/^DMARC/, view), true);
  await workbench.treeItem('No findings').waitFor();
  service.fail('/paginated', { status: 500, message: 'boom' });
  await setExpanded(workbench.treeItem(/^Malware infection/, view), true);
  await workbench.treeItem(/^Server error 500/, view).waitFor();
  await camera.sideBar('21-failed-and-empty');
  service.heal();
  await workbench.runCommand('Scorecard: Show Request Budget');
  await workbench.notifications.toasts.first().waitFor();
  await camera.toast('22-budget');
  await workbench.runCommand('Notifications: Clear All Notifications');
}

async function reports(workbench: Workbench, camera: Camera, { service }: Services): Promise<void> {
  const { quickInput, notifications } = workbench;
  const view = workbench.view('Reports');
  await workbench.view('Findings').locator('.pane-header').click();
  await camera.sideBar('30-no-reports');
  await workbench.runCommand('Scorecard: Start Detailed Report');
  await quickInput.row(halvorsen).waitFor();
  await camera.picker('31-report-scorecard');
  service.fail('/reports/detailed', { status: 500, message: 'boom' });
  await quickInput.pick(halvorsen);
  await workbench.treeItem(/ Failed, Detailed report/, view).waitFor();
  await notifications.toast('failed').waitFor();
  // VS Code shows any progress for a moment.
  await notifications.toast('Requesting').waitFor({ state: 'detached' });
  await camera.toast('32-report-failed');
  service.heal();
  await workbench.runCommand('Notifications: Clear All Notifications');
  service.fail('/download', { status: 425, message: 'Not yet' });
  await startReportOfAll(workbench, 'Full');
  await workbench.treeItem(/^Generating, /, view).waitFor();
  const generating = notifications.toast(/Generating/);
  await generating.waitFor();
  await camera.toast('33-report-generating');
  await camera.sideBar('33-reports-generating');
  await generating.getByRole('button', { name: 'Cancel' }).click();
  await workbench.treeItem(/ Cancelled, Full report/, view).waitFor();
  service.heal();
  service.fail('/download', { pieceEveryMs: 25 });
  await startReportOfAll(workbench, 'Full');
  await workbench.treeItem(/^Downloading \d+%, /, view).waitFor();
  await notifications.toast(/Downloading/).waitFor();
  await camera.toast('33-report-progress');
  await camera.sideBar('34-reports');
  service.heal();
  await workbench
    .treeItem(/\d Full report: All findings · [\d.]+ MB/, view)
    .waitFor({ timeout: 60_000 });
  await camera.toast('35-report-ready');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await camera.sideBar('36-reports-ready');
}

async function editors(workbench: Workbench, camera: Camera, { service }: Services): Promise<void> {
  const { quickInput, notifications } = workbench;
  const view = workbench.view('Reports');
  const table = new ReportTable(workbench);
  await workbench.treeItem(/\d Full report: All findings/, view).click();
  await table.count(/^High: /).waitFor();
  await camera.editor('40-overview');
  await table.count(/^High: /).click();
  await table.waitForStatus(/of/);
  await camera.editor('41-table');
  await table.openRecord(2);
  await camera.editor('42-table-record');
  await startReportOfAll(workbench, 'Full');
  await workbench
    .treeItem(/\d Full report: All findings/, view)
    .nth(1)
    .waitFor();
  await notifications.toast(/No changes since/).waitFor();
  await camera.toast('43-report-without-changes');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.runCommand('Scorecard: Compare Reports...');
  await quickInput.rows.first().waitFor();
  await camera.picker('44-compare');
  await quickInput.rows.first().click();
  await quickInput.widget.getByPlaceholder('(2/2)').waitFor();
  await quickInput.rows.first().click();
  await workbench.webview.getByRole('heading', { name: /^Changes since/ }).waitFor();
  await camera.editor('45-comparison-without-changes');
  await workbench.runCommand('View: Close All Editors');
  await compareChanged(workbench, camera, service);
  await workbench.runCommand('View: Close All Editors');
  await workbench.view('Reports').locator('.pane-header').click();
  await workbench.view('Findings').locator('.pane-header').click();
  await workbench.treeItem(/^Halvorsen.*[\d,]+ high/).waitFor();
  await setExpanded(workbench.treeItem(/TLS: weak cipher/), true);
  await workbench.treeItem(/, finding 1$/).waitFor();
  await camera.sideBar('46-findings-with-severity');
  await workbench.treeItem(/, finding 1$/).click();
  await workbench.webview.getByText('Issue ID').waitFor();
  await camera.editor('47-record');
}

/** Two small reports that differ, compared by the action in the row of the newer one. */
async function compareChanged(
  workbench: Workbench,
  camera: Camera,
  service: FaultyService,
): Promise<void> {
  const reports = workbench.treeItem(/\d Full report: All findings/, workbench.view('Reports'));
  const { before, after } = comparedDumps();
  for (const [name, text] of [
    ['before.ndjson', before],
    ['after.ndjson', after],
  ] as const) {
    service.fail('/download', { name, bytes: Buffer.from(text) });
    await startReportOfAll(workbench, 'Full');
    await workbench.notifications.toast(/ new.* no longer reported.* changed since /).waitFor();
    if (name === 'after.ndjson') {
      await camera.toast('43-report-with-changes');
    }
    await workbench.runCommand('Notifications: Clear All Notifications');
  }
  service.heal();
  await reports.first().hover();
  await reports.first().getByRole('button', { name: 'Compare with Previous' }).click();
  await workbench.webview.getByRole('heading', { name: /^Changes since/ }).waitFor();
  await camera.editor('45-comparison');
  await workbench.webview.getByRole('button', { name: 'All: 5', exact: true }).click();
  await new ReportTable(workbench).waitForStatus(/of/);
  await camera.editor('45-comparison-table');
  await new ReportTable(workbench).openRecord(1);
  await camera.editor('45-comparison-record');
}

/** Export Table, and Export Findings of a whole list: running, cancelled and finished. */
async function exports(
  workbench: Workbench,
  camera: Camera,
  { service, folder }: Services,
): Promise<void> {
  const { quickInput, notifications } = workbench;
  const table = new ReportTable(workbench);
  await workbench.runCommand('View: Close All Editors');
  const lines = Array.from({ length: 600_000 }, (_, at) => `${at},host-${at}.example,high,active`);
  fs.writeFileSync(
    path.join(folder, 'large.csv'),
    ['id,host,severity,status', ...lines].join('\n'),
  );
  await openAsTable(workbench, 'large.csv');
  await table.waitForStatus('600,000 rows');
  await workbench.runCommand('Scorecard: Export Table...');
  await quickInput.row('JSON').waitFor();
  await camera.picker('51-export-format');
  await quickInput.pick('JSON');
  await quickInput.row('..').waitFor();
  await camera.picker('51-export-file');
  await quickInput.answerFile(path.join(folder, 'table.json'), 'neighbor.json');
  await notifications.toast(/Exporting large.csv/).waitFor();
  await camera.toast('51-export-table-progress');
  await notifications.toast(/Exported 600,000 rows/).waitFor({ timeout: 60_000 });
  await camera.toast('51-export-table-ready');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.runCommand('View: Close All Editors');
  await workbench.runCommand('Scorecard: Focus on Findings View');
  // Rows that are far away are not in the page.
  await workbench.page.keyboard.press('Home');
  await expandLoaded(workbench, halvorsen, 'Open port');
  await findingRow(workbench, 1).click();
  await workbench.webview.getByText('Issue ID').waitFor();
  await workbench.runCommand('Scorecard: Export Findings...');
  await quickInput.rows.first().waitFor();
  await camera.picker('52-export-scope');
  await quickInput.rows.filter({ hasText: 'All findings' }).click();
  await quickInput.pick('NDJSON');
  const release = holdFindings(service);
  await quickInput.answerFile(path.join(folder, 'all.ndjson'), 'neighbor.ndjson');
  const running = notifications.toast(/Exporting /);
  await running.waitFor();
  await camera.toast('52-export-findings-start');
  release();
  // Blocked again before all have arrived.
  await running.getByText(/[1-9][\d,]* of 41,237/).waitFor();
  const releaseLater = holdFindings(service);
  await camera.toast('52-export-findings-progress');
  await camera.sideBar('52-export-findings-side-bar');
  await camera.window('52-export-findings-window');
  await running.getByRole('button', { name: 'Cancel' }).click();
  releaseLater();
  await notifications.toast(/was cancelled after/).waitFor();
  await camera.toast('53-export-findings-cancelled');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.runCommand('Scorecard: Export Findings...');
  await quickInput.rows.filter({ hasText: 'All findings' }).click();
  await quickInput.pick('NDJSON');
  await quickInput.answerFile(path.join(folder, 'all.ndjson'), 'neighbor.ndjson');
  await notifications.toast(/Exported [\d,]+ findings/).waitFor({ timeout: 60_000 });
  await camera.toast('53-export-findings-ready');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.runCommand('View: Close All Editors');
}

/** Blocks pages of findings until the returned function is called. */
export function holdFindings(service: FaultyService): () => void {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  service.fail('/issues/', { until });
  return () => {
    service.heal();
    release();
  };
}

/** Opens a file of the window's folder. */
async function openAsTable(workbench: Workbench, name: string): Promise<void> {
  await workbench.page.keyboard.press('Control+P');
  await workbench.quickInput.type(name);
  await workbench.quickInput.pick(name);
  await workbench.editorTab(new RegExp(`^${name}`)).waitFor();
  // Not by the menu of the tab, which closes if the tab is drawn again.
  await workbench.runCommand('View: Reopen Editor With...');
  await workbench.quickInput.rows.filter({ hasText: 'Report Table' }).first().click();
}

async function collections(workbench: Workbench, camera: Camera): Promise<void> {
  await workbench.openContainer('Scorecard');
  await workbench.view('Findings').locator('.pane-header').click();
  const view = workbench.view('Collections');
  const portfolios = workbench.treeItem(/^Portfolios/, view);
  await setExpanded(portfolios, true);
  await workbench.treeItem(/^Load /, view).waitFor();
  await scrollTo(portfolios, view);
  await camera.sideBar('50-collections');
}

async function settings(workbench: Workbench, camera: Camera): Promise<void> {
  await settingGroups(workbench, camera, '55-settings', ['Connection', 'Browsing', 'Reports']);
}

/** The page of our settings, in its groups. */
export async function settingGroups(
  workbench: Workbench,
  camera: Camera,
  picture: string,
  groups: readonly string[],
): Promise<void> {
  const { page } = workbench;
  await workbench.runCommand('View: Close All Editors');
  await workbench.runCommand('Preferences: Open Settings (UI)');
  await page.locator('.settings-editor .suggest-input-container').click();
  await page.keyboard.type('@ext:scorecard-tools.scorecard-explorer');
  for (const group of groups) {
    const row = page.locator('.settings-toc-container .settings-toc-entry', { hasText: group });
    await row.waitFor();
    await row.click();
    await page.mouse.move(viewportMiddle.x, viewportMiddle.y);
    await camera.window(`${picture}-${group.toLowerCase()}`);
  }
}

const viewportMiddle = { x: 900, y: 780 };

/** Signs out and in again: without an answer, with a first scorecard, and with a budget that is used up. */
async function account(
  workbench: Workbench,
  camera: Camera,
  { demo, service }: Services,
): Promise<void> {
  const { quickInput, notifications } = workbench;
  const { widget } = quickInput;
  const view = workbench.view('Findings');
  const step = (number: number, of: number) =>
    widget.getByText(`Sign In (${number}/${of})`, { exact: true }).waitFor();
  const begin = async (baseUrl: string, steps: number, key = demo.apiKey) => {
    await workbench.runCommand('Scorecard: Sign In');
    await step(1, steps);
    await quickInput.answer(baseUrl);
    if (baseUrl !== service.baseUrl) {
      await widget.getByRole('button', { name: 'Use Anyway' }).click();
    }
    await step(2, steps);
    await quickInput.answer(key);
  };
  await workbench.runCommand('Scorecard: Focus on Findings View');
  await workbench.runCommand('Scorecard: Sign Out');
  await view.getByRole('button', { name: 'Sign In' }).waitFor();
  await begin('http://127.0.0.1:1', 2);
  await view.getByRole('button', { name: 'Try Again' }).waitFor();
  await camera.toast('60-unreachable');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await camera.sideBar('60-unreachable-view');
  await workbench.runCommand('Scorecard: Sign Out');
  await view.getByRole('button', { name: 'Sign In' }).waitFor();

  workbench.changeSettings({ 'scorecard.scorecards': [] });
  await workbench.reload();
  await view.getByRole('button', { name: 'Sign In' }).waitFor();
  await begin(service.baseUrl, 3);
  await step(3, 3);
  await camera.picker('61-sign-in-scorecard');
  await quickInput.answer('example.com');
  await quickInput.message.getByText(/not supported/).waitFor();
  await camera.picker('62-sign-in-scorecard-problem');
  await quickInput.answer('00000000-0000-4000-8000-000000000000');
  await quickInput.message.getByText(/Back returns to it/).waitFor();
  await camera.picker('62-sign-in-scorecard-unknown');
  await quickInput.answer('');
  await notifications.toasts.first().waitFor();
  await camera.toast('63-signed-in-without-scorecard');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await camera.sideBar('63-no-scorecards');

  workbench.changeSettings({
    'scorecard.scorecards': [{ id: scorecardId, name: halvorsen, issueTypes: [] }],
  });
  await workbench.reload();
  await setExpanded(workbench.treeItem(halvorsen, view), true);
  await workbench.treeItem(/^Add issue types/).waitFor();
  await camera.sideBar('64-no-issue-types');

  workbench.changeSettings({
    'scorecard.scorecards': [
      { id: scorecardId, name: halvorsen, issueTypes: ['open_port', 'service_rdp'] },
      { id: 'example.com' },
    ],
    'scorecard.requestsPerHour': 1,
  });
  await workbench.reload();
  await setExpanded(workbench.treeItem(halvorsen, view), true);
  await setExpanded(workbench.treeItem(/^Open port/, view), true);
  await workbench.treeItem(/Retry/, view).first().waitFor({ timeout: 45_000 });
  await camera.sideBar('65-budget-used-up');
  await camera.window('65-budget-used-up-window');
  workbench.changeSettings({ 'scorecard.requestsPerHour': 5000 });
  await workbench.reload();
  service.fail('/issues/', { status: 429, message: 'Slow down', retryAfter: 600 });
  await setExpanded(workbench.treeItem(halvorsen, view), true);
  await setExpanded(workbench.treeItem(/^Open port/, view), true);
  await workbench.treeItem(/Retry/, view).first().waitFor({ timeout: 45_000 });
  await camera.sideBar('66-rate-limited');
  await workbench.runCommand('Scorecard: Show Request Budget');
  await notifications.toasts.first().waitFor();
  await camera.toast('67-budget-paused');
  service.heal();
}

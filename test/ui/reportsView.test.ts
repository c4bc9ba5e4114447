import * as assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { useFaultyService } from './faultyService';
import { useWorkbench } from './fixture';
import { halvorsen, signIn } from '../host/workbench/steps';

describe('The Reports view', () => {
  const ui = useWorkbench({
    settings: { 'scorecard.reports.openWhenReady': false },
    demo: {
      generationMs: { full: 6_000, detailed: 500 },
      detailedPerWindow: 100,
    },
  });
  const faulty = useFaultyService(ui);
  const detailed = /^Detailed report: All findings, [\d.]+ [KM]?B/;

  it('says on its icon what has ended, also after a reload, until it is seen; by day', async () => {
    const { workbench } = ui;
    const news = workbench.container('1 report has ended since you last looked');
    await signIn(workbench, faulty.account);
    await workbench.treeItem(halvorsen).waitFor();
    await workbench.openContainer('Explorer');
    await workbench.runCommand('Scorecard: Start Detailed Report');
    await workbench.notifications.toast(/"Detailed report: All findings" is ready/).waitFor();
    await news.waitFor();
    await workbench.reload();
    await news.waitFor();

    await workbench.openContainer('Scorecard');
    const reports = workbench.view('Reports');
    await workbench.treeItem(/^Today, 1 report/, reports).waitFor();
    await workbench.treeItem(detailed, reports).waitFor();
    await news.waitFor({ state: 'detached' });
    await workbench.pressViewAction('Reports', 'Views and More Actions...');
    await workbench.page
      .getByRole('menuitem', { name: 'Remove All Finished Reports', exact: true })
      .hover();
    await workbench.page.keyboard.press('Enter');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('Remove 1 finished report?').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await reports.getByText('No reports yet.').waitFor();
  });

  it('keeps the report of another account, which is not asked for with this one', async () => {
    const { workbench } = ui;
    const reports = workbench.view('Reports');
    await signIn(workbench, faulty.account);
    await workbench.treeItem(halvorsen).waitFor();
    await workbench.runCommand('Scorecard: Start Full Report');
    await workbench.treeItem(/^Full report: All findings, Generating/, reports).waitFor();
    await signIn(workbench, ui.demo);
    const { host } = new URL(faulty.account.baseUrl);
    await workbench
      .treeItem(`Full report: All findings, Waiting: sign in to ${host} to continue`, reports)
      .waitFor();
    const asked = faulty.service.requests.length;
    await workbench.runCommand('Scorecard: Start Detailed Report');
    await workbench.treeItem(detailed, reports).waitFor();
    assert.equal(faulty.service.requests.length, asked);

    await signIn(workbench, faulty.account);
    await workbench.treeItem(/^Full report: All findings, [\d.]+ MB/, reports).waitFor();
  });

  it('opens a packed report as what is in it, in a read-only editor', async () => {
    const { workbench } = ui;
    const bytes = gzipSync('finding,host\n1,a.example\n');
    faulty.service.fail('/download', { name: 'packed.csv.gz', bytes });
    await signIn(workbench, faulty.account);
    await workbench.treeItem(halvorsen).waitFor();
    await workbench.runCommand('Scorecard: Start Detailed Report');
    const ready = workbench.notifications.toast(/"Detailed report: All findings" is ready/);
    await ready.getByRole('button', { name: 'Open' }).click();
    await workbench.editorTab(/^packed\.csv/).waitFor();
    const line = workbench.textEditor.getByText('1,a.example');
    await line.click();
    await workbench.page.keyboard.type('x');
    await workbench.page.getByText('A report is read-only.').first().waitFor();
    await workbench.reload();
    await line.waitFor();
  });

  it('brings a report to its end over reloads while it is made and while it comes', async () => {
    const { workbench } = ui;
    const reports = workbench.view('Reports');
    faulty.service.fail('/download', { pieceEveryMs: 300 });
    await signIn(workbench, faulty.account);
    await workbench.treeItem(halvorsen).waitFor();
    const before = faulty.service.requests.filter((request) => request.startsWith('POST /reports'));
    await workbench.runCommand('Scorecard: Start Full Report');
    await workbench.treeItem(/^Full report: All findings, Generating/, reports).waitFor();
    await workbench.reload();
    await workbench.treeItem(/^Full report: All findings, Generating/, reports).waitFor();
    await workbench
      .treeItem(/^Full report: All findings, Downloading · [\d.]+ [KM]B of/, reports)
      .waitFor();
    await workbench.reload();
    await workbench.treeItem(/^Full report: All findings, Downloading/, reports).waitFor();
    faulty.service.fail('/download');
    const ready = workbench.notifications.toast(/"Full report: All findings" is ready/);
    await ready.getByRole('button', { name: 'Open' }).click();
    await workbench.editorTab(/^full-report-.*\.ndjson/).waitFor();
    const after = faulty.service.requests.filter((request) => request.startsWith('POST /reports'));
    assert.equal(after.length, before.length + 1);
  });
});

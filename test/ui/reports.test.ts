import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { useFaultyService } from './faultyService';
import { useWorkbench } from './fixture';
import { expandIssueType, findingRow, halvorsen, signIn } from '../host/workbench/steps';

describe('Reports', () => {
  const ui = useWorkbench({
    settings: {
      'scorecard.reports.openWhenReady': false,
      'scorecard.reports.fullBody': { scorecard_identifier: '${scorecardId}' },
      'scorecard.reports.detailedBody': { scorecard_identifier: '${scorecardId}' },
    },
    demo: { generationMs: 500, detailedPerWindow: 1, detailedWindowMs: 60_000 },
  });
  const faulty = useFaultyService(ui);

  it('tell how far they are, go on in the background, and are cancelled there', async () => {
    const { workbench } = ui;
    const { quickInput, notifications } = workbench;
    const reports = workbench.view('Reports');
    faulty.service.fail('/download', { pieceEveryMs: 500 });
    await signIn(workbench, faulty.account);
    await workbench.treeItem(halvorsen).waitFor();
    await workbench.runCommand('Scorecard: Start Full Report');
    await quickInput.pick('Bluefjord Bank');
    const toast = notifications.toast('Full report: Bluefjord Bank');
    await toast.filter({ hasText: /Generating · \d s/ }).waitFor();
    await toast
      .filter({ hasText: /Downloading · [\d.]+ KB of [\d.]+ MB · [\d.]+ KB\/s · \d+ .*left/ })
      .waitFor();
    await toast.getByText('Continue in Background').click();
    await toast.waitFor({ state: 'detached' });
    const item = workbench.statusBarItem(/^1 report: Full report: Bluefjord Bank: Downloading/);
    await item.waitFor();

    const row = workbench.treeItem(/^Full report: Bluefjord Bank, Downloading/, reports);
    await workbench.pickFromContextMenu(row, 'Cancel Report');
    await workbench.treeItem(/^Full report: Bluefjord Bank, Cancelled/, reports).waitFor();
    await item.waitFor({ state: 'detached' });
    assert.equal(await notifications.toasts.count(), 0);

    await workbench.runCommand('Scorecard: Start Full Report');
    await quickInput.pick('Quillmark Health');
    const second = notifications.toast('Full report: Quillmark Health');
    await second.getByRole('button', { name: 'Cancel' }).click();
    await workbench.treeItem(/^Full report: Quillmark Health, Cancelled/, reports).waitFor();
    await second.waitFor({ state: 'detached' });
  });

  it('wait for their limit in sight, while findings load; are opened, saved and removed', async () => {
    const { workbench } = ui;
    const { quickInput, notifications } = workbench;
    const reports = workbench.view('Reports');
    await signIn(workbench, faulty.account);
    await workbench.treeItem(halvorsen).waitFor();
    await workbench.runCommand('Scorecard: Start Detailed Report');
    await quickInput.pick('Quillmark Health');
    await notifications.toast(/"Detailed report: Quillmark Health" is ready/).waitFor();

    await workbench.runCommand('Scorecard: Start Detailed Report');
    await quickInput.pick('Tarnwick Energy');
    const waiting = /Waiting: the service allows the next report in \d+ s/;
    await notifications
      .toast('Detailed report: Tarnwick Energy')
      .filter({ hasText: waiting })
      .waitFor();
    await expandIssueType(workbench, halvorsen, 'Open port');
    await findingRow(workbench, 1).waitFor();
    await workbench.treeItem(waiting, reports).waitFor();
    const ready = notifications.toast(/"Detailed report: Tarnwick Energy" is ready \([\d.]+ KB\)/);
    await ready.getByRole('button', { name: 'Open' }).click();
    await workbench.editorTab(/^detailed-report-tarnwick.*\.csv/).waitFor();

    const row = workbench.treeItem(/^Detailed report: Tarnwick Energy, [\d.]+ KB/, reports);
    await workbench.pickFromContextMenu(row, 'Save Report As...');
    const folder = path.join(ui.server.folder, 'copies');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'neighbour.txt'), '');
    const copy = path.join(folder, 'copy.csv');
    await quickInput.widget.getByText('Save Report As').waitFor();
    await quickInput.answerFile(copy, 'neighbour.txt');
    await notifications.toast(`The report is saved as ${copy}`).waitFor();
    assert.match(fs.readFileSync(copy, 'utf8'), /^issue_id,/);

    await workbench.pickFromContextMenu(row, 'Remove Report');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('Remove "Detailed report: Tarnwick Energy"?').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
  });

  // The last: it leaves both on their way.
  it('move to the status bar when another one is started', async () => {
    const { workbench } = ui;
    const { quickInput, notifications } = workbench;
    faulty.service.fail('/download', { pieceEveryMs: 500 });
    await signIn(workbench, faulty.account);
    await workbench.treeItem(halvorsen).waitFor();
    await workbench.runCommand('Scorecard: Start Full Report');
    await quickInput.pick('Bluefjord Bank');
    const first = notifications.toast('Full report: Bluefjord Bank');
    await first.filter({ hasText: /Downloading · .* · \d+ s elapsed/ }).waitFor();

    await workbench.runCommand('Scorecard: Start Full Report');
    await quickInput.pick('Quillmark Health');
    await notifications.toast('Full report: Quillmark Health').waitFor();
    await first.waitFor({ state: 'detached' });
    await workbench.statusBarItem(/^1 report: Full report: Bluefjord Bank: Downloading/).waitFor();
  });
});

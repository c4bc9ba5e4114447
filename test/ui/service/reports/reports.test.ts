import * as assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { extensionHosts, killExtensionHost } from '../../../host/extensionHosts';
import { halvorsen, signIn } from '../../../host/workbench/steps';
import { useFaultyService, type Fault } from '../../faultyService';
import { useWorkbench } from '../../fixture';
import { narrowTests } from '../../workbench/narrow';

/** The service makes the report until it is told otherwise. */
const notYet: Fault = { status: 425, message: 'Not yet' };
/** Slow enough for all that is done while a report of megabytes comes. */
const slowly: Fault = { pieceEveryMs: 500 };

describe('Reports', () => {
  const scorecardBody = { scorecard_identifier: '${scorecardId}' };
  const ui = useWorkbench({
    oneWindow: true,
    settings: {
      'scorecard.reports.openWhenReady': false,
      'scorecard.reports.openAs': 'text',
      'scorecard.reports.fullBody': scorecardBody,
      'scorecard.reports.detailedBody': scorecardBody,
    },
    demo: { generationMs: 0, detailedPerWindow: 100 },
    prepare: async (workbench) => {
      await signIn(workbench, faulty.account);
      await workbench.treeItem(halvorsen).waitFor();
      // It comes when the key was tried, whatever is on screen by then.
      await workbench.notifications.toast(/^Signed in to .*: key verified\.$/).waitFor();
      await workbench.runCommand('Notifications: Clear All Notifications');
    },
  });
  const faulty = useFaultyService(ui);

  async function start(kind: 'Full' | 'Detailed', scorecard: string): Promise<void> {
    await ui.workbench.runCommand(`Scorecard: Start ${kind} Report`);
    await ui.workbench.quickInput.pick(scorecard);
  }

  /** The item of the status bar, which counts what this very window drives. */
  const runningHere = (report: string) => ui.workbench.statusBarItem(`1 report: ${report}`);

  async function openWhenReady(report: string): Promise<void> {
    await ui.workbench.notifications.press(`"${report}" is ready`, 'Open Report');
  }

  const posts = () =>
    faulty.service.requests.filter((request) => request.startsWith('POST /reports/full'));

  /** That a report is what the service has, by the file that was written last. */
  async function assertWhole(): Promise<void> {
    const [, address = ''] = faulty.service.requests.at(-1)?.split(' ') ?? [];
    const served = await fetch(ui.demo.baseUrl + address, {
      headers: { Authorization: `Token ${ui.demo.apiKey}` },
    });
    const storage = path.join(ui.server.globalStorage, 'scorecard-tools.scorecard-explorer');
    const files = fs
      .readdirSync(path.join(storage, 'reports'), { recursive: true, encoding: 'utf8' })
      .filter((name) => path.basename(name).startsWith('full-report'))
      .map((name) => path.join(storage, 'reports', name));
    assert.ok(
      files.every((file) => file.endsWith('.ndjson')),
      `no part: ${files.join(', ')}`,
    );
    const [newest = ''] = files.sort((a, b) => fs.statSync(b).mtimeMs - fs.statSync(a).mtimeMs);
    const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    assert.equal(
      sha256(fs.readFileSync(newest)),
      sha256(new Uint8Array(await served.arrayBuffer())),
    );
  }

  it('Reports survive a reload: open editors, the badge until it is seen, and a running report', async () => {
    const { workbench } = ui;
    const { notifications, page } = workbench;
    const reports = workbench.view('Reports');
    const bytes = Buffer.from('finding,host\n1,a.example\n');
    faulty.service.fail('/download', { name: 'kept.csv', bytes });
    await start('Detailed', 'Tarnwick Energy');
    await openWhenReady('Detailed report: Tarnwick Energy');
    await notifications.toasts.first().waitFor({ state: 'detached' });
    await workbench.treeItem(/^Today, 1 report/, reports).waitFor();
    await workbench.editorTab(/^kept\.csv/).waitFor();
    await workbench.runCommand('View: Pin Editor');
    const pinned = page.locator('.tab.sticky', { hasText: 'kept.csv' });
    await pinned.first().waitFor();
    // Views that are not shown do not wake the extension.
    await workbench.openContainer('Explorer');
    await workbench.runCommand('View: Split Editor Right');
    const columns = page.locator('.editor-group-container');
    const line = (column: number) => columns.nth(column).getByText('1,a.example');
    await line(1).waitFor();

    await start('Detailed', 'Bluefjord Bank');
    await notifications.toast('"Detailed report: Bluefjord Bank" is ready').waitFor();
    const news = workbench.container('1 report has ended since you last looked');
    await news.waitFor();
    faulty.service.fail('/download', notYet);
    await start('Full', 'Quillmark Health');
    await notifications.toast(/Full report: Quillmark Health.*Generating/).waitFor();
    await workbench.whenSaved(2);
    await workbench.reload();

    await news.waitFor();
    await line(0).waitFor();
    await line(1).waitFor();
    assert.equal(await columns.count(), 2);
    assert.equal(await workbench.editorTab(/^kept\.csv/).count(), 2);
    await columns.nth(0).locator(pinned).waitFor();
    await line(1).click();
    await page.keyboard.type('x');
    await page.getByText('A report is read-only.').first().waitFor();

    await runningHere('Full report: Quillmark Health · Generating').waitFor();
    await workbench.openContainer('Scorecard');
    await workbench.treeItem(/^Generating, Full report: Quillmark Health/, reports).waitFor();
    await workbench.treeItem(/^Today, 2 reports/, reports).waitFor();
    await workbench.treeItem(/Detailed report: Bluefjord Bank · \d+ B/, reports).waitFor();
    await news.waitFor({ state: 'detached' });
    faulty.service.fail('/download');
    await openWhenReady('Full report: Quillmark Health');
    await workbench.editorTab(/^full-report-quillmark.*\.ndjson/).waitFor();
    await columns.nth(1).getByText('"issue_id"').first().waitFor();
    assert.equal(posts().length, 1);
    await assertWhole();

    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Scorecard: Clean Up Reports...');
    const { quickInput } = workbench;
    await quickInput.widget.getByText(/^Clean Up Reports: /).waitFor();
    await quickInput.widget.getByRole('checkbox', { name: 'Toggle all checkboxes' }).check();
    await quickInput.widget.getByText('3 Selected').waitFor();
    await quickInput.input.press('Enter');
    await reports.getByText('A report shows all findings, the worst first').waitFor();
    await workbench.notifications.toast(/^Removed: 3\. Freed: [\d.]+ MB\.$/).waitFor();
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.notifications.toasts.waitFor({ state: 'detached' });
  });

  it('Reports show their progress, continue in the background, and are cancelled and removed there', async () => {
    const { workbench } = ui;
    const { notifications } = workbench;
    const reports = workbench.view('Reports');
    faulty.service.fail('/download', notYet);
    await start('Full', 'Bluefjord Bank');
    const first = notifications.toast('Full report: Bluefjord Bank');
    await first.filter({ hasText: /Generating · \d+ s/ }).waitFor();
    faulty.service.fail('/download', slowly);
    await first
      .filter({ hasText: /Downloading \d+% · \d+ .*left · [\d.]+ KB of [\d.]+ MB · [\d.]+ KB\/s/ })
      .waitFor();

    await start('Full', 'Pemberlane Retail Group');
    const second = notifications.toast('Full report: Pemberlane Retail Group');
    // VS Code creates the link anew each second: a press that begins before and ends after it is none.
    await second.getByText('Continue in Background').dispatchEvent('click');
    await first.waitFor({ state: 'detached' });
    await second.waitFor({ state: 'detached' });
    const both = workbench.statusBarItem(/^2 reports: .*Full report: Bluefjord Bank · Downloading/);
    await both.waitFor();

    const row = workbench.treeItem(/^Downloading.*, Full report: Bluefjord Bank/, reports);
    await workbench.pressRowAction(row, 'Cancel Report');
    const ended = workbench.treeItem(/ Cancelled, Full report: Bluefjord Bank/, reports);
    // The same: the view is drawn again while a report ends, and the other one goes on.
    await ended.dispatchEvent('click');
    await notifications.toast('"Full report: Bluefjord Bank" was cancelled.').waitFor();
    await workbench.runCommand('Notifications: Clear All Notifications');
    await notifications.toasts.first().waitFor({ state: 'detached' });
    const other = runningHere('Full report: Pemberlane Retail Group');
    await other.waitFor();

    // Asked for once more, it is the one on its way, in sight again.
    await start('Full', 'Pemberlane Retail Group');
    await second.getByRole('button', { name: 'Cancel' }).click();
    await workbench.treeItem(/ Cancelled, Full report: Pemberlane Retail Group/, reports).waitFor();
    await second.waitFor({ state: 'detached' });
    await other.waitFor({ state: 'detached' });
    assert.deepEqual(await notifications.toasts.allInnerTexts(), []);

    await workbench.pickFromContextMenu(ended, 'Remove Report');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText(/^Remove "Full report: Bluefjord Bank \u00b7 .*\d:\d\d.*"\?$/).waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await ended.waitFor({ state: 'detached' });
  });

  it('Reports show why they failed on a click, and open the setting that is wrong', async () => {
    const { workbench } = ui;
    const { notifications } = workbench;
    const why = /"Detailed report: Tarnwick Energy" failed\. .*scorecard\.reports\.detailedBody/;
    faulty.service.fail('/reports/detailed', { status: 400, message: 'unknown field' });
    await start('Detailed', 'Tarnwick Energy');
    await notifications.toast(why).waitFor();
    await workbench.runCommand('Notifications: Clear All Notifications');
    await notifications.toasts.first().waitFor({ state: 'detached' });
    const reports = workbench.view('Reports');
    const row = workbench.treeItem(/ Failed, Detailed report/, reports);
    await row.click();
    await notifications.press(why, 'Open Settings');
    const settings = workbench.page.locator('.settings-editor .setting-item-label');
    await settings.getByText('Detailed Body').waitFor();
    assert.equal(await settings.count(), 1);
    await workbench.page.locator('.monaco-modal-editor-block').press('Escape');
    await settings.waitFor({ state: 'detached' });
    faulty.service.fail('/reports/detailed');
    faulty.service.fail('/download');
    await row.click();
    await notifications.press(why, 'Retry');
    // With its size: what is drawn again closes a menu.
    const ready = workbench.treeItem(/\d Detailed report: Tarnwick Energy · [\d.]+ .?B/, reports);
    await ready.waitFor();
    await workbench.pickFromContextMenu(ready, 'Remove Report');
    await workbench.page
      .locator('.monaco-dialog-box')
      .getByRole('button', { name: 'Remove' })
      .click();
    await ready.waitFor({ state: 'detached' });
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  // Here every kind of row can be made.
  describe('and other views in a narrow side bar', () => {
    narrowTests(ui, faulty);
  });

  // The last: VS Code counts the extension hosts that end.
  describe('whose extension host is killed', () => {
    it('Reports whose extension host is killed finish without a second POST, and open', async () => {
      const { workbench } = ui;
      await workbench.runCommand('Scorecard: Focus on Reports View');
      // The new row comes first; the view may be scrolled.
      await workbench.page.keyboard.press('Home');
      const before = posts().length;
      faulty.service.fail('/download', slowly);
      await start('Full', 'Pemberlane Retail Group');
      const report = 'Full report: Pemberlane Retail Group';
      const coming = /^Downloading \d+%, Full report: Pemberlane Retail Group · .*[\d.]+ [KM]B of/;
      await workbench.treeItem(coming, workbench.view('Reports')).waitFor();
      const hosts = extensionHosts(ui.server);
      await workbench.reload();
      await runningHere('Full report: Pemberlane Retail Group · Downloading').waitFor();
      await killExtensionHost(ui.server, hosts);
      faulty.service.fail('/download');
      await openWhenReady(report);
      await workbench.editorTab(/^full-report-pemberlane.*\.ndjson/).waitFor();
      await workbench.textEditor.getByText('"issue_id"').first().waitFor();
      assert.equal(posts().length, before + 1);
      await assertWhole();
    });
  });
});

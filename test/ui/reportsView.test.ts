import * as assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { halvorsen, signIn } from '../host/workbench/steps';
import { useReports } from './reportsFixture';

describe('The Reports view', () => {
  const { ui, faulty, start } = useReports();

  it('says on its icon what has ended, also after a reload, until it is seen; by day', async () => {
    const { workbench } = ui;
    const news = workbench.container('1 report has ended since you last looked');
    await signIn(workbench, faulty.account);
    await workbench.treeItem(halvorsen).waitFor();
    await workbench.openContainer('Explorer');
    await start('Detailed', 'Quillmark Health');
    await workbench.notifications.toast(/"Detailed report: Quillmark Health" is ready/).waitFor();
    await news.waitFor();
    await workbench.reload();
    await news.waitFor();

    await workbench.openContainer('Scorecard');
    const reports = workbench.view('Reports');
    await workbench.treeItem(/^Today, 1 report/, reports).waitFor();
    await workbench.treeItem(/^Detailed report: Quillmark Health, [\d.]+ KB/, reports).waitFor();
    await news.waitFor({ state: 'detached' });
    await workbench.runCommand('Scorecard: Remove All Finished Reports');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('Remove 1 finished report?').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await reports.getByText('No reports yet.').waitFor();
  });

  it('opens a packed report as what is in it, in a read-only editor', async () => {
    const { workbench } = ui;
    const bytes = gzipSync('finding,host\n1,a.example\n');
    faulty.service.fail('/download', { name: 'packed.csv.gz', bytes });
    await signIn(workbench, faulty.account);
    await workbench.treeItem(halvorsen).waitFor();
    await start('Detailed', 'Pemberlane Retail Group');
    const ready = workbench.notifications.toast(/"Detailed report: Pemberlane .*" is ready/);
    await ready.getByRole('button', { name: 'Open' }).click();
    await workbench.editorTab(/^packed\.csv/).waitFor();
    const line = workbench.textEditor.getByText('1,a.example');
    await line.click();
    await workbench.page.keyboard.type('x');
    await workbench.page.getByText('A report is read-only.').first().waitFor();
  });

  for (const container of ['Scorecard', 'Explorer']) {
    it(`shows open reports again after a reload with ${container} on the side, as they were`, async () => {
      const { workbench } = ui;
      const bytes = Buffer.from('finding,host\n1,a.example\n');
      faulty.service.fail('/download', { name: 'kept.csv', bytes });
      await signIn(workbench, faulty.account);
      await workbench.treeItem(halvorsen).waitFor();
      await start('Detailed', 'Tarnwick Energy');
      const ready = workbench.notifications.toast(/"Detailed report: Tarnwick Energy" is ready/);
      await ready.getByRole('button', { name: 'Open' }).click();
      await workbench.editorTab(/^kept\.csv/).waitFor();
      await workbench.runCommand('View: Pin Editor');
      const pinned = workbench.page.locator('.tab.sticky', { hasText: 'kept.csv' });
      await pinned.first().waitFor();
      await workbench.openContainer(container);
      await workbench.runCommand('View: Split Editor Right');
      const columns = workbench.page.locator('.editor-group-container');
      const line = (column: number) => columns.nth(column).getByText('1,a.example');
      await line(1).waitFor();
      await workbench.whenSaved(2);
      await workbench.reload();

      await line(0).waitFor();
      await line(1).waitFor();
      assert.equal(await columns.count(), 2);
      assert.equal(await workbench.editorTab(/^kept\.csv/).count(), 2);
      await columns.nth(0).locator(pinned).waitFor();
      await line(1).click();
      await workbench.page.keyboard.type('x');
      await workbench.page.getByText('A report is read-only.').first().waitFor();
    });
  }
});

describe('The Reports view of two accounts', () => {
  const { ui, faulty, start } = useReports();

  it('keeps the report of another account, which is not asked for with this one', async () => {
    const { workbench } = ui;
    const reports = workbench.view('Reports');
    await signIn(workbench, faulty.account);
    await workbench.treeItem(halvorsen).waitFor();
    await start('Full', 'Bluefjord Bank');
    await workbench.treeItem(/^Full report: Bluefjord Bank, Generating/, reports).waitFor();
    await signIn(workbench, ui.demo);
    const { host } = new URL(faulty.account.baseUrl);
    await workbench
      .treeItem(`Full report: Bluefjord Bank, Waiting: sign in to ${host} to continue`, reports)
      .waitFor();
    const asked = faulty.service.requests.length;
    await start('Detailed', 'Tarnwick Energy');
    await workbench.treeItem(/^Detailed report: Tarnwick Energy, [\d.]+ KB/, reports).waitFor();
    assert.deepEqual(faulty.service.requests.slice(asked), []);

    await signIn(workbench, faulty.account);
    await workbench.treeItem(/^Full report: Bluefjord Bank, [\d.]+ MB/, reports).waitFor();
  });
});

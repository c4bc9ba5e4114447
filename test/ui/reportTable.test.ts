import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { ReportTable } from '../host/workbench/reportTable';
import { useWorkbench } from './fixture';
import { tryDemo } from '../host/workbench/steps';

describe('A Report Table', () => {
  const ui = useWorkbench({ settings: { 'scorecard.reports.openWhenReady': false } });

  it('shows a full report: first rows, sorted, filtered, grouped, a record, and the same after a reload', async () => {
    const { workbench } = ui;
    const table = await openFullReport();
    await table.row(1).waitFor();
    await table.waitForStatus(/^[\d,]+ rows$/);
    const [number, ...cells] = await table.texts(1);
    assert.equal(number, '1');
    assert.ok(cells.length >= 3 && cells.every((text) => text !== ''), cells.join());
    await workbench.screenshot('/tmp/t6-a.png');
  });

  async function openFullReport(): Promise<ReportTable> {
    const { workbench } = ui;
    const reports = workbench.view('Reports');
    await tryDemo(workbench);
    await workbench.runCommand('Scorecard: Start Full Report');
    const row = workbench.treeItem(/^Full report: All findings, [\d.]+ MB/, reports);
    await row.waitFor();
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.pickFromContextMenu(row, 'Open as Table');
    return new ReportTable(workbench);
  }

  it('shows a file of the workspace', async () => {
    const { workbench } = ui;
    fs.writeFileSync(path.join(ui.server.folder, 'own.csv'), 'name,count\nbeta,2\nalpha,10\n');
    await workbench.page.keyboard.press('Control+P');
    await workbench.quickInput.type('own.csv');
    await workbench.quickInput.pick('own.csv');
    await workbench.editorTab(/^own.csv/).waitFor();
    await workbench.page.waitForTimeout(1000); await workbench.runCommand('View: Reopen Editor With...');
    await workbench.quickInput.pick('Report Table');
    const table = new ReportTable(workbench);
    assert.deepEqual(await table.texts(1), ['1', 'beta', '2']);
    await workbench.screenshot('/tmp/t6-b.png');
  });
});

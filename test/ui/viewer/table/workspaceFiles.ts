import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { ReportTable } from '../../../host/workbench/reportTable';
import type { Ui } from '../../fixture';

/** That files of lines open as tables. */
export const linesAsTables = {
  'workbench.editorAssociations': { '*.jsonl': 'scorecard.reportTable' },
};

/** Without an account, with {@link linesAsTables} and scanned code in the folder of the window. */
export function workspaceFilesTests(ui: Ui): void {
  /** Waits until the text editor shows a line of a file. */
  async function expectLine(name: string, line: number): Promise<void> {
    const { workbench } = ui;
    const tab = workbench.editorTab(new RegExp(`^${path.basename(name)}`));
    await tab.and(workbench.page.locator('[aria-selected=true]')).waitFor();
    await workbench.statusBarItem(new RegExp(`^Ln ${line}, `)).waitFor();
    await workbench.textEditor.getByText(`query(${line})`).waitFor();
  }

  async function explorerItem(name: string): Promise<Locator> {
    const { workbench } = ui;
    await workbench.container('Scorecard').waitFor();
    await workbench.openContainer('Explorer');
    const item = workbench.treeItem(name, workbench.sideBar);
    await item.waitFor();
    return item;
  }

  async function openFromExplorer(name: string): Promise<ReportTable> {
    const { workbench } = ui;
    await workbench.pickFromContextMenu(await explorerItem(name), 'Open as Table');
    await workbench.editorTab(name).and(workbench.page.locator('[aria-selected=true]')).waitFor();
    return new ReportTable(workbench);
  }

  it('A findings file of the workspace begins without an account, at the view that is shown first', async () => {
    const { workbench } = ui;
    await workbench.openContainer('Scorecard');
    await workbench.view('Findings').getByText('Open Findings File...', { exact: true }).click();
    await workbench.quickInput.answerFile(path.join(ui.server.folder, 'scan.json'), 'scan.json');
    await workbench.editorTab('scan.json').waitFor();
    await new ReportTable(workbench).waitForStatus('4 rows');
    await workbench.runCommand('View: Close All Editors');
  });

  it('A findings file of the workspace takes two clicks from a report to the line of its worst finding, by Problems', async () => {
    const { workbench } = ui;
    const table = await openFromExplorer('scan.json');
    await table.waitForStatus('4 rows');

    await table.tool('Show in Problems', false).click();
    const problems = workbench.page.locator('.markers-panel');
    const worst = problems.getByRole('treeitem', { name: /Critical: SQL injection/ });
    await worst.waitFor();
    const all = await problems.getByRole('treeitem').allInnerTexts();
    assert.match(all[0] ?? '', /db\.py/);
    assert.match(all[1] ?? '', /Critical: SQL injection.*scan\.json.*sqli/s);
    await worst.click();

    await expectLine('src/db.py', 42);

    await workbench.editorTab('scan.json').click();
    await table.tool('Show in Problems', true).click();
    await worst.waitFor({ state: 'detached' });
    await table.tool('Show in Problems', false).click();
    await worst.waitFor();
    await workbench.editorTab('scan.json').click();
    await workbench.runCommand('View: Close All Editors');
    await worst.waitFor({ state: 'detached' });
    await workbench.runCommand('View: Hide Panel');
  });

  it('A findings file of the workspace takes two clicks by the overview', async () => {
    const { workbench } = ui;
    const table = await openFromExplorer('scan.json');
    await table.frame.getByRole('tab', { name: 'Overview' }).click();
    await table.count(/^Critical: 1$/).waitFor();

    await table.count(/^Critical: 1$/).click();
    const cell = table.row(1).getByText('src/db.py', { exact: true });
    await cell.click({ modifiers: ['Control'] });

    await expectLine('src/db.py', 42);
    await workbench.runCommand('View: Close All Editors');
  });

  it('A findings file of the workspace lists in Problems what its table shows, without excluded paths', async () => {
    const { workbench } = ui;
    const table = await openFromExplorer('scan.json');
    await table.frame.getByRole('tab', { name: 'Overview' }).click();
    await table.count(/^Critical: 1$/).click();
    await table.row(1).getByText('src/db.py', { exact: true }).waitFor();
    await table.tool('Show in Problems', false).click();
    const problems = workbench.page.locator('.markers-panel');
    const worst = problems.getByRole('treeitem', { name: /Critical: SQL injection/ });
    await worst.waitFor();
    // The file and its finding.
    assert.equal(await problems.getByRole('treeitem').count(), 2);
    await table.frame.getByText('Problems: 1 of 4 rows, filtered').waitFor();

    await workbench.editorTab('scan.json').click();
    await workbench.runCommand('Scorecard: Exclude Paths From Problems...');
    await workbench.quickInput.answer('src/');
    await worst.waitFor({ state: 'detached' });
    await table.button('1 left out by an excluded path').click();
    await worst.waitFor();
    await table.button('1 in an excluded path is listed').waitFor();

    await workbench.runCommand('Scorecard: Exclude Paths From Problems...');
    await workbench.quickInput.answer('');
    await table.button('1 in an excluded path is listed').waitFor({ state: 'detached' });
    await workbench.editorTab('scan.json').click();
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('View: Hide Panel');
  });

  it('A findings file of the workspace is marked by a list of CVEs while it is open, until the list is taken back', async () => {
    const { workbench } = ui;
    const write = (name: string, content: string) => {
      fs.writeFileSync(path.join(ui.server.folder, name), content);
    };
    write('cves.csv', 'cve,severity,host\nCVE-2020-0001,high,a\nCVE-2021-44228,high,b\n');
    write('kev.json', '{"vulnerabilities":[{"cveID":"CVE-2021-44228","dateAdded":"2021-12-10"}]}');
    const table = await openFromExplorer('cves.csv');
    await table.waitForStatus('2 rows');
    await workbench.runCommand('Scorecard: Mark CVEs From a List...');
    const kev = path.join(ui.server.folder, 'kev.json');
    await workbench.quickInput.answerFile(kev, 'kev.json');
    await table.frame.getByRole('rowheader', { name: '2, exploited' }).waitFor();
    await table.row(2).getByRole('gridcell').first().click();
    await table.press('Enter');
    await table.record.getByText(/^CVE-2021-44228 is in the list kev\.json of /).waitFor();
    await table.frame.getByRole('tab', { name: 'Overview' }).click();
    await table.count(/^Known exploited: 1$/).click();
    await table.waitForStatus('1 of 2 rows');

    await workbench.runCommand('Scorecard: Unmark CVEs of a List...');
    await workbench.quickInput.row('kev.json').first().click();
    await table.waitForStatus('0 of 2 rows');
    await workbench.runCommand('View: Close All Editors');
    fs.rmSync(kev);
    fs.rmSync(path.join(ui.server.folder, 'cves.csv'));
  });

  it('A findings file of the workspace leads from a record to its file, or to the search for its asset', async () => {
    const { workbench } = ui;
    const table = await openFromExplorer('scan.json');
    // The worst comes first.
    await table.row(1).getByText('src/db.py', { exact: true }).waitFor();
    await table.openRecord(2);
    await table.button('Open src/app.py:12').click();
    await expectLine('src/app.py', 12);

    await workbench.editorTab('scan.json').click();
    await table.row(3).getByRole('gridcell').first().click();
    await table.button('Find Asset in Workspace').click();
    const search = workbench.view('Search').or(workbench.page.locator('.search-view'));
    await search.getByText('shop = ').first().waitFor();
    assert.equal(
      await workbench.page.locator('.search-view .search-container textarea').inputValue(),
      'shop.example',
    );
    await workbench.runCommand('View: Close All Editors');
  });

  /** Drags a file from the Explorer into the editor. */
  async function drop(name: string): Promise<void> {
    const { workbench } = ui;
    const { mouse } = workbench.page;
    await (await explorerItem(name)).hover();
    await mouse.down();
    // VS Code says where a file would be dropped before it takes one.
    const indicator = workbench.page.locator('.editor-group-overlay-indicator');
    const editor = workbench.page.locator('.part.editor');
    await editor.hover();
    await editor.hover({ position: { x: 200, y: 200 } });
    // It notices a pointer that moves, once it has loaded what it needs for that.
    for (let at = 220; !(await indicator.isVisible()); at = at === 200 ? 220 : 200) {
      await editor.hover({ position: { x: at, y: at } });
    }
    await mouse.up();
    await workbench.editorTab(name).waitFor();
  }

  it('A findings file of the workspace begins where a file is dropped, in the editor that the user has chosen for it', async () => {
    const { workbench } = ui;
    await drop('lines.jsonl');
    await new ReportTable(workbench).waitForStatus('1 row');
    await workbench.runCommand('View: Close All Editors');
    await drop('results.sarif');
    await workbench.page
      .locator('.part.editor .editor-actions')
      .getByRole('button', { name: 'Open as Table' })
      .click();
    const table = new ReportTable(workbench);
    await table.waitForStatus('1 row');
    await table.row(1).getByRole('gridcell').first().click({ button: 'right' });
    await table.menuItem('Open src/db.py:42').click();
    await expectLine('src/db.py', 42);
    await workbench.runCommand('View: Close All Editors');
  });
}

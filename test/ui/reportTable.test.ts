import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { gzipSync } from 'node:zlib';
import { ReportTable } from '../host/workbench/reportTable';
import { expandLoaded, halvorsen, tryDemo } from '../host/workbench/steps';
import { useWorkbench } from './fixture';

type Finding = Record<string, unknown>;

const packed = gzipSync(Array.from({ length: 5000 }, (_, a) => `{"a":${a * 7919}}\n`).join(''));

/** What is in the folder of the window. */
const files: Readonly<Record<string, string | Uint8Array>> = {
  'own.csv': 'name,kind,password\n=1+1,a,hunter2\nbeta,b,hunter3\ngamma,a,hunter4\n',
  'text.csv': 'name,count\nbeta,2\nalpha,10\n',
  'empty.csv': '',
  'wrong.ndjson': '{"a":1}\n{"a":\n[\n{"a":2}\n',
  'cut.ndjson.gz': packed.subarray(0, packed.length / 2),
  'garbled.json': Buffer.from([0, 1, 2, 0xff, 0]),
  'binary.csv': Buffer.from([0, 1, 2]),
  'replaced.csv': 'a,b\nformer,1\n',
};

const size = { width: 1400, height: 900 };

describe('A Report Table', () => {
  const ui = useWorkbench({ settings: { 'scorecard.reports.openWhenReady': false }, size });

  it('answers what a full report was asked for, and looks the same after a reload', async () => {
    const table = await openFullReport();
    const findings = await fileOfReport();
    const count = findings.length.toLocaleString('en');
    await table.waitForStatus(`${count} rows`);
    assert.equal((await table.texts(1))[1], findings[0]?.scorecard_identifier);

    // All of high severity of one domain that were first seen this month.
    const month = new Date().toISOString().slice(0, 7);
    const domain = findings.find(({ severity }) => severity === 'high')?.parent_domain as string;
    const wanted = findings.filter(
      ({ severity, parent_domain, first_seen_time }) =>
        severity === 'high' &&
        parent_domain === domain &&
        (first_seen_time as string).startsWith(month),
    );
    assert.ok(wanted.length > 3);
    await table.filter('severity', '=high');
    await table.filter('parent_domain', domain);
    await table.filter('first_seen_time', `=${month}`);
    await table.waitForStatus(`${wanted.length.toLocaleString('en')} of ${count} rows`);

    await table.heading('first_seen_time').click();
    await table.frame.locator('[role=columnheader][aria-sort=ascending]').waitFor();
    await table.showColumn('issue_id');
    const first = wanted.reduce((one, other) =>
      String(other.first_seen_time) < String(one.first_seen_time) ? other : one,
    );
    await table.row(1).getByText(String(first.issue_id), { exact: true }).waitFor();

    await table.openRecord(1);
    await table.record.getByText(String(first.issue_id), { exact: true }).waitFor();

    await reloadWindow();
    await table.waitForStatus(`${wanted.length.toLocaleString('en')} of ${count} rows`);
    await table.record.getByText(String(first.issue_id), { exact: true }).waitFor();
    assert.equal(await table.filterBox('severity').inputValue(), '=high');
  });

  it('shows all findings of an issue type', async () => {
    const { workbench } = ui;
    await tryDemo(workbench);
    const row = await expandLoaded(workbench, halvorsen, 'Compromised credentials');
    await workbench.pickFromContextMenu(row, 'Open Findings as Table');
    await workbench.editorTab(/^Halvorsen Maritime Logistics - .*\.ndjson/).waitFor();
    const table = new ReportTable(workbench);
    await table.waitForStatus('1,342 rows');
    assert.equal(await table.tool('Show Secret Values').count(), 0);
    await table.showColumn('password');
    assert.ok((await table.texts(1)).includes('\u2022'.repeat(8)));

    await reloadWindow();
    await table.waitForStatus('1,342 rows');
  });

  /** By VS Code, which writes down before what its editors show. */
  async function reloadWindow(): Promise<void> {
    const { workbench } = ui;
    // The page of a table has the keys until another part has.
    await workbench.treeItem(halvorsen, workbench.view('Findings')).click();
    await Promise.all([
      workbench.page.waitForEvent('domcontentloaded'),
      workbench.runCommand('Developer: Reload Window'),
    ]);
  }

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

  /** What the only report holds. */
  async function fileOfReport(): Promise<Finding[]> {
    const folder = path.join(
      path.dirname(ui.server.settingsFile),
      'globalStorage/scorecard-tools.scorecard-explorer/reports',
    );
    const name = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .find((entry) => entry.endsWith('.ndjson'));
    assert.ok(name !== undefined);
    const text = await fs.promises.readFile(path.join(folder, name), 'utf8');
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Finding]));
  }
});

describe('A Report Table of a file', () => {
  const ui = useWorkbench({ oneWindow: true, size });

  // The Explorer of a window under load may not notice files that are made later.
  before(() => {
    for (const [name, content] of Object.entries(files)) {
      fs.writeFileSync(path.join(ui.server.folder, name), content);
    }
  });

  it('groups with counts, copies without formulas and secrets, and opens a record', async () => {
    const { workbench } = ui;
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const table = await openFile('own.csv');
    await table.waitForStatus('3 rows');
    await table.grid.focus();
    await table.press('Control+a', 'Control+c');
    await table.waitForStatus('Copied 3 rows');
    const copied = () => workbench.page.evaluate(() => navigator.clipboard.readText());
    const masked = '\u2022'.repeat(8);
    assert.equal(
      (await copied()).replaceAll('\r', ''),
      `'=1+1\ta\t${masked}\nbeta\tb\t${masked}\ngamma\ta\t${masked}\n`,
    );
    await table.tool('Show Secret Values', false).click();
    await table.row(1).getByText('hunter2').waitFor();
    await table.tool('Show Secret Values', true).click();
    await table.row(1).getByText('hunter2').waitFor({ state: 'detached' });

    await table.button('Group By').click();
    await table.menuItem('kind').click();
    await table.waitForStatus('2 groups of 3 rows');
    await table
      .row(1)
      .filter({ hasText: /^\d+a2$/ })
      .waitFor();
    await table.grid.focus();
    await table.press('Enter');
    await table.waitForStatus(/^a \u2014 2 of 3 rows/);
    await table.waitForTexts(2, '3', 'gamma');

    await table.press('ArrowDown', 'Enter');
    await table.button('Open as Document').click();
    await workbench.editorTab(/^own\.csv 3\.json/).waitFor();
    await workbench.textEditor.getByText('"gamma"').waitFor();
    assert.doesNotMatch(await workbench.textEditor.innerText(), /hunter/);

    // What a record shows is masked again with its table.
    await workbench.editorTab(/^own\.csv$/).click();
    await table.tool('Show Secret Values', false).click();
    await workbench.editorTab(/^own\.csv 3\.json/).click();
    await workbench.textEditor.getByText('hunter4').waitFor();
    await workbench.editorTab(/^own\.csv$/).click();
    await table.tool('Show Secret Values', true).click();
    await workbench.editorTab(/^own\.csv 3\.json/).click();
    await workbench.textEditor.getByText('hunter4').waitFor({ state: 'detached' });
    await workbench.textEditor.getByText('"gamma"').waitFor();
  });

  it('shows what files are that are empty, cut off, garbled or replaced', async () => {
    const empty = await openFile('empty.csv');
    await empty.frame.getByText('There are no rows in this file.').waitFor();

    const wrong = await openFile('wrong.ndjson');
    await wrong.notice('2 lines are no records.').waitFor();

    const cut = await openFile('cut.ndjson.gz');
    await cut.notice('The compressed file ends too early.').waitFor();
    await cut.row(1).waitFor();

    const garbled = await openFile('garbled.json');
    await garbled.failure.getByText('There is no table in this file').waitFor();
    fs.writeFileSync(path.join(ui.server.folder, 'garbled.json'), '[{"a":"mended"}]');
    await garbled.button('Try Again').click();
    await garbled.row(1).getByText('mended').waitFor();

    const replaced = await openFile('replaced.csv');
    await replaced.row(1).getByText('former').waitFor();
    const file = path.join(ui.server.folder, 'replaced.csv');
    fs.writeFileSync(`${file}.new`, 'a,b\nlater,1\nlast,2\n');
    fs.renameSync(`${file}.new`, file);
    await replaced.notice('The file was replaced.').waitFor();
    await replaced.button('Reload').click();
    await replaced.row(2).getByText('last').waitFor();
    await replaced.waitForStatus('2 rows');

    // A table that was hidden is drawn anew.
    await ui.workbench.editorTab('wrong.ndjson').click();
    await wrong.notice('2 lines are no records.').waitFor();
    assert.deepEqual(await wrong.texts(4), ['4', '2']);
  });

  it('is offered for a file that is open as text', async () => {
    const { workbench } = ui;
    await workbench.page.keyboard.press('Control+P');
    await workbench.quickInput.type('text.csv');
    await workbench.quickInput.pick('text.csv');
    const tab = workbench.editorTab(/^text\.csv/);
    await tab.waitFor();
    await workbench.textEditor.getByText('alpha,10').waitFor();
    await workbench.pickFromContextMenu(tab, 'Reopen Editor With...');
    await workbench.quickInput.pick('Report Table');
    const table = new ReportTable(workbench);
    assert.deepEqual(await table.texts(1), ['1', 'beta', '2']);
  });

  it('has no fault that axe finds in any theme, as a table and where there is none', async () => {
    const table = await openFile('wrong.ndjson');
    await table.openRecord(1);
    await expectNoFaults(table);
    const failed = await openFile('binary.csv');
    await failed.failure.waitFor();
    await expectNoFaults(failed);
  });

  /** Looks for faults in each theme, which changes under the eyes of who reads. */
  async function expectNoFaults(table: ReportTable): Promise<void> {
    for (const theme of [
      'Light Modern',
      'Dark High Contrast',
      'Light High Contrast',
      'Dark Modern',
    ]) {
      await ui.workbench.runCommand('Preferences: Color Theme');
      await ui.workbench.quickInput.type(theme);
      await ui.workbench.quickInput.pick(theme);
      await table.frame.locator(`body[data-vscode-theme-name="${theme}"]`).waitFor();
      assert.deepEqual(await table.faults(), [], theme);
    }
  }

  /** Opens a file of the workspace by the menu of the Explorer. */
  async function openFile(name: string): Promise<ReportTable> {
    const { workbench } = ui;
    // Menus have what extensions bring as soon as the window has read these.
    await workbench.container('Scorecard').waitFor();
    await workbench.openContainer('Explorer');
    const item = workbench.treeItem(name, workbench.sideBar);
    await item.waitFor();
    if (name.endsWith('.json')) {
      await item.click();
      const tab = workbench.editorTab(name);
      await workbench.pickFromContextMenu(tab, 'Reopen Editor With...');
      await workbench.quickInput.pick('Report Table');
    } else {
      await workbench.pickFromContextMenu(item, 'Open as Table');
    }
    await workbench.editorTab(name).and(workbench.page.locator('[aria-selected=true]')).waitFor();
    return new ReportTable(workbench);
  }
});

import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { gzipSync } from 'node:zlib';
import { demoScorecards } from '../../../../src/demo/demoService';
import { ReportTable } from '../../../host/workbench/reportTable';
import { expandLoaded, halvorsen, restPointer, tryDemo } from '../../../host/workbench/steps';
import type { Texts } from '../../../helpers/translations';
import type { Workbench } from '../../../host/workbench/workbench';
import { writeScannedCode } from '../../../helpers/scannedCode';
import { until } from '../../../integration/until';
import { readXlsx } from '../../../helpers/xlsx';
import { useWorkbench } from '../../fixture';
import { knownIssuesTests, trivyFiles } from './knownIssues';
import { linesAsTables, workspaceFilesTests } from './workspaceFiles';

type Finding = Record<string, unknown>;

const packed = gzipSync(Array.from({ length: 5000 }, (_, a) => `{"a":${a * 7919}}\n`).join(''));

const pemberlane = demoScorecards.find(({ name }) => name === 'Pemberlane Retail Group')?.id;

/** What is in the folder of the window. */
const files: Readonly<Record<string, string | Uint8Array>> = {
  ...trivyFiles,
  'own.csv': 'name,kind,password\n=1+1,a,hunter2\nbeta,b,hunter3\ngamma,a,hunter4\n',
  'text.csv': 'name,count\nbeta,2\nalpha,10\n',
  'cut.ndjson.gz': packed.subarray(0, packed.length / 2),
  'binary.csv': Buffer.from([0, 1, 2]),
  'replaced.csv': 'a,b\nformer,1\n',
  'other.ndjson': '{"a":1}\n',
  'windows.csv': Buffer.from('name,city\nJos\u00e9,M\u00fcnchen\nZo\u00eb,Z\u00fcrich\n', 'latin1'),
};

const meanings = JSON.parse(fs.readFileSync('l10n/issueTypes.json', 'utf8')) as Texts;

describe('A Report Table', () => {
  const ui = useWorkbench({
    oneWindow: true,
    size: { width: 1400, height: 900 },
    settings: {
      ...linesAsTables,
      'scorecard.reports.openWhenReady': false,
      // Of all findings it would be large, see demo/demo.test.ts.
      'scorecard.reports.fullBody': { scorecard_identifier: pemberlane },
    },
  });

  // The Explorer of a window under load may not notice files that are made later.
  before(() => {
    writeScannedCode(ui.server.folder);
    for (const [name, content] of Object.entries(files)) {
      fs.writeFileSync(path.join(ui.server.folder, name), content);
    }
  });

  // The first: the window has no account yet.
  describe('on the way from a findings file to the code', () => {
    workspaceFilesTests(ui);
    knownIssuesTests(ui);
  });

  describe('with the demo', () => {
    let prepared: Workbench | undefined;

    beforeEach(async () => {
      if (prepared !== ui.workbench) {
        await tryDemo(ui.workbench);
        prepared = ui.workbench;
      }
    });

    it('A Report Table with the demo shows findings and a filtered report, and restores both after a reload', async () => {
      const { workbench } = ui;
      const issueType = await expandLoaded(workbench, halvorsen, 'Compromised credentials');
      await workbench.pressRowAction(issueType, 'Open Findings as Table');
      const findingsTab = workbench.editorTab(/^Halvorsen Maritime Logistics - .*\.ndjson/);
      await findingsTab.waitFor();
      const table = new ReportTable(workbench);
      await table.waitForStatus('1,342 rows');
      assert.equal(await table.tool('Show Secret Values').count(), 0);
      await table.showColumn('password');
      await table.row(1).getByText('\u2022'.repeat(8), { exact: true }).first().waitFor();

      await openFullReport();
      const findings = await fileOfReport();
      const count = findings.length.toLocaleString('en');
      await table.waitForStatus(`${count} rows`);
      // What is useful comes first, and scorecards have names.
      const ranks = ['critical', 'high', 'medium', 'low'];
      const [worst] = findings.toSorted(
        (one, other) =>
          ranks.indexOf(String(one.severity)) - ranks.indexOf(String(other.severity)) ||
          Date.parse(String(other.first_seen_time)) - Date.parse(String(one.first_seen_time)),
      );
      const number = 1 + findings.findIndex((finding) => finding === worst);
      const severity = String(worst?.severity);
      const word = severity.charAt(0).toUpperCase() + severity.slice(1);
      await table.waitForTexts(1, number.toLocaleString('en'), word);
      await table.showColumn('scorecard_identifier');
      const scorecard = demoScorecards.find(({ id }) => id === worst?.scorecard_identifier);
      await table.row(1).getByText(String(scorecard?.name), { exact: true }).waitFor();

      // What is worst, by the overview: a click, and Enter to see all again.
      const high = findings
        .filter(({ severity, group_status }) => severity === 'high' && group_status === 'active')
        .length.toLocaleString('en');
      await table.frame.getByRole('tab', { name: 'Overview' }).click();
      await table.frame.getByRole('button', { name: `High: ${high}`, exact: true }).click();
      await table.waitForStatus(`${high} of ${count} rows`);
      await table.frame.getByRole('button', { name: 'Clear Filters' }).press('Enter');
      await table.waitForStatus(`${count} rows`);

      // All of high severity of one domain that were first seen in the month of two weeks ago: on its first days, a month
      // has few.
      const month = new Date(Date.now() - 14 * 86_400_000).toISOString().slice(0, 7);
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
      const meaning = table.record.locator('.meaning');
      await meaning.waitFor();
      assert.equal(await meaning.innerText(), meanings[String(first.issue_type)]);

      await reloadWindow();
      const expectReport = async () => {
        await table.waitForStatus(`${wanted.length.toLocaleString('en')} of ${count} rows`);
        await table.record.getByText(String(first.issue_id), { exact: true }).waitFor();
        await table.button('Remove filter Severity: =high').waitFor();
      };
      await expectReport();
      await findingsTab.click();
      await table.waitForStatus('1,342 rows');
      // A table that was hidden is drawn again.
      await workbench.editorTab(/^Full report: /).click();
      await expectReport();

      // To the live finding and back, where it is the only row.
      await table.button('Show in Findings').click();
      const finding = workbench.page.getByRole('treeitem', {
        name: /, finding \d/,
        selected: true,
      });
      await workbench.pickFromContextMenu(finding, 'Show in Newest Report');
      await table.button(`Remove filter Issue ID: ${String(first.issue_id)}`).waitFor();
      await table.waitForStatus(`1 of ${count} rows`);
      await table.record.getByText(String(first.issue_id), { exact: true }).waitFor();
    });

    it('A Report Table with the demo copies no formulas and no secret values, and masks a record together with its table', async () => {
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
      await table.press('Control+Home', 'ArrowDown', 'ArrowDown', 'Enter');
      await table.record.getByText('gamma', { exact: true }).waitFor();
      assert.doesNotMatch(await table.record.innerText(), /hunter/);

      // What a record shows is masked again with its table.
      await table.tool('Show Secret Values', false).click();
      await table.record.getByText('hunter4', { exact: true }).waitFor();
      await table.tool('Show Secret Values', true).click();
      await table.record.getByText('hunter4', { exact: true }).waitFor({ state: 'detached' });
      await table.record.getByText('gamma', { exact: true }).waitFor();
    });

    it('A Report Table with the demo exports and copies what it shows, with the keyboard', async () => {
      const { workbench } = ui;
      const { quickInput } = workbench;
      await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const table = await openFile('own.csv');
      await table.filter('kind', '=a');
      await table.waitForStatus('2 of 3 rows');
      const menu = table.frame.getByRole('menu');
      await table.tool('Export and Copy').focus();
      await table.press('Enter');
      await menu.waitFor();
      // Two keys from the table to the name of the file: what is shown, masked.
      await table.press('Enter');
      const csv = path.join(ui.server.folder, 'exported.csv');
      await quickInput.answerFile(csv, 'own.csv');
      await workbench.notifications.toast(/Exported 2 rows to .*csv\. Secret values are/).waitFor();
      const mask = '\u2022'.repeat(8);
      assert.equal(
        fs.readFileSync(csv, 'utf8').replaceAll('\r', ''),
        `name,kind,password\n'=1+1,a,${mask}\ngamma,a,${mask}\n`,
      );
      await workbench.runCommand('Notifications: Clear All Notifications');

      await table.tool('Export and Copy').focus();
      await table.press('Enter');
      await menu.waitFor();
      await table.press(...Array<string>(7).fill('ArrowDown'), 'Enter');
      await quickInput.row('Parquet').waitFor();
      await quickInput.answer('NDJSON');
      await quickInput.row('Mask secret values').waitFor();
      await quickInput.answer('Mask');
      const file = path.join(ui.server.folder, 'exported.ndjson');
      await quickInput.answerFile(file, 'other.ndjson');
      await quickInput.widget.waitFor({ state: 'hidden' });
      await workbench.runCommand('Notifications: Show Notifications');
      await workbench.notifications.listed(/Exported 2 rows to .*ndjson/).waitFor();
      await workbench.runCommand('Notifications: Clear All Notifications');
      const rows = [
        { name: '=1+1', kind: 'a', password: mask },
        { name: 'gamma', kind: 'a', password: mask },
      ];
      const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
      assert.deepEqual(
        lines.map((line) => JSON.parse(line) as unknown),
        rows,
      );

      for (const [entry, extension] of [
        ['Export as CSV for Excel\u2026', 'csv'],
        ['Export as TSV\u2026', 'tsv'],
        ['Export as Excel Workbook\u2026', 'xlsx'],
      ] as const) {
        await table.tool('Export and Copy').click();
        await table.menuItem(entry).click();
        const place = path.join(ui.server.folder, `words.${extension}`);
        fs.writeFileSync(path.join(ui.server.folder, `near.${extension}`), '');
        await quickInput.answerFile(place, `near.${extension}`);
        await quickInput.widget.waitFor({ state: 'hidden' });
        await workbench.runCommand('Notifications: Show Notifications');
        await workbench.notifications
          .listed(new RegExp(`Exported 2 rows to .*${extension}`))
          .waitFor();
        await workbench.runCommand('Notifications: Clear All Notifications');
      }
      const [sheet] = await readXlsx(path.join(ui.server.folder, 'words.xlsx'));
      assert.deepEqual(
        [sheet?.headings, sheet?.rows],
        [
          ['Name', 'Kind', 'Password'],
          [
            ['=1+1', 'a', mask],
            ['gamma', 'a', mask],
          ],
        ],
      );
      const tabs = fs.readFileSync(path.join(ui.server.folder, 'words.tsv'), 'utf8');
      assert.ok(tabs.startsWith('name\tkind\tpassword\r\n'), tabs);

      const copied = () => workbench.page.evaluate(() => navigator.clipboard.readText());
      await table.row(2).getByRole('gridcell').first().click();
      await table.tool('Export and Copy').focus();
      await table.press('Enter');
      await menu.waitFor();
      await table.press(...Array<string>(8).fill('ArrowDown'), 'Enter');
      await table.waitForStatus('Copied 1 row');
      const head = '| Name | Kind | Password |\n| --- | --- | --- |\n';
      assert.equal(await copied(), `${head}| gamma | a | ${mask} |\n`);
      await table.tool('Export and Copy').focus();
      await table.press('Enter');
      await menu.waitFor();
      await table.press('End', 'ArrowUp', 'Enter');
      await table.waitForStatus('Copied as SQL');
      assert.match(await copied(), /^set timezone = 'UTC';\nselect\n[^]*= 'a';\n$/);
      assert.deepEqual(await table.faults(), []);
      await table.filter('kind', '');

      fs.writeFileSync(path.join(ui.server.folder, 'sparse.csv'), 'a,b,c\n1,,\n2,,x\n');
      const sparse = await openFile('sparse.csv');
      await sparse.waitForTexts(1, '1', '1');
      await sparse.row(1).getByRole('gridcell').first().click();
      await sparse.tool('Export and Copy').click();
      await sparse.menuItem('Copy Selected Rows as Markdown').click();
      await sparse.waitForStatus('Copied 1 row');
      assert.equal(await copied(), '| a |\n| --- |\n| 1 |\n');
      await sparse.tool('Export and Copy').click();
      await sparse.menuItem('Export Table\u2026').click();
      // Only a column without values is hidden.
      await quickInput.widget.getByPlaceholder('In which format? 2 rows are written.').waitFor();
      await workbench.page.keyboard.press('Escape');
      await quickInput.widget.waitFor({ state: 'hidden' });
    });

    it('A Report Table with the demo opens for a file that is open as text', async () => {
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
      await table.waitForTexts(1, '1', 'beta', '2');
    });

    it('A Report Table with the demo reads its file again when that was replaced', async () => {
      const table = await openFile('replaced.csv');
      await table.row(1).getByText('former').waitFor();
      const file = path.join(ui.server.folder, 'replaced.csv');
      fs.writeFileSync(`${file}.new`, 'a,b\nlater,1\nlast,2\n');
      fs.renameSync(`${file}.new`, file);
      await table.row(2).getByText('last').waitFor();
      await table.waitForStatus('2 rows');
    });

    it('A Report Table with the demo says what came and went since its file was opened before, and shows it', async () => {
      const file = path.join(ui.server.folder, 'scan.csv');
      const rows = (...findings: string[]) => `rule,severity,file,line\n${findings.join('\n')}\n`;
      fs.writeFileSync(file, rows('eval,high,a.js,1', 'sql,critical,b.js,2'));
      const table = await openFile('scan.csv');
      await table.frame.getByRole('tab', { name: 'Overview' }).click();
      await table.frame.getByText('2 findings').waitFor();
      fs.writeFileSync(
        `${file}.new`,
        rows('eval,high,a.js,5', 'xss,critical,c.js,2', 'csrf,low,d.js,9'),
      );
      fs.renameSync(`${file}.new`, file);
      // It is read again by itself.
      await table.frame.getByText('3 findings').waitFor();
      const changes = /^2 new \(1 critical\), 1 no longer reported, 0 changed since /;
      await table.frame.getByRole('button', { name: changes }).waitFor();
      // Its tab and its row in the Explorer say so, too.
      const said = '[aria-label*="\u2022 2 new (1 critical), 1 no longer reported"]';
      const label = ui.workbench.page.locator(`.tab ${said}`);
      await label.waitFor();
      const readBadge = (of: Element) => getComputedStyle(of, '::after').content;
      assert.equal(await label.evaluate(readBadge), '"2"');
      await ui.workbench.openContainer('Explorer');
      await ui.workbench.sideBar.locator(said).waitFor();
      await table.frame.getByRole('button', { name: changes }).click();
      await ui.workbench.editorTab(/^Comparison/).waitFor();
      const comparison = new ReportTable(ui.workbench);
      await comparison.frame.getByText('2 new').first().waitFor();
      // A scanner runs while another tab is in front.
      fs.writeFileSync(`${file}.new`, rows('csrf,low,d.js,9', 'rce,critical,e.js,1'));
      fs.renameSync(`${file}.new`, file);
      await ui.workbench.page
        .locator('.tab [aria-label*="\u2022 1 new (1 critical), 2 no longer reported"]')
        .waitFor();
    });

    it('A Report Table with the demo is read in the encoding that a user picks where its file is not UTF-8', async () => {
      const { quickInput, page } = ui.workbench;
      const table = await openFile('windows.csv');
      await table.notice('Read as Western (Windows 1252)').waitFor();
      await table.waitForTexts(1, '1', 'Jos\u00e9');
      await table.button('Reopen with Encoding').click();
      await quickInput.row('Western (Windows 1252)').getByText('windows1252 (current)').waitFor();
      await quickInput.type('utf8');
      await quickInput.row('UTF-8').waitFor();
      await page.keyboard.press('Enter');
      await table.notice('This file is not valid UTF-8. Some').waitFor();
      await table.waitForTexts(1, '1', 'Jos\ufffd');
      await table.button('Reopen with Encoding').click();
      await quickInput.row('UTF-8').getByText('utf8 (current)').waitFor();
      await quickInput.type('windows 1252');
      await quickInput.row('Western (Windows 1252)').waitFor();
      await page.keyboard.press('Enter');
      await table.waitForTexts(1, '1', 'Jos\u00e9', 'M\u00fcnchen');
      await table.waitForTexts(2, '2', 'Zo\u00eb', 'Z\u00fcrich');
      assert.equal(await table.notice(/UTF-8/).count(), 0);
      // The page has the keys again, as soon as the list is gone.
      await until('the page has the keys', () =>
        table.frame.locator('body').evaluate(() => document.hasFocus()),
      );
      await table.press('ArrowDown', 'Enter');
      await table.record.getByText('Text in the file').waitFor();
      await table.record.getByText('Zo\u00eb').first().waitFor();
    });

    // In the other themes the page alone is looked at, see table/accessibility.test.ts.
    it('A Report Table with the demo has no axe violations, with rows and with a failure', async () => {
      const table = await openFile('cut.ndjson.gz');
      await table.notice('The compressed file is incomplete.').waitFor();
      await table.openRecord(1);
      assert.deepEqual(await table.faults(), []);
      const failed = await openFile('binary.csv');
      await failed.failure.waitFor();
      assert.deepEqual(await failed.faults(), []);
    });
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

  async function openFullReport(): Promise<void> {
    const { workbench } = ui;
    const reports = workbench.view('Reports');
    await workbench.runCommand('Scorecard: Start Full Report (All Findings)');
    // Not the one of a week ago that the demo brings, which is below it.
    await workbench.treeItem(/^Today, 1 report/, reports).waitFor();
    const row = workbench.treeItem(/\d Full report: All findings · [\d.]+ MB/, reports).first();
    await row.waitFor();
    // Until it is there, the palette has no command that clears it.
    await workbench.notifications.toast(/"Full report: .* is ready/).waitFor();
    await workbench.pickFromContextMenu(row, 'Open as Table');
    // While a page is loaded, VS Code hears no key that is pressed in it.
    const { status } = new ReportTable(workbench);
    await status.filter({ hasText: 'rows', hasNotText: '1,342' }).waitFor();
    // Not before: the focus that comes back from the palette would close the menu.
    await workbench.runCommand('Notifications: Clear All Notifications');
    // The menu was over the tab, whose tooltip would come in the way.
    await restPointer(workbench);
  }

  /** What the only report holds. */
  async function fileOfReport(): Promise<Finding[]> {
    const folder = path.join(
      path.dirname(ui.server.settingsFile),
      'globalStorage/scorecard-tools.scorecard-explorer/reports',
    );
    const name = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      // Not the one of a week ago that the demo brings: its name has no scope.
      .find((entry) => /full-report-[a-z][^/]*\.ndjson$/.test(entry));
    assert.ok(name !== undefined);
    const text = await fs.promises.readFile(path.join(folder, name), 'utf8');
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Finding]));
  }

  /** Opens a file of the workspace by the menu of the Explorer. */
  async function openFile(name: string): Promise<ReportTable> {
    const { workbench } = ui;
    // Menus have what extensions bring as soon as the window has read these.
    await workbench.container('Scorecard').waitFor();
    await workbench.openContainer('Explorer');
    const item = workbench.treeItem(name, workbench.sideBar);
    await item.waitFor();
    await workbench.pickFromContextMenu(item, 'Open as Table');
    await workbench.editorTab(name).and(workbench.page.locator('[aria-selected=true]')).waitFor();
    return new ReportTable(workbench);
  }
});

import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { comparedDumps } from '../../../helpers/comparedDumps';
import { ReportTable } from '../../../host/workbench/reportTable';
import { halvorsen, signIn, startReportOfAll } from '../../../host/workbench/steps';
import { useFaultyService } from '../../faultyService';
import { useWorkbench } from '../../fixture';
import { valuesOf } from '../../webview/tableValues';

const dumps = comparedDumps();
const mask = '\u2022'.repeat(8);
const comparedTitle = /^Comparison \u00b7 /;

/** Each goes on from where the one before has left the window. */
describe('Overviews and comparisons', () => {
  const ui = useWorkbench({
    oneWindow: true,
    size: { width: 1400, height: 900 },
    demo: { generationMs: 0 },
    prepare: async (workbench) => {
      await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await signIn(workbench, faulty.account);
      await workbench.treeItem(halvorsen).waitFor();
    },
  });
  const faulty = useFaultyService(ui);

  before(() => {
    const rows = Array.from({ length: 300 }, (_, row) => `${row},${row % 3 ? 'tea' : 'coffee'}\n`);
    fs.writeFileSync(path.join(ui.server.folder, 'drinks.csv'), `number,drink\n${rows.join('')}`);
  });

  it('Overviews and comparisons leave the focus where a user types, and get it on a click', async () => {
    const { workbench } = ui;
    const { quickInput, page } = workbench;
    faulty.service.fail('/download', { status: 425, message: 'Not yet' });
    // Its menu asks for a report about this scorecard alone.
    await workbench.openContextMenu(workbench.treeItem(halvorsen));
    await workbench.pickFromMenu('Report', 'Start Detailed Report');
    await page.keyboard.press('F1');
    await quickInput.input.waitFor();
    faulty.service.fail('/download', { name: 'r.ndjson', bytes: Buffer.from(dumps.before) });
    const table = new ReportTable(workbench);
    await table.count(/^High: /).waitFor();
    assert.ok(await quickInput.input.evaluate((input) => input === document.activeElement));

    await quickInput.dismiss();
    await workbench.editorTab(/^Detailed report: Halvorsen /).click();
    await table.frame.locator('[role=tab][aria-selected=true]:focus').waitFor();
    await workbench.runCommand('View: Close All Editors');
  });

  it('Overviews and comparisons show the worst findings of a new report, and their rows on a click', async () => {
    await report('first.ndjson', dumps.before);
    const table = await overview(/^Full report: /);
    assert.deepEqual(await valuesOf(counts(table, 'Severity')), [
      ['Critical', '50'],
      ['High', '50'],
      ['Medium', '50'],
      ['Low', '50'],
    ]);
    assert.deepEqual(
      (await valuesOf(counts(table, 'Top Issue Types'))).map((row) => [row[0], row.at(-1)]),
      [
        ['Open port', '67'],
        ['TLS certificate: expired', '67'],
        ['Own type', '66'],
      ],
    );
    await table.count(/^Critical: 50$/).click();
    await table.waitForStatus('50 of 200 rows');
    await table.button('Remove filter Severity: Critical').click();
    await table.waitForStatus('200 rows');
    await table.frame.getByRole('tab', { name: 'Overview' }).click();
    await table.count(/^Own type: 66$/).click();
    await table.waitForStatus('66 of 200 rows');
    // The next test types elsewhere.
    await table.grid.and(focused(table)).waitFor();
  });

  it('Overviews and comparisons show the worst findings with the keyboard alone', async () => {
    const { page } = ui.workbench;
    await page.keyboard.press('F1');
    await ui.workbench.quickInput.input.waitFor();
    await page.keyboard.type('Scorecard: Open Overview');
    await ui.workbench.quickInput.row('Scorecard: Open Overview').waitFor();
    await page.keyboard.press('Enter');
    // The report in the active editor comes first.
    await ui.workbench.quickInput.whenLeft('>Scorecard: Open Overview');
    await ui.workbench.quickInput.row('first.ndjson').and(page.locator('.focused')).waitFor();
    await ui.workbench.quickInput.input.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    const table = new ReportTable(ui.workbench);
    const tab = table.frame.getByRole('tab', { name: 'Overview', selected: true });
    await tab.and(focused(table)).waitFor();
    await pressUntil('Tab', table.count(/^High: 50$/), table);
    await page.keyboard.press('Space');
    // The rows of Own type are left: what is pressed is what is shown.
    await table.waitForStatus('50 of 200 rows');
    await table.button('Remove filter Severity: High').waitFor();
    await table.grid.and(focused(table)).waitFor();
  });

  it('Overviews and comparisons count the values of a file without findings', async () => {
    const { workbench } = ui;
    await workbench.page.keyboard.press('Control+P');
    await workbench.quickInput.type('drinks.csv');
    await workbench.quickInput.pick('drinks.csv');
    await workbench.textEditor.getByText('0,coffee', { exact: true }).waitFor();
    await workbench.runCommand('Scorecard: Open Overview');
    await workbench.quickInput.pick('drinks.csv');
    const table = new ReportTable(workbench);
    await table.frame.getByRole('heading', { name: 'drinks.csv' }).waitFor();
    assert.deepEqual(await valuesOf(counts(table, 'Drink')), [
      ['tea', '200'],
      ['coffee', '100'],
    ]);
    await table.count(/^coffee: 100$/).click();
    await table.waitForStatus('100 of 300 rows');
    await workbench.runCommand('View: Close All Editors');
  });

  it('Overviews and comparisons show what changed when the next report arrives, and copy it', async () => {
    const { workbench } = ui;
    await report('second.ndjson', dumps.after);
    await workbench.notifications
      .toast(/37 new, 12 no longer reported, 5 closed, 0 changed since /)
      .waitFor();
    const table = await overview(/^Full report: /);
    await workbench.runCommand('Notifications: Clear All Notifications');
    await table.count(/^37 new, 12 no longer reported, 5 closed, 0 changed since /).click();
    await workbench.editorTab(comparedTitle).waitFor();
    await table.frame
      .getByText('37 new, 12 no longer reported, 5 closed', { exact: true })
      .waitFor();
    await table.frame
      .getByText('0 changed, 183 unchanged (open or not)', { exact: true })
      .waitFor();
    const gone = ['Critical', 'High', 'Medium', 'Low'].map((word) => [word, '3']);
    assert.deepEqual(await valuesOf(counts(table, 'No longer reported')), [['All', '12'], ...gone]);
    assert.deepEqual(await valuesOf(counts(table, 'Changes by Issue Type')), [
      ['TLS certificate: expired', 'Critical', '2', '4', '13', '0'],
      ['Open port', 'Critical', '2', '4', '12', '0'],
      ['Own type', 'Critical', '1', '4', '12', '0'],
    ]);
    await forget();
    await table.button('Copy as Markdown').click();
    await table.frame.locator('.outcome-note').getByText('Copied as Markdown').waitFor();
    const summary = await copied();
    assert.match(
      summary,
      /^### Changes since .*\n\n200 \u2192 220 open \(20 more\) \u00b7 Full report: All findings \u00b7 .* \u2192 /,
    );
    assert.match(
      summary,
      / \u00b7 37 new, 12 no longer reported, 5 closed \u00b7 0 changed, 183 unchanged \(open or not\)\n/,
    );
    assert.match(
      summary,
      /\n\| Severity \| Closed \| No longer reported \| New \| Changed \|\n.*\n\| Critical \| 2 \| 3 \| 10 /,
    );

    await table.button('Save as HTML\u2026').click();
    const saved = path.join(ui.server.folder, 'changes.html');
    fs.writeFileSync(path.join(ui.server.folder, 'near.html'), '');
    await workbench.quickInput.answerFile(saved, 'near.html');
    await workbench.quickInput.widget.waitFor({ state: 'hidden' });
    await workbench.runCommand('Notifications: Show Notifications');
    await workbench.notifications.listed(/Saved .*changes\.html/).waitFor();
    await workbench.runCommand('Notifications: Clear All Notifications');
    const html = fs.readFileSync(saved, 'utf8');
    assert.match(html, /^<!DOCTYPE html>\n<html lang="en">/);
    assert.match(html, /<li>0 changed, 183 unchanged \(open or not\)<\/li>/);
    assert.match(html, /<h2 id="section-\d">Changes by Issue Type<\/h2>/);

    await table.count(/^All: 5$/).click();
    await table.waitForStatus('5 of 54 rows');
    await table.grid.focus();
    await table.press('Control+a');
    await pickExport(table, 'Copy Selected Rows as Markdown');
    const rows = (await copied()).trimEnd().split('\n');
    assert.equal(rows.length, 7);
    assert.ok(rows.slice(2).every((row) => row.includes('| Open \u2192 Resolved |')));
    assert.ok(rows.slice(2).every((row) => row.includes(`| ${mask} \u2192 ${mask} |`)));
    await table.openRecord(1);
    assert.deepEqual(await table.record.locator('dd.differs').allTextContents(), [
      'OpenResolved',
      mask + mask,
    ]);
    await pickExport(table, 'Copy Record as Markdown');
    assert.match(await copied(), /\n- Status: Open \u2192 Resolved\n/);
  });

  it('Overviews and comparisons offer Compare with Previous only in the row of a report that has a previous report', async () => {
    const { workbench } = ui;
    const rows = workbench.treeItem(/\d Full report: All findings/, workbench.view('Reports'));
    const compare = (row: Locator) => row.getByRole('button', { name: 'Compare with Previous' });
    await rows.first().hover();
    await compare(rows.first()).waitFor();
    await rows.last().hover();
    await compare(rows.first()).waitFor({ state: 'hidden' });
    assert.equal(await rows.count(), 2);
    assert.equal(await compare(rows.last()).count(), 0);
  });

  it('Overviews and comparisons show what changed with the keyboard alone', async () => {
    const { workbench } = ui;
    await workbench.runCommand('View: Close All Editors');
    const { page, quickInput } = workbench;
    await page.keyboard.press('F1');
    await quickInput.input.waitFor();
    await page.keyboard.type('Scorecard: Compare Reports...');
    await quickInput.row('Scorecard: Compare Reports...').waitFor();
    await page.keyboard.press('Enter');
    await quickInput.widget.getByText('Which report? (1/2)').or(placeholder('(1/2)')).waitFor();
    await page.keyboard.press('Enter');
    await placeholder('(2/2)').waitFor();
    await page.keyboard.press('Enter');
    const table = await overview(comparedTitle);
    await pressUntil('Tab', table.count(/^No longer reported: Own type: 4$/), table);
    await page.keyboard.press('Enter');
    await table.waitForStatus('4 of 54 rows');
    await table.row(1).getByText('No longer reported', { exact: true }).waitFor();
  });

  it('Overviews and comparisons are asked together elsewhere', async () => {
    const { workbench } = ui;
    const { quickInput } = workbench;
    await workbench.runCommand('View: Close All Editors');
    await workbench
      .treeItem(/\d Full report: All findings/, workbench.view('Reports'))
      .first()
      .click();
    const table = await overview(/^Full report: /);
    await table.count(/^Critical: /).click();
    await table.waitForStatus(/ of 225 rows/);
    for (const [engine, reads] of [
      ['DuckDB', /read_ndjson_objects\('[^']*(first|second)\.ndjson'\)/g],
      ['Spark', /path '[^']*(first|second)\.ndjson'/g],
    ] as const) {
      await pickExport(table, `Copy as SQL for ${engine}`);
      await quickInput.row('This Report').waitFor();
      await quickInput.pick('All Downloaded Reports of This Kind (2)');
      const sql = await copied();
      assert.deepEqual(
        [...sql.matchAll(reads)].map(([, name]) => name),
        ['second', 'first'],
      );
      assert.match(sql, /select\n {2}report\.report_date,\n[^]*where .*'critical'/);
    }
    await pickExport(table, 'Copy as SQL for DuckDB');
    await quickInput.pick('This Report');
    assert.doesNotMatch(await copied(), /report_date|first\.ndjson/);
  });

  it('Overviews and comparisons keep secret values masked', async () => {
    const { workbench } = ui;
    await workbench.runCommand('View: Close All Editors');
    const reports = workbench.view('Reports');
    await workbench
      .treeItem(/\d Full report: All findings/, reports)
      .first()
      .click();
    const table = await overview(/^Full report: /);
    await table.count(/^Critical: /).waitFor();
    await table.frame.getByRole('button', { name: '5 resolved not counted' }).click();
    await table.frame.getByRole('button', { name: 'Count open findings only' }).waitFor();
    await table.frame.getByLabel('Add a chart').selectOption({ label: 'Password' });
    assert.deepEqual(await valuesOf(counts(table, 'Password')), [
      [mask, '220'],
      [mask, '5'],
    ]);
    await table.frame.getByRole('button', { name: `${mask}: 5`, exact: true }).click();
    await table.waitForStatus('5 of 225 rows');
    await table.button(`Remove filter Password: ${mask}`).waitFor();
    assert.doesNotMatch(await table.frame.locator('html').innerHTML(), /hunter/);
  });

  // In the other themes the page alone is looked at, see accessibility.test.ts and compare.test.ts.
  it('Overviews and comparisons have no axe violations, and fit a width of 320 pixels', async () => {
    const { workbench } = ui;
    const { page } = workbench;
    const table = new ReportTable(workbench);
    const look = async (where: string) => {
      for (const tab of [/^Full report: /, comparedTitle]) {
        await workbench.editorTab(tab).click();
        await overview(tab);
        await table.frame.getByRole('tab', { name: 'Overview' }).click();
        await table
          .count(/^(Critical: 5\d|No longer reported: Own type: 4)$/)
          .first()
          .waitFor();
        assert.deepEqual(await table.faults(), [], where);
        const beyond = await table.frame.locator('.overview').evaluate((overviewOfPage) =>
          [overviewOfPage, ...overviewOfPage.querySelectorAll('.count')]
            .filter((one) => {
              const { left, right } = one.getBoundingClientRect();
              return left < 0 || right > window.innerWidth;
            })
            .map((one) => one.outerHTML.slice(0, 80)),
        );
        assert.deepEqual(beyond, [], where);
      }
    };
    await workbench.runCommand('Scorecard: Compare Reports...');
    await placeholder('(1/2)').waitFor();
    await page.keyboard.press('Enter');
    await placeholder('(2/2)').waitFor();
    await page.keyboard.press('Enter');
    await overview(comparedTitle);
    await look('1400 pixels');
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await page.setViewportSize({ width: 368, height: 700 });
    await look('320 pixels');
    const { width = 0 } = (await table.frame.locator('html').boundingBox()) ?? {};
    assert.ok(width > 0 && width <= 320, `${width}`);
  });

  /** Requests a full report; what the service has for it is this. */
  async function report(name: string, text: string): Promise<void> {
    faulty.service.fail('/download', { name, bytes: Buffer.from(text) });
    await startReportOfAll(ui.workbench, 'Full');
  }

  /** The overview in the tab of this name, as soon as it is there. */
  async function overview(tab: RegExp): Promise<ReportTable> {
    const { workbench } = ui;
    await workbench.editorTab(tab).and(workbench.page.locator('[aria-selected=true]')).waitFor();
    const table = new ReportTable(workbench);
    await table.frame.getByRole('tab', { name: 'Overview' }).waitFor();
    return table;
  }

  async function pickExport(table: ReportTable, entry: string): Promise<void> {
    await forget();
    await table.tool('Export and Copy').click();
    await table.menuItem(entry).click();
  }

  /** Empties the clipboard. */
  async function forget(): Promise<void> {
    await ui.workbench.page.evaluate(() => navigator.clipboard.writeText(''));
  }

  /** What was copied, as soon as it was. */
  function copied(): Promise<string> {
    // Not `waitForFunction`, which takes the promise of an empty text for a result.
    return ui.workbench.page.evaluate(async () => {
      for (;;) {
        const text = await navigator.clipboard.readText();
        if (text !== '') {
          return text;
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
  }

  async function pressUntil(key: string, wanted: Locator, table: ReportTable): Promise<void> {
    await wanted.waitFor();
    for (let times = 0; times < 60; times += 1) {
      if ((await wanted.and(focused(table)).count()) > 0) {
        return;
      }
      await ui.workbench.page.keyboard.press(key);
    }
    throw new Error(`${key} does not lead there.`);
  }

  const placeholder = (text: string) =>
    ui.workbench.quickInput.widget.locator(`input[placeholder*="${text}"]`);
});

function focused(table: ReportTable): Locator {
  return table.frame.locator(':focus');
}

/** A table of the overview, by its name. */
function counts(table: ReportTable, name: string): Locator {
  return table.frame.getByRole('table', { name, exact: true });
}

import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import type { TableDriver } from './tableDriver';
import { useTablePages } from './tablePages';
import { inTheme, themes } from './themes';

/** Findings, the worst first in the file: each has a host of its own, and one of two rules. */
function findings(count: number): string {
  const lines = Array.from({ length: count }, (_, row) =>
    JSON.stringify({
      issue_id: `F-${row + 1}`,
      severity: row < 6 ? 'high' : 'low',
      issue_type: row % 2 === 0 ? 'open_port' : 'weak_cipher',
      host: `host-${row + 1}.example`,
    }),
  );
  return `${lines.join('\n')}\n`;
}

/** Runs in the page: the luminances of colors on the first one, 0 to 1, as WCAG defines them. */
function luminancesOf(colors: readonly string[]): number[] {
  const canvas = document.createElement('canvas').getContext('2d');
  if (!canvas) {
    return [];
  }
  const linear = (part: number) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  return colors.map((color) => {
    for (const each of [colors[0] ?? '', color]) {
      canvas.fillStyle = each;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return 0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);
  });
}

describe('Known issues in a table', () => {
  const pages = useTablePages();

  /** The numbers of the rows that are shown, in their order. */
  async function waitForNumbers(table: TableDriver, ...numbers: readonly number[]): Promise<void> {
    for (const [at, number] of numbers.entries()) {
      await table.waitForTexts(at + 1, String(number));
    }
  }

  it('Known issues in a table are marked one after the other, also where a marked row leaves the list', async () => {
    const file = pages.write('own.ndjson', findings(10));
    const table = await pages.open({ file, tab: 'overview' });
    const { page } = table;
    await page.getByRole('button', { name: 'High: 6', exact: true }).click();
    await table.waitForStatus('6 of 10 rows');
    await table.row(1).getByRole('gridcell').first().click();
    await table.press('k');
    // No row leaves this list: it was chosen when none was known.
    await table.waitForStatus('6 of 10 rows, 5 open');
    await table.waitForActive(2, 1);

    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'High: 5', exact: true }).click();
    await table.waitForStatus('5 of 10 rows');
    await waitForNumbers(table, 2, 3, 4, 5, 6);
    await table.row(2).getByRole('gridcell').first().click();
    await table.press('k');
    await table.waitForStatus('4 of 10 rows');
    await waitForNumbers(table, 2, 4, 5, 6);
    await table.waitForActive(2, 1);
    await table.press('k');
    await table.waitForStatus('3 of 10 rows');
    await waitForNumbers(table, 2, 5, 6);
    // Two at once, at the end of the list.
    await table.press('Shift+ArrowDown', 'k');
    await table.waitForStatus('1 of 10 rows');
    await waitForNumbers(table, 2);
    await table.waitForActive(1, 1);
    await table.press('k');
    await table.waitForStatus('0 of 10 rows');

    // The same in another order, taking back.
    await page.getByRole('button', { name: '6 known', exact: true }).click();
    await table.waitForStatus('6 of 10 rows');
    await table.heading('host').click();
    await table.heading('host').click();
    await waitForNumbers(table, 6, 5, 4, 3, 2, 1);
    await table.row(3).getByRole('gridcell').first().click();
    await table.press('Shift+K');
    await table.waitForStatus('5 of 10 rows');
    await table.waitForActive(3, 1);
    await table.press('Shift+K');
    await table.waitForStatus('4 of 10 rows');
    await waitForNumbers(table, 6, 5, 2, 1);
  });

  it('Known issues in a table are offered to be taken back only where a selected row is known, or may be', async () => {
    const file = pages.write('own.ndjson', findings(10));
    const table = await pages.open({ file });
    await table.waitForStatus(/^10 rows$/);
    const isOffered = async (row: number, ...keys: readonly string[]) => {
      await table.row(row).getByRole('gridcell').first().click();
      await table.press(...keys, 'Shift+F10');
      await table.menuItem('Mark as Known\u2026').waitFor();
      const count = await table.menuItem('No Longer Known').count();
      await table.press('Escape');
      return count === 1;
    };
    assert.equal(await isOffered(1), false, 'none is known');
    await table.row(1).getByRole('gridcell').first().click();
    await table.press('k');
    await table.page.getByRole('rowheader', { name: '1, known: Not ours' }).waitFor();
    assert.equal(await isOffered(1), true);
    assert.equal(await isOffered(2), false);
    assert.equal(await isOffered(2, 'Shift+ArrowUp'), true, 'one of the selected rows is known');
    assert.equal(await isOffered(2, 'Shift+ArrowDown'), false);
  });

  it('Known issues in a table leave the active row where it is if none was marked, also when rows are drawn again later', async () => {
    const lines = [1, 2, 3, 4].map((id) =>
      JSON.stringify({ issue_id: `F-${id}`, severity: 'high', host: `h${id}`, password: 'x' }),
    );
    const file = pages.write('own.ndjson', lines.join('\n'));
    const table = await pages.open({ file, holdBack: ['marked'] });
    await table.waitForStatus(/^4 rows$/);
    await table.row(2).getByRole('gridcell').first().click();
    await table.press('Shift+K');
    // The host is done with that, and no row is known: what is drawn from now on is for another reason.
    await table.line.releaseOne('marked');
    await table.line.release('marked');
    await table.page.getByRole('button', { name: 'Show Secret Values' }).click();
    await table.row(2).getByRole('gridcell', { name: 'x', exact: true }).waitFor();
    await table.waitForActive(2, 1);
    await table.row(2).getByRole('gridcell').first().click();
    await table.press('k');
    await table.page.getByRole('rowheader', { name: '2, known: Not ours' }).waitFor();
    await table.waitForActive(3, 1);
  });

  it('Known issues in a table are two where a key comes before the first one is drawn', async () => {
    const file = pages.write('own.ndjson', findings(10));
    const table = await pages.open({ file });
    await table.waitForStatus(/^10 rows$/);
    await table.filter('severity').fill('=high');
    await table.filter('severity').press('Enter');
    await table.waitForStatus('6 of 10 rows');
    await table.row(1).getByRole('gridcell').first().click();
    table.line.holdBack('markKnown');
    await table.press('k', 'k');
    assert.equal((await table.sent('markKnown')).length, 1);
    await table.line.release('markKnown');
    await table.waitForStatus('6 of 10 rows, 4 open');
    await table.waitForActive(3, 1);
    await table.page.getByRole('rowheader', { name: '2, known: Not ours' }).waitFor();
  });

  it('Known issues in a table are the rows that were seen, though a key comes before these are in their order again', async () => {
    const file = pages.write('own.ndjson', findings(9));
    const table = await pages.open({ file });
    await table.waitForStatus(/^9 rows$/);
    await table.heading('host').click();
    await table.heading('host').click();
    await waitForNumbers(table, 9, 8, 7);
    await table.row(1).getByRole('gridcell').first().click();
    table.line.holdBack('query');
    await table.press('k');
    // The host has marked it, and begun anew: the rows are those of the file, in its order, until this is answered.
    await table.line.until(() => table.line.countHeldBack('query') > 0);
    await table.press('k');
    assert.equal((await table.sent('markKnown')).length, 1);
    await table.line.release('query');
    await table.page.getByRole('rowheader', { name: '9, known: Not ours' }).waitFor();
    await table.page.getByRole('rowheader', { name: '8, known: Not ours' }).waitFor();
    await table.waitForActive(3, 1);
  });

  it('Known issues in a table leave the rows on screen until the new ones are there, and no key marks one of them meanwhile', async () => {
    const file = pages.write('own.ndjson', findings(9));
    const table = await pages.open({ file });
    await table.waitForStatus(/^9 rows$/);
    await table.heading('host').click();
    await table.heading('host').click();
    await waitForNumbers(table, 9, 8, 7);
    await table.row(1).getByRole('gridcell').first().click();
    const drawn = () =>
      table.page
        .locator('.row')
        .evaluateAll((rows) => rows.map((row) => row.ariaBusy ?? row.children[0]?.textContent));
    const before = await drawn();
    const isPainted = () =>
      table.page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
    table.line.holdBack('query', 'rows');
    await table.press('k');
    await table.line.until(() => table.line.countHeldBack('query') > 0);
    await isPainted();
    assert.deepEqual(await drawn(), before, 'the query is not answered');
    await table.line.release('query');
    await table.line.until(() => table.line.countHeldBack('rows') > 0);
    await isPainted();
    assert.deepEqual(await drawn(), before, 'the rows are not loaded');
    await table.press('ArrowDown', 'ArrowDown', 'k');
    assert.equal((await table.sent('markKnown')).length, 1);
    await table.line.release('rows');
    await table.page.getByRole('rowheader', { name: '9, known: Not ours' }).waitFor();
    await waitForNumbers(table, 9, 8, 7);
    assert.equal((await table.sent('markKnown')).length, 1);
  });

  it('Known issues in a table leave the rows in the order of the file on screen, too', async () => {
    const lines = [1, 2, 3].map((id) => JSON.stringify({ id: `F-${id}`, severity: 'high' }));
    const file = pages.write('own.ndjson', lines.join('\n'));
    const table = await pages.open({ file });
    await table.waitForStatus(/^3 rows$/);
    // Clears the sort that it begins with.
    await table.heading('severity').click();
    await table.heading('severity').click();
    await table.page.locator('[aria-sort]').waitFor({ state: 'detached' });
    await table.row(2).getByRole('gridcell').first().click();
    table.line.holdBack('rows');
    await table.press('k');
    await table.line.until(() => table.line.countHeldBack('rows') > 0);
    await waitForNumbers(table, 1, 2, 3);
    await table.line.release('rows');
    await table.page.getByRole('rowheader', { name: '2, known: Not ours' }).waitFor();
    await table.waitForActive(3, 1);
  });

  it('Known issues in a table lead to the next finding that is open, also behind a page of rows, and back to any', async () => {
    const line = (row: number) =>
      JSON.stringify({
        issue_id: `F-${row}`,
        severity: 'low',
        status: [1, 4, 250].includes(row) ? 'active' : 'resolved',
      });
    const file = pages.write(
      'own.ndjson',
      Array.from({ length: 252 }, (_, at) => line(at + 1)).join('\n'),
    );
    const table = await pages.open({ file });
    await table.waitForStatus('3 open of 252 rows');
    await table.row(1).getByRole('gridcell').first().click();
    await table.press('k');
    await table.waitForStatus('2 open of 252 rows');
    await table.waitForActive(4, 1);
    await table.press('k');
    await table.waitForStatus('1 open of 252 rows');
    await table.waitForActive(250, 1);
    await table.press('k');
    await table.waitForStatus('0 open of 252 rows');
    // None is open below.
    await table.waitForActive(251, 1);
    // The row there is not known: the last decision is taken back.
    await table.press('Shift+K');
    await table.waitForStatus('1 open of 252 rows');
    await table.waitForActive(250, 1);
    await table.press('k');
    await table.waitForStatus('0 open of 252 rows');
    await table.waitForActive(251, 1);
    await table.press('Control+Home', 'Shift+K');
    await table.waitForStatus('1 open of 252 rows');
    await table.waitForActive(1, 1);
  });

  it('Known issues in a table leave its filter and its sort, though Escape is pressed before they are drawn', async () => {
    const file = pages.write('own.ndjson', findings(9));
    const table = await pages.open({ file });
    await table.waitForStatus(/^9 rows$/);
    await table.filter('severity').fill('=high');
    await table.filter('severity').press('Enter');
    await table.waitForStatus('6 of 9 rows');
    await table.heading('host').click();
    await table.heading('host').click();
    await waitForNumbers(table, 6, 5, 4);
    await table.row(2).getByRole('gridcell').first().click();
    await table.press('Enter');
    await table.page.locator('.record').getByText('Row 5', { exact: true }).waitFor();
    await table.grid.focus();
    table.line.holdBack('query');
    await table.press('k');
    await table.line.until(() => table.line.countHeldBack('query') > 0);
    await table.press('Escape');
    await table.page.locator('.record').waitFor({ state: 'hidden' });
    await table.line.release('query');
    await table.waitForStatus('6 of 9 rows, 5 open');
    await waitForNumbers(table, 6, 5, 4);
    await table.waitForActive(3, 1);
  });

  it('Known issues in a table that are taken back are active again, unless a user has gone elsewhere', async () => {
    const file = pages.write('own.ndjson', findings(9));
    const table = await pages.open({ file });
    await table.waitForStatus(/^9 rows$/);
    await table.row(2).getByRole('gridcell').first().click();
    await table.press('k');
    await table.waitForActive(3, 1);
    await pages.setKnown([]);
    await table.waitForStatus(/^9 rows$/);
    await table.waitForActive(2, 1);
    await table.press('k');
    await table.waitForActive(3, 1);
    await table.press('ArrowDown');
    await pages.setKnown([]);
    await table.waitForStatus(/^9 rows$/);
    await table.waitForActive(4, 1);
  });

  /** Findings of these hosts, in this order. */
  const ofHosts = (...hosts: readonly string[]) =>
    hosts
      .map((host) => JSON.stringify({ rule_id: 'open-port', severity: 'high', title: host, host }))
      .join('\n');

  async function reload(table: TableDriver): Promise<void> {
    await table.page.getByRole('button', { name: 'Reload' }).click();
    await table.grid.focus();
  }

  it('Known issues in a table are the findings that were chosen, where these are in the file that a scanner wrote again', async () => {
    const file = pages.write('again.ndjson', ofHosts('a', 'b', 'c'));
    const table = await pages.open({ file });
    await table.waitForStatus(/^3 rows$/);
    await table.row(2).getByRole('gridcell').first().click();
    await table.press('Shift+ArrowUp', 'Shift+ArrowDown');
    await table.whenFileIsRead();
    fs.writeFileSync(file, ofHosts('new 1', 'new 2', 'a', 'b', 'c'));
    await reload(table);
    await table.waitForActive(4, 1);
    await table.press('k');
    await table.page.getByRole('rowheader', { name: '4, known: Not ours' }).waitFor();
    await table.waitForStatus(/^4 open of 5 rows$/);
  });

  it('Known issues in a table are asked about again where the lines of the one that was chosen have moved, which stays chosen', async () => {
    const inLines = (...lines: readonly number[]) =>
      lines
        .map((line, at) =>
          JSON.stringify({ rule_id: `r${at % 3}`, severity: 'high', path: `${at}.ts`, line }),
        )
        .join('\n');
    const file = pages.write('moved.ndjson', inLines(1, 2, 3, 4));
    const table = await pages.open({ file });
    await table.waitForStatus(/^4 rows$/);
    await table.row(2).getByRole('gridcell').first().click();
    await table.press('Shift+ArrowUp', 'Shift+ArrowDown');
    await table.whenFileIsRead();
    const added = JSON.stringify({ rule_id: 'new', severity: 'high', path: 'new.ts', line: 2 });
    fs.writeFileSync(file, `${added}\n${inLines(11, 12, 13, 14)}`);
    await reload(table);
    await table.waitForActive(3, 1);
    // It may be another one of that rule and file: a user looks at it first.
    await table.press('k');
    await table.page
      .getByText('The file has changed. Mark again to mark this row.')
      .first()
      .waitFor();
    assert.deepEqual(await table.sent('markKnown'), []);
    await table.press('k');
    await table.page.getByRole('rowheader', { name: '3, known: Not ours' }).waitFor();
  });

  it('Known issues in a table are no other findings where the one that was chosen is gone: the next key only shows the row', async () => {
    const file = pages.write('again.ndjson', ofHosts('a', 'b', 'c'));
    const table = await pages.open({ file });
    await table.waitForStatus(/^3 rows$/);
    await table.row(2).getByRole('gridcell').first().click();
    await table.press('Shift+ArrowDown');
    await table.whenFileIsRead();
    fs.writeFileSync(file, ofHosts('a', 'b', 'other'));
    await reload(table);
    await table.waitForTexts(3, '3');
    await table.row(3).getByText('other').first().waitFor();
    await table.press('k');
    await table.page
      .getByText('The file has changed. Mark again to mark this row.')
      .first()
      .waitFor();
    assert.deepEqual(await table.sent('markKnown'), []);
    await table.press('k');
    await table.page.getByRole('rowheader', { name: '3, known: Not ours' }).waitFor();
    await table.waitForStatus(/^2 open of 3 rows$/);
  });

  it('Known issues in a table are not rows of a file that was read again before the page knew', async () => {
    const file = pages.write('again.ndjson', ofHosts('a', 'b', 'c'));
    const table = await pages.open({ file });
    await table.waitForStatus(/^3 rows$/);
    await table.row(2).getByRole('gridcell').first().click();
    await table.whenFileIsRead();
    fs.writeFileSync(file, ofHosts('new', 'a', 'b', 'c'));
    table.line.holdBack('init');
    await reload(table);
    await table.line.until(() => table.line.countHeldBack('init') > 0);
    await table.press('k');
    await table.line.until(() => table.line.fromHost.some(({ type }) => type === 'marked'));
    assert.equal((await table.sent('markKnown')).length, 1);
    await table.line.release('init');
    await table.waitForActive(3, 1);
    await table.waitForStatus(/^4 rows$/);
  });

  for (const theme of ['light', 'dark', 'highContrast', 'highContrastLight'] as const) {
    const itHere = theme === 'light' ? it : inTheme(theme);
    itHere(
      `Known issues in a table are fainter than open findings, and can be read (${theme})`,
      async () => {
        const file = pages.write('own.ndjson', findings(4));
        const known = [{ id: 'F-2', label: 'Not ours', reason: 'notOurs' }];
        const table = await pages.open({ file, theme, known });
        // Rows that are drawn again have no color any more.
        await table.whenFileIsRead();
        await table.waitForStatus(/^3 open of 4 rows$/);
        const colorOf = (row: string) =>
          table.page
            .locator(`.row${row}:not(.loading) .cell`)
            .last()
            .evaluate((cell) => getComputedStyle(cell).color);
        const colors = [
          themes[theme].variables['--vscode-editor-background'] ?? '',
          await colorOf(':not(.closed)'),
          await colorOf('.closed'),
        ];
        const [background, open, closed] = await table.page.evaluate(luminancesOf, colors);
        const contrast = (one = 0, other = 0) =>
          (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        const toRead = contrast(closed, background);
        assert.ok(toRead >= 4.5, `to be read: ${toRead}`);
        const apart = contrast(closed, open);
        assert.ok(apart >= 1.5, `to be told apart: ${apart}`);
      },
    );
  }

  it('Known issues in a table are as many as their button and their chip in the overview say, with those that are resolved', async () => {
    const line = (row: number) =>
      JSON.stringify({
        issue_id: `F-${row}`,
        severity: 'low',
        status: row % 2 === 0 ? 'active' : 'resolved',
      });
    const file = pages.write(
      'own.ndjson',
      Array.from({ length: 6 }, (_, row) => line(row)).join('\n'),
    );
    const table = await pages.open({ file });
    const { page } = table;
    await table.waitForStatus('3 open of 6 rows');
    await table.row(1).getByRole('gridcell').first().click();
    await table.press('Shift+ArrowDown', 'k');
    await table.waitForStatus('2 open of 6 rows');
    await page.getByRole('button', { name: '2 known', exact: true }).click();
    await table.waitForStatus('2 of 6 rows, 0 open');
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('button', { name: '2 resolved not counted', exact: true }).waitFor();
    await page.getByRole('button', { name: '2 known', exact: true }).click();
    await table.waitForStatus('2 of 6 rows, 0 open');
  });

  it('Known issues in a table of SARIF are beside what the file says is new since its baseline, which one click shows', async () => {
    const result = (at: number, baselineState: string, more: object = {}) => ({
      ruleId: `r${at}`,
      level: 'error',
      message: { text: `m${at}` },
      baselineState,
      locations: [{ physicalLocation: { artifactLocation: { uri: `src/${at}.ts` } } }],
      ...more,
    });
    const results = [
      result(1, 'new'),
      result(2, 'unchanged'),
      result(3, 'new', { suppressions: [{ kind: 'inSource' }] }),
      result(4, 'absent'),
      result(5, 'new'),
      result(6, 'updated'),
    ];
    const log = { version: '2.1.0', runs: [{ tool: { driver: { name: 't' } }, results }] };
    const table = await pages.open({
      file: pages.write('own.sarif', JSON.stringify(log)),
      tab: 'overview',
    });
    const { page } = table;
    await page.getByText('4 findings', { exact: true }).waitFor();
    await page.getByRole('button', { name: '2 new', exact: true }).click();
    await table.waitForStatus('2 of 6 rows');
    await page
      .getByRole('button', { name: 'Remove filter New since the baseline (open)' })
      .waitFor();
    await waitForNumbers(table, 1, 5);
    await table.row(1).getByRole('gridcell').first().click();
    await table.press('k');
    await table.waitForStatus('2 of 6 rows, 1 open');
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('button', { name: '1 new', exact: true }).waitFor();
    await page.getByRole('button', { name: /^2 .*absent.* not counted$/ }).click();
    await page.getByRole('button', { name: '3 new', exact: true }).click();
    await table.waitForStatus('3 of 6 rows, 1 open');
  });

  it('Known issues in a table that are no longer known say why, each in its own words, and are found from the overview', async () => {
    const file = pages.write('own.ndjson', findings(4));
    const reason = 'acceptedRisk';
    const table = await pages.open({
      file,
      tab: 'overview',
      known: [
        { id: 'F-1', label: 'Accepted risk until 30 Nov', reason, isOver: true },
        { id: 'F-2', label: 'False positive', reason, severity: 'low' },
        { id: 'F-3', label: 'Fixed until 1 Dec', reason, isOver: true },
      ],
    });
    const { page } = table;
    await page.getByText('4 findings', { exact: true }).waitFor();
    const rows = (text: string) => page.getByRole('rowheader', { name: text, exact: true });
    await page.getByRole('button', { name: '1 worse than decided', exact: true }).click();
    await page
      .getByRole('button', { name: 'Remove filter More severe than when it was decided' })
      .waitFor();
    await table.waitForStatus('1 of 4 rows');
    await rows('2, more severe than when it was decided: False positive').waitFor();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('button', { name: '2 expired', exact: true }).click();
    await table.waitForStatus('2 of 4 rows');
    await rows('1, the decision has expired: Accepted risk until 30 Nov').waitFor();
    await rows('3, the decision has expired: Fixed until 1 Dec').waitFor();
    await table.row(1).getByRole('gridcell').first().dblclick();
    await page.locator('.record').getByText('The decision has expired').waitFor();
  });

  it('Known issues in a table are all rows of the groups that are selected, loaded or not, and of no other', async () => {
    const file = pages.write('own.ndjson', findings(600));
    const table = await pages.open({ file });
    await table.waitForStatus(/^600 rows$/);
    await table.filter('issue_type').fill('=open_port');
    await table.filter('issue_type').press('Enter');
    await table.waitForStatus('300 of 600 rows');
    await table.page.getByRole('button', { name: 'Group By' }).click();
    await table.menuItem('host').click();
    await table.waitForStatus('300 groups of 300 rows');
    await table.row(1).getByRole('gridcell').first().click();
    await table.press('Control+A', 'k');
    await table.waitForStatus('300 groups of 300 rows, 0 open');
    await table.press('Control+Home', 'Shift+K');
    await table.waitForStatus('300 groups of 300 rows, 1 open');
    await table.waitForActive(1, 1);
    await table.page.getByRole('button', { name: 'Clear Filters' }).click();
    await table.waitForStatus('600 groups of 600 rows, 301 open');
  });
});

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { headingOf } from '../../helpers/columnTitle';
import { FileKinds } from '../../../src/viewer/table/fileKinds';
import type { TableDriver } from './tableDriver';
import { useTablePages } from './tablePages';

const bank = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';
const other = '0b2f6c1e-51d4-4f0a-9c55-6a7d3e1f2b90';
const rows = 300;
const lines = Array.from({ length: rows }, (_, row) =>
  JSON.stringify({
    finding_id: row,
    scorecard_id: row % 3 === 0 ? bank : other,
    nothing: null,
    port: row * 7,
    blank: '',
    severity: ['low', 'critical', 'high'][row % 3],
    status: row % 2 === 0 ? 'active' : 'resolved',
    late: row === rows - 1 ? 'found' : null,
  }),
).join('\n');

describe('The columns of a Report Table', () => {
  const pages = useTablePages();

  const open = () =>
    pages.open({ file: pages.write('a.ndjson', lines), scorecards: { [bank]: 'Bluefjord Bank' } });

  it('The columns of a Report Table have the useful ones first, no empty ones, and charts of their counts', async () => {
    const table = await open();
    const { page } = table;
    const shown = async (...names: string[]) => {
      await page.waitForFunction(
        (wanted) =>
          [...document.querySelectorAll('.header .name')].map((one) => one.textContent).join() ===
          wanted,
        names.map(headingOf).join(),
      );
    };
    const useful = ['severity', 'status', 'port'];
    await shown(...useful, 'late', 'finding_id', 'scorecard_id');
    const chart = table.heading('severity').locator('.chart[data-bars="3"]');
    await chart.waitFor();
    assert.equal(
      await table.heading('severity').getAttribute('title'),
      'severity\nCritical (100), High (100), Low (100)',
    );
    await table.heading('port').locator('.chart[data-bars="20"]').waitFor();
    assert.equal(await table.heading('port').getAttribute('title'), 'port\nFrom 0 to 2,093');
    // Numbers that only name something are not drawn.
    assert.equal(await table.heading('finding_id').locator('.chart[data-bars]').count(), 0);

    await page.getByRole('button', { name: '2 empty columns hidden' }).click();
    await shown(
      'severity',
      'status',
      'port',
      'nothing',
      'blank',
      'late',
      'finding_id',
      'scorecard_id',
    );
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await table.menuItem('Hide Empty Columns').click();
    await shown(...useful, 'late', 'finding_id', 'scorecard_id');
    await page.getByRole('button', { name: '2 empty columns hidden' }).waitFor();
  });

  it('The columns of a Report Table are those of the last file of its kind, until they are reset', async () => {
    let kept: unknown;
    let hasKept: () => void = () => undefined;
    /** Resolves when the kinds are kept the next time. */
    const keeping = () => new Promise<void>((resolve) => (hasKept = resolve));
    const kinds = () =>
      new FileKinds({
        get: () => kept,
        update: (_, value) => {
          kept = value;
          hasKept();
          return Promise.resolve();
        },
      });
    const first = await pages.open({
      file: pages.write('first.ndjson', lines),
      kinds: kinds(),
    });
    await first.page.getByRole('button', { name: 'Columns', exact: true }).click();
    assert.equal(await first.menuItem('Reset Columns').count(), 0);
    await first.menuItem('status').click();
    await first.press('Escape');
    await first.heading('status').waitFor({ state: 'detached' });
    await first.heading('severity').click({ button: 'right' });
    const arranged = keeping();
    await first.menuItem('Move Right').click();
    await arranged;

    // The next file of the tool, with one column more, in another window.
    const more = lines.replaceAll('"port"', '"more":1,"port"');
    const next = await pages.open({ file: pages.write('next.ndjson', more), kinds: kinds() });
    const shown = (page: Page) =>
      page.evaluate(() =>
        [...document.querySelectorAll('.header .name')].map((one) => one.textContent),
      );
    await next.heading('more').waitFor();
    assert.deepEqual((await shown(next.page)).slice(0, 2), ['port', 'severity'].map(headingOf));
    assert.equal(await next.heading('status').count(), 0);
    await next.page.getByRole('button', { name: '1 column hidden', exact: true }).waitFor();
    // Another kind of file is as it is.
    const other = JSON.stringify({
      severity: 'high',
      status: 'open',
      port: 1,
      host: 'h',
      path: 'p',
    });
    const third = await pages.open({
      file: pages.write('other.ndjson', other),
      kinds: kinds(),
    });
    await third.heading('status').waitFor();

    await next.page.getByRole('button', { name: 'Columns', exact: true }).click();
    const reset = keeping();
    await next.menuItem('Reset Columns').click();
    await next.heading('status').waitFor();
    await reset;
    assert.equal(kept, undefined);
    assert.equal((await shown(next.page))[0], headingOf('severity'));
  });

  it('The filters of a Report Table are offered for the next file of its kind, and never set by themselves', async () => {
    let kept: unknown;
    let hasKept: () => void = () => undefined;
    const keeping = () => new Promise<void>((resolve) => (hasKept = resolve));
    const kinds = () =>
      new FileKinds({
        get: () => kept,
        update: (_, value) => {
          kept = value;
          hasKept();
          return Promise.resolve();
        },
      });
    const offer = (table: TableDriver) =>
      table.page.getByRole('button', { name: 'Filters of last time' });
    const first = await pages.open({
      file: pages.write('first.ndjson', lines),
      kinds: kinds(),
    });
    const typed = keeping();
    await first.filter('severity').fill('high');
    await first.press('Enter');
    await typed;

    const more = lines.replaceAll('"port"', '"more":1,"port"');
    const next = await pages.open({ file: pages.write('next.ndjson', more), kinds: kinds() });
    await offer(next).waitFor();
    assert.equal(await offer(next).getAttribute('title'), 'Severity: high');
    assert.deepEqual(await next.page.getByRole('button', { name: /^Remove filter/ }).count(), 0);
    const restored = keeping();
    await offer(next).click();
    await next.page.getByRole('button', { name: 'Remove filter Severity: high' }).waitFor();
    await offer(next).waitFor({ state: 'detached' });
    await restored;
    // What is cleared was not filtered last.
    const cleared = keeping();
    await next.page.getByRole('button', { name: 'Clear Filters' }).click();
    await cleared;
    assert.equal(kept, undefined);
    assert.equal(await offer(next).count(), 0);
  });

  it('The columns of a Report Table are searched in the menus, and typed words are found in others', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    const { page } = table;
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    const search = page.getByRole('searchbox', { name: 'Search' });
    await page.keyboard.type('SEEN');
    await table.menuItem('severity').waitFor({ state: 'detached' });
    await table.press('Enter');
    await table.heading('first_seen').waitFor({ state: 'detached' });
    // A column is found by its heading and by its name in the file.
    for (const text of ['first seen', 'first_seen']) {
      await search.fill(text);
      await table.menuItem('first_seen').waitFor();
      await table.menuItem('severity').waitFor({ state: 'detached' });
    }
    await search.fill('nothing');
    await table.menuItem('No results').waitFor();
    await search.fill('');
    // A letter that is typed in the list goes on in the search.
    await table.press('ArrowDown', 'ArrowDown');
    await page.keyboard.type('pass');
    assert.equal(await search.inputValue(), 'pass');
    await table.press('ArrowDown', 'Space');
    await table.heading('password').waitFor({ state: 'detached' });
    await table.press('Escape');
    await search.waitFor({ state: 'detached' });

    await table.grid.focus();
    await table.press('Shift+F10');
    await page.keyboard.type('copy as j');
    await page.locator('.menu-item:focus', { hasText: 'Copy as JSON' }).waitFor();
  });

  it('The columns of a Report Table show names of scorecards in cells, filters, values, groups and records', async () => {
    const table = await open();
    const { page } = table;
    await table.filter('scorecard_id').fill('bluefjord');
    await table.filter('scorecard_id').press('Enter');
    await table.waitForStatus('100 of 300 rows');
    const cell = table.row(1).getByText('Bluefjord Bank', { exact: true });
    assert.equal(await cell.getAttribute('title'), bank);
    await table.filter('scorecard_id').focus();
    await table.press('Alt+ArrowDown');
    await table.menuItem('Bluefjord Bank').click();
    await table.waitForFilter('scorecard_id', `==${bank}`);
    await table.press('Escape');
    const chip = page.getByRole('button', { name: 'Remove filter Scorecard: Bluefjord Bank' });
    await chip.waitFor();
    await table.waitForStatus('100 of 300 rows');

    await page.getByRole('button', { name: 'Group By' }).click();
    await table.menuItem('severity').click();
    await table.waitForStatus('1 group of 100 rows');
    await page.getByRole('button', { name: 'Group By' }).click();
    await table.menuItem('Then Group By').waitFor();
    await table.menuItem('scorecard_id').click();
    await table.waitForTexts(1, '1', 'Low', 'Bluefjord Bank', '50 open of 100');
    await table.press('Enter');
    await table.waitForStatus('Low, Bluefjord Bank \u2014 100 of 300 rows');
    await table.press('Enter');
    const value = page.getByRole('region', { name: 'Record' }).getByText('Bluefjord Bank');
    assert.equal(await value.getAttribute('title'), bank);
  });

  it('The columns of a Report Table far to the right have the marks, numbers and records of their rows', async () => {
    const content = Array.from({ length: 300 }, (_, row) =>
      JSON.stringify({
        severity: 'high',
        status: row % 2 === 0 ? 'active' : 'resolved',
        ...Object.fromEntries(Array.from({ length: 120 }, (_each, at) => [`note${at}`, `${at}`])),
      }),
    );
    const table = await pages.open({ file: pages.write('wide.ndjson', content.join('\n')) });
    const { page } = table;
    await table.filter('severity').fill('high');
    // Half of them are left: row numbers are not positions.
    await table.filter('status').fill('==resolved');
    await table.filter('status').press('Enter');
    await table.waitForStatus('150 of 300 rows, 0 open');
    await table.row(1).getByRole('gridcell').first().click();
    await table.press('End');
    await table.waitForActive(1, 122);
    await table.row(1).getByRole('rowheader', { name: '2, closed' }).waitFor();
    assert.equal(await page.locator('.row:not(.closed)').count(), 0);

    // Of these rows, no other columns were loaded.
    await table.press('Control+End');
    await table.waitForActive(150, 122);
    await table.row(150).getByRole('rowheader', { name: '300, closed' }).waitFor();
    await table.press('Enter');
    await page.getByRole('region', { name: 'Record' }).getByText('Resolved').waitFor();
  });
});

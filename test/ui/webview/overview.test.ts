import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Locator } from 'playwright-core';
import type { TableDriver } from './tableDriver';
import { Emitter } from '../../../src/base/events/emitter';
import type { Ratings } from '../../../src/vocabulary/grade';
import { useTablePages, type TableOptions } from './tablePages';
import { valuesOf } from './tableValues';

const day = 86_400_000;

/** Issue types, each with the severity of its findings: the names are those of the service. */
const types = [
  ['ransomware_infection', 'critical', 'ip_reputation'],
  ['tlscert_expired', 'high', 'network_security'],
  ['dns_zone_transfer_v2', 'medium', 'dns_health'],
  ['open_port', 'low', 'network_security'],
] as const;

/** Days since a finding was first seen, in turn: two of each age. */
const ages = [1, 5, 10, 20, 40, 80, 100, 400];

/** A finding: the worse its type, the fewer there are. */
function findingOf(row: number, now: number) {
  const at = row % 8 === 0 ? 0 : row % 4 === 0 ? 1 : row % 2 === 0 ? 2 : 3;
  const [issue_type, severity, factor] = types[at];
  return {
    issue_id: `F-${row}`,
    issue_type,
    severity,
    factor,
    status: row % 5 === 0 ? 'new' : 'active',
    host: `host-${row % 50}.example.com`,
    first_seen_time: new Date(now - (ages[(row >> 3) % 8] ?? 0) * day).toISOString(),
    region: row % 3 === 0 ? '<b>north</b>' : 'south',
    password: `hunter${row % 2}`,
  };
}

/** 1,600 findings: 200 critical, 200 high, 400 medium, 800 low; 200 of each age. */
const count = 1600;
const lines = (now: number) =>
  Array.from({ length: count }, (_, row) => `${JSON.stringify(findingOf(row, now))}\n`).join('');

describe('The overview of a Report Table', () => {
  const pages = useTablePages();

  function openReport(options: TableOptions = {}, now = Date.now()): Promise<TableDriver> {
    const file = pages.write('own.ndjson', lines(now));
    const about = { title: 'Full report: All findings', madeAt: now, previousAt: now - 15 * day };
    return pages.open({ file, tab: 'overview', about, ...options });
  }

  it('The overview of a Report Table shows all keys with Alt+F1, and returns to where the focus was', async () => {
    const table = await openReport();
    const tab = table.page.getByRole('tab', { name: 'Overview' });
    await section(table.page, 'Severity').waitFor();
    await tab.focus();
    for (const key of ['Alt+F1', '?']) {
      await table.press(key);
      await table.page.getByRole('heading', { name: 'Keyboard Shortcuts' }).waitFor();
      await table.press('Escape');
      await table.page.locator('#tab-overview:focus').waitFor();
    }
  });

  it('The overview of a Report Table says what is missing or wrong in the file, and shows the rows', async () => {
    const packed = gzipSync(lines(Date.now()));
    const cut = pages.write('cut.ndjson.gz', packed.subarray(0, packed.length / 2));
    const early = await openReport({ file: cut });
    await early.notice('The compressed file is incomplete.').waitFor();

    const file = pages.write('quoted.csv', 'id,severity\n1,low\n2,"high"x\n3,low\n');
    const table = await openReport({ file });
    await section(table.page, 'Severity').waitFor();
    await table.notice('1 row has misplaced quotes.').waitFor();
    await table.page.getByRole('button', { name: 'Show Only These' }).click();
    await table.waitForStatus('1 of 3 rows');
    await table.page.getByRole('button', { name: 'Remove filter Misplaced quotes' }).waitFor();
    await table.page.locator('[role=grid]:focus-within').waitFor();
    await table.page.getByRole('tab', { name: 'Overview' }).click();
    fs.rmSync(file);
    await table.notice('The file was deleted.').waitFor();
  });

  it('The overview of a Report Table says that a file with one row has nothing to count', async () => {
    const { page } = await openReport({ file: pages.write('one.ndjson', '{"name":"shop"}') });
    await page.getByText('No column has values that are worth counting.').waitFor();
  });

  it('The overview of a Report Table writes a severity in one way, whatever its case in the file', async () => {
    const written = lines(Date.now())
      .replaceAll('"critical"', '"CRITICAL"')
      .replaceAll('"low"', '"Low"');
    const { page } = await openReport({ file: pages.write('own.ndjson', written) });
    await section(page, 'Severity').waitFor();
    assert.deepEqual(
      (await valuesOf(section(page, 'Severity'))).map(([word]) => word),
      ['Critical', 'High', 'Medium', 'Low'],
    );
    await page.getByRole('button', { name: 'Critical: 200', exact: true }).click();
    await page.getByRole('button', { name: 'Remove filter Severity: Critical' }).waitFor();
  });

  it('The overview of a Report Table leads with Ctrl+F to Find in the table', async () => {
    const table = await openReport();
    const { page } = table;
    await section(page, 'Severity').waitFor();
    await page.getByRole('tab', { name: 'Overview' }).focus();
    await table.press('Control+f');
    await page.getByRole('textbox', { name: 'Find' }).waitFor();
    assert.equal(
      await page.getByRole('tab', { name: 'Table' }).getAttribute('aria-selected'),
      'true',
    );
    await page.keyboard.insertText('F-1234');
    await page.locator('.outcome').getByText('1 of 1', { exact: true }).waitFor();
    // Also where Find was left open.
    await page.getByRole('tab', { name: 'Overview' }).click();
    await table.press('Control+f');
    await page.keyboard.insertText('F-1235');
    await page.locator('.outcome').getByText('1 of 1', { exact: true }).waitFor();
  });

  it('The overview of a Report Table counts open findings, and the others with one click', async () => {
    const written = lines(Date.now()).replaceAll('"new"', '"resolved"');
    const driver = await openReport({ file: pages.write('own.ndjson', written) });
    const { page } = driver;
    await page.getByText('1,280 findings', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resolved: 320', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Critical: 160', exact: true }).click();
    // The rows are those that were counted.
    await page.getByRole('button', { name: 'Remove filter Severity: Critical (open)' }).waitFor();
    await driver.waitForStatus('160 of 1,600 rows');
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('button', { name: '320 resolved not counted', exact: true }).click();
    await page.getByText('1,600 findings', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Critical: 200', exact: true }).click();
    await page.getByRole('button', { name: 'Remove filter Severity: Critical' }).waitFor();
    await driver.waitForStatus('200 of 1,600 rows, 160 open');
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'Count open findings only' }).click();
    await page.getByText('1,280 findings', { exact: true }).waitFor();

    // The table has all rows, and says the same of them.
    const table = await pages.open({ file: pages.write('own.ndjson', written) });
    await table.waitForStatus('1,280 open of 1,600 rows');
    await table.page
      .getByRole('rowheader', { name: /^[\d,]+, closed$/ })
      .first()
      .waitFor();
    const marked = table.page.locator('.row.closed', { hasText: 'Resolved' });
    assert.equal(await table.page.locator('.row.closed').count(), await marked.count());
    assert.equal(await table.page.locator('.row:not(.closed)', { hasText: 'Resolved' }).count(), 0);
    await table.page.getByRole('button', { name: 'Group By' }).click();
    await table.menuItem('severity').click();
    await table.waitForStatus('4 groups of 1,600 rows, 1,280 open');
    await table.waitForTexts(1, '1', 'Critical', '160 open of 200');

    // Where nothing is open, all are counted.
    const closed = written.replaceAll('"active"', '"decayed"');
    const other = await openReport({ file: pages.write('closed.ndjson', closed) });
    await other.page.getByText('1,600 findings', { exact: true }).waitFor();
  });

  it('The overview of a Report Table shows which company is worst, and its worst findings with one click', async () => {
    const company = (row: number) => ({ company: ['Calm', 'Poor', 'Fair'][row % 3] });
    const written = Array.from({ length: 300 }, (_, row) => {
      const severity = row % 3 === 1 && row % 2 === 0 ? 'critical' : row % 3 === 2 ? 'high' : 'low';
      return `${JSON.stringify({ issue_id: row, severity, ...company(row) })}\n`;
    });
    const driver = await openReport({ file: pages.write('own.ndjson', written.join('')) });
    const { page } = driver;
    const companies = section(page, 'Scorecards');
    await companies.waitFor();
    assert.deepEqual(await companies.locator('tbody .count-name').allTextContents(), [
      'Poor',
      'Fair',
      'Calm',
    ]);
    await page.getByRole('button', { name: 'Poor: Critical: 50', exact: true }).click();
    await page.getByRole('button', { name: 'Remove filter Poor: Critical' }).waitFor();
    await driver.waitForStatus('50 of 300 rows');
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'Fair: 100', exact: true }).click();
    await driver.waitForStatus('100 of 300 rows');

    // One company alone needs no list.
    const only = written.filter((_, row) => row % 3 === 1).join('');
    const other = await openReport({ file: pages.write('one.ndjson', only) });
    await section(other.page, 'Severity').waitFor();
    assert.equal(await section(other.page, 'Scorecards').count(), 0);
  });

  it('The overview of a Report Table puts the worst rated company first, as the side bar does, as soon as its rating is known', async () => {
    const uuid = (number: number) => `0b1c2d3e-0000-4000-8000-00000000000${number}`;
    const of = (number: number, severity: string) =>
      `{"scorecard_identifier":"${uuid(number)}","severity":"${severity}","issue_type":"open_port"}\n`;
    const file = pages.write('rated.ndjson', of(1, 'high') + of(2, 'low') + of(1, 'low'));
    const changed = new Emitter<undefined>();
    let ratings: Ratings = {};
    const { page } = await openReport({
      file,
      scorecards: { [uuid(1)]: 'Bluefjord Bank', [uuid(2)]: 'Quillmark Health' },
      ratings: { read: () => ratings, onDidChange: changed.event },
    });
    const table = section(page, 'Scorecards');
    await table.waitFor();
    const order = () => table.locator('tbody .count-name').allTextContents();
    assert.deepEqual(await order(), ['Bluefjord Bank', 'Quillmark Health']);
    ratings = { [uuid(1)]: { score: 91, grade: 'A' }, [uuid(2)]: { score: 52, grade: 'F' } };
    changed.fire(undefined);
    await table.getByText('F 52').waitFor();
    await page.waitForFunction(
      () =>
        document.querySelector('.overview')?.textContent.match(/Quillmark.*Bluefjord/s) !== null,
    );
    assert.deepEqual(await order(), ['Quillmark Health', 'Bluefjord Bank']);
  });

  it('The overview of a Report Table tells the severities in a bar apart by dashes, also where colors are alike', async () => {
    const severities = ['critical', 'high', 'medium', 'low', 'info'];
    const written = severities.map(
      (severity) =>
        `{"issue_id":"${severity}","severity":"${severity}","issue_type":"open_port"}\n`,
    );
    const file = pages.write('dashes.ndjson', written.join(''));
    for (const theme of ['light', 'highContrast'] as const) {
      const { page } = await openReport({ file, theme });
      await section(page, 'Top Issue Types').waitFor();
      const drawn = await page
        .locator('.issues .bar-value')
        .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).backgroundImage));
      assert.equal(drawn.length, severities.length);
      // Their colors are left out of what is compared.
      const dashes = drawn.map((image) => image.replace(/(rgb|color)a?\([^)]*\)/g, 'color'));
      assert.equal(new Set(dashes).size, severities.length, dashes.join('; '));
    }
  });

  it('The overview of a Report Table says that nothing changed since the previous report, or how much did', async () => {
    const earlier = Date.now() - 15 * day;
    for (const [at, changed, said] of [
      [earlier, 0, /^No changes since [^:]+$/],
      [Date.now(), 0, /^No changes since .* \d\d:\d\d$/],
      [earlier, 3, /^0 new, 0 no longer reported, 3 changed since [^:]+$/],
    ] as const) {
      const about = { title: 'Report', sincePrevious: { new: 0, gone: 0, changed, at } };
      const { page } = await openReport({ about });
      await page.getByText(said).waitFor();
      // What would show nothing is not offered.
      const button = page.getByRole('button', { name: said });
      assert.equal(await button.count(), changed > 0 ? 1 : 0);
    }
  });

  it('The overview of a Report Table shows the worst findings in tables for screen readers, and their rows on a click', async () => {
    const table = await openReport();
    const { page } = table;
    await section(page, 'Severity').waitFor();
    assert.deepEqual(await valuesOf(section(page, 'Severity')), [
      ['Critical', '200'],
      ['High', '200'],
      ['Medium', '400'],
      ['Low', '800'],
    ]);
    assert.deepEqual(
      (await valuesOf(section(page, 'Top Issue Types'))).map((row) => [
        row[0],
        row[1],
        row[2],
        row.at(-1),
      ]),
      [
        ['Ransomware infection', 'Critical', '25', '200'],
        ['TLS certificate: expired', 'High', '25', '200'],
        ['DNS zone transfer', 'Medium', '25', '400'],
        ['Open port', 'Low', '25', '800'],
      ],
    );
    assert.deepEqual(await valuesOf(section(page, 'Age')), [
      ['Under 7 days', '400'],
      ['7 to 30 days', '400'],
      ['30 to 90 days', '400'],
      ['Over 90 days', '400'],
    ]);
    assert.deepEqual(await valuesOf(section(page, 'Factor')), [
      ['Network security', '1,000'],
      ['DNS health', '400'],
      ['IP reputation', '200'],
    ]);
    assert.deepEqual(await valuesOf(section(page, 'Status')), [
      ['Open', '1,280'],
      ['New', '320'],
    ]);
    const assets = await valuesOf(section(page, 'Assets with Most Findings'));
    assert.deepEqual([assets[0]?.[1], assets.at(-1)], ['32', ['42 more', '1,344']]);
    await page.getByText('1,600 findings', { exact: true }).waitFor();
    await page.getByText('50 assets', { exact: true }).waitFor();

    for (const [name, chip, rows] of [
      ['Critical: 200', 'Severity: Critical', '200'],
      ['Open port: 800', 'Issue type: Open port', '800'],
      ['7 to 30 days: 400', /^Remove filter Age: 7 to 30 days on \d/, '400'],
      ['New: 320', 'Status: New', '320'],
    ] as const) {
      await page.getByRole('tab', { name: 'Overview' }).click();
      await page.getByRole('button', { name, exact: true }).click();
      await table.waitForStatus(`${rows} of 1,600 rows`);
      const remove = typeof chip === 'string' ? `Remove filter ${chip}` : chip;
      await page.getByRole('button', { name: remove }).waitFor();
      // One at a time: the table has so many rows as the bar says.
      assert.equal(await page.locator('.chip').count(), 1);
    }
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('button', { name: /^600 first seen since the previous report/ }).click();
    await table.waitForStatus('600 of 1,600 rows');
  });

  it('The overview of a Report Table counts ages up to the date of a report, or up to today for a file', async () => {
    const made = Date.now() - 60 * day;
    const { page } = await openReport({}, made);
    const asMade = await valuesOf(section(page, 'Age'));
    assert.deepEqual(
      asMade.map(([, number]) => number),
      ['400', '400', '400', '400'],
    );
    const file = await openReport({ about: { title: 'own.ndjson' } }, made);
    const today = await valuesOf(section(file.page, 'Age'));
    assert.deepEqual(
      today.map(([, number]) => number),
      ['0', '0', '800', '800'],
    );
  });

  it('The overview of a Report Table adds filters that are removed one by one, and stays unchanged itself', async () => {
    const table = await openReport();
    const { page } = table;
    await page.getByRole('button', { name: 'High: 200', exact: true }).click();
    await table.waitForStatus('200 of 1,600 rows');
    await table.filter('status').fill('=new');
    await table.filter('status').press('Enter');
    await table.waitForStatus('40 of 1,600 rows');
    const chips = page.getByRole('group', { name: 'Filters' }).getByRole('button');
    assert.deepEqual(await chips.allTextContents(), ['Severity: High', 'Status: =new']);

    await page.getByRole('button', { name: 'Group By' }).click();
    await table.menuItem('factor').click();
    await table.waitForStatus('1 group of 40 rows');
    await page.getByRole('button', { name: 'Group By' }).click();
    await table.menuItem('No Groups').click();
    await table.waitForStatus('40 of 1,600 rows');

    // What is shown comes back with the page.
    await page.waitForFunction(() => sessionStorage.getItem('vscode-state')?.includes('=new'));
    await page.reload();
    await table.waitForStatus('40 of 1,600 rows');
    assert.deepEqual(await chips.allTextContents(), ['Severity: High', 'Status: =new']);

    await chips.first().click();
    await table.waitForStatus('320 of 1,600 rows');
    assert.deepEqual(await chips.allTextContents(), ['Status: =new']);
    await table.press('Enter');
    await table.waitForStatus('1,600 rows');
    assert.equal(await chips.count(), 0);
    await page.getByRole('tab', { name: 'Overview' }).click();
    assert.deepEqual((await valuesOf(section(page, 'Severity')))[1], ['High', '200']);
  });

  it('The overview of a Report Table shows rows that the host has chosen without taking the focus', async () => {
    const table = await pages.open({ rows: 100 });
    await table.row(1).waitFor();
    await table.page.evaluate(() => {
      // A user types elsewhere.
      document.hasFocus = () => false;
      document.querySelector<HTMLElement>('.grid')?.blur();
      const filter = { op: 'equals', column: '/severity', text: 'high' };
      window.postMessage({ type: 'show', tab: 'table', chosen: { label: 'High', filter } }, '*');
    });
    await table.waitForStatus('of 100 rows');
    assert.ok(await table.page.evaluate(() => document.activeElement === document.body));
  });

  it('The overview of a Report Table stays left when the window gets the focus again, after the host has shown the table', async () => {
    const { page, grid } = await openReport();
    await page.locator('#tab-overview:focus').waitFor();
    await page.evaluate(() => {
      document.hasFocus = () => false;
      window.postMessage({ type: 'show', tab: 'table' }, '*');
    });
    await grid.waitFor();
    // As the browser does: the element that had the focus has it again.
    await page.evaluate(() => document.activeElement?.dispatchEvent(new FocusEvent('focus')));
    await page.getByRole('tab', { name: 'Table', selected: true }).waitFor();
    assert.ok(await grid.isVisible());
  });

  it('The overview of a Report Table works with the keyboard alone', async () => {
    const table = await openReport();
    const { page } = table;
    await page.getByRole('button', { name: 'Critical: 200', exact: true }).waitFor();
    const overview = page.getByRole('tab', { name: 'Overview', selected: true });
    await overview.and(page.locator(':focus')).waitFor();
    await table.press('ArrowRight');
    await page
      .getByRole('tab', { name: 'Table', selected: true })
      .and(page.locator(':focus'))
      .waitFor();
    await table.grid.waitFor();
    await table.press('Home');
    await overview.and(page.locator(':focus')).waitFor();
    // Copy as Markdown, Save as HTML, View Source, the overview itself, what is new, Show Trend, the first tile.
    await table.press('Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab');
    const critical = page.getByRole('button', { name: 'Critical: 200', exact: true });
    await critical.and(page.locator(':focus')).waitFor();
    await table.press('Tab', 'Space');
    await table.waitForStatus('200 of 1,600 rows');
    await table.grid.and(page.locator(':focus')).waitFor();
    await table.waitForActive(1, 1);
    // Keys of the table are not for the overview, but for Find.
    await page.getByRole('tab', { name: 'Overview' }).focus();
    await table.press('Enter', 'Control+g');
    assert.equal(await page.getByRole('search').count(), 0);
  });

  it('The overview of a Report Table counts while the file is read, and keeps the focus', async () => {
    const table = await openReport({ holdBack: ['readOverviewSoFar', 'info'] });
    const { page, line } = table;
    const [question] = await table.sent('readOverviewSoFar');
    const tell = (rows: number, counts: readonly (readonly [string, number])[], id?: number) =>
      page.evaluate(
        ([to, result]) => {
          window.postMessage({ type: 'response', id: to, ok: true, result }, '*');
        },
        [
          id,
          {
            rows,
            done: false,
            others: [],
            factor: {
              column: '/factor',
              total: counts.length,
              other: 0,
              values: counts.map(([text, size]) => ({
                key: text,
                count: size,
                cell: { kind: 'text', text },
              })),
            },
          },
        ] as const,
      );
    await tell(
      1_200_000,
      [
        ['a', 3],
        ['b', 2],
      ],
      question?.id,
    );
    await page.getByText('Counting… 1,200,000 rows').waitFor();
    const second = page.getByRole('button', { name: /^B: / });
    await second.focus();
    await line.releaseOne('info');
    await line.until(
      () => line.fromPage.filter(({ type }) => type === 'readOverviewSoFar').length > 1,
    );
    await tell(
      2_400_000,
      [
        ['b', 9],
        ['a', 3],
      ],
      (await table.sent('readOverviewSoFar'))[1]?.id,
    );
    await page.getByRole('button', { name: 'B: 9' }).and(page.locator(':focus')).waitFor();
    assert.deepEqual(await valuesOf(section(page, 'Factor')), [
      ['B', '9'],
      ['A', '3'],
    ]);
  });

  it('The overview of a Report Table shows other columns as bars, remembers them, and masks secret values', async () => {
    const table = await openReport();
    const { page } = table;
    const choices = page.getByLabel('Add a chart');
    await choices.waitFor();
    await choices.selectOption('Password');
    assert.deepEqual(await valuesOf(section(page, 'Password')), [
      ['\u2022'.repeat(8), '800'],
      ['\u2022'.repeat(8), '800'],
    ]);
    await choices.selectOption('Region');
    await section(page, 'Region').getByRole('button', { name: '<b>north</b>: 534' }).waitFor();
    await page.waitForFunction(() => sessionStorage.getItem('vscode-state')?.includes('region'));
    await page.reload();
    await section(page, 'Region').waitFor();
    await section(page, 'Password').getByRole('button').nth(1).click();
    await table.waitForStatus('800 of 1,600 rows');
    await page.getByRole('button', { name: /^Remove filter Password: \u2022+$/ }).waitFor();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'Remove Region' }).click();
    await section(page, 'Region').waitFor({ state: 'detached' });
    assert.doesNotMatch(await page.content(), /hunter/);
  });

  it('The overview of a Report Table uses the headings of the columns of a file without findings', async () => {
    const orders = Array.from(
      { length: 40 },
      (_, row) =>
        `${row},${row % 4 === 0 ? 'sent' : 'paid'},2026-0${1 + (row % 2)}-15,x${row % 3}\n`,
    );
    const file = pages.write('orders.csv', `order,status,paid_at,shop\n${orders.join('')}`);
    const table = await pages.open({ file, tab: 'overview' });
    const { page } = table;
    assert.deepEqual(await valuesOf(section(page, 'Paid at by Month')), [
      ['Feb 2026', '20'],
      ['Jan 2026', '20'],
    ]);
    assert.deepEqual(await valuesOf(section(page, 'Status')), [
      ['paid', '30'],
      ['sent', '10'],
    ]);
    await section(page, 'Shop').waitFor();
    await page.getByText('40 rows', { exact: true }).first().waitFor();
    assert.doesNotMatch(
      await page.locator('.overview').innerText(),
      /first seen|findings|\bage\b/i,
    );
    await page.getByRole('button', { name: 'Jan 2026: 20', exact: true }).click();
    await table.waitForStatus('20 of 40 rows');
    await page.getByRole('button', { name: 'Remove filter Paid at: Jan 2026' }).waitFor();
    const headings = await page.locator('.header .cell').allInnerTexts();
    assert.deepEqual(
      headings.map((text) => text.split('\n')[0]).filter((text) => text !== 'Row'),
      ['Order', 'Status', 'Paid at', 'Shop'],
    );
  });

  it('The overview of a Report Table shows the number of rows and the filter in full in a narrow table', async () => {
    // In larger type, as in other languages, the texts do not fit beside the buttons.
    for (const [width, fontSize] of [
      [700, 24],
      [480, 13],
      [320, 13],
    ] as const) {
      const table = await openReport({ context: { viewport: { width, height: 600 } } });
      const { page } = table;
      await table.setFontSize(fontSize);
      await page.getByRole('button', { name: 'New: 320', exact: true }).click();
      await table.waitForStatus('320 of 1,600 rows');
      const cut = await page
        .locator('.status, .chip-label, .info button')
        .evaluateAll((all) =>
          all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
        );
      assert.deepEqual(cut, []);
    }
  });

  it('The overview of a Report Table fits a width of 320 pixels, and twice the font size', async () => {
    for (const [width, fontSize] of [
      [320, 13],
      [640, 26],
    ] as const) {
      const table = await openReport({ context: { viewport: { width, height: 600 } } });
      await table.setFontSize(fontSize);
      await section(table.page, 'Severity').waitFor();
      assert.deepEqual(await table.cutOffInOverview(), []);
    }
  });
});

function section(page: TableDriver['page'], name: string): Locator {
  return page.getByRole('table', { name, exact: true });
}

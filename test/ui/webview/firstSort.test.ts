import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { useTablePages } from './tablePages';
import { linesOf, recordOf } from './tableRows';

const rows = 1000;
const worst = { column: '/severity', descending: true };
const newest = { column: '/first_seen', descending: true };

const records = Array.from({ length: rows }, (_, row) => ({ row, ...recordOf(row) }));
const [first] = records
  .filter(({ severity }) => severity === 'critical')
  .sort((one, other) => Date.parse(other.first_seen) - Date.parse(one.first_seen));
assert.ok(first);

describe('A Report Table of findings that nobody has sorted', () => {
  const pages = useTablePages();
  const findings = () => pages.write('findings.ndjson', linesOf(rows));

  it('A Report Table of findings that nobody has sorted begins with the worst, the newest first, until its sort is cleared', async () => {
    const table = await pages.open({ file: findings() });
    await table.waitForTexts(1, String(first.row + 1));
    await table.page.locator('[role=columnheader][aria-sort=descending]').waitFor();
    assert.deepEqual((await table.sent('query'))[0]?.query, { sort: [worst, newest] });
    await table.page.getByRole('columnheader', { name: 'Severity, sorted' }).click({
      button: 'right',
    });
    await table.menuItem('Clear Sort').click();
    await table.waitForTexts(1, '1');
    await table.page.reload();
    await table.waitForTexts(1, '1');
    await table.page.locator('[aria-sort]').waitFor({ state: 'detached' });
  });

  it('A Report Table of findings that nobody has sorted begins with what is exploited of the worst, and its rows say so', async () => {
    const lines = [
      'severity,cve,kev,epss',
      'critical,CVE-2020-0001,no,0.2',
      'critical,CVE-2020-0002,no,0.9',
      'low,CVE-2020-0003,yes,0.1',
      'critical,CVE-2020-0004,yes,0.01',
    ];
    const table = await pages.open({ file: pages.write('kev.csv', lines.join('\n')) });
    await table.waitForTexts(1, '4');
    await table.row(1).getByRole('rowheader', { name: '4, exploited' }).waitFor();
    await table.row(2).getByRole('rowheader', { name: '2', exact: true }).waitFor();
    await table.row(3).getByRole('rowheader', { name: '1', exact: true }).waitFor();
    await table.row(4).getByRole('rowheader', { name: '3, exploited' }).waitFor();
    assert.equal(await table.page.locator('.number.exploited').count(), 2);
  });

  it('A Report Table of findings that nobody has sorted has columns that fit its first rows when it is sorted', async () => {
    const kind = 'Certificate of a service that nobody renews';
    const lines = Array.from({ length: rows }, (_, row) =>
      JSON.stringify(
        row < 900 ? { severity: 'low', kind: 'Port' } : { severity: 'critical', kind },
      ),
    );
    const file = pages.write('kinds.ndjson', `${lines.join('\n')}\n`);
    for (const tab of ['table', 'overview'] as const) {
      const table = await pages.open({ file, tab });
      if (tab === 'overview') {
        await table.page.getByRole('heading', { name: 'Severity' }).waitFor();
        await table.page.getByRole('tab', { name: 'Table' }).click();
      }
      await table.page.locator('[role=columnheader][aria-sort=descending]').waitFor();
      const cell = table.row(1).getByText(kind);
      await cell.waitFor();
      assert.ok(await cell.evaluate((shown) => shown.scrollWidth <= shown.clientWidth), tab);
    }
  });

  it('A Report Table of findings that nobody has sorted keeps the order of the file for a user who has moved before it is sorted', async () => {
    const moves = ['ArrowDown', 'PageDown', 'Shift+ArrowRight', 'Enter'];
    for (const key of moves) {
      const table = await pages.open({ file: findings(), holdBack: ['query'] });
      await table.waitForTexts(1, '1');
      await table.waitForSent(({ type }) => type === 'query');
      await table.press(key);
      await table.page.locator('[aria-sort]').waitFor({ state: 'detached' });
      await table.line.release('query');
      const [query] = await table.sent('query');
      assert.deepEqual(
        (await table.sent('cancel')).map(({ id }) => id),
        [query?.id],
        key,
      );
    }
  });

  it('A Report Table of findings that nobody has sorted is sorted when it is first shown, also after its overview was restored', async () => {
    const table = await pages.open({ file: findings(), tab: 'overview' });
    await table.page.getByRole('heading', { name: 'Severity' }).waitFor();
    assert.deepEqual(await table.sent('query'), []);
    await table.page.reload();
    await table.page.getByRole('heading', { name: 'Severity' }).waitFor();
    await table.page.getByRole('tab', { name: 'Table' }).click();
    await table.waitForTexts(1, String(first.row + 1));
  });

  it('A Report Table of findings that nobody has sorted is sorted, too, when its file is read again meanwhile', async () => {
    const file = findings();
    const table = await pages.open({ file, holdBack: ['query'] });
    await table.waitForTexts(1, '1');
    await table.waitForSent(({ type }) => type === 'query');
    fs.appendFileSync(file, '\n');
    await table.page.getByRole('button', { name: 'Reload' }).click();
    await table.waitForSent(({ type }) => type === 'query', 2);
    await table.line.release('query');
    await table.waitForTexts(1, String(first.row + 1));
    const query = (await table.sent('query')).at(-1);
    assert.deepEqual(query?.query.sort, [worst, newest]);
  });

  it('A Report Table of findings that nobody has sorted sorts what is chosen or typed before as well, in any column', async () => {
    for (const [column, text] of [
      ['severity', '=critical'],
      ['asset', `=${first.asset}`],
    ] as const) {
      const table = await pages.open({ file: findings(), holdBack: ['query'] });
      await table.waitForSent(({ type }) => type === 'query');
      await table.filter(column).fill(text);
      await table.filter(column).press('Enter');
      await table.waitForSent(({ type }) => type === 'query', 2);
      await table.line.release('query');
      await table.waitForTexts(1, String(first.row + 1));
      await table.waitForStatus(/ of 1,000 rows(, [\d,]+ open)?$/);
      const [, query] = await table.sent('query');
      assert.deepEqual(query?.query.sort, [worst, newest], column);
    }
  });

  it('A Report Table of findings that nobody has sorted leaves a file without findings as it is', async () => {
    const file = pages.write('people.csv', 'name,created\nb,2026-01-01\na,2026-02-01\n');
    const table = await pages.open({ file });
    await table.waitForStatus(/^2 rows$/);
    await table.waitForTexts(1, '1', 'b');
    assert.deepEqual(await table.sent('query'), []);
  });

  it('A Report Table of findings that nobody has sorted sorts severities worst first on the first click, then the other way, then not', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    const clicks = [
      ['descending', 'critical'],
      ['ascending', 'info'],
    ] as const;
    for (const [direction, severity] of clicks) {
      await table.heading('severity').click();
      await table.page.locator(`[role=columnheader][aria-sort=${direction}]`).waitFor();
      const { row } = records.find((record) => record.severity === severity) ?? {};
      await table.waitForTexts(1, (Number(row) + 1).toLocaleString('en'));
    }
    await table.heading('severity').click();
    await table.page.locator('[aria-sort]').waitFor({ state: 'detached' });
  });
});

import * as assert from 'node:assert/strict';
import { useTablePages } from './tablePages';

/** A value of the file, and the date shown for it; none where it is left as it is written. */
const values: readonly (readonly [value: string | number, date?: string])[] = [
  // Berlin is one or two hours ahead of UTC.
  ['2026-03-01T10:00:00Z', '1 Mar 2026, 11:00:00 CET'],
  ['2026-07-01T23:30:00.123456Z', '2 Jul 2026, 01:30:00 CEST'],
  ['2026-03-01T10:00:00+05:30', '1 Mar 2026, 05:30:00 CET'],
  ['2026-03-01 10:00:00-0500', '1 Mar 2026, 16:00:00 CET'],
  // Without a zone nobody knows how to convert it: the hours stay those of the file.
  ['2026-03-01T10:00:00', '1 Mar 2026, 10:00:00'],
  ['2026-03-29 02:30', '29 Mar 2026, 02:30:00'],
  ['2026-03-01', '1 Mar 2026'],
  ['2026-02-31'],
  ['2026-02-31T10:00:00Z'],
  ['2026-03-01T25:00:00Z'],
  ['2026-03-01T10:75:00Z'],
  ['2026-03-01T10:00:75Z'],
  ['2026-03-01T10:00:00+99:00'],
  ['2026-01-01 10:00 (planned)'],
  ['2026-03'],
  ['2026'],
  [1772359200],
  [1772359200000],
  ['20260301'],
  ['1772359200000'],
];

describe('The dates in a record of a Report Table', () => {
  const pages = useTablePages();
  const open = async (record: object) => {
    const file = pages.write('own.ndjson', JSON.stringify(record));
    const table = await pages.open({ file });
    await table.row(1).waitFor();
    await table.press('Enter');
    return table;
  };

  it('The dates in a record of a Report Table are local, beside the text in the file, and other values stay as written', async () => {
    const table = await open(Object.fromEntries(values.map(([value], at) => [`f${at}`, value])));
    const fields = table.page.locator('.fields > dd');
    await fields.nth(values.length - 1).waitFor();
    const shown = await fields.evaluateAll((all) =>
      all.map((field) => ({
        date: field.querySelector('time')?.textContent,
        title: field.querySelector('time')?.title,
        text: (field.querySelector('.written') ?? field).textContent,
      })),
    );
    assert.deepEqual(
      shown.map(({ date, text }) => [date, text]),
      values.map(([value, date]) => [date, String(value)]),
    );
    for (const { date, title, text } of shown) {
      assert.equal(title, date && text);
    }
  });

  it('The dates in a record of a Report Table are also local in nested values, where numbers stay unchanged', async () => {
    const table = await open({ nested: ['2026-03-01T10:00:00Z', 1772359200, '2026-02-30'] });
    await table.page.locator('.fields > dt:text-is("Nested") + dd summary').click();
    const members = table.page.locator('.members > dd');
    await members.nth(2).waitFor();
    assert.deepEqual(await members.locator('time').count(), 1);
    assert.match(await members.nth(0).innerText(), /11:00:00 CET\s*2026-03-01T10:00:00Z$/);
    assert.equal(await members.nth(1).innerText(), '1772359200');
    assert.equal(await members.nth(2).innerText(), '2026-02-30');
  });

  it('The dates of findings are days in the table, with the time in the tooltip, also where all are of one day', async () => {
    const finding = (created_at: string) =>
      JSON.stringify({ state: 'open', severity: 'high', created_at });
    const lines = ['2026-06-15T07:43:03Z', '2026-06-15T09:00:00Z'].map(finding);
    const table = await pages.open({ file: pages.write('own.ndjson', lines.join('\n')) });
    const cell = table.row(1).getByText('15 Jun 2026', { exact: true });
    await cell.waitFor();
    assert.match(
      (await cell.getAttribute('title')) ?? '',
      /^15 Jun 2026, \d\d:\d\d:\d\d CEST\n2026-06-15T/,
    );
  });
});

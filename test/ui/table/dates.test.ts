import * as assert from 'node:assert/strict';
import type { CellKind } from '../../../src/table/types';
import { useTablePages } from './tablePages';

/** A value of the file, and the date shown for it; none where it is left as it is written. */
const values: readonly (readonly [kind: CellKind, text: string, date?: string])[] = [
  // Berlin is one or two hours ahead of UTC.
  ['date', '2026-03-01T10:00:00Z', 'Mar 1, 2026, 11:00:00 AM GMT+1'],
  ['date', '2026-07-01T23:30:00.123456Z', 'Jul 2, 2026, 1:30:00 AM GMT+2'],
  ['date', '2026-03-01T10:00:00+05:30', 'Mar 1, 2026, 5:30:00 AM GMT+1'],
  ['text', '2026-03-01 10:00:00-0500', 'Mar 1, 2026, 4:00:00 PM GMT+1'],
  // Without a zone nobody knows how to convert it: the hours stay those of the file.
  ['date', '2026-03-01T10:00:00', 'Mar 1, 2026, 10:00:00 AM'],
  ['date', '2026-03-29 02:30', 'Mar 29, 2026, 2:30:00 AM'],
  ['date', '2026-03-01', 'Mar 1, 2026'],
  ['text', '2026-02-31'],
  ['text', '2026-02-31T10:00:00Z'],
  ['text', '2026-03-01T25:00:00Z'],
  ['text', '2026-03-01T10:75:00Z'],
  ['text', '2026-03-01T10:00:75Z'],
  ['text', '2026-03-01T10:00:00+99:00'],
  ['text', '2026-01-01 10:00 (planned)'],
  ['text', '2026-03'],
  ['text', '2026'],
  ['number', '1772359200'],
  ['number', '1772359200000'],
  ['text', '20260301'],
  ['text', '1772359200000'],
];

describe('The dates in a record of a Report Table', () => {
  const pages = useTablePages();

  it('are local, beside what the file has; all else stays as it is written', async () => {
    const table = await pages.open({
      rows: 10,
      fields: values.map(([kind, text], at) => ({ name: `f${at}`, cell: { kind, text } })),
    });
    await table.row(1).waitFor();
    await table.press('Enter');
    await table.page
      .locator('.fields > dd')
      .nth(9 + values.length)
      .waitFor();
    const shown = await table.page.locator('.fields > dd').evaluateAll((fields) =>
      fields.slice(10).map((field) => ({
        date: field.querySelector('time')?.textContent,
        title: field.querySelector('time')?.title,
        text: (field.querySelector('.written') ?? field).textContent,
      })),
    );
    assert.deepEqual(
      shown.map(({ date, text }) => [date?.replaceAll('\u202f', ' '), text]),
      values.map(([, text, date]) => [date, text]),
    );
    for (const { date, title, text } of shown) {
      assert.equal(title, date && text);
    }
  });

  it('are left alone in nested values where they are numbers', async () => {
    const text = '{"at":"2026-03-01T10:00:00Z","epoch":1772359200,"not":"2026-02-30"}';
    const table = await pages.open({
      rows: 10,
      fields: [{ name: 'nested', cell: { kind: 'json', text } }],
    });
    await table.row(1).waitFor();
    await table.press('Enter');
    await table.page.locator('.fields > dt:text-is("nested") + dd summary').click();
    const members = table.page.locator('.members > dd');
    await members.nth(2).waitFor();
    assert.deepEqual(await members.locator('time').count(), 1);
    assert.match(await members.nth(0).innerText(), /11:00:00\sAM GMT\+1\s*2026-03-01T10:00:00Z$/);
    assert.equal(await members.nth(1).innerText(), '1772359200');
    assert.equal(await members.nth(2).innerText(), '2026-02-30');
  });
});

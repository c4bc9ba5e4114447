import assert from 'node:assert/strict';
import type { FileOptions } from '../../../../../src/engine/read/tableFile';
import type { FormChoice } from '../../../../../src/engine/data/column';
import { wholeFile } from '../../../../../src/engine/data/query';
import { parseColumnFilter } from '../../../../../src/engine/data/parseColumnFilter';
import type { CoreOptions } from '../../../../../src/engine/tableCore';
import { fc } from '../../../../helpers/property';
import { countRows, openCore, tableFolder, work } from '../../../../helpers/tableFiles';

/** Columns of which each value is kept, and columns of so many values that only their keys are. */
const limits = [undefined, { maxValues: 5, maxTextBytes: 100, triedRows: 10 }];

describe('Columns whose form their values or a user tell', () => {
  const folder = tableFolder();

  async function open(content: string, options: CoreOptions & FileOptions = {}) {
    const core = await openCore(folder.write('a.csv', content), options);
    const { columns } = core.info();
    const column = columns.at(-1) ?? assert.fail();
    return {
      core,
      column,
      types: columns.map(({ name, type, form }) => `${name}:${type}:${form ?? ''}`),
      choices: column.formChoices ?? [],
      texts: async (descending?: boolean) => {
        const sort = descending === undefined ? [] : [{ column: column.id, descending }];
        const { id } = await core.query({ query: { sort } }, work());
        const { rows } = core.rows({ view: id, from: 0, count: 200 }, work());
        return rows.map(({ cells }) => cells.at(-1)?.text);
      },
      count: async (typed: string) => {
        const parsed = parseColumnFilter(typed, column);
        assert.ok('filter' in parsed && parsed.filter, `${typed}: ${JSON.stringify(parsed)}`);
        return countRows(core, parsed.filter);
      },
    };
  }

  /** The lines of a file of one column beside another. */
  const linesOf = (values: readonly string[], delimiter: string) =>
    ['row', ...values.keys()]
      .map((row, at) => `${row}${delimiter}${at === 0 ? 'n' : `"${values[at - 1]}"`}\n`)
      .join('');

  it('Columns whose form their values or a user tell are numbers with a decimal comma between semicolons, tabs and in quotes', async () => {
    for (const delimiter of [';', '\t', ',']) {
      for (const columnLimits of limits) {
        const values = ['1.234,56', '', '7,5', '10,0', '-0,25', '1.000.000', '999', '7,50'];
        const { core, types, texts, count } = await open(
          linesOf(values, delimiter),
          columnLimits && { columnLimits },
        );
        assert.deepEqual(types, ['row:number:', 'n:number:decimalComma']);
        const ordered = ['-0,25', '7,5', '7,50', '10,0', '999', '1234,56', '1000000', ''];
        assert.deepEqual(await texts(false), ordered);
        for (const [typed, found] of [
          ['>5', 6],
          ['>7.5', 4],
          ['>7,5', 4],
          ['=7,5', 2],
          ['=1.234,56', 1],
          ['=1234.56', 1],
          ['<0', 1],
          ['1.000,5..2.000,5', 1],
          ['==1234,56', 1],
          ['=', 1],
        ] as const) {
          assert.equal(await count(typed), found, typed);
        }
        core.close();
      }
    }
  });

  it('Columns whose form their values or a user tell are no such numbers where they may be lists, or have commas between thousands', async () => {
    for (const [values, delimiters] of [
      [['80,443', '22', '22,80'], '\t,'],
      [['1,2', '3,4', '5'], '\t,'],
      [['1,234', '2,345', '10'], '\t,'],
      [['1,000', '2,345', '10'], '\t,'],
      [['7,5', '1,2,3'], '\t,;'],
      [['0,5', 'n/a'], '\t,'],
      [['0,5', '1.234.5'], '\t,;'],
      [['0,5', '01.234,5'], '\t,;'],
    ] as const) {
      for (const delimiter of delimiters) {
        const { core, column } = await open(linesOf(values, delimiter));
        assert.equal(column.form, undefined, `${values.join(' ')} (${delimiter})`);
        core.close();
      }
    }
  });

  it('Columns whose form their values or a user tell have later values that are written otherwise as they are in any column', async () => {
    const first = Array.from({ length: 250 }, (_, row) => `${row % 10},5`);
    const others: readonly (readonly [string, number | string])[] = [
      ['1.2345', 1.2345],
      ['0.123', 0.123],
      ['1234.567', 1234.567],
      ['1.5e2', 150],
      ['-12.345.678,', -12345678],
      [' +1.234 ', 1234],
      ['1.234.56', '1.234.56'],
      ['1.234.5678', '1.234.5678'],
      ['01.234.567', '01.234.567'],
      ['.123.456', '.123.456'],
      ['1.234,5,6', '1.234,5,6'],
      ['1.234,5x', '1.234,5x'],
      [`1${'.234'.repeat(20)}`, `1${'.234'.repeat(20)}`],
      ['', ''],
    ];
    const values = [...first, ...others.map(([written]) => written)];
    for (const columnLimits of limits) {
      const { core, column } = await open(linesOf(values, ';'), columnLimits && { columnLimits });
      assert.deepEqual([column.type, column.form], ['mixed', 'decimalComma']);
      const range = { view: wholeFile, from: 250, count: 14, columns: ['/1'] };
      const copied = await core.copy({ ...range, format: 'json', headings: true }, work());
      const read = (JSON.parse(copied.text) as { n: unknown }[]).map(({ n }) => n ?? '');
      assert.deepEqual(
        read,
        others.map(([, value]) => value),
      );
      const isNumber = others.filter(([, value]) => typeof value === 'number').length;
      const filter = { op: 'compare', column: '/1', is: '<', number: '1e9' } as const;
      assert.equal(await countRows(core, filter), 250 + isNumber);
      core.close();
    }
  });

  it('Columns whose form their values or a user tell may have a decimal comma by choice, where any value has one', async () => {
    const values = ['80,443', '22', 'n/a', '1.234', '1.234,5'];
    const unclear = await open(linesOf(values, ','));
    assert.deepEqual(unclear.choices, ['text', 'decimalComma']);
    assert.equal(unclear.column.type, 'mixed');
    unclear.core.close();
    const { core, column, texts } = await open(linesOf(values, ','), {
      forms: { '/1': 'decimalComma' },
    });
    assert.deepEqual([column.form, column.chosenForm], ['decimalComma', 'decimalComma']);
    assert.deepEqual(await texts(false), ['22', '80,443', '1234', '1234,5', 'n/a']);
    core.close();
    for (const others of [
      ['1', '2.5'],
      ['a', 'b, c'],
    ]) {
      const none = await open(linesOf(others, ','), { forms: { '/1': 'decimalComma' } });
      assert.deepEqual([none.choices, none.column.form], [['text'], undefined]);
      none.core.close();
    }
  });

  it('Columns whose form their values or a user tell are texts by choice, whatever their values are', async () => {
    for (const values of [
      ['1.10', '1.9', '1.2', ''],
      ['10', '9', '8'],
      ['true', 'false', '5'],
      ['2026-01-02', '2025-12-31', '2026-01-02T03:04:05Z'],
      ['7,5', '10,0', '1.234,5'],
      ['13/02/2021', '01/01/2022'],
    ]) {
      for (const columnLimits of limits) {
        const { core, types, texts, count } = await open(linesOf(values, ';'), {
          forms: { '/1': 'text' },
          ...(columnLimits && { columnLimits }),
        });
        assert.deepEqual(types, ['row:number:', 'n:text:text']);
        const filled = values.filter((value) => value !== '').sort();
        assert.deepEqual((await texts(false)).slice(0, filled.length), filled);
        assert.deepEqual((await texts(true)).slice(0, filled.length), filled.toReversed());
        assert.equal(await count(`=${values[0]}`), 1);
        core.close();
      }
    }
    const asText = await open(linesOf(['10', '9'], ';'), { forms: { '/1': 'text' } });
    assert.deepEqual(parseColumnFilter('>5', asText.column), { fault: 'noNumbers' });
    asText.core.close();
  });

  it('Columns whose form their values or a user tell offer no type to columns of JSON, which says it, but for dates with slashes', async () => {
    const file = folder.write('a.ndjson', '{"n":1,"d":"01/02/2021"}\n{"n":2,"d":"03/04/2021"}\n');
    const forms: Record<string, FormChoice> = { '/n': 'text', '/d': 'text' };
    const core = await openCore(file, { forms });
    const columns = core
      .info()
      .columns.map(({ name, type, formChoices }) => [name, type, formChoices]);
    assert.deepEqual(columns, [
      ['n', 'number', undefined],
      ['d', 'text', ['text', 'dayFirst', 'monthFirst']],
    ]);
    core.close();
  });

  it('Columns whose form their values or a user tell lose no digit in copies and exports', async () => {
    const values = ['1.234,50', '12.345.678.901.234.567,25', '-7,5', '1.000', ''];
    const { core } = await open(linesOf(values, ';'));
    const part = { view: wholeFile, from: 0 } as const;
    const json = await core.exportPart({ ...part, format: 'ndjson', columns: ['/1'] }, work());
    const numbers = ['1234.50', '12345678901234567.25', '-7.5', '1000', 'null'];
    assert.equal(json.text, numbers.map((number) => `{"n":${number}}\n`).join(''));
    const csv = await core.exportPart({ ...part, format: 'csv' }, work());
    core.close();
    const again = await open(csv.text);
    assert.deepEqual(again.types, ['row:number:', 'n:number:decimalComma']);
    const shown = ['-7,5', '1000', '1234,50', '12345678901234567,25', ''];
    assert.deepEqual(await again.texts(false), shown);
    again.core.close();
  });

  it('Columns whose form their values or a user tell are found anywhere as they are shown, and as they are written', async () => {
    const { core } = await open(linesOf(['1.234,56', '7,5', '2.000'], ';'));
    for (const [text, count] of [
      ['1234', 1],
      ['1234,5', 1],
      ['1.234', 1],
      ['7,5', 1],
      ['000', 1],
      ['2000', 1],
      ['3000', 0],
    ] as const) {
      assert.equal(await countRows(core, { op: 'anywhere', text }), count, text);
    }
    core.close();
  });

  it('Columns whose form their values or a user tell are compared as an independent reader of such numbers does', async () => {
    const number = fc
      .tuple(
        fc.constantFrom('', '-', '+'),
        fc.bigInt({ min: 0n, max: 10n ** 18n }),
        fc.boolean(),
        fc.option(fc.stringMatching(/^\d{1,4}$/), { nil: undefined }),
      )
      .map(([sign, whole, isGrouped, fraction]) => {
        const digits = isGrouped ? whole.toLocaleString('de') : String(whole);
        return `${sign}${digits}${fraction === undefined ? '' : `,${fraction}`}`;
      });
    /** In units of 0.0001. */
    const valueOf = (text: string) => {
      const [, sign, whole = '', fraction = ''] =
        /^([-+]?)([\d.]*),?(\d*)$/.exec(text) ?? assert.fail(text);
      const value = BigInt(whole.replaceAll('.', '') + fraction.padEnd(4, '0'));
      return sign === '-' ? -value : value;
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(number, { minLength: 1, maxLength: 40 }),
        number,
        fc.constantFrom(';', '\t', ','),
        fc.constantFrom(...limits),
        async (values, limit, delimiter, columnLimits) => {
          const { core, column, texts, count } = await open(
            linesOf([...values, '0,5'], delimiter),
            { ...(columnLimits && { columnLimits }) },
          );
          assert.equal(column.form, 'decimalComma');
          const wanted = [...values, '0,5'].map((text) => ({ text, value: valueOf(text) }));
          wanted.sort((one, other) =>
            one.value < other.value ? -1 : one.value > other.value ? 1 : 0,
          );
          assert.deepEqual(
            await texts(false),
            wanted.map(({ text }) => text.replaceAll('.', '')),
          );
          const bound = limit.includes(',') ? limit : `${limit},0`;
          for (const [sign, fits] of [
            ['>', (value: bigint) => value > valueOf(bound)],
            ['<=', (value: bigint) => value <= valueOf(bound)],
            ['=', (value: bigint) => value === valueOf(bound)],
          ] as const) {
            const expected = wanted.filter(({ value }) => fits(value)).length;
            assert.equal(await count(sign + bound), expected, sign + bound);
          }
          core.close();
        },
      ),
    );
  });
});

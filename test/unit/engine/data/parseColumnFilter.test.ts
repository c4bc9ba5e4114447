import * as assert from 'node:assert/strict';
import { parseColumnFilter } from '../../../../src/engine/data/parseColumnFilter';
import { equalTo, equalToAny, exactValues } from '../../../../src/vocabulary/filterLanguage';
import { parse } from 'valibot';
import { filter as filterSchema } from '../../../../src/protocol/schemas';
import type { ColumnType } from '../../../../src/engine/data/column';
import type { Filter } from '../../../../src/engine/data/query';
import { column } from '../../../helpers/column';
import { countRows, openCore, tableFolder, work } from '../../../helpers/tableFiles';

const of = (typed: string, type: ColumnType = 'text') =>
  parseColumnFilter(typed, column('x', undefined, { type }));
const utc = (...parts: [number, number, number]) => Date.UTC(...parts);
/** Of a year that `Date.UTC` would take for one of the twentieth century. */
const early = (...parts: [number, number, number]) => new Date(0).setUTCFullYear(...parts);

describe('A filter expression', () => {
  const folder = tableFolder();
  const cases: readonly (readonly [typed: string, type: ColumnType, filter: object])[] = [
    ['abc', 'text', { op: 'contains', text: 'abc' }],
    ['  abc ', 'text', { op: 'contains', text: 'abc' }],
    ['"=1*"', 'text', { op: 'contains', text: '=1*' }],
    ['abc*', 'text', { op: 'startsWith', text: 'abc' }],
    ['*abc', 'text', { op: 'endsWith', text: 'abc' }],
    ['=abc', 'text', { op: 'equals', text: 'abc' }],
    ['= " abc"', 'text', { op: 'equals', text: ' abc' }],
    ['==abc', 'text', { op: 'equals', text: 'abc', matchCase: true }],
    ['== "=1 "', 'text', { op: 'equals', text: '=1 ', matchCase: true }],
    ['==5.0', 'number', { op: 'equals', text: '5.0', matchCase: true }],
    ['==2026', 'date', { op: 'equals', text: '2026', matchCase: true }],
    ['==', 'text', { op: 'empty' }],
    ['!==', 'text', { op: 'present' }],
    ['=', 'number', { op: 'empty' }],
    ['!=', 'date', { op: 'present' }],
    ['=5', 'number', { op: 'compare', is: '=', number: '5' }],
    ['=5', 'text', { op: 'equals', text: '5' }],
    ['>= 9007199254740993', 'number', { op: 'compare', is: '>=', number: '9007199254740993' }],
    ['> 2026', 'number', { op: 'compare', is: '>', number: '2026' }],
    ['> 2026', 'date', { op: 'dateRange', from: utc(2027, 0, 1) }],
    ['<2026-03-05', 'date', { op: 'dateRange', to: utc(2026, 2, 5) }],
    ['<=2026-03', 'date', { op: 'dateRange', to: utc(2026, 3, 1) }],
    ['=2026-03-05', 'date', { op: 'dateRange', from: utc(2026, 2, 5), to: utc(2026, 2, 6) }],
    [
      '2026-03..2026-04-15',
      'date',
      { op: 'dateRange', from: utc(2026, 2, 1), to: utc(2026, 3, 16) },
    ],
    // As a table shows them, in English and in German.
    ['>3 Nov 2026', 'date', { op: 'dateRange', from: utc(2026, 10, 4) }],
    ['>Nov 3, 2026', 'date', { op: 'dateRange', from: utc(2026, 10, 4) }],
    ['<=3. März 2026', 'date', { op: 'dateRange', to: utc(2026, 2, 4) }],
    ['=Dez. 2026', 'date', { op: 'dateRange', from: utc(2026, 11, 1), to: utc(2027, 0, 1) }],
    [
      '01.11.2026..9.12.2026',
      'date',
      { op: 'dateRange', from: utc(2026, 10, 1), to: utc(2026, 11, 10) },
    ],
    ['03.11.2026', 'text', { op: 'contains', text: '03.11.2026' }],
    ['..2026', 'date', { op: 'dateRange', to: utc(2027, 0, 1) }],
    ['"1..2"', 'number', { op: 'contains', text: '1..2' }],
    ['"2026..2027"', 'date', { op: 'contains', text: '2026..2027' }],
    ['=0001-01-01', 'date', { op: 'dateRange', from: early(1, 0, 1), to: early(1, 0, 2) }],
    ['=0001', 'date', { op: 'dateRange', from: early(1, 0, 1), to: early(2, 0, 1) }],
    ['=0099-12', 'date', { op: 'dateRange', from: early(99, 11, 1), to: early(100, 0, 1) }],
    ['5..', 'number', { op: 'compare', is: '>=', number: '5' }],
  ];
  for (const [typed, type, filter] of cases) {
    it(`A filter expression parses ${typed} in a ${type} column`, () => {
      assert.deepEqual(of(typed, type), { filter: { column: '/x', ...filter } });
    });
  }

  it('A filter expression includes both ends of a range of numbers', () => {
    assert.deepEqual(of('1..2.5', 'number'), {
      filter: {
        op: 'and',
        of: [
          { op: 'compare', column: '/x', is: '>=', number: '1' },
          { op: 'compare', column: '/x', is: '<=', number: '2.5' },
        ],
      },
    });
  });

  it('A filter expression negates the condition after !=, !== or <>', () => {
    const differs: readonly (readonly [string, ColumnType, object])[] = [
      ['!=abc', 'text', { op: 'equals', text: 'abc' }],
      ['!==abc', 'text', { op: 'equals', text: 'abc', matchCase: true }],
      ['<>5', 'number', { op: 'compare', is: '=', number: '5' }],
      ['!=5', 'number', { op: 'compare', is: '=', number: '5' }],
      ['!=2026', 'date', { op: 'dateRange', from: utc(2026, 0, 1), to: utc(2027, 0, 1) }],
    ];
    for (const [typed, type, filter] of differs) {
      assert.deepEqual(of(typed, type), {
        filter: { op: 'not', of: { column: '/x', ...filter } },
      });
    }
  });

  it('A filter expression with ! matches all rows that do not contain a text, also those without a value', async () => {
    const content = ['"abc"', '"xABx"', '"x"', 'null', '""', '5', '', '[1]', '"!ab"']
      .map((value) => (value === '' ? '{"y":1}' : `{"x":${value}}`))
      .join('\n');
    const core = await openCore(folder.write('a.ndjson', `${content}\nnonsense`));
    for (const [typed, rows] of [
      ['ab', [0, 1, 8]],
      ['ab | 5', [0, 1, 5, 8]],
      ['ab*', [0]],
      ['"!ab"', [8]],
      ['1..9', [5]],
      ['>4', [5]],
    ] as const) {
      const shown = async (text: string) => {
        const { filter } = of(text, 'mixed') as { filter: Filter };
        const view = await core.query({ query: { filter: parse(filterSchema, filter) } }, work());
        const page = { view: view.id, from: 0, count: 200, columns: [] };
        return core.rows(page, work()).rows.map(({ record }) => record);
      };
      assert.deepEqual(await shown(typed), rows, typed);
      const others = Array.from({ length: 10 }, (_, row) => row).filter(
        (row) => !(rows as readonly number[]).includes(row),
      );
      assert.deepEqual(await shown(`!${typed}`), others, `!${typed}`);
    }
    core.close();
  });

  it('A filter expression finds a day or month that is typed as it is shown, however the file writes it', async () => {
    const content = ['2026-11-03', '2026-11-03T10:00:00Z', '2026-10-31', '2025-11-03']
      .map((value) => `{"x":"${value}"}`)
      .join('\n');
    const core = await openCore(folder.write('days.ndjson', content));
    for (const [typed, count] of [
      ['3 Nov 2026', 2],
      ['03.11.2026', 2],
      ['Nov 2026', 2],
      ['Okt. 2026', 1],
    ] as const) {
      const { filter } = of(typed, 'date') as { filter: Filter };
      assert.equal((await core.query({ query: { filter } }, work())).rows, count, typed);
    }
    core.close();
  });

  it('A filter expression with != matches all rows that = does not, including texts, null and missing values', async () => {
    const content = ['5', '6', '"5"', '"a"', 'null', '"2026-11-21"', '5.0', '']
      .map((value) => (value === '' ? '{"y":1}' : `{"x":${value}}`))
      .join('\n');
    const core = await openCore(folder.write('a.ndjson', content));
    const shown = async (typed: string, type: ColumnType) => {
      const { filter } = of(typed, type) as { filter: Filter };
      const view = await core.query({ query: { filter } }, work());
      return core
        .rows({ view: view.id, from: 0, count: 200, columns: ['/x'] }, work())
        .rows.map(({ record }) => record);
    };
    for (const [type, typed, rows] of [
      ['number', '5', [0, 6]],
      ['date', '2026-11', [5]],
      ['text', 'a', [3]],
    ] as const) {
      assert.deepEqual(await shown(`=${typed}`, type), rows);
      assert.deepEqual(
        await shown(`!=${typed}`, type),
        [0, 1, 2, 3, 4, 5, 6, 7].filter((row) => !(rows as readonly number[]).includes(row)),
      );
    }
    core.close();
  });

  for (const [odd, isOdd] of [
    ['""', false],
    ['null', false],
    ['"n/a"', true],
    ['"0000-00-00"', true],
    ['5', true],
    ['true', true],
  ] as const) {
    it(`A filter expression finds times and numbers of a column that has ${odd}, too`, async () => {
      const lines = ['"2026-01-02"', odd, '"2026-02-03T04:05:06Z"', '"2027-01-01"'];
      const numbers = ['5.0', odd === '5' ? '"x"' : odd, '1e1', '20'];
      for (const first of [0, 1]) {
        const content = lines
          .map((time, row) => `{"d":${time},"n":${numbers[row] ?? ''}}`)
          .slice(first);
        const core = await openCore(folder.write('a.ndjson', content.join('\n')));
        const [times, counts] = core.info().columns;
        assert.ok(times && counts);
        assert.deepEqual([times.type === 'date', counts.type === 'number'], [!isOdd, !isOdd]);
        for (const [typed, found] of [
          ['=2026-01', 1 - first],
          ['2026-01..2026-02', 2 - first],
          ['>=2026', 3 - first],
          ['<2026-02', 1 - first],
          ['=2027', 1],
          ['..2026', 2 - first + (odd === '5' ? 1 : 0)],
          ['!=2026-01', content.length - 1 + first],
        ] as const) {
          const { filter } = parseColumnFilter(typed, times) as { filter: Filter };
          assert.equal(await countRows(core, filter), found, typed);
        }
        for (const [typed, found] of [
          ['=5', 1 - first],
          ['=10', 1],
          ['5..10', 2 - first],
          ['>5', 2],
        ] as const) {
          const { filter } = parseColumnFilter(typed, counts) as { filter: Filter };
          assert.equal(await countRows(core, filter), found, typed);
        }
        core.close();
      }
    });
  }

  it('A filter expression finds a text that looks like a time, or a range of times, in a column of texts', async () => {
    const content = ['"2026-01"', '"2026-01..2026-02"', '"2026-01-02"', '"x"'];
    const core = await openCore(
      folder.write('a.ndjson', content.map((text) => `{"x":${text}}`).join('\n')),
    );
    for (const [typed, found] of [
      ['=2026-01', 2],
      ['2026-01..2026-02', 2],
      ['==2026-01', 1],
      ['2026-01', 3],
    ] as const) {
      const { filter } = of(typed) as { filter: Filter };
      assert.equal(await countRows(core, filter), found, typed);
    }
    core.close();
  });

  it('A filter expression with == or !== matches exactly one value, or all others', async () => {
    const values = ['abc', 'Abc', 'ABC', ' abc', '"abc"', '=abc', '==abc', '!=abc', '*', 'abc*'];
    const content = values.map((value) => JSON.stringify({ x: value })).join('\n');
    const core = await openCore(folder.write('a.ndjson', content));
    for (const [row, value] of values.entries()) {
      for (const sign of ['==', '!=='] as const) {
        const { filter } = of(equalTo(value, sign)) as { filter: Filter };
        const view = await core.query({ query: { filter: parse(filterSchema, filter) } }, work());
        const { rows } = core.rows({ view: view.id, from: 0, count: 200, columns: [] }, work());
        assert.deepEqual(
          rows.map(({ record }) => record),
          values.flatMap((_, other) => ((other === row) === (sign === '==') ? [other] : [])),
        );
      }
    }
    core.close();
  });

  it('A filter expression matches any of several texts', () => {
    const contains = (text: string) => ({ op: 'contains', column: '/x', text }) as const;
    const either = { filter: { op: 'or', of: [contains('critical'), contains('high')] } };
    for (const typed of ['critical|high', 'critical | high']) {
      assert.deepEqual(of(typed), either, typed);
    }
    assert.deepEqual(of('a*|b'), {
      filter: { op: 'or', of: [{ op: 'startsWith', column: '/x', text: 'a' }, contains('b')] },
    });
    const severity = (typed: string) => parseColumnFilter(typed, column('x', 'severity'));
    for (const typed of ['critical|high', 'critical, high', 'critical or high', 'critical/high']) {
      assert.deepEqual(severity(typed), either, typed);
    }
    assert.deepEqual(severity('kritisch oder hoch'), {
      filter: { op: 'or', of: [contains('kritisch'), contains('hoch')] },
    });
    // What may be one text stays one.
    for (const typed of ['a, b', 'a or b', '|', 'a|', 'a|=b', 'critical, high']) {
      assert.deepEqual(of(typed), { filter: contains(typed) }, typed);
    }
    for (const typed of ['7,5', 'high, x']) {
      assert.deepEqual(severity(typed), { filter: contains(typed) }, typed);
    }
    assert.deepEqual(of('"a|b"'), { filter: contains('a|b') });
    assert.deepEqual(of('=a|b'), { filter: { op: 'equals', column: '/x', text: 'a|b' } });
  });

  it('A filter expression has a fault when it is invalid', () => {
    assert.deepEqual(of('>abc', 'number'), { fault: 'noNumber' });
    assert.deepEqual(of('>', 'number'), { fault: 'noNumber' });
    assert.deepEqual(of('>2026-02-31', 'date'), { fault: 'noNumber' });
    assert.deepEqual(of('>31.02.2026', 'date'), { fault: 'noNumber' });
    assert.deepEqual(of('>3 Foo 2026', 'date'), { fault: 'noNumber' });
    assert.deepEqual(of('a..b', 'number'), { fault: 'noRange' });
    assert.deepEqual(of('..', 'number'), { fault: 'noRange' });
  });

  it('A filter expression has a fault when no value can be in its range', () => {
    for (const [typed, type] of [
      ['10..1', 'number'],
      ['-1..-2.5', 'number'],
      ['2026-04..2026-03', 'date'],
      ['2026-04-02..2026-04-01', 'mixed'],
      // As numbers and as years.
      ['2026..2025', 'mixed'],
    ] as const) {
      assert.deepEqual(of(typed, type), { fault: 'reversedRange' }, typed);
    }
    for (const [typed, type] of [
      ['1..1', 'number'],
      ['9..10', 'number'],
      ['..1', 'number'],
      ['2026-03..2026-03', 'date'],
    ] as const) {
      assert.ok('filter' in of(typed, type), typed);
    }
  });

  it('A filter expression has a fault when severities are compared with a word', () => {
    const severity = (typed: string) => parseColumnFilter(typed, column('x', 'severity'));
    assert.deepEqual(severity('>high'), { fault: 'onlySeverities' });
    assert.ok('filter' in severity('=high'));
  });

  it('A filter expression has a fault where a column has nothing to compare, once all its values are known', () => {
    assert.deepEqual(of('>5', 'text'), { fault: 'noNumbers' });
    assert.deepEqual(of('<=5', 'boolean'), { fault: 'noNumbers' });
    assert.deepEqual(of('1..10', 'text'), { fault: 'noNumbers' });
    // A range of dates may be there, and what is quoted or no number is a text.
    for (const typed of ['2026-03..2026-04', '"1..10"', '1.0.0..1.0.9', '..']) {
      assert.ok('filter' in of(typed, 'text'), typed);
    }
    // Without values, the type of a column says nothing.
    const withoutValues = { ...column('x', undefined, { type: 'text' }), empty: true as const };
    assert.ok('filter' in parseColumnFilter('>5', withoutValues));
    assert.deepEqual(of('>2026-03', 'number'), { fault: 'onlyNumbers' });
    assert.deepEqual(of('>5.5', 'date'), { fault: 'onlyDates' });
    // Texts may be dates, and a mixed column may have anything.
    for (const [typed, type] of [
      ['>2026', 'text'],
      ['>5', 'mixed'],
      ['!=5', 'text'],
    ] as const) {
      assert.ok('filter' in of(typed, type), typed);
    }
    const unverified = column('x', undefined, { verified: false });
    assert.ok('filter' in parseColumnFilter('>5', unverified));
  });

  it('A filter expression matches any of several values, whatever they are', () => {
    const values = ['critical', 'HIGH', ' a ', '=x', 'a | b', 'a | ==b', '"quoted"', '5'];
    for (const chosen of [values, values.toReversed(), values.slice(0, 2), values.slice(-3)]) {
      const typed = equalToAny(chosen);
      assert.deepEqual(exactValues(typed), chosen);
      assert.deepEqual(of(typed), {
        filter: {
          op: 'or',
          of: chosen.map((text) => ({ op: 'equals', column: '/x', text, matchCase: true })),
        },
      });
    }
    for (const value of values) {
      assert.deepEqual(exactValues(equalTo(value)), [value]);
      assert.deepEqual(of(equalTo(value)), {
        filter: { op: 'equals', column: '/x', text: value, matchCase: true },
      });
    }
    for (const typed of ['=a | =b', '==', '== | ==a', '==a |==b ', 'x ==a', '!==a', '']) {
      assert.ok((exactValues(typed)?.length ?? 0) < 2, typed);
    }
  });

  it('A filter expression is no condition when empty, and plain text with dots in a text column', () => {
    assert.deepEqual(of('  '), {});
    assert.deepEqual(of('a..b'), { filter: { op: 'contains', column: '/x', text: 'a..b' } });
  });
});

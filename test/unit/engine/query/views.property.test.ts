import assert from 'node:assert/strict';
import type { ColumnLimits } from '../../../../src/engine/columns/columnData';
import {
  isMeasured,
  kindBoolean,
  kindDate,
  kindJson,
  kindMissing,
  kindNull,
  kindNumber,
  kindText,
} from '../../../../src/engine/values/kinds';
import type { TableCore } from '../../../../src/engine/tableCore';
import { type Filter, type Query, wholeFile } from '../../../../src/engine/data/query';
import { fc, runs } from '../../../helpers/property';
import { countRows, openCore, tableFolder, work } from '../../../helpers/tableFiles';

/** A value as JSON, with what sorting and filtering go by. */
interface Known {
  readonly json: string;
  readonly kind: number;
  readonly text: string;
  readonly order: bigint | number;
}

const number = (json: string, order: bigint | number): Known => ({
  json,
  kind: kindNumber,
  text: json,
  order,
});
const date = (text: string): Known => ({
  json: JSON.stringify(text),
  kind: kindDate,
  text,
  order: Date.parse(text.includes('T') ? text : `${text}T00:00:00Z`),
});
const text = (value: string, json = JSON.stringify(value)): Known => ({
  json,
  kind: kindText,
  text: value,
  order: 0,
});

/** Small sets, so that values repeat and hard neighbors meet. Orders of numbers are in hundredths. */
const values: readonly Known[] = [
  number('0', 0n),
  number('-1', -100n),
  number('1', 100n),
  number('1.0', 100n),
  number('1e0', 100n),
  number('10', 1000n),
  number('2.5', 250n),
  number('9007199254740992', 900719925474099200n),
  number('9007199254740993', 900719925474099300n),
  number('-9007199254740993', -900719925474099300n),
  number('12345678901234567890', 1234567890123456789000n),
  date('2026-11-21'),
  date('2026-11-21T08:30:00Z'),
  date('2026-11-21T09:30:00+01:00'),
  date('2024-02-29T23:59:59.5Z'),
  text(''),
  text('a'),
  text('A'),
  text('a\0'),
  text('common prefix one'),
  text('common prefix two'),
  text('common prefix'),
  text('common prefix of two that differ late: one'),
  text('common prefix of two that differ late: two'),
  text('common prefix of two that differ late'),
  text('é'),
  text('😀'),
  text('\uffee'),
  text('a"b\\c\n'),
  text('slash/', '"slash\\/"'),
  text('a', '"\\u0061"'),
  text('2026-02-30'),
  text('true'),
  { json: 'true', kind: kindBoolean, text: 'true', order: 0 },
  { json: 'false', kind: kindBoolean, text: 'false', order: 0 },
  { json: '[1, 2]', kind: kindJson, text: '[1, 2]', order: 0 },
  { json: '["a"]', kind: kindJson, text: '["a"]', order: 0 },
  { json: 'null', kind: kindNull, text: '', order: 0 },
];
const missing: Known = { json: '', kind: kindMissing, text: '', order: 0 };

type Record = readonly [Known, Known];

const anyValue = fc.constantFrom(...values, missing);
const records = fc.array(fc.tuple(anyValue, anyValue), { maxLength: 40 });
const columns = ['/a', '/b~1c'] as const;

/** All columns as dictionaries, and none, with much and with little memory: all must give the same. */
const limits: readonly ColumnLimits[] = [
  { maxValues: 1e6, maxTextBytes: 1e6, triedRows: 1e6 },
  { maxValues: 0, maxTextBytes: 1e6, triedRows: 1e6 },
  { maxValues: 0, maxTextBytes: 1e6, triedRows: 1e6, tieBytes: 1 },
];

/** Numbers and dates have no other order than that of their values, however they are written. */
/** An empty text comes last, before null. */
const placeOf = ({ kind, text }: Known) =>
  kind === kindText && text === '' ? kindNull - 0.5 : kind;
const compare = (one: Known, other: Known) =>
  placeOf(one) - placeOf(other) ||
  (one.order < other.order ? -1 : one.order > other.order ? 1 : 0) ||
  (isMeasured(one.kind) ? 0 : Buffer.compare(Buffer.from(one.text), Buffer.from(other.text)));

describe('Queries of a table', () => {
  const folder = tableFolder();
  // Each run writes a file and reads it four times.
  const fewer = { numRuns: Math.ceil(runs / 4) };

  it('Queries of a table sort stably by several columns, with null and missing values last', async () => {
    const keys = fc.array(fc.record({ column: fc.constantFrom(0, 1), descending: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(records, keys, async (rows, sort) => {
        const expected = rows
          .map((_, row) => row)
          .sort((one, other) => {
            for (const { column, descending } of sort) {
              const [first, second] = [
                rows[one]?.[column] ?? missing,
                rows[other]?.[column] ?? missing,
              ];
              const isLast = Math.max(placeOf(first), placeOf(second)) > kindJson;
              const order = compare(first, second);
              if (order !== 0) {
                return descending && !isLast ? -order : order;
              }
            }
            return one - other;
          });
        const query = {
          sort: sort.map(({ column, descending }) => ({ column: columns[column], descending })),
        };
        await withTables(rows, async (core) => {
          assert.deepEqual(await rowsOf(core, query), expected);
        });
      }),
      fewer,
    );
  });

  it('Queries of a table filter the same rows as a loop over all values', async () => {
    await fc.assert(
      fc.asyncProperty(records, filterOf(), async (rows, { filter, test }) => {
        const expected = rows.flatMap((record, row) => (test(record) ? [row] : []));
        await withTables(rows, async (core) => {
          assert.deepEqual(await rowsOf(core, { filter }), expected);
        });
      }),
      fewer,
    );
  });

  it('Queries of a table group by one or two columns, and the filter of a group finds its rows', async () => {
    await fc.assert(
      fc.asyncProperty(records, fc.constantFrom([0], [1, 0]), async (rows, by) => {
        const sizes = new Map<string, number>();
        for (const record of rows) {
          const key = by.map((column) => `${record[column].kind}${record[column].text}`).join('|');
          sizes.set(key, (sizes.get(key) ?? 0) + 1);
        }
        const groupBy = by.map((column) => columns[column]);
        await withTables(rows, async (core) => {
          const view = await core.query({ query: { groupBy } }, work());
          assert.equal(view.groups, sizes.size);
          const { groups } = core.groups({ view: view.id, from: 0, count: 200 }, work());
          assert.deepEqual(
            groups.map(({ count }) => count),
            [...sizes.values()].sort((one, other) => other - one),
          );
          for (const { filter, count } of groups) {
            assert.equal(await countRows(core, filter), count);
          }
        });
      }),
      fewer,
    );
  });

  it('Queries of a table list the distinct values of a column, and find a text row by row', async () => {
    await fc.assert(
      fc.asyncProperty(
        records,
        fc.constantFrom('a', 'É', '1', '/', '\\c', 'zz'),
        async (rows, wanted) => {
          const has = ({ kind, text: value }: Known) =>
            kind < kindNull && value.toLowerCase().includes(wanted.toLowerCase());
          const hits = rows.flatMap((record, row) => (record.some(has) ? [row] : []));
          const distinct = new Set(
            rows
              .map(([a]) => a)
              .filter(has)
              .map((a) => `${a.kind}${a.text}`),
          );
          await withTables(rows, async (core) => {
            const found: number[] = [];
            let at = await core.find(
              { view: wholeFile, text: wanted, from: -1, backwards: false },
              work(),
            );
            while (at && !at.wrapped) {
              found.push(at.position);
              at = await core.find(
                { view: wholeFile, text: wanted, from: at.position, backwards: false },
                work(),
              );
            }
            assert.deepEqual(found, hits);
            const filter = { op: 'contains', column: '/a', text: wanted } as const;
            const { values: listed, total } = await core.distinct({ column: '/a', filter }, work());
            assert.equal(total, distinct.size);
            assert.equal(
              listed.reduce((sum, { count }) => sum + count, 0),
              rows.filter(([a]) => has(a)).length,
            );
          });
        },
      ),
      fewer,
    );
  });

  /** The same records as NDJSON, read with dictionaries and without, and in small pieces. */
  async function withTables(
    rows: readonly Record[],
    check: (core: TableCore) => Promise<void>,
  ): Promise<void> {
    // The first record has both columns, so that every query may name them; it is filtered by none.
    const lines = rows.map((record) => {
      const members = record.flatMap(({ json }, column) =>
        json === '' ? [] : [`${JSON.stringify(['a', 'b/c'][column])}: ${json}`],
      );
      return `{${members.join(', ')}}`;
    });
    const file = folder.write('records.ndjson', lines.join('\n'));
    for (const columnLimits of limits) {
      const core = await openCore(file, { columnLimits, chunkBytes: 50 });
      try {
        const known = core.info().columns.map(({ id }) => id);
        if (columns.every((id) => known.includes(id))) {
          await check(core);
        }
      } finally {
        core.close();
      }
    }
  }

  async function rowsOf(core: TableCore, query: Query): Promise<number[]> {
    const view = await core.query({ query }, work());
    return core
      .rows({ view: view.id, from: 0, count: 200 }, work())
      .rows.map(({ record }) => record);
  }
});

interface Tested {
  readonly filter: Filter;
  readonly test: (record: Record) => boolean;
}

function filterOf(): fc.Arbitrary<Tested> {
  const onColumn = fc
    .tuple(fc.constantFrom(0, 1), fc.nat(8), fc.constantFrom(...values), fc.boolean())
    .map(([at, which, value, matchCase]): Tested => {
      const column = columns[at];
      const part = value.text.slice(0, 2);
      const folded = (one: string) => (matchCase ? one : one.toLowerCase());
      const on = (test: (known: Known) => boolean) => (record: Record) => test(record[at]);
      const isValue = ({ kind }: Known) => kind < kindNull;
      switch (which) {
        case 0:
          return {
            filter: { op: 'contains', column, text: part, matchCase },
            test: on((one) => isValue(one) && folded(one.text).includes(folded(part))),
          };
        case 1:
          return {
            filter: { op: 'equals', column, text: value.text, matchCase },
            test: on((one) => isValue(one) && folded(one.text) === folded(value.text)),
          };
        case 2:
          return {
            filter: { op: 'startsWith', column, text: part },
            test: on(
              (one) => isValue(one) && one.text.toLowerCase().startsWith(part.toLowerCase()),
            ),
          };
        case 3:
          return {
            filter: { op: 'compare', column, is: '<=', number: '9007199254740992' },
            test: on((one) => one.kind === kindNumber && one.order <= 900719925474099200n),
          };
        case 4:
          return {
            filter: { op: 'compare', column, is: '!=', number: '1.00' },
            test: on((one) => one.kind === kindNumber && one.order !== 100n),
          };
        case 5: {
          const from = Date.parse('2026-11-21T08:30:00Z');
          return {
            filter: { op: 'dateRange', column, from },
            test: on((one) => one.kind === kindDate && one.order >= from),
          };
        }
        case 6:
          return { filter: { op: 'present', column }, test: on((one) => one.text !== '') };
        case 7:
          return {
            filter: { op: 'in', column, keys: ['missing:'] },
            test: on((one) => one.kind === kindMissing),
          };
        default:
          return {
            filter: { op: 'in', column, keys: ['null:'] },
            test: on((one) => one.kind === kindNull),
          };
      }
    });
  return fc.letrec<{ filter: Tested }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 2 },
      onColumn,
      fc
        .tuple(
          fc.constantFrom('and' as const, 'or' as const),
          fc.array(tie('filter'), { maxLength: 3 }),
        )
        .map(([op, parts]): Tested => ({
          filter: { op, of: parts.map(({ filter }) => filter) },
          test: (record) =>
            op === 'and'
              ? parts.every(({ test }) => test(record))
              : parts.some(({ test }) => test(record)),
        })),
      tie('filter').map((part): Tested => ({
        filter: { op: 'not', of: part.filter },
        test: (record) => !part.test(record),
      })),
    ),
  })).filter;
}

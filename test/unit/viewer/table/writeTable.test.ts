import type { FileError } from '../../../../src/files/fileError';
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { CancelledError } from '../../../../src/base/cancelledError';
import { type Disk, localDisk } from '../../../../src/files/disk';
import { neutralizeCell } from '../../../../src/base/text/csv';
import { isPlainObject, type JsonObject, type JsonValue } from '../../../../src/base/json/json';
import { parseColumnFilter } from '../../../../src/engine/data/parseColumnFilter';
import type { ExportFormat } from '../../../../src/base/exportFormats';
import type { Filter } from '../../../../src/engine/data/query';
import { type TableExport, writeTable } from '../../../../src/viewer/table/writeTable';
import { fc, runs } from '../../../helpers/property';
import { handleOf } from '../../../helpers/tableHandle';
import { openCore, tableFolder } from '../../../helpers/tableFiles';

interface Condition {
  readonly column: string;
  readonly text: string;
  readonly test: (value: JsonValue | undefined) => boolean;
}

const text = (value: JsonValue | undefined) =>
  value === undefined || value === null
    ? undefined
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

const conditions: readonly Condition[] = [
  {
    column: 'name',
    text: 'AB',
    test: (value) => text(value)?.toLowerCase().includes('ab') === true,
  },
  {
    column: 'name',
    text: '!==ab',
    test: (value) => text(value) !== 'ab',
  },
  { column: 'name', text: '=', test: (value) => (text(value) ?? '') === '' },
  {
    column: 'name',
    text: 'a*',
    test: (value) => text(value)?.toLowerCase().startsWith('a') === true,
  },
  {
    column: 'count',
    text: '>=5',
    test: (value) => typeof value === 'number' && value >= 5,
  },
  {
    column: 'count',
    text: '-1..10',
    test: (value) => typeof value === 'number' && value >= -1 && value <= 10,
  },
  {
    column: 'seen',
    text: '=2026-11',
    test: (value) => typeof value === 'string' && value.startsWith('2026-11'),
  },
];

const severities = ['critical', 'high', 'low'];

const anyRecord: fc.Arbitrary<JsonObject> = fc.record(
  {
    name: fc.constantFrom('ab', 'AB c', 'a|b', '=1+1', '', 'x;=y', 'line\nbreak', '"q"', null, 'é'),
    count: fc.constantFrom(-5, 0, 1, 5, 7.25, 12, 1e21, null),
    severity: fc.constantFrom(...severities),
    seen: fc.constantFrom('2026-11-21T08:30:00Z', '2026-10-01', '2026-11-02'),
    tags: fc.array(fc.constantFrom('a', ';=b', 1, null), { maxLength: 2 }),
    more: fc.record(
      { 'x/y': fc.boolean(), deep: fc.constantFrom('v', 3) },
      { requiredKeys: ['deep'], noNullPrototype: true },
    ),
  },
  { requiredKeys: ['count', 'severity', 'seen'], noNullPrototype: true },
);

/** The columns by name, and where they are. */
const columns: Readonly<Record<string, readonly string[]>> = {
  name: ['name'],
  count: ['count'],
  severity: ['severity'],
  seen: ['seen'],
  tags: ['tags'],
  'more.x/y': ['more', 'x/y'],
  'more.deep': ['more', 'deep'],
};

const valueOf = (record: JsonObject, name: string): JsonValue | undefined => {
  let value: JsonValue | undefined = record;
  for (const member of columns[name] ?? []) {
    value = isPlainObject(value) ? value[member] : undefined;
  }
  return value;
};

const views = fc.record({
  records: fc.array(anyRecord, { maxLength: 25 }),
  of: fc.constantFrom('ndjson', 'json', 'pretty'),
  filter: fc.subarray([...conditions], { maxLength: 2 }),
  sort: fc.subarray(['count', 'severity'], { maxLength: 2 }),
  descending: fc.boolean(),
  chosen: fc.option(fc.shuffledSubarray(Object.keys(columns), { minLength: 1 }), {
    nil: undefined,
  }),
  format: fc.constantFrom<ExportFormat>('csv', 'json', 'ndjson'),
});

const contents = {
  ndjson: (records: readonly JsonObject[]) =>
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  json: (records: readonly JsonObject[]) => JSON.stringify(records),
  pretty: (records: readonly JsonObject[]) => JSON.stringify({ findings: records }, null, 2),
};

describe('An exported view', () => {
  const folder = tableFolder();
  let made = 0;
  const target = (format: string) => {
    made += 1;
    return { path: path.join(folder.path, `export-${made}.${format}`), replace: false };
  };

  it('An exported view reads back equal to a loop over all records', async () => {
    await fc.assert(
      fc.asyncProperty(views, async ({ records, of, filter, sort, descending, ...view }) => {
        const core = await openCore(folder.write(`a.${of}`, contents[of](records)));
        try {
          const columns = core.info().columns;
          const chosen = view.chosen?.filter((name) => columns.some((one) => one.name === name));
          const rows = oracle(records, filter, sort, descending);
          // The table has no column that no record has.
          if (filter.some(({ column }) => !columns.some(({ name }) => name === column))) {
            return;
          }
          const idOf = (name: string) => columns.find((one) => one.name === name)?.id ?? '';
          const present = sort.filter((name) => idOf(name) !== '');
          const what: TableExport = {
            format: view.format,
            ...(chosen && chosen.length > 0 && { columns: chosen.map(idOf) }),
            query: {
              filter: { op: 'and', of: filter.flatMap((one) => filterOf(one, columns)) },
              sort: present.map((name) => ({ column: idOf(name), descending })),
            },
          };
          const place = target(view.format);
          const { count } = await writeTable(handleOf(core), what, place, { reveal: false });
          assert.equal(count, rows.length);
          const written = readFileSync(place.path, 'utf8');
          const names = what.columns ? chosen : undefined;
          if (view.format === 'csv') {
            const all = names ?? columns.map(({ name }) => name);
            const expected = [all, ...rows.map((row) => all.map((name) => cellOf(row, name)))];
            if (all.length > 0) {
              const lines: string[][] = parse(written, { record_delimiter: '\r\n' });
              // Lists are written as in the file, and its blanks are no part of a value.
              const read = lines.map((cells, line) =>
                cells.map((cell, at) =>
                  all[at] === 'tags' && line > 0 && cell !== ''
                    ? neutralizeCell({ kind: 'json', text: JSON.stringify(JSON.parse(cell)) })
                    : cell,
                ),
              );
              assert.deepEqual(read, expected);
            }
          } else {
            const read = (
              view.format === 'json'
                ? JSON.parse(written)
                : written
                    .split('\n')
                    .slice(0, -1)
                    .map((line) => JSON.parse(line) as unknown)
            ) as JsonObject[];
            assert.deepEqual(
              read,
              rows.map((row) => (names ? only(row, names) : row)),
            );
          }
        } finally {
          core.close();
        }
      }),
      { numRuns: Math.ceil(runs / 2) },
    );
  });

  const filterOf = (
    { column, text: typed }: Condition,
    columns: ReturnType<Awaited<ReturnType<typeof openCore>>['info']>['columns'],
  ): Filter[] => {
    const one = columns.find(({ name }) => name === column);
    const parsed = one ? parseColumnFilter(typed, one) : {};
    return 'filter' in parsed ? [parsed.filter] : [];
  };

  describe('that is written to a file', () => {
    const many = Array.from({ length: 3000 }, (_, row) => ({ row, text: 'x'.repeat(1000) }));
    const all = { query: {}, format: 'ndjson' } as const;
    const entries = () => readdirSync(folder.path).filter((name) => !/^\d+-/.test(name));

    it('An exported view that is written to a file comes in several parts, and reports its progress', async () => {
      const core = await openCore(folder.write('a.ndjson', contents.ndjson(many)));
      const place = target('ndjson');
      const told: (readonly number[])[] = [];
      await writeTable(handleOf(core), all, place, {
        reveal: false,
        onProgress: (...progress) => told.push(progress),
      });
      core.close();
      assert.equal(readFileSync(place.path, 'utf8'), contents.ndjson(many));
      assert.ok(told.length > 2);
      assert.deepEqual(told.at(-1), [many.length, many.length]);
    });

    it('An exported view that is written to a file leaves nothing when it is cancelled, and an existing file unchanged', async () => {
      const core = await openCore(folder.write('a.ndjson', contents.ndjson(many)));
      const place = { ...target('ndjson'), replace: true };
      writeFileSync(place.path, 'before');
      const before = entries();
      const abort = new AbortController();
      const cancelled = writeTable(handleOf(core), all, place, {
        reveal: false,
        signal: abort.signal,
        onProgress: () => {
          abort.abort(new CancelledError());
        },
      });
      await assert.rejects(cancelled, CancelledError);
      assert.equal(readFileSync(place.path, 'utf8'), 'before');
      const refused = writeTable(
        handleOf(core),
        all,
        { ...place, replace: false },
        { reveal: false },
      );
      await assert.rejects(refused, (error: FileError) => error.reason === 'exists');
      assert.deepEqual(entries(), before);
      await writeTable(handleOf(core), all, place, { reveal: false });
      assert.equal(readFileSync(place.path, 'utf8'), contents.ndjson(many));
      core.close();
    });

    it('An exported view that is written to a file leaves nothing on a full disk', async () => {
      const core = await openCore(folder.write('a.ndjson', contents.ndjson(many)));
      const before = entries();
      let written = 0;
      const disk: Disk = {
        ...localDisk,
        open: async (...args) => {
          const file = await localDisk.open(...args);
          const writev = file.writev.bind(file);
          file.writev = (async (...pieces: Parameters<typeof writev>) => {
            written += 1;
            if (written > 1) {
              throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
            }
            return writev(...pieces);
          }) as typeof file.writev;
          return file;
        },
      };
      const place = target('ndjson');
      const failed = writeTable(handleOf(core), all, place, { reveal: false, disk });
      await assert.rejects(failed, (error: FileError) => error.reason === 'noSpace');
      assert.ok(!existsSync(place.path));
      assert.deepEqual(entries(), before);
      core.close();
    });
  });
});

function oracle(
  records: readonly JsonObject[],
  filter: readonly Condition[],
  sort: readonly string[],
  descending: boolean,
): JsonObject[] {
  const matching = records.filter((record) =>
    filter.every(({ column, test }) => test(valueOf(record, column))),
  );
  const isOrdered = new Set(records.map(({ severity }) => severity)).size > 1;
  const rank = (record: JsonObject, name: string) => {
    const value = record[name] ?? null;
    return name === 'severity'
      ? isOrdered
        ? -severities.indexOf(value as string)
        : 0
      : (value as number | null);
  };
  return matching.sort((one, other) => {
    for (const name of sort) {
      const [first, second] = [rank(one, name), rank(other, name)];
      if (first === null || second === null) {
        if (first !== second) {
          return first === null ? 1 : -1;
        }
      } else if (first !== second) {
        return (first - second) * (descending ? -1 : 1);
      }
    }
    return 0;
  });
}

function cellOf(record: JsonObject, name: string): string {
  const value = valueOf(record, name);
  const cell = text(value) ?? '';
  return typeof value === 'number'
    ? JSON.stringify(value)
    : typeof value === 'object'
      ? neutralizeCell({ kind: 'json', text: cell })
      : neutralizeCell({ kind: 'text', text: cell });
}

/** The record with these members only. */
function only(record: JsonObject, names: readonly string[]): JsonObject {
  const result: JsonObject = {};
  for (const name of names) {
    const value = valueOf(record, name);
    if (value !== undefined) {
      const [first = '', inner] = columns[name] ?? [];
      if (inner === undefined) {
        result[first] = value;
      } else {
        result[first] = { ...(result[first] as JsonObject | undefined), [inner]: value };
      }
    }
  }
  return result;
}

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Change, Comparison } from '../../../../src/engine/compare/comparison';
import { compareFiles } from '../../../../src/engine/compare/compareFiles';
import { RangeThreads } from '../../../../src/engine/read/ranges/rangeThreads';
import { fc, runs } from '../../../helpers/property';
import { tableFolder } from '../../../helpers/tableFiles';
import { bundle } from '../../../host/paths';

type Value = string | number | boolean | null | Readonly<Record<string, string | number>>;
type Row = Readonly<Record<string, Value>>;

const formats = ['csv', 'ndjson', 'json', 'ndjson.gz'] as const;

/** The name of a field in a line of differences. */
const inLine = (name: string) => name.replace(/^change_*$/, '$&_');

/** A file: its rows, the columns that it has, and how it writes what can be written in two ways. */
interface Side {
  readonly rows: readonly (Row | undefined)[];
  readonly format: (typeof formats)[number];
  readonly columns: readonly string[];
  readonly isOdd: boolean;
}

const columns = [
  'issue_id',
  'severity',
  'status',
  'size',
  'note',
  'place',
  'open',
  'change',
  'change_',
] as const;

const values: Readonly<Record<(typeof columns)[number], readonly Value[]>> = {
  issue_id: ['a', 'b', 'c"', 'd', 'é,', '7e3', '7000', '', null],
  severity: ['low', 'high', '', null],
  status: ['open', 'resolved', 'fixed', null],
  size: [5, 0, -1.5, 1e21, '5', 'five', null],
  note: ['', 'one', 'two\nlines', '2026-11-22', '2026-11-22T00:00:00Z', ' [1', null],
  place: [{ host: 'x', port: 80 }, { host: 'y', port: 80 }, '{"host":"x","port":80}', null],
  open: [true, false, 'true', null],
  change: ['x', 'y'],
  change_: ['x', 'y'],
};

const row = fc.record(
  Object.fromEntries(columns.map((name) => [name, fc.constantFrom(...values[name])])),
  { requiredKeys: [] },
) as fc.Arbitrary<Row>;

const side = fc.record({
  rows: fc.array(fc.option(row, { nil: undefined, freq: 15 }), { maxLength: 14 }),
  format: fc.constantFrom(...formats),
  columns: fc
    .shuffledSubarray(columns.slice(1), { minLength: 2 })
    .map((some) => ['issue_id', ...some]),
  isOdd: fc.boolean(),
});

/** The newer file has many rows of the older one, in another order. */
const pairOfSides = fc
  .tuple(side, side, fc.array(fc.nat(20), { maxLength: 14 }))
  .map(([before, after, kept]): [Side, Side] => [
    asRead(before),
    asRead({ ...after, rows: [...kept.map((at) => before.rows[at % 14]), ...after.rows] }),
  ]);

/** A field with a quote that belongs to its text, which is not valid CSV. */
const malformed = '"x"y';

/**
 * The rows as CSV has them: rows without a value are no records, and rows that are not valid have
 * values.
 */
function asRead(of: Side): Side {
  const hasValue = (record: Row) => fieldsOf(of, record).some(([, value]) => plain(value) !== '');
  return of.format === 'csv'
    ? { ...of, rows: of.rows.map((record) => record ?? { issue_id: malformed }).filter(hasValue) }
    : of;
}

/** The fields of a row that a file has. */
function fieldsOf({ columns: known, format }: Side, record: Row): [string, Value][] {
  return known.flatMap((name): [string, Value][] => {
    const value = record[name];
    return value === undefined ? (format === 'csv' ? [[name, null]] : []) : [[name, value]];
  });
}

/** A record as its file writes it. */
function written(of: Side, record: Row | undefined): string {
  if (!record) {
    return of.format === 'json' ? '{"a":}' : '{';
  }
  const fields = fieldsOf(of, record);
  if (of.format === 'csv') {
    return fields
      .map(([, value]) => {
        const text = plain(value);
        if (text === malformed) {
          return text;
        }
        const isQuoted = of.isOdd ? text !== '' : /[",\n]/.test(text);
        return isQuoted ? `"${text.replaceAll('"', '""')}"` : text;
      })
      .join();
  }
  const json = (value: Value) =>
    of.isOdd && typeof value === 'number' && Number.isInteger(value) && value < 1e9
      ? `${String(value)}.0`
      : JSON.stringify(value);
  const members = fields.map(([name, value]) => `${JSON.stringify(name)}:${json(value)}`);
  return `{${(of.isOdd ? members.reverse() : members).join(of.isOdd ? ', ' : ',')}}`;
}

function plain(value: Value): string {
  return value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function content(of: Side): string {
  const records = of.rows.map((record) => written(of, record));
  switch (of.format) {
    case 'csv':
      return [of.columns.join(), ...records].map((line) => `${line}\n`).join('');
    case 'json':
      return `{"findings":[${records.join(',\n')}]}`;
    default:
      return records.map((line) => `${line}\n`).join('');
  }
}

/** What a value means, where both files are of these kinds. */
function meaning(value: Value, one: Side, other: Side): string {
  const areCsv = [one, other].filter(({ format }) => format === 'csv').length;
  if (value === null || (areCsv > 0 && value === '')) {
    return '';
  }
  if (areCsv === 2) {
    return `text ${plain(value)}`;
  }
  if (areCsv === 0) {
    return JSON.stringify(value);
  }
  const text = plain(value);
  if (/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) {
    return `number ${Number(text)}`;
  }
  return /^\d{4}-/.test(text) ? `date ${Date.parse(text)}` : `text ${text}`;
}

/** What a value was before another one: of objects, as files of CSV may have them, the members that differ. */
function oldOf([before, was]: readonly [Side, Value], [after, is]: readonly [Side, Value]): Value {
  const [older, newer] = [objectIn(before, was), objectIn(after, is)];
  return older && newer
    ? Object.fromEntries(Object.entries(older).filter(([name, value]) => newer[name] !== value))
    : was;
}

function objectIn(of: Side, value: Value): Readonly<Record<string, string | number>> | undefined {
  const isText = of.format === 'csv' && typeof value === 'string' && value.startsWith('{');
  return isText
    ? (JSON.parse(value) as Record<string, string | number>)
    : typeof value === 'object' && value !== null
      ? value
      : undefined;
}

interface Expected {
  readonly counts: Pick<Comparison, 'new' | 'gone' | 'changed' | 'unchanged' | 'duplicates'>;
  /** What happened, the key, the names of the fields that differ and their old values. */
  readonly lines: readonly string[];
}

/** The comparison in plain code. */
function expected(before: Side, after: Side): Expected {
  const meanings = (of: Side, record: Row) =>
    new Map(
      fieldsOf(of, record)
        .map(([name, value]) => [name, meaning(value, before, after)] as const)
        .filter(([, text]) => text !== ''),
    );
  const same = (of: Side) => (record: Row) =>
    JSON.stringify([...meanings(of, record)].sort(([one], [other]) => (one < other ? -1 : 1)));
  const isRaw =
    before.format === 'csv'
      ? after.format === 'csv' && before.columns.join() === after.columns.join()
      : after.format !== 'csv';
  const keyOf = (record: Row) => plain(record.issue_id ?? null);
  const isRow = (record: Row | undefined): record is Row => record !== undefined;
  const lines: string[] = [];
  const counts = { new: 0, gone: 0, changed: 0, unchanged: 0, duplicates: 0 };
  const add = (change: Change, key: string, changed: readonly unknown[] = []) => {
    counts[change] += 1;
    lines.push(JSON.stringify([change, key, ...changed]));
  };
  const [all, others] = [before.rows.filter(isRow), after.rows.filter(isRow)];
  for (const key of new Set([...all, ...others].map(keyOf))) {
    let older = all.filter((record) => keyOf(record) === key);
    let newer = others.filter((record) => keyOf(record) === key);
    if (key !== '') {
      counts.duplicates += Math.max(0, older.length - 1) + Math.max(0, newer.length - 1);
    }
    const takeEqual = (was: (record: Row) => string, is: (record: Row) => string) => {
      const left: Row[] = [];
      for (const record of newer) {
        const at = older.findIndex((one) => was(one) === is(record));
        if (at < 0) {
          left.push(record);
        } else {
          counts.unchanged += 1;
          older = older.filter((_, index) => index !== at);
        }
      }
      newer = left;
    };
    if (isRaw) {
      takeEqual(
        (record) => written(before, record),
        (record) => written(after, record),
      );
    }
    takeEqual(same(before), same(after));
    while (key !== '' && older[0] && newer[0]) {
      const [was, is] = [meanings(before, older[0]), meanings(after, newer[0])];
      const names = columns.filter((name) => was.get(name) !== is.get(name));
      const [one, other] = [fieldsOf(before, older[0]), fieldsOf(after, newer[0])].map(
        (fields) => new Map(fields),
      );
      const old = names.map((name) => {
        const values = [one, other].map((fields) => fields?.get(name) ?? null);
        const value = oldOf([before, values[0] ?? null], [after, values[1] ?? null]);
        return was.has(name) ? meaning(value, before, after) : '';
      });
      add('changed', key, [names.map(inLine).sort(), old]);
      [older, newer] = [older.slice(1), newer.slice(1)];
    }
    older.forEach(() => {
      add('gone', key);
    });
    newer.forEach(() => {
      add('new', key);
    });
  }
  return { counts, lines: lines.sort() };
}

/** The lines of a file of differences, as the expected ones are. */
function found(file: string, before: Side, after: Side): string[] {
  const lines = fs.readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines
    .map((text) => {
      const line = JSON.parse(text) as Record<string, Value>;
      const change = line.change as Change;
      const names = line.changed_fields as unknown as string[];
      const old = (line.before ?? {}) as Record<string, Value>;
      assert.deepEqual(Object.keys(old), names);
      const key = plain(line.issue_id ?? null);
      if (change !== 'changed') {
        assert.ok(!('before' in line));
        return JSON.stringify([change, key]);
      }
      const inOrder = columns
        .map(inLine)
        .filter((name) => names.includes(name))
        .map((name) => meaning(old[name] ?? null, before, after));
      return JSON.stringify([change, key, [...names].sort(), inOrder]);
    })
    .sort();
}

describe('Comparing two files', () => {
  const folder = tableFolder();
  let written = 0;

  function write(of: Side): string {
    const bytes = of.format === 'ndjson.gz' ? gzipSync(content(of)) : content(of);
    return folder.write(`findings.${of.format}`, bytes);
  }

  async function compare(before: Side, after: Side) {
    written += 1;
    const target = path.join(folder.path, `differences ${written}.ndjson`);
    const [older, newer] = [before, after].map((of) => write(of));
    const request = { before: older ?? '', after: newer ?? '', cacheFolder: folder.path };
    const counted = await compareFiles(request);
    const comparison = await compareFiles({ ...request, target });
    assert.deepEqual(counted, comparison);
    return { comparison, target };
  }

  it('Comparing two files finds the same as plain code for any formats, orders, keys and columns', async () => {
    const hasKey = ({ rows }: Side) =>
      rows.some((record) => plain(record?.issue_id ?? null) !== '');
    await fc.assert(
      fc.asyncProperty(
        pairOfSides.filter(([before, after]) => hasKey(before) && hasKey(after)),
        async ([before, after]) => {
          const { comparison, target } = await compare(before, after);
          const { counts, lines } = expected(before, after);
          const { new: isNew, gone, changed, unchanged, duplicates } = comparison;
          assert.deepEqual({ new: isNew, gone, changed, unchanged, duplicates }, counts);
          assert.deepEqual(found(target, before, after), lines);
          const invalid = (of: Side) => of.rows.filter((record) => !record).length;
          assert.deepEqual(comparison.invalid, { before: invalid(before), after: invalid(after) });
        },
      ),
    );
  });

  it('Comparing two files finds the same when 2 or 4 threads read ranges of the files', async () => {
    const script = bundle('extension/dist/rangeWorker.js');
    const sizes = { minBytes: 0, firstBytes: 1, bytes: 1 };
    const pools = [undefined, ...[2, 4].map((count) => new RangeThreads(script, count, sizes))];
    /** So many rows that there are several ranges, of 64 rows each. */
    const many = (of: Side): Side => ({
      ...of,
      rows: Array.from({ length: 20 }, (_, part) =>
        of.rows.map(
          (each) => each && { ...each, issue_id: `${JSON.stringify(each.issue_id)} ${part}` },
        ),
      ).flat(),
    });
    const hasRows = (sides: readonly Side[]) => sides.every(({ rows }) => rows.some(Boolean));
    try {
      await fc.assert(
        fc.asyncProperty(pairOfSides.filter(hasRows), async (sides) => {
          const [before = '', after = ''] = sides.map((of) => write(many(of)));
          const answers = [];
          for (const pool of pools) {
            written += 1;
            const target = path.join(folder.path, `differences ${written}.ndjson`);
            const request = { before, after, target, cacheFolder: folder.path };
            const comparison = await compareFiles(request, undefined, pool);
            answers.push({ comparison, lines: fs.readFileSync(target, 'utf8') });
          }
          assert.deepEqual(answers[1], answers[0]);
          assert.deepEqual(answers[2], answers[0]);
        }),
        { numRuns: Math.ceil(runs / 4) },
      );
      assert.ok(pools.slice(1).every((pool) => (pool?.rangesRead ?? 0) > runs / 4));
    } finally {
      for (const pool of pools) {
        pool?.close();
      }
    }
  });
});

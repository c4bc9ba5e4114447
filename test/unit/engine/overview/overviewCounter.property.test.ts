import assert from 'node:assert/strict';
import { openPlain } from '../../../../src/engine/read/bytes/byteSource';
import { TableFile } from '../../../../src/engine/read/tableFile';
import { TableCore } from '../../../../src/engine/tableCore';
import {
  type ColumnCounts,
  isEmptyValue,
  keysOf,
  type Overview,
} from '../../../../src/engine/data/overview';
import type { Filter } from '../../../../src/engine/data/query';
import type { DistinctValue } from '../../../../src/engine/data/answers';
import { fc, runs } from '../../../helpers/property';
import { countRows, tableFolder, work } from '../../../helpers/tableFiles';

/** A row by the names of its fields; `undefined` for a row that is wrong. */
type Row = Readonly<Record<string, string | number | null | undefined>> | undefined;
type Format = 'csv' | 'ndjson' | 'json';

const names = [
  'severity',
  'issue_type',
  'factor',
  'group_status',
  'first_seen_time',
  'domain',
  'password',
  'size',
  'grade',
] as const;

const now = Date.parse('2026-11-22T12:00:00Z');
const since = Date.parse('2026-11-15T00:00:00Z');
const odd = ['', 'a,"b"', 'é😀', '0', '2026-11-21', '[1]'];
const pools: Readonly<Record<(typeof names)[number], readonly (string | number)[]>> = {
  severity: ['low', 'High', 'CRITICAL', 'medium', 'info', 'unrated', 'none', 7, ...odd],
  issue_type: ['open_port', 'spf_record_missing', 'own_type', ...odd],
  factor: ['dns_health', 'network_security', ...odd],
  group_status: ['active', 'resolved', 'decayed', 'reopened'],
  first_seen_time: [
    '2026-11-22T11:59:59.5Z',
    '2026-11-15T12:00:00Z',
    '2026-11-15T11:59:59Z',
    '2026-10-23',
    '2026-08-01T00:00:00+02:00',
    '2024-02-29T23:59:59Z',
    'yesterday',
    12,
  ],
  domain: ['a.example', 'b.example', 'c.example', '192.0.2.1'],
  password: ['one', 'two', 'two words'],
  size: [1, 2, '1.0', -3],
  grade: ['A', 'c', 'F', 'B'],
};

const row = fc.record(
  Object.fromEntries(
    names.map((name) => [name, fc.oneof(fc.constantFrom(...pools[name]), fc.constant(null))]),
  ),
  { requiredKeys: [] },
);
const rowsOf = fc.array(fc.option(row, { nil: undefined, freq: 12 }), { maxLength: 60 });

/** Severities, grades and statuses in the order of lists. A score follows the words of its level. */
const places = [
  ['critical', 'high', '7', 'medium', 'low', 'info', '0', 'none'],
  ['a', 'b', 'c', 'd', 'e', 'f'],
  ['active', 'resolved', 'departed', 'decayed'],
];
const placeOf = (scale: number, word: string) => {
  const place = places[scale]?.indexOf(word.toLowerCase()) ?? -1;
  return place < 0 ? (scale === 0 && word === '' ? 1e10 : 1e9) : place;
};

const kindOrder = ['number', 'date', 'text', 'boolean', 'json', 'null', 'missing'];

interface Known {
  readonly kind: string;
  readonly text: string;
}

/** What a field is, as the table shows it. */
function knownOf(record: NonNullable<Row>, name: string, format: Format): Known {
  const value = record[name];
  if (value === null || value === undefined) {
    return { kind: value === null || format === 'csv' ? 'null' : 'missing', text: '' };
  }
  const text = String(value);
  if (format === 'csv' && text === '') {
    return { kind: 'null', text };
  }
  const isNumber = typeof value === 'number' || (format === 'csv' && /^-?\d+(\.\d+)?$/.test(text));
  const isDate = !isNumber && !Number.isNaN(Date.parse(text)) && /^\d{4}-/.test(text);
  return { kind: isNumber ? 'number' : isDate ? 'date' : 'text', text };
}

interface Count extends Known {
  count: number;
}

/** The counts of a column, by going through all rows. */
function countsOf(rows: readonly Row[], name: string, format: Format): Count[] {
  const counts = new Map<string, Count>();
  for (const record of rows) {
    if (record) {
      const known = knownOf(record, name, format);
      const key = `${known.kind}:${known.text}`;
      counts.set(key, { ...known, count: (counts.get(key)?.count ?? 0) + 1 });
    }
  }
  return [...counts.values()];
}

const isEmpty = ({ kind }: Known) => kind === 'null' || kind === 'missing';

/** Rows without a severity or a status are counted together with those that have an empty text. */
function withOneEmpty(counts: readonly Count[]): Count[] {
  const none = counts.filter((each) => isEmpty(each) || each.text === '');
  const first = none.find(({ kind }) => kind === 'null') ?? none.find(isEmpty);
  const count = none.reduce((sum, each) => sum + each.count, 0);
  return first
    ? [...counts.filter((each) => !none.includes(each)), { ...first, count }]
    : [...counts];
}

function inOrder(counts: readonly Count[], scale: number | undefined): Count[] {
  return [...counts].sort((one, other) => {
    const place = (of: Count) =>
      scale === undefined ? 0 : isEmpty(of) ? Number.MAX_VALUE : placeOf(scale, of.text);
    return (
      place(one) - place(other) ||
      (isEmpty(one) && isEmpty(other) && scale !== undefined ? 0 : other.count - one.count) ||
      Number(isEmpty(one)) - Number(isEmpty(other)) ||
      kindOrder.indexOf(one.kind) - kindOrder.indexOf(other.kind) ||
      (one.kind === 'number' ? Number(one.text) - Number(other.text) : 0) ||
      (one.kind === 'date' ? Date.parse(one.text) - Date.parse(other.text) : 0) ||
      Buffer.compare(Buffer.from(one.text), Buffer.from(other.text))
    );
  });
}

function write(rows: readonly Row[], format: Format): string {
  const field = (value: string | number | null | undefined) =>
    `"${String(value ?? '').replaceAll('"', '""')}"`;
  switch (format) {
    case 'csv':
      return [
        names.join(','),
        // A quote behind which something other than a delimiter follows is wrong.
        ...rows.map((record) =>
          names.map((name) => (record ? field(record[name]) : '"wrong" row')).join(','),
        ),
        '',
      ].join('\r\n');
    case 'ndjson':
      return rows.map((record) => `${record ? JSON.stringify(record) : '{"severity":'}\n`).join('');
    case 'json':
      return `[${rows.map((record) => (record ? JSON.stringify(record) : '{wrong}')).join(',\n')}]`;
  }
}

describe('The overview of a table', () => {
  const folder = tableFolder();

  it('The overview of a table has the counts of a loop over all rows, and each key filters the rows it counts', async () => {
    await fc.assert(
      fc.asyncProperty(
        rowsOf,
        fc.constantFrom<Format>('csv', 'ndjson', 'json'),
        fc.boolean(),
        fc.boolean(),
        async (rows, format, isLate, reveal) => {
          const file = folder.write(`a.${format}`, write(rows, format));
          const core = new TableCore(
            await TableFile.open(file, openPlain(file), { chunkBytes: 100 }),
          );
          try {
            await core.start();
            const ask = () => core.readOverviewSoFar({ now, since }, { ...work(), reveal });
            if (!isLate) {
              assert.equal(ask().done, false);
            }
            await core.check();
            let overview = ask();
            for (; !overview.done; overview = ask()) {
              await new Promise(setImmediate);
            }
            await checkOverview(core, overview, rows, format, reveal);
          } finally {
            core.close();
          }
        },
      ),
      { numRuns: Math.ceil(runs / 2) },
    );
  });
});

async function checkOverview(
  core: TableCore,
  overview: Overview,
  rows: readonly Row[],
  format: Format,
  reveal: boolean,
): Promise<void> {
  assert.equal(overview.rows, rows.length);
  const good = rows.filter((record) => record !== undefined);
  const used = new Set<string>();
  const columnOf = (name: string) => `/${format === 'csv' ? names.indexOf(name as never) : name}`;
  const told = ({ cell, count }: DistinctValue) => `${cell.kind} ${cell.text}: ${count}`;
  const checkColumn = async (name: string, counts: ColumnCounts | undefined, scale?: number) => {
    used.add(name);
    const all = countsOf(rows, name, format);
    const haveWords = scale === 0 || scale === 2;
    const wanted = inOrder(haveWords ? withOneEmpty(all) : all, scale);
    if (all.every(isEmpty)) {
      assert.equal(counts, undefined);
      return;
    }
    assert.ok(counts, name);
    assert.equal(counts.column, columnOf(name));
    assert.deepEqual(
      counts.values.map(told),
      wanted.map(({ kind, text, count }) => {
        const isMasked = name === 'password' && !reveal && kind !== 'null' && kind !== 'missing';
        return `${kind} ${isMasked ? '\u2022'.repeat(8) : text}: ${count}`;
      }),
      name,
    );
    assert.equal(counts.total, wanted.length);
    const sum = wanted.reduce((found, { count }) => found + count, 0);
    assert.equal(counts.other, rows.length - sum);
    for (const value of counts.values) {
      const keys = keysOf(value);
      const found = await countRows(core, { op: 'in', column: counts.column, keys });
      assert.equal(found, value.count, `${name} ${keys.join()}`);
    }
  };
  await checkColumn('severity', overview.severity, 0);
  await checkColumn('issue_type', overview.issueType);
  await checkColumn('factor', overview.factor);
  await checkColumn('group_status', overview.status, 2);
  await checkColumn('domain', overview.assets);
  await checkAssets(core, overview);

  const times = good.flatMap((record) => {
    const { kind, text } = knownOf(record, 'first_seen_time', format);
    return kind === 'date' ? [Date.parse(text)] : [];
  });
  assert.equal(overview.firstSeen === undefined, times.length === 0);
  if (overview.firstSeen) {
    const { column, ages, months, sinceCount } = overview.firstSeen;
    const between = (from: number, to: number) =>
      countRows(core, { op: 'dateRange', column, from: now - from * 864e5, to: now - to * 864e5 });
    const future = await between(-1, -1e6);
    assert.deepEqual(ages, {
      ...(future > 0 && { future }),
      under7: await between(7, -1),
      from7To30: await between(30, 7),
      from30To90: await between(90, 30),
      over90: await between(1e7, 90),
    });
    const byMonth = new Map<string, number>();
    for (const time of times.sort((one, other) => one - other)) {
      const month = new Date(time).toISOString().slice(0, 7);
      byMonth.set(month, (byMonth.get(month) ?? 0) + 1);
    }
    assert.deepEqual(
      months.map(({ month, count }) => [month, count]),
      [...byMonth],
    );
    assert.equal(sinceCount, times.filter((time) => time >= since).length);
  }

  checkTypes(overview, good, format);

  const expected = [];
  // Without a date it is a column as any other.
  const first = times.length === 0 ? ['first_seen_time'] : [];
  for (const name of [...first, 'password', 'size', 'grade']) {
    const all = countsOf(rows, name, format);
    const values = all.filter((each) => !isEmpty(each));
    const present = values.reduce((sum, { count }) => sum + count, 0);
    if (values.length > 0 && values.length < present && all.length > 1) {
      expected.push(name);
      const words = values.map(({ text }) => text.toLowerCase());
      const isOrdered =
        name === 'grade' && words.every((word) => placeOf(1, word) < 9) && new Set(words).size > 1;
      const counts = overview.others.find(({ column }) => column === columnOf(name));
      await checkColumn(name, counts, isOrdered ? 1 : undefined);
    }
  }
  assert.deepEqual(
    overview.others.map(({ column }) => column).sort(),
    expected.map(columnOf).sort(),
  );
}

/** Each asset has as many rows with a severity as its filter and that of the severity find. */
async function checkAssets(core: TableCore, { assets, severity }: Overview): Promise<void> {
  assert.equal(assets?.severities === undefined, assets === undefined || severity === undefined);
  for (const [at, severities] of (assets?.severities ?? []).entries()) {
    const value = assets?.values[at];
    const isAsset = { op: 'in', column: assets?.column ?? '', keys: value ? keysOf(value) : [] };
    for (const one of severity?.values.filter((each) => !isEmptyValue(each)) ?? []) {
      const isSeverity = { op: 'in', column: severity?.column ?? '', keys: keysOf(one) };
      const rows = await countRows(core, { op: 'and', of: [isAsset, isSeverity] } as Filter);
      const counted = severities.find(({ key }) => key === one.key)?.count ?? 0;
      assert.equal(counted, value && isEmptyValue(value) ? 0 : rows, one.cell.text);
    }
  }
}

function checkTypes(overview: Overview, rows: readonly NonNullable<Row>[], format: Format): void {
  const types = countsOf(rows, 'issue_type', format).filter((each) => !isEmpty(each));
  const hasAssets = overview.assets !== undefined;
  const wanted = inOrder(types, undefined).map((type) => {
    const own = rows.filter((record) => {
      const { kind, text } = knownOf(record, 'issue_type', format);
      return kind === type.kind && text === type.text;
    });
    const severities = countsOf(own, 'severity', format).filter((each) => !isEmpty(each));
    const [worst] = severities.sort(
      (one, other) => placeOf(0, one.text) - placeOf(0, other.text) || other.count - one.count,
    );
    const assets = countsOf(own, 'domain', format).filter((each) => !isEmpty(each)).length;
    const last = Math.max(
      ...own.flatMap((record) => {
        const { kind, text } = knownOf(record, 'first_seen_time', format);
        return kind === 'date' ? [Date.parse(text)] : [];
      }),
    );
    return {
      place: placeOf(0, worst?.text ?? ''),
      type: `${type.kind} ${type.text}: ${type.count}`,
      severity: wordOf(worst?.text),
      reported: worst ? [`${type.text}: ${wordOf(worst.text)}`] : [],
      assets: hasAssets ? assets : undefined,
      last: last > -Infinity ? last : undefined,
      count: type.count,
    };
  });
  wanted.sort((one, other) => one.place - other.place || other.count - one.count);
  const told = (overview.topIssueTypes ?? []).map((type) => ({
    type: `${type.value.cell.kind} ${type.value.cell.text}: ${type.value.count}`,
    severity: wordOf(type.severity?.cell.text),
    assets: type.assets,
    last: type.lastFirstSeen,
  }));
  assert.deepEqual(
    told,
    wanted
      .slice(0, 10)
      .map(({ place: _place, count: _count, reported: _reported, ...type }) => type),
  );
  assert.deepEqual(
    (overview.typeSeverities ?? [])
      .map(({ type, severity }) => `${type}: ${wordOf(severity)}`)
      .sort(),
    wanted.flatMap(({ reported }) => reported).sort(),
  );
}

/** Of words in one place, or that are not known, those of one frequency have no order. */
function wordOf(severity: string | undefined): string {
  const place = placeOf(0, severity ?? '');
  return place === Infinity ? '' : (places[0]?.[place] ?? '');
}

import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import {
  type ByteSource,
  openPlain,
  type PlainSource,
} from '../../../../../src/engine/read/bytes/byteSource';
import { RangeThreads } from '../../../../../src/engine/read/ranges/rangeThreads';
import { type FileOptions, TableFile } from '../../../../../src/engine/read/tableFile';
import { TableCore } from '../../../../../src/engine/tableCore';
import type { Query } from '../../../../../src/engine/data/query';
import type { FileChange } from '../../../../../src/engine/data/tableInfo';
import { fc, runs } from '../../../../helpers/property';
import { tableFolder, work } from '../../../../helpers/tableFiles';
import { bundle } from '../../../../host/paths';

/** Small enough that files of some hundred rows have several ranges, of 64 rows each. */
const sizes = { minBytes: 0, firstBytes: 1, bytes: 1 };

/** Columns of many values are wide, of which some are found to be so soon. */
const columnLimits = { maxValues: 150, maxTextBytes: 4000, triedRows: 60 };

type Json = null | number | string | readonly number[] | { readonly [name: string]: Json };

const names = [
  'issue_id',
  'severity',
  'issue_type',
  'first_seen_time',
  'domain',
  'ip_address',
  'size',
  'nested',
  'group',
  'late',
];
const value = (name: string): fc.Arbitrary<Json> => {
  switch (name) {
    case 'issue_id':
      return fc.nat().map((number) => `id-${number}`);
    case 'severity':
      return fc.constantFrom('low', 'high', 'medium', 'é "odd"');
    case 'first_seen_time':
      return fc.oneof(
        { weight: 20, arbitrary: fc.nat(900).map((day) => new Date(day * 864e5).toISOString()) },
        { weight: 1, arbitrary: fc.constant('yesterday') },
      );
    case 'domain':
      return fc.nat(400).map((host) => `host${host}.example`);
    case 'ip_address':
      return fc.oneof(
        fc.constant(null),
        fc.constant(''),
        fc.nat(99).map((ip) => `192.0.2.${ip}`),
      );
    case 'size':
      return fc.oneof(fc.nat(5000), fc.constant(-0.5));
    case 'nested':
      return fc.oneof(
        fc.constant({}),
        fc.constant([1, 2]),
        fc.record({ a: fc.nat(3), status: fc.constantFrom('active', 'resolved') }),
        fc.nat(900).map((member) => ({ [`member${member}`]: 1 })),
      );
    case 'group':
      return fc.oneof(fc.constant({}), fc.constant({}), fc.record({ a: fc.nat(3) }));
    default:
      return fc.constantFrom<Json>('one', 'two', 2, null, 'a,"b"\nc');
  }
};

/** A stretch of rows with the same members, in which some rows are invalid, or have fields without a heading. */
const stretch = fc.record({
  members: fc.subarray(names, { minLength: 1 }),
  rows: fc.integer({ min: 1, max: 160 }),
  seed: fc.nat(),
  invalidEvery: fc.constantFrom(0, 0, 7, 90),
  moreFields: fc.constantFrom(0, 0, 1, 3),
});

interface Row {
  readonly record: Readonly<Record<string, Json>>;
  readonly isInvalid: boolean;
  /** Of CSV: fields behind those with a heading. */
  readonly more: readonly string[];
}

const files = fc.record({
  format: fc.constantFrom('csv' as const, 'ndjson' as const, 'json' as const),
  rows: fc.array(stretch, { minLength: 3, maxLength: 6 }).map((stretches) =>
    stretches.flatMap(({ members, rows, seed, invalidEvery, moreFields }): Row[] => {
      const record = fc.record(Object.fromEntries(members.map((name) => [name, value(name)])));
      return fc.sample(record, { numRuns: rows, seed }).map((each, row) => ({
        record: each,
        isInvalid: row % invalidEvery === 1,
        more: Array.from(
          { length: row % 5 === 0 ? moreFields : 0 },
          (_, at) => `more ${row % 3}${at}`,
        ),
      }));
    }),
  ),
});

function written({ format, rows }: { format: 'csv' | 'ndjson' | 'json'; rows: Row[] }): string {
  const field = (json: Json | undefined) => {
    const text = typeof json === 'string' ? json : json === undefined ? '' : JSON.stringify(json);
    return `"${text.replaceAll('"', '""')}"`;
  };
  const lines = rows.map(({ record, isInvalid, more }) =>
    format === 'csv'
      ? isInvalid
        ? '"a" b,c'
        : [...names.map((name) => field(record[name])), ...more].join(',')
      : isInvalid
        ? '{"issue_id":x}'
        : JSON.stringify(record),
  );
  switch (format) {
    case 'csv':
      return [names.join(','), ...lines].join('\r\n');
    case 'ndjson':
      return lines.join('\n');
    case 'json':
      return `{"findings": [${lines.join(',\n')}]}`;
  }
}

function asc(column: string) {
  return { column, descending: false };
}

/** All rows of a query, or its groups. */
async function answer(core: TableCore, query: Query): Promise<unknown> {
  const { id: view, rows, groups } = await core.query({ query }, work());
  const pages: unknown[] = [rows, groups];
  for (let from = 0; from < (groups ?? rows); from += 200) {
    const page = { view, from, count: 200 };
    pages.push(groups === undefined ? core.rows(page, work()) : core.groups(page, work()));
  }
  return pages;
}

/** A file of which only the beginning is there, until `arrive`. */
class ArrivingSource implements ByteSource {
  available: number;
  complete = false;
  readonly truncation = undefined;
  readonly cacheFolder = '';
  readonly size: number;
  readonly descriptor: number;
  arrive: () => void = () => undefined;
  private asked = 0;
  private readonly whole: PlainSource;
  private readonly arrived: Promise<void>;

  constructor(file: string, share: number) {
    this.whole = openPlain(file);
    ({ size: this.size, descriptor: this.descriptor } = this.whole);
    this.available = Math.floor(share * this.size);
    this.arrived = new Promise((resolve) => {
      this.arrive = () => {
        this.available = this.size;
        this.complete = true;
        resolve();
      };
    });
  }

  get bytesRead(): number {
    return this.available;
  }

  read(target: Uint8Array, offset: number, length: number, position: number): number {
    const wanted = Math.min(length, this.available - position);
    return this.whole.read(target, offset, wanted, position);
  }

  more(): Promise<void> {
    this.asked += 1;
    // What is there by now is told first.
    return this.asked === 1 ? Promise.resolve() : this.arrived;
  }

  changed(): FileChange | undefined {
    return this.whole.changed();
  }

  close(): void {
    this.whole.close();
  }
}

describe('A file read in ranges', () => {
  const folder = tableFolder();
  const script = bundle('extension/dist/rangeWorker.js');
  const pools = [1, 2, 4].map((count) => new RangeThreads(script, count, sizes));

  after(() => {
    for (const pool of pools) {
      pool.close();
    }
  });

  /** All that is found of a file. */
  async function found(file: string, threads: RangeThreads, options: FileOptions = {}) {
    const table = await TableFile.open(file, openPlain(file), options);
    const core = new TableCore(table, { columnLimits, threads });
    await core.start();
    const counting = core.readOverview({ now: 9e10, since: 5e10 }, work());
    // Counting gives way to queries.
    const { columns } = core.info();
    const ids = columns.map(({ id }) => id);
    const groupBy = ids.slice(0, 2);
    const views: unknown[] = [await core.query({ query: { groupBy } }, work())];
    for (const column of ids) {
      const { id } = await core.query({ query: { sort: [{ column, descending: true }] } }, work());
      views.push(core.rows({ view: id, from: 0, count: 200, columns: ids }, work()).rows);
    }
    const answers = {
      views,
      overview: await counting,
      open: await core.readOverview({ now: 9e10, scope: 'open' }, work()),
      info: core.info(),
      charts: core.charts(),
    };
    core.close();
    return answers;
  }

  it('A file read in ranges gives the same answers with 1, 2 and 4 threads', async () => {
    await fc.assert(
      fc.asyncProperty(files, async (content) => {
        const file = folder.write(`a.${content.format}`, written(content));
        const answers = [];
        for (const pool of pools) {
          answers.push(await found(file, pool));
        }
        assert.deepEqual(answers[1], answers[0]);
        assert.deepEqual(answers[2], answers[0]);
      }),
      { numRuns: Math.ceil(runs / 16) },
    );
    assert.equal(pools[0]?.rangesRead, 0);
    assert.ok(pools.slice(1).every(({ rangesRead }) => rangesRead > runs / 2));
  });

  it('A file read in ranges gives the same answers of columns with a form', async () => {
    const lines = Array.from({ length: 1500 }, (_, row) => {
      const amount = ((row * 7919) % 1500) * 1234.5;
      return [
        row === 1200 ? 'n/a' : amount.toLocaleString('de'),
        (row % 40).toLocaleString('de', { minimumFractionDigits: 1 }),
        `1.${row % 12}`,
        `${1 + (row % 28)}/${1 + (row % 12)}/2026`,
      ].join(';');
    });
    const file = folder.write('a.csv', `amount;score;version;day\n${lines.join('\n')}\n`);
    const options: FileOptions = { forms: { '/2': 'text' } };
    const before = pools.map(({ rangesRead }) => rangesRead);
    const answers = [];
    for (const pool of pools) {
      answers.push(await found(file, pool, options));
    }
    assert.deepEqual(answers[1], answers[0]);
    assert.deepEqual(answers[2], answers[0]);
    const columns = answers[0]?.info.columns.map(({ type, form }) => [type, form]);
    assert.deepEqual(columns, [
      ['mixed', 'decimalComma'],
      ['number', 'decimalComma'],
      ['text', 'text'],
      ['date', 'dayFirst'],
    ]);
    assert.ok(
      pools.slice(1).every(({ rangesRead }, at) => rangesRead > (before[at + 1] ?? Infinity)),
    );
  });

  it('A file read in ranges shows a column without a heading that only a thread has read', async () => {
    const lines = Array.from({ length: 900 }, (_, row) => `${row},b${row === 700 ? ',more' : ''}`);
    const file = folder.write('a.csv', `one,two\n${lines.join('\n')}\n`);
    for (const pool of pools) {
      const core = new TableCore(await TableFile.open(file, openPlain(file)), { threads: pool });
      await core.start();
      await core.check();
      const column = core.info().columns[2]?.id ?? '';
      const { id: view, groups } = await core.query({ query: { groupBy: [column] } }, work());
      assert.equal(groups, 2);
      const { groups: found } = core.groups({ view, from: 0, count: 2 }, work());
      assert.deepEqual(
        found.map(({ values, count }) => [values[0]?.text, count]),
        [
          ['', 899],
          ['more', 1],
        ],
      );
      const { rows } = core.rows({ view: 0, from: 700, count: 1 }, work());
      assert.deepEqual(
        rows[0]?.cells.map(({ text }) => text),
        ['700', 'b', 'more'],
      );
      core.close();
    }
  });

  it('A file read in ranges gives the same answers when a thread throws or exits midway', async () => {
    const lines = Array.from({ length: 2000 }, (_, row) => `${row},b${row % 7}`);
    const file = folder.write('a.csv', `one,two\n${lines.join('\n')}\n`);
    const expected = await found(file, new RangeThreads(script, 1, sizes));
    for (const death of ['throw new Error("boom")', 'process.exit(1)']) {
      for (const last of [0, 5]) {
        const dying = folder.write(
          'dying.js',
          `let left = ${last};
          require('node:worker_threads').parentPort.on('message', () => {
            if (left-- === 0) { ${death}; }
          });
          require(${JSON.stringify(script)});`,
        );
        const pool = new RangeThreads(dying, 2, sizes);
        assert.deepEqual(await found(file, pool), expected);
        assert.equal(pool.canRead(1), false);
        pool.close();
      }
    }
  });

  it('A file read in ranges answers queries that start while its records are being found', async () => {
    const rows = 4000;
    // Half of it is more than what the format is found by.
    const more = '.'.repeat(200);
    const lines = Array.from(
      { length: rows },
      (_, row) =>
        `{"few":"f${(row * row) % 7}","many":"m${(row * 7919) % rows}","size":${row % 50},"more":"${more}"}`,
    );
    const file = folder.write('a.ndjson', lines.join('\n'));
    const queries: Query[] = [
      { filter: { op: 'equals', column: '/few', text: 'f2' }, sort: [asc('/many')] },
      { sort: [asc('/many')] },
      { sort: [asc('/size'), asc('/few')] },
      { groupBy: ['/few', '/size'] },
    ];
    const [alone, ...others] = pools;
    for (const query of queries) {
      const known = new TableCore(await TableFile.open(file, openPlain(file)), {
        columnLimits,
        threads: alone,
      });
      await known.start();
      await known.check();
      const expected = await answer(known, query);
      known.close();
      for (const pool of others) {
        const source = new ArrivingSource(file, 0.5);
        const core = new TableCore(await TableFile.open(file, source), {
          columnLimits,
          threads: pool,
        });
        await core.start();
        const before = pool.rangesRead;
        const answered = answer(core, query);
        while (pool.rangesRead < before + 10) {
          await setImmediate();
        }
        assert.equal(core.info().done, false);
        source.arrive();
        assert.deepEqual(await answered, expected);
        core.close();
      }
    }
  });

  it('A file read in ranges can be closed while threads read it', async () => {
    const lines = Array.from({ length: 20_000 }, (_, row) => `${row},b${row % 7}`);
    const file = folder.write('a.csv', `one,two\n${lines.join('\n')}\n`);
    for (const pool of pools) {
      const core = new TableCore(await TableFile.open(file, openPlain(file)), { threads: pool });
      await core.start();
      const checking = core.check();
      const view = core.query({ query: { groupBy: ['/1'] } }, work());
      core.close();
      await assert.rejects(checking, { code: 'closed' });
      await assert.rejects(view, { code: 'closed' });
    }
  });
});

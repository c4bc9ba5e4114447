import assert from 'node:assert/strict';
import { mask } from '../../../../../src/vocabulary/secretFields';
import type { TableCore } from '../../../../../src/engine/tableCore';
import { TableError } from '../../../../../src/engine/data/tableError';
import { deepIt, fc, runs } from '../../../../helpers/property';
import { openCore, tableFolder, work } from '../../../../helpers/tableFiles';
import { connect } from '../duckDb';
import { startSpark } from '../spark';
import { randomFile } from '../sqlFiles';
import { forms } from '../sqlForms';
import { contents } from '../sqlFixture';
import { compareWithNdjson, exportTo } from './parquetCompared';
import {
  duckDbReader,
  type ParquetReader,
  readInProcess,
  type ReadParquet,
  sparkReader,
} from './parquetReaders';

describe('An export to Parquet', () => {
  const folder = tableFolder();

  async function withFile<T>(
    name: string,
    content: string,
    test: (core: TableCore) => Promise<T>,
  ): Promise<T> {
    const core = await openCore(folder.write(name, content));
    try {
      return await test(core);
    } finally {
      core.close();
    }
  }

  const lines = (records: readonly string[]) => `${records.join('\n')}\n`;

  /** What a column of these values is read as, after a comparison of each value. */
  async function columnOf(...values: readonly string[]): Promise<unknown[]> {
    const content = lines(values.map((value) => (value === '' ? '{}' : `{"v":${value}}`)));
    return withFile('a.ndjson', content, async (core) => {
      const { columns, rows } = await compareWithNdjson(folder.path, core, readInProcess);
      return [columns[0]?.type, ...rows.map(([value]) => value)];
    });
  }

  it('An export to Parquet has integers of 64 bits', async () => {
    const [least, most] = ['-9223372036854775808', '9223372036854775807'];
    const values = ['0', '-5', '9007199254740993', least, most];
    assert.deepEqual(await columnOf(...values, 'null', ''), ['int64', ...values, null, null]);
  });

  it('An export to Parquet has old values and the names of scorecards beside their columns', async () => {
    const uuid = '0b1c2d3e-0000-4000-8000-000000000001';
    const record = { scorecard_id: uuid, port: 2, before: { port: 1 }, more: true };
    await withFile('a.ndjson', lines([JSON.stringify(record)]), async (core) => {
      const { file } = await exportTo(folder.path, core, 'parquet', {
        columns: ['/scorecard_id', '/port', '/more'],
        compared: true,
        scorecards: { [uuid]: 'Tarnwick' },
      });
      const { columns, rows } = await readInProcess(file);
      assert.deepEqual(
        columns.map(({ name, type }) => `${name} ${type}`),
        [
          'scorecard_id string',
          'scorecard_name string',
          'port int64',
          'before.port int64',
          'more boolean',
        ],
      );
      assert.deepEqual(rows, [[uuid, 'Tarnwick', '2', '1', 'true']]);
    });
  });

  it('An export to Parquet has numbers that are exact as doubles', async () => {
    const written = [
      '0.1',
      '1e3',
      '1.50',
      '-0',
      '0',
      '0.0',
      '-0.0',
      '5e-324',
      '1.7976931348623157e308',
    ];
    const read = ['0.1', '1000', '1.5', '-0', '0', '0', '-0', '5e-324', '1.7976931348623157e+308'];
    assert.deepEqual(await columnOf(...written), ['double', ...read]);
    assert.deepEqual(await columnOf('1', '-0'), ['double', '1', '-0']);
  });

  it('An export to Parquet has the texts of numbers that no number of Parquet is', async () => {
    for (const values of [
      ['1', '9223372036854775808'],
      ['1', '1e400'],
      ['1', '1e-400'],
      ['0.1234567890123456789'],
      ['9007199254740993', '0.5'],
      ['9007199254740993', '-0'],
    ]) {
      assert.deepEqual(await columnOf(...values), ['string', ...values]);
    }
  });

  it('An export to Parquet has booleans', async () => {
    assert.deepEqual(await columnOf('true', 'false', 'null', ''), [
      'boolean',
      'true',
      'false',
      null,
      null,
    ]);
    // More than are packed into a byte.
    const many = Array.from({ length: 100 }, (_, at) => String(at % 3 === 0));
    assert.deepEqual(await columnOf(...many), ['boolean', ...many]);
  });

  it('An export to Parquet has dates, and times that all have a zone or none', async () => {
    const typeOf = async (...texts: readonly string[]) =>
      (await columnOf(...texts.map((text) => JSON.stringify(text))))[0];
    assert.equal(await typeOf('2026-11-21', '1900-01-01', '2024-02-29'), 'date');
    assert.equal(await typeOf('2026-11-21T08:30:00Z', '2026-01-01T23:59:59Z'), 'timestamp');
    assert.equal(await typeOf('2026-11-21T08:30:00.123456Z'), 'timestamp');
    assert.equal(await typeOf('2026-11-21T08:30:00.5Z', '1969-12-31T23:59:59.9Z'), 'timestamp');
    assert.equal(await typeOf('2026-11-21 08:30:00'), 'localTimestamp');
    assert.equal(await typeOf('2026-11-21T08:30:00.250'), 'localTimestamp');
    assert.equal(await typeOf('2026-11-21T08:30:00Z', '2026-11-21T08:30:00.5Z'), 'timestamp');
    assert.equal(await typeOf('2026-11-21T08:30:00', '2026-11-21 08:30:00.5'), 'localTimestamp');
    for (const texts of [
      ['2026-11-21', '2026-11-21T08:30:00Z'],
      ['2026-11-21T08:30:00Z', '2026-11-21T08:30:00'],
      ['2026-11-21T08:30Z'],
      ['2026-11-21T08:30:00,5Z'],
      ['2026-11-21T08:30:00.1234567Z'],
      ['2026-11-21T09:30:00+01:00'],
      ['2026-11-21T24:00:00Z'],
      ['2026-02-30'],
      ['1899-12-31'],
      ['1582-10-10T00:00:00Z'],
    ]) {
      assert.equal(await typeOf(...texts), 'string', texts.join());
    }
  });

  it('An export to Parquet has texts, and the text of each value of a column with several kinds', async () => {
    const texts = ['', ' ', '"quoted"', "'", 'two\r\nlines', 'Zürich 😀 \u0000', '=1+1', '\ufeffx'];
    const json = texts.map((text) => JSON.stringify(text));
    assert.deepEqual(await columnOf(...json), ['string', ...texts]);
    assert.deepEqual(
      await columnOf('5', '"5"', 'true', '"true"', '[1, {"d": 1.0}]', '"2026-11-21"', 'null'),
      ['string', '5', '5', 'true', 'true', '[1, {"d": 1.0}]', '2026-11-21', null],
    );
    // An empty text is a value.
    assert.deepEqual(await columnOf('5', '""', '1'), ['string', '5', '', '1']);
    assert.deepEqual(await columnOf('null', ''), ['string', null, null]);
  });

  it('An export to Parquet has one column for each of the table, with a name of its own', async () => {
    const content = lines([
      '{"a":{"b":1,"c":[1]},"A":1,"":2,"n":{"x":{"y":true}}}',
      '{"a":5,"a.b":"x"}',
    ]);
    const read = await withFile('a.ndjson', content, (core) =>
      compareWithNdjson(folder.path, core, readInProcess),
    );
    assert.deepEqual(
      read.columns.map(({ name, type }) => `${name}: ${type}`),
      [
        // An object is the text of its JSON, as in the table.
        'a: string',
        'a.b: int64',
        'a.c: string',
        'A (2): int64',
        'column: int64',
        'n.x.y: boolean',
        'a.b (2): string',
      ],
    );
  });

  it('An export to Parquet reads numbers of CSV as the table does, and leaves codes as they are', async () => {
    const content = 'code,score,ok,score\n007,"1,5",true,5\n8, 2.50 ,false,+5\n9,,,\n';
    const read = await withFile('a.csv', content, (core) =>
      compareWithNdjson(folder.path, core, readInProcess),
    );
    assert.deepEqual(
      read.columns.map(({ name }) => name),
      ['code', 'score', 'ok', 'score (2)'],
    );
    assert.deepEqual(
      read.rows.map(([code, , ok, other]) => [code, ok, other]),
      [
        ['007', 'true', '5'],
        ['8', 'false', '5'],
        ['9', null, null],
      ],
    );
  });

  it('An export to Parquet has the rows of a query, the selected columns, and the types of these rows', async () => {
    const content = lines([
      '{"a":1,"b":0.5}',
      '{"a":2,"b":7}',
      '{"a":3,"b":1e400}',
      '{"a":4,"b":8}',
    ]);
    await withFile('a.ndjson', content, async (core) => {
      const query = {
        filter: { op: 'compare', column: '/b', is: '<', number: '10' },
        sort: [{ column: '/a', descending: true }],
      } as const;
      const { columns, rows } = await compareWithNdjson(folder.path, core, readInProcess, {
        query,
      });
      assert.deepEqual(
        columns.map(({ type }) => type),
        ['int64', 'double'],
      );
      assert.deepEqual(rows, [
        ['4', '8'],
        ['2', '7'],
        ['1', '0.5'],
      ]);
      const selected = await exportTo(folder.path, core, 'parquet', { columns: ['/b'] });
      assert.deepEqual(await readInProcess(selected.file), {
        columns: [{ name: 'b', type: 'string' }],
        rows: [['0.5'], ['7'], ['1e400'], ['8']],
      });
    });
  });

  it('An export to Parquet has groups and their numbers of rows', async () => {
    await withFile('a.csv', 'a,b\nx,1\ny,2\nx,3\n,4\n', async (core) => {
      const [a = ''] = core.info().columns.map(({ id }) => id);
      const { file, count } = await exportTo(folder.path, core, 'parquet', {
        query: { groupBy: [a] },
      });
      assert.equal(count, 3);
      assert.deepEqual(await readInProcess(file), {
        columns: [
          { name: 'a', type: 'string' },
          { name: 'Rows', type: 'int64' },
        ],
        rows: [
          ['x', '2'],
          ['y', '1'],
          [null, '1'],
        ],
      });
    });
  });

  it('An export to Parquet masks secrets, unless a user shows them', async () => {
    const content = lines([
      '{"id":1,"password":5,"auth":{"token":"hunter2"}}',
      '{"id":2,"password":6}',
    ]);
    await withFile('a.ndjson', content, async (core) => {
      const masked = await compareWithNdjson(folder.path, core, readInProcess);
      assert.deepEqual(masked.rows, [
        ['1', mask, mask],
        ['2', mask, null],
      ]);
      const shown = await compareWithNdjson(folder.path, core, readInProcess, { reveal: true });
      assert.deepEqual(
        shown.columns.map(({ type }) => type),
        ['int64', 'int64', 'string'],
      );
      assert.deepEqual(shown.rows, [
        ['1', '5', 'hunter2'],
        ['2', '6', null],
      ]);
    });
  });

  it('An export to Parquet has the text of a record that could not be read in its first column', async () => {
    const content = lines(['{"a":1,"b":2}', '{"a":', '{"a":3,"b":4}']);
    const { columns, rows } = await withFile('a.ndjson', content, (core) =>
      compareWithNdjson(folder.path, core, readInProcess),
    );
    assert.deepEqual(
      columns.map(({ type }) => type),
      ['string', 'int64'],
    );
    assert.deepEqual(rows, [
      ['1', '2'],
      ['{"a":', null],
      ['3', '4'],
    ]);
  });

  const empty: Readonly<Record<string, string>> = {
    'heading.csv': 'a,b\n',
    'array.json': '[]',
    'objects.json': '[{},{}]',
    'nulls.ndjson': '{"a":null}\n',
  };

  async function compareEmpty(read: ParquetReader): Promise<void> {
    const found = new Map<string, ReadParquet>();
    for (const [name, content] of Object.entries(empty)) {
      found.set(
        name,
        await withFile(name, content, (core) => compareWithNdjson(folder.path, core, read)),
      );
    }
    const string = (name: string) => ({ name, type: 'string' });
    assert.deepEqual(Object.fromEntries(found), {
      'heading.csv': { columns: [string('a'), string('b')], rows: [] },
      'array.json': { columns: [string('value')], rows: [] },
      'objects.json': { columns: [string('value')], rows: [[null], [null]] },
      'nulls.ndjson': { columns: [string('a')], rows: [[null]] },
    });
  }

  it('An export to Parquet is a table even without rows or columns', async () => {
    await compareEmpty(readInProcess);
  });

  it('An export to Parquet is written in several parts', async () => {
    const records = Array.from(
      { length: 30_000 },
      (_, at) => `{"n":${at},"text":"${'x'.repeat(1000)}${at}","even":${at % 2 === 0}}`,
    );
    await withFile('a.ndjson', lines(records), async (core) => {
      const { id } = await core.hold({ query: {} }, work());
      const first = await core.packedPart({ format: 'parquet', view: id, from: 0 }, work());
      assert.ok(!first.isLast && first.rows > 1000 && first.rows < 25_000, String(first.rows));
      core.release({ view: id });
      await assert.rejects(
        core.packedPart({ format: 'parquet', view: id, from: first.rows }, work()),
        {
          code: 'gone',
        },
      );
      await compareWithNdjson(folder.path, core, readInProcess);
    });
  });

  it('An export to Parquet has at most 20,000 rows in a part', async () => {
    const records = Array.from({ length: 45_000 }, (_, at) => (at % 2 === 0 ? '{"n":1}' : '{}'));
    await withFile('a.ndjson', lines(records), async (core) => {
      const { id } = await core.hold({ query: {} }, work());
      const counts: number[] = [];
      for (let from = 0, isLast = false; !isLast;) {
        const part = await core.packedPart({ format: 'parquet', view: id, from }, work());
        counts.push(part.rows);
        from += part.rows;
        ({ isLast } = part);
      }
      assert.deepEqual(counts, [20_000, 20_000, 5_000]);
      core.release({ view: id });
    });
  });

  it('An export to Parquet can be cancelled while it finds the types', async () => {
    const records = Array.from({ length: 200_000 }, (_, at) => `{"n":${at}}`);
    await withFile('a.ndjson', lines(records), async (core) => {
      const { id } = await core.hold({ query: {} }, work());
      const cancelled = work();
      const part = core.packedPart({ format: 'parquet', view: id, from: 0 }, cancelled);
      cancelled.budget.end('cancelled');
      await assert.rejects(part, { code: 'cancelled' });
      core.release({ view: id });
    });
  });

  it('An export to Parquet has the values of an export to NDJSON, whatever the file', async () => {
    await compareAny(readInProcess, runs);
  });

  deepIt('An export to Parquet reads the same in DuckDB', async () => {
    const read = duckDbReader(await connect());
    await compareForms(read);
    await compareEmpty(read);
    await compareAny(read, 400);
  });

  deepIt('An export to Parquet reads the same in Spark', async () => {
    const spark = await startSpark();
    try {
      const read = sparkReader(spark);
      await compareForms(read);
      await compareEmpty(read);
      await compareAny(read, 200);
    } finally {
      await spark.stop();
    }
  });

  async function compareForms(read: ParquetReader): Promise<void> {
    for (const [name, content] of Object.entries({ ...forms, ...contents })) {
      await compareFile(name, content, read);
    }
  }

  async function compareAny(read: ParquetReader, numRuns: number): Promise<void> {
    await fc.assert(
      fc.asyncProperty(randomFile, ({ name, content }) => compareFile(name, content, read)),
      { numRuns },
    );
  }

  async function compareFile(name: string, content: string, read: ParquetReader): Promise<void> {
    const core = await openCore(folder.write(name, content)).catch((error: unknown) => {
      assert.ok(error instanceof TableError && error.code === 'notATable', String(error));
    });
    try {
      await (core && compareWithNdjson(folder.path, core, read));
    } finally {
      core?.close();
    }
  }
});

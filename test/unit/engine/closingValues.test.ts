import assert from 'node:assert/strict';
import * as v from 'valibot';
import { openPlain } from '../../../src/engine/read/bytes/byteSource';
import { RangeThreads } from '../../../src/engine/read/ranges/rangeThreads';
import { TableFile } from '../../../src/engine/read/tableFile';
import { TableCore } from '../../../src/engine/tableCore';
import { filter as filterSchema } from '../../../src/protocol/schemas';
import { closedFact, openFilters } from '../../../src/summary/openFindings';
import { pageTexts } from '../../../src/summary/pageTexts';
import { Texts } from '../../../src/summary/texts';
import { bundle } from '../../host/paths';
import { tableFolder, work } from '../../helpers/tableFiles';

const rows = 1500;
const isClosed = (at: number) => at % 3 === 0;
const long = 'x'.repeat(8000);

/** What closes a third of the rows, and what is said of them. */
const forms: readonly (readonly [string, (at: number) => object, string])[] = [
  [
    'a status with a build',
    (at) => ({ status: isClosed(at) ? `Closed - fixed in build ${at}` : `Open - found in ${at}` }),
    '500 closed not counted',
  ],
  [
    'a status with long texts',
    (at) => ({ status: isClosed(at) ? 'resolved' : `Open ${long} ${at % 200}` }),
    '500 closed not counted',
  ],
  [
    'a severity that is often no word',
    (at) => ({ severity: isClosed(at) ? 'passed' : `level ${at}` }),
    '500 closed not counted',
  ],
  [
    'a date',
    (at) => ({ resolved_at: isClosed(at) ? new Date(1.7e12 + at * 1e6).toISOString() : null }),
    '500 resolved not counted',
  ],
  [
    'a few words',
    (at) => ({ status: isClosed(at) ? ['resolved', 'Closed'][at % 2] : 'open' }),
    '500 resolved or closed not counted',
  ],
];

const writers = {
  ndjson: (records: readonly object[]) => records.map((row) => JSON.stringify(row)).join('\n'),
  json: (records: readonly object[]) => JSON.stringify(records),
  csv: (records: readonly object[]) =>
    [Object.keys(records[0] ?? {}), ...records.map(Object.values)]
      .map((row) => row.map((value) => `"${String(value ?? '')}"`).join(','))
      .join('\n'),
};

describe('Values that close findings', () => {
  const folder = tableFolder();
  const script = bundle('extension/dist/rangeWorker.js');
  const threads = new RangeThreads(script, 2, { minBytes: 0, firstBytes: 1, bytes: 1 });
  const texts = new Texts(
    Object.fromEntries(Object.entries(pageTexts).map(([key, { text }]) => [key, text])),
    'en',
  );

  after(() => {
    threads.close();
  });

  for (const [form, ofRow, said] of forms) {
    it(`Values that close findings are counted in the overview as in the table, however many there are: ${form}`, async () => {
      const records = Array.from({ length: rows }, (_, at) => ({
        id: `f${at}`,
        title: `Finding ${at}`,
        severity: 'high',
        host: `h${at % 2}.example`,
        ...ofRow(at),
      }));
      for (const [format, write] of Object.entries(writers)) {
        const file = folder.write(`rows.${format}`, write(records));
        for (const pool of [undefined, threads]) {
          const core = new TableCore(await TableFile.open(file, openPlain(file)), {
            threads: pool,
          });
          await core.start();
          const early = core.readOverview({ now: 0, scope: 'open' }, work());
          await core.check();
          const all = await core.readOverview({ now: 0, scope: 'all' }, work());
          const overview = await early;
          assert.deepEqual(
            [overview.rows, overview.closed?.rows, all.rows, all.closed?.rows],
            [1000, 500, rows, 500],
            format,
          );
          assert.equal(core.charts().closed, 500);
          const column = core.info().columns.find(({ name }) => name === 'host')?.id ?? '';
          const ofHost = { op: 'equals', column, text: 'h0.example' } as const;
          const { open } = await core.query({ query: { filter: ofHost } }, work());
          const shown = { op: 'and' as const, of: [ofHost, ...openFilters(overview.closed)] };
          assert.ok(v.is(filterSchema, shown), format);
          const found = await core.query({ query: { filter: shown } }, work());
          assert.deepEqual([open, found.rows, found.open], [500, 500, 500], format);
          assert.equal(closedFact(overview, texts)[0]?.text, said);
          core.close();
        }
      }
    });
  }
});

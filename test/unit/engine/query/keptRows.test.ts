import assert from 'node:assert/strict';
import { isShared, severityOfBits } from '../../../../src/engine/data/keptRows';
import { type Query, wholeFile } from '../../../../src/engine/data/query';
import { digestOfDetail, digestOfId } from '../../../../src/engine/query/findingDigest';
import { RangeThreads } from '../../../../src/engine/read/ranges/rangeThreads';
import type { TableCore } from '../../../../src/engine/tableCore';
import { bundle } from '../../../host/paths';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';

describe('Kept rows', () => {
  const folder = tableFolder();

  /** What is kept of the rows of a query, by row. */
  async function keep(core: TableCore, query: Query = {}, most = 1e6) {
    const view = await core.hold({ query }, work());
    const kept = await core.keep({ view: view.id, most }, work());
    core.release({ view: view.id });
    assert.ok(kept);
    const ids = Array.from(kept.high, (high, at) => [
      high,
      kept.low[at] ?? 0,
      kept.detail[at] ?? 0,
    ]);
    assert.deepEqual(
      ids,
      ids.toSorted(([a = 0, b = 0, c = 0], [d = 0, e = 0, f = 0]) => a - d || b - e || c - f),
      'in ascending order',
    );
    const byRow = Array.from(kept.records, (record, at) => {
      const bits = kept.bits[at] ?? 0;
      const severity = severityOfBits(bits);
      return [record, ids[at], severity, (bits & isShared) !== 0] as const;
    });
    return byRow.toSorted(([one], [other]) => one - other);
  }

  /** The same, as rows are identified for decisions about them. */
  async function identify(core: TableCore, query: Query = {}) {
    const view = await core.hold({ query }, work());
    const rows = await core.identify({ view: view.id, from: 0, count: 10_000 }, work());
    core.release({ view: view.id });
    return rows.map(
      ({ record, id, detail, severity, isShared: shares = false }) =>
        [record, [...digestOfId(id), digestOfDetail(detail)], severity, shares] as const,
    );
  }

  const severities = ['critical', 'HIGH', 'medium', 'unknown', '', 'low', 'info', 'passed'];
  const finding = (at: number) => ({
    rule_id: `r${at % 13}`,
    severity: severities[at % severities.length],
    file: at % 17 === 0 ? undefined : `src/a${at % 31}.js`,
    line: at % 5 === 0 ? undefined : at % 40,
    // A secret that its neighbor names, and a text that differs.
    name: at % 3 === 0 ? 'password' : 'field',
    value: `value ${at % 7}`,
    message: `Found ${at % 19}`,
    status: at % 4 === 0 ? 'fixed' : 'open',
  });
  const contents = {
    'many.ndjson': Array.from({ length: 3000 }, (_, at) =>
      at % 500 === 3 ? 'no JSON\n' : `${JSON.stringify(finding(at))}\n`,
    ).join(''),
    'many.csv': `rule_id,severity,file,line,message,status\n${Array.from(
      { length: 3000 },
      (_, at) => {
        const { rule_id: rule, severity, file = '', line = '', message, status } = finding(at);
        return `${rule},${severity},${file},${line},${message},${status}${at % 500 === 3 ? ',more' : ''}\n`;
      },
    ).join('')}`,
    'many.json': JSON.stringify({
      runs: [1, 2].map((run) => ({
        host: `h${run}`,
        results: Array.from({ length: 1500 }, (_, at) => finding(at * run)),
      })),
    }),
    'service.csv': `issue_id,severity,host\n${Array.from({ length: 900 }, (_, at) => `${at % 800},high,h${at}\n`).join('')}`,
  };

  it('Kept rows are told apart as decisions about them are, also where threads read ranges of the file', async () => {
    const threads = new RangeThreads(bundle('extension/dist/rangeWorker.js'), 2, {
      minBytes: 0,
      firstBytes: 4096,
      bytes: 65_536,
    });
    for (const [name, content] of Object.entries(contents)) {
      const file = folder.write(name, content);
      for (const options of [{}, { threads }]) {
        const core = await openCore(file, options);
        const status = core.info().columns.find((column) => column.name === 'status')?.id;
        const isOpen = { op: 'equals', column: status ?? '', text: 'open' } as const;
        for (const query of status === undefined ? [{}] : [{}, { filter: isOpen }]) {
          const kept = await keep(core, query);
          assert.ok(kept.length > 800, name);
          assert.deepEqual(kept, await identify(core, query), name);
        }
        core.close();
      }
    }
    threads.close();
    assert.ok(threads.rangesRead > 20);
  });

  it('Kept rows are not found where they are more than asked for', async () => {
    const core = await openCore(folder.write('a.csv', contents['service.csv']));
    assert.equal(await core.keep({ view: wholeFile, most: 899 }, work()), null);
    assert.equal((await core.keep({ view: wholeFile, most: 900 }, work()))?.records.length, 900);
    core.close();
  });

  it('Kept rows are described by their numbers', async () => {
    const core = await openCore(folder.write('a.csv', contents['many.csv']));
    const rows = await core.identifyRecords({ records: [7, 2999] }, work());
    assert.deepEqual(
      rows.map(({ record, rule, place, detail }) => [record, rule, place, detail]),
      [
        [7, 'r7', 'src/a7.js', '7'],
        [2999, 'r9', 'src/a23.js', '39'],
      ],
    );
    core.close();
  });
});

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { compareFiles } from '../../../../src/engine/compare/compareFiles';
import type { OpenFindings } from '../../../../src/engine/data/comparisonAbout';
import { openPlain } from '../../../../src/engine/read/bytes/byteSource';
import { RangeThreads } from '../../../../src/engine/read/ranges/rangeThreads';
import { TableFile } from '../../../../src/engine/read/tableFile';
import { TableCore } from '../../../../src/engine/tableCore';
import { wordKey } from '../../../../src/vocabulary/scale';
import { fc } from '../../../helpers/property';
import { tableFolder, work } from '../../../helpers/tableFiles';
import { bundle, repositoryRoot } from '../../../host/paths';

type Counts = Readonly<Record<string, number>>;

interface Finding {
  readonly issue_id: string;
  readonly severity?: string;
  readonly status?: string;
}

const finding = fc.record(
  {
    issue_id: fc.constantFrom(...Array.from({ length: 200 }, (_, at) => `F-${at}`)),
    severity: fc.constantFrom('critical', 'High', 'high ', 'low', '', 'odd'),
    status: fc.constantFrom('active', 'resolved', 'Resolved', 'decayed', '', 'reopened'),
  },
  { requiredKeys: ['issue_id'] },
) as fc.Arbitrary<Finding>;

const findings = fc
  .uniqueArray(finding, { minLength: 1, maxLength: 180, selector: (one) => one.issue_id })
  // The first rows say which columns there are.
  .map((rows): Finding[] => [
    { issue_id: 'first', severity: 'high', status: 'active' },
    { issue_id: 'second', severity: 'low', status: 'resolved' },
    ...rows,
  ]);

function csv(rows: readonly Finding[]): string {
  const lines = rows.map((one) => [one.issue_id, one.severity, one.status].join());
  return `issue_id,severity,status\n${lines.join('\n')}\n`;
}

function ndjson(rows: readonly Finding[]): string {
  return rows.map((one) => `${JSON.stringify(one)}\n`).join('');
}

describe('The open findings of both files of a comparison', () => {
  const folder = tableFolder();
  const sizes = { minBytes: 0, firstBytes: 1, bytes: 1 };
  const threads = new RangeThreads(bundle('extension/dist/rangeWorker.js'), 2, sizes);

  after(() => {
    threads.close();
  });

  /** What the overview of a file says: its open findings, and these by severity. */
  async function readOverview(file: string, list?: string): Promise<[number, Counts]> {
    const core = new TableCore(await TableFile.open(file, openPlain(file), { list }));
    await core.start();
    const overview = await core.readOverview({ now: 0, scope: 'open' }, work());
    const { format, invalidRows } = core.info();
    core.close();
    const counts = (overview.severity?.values ?? []).map(
      ({ cell, count }) => [wordKey(cell.text), count] as const,
    );
    const unread = format.kind === 'csv' ? 0 : invalidRows;
    return [overview.rows - unread, Object.fromEntries(counts)];
  }

  function countsOf(open: OpenFindings | undefined, side: 'before' | 'after'): [number, Counts] {
    const counts = (open?.severities?.values ?? []).map(
      (one) => [wordKey(one.value), one[side]] as const,
    );
    const present = counts.filter(([, count]) => count > 0);
    return [open?.[side] ?? NaN, Object.fromEntries(present)];
  }

  async function assertAsOverviews(
    before: string,
    later: string,
    { key, pool }: { readonly key?: string; readonly pool?: RangeThreads } = {},
  ): Promise<OpenFindings> {
    const request = { before, after: later, cacheFolder: folder.path, ...(key && { key }) };
    const { open } = await compareFiles(request, undefined, pool);
    assert.deepEqual(countsOf(open, 'before'), await readOverview(before), before);
    assert.deepEqual(countsOf(open, 'after'), await readOverview(later), later);
    return open ?? assert.fail();
  }

  it('The open findings of both files of a comparison are those of their overviews, also where threads read them', async () => {
    const write = fc.constantFrom(
      (rows: readonly Finding[]) => folder.write('a.csv', csv(rows)),
      (rows: readonly Finding[]) => folder.write('a.ndjson', ndjson(rows)),
      (rows: readonly Finding[]) => folder.write('a.json', JSON.stringify({ issues: rows })),
      (rows: readonly Finding[]) => folder.write('a.ndjson', `${ndjson(rows)}{"issue_id":`),
    );
    await fc.assert(
      fc.asyncProperty(
        findings,
        findings,
        write,
        write,
        fc.constantFrom(undefined, threads),
        async (before, later, writeBefore, writeLater, pool) => {
          await assertAsOverviews(writeBefore(before), writeLater(later), pool && { pool });
        },
      ),
    );
    assert.ok(threads.rangesRead > 0);
  });

  it('The open findings of both files of a comparison are those of the overviews of files of many tools', async () => {
    for (const [before, later, key] of [
      ['06.sarif', '05.sarif', 'ruleId'],
      ['41.sarif', '41.sarif', 'ruleId'],
      ['01.sarif', '02.sarif', 'ruleId'],
    ] as const) {
      const [older, newer] = [before, later].map((name) =>
        path.join(repositoryRoot, 'test/inputs', name),
      );
      await assertAsOverviews(older ?? '', newer ?? '', { key });
    }
  });

  it('The open findings of both files of a comparison differ by as many as have come, gone, been closed and reopened', async () => {
    await fc.assert(
      fc.asyncProperty(findings, findings, async (before, later) => {
        const found = await compareFiles({
          before: folder.write('a.ndjson', ndjson(before)),
          after: folder.write('a.csv', csv(later)),
          cacheFolder: folder.path,
        });
        const { open, closed, nowClosed = 0, reopened = 0 } = found;
        const come = found.new - (closed?.new ?? 0) + reopened;
        const gone = found.gone - (closed?.gone ?? 0) + nowClosed;
        assert.equal((open?.after ?? NaN) - (open?.before ?? NaN), come - gone);
      }),
    );
  });

  it('The open findings of both files of a comparison are zero in a file without rows', async () => {
    const rows: Finding[] = [{ issue_id: '1', severity: 'high', status: 'active' }];
    const open = await compareFiles({
      before: folder.write('a.ndjson', ndjson(rows)),
      after: folder.write('a.ndjson', ''),
      cacheFolder: folder.path,
    });
    assert.deepEqual(open.open, {
      before: 1,
      after: 0,
      areAll: true,
      severities: { column: 'severity', values: [{ value: 'high', before: 1, after: 0 }] },
    });
  });

  it('The open findings of both files of a comparison are listed the worst first, scores by their level', async () => {
    const scores = (numbers: readonly number[]) =>
      `issue_id,cvss_score\n${numbers.map((score, at) => `${at},${score}`).join('\n')}\n`;
    const { severities } = await assertAsOverviews(
      folder.write('a.csv', scores([5, 7.1, 9.8])),
      folder.write('a.csv', scores([7.5, 8.9, 3.2])),
    );
    assert.deepEqual(
      severities?.values.map(({ value, before, after: now }) => [value, before, now]),
      [
        ['critical', 1, 0],
        ['high', 1, 2],
        ['medium', 1, 0],
        ['low', 0, 1],
      ],
    );
  });

  it('The open findings of both files of a comparison are not counted where rows are no findings', async () => {
    const drinks = folder.write('a.csv', 'id,drink\n1,tea\n2,coffee\n');
    const { open } = await compareFiles({
      before: drinks,
      after: drinks,
      key: 'drink',
      cacheFolder: folder.path,
    });
    assert.equal(open, undefined);
  });

  it('The open findings of both files of a comparison are without those that are known, which are not new', async () => {
    const before = folder.write(
      'b.ndjson',
      ndjson([{ issue_id: '1', severity: 'low' }, { issue_id: '2' }]),
    );
    const after = folder.write(
      'a.ndjson',
      ndjson([{ issue_id: '1', severity: 'high' }, { issue_id: '3' }, { issue_id: '4' }]),
    );
    const target = path.join(folder.path, 'known.ndjson');
    const known = ['1', '2', '3'].map((id) => ({
      id,
      label: 'Not ours',
      reason: 'notOurs',
      ...(id === '1' && { severity: 'low' as const }),
    }));
    const found = await compareFiles({ before, after, target, cacheFolder: folder.path, known });
    // One is known in both files, but got worse.
    assert.deepEqual([found.new, found.gone, found.changed, found.reopened], [2, 1, 1, 1]);
    assert.deepEqual(found.closed, {
      by: [],
      words: [],
      new: 1,
      gone: 1,
      known: { new: 1, gone: 1 },
    });
    assert.deepEqual([found.open?.before, found.open?.after], [0, 2]);
  });

  it('A line of the differences says whether a changed finding was closed or reopened', async () => {
    const target = path.join(folder.path, 'became.ndjson');
    const rows = (...statuses: readonly string[]) =>
      statuses.map((status, at) => ({ issue_id: `${at}`, severity: 'high', status }));
    const found = await compareFiles({
      before: folder.write('a.ndjson', ndjson(rows('active', 'resolved', 'active', 'resolved'))),
      after: folder.write('a.ndjson', ndjson(rows('resolved', 'active', 'reopened', 'decayed'))),
      cacheFolder: folder.path,
      target,
    });
    const lines = fs.readFileSync(target, 'utf8').trimEnd().split('\n');
    const became = lines.map((line) => (JSON.parse(line) as { became?: string }).became);
    assert.deepEqual(became, ['closed', 'reopened', undefined, undefined]);
    assert.deepEqual([found.changed, found.nowClosed, found.reopened], [4, 1, 1]);
    assert.deepEqual(found.severities?.values, [
      { value: 'high', new: 0, gone: 0, changed: 4, nowClosed: 1, reopened: 1 },
    ]);
  });

  it('The open findings of both files are in the order of the scale of their tool', async () => {
    const heading = 'QID,Title,Severity,Vuln Status,IP';
    const file = (...rows: readonly string[]) =>
      folder.write('a.csv', `${[heading, ...rows].join('\n')}\n`);
    const target = path.join(folder.path, 'scale.ndjson');
    const found = await compareFiles({
      before: file('1,a,1,Active,192.0.2.1', '2,b,5,Active,192.0.2.1', '3,c,4,Active,192.0.2.1'),
      after: file('2,b,5,Active,192.0.2.1', '4,d,3,New,192.0.2.3', '5,e,5,New,192.0.2.3'),
      key: 'QID',
      cacheFolder: folder.path,
      target,
    });
    const { column, scale, values } = found.open?.severities ?? {};
    assert.deepEqual([column, scale], ['Severity', 'qualys']);
    assert.deepEqual(
      values?.map(({ value, before, after: now }) => [value, before, now]),
      [
        ['5', 1, 2],
        ['4', 1, 0],
        ['3', 0, 1],
        ['1', 1, 0],
      ],
    );
    assert.equal(found.severities?.scale, 'qualys');
    assert.deepEqual(
      found.severities.values.map(({ value }) => value),
      ['5', '4', '3', '1'],
    );
    // The file of differences is read as its tool means it, too.
    const core = new TableCore(await TableFile.open(target, openPlain(target), {}), {});
    await core.start();
    const scales = core.info().columns.flatMap((each) => (each.scale ? [each.name] : []));
    core.close();
    assert.deepEqual(scales, ['Severity']);
  });
});

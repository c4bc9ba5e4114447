import assert from 'node:assert/strict';
import fs from 'node:fs';
import type { CveListFile } from '../../../../src/engine/data/cveLists';
import { wholeFile } from '../../../../src/engine/data/query';
import { packCves, readCveHeader } from '../../../../src/engine/query/packedCves';
import { RangeThreads } from '../../../../src/engine/read/ranges/rangeThreads';
import type { TableCore } from '../../../../src/engine/tableCore';
import { bundle } from '../../../host/paths';
import { countRows, openCore, tableFolder, work } from '../../../helpers/tableFiles';

const at = Date.UTC(2026, 10, 28);

describe('Rows that lists of CVEs mark', () => {
  const folder = tableFolder();
  const open = (name: string, content: string) => openCore(folder.write(name, content));

  /** Keeps what a file of a user says as a list. */
  async function keep(name: string, content: string): Promise<CveListFile> {
    const core = await open(name, content);
    const read = await core.readCves({}, work());
    core.close();
    assert.ok(!('refused' in read));
    const { bytes, header } = packCves({ name, at }, read);
    assert.deepEqual(readCveHeader(bytes), header);
    return { ...header, file: folder.write('kept.cves', bytes) };
  }

  const keep1 = () =>
    keep('kev.csv', 'cveID,dateAdded\nCVE-2021-44228,2021-12-10\nCVE-2020-0001,x\n');
  const keepEpss = () =>
    keep(
      'epss.csv',
      '#model_version:v2025.03.14,score_date:2026-11-28T12:55:00Z\ncve,epss,percentile\n' +
        'CVE-1999-0001,0.00351,0.57\nCVE-2021-44228,0.94358,0.999\nCVE-2022-0001,0.1,0.9\n',
    );

  const mark = (core: TableCore, lists: readonly CveListFile[]) =>
    core.setCveLists({ lists }, work());
  const exploited = async (core: TableCore) =>
    (await core.readOverview({ now: 0 }, work())).exploited?.map(({ sign, count }) => [
      sign,
      count,
    ]);
  const marked = (core: TableCore) =>
    core
      .rows({ view: wholeFile, from: 0, count: 100 }, work())
      .rows.flatMap(({ record, isExploited }) => (isExploited ? [record] : []));

  const findings = [
    { id: 'CVE-2021-44228', severity: 'critical' },
    { id: 'GHSA-aaaa-bbbb-cccc', severity: 'high', aliases: ['CVE-2020-0001', 'RHSA-2020:1'] },
    { id: 'cve-2022-0001', severity: 'low' },
    { id: 'CVE-2022-00015', severity: 'low' },
    { id: 'XCVE-2021-44228', severity: 'low', text: 'Like CVE-2021-44228.' },
  ];
  const ndjson = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');

  it('Lists of CVEs mark the rows about one of them, by any column with ids', async () => {
    const core = await open('a.ndjson', ndjson(findings));
    const kev = await keep(
      'kev.json',
      '{"vulnerabilities":[{"cveID":"CVE-2021-44228"},{"cveID":"CVE-2020-0001"}]}',
    );
    assert.deepEqual(await exploited(core), undefined);
    assert.deepEqual(await mark(core, [kev]), { rows: 2, hasChanged: true });
    assert.deepEqual(await mark(core, [kev]), { rows: 2, hasChanged: false });
    assert.deepEqual(marked(core), [0, 1]);
    assert.deepEqual(await exploited(core), [['known', 2]]);
    const [known] = (await core.readOverview({ now: 0 }, work())).exploited ?? [];
    assert.deepEqual(known?.filter, { op: 'listed', sign: 'known' });
    assert.equal(await countRows(core, known.filter), 2);
    assert.deepEqual(core.record({ record: 1 }, work()).listed, [
      { name: 'kev.json', at, cve: 'CVE-2020-0001', isKnown: true },
    ]);
    assert.equal(core.record({ record: 4 }, work()).listed, undefined);
    assert.deepEqual(await mark(core, []), { rows: 0, hasChanged: true });
    assert.deepEqual([marked(core), await exploited(core)], [[], undefined]);
    core.close();
  });

  it('A list with EPSS says how likely attacks are, and never that they are known', async () => {
    const core = await open('a.ndjson', ndjson(findings));
    const epss = await keepEpss();
    assert.deepEqual([epss.known, epss.cves, epss.hasEpss], [0, 3, true]);
    await mark(core, [epss]);
    assert.deepEqual([marked(core), await exploited(core)], [[], [['likely', 2]]]);
    assert.equal(await countRows(core, { op: 'listed', sign: 'likely' }), 2);
    const [listed] = core.record({ record: 0 }, work()).listed ?? [];
    assert.deepEqual([listed?.isKnown, listed?.epss?.toFixed(5)], [false, '0.94358']);
    core.close();
  });

  it('A row counts once that both a column and a list say is exploited', async () => {
    const lines = [
      'cve,severity,kev,epss',
      'CVE-2021-44228,high,yes,0.2',
      'CVE-2021-44228,high,no,0.01',
      'CVE-1999-0011,high,yes,0.5',
      'CVE-1999-0012,high,,',
    ];
    const core = await open('a.csv', lines.join('\n'));
    assert.deepEqual(await exploited(core), [
      ['known', 2],
      ['likely', 2],
    ]);
    await mark(core, [await keep1(), await keepEpss()]);
    const counted = (await core.readOverview({ now: 0 }, work())).exploited ?? [];
    assert.deepEqual(
      counted.map(({ sign, count }) => [sign, count]),
      [
        ['known', 3],
        ['likely', 3],
      ],
    );
    for (const { filter, count } of counted) {
      assert.equal(filter && (await countRows(core, filter)), count);
    }
    assert.deepEqual(marked(core), [0, 1, 2]);
    core.close();
  });

  it('A row that is closed is not counted among the open ones that a list marks', async () => {
    const lines = ['cve,severity,status', 'CVE-2021-44228,high,fixed', 'CVE-2021-44228,low,open'];
    const core = await open('a.csv', lines.join('\n'));
    await mark(core, [await keep1()]);
    const counts = async (scope: 'open' | 'all') =>
      (await core.readOverview({ now: 0, scope }, work())).exploited?.map(({ count }) => count);
    assert.deepEqual([await counts('open'), await counts('all')], [[1], [2]]);
    core.close();
  });

  it('A file about no CVE has no count of lists, and one without a match has zero', async () => {
    const lists = [await keep1(), await keepEpss()];
    const without = await open('a.csv', 'host,severity\na,high\nb,low\n');
    await mark(without, lists);
    assert.equal(await exploited(without), undefined);
    without.close();
    const none = await open('b.csv', 'cve,severity\nCVE-1998-0011,high\n');
    await mark(none, lists);
    assert.deepEqual(await exploited(none), [
      ['known', 0],
      ['likely', 0],
    ]);
    none.close();
  });

  it('The worst types of an overview begin with what is exploited of the most severe ones', async () => {
    const lines = [
      'vulnerability_id,severity,host,epss',
      ...Array.from({ length: 3 }, (_, at) => `CVE-1998-0011,critical,h${at},0.01`),
      ...Array.from({ length: 2 }, (_, at) => `CVE-1998-0012,critical,h${at},0.3`),
      'CVE-1998-0013,critical,h1,0.4',
      'CVE-2021-44228,critical,h1,0.001',
      'CVE-2020-0001,low,h1,0.9',
    ];
    const core = await open('a.csv', lines.join('\n'));
    const types = async () =>
      (await core.readOverview({ now: 0 }, work())).topIssueTypes?.map(
        ({ value }) => value.cell.text,
      );
    const [frequent, likely, likelier, low] = [
      'CVE-1998-0011',
      'CVE-1998-0012',
      'CVE-1998-0013',
      'CVE-2020-0001',
    ];
    assert.deepEqual(await types(), [likelier, likely, frequent, 'CVE-2021-44228', low]);
    await mark(core, [await keep1()]);
    assert.deepEqual(await types(), ['CVE-2021-44228', likelier, likely, frequent, low]);
    core.close();
  });

  it('Rows are exploited by long values, too, and their records name the list', async () => {
    const others = Array.from({ length: 60 }, (_, at) => `CVE-1998-${1000 + at}`);
    const entries = others.map((cve) => ({ cve, urls: ['https://example.com'] }));
    const core = await open(
      'a.ndjson',
      ndjson([
        { severity: 'high', aliases: [...others, 'CVE-2021-44228'], knownExploited: [] },
        { severity: 'low', aliases: others, knownExploited: entries },
        { severity: 'low', aliases: others, knownExploited: [] },
      ]),
    );
    await mark(core, [await keep1()]);
    assert.deepEqual(marked(core), [0, 1]);
    const [listed] = core.record({ record: 0 }, work()).listed ?? [];
    assert.equal(listed?.cve, 'CVE-2021-44228');
    core.close();
  });

  it('A list that is gone or not whole marks nothing', async () => {
    const core = await open('a.ndjson', ndjson(findings));
    const [gone, cut] = [await keep1(), await keep1()];
    fs.rmSync(gone.file);
    fs.truncateSync(cut.file, fs.statSync(cut.file).size - 16);
    const empty = { ...gone, file: folder.write('empty.cves', '') };
    assert.deepEqual(await mark(core, [gone, cut, empty]), { rows: 0, hasChanged: false });
    core.close();
  });

  it('Lists mark the same rows, and are counted the same, where threads read ranges of the file', async () => {
    const rows = Array.from({ length: 3_000 }, (_, row) => ({
      id: row % 7 === 0 ? 'CVE-2021-44228' : `CVE-1998-${1000 + row}`,
      severity: row % 2 === 0 ? 'high' : 'low',
      kev: row % 3 === 0,
      epss: row % 5 === 0 ? 0.5 : 0.001,
      status: row % 11 === 0 ? 'fixed' : 'open',
    }));
    const file = folder.write('many.ndjson', ndjson(rows));
    const lists = [await keep1(), await keepEpss()];
    const threads = new RangeThreads(bundle('extension/dist/engineWorker.js'), 2, {
      minBytes: 0,
      firstBytes: 4096,
      bytes: 65_536,
    });
    const overviews = [];
    for (const options of [{}, { threads }]) {
      const core = await openCore(file, options);
      const { rows: found } = await mark(core, lists);
      const { exploited: counts } = await core.readOverview({ now: 0, scope: 'open' }, work());
      overviews.push({ found, counts });
      core.close();
    }
    threads.close();
    assert.ok(threads.rangesRead > 4);
    assert.deepEqual(overviews[1], overviews[0]);
    const open = rows.filter(({ status }) => status === 'open');
    const isListed = ({ id }: (typeof rows)[number]) => id === 'CVE-2021-44228';
    assert.deepEqual(
      overviews[0]?.counts?.map(({ count }) => count),
      [
        open.filter((row) => row.kev || isListed(row)).length,
        open.filter((row) => row.epss > 0.1 || isListed(row)).length,
      ],
    );
  });
});

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { gzipSync } from 'node:zlib';
import { mask } from '../../../../src/vocabulary/secretFields';
import { distinctValues, type Overview } from '../../../../src/engine/data/overview';
import {
  IssueTypeCounts,
  maxAssets,
  maxSplitAssets,
} from '../../../../src/engine/overview/issueTypeCounts';
import { countJob } from '../../../../src/engine/overview/countJob';
import { OverviewCounter } from '../../../../src/engine/overview/overviewCounter';
import { KeptCounts, OverviewCounts } from '../../../../src/engine/overview/overviewCounts';
import { findSpreads } from '../../../../src/engine/overview/spreads';
import { findRoles } from '../../../../src/vocabulary/roles';
import { YieldBudget } from '../../../../src/engine/threads/yieldBudget';
import { openPlain } from '../../../../src/engine/read/bytes/byteSource';
import { TableFile } from '../../../../src/engine/read/tableFile';
import { TableCore } from '../../../../src/engine/tableCore';
import { gzipSource, tableFolder, work } from '../../../helpers/tableFiles';

const day = 86_400_000;

describe('The overview of a file', () => {
  const folder = tableFolder();

  /** What is counted in the end. */
  async function counted(core: TableCore): Promise<Overview> {
    for (;;) {
      const overview = core.readOverviewSoFar({ now: 0 }, work());
      if (overview.done) {
        return overview;
      }
      await new Promise(setImmediate);
    }
  }

  async function overviewOf(lines: readonly object[]): Promise<Overview> {
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const core = await opened(folder.write('a.ndjson', text));
    const overview = await counted(core);
    core.close();
    return overview;
  }

  async function opened(file: string): Promise<TableCore> {
    const core = new TableCore(await TableFile.open(file, openPlain(file)));
    await core.start();
    return core;
  }

  const many = (count: number, line: (row: number) => object) =>
    Array.from({ length: count }, (_, row) => line(row));

  const told = (counts: Overview['severity']) =>
    counts?.values.map(({ cell, count }) => `${cell.text || cell.kind}: ${count}`);

  it('The overview of a file counts the first of several assets that a row has', async () => {
    const head = 'severity,HOSTNAME,IP ADDRESSES,FINAL URL,ISSUE TYPE CODE\n';
    const rows = [
      'high,a.example,192.0.2.1,https://a.example/,weak_cipher',
      'low,,192.0.2.1,https://b.example/,weak_cipher',
      'low,,192.0.2.1,,open_port',
      'high,,,https://c.example/,open_port',
      'high,,,,open_port',
    ];
    const core = await opened(folder.write('a.csv', head + `${rows.join('\n')}\n`.repeat(500)));
    const { assets, topIssueTypes } = await counted(core);
    assert.deepEqual(told(assets), [
      '192.0.2.1: 1000',
      'a.example: 500',
      'https://c.example/: 500',
      'null: 500',
    ]);
    assert.deepEqual(
      [assets?.column, assets?.moreColumns],
      ['/1', ['/2', '/3']],
      'the columns in which a filter has to look',
    );
    assert.deepEqual(
      topIssueTypes?.map(({ value, assets: number }) => [value.cell.text, number]),
      [
        ['open_port', 2],
        ['weak_cipher', 2],
      ],
    );
    core.close();
  });

  it('The overview of a file counts only one column of assets if its first rows have one', async () => {
    const { assets } = await overviewOf(many(300, () => ({ host: 'a.example', ip: '192.0.2.1' })));
    assert.deepEqual([told(assets), assets?.moreColumns], [['a.example: 300'], undefined]);
  });

  it('The overview of a file counts further assets of JSON, whatever stands for none', async () => {
    const { assets } = await overviewOf([
      { host: null, ip: '192.0.2.1' },
      { host: '', ip: '192.0.2.1' },
      { ip: '192.0.2.1', url: 'https://a.example' },
      { host: 'null', ip: '192.0.2.2' },
      { url: 'https://a.example' },
    ]);
    assert.deepEqual(told(assets), ['192.0.2.1: 3', 'https://a.example: 1', 'null: 1']);
  });

  it('The overview of a file is counted while records are being found, and completed after that', async () => {
    const lines = many(60_000, (row) => ({ severity: row % 3 === 0 ? 'high' : 'low', row }));
    const text = lines.map((line) => `${JSON.stringify(line)}${' '.repeat(400)}`).join('\n');
    const core = await opened(folder.write('a.ndjson', text));
    assert.equal(core.readOverviewSoFar({ now: 0 }, work()).rows, 0);
    let early = core.readOverviewSoFar({ now: 0 }, work());
    while (early.rows === 0) {
      await new Promise(setImmediate);
      early = core.readOverviewSoFar({ now: 0 }, work());
    }
    assert.ok(!early.done && early.rows < lines.length && !core.info().done);
    assert.equal(early.severity?.values[0]?.cell.text, 'high');
    const late = await counted(core);
    assert.deepEqual(told(late.severity), ['high: 20000', 'low: 40000']);
    // The records were checked in the same pass.
    assert.equal((await core.checked()).checked, true);
    core.close();
  });

  it('The overview of a file has charts of columns with frequent values, or with the spread of numbers and dates', async () => {
    const lines = many(10_000, (row) => ({
      severity: ['low', 'high'][row % 2],
      note: `unlike ${row}`,
      password: row % 3,
      port: row,
      few: row % 3,
      seen: new Date(row * day).toISOString(),
      ...(row % 2 === 0 && { sparse: row }),
    }));
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const core = await opened(folder.write('a.ndjson', text));
    core.charts();
    await counted(core);
    const { columns, done } = core.charts();
    core.close();
    assert.ok(done);
    const chartOf = (name: string) => columns.find(({ column }) => column === `/${name}`);
    const counts = (name: string) => chartOf(name)?.values?.map(({ cell }) => cell.text);
    assert.deepEqual(counts('severity'), ['high', 'low']);
    assert.deepEqual(counts('few'), ['0', '1', '2']);
    // What differs in each row, and what is secret, has none.
    assert.deepEqual([chartOf('note'), chartOf('password')], [undefined, undefined]);
    const port = chartOf('port')?.spread;
    assert.equal(port?.from, 0);
    assert.equal(port.to, 9_980);
    // Every 20th row of 10,000.
    assert.equal(
      port.steps.reduce((sum, count) => sum + count),
      500,
    );
    assert.ok(port.steps.every((count) => count >= 24 && count <= 26));
    assert.equal(chartOf('seen')?.spread?.from, 0);
    assert.equal(chartOf('sparse')?.spread?.steps.length, 20);
  });

  it('The overview of a file has charts of rows that are found at once where a file is large', async () => {
    const path = folder.write(
      'a.ndjson',
      many(2_000, (port) => ({ port }))
        .map((line) => JSON.stringify(line))
        .join('\n'),
    );
    const file = await TableFile.open(path, openPlain(path));
    await file.findAll(new YieldBudget(), () => undefined);
    file.inferShape(200);
    const port = file.shape.get('/port');
    for (const [maxBytes, sampled] of [
      [undefined, 500],
      [1_000, Math.ceil(2_000 / 64)],
    ] as const) {
      const [spread] = findSpreads(file, [port], 2_000, maxBytes);
      assert.equal(
        spread?.steps.reduce((sum, count) => sum + count),
        sampled,
      );
    }
    file.close();
  });

  it('The overview of a file has charts without numbers that another member names as secret', async () => {
    const lines = many(3_000, (row) =>
      row % 5 === 0 ? { name: 'api_token', value: 900_000 + row } : { name: 'latency', value: row },
    );
    const core = await opened(
      folder.write('a.ndjson', lines.map((line) => JSON.stringify(line)).join('\n')),
    );
    await counted(core);
    const { spread } = core.charts().columns.find(({ column }) => column === '/value') ?? {};
    core.close();
    assert.ok(spread && spread.to < 3_000, String(spread?.to));
  });

  it('The overview of a file counts only open problems where that is asked for, and says what it leaves out', async () => {
    const lines = many(9_000, (row) => ({
      severity: ['low', 'high', 'critical'][row % 3],
      issue_type: ['open_port', 'spf_record_missing'][row % 2],
      host: `host${row % 70}.example`,
      status: ['active', 'Resolved', 'decayed', 'open', null][row % 5],
      first_seen: new Date(row * day).toISOString(),
      team: ['a', 'b', undefined, 'c'][row % 4],
      scorecard_id: `company ${row % 13}`,
    }));
    const isOpen = (_: object, row: number) => row % 5 !== 1 && row % 5 !== 2;
    const file = folder.write('a.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'));
    const core = await opened(file);
    // Both are counted, each in a pass of its own.
    const params = { now: 9_000 * day, since: 8_000 * day };
    const [open, all] = await Promise.all([
      core.readOverview({ ...params, scope: 'open' }, work()),
      core.readOverview(params, work()),
    ]);
    core.close();
    const text = lines.filter(isOpen).map((line) => JSON.stringify(line));
    const plain = await opened(folder.write('open.ndjson', text.join('\n')));
    const expected = await plain.readOverview(params, work());
    plain.close();

    const { closed, status, ...others } = open;
    assert.deepEqual({ ...others, status: expected.status }, { ...expected });
    assert.equal(closed?.rows, 3600);
    assert.deepEqual(
      closed.by.flatMap(({ values }) => values).map(({ cell, count }) => [cell.text, count]),
      [
        ['Resolved', 1800],
        ['decayed', 1800],
      ],
    );
    assert.deepEqual(told(status), told(all.status));
    assert.deepEqual({ ...all.closed, areCounted: false }, closed);
    assert.equal(all.rows, 9000);
    assert.equal(open.scorecards?.total, 13);
    const [worst] = open.scorecards.worst;
    assert.ok(worst);
    const { value, severities } = worst;
    type Line = Readonly<Record<string, unknown>>;
    const ofWorst = (lines as readonly Line[])
      .filter(isOpen)
      .filter((line) => line.scorecard_id === value.cell.text);
    assert.deepEqual(
      severities.map(({ cell, count }) => [cell.text, count]),
      ['critical', 'high', 'low'].map((word) => [
        word,
        ofWorst.filter(({ severity }) => severity === word).length,
      ]),
    );
    for (const [at, ofAsset] of (open.assets?.severities ?? []).entries()) {
      const asset = open.assets?.values[at]?.cell.text;
      const own = (lines as readonly Line[]).filter(isOpen).filter(({ host }) => host === asset);
      const expectedOnes = ['critical', 'high', 'low']
        .map((word) => [word, own.filter(({ severity }) => severity === word).length] as const)
        .filter(([, count]) => count > 0);
      assert.deepEqual(
        ofAsset.map(({ cell, count }) => [cell.text, count]),
        expectedOnes,
      );
    }
    assert.equal(open.assets?.severities?.length, 10);
    const criticals = open.scorecards.worst.map((each) => each.severities[0]?.count ?? 0);
    assert.deepEqual(
      criticals,
      criticals.toSorted((one, other) => other - one),
    );
  });

  it('The overview of a file splits assets by severity unless there are too many of them', async () => {
    const rows = (count: number) =>
      many(count, (row) => ({
        severity: row < 3 ? 'high' : 'low',
        host: `${row < 9 ? 'often' : row}.example`,
      }));
    const { assets } = await overviewOf(rows(400));
    assert.deepEqual(
      assets?.severities?.[0]?.map(({ cell, count }) => [cell.text, count]),
      [
        ['high', 3],
        ['low', 6],
      ],
    );
    const { assets: tooMany } = await overviewOf(rows(maxSplitAssets + 9));
    assert.deepEqual([tooMany?.total, tooMany?.severities], [maxSplitAssets + 1, undefined]);
  });

  it('The overview of a file omits the times of a column with a secret name', async () => {
    const found = await overviewOf(
      many(4, (row) => ({
        host: `${row}.example`,
        token_issued: `2026-0${row + 1}-02`,
        credential: { first_seen: '2025-06-01' },
      })),
    );
    assert.equal(found.firstSeen, undefined);
    assert.doesNotMatch(JSON.stringify(found), /2025|2026/);
  });

  it('The overview of a file takes neither the date of its image nor those of vulnerabilities for the age of findings', async () => {
    const days = ['2024-01-02T00:00:00Z', '2025-03-04T00:00:00Z'];
    const trivy = {
      SchemaVersion: 2,
      ArtifactName: 'app:1',
      Metadata: { ImageConfig: { created: '2023-05-06T00:00:00Z' } },
      Results: [
        {
          Target: 'app:1 (alpine 3.19)',
          Class: 'os-pkgs',
          Vulnerabilities: days.map((day, at) => ({
            VulnerabilityID: `CVE-2024-100${at}`,
            PkgName: 'openssl',
            InstalledVersion: '3.1.4',
            Severity: 'HIGH',
            PublishedDate: day,
            LastModifiedDate: day,
          })),
        },
      ],
    };
    const snyk = {
      ok: false,
      packageManager: 'npm',
      vulnerabilities: days.map((day, at) => ({
        id: `SNYK-JS-A-${at}`,
        packageName: 'a',
        version: '1.0.0',
        severity: 'high',
        title: 'Prototype Pollution',
        creationTime: day,
        disclosureTime: day,
        modificationTime: day,
        publicationTime: day,
      })),
    };
    const cycloneDx = {
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { timestamp: '2026-01-02T00:00:00Z' },
      vulnerabilities: days.map((day, at) => ({
        id: `CVE-2024-100${at}`,
        ratings: [{ severity: 'high' }],
        created: day,
        published: day,
        updated: day,
        affects: [{ ref: 'pkg:npm/a@1.0.0' }],
      })),
    };
    for (const [name, document] of Object.entries({ trivy, snyk, cycloneDx })) {
      const core = await opened(folder.write(`${name}.json`, JSON.stringify(document)));
      const overview = await core.readOverview({ now: Date.UTC(2026, 10, 30) }, work());
      assert.deepEqual([overview.rows, overview.firstSeen?.column], [2, undefined], name);
      core.close();
    }
  });

  it('The overview of a file waits while a query runs', async () => {
    const text = many(100_000, (row) => ({ row, fill: 'x'.repeat(80) }))
      .map((line) => JSON.stringify(line))
      .join('\n');
    const core = await opened(folder.write('a.ndjson', text));
    core.readOverviewSoFar({ now: 0 }, work());
    await core.query({ query: { sort: [{ column: '/row', descending: true }] } }, work());
    const { rows, done } = core.readOverviewSoFar({ now: 0 }, work());
    assert.ok(!done && rows < 60_000, `${rows} rows`);
    assert.equal((await counted(core)).rows, 100_000);
    core.close();
  });

  it('The overview of a file counts the unpacked content of a compressed file', async () => {
    const lines = many(200_000, (row) => ({ status: row % 4 === 0 ? 'resolved' : 'active' }));
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const file = folder.write('a.ndjson.gz', gzipSync(text));
    const source = gzipSource(file, folder.path);
    const core = new TableCore(await TableFile.open(file, source));
    await core.start();
    assert.deepEqual(told((await counted(core)).status), ['active: 150000', 'resolved: 50000']);
    core.close();
  });

  it('The overview of a file ends when the table closes, and is refused when the file has changed', async () => {
    const text = '{"severity":"high"}\n'.repeat(500_000);
    const closed = await opened(folder.write('a.ndjson', text));
    closed.readOverviewSoFar({ now: 0 }, work());
    const checked = closed.check();
    closed.close();
    await assert.rejects(checked, { code: 'closed' });

    const file = folder.write('a.ndjson', text);
    const changed = await opened(file);
    changed.readOverviewSoFar({ now: 0 }, work());
    fs.truncateSync(file, 4000);
    assert.throws(() => changed.readOverviewSoFar({ now: 0 }, work()), { code: 'changed' });
    await assert.rejects(changed.check(), { code: 'changed' });
    await assert.rejects(changed.readOverview({ now: 0 }, work()), { code: 'changed' });
    changed.close();
  });

  it('The overview of a file counts a column that first appears in a late row, with a role or without', async () => {
    const lines = many(3000, (row) =>
      row < 2000 ? { row } : { row, severity: row % 2 ? 'low' : 'critical', kind: row % 3 },
    );
    const { severity, others } = await overviewOf(lines);
    assert.deepEqual(told(severity), ['critical: 500', 'low: 500', 'missing: 2000']);
    assert.deepEqual(others.map(told), [['missing: 2000', '2: 334', '0: 333', '1: 333']]);
  });

  it('The overview of a file releases the memory of a part whose counts are added', async () => {
    const file = folder.write('a.ndjson', '{"severity":"high"}\n');
    const table = await TableFile.open(file, openPlain(file));
    const counter = new OverviewCounter(table);
    const kept = new KeptCounts({ isPart: true });
    const part = new OverviewCounts(table, counter.state(), kept).part();
    const newest = new Float64Array(10_000);
    countJob(counter).addResult({ ...part, types: { ...part.types, newest } }, { from: 0, to: 0 });
    assert.equal(newest.length, 0);
    kept.dispose();
    counter.release();
    table.close();
  });

  it('The overview of a file counts at most 300 columns and those with a role, whenever they appear', async () => {
    const members = (row: number) =>
      Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`member_${at}`, row % 2]));
    const full = (row: number) => ({ ...members(row), severity: 'high' });
    for (const emptyRows of [0, 500]) {
      const lines = many(1000, (row) => (row < emptyRows ? {} : full(row)));
      const { others, severity } = await overviewOf(lines);
      // The record itself is one of them.
      assert.equal(others.length, 299);
      assert.equal(severity?.values[0]?.count, 1000 - emptyRows);
    }
  });

  it('The overview of a file lists rows without a value in all columns, also beside many values', async () => {
    const lines = many(1200, (row) => ({
      issue_type: `type ${row % 60}`,
      ...(row % 100 !== 99 && { domain: `host${row % 300}.example` }),
      ...(row % 2 === 0 && { status: 'open' }),
    }));
    const overview = await overviewOf([...lines, { domain: null, issue_type: null }]);
    const { assets, issueType, status } = overview;
    for (const [counts, total, empty] of [
      [assets, 299, ['missing: 12', 'null: 1']],
      [issueType, 61, ['null: 1']],
      [status, 2, ['missing: 601']],
    ] as const) {
      assert.ok(counts);
      const listed = told(counts) ?? [];
      assert.equal(listed.length, Math.min(50, total));
      assert.equal(counts.total, total);
      assert.deepEqual(
        listed.filter((each) => /missing|null/.test(each)),
        empty,
      );
    }
    assert.equal(assets && distinctValues(assets), 297);
  });

  it('The overview of a file leaves out columns with too many values, and objects that became a map', async () => {
    const { severity, assets, others } = await overviewOf(
      many(1200, (row) => ({
        severity: `level ${row % 300}`,
        domain: `host${row % 300}.example`,
        many: row % 51,
        few: row % 50,
        map: { [`key ${row % 201}`]: 1 },
      })),
    );
    assert.equal(severity, undefined);
    assert.deepEqual([assets?.values.length, assets?.total, assets?.other], [50, 300, 1000]);
    assert.deepEqual(
      others.map(({ column, total }) => [column, total]),
      [['/few', 50]],
    );
  });

  it('The overview of a file leaves out columns with few values that are long, so that many columns fit into memory', async () => {
    const half = 'x'.repeat(512 * 1024);
    const { severity, assets, others } = await overviewOf(
      many(6, (row) => ({
        severity: `${row % 3}${half}`,
        domain: `${row % 3}${half}`,
        long: `${row % 3}${half}`,
        short: row % 2 === 0 ? half : 'x',
      })),
    );
    assert.equal(severity, undefined);
    assert.equal(assets?.total, 3);
    assert.deepEqual(
      others.map(({ column, total }) => [column, total]),
      [['/short', 2]],
    );
  });

  it('The overview of a file counts ages exactly at any time, and nothing for a file without rows', async () => {
    const text = ['2026-11-01T00:00:00Z', '2026-11-01T00:00:00.001Z', '2026-09-30', 'never']
      .map((time) => `{"first_seen":"${time}"}\n`)
      .join('');
    const core = await opened(folder.write('a.ndjson', text));
    await counted(core);
    const first = Date.parse('2026-11-01T00:00:00Z');
    const at = (now: number) => core.readOverviewSoFar({ now, since: first + 1 }, work()).firstSeen;
    assert.deepEqual(at(first + 7 * day)?.ages, {
      under7: 2,
      from7To30: 0,
      from30To90: 1,
      over90: 0,
    });
    assert.deepEqual(at(first + 7 * day + 1)?.ages, {
      under7: 1,
      from7To30: 1,
      from30To90: 1,
      over90: 0,
    });
    // Of the times of the first day, one is a day away, and the other is later.
    assert.deepEqual(at(first - day + 1)?.ages, {
      future: 1,
      under7: 1,
      from7To30: 0,
      from30To90: 1,
      over90: 0,
    });
    assert.deepEqual(
      [at(0)?.sinceCount, at(0)?.months],
      [
        1,
        [
          { month: '2026-09', count: 1 },
          { month: '2026-11', count: 2 },
        ],
      ],
    );
    core.close();
    assert.deepEqual(await overviewOf([]), { rows: 0, done: true, others: [] });
  });

  it('The overview of a file masks secret values, each of which counts as another, and counts empty values as null', async () => {
    const text = 'Severity,user_name,Domain\nlow,ada,a.example\n,ada,\nHIGH,bo,a.example\n';
    const core = await opened(folder.write('a.csv', text));
    const overview = await core.readOverview({ now: 0 }, { ...work(), reveal: false });
    assert.deepEqual(told(overview.severity), ['HIGH: 1', 'low: 1', 'null: 1']);
    assert.deepEqual(overview.others.map(told), [[`${mask}: 2`, `${mask}: 1`]]);
    core.close();
  });

  it('The overview of a file omits the assets of issue types when there are too many pairs', () => {
    const counts = new IssueTypeCounts(false, 2000);
    const pairs = (count: number, type: (asset: number) => number) => ({
      severities: new Uint32Array(4),
      severityRoom: 1,
      newest: new Float64Array(4).fill(NaN),
      pairs: Uint32Array.from({ length: count }, (_, asset) => type(asset) * maxAssets + asset),
    });
    const type = Uint32Array.of(0, 1, 2, 3);
    const asset = Uint32Array.from({ length: 2000 }, (_, number) => number);
    for (let time = 0; time < 2; time += 1) {
      counts.merge(
        pairs(1999, (number) => number % 2),
        { type, asset },
      );
    }
    assert.deepEqual([counts.assets(0), counts.assets(1)], [1000, 999]);
    counts.merge(
      pairs(2, () => 3),
      { type, asset },
    );
    assert.equal(counts.assets(0), undefined);
    counts.release();
  });
});

describe('The roles of columns', () => {
  const column = (name: string, texts: readonly string[] = [], dates = 0) => ({
    name,
    texts,
    dates,
  });
  const rolesOf = (...columns: ReturnType<typeof column>[]) =>
    Object.fromEntries(
      Array.from(findRoles(columns), ([role, { column: found }]) => [role, found.name]),
    );

  it('The roles of columns are found by name, the likeliest first, in any notation', () => {
    assert.deepEqual(
      rolesOf(
        ...['IP Address', 'Domain', 'Issue Type', 'risk', 'finding.severity', 'Factor'].map(
          (name) => column(name),
        ),
        ...['groupStatus', 'First Seen', 'last_seen_time', 'Issue-ID'].map((name) => column(name)),
      ),
      {
        severity: 'finding.severity',
        issueType: 'Issue Type',
        factor: 'Factor',
        status: 'groupStatus',
        firstSeen: 'First Seen',
        asset: 'Domain',
        id: 'Issue-ID',
      },
    );
  });

  it('The roles of columns are found by values when no name matches', () => {
    const ids = Array.from({ length: 20 }, (_, row) => `f-${row}`);
    assert.deepEqual(
      rolesOf(
        column('a', ['High', 'low', 'INFO']),
        column('b', ['open_port', 'spf_record_missing', 'own']),
        column('c', ['dns_health']),
        column('d', ['active', 'departed']),
        column('updated', ['2026-11-21', '2026-11-22'], 2),
        column('e', ['2026-11-21', '2026-11-22'], 2),
        column('f', ['www.example.com', '192.0.2.1', '2001:db8::1']),
        column('g', ids),
      ),
      {
        severity: 'a',
        issueType: 'b',
        factor: 'c',
        status: 'd',
        firstSeen: 'e',
        asset: 'f',
        id: 'g',
      },
    );
  });

  it('The roles of columns are not given to columns that only look similar', () => {
    assert.deepEqual(
      rolesOf(
        column('city', ['Bern', 'Oslo', 'Bern']),
        column('created', ['yes', 'no']),
        column('level', ['info', 'info']),
        column('group', ['none', 'none']),
        column('rating', ['4.5', '3']),
        column('kind', ['error', 'warning', 'info']),
        column('risk', ['nobody knows', 'it depends', 'high']),
        column('priority', ['soon', 'later', 'high']),
        column('price', ['1', '2.50', '3']),
      ),
      {},
    );
  });
});

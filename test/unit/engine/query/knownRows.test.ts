import assert from 'node:assert/strict';
import type { IdentifiedRow, KnownFinding } from '../../../../src/engine/data/known';
import type { CountScope } from '../../../../src/engine/data/overview';
import { wholeFile } from '../../../../src/engine/data/query';
import type { TableCore } from '../../../../src/engine/tableCore';
import { openCore, startCore, tableFolder, work } from '../../../helpers/tableFiles';

describe('Known rows', () => {
  const folder = tableFolder();
  const open = (name: string, content: string) => openCore(folder.write(name, content));

  /** A finding of Semgrep without a fingerprint. */
  const finding = (rule: string, file: string, line: number, severity = 'ERROR') => ({
    check_id: rule,
    path: file,
    start: { line, col: 1 },
    extra: { severity, message: `${rule} found` },
  });
  const semgrep = (results: readonly object[]) => JSON.stringify({ version: '1', results });

  const decide = (row: IdentifiedRow): IdentifiedRow & KnownFinding => ({
    ...row,
    label: 'False positive',
    reason: 'falsePositive',
  });
  const identify = (core: TableCore) =>
    core.identify({ view: wholeFile, from: 0, count: 100 }, work());
  const setKnown = (core: TableCore, known: readonly KnownFinding[]) =>
    core.setKnown({ known }, work());

  /** The rows that are known by number. */
  const knownRows = (core: TableCore) =>
    core
      .rows({ view: wholeFile, from: 0, count: 100 }, work())
      .rows.flatMap(({ record, known }) => (known === undefined ? [] : [record]));

  async function openAgain(
    before: readonly object[],
    decided: readonly number[],
    after: readonly object[],
  ) {
    const first = await open('first.json', semgrep(before));
    const known = (await identify(first))
      .filter(({ record }) => decided.includes(record))
      .map(decide);
    first.close();
    const core = await open('second.json', semgrep(after));
    const summary = await setKnown(core, known);
    const rows = knownRows(core);
    core.close();
    return { summary, rows };
  }

  it('Known rows without a rule are found again in another order, with columns and dates that come late', async () => {
    const row = (name: string, more: object = {}) => ({
      ...{ severity: 'high', summary: `${name} is weak`, details: {}, group: 'web', triaged: '' },
      ...more,
    });
    const early = Array.from({ length: 250 }, (_, at) =>
      row(`host ${at}`, at % 50 === 9 ? { details: { note: 'n' } } : {}),
    );
    const late = (day: string) => row('late', { triaged: `2026-11-${day}T10:00:00Z` });
    const before = await open('order.json', JSON.stringify([...early, late('02')]));
    const decided = await before.identify({ view: wholeFile, from: 0, count: 300 }, work());
    before.close();
    const after = await open('order.json', JSON.stringify([late('09'), ...early.toReversed()]));
    const { rows, unmatched } = await setKnown(after, decided.map(decide));
    assert.deepEqual([decided.length, rows, unmatched], [251, 251, []]);
    after.close();
  });

  it('Known rows are told apart beside a column whose name has very many dots', async () => {
    const name = `${'a.'.repeat(90_000)}b`;
    const core = await open('dots.csv', `severity,path,${name}\nhigh,x.js,1\nlow,x.js,2\n`);
    const [first] = await identify(core);
    await setKnown(core, first ? [decide(first)] : []);
    assert.deepEqual(knownRows(core), [0]);
    core.close();
  });

  it('Known rows are all that are marked, also where only a few have an id of the service', async () => {
    const issues = Array.from({ length: 9 }, (_, at) => ({
      ...{ issue_type: 'security', severity: 'High', summary: `s${at}`, path: 'a/1.0/' },
      ...(at === 4 && { issue_id: 'XRAY-1' }),
    }));
    const core = await open('few.json', JSON.stringify({ artifacts: [{ issues }] }));
    const decided = await identify(core);
    await setKnown(core, decided.slice(0, 6).map(decide));
    assert.deepEqual(knownRows(core), [0, 1, 2, 3, 4, 5]);
    core.close();
  });

  it('Known rows are found again where lines have moved, and others were added', async () => {
    const before = [finding('a', 'x.ts', 3), finding('b', 'x.ts', 9), finding('a', 'y.ts', 4)];
    const after = [finding('c', 'x.ts', 1), finding('b', 'x.ts', 19), finding('a', 'x.ts', 13)];
    assert.deepEqual(await openAgain(before, [0, 2], after), {
      summary: { rows: 1, unmatched: [1], worse: [], hasChanged: true },
      rows: [2],
    });
  });

  it('Known rows of SARIF are known when the tool words the help of its rules anew', async () => {
    const sarif = (help: string) =>
      JSON.stringify({
        version: '2.1.0',
        runs: [
          {
            tool: { driver: { name: 'a', rules: [{ id: 'r', help: { text: help } }] } },
            results: ['one', 'two'].map((text) => ({
              ruleId: 'r',
              level: 'error',
              message: { text },
              locations: [{ physicalLocation: { artifactLocation: { uri: 'package-lock.json' } } }],
            })),
          },
        ],
      });
    const first = await open('first.sarif', sarif('Update it.'));
    const known = (await identify(first)).filter(({ record }) => record === 1).map(decide);
    first.close();
    const core = await open('second.sarif', sarif('Update it, or remove it.'));
    const { unmatched } = await setKnown(core, known);
    assert.deepEqual([knownRows(core), unmatched], [[1], []]);
    core.close();
  });

  it('Known rows have the comment of their decision in their record, also when it is over', async () => {
    const core = await open('comment.ndjson', JSON.stringify(finding('a', 'x.ts', 3)));
    const [decided] = (await identify(core)).map(decide);
    assert.ok(decided);
    for (const more of [{}, { isOver: true as const }]) {
      await setKnown(core, [{ ...decided, ...more, comment: 'no fix upstream' }]);
      assert.equal(core.record({ record: 0 }, work()).comment, 'no fix upstream');
    }
    await setKnown(core, [decided]);
    assert.equal(core.record({ record: 0 }, work()).comment, undefined);
    core.close();
  });

  it('Known rows are found where their names have bytes that are not UTF-8', async () => {
    const text = 'rule_id,severity,path\na,high,caf\u00e9.c\nb,low,x \u4f60.c\n';
    const content = Buffer.concat([Buffer.from(text), Buffer.from('c,low,x\u00ff.c\n', 'latin1')]);
    const core = await openCore(folder.write('damaged.csv', content));
    const known = (await identify(core)).map(decide);
    assert.equal(known.at(-1)?.id, JSON.stringify(['c', '', '', 'x\ufffd.c', '']));
    const { unmatched } = await setKnown(core, known);
    assert.deepEqual([knownRows(core), unmatched], [[0, 1, 2], []]);
    core.close();
  });

  it('Known rows are only those in the same line where a file has several of one rule', async () => {
    const before = [finding('a', 'x.ts', 3), finding('a', 'x.ts', 7), finding('b', 'x.ts', 1)];
    const added = finding('a', 'x.ts', 5);
    assert.deepEqual(await openAgain(before, [1], [added, ...before]), {
      summary: { rows: 1, unmatched: [], worse: [], hasChanged: true },
      rows: [2],
    });
    // One of them is left, and has moved: which one it is, nothing tells.
    const moved = [finding('a', 'x.ts', 8), finding('b', 'x.ts', 1)];
    assert.deepEqual((await openAgain(before, [1], moved)).rows, []);
  });

  it('Known rows that got worse are shown again, and those that got better are not', async () => {
    const before = [finding('a', 'x.ts', 3, 'WARNING'), finding('b', 'x.ts', 4, 'ERROR')];
    const after = [finding('a', 'x.ts', 3, 'ERROR'), finding('b', 'x.ts', 4, 'WARNING')];
    assert.deepEqual(await openAgain(before, [0, 1], after), {
      summary: { rows: 1, unmatched: [], worse: [0], hasChanged: true },
      rows: [1],
    });
  });

  it('Known rows of the service are found by their ids alone, in any format and in its other reports', async () => {
    const first = await open(
      'a.csv',
      'issue_id,severity,host\n7,high,a.example\n8,low,b.example\n',
    );
    const known = (await identify(first)).slice(0, 1).map(decide);
    first.close();
    const described = known.map(({ id, severity, place }) => [id, severity, place]);
    assert.deepEqual(described, [['7', 'high', 'a.example']]);
    const core = await open('b.ndjson', '{"issue_id":8}\n{"issue_id":"7","host":"z.example"}\n');
    await setKnown(core, known);
    assert.deepEqual(knownRows(core), [1]);
    core.close();
  });

  it('Known rows of scanners that number what they find, or its rules, are told apart by more than that', async () => {
    const pairs: readonly (readonly [string, string])[] = [
      [
        '[{"issue_id":1000,"title":"Logging","file":"A.java","line":3,"severity":2}]',
        '[{"issue_id":1000,"title":"SQL Injection","file":"Pay.java","line":9,"severity":4}]',
      ],
      [
        'Issue ID,Severity,Host\nJS-1,high,a\nJS-1,high,b\nJS-1,low,c\n',
        'Issue ID,Severity,Host\nJS-1,high,d\nJS-1,high,e\nJS-1,low,f\n',
      ],
    ];
    for (const [before, after] of pairs) {
      const extension = before.startsWith('[') ? 'json' : 'csv';
      const first = await open(`first.${extension}`, before);
      const known = (await identify(first)).slice(0, 1).map(decide);
      assert.equal(known.length, 1);
      assert.equal(known[0]?.isOfService, undefined);
      await setKnown(first, known);
      assert.deepEqual(knownRows(first), [0]);
      first.close();
      const core = await open(`second.${extension}`, after);
      await setKnown(core, known);
      assert.deepEqual(knownRows(core), []);
      core.close();
    }
  });

  it('Known rows of SARIF without fingerprints are known by rule and file, whatever the line', async () => {
    const result = (ruleId: string, uri: string, startLine: number) => ({
      ruleId,
      level: 'error',
      message: { text: `${ruleId}!` },
      locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine } } }],
    });
    const sarif = (results: readonly object[]) =>
      JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 't' } }, results }] });
    const first = await open('a.sarif', sarif([result('r1', 'a.c', 5), result('r2', 'b.c', 6)]));
    const known = (await identify(first)).slice(0, 1).map(decide);
    first.close();
    const described = known.map(({ rule, place, detail }) => [rule, place, detail]);
    assert.deepEqual(described, [['r1', 'a.c', '5']]);
    const core = await open('b.sarif', sarif([result('r2', 'b.c', 1), result('r1', 'a.c', 77)]));
    await setKnown(core, known);
    assert.deepEqual(knownRows(core), [1]);
    core.close();
  });

  it('Known rows count as closed in the overview, in filters and in groups, and no longer when they are not', async () => {
    const rows = ['a', 'b', 'c', 'd'].map((rule, at) =>
      finding(rule, 'x.ts', at + 1, at < 2 ? 'ERROR' : 'INFO'),
    );
    const core = await open('a.json', semgrep(rows));
    const known = (await identify(core)).slice(0, 1).map(decide);
    const overview = async (scope: 'open' | 'all' | 'openOrKnown') => {
      const counts = await core.readOverview({ now: 0, scope }, work());
      const severities = counts.severity?.values.map(({ cell, count }) => [cell.text, count]);
      return [counts.rows, counts.closed?.rows, counts.closed?.known, severities];
    };
    const both = [
      ['ERROR', 2],
      ['INFO', 2],
    ];
    assert.deepEqual(await overview('open'), [4, undefined, undefined, both]);
    await setKnown(core, known);
    assert.equal(core.info().known, 1);
    assert.deepEqual(await overview('open'), [
      3,
      1,
      1,
      [
        ['ERROR', 1],
        ['INFO', 2],
      ],
    ]);
    assert.deepEqual(await overview('all'), [4, 1, 1, both]);
    assert.deepEqual(await overview('openOrKnown'), [4, 1, 1, both]);
    const filtered = await core.query({ query: { filter: { op: 'known' } } }, work());
    assert.deepEqual([filtered.rows, filtered.open], [1, 0]);
    const groupBy = core.info().columns.flatMap(({ id, role }) => (role === 'severity' ? id : []));
    const grouped = await core.query({ query: { groupBy } }, work());
    const { groups } = core.groups({ view: grouped.id, from: 0, count: 9 }, work());
    assert.deepEqual(
      groups.map(({ open: some, count }) => [some, count]),
      [
        [1, 2],
        [2, 2],
      ],
    );
    await setKnown(core, []);
    assert.deepEqual(await overview('open'), [4, undefined, undefined, both]);
    assert.equal(core.info().known, undefined);
    core.close();
  });

  it('Known rows are found by long ids, and by all that they say where their id would be too long', async () => {
    const lines = [600, 2000, 5000, 5001].map((length) =>
      JSON.stringify({ rule_id: 'a', severity: 'low', file: `"\u00e9\n${'x'.repeat(length)}` }),
    );
    const core = await open('a.ndjson', `${lines.join('\n')}\n`);
    const rows = await identify(core);
    const isDigest = rows.map(({ id }) => id.startsWith('#'));
    assert.deepEqual(isDigest, [false, false, true, true]);
    for (const row of rows) {
      await setKnown(core, [decide(row)]);
      assert.deepEqual(knownRows(core), [row.record]);
    }
    core.close();
  });

  it('Known rows are identified with the URL of their package, which is no part of the id', async () => {
    const row = (purl: string) =>
      `{"vulnerability":"CVE-2026-1","severity":"low","package_name":"a","ref":"${purl}"}\n`;
    const core = await open('a.ndjson', row('pkg:npm/a@1') + row('pkg:npm/a@2'));
    const rows = await identify(core);
    assert.deepEqual(
      rows.map(({ purl }) => purl),
      ['pkg:npm/a@1', 'pkg:npm/a@2'],
    );
    assert.ok(rows[0]?.id.includes('npm') === false);
    core.close();
  });

  it('Known rows that are closed anyway count as known, in the overview as in the table', async () => {
    const line = (id: number, status: string) =>
      JSON.stringify({ issue_id: `${id}`, severity: 'low', status });
    const lines = [line(1, 'resolved'), line(2, 'active'), line(3, 'resolved'), line(4, 'active')];
    const core = await open('a.ndjson', lines.join('\n'));
    await setKnown(core, (await identify(core)).slice(0, 2).map(decide));
    const counts = async (scope: CountScope) => {
      const { rows, closed } = await core.readOverview({ now: 0, scope }, work());
      return [rows, closed?.rows, closed?.known];
    };
    assert.deepEqual(await counts('open'), [1, 3, 2]);
    assert.deepEqual(await counts('all'), [4, 3, 2]);
    assert.deepEqual(await counts('notKnown'), [2, 3, 2]);
    assert.deepEqual(await counts('openOrKnown'), [2, 3, 2]);
    const { rows } = await core.query({ query: { filter: { op: 'known' } } }, work());
    assert.deepEqual([core.info().known, rows], [2, 2]);
    core.close();
  });

  it('Known rows whose decision no longer holds are open again only where their file does not say that they are closed', async () => {
    const line = (id: number, severity: string, status: string) =>
      JSON.stringify({ issue_id: `${id}`, severity, status });
    const lines = [
      line(1, 'high', 'active'),
      line(2, 'high', 'resolved'),
      line(3, 'high', 'resolved'),
      line(4, 'high', 'active'),
    ];
    const core = await open('a.ndjson', lines.join('\n'));
    const [first, second, third, fourth] = (await identify(core)).map(decide);
    assert.ok(first && second && third && fourth);
    const over = [first, second].map((one) => ({ ...one, isOver: true as const }));
    const worse = [third, fourth].map((one) => ({ ...one, severity: 'low' as const }));
    const told = await setKnown(core, [...over, ...worse]);
    assert.deepEqual(core.info().wasKnown, { expired: 1, worse: 1 });
    assert.deepEqual(told.worse, [3]);
    const found = async (was: 'expired' | 'worse') => {
      const { id } = await core.query({ query: { filter: { op: 'known', was } } }, work());
      const { rows } = core.rows({ view: id, from: 0, count: 9 }, work());
      return rows.map(({ record }) => record);
    };
    assert.deepEqual([await found('expired'), await found('worse')], [[0], [3]]);
    const { rows } = core.rows({ view: wholeFile, from: 0, count: 9 }, work());
    assert.deepEqual(
      rows.map(({ wasKnown }) => wasKnown?.why),
      ['expired', 'expired', 'worse', 'worse'],
    );
    core.close();
  });

  it('Known rows whose decision no longer holds are not open again where a column says that they are closed which only later rows have', async () => {
    const lines = Array.from({ length: 400 }, (_, at) =>
      JSON.stringify({
        ...{ issue_id: `${at}`, severity: 'high', host: `h${at}.example` },
        ...(at >= 300 && { status: at % 2 === 0 ? 'resolved' : 'open', fixed_by: `p${at}` }),
      }),
    );
    const file = folder.write('a.ndjson', lines.join('\n'));
    const known = [1, 310, 311].map((at) => ({ id: `${at}`, label: '', reason: 'fixed' }));
    const wasLess = [2, 320, 321].map((at) => ({
      ...{ id: `${at}`, label: '', reason: 'fixed', severity: 'low' as const },
    }));
    for (const isEarly of [true, false]) {
      const core = await (isEarly ? startCore(file) : openCore(file));
      const decided = [...known.map((one) => ({ ...one, isOver: true as const })), ...wasLess];
      const told = await setKnown(core, decided);
      assert.deepEqual(core.info().wasKnown, { expired: 2, worse: 2 });
      assert.deepEqual(told.worse, [3, 5]);
      await core.check();
      assert.deepEqual(core.info().wasKnown, { expired: 2, worse: 2 });
      const found = async (was: 'expired' | 'worse') => {
        const filter = { op: 'known', was } as const;
        const { id, rows, open: areOpen } = await core.query({ query: { filter } }, work());
        assert.equal(areOpen, rows);
        const page = core.rows({ view: id, from: 0, count: 9 }, work());
        return page.rows.map(({ record }) => record);
      };
      assert.deepEqual(
        [await found('expired'), await found('worse')],
        [
          [1, 311],
          [2, 321],
        ],
      );
      assert.deepEqual(
        core.info().columns.map(({ name }) => name),
        ['issue_id', 'severity', 'host', 'status', 'fixed_by'],
      );
      core.close();
    }
  });

  it('Known rows are left out of an overview that was asked for before they were found', async () => {
    const lines = Array.from({ length: 3000 }, (_, at) => `{"issue_id":"${at}","severity":"low"}`);
    const core = await open('a.ndjson', lines.join('\n'));
    const checking = core.check();
    const soFar = core.readOverviewSoFar({ now: 0, scope: 'open' }, work());
    assert.equal(soFar.done, false);
    const known = [{ id: '2999', label: '', reason: 'fixed' }];
    const [, overview] = await Promise.all([
      setKnown(core, known),
      core.readOverview({ now: 0, scope: 'open' }, work()),
      checking,
    ]);
    assert.deepEqual([overview.rows, overview.closed?.known], [2999, 1]);
    core.close();
  });

  it('Known rows have their reason in a column of exports, in CSV and in JSON', async () => {
    const core = await open('a.ndjson', '{"issue_id":"1","severity":"low"}\n{"issue_id":"2"}\n');
    await setKnown(core, (await identify(core)).slice(1).map(decide));
    const view = await core.hold({ query: {} }, work());
    const texts = async (format: 'csv' | 'ndjson') =>
      (await core.exportPart({ view: view.id, from: 0, format }, work())).text;
    assert.equal(await texts('csv'), 'issue_id,severity,known\r\n1,low,\r\n2,,falsePositive\r\n');
    assert.equal(
      await texts('ndjson'),
      '{"issue_id":"1","severity":"low"}\n{"issue_id":"2","known":"falsePositive"}\n',
    );
    core.close();
  });

  it('Known rows have their reason in a column of exports with another name where the file has one, and in one of its own if it is over', async () => {
    const lines = ['1', '2', '3', '4'].map((id) =>
      JSON.stringify({ issue_id: id, severity: 'high', Known: `no ${id}` }),
    );
    const core = await open('a.ndjson', `${lines.join('\n')}\n`);
    const [first, second, third] = (await identify(core)).map(decide);
    assert.ok(first && second && third);
    await setKnown(core, [first, { ...second, isOver: true }, { ...third, severity: 'low' }]);
    const filter = { op: 'not', of: { op: 'known' } } as const;
    const view = await core.hold({ query: { filter } }, work());
    const texts = async (format: 'csv' | 'ndjson') =>
      (await core.exportPart({ view: view.id, from: 0, format }, work())).text;
    assert.equal(
      await texts('csv'),
      'issue_id,severity,Known,known_issue,was_known\r\n2,high,no 2,,falsePositive (expired)\r\n3,high,no 3,,falsePositive (worse)\r\n4,high,no 4,,\r\n',
    );
    const members = (await texts('ndjson')).trim().split('\n');
    assert.deepEqual(
      members.map((text) => (JSON.parse(text) as { was_known?: string }).was_known),
      ['falsePositive (expired)', 'falsePositive (worse)', undefined],
    );
    const words = {
      ...{ texts: {}, changes: {}, titles: {} },
      addedTitles: { scorecardName: '', known: 'Known', wasKnown: 'Was known' },
      past: { expired: 'too old', worse: 'got worse' },
    };
    const part = { view: view.id, from: 0, format: 'excelCsv', words } as const;
    const { text } = await core.exportPart(part, work());
    const label = first.label;
    assert.equal(
      text,
      `\ufeffissue_id,severity,Known,Known,Was known\r\n2,high,no 2,,${label} (too old)\r\n3,high,no 3,,${label} (got worse)\r\n4,high,no 4,,\r\n`,
    );
    core.close();
  });

  it('Known rows need a rule and a place to have the same id: else they are known by all that they say', async () => {
    const csv = (...rows: readonly string[]) =>
      ['Plugin ID,CVE,Risk,Host,Port,Name', ...rows, ''].join('\n');
    const [cve, plain, other] = [
      '1,CVE-2026-1,High,h1,443,A',
      '2,,High,h1,443,B',
      '3,,High,h1,443,C',
    ];
    const first = await open('a.csv', csv(cve, plain));
    const known = (await identify(first)).slice(1).map(decide);
    first.close();
    const second = await open('b.csv', csv(other, plain, cve));
    await setKnown(second, known);
    assert.deepEqual(knownRows(second), [1]);
    second.close();
    const odd = await open('c.csv', 'amount,severity\n1,high\n2,high\n');
    const decided = (await identify(odd)).slice(0, 1).map(decide);
    await setKnown(odd, decided);
    assert.deepEqual(knownRows(odd), [0]);
    odd.close();
  });

  /** The rows of the second file that are known when the first row of another one was decided about. */
  async function knownFrom(before: string, after: string): Promise<number[]> {
    const first = await open('a.csv', before);
    const known = (await identify(first)).slice(0, 1).map(decide);
    first.close();
    const second = await open('b.csv', after);
    await setKnown(second, known);
    const rows = knownRows(second);
    second.close();
    return rows;
  }

  it('Known rows without a rule are found again where lines have moved, and one of several by its line', async () => {
    const csv = (...rows: readonly string[]) =>
      ['severity,description,path,start_line,end_line', ...rows, ''].join('\n');
    const [before, moved, other] = [
      'high,A key,x.ts,3,4',
      'high,A key,x.ts,13,14',
      'low,B,x.ts,3,3',
    ];
    assert.deepEqual(await knownFrom(csv(before), csv(other, moved)), [1]);
    assert.deepEqual(await knownFrom(csv(moved, before), csv(before, moved)), [1]);
  });

  it('Known rows with a UUID of their own are known on another host, too, and those with numbers are not', async () => {
    const csv = (id: string, host: string) => `id,hostname,severity\n${id},${host},high\n`;
    const uuid = '3f2c8f1e-0000-4000-8000-000000000001';
    assert.deepEqual(await knownFrom(csv(uuid, 'a'), csv(uuid, 'b')), [0]);
    assert.deepEqual(await knownFrom(csv('1', 'a'), csv('1', 'b')), []);
    const inPackage = (name: string) => `id,package_name,severity\n${uuid},${name},high\n`;
    assert.deepEqual(await knownFrom(inPackage('a'), inPackage('b')), []);
  });

  it('Known rows of a package are not those of a file with the same name', async () => {
    const csv = (row: string) =>
      ['rule_id,package_name,file_path,severity', row, 'r0,p,f,high', ''].join('\n');
    assert.deepEqual(await knownFrom(csv('r1,vendor,,high'), csv('r1,,vendor,high')), []);
    assert.deepEqual(await knownFrom(csv('r1,vendor,,high'), csv('r1,vendor,,high')), [0]);
  });

  /** Pairs of different findings that differ in one column, by the columns of their file. */
  const different: readonly (readonly [columns: string, one: string, other: string])[] = [
    ['rule,severity,repository,file', 'r,high,shop,src/a.js', 'r,high,bank,src/a.js'],
    ['rule,severity,project,file', 'r,high,shop,src/a.js', 'r,high,bank,src/a.js'],
    ['rule,severity,repository,project,file', 'r,high,m,shop,a.js', 'r,high,m,bank,a.js'],
    ['rule,severity,host,file', 'r,high,web1,/etc/passwd', 'r,high,web2,/etc/passwd'],
    ['rule,severity,asset,file', 'r,high,web1,/etc/passwd', 'r,high,web2,/etc/passwd'],
    ['rule,severity,account_id,resource_name', 'r,high,11,logs', 'r,high,22,logs'],
    ...['package', 'component', 'dependency', 'module', 'library'].map(
      (name) =>
        [
          `cve,severity,${name},version,file`,
          'CVE-2026-1,high,lodash,1.0,package-lock.json',
          'CVE-2026-1,high,minimist,1.0,package-lock.json',
        ] as const,
    ),
    [
      'cve,severity,purl,file',
      'CVE-2026-1,high,pkg:npm/lodash@1.0,package-lock.json',
      'CVE-2026-1,high,pkg:npm/minimist@1.0,package-lock.json',
    ],
    ['cve,severity,package,image', 'CVE-2026-1,high,zlib,app', 'CVE-2026-1,high,curl,app'],
    ['rule,severity,url,parameter', 'r,high,https://a/x,q', 'r,high,https://a/x,name'],
    ['rule,severity,host,url', 'r,high,a,https://a/x', 'r,high,a,https://a/y'],
    ['rule,severity,host,port,protocol', 'r,high,a,53,tcp', 'r,high,a,53,udp'],
  ];

  it('Known rows hide no finding that differs only in what is around its place or in it', async () => {
    for (const [columns, one, other] of different) {
      const csv = (...rows: readonly string[]) => [columns, ...rows, ''].join('\n');
      const first = await open('a.csv', csv(one));
      const known = (await identify(first)).map(decide);
      first.close();
      const second = await open('b.csv', csv(other));
      const { unmatched } = await setKnown(second, known);
      assert.deepEqual([knownRows(second), unmatched], [[], [0]], columns);
      second.close();
      assert.deepEqual(await knownFrom(csv(one), csv(other, one)), [1], columns);
    }
  });

  it('Known rows are known when the version of their package or the folder of their project is another', async () => {
    const same: readonly (readonly [columns: string, before: string, after: string])[] = [
      [
        'cve,severity,purl,file',
        'CVE-2026-1,high,pkg:npm/%40a/b@1.0?arch=x#y,package-lock.json',
        'CVE-2026-1,high,pkg:npm/%40a/b@1.1,package-lock.json',
      ],
      [
        'cve,severity,package,version,file',
        'CVE-2026-1,high,lodash,1.0,package-lock.json',
        'CVE-2026-1,high,lodash,1.1,package-lock.json',
      ],
      [
        'rule,severity,repository,file',
        'r,high,file:///tmp/run-1/shop,src/a.js',
        'r,high,/tmp/run-2/shop/,src/a.js',
      ],
      ['rule,severity,project,file', 'r,high,C:\\run-1\\shop,a.js', 'r,high,D:\\shop,a.js'],
    ];
    for (const [columns, before, after] of same) {
      const csv = (row: string) => [columns, row, ''].join('\n');
      assert.deepEqual(await knownFrom(csv(before), csv(after)), [0], before);
    }
  });

  it('Known rows need more than a rule and a repository to have the same id', async () => {
    const csv = (title: string) => `rule,severity,repository,title\nr,high,shop,${title}\n`;
    assert.deepEqual(await knownFrom(csv('One'), csv('Another')), []);
    assert.deepEqual(await knownFrom(csv('One'), csv('One')), [0]);
  });

  it('Known rows without the id of their resource are known by its name, also when no row has an id', async () => {
    const csv = (...rows: readonly string[]) =>
      ['rule_id,resource_name,resource_id,age,severity', ...rows, ''].join('\n');
    const before = csv('r1,data,,3,high', 'r1,logs,arn:logs,3,high');
    assert.deepEqual(await knownFrom(before, csv('r1,data,,4,high')), [0]);
    assert.deepEqual(
      await knownFrom(before, csv('r1,logs,arn:logs,4,high', 'r1,data,,4,high')),
      [1],
    );
  });

  it('Known rows have no fingerprint that is a sentence, nor one without its file', async () => {
    const result = (file: string) => ({
      ...finding('a', file, 3),
      extra: { severity: 'ERROR', message: 'a found', fingerprint: 'requires login' },
    });
    assert.deepEqual((await openAgain([result('x.ts')], [0], [result('y.ts')])).rows, []);
    const printed = (file: string) => ({
      ...finding('a', file, 3),
      extra: { severity: 'ERROR', message: 'a found', fingerprint: '0123456789abcdef' },
    });
    assert.deepEqual((await openAgain([printed('x.ts')], [0], [printed('y.ts')])).rows, []);
    assert.deepEqual((await openAgain([printed('x.ts')], [0], [printed('x.ts')])).rows, [0]);
  });

  it('Known rows of SARIF keep their lines however it is written', async () => {
    const result = (startLine: number) => ({
      ruleId: 'r',
      level: 'error',
      message: { text: 'r!' },
      locations: [
        { physicalLocation: { artifactLocation: { uri: 'src/a b.c' }, region: { startLine } } },
      ],
    });
    const log = (...lines: readonly number[]) => ({
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 't' } }, results: lines.map(result) }],
    });
    const first = await open('a.sarif', JSON.stringify(log(3, 9), null, 2));
    const known = (await identify(first)).slice(1).map(decide);
    first.close();
    const second = await open('b.sarif', JSON.stringify(log(9, 3)));
    await setKnown(second, known);
    assert.deepEqual(knownRows(second), [0]);
    second.close();
  });

  it('Known rows that were decided twice follow the decision that holds', async () => {
    const core = await open('a.json', semgrep([finding('a', 'x.ts', 30)]));
    const [row] = (await identify(core)).map(decide);
    const old = { ...row, detail: '3', isOver: true as const, label: 'old', reason: 'fixed' };
    await setKnown(core, [{ id: '', ...old }, ...(row ? [row] : [])]);
    assert.deepEqual(knownRows(core), [0]);
    core.close();
  });

  it('Known rows are found in a file with thousands of findings of one rule', async () => {
    const rows = Array.from({ length: 5000 }, (_, at) => finding('a', 'x.ts', at + 1));
    const core = await open('a.json', semgrep(rows));
    const page = { view: wholeFile, from: 0, count: 5000 };
    const known = (await core.identify(page, work())).map(decide);
    const { rows: found } = await setKnown(core, known);
    assert.equal(found, 5000);
    core.close();
  });

  it('Known rows are those of secrets in SARIF, too, whose code is masked', async () => {
    const sarif = (...lines: readonly number[]) =>
      JSON.stringify({
        version: '2.1.0',
        runs: [
          {
            tool: { driver: { name: 'gitleaks', rules: [{ id: 'hardcoded-secret' }] } },
            results: lines.map((startLine) => ({
              ruleId: 'hardcoded-secret',
              message: { text: 'A secret is in the code.' },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: `src/${startLine}.ts` },
                    region: { startLine, snippet: { text: 'const key = "hunter2hunter2";' } },
                  },
                },
              ],
            })),
          },
        ],
      });
    const first = await open('first.sarif', sarif(1, 2));
    const found = await identify(first);
    assert.ok(!JSON.stringify(found).includes('hunter2'));
    assert.deepEqual(
      found.map(({ place, detail }) => [place, detail]),
      [
        ['src/1.ts', '1'],
        ['src/2.ts', '2'],
      ],
    );
    first.close();
    const core = await open('second.sarif', sarif(2, 3));
    await setKnown(core, found.map(decide));
    assert.deepEqual(knownRows(core), [0]);
    core.close();
  });

  it('Known rows say why in a copy as Markdown, in a column that is only there where one is among them', async () => {
    const core = await open('a.csv', 'issue_id,severity\nF-7,high\nF-8,low\nF-9,low\n');
    await core.check();
    await setKnown(core, (await identify(core)).slice(1, 2).map(decide));
    const copy = async (from: number, count: number) => {
      const reasons = {
        addedTitles: { scorecardName: '', known: 'Known', wasKnown: 'Was known' },
        past: { expired: 'expired', worse: 'worse' },
      };
      const columns = core.info().columns.map(({ id }) => id);
      const range = { view: wholeFile, from, count, columns, headings: true };
      return (await core.copy({ ...range, format: 'markdown', reasons }, work())).text;
    };
    assert.equal(
      await copy(0, 2),
      '| issue_id | severity | Known |\n| --- | --- | --- |\n| F-7 | high |  |\n| F-8 | low | False positive |\n',
    );
    assert.ok(!(await copy(2, 1)).includes('Known'));
    core.close();
  });

  it('Known rows of npm audit are the packages with what was found in them, in any order, and nothing else', async () => {
    const advisory = (id: string) => ({
      source: Number(id),
      name: 'axios',
      title: `Problem ${id}`,
      url: `https://github.com/advisories/GHSA-${id}`,
      severity: 'high',
      range: '<2',
    });
    const audit = (packages: Readonly<Record<string, readonly unknown[]>>) =>
      JSON.stringify({
        auditReportVersion: 2,
        vulnerabilities: Object.fromEntries(
          Object.entries(packages).map(([name, via]) => [
            name,
            {
              name,
              severity: 'high',
              isDirect: true,
              via,
              effects: [],
              range: '<2',
              nodes: [name],
              fixAvailable: true,
            },
          ]),
        ),
      });
    const before = { axios: [advisory('1')], qs: [advisory('2'), advisory('3')], express: ['qs'] };
    const first = await open('first.json', audit(before));
    const known = (await identify(first)).map(decide);
    assert.deepEqual(
      known.map(({ rule }) => rule),
      ['GHSA-1', 'GHSA-2, GHSA-3', 'qs'],
    );
    first.close();
    const after = { ...before, axios: [advisory('1'), advisory('9')], qs: before.qs.toReversed() };
    const core = await open('second.json', audit(after));
    const { unmatched } = await setKnown(core, known);
    assert.deepEqual([knownRows(core), unmatched], [[1, 2], [0]]);
    core.close();
  });

  it('Known rows are told apart without columns of secrets', async () => {
    const rows = ['a.ts,hunter2,x', 'b.ts,letmein,y'];
    const core = await open('a.csv', `file,password_check,rule\n${rows.join('\n')}\n`);
    await setKnown(core, (await identify(core)).slice(1).map(decide));
    assert.deepEqual(knownRows(core), [1]);
    core.close();
  });

  it('Known rows never name what is secret', async () => {
    const core = await open('a.csv', 'issue_id,password,title\n1,hunter2,Weak\n2,letmein,Weak\n');
    const found = await identify(core);
    assert.equal(found.length, 2);
    assert.ok(!JSON.stringify(found).includes('hunter2'));
    core.close();
  });
});

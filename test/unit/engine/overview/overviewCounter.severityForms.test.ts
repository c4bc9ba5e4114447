import assert from 'node:assert/strict';
import type { ColumnCounts, Overview } from '../../../../src/engine/data/overview';
import { overviewModel } from '../../../../src/summary/overviewModel';
import { pageTexts } from '../../../../src/summary/pageTexts';
import { Texts } from '../../../../src/summary/texts';
import { worstFirst } from '../../../../src/webview/state/criteria';
import { type Ratings, worstRated } from '../../../../src/vocabulary/grade';
import { countRows, openCore, tableFolder, work } from '../../../helpers/tableFiles';

describe('The severities of a CSV report', () => {
  const folder = tableFolder();
  const texts = new Texts(
    Object.fromEntries(Object.entries(pageTexts).map(([key, { text }]) => [key, text])),
    'en',
  );

  async function overviewOf(...lines: readonly string[]) {
    return overviewOfFile('report.csv', lines);
  }

  /** The overview of a file, with the rows that the filter of each severity and status finds. */
  async function overviewOfFile(name: string, lines: readonly string[]) {
    const core = await openCore(folder.write(name, lines.join('\n')));
    const overview = await core.readOverview({ now: 0 }, work());
    const info = core.info();
    const { columns } = info;
    const { sections, facts } = overviewModel(overview, {
      texts,
      about: { title: 'Report' },
      info,
      now: 0,
      added: [],
    });
    const rowsOf = (id: string) => sections.find((section) => section.id === id)?.rows ?? [];
    for (const { label, count, chosen } of [...rowsOf('severity'), ...rowsOf('status')]) {
      assert.ok(chosen, label);
      assert.equal(await countRows(core, chosen.filter), count, label);
    }
    const scorecards = rowsOf('scorecards');
    for (const { text, chosen } of scorecards.flatMap(({ cells = [] }) => cells)) {
      assert.ok(chosen);
      assert.equal(await countRows(core, chosen.filter), Number(text || 0), chosen.label);
    }
    core.close();
    const told = (id: string) => rowsOf(id).map(({ label, count }) => `${label}: ${count}`);
    return {
      overview,
      facts: facts.map(({ text }) => text),
      sort: worstFirst(columns),
      tiles: rowsOf('severity').map(({ label, count, tone }) => `${label}: ${count} ${tone}`),
      statuses: told('status'),
      assets: told('assets'),
      scorecards: scorecards.map(({ label, cells }) => [
        label,
        ...(cells ?? []).map(({ text }) => text),
      ]),
    };
  }

  const told = (counts: ColumnCounts | undefined) =>
    counts?.values.map(({ cell, count }) => `${cell.text}: ${count}`);
  const worstTypes = ({ topIssueTypes }: Overview) =>
    topIssueTypes?.map(({ value, severity }) => `${value.cell.text}: ${severity?.cell.text}`);

  it('The severities of a CSV report are priorities of rules that code breaks, of which 1 is the worst', async () => {
    const { tiles, sort } = await overviewOf(
      '"Problem","Package","File","Priority","Line","Description","Rule set","Rule"',
      '"1","org.example","/a/A.java","3","21","All methods are static","Design","UseUtilityClass"',
      '"2","org.example","/a/A.java","1","80","A field is public","Design","PublicField"',
      '"3","org.example","/a/B.java","3","7","A stream stays open","Error Prone","CloseResource"',
      '"4","org.example","/a/B.java","5","9","A name is short","Style","ShortName"',
    );
    assert.deepEqual(tiles, [
      'Priority 1: 1 critical',
      'Priority 3: 2 medium',
      'Priority 5: 1 info',
    ]);
    assert.deepEqual(sort, [{ column: '/3', descending: false }]);
  });

  it('The severities of a CSV report are priorities of vulnerabilities, also in German', async () => {
    const { tiles, overview } = await overviewOf(
      'Schwachstelle;Priorität;Issue Type;Rechner',
      'Fehlende Kopfzeile;4;header;a.example',
      'SQL-Injektion;1;injection;b.example',
      'Offener Port;2;port;b.example',
      'Offener Port;4;port;a.example',
    );
    assert.deepEqual(tiles, [
      'Priorität 1: 1 critical',
      'Priorität 2: 1 high',
      'Priorität 4: 2 low',
    ]);
    assert.deepEqual(worstTypes(overview), ['injection: 1', 'port: 2', 'header: 4']);
  });

  it('The severities of a CSV report are numbers on the scale of Qualys, Veracode, Nessus or Nexpose', async () => {
    const qualys = await overviewOf(
      '"Scan Results","01/02/2026 at 10:00:00"',
      '"Example","1 Main Street","Berlin"',
      '',
      '"IP","DNS","OS","QID","Title","Vuln Status","Type","Severity","Port"',
      '"192.0.2.1","a.example","Linux","38170","Old TLS","Active","Vuln","5","443"',
      '"192.0.2.1","a.example","Linux","86000","Web server","Active","Ig","1","80"',
      '"192.0.2.2","b.example","Linux","38173","Certificate","Active","Vuln","3","443"',
      '"192.0.2.2","b.example","Linux","38174","Cipher","Active","Vuln","4","443"',
    );
    assert.deepEqual(qualys.tiles, [
      'Severity 5: 1 critical',
      'Severity 4: 1 high',
      'Severity 3: 1 medium',
      'Severity 1: 1 info',
    ]);
    assert.deepEqual(qualys.sort, [{ column: '/7', descending: true }]);
    const vmdr = await overviewOf(
      'QID,Title,Severity,QDS Severity,Status,Asset Name',
      '1,a,5,MEDIUM,ACTIVE,x',
      '2,b,2,HIGH,ACTIVE,y',
    );
    assert.deepEqual(vmdr.tiles, ['Severity 5: 1 critical', 'Severity 2: 1 low']);
    const veracode = await overviewOf(
      'Issue ID,Severity,CWE ID,Module,Source File,Line,Remediation Status',
      ...['1,5,89,a.jar,A.java,3,New', '2,0,89,a.jar,A.java,4,Open', '3,1,80,a.jar,B.java,9,Open'],
    );
    assert.deepEqual(veracode.tiles, [
      'Severity 5: 1 critical',
      'Severity 1: 1 low',
      'Severity 0: 1 info',
    ]);
    const nessus = await overviewOf(
      'Plugin ID,Severity,Host,Name',
      ...['19506,0,a,x', '1,4,b,y', '2,3,b,z', '3,4,c,y'],
    );
    assert.deepEqual(nessus.tiles, [
      'Severity 4: 2 critical',
      'Severity 3: 1 high',
      'Severity 0: 1 info',
    ]);
    const nexpose = await overviewOf(
      'Asset IP Address,Service Port,Vulnerability ID,Vulnerability Severity Level,Vulnerability Title',
      ...['192.0.2.1,80,a,3,x', '192.0.2.1,80,b,7,y', '192.0.2.2,80,c,8,z', '192.0.2.2,80,d,10,z'],
    );
    assert.deepEqual(nexpose.tiles, [
      'Severity 10: 1 critical',
      'Severity 8: 1 critical',
      'Severity 7: 1 high',
      'Severity 3: 1 medium',
    ]);
    const tenable = await overviewOf('Plugin ID,Risk,Host,Severity', '1,High,a,3', '2,Low,b,1');
    assert.deepEqual(tenable.tiles, ['High: 1 high', 'Low: 1 low']);
    // Values beyond its scale are none of it, and words stay.
    const other = await overviewOf('Plugin ID,Severity,Host,Name', '1,5,a,x', '2,9,b,y');
    assert.deepEqual(other.tiles, ['Severity 9: 1 critical', 'Severity 5: 1 none']);
    const words = await overviewOf('QID,SEVERITY,Q_SEVERITY,IP', '1,M,5,a', '2,H,1,b');
    assert.deepEqual(words.tiles, ['H: 1 high', 'M: 1 medium']);
  });

  it('The severities of a CSV report are scores of Orca', async () => {
    const { tiles } = await overviewOf(
      'OrcaScore,Title,Category,CreatedAt',
      '5.1,Role is not used,IAM,2026-01-15T10:30:00+00:00',
      '9.5,Root has an active key,IAM,2026-02-02T16:00:00+00:00',
      '0,Bucket has no owner,Best practices,2026-02-02T16:00:00+00:00',
    );
    assert.deepEqual(tiles, [
      'Critical 9–10: 1 critical',
      'Medium 4–6.9: 1 medium',
      'None 0: 1 info',
    ]);
  });

  it('The severities of a CSV report are one value, however their case and spaces are written', async () => {
    const { tiles, statuses, scorecards, overview } = await overviewOf(
      'Severity,Status,Issue Type,Scorecard',
      'HIGH,OPEN,port,a',
      'high,Open,port,a',
      'High,open ,port,b',
      ' high,Reopened,port,b',
      'critical,Open,header,b',
      'Moderate,Open,header,b',
      'MODERATE,Open,cookie,b',
    );
    assert.deepEqual(tiles, ['Critical: 1 critical', 'High: 4 high', 'Moderate: 2 medium']);
    assert.deepEqual(statuses, ['Open: 6', 'Reopened: 1']);
    assert.deepEqual(scorecards, [
      ['b', '1', '2', '2'],
      ['a', '', '2', ''],
    ]);
    assert.deepEqual(
      overview.topIssueTypes?.map(({ value, severity }) => [value.cell.text, severity?.count]),
      [
        ['header', 1],
        ['port', 4],
        ['cookie', 1],
      ],
    );
  });

  it('The severities of a CSV report are one value if there is none, whatever stands for it', async () => {
    const severities = ['null', '""', '"low"', '"very-high"', '"CRITICAL "', '"crit"', '" "'];
    const { tiles } = await overviewOfFile('report.ndjson', [
      ...severities.map((severity) => `{"severity":${severity},"host":"a"}`),
      '{"host":"b"}',
    ]);
    assert.deepEqual(tiles, [
      'Critical: 1 critical',
      'Crit: 1 critical',
      'very-high: 1 critical',
      'Low: 1 low',
      'No value: 4 none',
    ]);
  });

  it('The severities of a CSV report are the levels of scores', async () => {
    const scores = Array.from({ length: 101 }, (_, tenth) => (tenth / 10).toFixed(1));
    const { tiles, scorecards, overview } = await overviewOf(
      'cvss_score,Issue Type,Scorecard',
      ...[...scores, '10', '7', 'N/A', ''].map((score, at) => `${score},port,${at % 2}`),
    );
    assert.deepEqual(tiles, [
      'Critical 9–10: 12 critical',
      'High 7–8.9: 21 high',
      'Medium 4–6.9: 30 medium',
      'Low 0.1–3.9: 39 low',
      'None 0: 1 info',
      'N/A: 1 none',
      'No value: 1 none',
    ]);
    assert.deepEqual(scorecards, [
      ['0', '6', '11', '15', '19'],
      ['1', '6', '10', '15', '20'],
    ]);
    assert.equal(overview.topIssueTypes?.[0]?.severity?.cell.text, '10.0');
    const written = await overviewOf('Severity;Host', '9,8;a', '5;b', '4,0;c');
    assert.deepEqual(written.tiles, ['Critical 9–10: 1 critical', 'Medium 4–6.9: 2 medium']);
  });

  it('The severities of a CSV report are counted by scorecard, which its domain names if it was not added', async () => {
    const uuid = (number: number) => `0b1c2d3e-0000-4000-8000-00000000000${number}`;
    const row = (number: number, domain: string) => `high,port,${uuid(number)},${domain}`;
    const { scorecards, overview } = await overviewOf(
      'severity,issue_type,scorecard_id,parent_domain',
      ...[row(1, 'a.example'), row(1, 'a.example'), row(2, '')],
    );
    assert.deepEqual(scorecards, [
      ['a.example', '2'],
      [uuid(2), '1'],
    ]);
    // The table and its filters name it by that, too.
    assert.deepEqual(overview.domains, { [uuid(1)]: 'a.example' });
    const single = await overviewOf(
      'issue_type,scorecard_id,parent_domain',
      `port,${uuid(1).toUpperCase()},a.example`,
    );
    assert.deepEqual(single.overview.domains, { [uuid(1)]: 'a.example' });
    const named = await overviewOf('severity,scorecard,parent_domain', 'high,Bank,a.example');
    assert.deepEqual(named.overview.domains, {});
  });

  it('The scorecards of a CSV report are in the order of the ratings of their companies, which they show, and else in that of severities', async () => {
    const uuid = (number: number) => `0b1c2d3e-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const row = (severity: string, number: number) =>
      `${severity},port,${uuid(number).toUpperCase()}`;
    // More than are listed: also those that are rated worst and have no finding that is severe.
    const lines = Array.from({ length: 12 }, (_, number) =>
      row(number < 11 ? 'high' : 'low', number),
    );
    const core = await openCore(
      folder.write(
        'report.csv',
        ['severity,issue_type,scorecard_id', ...lines, row('high', 0)].join('\n'),
      ),
    );
    const rest = Array.from({ length: 12 }, (_, number) => [
      uuid(number),
      { score: 92, grade: 'A' },
    ]);
    const ratings: Ratings = {
      ...(Object.fromEntries(rest) as Ratings),
      [uuid(11)]: { score: 41, grade: 'F' },
      [uuid(3)]: { score: 55, grade: 'F' },
    };
    const { [uuid(0)]: _, ...some } = ratings;
    const params = { now: 0, rated: worstRated(ratings) };
    const overview = await core.readOverview(params, work());
    const partly = await core.readOverview({ now: 0, rated: worstRated(some) }, work());
    const context = { texts, about: { title: 'Report' }, info: core.info(), now: 0, added: [] };
    const section = (given: Parameters<typeof overviewModel>[1]) =>
      overviewModel(overview, given).sections.find(({ id }) => id === 'scorecards');
    core.close();
    const rated = section({ ...context, ratings });
    assert.deepEqual(rated?.headings, ['Scorecard', 'Score now', 'High', 'Low', 'Findings']);
    assert.equal(rated.numbersFrom, 2);
    assert.deepEqual(
      rated.rows
        .slice(0, 4)
        .map(({ label, cells = [] }) => [label, ...cells.map(({ text }) => text)]),
      [
        [uuid(11).toUpperCase(), 'F 41', '', '1'],
        [uuid(3).toUpperCase(), 'F 55', '1', ''],
        [uuid(0).toUpperCase(), 'A 92', '2', ''],
        [uuid(1).toUpperCase(), 'A 92', '1', ''],
      ],
    );
    // Of one that is not rated, nobody knows that it is better.
    assert.equal(partly.scorecards?.worst[0]?.value.cell.text, uuid(0).toUpperCase());
    assert.deepEqual(section(context)?.headings, ['Scorecard', 'High', 'Low', 'Findings']);
  });

  it('The severities of a CSV report are named by their column if they are numbers of a tool', async () => {
    const { tiles } = await overviewOf('Risk,Host', '5,a', '1,b', '5,c', '3,d');
    assert.deepEqual(tiles, ['Risk 5: 2 none', 'Risk 3: 1 none', 'Risk 1: 1 none']);
  });

  it('The severities of a CSV report come last where they are not available', async () => {
    const { tiles } = await overviewOf('cve,cvss', 'a,9.8', 'b,5.0', 'c,N/A', 'd,N/A');
    assert.deepEqual(tiles.at(-1), 'N/A: 2 none');
  });

  it('The severities of a CSV report are not those of lines that cannot be read', async () => {
    const rows = ['{"severity":"high","host":"a"}', '{"severity":"high","host":"b"}'];
    for (const [name, lines] of [
      ['a.ndjson', [...rows, '{broken', '{"severity":"low","host":"a"}']],
      ['a.json', [`[${rows.join()},{broken},{"severity":"low","host":"a"}]`]],
    ] as const) {
      const { tiles, assets, facts } = await overviewOfFile(name, lines);
      assert.deepEqual(tiles, ['High: 2 high', 'Low: 1 low'], name);
      assert.deepEqual(assets, ['a: 2', 'b: 1', 'Could not be read: 1'], name);
      assert.deepEqual(facts, ['3 findings', '1 could not be read', '2 assets'], name);
    }
  });

  it('The severities of a CSV report are neither priorities of tasks, nor of firewalls, nor of mail servers', async () => {
    for (const lines of [
      ['Task,Priority,Owner', 'Tidy up,1,Ann', 'Paint,3,Bob', 'Rest,5,Ann'],
      ['Rule,Priority,Action', 'allow web,1,allow', 'deny all,2,deny', 'log,3,log'],
      ['CVE,Domain,Priority', 'x,a.example,10', 'y,b.example,20', 'z,c.example,5'],
    ]) {
      const { overview } = await overviewOf(...lines);
      assert.equal(told(overview.severity), undefined, lines[0]);
    }
  });
});

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mask } from '../../../../src/vocabulary/secretFields';
import { openSource } from '../../../../src/engine/read/bytes/byteSource';
import { TableFile } from '../../../../src/engine/read/tableFile';
import { TableCore } from '../../../../src/engine/tableCore';
import { wholeFile } from '../../../../src/engine/data/query';
import { gzip, tableFolder, work } from '../../../helpers/tableFiles';

describe('A JSON document with lists', () => {
  const folder = tableFolder();

  async function open(content: string | Buffer, list?: string): Promise<TableCore> {
    const file = folder.write('a.json', content);
    const core = new TableCore(await TableFile.open(file, openSource(file, folder.path), { list }));
    await core.start();
    await core.check();
    return core;
  }

  /** What is shown of a document: the list, the names of the columns, and the texts of the rows. */
  async function shown(
    document: unknown,
    { list, reveal = true }: { readonly list?: string; readonly reveal?: boolean } = {},
  ) {
    const core = await open(
      typeof document === 'string' || Buffer.isBuffer(document)
        ? document
        : JSON.stringify(document),
      list,
    );
    const info = await core.checked();
    const { rows } = core.rows({ view: wholeFile, from: 0, count: 200 }, { ...work(), reveal });
    core.close();
    return {
      info,
      list: info.list,
      lists: info.lists?.map(({ list: name, rows: count }) => `${name} ${count}`),
      columns: info.columns.map(({ name }) => name),
      texts: rows.map(({ cells }) => cells.map(({ text }) => text)),
    };
  }

  const results = [
    { ruleId: 'a', level: 'error', message: { text: 'one' } },
    { ruleId: 'b', level: 'note', message: { text: 'two' } },
  ];
  const rules = ['a', 'b', 'c'].map((id) => ({ id, defaultConfiguration: { level: 'warning' } }));
  const sarif = {
    version: '2.1.0',
    runs: [
      { results, tool: { driver: { name: 'Scan', version: '1', rules } }, columnKind: 'utf16' },
      { tool: { driver: { name: 'Other', rules: [] } }, results: [{ ruleId: 'z' }] },
    ],
  };

  it('A JSON document with lists knows which of its lists have findings', async () => {
    const vulnerabilities = [
      { id: 'a', Severity: 'HIGH' },
      { id: 'b', Severity: 'LOW' },
    ];
    const secrets = [{ RuleID: 'key', Severity: 'CRITICAL', Title: 'A key' }];
    const { info } = await shown({
      Results: [
        { Target: 'x', Packages: [{ Name: 'a' }, { Name: 'b' }], vulnerabilities, secrets },
      ],
    });
    assert.deepEqual(info.lists, [
      {
        list: 'Results[].vulnerabilities[] + Results[].secrets[]',
        rows: 3,
        hasFindings: true,
      },
      { list: 'Results[].vulnerabilities[]', rows: 2, hasFindings: true },
      { list: 'Results[].secrets[]', rows: 1, hasFindings: true },
      { list: 'Results[]', rows: 1 },
      { list: 'Results[].Packages[]', rows: 2 },
    ]);
    const ofScan = await shown(sarif);
    assert.deepEqual(
      ofScan.info.lists?.map(({ hasFindings }) => hasFindings === true),
      [true, false, false],
    );
  });

  it('A JSON document with lists shows all of its findings, those of one list after those of another', async () => {
    const scan = {
      target: 'a.example',
      vulnerabilities: [{ id: 'v1', severity: 'low' }],
      secrets: [{ id: 's1', severity: 'high', match: 'key=1' }],
      misconfigurations: [],
      // Those that are counted already, that need no attention, and that are no findings.
      summary: [{ severity: 'low', count: 1 }],
      suppressed_vulnerabilities: [{ id: 'v2', severity: 'critical' }],
      details: { thresholds: [{ severity: 'critical', count: 0 }] },
    };
    const both = 'scans[].vulnerabilities[] + scans[].secrets[]';
    const { list, columns, texts } = await shown({ scans: [scan, { ...scan, target: 'b' }] });
    assert.equal(list, both);
    assert.deepEqual(columns.slice(0, 3), ['id', 'severity', 'match']);
    assert.deepEqual(
      texts.map(([id, severity]) => `${id} ${severity}`),
      ['v1 low', 'v1 low', 's1 high', 's1 high'],
    );
    // A name of several lists also opens a document that has not all of them.
    const { secrets: _, ...without } = scan;
    const one = await shown({ scans: [without] }, { list: both });
    assert.deepEqual([one.list, one.texts.length], [both, 1]);
    await assert.rejects(shown({ scans: [without] }, { list: 'a[] + b[]' }), { code: 'noList' });
    // The same ones once more, sorted by packages.
    const [one_, two] = ['a', 'b'].map((id) => ({ id, severity: 'low', description: 'x' }));
    const packages = [
      { name: 'p', vulnerabilities: [two] },
      { name: 'q', vulnerabilities: [one_] },
    ];
    const once = await shown({ vulnerabilities: [one_, two], packages });
    assert.equal(once.texts.length, 2);
    const others = [{ name: 'p', vulnerabilities: [{ ...two, id: 'c' }] }];
    const more = await shown({ vulnerabilities: [one_, two], packages: others });
    assert.equal(more.texts.length, 3);
    // Two targets have the same one.
    const each = { vulnerabilities: [one_] };
    assert.equal((await shown({ staging: each, production: each })).texts.length, 2);
    // More than are sampled, in another order.
    const many = Array.from({ length: 100 }, (_, id) => ({ ...one_, id: `v${id}` }));
    const sorted = [{ name: 'p', vulnerabilities: many.toReversed() }];
    const all = await shown({ vulnerabilities: many, packages: sorted });
    assert.equal(all.texts.length, 100);
  });

  it('A JSON document with lists has one column for the rules that its lists name differently', async () => {
    const vulnerabilities = [{ VulnerabilityID: 'CVE-1', Severity: 'LOW' }];
    const secrets = [{ Severity: 'HIGH', RuleID: 'aws' }, { Severity: 'LOW' }];
    const misconfigurations = [{ ID: 'DS2', Severity: 'CRITICAL' }];
    const { columns, texts } = await shown({
      scans: [{ vulnerabilities, secrets, misconfigurations }],
    });
    assert.equal(columns[0], 'rule_id');
    assert.deepEqual(texts.map(([rule]) => rule).sort(), ['', 'CVE-1', 'DS2', 'aws']);
    const alike = await shown({ a: { vulnerabilities }, b: { vulnerabilities } });
    assert.ok(!alike.columns.includes('rule_id'));
    // What numbers an element is no rule: what it found is.
    const numbered = await shown({
      vulnerabilities: [
        { id: '0b1c2d3e-0000-4000-8000-000000000001', cve: 'CVE-2', severity: 'low' },
      ],
      secrets: [{ rule_id: 'aws', severity: 'high' }],
    });
    const at = numbered.columns.indexOf('rule_id');
    assert.deepEqual(numbered.texts.map((row) => row[at]).sort(), ['CVE-2', 'aws']);
    const twice = await shown({ a: secrets }, { list: 'a[] + a[]' });
    assert.equal(twice.texts.length, 2);
  });

  it('A JSON document with lists has one column for the severities that its lists name differently', async () => {
    const { columns, texts } = await shown({
      vulnerabilities: [{ id: 1, severity: 'high' }],
      secrets: [{ id: 2, Severity: 'CRITICAL' }],
    });
    const at = columns.indexOf('severity');
    assert.deepEqual(texts.map((row) => row[at]).sort(), ['CRITICAL', 'high']);
  });

  it('A JSON document with lists leaves out those of what is closed, or is in another list already', async () => {
    const vulnerabilities = [{ id: 'A', severity: 'high' }];
    const others = [{ id: 'B', severity: 'critical' }];
    for (const name of ['acceptedVulnerabilities', 'false_positive_findings', 'topFindings']) {
      const { list } = await shown({ vulnerabilities, [name]: others });
      assert.equal(list, 'vulnerabilities[]', name);
    }
    const { list } = await shown({ new: { issues: vulnerabilities }, fixed: { issues: others } });
    assert.equal(list, 'new.issues[]');
  });

  it('A JSON document with lists opens at the results of a scan, with the members of their parents', async () => {
    const { list, lists, columns, texts } = await shown(sarif);
    assert.equal(list, 'runs[].results[]');
    assert.deepEqual(lists, ['runs[].results[] 3', 'runs[] 2', 'runs[].tool.driver.rules[] 3']);
    assert.deepEqual(columns, [
      ...['ruleId', 'level', 'message.text'],
      ...['runs.tool.driver.name', 'runs.tool.driver.version', 'runs.columnKind'],
    ]);
    assert.deepEqual(texts, [
      ['a', 'error', 'one', 'Scan', '1', 'utf16'],
      ['b', 'note', 'two', 'Scan', '1', 'utf16'],
      ['z', 'warning', '', 'Other', '', ''],
    ]);
  });

  it('A JSON document with lists takes one name that is written in two ways for one', async () => {
    const content = String.raw`{"findings":[{"note":{},"id":5},{"n\u006fte":{},"id":6}]}`;
    const { list, columns } = await shown(content);
    assert.equal(list, 'findings[]');
    assert.deepEqual(columns, ['note', 'id']);
  });

  it('A JSON document with lists opens at another list that is asked for', async () => {
    const { list, lists, columns, texts } = await shown(sarif, {
      list: 'runs[].tool.driver.rules[]',
    });
    assert.deepEqual([list, lists?.length], ['runs[].tool.driver.rules[]', 3]);
    assert.deepEqual(columns.slice(0, 4), [
      ...['id', 'defaultConfiguration.level', 'runs.tool.driver.name', 'runs.tool.driver.version'],
    ]);
    assert.deepEqual(
      texts.map(([id]) => id),
      ['a', 'b', 'c'],
    );
    const runs = await shown(sarif, { list: 'runs[]' });
    assert.deepEqual([runs.texts.length, runs.info.format.member], [2, 'runs']);
    const none = { runs: [{ results: [] }, { results: [] }], others: [{ a: 1 }] };
    assert.deepEqual((await shown(none, { list: 'runs[].results[]' })).texts, []);
    const whole = await shown(sarif, { list: '' });
    assert.deepEqual([whole.list, whole.texts.length, whole.lists?.length], [undefined, 1, 3]);
    for (const [content, list] of [
      [[{ a: 1 }], ''],
      [sarif, 'runs[].rules[]'],
      [[{ a: 1 }], 'a[]'],
      ['{"a":1}\n{"a":2}\n', 'a[]'],
    ] as const) {
      await assert.rejects(shown(content, { list }), { name: 'TableError', code: 'noList' });
    }
  });

  it('A JSON document with lists opens at its findings, whatever else it has', async () => {
    const finding = (severity: string) => ({ id: 1, severity });
    const texts = (count: number) => Array.from({ length: count }, (_, at) => ({ at }));
    const tool = { driver: { name: 'x', rules: [{ id: 'a', config: { level: 'warning' } }] } };
    const related = ['reporter', 'assignee', 'program', 'weakness', 'scope', 'bounty', 'field'];
    const relationships = Object.fromEntries(
      [...related, 'severity'].map((name) => [name, { data: { attributes: { rating: 'high' } } }]),
    );
    const found: [unknown, string | undefined, number][] = [
      // Lists in lists, and members of members.
      [
        { Results: [{ Vulnerabilities: [{ Severity: 'LOW' }] }, { Target: 'x' }] },
        'Results[].Vulnerabilities[]',
        1,
      ],
      [{ site: [{ '@name': 'a', alerts: [{ riskdesc: 'High (Low)' }] }] }, 'site[].alerts[]', 1],
      [[{ path: 'a', messages: [{ severity: 'error' }] }], '[].messages[]', 1],
      [[[finding('high')], [finding('low'), finding('low')]], '[][]', 3],
      [{ a: { b: { c: { issues: [finding('major')] } } } }, 'a.b.c.issues[]', 1],
      [{ report: { list: texts(3), checks: [{ level: 'WARN' }] } }, 'report.checks[]', 1],
      [{ scan: [{ info: { severity: 'Negligible' } }], log: texts(9) }, 'scan[]', 1],
      [{ scan: [{ rating: { value: '5 - Critical' } }], log: texts(9) }, 'scan[]', 1],
      // The most records, and names where there are no severities.
      [{ few: [finding('low')], many: [finding('high'), finding('low')] }, 'many[] + few[]', 3],
      [{ packages: texts(5), vulnerabilities: { list: texts(2) } }, 'vulnerabilities.list[]', 2],
      [[{ name: 'a', vulns: texts(1) }, { name: 'b' }], '[].vulns[]', 1],
      [[{ name: 'a', results: texts(2) }], '[]', 1],
      [{ pages: texts(3), tags: ['a', 'b', 'c', 'd'] }, 'pages[]', 3],
      // Details of findings have severities, too.
      [[{ ...finding('high'), ratings: [finding('low'), finding('low')] }], '[]', 1],
      [
        { vulnerabilities: [{ ratings: [finding('low'), finding('low')] }] },
        'vulnerabilities[]',
        1,
      ],
      [{ vulnerabilities: [{ ratings: [finding('low')] }, {}] }, 'vulnerabilities[]', 2],
      [
        { results: [{ vulnerabilities: [finding('high')], grade: 'C' }], grade: 'C' },
        'results[].vulnerabilities[]',
        1,
      ],
      [
        { matches: [{ ...finding('high'), relatedVulnerabilities: [finding('low')] }] },
        'matches[]',
        1,
      ],
      [
        {
          matches: [
            { ...finding('high'), relatedVulnerabilities: [finding('low')], advisories: texts(1) },
          ],
        },
        'matches[]',
        1,
      ],
      // What a tool should report is no severity.
      [{ checks: [{ maximum_severity_allowed: 'high' }], failures: texts(1) }, 'failures[]', 1],
      [{ policies: [{ severityThreshold: 'high' }], failures: texts(1) }, 'failures[]', 1],
      [
        { checks: [{ maximum_severity_found: 'high' }, {}], vulnerabilities: [finding('high')] },
        'vulnerabilities[]',
        1,
      ],
      // Of lists as long, the one that is named by findings.
      [
        { scan: { compliances: [finding('high')], vulnerabilities: [finding('low')] } },
        'scan.vulnerabilities[] + scan.compliances[]',
        2,
      ],
      [{ report: [finding('high')], vulns: { 'a/b': finding('high') } }, 'report[]', 1],
      // Severities may be numbers, or in German.
      [
        [
          { filePath: 'a.js', messages: [] },
          { filePath: 'b.js', messages: [{ ruleId: 'x', severity: 2 }] },
        ],
        '[].messages[]',
        1,
      ],
      [{ Regeln: texts(3), Befunde: [{ Schweregrad: 'Hoch' }] }, 'Befunde[]', 1],
      [{ rules: texts(3), list: [{ Kritikalität: 'mittel' }] }, 'list[]', 1],
      [{ pages: texts(3), parts: [{ level: 2 }] }, 'pages[]', 3],
      // What went wrong in the search is no finding, unless it is all that a tool reports.
      [
        { results: [finding('high')], errors: [{ level: 'warn' }, { level: 'warn' }] },
        'results[]',
        1,
      ],
      [{ results: [], errors: [{ level: 'warn' }, { level: 'warn' }] }, 'results[]', 0],
      [{ warnings: texts(2), errors: texts(3) }, 'warnings[]', 2],
      [{ files: [{ offenses: [finding('convention'), finding('x')] }] }, 'files[].offenses[]', 2],
      [{ errors: [finding('high'), finding('low')], files: texts(1) }, 'errors[]', 2],
      // Checks that failed, without severities.
      [
        [{ results: { passed_checks: texts(3), failed_checks: texts(1) } }, { results: {} }],
        '[].results.failed_checks[]',
        1,
      ],
      // What belongs to a record of JSON:API is no list.
      [{ data: [{ id: '1', type: 'report', relationships }] }, 'data[]', 1],
      // One finding, and nothing at all.
      [{ severity: 'high', title: 'x', references: texts(2) }, undefined, 1],
      [{ severity: 'high', title: 'x', tags: ['a', 'b'] }, undefined, 1],
      [{ findings: [], warnings: ['a'] }, 'findings[]', 0],
      [{ errors: [], results: [], version: 1 }, 'results[]', 0],
      [{ report: { vulnerabilities: [], summary: { high: 0 } } }, 'report.vulnerabilities[]', 0],
      [{ report: { results: [], summary: { high: 0 } } }, undefined, 1],
      [{ failures: ['a', 'b'], hosts: ['a', 'b', 'c'] }, 'failures[]', 2],
      [{ version: 1, errors: [], tags: ['a', 'b'] }, undefined, 1],
      [{ version: '2.1.0', runs: [{ tool, results: [] }] }, 'runs[].results[]', 0],
      [{ version: '2.1.0', runs: [{ tool, results: [] }, { tool }] }, 'runs[].results[]', 0],
      [{ version: '2.1.0', runs: [{ tool, results: [{ ruleId: 'a' }] }] }, 'runs[].results[]', 1],
      [{ version: 'v3', runs: [{ host: 'a', results: [] }] }, 'runs[]', 1],
      [
        { runs: [{ tool, results: [{ ruleId: 'a' }], taxa: [finding('high')] }] },
        'runs[].results[]',
        1,
      ],
      [{ a: { b: 1 } }, undefined, 1],
      [[], '[]', 0],
      [['a', 2], '[]', 2],
    ];
    for (const [document, list, rows] of found) {
      const result = await shown(document);
      assert.deepEqual([result.list, result.texts.length], [list, rows], JSON.stringify(document));
    }
  });

  it('A JSON document with lists does not open at the metadata of Kubernetes', async () => {
    const object = {
      apiVersion: 'v1',
      kind: 'Report',
      metadata: { managedFields: [{ manager: 'a' }, { manager: 'b' }], name: 'x' },
      report: { checks: [], summary: { total: 0 } },
    };
    const { list, texts, lists } = await shown(object);
    assert.deepEqual([list, texts.length], [undefined, 1]);
    assert.deepEqual(lists, ['metadata.managedFields[] 2']);
    const checked = { ...object, report: { checks: [{ id: 1 }] } };
    assert.equal((await shown(checked)).list, 'report.checks[]');
  });

  it('A JSON document with lists opens at a map of objects, with their keys', async () => {
    const entry = (severity: string) => ({ severity, range: '*' });
    const audit = {
      auditReportVersion: 2,
      vulnerabilities: { lodash: entry('low'), qs: entry('high') },
    };
    const { list, columns, texts, lists } = await shown(audit);
    assert.deepEqual([list, lists], ['vulnerabilities{}', ['vulnerabilities{} 2']]);
    assert.deepEqual(columns, ['key', 'severity', 'range']);
    assert.deepEqual(texts, [
      ['lodash', 'low', '*'],
      ['qs', 'high', '*'],
    ]);
    const advisories = {
      advisories: { 1179: { key: 'x', ...entry('low') } },
      metadata: { total: 1 },
    };
    assert.deepEqual((await shown(advisories)).columns, [
      'advisories.key',
      'key',
      'severity',
      'range',
    ]);
    const files = {
      results: { 'src/a.py': [{ line: 1 }, { line: 2 }], 'src/b.py': [{ line: 3 }] },
      version: '1',
    };
    assert.deepEqual((await shown(files)).columns, ['results.key', 'line']);
    const inMap = {
      targets: { 'a.example': { port: 1, alerts: [entry('low')] }, 'b.example': {} },
    };
    const below = await shown(inMap);
    assert.deepEqual(below.list, 'targets{}.alerts[]');
    assert.deepEqual(below.columns, ['targets.key', 'severity', 'range', 'targets.port']);
    assert.deepEqual(below.texts, [['a.example', 'low', '*', '1']]);
  });

  it('A JSON document with lists does not take the members of a record for those of a map', async () => {
    for (const [document, list] of [
      [{ data: { findings: [{ severity: 'high' }] } }, 'data.findings[]'],
      [{ tool: { name: 'a' }, scan: { name: 'b' }, findings: [{ a: 1 }] }, 'findings[]'],
      [[{ info: { severity: 'high' } }, { info: { severity: 'low' } }], '[]'],
      [
        { checks: { passed: [{ id: 1, severity: 'low' }], failed: [{ id: 1, severity: 'low' }] } },
        'checks.failed[]',
      ],
    ] as const) {
      assert.equal((await shown(document)).list, list);
    }
    const config = { server: { host: 'a', port: 1 }, client: { host: 'b', port: 2 } };
    assert.deepEqual((await shown(config)).columns, [
      ...['server.host', 'server.port', 'client.host', 'client.port'],
    ]);
  });

  it('A JSON document with lists has a column for each key of maps in maps, also beside a member with that name', async () => {
    const document = { 'a b': { 'x y': { key: 'own' } } };
    const { list, columns, texts } = await shown(document, { list: '{}{}' });
    assert.equal(list, '{}{}');
    assert.deepEqual(columns, ['key##', 'key#', 'key']);
    assert.deepEqual(texts, [['a b', 'x y', 'own']]);
  });

  it('A JSON document with lists shows lists by severity as one list', async () => {
    const findings = { high: [{ id: 1 }, { id: 2 }], Medium: [{ id: 3 }], low: [] };
    const { list, columns, texts } = await shown({ findings, total: 3 });
    assert.equal(list, 'findings{}[]');
    assert.deepEqual(columns, ['severity', 'id']);
    assert.deepEqual(texts, [
      ['high', '1'],
      ['high', '2'],
      ['Medium', '3'],
    ]);
    const own = { Critical: [{ Severity: 'x', id: 1 }] };
    assert.deepEqual((await shown({ issues: own })).columns, ['issues.severity', 'Severity', 'id']);
    const groups = { critical: { groups: [{ name: 'a' }] }, low: { groups: [{ name: 'b' }] } };
    assert.deepEqual((await shown({ severities: groups })).texts, [
      ['critical', 'a'],
      ['low', 'b'],
    ]);
  });

  it('A JSON document with lists names the cells of rows that are arrays', async () => {
    const rows = [
      ['a', 1, { x: [1, 2] }],
      ['b', null, []],
    ];
    for (const beside of [
      { columns: ['name', 'size', 'more'] },
      { headers: [{ title: 'name' }, { title: 'size' }, { title: 'more' }] },
      { meta: { a: 1 }, fields: [{ type: 's', name: 'name' }, { name: 'size' }, { name: 'more' }] },
    ]) {
      const { columns, texts, list } = await shown({ page: { ...beside, rows } });
      assert.equal(list, 'page.rows[]');
      assert.deepEqual(columns, ['name', 'size', 'more', 'more.x']);
      assert.deepEqual(texts, [
        ['a', '1', '{"x":[1,2]}', '[1,2]'],
        ['b', '', '[]', ''],
      ]);
    }
    const heading = await shown([['id', 'size'], ['a', 1], [], ['b', 2, true]]);
    assert.deepEqual(heading.columns, ['id', 'size', '#3']);
    assert.deepEqual(heading.texts, [
      ['a', '1', ''],
      ['', '', ''],
      ['b', '2', 'true'],
    ]);
    const numbers = await shown({
      points: [
        [1, 2],
        [3, 4],
      ],
    });
    assert.deepEqual(
      [numbers.columns, numbers.texts],
      [
        ['#1', '#2'],
        [
          ['1', '2'],
          ['3', '4'],
        ],
      ],
    );
    const texts = await shown([
      ['some', 'text'],
      ['other', 'text'],
    ]);
    assert.deepEqual(texts.columns, ['#1', '#2']);
    const tables = [
      { title: 'x', columns: ['a'], rows: [[1]] },
      { title: 'y', columns: ['b'], rows: [[2]] },
    ];
    const different = await shown({ tables }, { list: 'tables[].rows[]' });
    assert.deepEqual(different.columns, ['#1', 'tables.title']);
  });

  it('A JSON document with lists is read to its end before a list is chosen', async () => {
    const filler = Array.from({ length: 9000 }, (_, at) => ({ at, text: 'x'.repeat(50) }));
    const last = await shown({ log: filler, runs: [{ results }] });
    assert.deepEqual([last.list, last.texts.length], ['runs[].results[]', 2]);
    assert.equal(last.lists?.[1], 'log[] 9000');
    const many = {
      few: [{ severity: 'high' }],
      text: 'x'.repeat(400_000),
      many: [...filler, { severity: 'low' }],
    };
    assert.equal((await shown(many)).list, 'few[]');
    const plain = { rows: filler.slice(0, 100), deep: { text: 'y'.repeat(400_000), rows: filler } };
    const { list, info } = await shown(plain);
    assert.deepEqual([list, info.rows, info.format.member], ['deep.rows[]', 9000, 'deep.rows']);
  });

  it('A JSON document with lists is also read when it is compressed, or in another encoding', async () => {
    const text = JSON.stringify(sarif, undefined, 2);
    const expected = await shown(text);
    for (const content of [
      gzip(text),
      Buffer.from(`\ufeff${text}`, 'utf16le'),
      gzip(`\ufeff${text}`),
    ]) {
      const { list, columns, texts } = await shown(content);
      assert.deepEqual({ list, columns, texts }, { ...pick(expected) });
    }
    function pick({ list, columns, texts }: Awaited<ReturnType<typeof shown>>) {
      return { list, columns, texts };
    }
  });

  it('A JSON document with lists shows what is complete of a document that is cut off or damaged', async () => {
    const text = JSON.stringify({ a: { list: [{ id: 1 }] }, runs: [{ name: 'x', results }] });
    const cut = await shown(text.slice(0, text.indexOf('two')));
    assert.deepEqual([cut.list, cut.info.truncated], ['runs[].results[]', 'record']);
    assert.deepEqual(cut.texts[0], ['a', 'error', 'one', 'x']);
    assert.deepEqual([cut.texts.length, cut.info.invalidRows], [2, 1]);
    const between = await shown(text.slice(0, text.indexOf(',{"ruleId":"b"')));
    assert.deepEqual([between.texts.length, between.info.truncated], [1, 'record']);
    const damaged = await shown(text.replace('"two"}}', '"two"]}'));
    assert.deepEqual([damaged.list, damaged.info.truncated], ['runs[].results[]', 'record']);
    assert.deepEqual(damaged.texts[0], ['a', 'error', 'one', 'x']);
    const inPlace = await shown('{"list":[{"id":1},{"id":2]}');
    assert.deepEqual([inPlace.list, inPlace.texts[0]], ['list[]', ['1']]);
    const invalid = await shown('{"a":[{"b":[{"id":1},{"id":nope},{"id":3}]}]}', {
      list: 'a[].b[]',
    });
    assert.deepEqual([invalid.info.rows, invalid.info.invalidRows], [3, 1]);
  });

  it('A JSON document with lists tells documents that follow each other from what follows a document', async () => {
    const lines = await shown('{"a":[{"b":1}]}\n{"a":[]}\n');
    assert.deepEqual([lines.info.format.kind, lines.texts.length], ['ndjson', 2]);
    const after = await shown(`${JSON.stringify(sarif)} !!`);
    assert.deepEqual([after.info.bytesAfterValue, after.texts.length], [2, 3]);
    const long = JSON.stringify({ a: [{ b: 'x'.repeat(300_000) }] });
    assert.equal((await shown(`${long}\n{"a":1}\n`)).info.format.kind, 'ndjson');
  });

  it('A JSON document with lists masks secrets in the members of parents as in the document', async () => {
    const finding = { severity: 'high' };
    const { texts, columns } = await shown(
      {
        runs: [
          {
            tool: { token: 'hunter2', name: 'x' },
            credentials: { user: 'hunter2' },
            header: { name: 'Authorization', value: 'hunter2' },
            plain: { name: 'Color', value: 'red' },
            results: [finding],
          },
        ],
      },
      { reveal: false },
    );
    assert.deepEqual(columns, [
      ...['severity', 'runs.tool.token', 'runs.tool.name', 'runs.credentials.user'],
      ...['runs.header.name', 'runs.plain.name', 'runs.plain.value'],
    ]);
    assert.deepEqual(texts, [['high', mask, 'x', mask, 'Authorization', 'Color', 'red']]);
    const below = await shown(
      { passwords: [{ found: [{ severity: 'high', value: 'hunter2' }] }] },
      { reveal: false },
    );
    assert.equal(below.list, 'passwords[].found[]');
    assert.doesNotMatch(JSON.stringify(below.texts), /hunter2/);
    const escaped = { 'db\npwd': [[{ severity: 'high', value: 'hunter2' }]], scope: 'all' };
    const { list, texts: masked } = await shown(escaped, { reveal: false });
    assert.equal(list, String.raw`"db\npwd"[][]`);
    assert.doesNotMatch(JSON.stringify(masked), /hunter2/);
  });

  it('A JSON document with lists leaves out a secret of a parent whose name is written with escapes', async () => {
    const list = '[{"severity":"high"},{"severity":"low"}]';
    const parent = `{"name":"p\\u0061ssword","value":"hunter2","found":${list}}`;
    const { columns, texts } = await shown(`{"runs":[${parent}]}`, { reveal: false });
    assert.deepEqual(columns, ['severity', 'runs.name']);
    assert.deepEqual(texts, [
      ['high', 'password'],
      ['low', 'password'],
    ]);
  });

  it('A JSON document with lists masks what is below a key like the name of a secret', async () => {
    const entry = { severity: 'low', current: 'hunter2' };
    const settings = {
      lodash: { ...entry, current: 'x' },
      api_key: entry,
      ['token '.repeat(400)]: entry,
    };
    const { texts, info } = await shown({ settings }, { reveal: false });
    assert.equal(info.list, 'settings{}');
    assert.doesNotMatch(JSON.stringify(texts), /hunter2/);
    assert.deepEqual(texts[0]?.slice(0, 3), ['lodash', 'low', 'x']);
    const files = { results: { 'a/b.py': [{ hash: 'x' }], 'a/secret.py': [{ hash: 'hunter2' }] } };
    const inLists = await shown(files, { reveal: false });
    assert.equal(inLists.list, 'results{}[]');
    assert.doesNotMatch(JSON.stringify(inLists.texts), /hunter2/);
    const parents = {
      users: {
        'a/b': { note: 'x', rows: [entry] },
        'pass/word': { note: 'hunter2', rows: [entry] },
      },
    };
    const inMaps = await shown(parents, { reveal: false });
    assert.equal(inMaps.list, 'users{}.rows[]');
    assert.doesNotMatch(JSON.stringify(inMaps.texts[1]), /hunter2/);
  });

  it('A JSON document with lists takes the keys of findings for no secrets', async () => {
    const vulnerabilities = { 'tough-cookie': { severity: 'high' }, qs: { severity: 'low' } };
    const { columns, texts } = await shown({ vulnerabilities }, { reveal: false });
    assert.deepEqual(columns, ['key', 'severity']);
    assert.deepEqual(texts, [
      ['tough-cookie', 'high'],
      ['qs', 'low'],
    ]);
  });

  it('A JSON document with lists leaves out what parents have too much of', async () => {
    const run = {
      text: 'x'.repeat(2100),
      short: 'y',
      empty: '',
      none: null,
      tags: ['a'],
      ok: true,
    };
    const deep = { a: { b: { c: { d: 1 } } } };
    const { columns } = await shown({ runs: [{ ...run, deep, results }] });
    assert.deepEqual(columns.slice(3), ['runs.short', 'runs.ok']);
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`member${at}`, at]));
    const many = await shown({ runs: [{ ...wide, results }] });
    assert.ok(many.columns.length > 50 && many.columns.length < 300);
  });

  it('A JSON document with lists keeps members of parents that do not fit in the memory', async () => {
    const count = 75_000;
    const x = 'x'.repeat(1900);
    const parent = Buffer.from(`{"results":[{"id":1}],"one":"${x}","other":"${x}"},`);
    const parents = Buffer.alloc(count * parent.length, parent).subarray(0, -1);
    const { info, texts } = await shown(
      Buffer.concat([Buffer.from('{"runs":['), parents, Buffer.from(']}')]),
    );
    assert.deepEqual([info.rows, info.truncated], [count, undefined]);
    assert.equal(texts[0]?.filter((text) => text.startsWith('xxx')).length, 2);
  });

  it('A JSON document with lists keeps its own members where those of parents have the same names', async () => {
    const { columns, texts } = await shown([
      { id: 7, name: 'app', vulnerabilities: [{ id: 1, severity: 'high' }, { severity: 'low' }] },
    ]);
    assert.deepEqual(columns, ['id', 'severity', 'name']);
    assert.deepEqual(texts, [
      ['1', 'high', 'app'],
      ['', 'low', 'app'],
    ]);
  });

  it('A JSON document with lists may be hostile', async () => {
    const open = '{"a":['.repeat(5000);
    const deep = await shown(`${open}{"severity":"high"}${']}'.repeat(5000)}`);
    assert.ok(deep.texts.length > 0);
    const keys = Array.from(
      { length: 30_000 },
      (_, at) => `"k/${at}":{"severity":"low","at":${at}}`,
    );
    const wide = await shown(`{"map":{${keys.join()}}}`);
    assert.deepEqual([wide.list, wide.info.rows], ['map{}', 30_000]);
    const names = Array.from(
      { length: 5000 },
      (_, at) => `{"n${at}":[{"a":1}],"__proto__":{"x":[{}]}}`,
    );
    assert.equal((await shown(`[${names.join()}]`)).info.rows, 5000);
    for (const text of [
      '{',
      '{"a"',
      '{"a":[',
      '{"a":[{]',
      '{]',
      '{"a":}',
      '{{{',
      '[{"a":[}',
      '{"":{"":[{}]}}',
    ]) {
      const { info } = await shown(text);
      assert.ok(info.done, text);
    }
  });

  it('A JSON document with lists needs no file beside it that stays', async () => {
    const before = fs.readdirSync(folder.path).filter((name) => name.endsWith('.copy'));
    const core = await open(JSON.stringify(sarif));
    core.close();
    assert.deepEqual(
      fs.readdirSync(folder.path).filter((name) => name.endsWith('.copy')),
      before,
    );
  });
});

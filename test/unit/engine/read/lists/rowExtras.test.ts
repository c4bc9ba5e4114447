import assert from 'node:assert/strict';
import { openSource } from '../../../../../src/engine/read/bytes/byteSource';
import { ListFinder } from '../../../../../src/engine/read/lists/listPaths';
import { planList } from '../../../../../src/engine/read/lists/listPlan';
import { ListSource } from '../../../../../src/engine/read/lists/listSource';
import { survey } from '../../../../../src/engine/read/lists/places';
import { findRowExtras } from '../../../../../src/engine/read/lists/rowExtras';
import { SampleReader } from '../../../../../src/engine/read/lists/sampleReader';
import { sortLists } from '../../../../../src/engine/read/lists/chooseList';
import { wholeFile } from '../../../../../src/engine/data/query';
import { worstFirst } from '../../../../../src/webview/state/criteria';
import { YieldBudget } from '../../../../../src/engine/threads/yieldBudget';
import { openCore, tableFolder, work } from '../../../../helpers/tableFiles';

describe('The members that rows of a list get', () => {
  const folder = tableFolder();

  async function open(document: unknown) {
    const core = await openCore(folder.write('a.json', JSON.stringify(document)));
    const { columns, list, rows: count } = core.info();
    const { rows } = core.rows({ view: wholeFile, from: 0, count }, { ...work(), reveal: true });
    const overview = await core.readOverview({ now: 0, scope: 'open' }, work());
    core.close();
    const textsOf = (name: string) => {
      const at = columns.findIndex((column) => column.name === name);
      return rows.map(({ cells }) => cells[at]?.text);
    };
    const told = (counts = overview.severity) =>
      counts?.values.map(({ cell, count: each }) => `${cell.text || cell.kind}: ${each}`);
    return { list, textsOf, columns: columns.map(({ name }) => name), overview, told };
  }

  /** All rows of the first list of a document, read in pieces of so many bytes. */
  async function rowsIn(text: string, chunkBytes: number): Promise<Record<string, unknown>[]> {
    const file = folder.write('a.json', text);
    const source = openSource(file, folder.path);
    const found = await survey(source, 0, new YieldBudget());
    const samples = new SampleReader(source);
    const finder = new ListFinder(samples);
    const lists = sortLists(finder.find(found.top), finder);
    const [list] = lists;
    assert.ok(list);
    const extras = findRowExtras(list, { finder, top: found.top });
    assert.ok(extras);
    const plan = planList(list, samples, { extras });
    samples.dispose();
    source.close();
    const range = { start: 0, end: found.end };
    const rows = new ListSource(openSource(file, folder.path), [plan], range, chunkBytes);
    while (!rows.complete) {
      await rows.more();
    }
    const bytes = Buffer.alloc(rows.available);
    rows.read(bytes, 0, bytes.length, 0);
    rows.close();
    return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>[];
  }

  const rule = (id: string, level?: string, score?: string) => ({
    id,
    ...(level !== undefined && { defaultConfiguration: { level } }),
    ...(score !== undefined && { properties: { 'security-severity': score } }),
  });
  const at = (uri: string) => ({
    physicalLocation: { artifactLocation: { uri, uriBaseId: 'SRC' } },
  });
  const sarif = (results: readonly unknown[], ...rules: readonly unknown[]) => ({
    version: '2.1.0',
    runs: [{ results, tool: { driver: { name: 'Scan', rules } } }],
  });

  it('The members that rows of a list get are the levels that the rules of SARIF have', async () => {
    const document = sarif(
      [
        { ruleId: 'a', message: { text: 'one, two' } },
        { ruleId: 'b' },
        { ruleId: 'a', level: 'note' },
        { ruleId: 'a/1', kind: 'fail' },
        { ruleId: 'a', kind: 'informational' },
        { ruleId: 'ext' },
        { ruleId: 'none' },
        {},
      ],
      rule('a', 'error'),
      rule('b'),
    );
    const extensions = [{ rules: [rule('ext', 'note')] }];
    const runs = document.runs.map((run) => ({ ...run, tool: { ...run.tool, extensions } }));
    const { list, textsOf, told } = await open({ ...document, runs });
    assert.equal(list, 'runs[].results[]');
    assert.deepEqual(textsOf('level'), [
      'error',
      'warning',
      'note',
      'error',
      'none',
      'note',
      'warning',
      'warning',
    ]);
    // A result that passes is closed.
    assert.deepEqual(told(), ['error: 2', 'warning: 3', 'note: 2']);
  });

  it('The members that rows of a list get are those of the rule that a result of SARIF refers to in any way', async () => {
    const driver = {
      name: 'Scan',
      guid: 'g0',
      rules: [rule('A', 'error'), { ...rule('B', 'note'), guid: 'b' }, rule('C', 'none')],
    };
    const extensions = [
      { name: 'one', rules: [rule('A', 'warning')] },
      { name: 'two', guid: 'g2', rules: [rule('Z', 'note'), rule('A', 'note')] },
    ];
    const results = [
      { ruleId: 'A', rule: { toolComponent: { index: 0 } } },
      { ruleId: 'A', rule: { index: 1, toolComponent: { name: 'two' } } },
      { rule: { id: 'A', toolComponent: { guid: 'g2' } } },
      { rule: { guid: 'b' } },
      // The index is that of another rule: the id counts.
      { ruleId: 'A/part', ruleIndex: 2 },
      { ruleIndex: 99 },
      { ruleId: '', ruleIndex: 1 },
      { ruleId: 'unknown', ruleIndex: -1 },
    ];
    const runs = [{ tool: { driver, extensions }, results }];
    const { textsOf } = await open({ version: '2.1.0', runs });
    assert.deepEqual(textsOf('level'), [
      'warning',
      'note',
      'note',
      'note',
      'error',
      'warning',
      'note',
      'warning',
    ]);
    assert.deepEqual(textsOf('ruleId'), ['A', 'A', 'A', 'B', 'A/part', '', 'B', 'unknown']);
  });

  it('The members that rows of a list get are none where a run of SARIF has odd values', async () => {
    const odd = [null, 5, 'x', [], {}];
    const results = [
      ...odd.map((value) => ({ ruleId: 'a', rule: value, message: value, provenance: value })),
      ...odd.map((value) => ({ rule: { toolComponent: value, index: 0 }, locations: [value] })),
      ...odd.map((value) => ({
        ruleId: 'a',
        suppressions: value,
        provenance: { invocationIndex: 0 },
      })),
    ];
    for (const value of odd) {
      const invocations = [{ ruleConfigurationOverrides: [value, { descriptor: value }] }];
      const rules = [value, { id: 'a', messageStrings: value, properties: value }];
      const tool = {
        driver: { name: 'x', rules, globalMessageStrings: value },
        extensions: [value],
      };
      const run = { tool, invocations, artifacts: [value], logicalLocations: [value], results };
      const { textsOf } = await open({ version: '2.1.0', runs: [run] });
      assert.deepEqual(
        textsOf('level'),
        results.map(() => 'warning'),
      );
    }
  });

  it('The members that rows of a list get are messages of SARIF with their arguments, and places by index', async () => {
    const driver = {
      name: 'Scan',
      globalMessageStrings: { all: { text: 'All {{of}} {0}' } },
      rules: [{ id: 'A', messageStrings: { own: { text: '{1} before {0}' } } }],
    };
    const placed = (location: object) => ({ level: 'note', locations: [location] });
    const results = [
      {
        ...placed({ logicalLocations: [{ index: 1 }] }),
        ruleId: 'A',
        message: { id: 'own', arguments: ['a', 'b'] },
      },
      { level: 'note', message: { id: 'all', arguments: ['it'] } },
      { level: 'note', message: { text: 'Plain {0} and {1}', arguments: ['x'] } },
      { level: 'note', message: { text: 'No {0}' } },
      { level: 'note', message: { id: 'constructor' } },
      placed({ physicalLocation: { artifactLocation: { index: 1 } } }),
      placed({ physicalLocation: { artifactLocation: { index: 7 } } }),
    ];
    const run = {
      tool: { driver },
      results,
      artifacts: [{ location: { uri: 'a.c' } }, { location: { uri: 'b.c' } }],
      logicalLocations: [{ name: 'a' }, { name: 'f', fullyQualifiedName: 'N.f' }],
    };
    const { textsOf } = await open({ version: '2.1.0', runs: [{ results: [] }, run] });
    assert.deepEqual(textsOf('message.text').slice(0, 5), [
      'b before a',
      'All {of} it',
      'Plain x and {1}',
      'No {0}',
      '',
    ]);
    assert.equal(textsOf('locations.logicalLocations.fullyQualifiedName')[0], 'N.f');
    const uris = textsOf('locations.physicalLocation.artifactLocation.uri');
    assert.deepEqual(uris.slice(5), ['b.c', '']);
  });

  it('The members that rows of a list get are what the rule of a result of SARIF says, once and not at any length', async () => {
    const text = (written: unknown) => ({ text: written });
    const long = 'Ä"long" text. '.repeat(2000);
    const rules = [
      {
        id: 'all',
        shortDescription: text('short'),
        fullDescription: text('full'),
        help: text('do'),
      },
      { id: 'brief', shortDescription: text('short'), help: { markdown: '# odd' } },
      {
        id: 'same',
        name: 'Same',
        shortDescription: text('one'),
        fullDescription: text(' one '),
        help: text('one'),
      },
      { id: 'long', fullDescription: text(long), help: text('Help with it. '.repeat(10)) },
      { id: 'odd', fullDescription: 'odd', help: text([]) },
      { id: 'named', name: 'NamedRule', shortDescription: text('named') },
    ];
    const results = [...rules.map(({ id }) => ({ ruleId: id })), { ruleId: 'none' }];
    const { textsOf } = await open(sarif(results, ...rules));
    const [description, help] = [textsOf('ruleDescription'), textsOf('ruleHelp')];
    assert.deepEqual(description.toSpliced(3, 1), [
      'short\n\nfull',
      'short',
      'one',
      '',
      'NamedRule',
      '',
    ]);
    assert.deepEqual(help, ['do', '', '', '', '', '', '']);
    const rows = await rowsIn(JSON.stringify(sarif(results, ...rules)), 1024 ** 2);
    const cut = String(rows[3]?.ruleDescription);
    assert.ok(cut.length > 4000 && long.startsWith(cut.slice(0, -1)) && cut.endsWith('\u2026'));
    assert.equal(rows[3]?.level, 'warning');
  });

  it('The members that rows of a list get of the rule of a SARIF result are the same whatever follows what is cut', async () => {
    const head = 'It is long. '.repeat(1000);
    const rules = ['', '\u00e9'.repeat(100_000)].map((tail, at) => ({
      id: `r${at}`,
      help: { text: head + tail },
    }));
    const results = rules.map(({ id }) => ({ ruleId: id }));
    const rows = await rowsIn(JSON.stringify(sarif(results, ...rules)), 1024 ** 2);
    const [one, other] = rows.map(({ ruleHelp }) => String(ruleHelp));
    assert.ok(one && one.length > 7000 && one.length < 8000 && one.endsWith('\u2026'));
    assert.equal(one, other);
  });

  it('The members that rows of a list get of the rule of a SARIF result are cut, not left out, where their beginning has long characters', async () => {
    const heads = ['\u4f60'.repeat(2000), '"'.repeat(3000), '\u{1f600}'.repeat(1500)];
    const rules = heads.map((head, at) => ({
      id: `r${at}`,
      help: { text: head + 'It is long. '.repeat(1000) },
    }));
    const results = rules.map(({ id }) => ({ ruleId: id }));
    const rows = await rowsIn(JSON.stringify(sarif(results, ...rules)), 1024 ** 2);
    const helps = rows.map(({ ruleHelp }) => String(ruleHelp));
    assert.deepEqual(
      helps.map(
        (help, at) => help.length > 2000 && help.startsWith(heads[at]?.slice(0, 1500) ?? ''),
      ),
      [true, true, true],
    );
    assert.ok(helps.every((help) => help.endsWith('\u2026')));
  });

  it('The members that rows of a list get are those of their findings in Trivy, however the file is read', async () => {
    const finding = (at: number) => ({
      ...{ VulnerabilityID: `CVE-2026-${at}`, PkgName: '"{,]\u00e4\\', Severity: 'HIGH' },
      ...{ Status: 'fixed', Layer: { Digest: 'x'.repeat(500) }, References: [`${at}`] },
    });
    const decided = (at: number, more: object) => ({
      ...{ Type: 'vulnerability', Status: 'not_affected', Statement: 's', Source: 'VEX' },
      ...{ Finding: { ...finding(at), ...more } },
    });
    const long = { Description: 'long '.repeat(150_000) };
    const all = [
      ...Array.from({ length: 40 }, (_, at) => decided(at, {})),
      // One that is too long to wait for its end stays as it is.
      decided(40, long),
      decided(41, {}),
      { Status: 'unknown', Finding: null },
    ];
    const text = JSON.stringify({
      ...{ SchemaVersion: 2, ArtifactName: 'a' },
      Results: [{ Target: 't', ExperimentalModifiedFindings: all }],
    });
    const expectedIn = (chunkBytes: number) =>
      all.map(({ Finding, Status, ...beside }, at) => ({
        'Results.Target': 't',
        ...(!Finding || (at === 40 && chunkBytes < text.length)
          ? { ...beside, Finding, Status }
          : { ...beside, ...Finding, 'decision.status': Status }),
      }));
    for (const chunkBytes of [100, 4096, 1024 ** 2]) {
      assert.deepEqual(await rowsIn(text, chunkBytes), expectedIn(chunkBytes));
    }
  });

  it('The members that rows of a list get close a result of SARIF that passes, also where none has a severity', async () => {
    const passed = { kind: 'pass', level: 'none', message: { text: 'm' } };
    const { overview } = await open(sarif([passed, { ...passed, kind: 'open' }]));
    assert.deepEqual([overview.rows, overview.closed?.rows], [1, 1]);
  });

  it('The members that rows of a list get say which results of SARIF are suppressed, and leave them out of the open ones', async () => {
    const suppressed = (...statuses: readonly (string | undefined)[]) => ({
      suppressions: statuses.map((status) => ({ kind: 'inSource', ...(status && { status }) })),
    });
    const results = [
      { level: 'error', ...suppressed() },
      { level: 'error', ...suppressed('accepted') },
      { level: 'error', ...suppressed(undefined) },
      { level: 'note', ...suppressed('underReview') },
      { level: 'note', ...suppressed('accepted', 'rejected') },
      { level: 'note', message: { text: '"suppressions": [{"status": "accepted"}]' } },
    ];
    const expected = ['', 'suppressed', 'suppressed', '', '', ''];
    const withLevels = await open(sarif(results));
    assert.deepEqual(withLevels.textsOf('status'), expected);
    assert.deepEqual(withLevels.told(), ['error: 1', 'note: 3']);
    assert.equal(withLevels.overview.closed?.rows, 2);

    const ruled = results.map(({ level, ...result }) => ({ ...result, ruleId: level }));
    const document = sarif(ruled, rule('error', 'error'), rule('note', 'note'));
    const { textsOf, told } = await open(document);
    assert.deepEqual(textsOf('status'), expected);
    assert.deepEqual(told(), ['error: 1', 'note: 3']);

    const none = await open(sarif([{ level: 'error', suppressions: [] }]));
    assert.ok(!none.columns.includes('status'));
  });

  it('The members that rows of a list get are the scores of rules that have nothing else', async () => {
    const { textsOf, told } = await open(
      sarif(
        [{ ruleId: 'a' }, { ruleId: 'b' }],
        rule('a', undefined, '9.8'),
        rule('b', undefined, '5'),
      ),
    );
    assert.deepEqual(textsOf('security-severity'), ['9.8', '5']);
    assert.deepEqual(told(), ['critical: 1', 'medium: 1']);
  });

  it('The members that rows of a list get order results of equal levels by the scores of their rules', async () => {
    const results = ['a', 'b', 'c'].map((ruleId) => ({
      ...{ ruleId, level: 'error', message: { text: 'm' } },
    }));
    const rules = [
      rule('a', undefined, '9.8'),
      rule('b', undefined, '10.0'),
      rule('c', undefined, '0.5'),
    ];
    const core = await openCore(
      folder.write('a.json', JSON.stringify(sarif([...results, { level: 'warning' }], ...rules))),
    );
    const { columns } = core.info();
    const names = (keys: readonly { readonly column: string }[]) =>
      keys.map(({ column }) => columns.find(({ id }) => id === column)?.name);
    const sort = worstFirst(columns);
    assert.deepEqual(names(sort), ['level', 'security-severity']);
    const { id: view } = await core.query({ query: { sort } }, work());
    const { rows } = core.rows({ view, from: 0, count: 4 }, { ...work(), reveal: true });
    core.close();
    assert.deepEqual(
      rows.map(({ record }) => record),
      [1, 0, 2, 3],
    );
  });

  it('The members that rows of a list get come also from the rules of other runs', async () => {
    const { runs } = sarif([{ ruleId: 'a' }], rule('a', 'note'));
    const others = sarif([{ ruleId: 'b' }, { ruleId: 'c', level: 'error' }], rule('b', 'error'));
    const { textsOf } = await open({ version: '2.1.0', runs: [...runs, ...others.runs] });
    assert.deepEqual(textsOf('level'), ['note', 'error', 'error']);
  });

  it('The members that rows of a list get are the first files of the locations', async () => {
    const { overview, told, columns } = await open(
      sarif([
        { level: 'error', locations: [at('src/a.ts'), at('src/z.ts')] },
        { level: 'note', locations: [] },
        { level: 'note', locations: [at('src/a.ts')], relatedLocations: [at('src/y.ts')] },
        { level: 'note', locations: [{ logicalLocations: [{ name: 'x' }] }, at('src/b.ts')] },
      ]),
    );
    assert.deepEqual(told(overview.assets), ['src/a.ts: 2', 'src/b.ts: 1', 'missing: 1']);
    assert.ok(columns.includes('locations.physicalLocation.artifactLocation.uriBaseId'));
    assert.ok(!columns.some((name) => name.startsWith('relatedLocations.')));
  });

  it('The members that rows of a list get are those of the worst rating, so that each vulnerability counts once', async () => {
    const bom = {
      bomFormat: 'CycloneDX',
      components: [{ name: 'a' }, { name: 'b' }],
      vulnerabilities: [
        {
          id: 'CVE-1',
          ratings: [{ severity: 'low' }, { score: 5 }, { severity: 'high', score: 7.5 }],
          affects: [{ ref: 'pkg:npm/a@1' }],
        },
        { id: 'CVE-2', ratings: [], affects: [{ ref: 'pkg:npm/b@1' }] },
        { id: 'CVE-3', ratings: [{ severity: 'low' }], affects: [{ ref: 'pkg:npm/b@1' }] },
      ],
    };
    const { list, textsOf, told, overview } = await open(bom);
    assert.equal(list, 'vulnerabilities[]');
    assert.deepEqual(textsOf('id'), ['CVE-1', 'CVE-2', 'CVE-3']);
    assert.deepEqual(textsOf('ratings.score'), ['7.5', '', '']);
    assert.deepEqual(told(), ['high: 1', 'low: 1', 'missing: 1']);
    assert.deepEqual(told(overview.assets), ['pkg:npm/b@1: 2', 'pkg:npm/a@1: 1']);
  });

  it('The members that rows of a list get are those of the rating by the newest CVSS and of the primary source', async () => {
    const rated = (type: string, baseSeverity: string) => ({ type, cvssData: { baseSeverity } });
    const cve = (id: string, metrics: object) => ({ cve: { id, metrics } });
    const { list, textsOf, told } = await open({
      format: 'NVD_CVE',
      version: '2.0',
      vulnerabilities: [
        cve('CVE-1', {
          cvssMetricV2: [{ ...rated('Primary', ''), baseSeverity: 'LOW' }],
          cvssMetricV30: [rated('Primary', 'CRITICAL')],
          cvssMetricV31: [rated('Secondary', 'LOW'), rated('Primary', 'HIGH')],
        }),
        cve('CVE-2', {
          cvssMetricV31: [rated('Secondary', 'LOW')],
          cvssMetricV40: [rated('Secondary', 'MEDIUM')],
        }),
        cve('CVE-3', {}),
      ],
    });
    assert.equal(list, 'vulnerabilities[]');
    assert.deepEqual(textsOf('cve.metrics.severity'), ['HIGH', 'MEDIUM', '']);
    assert.deepEqual(told(), ['HIGH: 1', 'MEDIUM: 1', 'missing: 1']);
  });

  it('The members that rows of a list get have the severity of a score where there is no word', async () => {
    const rated = (...ratings: readonly object[]) => ({ id: 'CVE-1', ratings });
    const { textsOf } = await open({
      bomFormat: 'CycloneDX',
      vulnerabilities: [
        rated({ severity: 'medium' }, { severity: 'unknown', score: 9.8, method: 'CVSSv31' }),
        rated({ score: 9.8, method: 'OWASP' }),
        rated({ severity: 'unknown' }),
        rated(
          { severity: 'low', score: 3 },
          { severity: 'low', score: 3.5, source: { name: 'x' } },
        ),
      ],
    });
    assert.deepEqual(textsOf('ratings.severity'), ['critical', '', 'unknown', 'low']);
    assert.deepEqual(textsOf('ratings.score'), ['9.8', '', '', '3.5']);
    assert.deepEqual(textsOf('ratings.source'), ['', '', '', 'x']);
  });

  it('The members that rows of a list get are found in ratings of any depth', async () => {
    const deep = `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`;
    const text = `{"bomFormat":"CycloneDX","vulnerabilities":[{"id":"A","ratings":[{"severity":"high","x":${deep}}]},{"id":"B","ratings":[{"severity":"low"}]}]}`;
    const rows = await rowsIn(text, 1024 ** 2);
    assert.deepEqual(
      rows.map((row) => row['ratings.severity']),
      ['high', 'low'],
    );
  });

  it('The members that rows of a list get do not show a value that another member names', async () => {
    const rating = { severity: 'high', name: 'password', value: 'hunter2' };
    const { columns, textsOf } = await open({ vulnerabilities: [{ id: 1, ratings: [rating] }] });
    assert.deepEqual(textsOf('id'), ['1']);
    assert.ok(!columns.includes('ratings.value') || textsOf('ratings.value').join('') === '');
  });

  it('The members that rows of a list get are those of the worst score, of CSAF', async () => {
    const score = (baseSeverity: string) => ({ cvss_v3: { baseSeverity, baseScore: 7.5 } });
    const { list, told } = await open({
      document: { category: 'csaf_vex', notes: [{ text: 'a' }] },
      vulnerabilities: [
        { cve: 'CVE-1', notes: [{ text: 'x' }], scores: [score('LOW'), score('HIGH')] },
        { cve: 'CVE-2', notes: [{ text: 'y' }] },
      ],
    });
    assert.equal(list, 'vulnerabilities[]');
    assert.deepEqual(told(), ['HIGH: 1', 'missing: 1']);
  });

  it('The members that rows of a list get are the level of a vector of CVSS in OSV, or else the word beside it', async () => {
    const vector = (type: string, score: string) => ({ type, score });
    const critical = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
    const vulnerability = (id: string, severity: object[], word?: string) => ({
      ...{ id, summary: 's', affected: [{ package: { name: 'p' } }], severity },
      ...(word !== undefined && { database_specific: { severity: word } }),
    });
    const vulnerabilities = [
      vulnerability('GHSA-1', [vector('CVSS_V3', critical)]),
      vulnerability('GHSA-2', [vector('CVSS_V4', 'CVSS:4.0/AV:N')], 'MODERATE'),
      vulnerability('MAL-3', []),
    ];
    const { list, textsOf, told } = await open({
      results: [{ source: { path: 'a' }, packages: [{ package: { name: 'p' }, vulnerabilities }] }],
    });
    assert.equal(list, 'results[].packages[].vulnerabilities[]');
    assert.deepEqual(textsOf('rating.score'), ['9.8', '', '']);
    assert.deepEqual(textsOf('rating.vector'), [critical, '', '']);
    assert.deepEqual(told(), ['critical: 1', 'MODERATE: 1', 'missing: 1']);
    assert.equal((await open(vulnerabilities)).told()?.[0], 'critical: 1');
  });

  it('The members that rows of a list get say of CSAF whether a product is affected', async () => {
    const statuses = [
      { known_affected: ['p1'], fixed: ['p2'] },
      { under_investigation: ['p1'], known_not_affected: ['p2'] },
      { fixed: ['p1'], known_affected: [] },
      { known_not_affected: ['p1'] },
      {},
    ];
    const { textsOf, overview } = await open({
      document: { csaf_version: '2.0', category: 'csaf_vex' },
      vulnerabilities: statuses.map((status, at_) => ({
        ...{ cve: `CVE-${at_}`, product_status: status },
        scores: [{ cvss_v3: { baseSeverity: 'HIGH' } }],
      })),
    });
    assert.deepEqual(textsOf('product_status.status'), [
      'known_affected',
      'under_investigation',
      'fixed',
      'known_not_affected',
      '',
    ]);
    assert.deepEqual([overview.rows, overview.closed?.rows], [3, 2]);
    // An advisory says what to install.
    const advisory = await open({
      document: { csaf_version: '2.0', category: 'csaf_security_advisory' },
      vulnerabilities: statuses.map((status) => ({ cve: 'CVE-1', product_status: status })),
    });
    assert.deepEqual([advisory.overview.rows, advisory.overview.closed?.rows], [4, 1]);
  });

  it('The members that rows of a list get have the score and the severity of one version of CVSS', async () => {
    const [old, new_] = [{ baseScore: 10 }, { baseScore: 5.1, baseSeverity: 'MEDIUM' }];
    const scores = [{ cvss_v2: old, cvss_v3: new_ }];
    const { textsOf } = await open({ vulnerabilities: [{ cve: 'CVE-1', scores }] });
    assert.deepEqual([textsOf('scores.score'), textsOf('scores.severity')], [['5.1'], ['MEDIUM']]);
    const rated = (rating: object) => ({ id: 'CVE-1', ratings: [rating] });
    const alone = await open({
      vulnerabilities: [
        rated({ score: 9.5, method: 'CVSSv2' }),
        rated({ score: '9,5', method: 'CVSSv3' }),
      ],
    });
    assert.deepEqual(alone.textsOf('ratings.severity'), ['high', 'critical']);
  });

  it('The members that rows of a list get are no ratings of films, nor of what a finding is related to', async () => {
    const films = [{ title: 'A', ratings: [{ source: 'x', rating: 'good', score: 7.5 }] }];
    assert.deepEqual((await open({ films })).columns, ['title', 'ratings']);
    const related = [{ id: 'x', severity: 'critical' }];
    const { columns } = await open({ issues: [{ id: 1, related_issues: related }] });
    assert.ok(!columns.some((name) => name.includes('severity')), columns.join());
  });

  it('The members that rows of a list get are those of the severity that a record of JSON:API relates to', async () => {
    const record = (id: string, rating: string) => ({
      id,
      attributes: { title: 'x', created_at: '2026-01-02' },
      relationships: { severity: { data: { type: 'severity', attributes: { rating } } } },
    });
    const { list, told } = await open({ data: [record('1', 'high'), record('2', 'low')] });
    assert.equal(list, 'data[]');
    assert.deepEqual(told(), ['high: 1', 'low: 1']);
  });

  it('The members that rows of a list get are the same in whatever pieces the document is read', async () => {
    const results = [
      {},
      { ruleId: 'a', note: 'brackets ]}" and \\\\ in "texts"', locations: [at('ä.ts')] },
      { ruleId: 'b', locations: [at('b"c.ts'), at('d.ts')], fixes: [[{ a: [] }], {}] },
    ];
    const text = JSON.stringify(sarif(results, rule('a', 'error'), rule('b', 'note')), null, 1);
    const expected = await rowsIn(text, 1024 ** 2);
    const uri = 'locations.physicalLocation.artifactLocation.uri';
    assert.deepEqual(
      expected.map((row) => [row.level, row[uri]]),
      [
        ['warning', undefined],
        ['error', 'ä.ts'],
        ['note', 'b"c.ts'],
      ],
    );
    for (let chunkBytes = 1; chunkBytes < 200; chunkBytes += 1) {
      assert.deepEqual(await rowsIn(text, chunkBytes), expected, String(chunkBytes));
    }
  });

  it('The members that rows of a list get leave rows as they are that are very long', async () => {
    const results = Array.from({ length: 300 }, (_, at_) => ({
      ruleId: 'a',
      text: 'x'.repeat(at_ % 100 === 50 ? 3_000_000 : 20_000),
      locations: [at(`f${at_}.ts`)],
    }));
    const rows = await rowsIn(JSON.stringify(sarif(results, rule('a', 'error'))), 1024 ** 2);
    assert.deepEqual(
      rows.map(({ ruleId, text, locations }) => ({ ruleId, text, locations })),
      results,
    );
    assert.equal(rows.filter(({ level }) => level === 'error').length, 297);
  });
});

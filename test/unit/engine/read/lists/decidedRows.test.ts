import assert from 'node:assert/strict';
import { wholeFile } from '../../../../../src/engine/data/query';
import { openCore, tableFolder, work } from '../../../../helpers/tableFiles';

/** What a document shows: its list, how many findings are open and closed, and the words for the closed ones. */
type Shown = readonly [
  list: string | undefined,
  open: number,
  closed: number,
  ...words: (readonly string[])[],
];

describe('Decisions that a file has', () => {
  const folder = tableFolder();

  async function shown(document: unknown): Promise<Shown> {
    const core = await openCore(folder.write('a.json', JSON.stringify(document)));
    const { rows, closed } = await core.readOverview({ now: 0, scope: 'open' }, work());
    const { list } = core.info();
    core.close();
    return [list, rows, closed?.rows ?? 0, ...(closed?.by ?? []).map(({ words }) => words)];
  }

  /** The columns and the rows of a document. */
  async function read(document: string) {
    const core = await openCore(folder.write('a.json', document));
    const { rows: count, columns } = core.info();
    const ids = columns.map(({ id }) => id);
    const page = core.rows({ view: wholeFile, from: 0, count, columns: ids }, work());
    core.close();
    return { columns, rows: page.rows };
  }

  /** The texts of the last row. */
  async function lastRow(document: unknown): Promise<readonly string[]> {
    const core = await openCore(folder.write('a.json', JSON.stringify(document)));
    const { rows, columns } = core.info();
    const at = { view: wholeFile, from: rows - 1, count: 1 };
    const page = core.rows({ ...at, columns: columns.map(({ id }) => id) }, work());
    core.close();
    return (page.rows[0]?.cells ?? []).map(({ text }) => text);
  }

  /** More rows than are sampled. */
  const many = <T>(create: (at: number) => T) => Array.from({ length: 300 }, (_, at) => create(at));

  it('Decisions that a file has are also what the service has accepted, late in the file, too', async () => {
    const told = (status: string) => [{ status, type: 'misattribution', comment: 'not ours' }];
    const entries = many((at) => ({
      ...{ issue_id: `i${at}`, issue_severity: 'high' },
      ...(at === 280 && { feedback: told('accepted') }),
      ...(at > 280 && { feedback: told('declined') }),
    }));
    assert.deepEqual((await shown({ entries })).slice(1), [299, 1, ['with accepted feedback']]);
    const early = entries.toReversed();
    assert.deepEqual((await shown({ entries: early })).slice(1), [
      299,
      1,
      ['with accepted feedback'],
    ]);
  });

  it('Decisions that a file has close results of SARIF that are suppressed, if nobody has refused that, or absent', async () => {
    const external = (status?: string) => ({ kind: 'external', ...(status && { status }) });
    const results = [
      {},
      { suppressions: [] },
      { suppressions: [external()] },
      { suppressions: [external('accepted')] },
      { suppressions: [external('underReview')] },
      { suppressions: [external('rejected')] },
      { suppressions: [external('rejected'), { kind: 'inSource' }] },
      { baselineState: 'absent' },
      { baselineState: 'unchanged' },
      { baselineState: 'new' },
    ].map((more, at) => ({ ruleId: `r${at}`, level: 'error', message: { text: 'm' }, ...more }));
    const runs = [{ tool: { driver: { name: 't' } }, results }];
    assert.deepEqual(await shown({ version: '2.1.0', runs }), [
      'runs[].results[]',
      7,
      3,
      ['absent'],
      ['suppressed'],
    ]);
  });

  it('Decisions that a file has close what Grype ignores by its rules', async () => {
    const match = (at: number) => ({
      vulnerability: { id: `CVE-2026-${at}`, severity: 'High' },
      artifact: { name: 'a', version: '1' },
    });
    const scan = { matches: many(match), source: {}, descriptor: { name: 'grype' } };
    assert.deepEqual(await shown(scan), ['matches[]', 300, 0]);
    const ignored = { ...match(300), appliedIgnoreRules: [{ vulnerability: 'CVE-2026-300' }] };
    assert.deepEqual(await shown({ ...scan, ignoredMatches: [ignored] }), [
      'matches[] + ignoredMatches[]',
      300,
      1,
      ['suppressed'],
    ]);
    assert.deepEqual(await shown({ ...scan, matches: [], ignoredMatches: [ignored] }), [
      'ignoredMatches[]',
      0,
      1,
      ['suppressed'],
    ]);
  });

  it('Decisions that a file has close what Trivy was told to ignore, whatever says whether there is a fix', async () => {
    const vulnerability = (at: number) => ({
      VulnerabilityID: `CVE-2026-${at}`,
      PkgName: 'a',
      Severity: 'HIGH',
      Status: at % 2 === 0 ? 'fixed' : 'will_not_fix',
      FixedVersion: at % 2 === 0 ? '2' : undefined,
    });
    const decided = ['ignored', 'not_affected'].map((Status, at) => ({
      Type: 'vulnerability',
      Status,
      Statement: 'not ours',
      Source: '.trivyignore',
      Finding: vulnerability(300 + at),
    }));
    const scan = (Vulnerabilities: unknown[]) => ({
      SchemaVersion: 2,
      ArtifactName: 'a',
      Results: [{ Target: 't', Vulnerabilities, ExperimentalModifiedFindings: decided }],
    });
    assert.deepEqual(await shown(scan(many(vulnerability))), [
      'Results[].Vulnerabilities[] + Results[].ExperimentalModifiedFindings[]',
      300,
      2,
      ['ignored', 'not_affected'],
    ]);
  });

  it('Decisions that a file has close vulnerabilities of CycloneDX by their analysis', async () => {
    const states = ['exploitable', 'in_triage', 'not_affected', 'false_positive', 'resolved'];
    const vulnerabilities = [...states, undefined].map((state, at) => ({
      id: `CVE-2026-${at}`,
      ratings: [{ severity: 'high' }],
      ...(state && { analysis: { state, detail: 'd' } }),
    }));
    const [, open, closed, words] = await shown({ bomFormat: 'CycloneDX', vulnerabilities });
    assert.deepEqual([open, closed, words], [3, 3, ['not_affected', 'false_positive', 'resolved']]);
  });

  it('Decisions that a file has close statements of OpenVEX that need nothing', async () => {
    const statements = ['affected', 'not_affected', 'fixed', 'under_investigation'].map(
      (status, at) => ({ vulnerability: { name: `CVE-2026-${at}` }, status }),
    );
    assert.deepEqual(await shown({ '@context': 'https://openvex.dev/ns/v0.2.0', statements }), [
      'statements[]',
      2,
      2,
      ['not_affected', 'fixed'],
    ]);
  });

  it('Decisions that a file has close what VEX calls fixed for Trivy, but not what only has a fix', async () => {
    const vulnerability = (id: string) => ({
      ...{
        VulnerabilityID: id,
        PkgName: 'a',
        Severity: 'HIGH',
        Status: 'fixed',
        FixedVersion: '2',
      },
    });
    const decided = ['fixed', 'not_affected', undefined].map((Status, at) => ({
      ...{ Type: 'vulnerability', Status, Statement: 's', Source: 'OpenVEX' },
      Finding: vulnerability(`CVE-2026-${at}`),
    }));
    const scan = (Vulnerabilities: unknown[]) => ({
      SchemaVersion: 2,
      ArtifactName: 'a',
      Results: [{ Target: 't', Vulnerabilities, ExperimentalModifiedFindings: decided }],
    });
    const all = 'Results[].Vulnerabilities[] + Results[].ExperimentalModifiedFindings[]';
    const words = [['fixed', 'not_affected', 'ignored']];
    for (const count of [1, 300]) {
      const open = Array.from({ length: count }, (_, at) => vulnerability(`CVE-2025-${at}`));
      assert.deepEqual(await shown(scan(open)), [all, count, 3, ...words]);
    }
    const [, open, closed] = await shown(scan([]));
    assert.deepEqual([open, closed], [0, 3]);
  });

  it('Decisions that a file has stand in Trivy beside the members of their findings, in the columns of the others', async () => {
    const vulnerability = (id: string) => ({
      ...{ VulnerabilityID: id, PkgName: `p-${id}`, Title: `t-${id}`, Severity: 'HIGH' },
      ...{ PkgIdentifier: { PURL: `pkg:a/${id}@1` }, Status: 'fixed', FixedVersion: '2' },
    });
    const [ignored, check] = [vulnerability('CVE-2026-2'), { ID: 'DS002', Type: 'Dockerfile' }];
    const decided = (Type: string, Finding: object) => ({
      ...{ Type, Status: 'ignored', Statement: 'why', Source: '.trivyignore.yaml', Finding },
    });
    const results = [
      { Target: 't', Vulnerabilities: [vulnerability('CVE-2026-1')] },
      {
        Target: 'Dockerfile',
        ExperimentalModifiedFindings: [
          decided('vulnerability', { ...ignored, CVSS: { nvd: { V3Score: 7.0 } } }),
          decided('misconfiguration', { ...check, Status: 'FAIL', Severity: 'LOW' }),
        ],
      },
    ];
    const document = { SchemaVersion: 2, ArtifactName: 'a', Results: results };
    const text = JSON.stringify(document).replace('"V3Score":7', '"V3Score":7.0');
    const { columns, rows } = await read(text);
    const textsOf = (name: string) => {
      const at = columns.findIndex((column) => column.name === name);
      return rows.map(({ cells }) => cells[at]?.text ?? '');
    };
    const names = columns.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name, at) => name.startsWith('Finding') || names.indexOf(name) !== at),
      [],
    );
    assert.deepEqual(textsOf('VulnerabilityID'), ['CVE-2026-1', 'CVE-2026-2', '']);
    assert.deepEqual(textsOf('PkgName'), ['p-CVE-2026-1', 'p-CVE-2026-2', '']);
    assert.deepEqual(textsOf('Title'), ['t-CVE-2026-1', 't-CVE-2026-2', '']);
    assert.deepEqual(textsOf('Severity'), ['HIGH', 'HIGH', 'LOW']);
    assert.deepEqual(textsOf('PkgIdentifier.PURL'), [
      'pkg:a/CVE-2026-1@1',
      'pkg:a/CVE-2026-2@1',
      '',
    ]);
    assert.deepEqual(textsOf('CVSS.nvd.V3Score'), ['', '7.0', '']);
    assert.deepEqual(textsOf('Status'), ['fixed', 'fixed', 'FAIL']);
    assert.deepEqual(textsOf('decision.status'), ['', 'ignored', 'ignored']);
    assert.deepEqual(textsOf('Statement'), ['', 'why', 'why']);
    assert.deepEqual(textsOf('Source'), ['', '.trivyignore.yaml', '.trivyignore.yaml']);
    // Both have one: what it is of is said of the other one.
    assert.deepEqual(textsOf('Type'), ['', 'vulnerability', 'Dockerfile']);
    assert.deepEqual(textsOf('decision.Type'), ['', '', 'misconfiguration']);
    assert.deepEqual(textsOf('Results.Target'), ['t', 'Dockerfile', 'Dockerfile']);
  });

  it('Decisions that a file has are the statuses of an overview of Trivy, where others say whether there is a fix', async () => {
    const Vulnerabilities = many((at) => ({
      ...{ VulnerabilityID: `CVE-2026-${at}`, PkgName: 'a', Severity: 'HIGH' },
      ...{ Status: 'fixed', FixedVersion: '2' },
    }));
    const Misconfigurations = ['PASS', 'FAIL'].map((Status) => ({
      ...{ ID: `DS-${Status}`, Severity: 'LOW', Status },
    }));
    const ExperimentalModifiedFindings = [
      { Type: 'vulnerability', Status: 'ignored', Finding: Vulnerabilities[0] },
    ];
    const statuses = async (result: object) => {
      const core = await openCore(
        folder.write(
          'a.json',
          JSON.stringify({
            ...{ SchemaVersion: 2, ArtifactName: 'a', Results: [{ Target: 't', ...result }] },
          }),
        ),
      );
      const overview = await core.readOverview({ now: 0, scope: 'open' }, work());
      const { columns } = core.info();
      core.close();
      const status = columns.find(({ name }) => name === 'Status');
      return [
        overview.status?.values.map(({ cell, count }) => `${cell.text}: ${count}`),
        status?.role,
        overview.closed?.rows,
      ];
    };
    assert.deepEqual(await statuses({ Vulnerabilities }), [undefined, 'fix', undefined]);
    assert.deepEqual(await statuses({ Vulnerabilities, ExperimentalModifiedFindings }), [
      ['ignored: 1', ': 300'],
      'fix',
      1,
    ]);
    assert.deepEqual(
      await statuses({ Vulnerabilities: Vulnerabilities.slice(1, 4), Misconfigurations }),
      [undefined, undefined, 1],
    );
    const all = { Vulnerabilities, Misconfigurations, ExperimentalModifiedFindings };
    assert.equal((await statuses(all))[2], 2);
    assert.equal((await statuses({ ...all, Vulnerabilities: [] }))[2], 2);
  });

  /** Findings of a list, beside one that was decided, in a list of its own. */
  const lists: readonly (readonly [
    tool: string,
    names: string,
    word: string,
    create: (findings: unknown[], decided: unknown[]) => unknown,
    decision: object,
  ])[] = [
    [
      'Snyk ignores',
      'vulnerabilities[] + filtered.ignore[]',
      'ignored',
      (vulnerabilities, ignore) => ({
        ...{ ok: false, dependencyCount: 2, packageManager: 'npm', vulnerabilities },
        filtered: { ignore, patch: [] },
      }),
      { filtered: { ignored: [{ reason: 'why', reasonType: 'wont-fix', path: ['*'] }] } },
    ],
    [
      'Snyk knows as patched',
      'vulnerabilities[] + filtered.patch[]',
      'patched',
      (vulnerabilities, patch) => ({
        ...{ ok: false, dependencyCount: 2, packageManager: 'npm', vulnerabilities },
        filtered: { ignore: [], patch },
      }),
      { filtered: { patches: [{ patched: '2026-01-02T03:04:05Z', path: ['a'] }] } },
    ],
    [
      'Snyk ignores in the applications of an image',
      'vulnerabilities[] + applications[].filtered.ignore[]',
      'ignored',
      (vulnerabilities, ignore) => ({
        ...{ ok: false, dependencyCount: 2, packageManager: 'deb', vulnerabilities },
        applications: [{ vulnerabilities: [], filtered: { ignore } }],
      }),
      { filtered: { ignored: [{ reason: 'why' }] } },
    ],
    [
      'Dependency-Check suppresses',
      'dependencies[].vulnerabilities[] + dependencies[].suppressedVulnerabilities[]',
      'suppressed',
      (vulnerabilities, suppressedVulnerabilities) => ({
        reportSchema: '1.1',
        scanInfo: { engineVersion: '9' },
        dependencies: [
          { fileName: 'a.jar', vulnerabilities },
          { fileName: 'b.jar', suppressedVulnerabilities },
        ],
      }),
      { notes: 'why' },
    ],
    [
      'Brakeman ignores',
      'warnings[] + ignored_warnings[]',
      'ignored',
      (warnings, ignored_warnings) => ({ scan_info: {}, warnings, ignored_warnings, errors: [] }),
      { note: 'why' },
    ],
    [
      'Checkov skips',
      'results.failed_checks[] + results.skipped_checks[]',
      'skipped',
      (failed_checks, skipped_checks) => ({
        check_type: 'terraform',
        results: { passed_checks: [], failed_checks, skipped_checks },
        summary: { passed: 0 },
      }),
      { check_result: { result: 'SKIPPED', suppress_comment: 'why' } },
    ],
    [
      'Composer ignores',
      'advisories{}[] + ignored-advisories{}[]',
      'ignored',
      (findings, ignored) => ({
        ...{ advisories: { 'a/b': findings }, 'ignored-advisories': { 'a/c': ignored } },
        abandoned: {},
      }),
      { ignoreReason: 'why' },
    ],
  ];

  for (const [tool, names, word, create, decision] of lists) {
    it(`Decisions that a file has close what ${tool}, and its rows say why`, async () => {
      const finding = (at: number) => ({ id: `F-${at}`, title: 'x', severity: 'high' });
      const decided = { ...finding(300), ...decision };
      const document = create(many(finding), [decided]);
      assert.deepEqual(await shown(document), [names, 300, 1, [word]]);
      const [, open, closed] = await shown(create([], [decided]));
      assert.deepEqual([open, closed], [0, 1]);
      const row = (await lastRow(document)).join();
      assert.match(row, /why|2026-01-02T03:04:05Z/);
    });
  }

  it('Decisions that a file has close no advisory of CSAF that says what to install, or that is open for a product', async () => {
    const vulnerabilities = [
      { fixed: ['a'] },
      { fixed: ['a'], known_not_affected: ['b'] },
      { fixed: ['a'], known_affected: ['b'] },
      { known_not_affected: ['a'] },
    ].map((product_status, at) => ({ cve: `CVE-2026-${at}`, product_status }));
    const csaf = (category: string) => ({
      document: { category, csaf_version: '2.0' },
      product_tree: {},
      vulnerabilities,
    });
    const [, open, closed] = await shown(csaf('csaf_security_advisory'));
    assert.deepEqual([open, closed], [3, 1]);
    const [, openOfVex, closedOfVex] = await shown(csaf('csaf_vex'));
    assert.deepEqual([openOfVex, closedOfVex], [1, 3]);
    // What the document is may come after all that it says.
    const { document, ...before } = csaf('csaf_vex');
    const notes = 'x'.repeat(300_000);
    const [, late] = await shown({ notes, ...before, document });
    assert.equal(late, 1);
  });

  it('Decisions that a file has close what OpenVEX calls fixed for a product, and leave others of the same vulnerability', async () => {
    const statements = ['fixed', 'affected'].map((status, at) => ({
      ...{ vulnerability: { name: 'CVE-2026-1' }, products: [{ '@id': `pkg:a@${at}` }], status },
    }));
    assert.deepEqual(await shown({ '@context': 'https://openvex.dev/ns/v0.2.0', statements }), [
      'statements[]',
      1,
      1,
      ['fixed'],
    ]);
  });

  it('Decisions that a file has close checks that passed, by any name of their severity', async () => {
    for (const name of ['severity', 'level', 'priority', 'risk']) {
      const rows = ['OK', 'good', 'secure', 'high'].map((word, at) => ({
        ...{ id: `c${at}`, cve: 'CVE-2026-1', title: 't', [name]: word },
      }));
      const [, open, closed] = await shown(rows);
      assert.deepEqual([name, open, closed], [name, 1, 3]);
    }
  });

  it('Decisions that a file has close what passed in any section of a report of testssl.sh', async () => {
    const check = (id: string, severity: string) => ({ id, severity, finding: 'f' });
    const scanResult = [
      {
        targetHost: 'example.com',
        protocols: [check('SSLv2', 'OK'), check('TLS1', 'LOW')],
        serverDefaults: [check('cert', 'OK')],
        vulnerabilities: [{ ...check('heartbleed', 'OK'), cve: 'CVE-2014-0160' }],
        rating: [check('grade_cap', 'INFO')],
      },
    ];
    const [, open, closed] = await shown({ Invocation: 'testssl.sh', version: '3', scanResult });
    assert.deepEqual([open, closed], [2, 3]);
  });
});

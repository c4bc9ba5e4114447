import assert from 'node:assert/strict';
import { whyNoRows } from '../../../../../src/summary/fileNotices';
import { openCore, tableFolder, work } from '../../../../helpers/tableFiles';

describe('The list of findings of a known format', () => {
  const folder = tableFolder();

  async function shown(document: unknown): Promise<readonly [string | undefined, number]> {
    const core = await openCore(folder.write('a.json', JSON.stringify(document)));
    const { list, rows } = core.info();
    core.close();
    return [list, rows];
  }

  const alerts = [{ alert: 'X', riskdesc: 'High (Medium)' }];

  it('The list of findings of a known format is that of GitLab where ZAP reports beside it', async () => {
    const vulnerabilities = [{ id: '1', severity: 'High' }];
    const zap = { '@version': '2', site: [{ '@name': 'a', alerts: [...alerts, ...alerts] }] };
    const report = { ...zap, scan: { type: 'dast' }, version: '15.0.4', vulnerabilities };
    assert.deepEqual(await shown(report), ['vulnerabilities[]', 1]);
    assert.deepEqual(await shown({ ...report, vulnerabilities: [] }), ['vulnerabilities[]', 0]);
  });

  it('The list of findings of a known format is found where a single site or result is no array', async () => {
    const site = { '@name': 'a', alerts };
    assert.deepEqual(await shown({ '@version': '2', site }), ['site.alerts[]', 1]);
    const results = { Vulnerabilities: [{ VulnerabilityID: 'CVE-2026-1', Severity: 'LOW' }] };
    const trivy = { SchemaVersion: 2, ArtifactName: 'a', Results: results };
    assert.deepEqual(await shown(trivy), ['Results.Vulnerabilities[]', 1]);
  });

  it('The list of findings of a known format is not said to leave out what another list repeats', async () => {
    const vulnerabilities = ['a', 'b'].map((id) => ({ id, severity: 'high', title: id }));
    const remediation = { unresolved: vulnerabilities, upgrade: {} };
    const snyk = { vulnerabilities, ok: false, dependencyCount: 2, packageManager: 'npm' };
    for (const document of [
      { ...snyk, remediation },
      { ...snyk, applications: [{ ...snyk, remediation }] },
    ]) {
      const core = await openCore(folder.write('snyk.json', JSON.stringify(document)));
      const { lists = [] } = core.info();
      core.close();
      const repeated = lists.filter(({ list }) => list.endsWith('remediation.unresolved[]'));
      assert.equal(repeated.length, 1);
      assert.equal(repeated[0]?.hasFindings, undefined);
      assert.ok(lists.some(({ hasFindings }) => hasFindings));
    }
  });

  it('The list of findings of a known format has no rows where SARIF has no results', async () => {
    const rules = [{ id: 'a' }, { id: 'b' }];
    const tool = { driver: { name: 'x', rules } };
    for (const run of [{ tool }, { tool, results: null }, { tool, results: [] }]) {
      assert.deepEqual(await shown({ version: '2.1.0', runs: [run] }), ['runs[].results[]', 0]);
    }
    assert.deepEqual(await shown({ version: '2.1.0', items: rules }), ['items[]', 2]);
  });

  it('The list of findings of a known format is guessed in documents that only resemble one', async () => {
    const result = [{ rule: 'r', severity: 'high' }];
    assert.deepEqual(await shown({ policies: [{ name: 'p' }], result }), ['result[]', 1]);
    const matches = [{ id: 'm', severity: 'high' }];
    assert.deepEqual(await shown({ matches, other: [] }), ['matches[]', 1]);
  });

  it('The list of findings of a known format is not what was searched, asked or planned', async () => {
    const checks = [
      { name: 'a', description: 'x' },
      { name: 'b', description: 'y' },
    ];
    const linter = {
      Checks: checks,
      Reports: [{ Check: 'a' }],
      Summary: { KubeLinterVersion: '1' },
    };
    assert.deepEqual(await shown(linter), ['Reports[]', 1]);
    assert.deepEqual(await shown({ ...linter, Reports: null }), ['Reports[]', 0]);
    const press = { interesting_findings: [{ url: 'u' }], target_url: 't', plugins: {} };
    assert.deepEqual(
      await shown({ ...press, version: { number: '1', vulnerabilities: [{ title: 'a' }] } }),
      ['version.vulnerabilities[] + interesting_findings[]', 2],
    );
    const threats = [{ id: 't', statement: 's' }];
    assert.deepEqual(await shown({ threats, mitigations: checks, assumptions: [...checks, {}] }), [
      'threats[]',
      1,
    ]);
    const asked = { tests: [{ metadata: { severity: 'critical' } }] };
    const answers = [{ success: true, testCase: { metadata: { severity: 'low' } } }];
    assert.deepEqual(await shown({ evalId: 'e', config: asked, results: { results: answers } }), [
      'results.results[]',
      1,
    ]);
    assert.deepEqual(await shown({ '@context': 'https://openvex.dev', statements: [] }), [
      'statements[]',
      0,
    ]);
  });

  it('The list of findings of a known format is that of components in a bill of materials without vulnerabilities', async () => {
    const components = [{ name: 'a' }, { name: 'b' }];
    const bom = { bomFormat: 'CycloneDX', components, vulnerabilities: [] as object[] };
    assert.deepEqual(await shown(bom), ['components[]', 2]);
    const vulnerabilities = [{ id: 'CVE-1', ratings: [{ severity: 'low' }] }];
    assert.deepEqual(await shown({ ...bom, vulnerabilities }), ['vulnerabilities[]', 1]);
  });

  it('The list of findings of a known format is found in a map with one member', async () => {
    const plugins = { 'contact-form-7': { slug: 'c', vulnerabilities: [{ title: 'x' }] } };
    const press = { interesting_findings: [{ url: 'u' }], target_url: 't', plugins };
    assert.deepEqual((await shown(press))[1], 2);
  });

  it('The list of findings of a known format has all packages, whatever they are called', async () => {
    const packages = (...severities: readonly string[]) => [
      { id: 'p', vulnerabilities: severities.map((severity) => ({ severity })) },
    ];
    const frameworks = [
      { topLevelPackages: packages('High'), transitivePackages: packages('Low', 'Low') },
    ];
    assert.deepEqual((await shown({ projects: [{ frameworks }] }))[1], 3);
  });

  async function open(document: unknown) {
    const core = await openCore(folder.write('a.json', JSON.stringify(document)));
    const overview = await core.readOverview({ now: 0, scope: 'open' }, work());
    core.close();
    const values = overview.severity?.values ?? [];
    return {
      rows: overview.rows,
      closed: overview.closed?.rows ?? 0,
      severity: values.map(({ cell, count }) => `${cell.text} ${count}`),
    };
  }

  it('The list of findings of a known format has controls with the outcome of their checks and their severity', async () => {
    const results = (...statuses: readonly string[]) => statuses.map((status) => ({ status }));
    const hdf = {
      platform: { name: 'Scan' },
      version: '1',
      profiles: [
        {
          name: 'p',
          controls: [
            { id: 'a', impact: 0.7, results: results('passed', 'failed') },
            { id: 'b', impact: 0.3, results: results('passed', 'passed') },
            { id: 'c', impact: 1, results: results('passed', 'skipped') },
            { id: 'd', impact: 0.5, results: [null, 5] },
            { id: 'e', impact: { toString: 1 }, results: results('passed') },
            { id: 'f', impact: 0, results: results('failed') },
            { id: 'g', impact: 0.9, results: results('failed', 'failed') },
          ],
        },
      ],
    };
    const controls_ = ['critical 1', 'high 1', 'medium 1'];
    assert.deepEqual(await open(hdf), { rows: 3, closed: 4, severity: controls_ });
    // What tells the format may come after any number of controls.
    const long = { ...hdf, profiles: [{ ...hdf.profiles[0], summary: 'x'.repeat(300_000) }] };
    const { version: _, ...without } = long;
    assert.equal((await open({ ...without, statistics: { duration: 1 } })).closed, 4);

    const controls = [
      { controlID: 'C-1', name: 'a', rules: results('failed') },
      { controlID: 'C-2', name: 'b', rules: results('passed') },
      { controlID: 'C-3', name: 'c', status: { status: 'failed' }, rules: results('failed') },
    ];
    const catalog = {
      'C-1': { controlID: 'C-1', scoreFactor: 9 },
      'C-2': { controlID: 'C-2', scoreFactor: 5 },
      'C-3': { controlID: 'C-3', scoreFactor: 3 },
    };
    const kubescape = {
      summaryDetails: { score: 7, controls: catalog },
      results: [
        { resourceID: 'r', prioritizedResource: { severity: 2 }, controls },
        { resourceID: 's', controls: [{ controlID: 'C-9', rules: results('failed') }] },
      ],
      resources: [{ resourceID: 'r', object: {} }],
    };
    assert.deepEqual(await open(kubescape), {
      rows: 3,
      closed: 1,
      severity: ['critical 1', 'low 1', ' 1'],
    });
  });

  it('The list of findings of a known format has only checks that did not pass, also without severities', async () => {
    const check = (status: string) => ({ test_number: '1', test_desc: 'x', status });
    const statuses = ['PASS', 'FAIL', 'WARN', 'INFO', 'PASS'];
    const bench = { Controls: [{ tests: [{ results: statuses.map(check) }] }], Totals: {} };
    assert.deepEqual(await open(bench), { rows: 3, closed: 2, severity: [] });
    const statements = ['not_affected', 'fixed', 'affected', 'under_investigation'];
    const vex = {
      '@context': 'https://openvex.dev/ns',
      statements: statements.map((status) => ({ vulnerability: { name: 'CVE-1' }, status })),
    };
    assert.deepEqual(await open(vex), { rows: 2, closed: 2, severity: [] });
    // The answer of a service is no check, and tasks that are done stay.
    assert.equal((await open({ status: 'success', data: { a: 1 } })).rows, 1);
    const tasks = ['open', 'done', 'done'].map((status) => ({ title: 'x', status }));
    assert.equal((await open(tasks)).rows, 3);
    const calls = ['success', 'failure', 'success'].map((outcome) => ({ user: 'a', outcome }));
    assert.equal((await open(calls)).rows, 3);
    const requests = ['accepted', 'rejected', 'open'].map((status) => ({ title: 'x', status }));
    assert.equal((await open(requests)).rows, 3);
    const exams = ['pass', 'fail', 'pass'].map((result) => ({ student: 'a', result }));
    assert.equal((await open(exams)).rows, 3);
    const logs = [true, false].flatMap((success) =>
      ['level', 'severity'].map((name) => ({ [name]: 'error', message: 'm', success })),
    );
    assert.equal((await open(logs)).rows, 4);
    const cis = ['Pass', 'Fail'].map((result) => ({ recommendation: '1.1', title: 't', result }));
    assert.equal((await open(cis)).rows, 1);
  });

  it('The list of findings of a known format has what its own statuses leave open', async () => {
    const path_ = (status: string) => ({ path: '/a', status });
    const finding = (...statuses: readonly string[]) => ({
      ...{ pluginName: 'x', severity: 'High', paths: statuses.map(path_) },
    });
    const findings = [finding('NEW', 'FALSE_POSITIVE'), finding('FALSE_POSITIVE')];
    assert.deepEqual(await open({ service: 'x', scanCompleted: { scan: { id: 1 }, findings } }), {
      rows: 1,
      closed: 1,
      severity: ['High 1'],
    });
    const policy = (violations: readonly object[] | null) => ({
      policyInfo: { title: 't', severity: 'LOW' },
      violations,
    });
    const content = {
      'data.a': policy([{ status: 'PASSED' }, { status: 'FAILED' }]),
      'data.b': policy([{ status: 'PASSED' }]),
      'data.c': policy(null),
      'data.d': policy([{ status: 'SKIPPED' }]),
    };
    assert.deepEqual(await open({ type: 'flattened', content }), {
      rows: 1,
      closed: 3,
      severity: ['LOW 1'],
    });
    const test = (pass: boolean) => ({ expectation: 'a', score_modifier: -5, pass });
    const tests = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`policy_${at}`, test(at !== 4)] as const),
    );
    const scan = { likelihood_indicator: 'MEDIUM', grade: 'B' };
    assert.deepEqual(await open({ scan, tests }), { rows: 1, closed: 9, severity: [] });
  });

  it('The list of findings of a known format leaves out severities that say that a check passed', async () => {
    const rows = ['OK', 'HIGH', 'INFO', 'OK', 'LOW'].map((severity, at) => ({
      ...{ id: `check_${at}`, severity, finding: 'x', status: at === 4 ? 'resolved' : 'open' },
    }));
    assert.deepEqual(await open(rows), { rows: 2, closed: 3, severity: ['HIGH 1', 'INFO 1'] });
    // All that the service says is positive stays.
    const positive = ['positive', 'high'].map((severity) => ({ issue_type: 'a', severity }));
    assert.equal((await open(positive)).rows, 2);
  });

  it('The list of findings of a known format has findings of scans that succeeded, or of which one check passed', async () => {
    const vulnerabilities = [{ cve: 'CVE-1', severity: 'high' }];
    const results = [{ target: 'a', success: true, vulnerabilities }];
    assert.equal((await open({ results })).rows, 1);
    const checkov = {
      check_type: 'terraform',
      results: { failed_checks: [{ check_id: 'C', severity: 'HIGH' }] },
      summary: { passed: 1, failed: 1 },
    };
    assert.equal((await open([checkov, checkov])).rows, 2);
    const unseen = { severity: 'high', review_status: 'Not Reviewed' };
    assert.equal((await open([unseen, { ...unseen, review_status: 'Rejected' }])).rows, 1);
    const secret = (is_secret?: boolean) => ({ type: 'x', hashed_secret: 'h', is_secret });
    const files = { Dockerfile: [secret()], Makefile: [secret(false)], '.env': [secret(true)] };
    const secrets = await open({ plugins_used: [{ name: 'p' }], results: files });
    assert.deepEqual(secrets, { rows: 2, closed: 1, severity: [] });
    const rows = Array.from({ length: 1000 }, (_, at) => ({
      ...{ id: `check_${at}`, severity: at < 200 ? 'HIGH' : '\u{1f7e2} OK' },
    }));
    assert.deepEqual(await open(rows), { rows: 200, closed: 800, severity: ['HIGH 200'] });
  });

  it('The list of findings of a known format is empty where a tool found nothing', async () => {
    const metadata = { vulnerabilities: { info: 0, total: 0 } };
    const clean: readonly (readonly [document: unknown, list: string])[] = [
      [{ auditReportVersion: 2, vulnerabilities: {}, metadata }, 'vulnerabilities{}'],
      [{ actions: [], advisories: {}, muted: [], metadata }, 'advisories{}'],
      [[{ name: 'a', version: '1', vulns: [] }], '[].vulns[]'],
      [{ dependencies: [{ name: 'a', version: '1', vulns: [] }] }, 'dependencies[].vulns[]'],
      [{ version: '1', plugins_used: [{ name: 'A' }], results: {} }, 'results{}[]'],
      [[{ filePath: 'a', messages: [], errorCount: 0 }], '[].messages[]'],
      [{ scan_info: {}, warnings: [], errors: [{ a: 1 }] }, 'warnings[]'],
      [{ errors: [{ e: 1 }], results: [], paths: { scanned: ['a'] } }, 'results[]'],
      [{ Issues: null, Stats: { files: 1, nosec: 0 } }, 'Issues[]'],
      [[{ vulnerabilities: [], ok: true, dependencyCount: 5 }], '[].vulnerabilities[]'],
      [
        { reportSchema: '1.1', dependencies: [{ fileName: 'a' }] },
        'dependencies[].vulnerabilities[]',
      ],
      [{ njsscan_version: '1', errors: [], nodejs: {}, templates: {} }, 'nodejs{}'],
      [{ queries: [], severity_counters: { HIGH: 0 } }, 'queries[].files[]'],
      [[{ Target: 'a', Type: 'npm', Vulnerabilities: null }], 'Vulnerabilities[]'],
      [{ document: { csaf_version: '2.0' }, product_tree: { b: [{ c: 1 }] } }, 'vulnerabilities[]'],
      [{ version: '2.1.0', runs: [] }, 'runs[].results[]'],
      // Of a format that is not known.
      [{ results: null }, 'results[]'],
      [{ results: { violations: null, scan_errors: [{ a: 1 }] } }, 'results.violations[]'],
      [{ LayerCount: 1, Vulnerabilities: {} }, 'Vulnerabilities[]'],
      [
        [
          { host: 'a', vulnerabilities: [] },
          { host: 'b', vulnerabilities: [] },
        ],
        '[].vulnerabilities[]',
      ],
    ];
    for (const [document, list] of clean) {
      assert.deepEqual(await shown(document), [list, 0], JSON.stringify(document));
    }
    // The page says so, whatever the list is called.
    const linted = await openCore(folder.write('a.json', '[{"filePath":"a","messages":[]}]'));
    assert.equal(whyNoRows(linted.info()), 'noFindings');
    linted.close();
    // The name opens it again, also where it has findings by now, or had.
    const core = await openCore(folder.write('a.json', '{"results":{}}'), { list: 'results{}' });
    assert.equal(core.info().rows, 0);
    core.close();
    // Nothing says that these looked for anything, or that they found nothing.
    const high = [{ id: 1, severity: 'high' }];
    for (const [document, list] of [
      [{ metadata: { total: 1 }, advisories: high }, 'advisories[]'],
      [[{ name: 'a', version: '1', vulns: 3 }], '[]'],
      [[{ Target: '192.0.2.1', Type: 'XSS' }], '[]'],
      [{ Target: 'x', Vulnerabilities: null, Findings: high }, 'Findings[]'],
      [{ version: 4, resources: [{ type: 'a' }], check_results: null }, 'resources[]'],
      [{ errors: [{ message: 'x' }], data: { vulnerabilities: null } }, 'errors[]'],
      [{ error: { code: 5 }, vulnerabilities: {} }, undefined],
      [
        {
          projects: [{ frameworks: [{ topLevelPackages: [{ id: 'a' }] }] }],
          parameters: '--outdated',
          sources: ['s'],
        },
        'projects[]',
      ],
      [{ results: null, error: { code: 5 } }, undefined],
      [{ companies: [{ name: 'a', issues: [] }] }, 'companies[]'],
      [{ title: 'A', severity: 'high', vulnerabilities: [] }, undefined],
      [{ assets: [{ a: 1 }], suppressed_vulnerabilities: [] }, 'assets[]'],
    ] as const) {
      assert.deepEqual(await shown(document), [list, 1], JSON.stringify(document));
    }
  });

  it('The list of findings of a known format is that of the tool rather than a longer one', async () => {
    const [finding] = [{ severity: 'High', name: 'x' }];
    const many = Array.from({ length: 5 }, () => finding);
    for (const [document, list] of [
      [
        {
          audited: [{ Vulnerabilities: many }],
          num_vulnerable: 1,
          vulnerable: [{ Vulnerabilities: [finding] }],
        },
        'vulnerable[].Vulnerabilities[]',
      ],
      [{ xissues: [finding], unFilteredIssues: many }, 'xissues[]'],
      [
        {
          ClusterName: 'c',
          Findings: [{ Kind: 'Pod', Results: [{ Vulnerabilities: [finding] }] }],
        },
        'Findings[].Results[].Vulnerabilities[]',
      ],
      [
        { queries: [{ ...finding, files: [{ file_name: 'a' }] }], severity_counters: {} },
        'queries[].files[]',
      ],
      [
        [{ host: 'a', criteriaVersion: '1', endpoints: [{ grade: 'A', details: { sims: many } }] }],
        '[].endpoints[]',
      ],
    ] as const) {
      assert.deepEqual(await shown(document), [list, 1], JSON.stringify(document));
    }
  });
});

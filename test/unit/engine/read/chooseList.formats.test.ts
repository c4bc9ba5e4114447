import assert from 'node:assert/strict';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';

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
          ],
        },
      ],
    };
    assert.deepEqual(await open(hdf), {
      rows: 3,
      closed: 2,
      severity: ['critical 1', 'high 1', 'medium 1'],
    });

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
  });
});

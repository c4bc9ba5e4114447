import assert from 'node:assert/strict';
import { openCore, tableFolder } from '../../../helpers/tableFiles';

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
});

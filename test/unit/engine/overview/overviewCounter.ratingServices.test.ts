import assert from 'node:assert/strict';
import type { ColumnRole } from '../../../../src/vocabulary/columnRole';
import type { ColumnCounts, Overview } from '../../../../src/engine/data/overview';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';

describe('The overview of a file of a rating service', () => {
  const folder = tableFolder();

  async function overviewOf(name: string, content: string | object) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const core = await openCore(folder.write(name, text));
    const overview = await core.readOverview({ now: 0 }, work());
    const { columns, list } = core.info();
    const byRole = (role: ColumnRole) => columns.find((column) => column.role === role)?.name;
    const types = new Map(columns.map((column) => [column.name, column.type]));
    core.close();
    return { overview, byRole, types, list };
  }

  const told = (counts: ColumnCounts | undefined) =>
    counts?.values.map(({ cell, count }) => `${cell.text || cell.kind}: ${count}`);
  const months = ({ firstSeen }: Overview) =>
    firstSeen?.months.map(({ month, count }) => `${month}: ${count}`);

  it('The overview of a file of a rating service shows all of the CSV of issues of SecurityScorecard', async () => {
    const { overview, types } = await overviewOf(
      'issues.csv',
      `ISSUE ID,ISSUE TYPE CODE,ISSUE TYPE SEVERITY,FACTOR NAME,STATUS,FIRST SEEN,LAST SEEN,HOSTNAME,IP ADDRESSES,TARGET,FINAL URL,ISSUE RECOMMENDATION
a1,tlscert_expired,HIGH,Network Security,active,03/25/2026,11/20/2026,shop.example.com,192.0.2.1,,,Renew it
a2,csp_no_policy,LOW,Application Security,active,07/04/2026,11/20/2026,,,,https://www.example.com/,Add one
a3,open_port,INFO,Network Security,resolved,07/05/2026,11/21/2026,,192.0.2.1,,,Close it
a4,leaked_credentials,MEDIUM,Information Leak,active,08/16/2026,11/21/2026,,,mail.example.com,,Change them
a5,open_port,INFO,Network Security,active,08/16/2026,11/21/2026,,192.0.2.1,,,Close it
`,
    );
    assert.deepEqual(told(overview.severity), ['HIGH: 1', 'MEDIUM: 1', 'LOW: 1', 'INFO: 2']);
    assert.deepEqual(told(overview.issueType)?.[0], 'open_port: 2');
    assert.deepEqual(told(overview.factor), [
      'Network Security: 3',
      'Application Security: 1',
      'Information Leak: 1',
    ]);
    assert.deepEqual(told(overview.status), ['active: 4', 'resolved: 1']);
    assert.deepEqual(told(overview.assets), [
      '192.0.2.1: 2',
      'https://www.example.com/: 1',
      'mail.example.com: 1',
      'shop.example.com: 1',
    ]);
    assert.deepEqual(months(overview), ['2026-03: 1', '2026-07: 2', '2026-08: 2']);
    assert.equal(types.get('LAST SEEN'), 'date');
  });

  it('The overview of a file of a rating service shows the findings of BitSight', async () => {
    const finding = (severity: string, vector: string, key: string, first: string) => ({
      affects_rating: true,
      assets: [{ asset: key.replace(/:.*/, ''), category: 'high', importance: 0.4 }],
      details: { grade: 'BAD', observed_ips: ['192.0.2.1:443'] },
      evidence_key: key,
      first_seen: first,
      last_seen: '2026-11-20',
      risk_category: vector === 'botnet_infections' ? 'Compromised Systems' : 'Diligence',
      risk_vector: vector,
      severity: 7.5,
      severity_category: severity,
    });
    const { overview, list } = await overviewOf('findings.json', {
      links: { next: null },
      results: [
        finding('minor', 'dkim', 'www.example.com', '2026-03-25'),
        finding('severe', 'botnet_infections', '192.0.2.1', '2026-07-05'),
        finding('material', 'ssl_certificates', 'shop.example.com:443', '2026-07-06'),
        finding('moderate', 'dkim', 'www.example.com', '2026-07-06'),
      ],
    });
    assert.equal(list, 'results[]');
    assert.deepEqual(told(overview.severity), [
      'severe: 1',
      'material: 1',
      'moderate: 1',
      'minor: 1',
    ]);
    assert.deepEqual(told(overview.issueType)?.[0], 'dkim: 2');
    assert.deepEqual(told(overview.factor), ['Diligence: 3', 'Compromised Systems: 1']);
    assert.deepEqual(told(overview.assets)?.[0], 'www.example.com: 2');
    assert.deepEqual(months(overview), ['2026-03: 1', '2026-07: 3']);
  });

  it('The overview of a file of a rating service shows the findings of RiskRecon', async () => {
    const finding = (severity: string, domain: string, host: string, ip: string) => ({
      finding_id: `${severity} ${host}`,
      security_domain: domain,
      security_criteria: `${domain}_criteria`,
      status: 'new',
      priority: 2,
      severity,
      asset_value: 'high',
      host_name: host,
      ip_address: ip,
      first_seen: '2026-03-25T00:00:00.000Z',
      last_seen: '2026-11-20T00:00:00.000Z',
    });
    const { overview, list } = await overviewOf('findings.json', {
      findings: [
        finding('low', 'web_encryption', 'shop.example.com', '192.0.2.1'),
        finding('critical', 'software_patching', '', '192.0.2.7'),
        finding('high', 'web_encryption', 'shop.example.com', '192.0.2.1'),
      ],
    });
    assert.equal(list, 'findings[]');
    assert.deepEqual(told(overview.severity), ['critical: 1', 'high: 1', 'low: 1']);
    assert.deepEqual(told(overview.issueType)?.[0], 'web_encryption_criteria: 2');
    assert.deepEqual(told(overview.factor), ['web_encryption: 2', 'software_patching: 1']);
    assert.deepEqual(told(overview.status), ['new: 3']);
    assert.deepEqual(told(overview.assets), ['shop.example.com: 2', '192.0.2.7: 1']);
    assert.deepEqual(months(overview), ['2026-03: 3']);
  });

  it('The overview of a file of a rating service shows the findings of Panorays', async () => {
    const finding = (severity: string, type: string, asset: string, month: string) => ({
      id: `${severity} ${asset}`,
      asset_name: asset,
      category: 'Application',
      sub_category: type,
      severity,
      status: 'OPEN',
      insert_ts: `2026-${month}-25T10:00:00Z`,
      update_ts: '2026-11-20T10:00:00Z',
    });
    const { overview, list } = await overviewOf('findings.json', {
      data: [
        finding('LOW', 'Headers', 'www.example.com', '03'),
        finding('CRITICAL', 'Technologies', 'www.example.com', '07'),
        finding('HIGH', 'Headers', 'shop.example.com', '07'),
      ],
      paging: { next: null },
    });
    assert.equal(list, 'data[]');
    assert.deepEqual(told(overview.severity), ['CRITICAL: 1', 'HIGH: 1', 'LOW: 1']);
    assert.deepEqual(told(overview.issueType), ['Headers: 2', 'Technologies: 1']);
    assert.deepEqual(told(overview.factor), ['Application: 3']);
    assert.deepEqual(told(overview.status), ['OPEN: 3']);
    assert.deepEqual(told(overview.assets), ['www.example.com: 2', 'shop.example.com: 1']);
    assert.deepEqual(months(overview), ['2026-03: 1', '2026-07: 2']);
  });

  it('The overview of a file of a rating service takes neither the scores of OpenSSF Scorecard for severities nor its pages for assets', async () => {
    const check = (name: string, score: number) => ({
      name,
      score,
      reason: 'It is explained here',
      details: null,
      documentation: { short: name, url: `https://github.com/ossf/scorecard/checks.md#${name}` },
    });
    const { byRole, types, list } = await overviewOf('scorecard.json', {
      date: '2026-11-20',
      repo: { name: 'github.com/example/shop', commit: 'abc' },
      score: 6.1,
      checks: [check('Fuzzing', 0), check('Binary-Artifacts', 10), check('Packaging', -1)],
    });
    assert.equal(list, 'checks[]');
    assert.equal(types.get('score'), 'number');
    assert.deepEqual([byRole('severity'), byRole('asset')], [undefined, undefined]);
  });

  it('The overview of a file of a rating service takes the categories of other things than findings for no factors', async () => {
    const { byRole } = await overviewOf(
      'goods.csv',
      `category,sub_category,price\n${'tea,green,3\n'.repeat(9)}`,
    );
    assert.deepEqual([byRole('factor'), byRole('issueType')], [undefined, undefined]);
  });
});

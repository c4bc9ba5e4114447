import assert from 'node:assert/strict';
import { findSeverityLevel } from '../../../../src/vocabulary/severity';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';

describe('The findings of formats with scales of their own', () => {
  const folder = tableFolder();

  async function open(content: unknown) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const file = folder.write(typeof content === 'string' ? 'a.csv' : 'a.json', text);
    const core = await openCore(file);
    const overview = await core.readOverview({ now: 0, scope: 'open' }, work());
    const { list } = core.info();
    core.close();
    const told = (values: typeof overview.severity) =>
      (values?.values ?? []).map(({ cell, count }) => `${cell.text} ${count}`).join(', ');
    const assets = (overview.assets?.values ?? []).map(({ cell }) => cell.text);
    return { rows: overview.rows, severity: told(overview.severity), assets, list };
  }

  it('The findings of formats with scales of their own have words for the numbers of ESLint, Veracode and others', async () => {
    const messages = [2, 1, 1].map((severity) => ({ ruleId: 'no-eval', severity, line: 3 }));
    const eslint = await open([{ filePath: '/a.js', messages }]);
    assert.deepEqual([eslint.rows, eslint.severity], [3, 'error 1, warning 2']);
    const veracode = (severity: number, status = 'OPEN') => ({
      ...{ issue_id: severity, finding_status: { status }, finding_details: { severity } },
    });
    const findings = [veracode(5), veracode(3), veracode(0), veracode(4, 'CLOSED')];
    for (const document of [{ findings }, { _embedded: { findings }, page: {} }]) {
      const { rows, severity } = await open(document);
      assert.deepEqual([rows, severity], [3, 'very high 1, medium 1, informational 1']);
    }
    const attributes = { vrt_id: 'a.b', state: 'triaged' };
    const bugs = [1, 4].map((severity) => ({ id: 'x', attributes: { ...attributes, severity } }));
    assert.equal((await open(bugs)).severity, 'P1 1, P4 1');
    assert.equal((await open({ data: bugs })).severity, 'P1 1, P4 1');
    const edgescan = [5, 2].map((severity) => ({
      ...{ id: severity, severity, threat: 1, risk: 1, name: 'x', status: 'open' },
      ...{ pci_compliance_status: 'fail', location_specifier_id: 4 },
    }));
    assert.equal((await open(edgescan)).severity, 'critical 1, low 1');
  });

  it('The findings of formats with scales of their own have the severity of vectors in cargo-audit', async () => {
    const finding = (cvss: string | null) => ({
      ...{ advisory: { id: 'RUSTSEC-2026-0001', package: 'p', cvss }, package: { name: 'p' } },
    });
    const list = ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', null, 'no vector'].map(finding);
    const document = {
      ...{ database: { 'advisory-count': 1 }, lockfile: { 'dependency-count': 1 } },
      vulnerabilities: { found: true, count: 3, list },
    };
    const { rows, severity } = await open(document);
    assert.deepEqual([rows, severity], [3, 'critical 1,  2']);
  });

  it('The findings of formats with scales of their own are in maps of one rule or host, too', async () => {
    const issue = (criticality: number) => ({ score: -1, pointer: 1, criticality });
    const rule = (...issues: readonly object[]) => ({ description: 'd', issueCounter: 1, issues });
    const issues = { 'v3-global-apikey-in-header': rule(issue(3), issue(5)) };
    const report = {
      assessmentVersion: '3.1',
      issueCounter: 3,
      security: { issueCounter: 2, issues },
      data: { issueCounter: 1, issues: { 'parameter-string': rule(issue(1)) } },
    };
    const crunch = await open({ end: '1', report });
    assert.deepEqual([crunch.rows, crunch.severity], [3, 'critical 1, medium 1, info 1']);
    assert.equal(crunch.list, 'report.security.issues{}.issues[] + report.data.issues{}.issues[]');
    const popeye = {
      score: 75,
      grade: 'C',
      sections: [
        { linter: 'pods', issues: { 'ns/a': [{ level: 2, message: 'm' }] } },
        { linter: 'nodes', issues: { 'ns/b': [{ level: 0, message: 'fine' }] } },
      ],
    };
    const shown = await open({ popeye });
    assert.deepEqual([shown.rows, shown.severity], [1, 'warning 1']);
    const test = (pass: boolean) => ({
      ...{ expectation: 'e', name: 'n', output: { data: { 'a.js': {}, 'b.js': {} } }, pass },
      score_modifier: -25,
    });
    const observatory = { cookies: test(true), 'subresource-integrity': test(false) };
    assert.equal((await open(observatory)).rows, 1);
    const scanner = { name: 'Trivy', vendor: 'x', version: '1' };
    const harbor = (vulnerabilities: unknown) => ({
      'application/vnd.report+json; version=1.0': {
        ...{ generated_at: '2026-01-01', scanner, severity: 'None', vulnerabilities },
      },
    });
    assert.equal((await open(harbor(null))).rows, 0);
    const found = await open(harbor([{ id: 'CVE-2026-1', severity: 'High', package: 'p' }]));
    assert.deepEqual([found.rows, found.severity], [1, 'High 1']);
  });

  it('The findings of formats with scales of their own are known where the title of a report comes late', async () => {
    const check = (success: boolean) => ({
      ...{ checkID: 'KSV001', severity: 'LOW', success, description: 'd'.repeat(900) },
    });
    const results = Array.from({ length: 400 }, (_, at) => ({
      ...{ id: `1.${at}`, name: 'n', severity: 'CRITICAL', checks: [check(at > 2)] },
    }));
    const detailReport = { description: 'd', id: 'cis', results, title: 'CIS' };
    const { rows, severity } = await open({
      ...{ apiVersion: 'a/v1', kind: 'ClusterComplianceReport', status: { detailReport } },
    });
    assert.deepEqual([rows, severity], [3, 'LOW 3']);
  });

  it('The findings of formats with scales of their own have what Snyk, Sonatype, Dockle and QARK call them', async () => {
    const snyk = [
      { id: 'a', severity: 'high', severityWithCritical: 'critical' },
      { id: 'b', severity: 'high', severityWithCritical: 'high' },
    ];
    const vulnerabilities = { ok: false, packageManager: 'npm', vulnerabilities: snyk };
    assert.equal((await open(vulnerabilities)).severity, 'critical 1, high 1');
    const securityIssues = ['severe', 'critical'].map((threatCategory, at) => ({
      ...{ source: 'cve', reference: `CVE-2026-${at}`, severity: 5.9, status: 'Open' },
      threatCategory,
    }));
    const components = [{ hash: 'a', securityData: { securityIssues } }];
    assert.equal((await open({ components })).severity, 'critical 1, severe 1');
    const details = ['FATAL', 'WARN', 'IGNORE', 'SKIP', 'PASS'].map((level, at) => ({
      ...{ code: `CIS-${at}`, title: 't', level, alerts: ['a'] },
    }));
    const dockle = await open({ summary: { fatal: 1, warn: 1 }, details });
    assert.deepEqual([dockle.rows, dockle.severity], [2, 'FATAL 1, WARN 1']);
    const qark = ['VULNERABILITY', 'WARNING', 'INFO'].map((severity) => ({
      ...{ category: 'c', name: 'n', severity, description: 'd' },
    }));
    assert.equal((await open(qark)).severity, 'VULNERABILITY 1, WARNING 1, INFO 1');
  });

  it('The findings of formats with scales of their own stay open if only an assistant suggests to close them', async () => {
    const finding = {
      ...{ id: 1, severity: 'medium', status: 'open', state: 'unresolved', rule_name: 'r' },
      external_ticket: { url: 'https://tickets.example/1' },
      location: { file_path: 'src/a.ts', line: 3 },
      assistant: { autotriage: { verdict: 'false_positive', reason: 'x' } },
    };
    const { rows, severity } = await open({ findings: [finding, { ...finding, id: 2 }] });
    assert.deepEqual([rows, severity], [2, 'medium 2']);
  });

  it('The findings of formats with scales of their own have words for Security Hub, GuardDuty and OCSF', async () => {
    const finding = (at: number, Severity: unknown) => ({
      ...{ SchemaVersion: '2018-10-08', Id: `f${at}`, Title: 't', RecordState: 'ACTIVE', Severity },
      Resources: [{ Id: `arn:aws:s3:::b${at}` }],
    });
    const hub = [90, 70, 40, 1].map((Normalized, at) => finding(at, { Product: 5, Normalized }));
    for (const document of [hub, { Findings: hub }]) {
      const { severity, assets } = await open(document);
      assert.equal(severity, 'critical 1, high 1, medium 1, low 1');
      assert.deepEqual(
        assets,
        [0, 1, 2, 3].map((at) => `arn:aws:s3:::b${at}`),
      );
    }
    const labelled = [finding(1, { Label: 'HIGH', Normalized: 20 })];
    assert.equal((await open({ Findings: labelled })).severity, 'HIGH 1');
    const mixed = [{ Label: 'LOW' }, { Normalized: 70 }, { Label: 'CRITICAL' }];
    const { severity: all } = await open(mixed.map((each, at) => finding(at, each)));
    assert.equal(all, 'CRITICAL 1, high 1, LOW 1');
    const { rows, severity: single } = await open(labelled[0]);
    assert.deepEqual([rows, single], [1, 'HIGH 1']);
    const duty = [8, 5].map((Severity, at) => ({
      ...{ Id: `${at}`, Severity, Title: 't', Service: { DetectorId: 'd', Archived: false } },
    }));
    assert.equal((await open({ Findings: duty })).severity, 'high 1, medium 1');
    const ocsf = [5, 2].map((severity_id, at) => ({
      ...{ class_uid: 2002, severity_id, finding_info: { uid: `u${at}`, title: 't' } },
    }));
    assert.equal((await open(ocsf)).severity, 'critical 1, low 1');
    const [first, second] = ocsf;
    const some = await open([first, second, { ...second, severity_id: 4, severity: 'High' }]);
    assert.equal(some.severity, 'critical 1, High 1, low 1');
  });

  it('The findings of formats with scales of their own are those that failed in tfsec, ScoutSuite and SonarQube', async () => {
    const tfsec = [0, 1, 2, 0].map((status, at) => ({
      ...{ rule_id: 'AVD-1', long_id: 'aws-a', rule_provider: 'aws', status },
      severity: ['CRITICAL', 'HIGH', 'HIGH', 'LOW'][at],
    }));
    const results = await open({ results: tfsec });
    assert.deepEqual([results.rows, results.severity], [2, 'CRITICAL 1, LOW 1']);
    const rule = (level: string, flagged_items: number) => ({
      ...{ description: 'd', level, flagged_items, checked_items: 3, items: [] },
    });
    const services = {
      s3: { findings: { 's3-public': rule('danger', 2), 's3-log': rule('warning', 0) } },
      iam: { findings: { 'iam-password': rule('danger', 0) } },
    };
    const scout = await open({ account_id: '1', provider_code: 'aws', last_run: {}, services });
    assert.deepEqual([scout.rows, scout.severity], [1, 'danger 1']);
    const hotspot = (vulnerabilityProbability: string, status: string, resolution?: string) => ({
      ...{ key: 'k', component: 'p:a', vulnerabilityProbability, status, resolution, line: 3 },
    });
    const hotspots = [
      hotspot('HIGH', 'TO_REVIEW'),
      hotspot('HIGH', 'REVIEWED', 'SAFE'),
      hotspot('MEDIUM', 'REVIEWED', 'ACKNOWLEDGED'),
    ];
    const sonar = await open({ paging: { total: 3 }, hotspots });
    assert.deepEqual([sonar.rows, sonar.severity], [1, 'HIGH 1']);
  });

  it('The findings of formats with scales of their own are no false positives of ZAP and Burp', async () => {
    const alert = (riskdesc: string) => ({
      alert: 'X',
      riskdesc,
      instances: [{ uri: 'http://a' }],
    });
    const alerts = [alert('High (Medium)'), alert('High (False Positive)')];
    const zap = await open({ '@version': '2', site: [{ '@name': 'a', alerts }] });
    assert.deepEqual([zap.rows, zap.severity], [1, 'High (Medium) 1']);
    // The risk is the severity; what is in brackets says how sure the tool is.
    for (const [text, level] of [
      ['High (Low)', 'high'],
      ['Low (High)', 'low'],
      ['Medium (Medium)', 'medium'],
      ['Informational (High)', 'info'],
    ] as const) {
      assert.equal(findSeverityLevel(text, 'riskdesc'), level);
    }
    const shape = (riskcode: string, confidence: string, riskdesc: string) => ({
      ...{ pluginid: '10038', alertRef: '10038-1', alert: 'X', name: 'X' },
      ...{ riskcode, confidence, riskdesc, desc: '<p>d</p>', cweid: '693' },
      instances: [{ uri: 'http://a', method: 'GET', param: '', attack: '' }],
      count: '1',
    });
    const real = await open({
      ...{ '@programName': 'ZAP', '@version': '2.15.0' },
      site: [
        {
          '@name': 'http://a',
          alerts: [
            shape('1', '3', 'Low (High)'),
            shape('3', '1', 'High (Low)'),
            shape('0', '3', 'Informational (High)'),
          ],
        },
      ],
    });
    assert.equal(real.severity, 'High (Low) 1, Low (High) 1, Informational (High) 1');
    const issues = ['high', 'false_positive', 'info'].map((severity) => ({
      ...{ issue_type: 'x', severity, origin: 'http://a', path: '/' },
    }));
    assert.deepEqual((await open({ issues })).rows, 2);
  });

  it('The findings of formats with scales of their own are no checks of Prowler that somebody has to make', async () => {
    const checks = ['PASS', 'FAIL', 'MANUAL'];
    const heading =
      'AUTH_METHOD;ACCOUNT_UID;FINDING_UID;CHECK_ID;STATUS;MUTED;SEVERITY;RESOURCE_UID';
    const csv = await open(
      [heading, ...checks.map((status, at) => `p;1;u${at};c${at};${status};False;high;arn${at}`)]
        .map((line) => `${line}\n`)
        .join(''),
    );
    assert.deepEqual([csv.rows, csv.severity], [1, 'high 1']);
    const ocsf = await open(
      checks.map((status_code, at) => ({
        ...{ class_uid: 2004, severity: 'High', severity_id: 4, status_code, status: 'New' },
        finding_info: { uid: `u${at}` },
        metadata: { product: { name: 'Prowler' }, event_code: `c${at}` },
        resources: [{ uid: `arn:aws:s3:::b${at}` }],
      })),
    );
    assert.deepEqual([ocsf.rows, ocsf.severity], [1, 'High 1']);
  });

  it('The findings of formats with scales of their own close in columns that only their tools have', async () => {
    const csv = (...lines: readonly string[]) => open(`${lines.join('\n')}\n`);
    const fortify = await csv(
      'Category,Folder,Analysis,Suppressed,Friority,File Name,Line Number',
      'SQL Injection,Critical,Exploitable,false,Critical,a.java,3',
      'XSS,High,Not an Issue,false,High,b.java,4',
      'Path,High,Suspicious,false,Low,d.java,6',
    );
    assert.deepEqual([fortify.rows, fortify.severity], [2, 'Critical 1, Low 1']);
    const veracode = await csv(
      'Flaw Id,CWE Id,Severity,Remediation Status,Mitigation Status',
      '1,89,High,New,None',
      '2,79,High,Open,Accepted',
      '3,79,Medium,Open,Rejected',
    );
    assert.deepEqual([veracode.rows, veracode.severity], [2, 'High 1, Medium 1']);
    const tenable = await csv(
      'Plugin,Plugin Name,Severity,IP Address,Accept Risk?',
      '1,A,Critical,192.0.2.1,No',
      '2,B,High,192.0.2.2,Yes',
    );
    assert.equal(tenable.rows, 1);
    const cloudsploit = await csv(
      'category,title,resource,region,statusWord,message',
      'S3,A,arn:aws:s3:::a,us,FAIL,m',
      'S3,B,arn:aws:s3:::b,us,OK,m',
      'S3,C,arn:aws:s3:::c,us,WARN,m',
    );
    assert.equal(cloudsploit.rows, 2);
    const xccdf = await csv(
      'rule_id,severity,result,title',
      ...['fail', 'pass', 'notapplicable', 'notchecked', 'error', 'fixed', 'notselected'].map(
        (result, at) => `r${at},high,${result},t`,
      ),
    );
    assert.equal(xccdf.rows, 3);
    const nuclei = [true, false].map((isMatch) => ({
      ...{ 'template-id': 'a', info: { severity: 'high' }, host: 'http://a' },
      'matcher-status': isMatch,
    }));
    assert.equal((await open(nuclei)).rows, 1);
    const google = ['UNDEFINED', 'MUTED', 'UNMUTED'].map((mute) => ({
      finding: { category: 'X', severity: 'HIGH', state: 'ACTIVE', mute },
    }));
    assert.equal((await open(google)).rows, 2);
    const advisories = ['2026-01-02T00:00:00Z', null].map((withdrawn, at) => ({
      ...{ id: `GHSA-${at}`, modified: '2026-01-01T00:00:00Z', withdrawn, affected: [] },
      database_specific: { severity: at === 0 ? 'HIGH' : 'LOW' },
    }));
    const osv = await open(advisories);
    assert.deepEqual([osv.rows, osv.severity], [1, 'LOW 1']);
    // How something was found.
    const passive = ['High', 'Low'].map((Severity) => ({
      ...{ Title: 't', Severity, Url: 'http://a', Active: Severity === 'High', Payload: null },
    }));
    assert.equal((await open({ Issues: passive })).rows, 2);
    const own = [true, false].map((active) => ({
      id: `${active}`,
      severity: 'high',
      active,
      payload: '',
    }));
    assert.equal((await open(own)).rows, 1, 'a payload alone says nothing of the tool');
  });

  it('The findings of formats with scales of their own have the newest CVSS of each in the NVD, CSAF 2.1 and CVE 5', async () => {
    const item = (id: string, impact: object) => ({
      ...{ cve: { CVE_data_meta: { ID: id } }, impact },
    });
    const second = { baseMetricV2: { severity: 'HIGH', cvssV2: { baseScore: 7.5 } } };
    const third = { baseMetricV3: { cvssV3: { baseScore: 9.8, baseSeverity: 'CRITICAL' } } };
    const nvd = {
      ...{ CVE_data_type: 'CVE', CVE_data_version: '4.0' },
      CVE_Items: [item('CVE-1', second), item('CVE-2', { ...second, ...third }), item('CVE-3', {})],
    };
    assert.equal((await open(nvd)).severity, 'CRITICAL 1, HIGH 1,  1');
    const metric = {
      cvss_v3: { baseScore: 5, baseSeverity: 'MEDIUM' },
      cvss_v4: { baseScore: 9.1, baseSeverity: 'CRITICAL' },
    };
    const vulnerabilities = [
      { cve: 'CVE-1', metrics: [{ content: metric, products: ['p'] }] },
      { cve: 'CVE-2', metrics: [{ content: { cvss_v3: metric.cvss_v3 }, products: ['p'] }] },
    ].map((each) => ({ ...each, product_status: { known_affected: ['p'] } }));
    const csaf = { document: { csaf_version: '2.1', category: 'x' }, vulnerabilities };
    assert.equal((await open(csaf)).severity, 'CRITICAL 1, MEDIUM 1');
    const records = ['CRITICAL', 'LOW'].map((baseSeverity, at) => ({
      cveMetadata: { cveId: `CVE-2026-${at}` },
      containers: { cna: { metrics: [{ cvssV3_1: { baseScore: 5, baseSeverity } }] } },
    }));
    assert.equal((await open(records)).severity, 'CRITICAL 1, LOW 1');
  });

  it('The findings of formats with scales of their own are open if only others of Trivy are left out', async () => {
    const found = (Severity: string) => ({
      ...{ VulnerabilityID: 'CVE-1', PkgName: 'p', InstalledVersion: '1', FixedVersion: '2' },
      ...{ Severity, Status: 'fixed' },
    });
    const left = (Type: string, Finding: object) => ({ Type, Status: 'ignored', Finding });
    const ExperimentalModifiedFindings = [
      left('vulnerability', found('CRITICAL')),
      left('misconfiguration', { ID: 'DS1', Severity: 'HIGH', Status: 'FAIL' }),
      left('secret', { RuleID: 'aws', Severity: 'HIGH', Title: 'x' }),
    ];
    const result = {
      ...{ Target: 't', Vulnerabilities: [found('LOW')], ExperimentalModifiedFindings },
    };
    const trivy = await open({ SchemaVersion: 2, ArtifactName: 'a', Results: [result] });
    assert.deepEqual([trivy.rows, trivy.severity], [1, 'LOW 1']);
    const checks = ['FAIL', 'PASS', 'EXCEPTION'].map((Status) => ({
      ...{ ID: 'DS1', Severity: 'HIGH', Status },
    }));
    const both = [{ ...result, Misconfigurations: checks, ExperimentalModifiedFindings: [] }];
    const mixed = await open({ SchemaVersion: 2, ArtifactName: 'a', Results: both });
    assert.deepEqual([mixed.rows, mixed.severity], [2, 'HIGH 1, LOW 1']);
  });

  it('The findings of formats with scales of their own are read in French and Spanish', async () => {
    const french =
      'id,titre,gravité,statut\n1,a,Critique,Ouvert\n2,b,Élevée,Résolu\n3,c,Faible,Ouvert\n';
    const spanish =
      'id,título,severidad,estado\n1,a,Crítica,Abierto\n2,b,Alta,Cerrado\n3,c,Baja,Abierto\n';
    const [one, other] = [await open(french), await open(spanish)];
    assert.deepEqual([one.rows, one.severity], [2, 'Critique 1, Faible 1']);
    assert.deepEqual([other.rows, other.severity], [2, 'Crítica 1, Baja 1']);
  });

  it('The findings of formats with scales of their own are none where Checkov found nothing to check', async () => {
    const clean = { passed: 0, failed: 0, skipped: 0, resource_count: 0, checkov_version: '3.2.0' };
    assert.equal((await open(clean)).rows, 0);
    const numbers = [3, 0].map((severity) => ({ vuln_id: 'v', severity, vt_name: 'n' }));
    const acunetix = await open({ vulnerabilities: numbers, pagination: {} });
    assert.equal(acunetix.severity, 'high 1, informational 1');
    const results = [30, 10].map((severity) => ({
      severity,
      state: 'notfixed',
      definition: { name: 'n' },
    }));
    assert.equal((await open({ count: 2, results })).severity, 'high 1, low 1');
  });

  it('The findings of formats with scales of their own are about resources and files, not about products and pages', async () => {
    const rule = (file_path: string) => ({
      files: [{ file_path, match_lines: [3, 3], match_string: 'md5(x)' }],
      metadata: { severity: 'WARNING', description: 'd' },
    });
    const njsscan = { njsscan_version: '1', errors: [], nodejs: { node_md5: rule('hash.js') } };
    assert.deepEqual((await open({ ...njsscan, templates: {} })).assets, ['hash.js']);
    const ocsf = [1, 2].map((at) => ({
      ...{ class_uid: 2004, severity: 'High', severity_id: 4, finding_info: { uid: `u${at}` } },
      metadata: { product: { name: 'Prowler' } },
      resources: [{ uid: `arn:aws:s3:::b${at}`, data: { a: { b: 1 } }, labels: ['x'] }],
    }));
    assert.deepEqual((await open(ocsf)).assets, ['arn:aws:s3:::b1', 'arn:aws:s3:::b2']);
    const findings = [1, 2].map((at) => ({
      findingArn: `arn:aws:inspector2:eu-west-1:012345678901:finding/${at}`,
      ...{ severity: 'HIGH', status: 'ACTIVE', title: 't' },
      resources: [{ id: `i-${at}`, details: { a: { b: ['x'] } } }],
    }));
    assert.deepEqual((await open({ findings })).assets, ['i-1', 'i-2']);
    const statements = [1, 2].map((at) => ({
      ...{ vulnerability: `CVE-2026-${at}`, products: [{ '@id': `pkg:a/b@${at}` }] },
      status: at === 1 ? 'affected' : 'under_investigation',
    }));
    const vex = await open({ '@context': 'https://openvex.dev/ns', statements });
    assert.deepEqual([vex.rows, vex.assets], [2, ['pkg:a/b@1', 'pkg:a/b@2']]);
    const alerts = [1, 2].map((number) => ({
      ...{
        number,
        state: 'open',
        url: `https://api.github.com/repos/o/r/code-scanning/alerts/${number}`,
      },
      rule: { id: 'js/x', security_severity_level: 'high' },
      most_recent_instance: { state: 'open', location: { path: `src/${number}.js` } },
    }));
    assert.deepEqual((await open(alerts)).assets, ['src/1.js', 'src/2.js']);
    const secrets = ['a.env', 'b.env'].map((path, number) => ({
      ...{ number, state: 'open', secret_type: 'aws_key', first_location_detected: { path } },
      resolved_by: { url: 'https://api.github.com/users/octocat' },
      repository: { owner: { url: 'https://api.github.com/users/octocat' } },
    }));
    assert.deepEqual((await open(secrets)).assets, ['a.env', 'b.env']);
  });

  it('The findings of formats with scales of their own are no lists by words that name other things, too', async () => {
    const rule = (id: string, severity: string) => ({ id, severity, title: 't' });
    const report = {
      failed: [rule('a', 'high'), rule('b', 'low')],
      skipped: [rule('c', 'critical')],
      ignored: [rule('d', 'critical')],
    };
    assert.deepEqual((await open(report)).list, 'failed[]');
    const found = {
      matches: [1, 2].map((at) => ({
        vulnerability: { id: `CVE-2026-${at}`, severity: 'High' },
        advisory: { id: `A-${at}`, severity: 'Low' },
        suggestion: { text: 'Update it.' },
      })),
    };
    assert.deepEqual([(await open(found)).list, (await open(found)).rows], ['matches[]', 2]);
  });

  it('The findings of formats with scales of their own are in all lists of an older report of MobSF', async () => {
    const rule = (severity: string) => ({
      files: { 'a/B.java': '18' },
      metadata: { description: 'd', severity, cvss: 7.5 },
    });
    const manifest = [
      { title: 'Debug', stat: 'high', desc: 'd', name: 'n', component: [] },
      { title: 'Backup', stat: 'info', desc: 'd', name: 'n', component: [] },
    ];
    const binary = (severity: string) => ({
      name: 'lib/a.so',
      nx: { is_nx: severity === 'info', severity, description: 'd' },
      pie: { is_pie: true, severity: 'info', description: 'd' },
    });
    const report = {
      ...{ version: 'v3.4.3', app_name: 'Diva', package_name: 'a.b', permissions: {} },
      strings: ['a'],
      code_analysis: { android_logging: rule('info'), android_sql: rule('warning') },
    };
    const flat = await open({
      ...report,
      ...{ manifest_analysis: manifest, binary_analysis: [binary('high')], android_api: {} },
    });
    assert.deepEqual([flat.rows, flat.severity], [5, 'high 2, warning 1, info 2']);
    const nested = await open({
      ...report,
      manifest_analysis: { manifest_findings: [{ rule: 'r', title: 't', severity: 'warning' }] },
      code_analysis: { findings: report.code_analysis, summary: {} },
    });
    assert.deepEqual([nested.rows, nested.severity], [3, 'warning 2, info 1']);
    const none = await open({
      ...report,
      code_analysis: {},
      manifest_analysis: [],
      secrets: ['x'],
    });
    assert.equal(none.rows, 0);
  });

  it('The findings of formats with scales of their own have the word of OSV where only that knows CVSS 4', async () => {
    const fourth = {
      type: 'CVSS_V4',
      score: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
    };
    const third = { type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N' };
    const vulnerability = (severity: readonly object[], word?: string) => ({
      ...{ schema_version: '1.6.0', id: 'GHSA-1', summary: 's', severity },
      affected: [{ package: { ecosystem: 'npm', name: 'p' } }],
      references: [{ type: 'WEB', url: 'https://a.example' }],
      ...(word !== undefined && { database_specific: { severity: word, cwe_ids: [] } }),
    });
    const all = [
      vulnerability([fourth, third]),
      vulnerability([fourth, third], 'CRITICAL'),
      vulnerability([third], 'MODERATE'),
      vulnerability([fourth], 'HIGH'),
      vulnerability([fourth]),
    ];
    for (const document of [all, { vulns: all }]) {
      assert.equal((await open(document)).severity, 'CRITICAL 1, HIGH 1, low 2,  1');
    }
    // One vulnerability is a record, not a table of its vectors.
    const single = await open(all[1]);
    assert.deepEqual([single.rows, single.severity, single.list], [1, 'CRITICAL 1', undefined]);
    const plain = await open(all[0]);
    assert.deepEqual([plain.rows, plain.severity, plain.list], [1, '', undefined]);
  });

  it('The findings of formats with scales of their own are hits of PTART, also those of a retest', async () => {
    const hit = (severity: number) => ({
      ...{ id: `PTART-${severity}`, title: 't', asset: 'https://a.example', severity },
      ...{ fix_complexity: 3, cvss_score: 9.8 },
    });
    const retest = { hits: [{ id: 'R', status: 'NF', original_hit: hit(2) }], name: 'Retest' };
    const both = { name: 'Report', assessments: [{ hits: [hit(1), hit(4)] }], retests: [retest] };
    const all = await open(both);
    assert.deepEqual([all.rows, all.severity], [3, 'critical 1, high 1, low 1']);
    const again = await open({ name: 'Report', assessments: [], retests: [retest] });
    assert.deepEqual([again.rows, again.severity], [1, 'high 1']);
  });

  it('The findings of formats with scales of their own are risks of WhiteHat and types of PHP_CodeSniffer', async () => {
    const vulnerability = (risk: number, custom_risk: number | null, status = 'open') => ({
      ...{ id: `${risk}`, class: 'XSS', risk, custom_risk, threat: '5', severity: '1', status },
      ...{ site: '69858', site_name: 'S', url: 'a.example', found: '2026-01-09T00:53:16Z' },
    });
    const collection = [
      vulnerability(3, null),
      vulnerability(2, 5),
      vulnerability(1, null),
      vulnerability(5, null, 'closed'),
    ];
    const whitehat = await open({ collection, page: { total: 4 } });
    assert.deepEqual([whitehat.rows, whitehat.severity], [3, 'critical 1, medium 1, info 1']);
    const message = (type: string, line: number) => ({
      ...{ message: 'm', source: 'Sniff.A', severity: 5, fixable: false, type, line, column: 1 },
    });
    const sniffed = await open({
      totals: { errors: 1, warnings: 2, fixable: 0 },
      files: {
        '/a/b.php': {
          ...{ errors: 1, warnings: 2 },
          messages: ['WARNING', 'ERROR', 'WARNING'].map(message),
        },
        '/a/c.php': { errors: 0, warnings: 0, messages: [] },
      },
    });
    assert.deepEqual([sniffed.rows, sniffed.severity], [3, 'ERROR 1, WARNING 2']);
  });
});

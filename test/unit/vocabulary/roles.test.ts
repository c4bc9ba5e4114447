import assert from 'node:assert/strict';
import {
  columnRoles,
  findRoles,
  type Role,
  type SampledColumn,
} from '../../../src/vocabulary/roles';

describe('The roles of columns', () => {
  const column = (name: string, ...texts: string[]): SampledColumn => ({ name, texts, dates: 0 });
  const nameOf = (role: Role, ...columns: SampledColumn[]) =>
    findRoles(columns).get(role)?.column.name;

  it('The roles of columns prefer words for severities to numbers, whose scale only the tool knows', () => {
    const words = column('threatCategory', 'critical', 'severe');
    assert.equal(nameOf('severity', column('severity', '9.8', '7.5'), words), 'threatCategory');
    assert.equal(
      nameOf('severity', column('severity', '[{"score": 5}]'), column('db.severity', 'HIGH')),
      'db.severity',
    );
    const other = column('priority', 'high', 'low');
    assert.equal(nameOf('severity', column('severity', '9.8', '7.5'), other), 'severity');
    const partly = column('risk_rating', 'high', 'see below');
    assert.equal(nameOf('severity', column('severity', '9.8', '7.5'), partly), 'severity');
  });

  it('The roles of columns take of several severities the one that a finding has now', () => {
    const all = (name: string) => column(name, 'High', 'Critical');
    for (const [now, ...others] of [
      ['Severity', 'Original Severity'],
      ['Adjusted severity', 'Original severity'],
      ['Custom Severity', 'Default Severity', 'Severity'],
      ['effectiveSeverity', 'severity'],
      ['Residual Risk', 'Inherent Risk'],
      ['Vendor severity', 'NVD severity'],
      ['Red Hat severity', 'NVD severity'],
      ['Vulnerability Severity', 'CVSS Severity'],
      ['Risk', 'Risk Factor'],
      ['SEVERITY', 'ORIGINAL_SEVERITY'],
    ] as const) {
      const names = [now, ...others];
      for (const each of [names, names.toReversed()]) {
        assert.equal(nameOf('severity', ...each.map(all)), now, each.join());
      }
    }
    const some = column('Adjusted Severity', 'Low', '');
    assert.equal(nameOf('severity', some, all('Severity')), 'Severity');
    assert.equal(nameOf('severity', column('Original Severity', 'Low')), 'Original Severity');
  });

  it('The roles of columns take priorities that are numbers for severities only of findings', () => {
    const priority = column('Priority', '3', '1', '5');
    const code = [column('File', 'a.java'), column('Line', '7'), column('Rule', 'CloseResource')];
    assert.equal(nameOf('severity', priority, ...code), 'Priority');
    assert.equal(nameOf('severity', priority, column('vulnerability_references', 'x')), 'Priority');
    const german = column('Priorität', '1', '2');
    assert.equal(nameOf('severity', german, column('Schwachstelle', 'x')), 'Priorität');
    assert.equal(nameOf('severity', priority, column('Task', 'Tidy up')), undefined);
    assert.equal(nameOf('severity', priority, column('Rule', 'deny all')), undefined);
    assert.equal(nameOf('severity', column('Priority', '10', '20'), ...code), undefined);
    const words = column('Severity', 'High');
    assert.equal(nameOf('severity', priority, words, ...code), 'Severity');
  });

  it('The roles of columns take rules for issue types of findings, unless another column has these', () => {
    const severity = column('level', 'error', 'note');
    for (const name of ['ruleId', 'check_id', 'rule_id', 'VulnerabilityID']) {
      const rule = column(name, 'eqeqeq', 'no_eval');
      assert.equal(nameOf('issueType', rule, severity), name);
      assert.equal(nameOf('issueType', rule), undefined);
      assert.equal(nameOf('issueType', rule, severity, column('issue_type', 'x')), 'issue_type');
      // They are shown as they are, not as words.
      assert.notEqual(columnRoles([rule, severity]).get(rule), 'issueType');
    }
    assert.equal(nameOf('issueType', severity, column('metadata.check_id', 'x')), undefined);
  });

  it('The roles of columns take a filled column with companies before an empty one', () => {
    const severity = column('severity', 'high', 'low');
    const uuids = column('scorecard_id', '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04');
    const names = (...texts: string[]) => column('company_name', ...texts);
    assert.equal(nameOf('scorecard', severity, names(), uuids), 'scorecard_id');
    const [both, none] = [nameOf('scorecard', names('A'), uuids), nameOf('scorecard', names())];
    assert.deepEqual([both, none], ['company_name', 'company_name']);
  });

  it('The roles of columns take the packages of npm audit for assets', () => {
    const severity = column('severity', 'high', 'low');
    const packages = [column('name', 'lodash'), column('isDirect', 'true')];
    assert.equal(nameOf('asset', severity, ...packages), 'name');
    assert.equal(nameOf('asset', severity, column('name', 'lodash')), undefined);
  });

  it('The roles of columns prefer the risk that is left to the risk without measures', () => {
    const columns = [
      column('Inherent Risk', 'High', 'High'),
      column('Current Risk', 'Low', 'High'),
    ];
    assert.equal(nameOf('severity', ...columns), 'Current Risk');
  });

  it('The roles of columns take a category beside a type for the factor, by its name', () => {
    const columns = ['severity', 'category', 'sub_category'].map((name) => column(name, 'High'));
    const found = findRoles(columns).get('factor');
    assert.deepEqual([found?.column.name, found?.isNamed], ['category', true]);
  });

  it('The roles of columns know scores of Orca and of CVSS', () => {
    for (const name of ['OrcaScore', 'CVSS_BASE', 'cvssV3_baseScore']) {
      assert.equal(nameOf('severity', column(name, '9.1', '2.0')), name);
    }
    assert.equal(nameOf('severity', column('OrcaScore', '120', '900')), undefined);
    assert.equal(nameOf('severity', column('score', '9.1', '2.0')), undefined);
  });

  it('The roles of columns take a state for the status of a finding only if its words say so', () => {
    assert.equal(nameOf('status', column('State', 'Open', 'Closed - Fixed')), 'State');
    assert.equal(nameOf('status', column('State', 'TX', 'CA')), undefined);
    assert.equal(
      nameOf('status', column('State', 'Reopened'), column('Status', 'whatever')),
      'Status',
    );
  });

  it('The roles of columns know German names of severities', () => {
    for (const name of ['Schweregrad', 'Kritikalität', 'Risiko', 'Priorität', 'Prio']) {
      assert.equal(nameOf('severity', column('Nr', '1', '2'), column(name, 'Hoch', 'x')), name);
    }
  });

  it('The roles of columns take the value of a severity that is an object for the severity', () => {
    const columns = [column('severity.value', 'High', 'Low'), column('severity.sourceName', 'nvd')];
    assert.equal(nameOf('severity', ...columns), 'severity.value');
    assert.equal(nameOf('severity', column('package.value', 'High', 'x')), undefined);
  });

  it('The roles of columns know the days on which a finding was made', () => {
    for (const name of [
      'created_time',
      'firstDetectionTimeUtc',
      'added',
      'Report Date (UTC)',
      'scan_performed_on',
      'Scan Date',
    ]) {
      const dates = { name, texts: ['2026-01-02'], dates: 1 };
      assert.equal(nameOf('firstSeen', dates), name);
    }
  });

  it('The roles of columns take no date of a vulnerability for the day on which a finding was made', () => {
    const dates = ['2026-01-02', '2026-02-03'];
    const dated = (...names: readonly string[]) =>
      nameOf(
        'firstSeen',
        ...names.map((name) =>
          /versions|advisoryId|ref|path/.test(name)
            ? column(name, '<4')
            : { name, texts: dates, dates: 2 },
        ),
      );
    const byTool = {
      trivy: ['PublishedDate', 'LastModifiedDate'],
      snyk: ['creationTime', 'disclosureTime', 'modificationTime', 'publicationTime'],
      osv: ['published', 'modified', 'withdrawn'],
      cycloneDx: ['created', 'published', 'updated', 'rejected'],
      cycloneDxWithoutDates: ['created', 'updated', 'affects.ref'],
      npm: ['created', 'updated', 'vulnerable_versions'],
      nsp: ['created_at', 'updated_at', 'vulnerable_versions'],
      composer: ['advisoryId', 'reportedAt'],
      xray: ['created', 'impact_path', 'edited'],
      mend: ['topFix.date'],
      sysdig: ['vulnSolutionDate', 'solutionDate'],
      trivyOfImages: ['Metadata.ImageConfig.created'],
      nvd: ['cve.published', 'cve.lastModified', 'publishedDate', 'lastModifiedDate'],
      grype: ['vulnerability.epss.date', 'vulnerability.advisories.published'],
      defectDojo: ['publish_date', 'published_timestamp', 'publishdate'],
    };
    for (const [tool, names] of Object.entries(byTool)) {
      assert.equal(dated(...names), undefined, tool);
    }
    const alerts = ['created_at', 'security_advisory.published_at', 'security_advisory.updated_at'];
    assert.equal(dated(...alerts.toReversed()), 'created_at', 'Dependabot');
    assert.equal(dated('publish_date', 'created', 'date'), 'created', 'DefectDojo');
    assert.equal(dated('timestamp', 'info.published'), 'timestamp', 'Nuclei');
    assert.equal(dated('Vulnerability Publication Date', 'Discovered'), 'Discovered');
  });

  it('The roles of columns take no day of the last scan for the day on which a finding was made', () => {
    const dates = { texts: ['2026-01-02'], dates: 1 };
    for (const name of ['LAST SCAN', 'last_scan_date', 'next_scan_date']) {
      assert.equal(nameOf('firstSeen', { name, ...dates }), undefined);
    }
    const seen = { name: 'Created', ...dates };
    assert.equal(nameOf('firstSeen', { name: 'scan_date', ...dates }, seen), 'Created');
  });

  it('The roles of columns prefer the fuller of two columns whose names are as likely', () => {
    const columns = [column('nvd_severity', 'low'), column('aqua_severity', 'high', 'low')];
    assert.equal(nameOf('severity', ...columns), 'aqua_severity');
  });

  it('The roles of columns know a day beside whether something was published, and names in which other words are', () => {
    const dates = ['2026-01-02', '2026-02-03'];
    const dated = (name: string) => ({ name, texts: dates, dates: 2 });
    assert.equal(
      nameOf('firstSeen', dated('created_at'), column('published', 'true', 'false')),
      'created_at',
    );
    assert.equal(nameOf('firstSeen', dated('created_at'), dated('published')), undefined);
    // Not a review, and not a patch.
    for (const name of ['Preview seen', 'Dispatched', 'Vendor day']) {
      assert.equal(nameOf('firstSeen', dated(name)), name);
    }
    for (const name of ['Review date', 'patched_on', 'lastModified', 'End of life']) {
      assert.equal(nameOf('firstSeen', dated(name)), undefined, name);
    }
  });

  it('The roles of columns take no count of packages for assets', () => {
    const counts = column('packages', '3', '12');
    assert.equal(nameOf('asset', counts), undefined);
    assert.equal(nameOf('asset', counts, column('image', 'mongo:8', 'redis:7')), 'image');
  });

  it('The roles of columns know the files, packages and images that are affected', () => {
    assert.equal(nameOf('asset', column('package_version', '1.2'), column('file', 'a.ts')), 'file');
    assert.equal(nameOf('asset', column('pkgName', 'lodash'), column('path', '/a')), 'pkgName');
    assert.equal(nameOf('asset', column('Image', 'mongo:8')), 'Image');
    for (const name of ['DeviceName', 'Gerät', 'Packages', 'gem.name', 'machine_name']) {
      assert.equal(nameOf('asset', column('title', 't'), column(name, 'a', 'b')), name);
    }
    const azure = 'properties.resourceDetails.Id';
    assert.equal(nameOf('asset', column(azure, '/a', '/b')), azure);
    const groups = column('artifact.groupId', 'org.example', 'com.example');
    assert.equal(nameOf('asset', groups, column('artifact.name', 'a', 'b')), 'artifact.name');
  });

  it('The roles of columns do not take for a status whether a package has a fix', () => {
    const status = column('Status', 'fixed', 'affected', 'will_not_fix');
    const versions = column('FixedVersion', '1.2.3', '', '');
    const packages = column('PkgName', 'zlib', 'curl', 'bash');
    assert.equal(nameOf('status', packages, status, versions), undefined);
    const fixed = column('status', 'fixed');
    const version = column('fixVersion', '1.2.3');
    assert.equal(nameOf('status', fixed, column('cve', 'CVE-2026-1'), version), undefined);
    // In a tracker it is the version of its project.
    assert.equal(nameOf('status', fixed, column('Key', 'A-1'), version), 'status');
    assert.equal(nameOf('status', column('vulnerability.fix.state', 'fixed')), undefined);
    assert.equal(nameOf('status', column('Fix Status', 'fixed')), undefined);
    // Others have both.
    const open = column('Status', 'fixed', 'open');
    assert.equal(nameOf('status', open, versions), 'Status');
    assert.equal(nameOf('status', column('status', 'fixed', 'not_affected')), 'status');
  });

  it('The roles of columns know assets by the last two parts of their names', () => {
    const file = column('location.file', 'go.sum', 'go.sum');
    for (const name of [
      'location.dependency.package.name',
      'a.physicalLocation.artifactLocation.uri',
    ]) {
      assert.equal(nameOf('asset', column('name', 'x', 'y'), column(name, 'a', 'b')), name);
    }
    const packages = column('location.dependency.package.name', 'a', 'b');
    assert.equal(nameOf('asset', file, packages), packages.name);
  });

  it('The roles of columns take neither explanations nor advisories nor JSON for assets', () => {
    for (const none of [
      column('documentation.url', 'https://example.com/checks.md', 'https://example.com/b.md'),
      column('advisory.url', 'https://example.com/a'),
      column('url', 'https://nvd.example/vuln/detail/CVE-2019-14540'),
      column('url', '["https://example.com"]'),
    ]) {
      assert.equal(nameOf('asset', none), undefined, none.name);
    }
    assert.equal(nameOf('asset', column('url', 'https://vulnerable.example/pay')), 'url');
  });

  it('The roles of columns take resources of clouds for assets, and no address of their documentation', () => {
    const links = [
      'Remediation.Recommendation.Url',
      'remediation.references.url',
      'documentation.url',
      'references.uri',
      'unmapped.recommendation.uri',
      'remediation_url',
      'Documentation',
      'docs.host',
    ].map((name) => column(name, 'https://docs.vendor.example/a', 'https://docs.vendor.example/b'));
    for (const name of [
      'ResourceArn',
      'ResourceId',
      'resource_id',
      'resource.id',
      'Resources.Id',
      'resource.uid',
      'resources.uid',
      'RESOURCE_UID',
      'finding.resource.arn',
      'Resource ID',
      'arn',
    ]) {
      const resource = column(name, 'i-0abc', 'sg-1');
      assert.equal(nameOf('asset', ...links, resource), name);
    }
    const id = column('ResourceId', 'i-0abc', 'sg-1');
    assert.equal(nameOf('asset', column('url', 'https://a.example'), id), 'ResourceId');
    for (const [one, other] of [
      ['arn:aws:s3:::a', 'arn:aws-cn:ec2:x:1:instance/i-1'],
      [
        '/subscriptions/00000000-0000-4000-8000-000000000000',
        '/subscriptions/00000000-0000-4000-8000-000000000000/resourceGroups/g',
      ],
      ['//storage.googleapis.com/a', '//compute.googleapis.com/b'],
    ] as const) {
      assert.equal(nameOf('asset', ...links, column('Object', one, other)), 'Object');
    }
    assert.equal(nameOf('asset', ...links), undefined);
    assert.equal(nameOf('asset', column('references', 'docs.a.example', 'b.example')), undefined);
    const url = column('url', 'https://a.example');
    assert.equal(nameOf('asset', column('resource_id', '1', '23'), url), 'url');
  });

  it('The roles of columns take an id for what was found if most are those of vulnerabilities', () => {
    const severity = column('severity', 'high', 'low');
    const rolesOf = (...ids: string[]) => {
      const id = column('id', ...ids);
      const columns = [severity, id, column('bom-ref', 'v1', 'v2')];
      return [nameOf('issueType', ...columns), columnRoles(columns).get(id)];
    };
    for (const id of [
      ...['CVE-2023-4001', 'UBUNTU-CVE-2023-4001', 'GHSA-2qrg-x229-3v8q', 'RUSTSEC-2021-0001'],
      ...['RHSA-2021:1234', 'DLA-3152-1', 'ALAS2-2023-1', 'sonatype-2021-1234', 'SNYK-JS-A-1'],
    ]) {
      assert.deepEqual(rolesOf(id, id, 'other'), ['id', 'rule'], id);
      assert.deepEqual(rolesOf(id, 'one', 'other'), [undefined, 'id'], id);
    }
    assert.deepEqual(rolesOf('PROJ-2023-1', 'ABC-1234'), [undefined, 'id']);
    assert.deepEqual(rolesOf(), [undefined, 'id']);
    const [rule, cve] = [column('rule_id', 'r'), column('id', 'CVE-2023-4001')];
    assert.equal(nameOf('issueType', severity, cve, rule), 'rule_id');
    assert.equal(nameOf('issueType', column('host', 'a.example'), cve), undefined);
    assert.equal(columnRoles([column('host', 'a.example'), cve]).get(cve), 'id');
    const many = Array.from({ length: 20 }, (_, at) => at);
    const epss = column('epss', ...many.map((at) => `0.${at}1`));
    const cves = many.map((at) => `CVE-2023-40${at + 10}`);
    for (const name of ['id', 'vulnerability.id']) {
      assert.equal(nameOf('id', severity, column(name, ...cves), epss), undefined, name);
    }
    const ofGrype = column('vulnerability.id', 'CVE-2023-4001', 'any');
    assert.equal(nameOf('issueType', severity, ofGrype, column('artifact.id', 'x')), ofGrype.name);
  });

  it('The roles of columns prefer the risk of a finding to the risk factor of its plugin', () => {
    const risk = column('Risk', 'Critical', 'None');
    const riskFactor = column('Risk Factor', 'High', 'None');
    for (const columns of [
      [risk, riskFactor],
      [riskFactor, risk],
    ]) {
      assert.equal(nameOf('severity', ...columns), 'Risk');
      assert.equal(nameOf('factor', ...columns), undefined);
    }
    assert.equal(nameOf('severity', riskFactor), 'Risk Factor');
    const factor = column('risk_factor', 'Network Security', 'Patching Cadence');
    assert.equal(nameOf('factor', risk, factor), 'risk_factor');
  });

  it('The roles of columns prefer a severity that somebody has given to one that nobody has', () => {
    const none = column('severity', 'Unspecified', 'Unspecified');
    assert.equal(nameOf('severity', none, column('displayImpact', 'High')), 'displayImpact');
    assert.equal(nameOf('severity', none), 'severity');
    const scores = [column('CVSS', '0.0', '5.0'), column('CVSS3', '9.8', '7.5')];
    assert.equal(nameOf('severity', ...scores), 'CVSS3');
    const aqua = [column('nvd_severity', 'high'), column('aqua_severity', 'critical')];
    assert.equal(nameOf('severity', ...aqua), 'aqua_severity');
  });

  it('The roles of columns prefer the severity by the newest CVSS, whatever the columns are called', () => {
    for (const [newer, older] of [
      ['impact.baseMetricV3.cvssV3.baseSeverity', 'impact.baseMetricV2.severity'],
      ['cvss4_severity', 'cvss3_severity'],
      ['cvss_v3_severity', 'cvss_v2_severity'],
      ['CVSS v3.0 Severity', 'CVSS v2.0 Severity'],
      ['cvssV4_0.baseSeverity', 'cvssV3_1.baseSeverity'],
      [
        'metrics.cvssMetricV40.cvssData.baseSeverity',
        'metrics.cvssMetricV31.cvssData.baseSeverity',
      ],
      ['metrics.cvssMetricV31.cvssData.baseSeverity', 'metrics.cvssMetricV2.baseSeverity'],
      ['CVSS.nvd.V3Severity', 'CVSS.nvd.V2Severity'],
      ['severity_v3', 'severity_v2'],
      ['cvss.v3.severity', 'cvss.v2.severity'],
      ['CVSSv3 Severity', 'CVSSv2 Severity'],
    ] as const) {
      const [one, other] = [column(newer, 'CRITICAL', 'HIGH'), column(older, 'MEDIUM', 'LOW')];
      assert.equal(nameOf('severity', other, one), newer);
      assert.equal(nameOf('severity', one, other), newer);
      // A column without values says nothing.
      assert.equal(nameOf('severity', column(newer), other), older);
    }
    const own = column('severity', 'HIGH', 'LOW');
    assert.equal(nameOf('severity', column('cvss_v3_severity', 'HIGH', 'LOW'), own), 'severity');
  });
});

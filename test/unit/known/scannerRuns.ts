/*
 * Findings as scanners write them, in small: what a scanner writes, and what it writes when it runs again.
 */

/** A finding. What has the same key is the same finding in the next run. */
export interface ScannerFinding {
  readonly key: string;
  /** What was found. */
  readonly rule: string;
  /** Where: a file, a host, a package or a resource. */
  readonly place: string;
  readonly line: number;
}

/** A scanner, and how it writes the findings of a run: the first one is 1. Times and numbers are those of the run. */
export interface Scanner {
  readonly name: string;
  readonly fileName: string;
  readonly write: (findings: readonly ScannerFinding[], run: number, account?: string) => string;
  /** How it lists findings, if not each in a row of its own. */
  readonly rowOf?: (finding: ScannerFinding) => string;
}

const day = (run: number) => `2026-0${run}-15`;
const csv = (separator: string, lines: readonly (readonly (string | number)[])[]) =>
  lines
    .map((line) => line.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(separator))
    .join('\r\n');
const numberOf = (text: string) => Buffer.from(text).reduce((sum, byte) => sum + byte, 0);
const nameOf = (rule: string) => `Weak configuration of ${rule}`;

const qualys: Scanner = {
  name: 'Qualys (CSV)',
  fileName: 'qualys.csv',
  write: (findings, run) =>
    csv(',', [
      ['Scan Results', `${day(run)} at 10:00:00 (GMT)`],
      ['Example Corp', 'Security'],
      [],
      [
        ...['IP', 'DNS', 'NetBIOS', 'OS', 'IP Status', 'QID', 'Title', 'Type', 'Severity', 'Port'],
        ...['Protocol', 'FQDN', 'SSL', 'CVE ID', 'Vendor Reference', 'Bugtraq ID', 'CVSS Base'],
        ...['Threat', 'Impact', 'Solution', 'Exploitability', 'Associated Malware', 'Results'],
        ...['PCI Vuln', 'Category', 'First Detected', 'Last Detected', 'Times Detected'],
      ],
      ...findings.map(({ rule, place }) => [
        ...[`10.0.0.${numberOf(place) % 250}`, `${place}.example`, '', 'Linux 5.x'],
        ...['host scanned, found vuln', 38000 + numberOf(rule), nameOf(rule), 'Vuln', '4'],
        ...[place === 'data' ? '443' : '', 'tcp', '', 'no', ''],
        ...['', '', '5.3 (AV:N/AC:L)', `A threat of ${rule}.`, 'An attacker may read data.'],
        ...['Update it.', '', '', `Checked on ${day(run)}`, 'yes', 'General remote services'],
        ...['01/02/2026', `0${run}/15/2026`, run * 3],
      ]),
    ]),
};

const snyk: Scanner = {
  name: 'Snyk (snyk test --json)',
  fileName: 'snyk.json',
  write: (findings, run) =>
    JSON.stringify({
      vulnerabilities: findings.map(({ rule, place }) => ({
        id: `SNYK-JS-${rule.toUpperCase()}-${1000 + numberOf(rule)}`,
        title: 'Prototype Pollution',
        CVSSv3: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:L',
        cvssScore: 7.3,
        severity: 'high',
        language: 'js',
        packageManager: 'npm',
        packageName: place,
        moduleName: place,
        name: place,
        version: '4.17.4',
        from: ['app@1.0.0', `${place}@4.17.4`],
        upgradePath: [false, `${place}@4.17.${run + 10}`],
        // Not all of them have one.
        identifiers: {
          CVE: ['tls', 'csp'].includes(rule) ? [] : [`CVE-2026-${numberOf(rule)}`],
          CWE: [],
        },
        semver: { vulnerable: ['<4.17.12'] },
        publicationTime: '2026-01-01T00:00:00Z',
        modificationTime: `${day(run)}T00:00:00Z`,
        isUpgradable: true,
        isPatchable: false,
      })),
      ok: false,
      dependencyCount: 100 + run,
      packageManager: 'npm',
      projectName: 'app',
      displayTargetFile: 'package-lock.json',
      path: '/src/app',
    }),
};

/** @param idOf what the tool that found something calls it; not all of them have a name for it. */
const defectDojo = (name: string, idOf: (rule: string) => string | null): Scanner => ({
  name: `DefectDojo (API), ${name}`,
  fileName: 'defectdojo.json',
  write: (findings, run) =>
    JSON.stringify({
      count: findings.length,
      next: null,
      previous: null,
      results: findings.map(({ rule, place, line }, at) => ({
        id: run * 100 + at,
        title: nameOf(rule),
        date: day(run),
        cwe: 79,
        severity: 'High',
        description: `Found ${rule}.`,
        active: true,
        verified: false,
        false_p: false,
        duplicate: false,
        out_of_scope: false,
        risk_accepted: false,
        is_mitigated: false,
        file_path: `src/${place}.py`,
        line,
        component_name: null,
        vuln_id_from_tool: idOf(rule),
        unique_id_from_tool: null,
        hash_code: `${numberOf(`${rule} ${place}`)}`.padStart(64, 'a'),
        created: `${day(run)}T09:00:00Z`,
        age: run,
        sla_days_remaining: 30 - run,
        test: 10 + run,
        found_by: [1],
        tags: [],
      })),
    }),
});

const grype: Scanner = {
  name: 'Grype (JSON)',
  fileName: 'grype.json',
  write: (findings, run) =>
    JSON.stringify({
      matches: findings.map(({ rule, place }, at) => ({
        vulnerability: {
          id: `CVE-2026-${numberOf(rule)}`,
          dataSource: 'https://nvd.example/',
          namespace: 'debian:distro:debian:12',
          severity: 'High',
          urls: [],
          fix: { versions: ['2.0'], state: 'fixed' },
          risk: 10 + run,
        },
        relatedVulnerabilities: [],
        matchDetails: [{ type: 'exact-direct-match', matcher: 'dpkg-matcher', found: {} }],
        artifact: {
          id: `${run}${at}00000000000000`,
          name: place,
          version: '1.0',
          type: 'deb',
          locations: [{ path: '/var/lib/dpkg/status', layerID: `sha256:${run}` }],
          language: '',
          licenses: [],
          purl: `pkg:deb/debian/${place}@1.0`,
        },
      })),
      source: { type: 'image', target: { userInput: 'app:latest', imageID: `sha256:${run}` } },
      distro: { name: 'debian', version: '12' },
      descriptor: { name: 'grype', version: '0.90', timestamp: `${day(run)}T09:00:00Z` },
    }),
};

const prowlerCheck = ({ rule, place }: ScannerFinding, account: string) => ({
  check: `iam_${rule}`,
  arn: `arn:aws:iam::${account}:role/${place}`,
  uid: `prowler-aws-iam_${rule}-${account}-eu-west-1-${place}`,
});

const prowlerCsv: Scanner = {
  name: 'Prowler (CSV)',
  fileName: 'prowler.csv',
  write: (findings, run, account = '123456789012') =>
    csv(';', [
      [
        ...['AUTH_METHOD', 'TIMESTAMP', 'ACCOUNT_UID', 'ACCOUNT_NAME', 'FINDING_UID', 'PROVIDER'],
        ...['CHECK_ID', 'CHECK_TITLE', 'CHECK_TYPE', 'STATUS', 'STATUS_EXTENDED', 'MUTED'],
        ...['SERVICE_NAME', 'SUBSERVICE_NAME', 'SEVERITY', 'RESOURCE_TYPE', 'RESOURCE_UID'],
        ...['RESOURCE_NAME', 'RESOURCE_DETAILS', 'PARTITION', 'REGION', 'DESCRIPTION', 'RISK'],
      ],
      ...findings.map((finding) => {
        const { check, arn, uid } = prowlerCheck(finding, account);
        return [
          ...['profile: default', `${day(run)} 09:00:00`, account, '', uid, 'aws'],
          ...[check, nameOf(finding.rule), '', 'FAIL', `${finding.place} is public.`, 'False'],
          ...['iam', '', 'high', 'AwsIamRole', arn, finding.place, '', 'aws', 'eu-west-1'],
          ...['It is public.', 'Data may leak.'],
        ];
      }),
    ]),
};

const prowlerOcsf: Scanner = {
  name: 'Prowler (OCSF)',
  fileName: 'prowler.ocsf.json',
  write: (findings, run, account = '123456789012') =>
    JSON.stringify(
      findings.map((finding) => {
        const { check, arn, uid } = prowlerCheck(finding, account);
        return {
          message: `${finding.place} is public.`,
          metadata: {
            event_code: check,
            product: {
              name: 'Prowler',
              uid: 'prowler',
              vendor_name: 'Prowler',
              version: `5.${run}`,
            },
            version: '1.3.0',
          },
          severity_id: 4,
          severity: 'High',
          status: 'New',
          status_code: 'FAIL',
          status_detail: `${finding.place} is public.`,
          status_id: 1,
          unmapped: { related_url: '', categories: [] },
          activity_name: 'Create',
          activity_id: 1,
          finding_info: {
            created_time: 1_700_000_000 + run,
            created_time_dt: `${day(run)}T09:00:00`,
            desc: 'It is public.',
            title: nameOf(finding.rule),
            uid,
          },
          resources: [
            {
              cloud_partition: 'aws',
              region: 'eu-west-1',
              group: { name: 'iam' },
              labels: [],
              name: finding.place,
              type: 'AwsIamRole',
              uid: arn,
            },
          ],
          category_name: 'Findings',
          class_name: 'Detection Finding',
          cloud: { account: { uid: account }, provider: 'aws', region: 'eu-west-1' },
          time: 1_700_000_000 + run,
          time_dt: `${day(run)}T09:00:00`,
        };
      }),
    ),
};

const checkov: Scanner = {
  name: 'Checkov (JSON)',
  fileName: 'checkov.json',
  write: (findings, run) =>
    JSON.stringify({
      check_type: 'terraform',
      results: {
        passed_checks: [],
        failed_checks: findings.map(({ rule, place, line }) => ({
          check_id: `CKV_AWS_${numberOf(rule)}`,
          bc_check_id: null,
          check_name: nameOf(rule),
          check_result: { result: 'FAILED', evaluated_keys: ['acl'] },
          code_block: [[line, `resource "aws_s3_bucket" "${place}" {\n`]],
          file_path: '/main.tf',
          file_abs_path: `/tmp/run-${run}/main.tf`,
          repo_file_path: '/infra/main.tf',
          file_line_range: [line, line + 4],
          resource: `aws_s3_bucket.${place}`,
          evaluations: null,
          check_class: `checkov.terraform.checks.${rule}`,
          severity: 'HIGH',
          guideline: 'https://docs.example/',
        })),
        parsing_errors: [],
      },
      summary: { passed: 0, failed: findings.length, skipped: 0, checkov_version: '3.2' },
    }),
};

/** What ZAP found, each with all its places. */
const alertsOf = (findings: readonly ScannerFinding[]) =>
  [...new Set(findings.map(({ rule }) => rule))].map((rule) => ({
    rule,
    same: findings.filter((finding) => finding.rule === rule),
  }));

const zap: Scanner = {
  name: 'ZAP (JSON)',
  fileName: 'zap.json',
  rowOf: ({ rule }) => rule,
  write: (findings, run) =>
    JSON.stringify({
      '@programName': 'ZAP',
      '@version': '2.16',
      '@generated': `${day(run)} 09:00:00`,
      site: [
        {
          '@name': 'https://shop.example',
          '@host': 'shop.example',
          '@port': '443',
          '@ssl': 'true',
          alerts: alertsOf(findings).map(({ rule, same }) => ({
            pluginid: String(10_000 + numberOf(rule)),
            alertRef: String(10_000 + numberOf(rule)),
            alert: nameOf(rule),
            name: nameOf(rule),
            riskcode: '2',
            confidence: '3',
            riskdesc: 'Medium (High)',
            desc: '<p>A header is missing.</p>',
            instances: same.map(({ place }, at) => ({
              id: String(run * 100 + at),
              uri: `https://shop.example/${place}`,
              method: 'GET',
              param: '',
              attack: '',
              evidence: '',
              otherinfo: '',
            })),
            count: String(same.length),
            solution: '<p>Set it.</p>',
            cweid: '693',
            wascid: '15',
            sourceid: String(run),
          })),
        },
      ],
    }),
};

export const scanners: readonly Scanner[] = [
  qualys,
  snyk,
  defectDojo('with the ids of the tool', (rule) => rule),
  defectDojo('without them', () => null),
  defectDojo('of several tools', (rule) => (rule === 'acl' ? null : rule)),
  grype,
  prowlerCsv,
  prowlerOcsf,
  checkov,
  zap,
];

import assert from 'node:assert/strict';
import { pageTexts } from '../../../src/summary/pageTexts';
import { Texts } from '../../../src/summary/texts';
import { shownRow } from '../../../src/viewer/table/shownRow';
import { ColumnModel } from '../../../src/webview/state/columnModel';
import { openCore, tableFolder, work } from '../../helpers/tableFiles';

const texts = new Texts(
  Object.fromEntries(Object.entries(pageTexts).map(([key, { text }]) => [key, text])),
  'en',
);

/** What a user sees first of a file: its first columns, the heading of its first record, and the issue types. */
interface Seen {
  readonly columns: readonly string[];
  readonly heading: string;
  /** With what they are called beside their ids. */
  readonly types?: readonly string[];
}

/** An alert of Dependabot, as GitHub's REST API has it. */
function alertOf(number: number, name: string, severity: string, summary: string): object {
  return {
    number,
    state: 'open',
    dependency: { package: { ecosystem: 'npm', name }, manifest_path: 'web/package-lock.json' },
    security_advisory: {
      ghsa_id: `GHSA-${number}aaa-bbbb-cccc`,
      cve_id: `CVE-2023-100${number}`,
      summary,
      description: `### Impact\n${summary}, at length`,
      severity,
    },
    url: `https://api.github.com/repos/o/r/dependabot/alerts/${number}`,
    created_at: `2024-0${number}-01T00:00:00Z`,
  };
}

function advisoryOf(id: number, path: string, severity: string, title: string): object {
  const advisory = {
    findings: [{ version: '2.5.0', paths: [path] }],
    module_name: path.split('>').at(-1),
    severity,
    github_advisory_id: `GHSA-${id}`,
    cves: ['CVE-2023-26136'],
    id,
    title,
  };
  return { type: 'auditAdvisory', data: { resolution: { id, path, dev: false }, advisory } };
}

/** A package of `npm audit`. */
function packageOf(name: string, severity: string, title: string): object {
  const via = [{ source: 1, name, title, url: 'https://github.com/advisories/GHSA-1', severity }];
  const rest = { effects: [], range: '<4.1.3', nodes: [`node_modules/${name}`] };
  return { name, severity, isDirect: true, via, ...rest, fixAvailable: true };
}

/** A match of Grype. */
const matchOf = (id: string, name: string) => ({
  vulnerability: { id, dataSource: 'https://nvd.nist.gov', severity: 'High' },
  artifact: { id: `a-${name}`, name, version: '1' },
});

const zapAlert = (pluginid: string, alert: string, riskdesc: string) => ({
  pluginid,
  alertRef: pluginid,
  alert,
  name: alert,
  riskcode: '3',
  riskdesc,
  desc: '<p>At length</p>',
  instances: [{ uri: 'https://app.example/a' }],
});

const banditResult = (test_id: string, test_name: string, issue_text: string) => ({
  code: '1 x',
  filename: 'app/a.py',
  issue_confidence: 'HIGH',
  issue_severity: 'HIGH',
  issue_text,
  line_number: 7,
  test_id,
  test_name,
});

const snykIssue = (name: string, title: string) => ({
  id: `SNYK-JS-${name.toUpperCase()}-1`,
  title,
  description: '## Overview',
  severity: 'high',
  moduleName: name,
  packageName: name,
});

const prowlerHeading =
  'AUTH_METHOD;TIMESTAMP;FINDING_UID;CHECK_ID;CHECK_TITLE;STATUS;SEVERITY;RESOURCE_NAME;DESCRIPTION';
const prowlerRow =
  'profile;2026-11-30 10:00:01;f-1;s3_public;No bucket is open to everyone;FAIL;critical;b1;Checks whether it is.';

const files: Readonly<Record<string, readonly [name: string, content: string, seen: Seen]>> = {
  Dependabot: [
    'alerts.json',
    JSON.stringify([
      alertOf(1, 'lodash', 'high', 'Prototype Pollution in lodash'),
      alertOf(2, 'axios', 'medium', 'SSRF in axios'),
    ]),
    {
      columns: [
        'security_advisory.severity',
        'security_advisory.summary',
        'security_advisory.ghsa_id',
        'security_advisory.cve_id',
        'dependency.package.name',
        'dependency.manifest_path',
      ],
      heading: 'Prototype Pollution in lodash \u00b7 lodash',
      types: [
        'GHSA-1aaa-bbbb-cccc: Prototype Pollution in lodash',
        'GHSA-2aaa-bbbb-cccc: SSRF in axios',
      ],
    },
  ],
  'Yarn audit': [
    'yarn.ndjson',
    [
      advisoryOf(1, 'request', 'moderate', 'SSRF in Request'),
      advisoryOf(2, 'request>tough-cookie', 'high', 'Prototype Pollution'),
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
    {
      columns: [
        'data.advisory.severity',
        'data.advisory.title',
        'data.advisory.github_advisory_id',
        'data.resolution.path',
        'data.advisory.module_name',
      ],
      heading: 'SSRF in Request \u00b7 request',
      types: ['GHSA-2: Prototype Pollution', 'GHSA-1: SSRF in Request'],
    },
  ],
  'npm audit': [
    'npm.json',
    JSON.stringify({
      auditReportVersion: 2,
      vulnerabilities: {
        request: packageOf('request', 'moderate', 'SSRF in Request'),
        'tough-cookie': packageOf('tough-cookie', 'high', 'Prototype Pollution'),
      },
    }),
    {
      columns: ['severity', 'via', 'name', 'range', 'fixAvailable'],
      heading: 'SSRF in Request \u00b7 request',
    },
  ],
  Snyk: [
    'snyk.json',
    JSON.stringify({
      vulnerabilities: [snykIssue('lodash', 'Prototype Pollution'), snykIssue('axios', 'SSRF')],
    }),
    {
      columns: ['severity', 'title'],
      heading: 'Prototype Pollution \u00b7 lodash',
      types: ['SNYK-JS-AXIOS-1: SSRF', 'SNYK-JS-LODASH-1: Prototype Pollution'],
    },
  ],
  ZAP: [
    'zap.json',
    JSON.stringify({
      '@programName': 'ZAP',
      site: [
        {
          '@name': 'https://app.example',
          '@host': 'app.example',
          alerts: [
            zapAlert('40012', 'Cross Site Scripting', 'High (Medium)'),
            zapAlert('10038', 'CSP Header Not Set', 'Medium (High)'),
          ],
        },
      ],
    }),
    {
      columns: ['riskdesc', 'alert', 'pluginid', 'site.@host'],
      heading: 'Cross Site Scripting \u00b7 app.example',
      types: ['40012: Cross Site Scripting', '10038: CSP Header Not Set'],
    },
  ],
  CycloneDX: [
    'bom.cdx.json',
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      vulnerabilities: ['CVE-2023-4001', 'GHSA-aaaa-bbbb-cccc', 'X-1'].map((id, at) => ({
        ...{ 'bom-ref': `v${at}`, id, source: { name: 'NVD' }, description: `vulnerable ${at}` },
        ...{ ratings: [{ severity: 'high' }], affects: [{ ref: `pkg:npm/c${at}@1.0.0` }] },
      })),
    }),
    {
      columns: ['ratings.severity', 'id', 'affects.ref'],
      heading: 'vulnerable 0 \u00b7 pkg:npm/c0@1.0.0',
      types: ['CVE-2023-4001: ', 'GHSA-aaaa-bbbb-cccc: ', 'X-1: '],
    },
  ],
  Grype: [
    'grype.json',
    JSON.stringify({
      ...{ source: {}, descriptor: { name: 'grype' } },
      matches: [matchOf('CVE-2024-2001', 'a'), matchOf('CVE-2024-2001', 'b')],
      ignoredMatches: [
        { ...matchOf('CVE-2024-2002', 'c'), appliedIgnoreRules: [{ reason: 'not reachable' }] },
      ],
    }),
    {
      columns: ['vulnerability.severity', 'vulnerability.id', 'artifact.name'],
      heading: 'a',
      types: ['CVE-2024-2001: ', 'CVE-2024-2002: '],
    },
  ],
  Bandit: [
    'bandit.json',
    JSON.stringify({
      errors: [],
      results: [banditResult('B404', 'blacklist', 'Consider what subprocess implies.')],
    }),
    {
      columns: ['issue_severity', 'test_name', 'test_id', 'filename', 'line_number'],
      heading: 'Consider what subprocess implies. \u00b7 app/a.py',
      types: ['B404: blacklist'],
    },
  ],
  Prowler: [
    'prowler.csv',
    `${prowlerHeading}\n${prowlerRow}\n`,
    {
      columns: ['SEVERITY', 'CHECK_TITLE', 'CHECK_ID', 'RESOURCE_NAME'],
      heading: 'No bucket is open to everyone \u00b7 b1',
      types: ['s3_public: No bucket is open to everyone'],
    },
  ],
};

describe('A file of an audit', () => {
  const folder = tableFolder();

  for (const [tool, [name, content, seen]] of Object.entries(files)) {
    it(`A file of an audit begins with what was found, how bad it is and where, and names its types (${tool})`, async () => {
      const core = await openCore(folder.write(name, content));
      const info = core.info();
      const model = new ColumnModel();
      model.update(info.columns);
      const columns = model.shown.map(({ column }) => column.name);
      const shown = shownRow(core.record({ record: 0 }, work()), { info, secrets: 'none' }, texts);
      const overview = await core.readOverview({ now: 0 }, work());
      const types = overview.topIssueTypes?.map(
        ({ value, about }) => `${value.cell.text}: ${about ?? ''}`,
      );
      core.close();
      assert.deepEqual(columns.slice(0, seen.columns.length), seen.columns);
      assert.equal(shown.title, seen.heading);
      assert.deepEqual(types, seen.types);
    });
  }
});

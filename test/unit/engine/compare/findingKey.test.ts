import assert from 'node:assert/strict';
import { copyFileSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { compareFiles } from '../../../../src/engine/compare/compareFiles';
import { comparisonModel } from '../../../../src/summary/comparisonModel';
import { pageTexts } from '../../../../src/summary/pageTexts';
import { summarizeComparison } from '../../../../src/summary/summary';
import { summaryMarkdown } from '../../../../src/summary/summaryMarkdown';
import { Texts } from '../../../../src/summary/texts';
import { FileStates } from '../../../../src/viewer/table/fileStates';
import { type StateLimits, stateLimits } from '../../../../src/viewer/table/keptFindings';
import { openCore, tableFolder } from '../../../helpers/tableFiles';
import { handleOf } from '../../../helpers/tableHandle';

/** What is invented of each tool. */
interface Found {
  readonly rule: string;
  readonly place: string;
  readonly line: number;
  readonly isHigh?: boolean;
}

/** A file of a tool with these findings, and what its findings are recognized by. */
interface Tool {
  readonly file: string;
  readonly key: string;
  readonly write: (found: readonly Found[]) => string;
}

const json = (value: unknown) => JSON.stringify(value, undefined, 1);
const csv = (rows: readonly (readonly unknown[])[], delimiter = ',') =>
  rows.map((row) => `${row.join(delimiter)}\n`).join('');
const codeAt = (line: number) => `${line - 1} def f():\n${line} \treturn run(a)\n`;

const tools = {
  Trivy: {
    file: 'trivy.json',
    key: 'VulnerabilityID + PkgName + Results.Target',
    write: (found: readonly Found[]) =>
      json({
        SchemaVersion: 2,
        Results: [
          {
            Target: 'package-lock.json',
            Class: 'lang-pkgs',
            Type: 'npm',
            Vulnerabilities: found.map(({ rule, place, isHigh }) => ({
              VulnerabilityID: `CVE-2026-${rule}`,
              PkgID: `${place}@1.0.0`,
              PkgName: place,
              InstalledVersion: '1.0.0',
              Title: `Problem ${rule}`,
              Severity: isHigh ? 'HIGH' : 'LOW',
            })),
          },
        ],
      }),
  },
  Grype: {
    file: 'grype.json',
    key: 'vulnerability.id + artifact.name',
    write: (found: readonly Found[]) =>
      json({
        matches: found.map(({ rule, place, isHigh }) => ({
          vulnerability: { id: `CVE-2026-${rule}`, severity: isHigh ? 'High' : 'Low' },
          artifact: {
            id: `a${place}`,
            name: place,
            version: '1.0.0',
            type: 'npm',
            locations: [{ path: '/app/package-lock.json' }],
            purl: `pkg:npm/${place}@1.0.0`,
          },
        })),
      }),
  },
  Bandit: {
    file: 'bandit.json',
    key: 'test_id + filename',
    write: (found: readonly Found[]) =>
      json({
        results: found.map(({ rule, place, line, isHigh }) => ({
          code: codeAt(line),
          col_offset: 4,
          filename: `${place}.py`,
          issue_confidence: 'HIGH',
          issue_severity: isHigh ? 'HIGH' : 'LOW',
          issue_text: `Problem ${rule}`,
          line_number: line,
          line_range: [line, line + 1],
          test_id: `B${rule}`,
          test_name: `test_${rule}`,
        })),
      }),
  },
  Semgrep: {
    file: 'semgrep.json',
    key: 'check_id + path',
    write: (found: readonly Found[]) =>
      json({
        results: found.map(({ rule, place, line, isHigh }) => ({
          check_id: `python.lang.security.r${rule}`,
          path: `${place}.py`,
          start: { line, col: 1, offset: 20 * line },
          end: { line, col: 9, offset: 20 * line + 8 },
          extra: {
            message: `Problem ${rule}`,
            severity: isHigh ? 'ERROR' : 'INFO',
            lines: codeAt(line),
            fingerprint: 'requires login',
          },
        })),
      }),
  },
  gosec: {
    file: 'gosec.json',
    key: 'rule_id + file',
    write: (found: readonly Found[]) =>
      json({
        Issues: found.map(({ rule, place, line, isHigh }) => ({
          severity: isHigh ? 'HIGH' : 'LOW',
          confidence: 'HIGH',
          rule_id: `G${rule}`,
          details: `Problem ${rule}`,
          file: `/src/${place}.go`,
          code: codeAt(line),
          line: `${line}`,
          column: '5',
        })),
      }),
  },
  CodeQL: {
    file: 'codeql.sarif',
    key: 'ruleId + partialFingerprints.primaryLocationLineHash + locations',
    write: (found: readonly Found[]) =>
      json({
        version: '2.1.0',
        runs: [
          {
            tool: { driver: { name: 'CodeQL', rules: [] } },
            results: found.map(({ rule, place, line, isHigh }) => ({
              ruleId: `py/r${rule}`,
              level: isHigh ? 'error' : 'note',
              message: { text: `Problem ${rule}` },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: `src/${place}.py`, uriBaseId: '%SRCROOT%' },
                    region: { startLine: line, startColumn: 3, endColumn: 9 },
                  },
                },
              ],
              partialFingerprints: { primaryLocationLineHash: `39fa2ee980eb94b0${rule}:1` },
            })),
          },
        ],
      }),
  },
  ZAP: {
    file: 'zap.json',
    key: 'alertRef + site.@host',
    write: (found: readonly Found[]) =>
      json({
        '@programName': 'ZAP',
        site: [
          {
            '@name': 'https://a.example',
            '@host': 'a.example',
            alerts: found.map(({ rule, place, isHigh }) => ({
              pluginid: `1${rule}`,
              alertRef: `1${rule}`,
              alert: `Problem ${rule}`,
              riskcode: isHigh ? '3' : '1',
              confidence: '2',
              riskdesc: isHigh ? 'High (Medium)' : 'Low (Medium)',
              instances: [{ uri: `https://a.example/${place}`, method: 'GET', param: 'q' }],
            })),
          },
        ],
      }),
  },
  Nessus: {
    file: 'nessus.csv',
    key: 'Plugin ID + Host + Port + Protocol',
    write: (found: readonly Found[]) =>
      csv([
        ['Plugin ID', 'CVE', 'CVSS v2.0 Base Score', 'Risk', 'Host', 'Protocol', 'Port', 'Name'],
        ...found.map(({ rule, place, isHigh }) => [
          `1${rule}`,
          '',
          isHigh ? '9.3' : '2.1',
          isHigh ? 'High' : 'Low',
          `${place}.example`,
          'tcp',
          443,
          `Problem ${rule}`,
        ]),
      ]),
  },
  'npm audit': {
    file: 'npm.json',
    key: 'via + key',
    write: (found: readonly Found[]) =>
      json({
        auditReportVersion: 2,
        vulnerabilities: Object.fromEntries(
          found.map(({ rule, place, isHigh }) => [
            `${place}-${rule}`,
            {
              name: `${place}-${rule}`,
              severity: isHigh ? 'high' : 'low',
              isDirect: false,
              via: [
                {
                  source: Number(rule),
                  name: place,
                  dependency: place,
                  title: `Problem ${rule}`,
                  url: `https://github.com/advisories/GHSA-${rule}`,
                  severity: isHigh ? 'high' : 'low',
                  range: '<2',
                },
              ],
              effects: [],
              range: '<2',
              nodes: [`node_modules/${place}`],
              fixAvailable: true,
            },
          ]),
        ),
      }),
  },
  Snyk: {
    file: 'snyk.json',
    key: 'id + packageName + moduleName',
    write: (found: readonly Found[]) =>
      json({
        ok: false,
        projectName: 'app',
        packageManager: 'npm',
        vulnerabilities: found.map(({ rule, place, isHigh }) => ({
          id: `SNYK-JS-${rule}`,
          title: `Problem ${rule}`,
          packageName: place,
          moduleName: place,
          version: '1.0.0',
          severity: isHigh ? 'high' : 'low',
          from: ['app@1.0.0', `${place}@1.0.0`],
          identifiers: { CVE: [`CVE-2026-${rule}`], CWE: ['CWE-79'] },
        })),
      }),
  },
  Checkov: {
    file: 'checkov.json',
    key: 'check_id + file_path + resource',
    write: (found: readonly Found[]) =>
      json({
        check_type: 'terraform',
        results: {
          failed_checks: found.map(({ rule, place, line, isHigh }) => ({
            check_id: `CKV_AWS_${rule}`,
            bc_check_id: `BC_AWS_${rule}`,
            check_name: `Ensure ${rule}`,
            check_result: { result: 'FAILED' },
            code_block: [[line, 'resource "a" "b" {\n']],
            file_path: `/${place}.tf`,
            file_abs_path: `/src/${place}.tf`,
            file_line_range: [line, line + 4],
            resource: 'aws_s3_bucket.a',
            severity: isHigh ? 'HIGH' : 'LOW',
          })),
        },
      }),
  },
  Prowler: {
    file: 'prowler.csv',
    key: 'CHECK_ID + RESOURCE_UID + ACCOUNT_UID',
    write: (found: readonly Found[]) =>
      csv(
        [
          ['TIMESTAMP', 'ACCOUNT_UID', 'FINDING_UID', 'PROVIDER', 'CHECK_ID', 'CHECK_TITLE'].concat(
            ['STATUS', 'STATUS_EXTENDED', 'SEVERITY', 'RESOURCE_UID', 'RESOURCE_NAME', 'REGION'],
          ),
          ...found.map(({ rule, place, isHigh }) => [
            '2026-02-14 14:27:03.913874',
            '123456789012',
            `prowler-aws-r${rule}-123456789012-eu-west-1-${place}`,
            'aws',
            `r${rule}`,
            `Problem ${rule}`,
            'FAIL',
            `${place} has problem ${rule}.`,
            isHigh ? 'high' : 'low',
            `arn:aws:s3:::${place}`,
            place,
            'eu-west-1',
          ]),
        ],
        ';',
      ),
  },
} satisfies Record<string, Tool>;

/** Of package and cloud tools, nothing has two findings with one rule and place. */
const before: readonly Found[] = [
  { rule: '101', place: 'one', line: 10 },
  { rule: '101', place: 'two', line: 12 },
  { rule: '102', place: 'one', line: 30 },
  { rule: '103', place: 'one', line: 40 },
  { rule: '103', place: 'two', line: 50 },
];
/** One is fixed, one is new, all of one file have moved, and one is worse. */
const after: readonly Found[] = [
  { rule: '104', place: 'one', line: 3 },
  { rule: '101', place: 'one', line: 17 },
  { rule: '101', place: 'two', line: 12 },
  { rule: '102', place: 'one', line: 37, isHigh: true },
  { rule: '103', place: 'two', line: 50 },
];
/** Two more of one rule in one file, which moves. */
const equal = (line: number): readonly Found[] => [
  { rule: '105', place: 'one', line: line + 60 },
  { rule: '105', place: 'one', line: line + 70 },
];

describe('Comparisons of findings', () => {
  const folder = tableFolder();
  let made = 0;

  async function compare(older = '', newer = '', key?: string) {
    made += 1;
    const cacheFolder = path.join(folder.path, `cache ${made}`);
    const { new: added, ...compared } = await compareFiles({
      before: older,
      after: newer,
      cacheFolder,
      ...(key !== undefined && { key }),
    });
    return { ...compared, added };
  }

  /** What the overview counts since the file was the older one, whether texts are kept or not: new, gone and changed. */
  async function countSince(older: string, newer: string): Promise<readonly number[]> {
    const withTexts = await countWith(stateLimits, older, newer);
    assert.deepEqual(await countWith({ ...stateLimits, texts: 0 }, older, newer), withTexts);
    return withTexts;
  }

  async function countWith(
    limits: StateLimits,
    older: string,
    newer: string,
  ): Promise<readonly number[]> {
    made += 1;
    const states = new FileStates({
      limits,
      folder: path.join(folder.path, `states ${made}`),
      knownFindings: () => Promise.resolve([]),
      log: { warn: (message) => assert.fail(message) },
    });
    const file = folder.write(path.basename(older), '');
    let list: string | undefined;
    for (const [at, content] of [older, newer].entries()) {
      copyFileSync(content, file);
      utimesSync(file, 1_700_000_000 + at * 100_000, 1_700_000_000 + at * 100_000);
      const core = await openCore(file);
      await core.check();
      const info = core.info();
      list = info.list;
      await states.record(file, { ...handleOf(core), info });
      core.close();
    }
    const since = await states.findChanges({ file, list });
    assert.ok(since, 'not known');
    return [since.new, since.gone, since.changed];
  }

  for (const [tool, { file, key, write }] of Object.entries(tools)) {
    it(`Comparisons of findings of ${tool} count what is new, fixed and worse, as the overview does`, async () => {
      const older = folder.write(file, write(before));
      const newer = folder.write(file, write(after));
      const { added, gone, changed, unchanged, ...compared } = await compare(older, newer);
      assert.deepEqual([compared.key, added, gone, changed, unchanged], [key, 1, 1, 1, 3]);
      assert.deepEqual(await countSince(older, newer), [1, 1, 1]);
    });
  }

  it('Comparisons of findings pair those of one rule in one file in their order, and moving them is no change', async () => {
    for (const tool of ['Bandit', 'Semgrep', 'gosec', 'CodeQL', 'Checkov'] as const) {
      const { file, write } = tools[tool];
      const older = folder.write(file, write([...before, ...equal(0)]));
      const newer = folder.write(file, write([...after, ...equal(5).slice(1)]));
      const { added, gone, changed, unchanged, duplicates } = await compare(older, newer);
      assert.deepEqual([tool, added, gone, changed, unchanged], [tool, 1, 2, 1, 4]);
      assert.deepEqual([duplicates], [1]);
      assert.deepEqual(await countSince(older, newer), [1, 2, 1]);
    }
  });

  it('Comparisons of findings between CSV and JSON of one tool recognize them, too', async () => {
    const { file, write } = tools.Bandit;
    const older = folder.write(
      'bandit.csv',
      csv([
        ['filename', 'test_id', 'test_name', 'issue_severity', 'issue_text', 'line_number'],
        ...before.map(({ rule, place, line }) => [
          `${place}.py`,
          `B${rule}`,
          `test_${rule}`,
          'LOW',
          `Problem ${rule}`,
          line,
        ]),
      ]),
    );
    const { added, gone, key } = await compare(older, folder.write(file, write(after)));
    assert.deepEqual([key, added, gone], ['test_id + filename', 1, 1]);
  });

  it('Comparisons of findings recognize them where one of the files has none, or lacks what the other has', async () => {
    const { file, write } = tools.CodeQL;
    const none = folder.write(file, write([]));
    const some = folder.write(file, write(before));
    const ofNone = await compare(none, some);
    assert.deepEqual([ofNone.added, ofNone.gone], [5, 0]);
    const withoutHash = write(after).replaceAll('primaryLocationLineHash', 'other');
    const compared = await compare(some, folder.write(file, withoutHash));
    assert.deepEqual([compared.key, compared.added, compared.gone], ['ruleId + locations', 1, 1]);
  });

  it('Comparisons of findings say on their page and in a copy what these are recognized by', async () => {
    const { file, write } = tools.Bandit;
    const [older, newer] = [before, after].map((found) => folder.write(file, write(found)));
    const { added, ...compared } = await compare(older, newer);
    const about = {
      ...compared,
      new: added,
      before: { title: 'a' },
      after: { title: 'b' },
      warnings: [],
    };
    const texts = new Texts(
      Object.fromEntries(Object.entries(pageTexts).map(([name, { text }]) => [name, text])),
      'en',
    );
    const said = comparisonModel(about, texts).facts.map(({ text }) => text);
    assert.equal(said.at(-1), 'Recognized by rule and place: test_id, filename');
    const copy = summaryMarkdown(summarizeComparison('Comparison', about, texts), texts);
    assert.match(copy, /Recognized by rule and place: test\\?_id, filename/);
  });

  it('Comparisons of findings by the same key, named, recognize them in the same way', async () => {
    const { file, write, key } = tools.CodeQL;
    const [older, newer] = [before, after].map((found) => folder.write(file, write(found)));
    const { added, gone, changed } = await compare(older, newer, key);
    assert.deepEqual([added, gone, changed], [1, 1, 1]);
    // The places with their lines, as they are.
    const whole = await compare(older, newer, 'ruleId + locations');
    assert.deepEqual([whole.added, whole.gone], [3, 3]);
  });

  it('Comparisons of findings without severities recognize them where they name a rule or a package', async () => {
    const secrets = (line: number) =>
      json(['a', 'b'].map((at) => ({ RuleID: 'aws', File: at, StartLine: line, Tags: [] })));
    const packages = (more: string) =>
      json({
        results: ['one', more].map((id) => ({ id, package: { name: 'p' }, summary: id })),
      });
    for (const [name, older, newer, key, counts] of [
      ['gitleaks.json', secrets(1), secrets(2), 'RuleID + File', [0, 0, 0, 2]],
      ['osv.json', packages('two'), packages('three'), 'id + package.name', [1, 1, 0, 1]],
    ] as const) {
      const compared = await compare(folder.write(name, older), folder.write(name, newer));
      const { added, gone, changed, unchanged } = compared;
      assert.deepEqual([compared.key, [added, gone, changed, unchanged]], [key, counts]);
    }
  });

  it('Comparisons of findings take no id of a package or a file for what was found', async () => {
    const track = (first: string) =>
      json({
        findings: [first, 'CVE-2026-2', 'CVE-2026-3'].map((vulnId, at) => ({
          component: { uuid: `c${Math.min(at, 1)}`, name: 'one', purl: 'pkg:npm/one@1.0.0' },
          vulnerability: { uuid: `of ${vulnId}`, vulnId, severity: at === 0 ? 'HIGH' : 'LOW' },
        })),
      });
    const checker = (first: string) =>
      json({
        version: 1,
        reports: [first, 'b', 'c'].map((checker_name, line) => ({
          file: { id: '/a.c', path: '/a.c' },
          ...{ line, message: 'Problem', checker_name, severity: 'HIGH' },
        })),
      });
    const ofTrack = 'vulnerability.vulnId + component.purl + component.name';
    for (const [older, newer, key] of [
      [track('CVE-2026-1'), track('CVE-2026-9'), ofTrack],
      [checker('a'), checker('d'), 'checker_name + file.path'],
    ] as const) {
      const [one, other] = [folder.write('a.json', older), folder.write('a.json', newer)];
      const { added, gone, changed, ...compared } = await compare(one, other);
      assert.deepEqual([compared.key, added, gone, changed], [key, 1, 1, 0]);
      assert.deepEqual(await countSince(one, other), [1, 1, 0]);
    }
  });

  it('Comparisons of findings take another code of an error or a state for a change, and a column where no file is', async () => {
    const names = [
      'severity_code',
      'riskCode',
      'status_code',
      'resolution_code',
      'state.code',
    ].concat(
      ['error_code', 'countryCode', 'command_line', 'vuln_column', 'zip_code', 'lines_of_code'],
      ['code_owner', 'cwe_code'],
    );
    const files = (place: string, name: string) =>
      ['x', 'y'].map((value) => {
        const rows = ['1', '2'].map((at) => [`R${at}`, `a${at}`, `${value}${at}`, 'HIGH']);
        return folder.write('codes.csv', csv([['rule_id', place, name, 'severity'], ...rows]));
      });
    for (const name of names) {
      const [older, newer] = files('file', name);
      assert.deepEqual([name, (await compare(older, newer)).changed], [name, 2]);
    }
    for (const name of ['code', 'column', 'snippet']) {
      const [inFile, onHost] = [
        await compare(...files('file', name)),
        await compare(...files('host', name)),
      ];
      assert.deepEqual([name, inFile.changed, onHost.changed], [name, 0, 2]);
    }
  });

  it('Comparisons of findings recognize those without a rule or a place by all that they say, but for what changes', async () => {
    const mixed = (line: number, severity: string, seen: string, about = 'weak') =>
      csv([
        ['rule_id', 'file', 'line', 'severity', 'seen', 'message'],
        ['R1', 'a.py', 3, 'HIGH', '2026-01-01', 'one'],
        ['R2', '', line, severity, seen, 'two'],
        ['', '', line, severity, seen, about],
        ['R4', '', line, severity, seen, 'four'],
      ]);
    const none = mixed(3, 'LOW', '2026-01-01').replace('R1', '').replaceAll('a.py', 'a');
    const first = mixed(3, 'LOW', '2026-01-01');
    for (const [older, newer, counts, since] of [
      [first, mixed(4, 'LOW', '2026-01-01'), [0, 0, 0, 4], [0, 0, 0]],
      [first, mixed(3, 'LOW', '2026-01-02'), [0, 0, 3, 1], [0, 0, 0]],
      [first, mixed(4, 'HIGH', '2026-01-01'), [0, 0, 3, 1], [0, 0, 3]],
      [first, mixed(4, 'LOW', '2026-01-01', 'other'), [1, 1, 0, 3], [1, 1, 0]],
    ] as const) {
      const [one, other] = [folder.write('mixed.csv', older), folder.write('mixed.csv', newer)];
      const { added, gone, changed, unchanged, ...compared } = await compare(one, other);
      assert.deepEqual(
        [compared.key, [added, gone, changed, unchanged], compared.withoutKey],
        ['rule_id + file', counts, { before: 0, after: 0 }],
      );
      assert.deepEqual(await countSince(one, other), since);
    }
    const nested = (line: number) =>
      json([
        { rule_id: 'R1', file: 'a.py', severity: 'LOW' },
        {
          type: 'R2',
          severity: 'LOW',
          nodes: [
            { node: 'a', line },
            { node: 'b', line: 7 },
          ],
        },
      ]);
    const moved = [nested(1), nested(2)].map((content) => folder.write('nested.json', content));
    const { added, gone, changed } = await compare(...moved);
    assert.deepEqual([added, gone, changed], [0, 0, 0]);
    assert.deepEqual(await countSince(moved[0] ?? '', moved[1] ?? ''), [0, 0, 0]);
    const noRule = folder.write('none.csv', none);
    await assert.rejects(compare(noRule, noRule), { name: 'NoKeyError' });
  });

  it('Comparisons of findings take an id for the key where no row has both a rule and a place', async () => {
    const rows = (severity: string) =>
      json([
        { id: 'aaaa-1', rule_id: 'R1', severity },
        { id: 'aaaa-2', rule_id: 'R1', severity: 'LOW' },
        { id: 'aaaa-3', file: 'a.py', severity: 'LOW' },
      ]);
    const [older, newer] = [
      folder.write('a.json', rows('LOW')),
      folder.write('a.json', rows('HIGH')),
    ];
    const { key, added, gone, changed } = await compare(older, newer);
    assert.deepEqual([key, added, gone, changed], ['id', 0, 0, 1]);
  });

  it('Comparisons of findings leave out versions of packages, also where some rows have no package URL', async () => {
    const rows = (version: string, ...more: readonly string[]) =>
      json(
        [...['a', 'b', 'c'].map((name) => `pkg:npm/${name}@${version}`), ...more].map(
          (purl, at) => ({ cve: `CVE-2026-${at}`, purl, severity: 'LOW' }),
        ),
      );
    const [older, newer, other] = [
      rows('1.0.0'),
      rows('1.0.0', 'openssl'),
      rows('2.0.0', 'openssl'),
    ].map((content) => folder.write('purl.json', content));
    for (const [one, two, counts] of [
      [older, newer, [1, 0, 0]],
      [older, other, [1, 0, 3]],
      [newer, older, [0, 1, 0]],
      [other, newer, [0, 0, 3]],
    ] as const) {
      const { added, gone, changed } = await compare(one, two);
      assert.deepEqual([added, gone, changed], counts);
      assert.deepEqual(await countSince(one ?? '', two ?? ''), [counts[0], counts[1], 0]);
    }
  });

  it('Comparisons of findings recognize one with a UUID of its own, whatever becomes of its host', async () => {
    const rows = (host: string, severity: string) =>
      csv([
        ['id', 'hostname', 'ip', 'severity'],
        ...[1, 2, 3].map((at) => [
          `3f2c8f1e-0000-4000-8000-00000000000${at}`,
          `${host}${at}`,
          `10.0.0.${at}`,
          at === 1 ? severity : 'Low',
        ]),
      ]);
    const older = folder.write('hosts.csv', rows('a', 'Low'));
    const newer = folder.write('hosts.csv', rows('b', 'High'));
    const { key, added, gone, changed } = await compare(older, newer);
    assert.deepEqual([key, added, gone, changed], ['id', 0, 0, 3]);
    assert.deepEqual(await countSince(older, newer), [0, 0, 1]);
  });

  it('Comparisons of other rows with an id and a package are by the id alone', async () => {
    const rows = (version: string) =>
      csv([
        ['id', 'name', 'package', 'file'],
        ...[1, 2, 3].map((at) => [at, `n${at}`, `p${version}`, 'f.txt']),
      ]);
    const [older, newer] = [rows('1'), rows('2')].map((text) => folder.write('rows.csv', text));
    const { key, added, gone, changed } = await compare(older, newer);
    assert.deepEqual([key, added, gone, changed], ['id', 0, 0, 3]);
  });

  it('Comparisons of findings take no fingerprint for one that has the line in it, as that of gitleaks has', async () => {
    const leaks = (line: number, ...more: readonly string[]) =>
      json(
        ['a', 'b', ...more].map((file, at) => ({
          RuleID: 'aws-key',
          Description: 'A key',
          File: `${file}.ts`,
          StartLine: line + at,
          Fingerprint: `${file}.ts:aws-key:${line + at}`,
        })),
      );
    const severe = (text: string) => text.replaceAll('"RuleID"', '"Severity": "High", "RuleID"');
    const [older, moved, grown] = [leaks(1), leaks(2), leaks(2, 'c')]
      .map(severe)
      .map((text) => folder.write('gitleaks.json', text));
    for (const [newer, counts] of [
      [moved, [0, 0, 0]],
      [grown, [1, 0, 0]],
    ] as const) {
      const { key, added, gone, changed } = await compare(older, newer);
      assert.deepEqual([key, added, gone, changed], ['RuleID + File', ...counts]);
      assert.deepEqual(await countSince(older ?? '', newer ?? ''), counts);
    }
  });

  it('Comparisons of other rows take no id of something else for that of a row', async () => {
    for (const name of ['PkgID', 'project_id', 'rule_uuid', 'asset.guid', 'repoId', 'scan_id']) {
      const rows = (size: number) =>
        csv([
          [name, 'size'],
          ['a', size],
          ['b', size],
        ]);
      const [older, newer] = [rows(1), rows(2)].map((content) => folder.write('rows.csv', content));
      await assert.rejects(compare(older, newer), { name: 'NoKeyError' }, name);
    }
  });
});

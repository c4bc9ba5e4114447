import assert from 'node:assert/strict';
import { codeLocations, locationColumns } from '../../../src/vocabulary/codeLocation';
import { column } from '../../helpers/column';

/** Records as tools write them, and the place that each names. */
const records: readonly (readonly [
  tool: string,
  record: Record<string, unknown>,
  place: object,
])[] = [
  [
    'SARIF',
    {
      ruleId: 'js/sql-injection',
      message: { text: 'A query depends on what a user sends.' },
      relatedLocations: [
        {
          physicalLocation: { artifactLocation: { uri: 'src/other.ts' }, region: { startLine: 1 } },
        },
      ],
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'src/my%20app.ts', uriBaseId: '%SRCROOT%' },
            region: { startLine: 42, startColumn: 7, endColumn: 20 },
          },
        },
      ],
      codeFlows: [
        {
          threadFlows: [
            {
              locations: [
                {
                  location: {
                    physicalLocation: {
                      artifactLocation: { uri: 'src/flow.ts' },
                      region: { startLine: 3 },
                    },
                  },
                },
              ],
            },
          ],
        },
      ],
    },
    { path: 'src/my app.ts', line: 42, column: 7 },
  ],
  [
    'SARIF of Windows, with a base',
    {
      'runs.originalUriBaseIds.%SRCROOT%.uri': 'file:///D:/a/shop/',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'src/app.ts', uriBaseId: '%SRCROOT%' },
            region: { startLine: 2 },
          },
        },
      ],
    },
    { path: 'D:/a/shop/src/app.ts', line: 2 },
  ],
  [
    'Semgrep',
    {
      check_id: 'eval-detected',
      path: 'src/app.ts',
      start: { line: 42, col: 5, offset: 900 },
      end: { line: 43, col: 9, offset: 950 },
      extra: { message: 'eval', metadata: { source: 'https://semgrep.example/r/1' } },
    },
    { path: 'src/app.ts', line: 42, column: 5 },
  ],
  [
    'Bandit',
    { filename: './app/db.py', line_number: 17, line_range: [17, 18], col_offset: 4 },
    { path: 'app/db.py', line: 17, column: 5 },
  ],
  [
    'gitleaks',
    {
      Description: 'A key',
      StartLine: 3,
      EndLine: 3,
      StartColumn: 12,
      File: 'config/prod.env',
      SymlinkFile: '',
      Commit: 'a81b',
    },
    { path: 'config/prod.env', line: 3, column: 12 },
  ],
  [
    'Trivy, a misconfiguration',
    {
      'Results.Target': 'deploy/Dockerfile',
      ID: 'DS002',
      CauseMetadata: { Provider: 'Dockerfile', StartLine: 9, EndLine: 9, Code: { Lines: null } },
    },
    { path: 'deploy/Dockerfile', line: 9 },
  ],
  [
    'Trivy, a package',
    { Target: 'package-lock.json', VulnerabilityID: 'CVE-2021-23337', PkgName: 'lodash' },
    { path: 'package-lock.json', package: 'lodash' },
  ],
  [
    'GitHub code scanning',
    {
      number: 4,
      rule: { id: 'js/xss', severity: 'error' },
      most_recent_instance: {
        ref: 'refs/heads/main',
        location: { path: 'lib/view.js', start_line: 12, end_line: 12, start_column: 3 },
      },
    },
    { path: 'lib/view.js', line: 12, column: 3 },
  ],
  [
    'Dependabot',
    {
      dependency: {
        package: { ecosystem: 'npm', name: 'minimist' },
        manifest_path: 'web/package-lock.json',
      },
    },
    { path: 'web/package-lock.json', package: 'minimist' },
  ],
  [
    'ESLint',
    { filePath: 'C:\\work\\shop\\src\\app.ts', ruleId: 'no-eval', severity: 2, line: 5, column: 1 },
    { path: 'C:/work/shop/src/app.ts', line: 5, column: 1 },
  ],
  [
    'npm audit',
    {
      name: 'lodash',
      severity: 'critical',
      isDirect: true,
      via: [{ source: 1, name: 'lodash', title: 'Prototype pollution' }],
      range: '<4.17.21',
      nodes: ['node_modules/lodash'],
    },
    { path: 'package.json', package: 'lodash', isGuess: true },
  ],
  [
    'Checkov',
    { check_id: 'CKV_1', file_path: '/infra/main.tf', file_line_range: [4, 9], resource: 'aws.x' },
    { path: '/infra/main.tf', line: 4 },
  ],
  [
    'tfsec',
    { rule_id: 'AVD-1', location: { filename: '/src/infra/main.tf', start_line: 6, end_line: 8 } },
    { path: '/src/infra/main.tf', line: 6 },
  ],
  [
    'gosec',
    { severity: 'HIGH', file: '/app/main.go', line: '12-14', column: '3', code: '12: x' },
    { path: '/app/main.go', line: 12, column: 3 },
  ],
  [
    'golangci-lint',
    {
      FromLinter: 'errcheck',
      Text: 'x',
      Pos: { Filename: 'main.go', Offset: 9, Line: 8, Column: 2 },
    },
    { path: 'main.go', line: 8, column: 2 },
  ],
  [
    'Ruff',
    {
      code: 'S101',
      filename: '/w/a.py',
      location: { row: 7, column: 5 },
      end_location: { row: 7 },
    },
    { path: '/w/a.py', line: 7, column: 5 },
  ],
  [
    'SonarQube',
    { key: 'AX', component: 'org:shop:src/app.ts', line: 30, textRange: { startLine: 30 } },
    { path: 'src/app.ts', line: 30 },
  ],
  [
    'GitLab Code Quality',
    { check_name: 'x', location: { path: 'a/b.rb', positions: { begin: { line: 3, column: 4 } } } },
    { path: 'a/b.rb', line: 3, column: 4 },
  ],
  [
    'trufflehog',
    {
      DetectorName: 'AWS',
      SourceMetadata: { Data: { Git: { commit: 'c', file: 'x/y.env', line: 8 } } },
    },
    { path: 'x/y.env', line: 8 },
  ],
  [
    'OSV-Scanner',
    {
      'results.source.path': '/home/me/shop/go.mod',
      package: { name: 'stdlib', version: '1.2', ecosystem: 'Go' },
    },
    { path: '/home/me/shop/go.mod', package: 'stdlib' },
  ],
  [
    'Grype',
    {
      vulnerability: { id: 'CVE-1' },
      artifact: { name: 'ws', locations: [{ path: '/yarn.lock' }] },
    },
    { path: '/yarn.lock', package: 'ws' },
  ],
  [
    'a table of a German tool',
    { Datei: 'src/a.c', Zeile: '7', Spalte: '2' },
    { path: 'src/a.c', line: 7, column: 2 },
  ],
  [
    'a table with headings in words',
    { 'File Path': 'src/a.c', 'Start Line': '7' },
    { path: 'src/a.c', line: 7 },
  ],
  [
    'a compiler',
    { location: 'src/a.c:7:2', message: 'x' },
    { path: 'src/a.c', line: 7, column: 2 },
  ],
  [
    'a file address',
    { file: 'file:///home/me/a%20b/c.ts', line: 1 },
    { path: '/home/me/a b/c.ts', line: 1 },
  ],
];

describe('The place in code that a record names', () => {
  for (const [tool, record, place] of records) {
    it(`The place in code that a record names is found in a record of ${tool}`, () => {
      assert.deepEqual(codeLocations(record)[0], place);
    });
  }

  it('The place in code that a record names is without the base of SARIF, too, and for npm any file that may name the package', () => {
    const uris = codeLocations({
      'originalUriBaseIds.ROOT.uri': 'packages/api/',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'src/app.ts', uriBaseId: 'ROOT' },
            region: { startLine: 2 },
          },
        },
      ],
    });
    assert.deepEqual(
      uris.map(({ path }) => path),
      ['packages/api/src/app.ts', 'src/app.ts'],
    );
    const [old] = codeLocations({
      module_name: 'tar',
      findings: [{ version: '1', paths: ['tar'] }],
      patched_versions: '>=2',
    });
    assert.deepEqual(old, { path: 'package.json', package: 'tar', isGuess: true });
    const files = codeLocations({ name: 'tar', via: ['x'], nodes: ['node_modules/tar'] });
    assert.deepEqual(
      files.map(({ path }) => path),
      ['package.json', 'package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml'],
    );
  });

  it('The place in code that a record names is none for addresses, hosts, images, ways out of the workspace and what is no path', () => {
    for (const file of [
      'https://shop.example/login',
      'git://shop.example/x',
      '../../etc/passwd',
      'src/../../x',
      '..\\..\\etc\\passwd',
      'file:///work/../../etc/passwd',
      'file:///work/%2e%2e/%2e%2e/etc/passwd',
      'file:///work/..%5c..%5cetc',
      '\\\\server\\share\\..\\x',
      'command:workbench.action.quit',
      `src/${'a'.repeat(5_000)}.ts`,
      'src\\..\\x',
      'file:///w/%2e%2e/x',
      'file:///w/%zz',
      'a\0b',
      'a\nb',
      'src/',
      '',
      '.',
      'x'.repeat(5000),
    ]) {
      assert.deepEqual(codeLocations({ file, line: 1 }), [], JSON.stringify(file));
    }
    for (const record of [
      {},
      { file: 5, line: 1 },
      { file: null },
      { Target: 'alpine:3.12 (alpine 3.12.1)', PkgName: 'musl' },
      { name: 'lodash', severity: 'high' },
      { ip: '192.0.2.1', domain: 'shop.example', port: 443 },
      { target: 'www.shop.example:443', parent_domain: 'shop.example' },
      { target: '192.0.2.1:22', ip: '192.0.2.1', port: 22 },
      { component: 'shop.example:8443', hostname: 'shop.example' },
    ]) {
      assert.deepEqual(codeLocations(record), [], JSON.stringify(record));
    }
  });

  it('The place in code that a record names is in the outer object, and has the likelier name there', () => {
    const outer = { path: 'b.ts', filePath: 'a.ts', line: 3 };
    const places = codeLocations({ first: { filePath: 'c.ts', line: 1 }, ...outer });
    assert.deepEqual(
      places.map(({ path }) => path),
      ['a.ts', 'b.ts', 'c.ts'],
    );
  });

  it('The place in code that a record names has no line where there is none, and ignores lines that are none', () => {
    for (const line of [undefined, null, 0, -1, 1.5, 'x', '', 1e12, {}]) {
      assert.deepEqual(
        codeLocations({ file: 'a.ts', line }),
        [{ path: 'a.ts' }],
        JSON.stringify(line),
      );
    }
  });

  it('The place in code that a record names is found in a bounded time in records of any size and depth', () => {
    let deep: Record<string, unknown> = { file: 'deep.ts', line: 1 };
    for (let level = 0; level < 5000; level += 1) {
      deep = { deep };
    }
    const wide = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, at) => [`file${at}`, { file: 'x.ts' }]),
    );
    assert.deepEqual(codeLocations(deep), []);
    assert.deepEqual(codeLocations({ file: 'a.ts', line: 3, wide })[0], { path: 'a.ts', line: 3 });
  });
});

describe('The columns with places in code', () => {
  const named = (...names: string[]) =>
    locationColumns(names.map((name) => column(name))).map(({ name }) => name);

  it('The columns with places in code are those with a path or a line', () => {
    assert.deepEqual(named('check_id', 'path', 'start.line', 'extra.severity'), [
      'path',
      'start.line',
    ]);
    assert.deepEqual(named('ruleId', 'locations', 'level'), ['locations']);
    assert.deepEqual(named('most_recent_instance.location.path', 'number'), [
      'most_recent_instance.location.path',
    ]);
    assert.deepEqual(named('File', 'StartLine', 'Secret'), ['File', 'StartLine']);
  });

  it('The columns with places in code are others only beside a line or a package', () => {
    assert.deepEqual(named('Target', 'PkgName'), ['Target']);
    assert.deepEqual(named('Target', 'CauseMetadata.StartLine'), [
      'Target',
      'CauseMetadata.StartLine',
    ]);
    assert.deepEqual(named('target', 'port', 'severity'), []);
    assert.deepEqual(named('uri', 'risk'), []);
  });

  it('The columns with places in code are the package of npm audit', () => {
    assert.deepEqual(named('name', 'severity', 'via', 'nodes'), ['name']);
    assert.deepEqual(named('name', 'severity'), []);
  });
});

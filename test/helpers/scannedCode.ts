import * as fs from 'node:fs';
import * as path from 'node:path';

/** What a scanner found in the code below; the worst is not the first. */
const found = [
  {
    check_id: 'todo',
    path: 'src/app.py',
    start: { line: 3 },
    message: 'Work left',
    severity: 'low',
  },
  {
    check_id: 'sqli',
    path: 'src/db.py',
    start: { line: 42, col: 9 },
    message: 'SQL injection',
    severity: 'critical',
  },
  {
    check_id: 'xss',
    path: 'src/app.py',
    start: { line: 12 },
    message: 'Cross-site scripting',
    severity: 'medium',
  },
  { check_id: 'tls', host: 'shop.example', message: 'Old protocol', severity: 'medium' },
];

/** The same of one tool that writes SARIF (OASIS, version 2.1.0). */
const sarif = {
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'scan', rules: [{ id: 'todo' }, { id: 'sqli' }] } },
      results: [
        {
          ruleId: 'sqli',
          level: 'error',
          message: { text: 'SQL injection' },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'file:///home/runner/work/shop/shop/src/db.py' },
                region: { startLine: 42, startColumn: 9 },
              },
            },
          ],
        },
      ],
    },
  ],
};

const code = (name: string) =>
  Array.from({ length: 60 }, (_, at) => `${name}${at + 1} = query(${at + 1})\n`).join('');

/** Files of a workspace with reports about it, by their paths. */
const files: Readonly<Record<string, string>> = {
  'scan.json': JSON.stringify(found),
  'results.sarif': JSON.stringify(sarif),
  'lines.jsonl': `${JSON.stringify(found[1])}\n`,
  'src/app.py': code('app'),
  'src/db.py': code('db'),
  'src/hosts.py': "shop = 'shop.example'\n",
};

/** Writes code into a folder, with reports about it. */
export function writeScannedCode(folder: string): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
}

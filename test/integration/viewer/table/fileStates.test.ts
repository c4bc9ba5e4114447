import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { command, isolate } from '../../helpers';
import { startExtension } from '../../ownExtension';

/** As `npm audit --json` writes it. */
function npmAudit(vulnerabilities: Readonly<Record<string, string>>): string {
  return JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(
      Object.entries(vulnerabilities).map(([name, severity]) => [
        name,
        {
          name,
          severity,
          isDirect: true,
          via: [
            { source: 1000 + name.length, name, title: `Fault of ${name}`, severity, range: '<2' },
          ],
          effects: [],
          range: '<2',
          nodes: [`node_modules/${name}`],
          fixAvailable: true,
        },
      ]),
    ),
  });
}

/** As `semgrep --json` writes it: rule, file and line of each result. */
function semgrep(
  results: readonly (readonly [rule: string, file: string, line: number])[],
): string {
  return JSON.stringify({
    version: '1.90.0',
    results: results.map(([rule, file, line]) => ({
      check_id: rule,
      path: file,
      start: { line, col: 1, offset: 0 },
      end: { line, col: 9, offset: 9 },
      extra: {
        message: `Avoid ${rule}.`,
        severity: 'ERROR',
        lines: 'x',
        fingerprint: 'requires login',
      },
    })),
    errors: [],
    paths: { scanned: [] },
  });
}

describe('What a findings file contained before', () => {
  isolate();
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'states-'));
    await startExtension();
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** Writes a file as a scanner does that runs on a day of November. */
  function write(name: string, day: number, content: string): string {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    const at = new Date(Date.UTC(2026, 10, day, 9));
    utimesSync(file, at, at);
    return file;
  }

  async function changes(file: string) {
    const { points } = await command('scorecard.reportTrend', { path: file });
    return points.map(({ date, open, new: added, gone }) => [
      date.slice(8, 10),
      open,
      ...(added === undefined ? [] : [added, gone]),
    ]);
  }

  it('What a findings file contained before says what came and went each time npm audit has run', async () => {
    const file = write('audit.json', 1, npmAudit({ lodash: 'high', minimist: 'critical' }));
    assert.deepEqual(await changes(file), [['01', 2]]);
    write('audit.json', 8, npmAudit({ minimist: 'critical', json5: 'high', qs: 'low' }));
    assert.deepEqual(await changes(file), [
      ['01', 2],
      ['08', 3, 2, 1],
    ]);
    write('audit.json', 15, npmAudit({ qs: 'low' }));
    assert.deepEqual((await changes(file)).at(-1), ['15', 1, 0, 2]);
    // The same content is one state.
    assert.equal((await changes(file)).length, 3);
  });

  it('What a findings file contained before knows findings of semgrep again that have moved', async () => {
    const [eval1, eval2] = [
      ['eval', 'src/a.js', 10],
      ['eval', 'src/a.js', 40],
    ] as const;
    const file = write('semgrep.json', 1, semgrep([eval1, eval2, ['sql', 'src/b.js', 5]]));
    await changes(file);
    write(
      'semgrep.json',
      8,
      semgrep([
        ['eval', 'src/a.js', 13],
        ['eval', 'src/a.js', 43],
        ['sql', 'src/b.js', 9],
      ]),
    );
    assert.deepEqual((await changes(file)).at(-1), ['08', 3, 0, 0]);
    write(
      'semgrep.json',
      15,
      semgrep([
        ['eval', 'src/a.js', 13],
        ['xss', 'src/c.js', 1],
      ]),
    );
    assert.deepEqual((await changes(file)).at(-1), ['15', 2, 1, 2]);
  });

  it('What a findings file contained before knows findings of a CSV file again', async () => {
    const rows = (...findings: string[]) => `rule,severity,file,line\n${findings.join('\n')}\n`;
    const file = write('scan.csv', 1, rows('eval,high,a.js,1', 'sql,critical,b.js,2'));
    await changes(file);
    write('scan.csv', 8, rows('eval,high,a.js,5', 'xss,critical,c.js,2', 'csrf,low,d.js,9'));
    assert.deepEqual((await changes(file)).at(-1), ['08', 3, 2, 1]);
  });

  it('What a findings file contained before counts no known findings', async () => {
    const file = write('audit.json', 1, npmAudit({ lodash: 'high', qs: 'low' }));
    await changes(file);
    write('audit.json', 8, npmAudit({ lodash: 'high', qs: 'low', json5: 'high' }));
    const filter = [{ column: 'name', text: '=json5' }];
    await command('scorecard.markKnown', { path: file, filter, reason: 'acceptedRisk' });
    assert.deepEqual((await changes(file)).at(-1), ['08', 2, 0, 0]);
  });

  it('What a findings file contained before is not kept of a file without findings', async () => {
    const file = write('hosts.csv', 1, 'host,owner\na,b\n');
    assert.deepEqual(await changes(file), []);
  });

  it('What a findings file contained before is kept for the newest twenty times', async () => {
    let file = '';
    for (let day = 1; day <= 23; day += 1) {
      file = write('audit.json', day, npmAudit({ [`p${day}`]: 'high' }));
      await command('scorecard.reportTrend', { path: file });
    }
    const all = await changes(file);
    assert.equal(all.length, 20);
    assert.deepEqual([all[0]?.[0], all.at(-1)?.[0]], ['04', '23']);
  });
});

import * as assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { gzipSync } from 'node:zlib';
import * as vscode from 'vscode';
import { command, failure, isolate } from '../../helpers';
import { until } from '../../until';
import { answer, answerWith, buttonsOf, takeQuestions, told } from '../../window';

describe('Lists of CVEs', () => {
  isolate();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cves-'));
  });
  afterEach(async () => {
    await command('scorecard.unmarkCves');
    rmSync(folder, { recursive: true, force: true });
  });

  function write(name: string, content: string | Buffer): string {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    utimesSync(file, new Date('2026-11-28T12:00:00Z'), new Date('2026-11-28T12:00:00Z'));
    return file;
  }

  const kev = () =>
    write(
      'known_exploited_vulnerabilities.json',
      JSON.stringify({
        title: 'CISA Catalog of Known Exploited Vulnerabilities',
        count: 2,
        vulnerabilities: [
          { cveID: 'CVE-2021-44228', dateAdded: '2021-12-10', shortDescription: 'CVE-2000-0001' },
          { cveID: 'CVE-2020-0001', dateAdded: '2026-11-03', shortDescription: 'x' },
        ],
      }),
    );
  const epss = () =>
    write(
      'epss_scores-current.csv.gz',
      gzipSync(
        '#model_version:v2025.03.14,score_date:2026-11-28T12:55:00Z\ncve,epss,percentile\n' +
          'CVE-2000-0001,0.1,0.9\nCVE-2021-44228,0.94358,0.99961\nCVE-2022-0001,0.00051,0.1\n',
      ),
    );
  const findings = () =>
    write(
      'findings.csv',
      'cve,severity,host\nCVE-2021-44228,high,a\nCVE-2000-0001,low,b\nCVE-2022-0001,low,c\n',
    );

  const exploited = async (file: string) => {
    const { exploited: counts } = (await command('scorecard.reportOverview', { path: file })) as {
      exploited?: { sign: string; count: number }[];
    };
    return counts?.map(({ sign, count }) => `${sign} ${count}`);
  };

  it('A list of CVEs marks the rows of all tables from then on, until it is taken back', async () => {
    const file = findings();
    assert.equal(await exploited(file), undefined);
    assert.deepEqual(await command('scorecard.markCves', { path: kev() }), {
      name: 'known_exploited_vulnerabilities.json',
      cves: 2,
    });
    assert.deepEqual(await exploited(file), ['known 1']);
    assert.deepEqual(await command('scorecard.markCves', { path: epss() }), {
      name: 'epss_scores-current.csv.gz',
      cves: 3,
    });
    assert.deepEqual(await exploited(file), ['known 1', 'likely 2']);
    const name = 'known_exploited_vulnerabilities.json';
    assert.deepEqual(await command('scorecard.unmarkCves', { name }), { removed: 1 });
    assert.deepEqual(await command('scorecard.unmarkCves', { name }), { removed: 0 });
    assert.deepEqual(await exploited(file), ['likely 2']);
    assert.deepEqual(await command('scorecard.unmarkCves'), { removed: 1 });
    assert.equal(await exploited(file), undefined);
  });

  it('An open table counts with a list as soon as that is chosen, and no longer after Delete Local Data', async () => {
    const file = findings();
    await command('scorecard.openReportTable', { path: file });
    assert.equal(await exploited(file), undefined);
    await command('scorecard.markCves', { path: kev() });
    assert.deepEqual(await exploited(file), ['known 1']);
    await command('scorecard.deleteLocalData', { confirm: true });
    assert.equal(await exploited(file), undefined);
    assert.deepEqual(await command('scorecard.unmarkCves'), { removed: 0 });
  });

  it('A list that another window adds or takes back counts here, too', async () => {
    const file = findings();
    await command('scorecard.openReportTable', { path: file });
    const known = await command('scorecard.unmarkKnown', { path: file, filter: [] });
    const lists = path.join(path.dirname(known.file), 'cves');
    await command('scorecard.markCves', { path: kev() });
    const [name = ''] = readdirSync(lists);
    const bytes = readFileSync(path.join(lists, name));
    await command('scorecard.unmarkCves');
    assert.equal(await exploited(file), undefined);
    writeFileSync(path.join(lists, name), bytes);
    await until('it counts', async () => (await exploited(file))?.[0] === 'known 1');
    rmSync(path.join(lists, name));
    await until('it does not count', async () => (await exploited(file)) === undefined);
  });

  it('A file that is no list of exploited CVEs is refused, and says what to choose', async () => {
    const none = write('hosts.csv', 'host,port\na,80\n');
    const { message } = await failure(command('scorecard.markCves', { path: none }), 'badRequest');
    assert.match(message, /"hosts\.csv" has no column with CVEs\. Choose a list with them/);
    const scan = await failure(command('scorecard.markCves', { path: findings() }), 'badRequest');
    assert.match(
      scan.message,
      /"findings\.csv" says how severe .* Choose a list of exploited ones/,
    );
    const missing = path.join(folder, 'missing.csv');
    await failure(command('scorecard.markCves', { path: missing }), 'notFound');
    await failure(command('scorecard.markCves', { path: 'kev.json' }), 'badRequest');
    assert.deepEqual(await command('scorecard.unmarkCves'), { removed: 0 });
  });

  it('A user chooses a file, is told what it marks, and takes it back from a list of them', async () => {
    answer('showOpenDialog', [vscode.Uri.file(kev())]);
    await vscode.commands.executeCommand('scorecard.markCves');
    answer('showOpenDialog', [vscode.Uri.file(epss())]);
    await vscode.commands.executeCommand('scorecard.markCves');
    assert.equal(takeQuestions().length, 2);
    const said = told('showInformationMessage');
    assert.deepEqual(said, [
      '2 CVEs of "known_exploited_vulnerabilities.json" count as exploited in all tables.',
      'What is likely exploited is counted by the EPSS of 3 CVEs in "epss_scores-current.csv.gz".',
    ]);
    assert.deepEqual(buttonsOf('showInformationMessage', /count as exploited/), ['Undo']);
    let offered: string[] = [];
    answerWith('showQuickPick', (items) => {
      const picks = items as vscode.QuickPickItem[];
      offered = picks.map(({ label, description }) => `${label}: ${description}`);
      return picks.find(({ label }) => label.startsWith('known'));
    });
    assert.deepEqual(await vscode.commands.executeCommand('scorecard.unmarkCves'), { removed: 1 });
    takeQuestions();
    assert.deepEqual(
      offered.map((text) => text.replace(/of \d+ \w+( \d{4})?$/, 'of a day')).sort(),
      [
        'epss_scores-current.csv.gz: EPSS of 3 CVEs, of a day',
        'known_exploited_vulnerabilities.json: 2 exploited, of a day',
      ],
    );
    assert.deepEqual(await exploited(findings()), ['likely 2']);
  });
});

import * as assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { parquetReadObjects } from 'hyparquet';
import { gzipSync } from 'node:zlib';
import { reportTableId } from '../../../../src/contributions';
import { zipOf } from '../../../helpers/zip';
import { localPath } from '../../../../src/workbench/storedFiles';
import { command, configure, failure, isolate } from '../../helpers';
import { until } from '../../until';
import { instantReports, sendReport, reportsFolder } from '../../service/reports/reportService';
import { halvorsen, served, server, signedInDemo, signIn } from '../../services';
import { answer, answerWith, takeQuestions, told } from '../../window';
import { readXlsx } from '../../../helpers/xlsx';

const csv = 'name,count\r\n"a\r\nb",1\r\nc,2\r\n';

describe('Open as Table', () => {
  isolate();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'tables-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const write = (name: string, content: string | Uint8Array): string => {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return file;
  };

  it('Open as Table resolves to the size of any file, after all of it is read', async () => {
    const rows = Array.from({ length: 5000 }, (_, row) =>
      JSON.stringify({ row, ...(row === 4999 && { late: { deep: 1 } }) }),
    );
    for (const [name, content, expected] of [
      ['own.csv', csv, { rows: 2, columns: 2 }],
      ['own.csv.gz', gzipSync(csv), { rows: 2, columns: 2 }],
      ['own.zip', zipOf([{ name: 'in/own.csv', data: Buffer.from(csv) }]), { rows: 2, columns: 2 }],
      [
        'own.damaged.csv.gz',
        Buffer.concat([gzipSync(csv).subarray(0, -8), Buffer.alloc(8)]),
        { rows: 2, columns: 2 },
      ],
      ['own.longer.csv.gz', Buffer.concat([gzipSync(csv), zipOf([])]), { rows: 2, columns: 2 }],
      [
        'own.mac.zip',
        zipOf([
          { name: '.DS_Store' },
          { name: '', rawName: Buffer.from('\x9aber.csv', 'latin1'), data: Buffer.from(csv) },
        ]),
        { rows: 2, columns: 2 },
      ],
      ['own.ndjson', rows.join('\n'), { rows: 5000, columns: 2 }],
      ['own.json', `{"entries":[${rows.join(',')}]}`, { rows: 5000, columns: 2 }],
      ['name with spaces', '[{"a":1}]', { rows: 1, columns: 1 }],
      ['empty.csv', '', { rows: 0, columns: 0 }],
    ] as const) {
      const file = write(name, content);
      assert.deepEqual(await command('scorecard.openReportTable', { path: file }), expected, name);
      assert.equal(shownFile(), file);
    }
  });

  it('Open as Table lets a program export a file without a tab, masked, and all or nothing', async () => {
    const file = write(
      'own.csv',
      'name,count,password\nbeta,2,hunter2\nalpha,10,hunter3\n=1+1,30,hunter4\n',
    );
    const to = path.join(folder, 'out.csv');
    const mask = '\u2022'.repeat(8);
    const ask = {
      path: file,
      format: 'csv',
      to,
      filter: [{ column: 'count', text: '>2' }],
      sort: [{ column: 'count', descending: true }],
    };
    assert.deepEqual(await command('scorecard.exportTable', ask), { path: to, count: 2 });
    assert.equal(
      readFileSync(to, 'utf8'),
      `name,count,password\r\n'=1+1,30,${mask}\r\nalpha,10,${mask}\r\n`,
    );
    assert.equal(shownTable(), undefined);
    await failure(command('scorecard.exportTable', ask), 'config');
    const json = path.join(folder, 'out.json');
    const other = { path: file, format: 'json', to: json };
    await command('scorecard.exportTable', { ...other, columns: ['count'] });
    assert.deepEqual(
      JSON.parse(readFileSync(json, 'utf8')),
      [2, 10, 30].map((count) => ({ count })),
    );
    const parquet = path.join(folder, 'out.parquet');
    await command('scorecard.exportTable', { ...other, format: 'parquet', to: parquet });
    const buffer = new Uint8Array(readFileSync(parquet)).buffer;
    assert.deepEqual(await parquetReadObjects({ file: buffer }), [
      { name: 'beta', count: 2n, password: mask },
      { name: 'alpha', count: 10n, password: mask },
      { name: '=1+1', count: 30n, password: mask },
    ]);
    for (const [name, columns, expected] of [
      ['twice.csv', ['count', 'name', 'count'], 'count,name\r\n2,beta\r\n'],
      ['none.csv', [], `name,count,password\r\nbeta,2,${mask}\r\n`],
    ] as const) {
      const place = path.join(folder, name);
      const first = { filter: [{ column: 'name', text: '=beta' }], format: 'csv', to: place };
      await command('scorecard.exportTable', { ...other, ...first, columns });
      assert.equal(readFileSync(place, 'utf8'), expected);
    }
    const table = path.join(folder, 'out.table');
    await command('scorecard.exportTable', { ...other, format: 'tsv', to: table });
    assert.equal(
      readFileSync(table, 'utf8'),
      `name\tcount\tpassword\r\nbeta\t2\t${mask}\r\nalpha\t10\t${mask}\r\n'=1+1\t30\t${mask}\r\n`,
    );
    const words = path.join(folder, 'words.csv');
    const keys = write(
      'keys.ndjson',
      '{"issue_type":"dns_zone_v2","severity":"high","score":7.5}\n',
    );
    await command('scorecard.exportTable', { path: keys, format: 'excelCsv', to: words });
    assert.equal(
      readFileSync(words, 'utf8'),
      '\ufeffIssue type,Severity,Score\r\nDNS zone,High,7.5\r\n',
    );
    const styled = async (args: object) => {
      const to = path.join(folder, `${Object.values(args).join()}.csv`);
      await command('scorecard.exportTable', { path: keys, format: 'excelCsv', ...args, to });
      return readFileSync(to, 'utf8').replace('\ufeff', '');
    };
    assert.equal(
      await styled({ separator: ';' }),
      'Issue type;Severity;Score\r\nDNS zone;High;"7,5"\r\n',
    );
    const raw = 'issue_type,severity,score\r\ndns_zone_v2,high,7.5\r\n';
    assert.equal(await styled({ separator: ',', words: false }), raw);
    assert.equal(
      await styled({ format: 'tsv', words: true }),
      'Issue type\tSeverity\tScore\r\nDNS zone\tHigh\t7.5\r\n',
    );
    for (const wrong of [
      { format: 'json', words: true },
      { format: 'csv', separator: ';' },
    ]) {
      await failure(styled(wrong), 'badRequest');
    }
    const long = write('long.ndjson', `{"issue_id":"1","text":"${'x'.repeat(40_000)}"}\n`);
    const cut = path.join(folder, 'cut.xlsx');
    assert.deepEqual(
      await command('scorecard.exportTable', { path: long, format: 'xlsx', to: cut }),
      { path: cut, count: 1, cutCells: 1 },
    );
    const workbook = path.join(folder, 'out.xlsx');
    const hostile = write(
      'hostile.ndjson',
      '{"issue_type":"dns_zone_v2","severity":"high","score":7.5,"first_seen":"2026-11-21T08:30:00Z","text":"=1+1"}\n',
    );
    assert.deepEqual(
      await command('scorecard.exportTable', { path: hostile, format: 'xlsx', to: workbook }),
      { path: workbook, count: 1 },
    );
    const [sheet] = await readXlsx(workbook);
    assert.ok(sheet);
    assert.deepEqual(
      [sheet.name, sheet.headings, sheet.rows],
      [
        'Rows',
        ['Issue type', 'Severity', 'Score', 'First seen', 'Text'],
        [['DNS zone', 'High', 7.5, { date: '2026-11-21 08:30:00' }, '=1+1']],
      ],
    );
    const again = { ...other, to: path.join(folder, 'never.json') };
    for (const wrong of [
      { format: 'xml' },
      { filter: [{ column: 'none', text: 'x' }] },
      { filter: [{ column: 'count', text: '>many' }] },
      { filter: 'x' },
      { sort: [{ column: 'count', descending: 'no' }] },
      { columns: ['none'] },
    ]) {
      await failure(command('scorecard.exportTable', { ...again, ...wrong }), 'badRequest');
    }
    const filter = [{ column: 'name', text: '>2' }];
    const inTexts = command('scorecard.exportTable', { ...again, filter });
    assert.equal(
      (await failure(inTexts, 'badRequest')).message,
      'The filter ">2" of name does not apply. This column is text: <, > and .. need numbers or dates.',
    );
    await failure(command('scorecard.exportTable', { ...again, to: 'out.csv' }), 'config');
    await failure(
      command('scorecard.exportTable', { ...again, path: path.join(folder, 'missing.csv') }),
      'notFound',
    );
    assert.ok(!existsSync(again.to));
  });

  it('Open as Table lets a program count the values of a report or a file, masked', async () => {
    await reportsFolder();
    await configure({ 'reports.openWhenReady': false });
    const rows = Array.from({ length: 3000 }, (_, row) => ({
      severity: ['low', 'Critical', 'medium', 'odd'][row % 4],
      issue_type: `type_${row % 60}`,
      domain: row % 5 === 0 ? '' : `host${row % 5}.example`,
      user_name: 'somebody',
      first_seen: row < 1000 ? '2026-09-30' : '2026-11-01T00:00:00Z',
    }));
    const names = ['severity', 'issue_type', 'domain', 'user_name', 'first_seen'] as const;
    const lines = rows.map((row) => names.map((name) => row[name]).join(','));
    const content = `${names.join(',')}\n${lines.join('\n')}\n`;
    const expected = {
      rows: 3000,
      severity: {
        column: 'severity',
        values: ['Critical', 'medium', 'low', 'odd'].map((value) => ({ value, count: 750 })),
        other: 0,
      },
      issueType: {
        column: 'issue_type',
        values: Array.from({ length: 60 }, (_, type) => ({ value: `type_${type}`, count: 50 }))
          .sort((one, other) => (one.value < other.value ? -1 : 1))
          .slice(0, 50),
        other: 500,
      },
      firstSeen: {
        column: 'first_seen',
        months: [
          { month: '2026-09', count: 1000 },
          { month: '2026-11', count: 2000 },
        ],
      },
      assets: {
        column: 'domain',
        distinct: 4,
        values: [1, 2, 3, 4].map((host) => ({ value: `host${host}.example`, count: 600 })),
      },
    };
    const file = write('own.csv', content);
    assert.deepEqual(await command('scorecard.reportOverview', { path: file }), expected);
    assert.equal(shownFile(), file);
    await signIn(
      await server((_, response) => {
        sendReport(response, content);
      }),
    );
    const record = await command('scorecard.startDetailedReport');
    assert.deepEqual(await command('scorecard.reportOverview', { id: record.id }), expected);
    const secret = write('secret.csv', 'user_name,password.severity\na,low\n');
    const { severity } = await command('scorecard.reportOverview', { path: secret });
    assert.deepEqual(severity?.values, [{ value: '\u2022'.repeat(8), count: 1 }]);
    const call = (args: object) => command('scorecard.reportOverview', args);
    await failure(call({ path: 'own.csv' }), 'badRequest');
    await failure(call({ path: path.join(folder, 'missing.csv') }), 'notFound');
    await failure(call({ id: 'a', path: file }), 'badRequest');
  });

  it('Open as Table resolves to the size of a report, and opens it read-only', async () => {
    await reportsFolder();
    await configure({ 'reports.openWhenReady': false });
    await signIn(await instantReports());
    const record = await command('scorecard.startDetailedReport');
    assert.deepEqual(await command('scorecard.openReportTable', { id: record.id }), {
      rows: 1,
      columns: 2,
    });
    assert.equal(shownTable()?.scheme, 'scorecard-report');
  });

  it('Open as Table is used by Open Report when a report is too large for the text editor', async () => {
    await reportsFolder();
    await configure({ 'reports.openWhenReady': false });
    const line = `${'x'.repeat(1022)},1\n`;
    const text = `a,b\n${line.repeat(5 * 1024)}`;
    await signIn(
      await server((_, response) => {
        sendReport(response, text);
      }),
    );
    const record = await command('scorecard.startDetailedReport');
    await command('scorecard.openReport', { id: record.id });
    assert.equal(shownFile(), record.path);
    assert.deepEqual(await command('scorecard.openReportTable', { id: record.id }), {
      rows: 5 * 1024,
      columns: 2,
    });
  });

  it('Open as Table rejects with the cause for a program', async () => {
    const call = (args: object) => command('scorecard.openReportTable', args);
    assert.match((await failure(call({ path: 'own.csv' }), 'badRequest')).message, /own\.csv/);
    await failure(call({ path: path.join(folder, 'missing.csv') }), 'notFound');
    await failure(call({ path: folder }), 'badRequest');
    await failure(call({ path: 7 }), 'badRequest');
    await failure(call({ id: 'missing' }), 'notFound');
    await failure(call({ id: 'a', path: write('own.csv', csv) }), 'badRequest');
    const garbled = write('garbled.json', Buffer.from([0, 1, 2]));
    assert.match((await failure(call({ path: garbled }), 'badRequest')).message, /no table/);
    const cut = write('cut.zip', zipOf([{ name: 'a.csv' }]).subarray(0, 40));
    assert.match((await failure(call({ path: cut }), 'download')).message, /Get the file again/);
    const book = zipOf([{ name: '[Content_Types].xml' }, { name: 'xl/workbook.xml' }]);
    assert.match(
      (await failure(call({ path: write('book.csv', book) }), 'download')).message,
      /save it as CSV/,
    );
  });

  it('Open as Table asks a user for a file when there is no report', async () => {
    const file = write('own.csv', csv);
    answer('showOpenDialog', [vscode.Uri.file(file)]);
    const size = await vscode.commands.executeCommand('scorecard.openReportTable');
    assert.deepEqual(size, { rows: 2, columns: 2 });
    assert.deepEqual(
      takeQuestions().map(({ name }) => name),
      ['showOpenDialog'],
    );
  });

  it('Open as Table reads files that only VS Code can read, up to a size limit', async () => {
    const uri = vscode.Uri.from({ scheme: 'table-test', path: '/far.csv' });
    const far = new FarFiles(Buffer.from(csv));
    const registered = vscode.workspace.registerFileSystemProvider('table-test', far);
    try {
      const size = await vscode.commands.executeCommand('scorecard.openReportTable', uri);
      assert.deepEqual(size, { rows: 2, columns: 2 });
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      far.size = 256 * 1024 ** 2 + 1;
      // The editor says why; a user gets no second message.
      assert.equal(
        await vscode.commands.executeCommand('scorecard.openReportTable', uri),
        undefined,
      );
    } finally {
      registered.dispose();
    }
  });

  it('Open as Table shows a user the rows that the filter of a list shows, and a program all', async () => {
    const service = await signedInDemo();
    const list = { scorecardId: halvorsen, issueType: 'compromised_credentials_found' };
    await configure({
      scorecards: [{ id: halvorsen, name: 'H', issueTypes: ['compromised_credentials_found'] }],
    });
    await command('scorecard.loadAll', list);
    const { shown } = await command('scorecard.filterFindings', { ...list, text: 'resolved' });
    assert.ok(shown > 0);
    const before = service.requests.length;
    answerWith('showQuickPick', (choices) => (choices as readonly unknown[])[0]);
    const size = await vscode.commands.executeCommand('scorecard.openFindingsTable');
    assert.equal((size as { rows: number }).rows, shown);
    assert.match(path.basename(shownTable()?.fsPath ?? ''), / - resolved\.ndjson$/);
    assert.equal(service.requests.length, before);
    takeQuestions();
    const all = await command('scorecard.openFindingsTable', list);
    assert.ok(all.rows > shown);
    await command('scorecard.filterFindings', { ...list, text: '' });
  });

  it('Open as Table says that findings are being loaded for a table already, not where their file is', async () => {
    await signedInDemo();
    const list = { scorecardId: halvorsen, issueType: 'compromised_credentials_found' };
    const both = [1, 2].map(() => command('scorecard.openFindingsTable', list));
    const outcomes = await Promise.allSettled(both);
    const refused = outcomes.findIndex(({ status }) => status === 'rejected');
    const { message } = await failure(both[refused] ?? Promise.resolve(), 'badRequest');
    assert.match(message, /^These findings are already being loaded for a table\. /);
  });

  it('Open as Table loads all findings of a list into a masked file, which is removed with its editor', async () => {
    const service = await signedInDemo();
    const list = { scorecardId: halvorsen, issueType: 'compromised_credentials_found' };
    const size = await command('scorecard.openFindingsTable', list);
    assert.equal(size.rows, 1342);
    assert.equal(service.requests.length, 3);
    const file = shownFile() ?? '';
    assert.match(path.basename(file), /\.ndjson$/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const [first] = await served(service, list, 1);
    const text = readFileSync(file, 'utf8');
    assert.ok(text.includes(String(first?.issue_id)));
    assert.ok(!text.includes(String(first?.password)) && text.includes('\u2022\u2022'));
    // As after a reload, when VS Code restores a tab only as it is shown.
    const restored = path.join(path.dirname(file), '..', 'restored', path.basename(file));
    mkdirSync(path.dirname(restored));
    copyFileSync(file, restored);
    const exported = path.join(path.dirname(restored), 'exported.csv');
    await command('scorecard.exportTable', { path: restored, format: 'csv', to: exported });
    assert.ok(existsSync(restored), 'a command that has worked on it leaves it');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until('the file is gone', () => !existsSync(file));

    await command('scorecard.loadAll', list);
    assert.equal(service.requests.length, 7);
    let clicks = 0;
    answerWith('showInformationMessage', (_, ...actions) => {
      clicks += 1;
      return clicks === 1
        ? (actions as { title: string }[]).find(({ title }) => title === 'Refresh')
        : undefined;
    });
    await vscode.commands.executeCommand('scorecard.openFindingsTable');
    assert.equal(service.requests.length, 7, 'what is loaded is shown');
    const reused = shownFile();
    assert.ok(reused);
    await until('the refreshed findings take its place', () => !existsSync(reused));
    assert.equal(service.requests.length, 10);
    assert.deepEqual(
      told('showInformationMessage').slice(-2),
      Array<string>(2).fill('1,342 findings. Loaded just now.'),
    );
    const refreshed = shownFile();
    assert.ok(refreshed && existsSync(refreshed));

    await command('scorecard.openFindingsTable', list);
    const second = shownFile() ?? '';
    assert.ok(existsSync(second));
    await command('scorecard.deleteLocalData', { confirm: true });
    assert.ok(!existsSync(second));
  });
});

/** The file in the active Report Table. */
function shownFile(): string | undefined {
  const uri = shownTable();
  return uri && localPath(uri);
}

function shownTable(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom && input.viewType === reportTableId
    ? input.uri
    : undefined;
}

/** A file system with one file, as extensions bring them. */
class FarFiles implements vscode.FileSystemProvider {
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;
  size: number;

  constructor(private readonly content: Uint8Array) {
    this.size = content.length;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(): vscode.FileStat {
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: this.size };
  }

  readFile(): Uint8Array {
    return this.content;
  }

  readDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  writeFile(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }
}

import type { CveListFile, KnownFinding } from '../../../../src/engine';
import type { TableHandle } from '../../../../src/engine/data/tableCalls';
import * as assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { sqlOfFile } from '../../../../src/engine';
import { CancelledError } from '../../../../src/base/cancelledError';
import { silentLogger } from '../../../../src/base/logger';
import type { TableInfo } from '../../../../src/engine/data/tableInfo';
import { CveLists } from '../../../../src/viewer/table/cveLists';
import { cveCodes } from '../../../../src/vocabulary/cve';
import { exportShown } from '../../../../src/viewer/table/ui/tableExports';
import type { Recount } from '../../../../src/viewer/table/ui/fileSource';
import type { FileFacts } from '../../../../src/viewer/table/localTable';
import { saveSummary } from '../../../../src/viewer/table/ui/summaryFile';
import { TableDocument } from '../../../../src/viewer/table/ui/tableDocument';
import { copyToClipboard } from '../../../../src/viewer/table/ui/tableClipboard';
import { localizedNames } from '../../../../src/workbench/webviewPage';
import { isolate } from '../../helpers';
import { until } from '../../until';
import { answer, answerWith, takeQuestions, told } from '../../window';
import { FakePanel } from './fakePanel';
import { noRatings, noTableActions } from './tableActions';

describe('The page of a Report Table', () => {
  isolate();
  let folder: string;
  let panel: FakePanel;
  let document: TableDocument;
  let recounted: Recount | FileFacts | undefined;
  let compared = 0;
  let readKnown: () => Promise<readonly KnownFinding[]>;
  let readLists: () => Promise<readonly CveListFile[]>;

  beforeEach(async () => {
    recounted = undefined;
    readKnown = () => Promise.resolve([]);
    readLists = () => Promise.resolve([]);
    folder = mkdtempSync(path.join(tmpdir(), 'tables-'));
    const file = path.join(folder, 'own.ndjson');
    writeFileSync(file, '{"a":1}\n{"a":2}\n');
    document = new TableDocument(vscode.Uri.file(file), {
      firstTab: 'table',
      kinds: {
        find: () => undefined,
        keepLayout: () => Promise.resolve(),
        keepFilters: () => Promise.resolve(),
      },
      bundles: vscode.Uri.file(path.resolve(__dirname, '../../../../dist')),
      cacheFolder: folder,
      fileOf: () =>
        Promise.resolve({
          path: file,
          isMasked: false,
          release: () => Promise.resolve(),
        }),
      scorecardNames: () => ({}),
      ratings: noRatings,
      names: localizedNames(),
      meaningOf: () => Promise.resolve(undefined),
      log: () => undefined,
      actions: noTableActions,
      showChanges: () => {
        compared += 1;
        return Promise.resolve();
      },
      findChanges: () => Promise.reject(new Error('The code to compare is gone.')),
      writeSql: async ({ table }, question, options) => {
        const part = { ...question, path: file };
        return sqlOfFile(question.dialect, await table.call('sql', part, options));
      },
      hasWorkspace: () => false,
      linksOf: () => Promise.resolve({}),
      problems: () => ({ on: false }),
      toggleExcluded: () => Promise.resolve(),
      knownFile: () => '/known-issues.sarif',
      knownFindings: () => readKnown(),
      cveLists: () => readLists(),
      recount: () => Promise.resolve(recounted),
      findStated: () => Promise.resolve([]),
      markStated: () => Promise.resolve(),
      markKnown: () => Promise.resolve(),
      exportShown: (shown, format) => exportShown({ log: silentLogger }, document, shown, format),
      saveSummary: (read) => saveSummary('own.ndjson', read),
      onOpened: () => undefined,
      onKnown: () => undefined,
      onReloaded: () => undefined,
      onClosed: () => undefined,
    });
    panel = new FakePanel();
    document.show(panel.asPanel);
    panel.say({ type: 'ready' });
    await until('the table is there', () => panel.heard('init') === 1);
  });
  afterEach(() => {
    document.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('The page of a Report Table shows in a notification why an action failed', async () => {
    rmSync(document.uri.fsPath);
    panel.say({ type: 'reload' });
    await until('the page says so', () => panel.heard('failed') === 1);
    panel.say({ type: 'swap' });
    await until('a user reads it', () => told('showErrorMessage').length > 0);
    assert.deepEqual(told('showErrorMessage'), [
      'The file no longer exists. Restore it and try again, or close this tab.',
    ]);
  });

  it('The page of a Report Table does nothing with rows of the content before, and says so', async () => {
    panel.say({ type: 'reload' });
    await until('the table is there', () => panel.heard('init') === 2);
    panel.say({ type: 'openFile', record: 0, generation: 1 });
    panel.say({ type: 'record', id: 1, record: 0, generation: 1 });
    const refused = 'The file has changed meanwhile. Choose the row again.';
    await until('a user reads it', () => told('showInformationMessage').length > 0);
    assert.deepEqual(told('showInformationMessage'), [refused]);
    await until('the call is refused', () => panel.heard('response') === 1);
    const answer = panel.last('response');
    assert.deepEqual(answer && 'code' in answer && answer.code, 'cancelled');
    panel.say({ type: 'record', id: 2, record: 0 });
    await until('the row of the table is answered', () => panel.heard('response') === 2);
  });

  it('The page of a Report Table says nothing of an action that its closing ends', async () => {
    document.dispose();
    panel.say({ type: 'arranged', columns: [{ id: '/a' }] });
    panel.say({ type: 'compare' });
    await until('the actions are over', () => compared > 0);
    await document.open().catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(told('showErrorMessage'), []);
  });

  it('The page of a Report Table stays if it cannot be compared with the file before it', async () => {
    panel.say({ type: 'reload' });
    await until('the table is there', () => panel.heard('init') === 2);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(panel.heard('failed'), 0);
  });

  it('The page of a Report Table keeps its rows until an export of them ends, when other issues are known', async () => {
    const steps: string[] = [];
    const end = new AbortController();
    const exporting = document.whileExporting(async () => {
      const { table } = await document.open();
      await new Promise((resolve) => {
        end.signal.addEventListener('abort', resolve);
      });
      steps.push(table.ended ? 'ended' : 'exported');
    });
    recounted = {
      replace: async () => {
        steps.push('replaced');
        await writeFile(document.uri.fsPath, '{"a":3}\n');
      },
      discard: () => Promise.resolve(),
    };
    const refreshing = document.refreshKnown();
    await new Promise((resolve) => setTimeout(resolve, 50));
    end.abort();
    await Promise.all([exporting, refreshing]);
    assert.deepEqual(steps, ['exported', 'replaced']);
    const { table } = await document.open();
    assert.equal(table.info.rows, 1);
  });

  it('The page of a Report Table gets other facts about its file without being drawn anew', async () => {
    const { table } = await document.open();
    recounted = { about: { title: 'Counted again' }, tabTitle: 'own' };
    await document.refreshKnown();
    const opened = await document.open();
    assert.deepEqual([opened.table === table, opened.file.about?.title], [true, 'Counted again']);
    assert.deepEqual(
      [panel.heard('init'), (panel.last('about') as unknown as { about: object }).about],
      [1, { title: 'Counted again' }],
    );
  });

  /** Shows other content. @returns the IDs of its columns by their names */
  async function show(...rows: readonly object[]): Promise<Record<string, string>> {
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    writeFileSync(document.uri.fsPath, lines);
    panel.say({ type: 'reload' });
    await until('the table is there', () => panel.heard('init') === 2);
    const { info } = panel.last('init') as unknown as { info: TableInfo };
    return Object.fromEntries(info.columns.map(({ id, name }) => [name, id]));
  }

  const findings = [
    { host: 'a.example', port: 22, password: 'pw-1', note: '', severity: 'high' },
    { host: 'b.example', port: 443, password: 'pw-2', note: '', severity: 'low' },
  ];

  const known = { id: '1', reason: 'notOurs', label: 'Not ours' } as const;
  const countOpen = () => document.readOverview('open', ({ rows }) => rows);

  it('The page of a Report Table counts for programs with what is known when they ask', async () => {
    await show({ issue_id: '1', severity: 'high' }, { issue_id: '2', severity: 'low' });
    assert.equal(await countOpen(), 2);
    readKnown = async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return [known];
    };
    const refreshing = document.refreshKnown();
    assert.equal(await countOpen(), 1);
    await refreshing;
  });

  it('The page of a Report Table follows what was read last of the known issues, whichever comes first', async () => {
    await show({ issue_id: '1', severity: 'high' }, { issue_id: '2', severity: 'low' });
    const answers: ((found: readonly KnownFinding[]) => void)[] = [];
    readKnown = () => new Promise((resolve) => answers.push(resolve));
    const first = document.refreshKnown();
    await until('one is asked', () => answers.length === 1);
    const second = document.refreshKnown();
    await until('both are asked', () => answers.length === 2);
    answers[1]?.([known]);
    await second;
    answers[0]?.([]);
    await first;
    assert.equal(await countOpen(), 1);
  });

  it('The page of a Report Table follows what was read last of the lists of CVEs, whichever comes first', async () => {
    await show({ issue_id: '1', severity: 'high', cve: 'CVE-2021-44228' });
    const codes = Float64Array.from(cveCodes('CVE-2021-44228'));
    const listed = { codes, known: Uint8Array.of(1) };
    const lists = new CveLists(path.join(folder, 'cves'));
    await lists.add({ name: 'kev', at: 0 }, listed);
    const all = await lists.read();
    const countExploited = () =>
      document.readOverview('open', ({ exploited }) => exploited?.length);
    readLists = () => Promise.resolve(all);
    await document.refreshLists();
    assert.equal(await countExploited(), 1);
    const answers: ((found: readonly CveListFile[]) => void)[] = [];
    readLists = () => new Promise((resolve) => answers.push(resolve));
    const first = document.refreshLists();
    const second = document.refreshLists();
    await until('both are asked', () => answers.length === 2);
    answers[1]?.(all);
    await second;
    answers[0]?.([]);
    await first;
    assert.equal(await countExploited(), 1);
  });

  it('The page of a Report Table saves its overview with secrets masked, and offers another folder where it cannot', async () => {
    const { password = '' } = await show(...findings, ...findings);
    document.isRevealed = true;
    const saved = path.join(folder, 'own.html');
    answer('showSaveDialog', vscode.Uri.file(saved));
    const message = { type: 'saveSummary', now: 0, added: [password], scope: 'all' };
    let said: unknown[] = [];
    answerWith('showInformationMessage', (...args) => {
      said = args;
    });
    panel.say(message);
    await until('it is saved', () => told('showInformationMessage').length > 0);
    const html = readFileSync(saved, 'utf8');
    assert.match(html, /<html lang="en">/);
    assert.match(html, /password/i);
    assert.doesNotMatch(html, /pw-/);
    const [text, ...buttons] = said;
    assert.equal(text, `Saved ${saved}. Secret values are masked.`);
    const isWeb = vscode.env.uiKind === vscode.UIKind.Web;
    assert.deepEqual(
      buttons.map((button) => (button as vscode.MessageItem).title),
      [...(isWeb ? [] : ['Open in Browser']), 'Reveal'],
    );

    answer('showSaveDialog', vscode.Uri.file(path.join(folder, 'own.html', 'below.html')));
    answerWith('showErrorMessage', (_, ...titles) => {
      answer('showSaveDialog', vscode.Uri.file(path.join(folder, 'other.html')));
      return (titles as vscode.MessageItem[]).find(({ title }) => title.includes('Another Folder'));
    });
    panel.say(message);
    await until('it is saved elsewhere', () => existsSync(path.join(folder, 'other.html')));
    await until('the user knows', () => told('showInformationMessage').length > 1);
    takeQuestions();
  });

  it('The page of a Report Table exports the visible columns or all', async () => {
    const { host = '', port = '' } = await show(...findings);
    const shown = { query: { sort: [{ column: port, descending: true }] }, columns: [host, port] };
    const file = path.join(folder, 'out.csv');
    const ask = async (...choices: readonly string[]) => {
      answerWith('showQuickPick', (items) =>
        (items as vscode.QuickPickItem[]).find(({ label }) =>
          choices.some((choice) => label.startsWith(choice)),
        ),
      );
      answer('showSaveDialog', vscode.Uri.file(file));
      const before = told('showInformationMessage').length;
      panel.say({ type: 'shown', ...shown });
      panel.say({ type: 'export' });
      await until('it is exported', () => told('showInformationMessage').length > before);
      return takeQuestions()
        .filter(({ name }) => name === 'showQuickPick')
        .map(({ args }) => (args[0] as vscode.QuickPickItem[])[0]);
    };

    const [columns] = await ask('Visible', 'CSV');
    assert.equal(columns?.label, 'Visible columns (2)');
    assert.equal(readFileSync(file, 'utf8').trim(), 'host,port\r\nb.example,443\r\na.example,22');

    await ask('Visible', 'Parquet');
    assert.equal(readFileSync(file).subarray(-4).toString(), 'PAR1');

    await ask('All columns (5)', 'CSV', 'Mask');
    assert.doesNotMatch(readFileSync(file, 'utf8'), /pw-/);
    assert.match(
      told('showInformationMessage').at(-1) ?? '',
      /2 rows.*Secret values are masked\.$/,
    );

    await ask('All columns (5)', 'CSV', 'Include');
    assert.match(readFileSync(file, 'utf8'), /b\.example,443,pw-2,,low/);
    assert.deepEqual(told('showErrorMessage'), []);
  });

  it('The page of a Report Table asks for no columns where only empty ones are hidden, and says how many rows there are', async () => {
    const ids = await show(...findings);
    const columns = ['host', 'port', 'severity', 'password'].map((name) => ids[name] ?? '');
    for (const [facts, question] of [
      [{ rows: 2 }, 'In which format? 2 rows are written.'],
      [{ rows: 1 }, 'In which format? 1 row is written.'],
      [{}, 'In which format?'],
    ] as const) {
      answer('showQuickPick', undefined);
      panel.say({ type: 'shown', query: {}, columns, ...facts });
      panel.say({ type: 'export' });
      const asked: string[] = [];
      await until('the format is asked for', () => {
        const choices = takeQuestions().filter(({ name }) => name === 'showQuickPick');
        asked.push(
          ...choices.map(({ args }) => (args[1] as vscode.QuickPickOptions).placeHolder ?? ''),
        );
        return asked.length > 0;
      });
      assert.deepEqual(asked, [question]);
    }
  });

  it('The page of a Report Table exports in the format that the page chooses, and asks only for the file', async () => {
    const { host = '', password = '' } = await show(...findings);
    const shown = { query: {}, columns: [host, password] };
    panel.say({ type: 'shown', ...shown });
    answer('showSaveDialog', undefined);
    panel.say({ type: 'export', format: 'ndjson' });
    await until('the file is asked for', () => takeQuestions().length === 1);
    const file = path.join(folder, 'out.ndjson');
    answer('showSaveDialog', vscode.Uri.file(file));
    panel.say({ type: 'export', format: 'ndjson' });
    await until('it is exported', () => told('showInformationMessage').length === 1);
    assert.equal(takeQuestions().length, 1);
    const [first] = readFileSync(file, 'utf8').split('\n');
    assert.match(first ?? '', /^\{"host":"a\.example","password":"[^p]/);

    answer('showSaveDialog', vscode.Uri.file(path.join(folder, 'no', 'such', 'folder.ndjson')));
    panel.say({ type: 'export', format: 'ndjson' });
    await until('the cause is shown', () => told('showErrorMessage').length === 1);
    takeQuestions();
  });

  it('The page of a Report Table is exported as soon as it has told what it shows', async () => {
    const file = path.join(folder, 'out.ndjson');
    answer('showSaveDialog', vscode.Uri.file(file));
    panel.say({ type: 'export', format: 'ndjson' });
    const shown = document.findShownTable();
    assert.deepEqual(takeQuestions(), []);
    const query = { filter: { op: 'equals', column: '/a', text: '2' } };
    panel.say({ type: 'shown', query, columns: ['/a'] });
    await until('it is exported', () => told('showInformationMessage').length === 1);
    takeQuestions();
    assert.equal(readFileSync(file, 'utf8'), '{"a":2}\n');
    assert.deepEqual((await shown)?.columns, ['/a']);
  });

  it('The page of a Report Table is not exported if its table fails, or is closed, before it has told', async () => {
    const failing = document.findShownTable();
    rmSync(document.uri.fsPath);
    panel.say({ type: 'reload' });
    await until('the page says so', () => panel.heard('failed') === 1);
    assert.equal(await failing, undefined);
    writeFileSync(document.uri.fsPath, '{"a":1}\n');
    panel.say({ type: 'reload' });
    await until('the table is there', () => panel.heard('init') === 2);
    const closed = document.findShownTable();
    panel.say({ type: 'export', format: 'ndjson' });
    panel.close();
    await assert.rejects(closed, CancelledError);
    assert.deepEqual([takeQuestions(), told('showErrorMessage')], [[], []]);
  });

  it('The page of a Report Table keeps what it shows while the file is opened again, and forgets it if that fails', async () => {
    const { host = '' } = await show(...findings);
    const findColumns = async () => (await document.findShownTable())?.columns;
    panel.say({ type: 'shown', query: {}, columns: [host], rows: 2 });
    assert.deepEqual(await findColumns(), [host]);
    panel.say({ type: 'reload' });
    assert.deepEqual(await findColumns(), [host], 'an export in the meantime is of what is seen');
    await until('the table is there', () => panel.heard('init') === 3);
    rmSync(document.uri.fsPath);
    panel.say({ type: 'reload' });
    await until('the page says so', () => panel.heard('failed') === 1);
    assert.equal(await findColumns(), undefined);
  });

  it('The page of a Report Table says of a record whether secret values are masked or shown, and copies no masked value', async () => {
    await show({ a: 'x', password: 'pw-1' }, { a: 'y' });
    let id = 100;
    const secretsOf = async (record: number) => {
      id += 1;
      const before = panel.heard('response');
      panel.say({ type: 'record', id, record });
      await until('it is answered', () => panel.heard('response') > before);
      return (panel.last('response') as { result?: { secrets?: string } }).result?.secrets;
    };
    const copyOf = async (field: string) => {
      await vscode.env.clipboard.writeText('before');
      panel.say({ type: 'copyField', record: 0, field });
      panel.say({ type: 'copyField', record: 0, field: '/a' });
      const copied: string[] = [];
      await until('the other one is copied', async () => {
        copied.push(await vscode.env.clipboard.readText());
        return copied.at(-1) === 'x';
      });
      return copied;
    };
    assert.equal(await secretsOf(0), 'masked');
    assert.equal(await secretsOf(1), 'none');
    assert.ok((await copyOf('/password')).every((text) => text === 'before' || text === 'x'));
    panel.say({ type: 'secrets', on: true });
    await until('it begins anew', () => panel.heard('init') === 3);
    assert.equal(await secretsOf(0), 'shown');
    assert.equal(await secretsOf(1), 'none');
    panel.say({ type: 'copyField', record: 0, field: '/password' });
    await until('it is copied', async () => (await vscode.env.clipboard.readText()) === 'pw-1');
  });

  it('The page of a Report Table copies a record, the counts and the query as SQL', async () => {
    const { host = '', port = '', severity = '' } = await show(...findings);
    const copied = async (id: number, question: object) => {
      panel.say({ id, ...question });
      await until('it is copied', () => panel.heard('response') === id);
      assert.equal((panel.last('response') as { ok?: boolean }).ok, true);
      return vscode.env.clipboard.readText();
    };
    const record = await copied(1, { type: 'copyRecord', record: 1 });
    assert.match(record, /^### b\.example\n/);
    assert.match(record, /b\.example/);
    assert.doesNotMatch(record, /pw-2/);

    assert.match(
      await copied(2, { type: 'copySummary', now: Date.now(), added: [], scope: 'open' }),
      /### own\.ndjson[^]*2 findings[^]*High[^]*Low/,
    );

    const sql = await copied(3, {
      type: 'copySql',
      dialect: 'duckdb',
      columns: [host, port],
      query: {
        filter: { op: 'equals', column: host, text: 'a.example' },
        sort: [{ column: severity, descending: true }],
      },
    });
    assert.match(sql, /select[^]*own\.ndjson[^]*where[^]*'a\.example'[^]*order by[^]*severity/i);

    const query = { filter: { op: 'anywhere', text: 'a' } };
    panel.say({ id: 4, type: 'copySql', dialect: 'spark', columns: [host], query });
    await until('it is refused', () => panel.heard('response') === 4);
    assert.equal(
      (panel.last('response') as { message?: string }).message,
      'This view cannot be written as SQL. The filter names masked values, missing values or records that cannot be read. Use another filter.',
    );
    assert.equal(await vscode.env.clipboard.readText(), sql);
  });

  it('The page of a Report Table copies no SQL of a file that is not UTF-8, and says why', async () => {
    writeFileSync(document.uri.fsPath, Buffer.from('{"a":1}\n{"a":2}\n', 'utf16le'));
    panel.say({ type: 'reload' });
    await until('the table is there', () => panel.heard('init') === 2);
    panel.say({ id: 1, type: 'copySql', dialect: 'duckdb', columns: ['/a'], query: {} });
    await until('it is answered', () => panel.heard('response') === 1);
    const response = panel.last('response') as { ok?: boolean; message?: string };
    assert.equal(response.ok, false);
    assert.match(response.message ?? '', /The file is not UTF-8\. Export the table as NDJSON/);
  });

  it('The page of a Report Table leaves the clipboard unchanged when a copy is cancelled', async () => {
    await vscode.env.clipboard.writeText('before');
    const abort = new AbortController();
    const call = () => {
      abort.abort();
      return Promise.resolve({ text: 'after', rows: 1, cut: false });
    };
    const table = { call, info: { columns: [] } } as unknown as TableHandle;
    const file = {
      about: { title: 'own.csv' },
      scorecardNames: {},
      names: localizedNames(),
      writeSql: () => Promise.resolve('after'),
    };
    const question = {
      type: 'copy',
      id: 1,
      view: 0,
      from: 0,
      count: 1,
      columns: [],
      format: 'tsv',
      headings: false,
    } as const;
    await assert.rejects(copyToClipboard(table, file, question, { signal: abort.signal }), {
      code: 'cancelled',
    });
    assert.equal(await vscode.env.clipboard.readText(), 'before');
  });
});

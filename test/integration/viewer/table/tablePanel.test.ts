import type { TableHandle } from '../../../../src/engine/engine';
import * as assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { silentLogger } from '../../../../src/base/logger';
import { Exporter } from '../../../../src/service/export/exporter';
import type { TableInfo } from '../../../../src/engine/types';
import type { StoredReport } from '../../../../src/service/reports/reportRecord';
import { exportShown } from '../../../../src/viewer/table/ui/tableExports';
import { TableDocument } from '../../../../src/viewer/table/ui/tableDocument';
import { copyToClipboard } from '../../../../src/viewer/table/ui/tableClipboard';
import { isolate } from '../../helpers';
import { until } from '../../until';
import { answer, answerWith, takeQuestions, told } from '../../window';
import { FakePanel } from './fakePanel';

describe('The page of a Report Table', () => {
  isolate();
  let folder: string;
  let panel: FakePanel;
  let document: TableDocument;
  let report: StoredReport | undefined;

  beforeEach(async () => {
    report = undefined;
    folder = mkdtempSync(path.join(tmpdir(), 'tables-'));
    const file = path.join(folder, 'own.ndjson');
    writeFileSync(file, '{"a":1}\n{"a":2}\n');
    document = new TableDocument(vscode.Uri.file(file), {
      firstTab: 'table',
      bundles: vscode.Uri.file(path.resolve(__dirname, '../../../../dist')),
      cacheFolder: folder,
      fileOf: () =>
        Promise.resolve({
          path: file,
          isMasked: false,
          ...(report && { report }),
          release: () => Promise.resolve(),
        }),
      scorecardNames: () => ({}),
      meaningOf: () => Promise.resolve(undefined),
      log: () => undefined,
      sincePrevious: () => Promise.reject(new Error('The code to compare is gone.')),
      reportsLike: () => [],
      withReport: () => Promise.reject(new Error('It is no report.')),
      hasWorkspace: () => false,
      linksOf: () => Promise.resolve({}),
      isInProblems: () => false,
      exportShown: (shown, format) =>
        exportShown({ exporter: new Exporter(), log: silentLogger }, document, shown, format),
      onOpened: () => undefined,
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

  it('shows in a notification why an action failed', async () => {
    rmSync(document.uri.fsPath);
    panel.say({ type: 'reload' });
    await until('the page says so', () => panel.heard('failed') === 1);
    panel.say({ type: 'swap' });
    await until('a user reads it', () => told('showErrorMessage').length > 0);
    assert.deepEqual(told('showErrorMessage'), [
      'The file no longer exists. Restore it and try again, or close this tab.',
    ]);
  });

  it('stays if it cannot be compared with the report before it', async () => {
    report = { id: 'one' } as StoredReport;
    panel.say({ type: 'reload' });
    await until('the table is there', () => panel.heard('init') === 2);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(panel.heard('failed'), 0);
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

  it('exports the visible columns or all', async () => {
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
      panel.say({ type: 'export', ...shown });
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

  it('asks for no columns where only empty ones are hidden, and says how many rows there are', async () => {
    const ids = await show(...findings);
    const columns = ['host', 'port', 'severity', 'password'].map((name) => ids[name] ?? '');
    for (const [facts, question] of [
      [{ rows: 2 }, 'In which format? 2 rows are written.'],
      [{ rows: 1 }, 'In which format? 1 row is written.'],
      [{}, 'In which format?'],
    ] as const) {
      answer('showQuickPick', undefined);
      panel.say({ type: 'export', query: {}, columns, ...facts });
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

  it('exports in the format that the page chooses, and asks only for the file', async () => {
    const { host = '', password = '' } = await show(...findings);
    const shown = { query: {}, columns: [host, password] };
    answer('showSaveDialog', undefined);
    panel.say({ type: 'export', format: 'ndjson', ...shown });
    await until('the file is asked for', () => takeQuestions().length === 1);
    const file = path.join(folder, 'out.ndjson');
    answer('showSaveDialog', vscode.Uri.file(file));
    panel.say({ type: 'export', format: 'ndjson', ...shown });
    await until('it is exported', () => told('showInformationMessage').length === 1);
    assert.equal(takeQuestions().length, 1);
    const [first] = readFileSync(file, 'utf8').split('\n');
    assert.match(first ?? '', /^\{"host":"a\.example","password":"[^p]/);

    answer('showSaveDialog', vscode.Uri.file(path.join(folder, 'no', 'such', 'folder.ndjson')));
    panel.say({ type: 'export', format: 'ndjson', ...shown });
    await until('the cause is shown', () => told('showErrorMessage').length === 1);
    takeQuestions();
  });

  it('copies a record, the counts and the query as SQL', async () => {
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

  it('copies no SQL of a file that is not UTF-8, and says why', async () => {
    writeFileSync(document.uri.fsPath, Buffer.from('{"a":1}\n{"a":2}\n', 'utf16le'));
    panel.say({ type: 'reload' });
    await until('the table is there', () => panel.heard('init') === 2);
    panel.say({ id: 1, type: 'copySql', dialect: 'duckdb', columns: ['/a'], query: {} });
    await until('it is answered', () => panel.heard('response') === 1);
    const response = panel.last('response') as { ok?: boolean; message?: string };
    assert.equal(response.ok, false);
    assert.match(response.message ?? '', /The file is not UTF-8\. Export the table as NDJSON/);
  });

  it('leaves the clipboard unchanged when a copy is cancelled', async () => {
    await vscode.env.clipboard.writeText('before');
    const abort = new AbortController();
    const call = () => {
      abort.abort();
      return Promise.resolve({ text: 'after', rows: 1, cut: false });
    };
    const table = { call, info: {} } as unknown as TableHandle;
    const file = {
      path: 'own.csv',
      about: { title: 'own.csv' },
      scorecardNames: {},
      others: [],
      withReport: () => Promise.reject(new Error('It is no report.')),
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

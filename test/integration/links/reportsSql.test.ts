import * as assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { gzipSync } from 'node:zlib';
import { silentLogger } from '../../../src/base/logger';
import { ReportStore } from '../../../src/service/reports/reportStore';
import type { TableDocument } from '../../../src/viewer/table/ui/tableDocument';
import type { ReportTables } from '../../../src/viewer/table/ui/tables';
import type { SqlDialect } from '../../../src/engine/data/sqlParts';
import { storedFileUri } from '../../../src/workbench/storedFiles';
import { storedReport } from '../../helpers/storedReport';
import { zipOf } from '../../helpers/zip';
import { isolate } from '../helpers';
import { until } from '../until';
import { answer, answerWith, takeQuestions, told } from '../window';
import { FakePanel } from '../viewer/table/fakePanel';
import { reportTables } from './reportTables';

const lines = (...records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

describe('The SQL of a report', () => {
  isolate();
  let folder: string;
  let store: ReportStore;
  let tables: ReportTables;
  let document: TableDocument | undefined;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'reports-'));
    store = new ReportStore(path.join(folder, 'reports'), silentLogger);
    tables = reportTables(store, path.join(folder, 'tables'));
  });
  afterEach(() => {
    document?.dispose();
    document = undefined;
    tables.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Adds a report as a download does. @returns its file */
  async function add(
    day: number,
    name: string,
    content: string | Buffer,
    kind: 'full' | 'issues' = 'full',
  ) {
    const draft = path.join(folder, 'draft');
    writeFileSync(draft, content);
    const id = `0000-${day}-${kind}`;
    const at = new Date(Date.UTC(2026, 10, day, 8, 30)).toISOString();
    const file = path.join(store.fileFolderOf(id), name);
    const bytes = content.length;
    const report = storedReport({ id, kind, path: file, bytes, requestedAt: at, finishedAt: at });
    await store.create(report, { file: draft });
    return file;
  }

  async function show(file: string): Promise<FakePanel> {
    document = tables.open(storedFileUri(file), { onClosed: () => undefined });
    const panel = new FakePanel();
    document.show(panel.asPanel);
    panel.say({ type: 'ready' });
    await until('the table is there', () => panel.heard('init') === 1);
    return panel;
  }

  /** Copies the SQL of what is shown. @returns the answer to the page */
  async function copy(
    panel: FakePanel,
    dialect: SqlDialect,
    choice: string | undefined,
    [id, severity] = ['/id', '/severity'],
  ) {
    answerWith('showQuickPick', (items) =>
      (items as vscode.QuickPickItem[]).find(({ label }) => choice && label.startsWith(choice)),
    );
    const heard = panel.heard('response');
    const query = { sort: [{ column: severity, descending: true }] };
    panel.say({ id: heard + 1, type: 'copySql', dialect, columns: [id], query });
    await until('it is answered', () => panel.heard('response') > heard);
    return panel.last('response') as { ok?: boolean; code?: string; message?: string };
  }

  const rows = lines({ id: 1, severity: 'high' }, { id: 2, severity: 'low' });

  it('The SQL of a report asks this report, or all downloaded ones of its kind with their dates', async () => {
    const newest = await add(21, 'full-report.ndjson', rows);
    const packed = await add(
      14,
      'full-report.ndjson.gz',
      gzipSync(lines({ id: 3, severity: 'critical' })),
    );
    const issues = await add(20, 'issues.ndjson', rows, 'issues');
    const missing = await add(13, 'full-report.ndjson', rows);
    rmSync(missing);
    await add(12, 'full-report.ndjson', 'nonsense\n');
    await add(11, 'full-report.ndjson', lines({ id: 'x', severity: 5 }));
    const panel = await show(newest);
    for (const dialect of ['duckdb', 'spark'] as const) {
      const { ok, message } = await copy(panel, dialect, 'All Downloaded');
      assert.equal(ok, true, message);
      const asked = takeQuestions().filter(({ name }) => name === 'showQuickPick');
      const items = asked.flatMap(({ args }) => args[0] as vscode.QuickPickItem[]);
      assert.deepEqual(
        items.map(({ label, description }) => [label, description]),
        [
          ['This Report', undefined],
          ['All Downloaded Reports of This Kind (5)', 'Full report: All findings'],
        ],
      );
      const sql = await vscode.env.clipboard.readText();
      assert.match(sql, /2026-11-21T08:30:00\.000Z[^]*2026-11-14T08:30:00\.000Z[^]*'critical'/);
      assert.deepEqual(
        [newest, packed, issues, missing].map((file) => sql.includes(file)),
        [true, true, false, false],
      );
      const notice = told('showInformationMessage').at(-1) ?? '';
      assert.match(notice, /^The SQL reads 2 of 5 reports; the rest is left out\./);
      assert.match(notice, /Nov.*: The file no longer exists/);
      assert.match(notice, /Nov.*: The file is damaged, or has records that cannot be read/);
      assert.match(notice, /Nov.*: .*values of the column "severity"|kinds of their values/);
    }
    assert.equal((await copy(panel, 'duckdb', 'This')).ok, true);
    const sql = await vscode.env.clipboard.readText();
    assert.deepEqual([sql.includes(newest), sql.includes(packed)], [true, false]);
    assert.doesNotMatch(sql, /report_date/);
    const { ok, code } = await copy(panel, 'duckdb', undefined);
    assert.deepEqual([ok, code], [false, 'cancelled']);
    takeQuestions();
    assert.equal(await vscode.env.clipboard.readText(), sql);
  });

  it('The SQL of a report that is a ZIP archive asks its unpacked file, which stays', async () => {
    const [shown, other] = [rows, lines({ id: 3, severity: 'critical' })];
    const pack = (text: string) => zipOf([{ name: 'full-report.ndjson', data: Buffer.from(text) }]);
    const newest = await add(21, 'full-report.zip', pack(shown));
    await add(14, 'full-report.zip', pack(other));
    const panel = await show(newest);
    const dismissed = await copy(panel, 'duckdb', undefined);
    assert.equal(dismissed.code, 'cancelled');
    const stored = readdirSync(path.join(folder, 'reports'), { recursive: true }).map(String);
    assert.ok(stored.some((name) => name.endsWith('.zip')));
    assert.ok(!stored.some((name) => name.endsWith('.ndjson')), 'nothing is unpacked before');
    const { ok, message } = await copy(panel, 'duckdb', 'All Downloaded');
    assert.equal(ok, true, message);
    takeQuestions();
    const sql = await vscode.env.clipboard.readText();
    document?.dispose();
    document = undefined;
    const files = [...new Set(Array.from(sql.matchAll(/'([^']+\.ndjson)'/g), ([, file]) => file))];
    assert.deepEqual(
      files.map((file) => readFileSync(file ?? '', 'utf8')),
      [shown, other],
    );
  });

  it('The SQL of a report says why there is none for an engine, and does not ask where there is one report', async () => {
    const csv = await add(21, 'issues.csv', 'id,severity\n1,high\n2,low\n', 'issues');
    const panel = await show(csv);
    answer('showQuickPick', undefined);
    const single = await copy(panel, 'spark', undefined, ['/0', '/1']);
    assert.match(single.message ?? '', /SQL for Spark reads only NDJSON files/);
    assert.deepEqual(takeQuestions(), []);
    await add(14, 'issues.csv', 'id,severity\n1,high\n', 'issues');
    const all = await copy(panel, 'spark', 'All Downloaded', ['/0', '/1']);
    assert.equal(all.message, single.message);
    takeQuestions();
  });
});

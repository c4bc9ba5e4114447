import type { TableHandle } from '../../../src/table/engine/engine';
import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { describeError } from '../../../src/workbench/describe';
import { showError } from '../../../src/workbench/messages';
import { RecordDocuments } from '../../../src/table/ui/tableEditor';
import { TableDocument } from '../../../src/table/ui/tableDocument';
import { copyToClipboard } from '../../../src/table/ui/tableClipboard';
import { isolate, until } from '../helpers';
import { told } from '../window';

describe('The page of a Report Table', () => {
  isolate();
  let folder: string;
  let panel: FakePanel;
  let document: TableDocument;
  let records: RecordDocuments;
  let redrawn: vscode.Uri[];

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'tables-'));
    const file = path.join(folder, 'own.ndjson');
    writeFileSync(file, '{"a":1}\n{"a":2}\n');
    records = new RecordDocuments(() => document);
    redrawn = [];
    records.onDidChange((uri) => redrawn.push(uri));
    document = new TableDocument(vscode.Uri.file(file), {
      firstTab: 'table',
      bundles: vscode.Uri.file(path.resolve(__dirname, '../../../dist')),
      cacheFolder: folder,
      fileOf: () =>
        Promise.resolve({ path: file, isMasked: false, release: () => Promise.resolve() }),
      describe: describeError,
      scorecardNames: () => ({}),
      log: () => undefined,
      showError,
      onRecordsChanged: (uri) => {
        records.redraw(uri);
      },
      onCounted: () => undefined,
      onClosed: () => false,
    });
    panel = new FakePanel();
    document.show(panel.asPanel, {
      showRecord: (uri, record) => records.open(uri, record),
      exportShown: () => Promise.resolve(),
    });
    panel.say({ type: 'ready' });
    await until('the table is there', () => panel.heard('init') === 1);
  });
  afterEach(() => {
    document.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows in VS Code why a record cannot be opened', async () => {
    writeFileSync(document.uri.fsPath, '');
    panel.say({ type: 'openRecord', record: 0 });
    await until('a person reads it', () => told('showErrorMessage').length > 0);
    assert.deepEqual(told('showErrorMessage'), [
      'The file changed while it was open. Reload the table to show its current content.',
    ]);
  });

  it('redraws a record when it is opened again, and when its file is read again', async () => {
    panel.say({ type: 'openRecord', record: 1 });
    await until('the record is open', () => recordTabs() === 1);
    assert.deepEqual(redrawn, []);
    panel.say({ type: 'openRecord', record: 1 });
    await until('it is drawn anew', () => redrawn.length === 1);
    panel.say({ type: 'reload' });
    await until('it is drawn anew', () => redrawn.length === 2);
    await until('the table is there', () => panel.heard('init') === 2);
  });

  it('leaves the clipboard alone when a copy was cancelled', async () => {
    await vscode.env.clipboard.writeText('before');
    const abort = new AbortController();
    const ask = () => {
      abort.abort();
      return Promise.resolve({ text: 'after', rows: 1, cut: false });
    };
    const table = { ask, info: {} } as unknown as TableHandle;
    const file = { path: 'own.csv', about: { title: 'own.csv' } };
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

function recordTabs(): number {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ label }) => label === 'own.ndjson 2.json').length;
}

/** The editor of a table without its page. */
class FakePanel {
  private readonly said = new vscode.EventEmitter<unknown>();
  private readonly messages: { type: string }[] = [];

  readonly asPanel = {
    webview: {
      options: {},
      html: '',
      cspSource: '',
      asWebviewUri: (uri: vscode.Uri) => uri,
      onDidReceiveMessage: this.said.event,
      postMessage: (message: { type: string }) => {
        this.messages.push(message);
        return Promise.resolve(true);
      },
    },
    onDidDispose: () => new vscode.Disposable(() => undefined),
    onDidChangeViewState: () => new vscode.Disposable(() => undefined),
  } as unknown as vscode.WebviewPanel;

  say(message: object): void {
    this.said.fire(message);
  }

  /** How many messages of a type have come. */
  heard(type: string): number {
    return this.messages.filter((message) => message.type === type).length;
  }
}

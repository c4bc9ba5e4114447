import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { gzipSync } from 'node:zlib';
import { zipOf } from '../helpers/zip';
import { command, configure, failure, isolate } from './helpers';
import { reportsFolder } from './reportService';
import { server, signIn } from './services';
import { editorsOpened, told } from './window';

const text = 'a,b\n1,2\n';

/** A report of this name and content; it is ready and was not opened. */
async function reportOf(
  name: string,
  bytes: Uint8Array | string,
): Promise<{ id: string; path: string }> {
  await reportsFolder();
  await configure({ 'reports.openWhenReady': false });
  await signIn(
    await server((_, response) => {
      response.writeHead(200, {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `attachment; filename="${name}"`,
        'Content-Length': Buffer.byteLength(bytes),
      });
      response.end(bytes);
    }),
  );
  const record = await command('scorecard.startDetailedReport');
  assert.ok(record?.path !== undefined);
  return { id: record.id, path: record.path };
}

async function open(name: string, bytes: Uint8Array | string) {
  const report = await reportOf(name, bytes);
  await command('scorecard.openReport', { id: report.id });
  return { ...report, document: vscode.window.activeTextEditor?.document };
}

describe('Open Report', () => {
  isolate();

  it('shows text in a read-only editor, and the file stays as it was sent', async () => {
    const { document, path: file } = await open('r.csv', text);
    assert.equal(document?.uri.scheme, 'scorecard-report');
    assert.equal(document.uri.fsPath, file);
    assert.equal(document.getText(), text);
    assert.equal(vscode.workspace.fs.isWritableFileSystem(document.uri.scheme), false);
    await assert.rejects(
      Promise.resolve(vscode.workspace.fs.writeFile(document.uri, Buffer.from('x'))),
    );
    await assert.rejects(Promise.resolve(vscode.workspace.fs.delete(document.uri)));
    assert.equal(await fs.readFile(file, 'utf8'), text);
  });

  it('reads no other file through its documents', async () => {
    const { document, path: file } = await open('r.csv', text);
    const other = path.join(path.dirname(file), 'other.txt');
    await fs.writeFile(other, 'secret');
    for (const hidden of [other, __filename, path.dirname(file)]) {
      const uri = document?.uri.with({ path: vscode.Uri.file(hidden).path });
      assert.ok(uri);
      await assert.rejects(Promise.resolve(vscode.workspace.fs.readFile(uri)), hidden);
    }
  });

  it('lays out JSON of one line, numbers as they are, and leaves its file alone', async () => {
    const json = '{"id":12345678901234567890,"list":[1.10,{}]}';
    const { document, path: file } = await open('r.bin', json);
    assert.equal(document?.languageId, 'json');
    assert.equal(
      document.getText(),
      '{\n  "id": 12345678901234567890,\n  "list": [\n    1.10,\n    {}\n  ]\n}\n',
    );
    assert.equal(await fs.readFile(file, 'utf8'), json);
  });

  it('shows JSON that is laid out, or broken, as it is', async () => {
    for (const json of ['{\n\t"a": [1,\n\t2]}', '{"a":']) {
      assert.equal((await open('r.json', json)).document?.getText(), json);
    }
  });

  it('unpacks gzip, whatever its name, and a ZIP archive of one file', async () => {
    for (const [name, bytes, inner] of [
      ['r.csv.gz', gzipSync(text), 'r.csv'],
      ['r.pdf', gzipSync(text), 'r.pdf'],
      ['r.zip', zipOf([{ name: 'in/inner.csv', data: Buffer.from(text) }]), 'inner.csv'],
    ] as const) {
      const { document, id } = await open(name, bytes);
      assert.equal(document?.getText(), text, name);
      assert.equal(path.basename(document.uri.fsPath), inner);
      const unpacked = document.uri.fsPath;
      await command('scorecard.removeReport', { id });
      await assert.rejects(fs.stat(unpacked), name);
    }
  });

  it('says in the status bar that it is being opened, before VS Code has read it', async () => {
    const { id } = await reportOf('r.csv', text);
    const window = vscode.window as { withProgress: typeof vscode.window.withProgress };
    const original = window.withProgress;
    const shown: [place: unknown, title: string | undefined, editors: number][] = [];
    window.withProgress = (options, task) => {
      shown.push([options.location, options.title, editorsOpened()]);
      return original(options, task);
    };
    try {
      await command('scorecard.openReport', { id });
    } finally {
      window.withProgress = original;
    }
    assert.deepEqual(shown[0]?.[0], vscode.ProgressLocation.Window);
    assert.match(shown[0][1] ?? '', /^Opening "Detailed report: All findings"/);
    assert.equal(shown[0][2], 0);
    assert.equal(editorsOpened(), 1);
  });

  it('says what is damaged, and opens nothing that is meant to do harm', async () => {
    const { id } = await reportOf('r.csv.gz', gzipSync(text).subarray(0, 15));
    await failure(command('scorecard.openReport', { id }), 'download');
    const link = zipOf([{ name: 'r.csv', data: Buffer.from('/etc/passwd'), mode: 0o120777 }]);
    await open('r.zip', link);
    assert.ok(told('showInformationMessage').some((message) => message.includes('link')));
    assert.equal(editorsOpened(), 0);
  });

  it('leaves to the system what no editor shows', async () => {
    for (const [name, bytes] of [
      ['r.csv', Buffer.from([1, 0, 2])],
      ['r.zip', zipOf([{ name: 'a.csv' }, { name: 'b.csv' }])],
      ['r.csv', Buffer.from('%PDF-1.7\n')],
    ] as const) {
      await open(name, bytes);
      assert.equal(editorsOpened(), 0, name);
    }
  });
});

import * as assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../../../src/base/cancelledError';
import { localProcesses } from '../../../../src/files/processes';
import { TempCopies } from '../../../../src/files/tempCopies';
import type { TableHandle } from '../../../../src/engine';
import type { FileStates, WrittenSides } from '../../../../src/viewer/table/fileStates';
import type { LocalFiles } from '../../../../src/viewer/table/ui/localFiles';
import { UserFiles } from '../../../../src/viewer/table/ui/userFiles';
import { userFiles } from './userFiles';
import { zipOf } from '../../../helpers/zip';

describe('The file of a Report Table', () => {
  let folder: string;
  let tempCopies: TempCopies;
  let files: LocalFiles;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'tables-'));
    tempCopies = new TempCopies(path.join(folder, 'unpacked'), localProcesses);
    files = userFiles(folder, tempCopies);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('The file of a Report Table is not unpacked any more after the table is closed', async () => {
    const archive = path.join(folder, 'own.zip');
    writeFileSync(archive, zipOf([{ name: 'own.csv', data: Buffer.from('a,b\n1,2\n') }]));
    const abort = new AbortController();
    const file = await files.open(vscode.Uri.file(archive), abort.signal);
    assert.ok(existsSync(file.path));
    await file.release();
    abort.abort();
    await assert.rejects(files.open(vscode.Uri.file(archive), abort.signal), CancelledError);
    assert.deepEqual(readdirSync(tempCopies.ownFolder), []);
  });

  it('The file of a Report Table that cannot be copied is not spoken of as a report', async () => {
    const archive = path.join(folder, 'own.zip');
    writeFileSync(archive, zipOf([{ name: 'own.csv', data: Buffer.from('a,b\n1,2\n') }]));
    const { uri } = await vscode.workspace.openTextDocument({ content: 'a,b\n1,2\n' });
    // A folder that another program has removed.
    tempCopies.make = () => Promise.resolve(path.join(folder, 'gone', 'own'));
    for (const each of [vscode.Uri.file(archive), uri]) {
      await assert.rejects(files.open(each, new AbortController().signal), {
        name: 'UserError',
        code: 'download',
        message:
          'No copy of the file could be made to read it: The folder does not exist or is not writable (ENOENT). Free up space on this disk, then try again.',
      });
    }
  });

  it('The file of a Report Table is unpacked with progress when it is large, and not at all when that is cancelled', async () => {
    const archive = path.join(folder, 'own.zip');
    writeFileSync(archive, zipOf([{ name: 'own.csv', data: randomBytes(6_000_000) }]));
    const window = vscode.window as { withProgress: unknown };
    const original = window.withProgress;
    const { setInterval } = globalThis;
    const cancel = new vscode.CancellationTokenSource();
    const shown: vscode.ProgressOptions[] = [];
    const reports: { increment?: number; message?: string }[] = [];
    let cancelsAt = Infinity;
    window.withProgress = (
      options: vscode.ProgressOptions,
      task: (view: object, token: vscode.CancellationToken) => Promise<string>,
    ) => {
      shown.push(options);
      const report = (each: { increment?: number; message?: string }) => {
        if (reports.push(each) >= cancelsAt) {
          cancel.cancel();
        }
      };
      return task({ report }, cancel.token);
    };
    // So little is unpacked before the notification is updated.
    globalThis.setInterval = ((work: () => void) => setInterval(work, 1)) as typeof setInterval;
    try {
      const file = await files.open(vscode.Uri.file(archive), new AbortController().signal);
      await file.release();
      const { location, title, cancellable } = shown[0] ?? {};
      assert.deepEqual(
        [location, title, cancellable],
        [vscode.ProgressLocation.Notification, 'Unpacking "own.zip"', true],
      );
      const done = reports.reduce((sum, { increment = 0 }) => sum + increment, 0);
      assert.ok(done > 0 && done <= 100, String(done));
      assert.match(reports.at(-1)?.message ?? '', /^\d+ %$/);
      cancelsAt = reports.length + 2;
      const cancelled = files.open(vscode.Uri.file(archive), new AbortController().signal);
      await assert.rejects(cancelled, CancelledError);
      assert.ok(reports.length >= cancelsAt);
      assert.deepEqual(readdirSync(tempCopies.ownFolder), []);
    } finally {
      window.withProgress = original;
      globalThis.setInterval = setInterval;
    }
  });

  it('The file of a Report Table whose changes are asked for twice at once is compared once', async () => {
    const compared: string[] = [];
    let writes = 0;
    let written: (sides: WrittenSides) => void = () => undefined;
    const writeSides = () => {
      writes += 1;
      return new Promise<WrittenSides>((resolve) => {
        written = resolve;
      });
    };
    const compareFiles = ({ title }: { readonly title: string }) => {
      compared.push(title);
      return Promise.resolve();
    };
    const states = { writeSides } as Partial<FileStates> as FileStates;
    const source = new UserFiles(states, compareFiles);
    const uri = vscode.Uri.file(path.join(folder, 'scan.csv'));
    const table = { info: {} } as TableHandle;
    const sides = {
      before: '',
      after: '',
      at: [1, 2],
      known: { new: 0, gone: 0 },
      withoutTexts: 0,
    } as const;
    const shown = [source.showChanges(uri, table), source.showChanges(uri, table)];
    await new Promise(setImmediate);
    written(sides);
    await Promise.all(shown);
    assert.deepEqual([writes, compared], [1, ['scan.csv']]);
    const again = source.showChanges(uri, table);
    await new Promise(setImmediate);
    written(sides);
    await again;
    assert.deepEqual([writes, compared], [2, ['scan.csv', 'scan.csv']]);
  });
});

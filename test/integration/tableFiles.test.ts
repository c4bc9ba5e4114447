import * as assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../src/api/errors';
import { HumanError } from '../../src/common/humanError';
import { localProcesses } from '../../src/common/processes';
import { Exporter } from '../../src/model/export/exporter';
import { FindingsTables } from '../../src/model/findingsTables';
import { UnpackedReports } from '../../src/model/reports/unpackedReports';
import { TableCopies } from '../../src/model/tableCopies';
import { TableFiles } from '../../src/ui/table/tableFiles';
import { zipOf } from '../helpers/zip';

describe('The file of a Report Table', () => {
  let folder: string;
  let copies: TableCopies;
  let files: TableFiles;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'tables-'));
    copies = new TableCopies(path.join(folder, 'unpacked'), localProcesses);
    files = new TableFiles({
      copies,
      store: { list: () => [], load: () => Promise.resolve() },
      unpacked: new UnpackedReports({ folderOf: (id) => path.join(folder, id) }),
      findingsTables: new FindingsTables(path.join(folder, 'findings'), new Exporter(), Date.now),
    });
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('is unpacked no further when the table is closed', async () => {
    const archive = path.join(folder, 'own.zip');
    writeFileSync(archive, zipOf([{ name: 'own.csv', data: Buffer.from('a,b\n1,2\n') }]));
    const abort = new AbortController();
    const file = await files.of(vscode.Uri.file(archive), abort.signal);
    assert.ok(existsSync(file.path));
    await file.release();
    abort.abort();
    await assert.rejects(files.of(vscode.Uri.file(archive), abort.signal), CancelledError);
    assert.deepEqual(readdirSync(copies.own), []);
  });

  it('is made anew, not put back, where findings are not kept any more', async () => {
    const gone = path.join(folder, 'findings', 'a', 'own.ndjson');
    await assert.rejects(
      files.of(vscode.Uri.file(gone), new AbortController().signal),
      (error) => error instanceof HumanError && error.message.includes('as a table again'),
    );
  });
});

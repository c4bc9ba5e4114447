import * as assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { silentLogger } from '../../../src/base/logger';
import { UserError } from '../../../src/base/userError';
import { FindingsFiles } from '../../../src/links/findingsFiles';
import { FindingsSource } from '../../../src/links/findingsSource';
import { Exporter } from '../../../src/service/export/exporter';
import { until } from '../until';

describe('The findings of a list as the file of a table', () => {
  let folder: string;
  let files: FindingsFiles;
  let source: FindingsSource;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'tables-'));
    files = new FindingsFiles(path.join(folder, 'findings'), new Exporter(), Date.now);
    source = new FindingsSource(files, silentLogger);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('The findings of a list as the file of a table cannot be restored after its findings were deleted, and the error says what to do', async () => {
    const gone = vscode.Uri.file(path.join(folder, 'findings', 'a', 'own.ndjson'));
    assert.ok(source.owns(gone));
    await assert.rejects(
      source.open(gone),
      (error) => error instanceof UserError && error.message.includes('as a table again'),
    );
  });

  it('The findings of a list as the file of a table is masked already, and deleted with its editor', async () => {
    const file = await files.createFromEntries('own', [{ id: 1 }]);
    const uri = vscode.Uri.file(file);
    const { path: opened, isMasked } = await source.open(uri);
    assert.deepEqual([opened, isMasked], [uri.fsPath, true]);
    source.closed(uri);
    await until('it is deleted', () => !existsSync(file));
  });
});

import * as assert from 'node:assert/strict';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../../../src/base/events/clock';
import { localDisk } from '../../../../src/files/disk';
import { localProcesses } from '../../../../src/files/processes';
import { KnownIssues } from '../../../../src/known/knownIssues';
import { KnownFiles } from '../../../../src/viewer/table/ui/knownFiles';
import { isolate } from '../../helpers';
import { answer, pickLabel, takeQuestions } from '../../window';

describe('Where known issues are kept', () => {
  isolate();
  let folder: string;
  let inWorkspace: string;
  let files: KnownFiles;
  let known: KnownIssues;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'known-'));
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    inWorkspace = path.join(workspace.uri.fsPath, 'kept-here.sarif');
    const kept = new Map<string, unknown>();
    const state = {
      get: (key: string) => kept.get(key),
      update: (key: string, value: unknown) => {
        kept.set(key, value);
        return Promise.resolve();
      },
    } as Partial<vscode.Memento> as vscode.Memento;
    files = new KnownFiles(state, folder, () => known);
    known = new KnownIssues({
      disk: localDisk,
      clock: systemClock,
      processes: localProcesses,
      lockFolder: path.join(folder, 'locks'),
      file: () => files.file,
    });
  });
  afterEach(() => {
    known.dispose();
    files.dispose();
    rmSync(folder, { recursive: true, force: true });
    rmSync(inWorkspace, { force: true });
  });

  const idsOf = async () => (await known.read()).decisions.map(({ id }) => id);
  const questions = () =>
    takeQuestions().flatMap(({ name, args }) => (name === 'showWarningMessage' ? [args[0]] : []));

  async function keep(label: string, copy: 'Copy' | 'Do Not Copy' | undefined) {
    pickLabel(label);
    answer('showSaveDialog', vscode.Uri.file(inWorkspace));
    answer('showWarningMessage', copy);
    return files.choose();
  }

  it('Where known issues are kept stays as it is when the user cancels the question what is copied', async () => {
    await known.mark([{ id: 'F-1', reason: 'notOurs' }]);
    const own = files.file;
    assert.equal(await keep('A File of the Workspace\u2026', undefined), undefined);
    assert.equal(files.file, own);
    assert.ok(!existsSync(inWorkspace));
    assert.deepEqual(questions(), ['Copy 1 known issue into kept-here.sarif?']);
  });

  it('Where known issues are kept is another file with or without those so far, which are offered again', async () => {
    await known.mark([
      { id: 'F-1', reason: 'notOurs' },
      { id: 'F-2', reason: 'fixed' },
    ]);
    const chosen = await keep('A File of the Workspace\u2026', 'Do Not Copy');
    assert.deepEqual(chosen, { file: inWorkspace });
    assert.deepEqual(await idsOf(), []);
    await known.mark([{ id: 'F-2', reason: 'acceptedRisk' }]);
    // The user's own file has a decision about the same finding.
    await keep('My Own File', 'Copy');
    assert.deepEqual(await idsOf(), ['F-1', 'F-2']);
    await keep('A File of the Workspace\u2026', 'Copy');
    const { decisions } = await known.read();
    assert.deepEqual(
      decisions.map(({ id, reason }) => `${id} ${reason}`),
      ['F-1 notOurs', 'F-2 acceptedRisk'],
    );
    assert.deepEqual(questions(), [
      'Copy 2 known issues into kept-here.sarif?',
      'Copy 1 known issue into kept-here.sarif?',
    ]);
    // A file of another name is offered by it.
    const team = path.join(path.dirname(inWorkspace), 'team-known.sarif');
    renameSync(inWorkspace, team);
    try {
      assert.deepEqual(await keep('team-known.sarif', 'Do Not Copy'), { file: team });
    } finally {
      renameSync(team, inWorkspace);
      await keep('A File of the Workspace\u2026', 'Do Not Copy');
      takeQuestions();
    }
    // The file of now is chosen without a question.
    await keep('A File of the Workspace\u2026', undefined);
    assert.deepEqual(questions(), []);
  });
});

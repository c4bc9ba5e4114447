import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { command, configure, failure, isolate, settingsWritten } from '../helpers';
import { until } from '../until';
import { halvorsen, pageServer, pemberlane, signIn } from '../services';

const list = { scorecardId: halvorsen, issueType: 'open_port' };
const entry = { id: halvorsen, name: 'H', issueTypes: ['open_port'], note: 'by hand' };

async function edit(text: string): Promise<vscode.TextDocument> {
  await command('scorecard.editRequestBody', list);
  const editor = vscode.window.activeTextEditor;
  assert.ok(editor);
  const { document } = editor;
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  assert.ok(
    await editor.edit((change) => {
      change.replace(all, text);
    }),
  );
  return document;
}

describe('Edit Server Filter (JSON)', () => {
  isolate({ noAddress: true });

  it('saves the body to the settings, and keeps everything else in them', async () => {
    await configure({ scorecards: ['text', entry, { id: 'example.com' }] });
    const service = await pageServer(3);
    await signIn(service);
    await command('scorecard.loadMore', list);
    const document = await edit('{\n "params": { "a": 1 } }');
    assert.equal(document.isDirty, true);
    assert.equal(await document.save(), true);
    const bodies = { open_port: { params: { a: 1 } } };
    await until('it is in the settings', () =>
      JSON.stringify(settingsWritten().scorecards).includes('"params"'),
    );
    assert.deepEqual(settingsWritten().scorecards, [
      'text',
      { ...entry, bodies },
      { id: 'example.com' },
    ]);
    assert.equal(document.getText(), '{\n "params": { "a": 1 } }', 'as it was laid out');
    // Another query: the list starts over.
    assert.equal((await command('scorecard.loadMore', list)).loaded, 3);
    assert.deepEqual(JSON.parse(service.requests.at(-1)?.body ?? ''), bodies.open_port);

    await command('scorecard.clearRequestBody', list);
    await until('it is gone', () => !JSON.stringify(settingsWritten()).includes('params'));
    assert.deepEqual(settingsWritten().scorecards, ['text', entry, { id: 'example.com' }]);
    await until('the document follows', () => document.getText() === '{\n  \n}\n');
  });

  it('saves nothing that is not a JSON object', async () => {
    await configure({ scorecards: [entry] });
    for (const text of ['{', '[1]', '"text"', 'null']) {
      const document = await edit(text);
      await assert.rejects(
        Promise.resolve(
          vscode.workspace.fs.writeFile(document.uri, new TextEncoder().encode(text)),
        ),
        /JSON/,
      );
      assert.deepEqual(settingsWritten().scorecards, [entry], text);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  it('marks invalid JSON while the user types', async () => {
    await configure({ scorecards: [entry] });
    const document = await edit('{ "a": }');
    const problems = () => vscode.languages.getDiagnostics(document.uri);
    await until('a syntax error is marked', () => problems().length > 0, 15_000);
    const editor = vscode.window.activeTextEditor;
    await editor?.edit((change) => {
      change.replace(new vscode.Range(0, 0, 9, 0), '[1]');
    });
    await until(
      'a list is marked',
      () => problems().some(({ message }) => message.includes('object')),
      15_000,
    );
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('sets the body for a program without an editor', async () => {
    await configure({ scorecards: [entry] });
    await command('scorecard.editRequestBody', { ...list, body: { a: 1 } });
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), undefined);
    assert.deepEqual(settingsWritten().scorecards, [{ ...entry, bodies: { open_port: { a: 1 } } }]);
    await failure(command('scorecard.editRequestBody', { ...list, body: [] }), 'badRequest');
    await failure(
      command('scorecard.editRequestBody', { ...list, scorecardId: pemberlane }),
      'notFound',
    );
  });

  it('keeps the body in the window during the demo, and writes no setting', async () => {
    await command('scorecard.useDemo');
    const { total: before = 0 } = await command('scorecard.loadMore', list);
    const document = await edit('{ "group_status": "resolved" }');
    assert.equal(document.uri.authority, 'demo');
    assert.equal(await document.save(), true);
    assert.deepEqual(settingsWritten(), {});
    const { total: after = 0 } = await command('scorecard.loadMore', list);
    assert.ok(after > 0 && after < before, `${after} of ${before}`);
  });
});

import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { command, configure, failure, isolate, settingsWritten } from '../../helpers';
import { halvorsen, pageServer, pemberlane, signIn } from '../../services';
import { answer, takeQuestions } from '../../window';

const list = { scorecardId: halvorsen, issueType: 'open_port' };
const entry = { id: halvorsen, name: 'H', issueTypes: ['open_port'], note: 'by hand' };

/** Runs the command as a user who types a text. @returns what the input box had before. */
async function edit(text: string | undefined): Promise<vscode.InputBoxOptions> {
  answer('showInputBox', text);
  await vscode.commands.executeCommand('scorecard.editRequestBody');
  const [asked] = takeQuestions();
  assert.equal(asked?.name, 'showInputBox');
  return asked.args[0] as vscode.InputBoxOptions;
}

describe('Edit Server Filter (JSON)', () => {
  isolate({ noAddress: true });

  it('Edit Server Filter (JSON) saves the body to the settings, and keeps everything else in them', async () => {
    await configure({ scorecards: ['text', entry, { id: 'example.com' }] });
    const service = await pageServer(3);
    await signIn(service);
    await command('scorecard.loadMore', list);
    assert.equal((await edit('{ "params": { "a": 1 } }')).value, '');
    const bodies = { open_port: { params: { a: 1 } } };
    assert.deepEqual(settingsWritten().scorecards, [
      'text',
      { ...entry, bodies },
      { id: 'example.com' },
    ]);
    // Another query: the list starts over.
    assert.equal((await command('scorecard.loadMore', list)).loaded, 3);
    assert.deepEqual(JSON.parse(service.requests.at(-1)?.body ?? ''), bodies.open_port);

    assert.equal((await edit(undefined)).value, '{"params":{"a":1}}');
    assert.deepEqual(settingsWritten().scorecards, [
      'text',
      { ...entry, bodies },
      { id: 'example.com' },
    ]);
    await command('scorecard.clearRequestBody', list);
    assert.deepEqual(settingsWritten().scorecards, ['text', entry, { id: 'example.com' }]);
  });

  it('Edit Server Filter (JSON) accepts nothing that is not a JSON object', async () => {
    await configure({ scorecards: [entry] });
    const box = await edit(undefined);
    for (const text of ['{', '[1]', '"text"', 'null', '{ "a": }']) {
      assert.match(JSON.stringify(await box.validateInput?.(text)), /JSON object/, text);
    }
    for (const text of ['', ' {} ', '{ "a": [1] }']) {
      assert.equal(await box.validateInput?.(text), undefined, text);
    }
    assert.deepEqual(settingsWritten().scorecards, [entry]);
  });

  it('Edit Server Filter (JSON) sets the body for a program without a question', async () => {
    await configure({ scorecards: [entry] });
    await command('scorecard.editRequestBody', { ...list, body: { a: 1 } });
    assert.deepEqual(settingsWritten().scorecards, [{ ...entry, bodies: { open_port: { a: 1 } } }]);
    await failure(command('scorecard.editRequestBody', { ...list, body: [] }), 'badRequest');
    await failure(
      command('scorecard.editRequestBody', { ...list, scorecardId: pemberlane }),
      'notFound',
    );
  });

  it('Edit Server Filter (JSON) keeps the body in the window during the demo, and writes no setting', async () => {
    await command('scorecard.useDemo');
    const { total: before = 0 } = await command('scorecard.loadMore', list);
    await command('scorecard.editRequestBody', { ...list, body: { group_status: 'resolved' } });
    assert.deepEqual(settingsWritten(), {});
    const { total: after = 0 } = await command('scorecard.loadMore', list);
    assert.ok(after > 0 && after < before, `${after} of ${before}`);
  });
});

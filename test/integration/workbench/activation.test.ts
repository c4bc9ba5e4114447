import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds } from '../../../src/contributions';
import { sendText } from '../../helpers/testServer';
import { command, configure, countCommands, isolate, isSignedIn, until } from '../helpers';
import { halvorsen, server, signIn } from '../services';

const extensionId = 'scorecard-tools.scorecard-explorer';

describe('Activation', () => {
  it('happens after start-up, without anybody asking for it', async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension, `${extensionId} is not among the extensions of this window`);
    await until('the extension is active', () => extension.isActive);
    assert.equal(
      countCommands(),
      0,
      'This file has to be the first: a command wakes the extension.',
    );
  });

  it('registers every command of the manifest and no other', async () => {
    const registered = await vscode.commands.getCommands(true);
    // The commands `scorecard.findings.focus` and the like come with the views.
    const own = registered.filter((id) => /^scorecard\.[A-Za-z]+$/.test(id));
    assert.deepEqual(own.sort(), [...commandIds].sort());
  });
});

describe('A session that is found in settings and secrets', () => {
  isolate();

  it('is shown again without one request', async () => {
    const service = await server((_, response) => {
      sendText(response, 500);
    });
    const scorecards = [{ id: halvorsen, name: 'Halvorsen', issueTypes: ['open_port'] }];
    await signIn(service);
    await configure({ scorecards, baseUrl: '' });
    await until('nobody is signed in', async () => !(await isSignedIn()));
    await configure({ baseUrl: service.baseUrl });
    await until('the account is back', isSignedIn);
    assert.equal((await command('scorecard.showRequestBudget')).used, 0);
    assert.deepEqual(service.requests, []);
  });
});

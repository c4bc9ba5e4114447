import * as assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { commandIds } from '../../../src/commands';
import { storedReport } from '../../helpers/storedReport';
import { sendText } from '../../helpers/testServer';
import { command, configure, countCommands, failure, isolate, isSignedIn } from '../helpers';
import { until } from '../until';
import { type OwnExtension, startExtension } from '../ownExtension';
import { closeServices, halvorsen, server, signIn } from '../services';

const extensionId = 'scorecard-tools.scorecard-explorer';

describe('Activation', () => {
  it('Activation happens after startup, without a command', async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension, `${extensionId} is not among the extensions of this window`);
    await until('the extension is active', () => extension.isActive);
    assert.equal(
      countCommands(),
      0,
      'This file has to be the first: a command wakes the extension.',
    );
  });

  it('Activation registers every command of the manifest and no other', async () => {
    const registered = await vscode.commands.getCommands(true);
    // The commands `scorecard.findings.focus` and the like come with the views.
    const own = registered.filter((id) => /^scorecard\.[A-Za-z]+$/.test(id));
    assert.deepEqual(own.sort(), [...commandIds].sort());
  });
});

describe('The features', () => {
  isolate();

  const isRegistered = ({ contexts }: OwnExtension) =>
    contexts.some((context) => context.startsWith('scorecard.fullReportScope='));
  const isStateKnown = ({ contexts }: OwnExtension) =>
    contexts.includes('scorecard.state=signedOut');

  it('The features are loaded when the rows of a view are requested, and not before', async () => {
    const own = await startExtension();
    await until('the session is known', () => isStateKnown(own));
    assert.ok(!isRegistered(own));
    assert.deepEqual(await own.view('findings').rows(), []);
    assert.ok(isRegistered(own));
  });

  it('The features are loaded when a command is called', async () => {
    const own = await startExtension();
    await until('the session is known', () => isStateKnown(own));
    assert.deepEqual(await command('scorecard.listReports'), []);
    assert.ok(isRegistered(own));
  });

  it('The features are loaded when a report exists', async () => {
    const own = await startExtension((storage) => {
      const report = storedReport({ state: 'cancelled', finishedAt: '2026-01-31T09:00:00.000Z' });
      const folder = path.join(storage, 'reports', report.id);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'report.json'), JSON.stringify(report));
    });
    await until('the menus know of it', () =>
      own.contexts.includes('scorecard.hasFailedReport=true'),
    );
  });
});

describe('Features that cannot be loaded', () => {
  // Not isolated: that calls commands of ours.
  afterEach(closeServices);

  it('Features that cannot be loaded are reported where they are used, with the advice to reload the window', async () => {
    const own = await startExtension();
    const { onDidChangeConfiguration } = vscode.workspace;
    const missing = () => {
      throw new Error("Cannot find module './part-features.js'");
    };
    Object.assign(vscode.workspace, { onDidChangeConfiguration: missing });
    try {
      const { message } = await failure(command('scorecard.listReports'), 'protocol');
      assert.match(message, /^Scorecard Explorer could not be loaded\. Reload the window\./);
      await assert.rejects(own.view('findings').rows(), { message });
    } finally {
      Object.assign(vscode.workspace, { onDidChangeConfiguration });
    }
  });
});

describe('A signed-out window', () => {
  isolate({ noAddress: true });

  it('A signed-out window notices when the base address in the settings becomes valid or invalid', async () => {
    await configure({ baseUrl: 'no address' });
    const { contexts } = await startExtension();
    const becomes = (state: string) =>
      until(state, () => contexts.at(-1) === `scorecard.state=${state}`);
    await becomes('badBaseUrl');
    await configure({ baseUrl: '' });
    await becomes('signedOut');
    await configure({ baseUrl: 'http://service.example' });
    await becomes('badBaseUrl');
  });
});

describe('A session from settings and secrets', () => {
  isolate();

  it('A session from settings and secrets is restored without a request', async () => {
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

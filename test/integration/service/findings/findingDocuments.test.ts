import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { FindingDocuments } from '../../../../src/service/findings/ui/findingDocuments';
import { localizedNames } from '../../../../src/workbench/webviewPage';
import { command, configure, failure, isolate } from '../../helpers';
import { halvorsen, served, signedInDemo, type List } from '../../services';

const openPorts: List = { scorecardId: halvorsen, issueType: 'open_port' };
const credentials: List = { scorecardId: halvorsen, issueType: 'compromised_credentials_found' };

const hostile = /\(command:|<script|onerror|\\u001b|=cmd|\u202e|HYPERLINK|constructor/;
const unprintable = /[\p{Cc}\p{Cf}]/u;

async function openDocument(list: List, number: number): Promise<vscode.TextDocument> {
  assert.equal(await command('scorecard.openFinding', { ...list, number, as: 'json' }), undefined);
  const document = vscode.window.activeTextEditor?.document;
  assert.ok(document, 'No editor is active.');
  assert.equal(document.uri.scheme, 'scorecard-finding');
  return document;
}

describe('Open Finding', () => {
  isolate();

  it('Open Finding shows a loaded finding as JSON without a request', async () => {
    const service = await signedInDemo();
    await command('scorecard.loadMore', openPorts);
    const document = await openDocument(openPorts, 42);
    assert.equal(service.requests.length, 1);
    assert.equal(document.languageId, 'json');
    const [finding] = await served(service, openPorts, 42);
    assert.deepEqual(JSON.parse(document.getText()), finding);
    // One member a line.
    assert.ok(document.lineCount > Object.keys(finding ?? {}).length);
  });

  it('Open Finding keeps what is on screen when the user signs out before the next finding is revealed', async () => {
    await signedInDemo();
    const shown = await openDocument(openPorts, 1);
    const started = Promise.resolve();
    const signedOut = {
      signedIn: undefined,
      requireSignedIn: () => assert.fail('It asks for it.'),
    };
    const documents = new FindingDocuments(
      {} as never,
      localizedNames(),
      signedOut as never,
      started,
    );
    await documents.follow(openPorts as never, { number: 2, key: 'k', entry: {} });
    assert.equal(vscode.window.activeTextEditor?.document, shown);
  });

  it('Open Finding opens a read-only document', async () => {
    await signedInDemo();
    const writable = await vscode.workspace.openTextDocument({ content: 'a' });
    await vscode.window.showTextDocument(writable);
    await vscode.commands.executeCommand('type', { text: 'x' });
    assert.equal(writable.getText(), 'xa', 'Typing should work where it is allowed.');
    const document = await openDocument(openPorts, 1);
    const before = document.getText();
    await vscode.commands.executeCommand('type', { text: 'x' });
    assert.equal(document.getText(), before);
    assert.equal(document.isDirty, false);
    await vscode.window.showTextDocument(writable);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('Open Finding fetches a finding that is not loaded with one request', async () => {
    const service = await signedInDemo();
    const document = await openDocument(openPorts, 41_237);
    assert.deepEqual(
      service.requests.map(({ query }) => query.toString()),
      ['offset=41200&limit=100'],
    );
    assert.deepEqual([JSON.parse(document.getText())], await served(service, openPorts, 41_237));
  });

  it('Open Finding masks secret values in the text and the URI', async () => {
    const service = await signedInDemo();
    const [finding = {}] = await served(service, credentials, 3);
    const document = await openDocument(credentials, 3);
    const shown = JSON.parse(document.getText()) as Record<string, unknown>;
    const secrets = ['password', 'user_name'];
    for (const name of secrets) {
      const secret = finding[name];
      assert.ok(typeof secret === 'string' && secret.length > 3, name);
      assert.match(String(shown[name]), /^\u2022+$/);
      assert.ok(!document.getText().includes(secret), name);
      assert.ok(!document.uri.toString(true).includes(secret), name);
    }
    const others = ([name]: [string, unknown]) => !secrets.includes(name);
    assert.deepEqual(Object.entries(shown).filter(others), Object.entries(finding).filter(others));
  });

  it('Open Finding shows hostile text as plain JSON', async () => {
    const service = await signedInDemo();
    await configure({ pageSize: 500 });
    await command('scorecard.loadMore', openPorts);
    const met = new Set<string>();
    for (const [index, finding] of (await served(service, openPorts, 1, 500)).entries()) {
      const kind = hostile.exec(JSON.stringify(finding))?.[0];
      if (kind === undefined || met.has(kind)) {
        continue;
      }
      met.add(kind);
      const document = await openDocument(openPorts, index + 1);
      assert.equal(document.languageId, 'json');
      assert.deepEqual(JSON.parse(document.getText()), finding);
      assert.doesNotMatch(document.uri.path, unprintable);
    }
    assert.ok(met.size >= 4, `Only these were met: ${[...met].join(', ')}`);
  });

  it('Open Finding rejects with notFound for a number past the end', async () => {
    await signedInDemo();
    const missing = { scorecardId: halvorsen, issueType: 'tls_weak_cipher', number: 102 };
    const refused = await failure(command('scorecard.openFinding', missing), 'notFound');
    assert.match(refused.message, /102/);
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it('Open Finding refuses an invalid finding number', async () => {
    const service = await signedInDemo();
    for (const number of [0, -1, 1.5, '1', Number.NaN, null]) {
      await failure(command('scorecard.openFinding', { ...openPorts, number }), 'badRequest');
    }
    assert.equal(service.requests.length, 0);
  });
});

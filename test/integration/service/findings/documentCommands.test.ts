import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { CommandId } from '../../../../src/commands';
import { command, failure, isolate, settingsWritten } from '../../helpers';
import { until } from '../../until';
import { served } from '../../services';
import { answer, takeQuestions, told } from '../../window';
import { credentials, demoWithTwoLists, openPorts } from './twoLists';

const user = (id: CommandId) => vscode.commands.executeCommand(id);

function active(): vscode.TextDocument {
  const document = vscode.window.activeTextEditor?.document;
  assert.ok(document, 'No editor is active.');
  return document;
}

const shown = () => JSON.parse(active().getText()) as Record<string, unknown>;

describe('Next and Previous Finding', () => {
  isolate({ settings: { openFindingsAs: 'json' } });

  it('Next and Previous Finding move past the loaded findings, in one tab', async () => {
    const service = await demoWithTwoLists();
    await command('scorecard.loadMore', openPorts);
    await command('scorecard.openFinding', { ...openPorts, number: 100 });
    const next = await command('scorecard.nextFinding');
    assert.deepEqual(shown(), next);
    const before = await command('scorecard.previousFinding');
    assert.deepEqual(shown(), before);
    assert.deepEqual(
      service.requests.map(({ query }) => query.toString()),
      ['offset=0&limit=100', 'offset=100&limit=100'],
    );
    assert.deepEqual([before, next], await served(service, openPorts, 100, 2));
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    assert.equal(tabs.length, 1);
  });

  it('Next and Previous Finding work without loaded findings', async () => {
    const service = await demoWithTwoLists();
    await command('scorecard.openFinding', { ...openPorts, number: 41_236 });
    const [last] = await served(service, openPorts, 41_237);
    assert.deepEqual(await command('scorecard.nextFinding'), last);
    assert.equal(await command('scorecard.nextFinding'), undefined);
    assert.deepEqual(shown(), last);
  });

  it('Next and Previous Finding load the findings in a gap of the list', async () => {
    const service = await demoWithTwoLists();
    await command('scorecard.loadMore', openPorts);
    await command('scorecard.goToFinding', { ...openPorts, number: 5_001 });
    await command('scorecard.openFinding', { ...openPorts, number: 100 });
    const [behind] = await served(service, openPorts, 101);
    assert.deepEqual(await command('scorecard.nextFinding'), behind);
    await command('scorecard.openFinding', { ...openPorts, number: 5_001 });
    const [before] = await served(service, openPorts, 5_000);
    assert.deepEqual(await command('scorecard.previousFinding'), before);
    assert.deepEqual(shown(), before);
  });

  it('Next and Previous Finding tell a user once that the list ends, and resolve to undefined for a program', async () => {
    await demoWithTwoLists();
    await command('scorecard.openFinding', { ...openPorts, number: 1 });
    assert.equal(await command('scorecard.previousFinding'), undefined);
    const ends = () => told('showInformationMessage').filter((text) => text.includes('list'));
    assert.deepEqual(ends(), []);
    for (let press = 0; press < 3; press += 1) {
      assert.equal(await user('scorecard.previousFinding'), undefined);
    }
    assert.deepEqual(ends(), ['This is the first finding of the list.']);
  });

  it('Next and Previous Finding reject with badRequest when no finding is open', async () => {
    await demoWithTwoLists();
    await failure(command('scorecard.nextFinding'), 'badRequest');
    await failure(command('scorecard.showSecretValues'), 'badRequest');
  });
});

describe('A restored document of a finding', () => {
  isolate({ settings: { openFindingsAs: 'json' } });

  it('A restored document of a finding does not show another finding that has moved to its number', async () => {
    const service = await demoWithTwoLists();
    const [finding = {}] = await served(service, openPorts, 3);
    await command('scorecard.openFinding', { ...openPorts, number: 3 });
    const { uri } = active();
    const keyed = (key: unknown) =>
      uri.with({ query: JSON.stringify({ ...(JSON.parse(uri.query) as object), key }) });
    const same = await vscode.workspace.openTextDocument(keyed(finding.issue_id));
    assert.deepEqual(JSON.parse(same.getText()), finding);
    await assert.rejects(
      Promise.resolve(vscode.workspace.openTextDocument(keyed('moved'))),
      /The list has changed/,
    );
  });
});

describe('Show Secret Values', () => {
  isolate({ settings: { openFindingsAs: 'json' } });

  it('Show Secret Values shows the values of one document until they are hidden', async () => {
    const service = await demoWithTwoLists();
    const [finding = {}] = await served(service, credentials, 3);
    await command('scorecard.openFinding', { ...credentials, number: 3 });
    const requests = service.requests.length;
    assert.match(String(shown().password), /^\u2022+$/);
    await command('scorecard.showSecretValues');
    await until('the password is shown', () => shown().password === finding.password);
    assert.deepEqual(shown(), finding);
    assert.ok(!active().uri.toString(true).includes(String(finding.password)));
    await command('scorecard.openFinding', { ...credentials, number: 4 });
    assert.match(String(shown().password), /^\u2022+$/, 'another document');
    await command('scorecard.openFinding', { ...credentials, number: 3 });
    await command('scorecard.hideSecretValues');
    await until('it is masked', () => /^\u2022+$/.test(String(shown().password)));
    assert.ok(service.requests.length <= requests + 2);
    assert.deepEqual(Object.keys(settingsWritten()).sort(), [
      'baseUrl',
      'openFindingsAs',
      'scorecards',
    ]);
  });

  it('Show Secret Values ends when the tab is closed', async () => {
    const service = await demoWithTwoLists();
    await command('scorecard.loadMore', credentials);
    const [finding = {}] = await served(service, credentials, 3);
    await command('scorecard.openFinding', { ...credentials, number: 3 });
    const { uri } = active();
    await command('scorecard.showSecretValues');
    await until('the password is shown', () => shown().password === finding.password);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until('no document tells it', () =>
      vscode.workspace.textDocuments.every(
        (document) => !document.getText().includes(String(finding.password)),
      ),
    );
    await vscode.window.showTextDocument(uri);
    assert.match(String(shown().password), /^\u2022+$/);
  });

  it('Show Secret Values ends on Sign Out', async () => {
    const service = await demoWithTwoLists();
    const [finding = {}] = await served(service, credentials, 3);
    await command('scorecard.openFinding', { ...credentials, number: 3 });
    await command('scorecard.showSecretValues');
    await until('the password is shown', () => shown().password === finding.password);
    await command('scorecard.signOut');
    await until('it is masked', () => /^\u2022+$/.test(String(shown().password)));
    await failure(command('scorecard.showSecretValues'), 'config');
  });
});

describe('Copying findings', () => {
  isolate({ settings: { openFindingsAs: 'json' } });

  it('Copying findings puts the id, a field, JSON or Markdown on the clipboard', async () => {
    const service = await demoWithTwoLists();
    const [finding = {}] = await served(service, openPorts, 2);
    const place = { ...openPorts, number: 2 };
    assert.equal(await command('scorecard.copyFindingId', place), finding.issue_id);
    assert.equal(await vscode.env.clipboard.readText(), finding.issue_id);
    await command('scorecard.copyFindingField', { ...place, field: 'port' });
    assert.equal(await vscode.env.clipboard.readText(), String(finding.port));
    await command('scorecard.copyFindingJson', place);
    assert.deepEqual(JSON.parse(await vscode.env.clipboard.readText()), finding);
    await failure(command('scorecard.copyFindingField', { ...place, field: 'none' }), 'notFound');
    await command('scorecard.copyFindingMarkdown', place);
    const lines = (await vscode.env.clipboard.readText()).split('\n');
    assert.match(lines[0] ?? '', /^### Open port: /);
    // The scorecard has no name, but its findings name the company.
    assert.equal(lines[2], finding.parent_domain);
    assert.ok(lines.includes(`- Issue ID: \`${String(finding.issue_id)}\``));
  });

  it('Copying findings copies the open finding in the format that a user picks', async () => {
    const service = await demoWithTwoLists();
    const [finding = {}] = await served(service, openPorts, 2);
    await command('scorecard.openFinding', { ...openPorts, number: 2 });
    answer('showQuickPick', { value: 'id' });
    assert.deepEqual(await user('scorecard.copyFindings'), { count: 1 });
    assert.equal(await vscode.env.clipboard.readText(), finding.issue_id);
    answer('showQuickPick', { value: 'record' });
    assert.deepEqual(await user('scorecard.copyFindings'), { count: 1 });
    assert.match(await vscode.env.clipboard.readText(), /^### Open port: \S+\n\n/);
    answer('showQuickPick', { value: 'json' });
    assert.deepEqual(await user('scorecard.copyFindings'), { count: 1 });
    assert.equal(takeQuestions().length, 3);
    const members = {
      issue_type: openPorts.issueType,
      scorecard_identifier: openPorts.scorecardId,
    };
    const copied = JSON.parse(await vscode.env.clipboard.readText()) as object;
    assert.deepEqual(copied, { ...members, ...finding });
  });

  it('Copying findings copies no secret value unless it is shown', async () => {
    const service = await demoWithTwoLists();
    const [finding = {}] = await served(service, credentials, 3);
    const place = { ...credentials, number: 3 };
    await vscode.env.clipboard.writeText('before');
    await failure(
      command('scorecard.copyFindingField', { ...place, field: 'password' }),
      'forbidden',
    );
    assert.equal(await vscode.env.clipboard.readText(), 'before');
    for (const format of ['tsv', 'csv', 'json']) {
      await command('scorecard.copyFindings', { ...credentials, numbers: [3, 4], format });
      const text = await vscode.env.clipboard.readText();
      assert.ok(text.includes(String(finding.issue_id)), format);
      assert.ok(!text.includes(String(finding.password)), format);
      assert.ok(!text.includes(String(finding.user_name)), format);
    }
    const masked = await vscode.env.clipboard.readText();
    await command('scorecard.openFinding', place);
    answer('showQuickPick', { value: 'password' });
    assert.equal(await user('scorecard.copyFindingField'), undefined);
    assert.match(told('showErrorMessage').at(-1) ?? '', /^The value of Password is masked\. /);
    assert.equal(await vscode.env.clipboard.readText(), masked);
    const offered = JSON.stringify(takeQuestions());
    assert.ok(offered.includes('Password') && !offered.includes(String(finding.password)));
    await command('scorecard.showSecretValues');
    await until('the password is shown', () => shown().password === finding.password);
    await vscode.env.clipboard.writeText('before');
    answer('showQuickPick', { value: 'password' });
    assert.equal(await user('scorecard.copyFindingField'), finding.password);
    assert.equal(await vscode.env.clipboard.readText(), finding.password);
    takeQuestions();
  });

  it('Copying findings masks secret values in several findings, even if a document shows them', async () => {
    const service = await demoWithTwoLists();
    const [finding = {}, other = {}] = await served(service, credentials, 3, 2);
    await command('scorecard.loadMore', credentials);
    await command('scorecard.openFinding', { ...credentials, number: 3 });
    await command('scorecard.showSecretValues');
    await until('the password is shown', () => shown().password === finding.password);
    await command('scorecard.copyFindings', { ...credentials, numbers: [3, 4], format: 'json' });
    const text = await vscode.env.clipboard.readText();
    assert.ok(!text.includes(String(finding.password)));
    assert.ok(!text.includes(String(other.password)));
  });

  it('Copying findings requests findings given by number page by page', async () => {
    const service = await demoWithTwoLists();
    const numbers = [1, 2, 3, 99];
    await command('scorecard.copyFindings', { ...openPorts, numbers, format: 'json' });
    assert.deepEqual(
      service.requests.map(({ query }) => query.toString()),
      ['offset=0&limit=100'],
    );
    const copied = JSON.parse(await vscode.env.clipboard.readText()) as unknown[];
    const members = {
      issue_type: openPorts.issueType,
      scorecard_identifier: openPorts.scorecardId,
    };
    const expected = await served(service, openPorts, 1, 3);
    assert.deepEqual(
      copied.slice(0, 3),
      expected.map((finding) => ({ ...members, ...finding })),
    );
    assert.equal(copied.length, 4);
  });

  it('Copying findings refuses a scorecard that is not listed when no issue type is given', async () => {
    await demoWithTwoLists();
    const args = { scorecardId: '00000000-0000-4000-8000-000000000000', numbers: [1] };
    await failure(command('scorecard.copyFindings', args), 'notFound');
  });

  it('Copying findings refuses missing or invalid numbers, and an unknown format', async () => {
    await demoWithTwoLists();
    for (const args of [{}, { numbers: [] }, { numbers: [0] }, { numbers: [1], format: 'xml' }]) {
      await failure(command('scorecard.copyFindings', { ...openPorts, ...args }), 'badRequest');
    }
  });
});

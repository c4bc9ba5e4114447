import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { demoCollections } from '../../../src/demo/demoService';
import { command, configure, failure, isolate } from '../helpers';
import { demo, signedInDemo, signIn } from '../services';
import { pickLabel, takeQuestions, told } from '../window';

/** The table that is open, and its file. */
function shownTable() {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  assert.ok(tab?.input instanceof vscode.TabInputCustom);
  assert.equal(tab.input.viewType, 'scorecard.reportTable');
  const file = new URLSearchParams(tab.input.uri.query).get('file') ?? '';
  return { name: path.basename(tab.input.uri.path), file };
}

describe('Open Collection as Table', () => {
  isolate({ settings: { collections: demoCollections } });

  it('Open Collection as Table shows the first page, and then all that is loaded, without other requests', async () => {
    const service = await signedInDemo();
    const name = 'Score history';
    const first = await command('scorecard.openCollectionTable', { name });
    assert.equal(first.rows, 50);
    assert.equal(service.requests.length, 1);
    await command('scorecard.browseCollection', { name });
    const { rows, columns } = await command('scorecard.openCollectionTable', { name });
    assert.equal(rows, 100);
    assert.ok(columns > 1);
    assert.equal(service.requests.length, 2);
    assert.equal(shownTable().name, `${name}.ndjson`);
  });

  it('Open Collection as Table asks a user which one, and says what is not loaded', async () => {
    await signedInDemo();
    pickLabel('Companies');
    await vscode.commands.executeCommand('scorecard.openCollectionTable');
    const [question] = takeQuestions();
    assert.equal(
      (question?.args[1] as { title?: string } | undefined)?.title,
      'Open Collection as Table',
    );
    assert.match(
      told('showInformationMessage').at(-1) ?? '',
      /has the entries that are loaded \(50 of 137\)\./,
    );
    const { file } = shownTable();
    const [line = ''] = (await fs.readFile(file, 'utf8')).split('\n');
    assert.equal(typeof JSON.parse(line), 'object');
  });

  it('Open Collection as Table refuses an unknown collection, and one of nobody', async () => {
    await failure(command('scorecard.openCollectionTable', { name: 'Events' }), 'config');
    const service = await demo();
    await configure({ collections: service.collections.slice(0, 1) });
    await signIn(service);
    await failure(command('scorecard.openCollectionTable', { name: 'Nothing' }), 'notFound');
  });
});

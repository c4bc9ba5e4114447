import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { entryRecordEnding } from '../../../../src/contributions';
import type { RecordHostMessage } from '../../../../src/protocol/recordProtocol';
import { EntryDocuments, entryUri } from '../../../../src/service/collections/ui/entryDocuments';
import { EntryPanel } from '../../../../src/service/collections/ui/entryPanel';
import { inForm } from '../../../../src/service/findings/ui/findingDocuments';
import { localizedNames } from '../../../../src/workbench/webviewPage';
import { configure, isolate } from '../../helpers';
import { closeLater } from '../../services';
import { until } from '../../until';

const row = {
  key: 'k',
  number: 1_003,
  entry: { name: 'Router', status: 'active', password: 'hunter2' },
};
const list = { id: 'Things', collection: { name: 'Things' }, rows: [row] };
const names = localizedNames();
const uriOf = (form?: 'record' | 'json') => entryUri(names, 'a', list as never, row, form);

/** The page of the entry, with what its host posts. */
function openPage(rows = list.rows) {
  const messages = new vscode.EventEmitter<unknown>();
  const posted: RecordHostMessage[] = [];
  const session = { requireSignedIn: () => ({ account: { id: 'a' } }) };
  const collections = { listOfId: () => ({ ...list, rows }) };
  const documents = new EntryDocuments(collections as never, session as never, Promise.resolve());
  const webview = {
    asWebviewUri: (uri: vscode.Uri) => uri,
    onDidReceiveMessage: messages.event,
    postMessage: (message: RecordHostMessage) => Promise.resolve(posted.push(message) > 0),
  };
  const panel = new EntryPanel(uriOf(), { webview } as unknown as vscode.WebviewPanel, {
    bundles: vscode.Uri.file('/dist'),
    scorecards: { find: () => undefined, nameOf: (id: string) => id } as never,
    names,
    documents,
  });
  closeLater(() => {
    panel.dispose();
    documents.dispose();
    return Promise.resolve();
  });
  messages.fire({ type: 'ready' });
  return {
    say: (message: unknown) => {
      messages.fire(message);
    },
    record: (count: number) =>
      until('a record is shown', () => {
        const records = posted.flatMap((message) =>
          message.type === 'record' ? message.record : [],
        );
        return records.length === count ? records.at(-1) : undefined;
      }),
    failure: () =>
      until('it has failed', () => posted.find((message) => message.type === 'failed')?.message),
  };
}

describe('An entry of a collection', () => {
  isolate();

  it('An entry of a collection opens as a record or as JSON, as the setting says', async () => {
    assert.ok(uriOf().path.endsWith(`Router${entryRecordEnding}`), uriOf().path);
    assert.ok(uriOf('json').path.endsWith('Router.json'));
    assert.equal(inForm(uriOf(), 'json').toString(), uriOf('json').toString());
    assert.equal(inForm(uriOf('json'), 'record').toString(), uriOf().toString());
    await configure({ openFindingsAs: 'json' });
    assert.equal(uriOf().toString(), uriOf('json').toString());
  });

  it('An entry of a collection as a record has its facts first, and masks secret values until they are shown', async () => {
    const page = openPage();
    const { title, subtitle, facts, key, more, secrets } = await page.record(1);
    assert.deepEqual(
      [title, subtitle, facts.map(({ label }) => label), secrets],
      ['Router', 'Things, entry 1,003', ['Status'], 'masked'],
    );
    assert.doesNotMatch(JSON.stringify([title, facts, key, more]), /hunter2/);
    page.say({ type: 'secrets', on: true });
    const shown = await page.record(2);
    assert.match(JSON.stringify(shown), /hunter2/);
    assert.equal(shown.secrets, 'shown');
    page.say({ type: 'secrets', on: false });
    assert.doesNotMatch(JSON.stringify(await page.record(3)), /hunter2/);
  });

  it('An entry of a collection that is not loaded says where to open it', async () => {
    assert.match(await openPage([]).failure(), /^This entry of Things is not loaded\./);
  });
});

import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../../../src/base/cancelledError';
import type { JsonObject } from '../../../../src/base/json/json';
import { findingRecordId } from '../../../../src/contributions';
import { command, configure, failure, isolate } from '../../helpers';
import { until } from '../../until';
import { SystemCalls } from '../../workbench/systemCalls';
import { findingUri } from '../../../../src/service/findings/ui/findingDocuments';
import type { RecordHostMessage } from '../../../../src/protocol/recordProtocol';
import { shownFinding } from '../../../../src/service/findings/shownFinding';
import { severityOfType } from '../../../../src/service/findings/ui/severityOfType';
import { Texts } from '../../../../src/summary/texts';
import { localizedTexts } from '../../../../src/workbench/webviewPage';
import { IssueTypeMeanings } from '../../../../src/service/findings/ui/issueTypeMeanings';
import { FindingPanel } from '../../../../src/service/findings/ui/findingPanel';
import { localizedNames } from '../../../../src/workbench/webviewPage';
import { closeLater, served } from '../../services';
import { told } from '../../window';
import { credentials, demoWithTwoLists, openPorts } from './twoLists';
import { findingRecord } from '../../../../src/vocabulary/findingSummary';
import type { WorstSeverity } from '../../../../src/vocabulary/worstSeverity';

const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);

/** Waits until one tab is open, with this title, and shows a record. */
function record(title: RegExp): Promise<vscode.Tab> {
  return until(`a record ${String(title)} is open`, () => {
    const [tab, ...others] = tabs();
    const isRecord =
      tab?.input instanceof vscode.TabInputCustom && tab.input.viewType === findingRecordId;
    return isRecord && others.length === 0 && title.test(tab.label) ? tab : undefined;
  });
}

/** A page that has requested its finding and still waits for it. */
function openPage() {
  const messages = new vscode.EventEmitter<unknown>();
  const posted: RecordHostMessage[] = [];
  let isClosed = false;
  const webview = {
    asWebviewUri: (uri: vscode.Uri) => uri,
    onDidReceiveMessage: messages.event,
    postMessage: (message: RecordHostMessage) => Promise.resolve(posted.push(message) > 0),
  };
  const panel = {
    get webview() {
      // As VS Code does.
      if (isClosed) {
        throw new Error('Webview is disposed');
      }
      return webview;
    },
  } as unknown as vscode.WebviewPanel;
  const nothing = new vscode.EventEmitter<never>().event;
  let fail: (error: Error) => void = () => undefined;
  const entry = new Promise<JsonObject>((_, reject) => {
    fail = reject;
  });
  const uri = findingUri(localizedNames(), 'a', openPorts, { key: 'k', number: 1, entry: {} });
  const record = new FindingPanel(uri, panel, {
    bundles: vscode.Uri.file('/dist'),
    documents: { entryOf: () => entry, onDidChange: nothing },
    reported: { onDidChange: nothing },
    known: { find: () => undefined, onChange: nothing },
  } as never);
  messages.fire({ type: 'ready' });
  return {
    posted: () => posted.map(({ type }) => type),
    say: (message: unknown) => {
      messages.fire(message);
    },
    close: () => {
      isClosed = true;
      record.dispose();
    },
    fail: (error: Error) => {
      fail(error);
    },
  };
}

describe('A finding as a record', () => {
  isolate();

  it('A finding as a record shows its severity, status and dates, labeled by their field or source', () => {
    const reported = { position: 1, reportedAt: Date.parse('2026-11-15T12:00:00Z') };
    const texts = new Texts(localizedTexts(), 'en');
    const facts = (entry: JsonObject, ofType: WorstSeverity = reported) =>
      shownFinding(entry, findingRecord(entry, 1), texts, severityOfType(ofType, texts)).facts.map(
        ({ label, text, source }) => [label, text, ...(source === undefined ? [] : [source])],
      );
    const [first, last] = ['2026-01-01T00:00:00Z', '2026-02-01'];
    assert.deepEqual(
      facts({ severity: 'low', group_status: 'active', first_seen_time: first, last_seen: last }),
      [
        ['Severity', 'Low'],
        ['Status', 'Open'],
        ['First seen', first],
        ['Last seen', last],
      ],
    );
    const [severity = [], ...others] = facts({ state: 'NV', created_at: first });
    assert.deepEqual(severity.slice(0, 2), ['Severity of the issue type', 'High']);
    assert.match(severity[2] ?? '', /^Full report \u00b7 15 Nov/);
    assert.deepEqual(others, [
      ['State', 'NV'],
      ['Created at', first],
    ]);
    assert.deepEqual(facts({}, { position: 3, count: 7 }), [['Severity of the issue type', 'Low']]);
  });

  it('A finding as a record is shown without the meaning of its issue type if that cannot be read', async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'meanings-'));
    closeLater(() => fs.rm(folder, { recursive: true, force: true }));
    const meanings = new IssueTypeMeanings(vscode.Uri.file(path.join(folder, 'dist')));
    assert.equal(await meanings.of('open_port'), undefined);
    await fs.mkdir(path.join(folder, 'l10n'));
    const texts = JSON.stringify({ open_port: 'A port answers.' });
    await fs.writeFile(path.join(folder, 'l10n', 'issueTypes.json'), texts);
    assert.equal(await meanings.of('open_port'), 'A port answers.');
    assert.equal(await meanings.of('constructor'), undefined);
  });

  it('A finding as a record opens in one preview tab, which Next and Previous Finding reuse', async () => {
    const service = await demoWithTwoLists();
    await command('scorecard.openFinding', { ...openPorts, number: 41_236 });
    assert.equal((await record(/^41,236 Open port(?!.*\.finding)/)).isPreview, true);
    const [before, last] = await served(service, openPorts, 41_236, 2);
    assert.deepEqual(await command('scorecard.nextFinding'), last);
    await record(/^41,237 /);
    assert.equal(await command('scorecard.nextFinding'), undefined);
    assert.deepEqual(await command('scorecard.previousFinding'), before);
    await record(/^41,236 /);
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it('A finding as a record shows no error when it is closed before it is loaded', async () => {
    const page = openPage();
    page.close();
    page.fail(new CancelledError());
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(told('showErrorMessage'), []);
  });

  it('A finding as a record says that it is loading, also on a reload', async () => {
    const page = openPage();
    assert.deepEqual(page.posted(), ['loading']);
    page.fail(new CancelledError());
    await until('it has failed', () => page.posted().length === 2);
    page.say({ type: 'reload' });
    await until('it is asked again', () => page.posted().length === 4);
    assert.deepEqual(page.posted(), ['loading', 'failed', 'loading', 'failed']);
  });

  it('A finding as a record opens the page of a CVE, and no other address that its page asks for', async () => {
    const page = openPage();
    const calls = new SystemCalls();
    try {
      for (const id of [
        'https://evil.example/',
        'CVE-2014-0160&x=//evil.example',
        'CVE-2021-44228',
      ]) {
        page.say({ type: 'openCve', id, uri: 'https://evil.example/' });
      }
      await until('a page is opened', () => calls.addresses.length > 0);
      assert.deepEqual(calls.addresses, ['https://www.cve.org/CVERecord?id=CVE-2021-44228']);
    } finally {
      calls.restore();
    }
  });

  it('A finding as a record opens as JSON on request, by argument, setting or command', async () => {
    const service = await demoWithTwoLists();
    const [finding] = await served(service, openPorts, 2);
    const shown = () =>
      until('it is open as JSON', () => vscode.window.activeTextEditor?.document.getText());
    await command('scorecard.openFinding', { ...openPorts, number: 2, as: 'json' });
    assert.deepEqual(JSON.parse(await shown()), finding);
    await vscode.commands.executeCommand('scorecard.openFindingAsRecord');
    await record(/^2 /);
    await vscode.commands.executeCommand('scorecard.openFindingAsJson');
    assert.deepEqual(JSON.parse(await shown()), finding);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await configure({ openFindingsAs: 'json' });
    await command('scorecard.openFinding', { ...openPorts, number: 2 });
    assert.deepEqual(JSON.parse(await shown()), finding);
    await command('scorecard.openFinding', { ...openPorts, number: 2, as: 'record' });
    await record(/^2 /);
    await failure(
      command('scorecard.openFinding', { ...openPorts, number: 2, as: 'text' }),
      'badRequest',
    );
  });

  it('A finding as a record masks secret values until they are shown, and again in a new tab', async () => {
    const service = await demoWithTwoLists();
    const [finding = {}] = await served(service, credentials, 3);
    await command('scorecard.openFinding', { ...credentials, number: 3 });
    await record(/^3 /);
    const copy = () => command('scorecard.copyFindingField', { field: 'password' });
    await failure(copy(), 'forbidden');
    await command('scorecard.showSecretValues');
    assert.equal(await copy(), finding.password);
    assert.equal(await vscode.env.clipboard.readText(), finding.password);
    await command('scorecard.hideSecretValues');
    await failure(copy(), 'forbidden');
    await command('scorecard.showSecretValues');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await command('scorecard.openFinding', { ...credentials, number: 3 });
    await record(/^3 /);
    await failure(copy(), 'forbidden');
  });
});

import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sendJson } from '../../../helpers/testServer';
import { command, configure, isolate } from '../../helpers';
import { until } from '../../until';
import { startExtension, type OwnExtension, type Row } from '../../ownExtension';
import { demo, halvorsen, sendPage, server, signedInDemo, signIn } from '../../services';
import { answerWith, takeQuestions, told } from '../../window';

/** The settings of one scorecard with these issue types. */
const scorecardsWith = (...issueTypes: string[]) => ({
  scorecards: [{ id: halvorsen, name: 'Halvorsen', issueTypes }],
});

/** The row of an issue type of the only scorecard, which is expanded. */
async function issueType(own: OwnExtension, name: RegExp): Promise<Row> {
  const findings = own.view('findings');
  return findings.row(name, await findings.row(/^Halvorsen/));
}

const names = (rows: readonly Row[]) => rows.map(({ name }) => name);

describe('The rows of the Findings view', () => {
  isolate();

  it('The rows of the Findings view show the counts when a scorecard is expanded, with one request per issue type', async () => {
    const own = await startExtension();
    const findings = own.view('findings');
    const service = await demo();
    await configure(scorecardsWith('open_port', 'csp_no_policy_v2'));
    await signIn(service);
    const before = service.requests.length;
    const scorecard = await findings.row('Halvorsen, 2 issue types');
    const openPorts = await findings.row('Open port, 41,237 total, not loaded', scorecard);
    assert.deepEqual([openPorts.label, openPorts.description], ['Open port', '41,237']);
    await findings.row(/, 250 total, not loaded$/, scorecard);
    const closed = await findings.row('Halvorsen, 41,487 findings in total, 2 issue types');
    assert.equal((await findings.rows(closed)).length, 2);
    assert.deepEqual(
      service.requests.slice(before).map(({ query }) => query.get('limit')),
      ['1', '1'],
    );
    await findings.row(/, finding 1$/, openPorts);
    await findings.row('Open port, 100 of 41,237 loaded', closed);
  });

  it('The rows of the Findings view show that a list is empty, that a page was empty, and that all is loaded', async () => {
    const own = await startExtension();
    const findings = own.view('findings');
    await configure(scorecardsWith('dmarc_contains_none', 'malware_infection'));
    await signedInDemo();
    const empty = await issueType(own, /^DMARC/);
    await findings.row('No findings', empty);
    assert.deepEqual(names(await findings.rows(empty)), ['No findings']);

    const malware = await issueType(own, /^Malware infection/);
    for (const more of [
      'Load 100 more, 100 of 650 loaded',
      'Load 100 more, 200 of 650 loaded',
      'Load 100 more, Last page was empty \u00b7 200 of 650 loaded',
      'Load 100 more, 300 of 650 loaded',
      'Load 100 more, 400 of 650 loaded',
      'Load 100 more, 500 of 650 loaded',
      'Load 50 more, 600 of 650 loaded',
    ]) {
      await own.press(await findings.row(more, malware));
    }
    // The first row that is new has the focus; an empty page has none.
    assert.deepEqual(
      findings.revealed.map((name) => /\d+$/.exec(name)?.[0]),
      ['101', '301', '401', '501', '601', '701'],
    );
    const rows = names(await findings.rows(malware));
    assert.equal(rows.length, 650);
    assert.deepEqual(
      rows.filter((name) => name.startsWith('Load')),
      [],
    );
    await issueType(own, /^Malware infection, 650 loaded$/);
  });

  it('The rows of the Findings view include an invalid entry of the setting, which opens the settings', async () => {
    const own = await startExtension();
    const findings = own.view('findings');
    const [good] = scorecardsWith('open_port').scorecards;
    await configure({ scorecards: [good, { id: 'example.com' }] });
    await signedInDemo();
    const problem = await findings.row(/^Setting scorecards\[1\]: .*"example\.com"/);
    assert.equal(problem.description, 'Open Settings');
    await findings.row(/^Halvorsen/);
    await own.press(problem);
    await until('the setting is shown', () =>
      vscode.window.activeTextEditor?.document.getText().includes('"scorecard.scorecards"'),
    );
  });

  it('The rows of the Findings view stay when the key is refused, and offer Sign In', async () => {
    const own = await startExtension();
    const findings = own.view('findings');
    let isRefused = false;
    const service = await server((request, response) => {
      if (isRefused) {
        sendJson(response, 401, { error: { message: 'Revoked.' } });
      } else {
        sendPage(request, response, 250);
      }
    });
    await configure({ ...scorecardsWith('open_port'), showCounts: false });
    await signIn(service);
    const row = await issueType(own, /^Open port/);
    await findings.row(/^Load 100 more/, row);
    isRefused = true;
    answerWith('showErrorMessage', (_text, ...items) => {
      const [first] = items as { title: string }[];
      return first?.title === 'Sign In' ? first : undefined;
    });
    await own.call('scorecard.refresh', row);
    const [message, ...others] = told('showErrorMessage');
    assert.match(message ?? '', /refused the API key \(401\)\. Sign in again/);
    assert.deepEqual(others, []);
    const question = await until('the user is asked', () => takeQuestions()[0]);
    assert.equal(question.name, 'createInputBox');
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    assert.match(findings.message, /^The service refused the API key\. Sign in again/);
    await findings.row('Open port, 100 of 250 loaded', await findings.row(/^Halvorsen/));
    const [failed, ...kept] = await findings.rows(row);
    assert.match(failed?.name ?? '', /^API key refused, Sign In\. /);
    assert.equal(failed?.command?.command, 'scorecard.signIn');
    assert.equal(kept.length, 101);
  });

  it('The rows of the Findings view stay when the service limits requests, and say until when', async () => {
    const own = await startExtension();
    const findings = own.view('findings');
    let isLimited = false;
    const service = await server((request, response) => {
      if (isLimited) {
        sendJson(response, 429, { error: { message: 'Slow down.' } }, { 'Retry-After': '1800' });
      } else {
        sendPage(request, response, 250);
      }
    });
    await configure({ ...scorecardsWith('open_port'), showCounts: false });
    await signIn(service);
    const row = await issueType(own, /^Open port/);
    const more = await findings.row(/^Load 100 more/, row);
    isLimited = true;
    await own.press(more);
    const [message, ...others] = told('showErrorMessage');
    assert.match(message ?? '', /^The service asks to wait until .*\d\.$/);
    assert.deepEqual(others, []);
    const rows = await findings.rows(row);
    assert.equal(rows.length, 101);
    assert.match(rows[100]?.name ?? '', /^Wait until .*\d:\d\d.*, Retry\. /);
    assert.equal(rows[100]?.command?.command, 'scorecard.loadMore');
  });

  it('The rows of the Findings view say that the request budget is used up, like the status bar and a notification', async () => {
    const own = await startExtension();
    const findings = own.view('findings');
    await configure({ ...scorecardsWith('open_port', 'service_rdp'), requestsPerHour: 1 });
    const service = await demo();
    // To try the key takes the one request there is.
    await signIn(service);
    const row = await issueType(own, /^Open port/);
    await findings.row(/^Wait until .*\d:\d\d.*, Retry\. /, row);
    assert.equal(service.requests.length, 1);
    const item = own.statusBarItems.get('scorecard.budget');
    await until('the status bar tells of it', () =>
      /No requests left until .*\d:\d\d/.test(item?.text ?? ''),
    );
    assert.equal(item?.command, 'scorecard.showRequestBudget');
    await vscode.commands.executeCommand('scorecard.showRequestBudget');
    assert.match(
      told('showInformationMessage').at(-1) ?? '',
      /^Budget used up\. Next request at .*\d:\d\d.*\. 0 of 1 requests left/,
    );
  });

  it('The rows of the Findings view come with a message about an unverified key until the key is verified', async () => {
    const own = await startExtension();
    const findings = own.view('findings');
    await configure({ scorecards: [], showCounts: false });
    await signedInDemo();
    assert.equal(findings.message, '');
    assert.ok(own.contexts.includes('scorecard.state=noScorecards'), own.contexts.join());
    await command('scorecard.addScorecard', {
      id: halvorsen,
      name: 'Halvorsen',
      issueTypes: ['found_in_2031', 'open_port'],
    });
    await until('it says so', () => findings.message.startsWith('The API key is verified when'));
    await findings.row('No findings', await issueType(own, /^Found in 2031/));
    assert.equal(findings.message, '');
  });
});

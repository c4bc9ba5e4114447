import * as assert from 'node:assert/strict';
import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { demoScorecards } from '../../../../src/demo/demoService';
import { sendJson, sendText } from '../../../helpers/testServer';
import { command, configure, failure, isolate, isSignedIn, settingsWritten } from '../../helpers';
import { until } from '../../until';
import { startExtension } from '../../ownExtension';
import {
  closeLater,
  demo,
  halvorsen,
  sendPage,
  server,
  signedInDemo,
  signIn,
} from '../../services';
import { answerSteps, pickLabel, takeQuestions, told } from '../../window';

const list = { scorecardId: halvorsen, issueType: 'open_port' };

describe('Accounts', () => {
  isolate({ noAddress: true });

  it('Accounts keep one key per origin when another service is signed in to', async () => {
    const [first, second] = [await demo(), await demo()];
    await signIn(first);
    await signIn(second);
    await command('scorecard.loadMore', list);
    assert.deepEqual([first.requests.length, second.requests.length], [0, 1]);
    await configure({ baseUrl: first.baseUrl });
    await until('the first account answers', async () => {
      await command('scorecard.loadMore', list);
      return first.requests.length > 0;
    });
    assert.equal(first.requests[0]?.headers.authorization, `Token ${first.apiKey}`);
  });

  it('Accounts lose only their own key on Sign Out, and their address stays in the settings', async () => {
    const [first, second] = [await demo(), await demo()];
    await signIn(first);
    await signIn(second);
    assert.equal(await command('scorecard.signOut'), undefined);
    await failure(command('scorecard.loadMore', list), 'config');
    assert.deepEqual(settingsWritten(), { baseUrl: second.baseUrl });
    // The key of the other origin is still there, that of this one is not.
    await configure({ baseUrl: first.baseUrl });
    await until('the first account is back', isSignedIn);
    await configure({ baseUrl: second.baseUrl });
    await until('nobody is signed in', async () => !(await isSignedIn()));
    assert.equal(second.requests.length, 0);
  });

  it('Accounts allow Sign Out when nobody is signed in', async () => {
    assert.equal(await command('scorecard.signOut'), undefined);
  });

  it('Accounts cancel a running Load More on Sign Out, which then resolves to undefined', async () => {
    const silent = await server(() => undefined);
    await signIn(silent);
    const loading = command('scorecard.loadMore', list);
    await until('the request has arrived', () => silent.requests.length === 1);
    await command('scorecard.signOut');
    assert.equal(await loading, undefined);
  });

  it('Accounts keep loaded findings with sameAccount, and drop them when the service changes', async () => {
    const service = await demo();
    const other = await server((_, response) => {
      sendText(response, 500);
    });
    await signIn(service);
    await command('scorecard.loadMore', list);
    await signIn(service, `${service.apiKey}x`, { sameAccount: true });
    await failure(command('scorecard.loadMore', list), 'auth');
    await signIn(service);
    assert.equal((await command('scorecard.loadMore', list)).loaded, 200);
    await signIn(other);
    await signIn(service);
    assert.equal((await command('scorecard.loadMore', list)).loaded, 100);
  });

  it('Accounts continue Load All and an export with a new key of the same account', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'session-'));
    closeLater(() => rm(folder, { recursive: true, force: true }));
    const limited: string[] = [];
    const service = await server((request, response) => {
      if (request.headers.authorization === 'Token first' && request.query.get('offset') !== '0') {
        limited.push(request.path);
        sendJson(response, 429, { error: { message: 'Slow down' } }, { 'Retry-After': '600' });
      } else {
        sendPage(request, response, 5_000);
      }
    });
    await signIn(service, 'first');
    const loading = command('scorecard.loadAll', list);
    const file = path.join(folder, 'findings.ndjson');
    const exporting = command('scorecard.exportFindings', {
      ...list,
      issueType: 'tls_weak_cipher',
      format: 'ndjson',
      path: file,
    });
    await until('both wait', () => limited.length > 0 && existsSync(`${file}.part`));
    await signIn(service, 'second', { sameAccount: true });
    assert.deepEqual(await loading, { loaded: 5_000, total: 5_000, hasMore: false });
    assert.deepEqual(await exporting, { path: file, count: 5_000 });
    assert.equal(service.requests.at(-1)?.headers.authorization, 'Token second');
    assert.deepEqual(told('showErrorMessage'), []);
  });

  it('Accounts start empty with a different key at the same address, and never mix their findings', async () => {
    const service = await server((request, response) => {
      const owner = request.headers.authorization === 'Token first' ? 'first' : 'other';
      const offset = Number(request.query.get('offset'));
      sendJson(response, 200, {
        entries: Array.from({ length: 100 }, (_, index) => ({
          issue_id: `${owner}-${offset + index}`,
        })),
        total_count: 1000,
        has_more: true,
      });
    });
    await signIn(service, 'first');
    await command('scorecard.loadMore', list);
    await command('scorecard.loadMore', list);
    await signIn(service, 'other');
    assert.deepEqual(await command('scorecard.filterFindings', { ...list, text: '' }), {
      shown: 0,
      loaded: 0,
    });
    assert.equal((await command('scorecard.loadMore', list)).loaded, 100);
    const finding = await command('scorecard.goToFinding', { ...list, number: 1 });
    assert.deepEqual(finding, { issue_id: 'other-0' });
    // The first key is known: nobody has to say whose it is.
    await signIn(service, 'first');
    assert.equal((await command('scorecard.loadMore', list)).loaded, 100);
    assert.deepEqual(await command('scorecard.goToFinding', { ...list, number: 1 }), {
      issue_id: 'first-0',
    });
  });

  it('Accounts are chosen by the user when an unknown key is entered while findings are loaded', async () => {
    const own = await startExtension();
    const findings = own.view('findings');
    const keys: string[] = [];
    let host = 'first.example';
    const service = await server((request, response) => {
      keys.push(request.headers.authorization ?? '');
      sendJson(response, 200, { entries: [{ issue_id: host, domain: host }], has_more: false });
    });
    await configure({
      showCounts: false,
      scorecards: [{ id: halvorsen, name: 'Halvorsen', issueTypes: ['open_port'] }],
    });
    /** The hosts of the findings that are shown. */
    const shown = async () => {
      const openPorts = await findings.row(/^Open port/, await findings.row(/^Halvorsen/));
      await findings.row(/, finding 1$/, openPorts);
      const rows = await findings.rows(openPorts);
      return rows.map(({ name }) => /\w+\.example/.exec(name)?.[0]);
    };
    /** Signs in as a user; what was asked at the end, and of which rows. */
    const enter = async (apiKey: string, choose?: string) => {
      pickLabel(choose);
      await Promise.all([
        answerSteps(service.baseUrl, apiKey),
        vscode.commands.executeCommand('scorecard.signIn'),
      ]);
      const [, whose] = takeQuestions();
      return (whose?.args[0] as { label: string }[] | undefined)?.map(({ label }) => label);
    };

    assert.equal(await enter('key-1'), undefined);
    assert.deepEqual(await shown(), ['first.example']);
    host = 'second.example';
    // Dismissed, nothing is changed.
    assert.deepEqual(await enter('key-2'), ['Same account', 'Another account']);
    assert.deepEqual(await enter('key-2', 'Same account'), ['Same account', 'Another account']);
    assert.deepEqual(await shown(), ['first.example']);
    assert.deepEqual(await enter('key-3', 'Another account'), ['Same account', 'Another account']);
    assert.deepEqual(await shown(), ['second.example']);
    host = 'first.example';
    // A key that is known is never asked about again.
    assert.equal(await enter('key-1'), undefined);
    assert.deepEqual(await shown(), ['first.example']);
    // The address is checked without a key.
    assert.deepEqual([...new Set(keys)], ['', 'Token key-1', 'Token key-2', 'Token key-3']);
    assert.deepEqual(
      told('showInformationMessage'),
      Array.from(
        { length: 4 },
        () => `Signed in to ${new URL(service.baseUrl).host}: key verified.`,
      ),
    );
    assert.deepEqual(told('showErrorMessage'), []);
  });

  it('Accounts refuse a sameAccount that is not a boolean', async () => {
    const { baseUrl } = await demo();
    await failure(
      command('scorecard.signIn', { baseUrl, apiKey: 'k', sameAccount: 'yes' }),
      'badRequest',
    );
  });
});

describe('The demo', () => {
  isolate({ noAddress: true });

  it('The demo has its own scorecards and writes no setting', async () => {
    const { baseUrl } = await command('scorecard.useDemo');
    assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    const [first] = demoScorecards;
    assert.ok(first);
    assert.deepEqual(await command('scorecard.addScorecard', { id: first.id }), {
      ...first,
      bodies: {},
    });
    assert.equal((await command('scorecard.loadMore', list)).total, 41_237);
    assert.deepEqual(settingsWritten(), {});
  });

  it('The demo has a report, so the Reports view never claims to be empty', async () => {
    const own = await startExtension();
    const known = () => own.contexts.filter((each) => each.startsWith('scorecard.hasNoReports'));
    await own.view('reports').rows();
    assert.equal(known().at(-1), 'scorecard.hasNoReports=true');
    await command('scorecard.useDemo');
    assert.equal(known().at(-1), 'scorecard.hasNoReports=false');
    const [day, ...others] = await own.view('reports').rows();
    assert.match(day?.name ?? '', /, 1 report$/);
    assert.deepEqual(others, []);
    // The rows may reach VS Code much later than a context key, such as behind the text of a report.
    assert.equal(known().at(-1), 'scorecard.hasNoReports=false');
  });

  it('The demo adds and removes scorecards without writing settings', async () => {
    await command('scorecard.useDemo');
    const id = '00000000-0000-4000-8000-000000000001';
    await command('scorecard.addScorecard', { id, name: 'Mine', issueTypes: ['open_port'] });
    assert.equal((await command('scorecard.addScorecard', { id })).name, 'Mine');
    await command('scorecard.removeScorecard', { id });
    assert.equal((await command('scorecard.addScorecard', { id })).name, id);
    assert.deepEqual(settingsWritten(), {});
  });

  it('The demo stores no key: its address in the settings signs nobody in', async () => {
    const { baseUrl } = await command('scorecard.useDemo');
    await configure({ baseUrl });
    await command('scorecard.signOut');
    assert.equal(await isSignedIn(), false);
  });

  it('The demo returns to the real account on Sign Out', async () => {
    const real = await signedInDemo();
    await command('scorecard.useDemo');
    await command('scorecard.loadMore', list);
    assert.equal(real.requests.length, 0);
    await command('scorecard.signOut');
    await command('scorecard.loadMore', list);
    assert.equal(real.requests.length, 1);
    assert.deepEqual(settingsWritten(), { baseUrl: real.baseUrl });
  });

  it('The demo is left by Leave Demo, which signs out of no real account', async () => {
    const real = await signedInDemo();
    await command('scorecard.useDemo');
    await command('scorecard.leaveDemo');
    await command('scorecard.leaveDemo');
    await command('scorecard.loadMore', list);
    assert.equal(real.requests.length, 1);
  });

  it('The demo is the same service when it is started twice', async () => {
    const first = await command('scorecard.useDemo');
    assert.deepEqual(await command('scorecard.useDemo'), first);
  });
});

import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sendJson, sendText } from '../../../helpers/testServer';
import { command, configure, failure, isolate } from '../../helpers';
import { until } from '../../until';
import {
  demo,
  halvorsen,
  sendPage,
  served,
  server,
  signedInDemo,
  signIn,
  type List,
} from '../../services';
import { answer, answerWith, clickButton, pickLabel, takeQuestions, told } from '../../window';

const openPorts: List = { scorecardId: halvorsen, issueType: 'open_port' };

describe('Go to Finding', () => {
  isolate();

  it('Go to Finding loads finding 30,000 of 41,237 with one request, and a loaded finding with none', async () => {
    const service = await signedInDemo();
    const found = await command('scorecard.goToFinding', { ...openPorts, number: 30_000 });
    assert.deepEqual(
      service.requests.map(({ query }) => query.toString()),
      ['offset=29900&limit=100'],
    );
    const [expected] = await served(service, openPorts, 30_000);
    assert.deepEqual(found, expected);
    const before = service.requests.length;
    await command('scorecard.goToFinding', { ...openPorts, number: 29_901 });
    assert.equal(service.requests.length, before);
    assert.deepEqual(await command('scorecard.loadMore', openPorts), {
      loaded: 200,
      total: 41_237,
      hasMore: true,
    });
    assert.equal(service.requests.at(-1)?.query.toString(), 'offset=0&limit=100');
  });

  it('Go to Finding names the number and the total when the list is shorter', async () => {
    await signedInDemo();
    const list = { scorecardId: halvorsen, issueType: 'csp_no_policy_v2' };
    const refused = await failure(
      command('scorecard.goToFinding', { ...list, number: 251 }),
      'notFound',
    );
    assert.match(refused.message, /no finding 251, only 250/);
    await failure(command('scorecard.goToFinding', { ...list, number: 0 }), 'badRequest');
    await failure(
      command('scorecard.goToFinding', { ...list, scorecardId: 'example.com', number: 1 }),
      'badRequest',
    );
  });
});

describe('Load All', () => {
  isolate();

  it('Load All ends where a list ends that has become shorter, and offsets after it are refused', async () => {
    let total = 4_000;
    const service = await server((request, response) => {
      if (Number(request.query.get('offset')) >= total) {
        sendJson(response, 400, { error: { message: 'The offset is too large.' } });
      } else {
        sendPage(request, response, total);
      }
    });
    await signIn(service);
    await command('scorecard.loadMore', openPorts);
    total = 700;
    const shorter = { loaded: 700, total: 700, hasMore: false };
    assert.deepEqual(await command('scorecard.loadAll', openPorts), shorter);
    total = 250;
    await command('scorecard.refresh', openPorts);
    const refreshed = { loaded: 250, total: 250, hasMore: false };
    assert.deepEqual(await command('scorecard.loadAll', openPorts), refreshed);
  });

  it('Load All requests each page once, and then offers a user Refresh', async () => {
    const service = await demo();
    await configure({ pageSize: 10 });
    await signIn(service);
    const result = await command('scorecard.loadAll', openPorts);
    assert.deepEqual(result, { loaded: 41_237, total: 41_237, hasMore: false });
    const offsets = service.requests.map(({ query }) => Number(query.get('offset')));
    assert.deepEqual(
      offsets.sort((first, second) => first - second),
      Array.from({ length: 83 }, (_, index) => 500 * index),
    );
    assert.deepEqual(await command('scorecard.loadAll', openPorts), result);
    assert.equal(service.requests.length, 83);

    clickButton('Refresh');
    assert.deepEqual(await vscode.commands.executeCommand('scorecard.loadAll'), result);
    assert.match(
      told('showInformationMessage').at(-1) ?? '',
      /^Everything in this list is loaded: 41,237\. Loaded (just now|\d+ min ago)\.$/,
    );
    await until('the list is refreshed', () => service.requests.length === 166);
  });

  it('Load All sends no extra request when nothing is loaded, with or without a filter', async () => {
    const list = { scorecardId: halvorsen, issueType: 'malware_infection' };
    const ways = [['scorecard.loadAll'], ['scorecard.loadAllAndFilter', { ...list, text: 'a' }]];
    for (const [name = '', ...args] of ways as [string, object?][]) {
      const service = await demo();
      await configure({
        pageSize: 10,
        scorecards: [{ id: halvorsen, name: 'Halvorsen', issueTypes: [list.issueType] }],
      });
      await signIn(service);
      await vscode.commands.executeCommand(name, ...args);
      const pages = service.requests.map(({ query }) => query.toString());
      assert.deepEqual(
        // Without those for counts.
        pages.filter((page) => !page.endsWith('limit=1')),
        ['offset=0&limit=500', 'offset=500&limit=500'],
        name,
      );
    }
  });

  it('Load All resolves to undefined when it is cancelled, and keeps the loaded findings', async () => {
    const service = await signedInDemo({ latencyMs: 20 });
    const loading = command('scorecard.loadAll', openPorts);
    await until('some pages are loaded', () => service.requests.length > 20);
    await command('scorecard.cancelLoading', openPorts);
    assert.equal(await loading, undefined);
    const sent = service.requests.length;
    for (let page = 0; page < 5; page += 1) {
      assert.equal((await command('scorecard.loadMore', openPorts)).hasMore, true);
    }
    // What six connections had on their way may reach the service when it is cancelled already.
    assert.ok(service.requests.length <= sent + 5 + 6, `${service.requests.length}, not ${sent}`);
  });

  const others = ['malware_infection'];
  for (const [what, remove] of [
    ['its scorecard is removed', () => command('scorecard.removeScorecard', { id: halvorsen })],
    ['its issue type is removed', () => command('scorecard.removeIssueType', openPorts)],
    [
      'the setting is edited',
      () => configure({ scorecards: [{ id: halvorsen, name: 'Halvorsen', issueTypes: others }] }),
    ],
    [
      'its server filter is edited',
      () =>
        configure({
          scorecards: [
            {
              id: halvorsen,
              name: 'Halvorsen',
              issueTypes: ['open_port'],
              bodies: { open_port: { a: 1 } },
            },
          ],
        }),
    ],
  ] as const) {
    it(`Load All ends when ${what}`, async () => {
      const service = await demo({ latencyMs: 20 });
      await configure({
        showCounts: false,
        scorecards: [{ id: halvorsen, name: 'Halvorsen', issueTypes: ['open_port', ...others] }],
      });
      await signIn(service);
      const loading = command('scorecard.loadAll', openPorts);
      await until('some pages are loaded', () => service.requests.length > 12);
      await remove();
      assert.equal(await loading, undefined);
      // Not all 83 pages.
      assert.ok(service.requests.length < 70, String(service.requests.length));
    });
  }

  it('Load All skips a page that fails, and loads it the next time', async () => {
    let isBroken = true;
    const service = await server((request, response) => {
      if (isBroken && request.query.get('offset') === '1500') {
        sendText(response, 501, 'not this one');
      } else {
        sendPage(request, response, 5_000);
      }
    });
    await signIn(service);
    await failure(command('scorecard.loadAll', openPorts), 'server');
    isBroken = false;
    const before = service.requests.length;
    assert.deepEqual(await command('scorecard.loadAll', openPorts), {
      loaded: 5_000,
      total: 5_000,
      hasMore: false,
    });
    assert.deepEqual(
      service.requests.slice(before).map(({ query }) => query.get('offset')),
      ['1500'],
    );
  });

  it('Load All waits when the service limits requests, and resumes by itself', async () => {
    let isLimited = true;
    const service = await server((request, response) => {
      if (isLimited && request.query.get('offset') === '1500') {
        isLimited = false;
        sendJson(response, 429, { error: { message: 'Slow down' } }, { 'Retry-After': '1' });
      } else {
        sendPage(request, response, 5_000);
      }
    });
    await signIn(service);
    assert.deepEqual(await command('scorecard.loadAll', openPorts), {
      loaded: 5_000,
      total: 5_000,
      hasMore: false,
    });
    assert.equal(service.requests.length, 11);
    assert.deepEqual([...told('showErrorMessage'), ...told('showWarningMessage')], []);
  });

  it('Load All asks a user before it spends much of the request budget, and offers a report instead', async () => {
    const service = await demo();
    const list = { scorecardId: halvorsen, issueType: 'patching_cadence_high' };
    await configure({
      requestsPerHour: 60,
      pageSize: 250,
      scorecards: [{ id: halvorsen, name: 'Halvorsen', issueTypes: [list.issueType] }],
    });
    await signIn(service);
    assert.equal((await command('scorecard.loadMore', list)).total, 3_720);
    const before = service.requests.length;
    const user = () => vscode.commands.executeCommand('scorecard.loadAll');

    answer('showQuickPick', undefined);
    assert.equal(await user(), undefined);
    assert.equal(service.requests.length, before);
    const [question, ...others] = takeQuestions();
    assert.deepEqual(others, []);
    const [choices, options] = (question?.args ?? []) as [
      { label: string }[],
      { title: string; placeHolder: string },
    ];
    assert.deepEqual(
      choices.map(({ label }) => label),
      ['Load All', 'Start Full Report Instead'],
    );
    assert.match(options.title, /^Load All Findings: Patching cadence/);
    assert.equal(options.placeHolder, 'This takes 7 requests; 58 left this hour.');

    pickLabel('Start Full Report Instead');
    assert.equal(await user(), undefined);
    await until('a report is requested', async () => {
      const [report] = await command('scorecard.listReports');
      return report?.kind === 'full';
    });
    assert.ok(!service.requests.slice(before).some(({ path }) => path.includes('/issues/')));

    pickLabel('Load All');
    const all = { loaded: 3_720, total: 3_720, hasMore: false };
    assert.deepEqual(await user(), all);
    assert.ok(told('showInformationMessage').includes('Everything in this list is loaded: 3,720.'));
    takeQuestions();
  });

  it('Load All asks a user before it needs more than 1 GB of memory, and offers a table or an export', async () => {
    const banner = 'x'.repeat(10_000);
    const service = await server((request, response) => {
      const limit = Number(request.query.get('limit'));
      sendJson(response, 200, {
        entries: Array.from({ length: limit }, (_, at) => ({ issue_id: `${at}`, banner })),
        offset: 0,
        limit,
        count: limit,
        total_count: 80_000,
        has_more: true,
      });
    });
    const list = { scorecardId: halvorsen, issueType: 'open_port' };
    await configure({
      pageSize: 10,
      scorecards: [{ id: halvorsen, name: 'Halvorsen', issueTypes: [list.issueType] }],
    });
    await signIn(service);
    answer('showQuickPick', undefined);
    assert.equal(await vscode.commands.executeCommand('scorecard.loadAll'), undefined);
    // The counts of the issue type, and the first page.
    assert.equal(service.requests.length, 2);
    const [question] = takeQuestions();
    const [choices, { placeHolder }] = (question?.args ?? []) as [
      { label: string }[],
      { placeHolder: string },
    ];
    assert.deepEqual(
      choices.map(({ label }) => label),
      [
        'Load All',
        'Open Findings as Table Instead',
        'Export Findings Instead\u2026',
        'Start Full Report Instead',
      ],
    );
    assert.equal(
      placeHolder,
      'This takes 159 requests; 4,998 left this hour \u00b7 about 1.1 GB of memory.',
    );

    // The export asks for the format.
    const titles: string[] = [];
    answerWith('showQuickPick', (items, options) => {
      const instead = (items as { label: string }[]).find(({ label }) =>
        label.startsWith('Export Findings Instead'),
      );
      if (!instead) {
        titles.push((options as { title: string }).title);
      }
      return instead;
    });
    assert.equal(await vscode.commands.executeCommand('scorecard.loadAll'), undefined);
    await until('the export asks', () => titles.length > 0);
    assert.match(titles[0] ?? '', /^Export/);
    assert.equal(service.requests.length, 2);
    takeQuestions();
  });

  it('Load All stops at once when every page would fail', async () => {
    const service = await server((request, response, number) => {
      if (number > 3) {
        sendJson(response, 403, { error: { message: 'Not yours any more' } });
      } else {
        sendPage(request, response, 10_000);
      }
    });
    await signIn(service);
    await failure(command('scorecard.loadAll', openPorts), 'forbidden');
    assert.ok(service.requests.length <= 3 + 6, `${service.requests.length} requests`);
  });
});

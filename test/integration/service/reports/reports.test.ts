import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { sendText, type TestServer } from '../../../helpers/testServer';
import { localPath } from '../../../../src/workbench/storedFiles';
import { command, configure, failure, isolate } from '../../helpers';
import { until } from '../../until';
import {
  assertRecent,
  instantReports,
  postsOf,
  reportService,
  sendReport,
  sha256,
  watchProgress,
} from './reportService';
import { demo, halvorsen, pemberlane, sendPage, server, signIn } from '../../services';
import { answerWith, editorsOpened, takeQuestions, told } from '../../window';

const scorecardBody = { params: { scorecard_identifier: '${scorecardId}' } };

async function readyService(): Promise<TestServer> {
  const service = await reportService((_, response) => {
    sendReport(response);
  });
  await signIn(service);
  return service;
}

describe('A report', () => {
  isolate();

  it('A report is requested, downloaded completely and opened, and the command resolves to its state file', async () => {
    const service = await demo({ generationMs: 50 });
    await configure({
      scorecards: [{ id: pemberlane, name: 'Pemberlane' }],
      'reports.fullBody': scorecardBody,
    });
    await signIn(service);
    const record = await command('scorecard.startFullReport', { scorecardId: pemberlane });
    assert.ok(record.path !== undefined);
    const { id, requestedAt, finishedAt, path: file, bytes, ...rest } = record;
    assert.deepEqual(rest, {
      kind: 'full',
      origin: service.baseUrl,
      scorecardId: pemberlane,
      title: 'Pemberlane',
      state: 'ready',
      serviceStatus: 'processing',
    });
    assert.match(id, /^[\w-]{8,}$/);
    assertRecent(requestedAt);
    assertRecent(finishedAt);
    assert.ok(path.isAbsolute(file));
    assert.equal(path.extname(file), '.ndjson');
    const saved = await fs.readFile(file);
    assert.equal(bytes, saved.length);
    const url = service.requests.find(({ method }) => method === 'GET')?.path ?? '';
    const headers = { Authorization: `Token ${service.apiKey}` };
    const served = await fetch(service.baseUrl + url, { headers });
    assert.equal(sha256(saved), sha256(new Uint8Array(await served.arrayBuffer())));
    // It opens automatically, so it does not take the focus: the active text may be that of a panel.
    await until('the report is open', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputCustom && localPath(input.uri) === file;
    });
    assert.deepEqual(await command('scorecard.listReports'), [record]);
  });

  it('A report is announced but not opened when openWhenReady is off, until the user clicks Open', async () => {
    await configure({ 'reports.openWhenReady': false, 'reports.openAs': 'text' });
    await signIn(await instantReports());
    let press: (() => void) | undefined;
    answerWith(
      'showInformationMessage',
      (_, ...actions) =>
        new Promise((resolve) => {
          press = () => {
            resolve(
              actions.find((action) => (action as vscode.MessageItem).title === 'Open Report'),
            );
          };
        }),
    );
    assert.equal((await command('scorecard.startDetailedReport')).state, 'ready');
    const pressOpen = await until('it is told', () => press);
    assert.equal(
      told('showInformationMessage').at(-1),
      '"Detailed report: All findings" is ready (8 B).',
    );
    assert.equal(editorsOpened(), 0);
    pressOpen();
    await until('it is open', () => editorsOpened() === 1);
  });

  for (const [id, kind, route] of [
    ['scorecard.startFullReport', 'Full', '/reports/full-dump'],
    ['scorecard.startDetailedReport', 'Detailed', '/reports/detailed'],
  ] as const) {
    const key = `reports.${kind.toLowerCase()}Body` as 'reports.fullBody' | 'reports.detailedBody';

    it(`A report (${kind}) covers all findings and is requested without a body when none is set`, async () => {
      const service = await readyService();
      // The scorecard is ignored then.
      const record = await command(id, { scorecardId: halvorsen });
      assert.equal(record.title, 'All findings');
      assert.equal(record.kind, kind.toLowerCase());
      assert.equal('scorecardId' in record, false);
      const [request] = service.requests;
      assert.equal(request?.path, route);
      assert.equal(request.body, '');
      assert.equal(request.headers['content-type'], undefined);
      assert.equal(request.headers['transfer-encoding'], undefined);
    });

    it(`A report (${kind}) asks a user nothing when no body is set`, async () => {
      const service = await readyService();
      await configure({
        scorecards: [
          { id: halvorsen, name: 'Halvorsen', issueTypes: [] },
          { id: pemberlane, name: 'Pemberlane', issueTypes: [] },
        ],
      });
      await vscode.commands.executeCommand(id);
      assert.deepEqual(takeQuestions(), []);
      const posts = service.requests.filter(({ method }) => method === 'POST');
      assert.deepEqual(
        posts.map(({ body }) => body),
        [''],
      );
      const [record] = await command('scorecard.listReports');
      assert.deepEqual([record?.title, record?.scorecardId], ['All findings', undefined]);
    });

    it(`A report (${kind}) is requested with the configured body, with the scorecard filled in`, async () => {
      const service = await readyService();
      await configure({ [key]: { a: [1, '$'] } });
      const general = command(id);
      await configure({ [key]: scorecardBody });
      const record = await command(id, { scorecardId: halvorsen.toUpperCase() });
      assert.equal((await general).title, 'All findings');
      assert.equal(record.scorecardId, halvorsen);
      assert.equal(record.title, halvorsen);
      const posts = service.requests.filter(({ method }) => method === 'POST');
      assert.deepEqual(
        posts.map(({ body }) => JSON.parse(body) as unknown),
        [{ a: [1, '$'] }, { params: { scorecard_identifier: halvorsen } }],
      );
      assert.match(posts[0]?.headers['content-type'] ?? '', /^application\/json/);
    });

    it(`A report (${kind}) is refused before any request when the scorecard is a domain name`, async () => {
      const service = await readyService();
      for (const body of [null, scorecardBody]) {
        await configure({ [key]: body });
        const refused = await failure(command(id, { scorecardId: 'example.com' }), 'badRequest');
        assert.match(refused.message, /scorecard UUID.*"example\.com"/);
      }
      assert.equal(service.requests.length, 0);
      assert.deepEqual(await command('scorecard.listReports'), []);
    });
  }

  it('A report is requested once for concurrent calls, but once per kind', async () => {
    const service = await readyService();
    const [first, second, other] = await Promise.all([
      command('scorecard.startFullReport'),
      command('scorecard.startFullReport'),
      command('scorecard.startDetailedReport'),
    ]);
    assert.deepEqual(first, second);
    assert.notEqual(first.id, other.id);
    assert.equal(postsOf(service), 2);
  });

  it('A report shows that it waits for its own rate limit, while findings still load', async () => {
    const answered: number[] = [];
    const service = await server((request, response) => {
      if (request.path !== '/reports/detailed') {
        sendPage(request, response, 250);
      } else if (answered.length > 0) {
        answered.push(429);
        sendText(response, 429, 'too many', { 'Retry-After': '600' });
      } else {
        answered.push(200);
        sendReport(response);
      }
    });
    await configure({ 'reports.detailedBody': scorecardBody, 'reports.openWhenReady': false });
    await signIn(service);
    const said = watchProgress();
    const first = command('scorecard.startDetailedReport', { scorecardId: halvorsen });
    const second = command('scorecard.startDetailedReport', { scorecardId: pemberlane });
    await until('the limit is known', async () => {
      const { endpoints } = await command('scorecard.showRequestBudget');
      return endpoints?.some(({ endpoint }) => endpoint === 'POST /reports/detailed');
    });
    // A page does not wait ten minutes: the command would fail.
    const list = { scorecardId: halvorsen, issueType: 'open_port' };
    assert.equal((await command('scorecard.loadMore', list)).loaded, 100);
    const waiting = (await command('scorecard.listReports')).find(
      ({ state }) => state === 'requested',
    );
    assert.ok(waiting);
    assert.deepEqual(answered, [200, 429]);
    const waits = `Detailed report: ${waiting.title}: Rate limited \u00b7 Retrying in `;
    await until('it is seen to wait', () => said.some((text) => text.startsWith(waits)));
    await command('scorecard.cancelReport', { id: waiting.id });
    // The one that was cancelled resolves with nothing.
    const ended: readonly ({ readonly state: string } | undefined)[] = await Promise.all([
      first,
      second,
    ]);
    const states = ended.map((report) => report?.state);
    assert.deepEqual(new Set(states), new Set(['ready', undefined]));
    assert.deepEqual(answered, [200, 429]);
  });
});

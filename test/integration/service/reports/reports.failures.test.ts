import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { sendJson, sendText, type Handler } from '../../../helpers/testServer';
import { command, configure, failure, isolate } from '../../helpers';
import { until } from '../../until';
import {
  assertRecent,
  instantReports,
  postsOf,
  reportsFolder,
  reportService,
  sendReport,
} from './reportService';
import { server, signIn } from '../../services';
import { answer, answerWith, buttonsOf, pickFirst, takeQuestions, told } from '../../window';

const says =
  (status: number, body: unknown): Handler =>
  (_, response) => {
    sendJson(response, status, body);
  };

describe('A report that fails', () => {
  isolate();

  for (const { what, code, request, message } of [
    { what: 'a wrong key', code: 'auth', message: /key/, request: says(401, {}) },
    {
      what: 'no access',
      code: 'forbidden',
      message: /Not for you/,
      request: says(403, { error: { message: 'Not for you' } }),
    },
    {
      what: 'a refused body',
      code: 'badRequest',
      message: /report_type is unknown/,
      request: says(400, { error: { message: 'report_type is unknown' } }),
    },
    { what: 'a server error', code: 'server', message: /500/, request: says(500, {}) },
    {
      what: 'a missing report URL',
      code: 'protocol',
      message: /report_url/,
      request: says(200, { status: 'processing' }),
    },
    {
      what: 'a broken connection',
      code: 'network',
      message: /scorecard\.baseUrl/,
      request: ((_, response) => {
        response.destroy();
      }) as Handler,
    },
    {
      what: 'a final state',
      code: 'server',
      message: /failed.*out of paper/,
      request: says(200, { status: 'failed', message: 'out of paper' }),
    },
  ]) {
    it(`A report that fails because of ${what} rejects with ${code} after one request, and its state file says why`, async () => {
      const service = await server(request);
      await signIn(service);
      const failed = await failure(command('scorecard.startFullReport'), code);
      assert.match(failed.message, message);
      assert.equal(service.requests.length, 1);
      const [record, ...others] = await command('scorecard.listReports');
      assert.ok(record);
      assert.deepEqual(others, []);
      assert.equal(record.state, 'failed');
      assert.deepEqual(record.error, { code, message: failed.message });
      assertRecent(record.finishedAt);
      assert.equal('path' in record, false);
      assert.deepEqual([...told('showErrorMessage'), ...told('showWarningMessage')], []);
    });
  }

  it('A report that fails because of a wrong key offers to sign in, and to try again', async () => {
    await signIn(await server(says(401, {})));
    await vscode.commands.executeCommand('scorecard.startFullReport');
    await until('it is told', () => told('showWarningMessage').length > 0);
    assert.deepEqual(buttonsOf('showWarningMessage', /refused the API key/), [
      'Sign In',
      'Retry',
      'Show Log',
    ]);
  });

  it('A report that fails is told to the user who started it, also where a program has joined', async () => {
    let answerPost: () => void = () => undefined;
    const service = await server((_, response) => {
      answerPost = () => {
        sendJson(response, 403, { error: { message: 'Not for you' } });
      };
    });
    await signIn(service);
    const started = vscode.commands.executeCommand('scorecard.startFullReport');
    await until('it is sent', () => service.requests.length > 0);
    const joined = failure(command('scorecard.startFullReport'), 'forbidden');
    // It has joined before a later command is answered.
    await command('scorecard.listReports');
    answerPost();
    await Promise.all([started, joined]);
    await until('it is told', () => told('showWarningMessage').length > 0);
    assert.match(told('showWarningMessage').join(), /Not for you/);
    assert.equal(service.requests.length, 1);
  });

  it('A report that fails because it needs a scorecard, and there is none, offers to add one', async () => {
    await signIn(await server(says(200, {})));
    await configure({ 'reports.fullBody': { company: '${scorecardId}' } });
    await vscode.commands.executeCommand('scorecard.startFullReport');
    assert.deepEqual(buttonsOf('showErrorMessage', /^No scorecards yet\./), [
      'Add Scorecard',
      'Show Log',
    ]);
  });

  it('A report that fails because the response is only a receipt shows the receipt, keeps no file and is not requested again unasked', async () => {
    const service = await server(says(200, { id: '5f2a7c10', status: 'open' }));
    await signIn(service);
    const { message } = await failure(command('scorecard.startDetailedReport'), 'protocol');
    assert.match(message, /id: 5f2a7c10, status: open/);
    const [record] = await command('scorecard.listReports');
    assert.ok(record);
    assert.deepEqual([record.state, record.error], ['failed', { code: 'protocol', message }]);
    assert.equal('path' in record, false);
    pickFirst();
    answer('showWarningMessage', undefined);
    await vscode.commands.executeCommand('scorecard.retryReport');
    assert.equal(takeQuestions().length, 2, 'which report, and whether to ask for it once more');
    assert.equal(service.requests.length, 1);
  });

  it('A report that fails in the words of the service is requested again without a question', async () => {
    const service = await server(says(200, { status: 'failed', message: 'out of paper' }));
    await signIn(service);
    await failure(command('scorecard.startDetailedReport'), 'server');
    pickFirst();
    answer('showWarningMessage', undefined);
    await vscode.commands.executeCommand('scorecard.retryReport');
    assert.equal(takeQuestions().length, 1, 'which report');
    assert.equal(service.requests.length, 2);
  });

  it('A report that fails because a gateway answered for the service is not requested again unasked', async () => {
    for (const status of [500, 502, 504]) {
      const service = await server(says(status, {}));
      await signIn(service);
      await failure(command('scorecard.startDetailedReport'), 'server');
      pickFirst();
      answer('showWarningMessage', undefined);
      await vscode.commands.executeCommand('scorecard.retryReport');
      assert.equal(takeQuestions().length, 2, 'which report, and whether to ask for it once more');
      assert.equal(service.requests.length, 1);
    }
  });

  it('A report that fails although the answer was the report is not requested again unasked', async () => {
    const file = path.join(await reportsFolder(), 'no-folder');
    await fs.writeFile(file, '');
    const cut: Handler = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/csv', 'Content-Length': 100_000 });
      response.write('x'.repeat(70_000), () => response.destroy());
    };
    for (const [service, folder] of [
      [await server(cut), ''],
      [await instantReports(), file],
    ] as const) {
      await configure({ 'reports.folder': folder });
      await signIn(service);
      await failure(command('scorecard.startDetailedReport'), 'download');
      pickFirst();
      answer('showWarningMessage', undefined);
      await vscode.commands.executeCommand('scorecard.retryReport');
      assert.equal(takeQuestions().length, 2, 'which report, and whether to ask for it once more');
      assert.equal(service.requests.length, 1);
    }
  });

  it('A report that fails because its request was refused is requested again without a question', async () => {
    for (const [status, code] of [
      [400, 'badRequest'],
      [401, 'auth'],
      [403, 'forbidden'],
      [404, 'notFound'],
    ] as const) {
      const service = await server(says(status, {}));
      await signIn(service);
      await failure(command('scorecard.startDetailedReport'), code);
      pickFirst();
      await vscode.commands.executeCommand('scorecard.retryReport');
      assert.equal(takeQuestions().length, 1, 'which report');
      assert.equal(service.requests.length, 2);
    }
  });

  it('A report that fails because a redirect of its request leads nowhere is not requested again unasked', async () => {
    const service = await server((request, response) => {
      sendText(response, request.method === 'POST' ? 303 : 404, '', { Location: '/nowhere' });
    });
    await signIn(service);
    await failure(command('scorecard.startDetailedReport'), 'notFound');
    pickFirst();
    answer('showWarningMessage', undefined);
    await vscode.commands.executeCommand('scorecard.retryReport');
    assert.equal(takeQuestions().length, 2, 'which report, and whether to ask for it once more');
    assert.equal(postsOf(service), 1);
  });

  it('A report that fails during generation can be retried without a second POST', async () => {
    let isAllowed = false;
    const service = await reportService((_, response) => {
      if (isAllowed) {
        sendReport(response);
      } else {
        sendText(response, 403);
      }
    });
    await signIn(service);
    const { message } = await failure(command('scorecard.startFullReport'), 'forbidden');
    assert.match(message, /link may have expired\. Request the report again/);
    isAllowed = true;
    const [failed] = await command('scorecard.listReports');
    const record = await command('scorecard.retryReport', { id: failed?.id });
    assert.equal(record.state, 'ready');
    assert.equal(record.id, failed?.id);
    assert.equal('error' in record, false);
    assert.equal(postsOf(service), 1);
    // A report that has its file needs no request.
    const asked = service.requests.length;
    assert.deepEqual(await command('scorecard.retryReport', { id: record.id }), record);
    assert.equal(service.requests.length, asked);
  });

  it('A report that fails because the service refuses its link can be requested again, by a program and from the notification', async () => {
    const service = await server((request, response, number) => {
      if (request.method === 'POST') {
        sendJson(response, 200, { report_url: `/made/${number}`, status: 'processing' });
      } else if (['/made/1', '/made/5'].includes(request.path)) {
        // Four buttons would be cut off in German.
        sendJson(response, 403, { error: { message: 'Not yours: see scorecard.baseUrl' } });
      } else {
        sendReport(response);
      }
    });
    await signIn(service);
    await failure(command('scorecard.startFullReport'), 'forbidden');
    const [failed] = await command('scorecard.listReports');
    const again = await command('scorecard.requestReportAgain', { id: failed?.id });
    assert.deepEqual([again.id, again.state], [failed?.id, 'ready']);
    assert.deepEqual([service.requests.length, postsOf(service)], [4, 2]);
    const buttons = new Promise<string[]>((resolve) => {
      answerWith('showWarningMessage', (_text, ...items) => {
        const actions = items as { title: string }[];
        resolve(actions.map(({ title }) => title));
        return actions[0];
      });
    });
    await vscode.commands.executeCommand('scorecard.startFullReport');
    assert.deepEqual(await buttons, ['Request Again', 'Retry', 'Show Log']);
    assert.equal((await command('scorecard.listReports')).length, 2);
    await until('it is ready', async () => {
      const [newest] = await command('scorecard.listReports');
      return newest?.state === 'ready';
    });
    assert.equal(postsOf(service), 4);
  });

  it('A report that fails because its storage refuses the link says that the link has expired, and Retry requests it again', async () => {
    const storage = await server((_, response) => {
      sendText(response, 403, '<Error><Code>AccessDenied</Code></Error>');
    });
    const service = await server((request, response, number) => {
      if (request.method === 'GET') {
        sendReport(response);
      } else {
        const report_url = number === 1 ? `${storage.baseUrl}/x?sig=SIGNED` : '/made/2';
        sendJson(response, 200, { report_url, status: 'processing' });
      }
    });
    await signIn(service);
    const { message } = await failure(command('scorecard.startFullReport'), 'download');
    assert.match(message, /has probably expired.*Request the report again\./);
    assert.doesNotMatch(message, /key|SIGNED/);
    assert.equal(postsOf(service), 1);
    const [failed] = await command('scorecard.listReports');
    assert.equal((await command('scorecard.retryReport', { id: failed?.id })).state, 'ready');
    assert.equal(postsOf(service), 2);
  });

  it('A report that fails before the service accepts it is requested again by Retry', async () => {
    const service = await server((request, response, number) => {
      if (number === 1) {
        sendText(response, 400);
      } else if (request.method === 'POST') {
        sendJson(response, 200, { report_url: '/r', status: 'processing' });
      } else {
        sendReport(response);
      }
    });
    await signIn(service);
    await failure(command('scorecard.startDetailedReport'), 'badRequest');
    const [failed] = await command('scorecard.listReports');
    assert.equal((await command('scorecard.retryReport', { id: failed?.id })).state, 'ready');
    assert.equal(postsOf(service), 2);
  });

  it('A report that fails because its body was refused is retried with the body that a user has set since', async () => {
    const id = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';
    const service = await server((request, response) => {
      if (request.method !== 'POST') {
        sendReport(response);
      } else if (request.body === '') {
        sendText(response, 400);
      } else {
        sendJson(response, 200, { report_url: '/r', status: 'processing' });
      }
    });
    await signIn(service);
    await configure({ scorecards: [{ id, name: 'Halvorsen', issueTypes: [] }] });
    await failure(command('scorecard.startDetailedReport'), 'badRequest');
    const retryAsUser = async () => {
      pickFirst();
      await vscode.commands.executeCommand('scorecard.retryReport');
    };
    await retryAsUser();
    await configure({ 'reports.detailedBody': { company: '${scorecardId}' } });
    await retryAsUser();
    takeQuestions();
    const bodies = service.requests.filter(({ method }) => method === 'POST').map((it) => it.body);
    assert.deepEqual(bodies, ['', '', JSON.stringify({ company: id })]);
    const reports = await command('scorecard.listReports');
    assert.deepEqual(
      reports.map(({ state, title }) => [state, title]),
      [
        ['ready', 'Halvorsen'],
        ['failed', 'All findings'],
      ],
    );
    const refused = /scorecard\.reports\.detailedBody/;
    assert.deepEqual(buttonsOf('showWarningMessage', refused), [
      'Retry',
      'Open Settings',
      'Show Log',
    ]);
  });

  it('A report that fails because the download breaks off is downloaded again by itself, until its file is complete', async () => {
    const text = 'x'.repeat(100_000);
    const folder = await reportsFolder();
    let downloads = 0;
    const service = await reportService((_, response) => {
      downloads += 1;
      if (downloads === 1) {
        response.writeHead(200, { 'Content-Type': 'text/csv', 'Content-Length': text.length });
        response.write(text.slice(0, 50_000), () => response.destroy());
      } else {
        sendReport(response, text);
      }
    });
    await signIn(service);
    const record = await command('scorecard.startFullReport');
    assert.equal(record.bytes, text.length);
    assert.equal(await fs.readFile(record.path ?? '', 'utf8'), text);
    assert.deepEqual(await fs.readdir(folder), ['r.csv']);
    assert.equal(postsOf(service), 1);
  });

  it('A report that fails because its folder is unusable rejects with download, and Retry works with another folder', async () => {
    const folder = await reportsFolder();
    const file = path.join(folder, 'no-folder');
    await fs.writeFile(file, '');
    await configure({ 'reports.folder': file });
    await signIn(await instantReports());
    const failed = await failure(command('scorecard.startDetailedReport'), 'download');
    assert.match(failed.message, /scorecard\.reports\.folder/);
    await configure({ 'reports.folder': folder });
    const [record] = await command('scorecard.listReports');
    assert.equal((await command('scorecard.retryReport', { id: record?.id })).state, 'ready');
  });

  it('A report that fails to start because nobody is signed in leaves no state file', async () => {
    await failure(command('scorecard.startFullReport'), 'config');
    await failure(command('scorecard.startDetailedReport'), 'config');
    assert.deepEqual(await command('scorecard.listReports'), []);
  });
});

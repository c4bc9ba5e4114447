import * as assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { TestServer } from '../../../helpers/testServer';
import { command, configure, failure, isolate } from '../../helpers';
import { until } from '../../until';
import {
  postsOf,
  reportIn,
  reportService,
  sendProcessing,
  sendReport,
  slowReports,
} from './reportService';
import { server, signIn } from '../../services';

describe('A report that Sign Out interrupts', () => {
  isolate();

  it('A report that Sign Out interrupts continues after the next Sign In, without a second POST', async () => {
    const { service, finish } = await slowReports();
    await signIn(service);
    const started = Promise.allSettled([command('scorecard.startFullReport')]);
    const id = await reportIn('generating');
    await command('scorecard.signOut');
    const [left] = await started;
    assert.equal(left.status, 'rejected');
    finish();
    await signIn(service);
    assert.equal(await reportIn('ready'), id);
    assert.equal(postsOf(service), 1);
  });

  for (const [sameAccount, what] of [
    [false, 'waits for its account, and is never polled with the key of another account'],
    [true, 'continues with a new key of the same account'],
  ] as const) {
    it(what, async () => {
      let isReady = false;
      const polls: (string | undefined)[] = [];
      const service = await reportService((request, response) => {
        polls.push(request.headers.authorization);
        if (isReady) {
          sendReport(response);
        } else {
          sendProcessing(response);
        }
      });
      await signIn(service, 'first');
      void Promise.allSettled([command('scorecard.startFullReport')]);
      const id = await reportIn('generating');
      await until('it is polled', () => polls.length > 0);
      // Not before: a poll with the first key may be in progress.
      await signIn(service, 'second', { sameAccount });
      isReady = true;
      if (!sameAccount) {
        // The report of the second account comes first; that of the first account does not continue.
        const second = await command('scorecard.startFullReport');
        assert.equal(second.state, 'ready');
        const reports = await command('scorecard.listReports');
        assert.equal(reports.find((report) => report.id === id)?.state, 'generating');
        await failure(command('scorecard.retryReport', { id }), 'config');
        await signIn(service, 'first');
      }
      await until('it is ready', async () =>
        (await command('scorecard.listReports')).every(({ state }) => state === 'ready'),
      );
      assert.deepEqual(
        [polls.at(-1), postsOf(service)],
        sameAccount ? ['Token second', 1] : ['Token first', 2],
      );
      assert.equal(polls.filter((key) => key === 'Token second').length, 1);
    });
  }

  it('A report that Sign Out interrupts says that its request was interrupted when a new key comes before the response', async () => {
    const service = await server(() => undefined);
    await signIn(service, 'first');
    void Promise.allSettled([command('scorecard.startFullReport')]);
    await until('it is requested', () => service.requests.length === 1);
    await signIn(service, 'second', { sameAccount: true });
    await reportIn('failed');
    const [report] = await command('scorecard.listReports');
    assert.equal(
      report?.error?.message,
      'The request was interrupted before its answer was saved. The service may have accepted the request. Retry requests the report again.',
    );
    assert.equal(service.requests.length, 1);
  });

  it('A report that Sign Out interrupts waits while another service is signed in to, and neither service gets the key of the other', async () => {
    let isReady = false;
    const download = (_: unknown, response: ServerResponse) => {
      if (isReady) {
        sendReport(response);
      } else {
        sendProcessing(response);
      }
    };
    const first = await reportService(download);
    const second = await reportService(download);
    await configure({ 'reports.openWhenReady': false });
    await signIn(first, 'first');
    void Promise.allSettled([command('scorecard.startFullReport')]);
    const id = await reportIn('generating');
    await until('it is polled', () => first.requests.length > 1);
    await signIn(second, 'second');
    const other = command('scorecard.startFullReport');
    await until('the other is polled', () => second.requests.length > 2);
    const asked = first.requests.length;
    isReady = true;
    assert.equal((await other).state, 'ready');
    assert.equal(first.requests.length, asked);
    const reports = await command('scorecard.listReports');
    assert.equal(reports.find((report) => report.id === id)?.state, 'generating');

    await signIn(first, 'first');
    await until('it is ready', async () =>
      (await command('scorecard.listReports')).every(({ state }) => state === 'ready'),
    );
    const keys = ({ requests }: TestServer) => [
      ...new Set(requests.map(({ headers }) => headers.authorization)),
    ];
    assert.deepEqual([keys(first), keys(second)], [['Token first'], ['Token second']]);
    assert.deepEqual([postsOf(first), postsOf(second)], [1, 1]);
  });
});

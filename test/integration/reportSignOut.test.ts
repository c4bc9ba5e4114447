import * as assert from 'node:assert/strict';
import { command, failure, isolate, until } from './helpers';
import { postsOf, reportIn, reportService, sendProcessing, sendReport } from './reportService';
import { signIn } from './services';

describe('A report that is left by Sign Out', () => {
  isolate();

  it('goes on after the next Sign In, without being asked for again', async () => {
    let isReady = false;
    const service = await reportService((_, response) => {
      if (isReady) {
        sendReport(response);
      } else {
        sendProcessing(response);
      }
    });
    await signIn(service);
    const started = Promise.allSettled([command('scorecard.startFullReport')]);
    const id = await reportIn('generating');
    await command('scorecard.signOut');
    const [left] = await started;
    assert.equal(left.status, 'rejected');
    isReady = true;
    await signIn(service);
    assert.equal(await reportIn('ready'), id);
    assert.equal(postsOf(service), 1);
  });

  for (const [sameAccount, what] of [
    [false, 'waits for its account, and is never polled with the key of another one'],
    [true, 'goes on with a new key of the same account'],
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
      // Not before: a poll with the first key may be on its way.
      await signIn(service, 'second', { sameAccount });
      isReady = true;
      if (!sameAccount) {
        // One of the second account comes first; that of the first one does not move.
        const second = await command('scorecard.startFullReport');
        assert.equal(second?.state, 'ready');
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
});

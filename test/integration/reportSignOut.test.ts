import * as assert from 'node:assert/strict';
import { command, isolate } from './helpers';
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
});

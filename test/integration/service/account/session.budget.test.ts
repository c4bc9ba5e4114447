import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { command, configure, failure, isolate } from '../../helpers';
import { demo, halvorsen, signIn } from '../../services';

const list = { scorecardId: halvorsen, issueType: 'open_port' };

describe('The request budget of a key', () => {
  isolate();
  afterEach(() => {
    mock.restoreAll();
  });

  it('The request budget of a key is not renewed when the system clock jumps ahead by more than the uptime', async () => {
    const service = await demo();
    await configure({ requestsPerHour: 3 });
    await signIn(service);
    for (let page = 1; page <= 3; page += 1) {
      await command('scorecard.loadMore', list);
    }
    const jumpMs = Number(process.hrtime.bigint() / 1_000_000n) + 5e7;
    const { now } = Date;
    mock.method(Date, 'now', () => now() + jumpMs);
    // A new window reads what was sent; so does whoever signs in again.
    await command('scorecard.signOut');
    await signIn(service);
    const budget = await command('scorecard.showRequestBudget');
    assert.deepEqual([budget.used, budget.remaining], [3, 0]);
    await failure(command('scorecard.loadMore', list), 'rateLimited');
    assert.equal(service.requests.length, 3);
  });
});

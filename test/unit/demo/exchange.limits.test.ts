import assert from 'node:assert/strict';
import type { DemoServiceOptions } from '../../../src/demo/demoService';
import { RollingLimit } from '../../../src/demo/http/exchange';
import { FakeClock } from '../../helpers/fakeClock';
import { deepIt } from '../../helpers/property';
import { call, closeServices, post, refused, start } from './client';

const hourMs = 3_600_000;

describe('The rate limit of the demo service', () => {
  afterEach(closeServices);

  it('The rate limit of the demo service counts over a rolling window', () => {
    const clock = new FakeClock();
    const limit = new RollingLimit(3, 10_000, clock);
    assert.equal(limit.reserve(), 0);
    clock.advance(4000);
    assert.deepEqual([limit.reserve(), limit.reserve()], [0, 0]);
    assert.equal(limit.reserve(), 6);
    clock.advance(5001);
    assert.equal(limit.reserve(), 1, 'rounded up');
    clock.advance(999);
    assert.equal(limit.reserve(), 0, 'a refused request does not count');
    assert.equal(limit.reserve(), 4);
  });

  it('The rate limit of the demo service ignores changes of the wall clock', () => {
    const clock = new FakeClock();
    const limit = new RollingLimit(1, 10_000, clock);
    limit.reserve();
    clock.jump(-hourMs);
    assert.equal(limit.reserve(), 10);
    clock.jump(10 * hourMs);
    assert.equal(limit.reserve(), 10);
  });

  /** @param batches of 50 requests, one a second, until the limit is reached. */
  async function useUp(batches: number, options: DemoServiceOptions): Promise<void> {
    const clock = new FakeClock();
    const service = await start({ clock, ...options });
    const ask = () => call(service, '/portfolios?size=1');
    for (let batch = 0; batch < batches; batch++) {
      const answers = await Promise.all(Array.from({ length: 50 }, ask));
      await Promise.all(answers.map((answer) => answer.text()));
      assert.ok(answers.every(({ status }) => status === 200));
      clock.advance(1000);
    }
    const over = await ask();
    assert.equal(over.headers.get('retry-after'), String(3600 - batches));
    assert.equal((await refused(over, 429)).key, 'rate_limit_exceeded');
    clock.advance(hourMs - batches * 1000 - 1);
    const almost = await ask();
    assert.equal(almost.headers.get('retry-after'), '1');
    await refused(almost, 429);
    clock.advance(1);
    assert.equal((await ask()).status, 200);
  }

  it('The rate limit of the demo service allows a number of requests per hour, then responds with 429 and Retry-After', () =>
    useUp(10, { requestsPerHour: 500 }));

  deepIt('The rate limit of the demo service allows 5,000 requests by default', () =>
    useUp(100, {}),
  );

  it('The rate limit of the demo service counts requests that fail, but not those without the key', async () => {
    const service = await start({ requestsPerHour: 2 });
    await refused(await fetch(service.baseUrl), 401);
    await refused(await call(service, '/nothing'), 404);
    assert.equal((await call(service, '/companies')).status, 200);
    await refused(await call(service, '/companies'), 429);
  });

  it('The rate limit of the demo service is separate for detailed reports', async () => {
    const clock = new FakeClock();
    const service = await start({ clock });
    const ask = () => post(service, '/reports/detailed');
    assert.equal((await ask()).status, 200);
    clock.advance(20_500);
    assert.equal((await ask()).status, 200);
    const over = await ask();
    assert.equal(over.headers.get('retry-after'), '40');
    await refused(over, 429);
    assert.equal((await post(service, '/reports/full-dump')).status, 200);
    assert.equal((await call(service, '/companies')).status, 200);
    clock.advance(39_500);
    assert.equal((await ask()).status, 200);
  });

  it('The rate limit of the demo service can be set by options', async () => {
    const clock = new FakeClock();
    const service = await start({ clock, detailedPerWindow: 1 });
    assert.equal((await post(service, '/reports/detailed')).status, 200);
    const over = await post(service, '/reports/detailed');
    assert.equal(over.headers.get('retry-after'), '60');
  });
});

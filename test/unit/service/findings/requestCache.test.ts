import assert from 'node:assert/strict';
import { NotFoundError, ServerError } from '../../../../src/api/http/errors';
import { RequestCache } from '../../../../src/service/findings/requestCache';

describe('A cache of requests', () => {
  it('A cache of requests keeps a value when a later request for it fails', async () => {
    let now = 0;
    const cache = new RequestCache<number>(() => now);
    const load = (request: () => Promise<number>) => cache.loadIfDue('a', request);
    assert.equal(await load(() => Promise.reject(new NotFoundError('none'))), undefined);
    assert.equal(await load(() => Promise.resolve(1)), undefined, 'not yet due');
    now += 3_600_000;
    assert.equal(await load(() => Promise.resolve(2)), 2);
    now += 3_600_000;
    assert.equal(await load(() => Promise.reject(new ServerError('down'))), 2);
    assert.equal(cache.get('a'), 2);
    now += 60_000;
    assert.equal(await load(() => Promise.resolve(3)), 3, 'due soon after a failure that may pass');
  });
});

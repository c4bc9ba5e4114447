import assert from 'node:assert/strict';
import { CancelledError } from '../../../../src/base/cancelledError';
import { RecentReports } from '../../../../src/api/services/recentReports';
import type { CallOptions, CollectionPage, Wait } from '../../../../src/api/types';
import { FakeClock } from '../../../helpers/fakeClock';

describe('The request for recent reports', () => {
  it('The request for recent reports tells all who wait for it about its wait, until they are cancelled', async () => {
    let report: CallOptions['onWait'];
    let answer: (page: CollectionPage) => void = () => undefined;
    const api = {
      collectionPage: (_query: unknown, { onWait }: CallOptions = {}) => {
        report = onWait;
        return new Promise<CollectionPage>((resolve) => (answer = resolve));
      },
    };
    const recent = new RecentReports(api, new FakeClock());
    const told: [string, Wait | undefined][] = [];
    const find = (name: string, signal?: AbortSignal) =>
      recent.find('1', {
        onWait: (wait) => told.push([name, wait]),
        ...(signal ? { signal } : {}),
      });
    const abort = new AbortController();
    const first = find('first', abort.signal);
    const second = find('second');
    const wait: Wait = { reason: 'limit', until: 5 };
    report?.(wait);
    assert.deepEqual(told, [
      ['first', wait],
      ['second', wait],
    ]);
    abort.abort();
    await assert.rejects(first, CancelledError);
    report?.(undefined);
    assert.deepEqual(told.slice(2), [['second', undefined]]);
    answer({ entries: [{ id: 1 }], url: 'https://a.example/1', link: { isMalformed: false } });
    assert.deepEqual(await second, { id: 1 });
    report?.(wait);
    assert.equal(told.length, 3);
  });
});

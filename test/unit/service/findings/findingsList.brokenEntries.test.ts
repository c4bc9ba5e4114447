import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json/json';
import { FindingsList } from '../../../../src/service/findings/findingsList';
import { scorecardId } from './support';

describe('A page whose entry throws an error', () => {
  const broken = new Error('broken entry');
  const entry = Object.defineProperty({}, 'issue_id', {
    get: () => {
      throw broken;
    },
  }) as JsonObject;

  it('A page whose entry throws an error fails the call that requested it, and is requested again by the next', async () => {
    const answers: JsonObject[][] = [[entry], [{ issue_id: 'a' }]];
    const list = new FindingsList(scorecardId, 'open_port', {
      fetchPage: ({ offset, limit }) =>
        Promise.resolve({ entries: answers.shift() ?? [], offset, limit, hasMore: false }),
      pageSize: () => 100,
      now: () => 0,
    });
    await assert.rejects(list.loadMore(), broken);
    assert.deepEqual(list.state, { type: 'failed', task: 'more', error: broken });
    assert.deepEqual(await list.loadMore(), { loaded: 1, hasMore: false });
  });

  it('A page whose entry throws an error ends a Load All', async () => {
    const list = new FindingsList(scorecardId, 'open_port', {
      fetchPage: ({ offset, limit }) =>
        Promise.resolve({ entries: [entry], offset, limit, hasMore: true, totalCount: 1000 }),
      pageSize: () => 10,
      now: () => 0,
    });
    await assert.rejects(list.loadAll(), broken);
  });

  it('A page whose entry throws an error is requested again by the next Load All', async () => {
    const answers: JsonObject[][] = [[entry], [{ issue_id: 'a' }]];
    const list = new FindingsList(scorecardId, 'open_port', {
      fetchPage: ({ offset, limit }) =>
        Promise.resolve({ entries: answers.shift() ?? [], offset, limit, hasMore: false }),
      pageSize: () => 100,
      now: () => 0,
    });
    await assert.rejects(list.loadAll(), broken);
    assert.deepEqual(await list.loadAll(), { loaded: 1, hasMore: false });
  });

  it('A page whose entry throws an error fails its call when a listener throws, too', async () => {
    const list = new FindingsList(scorecardId, 'open_port', {
      fetchPage: ({ offset, limit }) =>
        Promise.resolve({ entries: [{ issue_id: 'a' }], offset, limit, hasMore: false }),
      pageSize: () => 100,
      now: () => 0,
    });
    list.onDidChange(() => {
      if (list.isLoaded) {
        throw broken;
      }
    });
    await assert.rejects(list.loadMore(), broken);
    assert.deepEqual(await list.loadMore(), { loaded: 1, hasMore: false });
  });
});

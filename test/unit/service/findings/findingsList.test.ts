import assert from 'node:assert/strict';
import { CancelledError } from '../../../../src/base/cancelledError';
import { ServerError } from '../../../../src/api/http/errors';
import type { FindingsPage } from '../../../../src/api/types';
import type { JsonObject } from '../../../../src/base/json/json';
import { startDemoService } from '../../../../src/demo/demoService';
import { FindingsList } from '../../../../src/service/findings/findingsList';
import type { FetchPage } from '../../../../src/service/lists/listPages';
import { FakeClock } from '../../../helpers/fakeClock';
import { Cleanup, clientFor, collect, Gate, scorecardId } from './support';

type Answer = Partial<FindingsPage> | Error | Promise<Partial<FindingsPage>>;

/** A service that sends the responses of a test, and records its requests. */
class Script {
  readonly offsets: number[] = [];
  readonly limits: number[] = [];
  readonly signals: AbortSignal[] = [];
  readonly clock = new FakeClock();
  answers: Answer[] = [];
  limit = 2;

  readonly fetch: FetchPage = async ({ offset, limit }, { signal }) => {
    this.offsets.push(offset);
    this.limits.push(limit);
    this.signals.push(signal);
    const answer = this.answers.shift();
    assert.ok(answer, 'more requests than expected');
    const page = await answer;
    if (page instanceof Error) {
      throw page;
    }
    return { entries: [], hasMore: false, offset, limit, ...page };
  };

  list(...answers: Answer[]): FindingsList {
    this.answers = answers;
    return this.listOf(this.fetch);
  }

  listOf(fetchPage: FetchPage): FindingsList {
    const { clock } = this;
    return new FindingsList(scorecardId, 'open_port', {
      fetchPage,
      pageSize: () => this.limit,
      now: () => clock.now(),
    });
  }
}

const entries = (...ids: string[]): JsonObject[] => ids.map((id) => ({ issue_id: id }));
const ids = (list: FindingsList) => list.rows.map((row) => row.entry.issue_id);
const failed = () => new ServerError('The service failed: 500', { status: 500 });

describe('A findings list', () => {
  let script: Script;
  const cleanup = new Cleanup();

  beforeEach(() => {
    script = new Script();
  });
  afterEach(() => cleanup.run());

  it('A findings list loads page after page from the demo service, and ends when has_more is false', async () => {
    const limits: number[] = [];
    const service = await startDemoService({
      onRequest: ({ query }) => limits.push(Number(query.get('offset'))),
    });
    cleanup.add(() => service.close());
    const client = cleanup.own(clientFor(service.baseUrl, service.apiKey));
    const issueType = 'csp_no_policy_v2';
    const list = new FindingsList(scorecardId, issueType, {
      fetchPage: (range, options) =>
        client.findingsPage({ scorecardId, issueType, ...range }, options),
      pageSize: () => 100,
      now: () => Date.now(),
    });
    assert.deepEqual(await list.loadFirst(), { loaded: 100, total: 250, hasMore: true });
    assert.deepEqual(await list.loadFirst(), { loaded: 100, total: 250, hasMore: true });
    assert.deepEqual(await list.loadMore(), { loaded: 200, total: 250, hasMore: true });
    assert.deepEqual(await list.loadMore(), { loaded: 250, total: 250, hasMore: false });
    assert.deepEqual(await list.loadMore(), { loaded: 250, total: 250, hasMore: false });
    assert.deepEqual(limits, [0, 100, 200]);
    assert.deepEqual(
      list.rows.map((row) => row.number),
      Array.from({ length: 250 }, (_, index) => index + 1),
    );
    assert.equal(new Set(list.rows.map((row) => row.key)).size, 250);
  });

  it('A findings list finds a finding by its key: among its rows, or with one request for the page at its number', async () => {
    const list = script.list(
      { entries: entries('a', 'b'), hasMore: true },
      { entries: entries('x', 'y'), hasMore: true, totalCount: 2_000 },
      { entries: entries('c'), hasMore: true },
      failed(),
    );
    await list.loadMore();
    assert.equal((await list.find('b', 1_234))?.number, 2);
    assert.deepEqual(script.offsets, [0]);
    assert.equal((await list.find('y', 1_234))?.number, 1_004);
    assert.deepEqual(
      [script.offsets, script.limits],
      [
        [0, 1_002],
        [2, 500],
      ],
    );
    // Another one is loaded there: the list has shifted, so the next page is loaded.
    assert.equal((await list.find('c', 1))?.number, 3);
    assert.deepEqual(script.offsets, [0, 1_002, 2]);
    await assert.rejects(list.find('z', 1_800), ServerError);
    assert.deepEqual(list.state, { type: 'idle' });
  });

  it('A findings list sends no request for a finding that a complete list does not have', async () => {
    const list = script.list({ entries: entries('a', 'b'), hasMore: false });
    await list.loadMore();
    assert.equal(await list.find('c', 2), undefined);
    assert.equal(await list.find('c', 70), undefined);
    assert.deepEqual(script.offsets, [0]);
  });

  it('A findings list continues at the offset plus the requested limit, however many entries a page has', async () => {
    const list = script.list(
      { entries: entries('a'), hasMore: true },
      { entries: entries('b', 'c'), hasMore: false },
    );
    await list.loadMore();
    await list.loadMore();
    assert.deepEqual(script.offsets, [0, 2]);
    assert.deepEqual(
      list.rows.map((row) => row.number),
      [1, 3, 4],
    );
  });

  it('A findings list continues after an empty page when has_more is true, and reports that it was empty', async () => {
    const list = script.list(
      { entries: entries('a'), hasMore: true },
      { entries: [], hasMore: true },
      { entries: entries('b'), hasMore: false },
    );
    await list.loadMore();
    assert.equal(list.lastPageEmpty, false);
    assert.deepEqual(await list.loadMore(), { loaded: 1, hasMore: true });
    assert.equal(list.lastPageEmpty, true);
    assert.deepEqual(await list.loadMore(), { loaded: 2, hasMore: false });
    assert.equal(list.lastPageEmpty, false);
  });

  it('A findings list is loaded and complete when its first and last page is empty', async () => {
    const list = script.list({ totalCount: 0 });
    assert.equal(list.isLoaded, false);
    assert.deepEqual(await list.loadMore(), { loaded: 0, total: 0, hasMore: false });
    assert.equal(list.isLoaded, true);
    assert.equal(list.lastPageEmpty, false);
  });

  it('A findings list has the total that was reported last', async () => {
    const list = script.list(
      { totalCount: 9, hasMore: true },
      { hasMore: true },
      { totalCount: 3, hasMore: false },
    );
    assert.equal((await list.loadMore()).total, 9);
    assert.equal((await list.loadMore()).total, 9);
    assert.equal((await list.loadMore()).total, 3);
  });

  it('A findings list has no request in flight after a refresh has failed', async () => {
    script.limit = 1;
    // However many turns lie between the failure and a page that arrives with it.
    for (let turns = 0; turns < 12; turns += 1) {
      const gates = new Map<number, Gate>();
      let isSlow = false;
      const open = new Map<number, AbortSignal>();
      const list = script.listOf(async ({ offset, limit }, { signal }) => {
        signal.throwIfAborted();
        if (isSlow) {
          const gate = new Gate();
          gates.set(offset, gate);
          open.set(offset, signal);
          await gate.promise.finally(() => open.delete(offset));
        }
        const found = [{ issue_id: offset }];
        return { entries: found, offset, limit, hasMore: offset < 19, totalCount: 20 };
      });
      await list.loadAll();
      isSlow = true;
      const refreshed = assert.rejects(list.refresh(), ServerError);
      await new Promise(setImmediate);
      gates.get(0)?.fail(failed());
      for (let turn = 0; turn < turns; turn += 1) {
        await Promise.resolve();
      }
      gates.get(1)?.open();
      await refreshed;
      await new Promise(setImmediate);
      const going = [...open].filter(([, signal]) => !signal.aborted);
      assert.deepEqual(going, [], `${turns} turns`);
    }
  });

  it('A findings list has one row for a finding that is served twice', async () => {
    const list = script.list(
      { entries: entries('a', 'b'), hasMore: true },
      { entries: entries('b', 'c'), hasMore: false },
    );
    await list.loadMore();
    await list.loadMore();
    assert.deepEqual(ids(list), ['a', 'b', 'c']);
    assert.equal(list.rows[2]?.number, 4);
  });

  it('A findings list holds different findings with one id, and an equal one once', async () => {
    const a = { issue_id: 'same', host: 'a' };
    const b = { issue_id: 'same', host: 'b' };
    const list = script.list(
      { entries: [a, b], hasMore: true },
      { entries: [{ issue_id: 'other' }, b], hasMore: true },
      { entries: [a], hasMore: false },
    );
    await list.loadMore();
    assert.equal(list.result.loaded, 2);
    await list.loadMore();
    assert.equal(list.result.loaded, 3);
    await list.loadMore();
    assert.equal(list.result.loaded, 3);
    assert.equal(list.duplicates, 2);
    list.filter.set('host:b');
    assert.deepEqual(
      list.shownRows.map(({ entry }) => entry),
      [b],
    );
    // Each is found under all of its numbers, and by its key.
    for (const [number, entry] of [a, b, { issue_id: 'other' }, b, a].entries()) {
      const row = await list.goTo(number + 1);
      assert.deepEqual(row.entry, entry);
      assert.equal(list.rowOf(row.key), row);
    }
    // Another program knows only the id and the number.
    assert.deepEqual((await list.find('same', 2))?.entry, b);
    assert.deepEqual((await list.find('same', 3))?.entry, a);
  });

  it('A findings list finds a loaded finding while a refresh is in flight', async () => {
    const page = new Gate<Partial<FindingsPage>>();
    const list = script.list({ entries: entries('a') }, page.promise);
    await list.loadMore();
    const refreshed = list.refresh();
    const [row] = list.rows;
    assert.ok(row);
    let found: unknown;
    const finding = list.find('a', 1).then((result) => {
      found = result;
    });
    // After all that is settled now.
    await new Promise(setImmediate);
    const foundMeanwhile = found;
    page.open({ entries: entries('a') });
    await Promise.all([refreshed, finding]);
    assert.equal(foundMeanwhile, row);
  });

  it('A findings list finds a finding by its key and number, whichever pages are loaded', async () => {
    const pages = [
      [{ ip: 'x' }, { issue_id: 'same', host: 'a' }],
      [{ ip: 'x' }, { issue_id: 'same', host: 'b' }],
    ].map((each) => ({ entries: each, hasMore: true }));
    const before = script.list(...pages);
    await before.loadMore();
    await before.loadMore();
    assert.equal(before.result.loaded, 4);
    for (const { key, number, entry } of before.rows) {
      const page = pages[number > 2 ? 1 : 0];
      const other = script.list(...(page ? [page] : []));
      await other.goTo(number);
      const found = await other.find(key, number);
      assert.deepEqual([found?.entry, found?.number], [entry, number]);
    }
    const shifted = script.list({ entries: [{ ip: 'y' }, { issue_id: 'other' }], hasMore: false });
    for (const { key, number } of before.rows.slice(0, 2)) {
      assert.equal(await shifted.find(key, number), undefined);
    }
  });

  it('A findings list has a row for each of several equal entries without an id, with the same keys after a refresh', async () => {
    const page = { entries: [{ ip: 'x' }, { ip: 'x' }, { issue_id: '' }, { issue_id: 7 }] };
    const list = script.list(page, page);
    await list.loadMore();
    const keys = list.rows.map((row) => row.key);
    assert.equal(new Set(keys).size, 4);
    assert.equal(keys[3], '7');
    await list.refresh();
    assert.deepEqual(
      list.rows.map((row) => row.key),
      keys,
    );
  });

  it('A findings list sends one request for several simultaneous calls', async () => {
    const page = new Gate<Partial<FindingsPage>>();
    const list = script.list(page.promise);
    const loads = [list.loadFirst(), list.loadMore(), list.loadMore()];
    assert.equal(list.state.type, 'loading');
    page.open({ entries: entries('a') });
    assert.deepEqual(await Promise.all(loads), Array(3).fill({ loaded: 1, hasMore: false }));
    assert.deepEqual(script.offsets, [0]);
    assert.deepEqual(list.state, { type: 'idle' });
  });

  it('A findings list keeps its rows when a page fails, and requests the same page again', async () => {
    const error = failed();
    const list = script.list({ entries: entries('a', 'b'), hasMore: true }, error, {
      entries: entries('c'),
    });
    await list.loadMore();
    await assert.rejects(list.loadMore(), error);
    assert.deepEqual(list.state, { type: 'failed', task: 'more', error });
    assert.deepEqual(ids(list), ['a', 'b']);
    await list.loadMore();
    assert.deepEqual(ids(list), ['a', 'b', 'c']);
    assert.deepEqual(script.offsets, [0, 2, 2]);
    assert.deepEqual(list.state, { type: 'idle' });
  });

  it('A findings list has a state that shows what it waits for', async () => {
    const waits: unknown[] = [];
    const wait = { reason: 'limit', until: 5 } as const;
    const answer = script.fetch;
    script.answers = [{}];
    const list: FindingsList = script.listOf((range, options) => {
      const { onWait } = options;
      onWait(wait);
      waits.push(list.state);
      onWait(undefined);
      waits.push(list.state);
      return answer(range, options);
    });
    await list.loadMore();
    assert.deepEqual(waits, [
      { type: 'loading', task: 'more', wait },
      { type: 'loading', task: 'more' },
    ]);
  });

  it('A findings list fires an event after every change of its rows or state', async () => {
    const list = script.list({ entries: entries('a') }, failed());
    const states: string[] = [];
    list.onDidChange(() => states.push(`${list.state.type} ${list.rows.length}`));
    await list.loadMore();
    await assert.rejects(list.refresh());
    assert.deepEqual(states, ['loading 0', 'idle 1', 'loading 1', 'failed 1']);
  });

  describe('on refresh', () => {
    it('A findings list on refresh keeps the old rows until all new rows have arrived', async () => {
      const second = new Gate<Partial<FindingsPage>>();
      const list = script.list(
        { entries: entries('a', 'b'), hasMore: true },
        { entries: entries('c'), hasMore: true },
        { entries: entries('A', 'B'), hasMore: true },
        second.promise,
      );
      await list.loadMore();
      await list.loadMore();
      const refreshed = list.refresh();
      second.open({ entries: entries('C'), hasMore: true, totalCount: 9 });
      assert.deepEqual(ids(list), ['a', 'b', 'c']);
      assert.deepEqual(await refreshed, { loaded: 3, hasMore: true, total: 9 });
      assert.deepEqual(ids(list), ['A', 'B', 'C']);
      assert.deepEqual(script.offsets, [0, 2, 0, 2]);
    });

    it('A findings list on refresh loads as many rows as before after the page size has changed', async () => {
      const list = script.list(
        { entries: entries('a', 'b', 'c', 'd'), hasMore: true },
        { entries: entries('a', 'b'), hasMore: true },
        { entries: entries('c', 'd'), hasMore: true },
      );
      script.limit = 4;
      await list.loadMore();
      script.limit = 2;
      assert.deepEqual(await list.refresh(), { loaded: 4, hasMore: true });
      assert.deepEqual(script.offsets, [0, 0, 2]);
    });

    it('A findings list on refresh keeps the old rows when the refresh fails', async () => {
      const error = failed();
      const list = script.list(
        { entries: entries('a', 'b'), hasMore: true },
        { entries: entries('c', 'd'), hasMore: true },
        { entries: entries('A', 'B'), hasMore: true },
        error,
        { entries: entries('e') },
      );
      await list.loadMore();
      await list.loadMore();
      await assert.rejects(list.refresh(), error);
      assert.deepEqual(ids(list), ['a', 'b', 'c', 'd']);
      assert.deepEqual(list.state, { type: 'failed', task: 'refresh', error });
      await list.loadMore();
      assert.deepEqual(ids(list), ['a', 'b', 'c', 'd', 'e']);
    });

    it('A findings list on refresh drops the response to an earlier request, and gives its caller the new result', async () => {
      const stale = new Gate<Partial<FindingsPage>>();
      const fresh = new Gate<Partial<FindingsPage>>();
      const list = script.list(stale.promise, fresh.promise);
      const first = list.loadMore();
      await Promise.resolve();
      const refreshed = list.refresh();
      assert.equal(script.signals[0]?.aborted, true);
      stale.open({ entries: entries('old'), hasMore: true });
      fresh.open({ entries: entries('new') });
      assert.deepEqual(await first, { loaded: 1, hasMore: false });
      assert.deepEqual(await refreshed, { loaded: 1, hasMore: false });
      assert.deepEqual(ids(list), ['new']);
    });

    it('A findings list on refresh does not fail when the earlier request is cancelled', async () => {
      const stale = new Gate<Partial<FindingsPage>>();
      const list = script.list(stale.promise, { entries: entries('new') });
      const first = list.loadMore();
      await Promise.resolve();
      const refreshed = list.refresh();
      stale.fail(new CancelledError());
      assert.deepEqual(await first, { loaded: 1, hasMore: false });
      await refreshed;
      assert.deepEqual(list.state, { type: 'idle' });
    });

    it('A findings list on refresh loads nothing more for a Load All that is cancelled in the meantime', async () => {
      const list = script.list(
        { entries: entries('a', 'b'), hasMore: true },
        { entries: entries('A', 'B'), hasMore: true },
      );
      await list.loadMore();
      const refreshed = list.refresh();
      const abort = new AbortController();
      const loading = list.loadAll(abort.signal);
      abort.abort();
      await assert.rejects(loading, CancelledError);
      await refreshed;
      assert.deepEqual(script.offsets, [0, 0]);
    });

    it('A findings list on refresh loads the next page for a Load More in the meantime', async () => {
      const list = script.list(
        { entries: entries('a', 'b'), hasMore: true },
        { entries: entries('A', 'B'), hasMore: true },
        { entries: entries('C') },
      );
      await list.loadMore();
      const refreshed = list.refresh();
      const more = await Promise.all([list.loadMore(), list.loadMore()]);
      await refreshed;
      assert.deepEqual(more, Array(2).fill({ loaded: 3, hasMore: false }));
      assert.deepEqual(script.offsets, [0, 0, 2]);
    });
  });

  describe('when it is disposed', () => {
    it('A findings list when it is disposed cancels its request, and ignores the response', async () => {
      const page = new Gate<Partial<FindingsPage>>();
      const list = script.list(page.promise);
      const fired = collect(list.onDidChange);
      const load = list.loadMore();
      await Promise.resolve();
      list.dispose();
      assert.equal(script.signals[0]?.aborted, true);
      page.open({ entries: entries('a') });
      await assert.rejects(load, CancelledError);
      assert.equal(list.rows.length, 0);
      assert.equal(fired.length, 1);
    });

    it('A findings list when it is disposed sends no request, which would go to another account', async () => {
      const list = script.list();
      list.dispose();
      await assert.rejects(list.loadMore(), CancelledError);
      await assert.rejects(list.refresh(), CancelledError);
      assert.deepEqual(script.offsets, []);
    });
  });
});

import assert from 'node:assert/strict';
import { CancelledError } from '../../../../src/base/cancelledError';
import {
  BadRequestError,
  ForbiddenError,
  ProtocolError,
  ServerError,
} from '../../../../src/api/http/errors';
import type { FindingsPage } from '../../../../src/api/types';
import { CollectionList } from '../../../../src/service/collections/collectionList';
import { FindingsList } from '../../../../src/service/findings/findingsList';
import type { FetchPage } from '../../../../src/service/lists/listPages';
import { until } from '../../api/support';
import { scorecardId } from '../findings/support';

const size = 10;

/** A list of pages of ten, with the offsets that were requested. */
function listOf(pageAt: (offset: number) => Partial<FindingsPage> | Error) {
  const requested: number[] = [];
  const list = new FindingsList(scorecardId, 'open_port', {
    fetchPage: ({ offset, limit }) => {
      requested.push(offset);
      const page = pageAt(offset);
      return page instanceof Error
        ? Promise.reject(page)
        : Promise.resolve({ entries: [], hasMore: true, offset, limit, ...page });
    },
    pageSize: () => size,
    loadAllPageSize: size,
    now: () => 0,
  });
  return { list, requested };
}

const pageFrom = (offset: number) =>
  Array.from({ length: size }, (_, index) => ({ issue_id: `id-${offset + index}` }));

describe('Load All', () => {
  const listOf = (fetchPage: FetchPage) =>
    new FindingsList(scorecardId, 'open_port', {
      fetchPage,
      pageSize: () => size,
      loadAllPageSize: size,
      now: () => 0,
    });

  it('Load All resumes where it was cancelled, each time, and requests no page twice', async () => {
    const offsets: number[] = [];
    const list = listOf(({ offset, limit }) => {
      offsets.push(offset);
      const hasMore = offset + limit < 100;
      return Promise.resolve({
        entries: pageFrom(offset),
        offset,
        limit,
        hasMore,
        totalCount: 100,
      });
    });
    await list.loadMore();
    for (const end of [30, 60]) {
      const cancelled = list.loadAll();
      const stop = list.onDidChange(() => {
        if (list.result.loaded >= end) {
          list.cancelLoadAll();
        }
      });
      await assert.rejects(cancelled, CancelledError);
      stop.dispose();
    }
    const { loaded } = list.result;
    assert.ok(loaded >= 60 && loaded < 100, String(loaded));
    const requested = offsets.length;
    assert.deepEqual(await list.loadAll(), { loaded: 100, total: 100, hasMore: false });
    assert.equal(Math.min(...offsets.slice(requested)), loaded);
    assert.equal(offsets.length - requested, (100 - loaded) / size);
  });

  for (const refusal of [
    new BadRequestError('The offset is too large.', { status: 400 }),
    new ServerError('The service failed.', { status: 500 }),
  ]) {
    it(`Load All and Refresh end where the list ends that has become shorter (${refusal.name})`, async () => {
      let total = 400;
      const list = listOf(async ({ offset, limit }) => {
        if (offset >= total) {
          throw refusal;
        }
        const hasMore = offset + limit < total;
        if (!hasMore) {
          // Arrives after the refusals of later offsets.
          await new Promise(setImmediate);
        }
        const entries = pageFrom(offset).slice(0, total - offset);
        return { entries, offset, limit, hasMore, totalCount: total };
      });
      await list.loadMore();
      total = 75;
      assert.deepEqual(await list.loadAll(), { loaded: 75, total, hasMore: false });
      assert.deepEqual(list.state, { type: 'idle' });
      total = 41;
      assert.deepEqual(await list.refresh(), { loaded: 41, total, hasMore: false });
      assert.deepEqual([list.state, list.gaps], [{ type: 'idle' }, []]);
    });
  }

  it('Load All adds pages that arrive while an earlier one hangs', async () => {
    let release: () => void = () => undefined;
    const list = listOf(async ({ offset, limit }) => {
      if (offset === 50) {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      return {
        entries: pageFrom(offset),
        offset,
        limit,
        hasMore: offset + limit < 1_000,
        totalCount: 1_000,
      };
    });
    const loading = list.loadAll();
    await until(() => list.result.loaded === 1_000 - size);
    release();
    assert.equal((await loading).loaded, 1_000);
  });

  it('Load All rejects where the list does not end before what is refused, and keeps what arrived', async () => {
    const refusal = new BadRequestError('The offset is too large.', { status: 400 });
    const list = listOf(async ({ offset, limit }) => {
      if (offset === 50) {
        throw refusal;
      }
      await new Promise(setImmediate);
      return { entries: pageFrom(offset), offset, limit, hasMore: true, totalCount: 400 };
    });
    await assert.rejects(list.loadAll(), refusal);
    assert.ok(list.result.loaded >= 50, String(list.result.loaded));
    assert.equal(list.gaps[0]?.error, refusal);
  });

  it('Load All ends only when has_more is false if the total is missing, zero or too small', async () => {
    for (const totalCount of [undefined, 0, 25]) {
      const offsets: number[] = [];
      const list = listOf(({ offset, limit }) => {
        offsets.push(offset);
        const entries = Array.from({ length: limit }, (_, at) => ({ issue_id: offset + at }));
        const count = totalCount === undefined ? {} : { totalCount };
        return Promise.resolve({ entries, offset, limit, hasMore: offset < 40, ...count });
      });
      assert.equal((await list.loadAll()).loaded, 50);
      assert.deepEqual(offsets, [0, 10, 20, 30, 40]);
    }
  });

  it('Load All gives up after twelve failures in a row, and goes on after fewer', async () => {
    const failure = new ServerError('The service failed.', { status: 500 });
    for (const failures of [11, 1_000]) {
      let requested = 0;
      const list = listOf(({ offset, limit }) => {
        requested += 1;
        return offset > 0 && offset <= failures * size
          ? Promise.reject(failure)
          : Promise.resolve({
              entries: pageFrom(offset),
              offset,
              limit,
              hasMore: offset + limit < 10_000,
              totalCount: 10_000,
            });
      });
      await assert.rejects(list.loadAll(), failure);
      if (failures === 11) {
        assert.deepEqual([requested, list.result.loaded], [1_000, 10_000 - 11 * size]);
      } else {
        assert.ok(requested >= 13 && requested <= 18, `${requested} requests`);
      }
    }
  });

  it('Load All fails when the service repeats its last page forever', async () => {
    for (const entries of [[{ issue_id: 1 }, { issue_id: 2 }], [{ port: 22 }]]) {
      let requested = 0;
      const list = listOf(({ offset, limit }) => {
        requested += 1;
        assert.ok(requested < 30, 'requests without an end');
        return Promise.resolve({ entries, offset, limit, hasMore: true, totalCount: 2 });
      });
      await assert.rejects(list.loadAll(), ProtocolError);
      assert.equal(requested, 21);
    }
  });

  it('Load All fails at the first error that concerns every page', async () => {
    let requested = 0;
    const list = listOf(() => {
      requested += 1;
      return Promise.reject(new ForbiddenError('No.', { status: 403 }));
    });
    await assert.rejects(list.loadAll(), ForbiddenError);
    assert.equal(requested, 1);
    assert.equal(list.gaps[0]?.error instanceof ForbiddenError, true);
  });

  it('Load All reports a changed total and duplicate findings', async () => {
    const list = listOf(({ offset, limit }) => {
      const shift = offset === 0 ? 0 : 2;
      const entries = Array.from({ length: limit }, (_, at) => ({ issue_id: offset + at - shift }));
      return Promise.resolve({
        entries,
        offset,
        limit,
        hasMore: offset === 0,
        totalCount: 18 + shift,
      });
    });
    await list.loadMore();
    assert.equal(list.totalChange, undefined);
    await list.loadMore();
    assert.deepEqual(list.totalChange, { from: 18, to: 20 });
    assert.equal(list.duplicates, 2);
    assert.equal(list.result.loaded, 18);
    assert.equal((await list.goTo(11)).number, 9, 'found under the number it has first');
  });
});

describe('Load All from a service without an end', () => {
  it('Load All from a service without an end stops at an invalid first page', async () => {
    const invalid = new ProtocolError('no page of findings');
    const { list, requested } = listOf(() => invalid);
    await assert.rejects(list.loadAll(), invalid);
    assert.deepEqual(requested, [0]);
  });

  it('Load All from a service without an end skips an invalid page after the first', async () => {
    const invalid = new ProtocolError('no page of findings');
    const { list, requested } = listOf((offset) =>
      offset === size
        ? invalid
        : { entries: pageFrom(offset), totalCount: 50, hasMore: offset < 40 },
    );
    await assert.rejects(list.loadAll(), invalid);
    assert.deepEqual([requested.length, list.rows.length], [5, 40]);
  });

  for (const [what, total] of [
    ['behind the count', size],
    ['where nothing is counted', undefined],
  ] as const) {
    it(`Load All from a service without an end stops after 20 empty pages in a row ${what}, and keeps the rows`, async () => {
      const { list, requested } = listOf((offset) => ({
        entries: offset === 0 ? pageFrom(0) : [],
        ...(total === undefined ? {} : { totalCount: total }),
      }));
      await assert.rejects(list.loadAll(), /keeps sending empty pages/);
      assert.deepEqual([requested.length, list.rows.length], [21, size]);
      await assert.rejects(list.loadAll(), ProtocolError);
      assert.deepEqual(
        [requested.length, requested.at(-1)],
        [41, 400],
        'it goes on where it stopped',
      );
    });

    it(`Load All from a service without an end stops after 20 repeated pages in a row ${what}`, async () => {
      const entries = [{ ip: 'x' }, { ip: 'y' }];
      for (const page of [pageFrom(0), entries]) {
        const { list, requested } = listOf(() => ({
          entries: page,
          ...(total === undefined ? {} : { totalCount: total }),
        }));
        await assert.rejects(list.loadAll(), /the same page again/);
        assert.ok(requested.length <= 22, `${requested.length} requests`);
      }
    });
  }

  it('Load All from a service without an end stops after 20 empty pages in a row after the last entries, whatever the total', async () => {
    const { list, requested } = listOf((offset) => ({
      entries: offset === 0 ? pageFrom(0) : [],
      totalCount: 1e12,
    }));
    await assert.rejects(list.loadAll(), /keeps sending empty pages/);
    assert.ok(requested.length <= 1 + 20 + 5, `${requested.length} requests`);
    assert.equal(list.rows.length, size);
  });

  it('Load All from a service without an end continues over any number of empty pages before loaded rows', async () => {
    const { list, requested } = listOf((offset) => ({
      entries: offset === 0 || offset === 990 ? pageFrom(offset) : [],
      hasMore: offset < 990,
      totalCount: 1_000,
    }));
    await list.goTo(991);
    assert.deepEqual(await list.loadAll(), { loaded: 20, total: 1_000, hasMore: false });
    assert.equal(requested.length, 100);
  });

  it('Load All from a service without an end continues after 19 empty pages in a row', async () => {
    const { list } = listOf((offset) => ({
      entries: offset % 200 === 0 ? pageFrom(offset) : [],
      hasMore: offset < 600,
    }));
    assert.equal((await list.loadAll()).loaded, 40);
  });

  it('Load All from a service without an end loads identical findings without an id up to the total', async () => {
    const total = 3_000;
    const { list } = listOf((offset) => ({
      entries: Array.from({ length: size }, () => ({ ip: '192.0.2.1' })),
      hasMore: offset + size < total,
      totalCount: total,
    }));
    assert.deepEqual(await list.loadAll(), { loaded: total, total, hasMore: false });
  });
});

describe('A collection without an end', () => {
  it('A collection without an end stops a refresh after 20 empty pages in a row', async () => {
    let requests = 0;
    const list = new CollectionList(
      { name: 'Things', path: '/things', style: 'cursor' },
      {
        collectionPage: () => {
          requests += 1;
          return Promise.resolve({
            entries: requests === 1 ? [{ id: 1 }] : [],
            nextCursor: `c${requests}`,
            url: 'https://h/',
            link: { isMalformed: false },
          });
        },
      },
    );
    await list.loadMore();
    await assert.rejects(list.refresh(), /keeps sending empty pages/);
    assert.deepEqual([requests, list.rows.length], [21, 1]);
  });
});

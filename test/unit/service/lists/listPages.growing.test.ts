import assert from 'node:assert/strict';
import { CollectionList } from '../../../../src/service/collections/collectionList';
import { FindingsList } from '../../../../src/service/findings/findingsList';
import { ListFilter } from '../../../../src/service/lists/listFilter';
import { findingKey, type ListRow } from '../../../../src/service/lists/listRows';
import { SparseRows } from '../../../../src/service/lists/listPages';
import { scorecardId } from '../findings/support';

/** So many pages that work which grows with each of them would take longer than a test may. */
const pages = 200_000;

describe('One more page of a list', () => {
  it('One more page of a list takes the same time however many rows are loaded: for rows, gaps and filter', () => {
    const sparse = new SparseRows(findingKey);
    const filter = new ListFilter();
    filter.set('even');
    for (let offset = 0; offset < pages; offset += 1) {
      const entries = [{ issue_id: offset, text: offset % 2 === 0 ? 'even' : 'odd' }];
      sparse.add({ offset, limit: 1, entries, hasMore: true, loadedAt: 0 });
      assert.equal(sparse.rows.length, offset + 1);
      assert.equal(sparse.gaps[0]?.offset, offset + 1);
      assert.equal(filter.shown(sparse.rows).length, Math.ceil((offset + 1) / 2));
    }
    assert.equal(sparse.rows.at(-1)?.number, pages);
    assert.equal(sparse.rowAt(pages)?.entry.issue_id, pages - 1);
    assert.deepEqual(sparse.ranges, [{ offset: 0, end: pages }]);
  });

  it('One more page of a list takes the same time after a gap and before loaded rows', () => {
    const sparse = new SparseRows(findingKey);
    const add = (offset: number) => {
      const page = { offset, limit: 1, entries: [{ issue_id: offset }], hasMore: true };
      sparse.add({ ...page, loadedAt: 0 });
    };
    add(pages);
    for (let offset = 0; offset < pages - 1; offset += 1) {
      add(offset);
      assert.deepEqual(sparse.gaps, [
        { offset: offset + 1, end: pages },
        { offset: pages + 1, end: Infinity },
      ]);
    }
    add(pages - 1);
    assert.deepEqual(sparse.gaps, [{ offset: pages + 1, end: Infinity }]);
    assert.ok(sparse.rows.every(({ number }, index) => number === index + 1));
  });

  it('One more page of a list takes the same time in a collection', async () => {
    let requests = 0;
    const list = new CollectionList(
      { name: 'Things', path: '/things', style: 'page' },
      {
        collectionPage: () => {
          requests += 1;
          return Promise.resolve({
            entries: [{ id: requests }],
            total: pages,
            size: 1,
            url: `https://h/${requests}`,
            link: { isMalformed: false },
          });
        },
      },
    );
    const fifth = pages / 5;
    for (let page = 1; page <= fifth; page += 1) {
      await list.loadMore();
      assert.equal(list.rows.length, page);
    }
    assert.equal(list.rows[fifth - 1]?.number, fifth);
  });
});

describe('The rows of a growing list', () => {
  const listOf = (total: number) =>
    new FindingsList(scorecardId, 'open_port', {
      fetchPage: ({ offset, limit }) =>
        Promise.resolve({
          entries: Array.from({ length: Math.min(limit, total - offset) }, (_, index) => ({
            issue_id: `id-${offset + index}`,
          })),
          offset,
          limit,
          hasMore: offset + limit < total,
          totalCount: total,
        }),
      pageSize: () => 10,
      now: () => 0,
    });
  const numbers = (rows: readonly ListRow[]) => rows.map(({ number }) => number);

  it('The rows of a growing list are in the order of their numbers, wherever a page is added', async () => {
    const list = listOf(45);
    const seen: number[][] = [];
    for (const number of [25, 1, 41, 15, 35]) {
      await list.goTo(number);
      seen.push(numbers(list.rows));
    }
    const places = (...starts: number[]) =>
      starts.flatMap((start) =>
        Array.from({ length: Math.min(10, 45 - start) }, (_, index) => start + index + 1),
      );
    assert.deepEqual(seen, [
      places(20),
      places(0, 20),
      places(0, 20, 40),
      places(0, 10, 20, 40),
      places(0, 10, 20, 30, 40),
    ]);
    assert.equal(list.result.hasMore, false);
  });

  it('The rows of a growing list are a new array after a refresh', async () => {
    const list = listOf(25);
    await list.loadMore();
    const before = list.rows;
    await list.refresh();
    assert.notEqual(list.rows, before);
    await list.loadMore();
    assert.deepEqual([before.length, list.rows.length], [10, 20]);
  });

  it('The rows of a growing list are filtered as pages arrive, also before the loaded rows', async () => {
    const list = listOf(45);
    list.filter.set('id-3');
    await list.goTo(31);
    assert.deepEqual(numbers(list.shownRows), [31, 32, 33, 34, 35, 36, 37, 38, 39, 40]);
    await list.loadMore();
    assert.deepEqual(numbers(list.shownRows).slice(0, 2), [4, 31]);
    await list.loadAll();
    assert.deepEqual(list.shownRows.length, 11);
  });
});

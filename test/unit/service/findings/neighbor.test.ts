import assert from 'node:assert/strict';
import { FindingsList } from '../../../../src/service/findings/findingsList';
import type { FetchPage } from '../../../../src/service/lists/listPages';
import { loadNeighbor, nearest } from '../../../../src/service/findings/neighbor';
import { scorecardId } from './support';

const size = 10;

/** A list of a service that has the findings `f1` to `f60`, without some, and records what is requested. */
function listOf(gone: readonly number[] = []): { list: FindingsList; requested: number[] } {
  const requested: number[] = [];
  const fetchPage: FetchPage = ({ offset, limit }) => {
    requested.push(offset);
    const numbers = Array.from({ length: limit }, (_, at) => offset + at + 1);
    const entries = numbers
      .filter((number) => number <= 60 && !gone.includes(number))
      .map((number) => ({ issue_id: `f${number}`, text: number % 5 === 0 ? 'five' : 'other' }));
    return Promise.resolve({ entries, hasMore: offset + limit < 60, offset, limit });
  };
  const list = new FindingsList(scorecardId, 'open_port', {
    fetchPage,
    pageSize: () => size,
    now: () => 0,
  });
  return { list, requested };
}

/** The ids of the findings that some steps from one reach. */
async function steps(list: FindingsList, from: number, by: 1 | -1): Promise<unknown> {
  const row = list.rows.find(({ number }) => number === from);
  assert.ok(row, `${from} is not loaded`);
  return (await loadNeighbor(list, row, by, (load) => load()))?.entry.issue_id;
}

describe('The neighbor of a finding', () => {
  it('The neighbor of a finding is the next finding, even when a later page is already loaded', async () => {
    const { list, requested } = listOf();
    await list.goTo(1);
    await list.goTo(31);
    assert.equal(await steps(list, 10, 1), 'f11');
    assert.deepEqual(requested, [0, 30, 10]);
  });

  it('The neighbor of a finding is the previous finding, even when an earlier page is already loaded', async () => {
    const { list, requested } = listOf();
    await list.goTo(1);
    await list.goTo(31);
    assert.equal(await steps(list, 31, -1), 'f30');
    assert.deepEqual(requested, [0, 30, 20]);
  });

  it('The neighbor of a finding is loaded after the last row, not in the first gap', async () => {
    const { list, requested } = listOf();
    await list.goTo(1);
    await list.goTo(31);
    assert.equal(await steps(list, 40, 1), 'f41');
    assert.deepEqual(requested, [0, 30, 40]);
  });

  it('The neighbor of a finding is loaded before the first loaded row', async () => {
    const { list, requested } = listOf();
    await list.goTo(31);
    assert.equal(await steps(list, 31, -1), 'f30');
    assert.deepEqual(requested, [30, 20]);
  });

  it('The neighbor of a finding needs no request when it is loaded, and does not exist at the ends', async () => {
    const { list, requested } = listOf();
    await list.goTo(1);
    await list.goTo(60);
    assert.equal(await steps(list, 5, 1), 'f6');
    assert.equal(await steps(list, 5, -1), 'f4');
    assert.equal(await steps(list, 1, -1), undefined);
    assert.equal(await steps(list, 60, 1), undefined);
    assert.deepEqual(requested, [0, 50]);
  });

  it('The neighbor of a finding is found beyond empty pages', async () => {
    const empty = Array.from({ length: 20 }, (_, at) => at + 11);
    const { list, requested } = listOf(empty);
    await list.goTo(1);
    assert.equal(await steps(list, 10, 1), 'f31');
    assert.deepEqual(requested, [0, 10, 20, 30]);
    const back = listOf(empty);
    await back.list.goTo(31);
    assert.equal(await steps(back.list, 31, -1), 'f10');
    assert.deepEqual(back.requested, [30, 20, 10, 0]);
  });

  it('The neighbor of a finding that is not loaded is found beyond an empty page that is', async () => {
    const { list, requested } = listOf(Array.from({ length: 10 }, (_, at) => at + 31));
    await list.goTo(1);
    await list.goTo(31).catch(() => undefined);
    const next = await loadNeighbor(list, { key: 'f30', number: 30 }, 1, (load) => load());
    assert.equal(next?.entry.issue_id, 'f41');
    assert.deepEqual(requested, [0, 30, 40]);
  });

  it('The neighbor of a finding is one that the filter shows, and needs no request', async () => {
    const { list, requested } = listOf();
    await list.goTo(1);
    await list.goTo(31);
    list.filter.set('five');
    const ids = ([from, by]: [number, 1 | -1]) => nearest(list.shownRows, from, by)?.entry.issue_id;
    const from: [number, 1 | -1][] = [
      [5, 1],
      [10, 1],
      [7, 1],
      [35, -1],
      [33, -1],
      [5, -1],
      [40, 1],
    ];
    assert.deepEqual(from.map(ids), ['f10', 'f35', 'f10', 'f10', 'f10', undefined, undefined]);
    assert.deepEqual(requested, [0, 30]);
  });
});

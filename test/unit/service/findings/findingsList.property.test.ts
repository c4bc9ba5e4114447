import assert from 'node:assert/strict';
import { CancelledError } from '../../../../src/base/cancelledError';
import { ServerError } from '../../../../src/api/http/errors';
import { FindingsList, NoSuchFindingError } from '../../../../src/service/findings/findingsList';
import { FakeClock } from '../../../helpers/fakeClock';
import { fc } from '../../../helpers/property';
import { Gate } from './support';

/** A service with a list that shifts, counts wrongly and fails, as a run says. */
class FakeService {
  /** Places that came with an entry or as the last page, since the last refresh. */
  private requested = new Set<number>();
  private readonly waiting: Gate[] = [];
  failNext = 0;

  constructor(
    private ids: string[],
    private readonly countOff: number | undefined,
  ) {}

  get length(): number {
    return this.ids.length;
  }

  newGeneration(): void {
    this.requested = new Set();
  }

  shift(): void {
    this.ids = [`new-${this.ids.length}`, ...this.ids];
  }

  /** Lets the oldest answers on their way arrive. */
  release(count: number): void {
    for (const gate of this.waiting.splice(0, count)) {
      gate.open();
    }
  }

  get isQuiet(): boolean {
    return this.waiting.length === 0;
  }

  async page(offset: number, limit: number, signal: AbortSignal) {
    assert.ok(limit >= 1, 'a page of nothing');
    const gate = new Gate();
    this.waiting.push(gate);
    await gate.promise;
    signal.throwIfAborted();
    if (this.failNext > 0) {
      this.failNext -= 1;
      throw new ServerError('The service failed: 500', { status: 500 });
    }
    const entries = this.ids.slice(offset, offset + limit).map((id) => ({ issue_id: id }));
    entries.forEach((_, index) => {
      assert.ok(!this.requested.has(offset + index), `place ${offset + index} was served twice`);
      this.requested.add(offset + index);
    });
    const count = this.countOff;
    return {
      entries,
      offset,
      limit,
      hasMore: offset + limit < this.ids.length,
      ...(count === undefined ? {} : { totalCount: Math.max(0, this.ids.length + count) }),
    };
  }
}

const step = fc.oneof(
  fc.record({ do: fc.constant('goTo' as const), number: fc.integer({ min: 1, max: 140 }) }),
  fc.record({
    do: fc.constantFrom(
      'loadMore' as const,
      'lastGap' as const,
      'loadAll' as const,
      'refresh' as const,
      'cancel' as const,
      'shift' as const,
    ),
    number: fc.constant(0),
  }),
  fc.record({ do: fc.constant('pageSize' as const), number: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ do: fc.constant('fail' as const), number: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('answer' as const), number: fc.integer({ min: 1, max: 8 }) }),
);

async function turn(): Promise<void> {
  await new Promise(setImmediate);
}

describe('A findings list, after any sequence of calls,', () => {
  it('A findings list, after any sequence of calls, requests no place twice, keeps its rows in order, and is complete in the end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 120 }),
        fc.option(fc.constantFrom(0, 0, 7, -20, -1000, 60), { nil: undefined }),
        fc.array(step, { maxLength: 25 }),
        async (length, countOff, steps) => {
          const ids = Array.from({ length }, (_, index) => `id-${index}`);
          const service = new FakeService(ids, countOff);
          const clock = new FakeClock();
          let pageSize = 10;
          let hasShifted = false;
          const list = new FindingsList('s', 't', {
            fetchPage: ({ offset, limit }, { signal }) => service.page(offset, limit, signal),
            pageSize: () => pageSize,
            loadAllPageSize: 12,
            now: () => clock.now(),
          });
          const calls: Promise<unknown>[] = [];
          const call = (promise: Promise<unknown>) => {
            calls.push(
              promise.catch((error: unknown) => {
                const isExpected =
                  error instanceof ServerError ||
                  error instanceof CancelledError ||
                  error instanceof NoSuchFindingError;
                assert.ok(isExpected, String(error));
              }),
            );
          };
          for (const { do: action, number } of steps) {
            switch (action) {
              case 'goTo':
                call(
                  list.goTo(number).then((row) => {
                    assert.ok(hasShifted || row.entry.issue_id === `id-${number - 1}`);
                  }),
                );
                break;
              case 'loadMore':
                call(list.loadMore());
                break;
              case 'lastGap':
                call(list.loadMore(list.gaps.at(-1)?.offset));
                break;
              case 'loadAll':
                call(list.loadAll());
                break;
              case 'refresh':
                service.newGeneration();
                call(list.refresh());
                break;
              case 'cancel':
                list.cancelLoadAll();
                break;
              case 'shift':
                hasShifted = true;
                service.shift();
                break;
              case 'pageSize':
                pageSize = number;
                break;
              case 'fail':
                service.failNext = number;
                break;
              case 'answer':
                service.release(number);
                await turn();
                break;
            }
            check(list);
          }
          service.failNext = 0;
          await settle(service, Promise.all(calls));
          check(list);
          if (hasShifted) {
            service.newGeneration();
            await settle(service, list.refresh());
          }
          await settle(service, list.loadAll());
          check(list);
          assert.equal(list.result.hasMore, false);
          assert.deepEqual(list.gaps, []);
          assert.equal(list.rows.length, service.length);
          assert.deepEqual(
            list.rows.map((row) => row.number),
            Array.from({ length: service.length }, (_, index) => index + 1),
          );
          list.dispose();
        },
      ),
    );
  });
});

async function settle(service: FakeService, work: Promise<unknown>): Promise<void> {
  const progress = { isDone: false };
  const done = work.finally(() => {
    progress.isDone = true;
  });
  done.catch(() => undefined);
  while (!progress.isDone || !service.isQuiet) {
    service.release(1);
    await turn();
  }
  await done;
}

function check(list: FindingsList): void {
  const { rows, gaps, result } = list;
  assert.equal(result.loaded, rows.length);
  assert.equal(new Set(rows.map((row) => row.key)).size, rows.length);
  rows.forEach((row, index) => {
    assert.ok(row.number > (rows[index - 1]?.number ?? 0), 'rows out of order');
  });
  gaps.forEach((gap, index) => {
    assert.ok(gap.end > gap.offset);
    assert.ok(gap.offset > (gaps[index - 1]?.end ?? -1), 'gaps that touch');
    assert.ok(!rows.some((row) => row.number > gap.offset && row.number <= gap.end));
  });
  assert.equal(result.hasMore, gaps.length > 0);
}

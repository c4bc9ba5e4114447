import { ApiClient } from '../../src/api/client';
import { maxInFlight } from '../../src/api/budget/requestQueue';
import { systemClock } from '../../src/base/events/clock';
import type { JsonObject } from '../../src/base/json/json';
import { FindingsList } from '../../src/service/findings/findingsList';
import { heapMb, runChild, sendResult } from '../child';
import { time } from '../measure';

/** The cost of a list of a million findings. */
export interface MillionFigures {
  readonly milliseconds: number;
  /** Megabytes of heap that the findings use. */
  readonly memoryMb: number;
  /** Milliseconds for each of the first and of the last hundred pages. */
  readonly firstPages: number;
  readonly lastPages: number;
  /** From `cancelLoadAll` until the load has ended, in milliseconds. */
  readonly cancel: number;
  /** Until a filter has searched all rows, in milliseconds: for a word, and after one more letter. */
  readonly word: number;
  readonly longerWord: number;
  /** Until the first rows that match are found, in milliseconds. */
  readonly firstMatches: number;
  /** The longest delay of other work during both searches, in milliseconds. */
  readonly longestDelay: number;
}

const limit = 500;
const hundred = 100;
/** Milliseconds after which V8 has finished the work that follows a forced collection. */
const settledMs = 1_000;

/*
 * All findings of a list in the tree's model, or as plain objects in an array:
 * `millionChild.js model|plain FINDINGS URL KEY SCORECARD ISSUE_TYPE`.
 */
runChild(async ([mode, count, baseUrl = '', apiKey = '', scorecardId = '', issueType = '']) => {
  const findings = Number(count);
  if (mode === 'plain') {
    const address = `${baseUrl}/companies/${scorecardId}/issues/${issueType}/paginated`;
    sendResult(await plain(address, apiKey, findings));
    return;
  }
  const client = new ApiClient({
    baseUrl,
    apiKey: () => apiKey,
    requestsPerHour: 10_000,
    requestTimeoutMs: 30_000,
  });
  const arrivals: number[] = [];
  const newList = () =>
    new FindingsList(scorecardId, issueType, {
      fetchPage: async (range, options) => {
        const page = await client.findingsPage({ scorecardId, issueType, ...range }, options);
        arrivals.push(performance.now());
        return page;
      },
      pageSize: () => limit,
      now: () => systemClock.now(),
    });
  const cancel = await timeToCancel(newList(), arrivals);
  arrivals.length = 0;
  const before = heapMb();
  const list = newList();
  const milliseconds = await time(() => list.loadAll());
  expect(list.rows.length, findings);
  const memoryMb = heapMb() - before;
  // `heapMb` collects garbage, and the work after that would count for the start of the search.
  await new Promise((resolve) => setTimeout(resolve, settledMs));
  const search = (text: string) =>
    time(() => {
      list.filter.set(text);
      return list.searchAll();
    });
  // No row contains these texts, so all rows are searched; the name of a product is nearly the first of them.
  const monitor = new EventLoopMonitor();
  const word = await search('apache2');
  const longerWord = await search('apache24');
  const longestDelay = monitor.end();
  const firstMatches = await time(async () => {
    list.filter.set('elastic');
    while (list.foundRows.length === 0) {
      await nextTurn();
    }
  });
  client.dispose();
  sendResult({
    milliseconds,
    memoryMb,
    cancel,
    word,
    longerWord,
    firstMatches,
    longestDelay,
    firstPages: perPage(arrivals.slice(0, hundred)),
    lastPages: perPage(arrivals.slice(-hundred)),
  } satisfies MillionFigures);
});

/** Measures how long the event loop is blocked. */
class EventLoopMonitor {
  private isOver = false;
  private longest = 0;
  private began = performance.now();

  constructor() {
    void this.watch();
  }

  /** @returns the longest delay, in milliseconds. */
  end(): number {
    this.isOver = true;
    return this.longest;
  }

  private async watch(): Promise<void> {
    while (!this.isOver) {
      await nextTurn();
      this.longest = Math.max(this.longest, performance.now() - this.began);
      this.began = performance.now();
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Milliseconds from cancelling a load until it has ended. */
async function timeToCancel(list: FindingsList, arrivals: readonly number[]): Promise<number> {
  const load = list.loadAll().catch(() => undefined);
  while (arrivals.length < hundred) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return time(() => {
    list.cancelLoadAll();
    return load;
  });
}

function perPage(times: readonly number[]): number {
  return ((times.at(-1) ?? 0) - (times[0] ?? 0)) / Math.max(1, times.length - 1);
}

/** Requests as many pages at once as our queue allows, and stores only the findings. */
async function plain(address: string, apiKey: string, findings: number) {
  const before = heapMb();
  const lists: JsonObject[][] = [];
  let next = 0;
  const work = async () => {
    while (next < findings) {
      const offset = next;
      next += limit;
      const response = await fetch(`${address}?offset=${offset}&limit=${limit}`, {
        method: 'POST',
        headers: { Authorization: `Token ${apiKey}`, 'Content-Type': 'application/json' },
        body: '{}',
      });
      lists[offset / limit] = ((await response.json()) as { entries: JsonObject[] }).entries;
    }
  };
  const milliseconds = await time(() => Promise.all(Array.from({ length: maxInFlight }, work)));
  const all = lists.flat();
  expect(all.length, findings);
  lists.length = 0;
  const memoryMb = heapMb() - before;
  expect(all.length, findings);
  return { milliseconds, memoryMb };
}

function expect(count: number, findings: number): void {
  if (count !== findings) {
    throw new Error(`${count} findings instead of ${findings}.`);
  }
}

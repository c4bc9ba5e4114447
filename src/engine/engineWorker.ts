import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { systemClock } from '../base/events/clock';
import { serveCalls } from './threads/callThread';
import { openSource } from './read/bytes/byteSource';
import type { TableCalls, TableOptions } from './data/tableCalls';
import { YieldBudget } from './threads/yieldBudget';
import type { CallMessage } from '../base/rpc';
import { answerCompare, type CompareCalls } from './compare/compareCalls';
import { RangeThreads } from './read/ranges/rangeThreads';
import { TableCore, type TableServer } from './tableCore';
import { TableError } from './data/tableError';
import { TableFile } from './read/tableFile';
import type { TableInfo } from './data/tableInfo';

/*
 * The thread of one open table, or of one comparison; this file is the entry point of its bundle. The thread opens its
 * file and answers calls until it is terminated; `rangeWorker.ts` reads ranges of large files for it. Messages are not
 * checked, because both ends are our own code. Rejected: a bundle each for tables and comparisons, as most of both is the
 * same: 65 KB more to download.
 */

const rangeScript = path.join(__dirname, 'rangeWorker.js');

/** The calls of the thread: `open` once, then those of the table, or `compare`. */
export type ThreadCalls = TableCalls &
  CompareCalls & {
    open: { readonly params: TableOptions & { readonly path: string }; readonly result: null };
  };

type OpenParams = ThreadCalls['open']['params'];
type TableCall<Name extends keyof TableCalls = keyof TableCalls> = CallMessage<TableCalls, Name> & {
  readonly reveal?: boolean;
};

/** What the thread says besides answers: first before it answers `open`. */
export interface InfoMessage {
  readonly type: 'info';
  readonly info: TableInfo;
}

const millisecondsBetweenInfos = 100;

function send(info: TableInfo): void {
  parentPort!.postMessage({ type: 'info', info } satisfies InfoMessage);
}

async function open({ path, cacheFolder, encoding, ...options }: OpenParams): Promise<TableCore> {
  const file = await TableFile.open(path, openSource(path, cacheFolder, encoding), options);
  let lastInfo = -Infinity;
  let lastState = '';
  const core: TableCore = new TableCore(file, {
    threads: new RangeThreads(rangeScript),
    onInfo: () => {
      const now = systemClock.monotonic();
      const { index, shape, lists = [] } = file;
      // This is called frequently while rows are found. A change of this state is always sent.
      const state = `${index.done} ${shape.isComplete} ${core.timesCounted} ${core.changed ?? ''} ${lists.length}`;
      if (state !== lastState || now - lastInfo >= millisecondsBetweenInfos) {
        lastInfo = now;
        lastState = state;
        send(core.info());
      }
    },
  });
  await core.start();
  send(core.info());
  void check(core);
  return core;
}

async function check(core: TableCore): Promise<void> {
  try {
    await core.check();
  } catch (error) {
    if (!(error instanceof TableError)) {
      throw error;
    }
    // Records found so far can still be read; calls for the rest get the same error.
    core.updateChange();
  }
}

function handle<Name extends keyof TableCalls>(
  server: TableServer,
  call: TableCall<Name>,
  budget: YieldBudget,
): unknown {
  return server[call.type](call, { budget, reveal: call.reveal ?? false });
}

let core: TableCore | undefined;

serveCalls<ThreadCalls>(async (call, { signal, onProgress }) => {
  switch (call.type) {
    case 'open':
      core = await open(call);
      return null;
    case 'compare':
      return answerCompare(call, onProgress, new RangeThreads(rangeScript));
    default: {
      const budget = new YieldBudget(onProgress);
      signal.addEventListener('abort', () => {
        budget.end('cancelled');
      });
      return handle(core!, call, budget);
    }
  }
});

import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../base/events/clock';
import { openSource } from './read/bytes/byteSource';
import type { TableCalls, TableOptions } from './engine';
import { YieldBudget } from './values/yieldBudget';
import {
  type CallMessage,
  type CancelMessage,
  type CallFailure,
  failureOf,
  type ReplyMessage,
  RpcServer,
} from './rpc';
import { columnsTask } from './columns/columnStore';
import { checkTask, countTask } from './overview/countJob';
import { readsRanges, serveRanges } from './read/ranges/rangeReader';
import { RangeThreads } from './read/ranges/rangeThreads';
import { TableCore, type TableServer } from './tableCore';
import { isOutOfMemory, TableError } from './values/tableError';
import { TableFile } from './read/tableFile';
import type { TableInfo } from './types';

/*
 * The thread of one open table; this file is the entry point of its bundle. The thread opens its
 * file and answers calls until it is terminated. Threads of the same bundle read ranges of a large
 * file for it. Messages are not checked, because both ends are our own code.
 */

/** The data that the thread starts with. */
export interface WorkerData extends TableOptions {
  readonly path: string;
}

type TableCall<Name extends keyof TableCalls = keyof TableCalls> = CallMessage<TableCalls, Name> & {
  readonly reveal?: boolean;
};

/** A message to the thread. */
export type ToWorker = TableCall | CancelMessage;

/** A message from the thread. */
export type FromWorker =
  | { readonly type: 'opened'; readonly info: TableInfo }
  | ({ readonly type: 'failed' } & CallFailure)
  | { readonly type: 'info'; readonly info: TableInfo }
  | ReplyMessage;

const millisecondsBetweenInfos = 100;

const port = parentPort!;

function send(message: FromWorker): void {
  port.postMessage(message);
}

function describe(error: unknown): CallFailure {
  if (isOutOfMemory(error)) {
    // Outside of the call, so that the thread ends, as it does when V8 is out of memory.
    setImmediate(() => {
      throw error;
    });
  }
  return failureOf(error);
}

async function open(): Promise<void> {
  const { path, cacheFolder, encoding, ...options } = workerData as WorkerData;
  const file = await TableFile.open(path, openSource(path, cacheFolder, encoding), options);
  let lastInfo = -Infinity;
  let lastState = '';
  const core: TableCore = new TableCore(file, {
    threads: new RangeThreads(__filename),
    onInfo: () => {
      const now = systemClock.monotonic();
      const { index, shape, lists = [] } = file;
      // This is called frequently while rows are found. A change of this state is always sent.
      const state = `${index.done} ${shape.isComplete} ${core.timesCounted} ${core.changed ?? ''} ${lists.length}`;
      if (state !== lastState || now - lastInfo >= millisecondsBetweenInfos) {
        lastInfo = now;
        lastState = state;
        send({ type: 'info', info: core.info() });
      }
    },
  });
  const server = new RpcServer<TableCall>(
    send,
    (call, { signal, onProgress }) => {
      const budget = new YieldBudget(onProgress);
      signal.addEventListener('abort', () => {
        budget.end('cancelled');
      });
      return handle(core, call, budget);
    },
    describe,
  );
  port.on('message', (message: ToWorker) => void server.receive(message));
  await core.start();
  send({ type: 'opened', info: core.info() });
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

if (readsRanges(workerData)) {
  serveRanges({ columns: columnsTask, count: countTask, check: checkTask });
} else {
  open().catch((error: unknown) => {
    send({ type: 'failed', ...describe(error) });
  });
}

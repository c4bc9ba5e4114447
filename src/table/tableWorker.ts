import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../common/clock';
import { GzipSource, openPlain } from './byteSource';
import { Pace } from './pace';
import { TableCore, type Work } from './tableCore';
import { TableError } from './tableError';
import { TableFile } from './tableFile';
import type { TableErrorCode } from './types';
import type { Call, FromWorker, ToWorker, WorkerData } from './workerMessages';

/*
 * The thread of one open table: the entry point of a bundle of its own. It opens the file that it was
 * started with, and answers questions until it is ended.
 */

const defaultMaxUnpackedBytes = 16 * 1024 ** 3;
const millisecondsBetweenInfos = 100;

const port = parentPort!;
const paces = new Map<number, Pace>();
let tellChecked: () => void = () => undefined;
const checked = new Promise<void>((resolve) => {
  tellChecked = resolve;
});

function send(message: FromWorker): void {
  port.postMessage(message);
}

function describe(error: unknown): { code: TableErrorCode; message: string } {
  return error instanceof TableError
    ? { code: error.code, message: error.message }
    : { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}

async function open(): Promise<void> {
  const { path, cacheFolder, maxUnpackedBytes } = workerData as WorkerData;
  const plain = openPlain(path);
  const magic = Buffer.alloc(2);
  plain.read(magic, 0, 2, 0);
  const gzip = magic[0] === 0x1f && magic[1] === 0x8b;
  const source = gzip
    ? new GzipSource(plain, cacheFolder, maxUnpackedBytes ?? defaultMaxUnpackedBytes)
    : plain;
  const file = await TableFile.open(path, source);
  let lastInfo = -Infinity;
  let known = '';
  const core: TableCore = new TableCore(file, {
    gzip,
    onInfo: () => {
      const now = systemClock.monotonic();
      const { index, shape } = file;
      // While rows come in that is often; what is told in the end must not be left out, so this is made of
      // what is sent.
      const state = `${index.done} ${shape.isComplete} ${core.changed ?? ''}`;
      if (state !== known || now - lastInfo >= millisecondsBetweenInfos) {
        lastInfo = now;
        known = state;
        send({ type: 'info', info: core.info() });
      }
    },
  });
  port.on('message', (message: ToWorker) => {
    if (message.type === 'cancel') {
      paces.get(message.id)?.end('cancelled');
    } else {
      void answer(core, message);
    }
  });
  await core.start();
  send({ type: 'opened', info: core.info() });
  try {
    await core.check();
  } catch (error) {
    if (!(error instanceof TableError)) {
      throw error;
    }
    // What was found can be read still; questions about the rest are answered with the same error.
    core.look();
  }
  tellChecked();
}

async function answer(
  core: TableCore,
  { id, call, reveal }: Extract<ToWorker, { readonly type: 'call' }>,
): Promise<void> {
  let told = -1;
  const pace = new Pace((share) => {
    if (share - told >= 0.01) {
      told = share;
      send({ type: 'progress', id, share });
    }
  });
  paces.set(id, pace);
  try {
    send({ type: 'result', id, result: await work(core, call, { pace, reveal }) });
  } catch (error) {
    send({ type: 'error', id, ...describe(error) });
  } finally {
    paces.delete(id);
  }
}

function work(core: TableCore, call: Call, options: Work): unknown {
  switch (call.method) {
    case 'indexed':
      return core.indexed();
    case 'checked':
      return checked.then(() => {
        core.look();
        return core.info();
      });
    case 'query':
      return core.query(call.query, options);
    case 'rows':
      return core.rows(call.view, call.from, call.count, call.columns, options);
    case 'groups':
      return core.groups(call.view, call.from, call.count, options);
    case 'distinct':
      return core.distinct(call.column, call, options);
    case 'count':
      return core.count(call.filter, options);
    case 'find':
      return core.find(call.view, call.text, call.from, call.backwards, options);
    case 'locate':
      return core.locate(call.view, call.record);
    case 'record':
      return core.record(call.record, options);
    case 'copy':
      return core.copy(call.range, options);
  }
}

open().catch((error: unknown) => {
  send({ type: 'failed', ...describe(error) });
});

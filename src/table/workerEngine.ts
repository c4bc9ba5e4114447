import { Worker } from 'node:worker_threads';
import { Emitter } from '../common/emitter';
import { TableError } from './tableError';
import type { OpenOptions, RequestOptions, TableEngine, TableHandle } from './engine';
import {
  type ColumnId,
  type Copied,
  type CopyRange,
  type DistinctValues,
  type Filter,
  type Found,
  type GroupPage,
  maxPageRows,
  type Page,
  type Query,
  type TableInfo,
  type TableRecord,
  type View,
} from './types';
import type { Call, FromWorker, ToWorker, WorkerData } from './workerMessages';

/** What the thread may hold in objects; its columns and windows have bounds of their own. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

/** Opens tables, each in a thread of its own that ends with its handle. */
export class WorkerEngine implements TableEngine {
  /** @param script the bundle of `tableWorker.ts`. */
  constructor(private readonly script: string) {}

  open(path: string, options: OpenOptions, signal?: AbortSignal): Promise<TableHandle> {
    if (signal?.aborted) {
      return Promise.reject(new TableError('cancelled', 'Opening was cancelled.'));
    }
    const workerData: WorkerData = { path, ...options };
    const worker = new Worker(this.script, { workerData, resourceLimits, name: 'Report Table' });
    let cancel: () => void = () => undefined;
    return new Promise<TableHandle>((resolve, reject) => {
      const handle = new WorkerHandle(worker, resolve, reject);
      cancel = () => {
        reject(new TableError('cancelled', 'Opening was cancelled.'));
        handle.dispose();
      };
      signal?.addEventListener('abort', cancel, { once: true });
    }).finally(() => signal?.removeEventListener('abort', cancel));
  }
}

interface Pending {
  readonly resolve: (result: never) => void;
  readonly reject: (error: TableError) => void;
  readonly onProgress: ((share: number) => void) | undefined;
}

class WorkerHandle implements TableHandle {
  private readonly infos = new Emitter<TableInfo>();
  readonly onInfo = this.infos.event;
  private readonly ends = new Emitter<TableError>();
  readonly onEnded = this.ends.event;
  private current: TableInfo | undefined;
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;
  private ending: TableError | undefined;

  constructor(
    private readonly worker: Worker,
    private readonly onOpened: (handle: TableHandle) => void,
    private readonly onFailed: (error: TableError) => void,
  ) {
    worker.on('message', (message: FromWorker) => {
      this.take(message);
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.end(new TableError(isMemory ? 'memory' : 'internal', error.message, { cause: error }));
    });
    worker.on('exit', (code) => {
      this.end(new TableError('internal', `The thread of the table ended with ${code}.`));
    });
  }

  get ended(): TableError | undefined {
    return this.ending;
  }

  get info(): TableInfo {
    if (!this.current) {
      throw new TableError('closed', 'The table is not open.');
    }
    return this.current;
  }

  indexed(): Promise<TableInfo> {
    return this.ask({ method: 'indexed' });
  }

  checked(): Promise<TableInfo> {
    return this.ask({ method: 'checked' });
  }

  query(query: Query, options?: RequestOptions): Promise<View> {
    return this.ask({ method: 'query', query }, options);
  }

  rows(
    view: number,
    from: number,
    count: number,
    columns?: readonly ColumnId[],
    options?: RequestOptions,
  ): Promise<Page> {
    return this.ask(
      { method: 'rows', view, from, count: Math.min(count, maxPageRows), columns },
      options,
    );
  }

  groups(view: number, from: number, count: number, options?: RequestOptions): Promise<GroupPage> {
    return this.ask({ method: 'groups', view, from, count: Math.min(count, maxPageRows) }, options);
  }

  distinct(
    column: ColumnId,
    request: { readonly filter?: Filter; readonly contains?: string; readonly limit?: number } = {},
    options?: RequestOptions,
  ): Promise<DistinctValues> {
    return this.ask({ method: 'distinct', column, ...request }, options);
  }

  count(filter: Filter, options?: RequestOptions): Promise<number> {
    return this.ask({ method: 'count', filter }, options);
  }

  find(
    view: number,
    text: string,
    from: number,
    backwards: boolean,
    options?: RequestOptions,
  ): Promise<Found | undefined> {
    return this.ask({ method: 'find', view, text, from, backwards }, options);
  }

  locate(view: number, record: number, options?: RequestOptions): Promise<number | undefined> {
    return this.ask({ method: 'locate', view, record }, options);
  }

  record(record: number, options?: RequestOptions): Promise<TableRecord> {
    return this.ask({ method: 'record', record }, options);
  }

  copy(range: CopyRange, options?: RequestOptions): Promise<Copied> {
    return this.ask({ method: 'copy', range }, options);
  }

  dispose(): void {
    this.ends.dispose();
    this.end(new TableError('closed', 'The table was closed.'));
    this.infos.dispose();
    void this.worker.terminate();
  }

  private ask<T>(
    call: Call,
    { signal, reveal = false, onProgress }: RequestOptions = {},
  ): Promise<T> {
    if (this.ending) {
      return Promise.reject(this.ending);
    }
    if (signal?.aborted) {
      return Promise.reject(new TableError('cancelled', 'The work was cancelled.'));
    }
    this.lastId += 1;
    const id = this.lastId;
    const cancel = () => {
      this.post({ type: 'cancel', id });
    };
    signal?.addEventListener('abort', cancel, { once: true });
    return new Promise<T>((resolve, reject) => {
      this.pending.set(id, { resolve, reject, onProgress });
      this.post({ type: 'call', id, call, reveal });
    }).finally(() => signal?.removeEventListener('abort', cancel));
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private take(message: FromWorker): void {
    switch (message.type) {
      case 'opened':
        this.current = message.info;
        this.onOpened(this);
        return;
      case 'failed':
        this.end(new TableError(message.code, message.message));
        void this.worker.terminate();
        return;
      case 'info':
        this.current = message.info;
        this.infos.fire(message.info);
        return;
      case 'progress':
        this.pending.get(message.id)?.onProgress?.(message.share);
        return;
      case 'result':
      case 'error': {
        const pending = this.pending.get(message.id);
        this.pending.delete(message.id);
        if (message.type === 'result') {
          pending?.resolve(message.result as never);
        } else {
          pending?.reject(new TableError(message.code, message.message));
        }
      }
    }
  }

  /** Nothing more will come: whoever waits is told. */
  private end(error: TableError): void {
    if (!this.ending) {
      this.ending = error;
      this.onFailed(error);
      for (const { reject } of this.pending.values()) {
        reject(error);
      }
      this.pending.clear();
      this.ends.fire(error);
    }
  }
}

import { Worker } from 'node:worker_threads';
import { Emitter } from '../base/events/emitter';
import { TableError } from './values/tableError';
import { onThreadEnd } from './values/threadEnd';
import type { TableOptions, TableCallOptions, TableCalls, TableHandle } from './engine';
import { RpcClient } from './rpc';
import type { TableInfo } from './types';
import type { FromWorker, ToWorker, WorkerData } from './tableWorker';

/** The heap of the thread. Its columns and windows have their own limits. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

/**
 * Opens a table in its own thread, which ends with the handle. Resolves when the format is known
 * and the first rows can be shown.
 * @param script the bundle of `tableWorker.ts`.
 * @throws TableError
 */
export function openTable(
  script: string,
  path: string,
  options: TableOptions,
  signal?: AbortSignal,
): Promise<TableHandle> {
  if (signal?.aborted) {
    return Promise.reject(new TableError('cancelled', 'Opening was cancelled.'));
  }
  const workerData: WorkerData = { path, ...options };
  const worker = new Worker(script, { workerData, resourceLimits, name: 'Report Table' });
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

class WorkerHandle implements TableHandle {
  private readonly infos = new Emitter<TableInfo>();
  readonly onInfo = this.infos.event;
  private readonly ends = new Emitter<TableError>();
  readonly onEnded = this.ends.event;
  /** Set when the table is opened; nobody has this handle before. */
  info!: TableInfo;
  ended: TableError | undefined;
  private readonly client: RpcClient<TableCalls>;

  constructor(
    private readonly worker: Worker,
    private readonly onOpened: (handle: TableHandle) => void,
    private readonly onFailed: (error: TableError) => void,
  ) {
    this.client = new RpcClient((message: ToWorker) => {
      worker.postMessage(message);
    });
    worker.on('message', (message: FromWorker) => {
      this.receive(message);
    });
    onThreadEnd(worker, (error) => {
      this.end(error);
    });
  }

  call<Name extends keyof TableCalls>(
    name: Name,
    params: TableCalls[Name]['params'],
    { reveal = false, ...options }: TableCallOptions = {},
  ): Promise<TableCalls[Name]['result']> {
    return this.ended
      ? Promise.reject(this.ended)
      : this.client.call(name, { ...params, reveal }, options);
  }

  dispose(): void {
    this.ends.dispose();
    this.end(new TableError('closed', 'The table was closed.'));
    this.infos.dispose();
    void this.worker.terminate();
  }

  private receive(message: FromWorker): void {
    switch (message.type) {
      case 'opened':
        this.info = message.info;
        this.onOpened(this);
        return;
      case 'failed':
        this.end(new TableError(message.code, message.message));
        void this.worker.terminate();
        return;
      case 'info':
        this.info = message.info;
        this.infos.fire(message.info);
        return;
      default:
        this.client.receive(message);
    }
  }

  /** The thread ended: rejects all calls. */
  private end(error: TableError): void {
    if (!this.ended) {
      this.ended = error;
      this.onFailed(error);
      this.client.end(error);
      this.ends.fire(error);
    }
  }
}

/** The list of a JSON document that is shown, and all lists, if there are several. */
export function severalLists({
  list,
  lists = [],
}: Pick<TableInfo, 'list' | 'lists'>): Pick<TableInfo, 'list' | 'lists'> {
  const named = lists.map(({ list: name, rows }) => ({ list: name, rows }));
  return lists.length > 1 ? { lists: named, ...(list !== undefined && { list }) } : {};
}

/**
 * The numbers of rows and columns of a table whose records have all been checked, and its lists.
 * @throws TableError `changed` when the file changed while they were checked
 */
export function sizeOf(
  info: TableInfo,
): Pick<TableInfo, 'rows' | 'list' | 'lists'> & { readonly columns: number } {
  if (!info.checked || info.changed === 'modified') {
    throw new TableError('changed', 'The file was changed while its records were checked.');
  }
  const { rows, columns, moreColumns } = info;
  return { rows, columns: columns.length + moreColumns, ...severalLists(info) };
}

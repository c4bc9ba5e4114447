import { Emitter } from '../base/events/emitter';
import { CallThread } from './threads/callThread';
import { TableError } from './data/tableError';
import type { TableOptions, TableCallOptions, TableCalls, TableHandle } from './data/tableCalls';
import type { TableInfo } from './data/tableInfo';
import type { InfoMessage, ThreadCalls } from './engineWorker';

/** The heap of the thread. Its columns and windows have their own limits. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

/**
 * Opens a table in its own thread, which ends with the handle. Resolves when the format is known
 * and the first rows can be shown.
 * @param script the bundle of `engineWorker.ts`.
 * @throws TableError
 */
export async function openTable(
  script: string,
  path: string,
  options: TableOptions,
  signal?: AbortSignal,
): Promise<TableHandle> {
  const table = new EngineTable(script);
  try {
    await table.open(path, options, signal);
    return table;
  } catch (error) {
    table.dispose();
    throw error;
  }
}

class EngineTable implements TableHandle {
  private readonly infos = new Emitter<TableInfo>();
  readonly onInfo = this.infos.event;
  private readonly ends = new Emitter<TableError>();
  readonly onEnded = this.ends.event;
  /** Set when the table is opened; nobody has this handle before. */
  info!: TableInfo;
  private readonly thread: CallThread<ThreadCalls>;

  constructor(script: string) {
    this.thread = new CallThread(script, { resourceLimits, name: 'Report Table' }, (error) => {
      this.ends.fire(error);
    });
    this.thread.worker.on('message', (message: InfoMessage | { readonly type: 'other' }) => {
      if (message.type === 'info') {
        this.info = message.info;
        this.infos.fire(message.info);
      }
    });
  }

  async open(path: string, options: TableOptions, signal?: AbortSignal): Promise<void> {
    await this.thread.call('open', { path, ...options }, signal && { signal });
  }

  get ended(): TableError | undefined {
    return this.thread.ended;
  }

  call<Name extends keyof TableCalls>(
    name: Name,
    params: TableCalls[Name]['params'],
    { reveal = false, ...options }: TableCallOptions = {},
  ): Promise<TableCalls[Name]['result']> {
    return this.thread.call(name, { ...params, reveal }, options);
  }

  dispose(): void {
    void this.close();
  }

  close(): Promise<void> {
    this.ends.dispose();
    this.infos.dispose();
    return this.thread.end(new TableError('closed', 'The table was closed.'));
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
export function checkedSize(
  info: TableInfo,
): Pick<TableInfo, 'rows' | 'list' | 'lists'> & { readonly columns: number } {
  if (!info.checked || info.changed === 'modified') {
    throw new TableError('changed', 'The file was changed while its records were checked.');
  }
  const { rows, columns, moreColumns } = info;
  return { rows, columns: columns.length + moreColumns, ...severalLists(info) };
}

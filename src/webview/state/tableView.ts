import {
  type Cell,
  type Charts,
  type Column,
  type ColumnId,
  type Filter,
  type InvalidReason,
  maxPageRows,
  type PastDecision,
  type Query,
  type SortKey,
  type TableInfo,
  type View,
  wholeFile,
  findOldColumns,
  withOldValues,
  withoutOldColumns,
  TableError,
} from '../../engine/page';
import { fnv1a } from '../../base/fnv1a';
import { isClosing } from '../../vocabulary/closing';
import { isOfLineOrCode } from '../../vocabulary/identityColumns';
import {
  areColumnsComplete,
  type Criteria,
  areColumnsPresent,
  noCriteria,
  createQuery,
  withoutMissingColumns,
} from './criteria';
import { type ColumnModel, columnsOfGroups } from './columnModel';
import { failureText, type HostLink, LatestCall } from './hostLink';
import type { ShownTable, ToldTable } from '../../protocol/tableProtocol';
import { columnTitles } from '../../summary/columnTitles';
import type { Texts } from '../../summary/texts';

/** A loaded row or group. */
export interface LoadedRow {
  /** Cells of one block of columns. */
  readonly cells: readonly Cell[];
  /** Absent in a group. */
  readonly record?: number;
  readonly invalid?: InvalidReason;
  /** Matches the rows of a group. */
  readonly filter?: Filter;
  /** Why it is a finding that is known, or was, in words. */
  readonly known?: string;
  readonly wasKnown?: PastDecision;
  readonly isExploited?: true;
  /** It is a finding that is not open. */
  readonly isClosed?: true;
}

/** The rows of a file that are closed findings, and what closes them. */
type ClosedFindings = Pick<Charts, 'closing'> & { readonly rows: number };

export const noneClosed: ClosedFindings = { rows: 0, closing: [] };

interface ViewEvents {
  /** The page must be redrawn. */
  changed(): void;
  /** A query was answered: the rows changed. */
  answered(): void;
}

const pageRows = Math.min(100, maxPageRows);

/** Cells of these kinds have no value, or the text of a whole row. */
const hasNoValue: ReadonlySet<Cell['kind']> = new Set(['null', 'missing', 'invalid']);

/** Columns per request, so that pages with a thousand columns stay small. */
export const blockColumns = 50;

/** Limits the memory of the page. */
const maxBlocks = 120;

/** A part of the rows: a page of them, in a block of columns. */
interface RowBlock {
  rows: readonly LoadedRow[];
  loading?: AbortController | undefined;
  hasFailed?: boolean;
}

/** Where the rows of a block are: a page of a view, in a block of columns. */
interface BlockPlace {
  readonly view: number;
  readonly isGrouped: boolean;
  readonly from: number;
  readonly count: number;
  readonly block: number;
}

/** What a query was answered with. */
interface Answer {
  readonly view: View;
  readonly criteria: Criteria;
  /** See `queryKey`. */
  readonly key: string | undefined;
  readonly groupColumns: ColumnModel | undefined;
}

/** The rows and columns that are seen: from the first to before the end. */
interface Seen {
  readonly first: number;
  readonly end: number;
  readonly firstColumn: number;
  readonly endColumn: number;
}

/** The rows that are shown: sends the criteria as a query, and loads the pages of its answer. */
export class TableView {
  /** The current criteria, also while the query runs. */
  criteria: Criteria = noCriteria;
  info: TableInfo;
  /** Why rows could not be queried or loaded, see `tryAgain`. */
  failure: string | undefined;
  /** Rows may fail, too, while the failed query is told: both are tried again. */
  private failedCriteria: Criteria | undefined;
  /** The criteria of the rows that are shown, until a query is answered. */
  shownCriteria: Criteria = noCriteria;
  private view: View = { id: wholeFile, rows: 0 };
  private groupColumns: ColumnModel | undefined;
  /** By page and block of columns; those that were visible last come last. */
  private blocks = new Map<string, RowBlock>();
  private readonly running: LatestCall;
  /** What is seen of the rows. */
  private seen: Seen = { first: 0, end: 0, firstColumn: 0, endColumn: 0 };
  /** Whether the rows are those from before the host started over: they go when the next ones that are seen are loaded. */
  private keepsRows = false;
  /** Loads the rows that take the place of those that are kept. */
  private replacing: AbortController | undefined;
  /** Once they are counted. */
  closed = noneClosed;
  private share = 0;
  /** Whether the criteria wait for columns that have not been found yet. */
  private awaitsColumns = false;
  /** The query that runs, or that the current view answers. */
  private pendingQuery: string | undefined;
  /** The query that the current view answers. */
  private answeredQuery: string | undefined;
  /** In a file of differences: the columns with old values, by the columns with the new values. */
  private oldColumns: ReadonlyMap<ColumnId, ColumnId> = new Map();

  private titles:
    | { readonly of: unknown; readonly byId: ReadonlyMap<ColumnId, string> }
    | undefined;

  /** Whether it is a file of differences. */
  private isComparison: boolean;

  constructor(
    private readonly link: Pick<HostLink, 'request'>,
    private readonly texts: Texts,
    readonly columns: ColumnModel,
    private readonly events: ViewEvents,
    info: TableInfo,
    { isComparison = false } = {},
  ) {
    this.isComparison = isComparison;
    this.running = new LatestCall(link);
    this.info = this.shownInfo(info);
    columns.update(this.info.columns);
  }

  /** The progress of the current query; `undefined` if none runs. */
  get progress(): number | undefined {
    const isWorking = this.running.isRunning || this.replacing !== undefined;
    return isWorking || this.awaitsColumns ? this.share : undefined;
  }

  /** Whether a query runs that a user has asked for: not if only the rows that are shown are asked for again. */
  get isCancellable(): boolean {
    const keyOf = (criteria: Criteria) => this.queryKey(this.createQuery(criteria));
    const isAgain = this.keepsRows && keyOf(this.criteria) === keyOf(this.shownCriteria);
    return this.progress !== undefined && !isAgain;
  }

  get grouped(): boolean {
    return this.groupColumns !== undefined;
  }

  /** The id of the view. */
  get id(): number {
    return this.view.id;
  }

  get rows(): number {
    return this.view.id === wholeFile ? this.info.rows : (this.view.groups ?? this.view.rows);
  }

  /** Rows in all groups, or in the view. */
  get matching(): number {
    return this.view.id === wholeFile ? this.info.rows : this.view.rows;
  }

  /**
   * How many rows of the view are open findings; `undefined` if all are, or nothing tells yet, or the rows are the
   * differences of two files: what is no longer reported is not open, whatever its status was.
   */
  get open(): number | undefined {
    const { info, view, closed } = this;
    if (this.isComparison) {
      return undefined;
    }
    const unreadable = info.format.kind === 'csv' ? 0 : info.invalidRows;
    const open = view.open ?? (closed.rows > 0 ? info.rows - unreadable - closed.rows : undefined);
    return open === this.matching ? undefined : open;
  }

  /** What is true of the open findings among the rows; `undefined` if all are, or none, or nothing tells yet. */
  get openFilter(): Filter | undefined {
    const { open = 0, info, closed } = this;
    const isOpen = closed.closing.map(({ column, form }): Filter => ({
      op: 'not',
      of: { op: 'closes', column, form },
    }));
    const isUnknown: Filter[] = info.known ? [{ op: 'not', of: { op: 'known' } }] : [];
    const of = [...isOpen, ...isUnknown];
    return open > 0 && of.length > 0 ? { op: 'and', of } : undefined;
  }

  /** The sort of the rows; groups have none. */
  get sort(): readonly SortKey[] {
    return this.grouped ? [] : this.criteria.sort;
  }

  /** The query, and the visible columns of the file or the columns that rows are grouped by. */
  get shownTable(): ShownTable {
    const query = this.createQuery(this.criteria) ?? {};
    const shown = this.columns.shown.map(({ column }) => column.id);
    return { query, columns: query.groupBy ?? shown };
  }

  /** The query of the rows that are shown, also while another one runs. */
  get shownQuery(): Query {
    return this.createQuery(this.shownCriteria) ?? {};
  }

  /**
   * What is shown, and how many rows it has, once that is known; `undefined` while the criteria wait for columns,
   * without which the query would be of more rows.
   */
  get told(): Omit<ToldTable, 'type'> | undefined {
    if (this.awaitsColumns) {
      return undefined;
    }
    const isKnown = this.info.done && this.progress === undefined;
    return { ...this.shownTable, ...(isKnown && { rows: this.rows }) };
  }

  /** The columns that are shown: those of the file, or of its groups. */
  get shownColumns(): ColumnModel {
    return this.groupColumns ?? this.columns;
  }

  /** The title of a column, by which people know it; of groups, that of the number of rows, too. */
  formatColumn({ id, name }: Column): string {
    const { columns } = this.info;
    if (this.titles?.of !== columns) {
      this.titles = { of: columns, byId: columnTitles(columns, this.texts) };
    }
    return (this.titles.byId.get(id) ?? name) || id || this.texts.get('record');
  }

  /** A row as far as it is loaded; its cells are those of one block of columns. */
  row(row: number, block: number): LoadedRow | undefined {
    return this.blocks.get(formatKey(Math.floor(row / pageRows), block))?.rows[row % pageRows];
  }

  /** A row that is loaded with any of its columns: those that are seen may be far to the right. */
  anyOfRow(row: number): LoadedRow | undefined {
    const count = Math.max(1, Math.ceil(this.shownColumns.shown.length / blockColumns));
    const rows = Array.from({ length: count }, (_, block) => this.row(row, block));
    return rows.find((loaded) => loaded !== undefined);
  }

  /**
   * What a row shows, in short: equal for rows that look the same, with any of its columns that are loaded; `undefined`
   * if none is, or it is a group. Its second part is the same without lines and code.
   */
  formatRow(row: number): string | undefined {
    const loaded = this.anyOfRow(row);
    return loaded?.record === undefined ? undefined : this.formatLoaded(loaded);
  }

  /** The position of the only loaded row that shows this, or else this in other lines: that may be another finding. */
  findShowing(text: string): { readonly row: number; readonly isSame: boolean } | undefined {
    const found = [new Set<number>(), new Set<number>()];
    const parts = text.split(' ');
    for (const [key, { rows }] of this.blocks) {
      rows.forEach((row, at) => {
        const shown = row.record === undefined ? [] : this.formatLoaded(row, key).split(' ');
        shown.forEach((part, which) => {
          if (part === parts[which]) {
            found[which]?.add(Number.parseInt(key, 10) * pageRows + at);
          }
        });
      });
    }
    const [same = new Set(), moved = new Set()] = found;
    const isSame = same.size > 0;
    const [row, ...others] = isSame ? same : moved;
    return row === undefined || others.length > 0 ? undefined : { row, isSame };
  }

  /** @param key of its block, by default of the first columns */
  private formatLoaded({ cells }: LoadedRow, key = ''): string {
    const first = Number(key.split(':')[1] ?? 0) * blockColumns;
    const texts = cells.map(({ kind, text }) => [kind, text]);
    const lasting = texts.filter((_, at) => {
      const { column } = this.shownColumns.shown[first + at] ?? {};
      return !column || !isOfLineOrCode(column.name);
    });
    return [texts, lasting]
      .map((some) => JSON.stringify([this.shownIds, some]))
      .map((json) => fnv1a(new TextEncoder().encode(json)).toString(36))
      .join(' ');
  }

  cell(row: number, column: number): Cell | undefined {
    const block = Math.floor(column / blockColumns);
    const loaded = this.row(row, block);
    // The text of a row without values comes with every block, and is shown once, from the first column over all.
    return loaded?.cells[0]?.kind === 'invalid' && block > 0
      ? { kind: 'missing', text: '' }
      : loaded?.cells[column % blockColumns];
  }

  /** Loads the visible rows and columns: from the first to before the end. Others are no longer loaded. */
  load(first: number, end: number, firstColumn: number, endColumn: number): void {
    this.seen = { first, end, firstColumn, endColumn };
    if (this.keepsRows) {
      // The host has forgotten the view of the rows that are kept.
      return;
    }
    const visible = blocksOf(this.seen);
    for (const [key, { loading }] of this.blocks) {
      if (!visible.has(key)) {
        loading?.abort();
      }
    }
    for (const [key, [page, number]] of visible) {
      const block = this.blocks.get(key) ?? { rows: [] };
      this.blocks.delete(key);
      this.blocks.set(key, block);
      // The last page of a growing file is loaded again when there is more.
      const count = Math.min(pageRows, this.rows - page * pageRows);
      if (block.rows.length < count && !block.loading && !block.hasFailed) {
        void this.loadBlock(block, page * pageRows, count, number);
      }
    }
    const oldest = [...this.blocks.keys()].slice(0, -maxBlocks);
    oldest.forEach((key) => this.blocks.delete(key));
  }

  update(info: TableInfo): void {
    const before = this.info;
    const oldBefore = this.oldColumns.size;
    this.info = this.shownInfo(info);
    const { columns } = this.info;
    if (this.oldColumns.size !== oldBefore) {
      this.forgetRows();
    }
    const closing = this.closingColumns.length;
    if (closing !== before.columns.filter((each) => each.closing !== undefined).length) {
      // Rows that were loaded before do not say whether they are closed.
      this.forgetRows();
    }
    if (JSON.stringify(before.columns) !== JSON.stringify(columns)) {
      this.columnsChanged(() => this.columns.update(columns));
      this.reapplyIfChanged();
    } else if (this.awaitsColumns) {
      this.apply(this.criteria);
    }
    this.events.changed();
  }

  /**
   * Drops everything, because secrets are now shown or masked, or the file was opened again.
   * @param keepsRows whether the rows that are loaded still are those of the file, and stay until the query is answered.
   */
  restart(info: TableInfo, { isComparison = false, keepsRows = false } = {}): void {
    this.isComparison = isComparison;
    this.info = this.shownInfo(info);
    const before = this.shownIds;
    this.columns.update(this.info.columns);
    this.stop();
    this.keepsRows = keepsRows && before === this.shownIds;
    if (!this.keepsRows) {
      this.showNoCriteria();
    }
    this.answeredQuery = undefined;
    this.closed = noneClosed;
    this.apply(this.criteria);
  }

  /** In a file of differences, leaves out the columns of old values: the cells of the new ones show these. */
  private shownInfo(info: TableInfo): TableInfo {
    if (!this.isComparison) {
      return info;
    }
    this.oldColumns = findOldColumns(info.columns);
    return withoutOldColumns(info);
  }

  /** How much cells show besides their values: columns are fitted again when that changes. */
  get oldColumnCount(): number {
    return this.oldColumns.size;
  }

  /**
   * Changes which columns are shown, or their order. Rows are then loaded again: they have only the cells
   * of visible columns.
   */
  columnsChanged(change: () => void): void {
    const before = this.shownIds;
    change();
    if (before !== this.shownIds && !this.grouped) {
      this.forgetRows();
    }
    this.events.changed();
  }

  /** The columns that rows are asked for: those shown, and those that say which rows are closed. */
  private get askedIds(): string {
    return [this.shownIds, ...this.closingColumns.map(({ id }) => id)].join('\n');
  }

  private get shownIds(): string {
    return this.columns.shown.map(({ column }) => column.id).join('\n');
  }

  /**
   * Queries other rows. The shown rows stay until the answer. Criteria wait until all their
   * columns are found: without a column, the query would be a different one.
   */
  apply(requested: Criteria): void {
    const { info } = this;
    const criteria = areColumnsComplete(info)
      ? withoutMissingColumns(requested, info.columns)
      : requested;
    this.criteria = criteria;
    this.failure = undefined;
    this.failedCriteria = undefined;
    this.stop();
    this.awaitsColumns = !areColumnsPresent(criteria, info.columns);
    if (this.awaitsColumns) {
      this.events.changed();
      return;
    }
    const query = this.createQuery(criteria);
    const key = this.queryKey(query);
    if (!query && this.keepsRows) {
      const view = { id: wholeFile, rows: 0 };
      void this.replaceRows({ view, criteria, key, groupColumns: undefined });
      this.events.changed();
      return;
    }
    if (!query) {
      this.showAllRows();
    }
    // Where the typed text adds no condition, the rows stay.
    if (!query || key === this.answeredQuery) {
      this.shownCriteria = criteria;
      this.events.answered();
      return;
    }
    const answer = this.running.request('query', { query }, (share) => {
      this.share = share;
      this.events.changed();
    });
    this.pendingQuery = key;
    this.events.changed();
    answer.then(
      (view) => {
        const groupColumns =
          query.groupBy && columnsOfGroups(query.groupBy, this.info.columns, this.texts);
        const next = { view, criteria, key, groupColumns };
        if (this.keepsRows) {
          void this.replaceRows(next);
        } else {
          this.show(next);
        }
      },
      (error: unknown) => {
        this.queryFailed(error, criteria);
      },
    );
  }

  private show(
    { view, criteria, key, groupColumns }: Answer,
    loaded = new Map<string, RowBlock>(),
  ): void {
    this.shownCriteria = criteria;
    this.answeredQuery = key;
    this.pendingQuery = key;
    this.view = view;
    this.groupColumns = groupColumns;
    this.forgetRows();
    this.blocks = loaded;
    this.events.answered();
  }

  /** Shows rows in place of those that are kept, once those that are seen are loaded: none is blank in between. */
  private async replaceRows(next: Answer): Promise<void> {
    const { view, groupColumns } = next;
    const replacing = new AbortController();
    const { signal } = replacing;
    this.replacing = replacing;
    const asked = this.askedIds;
    const rows = view.id === wholeFile ? this.info.rows : (view.groups ?? view.rows);
    const loading = [...blocksOf(this.seen)].map(async ([key, [page, block]]) => {
      const from = page * pageRows;
      const count = Math.min(pageRows, rows - from);
      const place = { view: view.id, isGrouped: groupColumns !== undefined, from, count, block };
      return [key, { rows: count > 0 ? await this.fetch(place, signal) : [] }] as const;
    });
    // Those that fail are loaded again where they are seen, which says why.
    const loaded = await Promise.all(loading).catch(() => []);
    if (!signal.aborted) {
      this.replacing = undefined;
      this.keepsRows = false;
      // Cells that were asked for other columns would be under wrong headings.
      const areOfColumns = asked === this.askedIds;
      const filled = loaded.filter(([, { rows: some }]) => areOfColumns && some.length > 0);
      this.show(next, new Map(filled));
    }
  }

  /** Requests again what failed. */
  tryAgain(): void {
    const { failedCriteria } = this;
    this.failure = undefined;
    for (const block of this.blocks.values()) {
      block.hasFailed = false;
    }
    if (failedCriteria) {
      this.apply(failedCriteria);
    }
    this.events.changed();
  }

  /** Cancels the current query; the shown rows stay. */
  cancel(): void {
    if (!this.isCancellable) {
      return;
    }
    if (this.keepsRows) {
      // The host has forgotten their view.
      this.apply(this.shownCriteria);
    } else {
      this.stop();
      this.criteria = this.shownCriteria;
      this.events.changed();
    }
  }

  /** The query for criteria; `undefined` for all rows in the order of the file. */
  createQuery(criteria: Criteria): Query | undefined {
    return createQuery(criteria, this.info.columns, this.texts);
  }

  /**
   * Called when columns were found or changed their type: the criteria may now have all their columns, or
   * mean a different query.
   */
  private reapplyIfChanged(): void {
    if (
      this.awaitsColumns ||
      this.queryKey(this.createQuery(this.criteria)) !== this.pendingQuery
    ) {
      this.apply(this.criteria);
    }
  }

  /** Tells answers apart; one also says how many of its rows are open, by the columns that close rows so far. */
  private queryKey(query: Query | undefined): string | undefined {
    return query && JSON.stringify([query, this.closingColumns.map(({ id }) => id)]);
  }

  private stop(): void {
    this.running.cancel();
    this.replacing?.abort();
    this.replacing = undefined;
    this.pendingQuery = this.answeredQuery;
    this.awaitsColumns = false;
    this.share = 0;
  }

  private queryFailed(error: unknown, criteria: Criteria): void {
    this.pendingQuery = this.answeredQuery;
    this.dropKeptRows();
    this.criteria = this.shownCriteria;
    if (!(error instanceof TableError && error.code === 'superseded')) {
      this.failure = failureText(error);
      this.failedCriteria = criteria;
    }
    this.events.changed();
  }

  /** Without an answer, rows that are kept may not match their criteria any more. */
  private dropKeptRows(): void {
    if (this.keepsRows) {
      this.showNoCriteria();
    }
  }

  private showNoCriteria(): void {
    this.showAllRows();
    this.shownCriteria = noCriteria;
  }

  private showAllRows(): void {
    this.answeredQuery = undefined;
    this.keepsRows = false;
    this.stop();
    this.view = { id: wholeFile, rows: 0 };
    this.groupColumns = undefined;
    this.forgetRows();
  }

  /** Cancels running requests, too: their answers are stale. */
  private forgetRows(): void {
    this.blocks.forEach(({ loading }) => loading?.abort());
    this.blocks = new Map();
  }

  private async loadBlock(
    block: RowBlock,
    from: number,
    count: number,
    number: number,
  ): Promise<void> {
    const { blocks } = this;
    block.loading = new AbortController();
    const { signal } = block.loading;
    const place = { view: this.view.id, isGrouped: this.grouped, from, count, block: number };
    try {
      block.rows = await this.fetch(place, signal);
    } catch (error) {
      // One that was cancelled may be visible again.
      block.hasFailed = failureText(error) !== undefined;
      if (block.hasFailed && blocks === this.blocks) {
        this.rowsFailed(error);
      }
    }
    block.loading = undefined;
    if (blocks === this.blocks) {
      this.events.changed();
    }
  }

  private rowsFailed(error: unknown): void {
    if (error instanceof TableError && error.code === 'gone') {
      // Not those that are shown: another query may run, or have failed.
      this.answeredQuery = undefined;
      this.apply(this.failedCriteria ?? this.criteria);
      return;
    }
    this.failure = failureText(error);
  }

  private fetch(place: BlockPlace, signal: AbortSignal): Promise<readonly LoadedRow[]> {
    return place.isGrouped ? this.fetchGroups(place, signal) : this.fetchRows(place, signal);
  }

  private async fetchRows(
    { view, from, count, block }: BlockPlace,
    signal: AbortSignal,
  ): Promise<readonly LoadedRow[]> {
    const shown = this.columns.shown
      .slice(block * blockColumns, (block + 1) * blockColumns)
      .map(({ column }) => column.id);
    const old = shown.map((id) => this.oldColumns.get(id));
    const closing = this.closingColumns;
    const cells = [...shown, ...old.filter((id) => id !== undefined)];
    const columns = [...new Set([...cells, ...closing.map(({ id }) => id)])];
    const params = { view, from, count, columns };
    const { rows } = await this.link.request('rows', params, { signal });
    return rows.map((row) => {
      const closes = ({ id, closing: form }: Column) => {
        const cell = row.cells[columns.indexOf(id)];
        return form && cell && !hasNoValue.has(cell.kind) && isClosing(form, cell.text);
      };
      const isClosed = row.known !== undefined || closing.some(closes);
      return { ...row, cells: withOldValues(row.cells, old), ...(isClosed && { isClosed }) };
    });
  }

  /** The columns that say which rows are closed findings. */
  private get closingColumns(): readonly Column[] {
    return this.info.columns.filter(({ closing }) => closing !== undefined);
  }

  private async fetchGroups(
    { view, from, count, block }: BlockPlace,
    signal: AbortSignal,
  ): Promise<readonly LoadedRow[]> {
    const params = { view, from, count };
    const { groups } = await this.link.request('groups', params, { signal });
    const first = block * blockColumns;
    return groups.map(({ values, count: size, open = size, filter }) => {
      const { texts } = this;
      const text =
        open === size || this.isComparison ? texts.number(size) : texts.get('openOf', open, size);
      const cells = [...values, { kind: 'number', text } as const];
      return { cells: cells.slice(first, first + blockColumns), filter };
    });
  }
}

/** The blocks of what is seen, by their keys. */
function blocksOf({
  first,
  end,
  firstColumn,
  endColumn,
}: Seen): ReadonlyMap<string, readonly [page: number, block: number]> {
  const visible = new Map<string, readonly [page: number, block: number]>();
  const lastBlock = Math.floor(Math.max(firstColumn, endColumn - 1) / blockColumns);
  for (let page = Math.floor(first / pageRows); page * pageRows < end; page += 1) {
    for (let block = Math.floor(firstColumn / blockColumns); block <= lastBlock; block += 1) {
      visible.set(formatKey(page, block), [page, block]);
    }
  }
  return visible;
}

function formatKey(page: number, block: number): string {
  return `${page}:${block}`;
}

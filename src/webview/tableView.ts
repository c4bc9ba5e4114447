import {
  type Column,
  type ColumnId,
  countColumn,
  type Filter,
  type TableInfo,
  type View,
  wholeFile,
} from '../engine/types';
import { withOldValues } from '../engine/values/comparisonColumns';
import { type ExpressionFault, parseExpression } from '../engine/values/filters';
import { TableError } from '../engine/values/tableError';
import {
  areColumnsComplete,
  type Criteria,
  areColumnsPresent,
  noCriteria,
  queryOf,
  withoutMissingColumns,
} from './criteria';
import { ColumnModel } from './grid/columnModel';
import type { GridSource } from './grid/gridParts';
import type { HostLink, PendingCall } from './hostLink';
import type { ShownTable } from './protocol';
import { blockColumns, type PendingRows, RowStore } from './rowStore';

interface ViewEvents {
  /** The page must be redrawn. */
  changed(): void;
  /** A query was answered: the rows changed. */
  answered(): void;
  failed(message: string, again: () => void): void;
  faultText(fault: ExpressionFault, column: Column): string;
  /** Extends a filter that was typed for a column, so that it also finds values by their names. */
  filterByNames(typed: Filter, column: Column): Filter;
  /** In a file of differences: the column with the old values of a column. */
  oldColumn?(id: ColumnId): ColumnId | undefined;
  readonly countName: string;
  /** A formatted number. */
  number(value: number): string;
}

/** The rows that are shown: sends the criteria as a query, and loads the pages of its answer. */
export class TableView {
  /** The current criteria, also while the query runs. */
  criteria: Criteria = noCriteria;
  info: TableInfo;
  private applied: Criteria = noCriteria;
  private view: View = { id: wholeFile, rows: 0 };
  private groupColumns: ColumnModel | undefined;
  private store: RowStore;
  private running: PendingCall<'query'> | undefined;
  private share = 0;
  /** Whether the criteria wait for columns that have not been found yet. */
  private awaitsColumns = false;
  /** The query that runs, or that the current view answers. */
  private pendingQuery: string | undefined;
  /** The query that the current view answers. */
  private answeredQuery: string | undefined;

  constructor(
    private readonly link: Pick<HostLink, 'request'>,
    readonly columns: ColumnModel,
    private readonly events: ViewEvents,
    info: TableInfo,
  ) {
    this.info = info;
    columns.update(info.columns);
    this.store = this.newStore();
  }

  /** The progress of the current query; `undefined` if none runs. */
  get progress(): number | undefined {
    return this.running || this.awaitsColumns ? this.share : undefined;
  }

  /** The criteria of the rows that are shown, until a query is answered. */
  get shownCriteria(): Criteria {
    return this.applied;
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

  get source(): GridSource {
    const columns = this.groupColumns ?? this.columns;
    const { store } = this;
    return {
      rows: this.rows,
      lastNumber: Math.max(this.rows, this.info.rows),
      columns: columns.shown,
      width: columns.width,
      sort: this.grouped ? [] : this.criteria.sort,
      queryable: !this.grouped,
      row: (row) => store.row(row),
      cell: (row, column) => store.cell(row, column),
      load: (...range) => {
        store.load(this.rows, ...range);
      },
      filterOf: (column) => this.filterOf(column),
    };
  }

  /** The query, and the visible columns of the file or the columns that rows are grouped by. */
  get shownTable(): ShownTable {
    const { criteria, columns } = this;
    const query = queryOf(criteria, this.filters()) ?? {};
    return { query, columns: query.groupBy ?? columns.shown.map(({ column }) => column.id) };
  }

  /** The columns that are shown: those of the file, or of its groups. */
  get shownColumns(): ColumnModel {
    return this.groupColumns ?? this.columns;
  }

  row(row: number): ReturnType<RowStore['row']> {
    return this.store.row(row);
  }

  cell(row: number, column: number): ReturnType<RowStore['cell']> {
    return this.store.cell(row, column);
  }

  update(info: TableInfo): void {
    const before = this.info;
    this.info = info;
    if (JSON.stringify(before.columns) !== JSON.stringify(info.columns)) {
      this.columnsChanged(() => {
        this.columns.update(info.columns);
      });
      this.reapplyIfChanged();
    } else if (this.awaitsColumns) {
      this.apply(this.criteria);
    }
    this.events.changed();
  }

  /** Drops everything, because secrets are now shown or masked, or the file was opened again. */
  restart(info: TableInfo): void {
    this.info = info;
    this.columns.update(info.columns);
    this.showAllRows();
    this.applied = noCriteria;
    this.apply(this.criteria);
  }

  /**
   * Changes which columns are shown, or their order. Rows are then loaded again: they have only the cells
   * of visible columns.
   */
  columnsChanged(change: () => void): void {
    const ids = () => this.columns.shown.map(({ column }) => column.id).join('\n');
    const before = ids();
    change();
    if (before !== ids() && !this.grouped) {
      this.renewStore();
    }
    this.events.changed();
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
    this.stop();
    this.awaitsColumns = !areColumnsPresent(criteria, info.columns);
    if (this.awaitsColumns) {
      this.events.changed();
      return;
    }
    const query = queryOf(criteria, this.filters());
    if (!query) {
      this.showAllRows();
      this.applied = criteria;
      this.events.answered();
      return;
    }
    const key = JSON.stringify(query);
    if (key === this.answeredQuery) {
      // The typed text adds no condition: the rows stay.
      this.applied = criteria;
      this.events.answered();
      return;
    }
    const call = this.link.request('query', { query }, (share) => {
      this.share = share;
      this.events.changed();
    });
    this.running = call;
    this.pendingQuery = key;
    this.events.changed();
    call.answer.then(
      (view) => {
        if (this.running === call) {
          this.running = undefined;
          this.applied = criteria;
          this.answeredQuery = key;
          this.showView(view, query.groupBy);
        }
      },
      (error: unknown) => {
        if (this.running === call) {
          this.running = undefined;
          this.queryFailed(error, criteria);
        }
      },
    );
  }

  /** Cancels the current query; the shown rows stay. */
  cancel(): void {
    if (this.progress !== undefined) {
      this.stop();
      this.criteria = this.applied;
      this.events.changed();
    }
  }

  /** Retries failed pages. */
  retry(): void {
    this.store.retry();
  }

  /** See `View.comparedPrefixBytes`. */
  get comparedPrefixBytes(): number | undefined {
    return this.view.comparedPrefixBytes;
  }

  filters(criteria = this.criteria): readonly Filter[] {
    return this.info.columns.flatMap((column) => {
      const parsed = parseExpression(criteria.filters.get(column.id) ?? '', column);
      if (!('filter' in parsed)) {
        return [];
      }
      return this.events.filterByNames(parsed.filter, column);
    });
  }

  private filterOf(column: Column): { text: string; fault?: string } {
    const text = this.criteria.filters.get(column.id) ?? '';
    const parsed = parseExpression(text, column);
    return 'fault' in parsed
      ? { text, fault: this.events.faultText(parsed.fault, column) }
      : { text };
  }

  /**
   * Called when columns were found or changed their type: the criteria may now have all their columns, or
   * mean a different query.
   */
  private reapplyIfChanged(): void {
    const query = queryOf(this.criteria, this.filters());
    if (this.awaitsColumns || (query && JSON.stringify(query)) !== this.pendingQuery) {
      this.apply(this.criteria);
    }
  }

  private stop(): void {
    this.running?.cancel();
    this.running = undefined;
    this.pendingQuery = this.answeredQuery;
    this.awaitsColumns = false;
    this.share = 0;
  }

  private showView(view: View, groupBy: readonly string[] | undefined): void {
    this.view = view;
    this.groupColumns = groupBy && this.columnsOfGroups(groupBy);
    this.renewStore();
    this.events.answered();
  }

  private queryFailed(error: unknown, criteria: Criteria): void {
    this.pendingQuery = this.answeredQuery;
    this.criteria = this.applied;
    const code = error instanceof TableError ? error.code : undefined;
    if (code !== 'cancelled' && code !== 'superseded') {
      this.events.failed(error instanceof Error ? error.message : String(error), () => {
        this.apply(criteria);
      });
    }
    this.events.changed();
  }

  private showAllRows(): void {
    this.answeredQuery = undefined;
    this.stop();
    this.view = { id: wholeFile, rows: 0 };
    this.groupColumns = undefined;
    this.renewStore();
  }

  /** Loads the shown rows again. */
  renewRows(): void {
    this.renewStore();
    this.events.changed();
  }

  private renewStore(): void {
    this.store.dispose();
    this.store = this.newStore();
  }

  private newStore(): RowStore {
    const { view, groupColumns } = this;
    return new RowStore(
      (from, count, block) =>
        groupColumns
          ? this.fetchGroups(view.id, from, count, block)
          : this.fetchRows(view.id, from, count, block),
      () => {
        this.events.changed();
      },
      (error) => {
        this.pageFailed(error);
      },
    );
  }

  private pageFailed(error: unknown): void {
    if (error instanceof TableError && error.code === 'gone') {
      this.answeredQuery = undefined;
      this.apply(this.applied);
      return;
    }
    this.events.failed(error instanceof Error ? error.message : String(error), () => {
      this.retry();
    });
  }

  private fetchRows(view: number, from: number, count: number, block: number): PendingRows {
    const shown = this.columns.shown
      .slice(block * blockColumns, (block + 1) * blockColumns)
      .map(({ column }) => column.id);
    const old = shown.map((id) => this.events.oldColumn?.(id));
    const columns = [...shown, ...old.filter((id) => id !== undefined)];
    const call = this.link.request('rows', { view, from, count, columns });
    return {
      answer: call.answer.then(({ rows }) =>
        columns.length === shown.length
          ? rows
          : rows.map((row) => ({ ...row, cells: withOldValues(row.cells, old) })),
      ),
      cancel: call.cancel,
    };
  }

  private fetchGroups(view: number, from: number, count: number, block: number): PendingRows {
    const call = this.link.request('groups', { view, from, count });
    const first = block * blockColumns;
    return {
      answer: call.answer.then(({ groups }) =>
        groups.map(({ values, count: size, filter }) => ({
          cells: [...values, { kind: 'number', text: this.events.number(size) } as const].slice(
            first,
            first + blockColumns,
          ),
          filter,
        })),
      ),
      cancel: call.cancel,
    };
  }

  private columnsOfGroups(groupBy: readonly string[]): ColumnModel {
    const columns = groupBy.flatMap((id) => this.info.columns.find((one) => one.id === id) ?? []);
    const count: Column = {
      id: countColumn,
      name: this.events.countName,
      type: 'number',
      verified: true,
      secret: false,
    };
    const all = [...columns, count];
    // The columns keep the order of the grouping, whatever their roles are, and none is hidden.
    const model = new ColumnModel(all.map(({ id }) => ({ id, hidden: false })));
    model.update(all);
    return model;
  }
}

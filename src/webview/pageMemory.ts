import * as check from './checks';
import type { ColumnId, SortKey } from '../engine/types';
import { type LabeledFilter, type TableTab, tableTabs } from './protocol';
import { type Criteria, withChosen, withoutRows } from './tableView';
import type { Selection } from './grid/gridParts';
import type { VsCodeApi, TablePage } from './tablePage';

/** Milliseconds from a change until the state is saved. */
const pause = 150;

/** Saves the state of the page across reloads, and while another tab is shown. */
export class PageMemory {
  readonly state: PageState | undefined;
  /**
   * The state to restore when there are enough rows. A file that is being read has few at first.
   */
  private pendingState: PageState | undefined;
  private awaitsView = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly api: VsCodeApi,
    private readonly page: TablePage,
  ) {
    this.state = pageState(api.getState());
    for (const event of ['pagehide', 'blur'] as const) {
      window.addEventListener(event, () => {
        this.keepNow();
      });
    }
  }

  /** Restores the saved state, once all parts of the page exist. */
  restore(): void {
    const { page, state } = this;
    page.sash.bar.hidden = true;
    if (!state) {
      return;
    }
    this.pendingState = state;
    page.filterRow = state.filterRow;
    page.grid.showFilters(state.filterRow);
    page.findBar.inputBar.input.value = state.find;
    if (state.record) {
      page.showRecord(true);
    }
    this.awaitsView = true;
    const criteria: Criteria = {
      filters: new Map(state.filters.map(({ column, text }) => [column, text])),
      sort: state.sort,
      groupBy: state.groupBy,
      invalidOnly: state.invalidOnly,
      ...(state.picked && { openedGroup: state.picked }),
      ...(state.chosen && { overviewFilter: state.chosen }),
    };
    const isSameFile = state.bytes === page.view.info.bytes;
    page.view.apply(isSameFile ? criteria : withoutRows(criteria));
    for (const event of ['pointerdown', 'wheel'] as const) {
      document.addEventListener(
        event,
        () => {
          this.forgetPosition();
        },
        { once: true, passive: true },
      );
    }
  }

  /** Called when the requested rows have arrived. */
  viewReady(): void {
    this.awaitsView = false;
    this.rowsAdded();
  }

  /** Restores the saved position when there are enough rows, or all rows. */
  rowsAdded(): void {
    const { pendingState, page } = this;
    if (!pendingState || this.awaitsView) {
      return;
    }
    const { rows, info } = page.view;
    const last = Math.max(pendingState.top, pendingState.active.row);
    if (rows <= last && !info.done) {
      return;
    }
    this.pendingState = undefined;
    page.grid.show(page.view.source);
    page.grid.scrollTo(
      pendingState.top * page.grid.scroll.rowHeight + pendingState.offset,
      pendingState.left,
    );
    page.grid.focus = {
      selection: pendingState,
      zone: 'cells',
    };
  }

  /** Gives up restoring the position, because a user has moved. */
  forgetPosition(): void {
    this.pendingState = undefined;
  }

  /** Saves the state soon; several changes are saved at once. */
  keep(): void {
    this.timer ??= setTimeout(() => {
      this.keepNow();
    }, pause);
  }

  private keepNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.pendingState) {
      this.api.setState(this.snapshot());
    }
  }

  private snapshot(): PageState {
    const { view, grid, findBar, filterRow, record, sash, secrets } = this.page;
    const criteria = secrets.withoutSecrets(view.criteria);
    const find = secrets.findText(findBar.text);
    const { selection } = grid.focus;
    const { rowHeight, top } = grid.scroll;
    return {
      version: 1,
      bytes: view.info.bytes,
      top: Math.floor(top / rowHeight),
      offset: Math.round(top % rowHeight),
      left: Math.round(grid.left),
      active: selection.active,
      columns: view.columns.state,
      find,
      filters: [...criteria.filters].map(([id, text]) => ({ column: id, text })),
      sort: criteria.sort,
      groupBy: criteria.groupBy,
      ...(criteria.openedGroup && { picked: criteria.openedGroup }),
      ...(criteria.overviewFilter && { chosen: criteria.overviewFilter }),
      invalidOnly: criteria.invalidOnly,
      filterRow,
      record: record.visible,
      recordShare: sash.share,
      anchor: selection.anchor,
      kind: selection.kind,
      tab: this.page.tabs.shown,
      bars: this.page.overview.added,
    };
  }
}

/** What the page saves with `setState`, so that it looks the same after a reload of the window. */
export interface PageState {
  readonly version: 1;
  /** Size of the file, which shows whether the file has changed. */
  readonly bytes: number;
  /** First visible row, and pixels of it that are scrolled away. */
  readonly top: number;
  readonly offset: number;
  /** Pixels scrolled to the right. */
  readonly left: number;
  /** The active cell: a row and the number of a visible column. */
  readonly active: Selection['active'];
  readonly anchor: Selection['anchor'];
  readonly kind: Selection['kind'];
  /** Columns in the order shown; new columns follow. */
  readonly columns: readonly {
    readonly id: ColumnId;
    /** Pixels, as a user set them, or as they were measured. */
    readonly width?: number;
    readonly fitted?: number;
    readonly hidden?: boolean;
  }[];
  readonly find: string;
  readonly filters: readonly { readonly column: ColumnId; readonly text: string }[];
  readonly sort: readonly SortKey[];
  readonly groupBy: readonly ColumnId[];
  /** `openedGroup` and `overviewFilter` of the criteria; saved states have these names. */
  readonly picked?: LabeledFilter;
  readonly chosen?: LabeledFilter;
  readonly invalidOnly: boolean;
  readonly filterRow: boolean;
  /** Whether the record is shown beside the grid, and its share of the space in percent. */
  readonly record: boolean;
  readonly recordShare: number;
  readonly tab: TableTab;
  /** Columns that were added to the overview. */
  readonly bars: readonly ColumnId[];
}

/** What `getState` returned, if it is a state of this version. */
export function pageState(value: unknown): PageState | undefined {
  const cell = (part: unknown) => {
    const { row, column } = check.object(part);
    return { row: check.integer(row, 0), column: check.integer(column, 0) };
  };
  try {
    const data = check.object(value);
    const picked = labeledFilter(data.picked);
    const chosen = labeledFilter(data.chosen);
    check.integer(data.version, 1, 1);
    return {
      version: 1,
      bytes: check.integer(data.bytes, 0),
      top: check.integer(data.top, 0),
      offset: check.integer(data.offset, 0),
      left: check.integer(data.left, 0),
      active: cell(data.active),
      anchor: cell(data.anchor),
      kind: check.oneOf(data.kind, ['cells', 'rows', 'columns', 'all']),
      columns: check.list(data.columns, check.maxColumns, (item) => {
        const { id, width, fitted, hidden } = check.object(item);
        const pixels = (value: unknown) => check.integer(value, 1, 10_000);
        return {
          id: check.text(id),
          ...(width !== undefined && { width: pixels(width) }),
          ...(fitted !== undefined && { fitted: pixels(fitted) }),
          ...(hidden !== undefined && { hidden: check.boolean(hidden) }),
        };
      }),
      find: check.text(data.find),
      filters: check.list(data.filters, check.maxColumns, (item) => {
        const { column, text } = check.object(item);
        return { column: check.text(column), text: check.text(text) };
      }),
      sort: check.query({ sort: data.sort }).sort ?? [],
      groupBy: check.columnIds(data.groupBy),
      ...(picked && { picked }),
      ...(chosen && { chosen }),
      invalidOnly: check.boolean(data.invalidOnly),
      filterRow: check.boolean(data.filterRow),
      record: check.boolean(data.record),
      recordShare: check.integer(data.recordShare, 10, 90),
      tab: check.oneOf(data.tab, tableTabs),
      bars: check.columnIds(data.bars),
    };
  } catch (error) {
    if (error instanceof check.CheckError) {
      return undefined;
    }
    throw error;
  }
}

function labeledFilter(value: unknown): LabeledFilter | undefined {
  if (value === undefined) {
    return undefined;
  }
  const { label, filter } = check.object(value);
  return { label: check.text(label), filter: check.filter(filter) };
}

/**
 * Remembers the criteria from before secret values were shown. Later criteria may contain a secret value:
 * they are neither saved, because VS Code writes the state to disk, nor shown after masking.
 */
export class ShownSecrets {
  private before: { readonly criteria: Criteria; readonly find: string } | undefined;

  constructor(private readonly page: TablePage) {}

  /** Secret values are shown now. */
  begin(): void {
    const { view, findBar } = this.page;
    this.before ??= { criteria: view.criteria, find: findBar.text };
  }

  /** Secret values are masked: criteria that may contain one are removed. */
  end(): void {
    const { grid, findBar, view } = this.page;
    if (grid.elements.grid.contains(document.activeElement)) {
      // A focused filter would keep its text.
      grid.takeFocus();
    }
    view.criteria = this.withoutSecrets(view.criteria);
    findBar.text = this.findText(findBar.text);
    this.before = undefined;
    this.page.memory.keep();
  }

  /**
   * The criteria without new filters, groups and choices: a secret value can be typed into the filter of any
   * column.
   */
  withoutSecrets(criteria: Criteria): Criteria {
    const { before } = this;
    if (!before) {
      return criteria;
    }
    const { openedGroup, overviewFilter } = before.criteria;
    return {
      ...withChosen(criteria, (one) => one === openedGroup || one === overviewFilter),
      filters: new Map(
        [...criteria.filters].filter(([id, text]) => before.criteria.filters.get(id) === text),
      ),
    };
  }

  /** The text to find, if it was there before. */
  findText(text: string): string {
    return this.before === undefined || this.before.find === text ? text : '';
  }
}

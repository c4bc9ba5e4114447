import type { TableTab } from '../protocol';
import type { ColumnId } from '../engine/types';
import { gridState, queryOf, type GridState } from './grid/gridState';
import type { VsCodeApi } from './hostLink';
import type { FindBar } from './menus/findBar';
import type { Grid } from './grid/grid';
import type { ShownSecrets } from './record/shownSecrets';
import type { Sash } from './record/sash';
import type { TableView } from './tableView';

/** What it needs of the page. */
export interface MemoryPage {
  readonly view: TableView;
  readonly grid: Grid;
  readonly findBar: FindBar;
  readonly sash: Sash;
  readonly secrets: ShownSecrets;
  readonly record: { readonly visible: boolean };
  readonly tabs: { readonly shown: TableTab };
  readonly overview: { readonly added: readonly ColumnId[] };
  filterRow: boolean;
  showRecord(on: boolean): void;
}

/** Milliseconds after the last change until it is kept. */
const pause = 150;

/** Keeps how the page looks, so that it looks the same after another tab was shown, or a reload. */
export class PageMemory {
  readonly state: GridState | undefined;
  /** Where to go as soon as there are as many rows: a file that is being read has few at first. */
  private pendingState: GridState | undefined;
  private awaitsView = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly api: VsCodeApi,
    private readonly page: MemoryPage,
  ) {
    this.state = gridState(api.getState());
    for (const event of ['pagehide', 'blur'] as const) {
      window.addEventListener(event, () => {
        this.keepNow();
      });
    }
  }

  /** Brings back what was kept, once all parts are there. */
  restore(): void {
    const { page, state } = this;
    page.sash.bar.hidden = true;
    if (!state) {
      return;
    }
    this.pendingState = state;
    page.filterRow = state.filterRow;
    page.grid.showFilters(state.filterRow);
    page.findBar.inputBar.input.value = state.find ?? '';
    if (state.record) {
      page.showRecord(true);
    }
    this.awaitsView = true;
    page.view.apply({
      filters: new Map(state.filters.map(({ column, text }) => [column, text])),
      sort: state.sort,
      groupBy: state.groupBy,
      invalidOnly: state.invalidOnly,
      ...(state.picked && { picked: state.picked }),
      ...(state.chosen && { chosen: state.chosen }),
    });
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

  /** The rows asked for are there. */
  viewReady(): void {
    this.awaitsView = false;
    this.rowsAdded();
  }

  /** Goes to the kept position when there are enough rows for it, or all there will be. */
  rowsAdded(): void {
    const { pendingState, page } = this;
    if (!pendingState || this.awaitsView) {
      return;
    }
    const { rows, info } = page.view;
    const last = Math.max(pendingState.top, pendingState.active?.position ?? 0);
    if (rows <= last && !info.done) {
      return;
    }
    this.pendingState = undefined;
    page.grid.show(page.view.source);
    page.grid.scrollTo(
      pendingState.top * page.grid.scroll.rowHeight + pendingState.offset,
      pendingState.left,
    );
    const active = {
      row: pendingState.active?.position ?? 0,
      column: pendingState.active?.column ?? 0,
    };
    page.grid.focus = {
      selection: { anchor: pendingState.anchor ?? active, active, kind: pendingState.kind },
      zone: 'cells',
    };
  }

  /** A person has gone elsewhere by now. */
  forgetPosition(): void {
    this.pendingState = undefined;
  }

  /** Keeps the state soon; of many changes at once, the last. */
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

  private snapshot(): GridState {
    const { view, grid, findBar, filterRow, record, sash, secrets } = this.page;
    const criteria = secrets.withoutSecrets(view.criteria);
    const find = secrets.findText(findBar.text);
    const { selection } = grid.focus;
    const { rowHeight, top } = grid.scroll;
    const { row, column } = selection.active;
    return {
      version: 1,
      query: queryOf(criteria, view.filters(criteria)) ?? {},
      top: Math.floor(top / rowHeight),
      offset: Math.round(top % rowHeight),
      left: Math.round(grid.left),
      active: { position: row, column },
      columns: view.columns.state,
      ...(find !== '' && { find }),
      filters: [...criteria.filters].map(([id, text]) => ({ column: id, text })),
      sort: criteria.sort,
      groupBy: criteria.groupBy,
      ...(criteria.picked && { picked: criteria.picked }),
      ...(criteria.chosen && { chosen: criteria.chosen }),
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

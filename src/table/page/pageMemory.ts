import { gridState, queryOf, type GridState } from './grid/gridState';
import type { VsCodeApi } from './hostLink';
import type { Finder } from './menus/finder';
import type { Grid } from './grid/grid';
import type { ShownSecrets } from './record/shownSecrets';
import type { Splitter } from './record/splitter';
import type { TableView } from './tableView';

/** What it needs of the page. */
export interface MemoryPage {
  readonly view: TableView;
  readonly grid: Grid;
  readonly finder: Finder;
  readonly splitter: Splitter;
  readonly secrets: ShownSecrets;
  readonly record: { readonly visible: boolean };
  filterRow: boolean;
  showRecord(on: boolean): void;
}

/** Milliseconds after the last change until it is kept. */
const pause = 150;

/** Keeps how the page looks, so that it looks the same after another tab was shown, or a reload. */
export class PageMemory {
  readonly state: GridState | undefined;
  /** Where to go as soon as there are as many rows: a file that is being read has few at first. */
  private place: GridState | undefined;
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
    page.splitter.bar.hidden = true;
    if (!state) {
      return;
    }
    this.place = state;
    page.filterRow = state.filterRow;
    page.grid.showFilters(state.filterRow);
    page.finder.bar.input.value = state.find ?? '';
    if (state.record) {
      page.showRecord(true);
    }
    this.awaitsView = true;
    page.view.apply({
      filters: new Map(state.filters.map(({ column, text }) => [column, text])),
      sort: state.sort,
      groupBy: state.groupBy,
      wrongOnly: state.wrongOnly,
      ...(state.picked && { picked: state.picked }),
    });
    for (const event of ['pointerdown', 'wheel'] as const) {
      document.addEventListener(
        event,
        () => {
          this.forgetPlace();
        },
        { once: true, passive: true },
      );
    }
  }

  /** The rows asked for are there. */
  viewCame(): void {
    this.awaitsView = false;
    this.rowsCame();
  }

  /** Goes to the place kept when there are enough rows for it, or all there will be. */
  rowsCame(): void {
    const { place, page } = this;
    if (!place || this.awaitsView) {
      return;
    }
    const { rows, info } = page.view;
    const last = Math.max(place.top, place.active?.position ?? 0);
    if (rows <= last && !info.done) {
      return;
    }
    this.place = undefined;
    page.grid.show(page.view.source);
    page.grid.scrollTo(place.top * page.grid.scroll.rowHeight + place.offset, place.left);
    const active = { row: place.active?.position ?? 0, column: place.active?.column ?? 0 };
    page.grid.focus = {
      selection: { anchor: place.anchor ?? active, active, kind: place.kind },
      zone: 'cells',
    };
  }

  /** A person has gone elsewhere by now. */
  forgetPlace(): void {
    this.place = undefined;
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
    if (!this.place) {
      this.api.setState(this.snapshot());
    }
  }

  private snapshot(): GridState {
    const { view, grid, finder, filterRow, record, splitter, secrets } = this.page;
    const wish = secrets.withoutThem(view.wish);
    const find = secrets.find(finder.text);
    const { selection } = grid.focus;
    const { rowHeight, top } = grid.scroll;
    const { row, column } = selection.active;
    return {
      version: 1,
      query: queryOf(wish, view.filters(wish)) ?? {},
      top: Math.floor(top / rowHeight),
      offset: Math.round(top % rowHeight),
      left: Math.round(grid.left),
      active: { position: row, column },
      columns: view.columns.state,
      ...(find !== '' && { find }),
      filters: [...wish.filters].map(([id, text]) => ({ column: id, text })),
      sort: wish.sort,
      groupBy: wish.groupBy,
      ...(wish.picked && { picked: wish.picked }),
      wrongOnly: wish.wrongOnly,
      filterRow,
      record: record.visible,
      recordShare: splitter.share,
      anchor: selection.anchor,
      kind: selection.kind,
    };
  }
}

import { type Criteria, withoutRows } from './criteria';
import type { TableInfo } from '../engine/types';
import type { VsCodeApi } from './hostLink';
import type { PageContext } from './pageContext';
import { listOf, type PageState, pageState, withoutTable } from './pageState';
import type { TableTab } from './protocol';

/** What is needed of the page. */
interface RememberedPage extends Pick<PageContext, 'grid' | 'link' | 'view' | 'showRecord'> {
  filterRow: boolean;
  readonly findBar: { text: string };
  readonly record: { readonly visible: boolean };
  readonly sash: { readonly bar: HTMLElement; readonly share: number };
  readonly tabs: { readonly shown: TableTab };
  readonly overview: { readonly added: PageState['bars']; readonly countsAll: boolean };
  readonly firstSort: { readonly isWaiting: boolean };
  readonly secrets: {
    withoutSecrets(criteria: Criteria): Criteria;
    findText(text: string): string;
  };
}

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
    private readonly page: RememberedPage,
    info: TableInfo,
  ) {
    const state = pageState(api.getState());
    this.state = state && state.list !== listOf(info) ? withoutTable(state) : state;
    const saveNow = () => {
      this.saveNow();
    };
    page.link.beforeSend = saveNow;
    for (const event of ['pagehide', 'blur'] as const) {
      window.addEventListener(event, saveNow);
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
    page.findBar.text = state.find;
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
  saveSoon(): void {
    this.timer ??= setTimeout(() => {
      this.saveNow();
    }, pause);
  }

  /** Saves the state before the page may be hidden: what a hidden page saves is lost. */
  private saveNow(): void {
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
    const list = listOf(view.info);
    return {
      version: 1,
      bytes: view.info.bytes,
      ...(list !== undefined && { list }),
      top: Math.floor(top / rowHeight),
      offset: Math.round(top % rowHeight),
      left: Math.round(grid.left),
      active: selection.active,
      columns: view.columns.state,
      find,
      filters: [...criteria.filters].map(([id, text]) => ({ column: id, text })),
      sort: criteria.sort,
      ...(this.page.firstSort.isWaiting && { awaitsSort: true }),
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
      countsAll: this.page.overview.countsAll,
    };
  }
}

import { withoutRows } from './criteria';
import type { TableInfo } from '../../engine/page';
import type { VsCodeApi } from './hostLink';
import { listOf, type PageState, pageState } from './pageState';
import { withoutSecrets } from './shownSecrets';
import { select } from './selection';
import type { Store } from './store';

/** Milliseconds from a change until the state is saved. */
const pause = 150;

/** The saved state of a page that shows this list of the file. */
export function savedState(api: VsCodeApi, info: TableInfo): PageState | undefined {
  const state = pageState(api.getState());
  return state?.list === listOf(info) ? state : undefined;
}

/** Saves the state of the page across reloads, and while another tab is shown. */
export class PageMemory {
  private saved = '';
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly api: VsCodeApi,
    private readonly store: Store,
  ) {
    const saveNow = () => this.saveNow();
    store.link.beforeSend = saveNow;
    for (const event of ['pagehide', 'blur'] as const) {
      window.addEventListener(event, saveNow);
    }
  }

  /** Restores the saved state; its position as soon as its rows are there, unless a user moves before. */
  restore(state: PageState): void {
    const { store } = this;
    store.position = state;
    for (const event of ['keydown', 'pointerdown', 'wheel'] as const) {
      const forget = () => {
        store.position = undefined;
      };
      document.addEventListener(event, forget, { once: true, passive: true, capture: true });
    }
    store.set({ filterRow: state.filterRow, record: state.record });
    const { criteria } = state;
    const isSameFile = state.bytes === store.view.info.bytes;
    store.view.apply(isSameFile ? criteria : withoutRows(criteria));
  }

  /** Restores the saved position when there are enough rows, or all rows: a file that is being read has few at first. */
  restorePosition(): void {
    const { position, view, scroll } = this.store;
    const { rows, info, progress } = view;
    if (
      !position ||
      progress !== undefined ||
      (rows <= Math.max(position.top, position.selection.active.row) && !info.done)
    ) {
      return;
    }
    this.store.position = undefined;
    scroll.resize(rows, scroll.viewport);
    scroll.top = position.top * scroll.rowHeight;
    this.store.scrollTarget = { left: position.left };
    const isSameFile = position.bytes === info.bytes;
    const { selection, activeRow } = position;
    this.store.select(isSameFile ? selection : select(selection.active));
    if (activeRow !== undefined || !isSameFile) {
      this.store.loseRow(activeRow);
      this.store.changed();
    }
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
    if (!this.store.position) {
      const state = this.snapshot();
      const text = JSON.stringify(state);
      if (text !== this.saved) {
        this.saved = text;
        this.api.setState(state);
      }
    }
  }

  private snapshot(): PageState {
    const { store } = this;
    const { view, scroll } = store;
    const list = listOf(view.info);
    const activeRow = view.formatRow(store.focus.selection.active.row);
    return {
      bytes: view.info.bytes,
      ...(list !== undefined && { list }),
      top: scroll.top / scroll.rowHeight,
      left: Math.round(store.left),
      selection: store.focus.selection,
      ...(activeRow !== undefined && { activeRow }),
      columns: view.columns.state,
      ...withoutSecrets(store.typed, store.beforeSecrets),
      ...(store.firstSort === 'waiting' && { awaitsSort: true }),
      filterRow: store.filterRow,
      record: store.record,
      recordShare: store.recordShare,
      tab: store.tab,
      overviewColumns: store.overviewColumns,
      countsAll: store.countsAll,
    };
  }
}

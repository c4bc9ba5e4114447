import { render } from 'preact';
import { showChosen, setRecordShown } from './state/actions';
import { focusShown, keepFocus } from './dom/dom';
import { ColumnFit } from './grid/columnFit';
import { Grid } from './grid/grid';
import { listenToPointer } from './grid/gridPointer';
import type { HostLink, VsCodeApi } from './state/hostLink';
import { Finder, JumpBar } from './menus/inputBar';
import { gridMenus } from './menus/tableMenus';
import { announceNotices, Notices } from './toolbar/notices';
import { listenToKeys } from './pageKeys';
import { PageMemory, savedState } from './state/pageMemory';
import type { HostMessage, TableTab } from '../protocol/tableProtocol';
import type { LabeledFilter } from '../summary/labeledFilter';
import { Store } from './state/store';
import { Toolbar } from './toolbar/toolbar';
import { emptyText, statusText } from './toolbar/toolbarState';
import { ColumnCharts } from './state/columnCharts';
import { OverviewPanel } from './views/overviewPanel';
import { TabBar } from './views/pageTabs';
import { RecordPanel } from './views/recordPanel';
import { narrowPage, Sash } from './views/sash';

type Init = Extract<HostMessage, { type: 'init' }>;

/** Row height in pixels at the default font size of 13. */
const usualRowHeight = 22;

/** The page of a Report Table: draws its parts again after each change of the store. */
export class TablePage {
  readonly store: Store;
  private readonly grid: Grid;
  private readonly memory: PageMemory;
  private readonly columnFit: ColumnFit;
  private readonly record: RecordPanel;
  private readonly finder: Finder;
  private readonly overview: OverviewPanel;
  private readonly charts: ColumnCharts;
  private announcedNotices: readonly string[] = [];
  /** What the host was told last that the page shows, and what that depends on. */
  private told = '';
  private toldOf: readonly unknown[] = [];
  /** Whether the page shows what it showed before: until then, it tells nothing. */
  private isRestored = false;

  constructor(link: HostLink, api: VsCodeApi, init: Init) {
    const saved = savedState(api, init.info);
    const store = new Store(link, init, saved, rowHeight(), {
      changed: () => this.draw(),
      selected: () => this.selected(),
      answered: (isFirstSort) => this.answered(isFirstSort),
    });
    this.store = store;
    this.memory = new PageMemory(api, store);
    this.grid = new Grid(store, gridMenus(store), () => this.memory.saveSoon());
    this.columnFit = new ColumnFit(store);
    this.record = new RecordPanel(store);
    this.finder = new Finder(store);
    this.overview = new OverviewPanel(store);
    this.charts = new ColumnCharts(store);
    this.draw();
    document.body.append(store.announcer.root);
    listenToPointer(this.grid);
    listenToKeys(this.grid, this.finder, this.record);
    if (saved) {
      this.memory.restore(saved);
    }
    if (init.revealed) {
      store.setRevealed(true);
    }
    this.isRestored = true;
    const { isRequested, name, chosen } = init.tab;
    this.show(isRequested ? name : (saved?.tab ?? name), chosen);
    narrowPage.addEventListener('change', () => this.draw());
    window.addEventListener('focus', () => {
      if (document.activeElement === document.body) {
        focusShown();
      }
    });
  }

  /**
   * Shows a tab, and focuses the grid or the tab of the overview.
   * @param chosen the rows to show in the table; the first one is also shown as a record.
   */
  show(tab: TableTab, chosen?: LabeledFilter): void {
    if (chosen) {
      showChosen(this.store, chosen);
      setRecordShown(this.store, true);
      return;
    }
    this.store.show(tab);
    // A report can open automatically. If a user types elsewhere then, that keeps the focus.
    if (document.hasFocus()) {
      focusShown();
    }
  }

  /** Called when the host starts over. */
  restart(init: Init): void {
    this.finder.stop();
    this.told = '';
    this.toldOf = [];
    this.store.restart(init);
    const { isRequested, name, chosen } = init.tab;
    if (isRequested) {
      this.show(name, chosen);
    }
    if (document.hasFocus() && document.activeElement === document.body) {
      focusShown();
    }
  }

  private selected(): void {
    const { focus, announcer } = this.store;
    const { kind, anchor, active } = focus.selection;
    if (kind !== 'cells' || anchor.row !== active.row) {
      announcer.say(statusText(this.store));
    }
  }

  private answered(isFirstSort: boolean): void {
    const { store } = this;
    if (!isFirstSort) {
      store.announcer.say(statusText(store));
    } else if (!(document.activeElement instanceof HTMLInputElement)) {
      // The columns may have been fitted to rows that nobody asked for. An input must not move while it is used.
      this.columnFit.refit();
    }
    this.finder.rowsChanged();
  }

  private draw(): void {
    const { store, memory } = this;
    this.columnFit.fitFirst();
    this.grid.draw();
    memory.restorePosition();
    this.record.follow();
    this.finder.follow();
    this.overview.request();
    this.charts.draw();
    keepFocus(() => render(this.page(), document.body));
    this.announcedNotices = announceNotices(store, this.announcedNotices);
    memory.saveSoon();
    this.tellShown();
  }

  /** Tells the host what is shown, so that it can export that. The page is drawn more often than that changes. */
  private tellShown(): void {
    if (!this.isRestored) {
      return;
    }
    const { view, link } = this.store;
    const { criteria, info, columns, rows, progress } = view;
    const of = [criteria, info, columns.shown, rows, progress === undefined];
    if (of.every((each, at) => each === this.toldOf[at])) {
      return;
    }
    this.toldOf = of;
    const { told } = view;
    const text = JSON.stringify(told);
    if (told && text !== this.told) {
      this.told = text;
      link.tell({ type: 'shown', ...told });
    }
  }

  private page() {
    const { store } = this;
    const { texts, tab, bar } = store;
    return (
      <main class="page">
        <h1 class="unseen">{texts.get('table')}</h1>
        <TabBar store={store} />
        <div class="panels">
          {this.overview.panel()}
          <div
            id="panel-table"
            class={tab === 'table' ? 'table-panel shown' : 'table-panel'}
            role="tabpanel"
            aria-labelledby="tab-table"
          >
            <Toolbar store={store} />
            <div class="main">
              <div class="table" ref={this.holdGrid}>
                <div class="empty">{emptyText(store)}</div>
                {bar === 'find' && this.finder.bar()}
                {bar === 'jump' && <JumpBar store={store} />}
              </div>
              <Sash store={store} />
              {this.record.panel()}
            </div>
          </div>
        </div>
        {/* Below all else: one that appears moves nothing. */}
        <Notices store={store} />
      </main>
    );
  }

  private readonly holdGrid = (table: HTMLElement | null): void => {
    table?.prepend(this.grid.elements.grid);
  };
}

/** Row height in pixels; higher for larger fonts. */
function rowHeight(): number {
  const fontSize = Number.parseFloat(getComputedStyle(document.body).fontSize);
  return Math.max(usualRowHeight, Math.ceil(fontSize * 1.7));
}

import { type FileAbout, type HostMessage, type LabeledFilter, type TableTab } from './protocol';
import type { ExportFormat } from '../base/exportFormats';
import type { Cell, Column, ColumnId, ColumnRole, Filter, TableInfo } from '../engine/types';
import { Announcer, element, setText } from './dom';
import { ColumnModel } from './grid/columnModel';
import { ColumnCharts } from './views/columnCharts';
import { Copies } from './grid/copySelection';
import type { ExpressionFault } from '../engine/values/filters';
import { oldColumnsOf, withoutOldColumns } from '../engine/values/comparisonColumns';
import { FindBar, type InputBar, rowJump } from './menus/inputBar';
import { isWorstLowest } from '../engine/values/findingColumns';
import { FirstSort } from './firstSort';
import { Grid } from './grid/grid';
import type { GridFocus, LoadedRow } from './grid/gridParts';
import { pressKey } from './grid/gridKeys';
import { listenToPointer } from './grid/gridPointer';
import { nextSort, noCriteria, withoutRows, type Criteria } from './criteria';
import type { HostLink, VsCodeApi } from './hostLink';
import { PageNotices } from './notices';
import type { PageContext } from './pageContext';
import { ShownSecrets } from './shownSecrets';
import { TableView } from './tableView';
import { Toolbar } from './toolbar';
import { emptyText, type FilterChip, toolbarState } from './toolbarState';
import { showHelp } from './menus/helpPage';
import { closeMenu } from './menus/menu';
import { PageColumns } from './pageColumns';
import { PageLinks } from './pageLinks';
import { PageMemory } from './pageMemory';
import { listOf } from './pageState';
import { PageMenus } from './menus/pageMenus';
import { typeChoices } from './menus/tableMenus';
import { OverviewPanel } from './views/overviewPanel';
import { findingColumns } from '../engine/values/findingColumns';
import { PageTabs } from './views/pageTabs';
import { RecordPanel } from './views/recordPanel';
import { Sash } from './views/sash';
import { ScorecardNames, Texts } from './texts';

type Init = Extract<HostMessage, { type: 'init' }>;

/** Row height in pixels at the default font size of 13. */
const usualRowHeight = 22;

/** The page of a Report Table: connects its parts. */
export class TablePage implements PageContext {
  readonly texts: Texts;
  readonly view: TableView;
  readonly grid: Grid;
  readonly record: RecordPanel;
  readonly findBar: FindBar;
  readonly jump: InputBar;
  readonly announcer = new Announcer();
  readonly menus: PageMenus;
  readonly columns: PageColumns;
  readonly sash: Sash;
  readonly memory: PageMemory;
  readonly overview: OverviewPanel;
  readonly tabs: PageTabs;
  readonly firstSort: FirstSort;
  readonly copies = new Copies(this);
  readonly secrets = new ShownSecrets(this);
  readonly charts = new ColumnCharts(this);
  readonly links = new PageLinks(this);
  filterRow = true;
  revealed: boolean;
  about: FileAbout;
  /** In a file of differences: the columns with old values, by the columns with the new values. */
  private oldColumns: ReadonlyMap<ColumnId, ColumnId> = new Map();
  private readonly toolbar: Toolbar;
  private readonly notices = new PageNotices(this);
  private readonly empty = element('div', { class: 'empty', hidden: true });
  /** The last outcome, such as of a copy; shown instead of the number of rows for a while. */
  private outcome: string | undefined;
  /** What to open of a row when it is loaded, unless the focus leaves it before. */
  private awaited: { readonly row: number; readonly open: () => void } | undefined;
  private outcomeTimer: ReturnType<typeof setTimeout> | undefined;
  private closeHelp: (() => void) | undefined;
  /** Announced together with the next rows. */
  private pendingAnnouncement: string | undefined;

  constructor(
    readonly link: HostLink,
    api: VsCodeApi,
    init: Init,
  ) {
    const { info, revealed, texts, locale, scorecards, about, tab } = init;
    this.texts = new Texts(texts, locale, new ScorecardNames(scorecards));
    this.links.start(init);
    this.revealed = revealed;
    this.about = about;
    this.memory = new PageMemory(api, this, info);
    const state = this.memory.state;
    const columns = new ColumnModel(state?.columns);
    this.view = new TableView(link, columns, this.viewEvents(), this.shownInfo(info));
    this.grid = new Grid(this.texts, this, rowHeight());
    this.firstSort = new FirstSort(this, state?.awaitsSort ?? state === undefined);
    this.menus = new PageMenus(this);
    this.columns = new PageColumns(this);
    this.findBar = new FindBar(this);
    this.jump = rowJump(this);
    this.record = new RecordPanel(this);
    this.toolbar = new Toolbar(this);
    const title = element('h1', { class: 'unseen' }, this.texts.get('table'));
    const main = element('div', { class: 'main' });
    this.sash = new Sash(
      main,
      this.record.root,
      this.texts.get('resizeRecord'),
      state?.recordShare ?? 36,
      () => {
        this.memory.saveSoon();
      },
    );
    const above = [this.empty, this.findBar.inputBar.root, this.jump.root];
    const table = element('div', { class: 'table' }, this.grid.elements.grid, ...above);
    main.append(table, this.sash.bar, this.record.root);
    const parts = [this.toolbar.root, main];
    this.overview = new OverviewPanel(this, state);
    this.tabs = new PageTabs(this, {
      overview: this.overview.root,
      table: element('div', { class: 'table-panel' }, ...parts),
    });
    document.body.replaceChildren(
      element('main', { class: 'page' }, title, this.tabs.bar, this.notices.root, this.tabs.panels),
      this.announcer.root,
    );
    listenToPointer(this.grid);
    listenToKeys(this);
    this.memory.restore();
    if (revealed) {
      this.secrets.begin();
    }
    this.draw();
    this.show(tab.isRequested ? tab.name : (state?.tab ?? tab.name), tab.chosen);
    window.addEventListener('focus', () => {
      if (document.activeElement === document.body) {
        this.focusShown();
      }
    });
  }

  /**
   * Shows a tab, and focuses the grid or the tab of the overview.
   * @param chosen the rows to show in the table; the first one is also shown as a record.
   */
  show(tab: TableTab, chosen?: LabeledFilter): void {
    if (chosen) {
      this.showChosen(chosen);
      this.showRecord(true);
      return;
    }
    this.tabs.show(tab);
    // A report can open automatically. If a user types elsewhere then, that keeps the focus.
    if (document.hasFocus()) {
      this.focusShown();
    }
  }

  focusShown(): void {
    if (this.tabs.shown === 'table') {
      this.grid.domFocus();
    } else {
      this.tabs.focus();
    }
  }

  tabShown(tab: TableTab): void {
    if (tab === 'overview') {
      closeMenu();
      this.overview.open();
    } else {
      this.firstSort.begin();
      this.charts.update();
    }
    this.memory.saveSoon();
  }

  /** Shows only the rows that were chosen in the overview, as many as it counts: all other filters go. */
  showChosen(chosen: LabeledFilter): void {
    this.grid.selectFirst();
    this.changeCriteria({
      ...noCriteria,
      sort: this.firstSort.claim(),
      openedGroup: undefined,
      overviewFilter: chosen,
    });
    this.grid.refresh();
    this.show('table');
  }

  /** Called when the host starts over: secrets are now shown or masked, or the file was opened again. */
  restart(init: Init): void {
    const { info, revealed, scorecards, about, tab } = init;
    closeMenu();
    this.links.start(init);
    this.texts.scorecards.set(scorecards);
    if (revealed !== this.revealed) {
      this.pendingAnnouncement = this.texts.get(revealed ? 'secretsShown' : 'secretsMasked');
      this.revealed = revealed;
      this.secrets[revealed ? 'begin' : 'end']();
    } else {
      this.view.criteria = withoutRows(this.view.criteria);
    }
    this.notices.clearFailure();
    this.record.reset();
    this.findBar.stop();
    this.about = about;
    if (listOf(info) !== listOf(this.view.info)) {
      this.forgetTable();
    }
    this.view.restart(this.shownInfo(info));
    this.firstSort.begin();
    this.overview.restart();
    this.charts.restart();
    this.draw();
    if (tab.isRequested) {
      this.show(tab.name, tab.chosen);
    }
    if (document.hasFocus() && document.activeElement === document.body) {
      this.grid.domFocus();
    }
  }

  /** Forgets what is about rows and columns, because those of another list follow. */
  private forgetTable(): void {
    this.view.criteria = noCriteria;
    this.firstSort.restart();
    this.view.columns.clear();
    this.columns.refit();
    this.overview.forgetColumns();
    this.memory.forgetPosition();
    this.grid.selectFirst();
    this.memory.saveSoon();
  }

  /** Opens the file at another of its lists. */
  showList(list: string): void {
    this.link.send({ type: 'showList', list });
  }

  /** Closes menus and dialogs of a table that failed. */
  closeAll(): void {
    closeMenu();
    this.closeHelp?.();
  }

  update(info: TableInfo): void {
    const before = this.view.info;
    const oldCount = this.oldColumns.size;
    this.view.update(this.shownInfo(info));
    if (this.oldColumns.size !== oldCount) {
      this.columns.refit();
      this.view.renewRows();
    }
    this.firstSort.begin();
    this.overview.update();
    this.charts.update();
    this.memory.rowsAdded();
    // The answer to a user's query that waits for the file, or the counts of the overview, are announced instead.
    const isAnnouncedElsewhere =
      (this.view.progress !== undefined && !this.firstSort.isRunning) ||
      this.tabs.shown === 'overview';
    if (info.done && !before.done && !isAnnouncedElsewhere) {
      this.announcer.say(this.texts.get('rows', info.rows));
    }
  }

  /** Called when the host has sent more facts about the file. */
  updateAbout(about: FileAbout): void {
    this.about = about;
    this.overview.draw();
  }

  /** In a file of differences, leaves out the columns of old values: the cells of the new ones show these. */
  private shownInfo(info: TableInfo): TableInfo {
    if (!this.about.comparison) {
      return info;
    }
    this.oldColumns = oldColumnsOf(info.columns);
    return withoutOldColumns(info);
  }

  openFind(): void {
    if (!this.view.grouped) {
      this.jump.close();
      this.findBar.open();
    }
  }

  openJump(): void {
    this.findBar.close();
    this.jump.open('');
  }

  findAgain(backwards: boolean): void {
    if (!this.view.grouped) {
      this.findBar.find(backwards);
    }
  }

  /** Queries other rows and goes to the first. */
  changeCriteria(change: Partial<Criteria>): void {
    this.notices.clearFailure();
    this.memory.forgetPosition();
    const sort = this.firstSort.claim();
    this.view.apply({ ...this.view.criteria, sort, ...change });
    this.memory.saveSoon();
  }

  setFilter(column: Column, text: string): void {
    const before = this.view.criteria.filters.get(column.id) ?? '';
    // An input removes line breaks: a text that differs from the filter only in these is not a new one.
    if (text === before || text === before.replace(/[\r\n]/g, '')) {
      return;
    }
    const filters = new Map(this.view.criteria.filters);
    if (text.trim() === '') {
      filters.delete(column.id);
    } else {
      filters.set(column.id, text);
    }
    this.changeCriteria({ filters });
    this.grid.refresh();
  }

  clearFilters(): void {
    this.changeCriteria({ filters: new Map(), invalidOnly: false, overviewFilter: undefined });
    // The pressed button is gone.
    this.grid.domFocus();
  }

  removeFilter({ column }: FilterChip): void {
    const { filters } = this.view.criteria;
    this.changeCriteria(
      column === undefined
        ? { overviewFilter: undefined }
        : { filters: new Map([...filters].filter(([id]) => id !== column)) },
    );
    this.grid.refresh();
    // The pressed button is gone.
    if (!this.toolbar.focusChip()) {
      this.grid.domFocus();
    }
  }

  /** Returns from the rows of a group to the groups. */
  leaveGroup(): void {
    if (this.view.criteria.openedGroup) {
      this.groupBy(this.view.criteria.groupBy);
    }
  }

  groupBy(columns: readonly string[]): void {
    const { filters, invalidOnly, overviewFilter } = this.view.criteria;
    const sort = this.firstSort.claim();
    this.memory.forgetPosition();
    this.notices.clearFailure();
    this.grid.selectFirst();
    this.view.apply({ filters, sort, invalidOnly, overviewFilter, groupBy: columns });
    this.memory.saveSoon();
    this.grid.domFocus();
  }

  editFilter({ id }: Column, text: string, caret?: number): void {
    this.showFilterRow(true);
    const at = this.view.columns.shown.findIndex(({ column }) => column.id === id);
    this.grid.editFilter(at, text, caret);
  }

  sortBy(column: Column, further: boolean): void {
    if (!this.view.grouped) {
      const sort = nextSort(this.view.criteria.sort, column.id, {
        further,
        worstFirst: column.role === 'severity' && !isWorstLowest(column),
      });
      this.changeCriteria({ sort });
    }
  }

  /** Cancels the running query; the rows stay. */
  cancelQuery(): void {
    this.view.cancel();
    this.announcer.say(this.texts.get('cancelled'));
    this.grid.domFocus();
  }

  reveal(): void {
    this.link.send({ type: 'reveal', on: !this.revealed });
  }

  /** Whether the rows identify findings of the service. */
  get hasFindings(): boolean {
    return findingColumns(this.view.info.columns) !== undefined;
  }

  /** Shows the live finding that a record is about; the host finds it. */
  showFinding(record: number): void {
    this.link.send({ type: 'showFinding', record });
  }

  /** Whether the values of a column lead to files of the workspace. */
  isLink({ id }: Column): boolean {
    return this.links.isFileColumn(id);
  }

  /** Opens the file that a row names, at its line. */
  openFile(row: number): void {
    this.whenLoaded(row, ({ record }) => {
      this.links.openFileOf(record);
    });
  }

  /** Exports what is shown. The user picks the rest; if there is a format, only the file. */
  exportTable(format?: ExportFormat): void {
    const { rows, progress, info, shownTable } = this.view;
    this.link.send({
      type: 'export',
      ...shownTable,
      ...(info.done && progress === undefined && { rows }),
      ...(this.tabs.shown === 'overview' && { fromOverview: true }),
      ...(format && { format }),
    });
  }

  /** Enter: opens a group, or shows a record beside the grid. */
  openRecord(row: number): void {
    if (this.view.grouped) {
      this.whenLoaded(row, ({ cells, filter }) => {
        if (filter) {
          const label = cells
            .slice(0, -1)
            .map((cell, at) => this.groupText(cell, this.view.shownColumns.shown[at]?.column.role))
            .join(', ');
          this.changeCriteria({ openedGroup: { label: label.slice(0, 200), filter } });
        }
      });
      return;
    }
    this.showRecord(true);
  }

  /** Opens something of a row now, or as soon as the row is loaded. */
  private whenLoaded(row: number, open: (loaded: LoadedRow) => void): void {
    const loaded = this.view.row(row);
    this.awaited = loaded
      ? undefined
      : {
          row,
          open: () => {
            this.whenLoaded(row, open);
          },
        };
    if (loaded) {
      open(loaded);
    }
  }

  private groupText(cell: Cell, role: ColumnRole | undefined): string {
    return cell.kind === 'null'
      ? this.texts.get('nothing')
      : this.texts.value(cell, role) || '\u2205';
  }

  /** Whether the record is shown: groups have none. */
  get recordShown(): boolean {
    return this.record.visible && !this.view.grouped;
  }

  showRecord(on: boolean): void {
    this.record.visible = on;
    this.firstSort.moved();
    this.followRecord();
    this.memory.saveSoon();
    this.draw();
    this.grid.revealColumn(this.grid.focus.selection.active.column);
  }

  showFilterRow(on: boolean): void {
    this.filterRow = on;
    this.grid.showFilters(on);
    this.memory.saveSoon();
    this.draw();
  }

  help(): void {
    this.closeHelp = showHelp(this.texts, () => {
      // The browser has restored the focus, unless its element is gone; a user may have moved it.
      if (document.activeElement === document.body) {
        this.focusShown();
      }
    });
  }

  /** Shows and announces an outcome. */
  showOutcome(outcome: string): void {
    this.outcome = outcome;
    this.announcer.say(outcome);
    clearTimeout(this.outcomeTimer);
    this.outcomeTimer = setTimeout(() => {
      this.outcome = undefined;
      this.draw();
    }, 4000);
    this.draw();
  }

  draw(): void {
    this.grid.show(this.view.source);
    this.columns.fitFirst();
    this.toolbar.show(toolbarState(this, this.outcome));
    this.tabs.draw(this.outcome);
    this.notices.draw();
    const empty = emptyText(this);
    this.empty.hidden = empty === undefined;
    setText(this.empty, empty ?? '');
    this.followRecord();
  }

  private followRecord(): void {
    this.record.root.hidden = !this.recordShown;
    this.sash.bar.hidden = !this.recordShown;
    if (this.recordShown) {
      const { row } = this.grid.focus.selection.active;
      const loaded = this.view.row(row);
      if (loaded || this.view.rows === 0) {
        this.record.show(loaded?.record);
      }
    }
  }

  private viewEvents() {
    return {
      changed: () => {
        this.draw();
        this.awaited?.open();
      },
      answered: () => {
        this.awaited = undefined;
        const isFirstSort = this.firstSort.answered();
        if (isFirstSort && !(document.activeElement instanceof HTMLInputElement)) {
          // The columns may have been fitted to rows that nobody asked for. An input must not move while it is used.
          this.columns.refit();
        }
        this.memory.viewReady();
        this.outcome = undefined;
        this.findBar.forgetResult();
        this.draw();
        if (!isFirstSort) {
          const { status } = toolbarState(this);
          this.announcer.say(
            this.pendingAnnouncement ? `${this.pendingAnnouncement}. ${status}` : status,
          );
          this.pendingAnnouncement = undefined;
        }
      },
      failed: (message: string, again: () => void) => {
        this.notices.fail(message, again);
      },
      faultText: (fault: ExpressionFault, column: Column) =>
        this.texts.get(
          fault === 'noNumbers' && typeChoices(column).length > 0 ? 'noNumbersYet' : fault,
        ),
      filterByNames: (typed: Filter, { role }: Column) => this.texts.filterOf(typed, role),
      oldColumn: (id: ColumnId) => this.oldColumns.get(id),
      countName: this.texts.get('count'),
      number: (value: number) => this.texts.number(value),
    };
  }

  scrolled(): void {
    this.firstSort.moved();
    this.memory.saveSoon();
  }

  focusChanged({ selection }: GridFocus): void {
    if (selection.active.row !== this.awaited?.row) {
      this.awaited = undefined;
    }
    this.firstSort.moved();
    this.followRecord();
    this.memory.saveSoon();
    this.toolbar.show(toolbarState(this, this.outcome));
    if (selection.kind !== 'cells' || selection.anchor.row !== selection.active.row) {
      this.announcer.say(toolbarState(this).status);
    }
  }
}

/**
 * Keys that work anywhere in the page. Handled keys do not reach VS Code, which would run a command (Ctrl+G,
 * Alt+F1).
 */
function listenToKeys(page: TablePage): void {
  document.addEventListener('keydown', (event) => {
    const inDialog = event.target instanceof Element && event.target.closest('dialog') !== null;
    if (event.isComposing || event.defaultPrevented || inDialog) {
      return;
    }
    const inTable = page.tabs.shown === 'table';
    const inGrid = event.target === page.grid.elements.grid;
    if (
      pressForHelp(page, event) ||
      (inTable && (pressInTable(page, event) || (inGrid && pressInGrid(page, event))))
    ) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
  // VS Code sends its Copy command as an event.
  document.addEventListener('copy', (event) => {
    if (document.activeElement === page.grid.elements.grid) {
      event.preventDefault();
      page.copies.copy('tsv', false);
    }
  });
}

function pressForHelp(page: TablePage, event: KeyboardEvent): boolean {
  const { key, altKey, ctrlKey, metaKey, shiftKey, target } = event;
  const isF1 = key === 'F1' && altKey && !ctrlKey && !metaKey && !shiftKey;
  if (!isF1 && (key !== '?' || target instanceof HTMLInputElement)) {
    return false;
  }
  page.help();
  return true;
}

function pressInTable(page: TablePage, event: KeyboardEvent): boolean {
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (control && !event.shiftKey && !event.altKey && key === 'f') {
    page.openFind();
  } else if (control && !event.shiftKey && !event.altKey && key === 'g') {
    page.openJump();
  } else if (key === 'f3') {
    page.findAgain(event.shiftKey);
  } else if (key === 'f6' && !control && page.recordShown) {
    if (page.record.root.contains(document.activeElement)) {
      page.grid.domFocus();
    } else {
      page.record.focus();
    }
  } else {
    return false;
  }
  return true;
}

function pressInGrid(page: TablePage, event: KeyboardEvent): boolean {
  page.memory.forgetPosition();
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (control && key === 'c') {
    if (event.shiftKey) {
      page.menus.copyAs(page.grid.activeElement);
    } else {
      page.copies.copy('tsv', false);
    }
    return true;
  }
  if (key === 'backspace' && page.view.criteria.openedGroup) {
    page.leaveGroup();
    return true;
  }
  if (pressKey(page.grid, event)) {
    return true;
  }
  if (key === 'escape') {
    return escape(page);
  }
  return false;
}

/** Escape cancels a running query, then a copy, then closes the record. */
function escape(page: TablePage): boolean {
  if (page.view.progress !== undefined) {
    page.cancelQuery();
  } else if (page.copies.running) {
    page.copies.cancel();
    page.announcer.say(page.texts.get('copyCancelled'));
  } else if (page.recordShown) {
    page.showRecord(false);
  } else {
    return false;
  }
  return true;
}

/** Row height in pixels; higher for larger fonts. */
function rowHeight(): number {
  const fontSize = Number.parseFloat(getComputedStyle(document.body).fontSize);
  return Math.max(usualRowHeight, Math.ceil(fontSize * 1.7));
}

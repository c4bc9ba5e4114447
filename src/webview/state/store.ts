import type { ColumnId, CountScope, SortKey } from '../../engine/page';
import { locationColumns } from '../../vocabulary/codeLocation';
import { findingColumns } from '../../vocabulary/findingColumns';
import { type Criteria, noCriteria, withoutRows, worstFirst } from './criteria';
import { Announcer, focusShown } from '../dom/dom';
import { ColumnModel } from './columnModel';
import {
  type CellPosition,
  clampSelection,
  extend,
  firstCell,
  type GridFocus,
  select,
  type Selection,
  type Zone,
} from './selection';
import { problemsOutcome } from './problemsText';
import { VerticalScroll } from './verticalScroll';
import { type HostLink, LatestCall } from './hostLink';
import { areFindings } from '../../vocabulary/findingColumns';
import { closeMenu } from '../dom/menu';
import { listOf, type PageState } from './pageState';
import type { HostMessage, ProblemsState, TableTab } from '../../protocol/tableProtocol';
import type { FileAbout } from '../../summary/fileAbout';
import type { Ratings } from '../../vocabulary/grade';
import { type TypedTexts, withoutSecrets } from './shownSecrets';
import { type LoadedRow, TableView } from './tableView';
import { Texts } from '../../summary/texts';

type Init = Extract<HostMessage, { type: 'init' }>;

/** A chart in a heading. */
export interface HeadChart {
  /** Heights from 0 to 1. */
  readonly bars: readonly number[];
  /** What it shows, in words. */
  readonly text: string;
}

/** What a bar over the grid has found. */
export interface BarOutcome {
  readonly text: string;
  readonly isInvalid?: boolean;
  /** Whether the text is only in rows that filters or an opened group hide. */
  readonly isHidden?: boolean;
}

/** Rows by their first and last position in a view, how many it has, and whether they are known from now on. */
interface MarkedRange {
  readonly on: boolean;
  readonly top: number;
  readonly bottom: number;
  readonly of: number;
  /** The record of the first one, if it is one of the file. */
  readonly record: number | undefined;
}

/** So many rows that are closed are skipped at most, so that not all of a file is read for the next open one. */
const maxSkipped = 1000;
/** Milliseconds that an outcome is shown. */
const outcomeMs = 4000;
/** Milliseconds after which what a user has arranged or typed is kept. */
const arrangedMs = 300;

/** What a store reports. */
interface StoreEvents {
  /** The page must be drawn. */
  changed(): void;
  /** The selection is another. */
  selected(): void;
  /** The rows are others. */
  answered(isFirstSort: boolean): void;
}

/**
 * The state of the page, which its parts share. They read it, and change it with `set` or by the functions of
 * `actions.ts` and `grid/columnActions.ts`; all of them are drawn again after each change. It knows none of them.
 */
export class Store {
  readonly texts: Texts;
  readonly announcer = new Announcer();
  readonly view: TableView;
  readonly scroll: VerticalScroll;
  readonly copying: LatestCall;
  /**
   * Whether the sort that findings begin with is still to come, because the table was not shown yet; then whether
   * its rows are. A user who has moved among the rows before keeps the order of the file: rows must not jump.
   */
  firstSort: 'waiting' | 'running' | 'settled';
  about: FileAbout;
  /** How the companies of scorecards are rated, as far as that is known. */
  ratings: Ratings;
  /** Incremented when the host starts over: what was loaded before is outdated. */
  generation = 0;
  /** Whether what was loaded before stays on screen until it is loaded again: the host started over with the same table. */
  keepsShown = false;
  /** Incremented with each update of the file. */
  updates = 0;
  /** When the file was opened, or last opened again. */
  openedAt = Date.now();
  /** Whether secret values are shown. */
  revealed: boolean;
  /** What was typed before they were shown. */
  beforeSecrets: TypedTexts | undefined;
  /** Whether a folder is open, in which files can be found. */
  hasWorkspace: boolean;
  /** Whether the findings are listed in the Problems view. */
  problems: ProblemsState;
  /** The path of the file with the known issues. */
  knownFile: string;
  tab: TableTab = 'table';
  /** The selection and the focused zone of the grid. */
  focus: GridFocus = { selection: select(firstCell), zone: 'cells' };
  /** Pixels scrolled to the right. */
  left = 0;
  /** What the grid scrolls to when it is painted: a column, or pixels from the left. */
  scrollTarget: { readonly column: number } | { readonly left: number } | undefined;
  /** The filter that the grid begins to edit when it is drawn; without a text, all of it is selected. */
  edited: { readonly column: number; readonly text?: string; readonly caret?: number } | undefined;
  filterRow = true;
  /** Whether the record is shown beside the grid, except for groups. */
  record = false;
  /** The space for the record, in percent. */
  recordShare: number;
  /** The bar that is open over the grid. */
  bar: 'find' | 'jump' | undefined;
  barOutcome: BarOutcome = { text: '' };
  /** The text to find. */
  find: string;
  /** Columns that a user added to the overview. */
  overviewColumns: readonly ColumnId[];
  /** Whether the overview also counts findings that are not open, as a user chose or because none is open. */
  countsAll: boolean;
  isNothingOpen = false;
  /** What was typed last for a file of this kind, as long as it may be offered. */
  lastFilters: Criteria['filters'] = {};
  /** The charts in the headings. */
  charts: ReadonlyMap<ColumnId, HeadChart> = new Map();
  /** The last outcome, such as of a copy; shown beside the number of rows for a while. */
  outcome: string | undefined;
  /** The position to restore when there are enough rows. A user who moves or queries gives it up. */
  position: PageState | undefined;
  /** Which rows were marked, of how many: when all are drawn again, the one below them becomes active. */
  marked: MarkedRange | undefined;
  private redrawn: MarkedRange | undefined;
  /** Which rows were marked before the cursor went on, as long as it stays there: when they are taken back, it goes back. */
  private goneOn: MarkedRange | undefined;
  /** Whether the next open row below those that were marked is not loaded yet. */
  private isSeeking = false;
  /**
   * Until then, the rows after `restart` are all of the file, in its order: none that a user means. Or they are those of
   * before, which may not match any more: a range of them would be another range now.
   */
  private isStartingOver = false;
  /**
   * The file has changed: what the active row showed before, to be found again; `undefined` if it is not found. Until a
   * user has seen which row is active now, nothing is done with it.
   */
  private lost: { readonly shown: string | undefined } | undefined;
  /** Whether rows are being marked, and what was asked for meanwhile. */
  isMarking = false;
  nextMark: (() => void) | undefined;
  /** What waits until a row is loaded, unless the selection leaves it before. */
  private awaited: { row: number; run: (loaded: LoadedRow) => void } | undefined;
  private arranging: ReturnType<typeof setTimeout> | undefined;
  private filtering: ReturnType<typeof setTimeout> | undefined;
  private outcomeTimer: ReturnType<typeof setTimeout> | undefined;
  private fileColumns: { readonly of: unknown; readonly ids: ReadonlySet<ColumnId> } | undefined;

  constructor(
    readonly link: HostLink,
    init: Init,
    saved: PageState | undefined,
    rowHeight: number,
    private readonly events: StoreEvents,
  ) {
    const { info, revealed, texts, locale, scorecards, about, columns: arranged } = init;
    const { hasWorkspace, problems, knownFile } = init;
    this.texts = new Texts(texts, locale, scorecards);
    this.about = about;
    this.ratings = init.ratings;
    this.revealed = revealed;
    this.hasWorkspace = hasWorkspace;
    this.problems = problems;
    this.knownFile = knownFile;
    this.recordShare = saved?.recordShare ?? 36;
    this.find = saved?.find ?? '';
    this.overviewColumns = saved?.overviewColumns ?? [];
    this.countsAll = saved?.countsAll ?? false;
    this.copying = new LatestCall(link);
    const viewEvents = { changed: () => this.changed(), answered: () => this.answered() };
    const columns = new ColumnModel(saved?.columns);
    if (!saved) {
      columns.arrange(arranged ?? []);
      this.lastFilters = init.filters ?? {};
    }
    const isComparison = about.comparison !== undefined;
    this.view = new TableView(link, this.texts, columns, viewEvents, info, {
      isComparison,
    });
    this.scroll = new VerticalScroll(rowHeight);
    this.firstSort = (saved?.awaitsSort ?? saved === undefined) ? 'waiting' : 'settled';
  }

  set(change: Partial<Store>): void {
    Object.assign(this, change);
    this.changed();
  }

  changed(): void {
    this.findLost();
    this.events.changed();
    if (this.awaited) {
      this.whenLoaded(this.awaited.row, this.awaited.run);
    }
  }

  private answered(): void {
    this.isStartingOver = false;
    this.awaited = undefined;
    this.endSeeking();
    this.outcome = undefined;
    const isFirstSort = this.firstSort === 'running';
    if (isFirstSort) {
      this.firstSort = 'settled';
    }
    this.events.answered(isFirstSort);
    this.goBelowMarked();
    this.changed();
    this.markNext();
  }

  /** Called when the host has marked rows, or has not. */
  hasMarked(): void {
    this.isMarking = false;
    if (this.marked) {
      // The rows were not drawn again: nothing was marked, and what was asked for meanwhile is off, too.
      this.marked = undefined;
      this.nextMark = undefined;
    }
    this.markNext();
  }

  /** Whether rows were marked, and are not yet drawn again with the next one active. */
  get isDrawingMarked(): boolean {
    return this.isMarking || this.redrawn !== undefined || this.isSeeking;
  }

  /** Whether the rows are those that were asked for, or the answer to that was an error. */
  get areRowsAnswered(): boolean {
    const { failure, progress } = this.view;
    return !this.isStartingOver || (failure !== undefined && progress === undefined);
  }

  /** Marks what was asked for while others were marked, once these are drawn. */
  private markNext(): void {
    const { nextMark } = this;
    if (nextMark && !this.isDrawingMarked) {
      this.nextMark = undefined;
      nextMark();
    }
  }

  /**
   * Goes to the next open row below those that were marked as known, which has moved up by those that the rows no longer
   * have; stays where they were taken back.
   */
  private goBelowMarked(): void {
    const { redrawn, view } = this;
    this.redrawn = undefined;
    if (redrawn) {
      const { on, top, bottom, of } = redrawn;
      this.goneOn = redrawn;
      if (on) {
        const row = Math.max(top, bottom + 1 - Math.max(0, of - view.rows));
        this.goToOpen(row, row);
      } else {
        this.goOnTo(top);
      }
    } else {
      this.goBackToMarked();
    }
  }

  /** The record that was marked as known alone before the cursor went on, as long as it stays there. */
  get justMarked(): number | undefined {
    const { on = false, top, bottom, record } = this.goneOn ?? {};
    return on && top === bottom ? record : undefined;
  }

  private goOnTo(row: number): void {
    const { goneOn } = this;
    this.goTo({ ...this.focus.selection.active, row });
    this.goneOn = goneOn;
  }

  /** Goes back to the first row that was marked, if that was undone. */
  private goBackToMarked(): void {
    const { goneOn } = this;
    if (goneOn?.record !== undefined) {
      this.whenLoaded(goneOn.top, ({ record, known }) => {
        if (record === goneOn.record && (known === undefined) === goneOn.on) {
          this.goTo({ ...this.focus.selection.active, row: goneOn.top });
        }
      });
    }
  }

  /**
   * Goes on to the next row that is an open finding, unless none of the next ones is, or a user moves before they are
   * loaded.
   * @param first where the search began.
   * @param row where it goes on.
   */
  private goToOpen(first: number, row: number): void {
    const { view } = this;
    let next = row;
    while (view.anyOfRow(next)?.isClosed) {
      next += 1;
    }
    const isFar = next - first > maxSkipped || next >= view.rows;
    this.goOnTo(isFar ? first : next);
    this.isSeeking = !isFar && !view.anyOfRow(next);
    if (this.isSeeking) {
      this.whenLoaded(next, () => {
        this.isSeeking = false;
        this.goToOpen(first, next);
        this.markNext();
      });
    }
  }

  /** A user has moved, or other rows are shown: what was asked for at the row that is sought is off, too. */
  private endSeeking(): void {
    if (this.isSeeking) {
      this.isSeeking = false;
      this.nextMark = undefined;
    }
  }

  /**
   * The rows are those of another content of the file: of the selection, only the active row stays, if it is found
   * again.
   * @param shown what it showed, see `TableView.formatRow`.
   */
  loseRow(shown: string | undefined): void {
    this.lost = { shown };
    this.goneOn = undefined;
    this.marked = undefined;
    this.redrawn = undefined;
    this.nextMark = undefined;
    this.isSeeking = false;
  }

  /** Goes to the row that was active before the file has changed, if one that is loaded looks like it. */
  private findLost(): void {
    const { lost, view, focus } = this;
    const { active } = focus.selection;
    const isLoaded = view.progress === undefined && view.anyOfRow(active.row) !== undefined;
    if (lost?.shown === undefined || !this.areRowsAnswered || this.position || !isLoaded) {
      return;
    }
    if (view.formatRow(active.row) === lost.shown) {
      this.lost = undefined;
      return;
    }
    const found = view.findShowing(lost.shown);
    const position = found ? { ...active, row: found.row } : active;
    if (found) {
      this.scroll.resize(view.rows, this.scroll.viewport);
      this.scroll.reveal(found.row);
    }
    this.select(select(position), focus.zone);
    this.lost = found?.isSame ? undefined : { shown: undefined };
  }

  /**
   * Shows which row is active, if a user has not seen that since the file has changed.
   * @returns whether the row is known to be the one that the user means
   */
  confirmRow(): boolean {
    if (!this.lost) {
      return true;
    }
    this.jumpTo(this.focus.selection.active.row);
    this.showOutcome(this.texts.get('otherRows'));
    return false;
  }

  /** Sets the selection and the focused zone, as far as there are such rows, columns and filters. */
  select(selection: Selection, zone: Zone = 'cells'): void {
    this.lost = undefined;
    this.goneOn = undefined;
    this.marked = undefined;
    this.redrawn = undefined;
    const { rows, shownColumns } = this.view;
    this.focus = {
      selection: clampSelection(selection, rows, shownColumns.shown.length),
      zone: this.zoneNear(zone),
    };
    if (this.focus.selection.active.row !== this.awaited?.row) {
      this.awaited = undefined;
      this.endSeeking();
    }
    this.moved();
    this.changed();
    this.events.selected();
  }

  /** Whether the filters are shown: groups have none. */
  get hasFilters(): boolean {
    return this.filterRow && !this.view.grouped;
  }

  /** A zone, or the one next to it if that is not shown. */
  zoneNear(zone: Zone): Zone {
    return zone === 'filter' && !this.hasFilters ? 'header' : zone;
  }

  /** Goes to the first row, before others are shown in its place; the column and the zone stay. */
  selectFirstRow(): void {
    const { selection, zone } = this.focus;
    this.scroll.reveal(0);
    this.select(select({ row: 0, column: selection.active.column }), zone);
  }

  /** Moves the active cell, or extends the selection, and scrolls to it. */
  goTo(position: CellPosition, { grow = false } = {}): void {
    const { view, scroll, focus } = this;
    const clamped = clampSelection(select(position), view.rows, view.shownColumns.shown.length);
    const { active } = clamped;
    // Rows may have been added since the grid was painted.
    scroll.resize(view.rows, scroll.viewport);
    scroll.reveal(active.row);
    // Beside a record, columns stay where they are from row to row.
    if (!this.recordShown || active.column !== focus.selection.active.column) {
      this.scrollTarget = { column: active.column };
    }
    this.select(grow ? extend(focus.selection, active) : clamped);
  }

  /** Centers a row unless it is visible, and activates a cell in it. */
  jumpTo(row: number, column = this.focus.selection.active.column): void {
    this.scroll.resize(this.view.rows, this.scroll.viewport);
    this.scroll.center(row);
    this.goTo({ row, column });
    this.scrollTarget = { column };
  }

  /** Called when the selection, the scroll position or the record may have changed. */
  moved(): void {
    if (this.firstSort === 'running' && this.hasMoved) {
      this.firstSort = 'settled';
      this.view.cancel();
    }
  }

  /** Whether a user has moved among the rows, not only to a heading or a filter: they then keep their order. */
  private get hasMoved(): boolean {
    const { selection, zone } = this.focus;
    const { active, anchor, kind } = selection;
    const isFirstCell =
      kind === 'cells' && [active, anchor].every(({ row, column }) => row <= 0 && column <= 0);
    return this.recordShown || (zone === 'cells' && !isFirstCell) || this.scroll.top > 0;
  }

  /** Runs an action as soon as a row is loaded, unless other rows or another selection come before. */
  whenLoaded(row: number, run: (loaded: LoadedRow) => void): void {
    const loaded = this.view.anyOfRow(row);
    this.awaited = loaded ? undefined : { row, run };
    if (loaded) {
      run(loaded);
    }
  }

  /** The record of the active row, once it is loaded. */
  get activeRecord(): number | undefined {
    return this.view.anyOfRow(this.focus.selection.active.row)?.record;
  }

  /** Whether the record is shown: groups have none. */
  get recordShown(): boolean {
    return this.record && !this.view.grouped;
  }

  /** Which findings the overview counts. */
  get countScope(): Extract<CountScope, 'all' | 'open'> {
    return this.countsAll || this.isNothingOpen ? 'all' : 'open';
  }

  /** The time that ages are relative to: for a report, when it was downloaded (`madeAt`), even if that is long ago. */
  get agesAt(): number {
    return this.about.madeAt ?? this.openedAt;
  }

  /** Whether rows can be marked as known: they are findings, and not the differences of two files. */
  get areMarkable(): boolean {
    return this.about.comparison === undefined && areFindings(this.view.info.columns);
  }

  /** Whether the rows identify findings of the service. */
  get hasFindings(): boolean {
    return findingColumns(this.view.info.columns) !== undefined;
  }

  /** Whether rows may name files of the workspace. */
  get hasFiles(): boolean {
    return this.hasWorkspace && this.idsOfFiles.size > 0;
  }

  /** Whether the values of a column lead to files. */
  isFileColumn(id: ColumnId): boolean {
    return this.hasWorkspace && !this.view.grouped && this.idsOfFiles.has(id);
  }

  private get idsOfFiles(): ReadonlySet<ColumnId> {
    const { columns } = this.view.info;
    if (this.fileColumns?.of !== columns) {
      const ids = new Set(locationColumns(columns).map(({ id }) => id));
      this.fileColumns = { of: columns, ids };
    }
    return this.fileColumns.ids;
  }

  showOutcome(outcome: string): void {
    this.outcome = outcome;
    this.announcer.say(outcome);
    clearTimeout(this.outcomeTimer);
    this.outcomeTimer = setTimeout(() => {
      this.outcome = undefined;
      this.changed();
    }, outcomeMs);
    this.changed();
  }

  show(tab: TableTab): void {
    this.tab = tab;
    if (tab === 'overview') {
      closeMenu();
    }
    this.beginFirstSort();
    this.changed();
  }

  /** Sorts findings once the table is shown and its columns are known. */
  private beginFirstSort(): void {
    const { view, hasMoved } = this;
    const sort = worstFirst(view.info.columns);
    if (this.tab === 'table' && this.firstSort === 'waiting' && sort.length > 0) {
      this.firstSort = hasMoved ? 'settled' : 'running';
      if (!hasMoved) {
        view.apply({ ...view.criteria, sort });
      }
    }
  }

  /** The sort of rows that a user chooses, such as by a filter. */
  claimSort(): readonly SortKey[] {
    const { criteria, info } = this.view;
    const sort = this.firstSort === 'waiting' ? worstFirst(info.columns) : criteria.sort;
    this.firstSort = 'settled';
    return sort;
  }

  /** Called when the host sends an update of the file. */
  update(info: Init['info']): void {
    const { view } = this;
    const wasDone = view.info.done;
    this.updates += 1;
    view.update(info);
    this.beginFirstSort();
    // The answer to a user's query that waits for the file, or the counts of the overview, are announced instead.
    const isAnnouncedElsewhere =
      (view.progress !== undefined && this.firstSort !== 'running') || this.tab === 'overview';
    if (info.done && !wasDone && !isAnnouncedElsewhere) {
      this.announcer.say(this.texts.get(info.rows === 1 ? 'oneRow' : 'rows', info.rows));
    }
  }

  /** Called when the host has listed the findings in Problems, or no longer lists them. */
  problemsChanged(state: ProblemsState): void {
    const {
      texts,
      problems: { on: wasOn },
    } = this;
    const { on } = state;
    this.problems = state;
    const told = problemsOutcome(state, texts);
    if (told !== undefined) {
      this.showOutcome(told);
    } else if (wasOn && !on) {
      this.showOutcome(texts.get('noLongerInProblems'));
    } else {
      this.changed();
    }
  }

  /** Called when the host starts over: secrets are now shown or masked, or the file was opened again. */
  restart(init: Init): void {
    const { info, revealed, scorecards, about, columns, isSameTable } = init;
    const { hasWorkspace, problems, knownFile, ratings } = init;
    const { view, texts } = this;
    closeMenu();
    this.generation += 1;
    this.openedAt = Date.now();
    this.isNothingOpen = false;
    // Else it may have values that are secrets now.
    this.keepsShown = isSameTable && revealed === this.revealed;
    if (revealed !== this.revealed) {
      this.charts = new Map();
    }
    this.barOutcome = { text: '' };
    this.redrawn = this.marked;
    this.marked = undefined;
    if (!isSameTable) {
      // Of one that is still to be found, that is what is known.
      this.loseRow(this.lost?.shown ?? view.formatRow(this.focus.selection.active.row));
      this.focus = { ...this.focus, selection: select(this.focus.selection.active) };
    }
    Object.assign(this, { about, hasWorkspace, problems, knownFile, ratings });
    texts.scorecards = scorecards;
    if (revealed !== this.revealed) {
      this.announcer.add(texts.get(revealed ? 'secretsShown' : 'secretsMasked'));
      this.setRevealed(revealed);
    } else {
      view.criteria = withoutRows(view.criteria);
    }
    if (listOf(info) !== listOf(view.info)) {
      this.forgetTable();
      view.columns.arrange(columns ?? []);
      this.lastFilters = init.filters ?? {};
    }
    this.isStartingOver = true;
    view.restart(info, {
      isComparison: about.comparison !== undefined,
      keepsRows: this.keepsShown,
    });
    this.beginFirstSort();
  }

  get typed(): TypedTexts {
    return { criteria: this.view.criteria, find: this.find };
  }

  /** Secrets are now shown or masked: masked ones are removed from the criteria. */
  setRevealed(revealed: boolean): void {
    this.revealed = revealed;
    if (revealed) {
      this.beforeSecrets = this.typed;
      return;
    }
    if (document.activeElement?.closest('.filters')) {
      // A focused filter would keep its text.
      focusShown();
    }
    const { criteria, find } = withoutSecrets(this.typed, this.beforeSecrets);
    this.view.criteria = criteria;
    this.find = find;
    this.beforeSecrets = undefined;
  }

  /** A user has arranged the columns: the host keeps that for the next file of this kind. */
  hasArranged(): void {
    // Columns of groups are others. A drag arranges many times.
    clearTimeout(this.arranging);
    this.arranging = setTimeout(() => {
      if (!this.view.grouped) {
        this.link.send({ type: 'arranged', columns: this.view.columns.layout });
      }
    }, arrangedMs);
  }

  /** A user has typed other filters: the host keeps them for the next file of this kind. Secrets are not kept. */
  hasFiltered(): void {
    this.lastFilters = {};
    clearTimeout(this.filtering);
    this.filtering = setTimeout(() => {
      const { criteria } = withoutSecrets(this.typed, this.beforeSecrets);
      this.link.send({ type: 'filtered', filters: criteria.filters });
    }, arrangedMs);
  }

  /** Forgets what is about rows and columns, because those of another list follow. */
  private forgetTable(): void {
    clearTimeout(this.arranging);
    clearTimeout(this.filtering);
    this.charts = new Map();
    this.view.criteria = noCriteria;
    this.view.columns.clear();
    this.firstSort = 'waiting';
    this.overviewColumns = [];
    this.position = undefined;
    this.awaited = undefined;
    this.lost = undefined;
    // Nothing is drawn yet: the page would ask for a record of the list before.
    this.focus = { selection: select(firstCell), zone: 'cells' };
  }
}

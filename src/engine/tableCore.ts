import { createHash } from 'node:crypto';
import { isForPeople } from '../base/exportFormats';
import type { ColumnRole } from '../vocabulary/columnRole';
import type { ColumnLimits } from './columns/columnData';
import { ColumnStore } from './columns/columnStore';
import { Signal } from '../base/events/signal';
import { textSearch } from '../base/text/textSearch';
import {
  becameColumn,
  changeColumn,
  type ComparedCell,
  formatCell,
  oldColumn,
  withOldValues,
} from './data/comparisonColumns';
import { searchesAll } from './data/columnFilters';
import { ShownNames } from '../vocabulary/shownNames';
import { copyRows, copyWriter, withTitles } from './query/copyText';
import type { TableCalls } from './data/tableCalls';
import { fold } from './query/conditions';
import { findKeptRows } from './query/keptRows';
import { findKnownRows, identifyRows, knownFinding, type KnownRows } from './query/knownRows';
import { describeRows } from './query/rowIdentity';
import {
  describeMarks,
  exploitedReader,
  findExploitedColumns,
  findMarkedRows,
  knownMark,
  type ExploitedRows,
  markOfRow,
  openCveLists,
} from './query/exploitedRows';
import { MaskedColumns } from './query/maskedValues';
import { nextMatch } from './query/nextMatch';
import { readCves } from './query/readCves';
import {
  copiedReasons,
  type ExportSource,
  recordCells,
  withOldColumns,
  withScorecardNames,
} from './query/exportCells';
import { exportRows } from './query/exportRows';
import type { PackedExport } from './query/packedExport';
import { ParquetExport } from './query/parquet/parquetExport';
import { XlsxExport } from './query/xlsx/xlsxExport';
import { GroupReader } from './query/groupReader';
import { sqlPart } from './query/sql';
import { releaseBuffers } from './threads/memory';
import { checkJob, countJob } from './overview/countJob';
import { OverviewCounter } from './overview/overviewCounter';
import {
  closingOfFile,
  firstColumns,
  hasSeveralDays,
  lateClosingOfFile,
  sampledRows,
} from './read/detect/sampleColumns';
import { type Charts, type CountScope, countsKnown, type Overview } from './data/overview';
import { RunningWork, YieldBudget } from './threads/yieldBudget';
import { fullLength, RowReader, type RowReaderOptions, shownLength } from './read/rowReader';
import { TableError } from './data/tableError';
import type { RangeThreads } from './read/ranges/rangeThreads';
import { Scanner } from './read/ranges/scanner';
import type { TableFile } from './read/tableFile';
import {
  type DistinctValues,
  type FindMatch,
  type Group,
  type GroupPage,
  type MaskedValues,
  maxDistinctValues,
  maxPageRows,
  type Row,
  type RowPage,
  type TableRecord,
} from './data/answers';
import type { Column, ColumnId } from './data/column';
import type { ReadCves } from './data/cveLists';
import type { ShapeNode } from './read/records/shape';
import type { KeptRowsOfFile } from './data/keptRows';
import {
  type IdentifiedRow,
  type KnownRowsSummary,
  maxIdentified,
  type PastReason,
} from './data/known';
import {
  type CopyRange,
  type CopyResult,
  type ExportedRows,
  type ExportPart,
  type PackedPart,
  type PackedRows,
} from './data/copies';
import { type Query, type View, wholeFile } from './data/query';
import type { SqlPart } from './data/sqlParts';
import type { FileChange, TableInfo } from './data/tableInfo';
import type { Mask } from './query/masks';
import type { ClosingColumns } from './query/openRows';
import { type ViewRows, Views } from './query/views';
import { isIdName } from '../vocabulary/identity';
import type { NumberScale } from '../vocabulary/numberScales';
import type { ClosingForm } from '../vocabulary/closing';
import { areFindings } from '../vocabulary/findingColumns';
import { columnRoles, findRoles, mayCloseLate } from '../vocabulary/roles';

/** The context of a call. */
export interface Work {
  readonly budget: YieldBudget;
  /** Whether secrets are shown. */
  readonly reveal: boolean;
}

/** Answers the calls of a table. */
export type TableServer = {
  readonly [Name in keyof TableCalls]: (
    params: TableCalls[Name]['params'],
    work: Work,
  ) => TableCalls[Name]['result'] | Promise<TableCalls[Name]['result']>;
};

type Params<Name extends keyof TableCalls> = TableCalls[Name]['params'];

export interface CoreOptions {
  /** Called when there is new information. */
  readonly onInfo?: () => void;
  readonly columnLimits?: ColumnLimits;
  readonly cachedBytes?: number;
  /** The most rows of a sheet of XLSX, with the heading. */
  readonly sheetRows?: number;
  /** The threads that read ranges of a large file. */
  readonly threads?: RangeThreads | undefined;
}

/** The counter, and the promise that it is done. */
interface Counts {
  readonly counter: OverviewCounter;
  readonly counting: Promise<void>;
}

const allRows: ViewRows = { rows: undefined, groups: undefined, isUnsorted: true };
/** The scope that counts the same known findings, and all others. */
function withoutStatus(scope: CountScope = 'all'): CountScope {
  return countsKnown(scope) ? 'all' : 'notKnown';
}

/** Which rows are known, or were, and why. */
function describeKnown({ numbers, findings, past }: KnownRows): string {
  const labels = findings.map(({ label }) => label);
  const ended = Array.from(past, ([row, { finding, why }]) => [row, finding.label, why]);
  return JSON.stringify([[...numbers], labels, ended]);
}

/** Which rows lists mark, which marks there could be, and what the lists are. */
function describeMarked({ numbers, marks, possible, lists }: ExploitedRows): string {
  const rows = createHash('sha256').update(numbers).update(marks).digest('hex');
  return JSON.stringify([rows, possible, lists.map(({ title }) => title)]);
}

/** How many findings are open again. */
function countPast(past: KnownRows['past']): Record<PastReason, number> {
  const counts = { expired: 0, worse: 0 };
  for (const { why, isClosed } of past.values()) {
    counts[why] += isClosed === true ? 0 : 1;
  }
  return counts;
}

/** Of a file with more rows, nothing is kept: what tells their ids apart would not fit into the memory of a table. */
const maxKeptFrom = 16_000_000;

/** Bytes of records that are checked between two pauses. */
const checkedBytes = 1024 ** 2;

/**
 * Answers the calls of one open table, in the thread of the table. Checking all records waits while
 * calls run.
 */
export class TableCore implements TableServer {
  readonly store: ColumnStore;
  private readonly scanner: Scanner;
  private readonly views: Views;
  /** Views whose rows may still be read after a pause, although a later view replaced them. */
  private readonly viewsInUse = new WeakSet<ViewRows>();
  /** The view of the last query, if it has one, and those that are held, as for an export. */
  private readonly viewsById = new Map<number, ViewRows>();
  /** The exports that are running and whose files are not text, by their views. */
  private readonly packedExports = new Map<number, PackedExport>();
  private viewId: number = wholeFile;
  private lastId: number = wholeFile;
  private running: YieldBudget | undefined;
  private change: FileChange | undefined;
  private readonly indexBudget = new YieldBudget();
  private sampled = 0;
  /** The roles of the columns so far. */
  private roles = new Map<ColumnId, ColumnRole>();
  /** That of the numbers of the column with severities. */
  private severityScale: { readonly column: ColumnId; readonly scale: NumberScale } | undefined;
  /** The columns that close rows, so far. */
  private readonly closing = new Map<ColumnId, ClosingForm>();
  /** How many nodes have been looked at for what their names mean. */
  private seenNodes = 0;
  /** Whether columns that the sampled rows do not have may close rows. */
  private mayCloseLate = false;
  /** Settles when the rows of the findings that were told last are found. */
  private matching: Promise<unknown> = Promise.resolve();
  /** The same for the lists of CVEs. */
  private marking: Promise<unknown> = Promise.resolve();
  /** The columns that say which rows are exploited. */
  private exploitedColumns: readonly ShapeNode[] = [];
  /** The columns with dates of several days. */
  private withDays: ReadonlySet<ColumnId> = new Set();
  private readonly maskedColumns: MaskedColumns;
  private readonly queries = new RunningWork();
  /**
   * Checking and counting wait while queries run. They have smaller steps than the search for
   * records, which has priority.
   */
  private readonly checkBudget = new YieldBudget(
    () => {
      this.notify();
    },
    checkedBytes,
    this.queries,
  );
  private indexing: Promise<void> | undefined;
  private checking: Promise<void> | undefined;
  private listing: Promise<void> | undefined;
  /** The rows with the text that was searched last. */
  private found: { readonly text: string; readonly mask: Mask; readonly total: number } | undefined;
  /** The first counts are made with the check. */
  private readonly counts = new Map<CountScope, Counts>();
  private countingError: Error | undefined;
  private isChecking = false;
  private readonly overviewRequested = new Signal();

  constructor(
    private readonly file: TableFile,
    private readonly options: CoreOptions = {},
  ) {
    this.scanner = new Scanner(file, options.threads);
    this.store = new ColumnStore(this.scanner, options.columnLimits, options.cachedBytes);
    this.views = new Views(file, this.store);
    this.maskedColumns = new MaskedColumns(file);
  }

  /** Starts to find the records. Resolves when the first records can be shown. */
  async start(): Promise<void> {
    const notify = () => {
      this.notify();
    };
    this.indexing = this.file.findAll(this.indexBudget, notify).then(notify);
    await Promise.race([this.firstRows(), this.indexing]);
    this.sampleRows();
  }

  private async firstRows(): Promise<void> {
    const { index } = this.file;
    while (index.rows < sampledRows) {
      await index.grown();
    }
  }

  /** Reads all records once to find every column and every invalid record. */
  check(): Promise<void> {
    this.checking ??= this.checkAll();
    return this.checking;
  }

  async checked(): Promise<TableInfo> {
    await this.checking?.catch(() => undefined);
    await this.listing?.catch(() => undefined);
    this.updateChange();
    return this.info();
  }

  /** How the file had changed when that was last checked. */
  get changed(): FileChange | undefined {
    return this.change;
  }

  info(): TableInfo {
    const { index, source, detected, shape } = this.file;
    this.sampleRows();
    const { columns, more } = shape.columns();
    const truncation = source.truncation ?? (index.done && index.isCutOff ? 'record' : undefined);
    const share = source.available > 0 ? index.position / source.available : 1;
    const { encoding, isEncodingGuessed = false, isGzip: gzip = false } = source;
    const { list, bytesAfter = 0, areElsewhere, areFindings: areOfFindings } = this.file.document;
    const { lists } = this.file;
    const { rows: known, past } = this.views.known;
    return {
      format: {
        ...detected.format,
        gzip,
        ...(encoding !== undefined && { encoding }),
        ...(isEncodingGuessed && { isEncodingGuessed }),
      },
      ...(list !== undefined && { list }),
      ...(lists && { lists }),
      rows: index.rows,
      ...(known > 0 && { known }),
      ...(past.size > 0 && { wasKnown: countPast(past) }),
      done: index.done,
      bytes: source.size,
      bytesRead: index.done ? source.size : Math.floor(source.bytesRead * Math.min(1, share)),
      columns: this.withDaysOfFindings(columns.map((column) => this.withRole(column))),
      moreColumns: more,
      invalidRows: shape.invalidRows,
      checked: shape.isComplete,
      ...(truncation !== undefined && { truncated: truncation }),
      ...(!index.isUtf8 && { notUtf8: true as const }),
      ...(bytesAfter > 0 && { bytesAfterValue: bytesAfter }),
      ...(areElsewhere === true && { areElsewhere }),
      ...(areOfFindings === true && { areFindings: true as const }),
      ...(this.change !== undefined && { changed: this.change }),
    };
  }

  /** Checks whether the file changed since it was opened, and reports it. */
  updateChange(): FileChange | undefined {
    const change = this.file.source.changed();
    if (change !== this.change) {
      this.change = change;
      this.notify();
    }
    return change;
  }

  close(): void {
    this.indexBudget.end('closed');
    this.checkBudget.end('closed');
    this.running?.end('closed');
    for (const { counter } of this.counts.values()) {
      counter.release();
    }
    this.file.close();
  }

  async query({ query }: Params<'query'>, { budget }: Work): Promise<View> {
    this.running?.end('superseded');
    this.running = budget;
    const view = await this.createView(query, budget, this.closing);
    if (this.viewId !== wholeFile) {
      this.release({ view: this.viewId });
    }
    this.viewId = view.id;
    return view;
  }

  hold({ query }: Params<'hold'>, { budget }: Pick<Work, 'budget'>): Promise<View> {
    return this.createView(query, budget);
  }

  private async createView(
    query: Query,
    budget: YieldBudget,
    closing: ClosingColumns = new Map(),
  ): Promise<View> {
    if (query.filter && searchesAll(query.filter)) {
      // Not within the work below, for which the check would wait.
      await budget.wait(this.check());
    }
    const create = () => this.views.create(query, closing, budget);
    const view = await this.runExclusive(budget, create, query, closing);
    this.lastId += 1;
    this.viewsById.set(this.lastId, view);
    return this.describe(this.lastId, view);
  }

  release({ view: id }: Params<'release'>): null {
    const view = this.viewsById.get(id);
    if (view && !this.viewsInUse.has(view)) {
      releaseBuffers(view.rows);
    }
    this.viewsById.delete(id);
    this.packedExports.get(id)?.dispose?.();
    this.packedExports.delete(id);
    return null;
  }

  async exportPart(part: ExportPart, { budget, reveal }: Work): Promise<ExportedRows> {
    this.throwIfModified();
    return exportRows(this.sourceOf(part), part, { budget, reveal });
  }

  async packedPart(part: PackedPart, { budget, reveal }: Work): Promise<PackedRows> {
    await budget.wait(this.check());
    this.throwIfModified();
    if (part.from === 0) {
      const source = this.sourceOf(part);
      const { sheetRows, threads } = this.options;
      threads?.endIdle();
      const begun =
        part.format === 'parquet'
          ? await ParquetExport.begin(source, part, { budget, reveal })
          : await XlsxExport.begin(source, part, { reveal, sheetRows });
      this.packedExports.set(part.view, begun);
    }
    const running = this.packedExports.get(part.view);
    if (!running) {
      throw new TableError('gone', 'The export has not begun.');
    }
    const rows = await running.next(part.from, budget);
    if (this.packedExports.get(part.view) !== running) {
      throw new TableError('gone', 'The export was given up.');
    }
    // Values that changed since their types were found may not have been read as they are.
    this.throwIfModified();
    return rows;
  }

  private sourceOf({ view }: Pick<ExportPart, 'view'>): ExportSource {
    return {
      file: this.file,
      view: this.viewOf(view),
      listed: this.views.listedNodes(),
      roles: this.rolesById(),
    };
  }

  /** The roles of columns, also of those that appear after the sampled rows. */
  private rolesById(): ReadonlyMap<ColumnId, ColumnRole> {
    const { columns } = this.info();
    return new Map(columns.flatMap(({ id, role }) => (role ? [[id, role] as const] : [])));
  }

  rows({ view, from, count, columns }: Params<'rows'>, { reveal }: Work): RowPage {
    this.throwIfModified();
    const { rows } = this.viewOf(view);
    const reader = this.reader(columns, { reveal, maxLength: shownLength });
    const end = Math.min(from + Math.min(count, maxPageRows), this.length(rows));
    const isExploited = this.exploitedReader();
    const page: RowPage['rows'][number][] = [];
    for (let position = from; position < end; position += 1) {
      const row = rows ? rows[position]! : position;
      page.push({
        ...reader.row(row),
        ...this.knownLabels(row),
        ...(isExploited(row) && { isExploited: true as const }),
      });
    }
    return { view, from, rows: page };
  }

  groups({ view, from, count }: Params<'groups'>, { reveal }: Work): GroupPage {
    this.throwIfModified();
    const { groups } = this.viewOf(view);
    if (!groups) {
      throw new TableError('badRequest', 'The view is not grouped.');
    }
    const end = Math.min(from + Math.min(count, maxPageRows), groups.count);
    const reader = new GroupReader(this.file, groups, reveal);
    const page: Group[] = [];
    for (let position = from; position < end; position += 1) {
      page.push(reader.group(position));
    }
    return { view, from, groups: page };
  }

  async distinct(
    { column, filter, limit = maxDistinctValues }: Params<'distinct'>,
    { budget, reveal }: Work,
  ): Promise<DistinctValues> {
    if (filter && searchesAll(filter)) {
      await budget.wait(this.check());
    }
    const groups = await this.runExclusive(
      budget,
      () => this.views.distinct(column, filter, budget),
      { ...(filter && { filter }), groupBy: [column] },
    );
    const reader = new GroupReader(this.file, groups, reveal);
    const values = [];
    for (let at = 0; at < Math.min(limit, groups.count); at += 1) {
      values.push(reader.value(at));
    }
    return { values, total: groups.count };
  }

  async masked({ columns }: Params<'masked'>, { budget }: Work): Promise<MaskedValues> {
    await budget.wait(this.check());
    return this.runExclusive(budget, () => this.maskedColumns.find(columns, budget));
  }

  readOverviewSoFar(params: Params<'readOverviewSoFar'>, { reveal }: Work): Overview {
    return this.countsSoFar(params.scope).counter.readOverview(params, { reveal });
  }

  charts(): Charts {
    const { counter } = this.countsSoFar();
    return {
      done: counter.isDone,
      columns: counter.charts(),
      closed: counter.closedRows,
      closing: counter.closingColumns.map(({ node, form }) => ({ column: node.id, form })),
    };
  }

  async readOverview(params: Params<'readOverview'>, { budget, reveal }: Work): Promise<Overview> {
    let counts = this.startCounting(params.scope);
    await budget.wait(counts.counting);
    // Other findings may be known by now.
    while (!this.areCurrent(counts) || counts.counter.isMistaken) {
      // Where a status has turned out to be none, only what is known is left out.
      const isMistaken = this.areCurrent(counts) && counts.counter.isMistaken;
      counts = this.startCounting(isMistaken ? withoutStatus(params.scope) : params.scope);
      await budget.wait(counts.counting);
    }
    this.throwIfModified();
    return counts.counter.readOverview(params, { reveal });
  }

  private areCurrent(counts: Counts): boolean {
    return [...this.counts.values()].includes(counts);
  }

  /** How many counts are done: of all rows, and of open findings. */
  get timesCounted(): number {
    return [...this.counts.values()].filter(({ counter }) => counter.isDone).length;
  }

  async find(
    { view, text, from, backwards, columns = [] }: Params<'find'>,
    { budget }: Work,
  ): Promise<FindMatch | null> {
    await budget.wait(this.check());
    if (this.found?.text !== text) {
      const mask = await this.runExclusive(budget, () => this.views.anywhere(text, budget));
      let total = 0;
      mask.forEach((has) => {
        total += has;
      });
      this.found = { text, mask, total };
    }
    const { mask, total } = this.found;
    const inUse = this.viewOf(view);
    this.viewsInUse.add(inUse);
    const found = await nextMatch(mask, inUse.rows, { from, backwards }, budget);
    if (!found) {
      return null;
    }
    const column = this.columnWith(text, found.record, columns);
    const elsewhere = total - found.total;
    return {
      ...found,
      ...(elsewhere > 0 && { elsewhere }),
      ...(column !== undefined && { column }),
    };
  }

  /** The first of some columns with a text in a record, or else of all. */
  private columnWith(
    text: string,
    record: number,
    first: readonly ColumnId[],
  ): ColumnId | undefined {
    const { cells } = this.reader(undefined, { reveal: true, maxLength: fullLength }).row(record);
    const contains = textSearch(fold(text));
    if (cells[0]?.kind === 'invalid') {
      return undefined;
    }
    const nodes = this.views.listedNodes();
    const found = cells.flatMap((cell, at) =>
      contains(fold(cell.text)) ? (nodes[at]?.id ?? []) : [],
    );
    return first.find((id) => found.includes(id)) ?? found[0];
  }

  locate({ view, record }: Params<'locate'>): number | null {
    const { rows, isUnsorted } = this.viewOf(view);
    if (!rows) {
      return record < this.file.index.rows ? record : null;
    }
    const position = isUnsorted ? rows.findIndex((row) => row >= record) : rows.indexOf(record);
    return position < 0 ? null : position;
  }

  record({ record }: Params<'record'>, { reveal }: Work): TableRecord {
    this.throwIfModified();
    if (record >= this.file.index.rows) {
      throw new TableError('badRequest', 'Unknown record.');
    }
    // It may have columns that are not found yet: without them it would look complete.
    if (!this.file.shape.isComplete) {
      this.file.growShape(record, 1);
    }
    const found = this.reader(undefined, { reveal, maxLength: fullLength }).record(record);
    const listed = describeMarks(this.file, this.views.marked, record);
    const { known } = this.views;
    const { comment } = knownFinding(known, record) ?? known.past.get(record)?.finding ?? {};
    return {
      ...found,
      ...this.knownLabels(record),
      ...(comment !== undefined && { comment }),
      ...(listed.length > 0 && { listed }),
    };
  }

  /** Returns what reads whether attackers are known to exploit a row, as a column or a list says. */
  private exploitedReader(): (row: number) => boolean {
    const says = exploitedReader(this.file, this.exploitedColumns);
    const { marked } = this.views;
    return (row) => (markOfRow(marked, row) & knownMark) !== 0 || says(row);
  }

  private knownLabels(row: number): Pick<Row, 'known' | 'wasKnown'> {
    const known = knownFinding(this.views.known, row)?.label;
    const past = this.views.known.past.get(row);
    const wasKnown = past && { why: past.why, label: past.finding.label };
    return { ...(known !== undefined && { known }), ...(wasKnown && { wasKnown }) };
  }

  async setKnown({ known }: Params<'setKnown'>, { budget }: Work): Promise<KnownRowsSummary> {
    this.throwIfModified();
    this.sampleRows();
    // Also while records are being found: the check waits for it.
    const more = () => this.moreRows(budget);
    const finding = findKnownRows(this.file, this.scanner, known, budget, { more });
    this.matching = finding;
    const found = await finding;
    const { rows, unmatched, worse } = found;
    let hasChanged = false;
    if (this.matching === finding) {
      const before = this.views.known;
      hasChanged = describeKnown(found) !== describeKnown(before);
      this.views.known = found;
      if (hasChanged && (rows > 0 || before.rows > 0)) {
        this.countAgain();
      } else if (hasChanged) {
        this.notify();
      }
    }
    return { rows, unmatched, worse, hasChanged };
  }

  async setCveLists(
    { lists }: Params<'setCveLists'>,
    { budget }: Work,
  ): Promise<{ rows: number; hasChanged: boolean }> {
    this.throwIfModified();
    this.sampleRows();
    const more = () => this.moreRows(budget);
    const finding = openCveLists(lists).then((opened) =>
      findMarkedRows(this.file, this.scanner, opened, budget, { more }),
    );
    this.marking = finding;
    const found = await finding;
    let hasChanged = false;
    if (this.marking === finding) {
      hasChanged = describeMarked(found) !== describeMarked(this.views.marked);
      this.views.marked = found;
      if (hasChanged) {
        this.countAgain();
      }
    }
    return { rows: found.numbers.length, hasChanged };
  }

  async readCves(_: Params<'readCves'>, { budget }: Work): Promise<ReadCves> {
    await budget.wait(this.check());
    return this.runExclusive(budget, () => readCves(this.file, budget));
  }

  /** Forgets the counts, because other rows count from now on. */
  private countAgain(): void {
    for (const { counter, counting } of this.counts.values()) {
      const release = () => {
        counter.release();
      };
      counting.then(release, release);
    }
    const scopes = [...this.counts.keys()];
    this.counts.clear();
    this.countingError = undefined;
    if (!this.isChecking) {
      // They are counted with the check, which has not begun.
      scopes.forEach((scope) => this.startCounting(scope));
    }
    this.notify();
  }

  async identify(
    { view, from, count }: Params<'identify'>,
    { budget }: Work,
  ): Promise<readonly IdentifiedRow[]> {
    this.throwIfModified();
    const inUse = this.viewOf(view);
    this.viewsInUse.add(inUse);
    const { rows } = inUse;
    const end = Math.min(from + Math.min(count, maxIdentified), this.length(rows));
    const found: number[] = [];
    for (let position = from; position < end; position += 1) {
      found.push(rows ? rows[position]! : position);
    }
    return this.runExclusive(budget, () => identifyRows(this.file, this.scanner, found, budget));
  }

  async keep({ view, most }: Params<'keep'>, { budget }: Work): Promise<KeptRowsOfFile | null> {
    this.throwIfModified();
    const inUse = this.viewOf(view);
    this.viewsInUse.add(inUse);
    const { rows } = inUse;
    return this.length(rows) > most || this.file.index.rows > maxKeptFrom
      ? null
      : this.runExclusive(budget, () => findKeptRows(this.file, this.scanner, rows, budget));
  }

  identifyRecords(
    { records }: Params<'identifyRecords'>,
    { budget }: Work,
  ): Promise<readonly IdentifiedRow[]> {
    this.throwIfModified();
    const some = records.slice(0, maxIdentified);
    return this.runExclusive(budget, () => describeRows(this.file, some, budget));
  }

  async copy(range: CopyRange, { budget, reveal }: Work): Promise<CopyResult> {
    this.throwIfModified();
    const view = this.viewOf(range.view);
    this.viewsInUse.add(view);
    const { rows, groups } = view;
    const shown = this.shownCells(range);
    if (groups) {
      const reader = new GroupReader(this.file, groups, reveal, fullLength);
      const { columns, cellsAt } = reader.table(range.columns, range.countName ?? '');
      const writer = copyWriter(range.format, withTitles(columns, range), {
        headings: range.headings,
      });
      const end = Math.min(range.from + range.count, groups.count);
      return copyRows(range, end, writer, budget, (at) => ({ cells: shown(cellsAt(at)) }));
    }
    const nodes = range.columns.map((id) => this.file.shape.get(id));
    if (!isForPeople(range.format)) {
      const all = withOldColumns(this.file, nodes, range);
      const { columns, cellsAt } = withScorecardNames(
        recordCells(this.file, all, rows, { reveal, maxLength: fullLength }),
        range,
      );
      const writer = copyWriter(range.format, columns, range);
      const end = Math.min(range.from + range.count, this.length(rows));
      return copyRows(range, end, writer, budget, (at) => ({ cells: cellsAt(at) }));
    }
    const old = range.compared
      ? range.columns.map((id) => this.file.shape.find(oldColumn(id)))
      : nodes.map(() => undefined);
    const requested = [...nodes, ...old.filter((node) => node !== undefined)];
    const ids = old.map((node) => node?.id);
    const reader = new RowReader(this.file, requested, { reveal, maxLength: fullLength });
    const end = Math.min(range.from + range.count, this.length(rows));
    const rowAt = (at: number) => (rows ? rows[at]! : at);
    const copied = Array.from({ length: Math.max(0, end - range.from) }, (_, at) =>
      rowAt(range.from + at),
    );
    const reasons = copiedReasons(this.views.known, copied, range);
    const writer = copyWriter(range.format, [...withTitles(nodes, range), ...reasons], range);
    return copyRows(range, end, writer, budget, (at) => {
      const row = rowAt(at);
      const cells = shown(withOldValues(reader.row(row).cells, ids));
      return { cells: [...cells, ...reasons.map(({ cellOf }) => cellOf(row))] };
    });
  }

  /** Returns what makes the cells of a copy those that users read. */
  private shownCells({ columns, names }: CopyRange) {
    const read = names && { ...names, names: new ShownNames(names.texts) };
    const roles = this.rolesById();
    return (cells: readonly ComparedCell[]): readonly ComparedCell[] =>
      read ? cells.map((cell, at) => formatCell(cell, roles.get(columns[at] ?? ''), read)) : cells;
  }

  async sql(request: Params<'sql'>, { budget }: Work): Promise<SqlPart> {
    await budget.wait(this.check());
    return this.runExclusive(budget, () =>
      sqlPart(this.file, this.store, this.info(), request, budget),
    );
  }

  private countsSoFar(scope?: CountScope): Counts {
    this.throwIfModified();
    if (this.countingError) {
      throw this.countingError;
    }
    const counts = this.startCounting(scope);
    return counts.counter.isMistaken ? this.startCounting(withoutStatus(scope)) : counts;
  }

  /**
   * Counts the records as they are checked, or in a pass of its own if the check has begun, or what it counts was
   * asked for second.
   */
  private startCounting(scope: CountScope = 'all'): Counts {
    this.sampleRows();
    // Where no column tells which findings are open, all rows are counted.
    const { known, marked } = this.views;
    const tellsOpen = known.rows > 0 || this.mayTellOpen;
    const counted = tellsOpen ? scope : 'all';
    const [first] = this.counts.values();
    const started = this.counts.get(counted) ?? (tellsOpen ? undefined : first);
    if (started) {
      return started;
    }
    const counter = new OverviewCounter(this.file, { scope: counted, known, marked });
    const isFirst = this.counts.size === 0;
    const counting = isFirst && !this.isChecking ? this.check() : this.countAfter(counter);
    counting.catch((error: unknown) => {
      this.countingError = error as Error;
    });
    const counts = { counter, counting };
    this.counts.set(counted, counts);
    this.overviewRequested.fire();
    return counts;
  }

  /** Whether a column tells which findings are open, or one may do so that no row has had so far. */
  private get mayTellOpen(): boolean {
    const { shape, detected } = this.file;
    // The heading of CSV has all columns.
    const mayCome = !shape.isComplete && detected.format.kind !== 'csv' && this.mayCloseLate;
    return this.closing.size > 0 || mayCome;
  }

  private async countAfter(counter: OverviewCounter): Promise<void> {
    await this.check();
    await this.scanner.scan(this.checkBudget, countJob(counter));
    counter.isDone = true;
    this.notify();
  }

  private async checkAll(): Promise<void> {
    // If the overview was requested, the check starts while records are still being found.
    const requested = this.counts.size > 0 ? undefined : this.overviewRequested.next();
    await this.checkBudget.wait(Promise.race([this.indexing, requested]));
    // What is known does not count as open.
    await this.checkBudget.wait(this.matching.catch(() => undefined));
    await this.checkBudget.wait(this.marking.catch(() => undefined));
    await this.checkBudget.pause();
    this.isChecking = true;
    const [first] = this.counts.values();
    const counter = first?.counter;
    const job = counter ? countJob(counter) : checkJob();
    const more = () => this.moreRows(this.checkBudget);
    await this.scanner.checkAll(this.checkBudget, job, { more });
    await this.indexing;
    if (counter) {
      counter.isDone = true;
    }
    this.notify();
    this.listing = this.findLists();
    this.listing.catch(() => undefined);
  }

  private async findLists(): Promise<void> {
    await this.file.findLists(this.checkBudget);
    this.notify();
  }

  /**
   * Runs work that needs all records, while the check of the records waits.
   * @param query the query of the work. Its columns, and those that close, are built while records are being found.
   */
  private runExclusive<T>(
    budget: YieldBudget,
    work: () => Promise<T>,
    query?: Query,
    closing: ClosingColumns = new Map(),
  ): Promise<T> {
    this.throwIfModified();
    return this.queries.run(async () => {
      const { indexing } = this;
      if (indexing) {
        const { index } = this.file;
        if (query && !index.done) {
          await this.views.prepare(query, closing, budget, () => this.moreRows(budget));
        }
        await budget.wait(indexing);
      }
      this.sampleRows();
      const result = await work();
      budget.throwIfEnded();
      this.throwIfModified();
      return result;
    });
  }

  /** Waits until more records may be found. */
  private async moreRows(budget: YieldBudget): Promise<void> {
    await budget.wait(Promise.race([this.indexing, this.file.index.grown()]));
  }

  /** @throws TableError `changed` if offsets or columns found so far may be invalid */
  private throwIfModified(): void {
    if (this.updateChange() === 'modified') {
      throw new TableError('changed', 'The file was changed since it was opened.');
    }
  }

  private sampleRows(): void {
    const { index, shape } = this.file;
    const rows = Math.min(sampledRows, index.rows);
    if (this.sampled < rows && !shape.isComplete) {
      this.sampled = rows;
      this.file.inferShape(rows);
      const columns = firstColumns(this.file);
      this.roles = new Map(Array.from(columnRoles(columns), ([{ node }, role]) => [node.id, role]));
      this.withDays = new Set(columns.filter(hasSeveralDays).map(({ node }) => node.id));
      this.exploitedColumns = findExploitedColumns(columns);
      const found = findRoles(columns);
      const severity = found.get('severity');
      this.severityScale = severity?.scale && {
        column: severity.column.node.id,
        scale: severity.scale,
      };
      this.closing.clear();
      for (const [{ node }, form] of closingOfFile(this.file, columns, found)) {
        this.closing.set(node.id, form);
      }
      this.seenNodes = 0;
      this.mayCloseLate = mayCloseLate(columns, found);
    }
    this.findLateClosing();
  }

  /** Finds the closing columns that later rows have for the first time, as the overview does. */
  private findLateClosing(): void {
    const late = this.mayCloseLate ? lateClosingOfFile(this.file, this.seenNodes) : [];
    this.seenNodes = this.file.shape.nodes.length;
    for (const [{ id }, form] of late) {
      if (!this.closing.has(id)) {
        this.closing.set(id, form);
      }
    }
  }

  /**
   * Adds the role of a column. One that appears after the sampled rows is at most an id, by its name, or `became` of a
   * comparison. The overview may give it a role that no other column has, if its values fit; see `OverviewCounts`.
   */
  private withRole(column: Column): Column {
    const role = this.roles.get(column.id) ?? this.lateRole(column);
    const closing = this.closing.get(column.id);
    const hasDays = this.withDays.has(column.id);
    return {
      ...column,
      ...(role && { role }),
      ...(this.severityScale?.column === column.id && { scale: this.severityScale.scale }),
      ...(closing && { closing }),
      ...(hasDays && { hasDays }),
    };
  }

  /** Of findings, all dates are shown as days: those of one scan are of one day, and no finding is told apart by its time. */
  private withDaysOfFindings(columns: readonly Column[]): readonly Column[] {
    return areFindings(columns)
      ? columns.map((column) => (column.type === 'date' ? { ...column, hasDays: true } : column))
      : columns;
  }

  private lateRole({ id, name }: Column): ColumnRole | undefined {
    const isComparison = this.roles.get(changeColumn) === 'change';
    return isComparison && id === becameColumn ? 'change' : isIdName(name) ? 'id' : undefined;
  }

  private notify(): void {
    this.options.onInfo?.();
  }

  private describe(id: number, { rows, groups, open }: ViewRows): View {
    return {
      id,
      rows: this.length(rows),
      ...(groups && { groups: groups.count }),
      ...(open !== undefined && { open }),
    };
  }

  private viewOf(id: number): ViewRows {
    const view = id === wholeFile ? allRows : this.viewsById.get(id);
    if (!view) {
      throw new TableError('gone', 'A later view replaced this one.');
    }
    return view;
  }

  private length(rows: Uint32Array | undefined): number {
    return rows?.length ?? this.file.index.rows;
  }

  private reader(columns: readonly ColumnId[] | undefined, options: RowReaderOptions): RowReader {
    // The kernel reads each column once.
    if (new Set(columns).size !== (columns?.length ?? 0)) {
      throw new TableError('badRequest', 'A column is asked for twice.');
    }
    const nodes = columns?.map((id) => this.file.shape.get(id)) ?? this.views.listedNodes();
    return new RowReader(this.file, nodes, options);
  }
}

import * as vscode from 'vscode';
import type { Comparer } from '../../viewer/compare/ui/comparer';
import {
  type ComparedInput,
  createFileInput,
  createInput,
  createSide,
} from '../../viewer/compare/ui/comparedInput';
import { comparisonFactTexts, textsOfPages } from '../../viewer/compare/ui/compareTexts';
import { UserError } from '../../base/userError';
import { plainText } from '../../base/text/plainText';
import { withoutInvisible } from '../../base/text/visibleText';
import type { toolNames } from '../../contributions';
import type { Scorecards } from '../../service/findings/scorecards';
import { reportsLike, toPublicReport } from '../../service/reports/storedReport';
import type { Reports } from '../../service/reports/reports';
import { reportFile } from '../../service/reports/ui/reportFiles';
import { storedFileUri } from '../../workbench/storedFiles';
import { reportById } from '../../service/reports/ui/pickReport';
import {
  type Cell,
  type Column,
  listColumnFilters,
  type ColumnId,
  maxDistinctValues,
  type Query,
  type TableHandle,
  type View,
  severalLists,
} from '../../engine';
import { formatOpenOverview } from '../../summary/overviewValues';
import { systemClock } from '../../base/events/clock';
import { trendFacts } from '../../summary/trendModel';
import type { TableDocument } from '../../viewer/table/ui/tableDocument';
import type { StoredFiles } from '../../viewer/table/ui/storedFile';
import type { TableEditor } from '../../viewer/table/ui/tableEditor';
import { withRows } from '../../viewer/table/writeTable';
import { findColumn, checkScope } from '../../viewer/table/ui/tableExports';
import { checkArgument } from '../../workbench/commandArguments';
import { describeTrend, type ReportTrends } from '../reportTrends';
import { findWorkspaceTable, namesFile } from './workspaceTables';

const { t } = vscode.l10n;

export interface ToolsDeps {
  readonly scorecards: Scorecards;
  readonly reports: Reports;
  readonly stored: () => Promise<StoredFiles>;
  readonly editor: TableEditor;
  readonly comparer: () => Promise<Comparer>;
  readonly trends: () => Promise<ReportTrends>;
}

type Tools = Readonly<
  Record<
    (typeof toolNames)[number],
    (input: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<unknown>
  >
>;

/** The most rows, columns and UTF-16 units of a value that a model gets. */
const maxRows = 50;
const maxColumns = 30;
const maxTextLength = 300;
const defaultRows = 20;

/** The implementations of the tools, by name. Their inputs follow the schema in package.json. */
export function tools(deps: ToolsDeps): Tools {
  return {
    scorecard_list: async () => list(deps),
    scorecard_report_overview: (input) => withReport(deps, input, overview),
    scorecard_query_report: (input, signal) =>
      withReport(deps, input, (document) =>
        document.forProgram((table) => query(table, input, signal)),
      ),
    scorecard_compare_reports: (input, signal) => compare(deps, input, signal),
    scorecard_trend: (input, signal) => trend(deps, input, signal),
  };
}

async function list({ scorecards, reports }: ToolsDeps): Promise<unknown> {
  await reports.load();
  return {
    scorecards: scorecards.list().map(({ id, name, issueTypes }) => ({ id, name, issueTypes })),
    reports: reports.list().map((report) => {
      const { id, kind, title, state, requestedAt, finishedAt, bytes } = toPublicReport(report);
      return { id, kind, title, state, requestedAt, finishedAt, bytes };
    }),
  };
}

async function withReport<T>(
  { reports, editor }: ToolsDeps,
  { report, list: named }: Readonly<Record<string, unknown>>,
  work: (document: TableDocument) => Promise<T>,
): Promise<T> {
  const name = text(report);
  if (namesFile(name)) {
    return editor.withTable(await findWorkspaceTable(name), work, parseList(named));
  }
  await reports.load();
  const { path } = await reportFile(reportById(reports, name));
  return editor.withTable(storedFileUri(path), work, parseList(named));
}

/** The counts of a report, and the lists of a JSON document with several. */
async function overview(document: TableDocument): Promise<unknown> {
  const counts = await document.readOverview('open', formatOpenOverview);
  return document.forProgram(async (table) => ({
    ...counts,
    ...severalLists(await table.call('checked', {})),
  }));
}

function parseList(named: unknown): string | undefined {
  return named === undefined ? undefined : text(named);
}

export function rowLimit(asked: unknown): number {
  const limit = Math.floor(Number(asked ?? defaultRows)) || defaultRows;
  return Math.max(1, Math.min(maxRows, limit));
}

async function query(
  table: TableHandle,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<unknown> {
  const { columns: allColumns } = await table.call('checked', {}, { signal });
  const asked = checkArgument('scorecard.exportTable', {
    filter: input.filter,
    sort: input.sort,
    columns: input.columns,
  });
  // The type of a secret value is not told either, as the error of a filter for another type would.
  const unverified = allColumns.map((column) => ({ ...column, verified: false }));
  await refuseSecrets(table, checkScope(asked, unverified).query, allColumns, signal);
  const request = checkScope(asked, allColumns);
  const groupBy = [...new Set(names(input.groupBy).map((name) => findColumn(name, allColumns).id))];
  const count = rowLimit(input.limit);
  // A separate view: the user may be looking at another view of the same table.
  return withRows(
    table,
    { ...request.query, ...(groupBy.length > 0 && { groupBy }) },
    (view) => readPage(table, view, { count, groupBy, allColumns, columns: request.columns }),
    { signal },
  );
}

/**
 * Refuses queries that would reveal masked values piece by piece: the matching rows and their order depend on
 * them.
 * @throws UserError if a query filters or sorts by a column with such values, unless the filter is "empty" or
 *   "not empty".
 */
async function refuseSecrets(
  table: TableHandle,
  { filter, sort = [] }: Query,
  allColumns: readonly Column[],
  signal: AbortSignal,
): Promise<void> {
  const usedColumns = [
    ...(filter ? listColumnFilters(filter) : []).filter(
      ({ op }) => op !== 'present' && op !== 'empty',
    ),
    ...sort,
  ];
  for (const id of new Set(usedColumns.map(({ column }) => column))) {
    const column = allColumns.find((each) => each.id === id);
    if (column && (column.secret || (await hasMasked(table, column, signal)))) {
      throw new UserError(
        t(
          'Column "{0}" has secret values: filter it by = (empty) or != (not empty) only, and do not sort by it.',
          plainText(column.name, 60),
        ),
        'badRequest',
      );
    }
  }
}

/**
 * Whether any of the most frequent values of a column contains a secret, although the column has no secret
 * name.
 */
async function hasMasked(
  table: TableHandle,
  { id, type }: Column,
  signal: AbortSignal,
): Promise<boolean> {
  const isCsv = table.info.format.kind === 'csv';
  if (type !== 'mixed' && type !== (isCsv ? 'text' : 'json')) {
    return false;
  }
  const { values } = await table.call(
    'distinct',
    { column: id, limit: maxDistinctValues },
    { signal },
  );
  return values.some(({ cell }) => cell.masked);
}

async function readPage(
  table: TableHandle,
  view: View,
  {
    count,
    groupBy,
    allColumns,
    columns: selected,
  }: {
    readonly count: number;
    readonly groupBy: readonly ColumnId[];
    readonly allColumns: readonly Column[];
    readonly columns: readonly ColumnId[] | undefined;
  },
): Promise<unknown> {
  const range = { view: view.id, from: 0, count };
  if (view.groups !== undefined) {
    const { groups } = await table.call('groups', range);
    return {
      groups: groups.map(({ values, count: size }) => ({
        ...record(values, groupBy, allColumns),
        rows: size,
      })),
      totalGroups: view.groups,
      totalRows: view.rows,
    };
  }
  const columns = (selected ?? allColumns.map(({ id }) => id)).slice(0, maxColumns);
  const { rows } = await table.call('rows', { ...range, columns });
  return {
    rows: rows.map(({ cells }) => record(cells, columns, allColumns)),
    totalRows: view.rows,
    ...(columns.length < allColumns.length && {
      allColumns: allColumns.map((column) => chooseName(column, allColumns)),
    }),
  };
}

async function compare(
  { reports, stored, comparer, editor }: ToolsDeps,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<unknown> {
  await reports.load();
  const files = await stored();
  const inputOf = async (name: string): Promise<ComparedInput> =>
    namesFile(name)
      ? createFileInput(await findWorkspaceTable(name))
      : createInput(await files.get(name));
  const older = await inputOf(text(input.before));
  const newer = await inputOf(text(input.after));
  const by = { list: parseList(input.list) };
  const loaded = await comparer();
  const compared = await loaded.compare(older, newer, by, { signal });
  const { key, new: added, gone, changed, unchanged, duplicates, path, warnings } = compared;
  const { closed, nowClosed, reopened, open } = compared;
  const first = await editor.withTable(vscode.Uri.file(path), (document) =>
    document.forProgram((table) => query(table, { limit: defaultRows }, signal)),
  );
  const about = { ...compared, before: createSide(older), after: createSide(newer) };
  return {
    summary: comparisonFactTexts(about),
    key,
    new: added,
    gone,
    changed,
    unchanged,
    ...(closed && { closed: { new: closed.new, gone: closed.gone } }),
    ...(nowClosed !== undefined && { nowClosed }),
    ...(reopened !== undefined && { reopened }),
    ...(open && { open }),
    duplicates,
    warnings,
    first,
  };
}

/** How the open findings of reports like this one, or of a file, have developed; numbers only. */
async function trend(
  { reports, trends }: ToolsDeps,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<unknown> {
  const name = text(input.report);
  if (namesFile(name)) {
    const { fsPath } = await findWorkspaceTable(name);
    return vscode.commands.executeCommand('scorecard.reportTrend', { path: fsPath });
  }
  await reports.load();
  const report = reportById(reports, name);
  const like = [report, ...reportsLike(report, reports.all())];
  const points = await (await trends()).readPoints(like, { signal });
  const time = { now: systemClock.now(), days: 'local' } as const;
  return { summary: trendFacts(points, textsOfPages(), time), ...describeTrend(points) };
}

/** A row as an object with the names of its columns; values that the row does not have are left out. */
function record(
  cells: readonly Cell[],
  columns: readonly ColumnId[],
  allColumns: readonly Column[],
): Record<string, string> {
  const entries = cells.flatMap(({ kind, text: value }, at) => {
    const column = allColumns.find(({ id }) => id === columns[at]);
    return !column || kind === 'missing' || kind === 'null'
      ? []
      : [[chooseName(column, allColumns), cut(value)] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * The name of a column for a model. It is the id of the column if another column has the same name, or if the
 * name is `rows`, which is the number of rows of a group.
 */
function chooseName({ id, name }: Column, allColumns: readonly Column[]): string {
  const shown = withoutInvisible(name);
  const isShared = allColumns.some(
    (other) => other.id !== id && withoutInvisible(other.name) === shown,
  );
  return cut(isShared || name === 'rows' ? id : name);
}

function cut(value: string): string {
  return value.length > maxTextLength ? `${value.slice(0, maxTextLength)}\u2026` : value;
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.map(text) : [];
}

/** @throws UserError if the value is not a string, or is empty. */
function text(value: unknown): string {
  if (typeof value !== 'string' || value === '') {
    throw new UserError(
      t('Expected a text, not {0}.', plainText(JSON.stringify(value ?? null), 60)),
      'badRequest',
    );
  }
  return value;
}

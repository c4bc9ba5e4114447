import * as v from 'valibot';
import { agents } from './base/agents';
import { copyFormats, exportFormats, tableExportFormats } from './base/exportFormats';
import { isPlainObject, type JsonObject } from './base/json/json';
import { isUuid } from './base/text/uuid';
import { isIssueType } from './vocabulary/issueTypes';
import { type KnownReason, knownReasons } from './vocabulary/knownReasons';

/*
 * Each command once: its id, the members of its argument, and the type of its result. The runner of commands checks
 * the argument of a program against this before the command runs; docs/commands.md explains the members. It is not
 * in contributions.ts because that file is read at the start of each window, and this one with the features.
 */

/** How many distinct entries are loaded, how many the service counts, and whether more remain. */
export interface LoadResult {
  loaded: number;
  /** Absent if the service gives none. */
  total?: number;
  /** Whether a part of the list is known to be missing, or its end is unknown. */
  hasMore: boolean;
}

export interface FilterResult {
  shown: number;
  /** The number of distinct loaded rows. */
  loaded: number;
  /** As the service counts; absent if it gives none. */
  total?: number;
}

/** How many findings an issue type has; `total` is absent if the service did not say. */
export interface IssueCount {
  issueType: string;
  total?: number;
}

/** A scorecard of the setting `scorecard.scorecards`. */
export interface Scorecard {
  /** The scorecard's UUID, in lower case. */
  readonly id: string;
  readonly name: string;
  readonly issueTypes: readonly string[];
  /** Issue type to the JSON object that is posted. Default: `{}`. */
  readonly bodies: Readonly<Record<string, JsonObject>>;
}

/** A report. Times are ISO 8601. */
export interface Report {
  id: string;
  kind: 'full' | 'detailed' | 'issues';
  /** Scheme, host and port of the service that generates the report. */
  origin: string;
  scorecardId?: string;
  /** What it is about: the name of a scorecard, or `All findings`. */
  title: string;
  state: 'requested' | 'generating' | 'downloading' | 'ready' | 'failed' | 'cancelled';
  /** The `status` in the last response of the service, unchanged. */
  serviceStatus?: string;
  requestedAt: string;
  finishedAt?: string;
  /** The absolute path of the downloaded file. */
  path?: string;
  bytes?: number;
  error?: { code: string; message: string; retryAt?: string };
}

/** What was written: the absolute path, and the number of findings, rows or groups. */
export interface Exported {
  readonly path: string;
  readonly count: number;
  /** XLSX: how many cells have only the beginning of their texts; absent if all are whole. */
  readonly cutCells?: number;
}

/** How many rows and columns a table has; for JSON, which list is shown, and all that could be. */
export interface TableSize {
  readonly rows: number;
  readonly columns: number;
  readonly list?: string;
  readonly lists?: readonly { readonly list: string; readonly rows: number }[];
}

/** The counts of the values of a column, in the order in which they are shown; at most 50. */
interface ValueCounts {
  readonly column: string;
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /** Rows with another value, or none. */
  readonly other: number;
}

/** The overview of a file. A part is absent if the file has no such column. */
export interface PlainOverview {
  readonly rows: number;
  readonly severity?: ValueCounts;
  readonly issueType?: ValueCounts;
  readonly factor?: ValueCounts;
  readonly status?: ValueCounts;
  /** Only months with rows, such as `2026-11`, in their order. */
  readonly firstSeen?: {
    readonly column: string;
    readonly months: readonly { readonly month: string; readonly count: number }[];
  };
  readonly assets?: Pick<ValueCounts, 'column' | 'values'> & { readonly distinct: number };
}

/** Two numbers, one for each file. */
interface BeforeAndAfter {
  readonly before: number;
  readonly after: number;
}

/** The open findings of both files, as their overviews count them. */
interface OpenFindings extends BeforeAndAfter {
  /** Whether no file has closed ones. */
  readonly areAll?: true;
  readonly severities?: {
    readonly column: string;
    readonly values: readonly ({
      readonly value: string;
      /** Of a severity by scores: what they were. */
      readonly scores?: { readonly lowest: number; readonly highest: number };
    } & BeforeAndAfter)[];
  };
}

/** How two files differ. */
export interface ComparisonResult {
  /** The column that identifies records. */
  readonly key: string;
  readonly new: number;
  readonly gone: number;
  readonly changed: number;
  readonly unchanged: number;
  /** How many of the changed ones a status closed or opened again; absent if none. */
  readonly nowClosed?: number;
  readonly reopened?: number;
  /** Absent where rows are no findings. */
  readonly open?: OpenFindings;
  /** Records with the key of an earlier record of the same file, in both files together. */
  readonly duplicates: number;
  /** Records without a key, and records that could not be read, which are left out. */
  readonly withoutKey: BeforeAndAfter;
  readonly invalid: BeforeAndAfter;
  /** Columns that only one of the files has; at most 20 names each. */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
  /** Whether a file ends in the middle. */
  readonly truncated: boolean;
  /** The file of differences, NDJSON. */
  readonly path: string;
  /** What was left out, in sentences. */
  readonly warnings: readonly string[];
}

/** A file of the workspace: its absolute path, or the URI of one that is not on this machine. */
export interface OpenedFile {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
}

/** Whether the findings of a table are listed in Problems, how many, and whether there are more. */
export interface ProblemsState {
  readonly on: boolean;
  readonly listed?: number;
  readonly hasMore?: boolean;
}

/** A company of a portfolio; `change30Days` is in points of its score. */
export interface FoundCompany {
  readonly domain: string;
  readonly name: string;
  readonly score?: number;
  readonly grade?: string;
  readonly change30Days?: number;
}

/** How findings develop, the oldest point first. */
export interface Trend {
  readonly points: readonly {
    /** ISO 8601. */
    readonly date: string;
    /** Open findings: of all severities, and of each. */
    readonly open: number;
    readonly severity: Readonly<Record<'critical' | 'high' | 'medium' | 'low' | 'info', number>>;
    /** How many came since the point before, and how many are no longer there; absent if that is not known. */
    readonly new?: number;
    readonly gone?: number;
    /** How many have a closed status since then; absent if none has. */
    readonly closed?: number;
    readonly score?: number;
    readonly grade?: string;
    readonly mark?: 'recalibration' | 'breach';
  }[];
}

/** Whether a scorecard is watched; `next`: when it is looked at next, in ISO 8601. */
export interface WatchState {
  readonly scorecardId: string;
  readonly period: 'daily' | 'weekly' | 'off';
  readonly next?: string;
}

/** A decision about a finding, and what became of it in a file. */
export interface KnownIssue {
  /** What tells the finding apart: the id of the service, or what was found and where, as an array in JSON. */
  readonly ids: readonly string[];
  readonly ruleId?: string;
  readonly reason: KnownReason;
  /** A day such as `2026-06-30`, or a time; absent if it is for good. */
  readonly until?: string;
  readonly comment?: string;
  readonly state: 'active' | 'expired' | 'worse' | 'unmatched';
}

/** The requests of the last hour, over all windows (spec section 8). */
interface Budget {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly windowMinutes: number;
  /** When a paused client continues; absent while it is not paused. */
  readonly retryAt?: string;
  /** The endpoints that the service holds back; absent if there are none. */
  readonly endpoints?: readonly { readonly endpoint: string; readonly retryAt: string }[];
}

/** A row of a table filter: `text` as a user types it in the row of filters. */
const columnFilters = v.array(v.object({ column: v.string(), text: v.string() }));
const columnOrder = v.array(v.object({ column: v.string(), descending: v.optional(v.boolean()) }));

/**
 * What a member of an argument may be. The message of each names the sentence with which the runner refuses another
 * value, and after a colon what the sentence mentions; see `problem` in workbench/commandArguments.ts.
 */
const text = v.optional(v.string('text'));
const flag = v.optional(v.boolean('flag'));
const choice = <const T extends readonly string[]>(of: T) =>
  v.optional(v.picklist(of, `choice: ${of.join(', ')}`));
const scorecardId = v.optional(
  v.pipe(
    v.string('text'),
    v.transform((id) => id.trim().toLowerCase()),
    v.check(isUuid, 'uuid'),
  ),
);
const issueType = v.optional(v.pipe(v.string('text'), v.check(isIssueType, 'issueType')));
/** The number of a finding in its list, or of a row in its file, from 1. */
const position = (kind: 'finding' | 'row') =>
  v.optional(v.pipe(v.number(kind), v.safeInteger(kind), v.minValue(1, kind)));
const count = v.optional(v.pipe(v.number('count'), v.safeInteger('count'), v.minValue(1, 'count')));
/** At most as many as are copied at once. */
const numbers = v.optional(
  v.pipe(
    v.array(
      v.pipe(v.number('findings'), v.safeInteger('findings'), v.minValue(1, 'findings')),
      'findings',
    ),
    v.minLength(1, 'findings'),
    v.maxLength(5_000, 'findings'),
  ),
);
const issueTypes = v.optional(v.array(v.string('issueTypes'), 'issueTypes'));
const jsonObject = v.optional(v.custom<JsonObject>(isPlainObject, 'object'));
const listOf = <T extends v.GenericSchema>(schema: T, form: string) =>
  v.nullish(v.custom<v.InferOutput<T>>((value) => v.is(schema, value), `form: ${form}`));

/** Any other value is refused where it is asked for, with what is to be confirmed. */
const confirm = v.optional(v.unknown());

const list = { scorecardId, issueType };
const finding = { ...list, number: position('finding') };
const file = { id: text, path: text };
const row = { ...file, row: position('row') };

/** Declares a command: what its function returns is only a type. The members of its argument come second. */
function command<Result = void>(): <E extends v.ObjectEntries>(
  entries: E,
) => {
  readonly argument: v.ObjectSchema<E, undefined>;
  readonly result: Result | undefined;
} {
  return (entries) => ({ argument: v.object(entries), result: undefined });
}

/** By the file that has their functions: what a room registers together. */
export const commandGroups = {
  account: {
    'scorecard.signIn': command<{ baseUrl: string }>()({
      baseUrl: text,
      apiKey: text,
      sameAccount: flag,
    }),
    'scorecard.signOut': command()({}),
    'scorecard.leaveDemo': command()({}),
    'scorecard.useDemo': command<{ baseUrl: string }>()({
      service: choice(['interface', 'securityScorecard']),
    }),
    'scorecard.showRequestBudget': command<Budget>()({}),
  },
  findings: {
    // Services with companies take a domain in place of the UUID.
    'scorecard.addScorecard': command<Scorecard>()({ id: text, name: text, issueTypes }),
    'scorecard.findIssueTypes': command<IssueCount[]>()({ scorecardId }),
    'scorecard.copyScorecardId': command<string>()({ scorecardId }),
    'scorecard.openScorecardPage': command<string>()({ scorecardId }),
    'scorecard.renameScorecard': command<Scorecard>()({ scorecardId, name: text }),
    'scorecard.removeScorecard': command()({ id: scorecardId }),
    'scorecard.removeIssueType': command()(list),
    'scorecard.refresh': command()(list),
    'scorecard.loadMore': command<LoadResult>()(list),
    'scorecard.loadAll': command<LoadResult>()(list),
    'scorecard.cancelLoading': command()(list),
    'scorecard.goToFinding': command<JsonObject>()(finding),
    'scorecard.filterFindings': command<FilterResult>()({ ...list, text }),
    'scorecard.clearFilter': command<FilterResult>()(list),
    'scorecard.loadAllAndFilter': command<FilterResult>()({ ...list, text }),
    'scorecard.openFinding': command()({ ...finding, as: choice(['record', 'json']) }),
    'scorecard.openFindingAsJson': command()(finding),
    'scorecard.openFindingAsRecord': command()(finding),
    'scorecard.loadCounts': command<IssueCount[]>()({ scorecardId }),
    'scorecard.sortBySeverity': command()({}),
    'scorecard.sortByName': command()({}),
    'scorecard.copyFindingId': command<string>()(finding),
    'scorecard.copyFindingField': command<string>()({ ...finding, field: text }),
    'scorecard.copyFindingJson': command<string>()(finding),
    'scorecard.copyFindingMarkdown': command<string>()(finding),
    'scorecard.copyFindings': command<{ count: number }>()({
      ...list,
      numbers,
      format: choice(copyFormats),
    }),
    'scorecard.copyFindingsAsTable': command<{ count: number }>()({ ...list, numbers }),
    'scorecard.sendFeedback': command<{ sent: number }>()(list),
    'scorecard.editRequestBody': command()({ ...list, body: jsonObject }),
    'scorecard.clearRequestBody': command()(list),
  },
  reading: {
    'scorecard.nextFinding': command<JsonObject>()({}),
    'scorecard.previousFinding': command<JsonObject>()({}),
    'scorecard.showSecretValues': command()({}),
    'scorecard.hideSecretValues': command()({}),
  },
  collections: {
    'scorecard.browseCollection': command<LoadResult>()({ name: text }),
    'scorecard.refreshCollections': command()({ name: text }),
    'scorecard.openEntry': command()({}),
    'scorecard.openEntryAsJson': command()({}),
    'scorecard.browseFindings': command<Scorecard>()({ scorecardId }),
    'scorecard.findCompanies': command<FoundCompany[]>()({
      portfolioId: text,
      breachWithinDays: count,
      vulnerability: text,
      issueType,
      gradeAtMost: choice(['A', 'B', 'C', 'D', 'F']),
      movedBy: count,
    }),
  },
  reports: {
    'scorecard.startReport': command<Report>()({ scorecardId }),
    'scorecard.startFullReport': command<Report>()({ scorecardId }),
    'scorecard.startFullReportOfAll': command<Report>()({ scorecardId }),
    'scorecard.startDetailedReport': command<Report>()({ scorecardId }),
    'scorecard.startDetailedReportOfAll': command<Report>()({ scorecardId }),
    'scorecard.startIssuesReport': command<Report>()({ scorecardId }),
    'scorecard.continueInBackground': command()({ id: text }),
    'scorecard.openReport': command()({ id: text }),
    'scorecard.cancelReport': command<Report>()({ id: text }),
    'scorecard.retryReport': command<Report>()({ id: text }),
    'scorecard.requestReportAgain': command<Report>()({ id: text }),
    'scorecard.removeReport': command()({ id: text }),
    'scorecard.removeFinishedReports': command<{ removed: number }>()({ confirm }),
    'scorecard.revealReport': command()({ id: text }),
    'scorecard.saveReportAs': command<Report>()({ id: text, path: text }),
    'scorecard.copyReportPath': command<string>()({ id: text }),
    'scorecard.listReports': command<Report[]>()({}),
  },
  cleanUp: {
    'scorecard.cleanUpReports': command<{ removed: number; bytes: number }>()({ confirm }),
  },
  exports: {
    'scorecard.exportFindings': command<Exported>()({
      ...list,
      format: choice(exportFormats),
      path: text,
      secretValues: choice(['masked', 'shown']),
    }),
  },
  tables: {
    'scorecard.openReportTable': command<TableSize>()({ ...file, list: text }),
    'scorecard.openFindingsFile': command<TableSize>()({ ...file, list: text }),
    'scorecard.reportOverview': command<PlainOverview>()({
      ...file,
      list: text,
      all: flag,
      known: flag,
    }),
    'scorecard.exportTable': command<Exported>()({
      ...file,
      list: text,
      format: choice(tableExportFormats),
      to: text,
      filter: listOf(columnFilters, '[{ column, text }]'),
      sort: listOf(columnOrder, '[{ column, descending }]'),
      columns: listOf(v.array(v.string()), '[name]'),
      known: choice(['with', 'without']),
      words: flag,
      separator: choice([',', ';']),
    }),
    'scorecard.markKnown': command<{ marked: number; file: string }>()({
      ...file,
      list: text,
      filter: listOf(columnFilters, '[{ column, text }]'),
      ids: listOf(v.array(v.string()), '[id]'),
      reason: choice(knownReasons),
      until: text,
      comment: text,
    }),
    'scorecard.unmarkKnown': command<{ unmarked: number; file: string }>()({
      ...file,
      list: text,
      filter: listOf(columnFilters, '[{ column, text }]'),
      ids: listOf(v.array(v.string()), '[id]'),
    }),
    'scorecard.listKnown': command<KnownIssue[]>()({ ...file, list: text }),
    'scorecard.removeKnown': command<{ removed: number }>()({}),
    'scorecard.keepKnownIssuesIn': command<{ file: string }>()({}),
    'scorecard.openKnownIssues': command()({}),
    'scorecard.markCves': command<{ name: string; cves: number }>()({ path: text }),
    'scorecard.unmarkCves': command<{ removed: number }>()({ name: text }),
    'scorecard.reopenTableWithEncoding': command<TableSize>()({ ...file, encoding: text }),
    'scorecard.toggleProblems': command<ProblemsState>()({ ...file, on: flag }),
    'scorecard.excludeProblemPaths': command<{ paths: readonly string[] }>()({
      paths: listOf(v.array(v.string()), '[path]'),
    }),
  },
  findingLinks: {
    'scorecard.showInFindings': command<JsonObject>()(row),
    'scorecard.showInNewestReport': command<{ id: string; row: number }>()(finding),
  },
  findingsTable: {
    'scorecard.openFindingsTable': command<TableSize>()(list),
  },
  collectionTable: {
    'scorecard.openCollectionTable': command<TableSize>()({ name: text }),
  },
  workspaceLinks: {
    'scorecard.openFile': command<OpenedFile>()({ ...row, ...finding }),
    'scorecard.findAsset': command<{ query: string }>()({ ...row, ...finding }),
  },
  comparisons: {
    'scorecard.compareReports': command<ComparisonResult>()({
      before: text,
      after: text,
      key: text,
      list: text,
    }),
    'scorecard.compareWith': command<ComparisonResult>()({
      before: text,
      after: text,
      key: text,
      list: text,
    }),
  },
  trends: {
    'scorecard.reportTrend': command<Trend>()({ scorecardId, ...file }),
  },
  watch: {
    'scorecard.watchScorecard': command<WatchState>()({
      scorecardId,
      period: choice(['daily', 'weekly', 'off']),
    }),
  },
  reportComparisons: {
    'scorecard.compareWithPrevious': command<ComparisonResult>()({
      id: text,
      key: text,
      list: text,
    }),
  },
  deepLinks: {
    'scorecard.copyLink': command<string>()({ ...finding, ...file }),
    'scorecard.openLink': command()({ link: text }),
  },
  agents: {
    'scorecard.copyMcpConfiguration': command<string>()({ agent: choice(agents) }),
  },
  general: {
    'scorecard.deleteLocalData': command()({ confirm }),
    'scorecard.showLog': command()({}),
  },
};

type Groups = typeof commandGroups;

export type CommandGroup = keyof Groups;

/** The ids of a group. */
export type CommandIdOf<G extends CommandGroup> = keyof Groups[G] & string;

/** The ids of all commands. */
export type CommandId = { [G in CommandGroup]: CommandIdOf<G> }[CommandGroup];

/** The commands of all groups together. */
type Declared = {
  [Id in CommandId]: {
    [G in CommandGroup]: Id extends keyof Groups[G] ? Groups[G][Id] : never;
  }[CommandGroup];
};

/** The checked argument of a command: all members are optional. */
export type ArgumentOf<Id extends CommandId> = v.InferOutput<Declared[Id]['argument']>;

/** What a program gets where the command was not cancelled. */
export type ResultOf<Id extends CommandId> = Exclude<Declared[Id]['result'], undefined>;

/** What names a scorecard, a list of findings, a finding, a report, a file, or a row of a file in the arguments of several commands. */
export type ScorecardArgument = ArgumentOf<'scorecard.loadCounts'>;
export type ListArgument = ArgumentOf<'scorecard.refresh'>;
export type FindingArgument = ArgumentOf<'scorecard.goToFinding'>;
export type ReportArgument = ArgumentOf<'scorecard.openReport'>;
export type FileArgument = ArgumentOf<'scorecard.openFindingsFile'>;
export type RowArgument = ArgumentOf<'scorecard.showInFindings'>;

const declared = Object.fromEntries(
  Object.values(commandGroups).flatMap((group) => Object.entries(group)),
) as Declared;

export const commandIds = Object.keys(declared) as CommandId[];

/** The schema of the argument of a command. */
export function argumentSchema(id: CommandId): Declared[CommandId]['argument'] {
  return declared[id].argument;
}

import * as v from 'valibot';
import { copyFormats, tableExportFormats } from '../base/exportFormats';
import { isPlainObject } from '../base/json/json';
import type { CallMessage, CancelMessage, ReplyMessage } from '../base/rpc';
import {
  type TableCalls,
  type ColumnId,
  type CountScope,
  type CopyResult,
  formChoices,
  maxCopyRows,
  maxDistinctValues,
  maxPageRows,
  type Query,
  type SqlDialect,
  type TableInfo,
} from '../engine/page';
import type { FileAbout } from '../summary/fileAbout';
import type { LabeledFilter } from '../summary/labeledFilter';
import type { RecordLinks, ShownRecord } from '../summary/shownRecord';
import { recordActions, recordNumber } from './recordProtocol';
import type { Ratings } from '../vocabulary/grade';
import * as schemas from './schemas';

/*
 * The messages between the webview page of a Report Table and its host. The page never names a file. Its calls never
 * carry whether secrets are shown: the host keeps that, and changes it when the page sends `secrets`. A page of rows or
 * groups has at most 200. All messages are JSON.
 */

/** The calls of a page that the host relays to the table. */
export type RelayedCalls = Omit<
  TableCalls,
  | 'checked'
  | 'copy'
  | 'hold'
  | 'identify'
  | 'readOverview'
  | 'record'
  | 'release'
  | 'setKnown'
  | 'setCveLists'
  | 'readCves'
  | 'sql'
  | 'exportPart'
  | 'packedPart'
>;

/** What the host writes to the clipboard; the page gets no text. */
export interface ClipboardCalls {
  /** Cells; the answer has the number of rows, and whether there are more. */
  copy: {
    readonly params: TableCalls['copy']['params'];
    readonly result: Omit<CopyResult, 'text'>;
  };
  /** A record as Markdown. */
  copyRecord: { readonly params: { readonly record: number }; readonly result: null };
  /** The overview of the file as Markdown, with what the page has made of it. */
  copySummary: { readonly params: SummaryParams; readonly result: null };
  /** An SQL query for what is shown. */
  copySql: {
    readonly params: ShownTable & { readonly dialect: SqlDialect };
    readonly result: null;
  };
}

/** What an overview depends on besides its file. */
export interface SummaryParams {
  /** The time that ages are relative to, in milliseconds since the epoch. */
  readonly now: number;
  /** Columns that a user added. */
  readonly added: readonly ColumnId[];
  readonly scope: CountScope;
}

/** What the host answers itself. */
export interface HostCalls extends ClipboardCalls {
  record: { readonly params: TableCalls['record']['params']; readonly result: ShownRecord };
  links: { readonly params: { readonly record: number }; readonly result: RecordLinks };
}

/** The calls that a page may make. */
export interface PageCalls extends RelayedCalls, HostCalls {}

export type PageRequest<Name extends keyof PageCalls = keyof PageCalls> = CallMessage<
  PageCalls,
  Name
>;

export const tableTabs = ['overview', 'table'] as const;

export type TableTab = (typeof tableTabs)[number];

/** What a page shows. */
export interface ShownTable {
  readonly query: Query;
  /** The visible columns of the file in their order, or the columns that rows are grouped by. */
  readonly columns: readonly ColumnId[];
}

/** Whether the findings of a file are listed in the Problems view. */
export interface ProblemsState {
  readonly on: boolean;
  /** How many are listed, once that is known. */
  readonly listed?: number;
  /** Whether there are more, which are not listed. */
  readonly hasMore?: boolean;
  /** How many rows the table showed then, of how many, if it was filtered. */
  readonly filtered?: { readonly rows: number; readonly of: number };
  /** How many findings have a file in one of the excluded paths; absent if none has. */
  readonly excluded?: number;
  /** Whether these are listed all the same. */
  readonly areExcludedListed?: true;
}

/** A column as a user has arranged it, with its width in pixels; what is absent was not chosen. */
export type LaidOutColumn = v.InferOutput<typeof schemas.columnLayout>[number];

export type HostMessage =
  | {
      readonly type: 'init';
      readonly info: TableInfo;
      /** Whether secrets are shown. Views and rows from before `init` are invalid, unless `isSameTable`. */
      readonly revealed: boolean;
      /**
       * Whether it is the table of the `init` before, of which other rows are marked now, as known or by a list of CVEs:
       * what was read of it is still of those rows.
       */
      readonly isSameTable: boolean;
      /** The number of the table. The page sends it with what is about rows: those of another table are refused. */
      readonly generation: number;
      /** The texts of the page in the display language, by key. */
      readonly texts: Readonly<Record<string, string>>;
      /** BCP 47, to write numbers. */
      readonly locale: string;
      /** The names of the known scorecards, by UUID in lower case. Plain text. */
      readonly scorecards: Readonly<Record<string, string>>;
      /** How their companies are rated, as far as that is known. */
      readonly ratings: Ratings;
      readonly about: FileAbout;
      /** How the columns of files of this kind were arranged last. */
      readonly columns?: readonly LaidOutColumn[] | undefined;
      /** What was typed last to filter files of this kind, by the ids of columns. It is offered. */
      readonly filters?: Readonly<Record<ColumnId, string>> | undefined;
      /** The path of the file with the known issues. */
      readonly knownFile: string;
      /** Whether a folder is open, in which files can be found. */
      readonly hasWorkspace: boolean;
      /** Whether the findings of the file are listed in the Problems view. */
      readonly problems: ProblemsState;
      /** The tab to show first. If it was requested, it is shown even if another tab was shown last. */
      readonly tab: {
        readonly name: TableTab;
        readonly isRequested: boolean;
        readonly chosen?: LabeledFilter | undefined;
      };
    }
  | { readonly type: 'info'; readonly info: TableInfo }
  /** The companies of scorecards are rated otherwise, or more of them are. */
  | { readonly type: 'ratings'; readonly ratings: Ratings }
  /** More facts about the file. */
  | { readonly type: 'about'; readonly about: FileAbout }
  /** Shows a tab. With `chosen`, shows these rows in the table, and the first one also as a record. */
  | { readonly type: 'show'; readonly tab: TableTab; readonly chosen?: LabeledFilter | undefined }
  /** The page shall mark its selected rows as known, or no longer: `markKnown` follows. */
  | { readonly type: 'markSelected'; readonly on: boolean }
  /** What `markKnown` asked for is done, also after `init` where other rows are known, or was dismissed. */
  | { readonly type: 'marked' }
  /** The findings of the file are listed in the Problems view, or no longer. */
  | ({ readonly type: 'problems' } & ProblemsState)
  /** The table failed; the page shows the message with Try Again and Open as Text. */
  | {
      readonly type: 'failed';
      /** In the display language. */
      readonly message: string;
      readonly tryAgain: string;
      /** Absent if there is no file. */
      readonly openText?: string;
    }
  | ReplyMessage;

const view = schemas.integer(0);
const id = schemas.integer(1);
const rowRange = { id, view, from: schemas.integer(0) };
const pageRows = { ...rowRange, count: schemas.integer(1, maxPageRows) };
const shownTable = { query: schemas.query, columns: schemas.columnIds };
const counting = { id, now: schemas.time };
const summaryParams = {
  now: schemas.time,
  added: schemas.columnIds,
  scope: schemas.countScope,
};

const pageMessageSchema = v.variant('type', [
  // Calls, which are answered, and their cancellation.
  v.object({ type: v.literal('cancel'), id }),
  v.object({ type: v.literal('query'), id, query: schemas.query }),
  v.object({
    type: v.literal('rows'),
    ...pageRows,
    columns: v.exactOptional(schemas.columnIds),
  }),
  v.object({ type: v.literal('groups'), ...pageRows }),
  v.object({
    type: v.literal('distinct'),
    id,
    column: schemas.text,
    filter: v.exactOptional(schemas.filter),
    limit: v.exactOptional(schemas.integer(1, maxDistinctValues)),
  }),
  v.object({
    type: v.literal('readOverviewSoFar'),
    ...counting,
    since: v.exactOptional(schemas.time),
    scope: v.exactOptional(schemas.countScope),
    rated: v.exactOptional(schemas.ratedScorecards),
  }),
  v.object({ type: v.literal('charts'), id }),
  v.object({
    type: v.literal('find'),
    ...rowRange,
    from: schemas.integer(-1),
    text: schemas.text,
    backwards: v.boolean(),
    columns: v.exactOptional(schemas.columnIds),
  }),
  v.object({ type: v.literal('locate'), id, view, record: recordNumber }),
  v.object({ type: v.picklist(['record', 'links', 'copyRecord']), id, record: recordNumber }),
  v.object({
    type: v.literal('copySummary'),
    id,
    ...summaryParams,
  }),
  v.object({
    type: v.literal('copySql'),
    id,
    ...shownTable,
    dialect: v.picklist(['duckdb', 'spark']),
  }),
  v.object({
    type: v.literal('copy'),
    ...rowRange,
    count: schemas.integer(1, maxCopyRows),
    columns: schemas.columnIds,
    format: v.picklist(copyFormats),
    headings: v.boolean(),
    onlyFilled: v.exactOptional(v.boolean()),
    compared: v.exactOptional(v.boolean()),
    countName: v.exactOptional(schemas.text),
  }),
  // Commands. After those that change the table, `init` follows.
  /**
   * The script runs; the host replies with `init`. Sent again after a reload of the page.
   * `list`, of JSON: the list that a page of this file has shown, see `TableInfo`; to be shown again.
   */
  v.object({ type: v.literal('ready'), list: v.exactOptional(schemas.text) }),
  /** JSON: opens the file at another list. */
  v.object({ type: v.literal('showList'), list: schemas.text }),
  /** Opens the file again with the values of a column in this form, by default as they tell. */
  v.object({
    type: v.literal('setForm'),
    column: schemas.text,
    form: v.exactOptional(v.picklist(formChoices)),
  }),
  v.object({
    type: v.picklist([
      /** Opens the changed file again. */
      'reload',
      /** Opens the file again in an encoding that the user picks. */
      'reopenWithEncoding',
      /** Opens the file in the text editor instead of this page. */
      'openText',
      /** Compares a report with the one before it. */
      'compare',
      /** Shows how the findings of reports like this one have developed. */
      'trend',
      /** Compares the files of a comparison the other way round. */
      'swap',
      /** Lists the findings of the file in VS Code's Problems view, or no longer; `problems` follows. */
      'toggleProblems',
      /** Lists the findings in excluded paths, too, or no longer; `problems` follows. */
      'toggleExcluded',
    ]),
  }),
  /** A user has arranged the columns: for the next file of this kind. Empty: as files have them. */
  v.object({ type: v.literal('arranged'), columns: schemas.columnLayout }),
  /** A user has typed other filters: they are offered for the next file of this kind. */
  v.object({ type: v.literal('filtered'), filters: schemas.typedFilters }),
  /** Tells what the page shows, and when that changes. It changes nothing. */
  v.object({
    type: v.literal('shown'),
    ...shownTable,
    /** How many rows or groups it has, once that is known. */
    rows: v.exactOptional(schemas.integer(0)),
  }),
  /**
   * Exports what is shown, as the page has told. With a format, the visible columns are written with secrets
   * masked, and the user only picks the file. Without one, the user also picks the columns, the format and the
   * secrets.
   */
  v.object({ type: v.literal('export'), format: v.exactOptional(v.picklist(tableExportFormats)) }),
  /** Saves the overview of the file, with what the page has made of it, as HTML; the user picks the file. */
  v.object({ type: v.literal('saveSummary'), ...summaryParams }),
  /** Marks rows of a query as known, after asking why, or no longer. `init` follows. */
  v.object({
    type: v.literal('markKnown'),
    on: v.boolean(),
    query: schemas.query,
    from: schemas.integer(0),
    count: schemas.integer(1),
  }),
  /** Marks the open findings as known that a document beside the file says to need no attention. `init` follows. */
  v.object({ type: v.literal('markStated'), document: schemas.text }),
  /** Shows the live finding that a record is about. */
  v.object({ type: v.literal('showFinding'), record: recordNumber }),
  ...recordActions,
]);

/** What the page sends besides calls. */
export type PageCommand = Exclude<v.InferOutput<typeof pageMessageSchema>, { readonly id: number }>;

export type PageMessage = PageRequest | CancelMessage | PageCommand;

/** What a page tells that it shows. */
export type ToldTable = Extract<PageCommand, { type: 'shown' }>;

/** Checks a message of the page. @throws ValiError */
export function pageMessage(value: unknown): PageMessage {
  return v.parse(pageMessageSchema, value);
}

/** Whether a message is about certain rows, which are others in the next table. */
export function isAboutRows(message: PageMessage): boolean {
  return 'record' in message || message.type === 'markKnown' || message.type === 'copy';
}

/** The number of the table that a message of the page is about, as `init` has told it. */
export function generationOf(value: unknown): unknown {
  return isPlainObject(value) ? value.generation : undefined;
}

/** The id of an invalid call, so that it can be answered with an error. */
export function refusedId(value: unknown): number | undefined {
  const { type, id } = isPlainObject(value) ? value : {};
  const isRequest = type !== 'cancel' && Number.isSafeInteger(id) && (id as number) > 0;
  return isRequest ? (id as number) : undefined;
}

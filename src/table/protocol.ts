import { isPlainObject } from '../base/json';
import * as check from './engine/read/checks';
import type { TableCalls } from './engine/engine';
import type { AskMessage, CancelMessage, ReplyMessage } from './rpc';
import {
  type ColumnId,
  type Copied,
  maxCopyRows,
  maxDistinctValues,
  maxPageRows,
  type Query,
  type TableInfo,
} from './engine/types';

/*
 * The messages between the webview page of a Report Table and its host. The page asks, the host
 * answers; a page never names a file, never says whether secrets are shown (the host keeps that), and
 * gets at most 200 rows in a message. Everything is JSON.
 */

/** What the page may ask of the table. */
export interface PageCalls extends Omit<TableCalls, 'checked' | 'counted' | 'copy'> {
  /** The host puts the text on the clipboard; the page only learns how much it was. */
  copy: { readonly ask: TableCalls['copy']['ask']; readonly answer: Omit<Copied, 'text'> };
}

export type PageQuestion<Name extends keyof PageCalls = keyof PageCalls> = AskMessage<
  PageCalls,
  Name
>;

/** The tabs of the page. */
export const tableTabs = ['overview', 'table'] as const;

export type TableTab = (typeof tableTabs)[number];

/** What the overview says of a file beside its counts. Times are milliseconds since the epoch. */
export interface FileAbout {
  /** Kind and scope of a report, the name of another file. Plain text. */
  readonly title: string;
  /** When a report was made. */
  readonly madeAt?: number;
  /** When the report before it was made. */
  readonly previousAt?: number;
}

/** What the page sends. */
export type PageMessage =
  | PageQuestion
  | CancelMessage
  /** The script runs: the host answers with `init`. Sent again after a reload of the page. */
  | { readonly type: 'ready' }
  /** Opens the record as a document of its own. */
  | { readonly type: 'openRecord'; readonly record: number }
  /** Shows secrets, or masks them again; `init` follows. */
  | { readonly type: 'reveal'; readonly on: boolean }
  /** Opens the changed file anew; `init` follows. */
  | { readonly type: 'reload' }
  /** Opens the file in the text editor in the place of this page. */
  | { readonly type: 'openText' };

/** What the host sends. */
export type HostMessage =
  | {
      readonly type: 'init';
      readonly info: TableInfo;
      /** Whether secrets are shown. Views and pages from before `init` are void. */
      readonly revealed: boolean;
      /** The sentences of the page in the person's language, by the page's own names. */
      readonly texts: Readonly<Record<string, string>>;
      /** BCP 47, to write numbers. */
      readonly locale: string;
      readonly about: FileAbout;
      /** The tab to show first; one that somebody asked for, whichever was shown last. */
      readonly tab: { readonly name: TableTab; readonly isAsked: boolean };
    }
  | { readonly type: 'info'; readonly info: TableInfo }
  /** Somebody asked for this tab. */
  | { readonly type: 'show'; readonly tab: TableTab }
  /** There is no table, or no longer: the page says why, and offers to try again, and the text editor. */
  | {
      readonly type: 'failed';
      /** Fit to show, in the person's language. */
      readonly message: string;
      readonly tryAgain: string;
      readonly openText: string;
    }
  | ReplyMessage;

/** What the page keeps in `setState`, so that it looks the same after a reload of the window. */
export interface PageState {
  readonly version: 1;
  readonly query: Query;
  /** First visible position, and pixels of it that are scrolled away. */
  readonly top: number;
  readonly offset: number;
  /** Pixels scrolled to the right. */
  readonly left: number;
  /** The active cell: a position and the number of a visible column. */
  readonly active?: { readonly position: number; readonly column: number };
  /** Columns in the order shown; one that is not named follows behind. */
  readonly columns: readonly {
    readonly id: ColumnId;
    readonly width?: number;
    readonly hidden?: boolean;
  }[];
  readonly find?: string;
}

/** A message of the page in its type. @throws CheckError when it is none */
export function pageMessage(value: unknown): PageMessage {
  const data = check.object(value);
  const { type } = data;
  switch (type) {
    case 'ready':
    case 'reload':
    case 'openText':
      return { type };
    case 'cancel':
      return { type, id: check.integer(data.id, 1) };
    case 'openRecord':
      return { type, record: check.integer(data.record, 0) };
    case 'reveal':
      return { type, on: check.boolean(data.on) };
    default:
      return pageQuestion(data);
  }
}

/** The number of a question that is not of the agreed form, so that it can be answered all the same. */
export function refusedId(value: unknown): number | undefined {
  const { type, id } = isPlainObject(value) ? value : {};
  const isQuestion = type !== 'cancel' && Number.isSafeInteger(id) && (id as number) > 0;
  return isQuestion ? (id as number) : undefined;
}

function pageQuestion(data: Record<string, unknown>): PageQuestion {
  const { type } = data;
  const id = check.integer(data.id, 1);
  const position = (from: unknown) => check.integer(from, 0);
  const pageOf = () => ({
    view: check.integer(data.view, 0),
    from: position(data.from),
    count: check.integer(data.count, 1, maxPageRows),
  });
  switch (type) {
    case 'query':
      return { type, id, query: check.query(data.query) };
    case 'rows':
      return {
        type,
        id,
        ...pageOf(),
        ...(data.columns !== undefined && { columns: check.columnIds(data.columns) }),
      };
    case 'groups':
      return { type, id, ...pageOf() };
    case 'distinct':
      return {
        type,
        id,
        column: check.text(data.column),
        ...(data.filter !== undefined && { filter: check.filter(data.filter) }),
        ...(data.limit !== undefined && { limit: check.integer(data.limit, 1, maxDistinctValues) }),
      };
    case 'overview':
      return {
        type,
        id,
        now: check.time(data.now),
        ...(data.since !== undefined && { since: check.time(data.since) }),
      };
    case 'find':
      return {
        type,
        id,
        view: check.integer(data.view, 0),
        text: check.text(data.text),
        from: check.integer(data.from, -1),
        backwards: check.boolean(data.backwards),
      };
    case 'locate':
      return {
        type,
        id,
        view: check.integer(data.view, 0),
        record: check.integer(data.record, 0),
      };
    case 'record':
      return { type, id, record: check.integer(data.record, 0) };
    case 'copy':
      return {
        type,
        id,
        view: check.integer(data.view, 0),
        from: position(data.from),
        count: check.integer(data.count, 1, maxCopyRows),
        columns: check.columnIds(data.columns),
        format: check.oneOf(data.format, ['tsv', 'csv', 'json']),
        headings: check.boolean(data.headings),
        ...(data.countName !== undefined && { countName: check.text(data.countName) }),
      };
    default:
      throw new check.CheckError('Expected a known type of message.');
  }
}

/**
 * Whether a message is from the host. The host is trusted, so only the outline is looked at: a
 * webview also gets messages that are not ours.
 */
export function isHostMessage(value: unknown): value is HostMessage {
  const { type, id, message } = (value ?? {}) as Record<string, unknown>;
  switch (type) {
    case 'init':
    case 'info':
      return isPlainObject((value as { info: unknown }).info);
    case 'failed':
      return typeof message === 'string';
    case 'show':
      return tableTabs.includes((value as { tab: TableTab }).tab);
    case 'progress':
    case 'answer':
      return typeof id === 'number';
    default:
      return false;
  }
}

/** What `getState` gave, if it can still be used. */
export function pageState(value: unknown): PageState | undefined {
  try {
    const data = check.object(value);
    check.integer(data.version, 1, 1);
    const pixels = (part: unknown) => check.integer(part, 0);
    const active = data.active === undefined ? undefined : check.object(data.active);
    return {
      version: 1,
      query: check.query(data.query),
      top: pixels(data.top),
      offset: pixels(data.offset),
      left: pixels(data.left),
      ...(active && {
        active: {
          position: check.integer(active.position, 0),
          column: check.integer(active.column, 0),
        },
      }),
      columns: check.list(data.columns, check.maxColumns, (item) => {
        const { id, width, hidden } = check.object(item);
        return {
          id: check.text(id),
          ...(width !== undefined && { width: check.integer(width, 1, 10_000) }),
          ...(hidden !== undefined && { hidden: check.boolean(hidden) }),
        };
      }),
      ...(data.find !== undefined && { find: check.text(data.find) }),
    };
  } catch (error) {
    if (error instanceof check.CheckError) {
      return undefined;
    }
    throw error;
  }
}

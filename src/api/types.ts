import type { JsonObject } from '../base/json/json';

export interface CallOptions {
  /** Ends the call wherever it is: in the queue, on the wire, in the body, in a wait. */
  signal?: AbortSignal;
  /**
   * Interactive calls leave the queue before bulk ones. Bulk reads go on for two minutes while the service or the
   * network fails, others for some seconds. Default `interactive`.
   */
  priority?: 'interactive' | 'bulk';
  /**
   * The longest time that the call may wait for the service's limit and between attempts, in milliseconds. If
   * the wait would be longer, the call rejects at once: for the limit with a RateLimitedError that has a
   * `retryAt`, or else with the failure. Default 30,000 for interactive calls, no limit for bulk calls.
   */
  maxWaitMs?: number;
  /**
   * How often the request is sent if it may be too large for the service, see mayBeTooLarge: the caller then requests
   * less. Default: as after other failures.
   */
  attemptsIfTooLarge?: number;
  /** Called when the call has to wait before it may be sent (again), and with `undefined` when it continues. */
  onWait?: (wait: Wait | undefined) => void;
}

/** Why a call is waiting, and until when. */
export interface Wait {
  /**
   * `limit`: the service ordered it (429 or Retry-After); `budget`: our own hourly budget is used up;
   * `retry`: back-off after a failure.
   */
  reason: 'limit' | 'budget' | 'retry';
  /** Wall-clock time in milliseconds at which the call continues. */
  until: number;
  /** Whether a redirect is followed after the wait: the first request of the call was answered. */
  isRedirected?: true;
}

/** The most findings that the service sends in one page. */
export const largestPage = 500;

export interface FindingsQuery {
  /** The scorecard's UUID; anything else is refused before a request is made (spec section 4.3). */
  scorecardId: string;
  /** For example `open_port`. */
  issueType: string;
  /** How many entries to skip; an integer from 0. */
  offset: number;
  /** How many entries to return; an integer from 1 to 500. */
  limit: number;
  /** The JSON object that is posted. Default `{}`. */
  body?: JsonObject;
}

/** One page of findings (spec section 2.3), checked. */
export interface FindingsPage {
  /** The entries as served, unchanged. */
  entries: JsonObject[];
  /**
   * Entries matching the query over all pages; absent if the service does not send it. Only informational:
   * it does not end the list.
   */
  totalCount?: number;
  /** Whether entries remain after this page; only this ends the list. */
  hasMore: boolean;
  /** The requested offset, echoed. */
  offset: number;
  /** The requested limit, echoed. The next page starts at `offset + limit`. */
  limit: number;
}

/** By page and size (spec section 4.1), cursor (4.2), or a Link header alone (2.5). */
export type CollectionStyle = 'page' | 'cursor' | 'link';

/** The position of a page in its list. It has at most one member; without any, it is the first page. */
export interface PagePosition {
  /** Page-style collections: the number of the page, from 1. */
  page?: number;
  /** Cursor-style collections: `next_cursor` of the page before. */
  cursor?: string;
  /** The absolute address of the page, if the Link header of the page before named it. */
  link?: string;
}

export interface CollectionQuery {
  /**
   * The path below the base address, for example `/portfolios?filter=mine`: one `/` at its start; no
   * scheme, host, `..` or backslash, also when decoded. Anything else is refused before a request.
   */
  path: string;
  /**
   * The path with `{id}` in place of the ID of an entry, for a path that was made with one. Limits and the log
   * then know all such paths as one endpoint, and no ID. Default: what looks like an ID is one.
   */
  template?: string;
  style: CollectionStyle;
  /**
   * Entries per page: sent as `size` (page style: 1 to 50, default 50) or `limit` (cursor style; if absent,
   * the service's default). The path of a link-style collection is sent as it is.
   */
  size?: number;
  /** The requested page. Default: the first page. */
  at?: PagePosition;
}

/** See ApiClient. */
export interface CollectionSource {
  collectionPage(query: CollectionQuery, options?: CallOptions): Promise<CollectionPage>;
}

/** One checked page of a collection, as the service sent it (spec sections 2.1, 2.2 and 2.5). */
export interface CollectionPage {
  /** The entries as served, unchanged. */
  entries: JsonObject[];
  /** Entries over all pages, if the service sends the number. */
  total?: number;
  /** Entries per page, if the service sends the number. It may be smaller than requested. */
  size?: number;
  /** Number of this page, if the service sends it. */
  page?: number;
  /** Cursor of the next page; absent when the collection has ended. */
  nextCursor?: string;
  /** What the Link header says about the next page; `url` is absolute. */
  link: { url?: string; isForeign?: true; isMalformed: boolean };
  /** The address that answered. */
  url: string;
}

/** See `src/api/services`. */
export type ServiceName = 'interface' | 'securityScorecard';

/** The kinds of report: those of spec sections 4.4 and 4.5, and a table of all issues of a scorecard. */
export type ReportKind = 'full' | 'detailed' | 'issues';

/** The list of findings that is requested to verify a key. */
export interface Probe {
  scorecardId: string;
  issueType: string;
}

export interface DownloadProgress {
  received: number;
  /** Total bytes, if the service declared them (Content-Length). */
  total: number | undefined;
}

/** One version of a report: what a later response must match to continue with its bytes. */
export interface ReportVersion {
  /** A strong ETag with its quotes, or a strong Last-Modified (RFC 9110 section 8.8). */
  validator: string;
  /** Total bytes, if the service declared them. */
  total?: number;
  /** In lower case, without parameters; absent if the service sent none. */
  mediaType?: string;
}

/** Where an interrupted download resumes. */
export interface Resume extends ReportVersion {
  /** The number of bytes that are already on disk, see `onSynced`; at least 1. */
  offset: number;
}

export interface FetchReportOptions extends CallOptions {
  /**
   * Requests only the rest of the file. `resumedFrom` of the answer shows whether the service sent only the
   * rest; it sends a report that has changed, or may have changed, as a whole.
   */
  resume?: Resume | undefined;
}

export interface SaveOptions {
  /** Ends the download, as the signal of the call that fetched the report does. */
  signal?: AbortSignal;
  /** Called at most four times a second, and once at the end. */
  onProgress?: (progress: DownloadProgress) => void;
  /**
   * Called when more bytes of the part are on disk, whatever happens to the machine; with their number. Only these
   * count as kept: the caller stores it with the `version`. If it throws, the download fails, and no part is kept.
   */
  onSynced?: (bytes: number) => void;
  /**
   * The file that the body is written to until it is complete, in the folder of `path`. Default
   * `<path>.part`. If the file exists and the download is not resumed, it belongs to another download, and
   * saving fails with `exists`.
   */
  part?: string;
  /**
   * Called when the body is complete, before the part is renamed to `path`. If it throws, the part is not
   * renamed.
   */
  beforeMove?: () => void;
  /**
   * Keeps `part` if the body breaks off, stalls or is ended, and the file has a `version`. The caller must
   * have stored that version: `fetchReport` needs it and the bytes that count to resume. Default `false`:
   * the part is removed.
   */
  keepPart?: boolean;
}

/** The hourly request budget of one key (spec section 8), over all windows that share its ledger. */
export interface RequestBudget {
  limit: number;
  /** Requests sent in the window that ends now; retries, redirects and polls count. */
  used: number;
  remaining: number;
  windowMinutes: number;
  /** ISO 8601 time at which a paused client continues; absent while it is not paused. */
  retryAt?: string;
  /** Whether the service has paused all endpoints; without it, those that are not paused go on. */
  areAllPaused?: true;
  /** The endpoints that requests were sent to or that are paused; absent if there are none. */
  endpoints?: EndpointBudget[];
}

export interface EndpointBudget {
  /** Method and route template, for example `POST /reports/detailed`. */
  endpoint: string;
  /** Requests sent to it in the window that ends now. */
  used: number;
  /** ISO 8601 time until which it is paused; absent while it is not. */
  retryAt?: string;
}

import type { JsonObject } from '../base/json';

/** What a caller may say about one call; all optional. */
export interface CallOptions {
  /** Ends the call wherever it is: in the queue, on the wire, in the body, in a wait. */
  signal?: AbortSignal;
  /** Interactive calls leave the queue before bulk ones. Default `interactive`. */
  priority?: 'interactive' | 'bulk';
  /**
   * The longest the call may wait for the service's limit, in milliseconds; when the wait would be
   * longer it rejects at once with a RateLimitedError that carries `retryAt`.
   * Default 30,000 for interactive calls, without limit for bulk ones.
   */
  maxWaitMs?: number;
  /** Called when the call has to wait before it may be sent (again), and with `undefined` when it continues. */
  onWait?: (wait: Wait | undefined) => void;
}

/** Why a call is waiting, and until when. */
export interface Wait {
  /** `limit`: the service said so (429 or Retry-After); `budget`: our own hourly budget is used up; `retry`: back-off after a failure. */
  reason: 'limit' | 'budget' | 'retry';
  /** Wall-clock time in milliseconds at which the call continues. */
  until: number;
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
  /** The JSON object that is posted; `{}` where absent. */
  body?: JsonObject;
}

/** One page of findings (spec section 2.3), checked. */
export interface FindingsPage {
  /** The entries as served, unchanged. */
  entries: JsonObject[];
  /** Entries matching the query over all pages; absent where the service gives none. It informs; it does not end the list. */
  totalCount?: number;
  /** Whether entries remain after this page; this alone ends the list. */
  hasMore: boolean;
  /** The requested offset, echoed. */
  offset: number;
  /** The requested limit, echoed. The next page starts at `offset + limit`. */
  limit: number;
}

/** How a collection is paged: page and size (spec 4.1), cursor (4.2), or a Link header alone (2.5). */
export type CollectionStyle = 'page' | 'cursor' | 'link';

/**
 * Where a page stands in its list: what has to be asked for to get it. Plain data, so that it can be
 * kept and a list taken up there again. One member at most; the first page where there is none.
 */
export interface PagePosition {
  /** Page-style collections: the number of the page, from 1. */
  page?: number;
  /** Cursor-style collections: `next_cursor` of the page before. */
  cursor?: string;
  /** Where the page before named its successor in a Link header: the absolute address. */
  link?: string;
}

export interface CollectionQuery {
  /**
   * The path below the base address, for example `/portfolios?filter=mine`: one `/` at its start; no
   * scheme, host, `..` or backslash, also when decoded. Anything else is refused before a request.
   */
  path: string;
  style: CollectionStyle;
  /**
   * Entries per page: sent as `size` (page style: 1 to 50, default 50) or `limit` (cursor style; the
   * service's default where absent). A link-style collection is asked for as its path says.
   */
  size?: number;
  /** The page that is asked for; the first where absent. */
  at?: PagePosition;
}

/** One page of a collection, checked, as it was answered (spec sections 2.1, 2.2 and 2.5). */
export interface CollectionPage {
  /** The entries as served, unchanged. */
  entries: JsonObject[];
  /** Entries over all pages, where the service says so. */
  total?: number;
  /** Entries per page, where the service says so: it may allow less than was asked for. */
  size?: number;
  /** Number of this page, where the service says so. */
  page?: number;
  /** Cursor of the next page; absent when the collection has ended. */
  nextCursor?: string;
  /** What the Link header says of the next page; `url` is absolute and at the service's own origin. */
  link: { url?: string; isMalformed: boolean };
  /** The address that answered. */
  url: string;
}

/** The two kinds of report (spec sections 4.4 and 4.5). */
export type ReportKind = 'full' | 'detailed';

/**
 * What the service answers while a report is made: a record (spec section 2.4) or the report.
 * - `record`: the service took the request; the report can be downloaded from `reportUrl` later.
 * - `pending`: the response to a poll: not ready yet.
 * - `file`: the response is the report itself; its body is waiting to be saved with `saveTo`.
 */
export type ReportAnswer =
  | { type: 'record'; reportUrl: string; status: string | undefined }
  | {
      type: 'pending';
      status: string | undefined;
      retryAfterMs: number | undefined;
      reportUrl: string | undefined;
    }
  | { type: 'file'; status: string | undefined; file: ReportFile };

export interface DownloadProgress {
  received: number;
  /** Bytes in all, where the service said so (Content-Length). */
  total: number | undefined;
}

/** One version of a report: what a later response must match to continue with its bytes. */
export interface ReportVersion {
  /** A strong ETag with its quotes, or a strong Last-Modified (RFC 9110 section 8.8). */
  validator: string;
  /** Bytes in all, where the service said so. */
  total?: number;
}

/** Where a download that broke off continues. */
export interface Resume extends ReportVersion {
  /** The bytes that are there; at least 1. */
  offset: number;
}

/** What a caller may say when a report is fetched. */
export interface FetchReportOptions extends CallOptions {
  /**
   * Asks for the rest alone. The answer says in `resumedAt` whether it gives it; a report that has
   * changed, or may have, comes whole.
   */
  resume?: Resume | undefined;
}

/** How a report is saved; all optional. */
export interface SaveOptions {
  /** Ends the download. The signal of the call that fetched it does so too, while bytes arrive. */
  signal?: AbortSignal;
  /** Called at most four times a second, and once at the end. */
  onProgress?: (progress: DownloadProgress) => void;
  /**
   * Where the body is written until it is whole, in the folder of `path`. Default `<path>.part`. A file
   * that stands there belongs to another download, unless it is resumed: saving fails with `exists`.
   */
  part?: string;
  /** Called when the body is whole, before it gets its name; what it throws keeps it from that. */
  beforeMove?: () => void;
  /**
   * Keep `part` when the body breaks off, stands still or is ended, and the file has a
   * `version`, which the caller has written down: the length of the part and that version are what
   * `fetchReport` needs to continue. Default `false`: the part is removed.
   */
  keepPart?: boolean;
}

/** A report whose headers have arrived and whose body has not been read. */
export interface ReportFile {
  /** A safe file name, from Content-Disposition (RFC 6266) or the content type: no path, at most 200 bytes, never empty. */
  readonly fileName: string;
  /** Bytes in all, where the service said so. */
  readonly total: number | undefined;
  /**
   * 0, or the `offset` of the `resume` that this response continues from: then `saveTo` must be given
   * the path whose part has that length. Such a response need not repeat the name of the file.
   */
  readonly resumedAt: number;
  /** What to keep to continue after a break; absent where the service gives no strong validator. */
  readonly version: ReportVersion | undefined;
  /**
   * Looks for room on the disk, streams the body to its part with back-pressure, checks the
   * length, syncs, and renames it to `path`, which must not exist. On any failure no file is left
   * at `path`, and a part only with `keepPart`.
   * @returns the number of bytes of the file.
   * @throws DownloadError, ProtocolError, TimeoutError, CancelledError
   */
  saveTo(path: string, options?: SaveOptions): Promise<number>;
  /** Gives the body up and closes its connection. */
  discard(): void;
}

/**
 * The state of the hourly request budget of one key (spec section 8), over all windows that share
 * its ledger.
 */
export interface RequestBudget {
  limit: number;
  /** Requests sent in the window that ends now; retries, redirects and polls count. */
  used: number;
  remaining: number;
  windowMinutes: number;
  /** ISO 8601 time at which a paused client continues; absent while it is not paused. */
  retryAt?: string;
  /** What was sent to, or is paused of, each endpoint; absent when there is none. */
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

/** The service's HTTP interface, as the rest of the product uses it; ApiClient implements it. */
export interface Api {
  /** POST /companies/{scorecard_identifier}/issues/{issue_type}/paginated (spec section 4.3). A read: retried. */
  findingsPage(query: FindingsQuery, options?: CallOptions): Promise<FindingsPage>;
  /**
   * GET of one page of a generic collection (spec sections 4.1, 4.2; Link header: section 2.5, RFC 8288).
   * A read: retried. `collectionPages` makes pages of the answers that lead on to each other.
   * @throws BadRequestError, before a request, for a path or size that is not allowed; ProtocolError for
   * a response of another shape, another page than asked for, or a next page at another origin.
   */
  collectionPage(query: CollectionQuery, options?: CallOptions): Promise<CollectionPage>;
  /**
   * POST /reports/full-dump or /reports/detailed (spec sections 4.4, 4.5). Not repeated unless the
   * service certainly did not accept it (429). Without `body` no body and no Content-Type is sent.
   * The address in a record that names no scheme and host is relative to the base address.
   */
  requestReport(
    kind: ReportKind,
    body: JsonObject | undefined,
    options?: CallOptions,
  ): Promise<Exclude<ReportAnswer, { type: 'pending' }>>;
  /**
   * GET report_url once: a poll and, when the report is ready, the start of its download.
   * @param reportUrl absolute, or relative to the base address. Another origin gets no key.
   */
  fetchReport(reportUrl: string, options?: FetchReportOptions): Promise<ReportAnswer>;
  /** The request budget as this client knows it; the service's 429 is the truth. */
  budget(): RequestBudget;
}

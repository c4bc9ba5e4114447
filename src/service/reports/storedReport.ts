import * as v from 'valibot';
import type { ReportKind } from '../../api/types';
import { randomUUID } from 'node:crypto';
import { defined } from '../../base/defined';
import type { JsonObject } from '../../base/json/json';
import { unpackedBytes } from '../../files/packedSize';
import type { Account } from '../account/account';
import type { Report } from '../../commands';

/**
 * The states of a report; the last three end it. `requested`: also while it is not sent yet, see `unsent`.
 * `downloading`: also while it is polled again after its download broke off.
 */
export const reportStates = [
  'requested',
  'generating',
  'downloading',
  'ready',
  'failed',
  'cancelled',
] as const;

export type ReportState = (typeof reportStates)[number];

/** The version of the format in which reports are stored. */
export const schemaVersion = 1;

/** Why a report failed, in its state file. */
const reportFailure = v.object({
  /** An error code of the HTTP client, such as `network`. */
  code: v.string(),
  /** One plain line. */
  message: v.string(),
  /** The earliest time at which another attempt makes sense, in ISO 8601. */
  retryAt: v.exactOptional(v.string()),
});

export type ReportFailure = v.InferOutput<typeof reportFailure>;

/** A report as commands return it. Times are ISO 8601. */
const publicReport = v.object({
  id: v.string(),
  kind: v.picklist(['full', 'detailed', 'issues']),
  /** Scheme, host and port of the service that generates the report. */
  origin: v.string(),
  scorecardId: v.exactOptional(v.string()),
  title: v.string(),
  state: v.picklist(reportStates),
  /** The `status` in the last response of the service, unchanged. */
  serviceStatus: v.exactOptional(v.string()),
  requestedAt: v.string(),
  finishedAt: v.exactOptional(v.string()),
  /** The absolute path of the downloaded file. */
  path: v.exactOptional(v.string()),
  bytes: v.exactOptional(v.number()),
  error: v.exactOptional(reportFailure),
});

/** A report as it is stored, with the data needed to resume it. */
const storedReport = v.object({
  ...publicReport.entries,
  schemaVersion: v.literal(schemaVersion),
  /** How many jobs there were: how many times a window has begun to run it. */
  jobs: v.number(),
  /** The account that can resume the report; see Account.id. */
  accountId: v.string(),
  /** The JSON body of its request; absent if the request has no body. */
  body: v.exactOptional(v.record(v.string(), v.unknown())),
  /** Where the service says the report can be downloaded: absolute, or relative to the base address. */
  reportUrl: v.exactOptional(v.string()),
  /**
   * `true`: the request was not sent yet or was certainly not accepted (it waits for the service's limit or our
   * budget), so it is sent by itself. `false`: the service may have accepted it, or has answered it with the file; only
   * Retry or Request Again sends another, and a user confirms that Retry. Absent: the address of the answer decides, or
   * the request was refused.
   */
  unsent: v.exactOptional(v.boolean()),
  /** While it is downloaded: the path that the file will have, see `path`. For its parts, see reportParts.ts. */
  downloadPath: v.exactOptional(v.string()),
  /** When the complete file was written, in milliseconds since 1970: with `bytes`, what tells it from another. */
  fileTime: v.exactOptional(v.number()),
  /** The version of the file that the kept part belongs to; absent if the download cannot resume from it. */
  partVersion: v.exactOptional(
    v.object({
      validator: v.string(),
      total: v.exactOptional(v.number()),
      mediaType: v.exactOptional(v.string()),
      /** Bytes of the part that are certainly on disk; absent if there are none. */
      saved: v.exactOptional(v.number()),
    }),
  ),
  /**
   * When the report was first ready, in ISO 8601, while the same report is downloaded again: it is ready at that time
   * again, so that it does not become the newest one.
   */
  readyAt: v.exactOptional(v.string()),
  /** When the report was last retried after it had ended, in ISO 8601. */
  retriedAt: v.exactOptional(v.string()),
  /**
   * The report failed because the address of its file did not lead to it: the link has expired, the key has
   * no access, or something else is there. Retry requests the same address again, unless that cannot succeed.
   */
  linkRefused: v.exactOptional(v.boolean()),
});

export type StoredReport = v.InferOutput<typeof storedReport>;

/** @throws ValiError or SyntaxError if the text is not a state file of this version. */
export function parseStoredReport(text: string): StoredReport {
  return v.parse(storedReport, JSON.parse(text));
}

/** The part of a stored report that commands return. */
export function toPublicReport(report: StoredReport): Report {
  return v.parse(publicReport, report);
}

/**
 * Whether severities are taken from a kind of report, and a notification says how it differs from the one before: only
 * from those that are made to have all findings of their scope.
 */
export function hasAllFindings(kind: ReportKind): boolean {
  return kind === 'full' || kind === 'issues';
}

/** Whether the service may have accepted the request of a report, or has answered it with the file. */
export function isRequestSent({ unsent, reportUrl }: StoredReport): boolean {
  return unsent === false && reportUrl === undefined;
}

/** Whether a report has not ended yet. */
export function isUnfinished(report: { state: ReportState }): boolean {
  return ['requested', 'generating', 'downloading'].includes(report.state);
}

/**
 * Whether the report's address is on another host than the service; such a host does not create new
 * links.
 */
export function isOnOtherHost({ reportUrl = '', origin }: StoredReport): boolean {
  return URL.canParse(reportUrl) && new URL(reportUrl).origin !== origin;
}

/** A request for a report. */
export interface ReportRequest {
  kind: ReportKind;
  title: string;
  scorecardId?: string;
  /** Sent as JSON; if absent, the request has no body. */
  body?: JsonObject;
}

/** The data by which the service tells reports apart. */
type Identity = Pick<StoredReport, 'accountId' | 'kind' | 'scorecardId' | 'body'>;

/**
 * Creates a report that has not been requested from the service yet.
 * @param now wall-clock time in milliseconds.
 */
export function newReport(request: ReportRequest, account: Account, now: number): StoredReport {
  return {
    schemaVersion,
    jobs: 0,
    id: randomUUID(),
    kind: request.kind,
    origin: account.origin,
    accountId: account.id,
    title: request.title,
    state: 'requested',
    unsent: true,
    requestedAt: new Date(now).toISOString(),
    ...defined({ scorecardId: request.scorecardId, body: request.body }),
  };
}

/**
 * An ended report as it starts again.
 * @param options `isNew`: it is requested again, even if its address is known. `now`: wall-clock time in milliseconds.
 */
export function restarted(
  report: StoredReport,
  { isNew, now }: { isNew: boolean; now: number },
): StoredReport {
  const { error: _error, finishedAt, path: _path, bytes: _bytes, ...ended } = report;
  const { linkRefused: _linkRefused, fileTime: _fileTime, readyAt: earlier, ...rest } = ended;
  const readyAt = report.state === 'ready' ? finishedAt : earlier;
  // A kept part belongs to the earlier file.
  const { serviceStatus: _status, reportUrl, partVersion: _version, ...unrequested } = rest;
  const retriedAt = new Date(now).toISOString();
  return reportUrl === undefined || isNew
    ? { ...unrequested, state: 'requested', unsent: true, requestedAt: retriedAt, retriedAt }
    : { ...rest, state: 'generating', retriedAt, ...defined({ readyAt }) };
}

/**
 * Whether two reports have the same request. They are then generated only once, because the service
 * limits reports most.
 */
export function isSameRequest(first: Identity, second: Identity): boolean {
  return (
    first.accountId === second.accountId &&
    first.kind === second.kind &&
    first.scorecardId === second.scorecardId &&
    JSON.stringify(first.body) === JSON.stringify(second.body)
  );
}

type ReportTimes = Pick<Report, 'finishedAt' | 'requestedAt'>;

/**
 * When a report ended: if it is ready, when its file was first complete on this machine, which may be long after the
 * service made it. In milliseconds since 1970; if it has not ended, when it was requested. 0 if its state file has no
 * valid time: one damaged file must not stop the drawing of the others.
 */
export function madeAt({ finishedAt, requestedAt }: ReportTimes): number {
  return Date.parse(finishedAt ?? requestedAt) || 0;
}

/**
 * The other reports that are ready, are not empty, and have the same kind, scorecard and account. Their requests may have
 * had other bodies: see `previousReport` for what they are compared with.
 */
export function reportsLike(report: StoredReport, all: readonly StoredReport[]): StoredReport[] {
  return all.filter((other) => other.id !== report.id && isLike(report, other));
}

function isLike(report: StoredReport, other: StoredReport): boolean {
  return (
    isFilled(other) &&
    other.kind === report.kind &&
    other.scorecardId === report.scorecardId &&
    other.accountId === report.accountId
  );
}

/** Whether a report is ready and not an empty file: after such a file, all findings would seem to be new. */
export function isFilled({ state, bytes }: Pick<StoredReport, 'state' | 'bytes'>): boolean {
  return state === 'ready' && bytes !== 0;
}

/** About how many bytes the file of a report has when it is unpacked; see `unpackedBytes`. */
export function unpackedSize({
  path: file = '',
  bytes = 0,
}: Pick<StoredReport, 'path' | 'bytes'>): number {
  return unpackedBytes(file, bytes);
}

/** The reports that ended on one day in the local time zone, the one that ended last first. */
export interface ReportDay {
  /** The start of the day, in milliseconds since 1970. */
  start: number;
  reports: StoredReport[];
}

/** The reports that have ended by the day on which they did, latest day first. */
export function endedByDay(reports: readonly StoredReport[]): ReportDay[] {
  const days: ReportDay[] = [];
  const ended = reports.filter((report) => !isUnfinished(report));
  for (const report of ended.sort((first, second) => madeAt(second) - madeAt(first))) {
    const start = startOfDay(madeAt(report));
    const day = days.at(-1);
    if (day?.start === start) {
      day.reports.push(report);
    } else {
      days.push({ start, reports: [report] });
    }
  }
  return days;
}

/** @param now wall-clock time in milliseconds. */
export function dayName(start: number, now: number): 'today' | 'yesterday' | undefined {
  const today = startOfDay(now);
  // Not 24 hours earlier: a day on which clocks go forward has only 23.
  return start === today ? 'today' : start === startOfDay(today - 1) ? 'yesterday' : undefined;
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

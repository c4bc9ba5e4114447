import { csvLine } from '../base/text/csv';
import { findIssueType } from '../base/text/issueTypes';
import type { JsonObject, JsonValue } from '../base/json/json';
import { dayMs, referenceDay, findingAt } from './finding';
import { issuesCells, issuesColumns } from './securityScorecard/issuesTable';
import { findingLists, scorecardData, type FindingList, type ScorecardData } from './demoData';
import { createHmac } from 'node:crypto';

/** The parameters of a report. They and the seed determine its whole content. */
export interface ReportOrder {
  readonly kind: 'full' | 'detailed';
  /** `undefined`: all scorecards. */
  readonly scorecard: ScorecardData | undefined;
  /** When it was requested, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Whether the report is from a week before that. */
  readonly isEarlier?: true;
}

/** The parameters of the rows of a report. */
export type RowsOrder = Omit<ReportOrder, 'kind'> & {
  readonly kind: ReportOrder['kind'] | 'issues';
};

const kinds = ['full', 'detailed'] as const;
/** Replaces the number of the kind in the ID of a full report from a week before. */
const earlierFull = 2;
const allScorecards = 255;
const payloadBytes = 10;
const idBytes = 16;

/**
 * The ID of a report contains the whole order. So a service that is started again with the same seed, on
 * another port or after a window reload, still knows the reports that were requested before.
 *
 * @param serial distinguishes reports that were requested in the same millisecond.
 */
export function encodeReportId(seed: number, order: ReportOrder, serial: number): string {
  const payload = Buffer.alloc(payloadBytes);
  const index = order.scorecard ? scorecardData.indexOf(order.scorecard) : allScorecards;
  payload.writeUInt8(order.isEarlier ? earlierFull : kinds.indexOf(order.kind), 0);
  payload.writeUInt8(index, 1);
  payload.writeUIntBE(order.startedAt, 2, 6);
  payload.writeUInt16BE(serial % 0x10000, 8);
  return Buffer.concat([payload, checksum(seed, payload)]).toString('base64url');
}

/** The order in an ID, or `undefined` if this service (that is, its seed) never issued that ID. */
export function decodeReportId(seed: number, id: string): ReportOrder | undefined {
  const bytes = Buffer.from(id, 'base64url');
  const payload = bytes.subarray(0, payloadBytes);
  if (
    bytes.length !== idBytes ||
    bytes.toString('base64url') !== id ||
    !checksum(seed, payload).equals(bytes.subarray(payloadBytes))
  ) {
    return undefined;
  }
  const isEarlier = payload.readUInt8(0) === earlierFull;
  const kind = isEarlier ? 'full' : kinds[payload.readUInt8(0)];
  const index = payload.readUInt8(1);
  const scorecard = scorecardData[index];
  if (!kind || (!scorecard && index !== allScorecards)) {
    return undefined;
  }
  return {
    kind,
    scorecard,
    startedAt: payload.readUIntBE(2, 6),
    ...(isEarlier && { isEarlier: true as const }),
  };
}

/** Detects mistyped IDs and those of another seed. The demo has nothing that is worth a forged ID. */
function checksum(seed: number, payload: Buffer): Buffer {
  return createHmac('sha256', `demo report ${seed}`)
    .update(payload)
    .digest()
    .subarray(0, idBytes - payloadBytes);
}

/** The lines of a report. Each can be computed alone. */
export interface ReportRows {
  /** The number of lines, including the heading. */
  readonly count: number;
  /** A line with its line end; empty for a finding that is withheld. */
  row(index: number): string;
}

const columns = [
  'issue_id',
  'scorecard_identifier',
  'factor',
  'issue_type',
  'severity',
  'parent_domain',
  'domain',
  'ip',
  'port',
  'target',
  'first_seen_time',
  'last_seen_time',
  'group_status',
  'count',
] as const;

const highSeverity =
  /^(patching_cadence_high|service_vuln_host_high|web_vuln_host_high|malware_|ransomware_|compromised_|service_(rdp|smb|mongodb|elasticsearch)|tlscert_revoked|exploit_)/;
const lowSeverity =
  /^(open_port|csp_|x_|hsts_|waf_|references_|spf_record_softfail|typosquat|outdated_browser)/;

/** How severe the demo says that the findings of an issue type are. */
export function demoSeverity(issueType: string): 'high' | 'medium' | 'low' {
  if (highSeverity.test(issueType)) {
    return 'high';
  }
  return lowSeverity.test(issueType) ? 'low' : 'medium';
}

/** The report of an order: one JSON object per line (full) or CSV (RFC 4180) with a heading (the others). */
export function reportRows(seed: number, order: RowsOrder): ReportRows {
  const reference = referenceDay(order.startedAt);
  const scorecards = order.scorecard ? [order.scorecard] : scorecardData;
  const lists = scorecards.flatMap(findingLists);
  const full = order.kind === 'full';
  const heading = full ? 0 : 1;
  const starts = [heading];
  for (const list of lists) {
    starts.push((starts.at(-1) ?? 0) + list.positions);
  }
  return {
    count: starts.at(-1) ?? 0,
    row: (index) => {
      if (index < heading) {
        return csvLine(order.kind === 'issues' ? issuesColumns : [...columns, 'details']);
      }
      const listIndex = starts.findLastIndex((start) => start <= index);
      const list = lists[listIndex];
      const position = index - (starts[listIndex] ?? 0);
      if (!list || (position >= list.withheldFrom && position < list.withheldTo)) {
        return '';
      }
      const record = reportRecord(seed, list, position, reference);
      if (order.isEarlier) {
        return earlierRecords(record, position, earlierDay(order))
          .map((each) => `${JSON.stringify(each)}\n`)
          .join('');
      }
      if (order.kind === 'issues') {
        return csvLine(issuesCells(record));
      }
      return full
        ? `${JSON.stringify(record)}\n`
        : csvLine(
            [...columns.map((column) => cell(record, column)), details(record)].map(cellText),
          );
    },
  };
}

const earlierDays = 7;
/** One in this many findings of the earlier report no longer exists. */
const removedEvery = 300;

/** The day of a report from a week before, in milliseconds since the epoch. */
export function earlierDay({ startedAt }: Pick<ReportOrder, 'startedAt'>): number {
  return referenceDay(startedAt) - earlierDays * dayMs;
}

/**
 * The records of a finding in the report from a week before. There are none if the finding was first seen
 * later. An inactive finding that was seen since then is still active in that report. Now and then there is
 * a second record, for a finding that no longer exists. Nothing else differs but when findings were last seen, so
 * that a comparison shows few changes.
 */
function earlierRecords(record: JsonObject, position: number, day: number): JsonObject[] {
  const time = (value: JsonValue | undefined) => Date.parse(typeof value === 'string' ? value : '');
  const { issue_id: id, first_seen_time: first, last_seen_time: last } = record;
  if (time(first) >= day) {
    return [];
  }
  const isSeenSince = time(last) >= day;
  const seenBefore = new Date(
    Math.max(time(first), Math.min(day, time(last) - earlierDays * dayMs)),
  );
  const earlier = isSeenSince
    ? { ...record, group_status: 'active', last_seen_time: plainTime(seenBefore.toISOString()) }
    : record;
  const isGone = position % removedEvery === removedEvery - 1 && typeof id === 'string';
  return isGone ? [earlier, { ...earlier, issue_id: `${id.slice(0, -4)}gone` }] : [earlier];
}

/**
 * A finding in a report: first the flat fields that every record has, then the entry as the findings
 * endpoint serves it, without the fields that would repeat others. All times have one format, so that they
 * sort as text. The full dump stays below the 50 MB that an editor opens.
 */
function reportRecord(
  seed: number,
  list: FindingList,
  position: number,
  reference: number,
): JsonObject {
  const { host, entry: served } = findingAt(seed, list, position, reference);
  const { observations: _observations, reason: _reason, protocol: _protocol, ...entry } = served;
  const { issueType, scorecard } = list;
  return {
    scorecard_identifier: scorecard.id,
    issue_type: issueType,
    factor: findIssueType(issueType)?.factor ?? null,
    severity: demoSeverity(issueType),
    ...entry,
    domain: entry.domain ?? host,
    first_seen_time: plainTime(entry.first_seen_time),
    last_seen_time: plainTime(entry.last_seen_time),
  };
}

function cell(record: JsonObject, column: (typeof columns)[number]): JsonValue {
  const value = record[column] ?? null;
  const { ports } = record;
  return column === 'port' && Array.isArray(ports) ? (value ?? ports[0] ?? null) : value;
}

/** The vulnerability, the banner or the evidence as one text; they have no columns of their own. */
function details({ vulnerability_id, banner, evidence }: JsonObject): JsonValue {
  return vulnerability_id ?? banner ?? evidence ?? null;
}

function plainTime(time: JsonValue | undefined): JsonValue {
  return typeof time === 'string' ? `${time.slice(0, 10)}T${time.slice(11, 19)}Z` : null;
}

/** A value as the service writes it. It is never neutralized, even if it starts like a formula. */
function cellText(value: JsonValue): string {
  return value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

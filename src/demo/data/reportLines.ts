import { writeRawCsvLine } from '../../base/text/csv';
import { findIssueType } from '../../vocabulary/issueTypes';
import type { JsonObject, JsonValue } from '../../base/json/json';
import { dayMs, referenceDay, findingAt } from './finding';
import { issuesCells, issuesColumns } from './issuesTable';
import { findingLists, scorecardData, type FindingList, type ScorecardData } from './demoData';

/** The parameters of a report. They determine its whole content. */
export interface ReportOrder {
  /** `earlier`: a full report from a week before. `issues`: of the service of `securityScorecard`. */
  readonly kind: 'full' | 'detailed' | 'earlier' | 'issues';
  readonly format: 'ndjson' | 'csv' | 'pdf';
  /** `undefined`: all scorecards. */
  readonly scorecard: ScorecardData | undefined;
  /** When it was requested, in milliseconds since the epoch. */
  readonly startedAt: number;
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

/** The lines of a report: one JSON object per line (full) or CSV (RFC 4180) with a heading (the others). */
export function* reportLines(order: ReportOrder): Generator<string> {
  const reference = referenceDay(order.startedAt);
  const day = earlierDay(order);
  if (order.kind === 'detailed') {
    yield writeRawCsvLine([...columns, 'details']);
  } else if (order.kind === 'issues') {
    yield writeRawCsvLine(issuesColumns);
  }
  for (const list of (order.scorecard ? [order.scorecard] : scorecardData).flatMap(findingLists)) {
    for (let position = 0; position < list.positions; position++) {
      const record = reportRecord(list, position, reference);
      if (record) {
        yield* writeLines(record, order.kind, position, day);
      }
    }
  }
}

function writeLines(
  record: JsonObject,
  kind: ReportOrder['kind'],
  position: number,
  day: number,
): string[] {
  switch (kind) {
    case 'full':
      return [jsonLine(record)];
    case 'earlier':
      return earlierRecords(record, position, day).map(jsonLine);
    case 'issues':
      return [writeRawCsvLine(issuesCells(record))];
    case 'detailed':
      return [
        writeRawCsvLine(
          [...columns.map((column) => cell(record, column)), details(record)].map(cellText),
        ),
      ];
  }
}

function jsonLine(record: JsonObject): string {
  return `${JSON.stringify(record)}\n`;
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
  list: FindingList,
  position: number,
  reference: number,
): JsonObject | undefined {
  const finding = findingAt(list, position, reference);
  if (!finding) {
    return undefined;
  }
  const { host, entry: served } = finding;
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

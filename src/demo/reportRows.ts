import { csvLine } from '../base/csv';
import { findIssueType } from '../base/issueTypes';
import type { JsonObject, JsonValue } from '../base/json';
import { dayMs, referenceDay } from './dates';
import { findingLists, scorecardData } from './demoData';
import type { FindingList } from './demoData';
import { findingAt } from './finding';
import type { ReportOrder } from './reportId';

/** The lines of a report, each computed on its own. */
export interface ReportRows {
  /** How many there are, the heading included. */
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

/** The report of an order: one JSON object a line (full) or CSV (RFC 4180) with a heading (detailed). */
export function reportRows(seed: number, order: ReportOrder): ReportRows {
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
        return csvLine([...columns, 'details']);
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
      return full
        ? `${JSON.stringify(record)}\n`
        : csvLine(
            [...columns.map((column) => cell(record, column)), details(record)].map(cellText),
          );
    },
  };
}

const earlierDays = 7;
/** Of this many findings of the earlier report, one no longer exists. */
const positionsOfGone = 300;

/** The day of a report of a week before, in milliseconds since the epoch. */
export function earlierDay({ startedAt }: ReportOrder): number {
  return referenceDay(startedAt) - earlierDays * dayMs;
}

/**
 * The records of a finding in the report of a week before. There is none if the finding was first
 * seen later. Its status differs if it was seen since. Now and then there is a second record, of a
 * finding that no longer exists. Nothing else differs, so that a comparison shows little.
 */
function earlierRecords(record: JsonObject, position: number, day: number): JsonObject[] {
  const time = (value: JsonValue | undefined) => Date.parse(typeof value === 'string' ? value : '');
  const {
    issue_id: id,
    first_seen_time: first,
    last_seen_time: last,
    group_status: status,
  } = record;
  if (time(first) >= day) {
    return [];
  }
  const isSeenSince = status !== 'active' && time(last) >= day;
  const earlier = isSeenSince ? { ...record, group_status: 'active' } : record;
  const isGone = position % positionsOfGone === positionsOfGone - 1 && typeof id === 'string';
  return isGone ? [earlier, { ...earlier, issue_id: `${id.slice(0, -4)}gone` }] : [earlier];
}

/**
 * A finding as reports show it: flat names first, that every record has, then the entry as the
 * findings endpoint serves it, less what is reported twice there. Times are all written one way, so that
 * they sort as text. The full dump stays below the 50 MB that an editor opens.
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
    severity: highSeverity.test(issueType)
      ? 'high'
      : lowSeverity.test(issueType)
        ? 'low'
        : 'medium',
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

/** What is known beyond the columns, in one text: the banner, the evidence or the vulnerability. */
function details({ vulnerability_id, banner, evidence }: JsonObject): JsonValue {
  return vulnerability_id ?? banner ?? evidence ?? null;
}

function plainTime(time: JsonValue | undefined): JsonValue {
  return typeof time === 'string' ? `${time.slice(0, 10)}T${time.slice(11, 19)}Z` : null;
}

/** A value as the service writes it: not neutralised, whatever it begins with. */
function cellText(value: JsonValue): string {
  return value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

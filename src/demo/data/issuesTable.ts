import type { JsonObject, JsonValue } from '../../base/json/json';
import { findIssueType } from '../../vocabulary/issueTypes';

/** Those columns of an issues report that public material shows. The real table has more. */
export const issuesColumns = [
  'ISSUE ID',
  'FACTOR NAME',
  'ISSUE TYPE CODE',
  'ISSUE TYPE SEVERITY',
  'ISSUE RECOMMENDATION',
  'FIRST SEEN',
  'LAST SEEN',
  'STATUS',
  'IP ADDRESSES',
  'HOSTNAME',
  'TARGET',
  'FINAL URL',
];

/** A finding of a full report as a line of an issues report. */
export function issuesCells(record: JsonObject): string[] {
  const issueType = text(record.issue_type);
  return [
    text(record.issue_id),
    titled(text(record.factor)),
    issueType,
    text(record.severity).toUpperCase(),
    recommendation(issueType),
    usDate(text(record.first_seen_time)),
    usDate(text(record.last_seen_time)),
    text(record.group_status),
    text(record.ip),
    text(record.domain),
    text(record.target),
    text(record.url),
  ];
}

/** What the demo says helps against findings of a type. */
export function recommendation(issueType: string): string {
  return `Review the affected assets: ${findIssueType(issueType)?.title ?? issueType}.`;
}

/** `dns_health` as `DNS Health`. */
export function titled(key: string): string {
  return key
    .replaceAll('_', ' ')
    .replace(/\b(?:dns|ip)\b|\b[a-z]/g, (letters) => letters.toUpperCase());
}

/** `2026-01-31T…` as `01/31/2026`, as the service writes dates in tables. */
function usDate(time: string): string {
  return time.replace(/^(\d{4})-(\d{2})-(\d{2}).*$/, '$2/$3/$1');
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

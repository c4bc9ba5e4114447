import { type JsonObject, jsonText } from '../base/json';
import { code, listed } from '../base/markdown';
import { findingRecord } from './findingRecord';

/** Where a finding is, as a person knows it. */
export interface FindingPlace {
  /** What the finding is about. */
  readonly title: string;
  readonly issueType: string;
  readonly scorecard: string;
}

/**
 * A finding for a ticket: what it is about, where, and its fields in the order of its record, without those
 * that have no value.
 * @param entry with secret-like values masked.
 */
export function findingMarkdown(
  entry: JsonObject,
  number: number,
  { title, issueType, scorecard }: FindingPlace,
): string {
  const { severity, status, firstSeen, lastSeen, key, more } = findingRecord(entry, number);
  const names = [severity, status, firstSeen, lastSeen, ...key, ...more];
  const fields = names.flatMap((name) => {
    const value = name === undefined ? null : (entry[name] ?? null);
    return name === undefined || value === null || value === ''
      ? []
      : [
          `- ${code(name)}: ${
            typeof value === 'object' ? listed(jsonText(value), true) : listed(String(value), false)
          }`,
        ];
  });
  return `### ${code(title)}\n\n${code(issueType)} \u00b7 ${code(scorecard)}\n\n${fields.join('\n')}\n`;
}

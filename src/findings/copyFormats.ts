import { csvLine } from '../base/text/csv';
import { isContainer, type JsonObject, type JsonValue } from '../base/json/json';
import { cellOf } from '../base/text/formulas';
import { cell, inline, line, listed } from '../base/text/markdown';
import { findingRecord } from './findingSummary';

export const copyFormats = ['tsv', 'csv', 'json', 'markdown'] as const;
export type FindingCopyFormat = (typeof copyFormats)[number];

/**
 * Entries as one text. As a table, it has a header, and a column for each field of any entry, in the order in
 * which fields first occur. As JSON, one entry is an object and several are an array. As Markdown, it is a table for a ticket. No cell can be taken for a formula. Lines end in LF, those of CSV in CRLF (RFC 4180
 * section 2).
 *
 * @param entries with secret-like values already masked.
 */
export function copyText(entries: readonly JsonObject[], format: FindingCopyFormat): string {
  if (format === 'json') {
    const [first, ...others] = entries;
    const value = first && others.length === 0 ? first : [...entries];
    return JSON.stringify(value, undefined, 2);
  }
  const columns = [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
  if (format === 'markdown') {
    return markdownTableOf(entries);
  }
  const rows = [
    columns,
    ...entries.map((entry) =>
      columns.map((name) => (Object.hasOwn(entry, name) ? entry[name] : undefined)),
    ),
  ];
  return rows
    .map((cells) =>
      format === 'csv' ? csvLine(cells.map(cellOf)) : `${cells.map(tsvCell).join('\t')}\n`,
    )
    .join('');
}

/** A table for a ticket: first what tells most of the first entry, without fields that all entries leave empty. */
function markdownTableOf(entries: readonly JsonObject[]): string {
  const [first = {}] = entries;
  const { severity, status, firstSeen, lastSeen, key, more } = findingRecord(first, 1);
  const likeFirst = [severity, ...key, status, firstSeen, lastSeen, ...more];
  const names = new Set([...likeFirst, ...entries.flatMap((entry) => Object.keys(entry))]);
  const textOf = (entry: JsonObject, name: string) => {
    const value = Object.hasOwn(entry, name) ? entry[name] : undefined;
    return isContainer(value) ? JSON.stringify(value) : String(value ?? '');
  };
  const columns = [...names].filter(
    (name) => name !== undefined && entries.some((entry) => textOf(entry, name) !== ''),
  ) as string[];
  return [
    columns.map(cell),
    columns.map(() => '---'),
    ...entries.map((entry) => columns.map((name) => cell(textOf(entry, name)))),
  ]
    .map(line)
    .join('');
}

/**
 * A cell for pasting. TSV has no quoting, so characters that would end the cell become spaces. Spreadsheets
 * nevertheless unquote text that begins with a quote, and may compute the rest as a formula.
 */
function tsvCell(value: JsonValue | undefined): string {
  const text = cellOf(value).replace(/[\t\r\n]+/g, ' ');
  return text.startsWith('"') ? `'${text}` : text;
}

/** What a finding is about and where it is, in words for users. */
interface FindingContext {
  readonly title: string;
  readonly issueType: string;
  readonly scorecard: string;
}

/**
 * A finding for a ticket: its subject, where it is, and its fields in the order of its record, without empty
 * ones.
 * @param entry with secret-like values masked.
 */
export function findingMarkdown(
  entry: JsonObject,
  number: number,
  { title, issueType, scorecard }: FindingContext,
): string {
  const { severity, status, firstSeen, lastSeen, key, more } = findingRecord(entry, number);
  const names = [severity, status, firstSeen, lastSeen, ...key, ...more];
  const fields = names.flatMap((name) => {
    const value = name === undefined ? null : (entry[name] ?? null);
    return name === undefined || value === null || value === ''
      ? []
      : [
          `- ${inline(name)}: ${
            isContainer(value) ? listed(JSON.stringify(value), true) : listed(String(value), false)
          }`,
        ];
  });
  return `### ${inline(title)}\n\n${inline(issueType)} \u00b7 ${inline(scorecard)}\n\n${fields.join('\n')}\n`;
}

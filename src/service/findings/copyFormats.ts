import type { CopyFormat } from '../../base/exportFormats';
import { type CellText, toCellText } from '../../base/text/cellText';
import { writeCsvHead, writeCsvLine } from '../../base/text/csv';
import type { JsonObject } from '../../base/json/json';
import {
  writeCells,
  writeFacts,
  writeFields,
  writeFilledTable,
  writeHeading,
  writeInline,
} from '../../base/text/markdown';
import { findingRecord } from '../../vocabulary/findingSummary';

/**
 * Entries as one text. As a table, it has a header, and a column for each field of any entry, in the order in
 * which fields first occur. As JSON, one entry is an object and several are an array. As Markdown, it is a table for a ticket.
 * No cell can be taken for a formula. Lines are those of CSV (RFC 4180), or the same with tabs.
 *
 * @param entries with secret-like values already masked.
 */
export function copyText(entries: readonly JsonObject[], format: CopyFormat): string {
  if (format === 'json') {
    const [first, ...others] = entries;
    const value = first && others.length === 0 ? first : [...entries];
    return JSON.stringify(value, undefined, 2);
  }
  if (format === 'markdown') {
    return formatMarkdownTable(entries);
  }
  const columns = [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
  const lines = entries.map((entry) => writeCsvLine(cellsOf(entry, columns), format));
  return [writeCsvHead(columns, format), ...lines].join('');
}

/** A table for a ticket: first what tells most of the first entry, without fields that all entries leave empty. */
function formatMarkdownTable(entries: readonly JsonObject[]): string {
  const [first = {}] = entries;
  const { severity, status, firstSeen, lastSeen, key, more } = findingRecord(first, 1);
  const likeFirst = listNames(severity, ...key, status, firstSeen, lastSeen, ...more);
  const columns = [...new Set([...likeFirst, ...entries.flatMap((entry) => Object.keys(entry))])];
  const rows = entries.map((entry) => writeCells(cellsOf(entry, columns)));
  return writeFilledTable(columns, rows);
}

/** The names of the fields that there are; a name may be empty. */
function listNames(...names: readonly (string | undefined)[]): string[] {
  return names.filter((name) => name !== undefined);
}

function cellsOf(entry: JsonObject, columns: readonly string[]): CellText[] {
  return columns.map((name) => toCellText(Object.hasOwn(entry, name) ? entry[name] : undefined));
}

/** What a finding is about and where it is, in words for users. */
interface FindingContext {
  readonly title: string;
  readonly scorecard: string;
  /** Of the issue type, for a finding that has none itself; in words. */
  readonly severity: string | undefined;
  /** What it means and what to do about it, in whole sentences. */
  readonly advice: readonly string[];
}

/**
 * A finding for a ticket: its subject, where it is, and its fields in the order of its record, without empty
 * ones.
 * @param entry with secret-like values masked.
 */
export function findingMarkdown(
  entry: JsonObject,
  number: number,
  { title, scorecard, severity: ofType, advice }: FindingContext,
): string {
  const { severity, status, firstSeen, lastSeen, key, more } = findingRecord(entry, number);
  const fields = listNames(severity, status, firstSeen, lastSeen, ...key, ...more)
    .map((name) => [name, toCellText(entry[name])] as const)
    .filter(([, { text }]) => text !== '');
  return [
    writeHeading(writeInline(title)),
    writeFacts(listNames(severity === undefined ? ofType : undefined, scorecard)),
    ...advice.map((text) => writeFacts([text])),
    writeFields(fields),
  ].join('\n');
}

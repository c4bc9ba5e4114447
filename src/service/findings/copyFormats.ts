import { type CopyFormat, isForPeople } from '../../base/exportFormats';
import { type CellText, toCellText } from '../../base/text/cellText';
import { copiedLines, writeCsvHead, writeCsvLine } from '../../base/text/csv';
import { defined } from '../../base/defined';
import type { JsonObject } from '../../base/json/json';
import {
  writeCells,
  writeFacts,
  writeFields,
  writeFilledTable,
  writeHeading,
  writeInline,
} from '../../base/text/markdown';
import { columnTitles } from '../../summary/columnTitles';
import type { Texts } from '../../summary/texts';
import type { ColumnRole } from '../../vocabulary/columnRole';
import { roleOfField } from '../../vocabulary/fieldOrder';
import { findingRecord } from '../../vocabulary/findingSummary';
import { shownFinding } from './shownFinding';

/**
 * Entries as one text. As a table, it has a header, and a column for each field of any entry, in the order in
 * which fields first occur. As JSON, one entry is an object and several are an array. As Markdown, it is a table for a ticket.
 * No cell can be taken for a formula. Lines are those of CSV (RFC 4180), or the same with tabs. People get the titles
 * of fields and the words for values that a record shows; programs get what the service sent.
 *
 * @param entries with secret-like values already masked.
 */
export function copyText(entries: readonly JsonObject[], format: CopyFormat, texts: Texts): string {
  if (format === 'json') {
    const [first, ...others] = entries;
    const value = first && others.length === 0 ? first : [...entries];
    return JSON.stringify(value, undefined, 2);
  }
  if (format === 'markdown') {
    return formatMarkdownTable(entries, texts);
  }
  const columns = columnsOf(entries, isForPeople(format) ? texts : undefined);
  const lineFormat = copiedLines[format];
  const lines = entries.map((entry) => writeCsvLine(cellsOf(entry, columns), lineFormat));
  return [
    writeCsvHead(
      columns.map(({ title }) => title),
      lineFormat,
    ),
    ...lines,
  ].join('');
}

/** A table for a ticket: first what tells most of the first entry, without fields that all entries leave empty. */
function formatMarkdownTable(entries: readonly JsonObject[], texts: Texts): string {
  const [first = {}] = entries;
  const { severity, status, firstSeen, lastSeen, key, more } = findingRecord(first, 1);
  const likeFirst = listNames(severity, ...key, status, firstSeen, lastSeen, ...more);
  const columns = columnsOf(entries, texts, likeFirst);
  const rows = entries.map((entry) => writeCells(cellsOf(entry, columns)));
  return writeFilledTable(
    columns.map(({ title }) => title),
    rows,
  );
}

/** The names of the fields that there are; a name may be empty. */
function listNames(...names: readonly (string | undefined)[]): string[] {
  return names.filter((name) => name !== undefined);
}

/** A field of all findings. */
interface CopiedColumn {
  readonly name: string;
  readonly title: string;
  /** What people read instead of a text. */
  readonly read?: (cell: CellText) => string;
}

/** So many findings decide which fields say the severity, the status and the times. */
const sampledEntries = 50;

/** @param texts for people. @param firstNames the fields that come first. */
function columnsOf(
  entries: readonly JsonObject[],
  texts: Texts | undefined,
  firstNames: readonly string[] = [],
): CopiedColumn[] {
  const names = [...new Set([...firstNames, ...entries.flatMap((entry) => Object.keys(entry))])];
  if (!texts) {
    return names.map((name) => ({ name, title: name }));
  }
  const filled = entries.slice(0, sampledEntries).map((entry) =>
    // A field may be empty in the first finding.
    Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null)),
  );
  const { severity, status, firstSeen } = findingRecord(
    Object.assign({}, ...filled.toReversed()) as JsonObject,
    1,
  );
  const roles = new Map<string | undefined, ColumnRole>([
    [severity, 'severity'],
    [status, 'status'],
    [firstSeen, 'firstSeen'],
  ]);
  const fields = names.map((name) => ({
    ...{ id: name, name },
    ...defined({ role: roles.get(name) ?? roleOfField(name) }),
  }));
  const titles = columnTitles(fields, texts);
  return fields.map(({ name, role }) => ({
    name,
    title: titles.get(name) ?? name,
    read: (cell) => texts.value(cell, role),
  }));
}

/** What people read instead of the names of the fields of a finding. */
export function fieldTitles(entry: JsonObject, texts: Texts): ReadonlyMap<string, string> {
  return new Map(columnsOf([entry], texts).map(({ name, title }) => [name, title]));
}

function cellsOf(entry: JsonObject, columns: readonly CopiedColumn[]): CellText[] {
  return columns.map(({ name, read }) => {
    const cell = toCellText(Object.hasOwn(entry, name) ? entry[name] : undefined);
    return read && cell.kind === 'text' ? { ...cell, text: read(cell) } : cell;
  });
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
 * A finding for a ticket: its subject, where it is, and its facts and fields as its record shows them, without empty
 * ones.
 * @param entry with secret-like values masked.
 */
export function findingMarkdown(
  entry: JsonObject,
  number: number,
  { title, scorecard, severity: ofType, advice }: FindingContext,
  texts: Texts,
): string {
  const record = findingRecord(entry, number);
  const { severity } = record;
  const { facts, key, more } = shownFinding(entry, record, texts);
  const fields = [
    ...facts.map(({ label, text }) => [label, { kind: 'text', text }] as const),
    ...[...key, ...more].map(
      ({ name, title: label = name, cell, role }) =>
        [label, { ...cell, text: texts.value(cell, role) }] as const,
    ),
  ].filter(([, { text }]) => text !== '');
  return [
    writeHeading(writeInline(title)),
    writeFacts(listNames(severity === undefined ? ofType : undefined, scorecard)),
    ...advice.map((text) => writeFacts([text])),
    writeFields(fields),
  ].join('\n');
}

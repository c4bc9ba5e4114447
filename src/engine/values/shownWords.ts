import { issueTypeTitle } from '../../base/text/issueTypes';
import { type SeverityLevel, severityLevelOf } from '../../base/text/orderedWords';
import type { Cell, ColumnRole } from '../types';
import type { ComparedCell } from './comparisonColumns';

/** The severities in the display language. */
export type SeverityNames = Readonly<Partial<Record<SeverityLevel, string>>>;

/** Roles whose values are keys of the service, such as `network_security`. */
const rolesOfKeys: ReadonlySet<ColumnRole | undefined> = new Set<ColumnRole>([
  'issueType',
  'factor',
  'status',
]);

/** A value as users read it, if it is a severity or a key of the service; other values are as in the file. */
export function shownText(
  { kind, text, cut, masked }: Cell,
  role: ColumnRole | undefined,
  names: SeverityNames,
): string {
  if (kind !== 'text' || cut || masked) {
    return text;
  }
  return role === 'severity'
    ? severityWords(text, names)
    : rolesOfKeys.has(role)
      ? keyWords(text)
      : text;
}

/** The cell of a table as users read it, with its old value. */
export function shownCell(
  cell: ComparedCell,
  role: ColumnRole | undefined,
  names: SeverityNames,
): ComparedCell {
  const { was } = cell;
  return {
    ...cell,
    text: shownText(cell, role, names),
    ...(was && { was: { ...was, text: shownText(was, role, names) } }),
  };
}

/** Words that are not one of ours, such as "moderate", stay in their language. */
function severityWords(text: string, names: SeverityNames): string {
  const level = severityLevelOf(text);
  const isOurs = level !== undefined && text.trim().toLowerCase() === level;
  // Services also write "MODERATE". Other words in capitals stay as they are: their meaning is unknown.
  const word = level === undefined ? text : text.toLowerCase();
  return (isOurs ? names[level] : undefined) ?? keyWords(word, text);
}

function keyWords(word: string, otherwise = word): string {
  return /^[a-z][a-z0-9_]*$/.test(word) ? issueTypeTitle(word) : otherwise;
}

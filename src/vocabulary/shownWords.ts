import { issueTypeTitle } from './issueTypes';
import { severityLevelOf } from './severity';
import type { Cell } from '../engine/types';
import type { ColumnRole } from './columnRole';
import type { ComparedCell } from '../engine/values/comparisonColumns';

/** The levels of severity, and the issue types and factors that have a title, in the display language. */
export type ShownNames = Readonly<Record<string, string>>;

/** Roles whose values are keys of the service, such as `network_security`. */
const rolesOfKeys: ReadonlySet<ColumnRole | undefined> = new Set<ColumnRole>([
  'issueType',
  'factor',
  'status',
]);

/**
 * A value as users read it, if it is a severity, a key of the service or a place in code; other values are as in the
 * file.
 */
export function shownText(
  { kind, text, cut, masked }: Cell,
  role: ColumnRole | undefined,
  names: ShownNames,
): string {
  if (kind === 'json') {
    return placeIn(text) ?? text;
  }
  if (kind !== 'text' || cut || masked) {
    return text;
  }
  return role === 'severity'
    ? severityWords(text, names)
    : rolesOfKeys.has(role)
      ? keyWords(text, names)
      : text;
}

/** `src/app.ts:42` for the locations of a result in SARIF 2.1.0 (section 3.28), of which the first counts. */
function placeIn(json: string): string | undefined {
  if (!/^[[{][^"]*"physicalLocation"/.test(json)) {
    return undefined;
  }
  // The text may be cut off.
  const [, file] = /"uri"\s*:\s*"([^"\\]+)"/.exec(json) ?? [];
  const [, line] = /"startLine"\s*:\s*(\d+)/.exec(json) ?? [];
  return file === undefined || line === undefined ? file : `${file}:${line}`;
}

/** The cell of a table as users read it, with its old value. */
export function shownCell(
  cell: ComparedCell,
  role: ColumnRole | undefined,
  names: ShownNames,
): ComparedCell {
  const { was } = cell;
  return {
    ...cell,
    text: shownText(cell, role, names),
    ...(was && { was: { ...was, text: shownText(was, role, names) } }),
  };
}

/** A severity as users read it. Words that are not one of ours, such as "moderate", stay in their language. */
export function severityWords(text: string, names: ShownNames): string {
  const level = severityLevelOf(text);
  if (level === undefined) {
    return keyWords(text, names);
  }
  // Services also write "MODERATE". Other words in capitals stay as they are: their meaning is unknown.
  const word = text.trim().toLowerCase();
  return (word === level ? names[level] : undefined) ?? keyWords(word, names, text);
}

/**
 * A key of the service, such as `network_security`, as users read it.
 * @param otherwise the result for what is no key.
 */
export function keyWords(word: string, names: ShownNames, otherwise = word): string {
  if (!/^[a-z][a-z0-9_]*$/.test(word)) {
    return otherwise;
  }
  return Object.hasOwn(names, word) ? (names[word] ?? word) : issueTypeTitle(word);
}

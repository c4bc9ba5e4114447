import { statusScale } from '../../base/text/orderedWords';
import type { Overview } from '../../engine/overviewTypes';
import type { LabeledFilter } from '../protocol';
import type { Texts } from '../texts';
import { type Section, wordsOf } from './countRows';

/** Which findings are counted, if some are not open, and the button that counts the others, too, or no longer. */
export interface ClosedFindings {
  readonly label: string;
  readonly countsAll: boolean;
}

/** The most statuses that are named. */
const maxNamedStatuses = 3;

/** `1,577 resolved or decayed not counted`, or how to leave them out again. */
export function closedFindings(
  { rows, closed }: Overview,
  texts: Texts,
): ClosedFindings | undefined {
  if (!closed) {
    return undefined;
  }
  if (closed.areCounted) {
    // If none is open, there would be nothing to count.
    return closed.rows < rows ? { label: texts.get('countOpen'), countsAll: true } : undefined;
  }
  const names = statusNames(
    closed.statuses.map(({ cell }) => cell.text),
    texts,
  );
  return { label: texts.get('notCounted', closed.rows, names), countsAll: false };
}

/** `resolved or decayed`, in an order that does not depend on their counts. */
export function statusNames(statuses: readonly string[], texts: Texts): string {
  const place = (status: string): number => statusScale.positionOf(status) ?? Infinity;
  const ordered = statuses.toSorted(
    (one, other) => place(one) - place(other) || one.localeCompare(other),
  );
  const words = [...new Set(ordered.map((status) => wordsOf(status, texts).toLowerCase()))];
  return words.length > maxNamedStatuses
    ? texts.get('closedOnes')
    : new Intl.ListFormat(texts.locale, { type: 'disjunction' }).format(words);
}

/** A section whose counts lead to the rows that were counted. The statuses are counted of all rows. */
export function openSection(section: Section, overview: Overview, texts: Texts): Section {
  const { closed } = overview;
  const isOfStatus = section.id === 'status' || section.id === `column ${closed?.column}`;
  return closed?.areCounted === false && !isOfStatus
    ? {
        ...section,
        rows: section.rows.map((row) => ({
          ...row,
          ...(row.chosen && { chosen: onlyOpen(row.chosen, overview, texts) }),
          ...(row.cells && {
            cells: row.cells.map((cell) =>
              cell.chosen ? { ...cell, chosen: onlyOpen(cell.chosen, overview, texts) } : cell,
            ),
          }),
        })),
      }
    : section;
}

/** Adds to a filter that closed problems are left out, if they are not counted. */
export function onlyOpen(
  { label, filter }: LabeledFilter,
  { closed }: Overview,
  texts: Texts,
): LabeledFilter {
  if (closed?.areCounted !== false) {
    return { label, filter };
  }
  const { column, statuses } = closed;
  const keys = statuses.map(({ key }) => key);
  return {
    label: texts.get('chosenOpen', label),
    filter: { op: 'and', of: [filter, { op: 'not', of: { op: 'in', column, keys } }] },
  };
}

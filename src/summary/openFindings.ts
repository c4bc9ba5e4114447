import {
  type ColumnCounts,
  type Filter,
  keysOf,
  type Overview,
  pastReasons,
  type TableInfo,
} from '../engine/page';
import type { LabeledFilter } from './labeledFilter';
import type { Texts } from './texts';
import { type Fact, type Section, formatWords } from './countRows';
import { statusScale } from '../vocabulary/status';

/** The most statuses that are named. */
const maxNamedStatuses = 3;

/** `1,577 resolved or decayed not counted`, and counts them, or how to leave them out again. */
export function closedFact({ rows, closed }: Overview, texts: Texts): Fact[] {
  if (!closed) {
    return [];
  }
  const { known = 0 } = closed;
  const label = texts.get('knownIssues');
  const ofKnown: Fact[] =
    known > 0
      ? [
          {
            text: texts.get('knownCount', known),
            action: { type: 'show', chosen: { label, filter: { op: 'known' } } },
          },
        ]
      : [];
  if (closed.areCounted) {
    // If none is open, there would be nothing to count.
    return closed.rows < rows
      ? [
          ...ofKnown,
          { text: texts.get('countOpen'), isOffer: true, action: { type: 'count', all: false } },
        ]
      : ofKnown;
  }
  const areNamed = closed.by.every(({ form, words }) => form === undefined || words.length > 0);
  const names = areNamed ? statusNames(closedStatuses(closed), texts) : texts.get('closedOnes');
  const others = closed.rows - known;
  const count = { type: 'count', all: true } as const;
  return [
    ...(others > 0 ? [{ text: texts.get('notCounted', others, names), action: count }] : []),
    ...ofKnown,
  ];
}

/** `12 new`, where the file says what is new since the run that it was compared with. */
export function newSinceBaseline(overview: Overview, texts: Texts): Fact[] {
  const { column = '', new: count = 0, values = [] } = overview.sinceBaseline ?? {};
  if (count === 0) {
    return [];
  }
  const filter: Filter = { op: 'in', column, keys: values.flatMap(keysOf) };
  const chosen = onlyOpen({ label: texts.get('newSinceBaseline'), filter }, overview, texts);
  const title = texts.get('newSinceBaseline');
  return [{ text: texts.get('countNew', count), title, action: { type: 'show', chosen } }];
}

/** `2 expired` and `1 worse than decided`: findings that were known, and are open again. */
export function pastFacts({ wasKnown }: Pick<TableInfo, 'wasKnown'>, texts: Texts): Fact[] {
  return pastReasons.flatMap((was): Fact[] => {
    const count = wasKnown?.[was] ?? 0;
    const text = texts.get(was === 'expired' ? 'expiredCount' : 'worseCount', count);
    const chosen = { label: texts.get(was), filter: { op: 'known', was } } as const;
    return count > 0 ? [{ text, action: { type: 'show', chosen } }] : [];
  });
}

/** What is said of the closed findings, in words such as `resolved`. */
export function closedStatuses({ by }: NonNullable<Overview['closed']>): string[] {
  return [...new Set(by.flatMap(({ words }) => words))];
}

/** `resolved or decayed`, in an order that does not depend on their counts. */
export function statusNames(statuses: readonly string[], texts: Texts): string {
  const place = (status: string): number => statusScale.positionOf(status) ?? Infinity;
  const ordered = statuses.toSorted(
    (one, other) => place(one) - place(other) || one.localeCompare(other),
  );
  const words = [...new Set(ordered.map((status) => formatWords(status, texts).toLowerCase()))];
  return words.length > maxNamedStatuses
    ? texts.get('closedOnes')
    : new Intl.ListFormat(texts.locale, { type: 'disjunction' }).format(words);
}

/**
 * A section whose counts lead to the rows that were counted. What closes findings, such as a status, is counted of all
 * of them, which its title says.
 * @param counted what the section shows, if that is one column.
 */
export function openSection(
  section: Section,
  overview: Overview,
  texts: Texts,
  counted?: ColumnCounts,
): Section {
  const { closed, rows: open } = overview;
  if (closed?.areCounted !== false) {
    return section;
  }
  if (counted && rowsIn(counted) > open) {
    return { ...section, title: texts.get('ofAllFindings', section.title) };
  }
  const withOpen = <Part extends { readonly chosen?: LabeledFilter }>(part: Part): Part =>
    part.chosen ? { ...part, chosen: onlyOpen(part.chosen, overview, texts) } : part;
  const rows = section.rows.map((row) => ({
    ...withOpen(row),
    cells: (row.cells ?? []).map(withOpen),
  }));
  return { ...section, rows };
}

function rowsIn({ values, other }: ColumnCounts): number {
  return values.reduce((sum, { count }) => sum + count, other);
}

/** Adds to a filter that closed problems are left out, if they are not counted. */
export function onlyOpen(
  { label, filter }: LabeledFilter,
  { closed }: Overview,
  texts: Texts,
): LabeledFilter {
  const filters = openFilters(closed);
  return filters.length === 0
    ? { label, filter }
    : { label: texts.get('chosenOpen', label), filter: { op: 'and', of: [filter, ...filters] } };
}

/** What is true of the rows that are counted; empty if all are. */
export function openFilters(closed: Overview['closed']): Filter[] {
  if (closed?.areCounted !== false) {
    return [];
  }
  const isOpen = closed.by.map(({ column, values, form }): Filter => ({
    op: 'not',
    of: form
      ? { op: 'closes', column, form }
      : { op: 'in', column, keys: values.map(({ key }) => key) },
  }));
  const isUnknown = closed.known ? [{ op: 'not', of: { op: 'known' } } as const] : [];
  return [...isOpen, ...isUnknown];
}

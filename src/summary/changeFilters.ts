import { becameColumn, changeColumn, type ComparisonAbout, type Filter } from '../engine/page';
import type { Change } from './changeCounts';
import type { LabeledFilter } from './labeledFilter';
import type { Texts } from './texts';

/*
 * The rows of the file of differences that a number of a comparison counts.
 */

/** The filter for the rows of a number. */
export function createChosenFilter(
  about: ComparisonAbout,
  change: Change,
  label: string,
  conditions: readonly Filter[],
  texts: Texts,
): LabeledFilter {
  const { closed } = about;
  const all = [...changeFilters(about, change), ...conditions];
  if (!closed || (change !== 'new' && change !== 'gone')) {
    return { label, filter: { op: 'and', of: all } };
  }
  const isClosed: Filter[] = [
    ...closed.by
      .filter((each) => each.change === change)
      .map(({ column, form }): Filter => ({ op: 'closes', column, form })),
    ...(closed.known ? [{ op: 'known' } as const] : []),
  ];
  return {
    label: texts.get('chosenOpen', label),
    filter: {
      op: 'and',
      of: isClosed.length === 0 ? all : [...all, { op: 'not', of: { op: 'or', of: isClosed } }],
    },
  };
}

function changeFilters({ nowClosed, reopened }: ComparisonAbout, change: Change): Filter[] {
  switch (change) {
    case 'new':
    case 'gone':
      return [valueFilter(changeColumn, change)];
    case 'closed':
    case 'reopened':
      return [valueFilter(becameColumn, change)];
    case 'changed': {
      // The file has the column only if any finding was closed or reopened.
      const hasOthers = (nowClosed ?? 0) + (reopened ?? 0) > 0;
      return [
        valueFilter(changeColumn, change),
        ...(hasOthers ? [valueFilter(becameColumn, '')] : []),
      ];
    }
  }
}

export function valueFilter(column: string, value: string, { matchCase = true } = {}): Filter {
  return value === ''
    ? { op: 'empty', column }
    : { op: 'equals', column, text: value, ...(matchCase && { matchCase }) };
}

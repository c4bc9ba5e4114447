/*
 * Words with an inherent order: severities, grades and statuses. The whole product uses this one table.
 * Case is ignored.
 */

/** An order of words. */
export interface Scale {
  /** The position of a word in a list, from 0; `undefined` if the word is unknown. */
  positionOf(word: string): number | undefined;
  /**
   * The sort key of a word. Worse words have larger keys, so that a descending sort shows the worst first,
   * as lists of severities and statuses do. -1 if the word is unknown.
   */
  sortPositionOf(word: string): number;
}

function scale(isWorstFirst: boolean, positions: readonly string[]): Scale {
  const byWord = new Map(
    positions.flatMap((words, position) =>
      words.split(' ').map((word) => [word, position] as const),
    ),
  );
  const positionOf = (word: string) => byWord.get(word.trim().toLowerCase());
  return {
    positionOf,
    sortPositionOf: (word) => {
      const position = positionOf(word);
      return position === undefined
        ? -1
        : isWorstFirst
          ? positions.length - 1 - position
          : position;
    },
  };
}

/** From worst to best. */
export const severityScale = scale(true, [
  'critical',
  'high',
  'medium moderate',
  'low',
  'info informational none',
  'positive',
]);

/** From best to worst, like school grades. */
export const gradeScale = scale(false, ['a', 'b', 'c', 'd', 'e', 'f']);

/** Statuses that need attention come first. */
export const statusScale = scale(true, ['active', 'resolved', 'departed', 'decayed']);

/** Columns with these names may also have unknown words, which follow the known ones. */
const named: readonly (readonly [RegExp, Scale])[] = [
  [/(^|[^a-z])(severity|risk|criticality|priority)([^a-z]level)?$/i, severityScale],
  [/(^|[^a-z])grade$/i, gradeScale],
  [/(^|[^a-z])status$/i, statusScale],
];

/** A column with more distinct words has no such order. */
const maxWords = 8;
/** The same limit for a column with one of the names above. */
export const maxNamedWords = 50;

/**
 * The order of the distinct values of a column, which are at most eight words that are all known, or at
 * most 50 words in a column whose name says what they are. At least two of them must have different
 * positions; otherwise there is nothing to order.
 * @returns `undefined` if the values are not ordered words.
 */
export function scaleOf(name: string, texts: readonly string[]): Scale | undefined {
  const words = texts.filter((text) => text !== '');
  if (words.length > maxNamedWords) {
    return undefined;
  }
  const byName = named.find(([pattern]) => pattern.test(name))?.[1];
  if (byName && countKnownPositions(byName, words) >= 2) {
    return byName;
  }
  return [severityScale, gradeScale, statusScale].find(
    (each) => areAllKnown(each, words) && countKnownPositions(each, words) >= 2,
  );
}

/** Whether there are at most eight words, all of them known. Empty texts are ignored. */
export function areAllKnown(of: Scale, texts: readonly string[]): boolean {
  const words = texts.filter((text) => text !== '');
  return (
    words.length > 0 &&
    words.length <= maxWords &&
    words.every((word) => of.positionOf(word) !== undefined)
  );
}

/** Compares two values of a list. Known words come first, in their order; then the others, most rows first. */
export function compareListed(
  of: Scale | undefined,
  one: { readonly word: string; readonly count: number },
  other: { readonly word: string; readonly count: number },
): number {
  const difference = of
    ? (of.positionOf(one.word) ?? Infinity) - (of.positionOf(other.word) ?? Infinity)
    : NaN;
  // Infinity minus Infinity is NaN: both words are unknown.
  return difference || other.count - one.count;
}

function countKnownPositions(of: Scale, words: readonly string[]): number {
  const positions = new Set(words.map((word) => of.positionOf(word)));
  positions.delete(undefined);
  return positions.size;
}

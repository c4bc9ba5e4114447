/*
 * Words that have an order of their own: severities, grades and statuses. The one table of them for
 * the whole product. Cases make no difference.
 */

/** An order of words. */
export interface Scale {
  /** Where a word stands in a list, from 0; `undefined` for a word that is not known. */
  placeOf(word: string): number | undefined;
  /**
   * How a word compares in an ascending sort: larger for what is worse, so that a descending sort shows
   * the worst first, as lists of severities and statuses do. -1 for a word that is not known.
   */
  sortPlaceOf(word: string): number;
}

function scale(isWorstFirst: boolean, places: readonly string[]): Scale {
  const byWord = new Map(
    places.flatMap((words, place) => words.split(' ').map((word) => [word, place] as const)),
  );
  const placeOf = (word: string) => byWord.get(word.trim().toLowerCase());
  return {
    placeOf,
    sortPlaceOf: (word) => {
      const place = placeOf(word);
      return place === undefined ? -1 : isWorstFirst ? places.length - 1 - place : place;
    },
  };
}

/** Listed from the worst on. */
export const severityScale = scale(true, [
  'critical',
  'high',
  'medium moderate',
  'low',
  'info informational none',
  'positive',
]);

/** Listed from the best on, as in school. */
export const gradeScale = scale(false, ['a', 'b', 'c', 'd', 'e', 'f']);

/** Listed from what needs attention on. */
export const statusScale = scale(true, ['active', 'resolved', 'departed', 'decayed']);

/** Columns with these names may have words that are not known as well; they follow the known ones. */
const named: readonly (readonly [RegExp, Scale])[] = [
  [/(^|[^a-z])(severity|risk|criticality|priority)([^a-z]level)?$/i, severityScale],
  [/(^|[^a-z])grade$/i, gradeScale],
  [/(^|[^a-z])status$/i, statusScale],
];

/** A column with more distinct words is not in such an order. */
const mostWords = 8;
/** The same for a column whose name says so. */
export const mostNamedWords = 50;

/**
 * The order of the distinct values of a column: of at most eight words that are all known, or of at most
 * 50 in a column whose name says what they are. At least two of them must have different places: else
 * there is nothing to put in order.
 * @returns `undefined` where the values are no ordered words.
 */
export function scaleOf(name: string, texts: readonly string[]): Scale | undefined {
  const words = texts.filter((text) => text !== '');
  if (words.length > mostNamedWords) {
    return undefined;
  }
  const byName = named.find(([pattern]) => pattern.test(name))?.[1];
  if (byName && knownPlaces(byName, words) >= 2) {
    return byName;
  }
  return [severityScale, gradeScale, statusScale].find(
    (each) => areAllKnown(each, words) && knownPlaces(each, words) >= 2,
  );
}

/** Whether there are at most eight words, all of them known. Empty texts are ignored. */
export function areAllKnown(of: Scale, texts: readonly string[]): boolean {
  const words = texts.filter((text) => text !== '');
  return (
    words.length > 0 &&
    words.length <= mostWords &&
    words.every((word) => of.placeOf(word) !== undefined)
  );
}

/** The order of a list: known words in their places, then the others, those with the most rows first. */
export function compareListed(
  of: Scale | undefined,
  one: { readonly word: string; readonly count: number },
  other: { readonly word: string; readonly count: number },
): number {
  const places = of
    ? (of.placeOf(one.word) ?? Infinity) - (of.placeOf(other.word) ?? Infinity)
    : NaN;
  // Infinity less Infinity is NaN: neither is known.
  return places || other.count - one.count;
}

function knownPlaces(of: Scale, words: readonly string[]): number {
  const places = new Set(words.map((word) => of.placeOf(word)));
  places.delete(undefined);
  return places.size;
}

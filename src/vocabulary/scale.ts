/** The order of words such as severities, grades and statuses. Case is ignored. */
export interface Scale {
  /** The position of a word in a list, from 0; `undefined` if the word is unknown. */
  positionOf(word: string): number | undefined;
  /**
   * The sort key of a word. Worse words have larger keys, so that a descending sort shows the worst first,
   * as lists of severities and statuses do. -1 if the word is unknown.
   */
  sortPositionOf(word: string): number;
}

/**
 * @param positions the words of each position, separated by spaces, with `_` for a space in a word.
 * @param options.worstFirst whether the first position is the worst; otherwise the last one is.
 * @param options.normalize what is the same in all ways to write a word.
 */
export function createScale(
  positions: readonly string[],
  {
    worstFirst,
    normalize = (word) => word.trim().toLowerCase(),
  }: { readonly worstFirst: boolean; readonly normalize?: (word: string) => string },
): Scale {
  const byWord = new Map(
    positions.flatMap((words, position) =>
      words.split(' ').map((word) => [word.replaceAll('_', ' '), position] as const),
    ),
  );
  const findPosition = (word: string) => byWord.get(normalize(word));
  return {
    positionOf: findPosition,
    sortPositionOf: (word) => {
      const position = findPosition(word);
      return position === undefined ? -1 : worstFirst ? positions.length - 1 - position : position;
    },
  };
}

/** What is the same in all ways to write a severity or a status, such as `HIGH` and `high `. */
export function wordKey(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, ' ');
}

/** A list with more distinct words has no such order. */
const maxWords = 10;

/** Whether there are at most ten words, all of them known. Empty texts are ignored. */
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

/** How many different positions some words have. */
export function countKnownPositions(of: Scale, words: readonly string[]): number {
  const positions = new Set(words.map((word) => of.positionOf(word)));
  positions.delete(undefined);
  return positions.size;
}

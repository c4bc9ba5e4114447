import { gradeScale } from './grade';
import { mayMean, says } from './meanings';
import { roleOfName } from './roles';
import { areAllKnown, countKnownPositions, type Scale } from './scale';
import {
  areSeverities,
  isUnspecifiedSeverity,
  mayBeSeverities,
  severityOrder,
  severityScale,
} from './severity';
import { statusScale } from './status';

/** The most distinct words of a column whose name says what they are. */
const maxNamedWords = 50;

/** The most distinct severities of a column that are put in order. */
export const maxSeverities = 256;

/** The order of the distinct values of a column, by its name and these values; `undefined` if it is that of any value. */
export function findOrder(name: string, texts: readonly string[]): Scale | undefined {
  const isSeverity =
    texts.length <= maxSeverities &&
    roleOfName(name) === 'severity' &&
    texts.some((text) => isSeverityWord(text)) &&
    mayBeSeverities(name, texts);
  return isSeverity ? severityOrder(name) : findScale(name, texts);
}

function isSeverityWord(text: string): boolean {
  return (
    text !== '' && (severityScale.positionOf(text) !== undefined || isUnspecifiedSeverity(text))
  );
}

/**
 * The order of the distinct values of a column, which are at most ten words that are all known, or at
 * most 50 words in a column whose name says what they are. At least two of them must have different
 * positions; otherwise there is nothing to order.
 * @returns `undefined` if the values are not ordered words.
 */
export function findScale(name: string, texts: readonly string[]): Scale | undefined {
  const words = texts.filter((text) => text !== '');
  if (words.length > maxNamedWords) {
    return undefined;
  }
  const byName = scaleOfName(name);
  if (byName && countKnownPositions(byName, words) >= 2) {
    return byName;
  }
  if (areSeverities(words)) {
    return severityScale;
  }
  return [gradeScale, statusScale].find(
    (each) => areAllKnown(each, words) && countKnownPositions(each, words) >= 2,
  );
}

/** Columns with such names may also have unknown words, which follow the known ones. */
function scaleOfName(name: string): Scale | undefined {
  return says('grade', name)
    ? gradeScale
    : mayMean('rating', name)
      ? severityScale
      : says('status', name)
        ? statusScale
        : undefined;
}

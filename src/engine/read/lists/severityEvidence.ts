import type { PlainMembers } from './sampleReader';
import { rememberByName } from '../../../vocabulary/fieldNames';
import { isNameOf, mayMean, says } from '../../../vocabulary/meanings';
import { gradeScale } from '../../../vocabulary/grade';
import { severityScale } from '../../../vocabulary/severity';

/** What the members of some records say of findings: nothing, */
export const noEvidence = 0;
/** numbers in a member that is called severity, */
export const severityNumbers = 1;
/** or words for severities there. */
export const severityColumn = 2;

/** Of the texts of a member, so many must be known words. */
const knownShare = 0.6;

/** @param isLeftOut whether a member does not count, by its path */
export function weighSeverities(
  records: readonly PlainMembers[],
  isLeftOut: (path: string) => boolean = () => false,
): number {
  const texts = new Map<string, string[]>();
  let hasNumbers = false;
  for (const [path, value] of records.flatMap((members) => [...members])) {
    if (typeof value !== 'boolean' && isSeverityName(path) && !isLeftOut(path)) {
      if (typeof value === 'number') {
        hasNumbers ||= says('severity', path);
      } else {
        texts.set(path, [...(texts.get(path) ?? []), value]);
      }
    }
  }
  const areKnown = [...texts].some(([path, values]) => {
    const known = values.filter((value) => isWord(value, says('grade', path)));
    return known.length > 0 && known.length >= knownShare * values.length;
  });
  return areKnown ? severityColumn : hasNumbers ? severityNumbers : noEvidence;
}

const isSeverityName = rememberByName((path) => {
  const [last = '', above = ''] = path.split('.').toReversed();
  if (says('limit', last)) {
    return false;
  }
  return mayMean('rating', last) || (isNameOf('valueName', last) && mayMean('rating', above));
});

function isWord(text: string, isGrade: boolean): boolean {
  return (
    severityScale.positionOf(text) !== undefined ||
    (isGrade && gradeScale.positionOf(text) !== undefined)
  );
}

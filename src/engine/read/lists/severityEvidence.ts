import { gradeScale, severityScale } from '../../../vocabulary/orderedWords';
import { snakeCase } from '../../../vocabulary/roles';
import type { PlainMembers } from './sampleReader';

/** What the members of some records say of findings: nothing, */
export const noEvidence = 0;
/** numbers in a member that is called severity, */
export const severityNumbers = 1;
/** or words for severities there. */
export const severityColumn = 2;

/** Names of members with severities. */
const severityName =
  /(^|_)(severity|risk|criticality|threat|priority|level|rating|ranking|impact|grade|sev|schweregrad|risiko|kritikalit(ae|_)t)$|^(risk|severity|threat|priority)_|severity|(risk|level)(_?(level|desc|name|category))$/;
/** Members of an object with such a name: `severity.name`. */
const innerName = /^(name|value|label|text|title|display_name)$/;

/** A setting of the tool, such as the severity from which a check fails, or what the check found in all. */
const limitName = /threshold|allowed|(^|_)(min|minimum|fail_on)(_|$)|_found$/;

/** Other paths have no such name. */
const mayBeSeverity =
  /sev|risk|crit|threat|prior|level|rating|rank|impact|grade|grad$|risiko$|kritikal/i;

/** Of the texts of a member, so many must be known words. */
const knownShare = 0.6;

/** @param isLeftOut whether a member does not count, by its path */
export function evidenceOf(
  records: readonly PlainMembers[],
  isLeftOut: (path: string) => boolean = () => false,
): number {
  const texts = new Map<string, string[]>();
  let hasNumbers = false;
  for (const [path, value] of records.flatMap((members) => [...members])) {
    if (
      mayBeSeverity.test(path) &&
      typeof value !== 'boolean' &&
      isSeverityName(path) &&
      !isLeftOut(path)
    ) {
      if (typeof value === 'number') {
        hasNumbers ||= /severity/i.test(path);
      } else {
        texts.set(path, [...(texts.get(path) ?? []), value]);
      }
    }
  }
  const areKnown = [...texts].some(([path, values]) => {
    const known = values.filter((value) => isWord(value, /grade$/i.test(path)));
    return known.length > 0 && known.length >= knownShare * values.length;
  });
  return areKnown ? severityColumn : hasNumbers ? severityNumbers : noEvidence;
}

function isSeverityName(path: string): boolean {
  const names = path.split('.').map(snakeCase);
  const [last = '', above = ''] = [names.at(-1), names.at(-2)];
  if (limitName.test(last)) {
    return false;
  }
  return severityName.test(last) || (innerName.test(last) && severityName.test(above));
}

function isWord(text: string, isGrade: boolean): boolean {
  return (
    severityScale.positionOf(text) !== undefined ||
    (isGrade && gradeScale.positionOf(text) !== undefined)
  );
}

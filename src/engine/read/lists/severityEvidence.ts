import { gradeScale, severityScale } from '../../../base/text/orderedWords';
import { snakeCase } from '../../values/roles';
import type { PlainMembers } from './sampleReader';

/** What the members of some records say of findings: nothing, */
export const noEvidence = 0;
/** numbers in a member that is called severity, */
export const severityNumbers = 1;
/** or words for severities there. */
export const severityColumn = 2;

/** Words for severities as tools write them, beside those that the product orders. */
const severityWords: ReadonlySet<string> = new Set(
  (
    'crit med very_high very_low extremely_high negligible convention refactor unknown unspecified undefined error err warning ' +
    'warn note notice hint style danger important severe serious elevated minor major blocker fatal urgent ' +
    'emergency alert recommendation optional hoch mittel niedrig kritisch'
  ).split(' '),
);

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
  const word = text
    .trim()
    .toLowerCase()
    // "5 - Critical" and "High (Medium)"
    .replace(/^\d+\s*[-\u2013:.]\s*/, '')
    .replace(/\s*\(.*\)$/, '')
    .replace(/^(severity|risk|level)[_ -]|[_ -](severity|risk|level)$/g, '');
  return (
    severityScale.positionOf(word) !== undefined ||
    severityWords.has(word.replace(/[ -]/g, '_')) ||
    (isGrade && gradeScale.positionOf(word) !== undefined)
  );
}

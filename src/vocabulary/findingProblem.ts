import {
  type FindingMembers,
  type MemberTexts,
  memberTexts,
  membersWith,
  textOfMeaning,
} from './memberTexts';
import { withoutPlaceLinks } from './placeLinks';
import { findSeverityLevel, severityScale } from './severity';

/** How VS Code lists a finding among problems: critical and high findings are errors, medium ones warnings. */
export type ProblemLevel = 'error' | 'warning' | 'information';

export type FindingProblem = ReturnType<typeof findingProblem>;

/** Words that say no more than the level does, which VS Code shows as an icon. */
const levelWords = new Set(['error', 'warning', 'warn', 'note']);

/**
 * What a finding says, from whatever tool. All texts are as in the file, but for links to places.
 * @param severity the value of the column that the table knows as the severity.
 */
export function findingProblem(record: FindingMembers, severity?: string) {
  const texts = memberTexts(record);
  const named = membersWith(texts, 'severity').map(({ text }) => text);
  const rated = [...(severity ? [severity] : []), ...named].flatMap((text) => {
    const level = lintLevel(text, texts) ?? parseLevel(text);
    return level ? [{ text, level }] : [];
  })[0];
  const message = textOfMeaning(texts, 'message', 'explanationText');
  const code = textOfMeaning(texts, 'rule', 'vulnerability', 'code', 'issueType');
  const isWord = rated !== undefined && severityScale.positionOf(rated.text) !== undefined;
  const isLevel = levelWords.has(rated?.text.trim().toLowerCase() ?? '');
  const level: ProblemLevel = rated?.level ?? 'information';
  return {
    level,
    ...(message !== undefined && { message: withoutPlaceLinks(message) }),
    // The rule, or the vulnerability.
    ...(code !== undefined && { code }),
    // The word, unless that is the level.
    ...(isWord && !isLevel && { severity: rated.text }),
  };
}

function parseLevel(text: string): ProblemLevel | undefined {
  const severity = findSeverityLevel(text);
  switch (severity) {
    case 'critical':
    case 'high':
      return 'error';
    case 'medium':
      return 'warning';
    case 'low':
    case 'info':
    case 'positive':
      return 'information';
    case undefined:
      return undefined;
  }
}

/** ESLint writes 2 for an error and 1 for a warning. */
function lintLevel(text: string, texts: MemberTexts): ProblemLevel | undefined {
  if (!texts.has('rule_id')) {
    return undefined;
  }
  return text === '2' ? 'error' : text === '1' ? 'warning' : undefined;
}

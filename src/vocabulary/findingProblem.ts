import {
  type FindingMembers,
  type MemberTexts,
  memberTexts,
  membersWith,
  textOfMeaning,
} from './memberTexts';
import { says } from './meanings';
import { withoutPlaceLinks } from './placeLinks';
import {
  areRanks,
  readSeverity,
  type SeverityColumn,
  type SaidSeverity,
  severityScale,
  toSeverityWord,
} from './severity';

/** How VS Code lists a finding among problems: critical and high findings are errors, medium ones warnings. */
export type ProblemLevel = 'error' | 'warning' | 'information';

export type FindingProblem = ReturnType<typeof findingProblem>;

/** Words that say no more than the level does, which VS Code shows as an icon. */
const levelWords = new Set(['error', 'warning', 'warn', 'note']);

/** A severity as a file writes it in a column. */
export interface WrittenSeverity {
  readonly text: string;
  readonly column: SeverityColumn;
}

/**
 * What a finding says, from whatever tool. All texts are as in the file, but for links to places.
 * @param shown the value of the column that the table knows as the severity, if that has one: then no other member counts,
 *   so that its level is what the table shows, and none where that shows none.
 */
export function findingProblem(record: FindingMembers, shown?: WrittenSeverity) {
  const texts = memberTexts(record);
  const rated = (shown ? [shown] : findSeverities(texts)).flatMap(({ text, column }) => {
    const level = parseLevel(readSeverity(text, column));
    return level ? [{ text: toSeverityWord(text, column), level }] : [];
  })[0];
  const told = new Map([...texts].filter(([key]) => !says('ofDecision', key)));
  const message = textOfMeaning(told, 'message', 'ruleTitle', 'explanationText');
  const code = textOfMeaning(told, 'rule', 'vulnerability', 'code', 'issueType');
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

/** The members that may be severities, most likely first. That a number is a rank, only a whole table tells. */
function findSeverities(texts: MemberTexts): WrittenSeverity[] {
  return membersWith(texts, 'severity').flatMap(({ key, text }) =>
    areRanks(key, [text]) ? [] : [{ text, column: key }],
  );
}

function parseLevel(severity: SaidSeverity | undefined): ProblemLevel | undefined {
  switch (severity) {
    case 'critical':
    case 'high':
      return 'error';
    case 'medium':
      return 'warning';
    case 'low':
    case 'info':
    case 'positive':
    case 'unknown':
      return 'information';
    case undefined:
      return undefined;
  }
}

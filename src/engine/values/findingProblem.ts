import { severityScale } from '../../base/text/orderedWords';
import { firstText, type FindingMembers, type MemberTexts, memberTexts } from './memberTexts';

/** How VS Code lists a finding among problems: critical and high findings are errors, medium ones warnings. */
export type ProblemLevel = 'error' | 'warning' | 'information';

/** What a finding says, from whatever tool. All texts are as in the file. */
export interface FindingProblem {
  readonly level: ProblemLevel;
  /** Absent if there is no text that says what was found. */
  readonly message?: string;
  /** The rule, or the vulnerability. */
  readonly code?: string;
  /** The word for the severity, unless that is the level. */
  readonly severity?: string;
}

/** Names of members, most likely first. */
const severityNames = [
  'security_severity_level',
  'security_severity',
  'severity',
  'issue_severity',
  'finding_severity',
  'risk_level',
  'level',
];
const messageNames = [
  'message.text',
  'extra.message',
  'issue_text',
  'message',
  'title',
  'description',
  'summary',
  'check_name',
  'details',
  'text',
  'reason',
];
const codeNames = [
  'rule_id',
  'check_id',
  'test_id',
  'vulnerability_id',
  'cve',
  'cve_id',
  'rule.id',
  'vulnerability.id',
  'avd_id',
  'detector_name',
  'code',
  'issue_type',
];

/** Levels of tools that have no word for how severe a finding is. */
const levels: Readonly<Record<string, ProblemLevel>> = {
  error: 'error',
  warning: 'warning',
  warn: 'warning',
  note: 'information',
};

/** @param severity the value of the column that the table knows as the severity. */
export function findingProblem(record: FindingMembers, severity?: string): FindingProblem {
  const texts = memberTexts(record);
  const named = severityNames
    .map((name) => firstText(texts, [name]))
    .filter((text) => text !== undefined);
  const rated = [...(severity ? [severity] : []), ...named].flatMap((text) => {
    const level = levelOf(text) ?? lintLevel(text, texts);
    return level ? [{ text, level }] : [];
  })[0];
  const message = firstText(texts, messageNames);
  const code = firstText(texts, codeNames);
  const isWord = rated !== undefined && severityScale.positionOf(rated.text) !== undefined;
  return {
    level: rated?.level ?? 'information',
    ...(message !== undefined && { message }),
    ...(code !== undefined && { code }),
    ...(isWord && !isLevel(rated.text) && { severity: rated.text }),
  };
}

function isLevel(text: string): boolean {
  return Object.hasOwn(levels, text.trim().toLowerCase());
}

/** The level of a word, or of a score from 0 to 10 (CVSS 3.1, section 5). */
function levelOf(text: string): ProblemLevel | undefined {
  const word = text.trim().toLowerCase();
  const position = severityScale.positionOf(word);
  if (position !== undefined) {
    return isAtLeast('medium', position)
      ? isAtLeast('high', position)
        ? 'error'
        : 'warning'
      : 'information';
  }
  const score = /^\d{1,2}\.\d+$/.test(word) ? Number(word) : NaN;
  if (score <= 10) {
    return score >= 7 ? 'error' : score >= 4 ? 'warning' : 'information';
  }
  return Object.hasOwn(levels, word) ? levels[word] : undefined;
}

/** Whether a position of the scale is that of a word, or is worse. */
function isAtLeast(word: string, position: number): boolean {
  return position <= (severityScale.positionOf(word) ?? -1);
}

/** ESLint writes 2 for an error and 1 for a warning. */
function lintLevel(text: string, texts: MemberTexts): ProblemLevel | undefined {
  if (!texts.has('rule_id')) {
    return undefined;
  }
  return text === '2' ? 'error' : text === '1' ? 'warning' : undefined;
}

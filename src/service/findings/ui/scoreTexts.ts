import * as vscode from 'vscode';
import type { CompanySummary, ScorePoint } from '../../../api/services/companies';
import type { ShownNames } from '../../../vocabulary/shownNames';
import { plainText } from '../../../base/text/plainText';
import { present } from '../../../base/text/present';
import { sparkline } from '../../../base/text/sparkline';
import { formatNumber } from '../../../workbench/format';
import { spannedDays, weeklyScores } from '../companySummaries';

const { t } = vscode.l10n;

/**
 * The score of a company or of a factor: in short, how it has moved, and in words; none while the service still
 * calculates it.
 */
export function scoreTexts(
  of: Pick<CompanySummary, 'score' | 'grade' | 'scoreChange'> | undefined,
): { brief: string; change: string | undefined; full: string } | undefined {
  if (of?.score === undefined) {
    return undefined;
  }
  const { score, grade = '', scoreChange = NaN } = of;
  const brief = plainText(`${grade} ${score}`, 20);
  const sign = scoreChange > 0 ? '+' : '';
  const change = isNaN(scoreChange)
    ? undefined
    : t('{0} in 30 days', `${sign}${formatNumber(scoreChange)}`);
  const full = t('Score {0}', present(brief, change).join(', '));
  return { brief, change: scoreChange === 0 ? undefined : change, full };
}

/** Near the colors that SecurityScorecard gives its grades. VS Code's own orange is hardly seen in the dark. */
const gradeColors: Readonly<Record<string, string>> = {
  A: 'scorecard.severityPositive',
  B: 'scorecard.severityMedium',
  C: 'scorecard.severityHigh',
  D: 'scorecard.severityHigh',
  F: 'scorecard.severityCritical',
};

/** The icon of a company with a grade. */
export function gradeIcon(grade = ''): vscode.ThemeIcon | undefined {
  const color = gradeColors[grade.toUpperCase()];
  return color === undefined
    ? undefined
    : new vscode.ThemeIcon('organization', new vscode.ThemeColor(color));
}

/** How the score has changed in the last months: in words, which a screen reader reads, and as bars. */
export function historyText(points: readonly ScorePoint[]): string | undefined {
  const [first] = points;
  const last = points.at(-1);
  const days = spannedDays(points);
  if (!first || !last || days < 2) {
    return undefined;
  }
  const words = t(
    'From {0} to {1} in {2} days',
    formatNumber(first.score),
    formatNumber(last.score),
    formatNumber(days),
  );
  return `${words} ${sparkline(weeklyScores(points))}`;
}

/** The smallest gain that is worth words, in points of the score. */
const leastImpact = 0.01;

/** How much the score would rise without the findings of an issue type. */
export function impactText(impact = 0): string | undefined {
  return impact < leastImpact
    ? undefined
    : t(
        'Without these findings, the score is up to {0} higher',
        formatNumber(Math.round(100 * impact) / 100),
      );
}

/** What to fix first: the issue types that cost most of the score. */
export function fixText({ issueTypes }: CompanySummary, names: ShownNames): string | undefined {
  const worst = issueTypes
    .map(({ issueType, scoreImpact = 0 }) => ({ issueType, scoreImpact }))
    .filter(({ scoreImpact }) => scoreImpact >= leastImpact)
    .sort((first, second) => second.scoreImpact - first.scoreImpact)
    .slice(0, 3);
  if (worst.length === 0) {
    return undefined;
  }
  const titles = new Intl.ListFormat(vscode.env.language).format(
    worst.map(({ issueType }) => plainText(names.title(issueType), 100)),
  );
  const points = worst.reduce((sum, { scoreImpact }) => sum + scoreImpact, 0);
  const digits = points < 1 ? 100 : 10;
  const rounded = Math.round(digits * points) / digits;
  return rounded === 1
    ? t('Fix {0} for about +1 point.', titles)
    : t('Fix {0} for about +{1} points.', titles, formatNumber(rounded));
}

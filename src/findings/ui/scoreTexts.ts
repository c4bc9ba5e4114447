import * as vscode from 'vscode';
import type { CompanySummary, ScorePoint } from '../../api/services/companies';
import { issueTypeTitle } from '../../base/text/issueTypes';
import { plainText } from '../../base/text/plainText';
import { sparkline } from '../../base/text/sparkline';
import { formatNumber } from '../../workbench/format';
import { daysOf, weeklyScores } from '../companySummaries';

const { t } = vscode.l10n;

/** The score of a company or of a factor, for its row and in words; empty while the service still calculates it. */
export function scoreTexts({
  score,
  grade,
  scoreChange,
}: Pick<CompanySummary, 'score' | 'grade' | 'scoreChange'>): {
  brief: string[];
  full: string[];
} {
  if (score === undefined) {
    return { brief: [], full: [] };
  }
  const brief = plainText([...(grade === undefined ? [] : [grade]), score].join(' '), 20);
  const change =
    scoreChange === undefined
      ? []
      : [t('{0} in 30 days', `${scoreChange > 0 ? '+' : ''}${formatNumber(scoreChange)}`)];
  return { brief: [brief], full: [[t('Score {0}', brief), ...change].join(', ')] };
}

/** How the score has changed in the last months: in words, which a screen reader reads, and as bars. */
export function historyTexts(points: readonly ScorePoint[]): string[] {
  const [first] = points;
  const last = points.at(-1);
  const days = daysOf(points);
  if (!first || !last || days < 2) {
    return [];
  }
  const words = t(
    'From {0} to {1} in {2} days',
    formatNumber(first.score),
    formatNumber(last.score),
    formatNumber(days),
  );
  return [`${words} ${sparkline(weeklyScores(points))}`];
}

/** The smallest gain that is worth words, in points of the score. */
const leastImpact = 0.01;

/** How much the score would rise without the findings of an issue type. */
export function impactTexts(impact: number | undefined): string[] {
  return impact === undefined || impact < leastImpact
    ? []
    : [
        t(
          'Without these findings, the score is up to {0} higher',
          formatNumber(Math.round(100 * impact) / 100),
        ),
      ];
}

/** What to fix first: the issue types that cost most of the score. */
export function fixTexts({ issueTypes }: CompanySummary): string[] {
  const worst = issueTypes
    .map(({ issueType, scoreImpact = 0 }) => ({ issueType, scoreImpact }))
    .filter(({ scoreImpact }) => scoreImpact >= leastImpact)
    .sort((first, second) => second.scoreImpact - first.scoreImpact)
    .slice(0, 3);
  if (worst.length === 0) {
    return [];
  }
  const names = new Intl.ListFormat(vscode.env.language).format(
    worst.map(({ issueType }) => plainText(issueTypeTitle(issueType), 100)),
  );
  const points = worst.reduce((sum, { scoreImpact }) => sum + scoreImpact, 0);
  const digits = points < 1 ? 100 : 10;
  const rounded = Math.round(digits * points) / digits;
  return [
    rounded === 1
      ? t('Fix {0} for about +1 point.', names)
      : t('Fix {0} for about +{1} points.', names, formatNumber(rounded)),
  ];
}

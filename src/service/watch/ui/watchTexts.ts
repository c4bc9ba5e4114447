import * as vscode from 'vscode';
import { formatNumber } from '../../../workbench/format';
import { worstNews, type WatchNews } from '../watchNews';
import type { WatchPeriod } from '../watchFile';

const { t } = vscode.l10n;

/** `37 new, 4 critical`, `a breach, 18 new`; empty if nothing is new. What is worst comes first: rows cut the end. */
export function describeNews(news: WatchNews): string {
  const { count, isBreached } = news;
  const worst = worstNews(news);
  const added = count === 0 ? [] : [t('{0} new', formatNumber(count))];
  const ofWorst = worst ? [describeWorst(worst)] : [];
  return [...(isBreached ? [t('a breach')] : []), ...added, ...ofWorst].join(', ');
}

function describeWorst({ level, count }: NonNullable<ReturnType<typeof worstNews>>): string {
  const number = formatNumber(count);
  switch (level) {
    case 'critical':
      return t('{0} critical', number);
    case 'high':
      return t('{0} high', number);
    case 'medium':
      return t('{0} medium', number);
    case 'low':
      return t('{0} low', number);
    case 'info':
      return t('{0} info', number);
  }
}

export function describePeriod(period: WatchPeriod): string {
  return period === 'daily' ? t('Daily') : t('Weekly');
}

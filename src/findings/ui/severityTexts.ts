import * as vscode from 'vscode';
import { formatMoment, formatNumber } from '../../workbench/format';
import type { Worst } from '../severity';

const { t } = vscode.l10n;

/** By the places of the scale of severities. */
const shown = [
  { word: t('Critical'), worst: t('Critical severity'), icon: 'flame', color: 'charts.red' },
  { word: t('High'), worst: t('High severity'), icon: 'arrow-up', color: 'charts.red' },
  { word: t('Medium'), worst: t('Medium severity'), icon: 'circle-filled', color: 'charts.yellow' },
  { word: t('Low'), worst: t('Low severity'), icon: 'arrow-down', color: 'charts.blue' },
  { word: t('Info'), worst: t('Informational'), icon: 'info', color: 'charts.foreground' },
  { word: t('Positive'), worst: t('Positive'), icon: 'smiley', color: 'charts.green' },
].map(({ word, worst, icon, color }) => ({
  word,
  worst,
  icon: new vscode.ThemeIcon(icon, new vscode.ThemeColor(color)),
}));

/** The word of a severity. */
export function severityWord(place: number): string {
  return shown[place]?.word ?? '';
}

/** The icon of a severity; they differ by shape, not only by colour. */
export function severityIcon(place: number | undefined): vscode.ThemeIcon | undefined {
  return place === undefined ? undefined : shown[place]?.icon;
}

/** Of an issue type, beside its icon: `3 critical`, or `Critical` where only a report says so. */
export function worstText({ place, count }: Worst): string {
  const word = severityWord(place);
  return count === undefined ? word : `${formatNumber(count)} ${word.toLowerCase()}`;
}

/** Of a scorecard: `3 critical`, or `Critical severity`, as a word alone could be a grade or a risk. */
export function worstPhrase(worst: Worst): string {
  return worst.count === undefined ? (shown[worst.place]?.worst ?? '') : worstText(worst);
}

/** Where a severity is from, if not from findings that are loaded. */
export function severitySource({ reportedAt }: Worst): string[] {
  return reportedAt === undefined
    ? []
    : [t('Worst severity in the full report of {0}', formatMoment(reportedAt))];
}

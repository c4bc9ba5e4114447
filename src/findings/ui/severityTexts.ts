import * as vscode from 'vscode';
import { formatMoment, formatNumber } from '../../workbench/format';
import type { Worst } from '../severity';

const { t } = vscode.l10n;

/** By the places of the scale of severities. */
const shown = [
  { word: t('Critical'), icon: 'flame', color: 'charts.red' },
  { word: t('High'), icon: 'arrow-up', color: 'charts.red' },
  { word: t('Medium'), icon: 'circle-filled', color: 'charts.yellow' },
  { word: t('Low'), icon: 'arrow-down', color: 'charts.blue' },
  { word: t('Info'), icon: 'info', color: 'charts.foreground' },
  { word: t('Positive'), icon: 'smiley', color: 'charts.green' },
].map(({ word, icon, color }) => ({
  word,
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

/** `3 critical`, or `Critical` where only a report says so. */
export function worstText({ place, count }: Worst): string {
  const word = severityWord(place);
  return count === undefined ? word : `${formatNumber(count)} ${word.toLowerCase()}`;
}

/** Where a severity is from, if not from findings that are loaded. */
export function severitySource({ reportedAt }: Worst): string[] {
  return reportedAt === undefined
    ? []
    : [t('Severity from the full report of {0}', formatMoment(reportedAt))];
}

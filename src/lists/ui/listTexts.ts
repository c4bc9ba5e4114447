import * as vscode from 'vscode';
import { formatAge, formatNumber } from '../../workbench/format';

const { t } = vscode.l10n;

/** The message when all findings of a list are loaded. */
export function allFindingsLoaded(count: number): string {
  switch (count) {
    case 0:
      return t('This list has no findings.');
    case 1:
      return t('The only finding in this list is loaded.');
    default:
      return t('All {0} findings in this list are loaded.', formatNumber(count));
  }
}

/** How old loaded findings are, as a sentence: `Loaded 12 min ago.` */
export function loadedAgo(loadedAt: number): string {
  return t('Loaded {0}.', formatAge(loadedAt));
}

/** The message when all entries of a collection are loaded. */
export function allEntriesLoaded(count: number): string {
  switch (count) {
    case 0:
      return t('This collection has no entries.');
    case 1:
      return t('The only entry in this collection is loaded.');
    default:
      return t('All {0} entries in this collection are loaded.', formatNumber(count));
  }
}

/** A part of a list that is not loaded, by the first and the last number in it: `101\u2013200 not loaded`. */
export function notLoaded(from: number, to: number): string {
  return from === to
    ? t('{0} not loaded', formatNumber(from))
    : t('{0}\u2013{1} not loaded', formatNumber(from), formatNumber(to));
}

/** The same as a sentence. */
export function findingsNotLoaded(from: number, to: number): string {
  return from === to
    ? t('Finding {0} is not loaded', formatNumber(from))
    : t('Findings {0} to {1} are not loaded', formatNumber(from), formatNumber(to));
}

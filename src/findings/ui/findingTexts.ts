import * as vscode from 'vscode';
import { NoSuchFindingError } from '../noSuchFindingError';
import { formatNumber } from '../../workbench/format';

const { t } = vscode.l10n;

/** The texts for errors of findings lists, other than those of the service. */
export function findingErrorText(error: unknown): string | undefined {
  if (!(error instanceof NoSuchFindingError)) {
    return undefined;
  }
  const number = formatNumber(error.number);
  return error.total === undefined
    ? t('The list has no finding {0}. Refresh the list.', number)
    : t(
        'The list has no finding {0}, only {1}. Refresh the list.',
        number,
        formatNumber(error.total),
      );
}

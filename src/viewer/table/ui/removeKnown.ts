import * as vscode from 'vscode';
import type { KnownIssue } from '../../../commands';
import { digestMark } from '../../../engine';
import type { Decision } from '../../../known/decision';
import { describeDecision } from '../../../workbench/describeDecision';
import { showInformation } from '../../../workbench/messages';
import { pickMany } from '../../../workbench/pick';
import type { ListedDecision } from '../knownFindings';

const { t } = vscode.l10n;

/** Why a decision may go; those that are needed have no text. */
const stateTexts: Readonly<Partial<Record<KnownIssue['state'], string>>> = {
  unmatched: t('matches nothing in this file'),
  expired: t('its day is over'),
};

/**
 * Asks which decisions go, of those that are over, or about no finding of the file that is shown.
 * @returns `undefined` if none is chosen
 */
export async function chooseToRemove(
  listed: readonly ListedDecision[],
): Promise<readonly Decision[] | undefined> {
  // Where none is about this file, all of them are about others.
  const hasMatches = listed.some(({ state }) => state === 'active' || state === 'worse');
  const items = listed.flatMap(({ decision, state }) => {
    const { id, title, rule, place } = decision;
    const why = state === 'unmatched' && !hasMatches ? undefined : stateTexts[state];
    return why === undefined
      ? []
      : {
          label: title ?? rule ?? (id.startsWith(digestMark) ? t('Finding without a rule') : id),
          description: place ?? '',
          detail: `${describeDecision(decision)} \u00b7 ${why}`,
          value: decision,
          picked: false,
        };
  });
  if (items.length === 0) {
    showInformation(
      t('Nothing to remove: no decision is over, and each one about this file matches a finding.'),
    );
    return undefined;
  }
  const chosen = await pickMany(items, {
    title: t('Remove Known Issues'),
    placeHolder: t('Which are no longer needed?'),
  });
  return chosen && chosen.length > 0 ? chosen : undefined;
}

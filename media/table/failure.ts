import type { HostMessage } from '../../src/table/protocol';
import { element, icon, textButton } from './dom';

/** What can be done where there is no table. */
export interface FailureActions {
  readonly tryAgain: () => void;
  readonly openText: () => void;
}

/** Says in the place of the table why there is none, and what to do. What is behind it cannot be used. */
export function showFailure(
  { message, tryAgain, openText }: Extract<HostMessage, { type: 'failed' }>,
  actions: FailureActions,
): HTMLElement {
  const again = textButton(tryAgain, actions.tryAgain, 'primary');
  const root = element(
    'div',
    { class: 'failure', role: 'alertdialog', 'aria-modal': 'true', 'aria-label': message },
    icon('error'),
    element('p', {}, message),
    element(
      'div',
      { class: 'failure-actions' },
      again,
      textButton(openText, actions.openText, 'secondary'),
    ),
  );
  document.body.append(root);
  again.focus();
  return root;
}

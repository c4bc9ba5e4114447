import type { HostMessage } from '../protocol';
import { element, icon, textButton } from './dom';

/** What can be done where there is no table. */
export interface FailureActions {
  readonly tryAgain: () => void;
  readonly openText: () => void;
}

/**
 * Says in the place of the table why there is none, and what to do. It cannot be left, for there is
 * nothing to go back to: what is behind it cannot be reached until the table is there again.
 *
 * @returns takes it away, and gives the focus back to what had it
 */
export function showFailure(
  { message, tryAgain, openText }: Extract<HostMessage, { type: 'failed' }>,
  actions: FailureActions,
): () => void {
  const again = textButton(tryAgain, actions.tryAgain, 'primary');
  const root = element(
    'dialog',
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
  // Its keys are its own; those of VS Code, such as Ctrl+P, go on to it.
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
    }
  });
  root.addEventListener('cancel', (event) => {
    event.preventDefault();
  });
  document.body.append(root);
  root.showModal();
  again.focus();
  return () => {
    // This gives the focus back.
    root.close();
    root.remove();
  };
}

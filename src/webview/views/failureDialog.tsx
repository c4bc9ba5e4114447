import { render } from 'preact';
import { Icon } from '../dom/components';
import { element } from '../dom/dom';
import type { HostMessage } from '../../protocol/tableProtocol';

/**
 * Shows why there is no table, and what to do. It cannot be closed: there is nothing to return to,
 * and the page behind it is inert until the table is back.
 * @returns a function that removes the message and restores the focus
 */
export function showFailure(
  { message, tryAgain, openText }: Extract<HostMessage, { type: 'failed' }>,
  send: (message: { readonly type: 'reload' | 'openText' }) => void,
): () => void {
  const attributes = { role: 'alertdialog', 'aria-modal': 'true', 'aria-label': message };
  const dialog = element('dialog', { class: 'failure', ...attributes });
  render(
    <>
      <Icon name="error" />
      <p>{message}</p>
      <div class="failure-actions">
        <button type="button" class="button" onClick={() => send({ type: 'reload' })}>
          {tryAgain}
        </button>
        {openText !== undefined && (
          <button type="button" class="button secondary" onClick={() => send({ type: 'openText' })}>
            {openText}
          </button>
        )}
      </div>
    </>,
    dialog,
  );
  // Escape does not leave the dialog. Shortcuts of VS Code, such as Ctrl+P, still reach it.
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
    }
  });
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector('button')?.focus();
  return () => {
    // This restores the focus.
    dialog.close();
    dialog.remove();
  };
}

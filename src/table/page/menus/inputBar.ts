import { element, iconButton, type IconName } from '../dom';

export interface InputBarButton {
  readonly icon: IconName;
  readonly label: string;
  readonly run: (text: string) => void;
}

/** What there is around the box. */
export interface InputBarAround {
  readonly closeLabel: string;
  closed(): void;
  /** Says an outcome to screen readers; to all, where the box is closed. */
  announce(outcome: string): void;
}

/**
 * A small box at the upper right, as the editor has one to find: a line to type in, a sentence on the
 * outcome, which is said to screen readers as well, buttons. Escape and its last button close it.
 */
export class InputBar {
  readonly root: HTMLElement;
  readonly input: HTMLInputElement;
  private readonly outcome = element('span', { class: 'outcome' });

  constructor(
    label: string,
    buttons: readonly InputBarButton[],
    onEnter: (text: string, shift: boolean) => void,
    private readonly around: InputBarAround,
    numeric = false,
  ) {
    this.input = element('input', {
      type: 'text',
      'aria-label': label,
      placeholder: label,
      spellcheck: 'false',
      autocomplete: 'off',
      inputmode: numeric ? 'numeric' : 'text',
    });
    this.root = element(
      'div',
      { class: 'input-bar', role: 'search', 'aria-label': label, hidden: true },
      this.input,
      this.outcome,
      ...buttons.map(({ icon, label: name, run }) =>
        iconButton(icon, name, () => {
          run(this.input.value);
        }),
      ),
    );
    const close = (): void => {
      this.root.hidden = true;
      around.closed();
    };
    this.root.append(iconButton('close', around.closeLabel, close));
    this.root.addEventListener('keydown', (event) => {
      if (event.isComposing) {
        return;
      }
      if (event.key === 'Escape') {
        close();
      } else if (event.key === 'Enter' && event.target === this.input) {
        onEnter(this.input.value, event.shiftKey);
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    });
  }

  open(text?: string): void {
    this.root.hidden = false;
    if (text !== undefined) {
      this.input.value = text;
    }
    this.say('');
    this.input.focus();
    this.input.select();
  }

  close(): void {
    this.root.hidden = true;
  }

  say(outcome: string, invalid = false): void {
    this.show(outcome, invalid);
    if (outcome !== '') {
      this.around.announce(outcome);
    }
  }

  /** Shows what is no result yet, such as how far a search has come. */
  show(outcome: string, invalid = false): void {
    this.outcome.textContent = outcome;
    this.outcome.classList.toggle('invalid', invalid);
  }
}

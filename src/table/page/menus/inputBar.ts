import { element, iconButton, type IconName } from '../dom';

export interface InputBarButton {
  readonly icon: IconName;
  readonly label: string;
  readonly run: (text: string) => void;
}

/** The surroundings of the bar. */
export interface InputBarAround {
  readonly closeLabel: string;
  closed(): void;
  /** Announces an outcome; also shows it if the bar is closed. */
  announce(outcome: string): void;
}

/**
 * A widget in the upper right corner, like Find in an editor: an input, an outcome that is also
 * announced, buttons. Escape and the last button close it.
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

  /** Shows an intermediate outcome, such as progress. */
  show(outcome: string, invalid = false): void {
    this.outcome.textContent = outcome;
    this.outcome.classList.toggle('invalid', invalid);
  }
}

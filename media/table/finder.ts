import type { Found } from '../../src/table/types';
import { TableError } from '../../src/table/tableError';
import type { Asked, HostLink } from './hostLink';
import { InputBar } from './inputBar';
import type { Texts } from './texts';

export interface FinderTarget {
  /** The view's number, and where in it to search from. */
  readonly view: number;
  readonly from: number;
  found(found: Found): void;
  closed(): void;
  announce(outcome: string): void;
  /** The text has changed, which is kept. */
  changed(): void;
}

/** Finds a text in the rows of the view, one after the other. */
export class Finder {
  readonly bar: InputBar;
  private asked: Asked<'find'> | undefined;

  constructor(
    private readonly link: HostLink,
    private readonly texts: Texts,
    private readonly target: FinderTarget,
  ) {
    this.bar = new InputBar(
      texts.get('find'),
      [
        {
          ...{ icon: 'up', label: texts.get('findPrevious') },
          run: () => {
            this.find(true);
          },
        },
        {
          ...{ icon: 'down', label: texts.get('findNext') },
          run: () => {
            this.find(false);
          },
        },
      ],
      (_, shift) => {
        this.find(shift);
      },
      {
        closeLabel: texts.get('close'),
        closed: () => {
          this.asked?.cancel();
          target.closed();
        },
        announce: (outcome) => {
          target.announce(outcome);
        },
      },
    );
    this.bar.input.addEventListener('input', () => {
      this.bar.say('');
      target.changed();
    });
  }

  get text(): string {
    return this.bar.input.value;
  }

  set text(text: string) {
    if (text !== this.text) {
      this.asked?.cancel();
      this.bar.input.value = text;
      this.bar.say('');
    }
  }

  /** The host begins anew: what was searched for has no answer any more. */
  stop(): void {
    if (this.asked) {
      this.asked.cancel();
      this.asked = undefined;
      this.bar.say('');
    }
  }

  /** Goes to the next or previous row with the text; without one, asks for it. */
  find(backwards: boolean): void {
    const { text } = this;
    if (text === '') {
      this.bar.open();
      return;
    }
    this.asked?.cancel();
    const { view, from } = this.target;
    const asked = this.link.ask('find', { view, text, from, backwards }, (share) => {
      this.bar.show(this.texts.percent(share));
    });
    this.asked = asked;
    asked.answer.then(
      (found) => {
        if (this.asked === asked) {
          this.asked = undefined;
          this.tell(found);
        }
      },
      (error: unknown) => {
        if (this.asked === asked) {
          this.asked = undefined;
          const code = error instanceof TableError ? error.code : undefined;
          if (code === 'gone' && this.target.view !== view) {
            // A query was answered before the search: its rows are the ones that are shown now.
            this.find(backwards);
            return;
          }
          this.bar.say(
            code === 'cancelled' || !(error instanceof Error) ? '' : error.message,
            true,
          );
        }
      },
    );
  }

  private tell(found: Found | null): void {
    if (!found) {
      this.bar.say(this.texts.get('notFound'), true);
      return;
    }
    this.bar.say(
      this.texts.get(
        found.wrapped ? 'foundWrapped' : 'foundAt',
        this.texts.number(found.record + 1),
      ),
    );
    this.target.found(found);
  }
}

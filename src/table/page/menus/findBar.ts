import type { Found } from '../../engine/types';
import { TableError } from '../../engine/tableError';
import type { Asked } from '../hostLink';
import { InputBar } from './inputBar';
import type { TablePage } from '../tablePage';

type FindPage = Pick<
  TablePage,
  'link' | 'texts' | 'view' | 'grid' | 'announcer' | 'memory' | 'showOutcome'
>;

/** Finds a text in the rows of the view, one after the other. */
export class FindBar {
  readonly inputBar: InputBar;
  private asked: Asked<'find'> | undefined;

  constructor(private readonly page: FindPage) {
    const { texts } = page;
    this.inputBar = new InputBar(
      texts.get('find'),
      [
        {
          icon: 'up',
          label: texts.get('findPrevious'),
          run: () => {
            this.find(true);
          },
        },
        {
          icon: 'down',
          label: texts.get('findNext'),
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
          page.grid.takeFocus();
        },
        announce: (outcome) => {
          if (this.inputBar.root.hidden) {
            page.showOutcome(outcome);
          } else {
            page.announcer.say(outcome);
          }
        },
      },
    );
    this.inputBar.input.addEventListener('input', () => {
      this.inputBar.say('');
      page.memory.keep();
    });
  }

  get text(): string {
    return this.inputBar.input.value;
  }

  set text(text: string) {
    if (text !== this.text) {
      this.asked?.cancel();
      this.inputBar.input.value = text;
      this.inputBar.say('');
    }
  }

  /** The rows changed: the number of the match is no longer that. */
  forgetResult(): void {
    if (!this.asked) {
      this.inputBar.show('');
    }
  }

  /** The host starts over: a running search gets no answer. */
  stop(): void {
    if (this.asked) {
      this.asked.cancel();
      this.asked = undefined;
      this.inputBar.say('');
    }
  }

  /** Goes to the next or previous match; without a text, opens the bar. */
  find(backwards: boolean): void {
    const { text } = this;
    if (text === '') {
      this.inputBar.open();
      return;
    }
    this.asked?.cancel();
    const { link, texts, view, grid } = this.page;
    const searched = view.id;
    const from = grid.focus.selection.active.row;
    const question = { view: searched, text, from, backwards };
    const asked = link.ask('find', question, (share) => {
      this.inputBar.show(texts.percent(share));
    });
    this.asked = asked;
    asked.answer.then(
      (found) => {
        if (this.asked === asked) {
          this.asked = undefined;
          this.showResult(found);
        }
      },
      (error: unknown) => {
        if (this.asked === asked) {
          this.asked = undefined;
          const code = error instanceof TableError ? error.code : undefined;
          if (code === 'gone' && view.id !== searched) {
            // A query was answered before the search: search its rows.
            this.find(backwards);
            return;
          }
          this.inputBar.say(
            code === 'cancelled' || !(error instanceof Error) ? '' : error.message,
            true,
          );
        }
      },
    );
  }

  private showResult(found: Found | null): void {
    const { texts, view, grid } = this.page;
    if (!found) {
      this.inputBar.say(texts.get('notFound'), true);
      return;
    }
    const { wrapped, number, total, position } = found;
    this.inputBar.say(texts.get(wrapped ? 'foundWrapped' : 'foundAt', number, total));
    const at = view.columns.shown.findIndex(({ column }) => column.id === found.column);
    grid.jumpTo(position, at < 0 ? undefined : at);
  }
}

import { createRef, render } from 'preact';
import { IconButton } from '../components';
import { element, type IconName } from '../dom';
import { type FindMatch, wholeFile } from '../../engine/types';
import { TableError } from '../../engine/values/tableError';
import type { PendingCall } from '../hostLink';
import type { PageContext } from '../pageContext';

interface InputBarButton {
  readonly icon: IconName;
  readonly label: string;
  readonly run: () => void;
}

/** What the bar reports to the page. */
interface InputBarEvents {
  readonly closeLabel: string;
  closed(): void;
  entered(text: string, shift: boolean): void;
  /** The text was changed. */
  typed?(): void;
  /** Announces an outcome; also shows it if the bar is closed. */
  announce(outcome: string): void;
}

/**
 * A widget in the upper right corner, like Find in an editor. It has an input, an outcome that is also
 * announced, and buttons. Escape and the last button close it.
 */
export class InputBar {
  readonly root: HTMLElement;
  private readonly input = createRef<HTMLInputElement>();

  constructor(
    private readonly label: string,
    private readonly buttons: readonly InputBarButton[],
    private readonly events: InputBarEvents,
    private readonly isNumeric = false,
  ) {
    const attributes = { class: 'input-bar', role: 'search', 'aria-label': label, hidden: true };
    this.root = element('div', attributes);
    this.root.addEventListener('keydown', (event) => {
      if (event.isComposing) {
        return;
      }
      if (event.key === 'Escape') {
        this.leave();
      } else if (event.key === 'Enter' && event.target === this.input.current) {
        events.entered(this.text, event.shiftKey);
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    });
    this.show('');
  }

  get text(): string {
    return this.input.current?.value ?? '';
  }

  set text(text: string) {
    if (this.input.current) {
      this.input.current.value = text;
    }
  }

  open(text = this.text): void {
    this.root.hidden = false;
    this.text = text;
    this.say('');
    this.input.current?.focus();
    this.input.current?.select();
  }

  private leave(): void {
    this.close();
    this.events.closed();
  }

  close(): void {
    this.root.hidden = true;
  }

  say(outcome: string, invalid = false): void {
    this.show(outcome, invalid);
    if (outcome !== '') {
      this.events.announce(outcome);
    }
  }

  /** Shows an intermediate outcome, such as progress. */
  show(outcome: string, invalid = false): void {
    const { label, buttons, events } = this;
    render(
      <>
        <input
          ref={this.input}
          type="text"
          aria-label={label}
          placeholder={label}
          spellcheck={false}
          autocomplete="off"
          inputMode={this.isNumeric ? 'numeric' : 'text'}
          onInput={() => events.typed?.()}
        />
        <span class={invalid ? 'outcome invalid' : 'outcome'}>{outcome}</span>
        {buttons.map(({ icon, label: name, run }) => (
          <IconButton name={icon} label={name} onClick={run} />
        ))}
        <IconButton name="close" label={events.closeLabel} onClick={() => this.leave()} />
      </>,
      this.root,
    );
  }
}

/** What Find needs of the page. */
type FindPage = JumpPage & Pick<PageContext, 'memory' | 'showOutcome'>;

/** What Go to Row needs of the page. */
type JumpPage = Pick<PageContext, 'texts' | 'link' | 'view' | 'grid' | 'announcer'>;

/** Milliseconds without a key until a text that is typed is searched. */
const typingPauseMs = 250;

/** Finds a text in the rows of the view, one after the other. */
export class FindBar {
  readonly inputBar: InputBar;
  private pending: PendingCall<'find'> | undefined;
  /** Runs until a text that is typed is searched. */
  private typing: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly page: FindPage) {
    const { texts } = page;
    this.inputBar = new InputBar(
      texts.get('find'),
      [
        { icon: 'up', label: texts.get('findPrevious'), run: () => this.find(true) },
        { icon: 'down', label: texts.get('findNext'), run: () => this.find(false) },
      ],
      {
        closeLabel: texts.get('close'),
        closed: () => {
          clearTimeout(this.typing);
          this.pending?.cancel();
          page.grid.found = '';
          page.grid.domFocus();
        },
        entered: (_, shift) => this.find(shift),
        typed: () => {
          this.inputBar.say('');
          this.typed();
          page.memory.saveSoon();
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
  }

  open(): void {
    this.inputBar.open();
    this.page.grid.found = this.text;
  }

  close(): void {
    clearTimeout(this.typing);
    this.page.grid.found = '';
    this.inputBar.close();
  }

  /** Searches for a text while it is typed, as soon as there is a pause. */
  private typed(): void {
    this.pending?.cancel();
    this.page.grid.found = this.text;
    clearTimeout(this.typing);
    if (this.text !== '' && !this.page.view.grouped) {
      this.typing = setTimeout(() => {
        this.find(false, true);
      }, typingPauseMs);
    }
  }

  get text(): string {
    return this.inputBar.text;
  }

  set text(text: string) {
    if (text !== this.text) {
      this.pending?.cancel();
      this.inputBar.text = text;
      this.inputBar.say('');
    }
  }

  /** Clears the shown number of the match, which is outdated when the rows have changed. */
  forgetResult(): void {
    if (!this.pending) {
      this.inputBar.show('');
    }
  }

  /** Cancels a running search: the host starts over and does not answer it. */
  stop(): void {
    if (this.pending) {
      this.pending.cancel();
      this.pending = undefined;
      this.inputBar.say('');
    }
  }

  /**
   * Goes to the next or previous match; without a text, opens the bar.
   * @param isTyped whether the active row may be the match: the text has grown.
   */
  find(backwards: boolean, isTyped = false): void {
    const { text } = this;
    if (text === '') {
      this.open();
      return;
    }
    clearTimeout(this.typing);
    this.pending?.cancel();
    const { link, texts, view, grid } = this.page;
    const searched = view.id;
    const from = grid.focus.selection.active.row - (isTyped ? 1 : 0);
    const payload = { view: searched, text, from, backwards };
    const call = link.request('find', payload, (share) => {
      this.inputBar.show(texts.percent(share));
    });
    this.pending = call;
    call.answer.then(
      (found) => {
        if (this.pending === call) {
          this.pending = undefined;
          this.showResult(found);
        }
      },
      (error: unknown) => {
        if (this.pending === call) {
          this.pending = undefined;
          const code = error instanceof TableError ? error.code : undefined;
          if (code === 'gone' && view.id !== searched) {
            // A query was answered before this search: search the new rows.
            this.find(backwards, isTyped);
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

  private showResult(found: FindMatch | null): void {
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

/** Goes to a row by its number in the file, in any sort order. */
export function rowJump({ link, texts, view, grid, announcer }: JumpPage): InputBar {
  const bar: InputBar = new InputBar(
    texts.get('rowNumber'),
    [],
    {
      closeLabel: texts.get('close'),
      closed: () => grid.domFocus(),
      entered: go,
      announce: (outcome) => announcer.say(outcome),
    },
    true,
  );

  function go(typed: string): void {
    // Accepts formatted numbers: 4,000,000 or 4 000 000.
    const digits = typed.replace(/[\s.,'_\u00a0\u202f]/g, '');
    const row = Number(digits) - 1;
    if (!/^\d+$/.test(digits) || !Number.isSafeInteger(row) || row < 0) {
      bar.say(texts.get('noSuchRow'), true);
      return;
    }
    // Groups have no row number: their position counts.
    if (view.id === wholeFile || view.grouped) {
      arrive(row < view.rows ? row : null);
      return;
    }
    link.request('locate', { view: view.id, record: row }).answer.then(arrive, (error: unknown) => {
      bar.say(error instanceof Error ? error.message : String(error), true);
    });
  }

  function arrive(position: number | null): void {
    if (position === null) {
      bar.say(texts.get('noSuchRow'), true);
      return;
    }
    bar.close();
    grid.domFocus();
    grid.jumpTo(position);
  }
  return bar;
}

import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { type FindMatch, wholeFile, TableError } from '../../engine/page';
import { IconButton, TextButton } from '../dom/components';
import { focusShown } from '../dom/dom';
import { showAllRows } from '../state/actions';
import { failureText, LatestCall } from '../state/hostLink';
import type { BarOutcome, Store } from '../state/store';

interface InputBarProps {
  readonly store: Store;
  readonly label: string;
  readonly text?: string;
  readonly isNumeric?: boolean;
  readonly onInput?: (text: string) => void;
  readonly onEnter: (text: string, shift: boolean) => void;
  readonly onClose: () => void;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/**
 * A widget in the upper right corner, like Find in an editor. It has an input, an outcome that is also
 * announced, and buttons. Escape and the last button close it.
 */
function InputBar({ store, label, text, isNumeric, children, ...events }: InputBarProps) {
  const { texts, barOutcome } = store;
  useLayoutEffect(focusBar, []);
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) {
      return;
    }
    if (event.key === 'Escape') {
      events.onClose();
    } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      events.onEnter(event.target.value, event.shiftKey);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="input-bar" role="search" aria-label={label} onKeyDown={press}>
      <input
        type="text"
        aria-label={label}
        placeholder={label}
        spellcheck={false}
        autocomplete="off"
        inputMode={isNumeric ? 'numeric' : 'text'}
        value={text}
        onInput={({ currentTarget }) => events.onInput?.(currentTarget.value)}
      />
      <span class={barOutcome.isInvalid ? 'outcome invalid' : 'outcome'}>{barOutcome.text}</span>
      {children}
      <IconButton name="close" label={texts.get('close')} onClick={events.onClose} />
    </div>
  );
}

export function openBar(store: Store, bar: 'find' | 'jump'): void {
  if (bar === 'jump' || !store.view.grouped) {
    store.set({ bar, barOutcome: { text: '' } });
    focusBar();
  }
}

function closeBar(store: Store): void {
  store.set({ bar: undefined });
  focusShown();
}

function focusBar(): void {
  const input = document.querySelector<HTMLInputElement>('.input-bar input');
  input?.focus();
  input?.select();
}

/** Shows the outcome of a bar, and announces it. */
function say(store: Store, text: string, kind: Omit<BarOutcome, 'text'> = {}): void {
  store.set({ barOutcome: { text, ...kind } });
  if (text !== '') {
    store.announcer.say(text);
  }
}

/** Milliseconds without a key until a text that is typed is searched. */
const typingPauseMs = 250;

interface FindDirection {
  readonly backwards: boolean;
  readonly isTyped?: boolean;
}

/** Finds a text in the rows of the view, one after the other. */
export class Finder {
  private readonly call: LatestCall;
  /** Runs until a text that is typed is searched. */
  private typing: ReturnType<typeof setTimeout> | undefined;
  /** Whether all rows are to be searched as soon as they are shown. */
  private awaitsAllRows = false;

  constructor(private readonly store: Store) {
    this.call = new LatestCall(store.link);
  }

  readonly bar = () => {
    const { store } = this;
    const { texts, find: text } = store;
    return (
      <InputBar
        store={store}
        label={texts.get('find')}
        text={text}
        onInput={(typed) => this.type(typed)}
        onEnter={(_, shift) => this.find({ backwards: shift })}
        onClose={() => {
          this.stop();
          closeBar(store);
        }}
      >
        {store.barOutcome.isHidden && (
          <TextButton onClick={() => this.searchAllRows()}>{texts.get('searchAllRows')}</TextButton>
        )}
        <IconButton
          name="up"
          label={texts.get('findPrevious')}
          onClick={() => this.find({ backwards: true })}
        />
        <IconButton
          name="down"
          label={texts.get('findNext')}
          onClick={() => this.find({ backwards: false })}
        />
      </InputBar>
    );
  };

  /** Searches for a text while it is typed, as soon as there is a pause. */
  private type(find: string): void {
    const { store } = this;
    this.stop();
    store.set({ find, barOutcome: { text: '' } });
    if (find !== '' && !store.view.grouped) {
      this.typing = setTimeout(() => {
        this.find({ backwards: false, isTyped: true });
      }, typingPauseMs);
    }
  }

  /** Called when other rows are shown: the number of the match is outdated. */
  rowsChanged(): void {
    if (this.awaitsAllRows) {
      this.find({ backwards: false, isTyped: true });
    } else if (!this.call.isRunning && this.store.bar === 'find') {
      this.store.barOutcome = { text: '' };
    }
  }

  /** Cancels a search that runs or is about to. */
  stop(): void {
    clearTimeout(this.typing);
    this.awaitsAllRows = false;
    this.call.cancel();
  }

  /**
   * Goes to the next or previous match; without a text, opens the bar. If the text is typed, it has grown:
   * the active row may be the match.
   */
  find({ backwards, isTyped = false }: FindDirection): void {
    const { store } = this;
    const { view, focus, find: text } = store;
    if (view.grouped) {
      return;
    }
    if (text === '') {
      openBar(store, 'find');
      return;
    }
    this.stop();
    const searched = view.id;
    const from = focus.selection.active.row - (isTyped ? 1 : 0);
    const columns = view.columns.shown.map(({ column }) => column.id);
    const params = { view: searched, text, from, backwards, columns };
    const showProgress = (share: number) =>
      store.set({ barOutcome: { text: store.texts.percent(share) } });
    this.call.request('find', params, showProgress).then(
      (found) => {
        if (found) {
          this.showMatch(found);
        } else {
          this.findInHiddenRows(text);
        }
      },
      (error: unknown) => {
        if (error instanceof TableError && error.code === 'gone' && view.id !== searched) {
          // A query was answered before this search: search the new rows.
          this.find({ backwards, isTyped });
          return;
        }
        this.say(failureText(error) ?? '', { isInvalid: true });
      },
    );
  }

  /** Says that no row that is shown has the text, and in how many of the others it is. */
  private findInHiddenRows(text: string): void {
    const { texts, view } = this.store;
    const sayNone = () => this.say(texts.get('notFound'), { isInvalid: true });
    const sayFailure = (error: unknown) => this.say(failureText(error) ?? '', { isInvalid: true });
    if (view.id === wholeFile || view.matching === view.info.rows) {
      sayNone();
      return;
    }
    // The engine keeps which rows have the text: this reads none again.
    const params = { view: wholeFile, text, from: -1, backwards: false };
    this.call.request('find', params).then((found) => {
      if (found) {
        const { total } = found;
        const hidden = texts.get(total === 1 ? 'inOneHiddenRow' : 'inHiddenRows', total);
        this.say(hidden, { isInvalid: true, isHidden: true });
      } else {
        sayNone();
      }
    }, sayFailure);
  }

  private searchAllRows(): void {
    const { store } = this;
    // The button goes.
    focusBar();
    this.stop();
    showAllRows(store);
    if (store.view.progress === undefined) {
      this.find({ backwards: false, isTyped: true });
    } else {
      this.awaitsAllRows = true;
    }
  }

  /** Called when the page is drawn: a query that has failed, or was cancelled, shows no rows to be searched. */
  follow(): void {
    if (this.store.view.progress === undefined) {
      this.awaitsAllRows = false;
    }
  }

  private showMatch(found: FindMatch): void {
    const { texts, view } = this.store;
    const { wrapped, number, total, position, elsewhere = 0 } = found;
    const place = texts.get(wrapped ? 'foundWrapped' : 'foundAt', number, total);
    const { columns } = view;
    const hidden = columns.ordered.find(({ id }) => id === found.column && columns.isHidden(id));
    const inColumn = hidden ? texts.get('foundHidden', place, view.formatColumn(hidden)) : place;
    const inOthers = elsewhere === 1 ? 'foundInOneHidden' : 'foundInHidden';
    this.say(elsewhere > 0 ? texts.get(inOthers, inColumn, elsewhere) : inColumn, {
      isHidden: elsewhere > 0,
    });
    const at = columns.shown.findIndex(({ column }) => column.id === found.column);
    this.store.jumpTo(position, at < 0 ? undefined : at);
  }

  private say(outcome: string, kind: Omit<BarOutcome, 'text'> = {}): void {
    if (this.store.bar === 'find') {
      say(this.store, outcome, kind);
    } else if (outcome !== '') {
      this.store.showOutcome(outcome);
    }
  }
}

/** Goes to a row by its number in the file, in any sort order. */
export function JumpBar({ store }: { readonly store: Store }) {
  const { texts, view, link } = store;
  const arrive = (position: number | null) => {
    if (store.bar !== 'jump') {
      // It was closed, or replaced by the other bar.
      return;
    }
    if (position === null) {
      say(store, texts.get('noSuchRow'), { isInvalid: true });
      return;
    }
    closeBar(store);
    store.jumpTo(position);
  };
  const go = (typed: string) => {
    // Accepts formatted numbers: 4,000,000 or 4 000 000.
    const digits = typed.replace(/[\s.,'_\u00a0\u202f]/g, '');
    const row = Number(digits) - 1;
    if (!/^\d+$/.test(digits) || !Number.isSafeInteger(row) || row < 0) {
      say(store, texts.get('noSuchRow'), { isInvalid: true });
    } else if (view.id === wholeFile || view.grouped) {
      // Groups have no row number: their position counts.
      arrive(row < view.rows ? row : null);
    } else {
      link
        .request('locate', { view: view.id, record: row })
        .then(arrive, (error: unknown) =>
          say(store, failureText(error) ?? '', { isInvalid: true }),
        );
    }
  };
  return (
    <InputBar
      store={store}
      label={texts.get('rowNumber')}
      isNumeric
      onEnter={go}
      onClose={() => closeBar(store)}
    />
  );
}

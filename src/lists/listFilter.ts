import { systemClock } from '../base/events/clock';
import { Emitter } from '../base/events/emitter';
import { type CharacterIndex, lettersOf } from './characterIndex';
import type { ListRow } from './loadedList';
import { deepestShown, type JsonObject, type JsonValue } from '../base/json/json';
import { isSecretField } from '../base/json/secretFields';
import { textSearch } from '../base/text/textSearch';

/** What a filter lets through of a list. */
export interface FilterResult {
  shown: number;
  /** Distinct rows held. */
  loaded: number;
  /** As the service counts; absent where it gives none. */
  total?: number;
}

/** What a search found out about the rows of a list. */
class Searched {
  private at = 0;

  /**
   * @param matched of each of the first rows, whether it matches.
   * @param isWider the present text is the one that was searched for and more: a row that matched may not.
   */
  constructor(
    readonly rows: readonly ListRow[],
    readonly matched: readonly boolean[],
    readonly isWider: boolean,
  ) {}

  /** Whether a row matches, if that is known. Rows are asked about in the order of their numbers. */
  verdict(row: ListRow): boolean | undefined {
    const { rows, matched } = this;
    for (let old = rows[this.at]; old && old.number < row.number; old = rows[this.at]) {
      this.at += 1;
    }
    const isMatch = rows[this.at] === row ? matched[this.at] : undefined;
    return isMatch && this.isWider ? undefined : isMatch;
  }
}

/**
 * How long one turn of the event loop searches, in milliseconds. A number of rows would not do: before V8 has
 * compiled the search, rows take about ten times as long.
 */
const turnMs = 10;

/** Rows between two looks at the clock: a list that is no longer is searched in one turn. */
const rowsPerLook = 1_000;

/**
 * Hides the loaded rows of a list that do not match a text. It is no part of what the service is asked
 * for: what is not loaded is not searched.
 */
export class ListFilter {
  private readonly changed = new Emitter<void>();
  private readonly progress = new Emitter<boolean>();
  private filter: TextFilter | undefined;
  private current = '';
  private last: { rows: readonly ListRow[]; matched: boolean[]; shown: ListRow[] } | undefined;
  private earlier: Searched | undefined;
  private isScheduled = false;

  readonly onDidChange = this.changed.event;
  /** Fires during a search, and says whether to draw what it has found: true for its first rows, and for all. */
  readonly onDidSearch = this.progress.event;

  /** @param now milliseconds of a clock that only goes forward. */
  constructor(private readonly now = () => systemClock.monotonic()) {}

  /** As it was given; empty while nothing is hidden. */
  get text(): string {
    return this.current;
  }

  get isOn(): boolean {
    return this.filter !== undefined;
  }

  /** Puts a text in place of the one before. A text without a word shows every row. */
  set(text: string): void {
    const typed = text.trim();
    const filter = new TextFilter(typed);
    const next = filter.isEmpty ? '' : typed;
    if (next === this.current) {
      return;
    }
    if (this.isOn && isNarrower(next, this.current)) {
      this.remember(true);
    } else {
      this.earlier = undefined;
    }
    this.current = next;
    this.filter = filter.isEmpty ? undefined : filter;
    this.last = undefined;
    this.changed.fire();
  }

  shows(row: ListRow): boolean {
    return this.filter?.matches(row.entry, row.letters) ?? true;
  }

  /**
   * The rows of a list that match, in their order. The same rows give the same array. What was searched
   * is not searched again: where rows came, as a list grows page by page, and where the text did,
   * as it is typed, only what is left is.
   */
  shown(rows: readonly ListRow[]): readonly ListRow[] {
    return this.search(rows, Infinity);
  }

  /**
   * The same as far as the search has come, an array that grows: a million rows are searched in many turns
   * of the event loop, so that nothing has to wait for them.
   */
  found(rows: readonly ListRow[]): readonly ListRow[] {
    const found = this.search(rows, this.isScheduled && this.last?.rows === rows ? 0 : turnMs);
    if (!this.isScheduled && this.hasMore) {
      this.continueLater();
    }
    return found;
  }

  /** Whether `found` will find more rows. */
  get isSearching(): boolean {
    return this.isScheduled && this.hasMore;
  }

  /**
   * Resolves with the rows that match when all are searched.
   * @param text the filter that is meant, if another one may be set meanwhile. Default: whichever is set.
   */
  async searched(rows: () => readonly ListRow[], text?: string): Promise<readonly ListRow[]> {
    let found = this.found(rows());
    const isCurrentText = () => text === undefined || text === this.current;
    while (isCurrentText() && this.isSearching) {
      await new Promise((resolve) => setImmediate(resolve));
      found = this.found(rows());
    }
    if (text === undefined || isCurrentText()) {
      return found;
    }
    const other = new ListFilter(this.now);
    other.set(text);
    return other.searched(rows);
  }

  private get hasMore(): boolean {
    return this.last !== undefined && this.last.matched.length < this.last.rows.length;
  }

  private continueLater(): void {
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      if (!this.last) {
        // The text has changed: who shows the rows starts again.
        return;
      }
      const before = this.last.shown.length;
      const { length } = this.search(this.last.rows, turnMs);
      if (this.hasMore) {
        this.continueLater();
      }
      this.progress.fire(!this.hasMore || (before === 0 && length > 0));
    });
  }

  /**
   * @param forMs how long rows are searched. Those that were searched for the same text before take none of it:
   * a page that comes between others would else hide for a moment most of what is found.
   */
  private search(rows: readonly ListRow[], forMs: number): readonly ListRow[] {
    if (!this.filter) {
      return rows;
    }
    if (this.last?.rows !== rows) {
      this.remember(false);
      this.last = { rows, matched: [], shown: [] };
    }
    const { matched, shown } = this.last;
    const { earlier } = this;
    const until = this.now() + forMs;
    let isInTime = forMs > 0;
    let searched = 0;
    for (let at = matched.length; at < rows.length && isInTime; at += 1) {
      const row = rows[at];
      const known = row && earlier?.verdict(row);
      const isShown = known ?? (row !== undefined && this.shows(row));
      if (known === undefined || earlier?.isWider) {
        searched += 1;
        isInTime = searched % rowsPerLook !== 0 || this.now() < until;
      }
      matched.push(isShown);
      if (row && isShown) {
        shown.push(row);
      }
    }
    return shown;
  }

  private remember(isWider: boolean): void {
    if (this.last) {
      this.earlier = new Searched(this.last.rows, this.last.matched, isWider);
    }
  }
}

/** Whether every entry that matches the longer text matches the shorter one: both are words alone. */
function isNarrower(longer: string, shorter: string): boolean {
  return longer.startsWith(shorter) && !/[:"]/.test(longer);
}

/** A field and a phrase, a phrase, or a word; a phrase that is still being typed has no end yet. */
const termPattern = /(?:([^\s":]+):)?"([^"]*)(?:"|$)|(\S+)/g;

/**
 * A text that entries are searched for: all of its words must occur, in any order and case, anywhere
 * in the values of an entry, nested ones too. `"two words"` is one phrase; `field:word` looks into the
 * fields of that name, at any depth, and `field:` for any value there. Values of secret-like fields
 * are never searched: a search that finds them would show them letter by letter. Nor is what is nested
 * too deeply to be shown.
 */
export class TextFilter {
  private readonly terms: readonly Term[];

  constructor(text: string) {
    this.terms = termsOf(text);
  }

  /** Whether every entry matches, because the text says nothing. */
  get isEmpty(): boolean {
    return this.terms.length === 0;
  }

  /** @param letters which characters the fields of the page of the entry have. Default: unknown, all are searched. */
  matches(entry: JsonObject, letters?: CharacterIndex): boolean {
    return this.terms.every((term) => term.isIn(entry, letters));
  }
}

function termsOf(text: string): Term[] {
  return [...text.matchAll(termPattern)].flatMap(([, field, phrase, word]) => {
    if (phrase !== undefined) {
      const isNothing = phrase.trim() === '' && field === undefined;
      return isNothing
        ? []
        : [field === undefined ? new Term(phrase.toLowerCase()) : termIn(field, phrase.trim())];
    }
    const [name = '', ...rest] = (word ?? '').split(':');
    // An address such as host:443 looks the same: a word in a field is looked for as it is, too.
    return [
      name === '' || rest.length === 0
        ? new Term((word ?? '').toLowerCase())
        : termIn(name, rest.join(':')),
    ];
  });
}

/** Each on its own in lower case: that of a sigma depends on the letters in front of it. */
function termIn(name: string, typed: string): Term {
  const [field, value] = [name.toLowerCase(), typed.toLowerCase()];
  return new Term(`${field}:${value}`, field, textSearch(value));
}

/**
 * One thing that an entry must hold, in lower case. Plain loops that create nothing: a list of a million
 * findings has twenty million values.
 */
class Term {
  private readonly search: (text: string) => boolean;
  /** See probesOf; where no letter is known, the first one is empty and in every text. */
  private readonly probe: string;
  private readonly capital: string | undefined;
  private readonly lookalike: string | undefined;
  private readonly isInNumbers: boolean;
  /** Whether it has no letters, as an address or a time: no text has to be written in lower case. */
  private readonly isCaseless: boolean;
  private readonly letters: number;
  /** The letters of the fields of the page that is searched, and which of these fields may hold the term. */
  private ofPage: CharacterIndex | undefined;
  private mayBeInFields: readonly string[] | undefined;
  /** Whether a member has the name of the field, by its name: entries have the same few. */
  private readonly fields = new Map<string, boolean>();

  /**
   * @param whole is looked for in every value, as it was typed.
   * @param field the name of a field.
   * @param isInValue looks for a word in the values of that field.
   */
  constructor(
    whole: string,
    private readonly field?: string,
    private readonly isInValue?: (text: string) => boolean,
  ) {
    this.search = textSearch(whole);
    this.letters = lettersOf(whole);
    this.isCaseless = /^[\x20-\x40]*$/.test(whole);
    [this.probe = '', this.capital, this.lookalike] = probesOf(whole);
    this.isInNumbers = isInValue !== undefined || /^[-+.\de]*$/.test(whole);
  }

  isIn(entry: JsonObject, letters?: CharacterIndex): boolean {
    if (letters !== this.ofPage) {
      this.ofPage = letters;
      this.mayBeInFields = letters?.fieldsWith(this.letters);
    }
    // A term that names a field looks into all that is nested in it.
    const names = this.field === undefined ? this.mayBeInFields : undefined;
    if (!names) {
      return this.isInObject(entry, false, deepestShown - 1);
    }
    for (const name of names) {
      if (this.isInMember(name, entry[name], false, deepestShown - 1)) {
        return true;
      }
    }
    return false;
  }

  /**
   * @param isInField whether the value stands in the field that the term names.
   * @param levels how much deeper is searched.
   */
  private isInAny(value: JsonValue, isInField: boolean, levels: number): boolean {
    if (typeof value === 'string') {
      return this.isInText(value, isInField);
    }
    if (typeof value === 'number') {
      return this.isInNumbers && this.isInText(String(value), isInField);
    }
    if (typeof value === 'boolean') {
      return this.isInText(String(value), isInField);
    }
    if (typeof value !== 'object' || value === null || levels === 0) {
      return false;
    }
    return Array.isArray(value)
      ? this.isInList(value, isInField, levels - 1)
      : this.isInObject(value, isInField, levels - 1);
  }

  private isInText(text: string, isInField: boolean): boolean {
    if (isInField && this.isInValue) {
      const lower = text.toLowerCase();
      return this.search(lower) || (lower !== '' && this.isInValue(lower));
    }
    return this.isCaseless
      ? this.search(text)
      : this.mayBeIn(text) && this.search(text.toLowerCase());
  }

  /** False for most texts: to write each of them in lower case takes longer than all else. */
  private mayBeIn(text: string): boolean {
    const { probe, capital, lookalike } = this;
    return (
      text.includes(probe) ||
      (capital !== undefined && text.includes(capital)) ||
      (lookalike !== undefined && text.includes(lookalike))
    );
  }

  private isInList(values: readonly JsonValue[], isInField: boolean, levels: number): boolean {
    for (const value of values) {
      if (this.isInAny(value, isInField, levels)) {
        return true;
      }
    }
    return false;
  }

  private isInObject(entry: JsonObject, isInField: boolean, levels: number): boolean {
    for (const name in entry) {
      if (this.isInMember(name, entry[name], isInField, levels)) {
        return true;
      }
    }
    return false;
  }

  private isInMember(
    name: string,
    value: JsonValue | undefined,
    isInField: boolean,
    levels: number,
  ): boolean {
    return (
      value !== undefined &&
      this.isInAny(value, isInField || this.isField(name), levels) &&
      // Last: few values hold the text, and what a secret one holds does not count.
      !isSecretField(name)
    );
  }

  private isField(name: string): boolean {
    if (this.field === undefined) {
      return false;
    }
    const known = this.fields.get(name);
    if (known !== undefined) {
      return known;
    }
    const isField = name.toLowerCase() === this.field;
    if (this.fields.size < maxFields) {
      this.fields.set(name, isField);
    }
    return isField;
  }
}

/** Names of members that are remembered; an entry may have any number. */
const maxFields = 1_000;

/** What is rare in texts comes first. */
const byRarity = 'zqxjkvbpygwfmucldrhsnioate';

/** Other letters than capitals that are Latin ones in lower case. */
const lookalikes: Readonly<Record<string, string>> = {
  i: '\u0130',
  k: '\u212a',
  ß: '\u1e9e',
  å: '\u212b',
};

/** Letters one of which is in every text that holds a term in lower case; none where that is not known. */
export function probesOf(term: string): readonly string[] {
  const rarity = (letter: string) => (byRarity.includes(letter) ? byRarity.indexOf(letter) : 99);
  const [rarest] = term
    .split('')
    .filter((letter) => letter <= '\u00ff')
    .sort((one, other) => rarity(one) - rarity(other));
  if (rarest === undefined) {
    return [];
  }
  const letters = [rarest, rarest.toUpperCase(), lookalikes[rarest]];
  return [...new Set(letters.filter((letter) => letter?.length === 1))] as string[];
}

import { systemClock } from '../../base/events/clock';
import { Emitter } from '../../base/events/emitter';
import { type CharacterIndex, charactersOf } from './characterIndex';
import type { ListRow } from './listRows';
import { isContainer, isJsonNumber, type JsonObject, type JsonValue } from '../../base/json/json';
import { isSecretField } from '../../vocabulary/secretFields';
import { textSearch } from '../../base/text/textSearch';

/**
 * How long a search blocks the event loop at a time, in milliseconds. A fixed row count does not work: before V8
 * has compiled the search, rows take about ten times as long.
 */
const sliceMs = 10;

/** The number of rows between two looks at the clock; shorter lists are searched at once. */
const rowsPerClockCheck = 1_000;

/**
 * Hides the loaded rows of a list that do not match a text. The service does not get the text, so rows that are
 * not loaded are not searched.
 */
export class ListFilter {
  private readonly changed = new Emitter<boolean>();
  private filter: TextFilter | undefined;
  private currentText = '';
  /** The text before, if it has grown since: what did not match it does not match this one either. */
  private widerText: string | undefined;
  private latest: { rows: readonly ListRow[]; searched: number; shown: ListRow[] } | undefined;
  private isScheduled = false;

  /**
   * Fires for another text, and during a search, with whether to draw the rows found so far: true for another text, for
   * the first rows, and at the end.
   */
  readonly onDidChange = this.changed.event;

  /** @param now milliseconds of a clock that only goes forward. */
  constructor(private readonly now = () => systemClock.monotonic()) {}

  /** As it was set, without spaces around it; empty while nothing is hidden. */
  get text(): string {
    return this.currentText;
  }

  get isOn(): boolean {
    return this.filter !== undefined;
  }

  /** Replaces the text. A text without a word shows every row. */
  set(text: string): void {
    const typed = text.trim();
    const filter = new TextFilter(typed);
    const next = filter.isEmpty ? '' : typed;
    if (next === this.currentText) {
      return;
    }
    if (!this.isOn || !isNarrowerText(next, this.currentText)) {
      this.widerText = undefined;
    } else if (this.latest) {
      this.widerText = this.currentText;
    }
    this.currentText = next;
    this.filter = filter.isEmpty ? undefined : filter;
    this.latest = undefined;
    this.changed.fire(true);
  }

  shows(row: ListRow): boolean {
    return this.filter?.matches(row.entry, row.characters) ?? true;
  }

  /**
   * The rows of a list that match, in their order. The same rows give the same array. When a list grows page by
   * page, only its new rows are searched; when the text grows as it is typed, only the rows that matched before.
   */
  shown(rows: readonly ListRow[]): readonly ListRow[] {
    return this.search(rows, Infinity);
  }

  /**
   * The rows found so far, in an array that grows: a million rows are searched in many short steps, so that
   * nothing has to wait for them.
   */
  found(rows: readonly ListRow[]): readonly ListRow[] {
    const found = this.search(rows, this.isScheduled && this.latest?.rows === rows ? 0 : sliceMs);
    if (!this.isScheduled && this.hasMore) {
      this.continueLater();
    }
    return found;
  }

  /** Whether `found` will find more rows. */
  get isSearching(): boolean {
    return this.isScheduled && this.hasMore;
  }

  /** Searches all rows in short steps. Resolves with the rows that match. */
  async searchAll(rows: () => readonly ListRow[]): Promise<readonly ListRow[]> {
    let found = this.found(rows());
    while (this.isSearching) {
      await new Promise((resolve) => setImmediate(resolve));
      found = this.found(rows());
    }
    return found;
  }

  private get hasMore(): boolean {
    return this.latest !== undefined && this.latest.searched < this.latest.rows.length;
  }

  private continueLater(): void {
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      if (!this.latest) {
        // The text has changed, and the view starts another search.
        return;
      }
      const before = this.latest.shown.length;
      const { length } = this.search(this.latest.rows, sliceMs);
      if (this.hasMore) {
        this.continueLater();
      }
      this.changed.fire(!this.hasMore || (before === 0 && length > 0));
    });
  }

  /**
   * @param forMs how long rows are searched. Rows that were already searched for the same text do not count:
   * otherwise, a page that is inserted between others would briefly hide most of the rows found.
   */
  private search(rows: readonly ListRow[], forMs: number): readonly ListRow[] {
    const { currentText: text, widerText } = this;
    if (!this.isOn) {
      return rows;
    }
    if (this.latest?.rows !== rows) {
      this.latest = { rows, searched: 0, shown: [] };
    }
    const { latest } = this;
    const until = this.now() + forMs;
    let isInTime = forMs > 0;
    let searched = 0;
    for (let row = rows[latest.searched]; row && isInTime; row = rows[latest.searched]) {
      if (row.searchedFor !== text) {
        const isHidden = widerText !== undefined && row.searchedFor === widerText && !row.isMatch;
        row.isMatch = !isHidden && this.shows(row);
        row.searchedFor = text;
        searched += 1;
        isInTime = searched % rowsPerClockCheck !== 0 || this.now() < until;
      }
      if (row.isMatch) {
        latest.shown.push(row);
      }
      latest.searched += 1;
    }
    return latest.shown;
  }
}

/** Whether every entry that matches the longer text also matches the shorter one: both are only words. */
function isNarrowerText(longer: string, shorter: string): boolean {
  return longer.startsWith(shorter) && !/[:"]/.test(longer);
}

/** A field with a phrase, a phrase, or a word. A phrase that is still being typed has no closing quote. */
const termPattern = /(?:([^\s":]+):)?"([^"]*)(?:"|$)|(\S+)/g;

/**
 * A text to search entries for. All of its words must occur, in any order and case, anywhere in the values of an
 * entry, nested ones included. `"two words"` is one phrase. `field:word` searches the fields of that name, at any
 * depth; `field:` finds any value there. Values of secret-like fields are never searched: a search that finds them
 * would reveal them letter by letter.
 */
export class TextFilter {
  private readonly terms: readonly Term[];

  constructor(text: string) {
    this.terms = termsOf(text);
  }

  /** Whether the text has no words, so that every entry matches. */
  get isEmpty(): boolean {
    return this.terms.length === 0;
  }

  /** @param page the characters of the page of the entry. Default: unknown; all fields are searched. */
  matches(entry: JsonObject, page?: CharacterIndex): boolean {
    return this.terms.every((term) => term.isIn(entry, page));
  }
}

function termsOf(text: string): Term[] {
  return [...text.matchAll(termPattern)].flatMap(([, field, phrase, word]) => {
    if (phrase !== undefined) {
      const isNothing = phrase.trim() === '' && field === undefined;
      return isNothing
        ? []
        : [field === undefined ? new Term(phrase) : termIn(field, phrase.trim())];
    }
    const [name = '', ...rest] = (word ?? '').split(':');
    // An address such as host:443 looks the same, so the word is also searched for as it is.
    return [name === '' || rest.length === 0 ? new Term(word ?? '') : termIn(name, rest.join(':'))];
  });
}

function termIn(field: string, value: string): Term {
  return new Term(`${field}:${value}`, field.toLowerCase(), patternOf(value));
}

type Pattern = Pick<RegExp, 'test'>;

/**
 * A word or phrase that an entry must contain, in any case. Its plain loops allocate nothing: a list of a million
 * findings has twenty million values.
 */
class Term {
  private readonly pattern: Pattern;
  private readonly isInNumbers: boolean;
  private readonly characters: number;
  /** The page that is being searched, and the fields in it that may contain the term. */
  private page: CharacterIndex | undefined;
  private candidateFields: readonly string[] | undefined;

  /**
   * @param text searched for in every value, as it was typed.
   * @param field the name of a field, in lower case.
   * @param valuePattern searches a value of that field for a word.
   */
  constructor(
    text: string,
    private readonly field?: string,
    private readonly valuePattern?: Pattern,
  ) {
    this.pattern = patternOf(text);
    this.characters = charactersOf(text.toLowerCase());
    this.isInNumbers = valuePattern !== undefined || /^[-+.\de]*$/i.test(text);
  }

  isIn(entry: JsonObject, page?: CharacterIndex): boolean {
    if (page !== this.page) {
      this.page = page;
      this.candidateFields = page?.fieldsWith(this.characters);
    }
    // A term that names a field may be in any field that contains it.
    const names = this.field === undefined ? this.candidateFields : undefined;
    if (!names) {
      return this.isInObject(entry, false);
    }
    for (const name of names) {
      if (this.isInMember(name, entry[name], false)) {
        return true;
      }
    }
    return false;
  }

  /** @param isInField whether the value is in the field that the term names. */
  private isInAny(value: JsonValue, isInField: boolean): boolean {
    if (typeof value === 'string') {
      return this.isInText(value, isInField);
    }
    if (value === null || (!this.isInNumbers && isJsonNumber(value))) {
      return false;
    }
    if (!isContainer(value)) {
      return this.isInText(String(value), isInField);
    }
    return Array.isArray(value)
      ? this.isInList(value, isInField)
      : this.isInObject(value, isInField);
  }

  private isInList(values: readonly JsonValue[], isInField: boolean): boolean {
    for (const value of values) {
      if (this.isInAny(value, isInField)) {
        return true;
      }
    }
    return false;
  }

  private isInText(text: string, isInField: boolean): boolean {
    return (
      this.pattern.test(text) ||
      (isInField && text !== '' && this.valuePattern?.test(text) === true)
    );
  }

  private isInObject(entry: JsonObject, isInField: boolean): boolean {
    for (const name in entry) {
      if (this.isInMember(name, entry[name], isInField)) {
        return true;
      }
    }
    return false;
  }

  private isInMember(name: string, value: JsonValue | undefined, isInField: boolean): boolean {
    return (
      value !== undefined &&
      this.isInAny(value, isInField || this.isField(name)) &&
      // Checked last: few values contain the text, and secret-like ones do not count.
      !isSecretField(name)
    );
  }

  private isField(name: string): boolean {
    return name.length === this.field?.length && name.toLowerCase() === this.field;
  }
}

/** Longer texts are searched for without a pattern, which takes the product of both lengths at worst. */
const maxPatternLength = 100;

/** Finds a text in another one, in any case. */
function patternOf(text: string): Pattern {
  if (text.length > maxPatternLength) {
    const isIn = textSearch(text.toLowerCase());
    return { test: (searched) => isIn(searched.toLowerCase()) };
  }
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
}

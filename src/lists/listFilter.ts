import { Emitter } from '../base/emitter';
import type { ListRow, LoadResult } from './loadedList';
import { deepestShown, type JsonObject, type JsonValue } from '../base/json';
import { isSecretField } from '../base/secretFields';
import { textSearch } from '../base/textSearch';

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
    private readonly isWider: boolean,
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
 * Hides the loaded rows of a list that do not match a text. It is no part of what the service is asked
 * for: what is not loaded is not searched.
 */
export class ListFilter {
  private readonly changed = new Emitter<void>();
  private filter: TextFilter | undefined;
  private current = '';
  private last: { rows: readonly ListRow[]; matched: boolean[]; shown: ListRow[] } | undefined;
  private earlier: Searched | undefined;

  readonly onDidChange = this.changed.event;

  /** As it was given; empty while nothing is hidden. */
  get text(): string {
    return this.current;
  }

  get isOn(): boolean {
    return this.filter !== undefined;
  }

  /** Puts a text in place of the one before. A text without a word shows every row. */
  set(text: string): void {
    const filter = new TextFilter(text);
    const next = filter.isEmpty ? '' : text.trim();
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
    return this.filter?.matches(row.entry) ?? true;
  }

  /**
   * The rows of a list that match, in their order. The same rows give the same array. What was searched
   * is not searched again: where rows came, as a list grows page by page, and where the text did,
   * as it is typed, only what is left is.
   */
  shown(rows: readonly ListRow[]): readonly ListRow[] {
    if (!this.filter) {
      return rows;
    }
    if (this.last?.rows !== rows) {
      this.remember(false);
      this.last = { rows, matched: [], shown: [] };
    }
    const { matched, shown } = this.last;
    for (let row = rows[matched.length]; row; row = rows[matched.length]) {
      const isShown = this.earlier?.verdict(row) ?? this.shows(row);
      matched.push(isShown);
      if (isShown) {
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

export function filterResult(list: {
  readonly shownRows: readonly ListRow[];
  readonly result: LoadResult;
}): FilterResult {
  const { loaded, total } = list.result;
  return { shown: list.shownRows.length, loaded, ...(total === undefined ? {} : { total }) };
}

/** One thing that an entry must hold, in lower case. */
interface Term {
  /** Looks in every value for the text as it was typed. */
  readonly isWholeIn: (text: string) => boolean;
  /** For `field:word`: the name of the field, and a look for the word in its value. */
  readonly field?: string;
  readonly isValueIn?: (text: string) => boolean;
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
    this.terms = termsOf(text.toLowerCase());
  }

  /** Whether every entry matches, because the text says nothing. */
  get isEmpty(): boolean {
    return this.terms.length === 0;
  }

  matches(entry: JsonObject): boolean {
    return this.terms.every((term) => holds(entry, term, false));
  }
}

function termsOf(text: string): Term[] {
  return [...text.matchAll(termPattern)].flatMap(([, field, phrase, word]) => {
    if (phrase !== undefined) {
      const isNothing = phrase.trim() === '' && field === undefined;
      return isNothing ? [] : [field === undefined ? termOf(phrase) : termIn(field, phrase.trim())];
    }
    const [name = '', ...rest] = (word ?? '').split(':');
    // An address such as host:443 looks the same: a word in a field is looked for as it is, too.
    return [name === '' || rest.length === 0 ? termOf(word ?? '') : termIn(name, rest.join(':'))];
  });
}

function termOf(whole: string): Term {
  return { isWholeIn: textSearch(whole) };
}

function termIn(field: string, value: string): Term {
  return { ...termOf(`${field}:${value}`), field, isValueIn: textSearch(value) };
}

/**
 * @param isInField whether the value stands in the field that the term names.
 * @param levels how much deeper is searched.
 */
function holds(value: JsonValue, term: Term, isInField: boolean, levels = deepestShown): boolean {
  if (typeof value === 'object') {
    return value !== null && levels > 0 && isHeld(value, term, isInField, levels - 1);
  }
  const text = (typeof value === 'string' ? value : String(value)).toLowerCase();
  return term.isWholeIn(text) || (isInField && text !== '' && term.isValueIn?.(text) === true);
}

/** Plain loops: a list of a million findings has many millions of values. */
function isHeld(
  value: JsonObject | readonly JsonValue[],
  term: Term,
  isInField: boolean,
  levels: number,
): boolean {
  if (Array.isArray(value)) {
    for (const member of value as readonly JsonValue[]) {
      if (holds(member, term, isInField, levels)) {
        return true;
      }
    }
    return false;
  }
  const entry = value as JsonObject;
  const { field } = term;
  for (const name of Object.keys(entry)) {
    const member = entry[name];
    if (
      member !== undefined &&
      !isSecretField(name) &&
      holds(
        member,
        term,
        isInField || (field !== undefined && name.toLowerCase() === field),
        levels,
      )
    ) {
      return true;
    }
  }
  return false;
}

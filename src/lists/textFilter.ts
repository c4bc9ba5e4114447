import { deepestShown, type JsonObject, type JsonValue } from '../base/json';
import { isSecretField } from '../base/secretFields';
import { textSearch } from '../base/textSearch';

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

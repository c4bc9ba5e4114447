import { isContainer, isJsonNumber, type JsonObject, type JsonValue } from '../../base/json/json';
import { textSearch } from '../../base/text/textSearch';
import { compareNumbers, comparisons } from '../../vocabulary/compareNumbers';
import { datePeriod } from '../../vocabulary/datePeriod';
import { type Bounds, readBounds, type TimeBounds } from '../../vocabulary/filterBounds';
import {
  type EntryCondition,
  type FilterTest,
  isOnlyWords,
  parseFilter,
  type TextTest,
} from '../../vocabulary/filterLanguage';
import { isSecretMember } from '../../vocabulary/secretFields';
import { type CharacterIndex, collectCharacters } from './characterIndex';

/**
 * A text to search entries for, in the language of `filterLanguage.ts`: by default, each of its words must occur
 * anywhere in the values of an entry, nested ones included. A field is searched for at any depth. Values of secret-like
 * fields are never searched, and count as if they were not there: a search that finds them, or that leaves them out,
 * would reveal them letter by letter.
 */
export class TextFilter {
  private readonly text: string;
  private readonly isOnlyWords: boolean;
  private readonly terms: readonly Matcher[];
  /** Whether a sign has no number or date behind it. Such a term hides nothing. */
  readonly hasFault: boolean;
  /** The names of fields in it, in lower case. */
  readonly fields: readonly string[];

  constructor(text: string) {
    this.text = text;
    const parsed = parseFilter(text);
    this.fields = parsed.flat().flatMap(({ field }) => field ?? []);
    this.isOnlyWords = isOnlyWords(parsed);
    const terms = parsed.map((conditions) => matchAny(conditions.map(createMatcher)));
    this.terms = terms.filter((term) => term !== undefined);
    this.hasFault = this.terms.length < terms.length;
  }

  /** Whether the text has no words, so that every entry matches. */
  get isEmpty(): boolean {
    return this.terms.length === 0;
  }

  /** Whether every entry that this one matches also matches the other one, as both are words that were continued. */
  isNarrowerThan(other: TextFilter): boolean {
    return this.isOnlyWords && other.isOnlyWords && this.text.startsWith(other.text);
  }

  /** @param page the characters of the page of the entry. Default: unknown; all fields are searched. */
  matches(entry: JsonObject, page?: CharacterIndex): boolean {
    return this.terms.every((term) => term.isIn(entry, page));
  }
}

/** A condition on an entry; `page` has the characters of its page. */
interface Matcher {
  isIn(entry: JsonObject, page?: CharacterIndex): boolean;
}

/** @returns `undefined` if one of them has a fault. */
function matchAny(matchers: readonly (Matcher | undefined)[]): Matcher | undefined {
  const sound = matchers.filter((matcher) => matcher !== undefined);
  if (sound.length < matchers.length) {
    return undefined;
  }
  return sound.length === 1
    ? sound[0]
    : { isIn: (entry, page) => sound.some((matcher) => matcher.isIn(entry, page)) };
}

/** @returns `undefined` if it has a fault. */
function createMatcher({ isNegated, tests, field, anywhere }: EntryCondition): Matcher | undefined {
  const searches = tests.map((test, at) =>
    field === undefined
      ? searchAnywhere(test)
      : searchField(field, test, at === 0 ? anywhere : undefined),
  );
  const matcher = matchAny(searches);
  return matcher && isNegated ? { isIn: (entry, page) => !matcher.isIn(entry, page) } : matcher;
}

/** Whether an entry has a value in a field. @param field in lower case. */
export function hasField(entry: JsonObject, field: string): boolean {
  const inField = { test: () => true };
  return new Search({ anywhere: undefined, field, inField, isInNumbers: true }).isIn(entry);
}

function searchAnywhere(test: FilterTest): Search | undefined {
  const anywhere = valueTest(test);
  const { numbers, times } = parseBounds(test);
  // An equal number, or a time in a year, may have other characters.
  const text = numbers.length > 0 || times ? '' : readText(test);
  return anywhere && new Search({ anywhere, text, isInNumbers: /^[-+.\de]*$/i.test(text) });
}

function searchField(
  field: string,
  test: FilterTest,
  anywhere: TextTest | undefined,
): Search | undefined {
  const inField = valueTest(test);
  return (
    inField &&
    new Search({ anywhere: anywhere && valueTest(anywhere), field, inField, isInNumbers: true })
  );
}

/** A condition on a value, or on what its text is if it is no text. */
interface ValueTest {
  test(text: string, isNumber: boolean): boolean;
}

/** @returns `undefined` if it needs a number or a date, and has none. */
function valueTest(test: FilterTest): ValueTest | undefined {
  switch (test.op) {
    case 'present':
      return { test: () => true };
    case 'exactly':
      return { test: (text) => text === test.text };
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return either(createPattern(test.text, test.op), boundsTest(parseBounds(test)));
    case '=':
      return either(createPattern(test.value, 'equals'), boundsTest(parseBounds(test)));
    default:
      return boundsTest(parseBounds(test));
  }
}

function either(one: ValueTest, other: ValueTest | undefined): ValueTest {
  return other
    ? { test: (text, isNumber) => one.test(text, isNumber) || other.test(text, isNumber) }
    : one;
}

/** The text that a value contains if it passes a test. */
function readText(test: FilterTest): string {
  return 'text' in test ? test.text : 'value' in test ? test.value : '';
}

/** What a test is among numbers and among times. */
function parseBounds(test: FilterTest): Bounds {
  switch (test.op) {
    case 'present':
    case 'exactly':
      return noBounds;
    case 'contains':
    case 'startsWith':
    case 'endsWith': {
      const { range, day } = test;
      return range
        ? readBounds(range)
        : { numbers: [], times: day && { from: day[0], to: day[1] } };
    }
    default:
      return readBounds(test);
  }
}

const noBounds: Bounds = { numbers: [], times: undefined };

/** @returns `undefined` if there are no bounds. */
function boundsTest({ numbers, times }: Bounds): ValueTest | undefined {
  if (numbers.length === 0 && !times) {
    return undefined;
  }
  return {
    test: (text, isNumber) =>
      isNumber
        ? numbers.length > 0 &&
          numbers.every(({ is, number }) => comparisons[is](compareNumbers(text, number)))
        : times !== undefined && isTimeIn(text, times),
  };
}

/** Whether a value is a day or a time, in ISO 8601, within bounds. */
function isTimeIn(text: string, { from = -Infinity, to = Infinity }: TimeBounds): boolean {
  const [time = NaN] = (/^ *\d{4}-\d\d-\d\d/.test(text) ? datePeriod(text) : undefined) ?? [];
  return time >= from && time < to;
}

/** Longer texts are searched for without a pattern, which takes the product of both lengths at worst. */
const maxPatternLength = 100;

/** Finds a text in another one, in any case. */
function createPattern(text: string, op: TextTest['op'] | 'equals'): ValueTest {
  if (text.length > maxPatternLength) {
    const lower = text.toLowerCase();
    const tests = {
      contains: textSearch(lower),
      equals: (searched: string) => searched === lower,
      startsWith: (searched: string) => searched.startsWith(lower),
      endsWith: (searched: string) => searched.endsWith(lower),
    };
    const isIn = tests[op];
    return { test: (searched) => isIn(searched.toLowerCase()) };
  }
  const start = op === 'startsWith' || op === 'equals' ? '^' : '';
  const end = op === 'endsWith' || op === 'equals' ? '$' : '';
  return new RegExp(start + text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + end, 'iu');
}

/**
 * A search for a value of an entry. Its plain loops allocate nothing: a list of a million findings has twenty million
 * values.
 */
class Search implements Matcher {
  private readonly anywhere: ValueTest | undefined;
  private readonly field: string | undefined;
  private readonly inField: ValueTest | undefined;
  private readonly isInNumbers: boolean;
  private readonly characters: number;
  /** The page that is being searched, and the fields in it that may have such a value. */
  private page: CharacterIndex | undefined;
  private candidateFields: readonly string[] | undefined;

  constructor({
    anywhere,
    field,
    inField,
    text = '',
    isInNumbers,
  }: {
    /** Finds a value of any field. */
    readonly anywhere: ValueTest | undefined;
    /** The name of a field, in lower case, and what finds a value of it; empty texts are none. */
    readonly field?: string;
    readonly inField?: ValueTest;
    /** What a value contains that is found; empty if that is not known. */
    readonly text?: string;
    /** Whether a number may be found. */
    readonly isInNumbers: boolean;
  }) {
    this.anywhere = anywhere;
    this.field = field;
    this.inField = inField;
    this.isInNumbers = isInNumbers;
    this.characters = collectCharacters(text.toLowerCase());
  }

  isIn(entry: JsonObject, page?: CharacterIndex): boolean {
    if (page !== this.page) {
      this.page = page;
      this.candidateFields = page?.fieldsWith(this.characters);
    }
    // A value of a field that is named may be in any field that contains it.
    const names = this.field === undefined ? this.candidateFields : undefined;
    if (!names) {
      return this.isInObject(entry, false);
    }
    for (const name of names) {
      if (this.isInMember(entry, name, false)) {
        return true;
      }
    }
    return false;
  }

  /** @param isInField whether the value is in the field that is named. */
  private isInAny(value: JsonValue, isInField: boolean): boolean {
    if (typeof value === 'string') {
      return this.isInText(value, isInField, false);
    }
    if (value === null || (!this.isInNumbers && isJsonNumber(value))) {
      return false;
    }
    if (!isContainer(value)) {
      return this.isInText(String(value), isInField, typeof value !== 'boolean');
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

  private isInText(text: string, isInField: boolean, isNumber: boolean): boolean {
    return (
      this.anywhere?.test(text, isNumber) === true ||
      (isInField && text !== '' && this.inField?.test(text, isNumber) === true)
    );
  }

  private isInObject(entry: JsonObject, isInField: boolean): boolean {
    for (const name in entry) {
      if (this.isInMember(entry, name, isInField)) {
        return true;
      }
    }
    return false;
  }

  private isInMember(entry: JsonObject, name: string, isInField: boolean): boolean {
    const value = entry[name];
    return (
      value !== undefined &&
      this.isInAny(value, isInField || this.isField(name)) &&
      // Checked last: few values contain the text, and secret-like ones do not count.
      !isSecretMember(entry, name)
    );
  }

  private isField(name: string): boolean {
    return name.length === this.field?.length && name.toLowerCase() === this.field;
  }
}

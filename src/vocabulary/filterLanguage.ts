/*
 * The filter language. A list of findings and the columns of a table take the same:
 *
 *   filter      = term { blank term }             all terms hold; in a list
 *   term        = [ "!" ] [ field ":" ] conditions
 *   conditions  = condition { " | " condition }   any of them holds; a row of a column's filter is this
 *   condition   = [ "!" ] ( texts | comparison )  `!`: all rows that do not match, also those without a value
 *   texts       = text { "|" text }               contains any of them, so that `!a | b` contains neither
 *   text        = word | word "*" | "*" word | low ".." high | quoted
 *   comparison  = ( "=" | "==" | "<" | "<=" | ">" | ">=" ) [ word | quoted ]
 *
 * - Text is found in any case. `word*` and `*word` are how a value starts and ends.
 * - Quotes are the one way to write what would mean something else: `"!important"`, `"a | b"`, `"2*"`, `="=x"`.
 * - `=` ignores case, `==` is the value as it is written. Each value is compared as what it is: `=5` finds 5.0 among
 *   numbers. A year, a month, a day or a time means its whole period. `<>` is `!=`.
 * - `=` alone is empty, `!=` alone is not empty.
 * - `a..b` includes both ends, one of which may be absent. What is no range of numbers or dates is a text.
 * - Behind a sign, `|` is a part of the value, unless blanks are around it and another sign or a quote follows:
 *   `=a|b` is one value, `==a | ==b` are two, `>7 | =` is greater than 7 or empty.
 *
 * In a column, blanks are parts of the text, and the column says what a text can be: in one of severities, `high, low`
 * and `high or low` are `high | low`. In a list, blanks part the terms, so that a value with blanks is quoted. There
 * `field:` alone is any value, `!field:` none; `severity:high | low` has one field, `a:x | b:y` has two. An address such
 * as host:443 looks like a field, so a text behind one is also searched for as it was typed, in any field. A term without
 * a field is on any value; `<`, `>`, `..` and a sign without a value are text there, as in `a -> b` and `<script>`.
 */
import { shownPeriod } from './datePeriod';
import { readSeverity } from './severity';

/** A range that was typed; an end is empty if it is absent. */
export interface Range {
  readonly low: string;
  readonly high: string;
}

export interface TextTest {
  readonly op: 'contains' | 'startsWith' | 'endsWith';
  /** In any case. */
  readonly text: string;
  /** The text as a range. What it is not a range of finds it as a text. */
  readonly range?: Range;
  /** The text as a day or a month that is typed as tables show it; from, to (exclusive) in milliseconds in UTC. */
  readonly day?: readonly [number, number];
}

export interface Comparison {
  /** `=` compares texts, too, in any case. */
  readonly op: '=' | '<' | '<=' | '>' | '>=';
  readonly value: string;
}

/** What a value has to be. */
export type FilterTest =
  | TextTest
  | Comparison
  /** As it is written. */
  | { readonly op: 'exactly'; readonly text: string }
  /** It is there, and no empty text. */
  | { readonly op: 'present' };

/** Holds if a value passes one of the tests, or if it is negated and none does. */
export interface FilterCondition {
  readonly isNegated: boolean;
  /** At least one; several are texts. */
  readonly tests: readonly FilterTest[];
}

/** A condition on the entries of a list. */
export interface EntryCondition extends FilterCondition {
  /** The name of the fields whose values are tested, in lower case. Default: all fields. */
  readonly field?: string;
  /** An entry passes the first test, too, if this is true of a value of any field: the text as it was typed. */
  readonly anywhere?: TextTest;
}

/** Holds if one of its conditions does. */
export type FilterTerm = readonly EntryCondition[];

/** What is known of the values that are tested. */
interface Reading {
  /** Whether `high, critical` are two severities. */
  readonly areSeverities?: boolean;
  /** Whether there is no field whose values could be less or greater. */
  readonly isAnywhere?: boolean;
}

/** Separates values of which each matches. */
const orSign = ' | ';
/** The most texts of which each matches; more are one text. */
const maxAlternatives = 20;

/** Parses the filter of a column, of which one condition must hold. Empty if nothing was typed. */
export function parseConditions(typed: string, reading: Reading = {}): readonly FilterCondition[] {
  const input = typed.trim();
  return input === '' ? [] : splitConditions(input).map((part) => parseCondition(part, reading));
}

/** Parses the filter of a list, whose terms must all hold. Empty if nothing was typed. */
export function parseFilter(typed: string): readonly FilterTerm[] {
  return splitTerms(typed).map(readTerm);
}

/** Whether a filter is only words: each must occur somewhere, so that more letters never find more. */
export function isOnlyWords(terms: readonly FilterTerm[]): boolean {
  return terms.every((conditions) =>
    conditions.every(
      ({ field, isNegated, tests }) =>
        conditions.length === 1 &&
        field === undefined &&
        !isNegated &&
        tests.length === 1 &&
        tests[0]?.op === 'contains',
    ),
  );
}

/** Parts what is typed for a column at each `|` behind which another condition begins. */
function splitConditions(input: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { index } of input.matchAll(/\|/g)) {
    const before = input.slice(start, index);
    if (isBetweenConditions(before, input.slice(index + 1))) {
      parts.push(before.trim());
      start = index + 1;
    }
  }
  return [...parts, input.slice(start).trim()];
}

/** A quote with which a value begins. */
const openQuote = /^!?(?:<>|==|<=|>=|=|<|>)?\s*"/;

function isBetweenConditions(before: string, after: string): boolean {
  const quoted = before.trim();
  const [opened] = openQuote.exec(quoted) ?? [];
  if (opened !== undefined) {
    return quoted.length > opened.length && quoted.endsWith('"') && /\S/.test(after);
  }
  const isBeforeSign = /\s$/.test(before) && /^\s+[!=<>]/.test(after);
  return /\S/.test(before) && (isBeforeSign || /^\s*"[^"]*"\s*(?:\||$)/.test(after));
}

function parseCondition(typed: string, reading: Reading): FilterCondition {
  const [, not = '', sign = '', rest = ''] =
    /^(!?)(<>|==|<=|>=|=|<|>|)\s*([^]*)$/.exec(typed) ?? [];
  const value = unquote(rest);
  const { isAnywhere = false } = reading;
  if (rest === '' && (sign === '' || isAnywhere)) {
    return { isNegated: false, tests: [readText(typed, reading)] };
  }
  if (sign === '' || (isAnywhere && /[<>]/.test(sign))) {
    const text = typed.slice(not.length).trimStart();
    return { isNegated: not !== '', tests: readTexts(text, reading) };
  }
  const isNegated = (not !== '') !== (sign === '<>');
  if (sign === '==' || sign === '=' || sign === '<>') {
    return value === ''
      ? { isNegated: !isNegated, tests: [{ op: 'present' }] }
      : {
          isNegated,
          tests: [sign === '==' ? { op: 'exactly', text: value } : { op: '=', value }],
        };
  }
  return { isNegated, tests: [{ op: sign as Comparison['op'], value }] };
}

function readTexts(typed: string, reading: Reading): readonly FilterTest[] {
  return isQuoted(typed)
    ? [{ op: 'contains', text: unquote(typed) }]
    : alternativesIn(typed, reading).map((text) => readText(text, reading));
}

/** What a text is that has no quotes around it. */
function readText(typed: string, { isAnywhere = false }: Reading): TextTest {
  const isLong = typed.length > 1;
  const test: TextTest =
    isLong && typed.endsWith('*')
      ? { op: 'startsWith', text: typed.slice(0, -1) }
      : isLong && typed.startsWith('*')
        ? { op: 'endsWith', text: typed.slice(1) }
        : { op: 'contains', text: typed };
  if (isAnywhere) {
    return test;
  }
  const at = typed.indexOf('..');
  const range = {
    low: typed.slice(0, Math.max(0, at)).trimEnd(),
    high: typed.slice(at + 2).trimStart(),
  };
  const day = shownPeriod(typed);
  return { ...test, ...(at >= 0 && { range }), ...(day && { day }) };
}

/**
 * The texts of `high | critical`, of which each matches; severities may also be listed as `high, critical` or
 * `high or critical`. The text itself if there are not several, or if signs or quotes in it say what is meant.
 */
function alternativesIn(typed: string, { areSeverities = false }: Reading = {}): readonly string[] {
  if (/^[!=<>]|"/.test(typed)) {
    return [typed];
  }
  const parts = typed.split('|').map((part) => part.trim());
  if (parts.length > 1) {
    const isList = parts.length <= maxAlternatives && parts.every((part) => /^[^!=<>]/.test(part));
    return isList ? parts.flatMap((part) => alternativesIn(part, { areSeverities })) : [typed];
  }
  const words = areSeverities ? typed.split(/(?<!\s)\s*[,;/]\s*|(?<!\s)\s+(?:or|oder)\s+/i) : [];
  const isList = words.every((word) => /\p{L}/u.test(word) && readSeverity(word));
  return words.length > 1 && isList ? words : [typed];
}

function isQuoted(text: string): boolean {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"');
}

function unquote(text: string): string {
  return isQuoted(text) ? text.slice(1, -1) : text;
}

/** A word or a phrase of a list's filter. */
interface Piece {
  /** Default: that of the piece before it, behind a `|`; else none. */
  readonly field?: string;
  /** As it would be typed for a column. */
  readonly typed: string;
  readonly anywhere?: TextTest;
}

/**
 * Signs or a field before a phrase, whose closing quote may be missing; a `|` between pieces; or a word. `<` and `>` are
 * signs only of a field, which may be that before the `|`.
 */
const pieceForms =
  /(!?(?:(?![=<>])[^\s":|]+:[!=<>]*|={0,2}|[<>](?<=\|\s*!?[<>])[=>]?))"([^"]*)(?:"|$)|(\|(?=[\s"]|$)|(?<=")\|)|((?:(?!\|")\S)+)/g;

/** The terms that blanks part, as pieces with `|` between them. */
function splitTerms(typed: string): (readonly Piece[])[] {
  const terms: Piece[][] = [];
  const tokens = [...typed.matchAll(pieceForms)];
  let isJoined = false;
  for (const [at, [, head = '', phrase, bar, word = '']] of tokens.entries()) {
    if (bar !== undefined && !isJoined && terms.length > 0 && at < tokens.length - 1) {
      isJoined = true;
      continue;
    }
    const pieces = phrase === undefined ? readWord(bar ?? word) : readPhrase(head, phrase);
    const term = isJoined ? terms.at(-1) : undefined;
    if (term) {
      term.push(...pieces);
    } else if (pieces.length > 0) {
      terms.push([...pieces]);
    }
    isJoined = false;
  }
  return terms;
}

function readPhrase(head: string, phrase: string): readonly Piece[] {
  const [, not = '', field, signs = ''] = /^(!?)(?:([^:]+):)?([!=<>]*)$/.exec(head) ?? [];
  if (field !== undefined) {
    const text = phrase.trim();
    return [
      readField(not, field, signs + quote(text), { op: 'contains', text: `${field}:${text}` }),
    ];
  }
  return phrase.trim() === '' ? [] : [{ typed: head + quote(phrase) }];
}

/** The pieces of `field:a|b`; behind a sign, it is one. */
function readWord(word: string): readonly Piece[] {
  const isOne = /^!?(?:[^:|]+:)?!?[=<>]/.test(word);
  const [not = ''] = /^!?/.exec(word) ?? [];
  const parts = isOne ? [] : alternativesIn(word.slice(not.length));
  return parts.length > 1
    ? parts.map((part, at) => readAlternative(at === 0 ? not + part : part))
    : [readAlternative(word)];
}

function readAlternative(word: string): Piece {
  const [, not = '', field, value = ''] = /^(!?)([^:|!=<>][^:|]*):([^]*)$/.exec(word) ?? [];
  return field === undefined
    ? { typed: word }
    : readField(not, field, value, readText(`${field}:${value}`, { isAnywhere: true }));
}

/** @param anywhere the text that is typed if it is no field. */
function readField(not: string, field: string, value: string, anywhere: TextTest): Piece {
  // Any value contains an empty text.
  const typed = value === '' ? quote('') : value;
  // `!host:443` is no such address, either; `!field:` asks only for no value.
  const isAddress = !/^[!=<>]/.test(value) && !(not !== '' && typed === quote(''));
  return { field: field.toLowerCase(), typed: not + typed, ...(isAddress && { anywhere }) };
}

function quote(text: string): string {
  return `"${text}"`;
}

/** The conditions of a term, of which one must hold. */
function readTerm(pieces: readonly Piece[]): FilterTerm {
  const groups: Piece[] = [];
  for (const piece of pieces) {
    const before = groups.at(-1);
    if (before && piece.field === undefined) {
      groups[groups.length - 1] = { ...before, typed: before.typed + orSign + piece.typed };
    } else {
      groups.push(piece);
    }
  }
  return groups.flatMap(({ field, typed, anywhere }) =>
    parseConditions(typed, { isAnywhere: field === undefined }).map((condition, at) => ({
      ...condition,
      ...(field !== undefined && { field }),
      ...(at === 0 && anywhere && { anywhere }),
    })),
  );
}

/**
 * The condition that matches exactly this value, or all other values. It is quoted if it would be
 * parsed as something else.
 */
export function equalTo(text: string, sign: '==' | '!==' = '=='): string {
  const isPlain = text === text.trim() && text !== '' && !/^["=]|\s\|\s+[!=<>]|\|\s*"/.test(text);
  return sign + (isPlain ? text : quote(text));
}

/** The conditions that match any of these values; empty if there are none. */
export function equalToAny(texts: readonly string[]): string {
  return texts.map((text) => equalTo(text)).join(orSign);
}

/** The values of a filter that matches exactly these; `undefined` for other filters. */
export function exactValues(typed: string): readonly string[] | undefined {
  const conditions = parseConditions(typed);
  const texts = conditions.flatMap(({ isNegated, tests: [test] }) =>
    !isNegated && test?.op === 'exactly' ? [test.text] : [],
  );
  return texts.length > 0 && texts.length === conditions.length ? texts : undefined;
}

/** Whether `equalTo` can name a value: one may look like the end of its quotes. */
export function hasExactForm(text: string): boolean {
  const values = exactValues(equalTo(text));
  return values?.length === 1 && values[0] === text;
}

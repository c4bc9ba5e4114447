import { isSecretHeader, isSecretParameter, mask, mayBeSecretHeader } from './secretFields';

/*
 * The secrets in what was sent by HTTP, or came back: those of headers, as lines or in quotes, those of links and forms, and
 * those of commands of curl. All of it takes time in proportion to the text: what ends a value also begins the next one, so that few values
 * are within each other.
 */

/** From (inclusive) to (exclusive). */
type Range = readonly [from: number, to: number];

/** Masks the values of headers and parameters that are secret, and what links and commands of curl log in with. */
export function maskSent(text: string): string {
  const parts: string[] = [];
  let copiedTo = 0;
  const ranges = [
    ...secretsOfHeaders(text),
    ...secretsOfParameters(text),
    ...loginsOfLinks(text),
    ...secretsOfCurl(text),
  ];
  for (const [from, to] of ranges.sort(([one], [other]) => one - other)) {
    if (from >= copiedTo) {
      parts.push(text.slice(copiedTo, from), mask);
      copiedTo = to;
    }
  }
  return copiedTo === 0 ? text : parts.join('') + text.slice(copiedTo);
}

/**
 * The name of a header: at the beginning of a line, also where line breaks are escaped or those of HTML, behind blanks
 * or the signs of `curl -v`, behind a tab, or in quotes, alone or with its value. In texts within texts, quotes have
 * backslashes.
 */
const header =
  /(^|[\r\n\t]|\\[rn]|<br\s{0,4}\/?>|(?<slashes>\\{0,8})(?<open>["']))(?<indent>[ \t<>*]{0,32})(?<name>[a-z][\w-]{0,60})(\\{0,8}(?<close>["']))?(?=[ \t]*[:,])/gi;
const separator = /[ \t]*([:,])[ \t]*/y;

function secretsOfHeaders(text: string): Range[] {
  const secrets: Range[] = [];
  for (const found of text.matchAll(header)) {
    const { name = '', open, close, indent = '', slashes = '' } = found.groups ?? {};
    if (!mayBeSecretHeader(name)) {
      continue;
    }
    separator.lastIndex = found.index + found[0].length;
    const isPair = separator.exec(text)?.[1] === ',';
    const from = separator.lastIndex;
    const isQuotedName = open !== undefined && open === close;
    const values = (): readonly Range[] => {
      if (isPair) {
        return isQuotedName ? valueOfPair(text, found.index, from) : [];
      }
      if (isQuotedName) {
        return quotedValues(text, from);
      }
      return open !== undefined && close === undefined
        ? [[from, findQuote(text, from, { quote: open, slashes: slashes.length })]]
        : [[from, findHeaderEnd(text, from, { start: found[1] ?? '', indent })]];
    };
    secrets.push(
      ...values().filter(([start, end]) => isSecretHeader(name, text.slice(start, end))),
    );
  }
  return secrets;
}

const openingQuote = /(\\{0,8})(["'])/y;

/** The text in quotes at a position. */
function quotedValue(text: string, at: number): Range | undefined {
  openingQuote.lastIndex = at;
  const [, slashes = '', quote] = openingQuote.exec(text) ?? [];
  const from = openingQuote.lastIndex;
  return quote === undefined
    ? undefined
    : [from, findQuote(text, from, { quote, slashes: slashes.length })];
}

const inList = /\\{0,8}["'][ \t]*,[ \t]*/y;

/** The text in quotes at a position, or those of a list. */
function quotedValues(text: string, at: number): Range[] {
  const values: Range[] = [];
  const isList = text[at] === '[';
  let next: Range | undefined = quotedValue(text, isList ? at + 1 : at);
  while (next) {
    values.push(next);
    inList.lastIndex = next[1];
    next = isList && inList.test(text) ? quotedValue(text, inList.lastIndex) : undefined;
  }
  return values;
}

const endOfPair = /\\{0,8}["'][ \t]*[\])]/y;

/** The name of another header, in a list of names. */
const headerName = /^[A-Z][a-z]*(-[A-Z][A-Za-z]*)+$/;

/** The second text of two in brackets, such as `["Cookie", "a"]`, from where the first begins. */
function valueOfPair(text: string, before: number, at: number): Range[] {
  const value = /[[(]/.test(text[before - 1] ?? '') ? quotedValue(text, at) : undefined;
  endOfPair.lastIndex = value?.[1] ?? 0;
  return value && endOfPair.test(text) && !headerName.test(text.slice(...value)) ? [value] : [];
}

/** Where a text in quotes ends: before a quote that is not escaped within it, or else with its line. */
function findQuote(
  text: string,
  from: number,
  opening: { readonly quote: string; readonly slashes: number },
): number {
  let slashes = 0;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\') {
      slashes += 1;
      continue;
    }
    if (sign === '\r' || sign === '\n') {
      return at;
    }
    // Two backslashes are one that escapes nothing.
    const isEscaped = slashes > opening.slashes && (opening.slashes > 0 || slashes % 2 === 1);
    if (sign === opening.quote && !isEscaped) {
      return at - Math.min(slashes, opening.slashes);
    }
    slashes = 0;
  }
  return text.length;
}

const lineEnd = /[\r\n]|\\[rn]|<br\s{0,4}\/?>/gi;
const cellEnd = /[\r\n\t]|\\[rn]|<br\s{0,4}\/?>/gi;
const lineBreak = /\r\n?|\n|\\r(\\n)?|\\n/y;
const furtherIndent = /[ \t]+(?=[^ \t\r\n])/y;

/** Where the value of a header ends: a line that begins with more blanks goes on with it (RFC 9112, section 5.2). */
function findHeaderEnd(
  text: string,
  from: number,
  { start, indent }: { readonly start: string; readonly indent: string },
): number {
  const pattern = start === '\t' ? cellEnd : lineEnd;
  for (let at = from; ;) {
    pattern.lastIndex = at;
    const end = pattern.exec(text)?.index ?? text.length;
    lineBreak.lastIndex = end;
    const hasNext = lineBreak.test(text) && text.startsWith(indent, lineBreak.lastIndex);
    furtherIndent.lastIndex = lineBreak.lastIndex + indent.length;
    if (!hasNext || !furtherIndent.test(text)) {
      return end;
    }
    at = furtherIndent.lastIndex;
  }
}

/**
 * A parameter with its value, in a link or in the body of a form: at the beginning of a line or of quotes, or behind the
 * sign that begins parameters or divides them. In JSON, `&` may be escaped.
 */
const parameter =
  /(?<=^|[\r\n?&;"']|\\[rn]|\\u0026|&amp;)(?<name>[a-z][\w.%[\]-]{0,60})=(?<value>[^\s&;"'<>\\]+)/gi;

function secretsOfParameters(text: string): Range[] {
  return Array.from(text.matchAll(parameter)).flatMap(({ 0: all, index, groups }): Range[] => {
    const { name = '' } = groups ?? {};
    return isSecretParameter(name) ? [[index + name.length + 1, index + all.length]] : [];
  });
}

/** The password of a link with a user (RFC 3986, section 3.2.1). */
const login = /(?<=\/\/[^\s/?#@:"'\\]{0,100}:)[^\s/?#@"'\\]{1,200}(?=@)/g;

function loginsOfLinks(text: string): Range[] {
  return Array.from(text.matchAll(login), ({ 0: found, index }) => [index, index + found.length]);
}

/** Options of curl with a user and a password, cookies, a token, or a header without quotes. */
const curlOption =
  /(?<=\s)(?:(?<user>-[a-z]{0,6}u[ \t]*|--(proxy-)?user[ \t=]+)|(?<cookie>-[a-z]{0,6}b[ \t]*|--cookie[ \t=]+)|--oauth2-bearer[ \t=]+|(?<header>-H[ \t]*|--header[ \t=]+)(?<name>[\w-]{1,60}):)/gi;

function secretsOfCurl(text: string): Range[] {
  const at = text.search(/\bcurl\b/i);
  if (at < 0) {
    return [];
  }
  const secrets: Range[] = [];
  let doneTo = at;
  for (const { 0: option, index, groups } of text.slice(at).matchAll(curlOption)) {
    const from = at + index + option.length;
    // Nothing within a value is an option, and it is read once.
    if (from >= doneTo) {
      const value = valueOfOption(text, from);
      doneTo = value[1];
      if (isSecretOption(groups ?? {}, text.slice(...value))) {
        secrets.push(value);
      }
    }
  }
  return secrets;
}

/** @param names the groups of `curlOption`. */
function isSecretOption(
  names: Readonly<Record<string, string | undefined>>,
  value: string,
): boolean {
  const { user, cookie, name } = names;
  if (name !== undefined) {
    return isSecretHeader(name, value);
  }
  // For a user alone, curl asks for the password, and cookies without a sign are a file.
  const sign = user !== undefined ? ':' : cookie !== undefined ? '=' : '';
  return value !== '' && value.includes(sign);
}

const quoteSign = /[$^]?/y;

/** What a shell passes: a text in quotes, or a word. */
function valueOfOption(text: string, from: number): readonly [from: number, to: number] {
  quoteSign.lastIndex = from;
  quoteSign.test(text);
  return quotedValue(text, quoteSign.lastIndex) ?? [from, findWordEnd(text, from)];
}

/** Where a word of a command ends: before a blank that is not escaped. */
function findWordEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') {
      at += 1;
    } else if (/\s/.test(text[at] ?? '')) {
      return at;
    }
  }
  return text.length;
}

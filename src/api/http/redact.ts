import { plainText } from '../../base/text/plainText';
import { invisible } from '../../base/text/visibleText';

/**
 * A key of at least this length is replaced everywhere; a shorter key only if no letter or digit is next to
 * it.
 */
const minUniqueLength = 8;

/** The deepest level of an error's data that is included; nobody reads deeper ones. */
const maxDepth = 20;

/** How many times a text is decoded: JSON in JSON in an address has been seen. */
const maxLevels = 5;

/** `Token` and something that looks like a key: long, or with a digit. "Token expired" stays. */
const tokenScheme = /\b(Token|Bearer)\s+(?=[\w\-.~+/=]{20}|[\w\-.~+/=]*\d)[\w\-.~+/=]+/gi;

/** A run of characters that may be an address. Each character is read only once. */
const addressLike = /[^\s"'<>\\]+/g;

/**
 * Masks secrets. Every log line and every text of an error passes through it. It takes time in
 * proportion to the length of the text, because the service chooses the text. So no pattern here
 * may look at a character again for each character before it.
 */
export class Redactor {
  private readonly secrets = new Map<string, RegExp>();

  /** Adds a secret. Earlier secrets stay known, so that late log lines are covered too. */
  addSecret(secret: string): void {
    if (secret !== '' && !this.secrets.has(secret)) {
      this.secrets.set(secret, new RegExp(listForms(secret).join('|'), 'gi'));
    }
  }

  /** Whether a text contains a secret, in any form. */
  hasSecret(text: string): boolean {
    return this.secretRanges(text).length > 0;
  }

  /**
   * The text with every known secret, everything like `Token abc123`, and the query of every
   * address replaced by `***`. JSON stays JSON.
   */
  redact(text: string): string {
    let result = '';
    let end = 0;
    for (const range of this.secretRanges(text).sort((one, other) => one.start - other.start)) {
      if (range.start >= end) {
        result += `${text.slice(end, range.start)}***`;
      }
      end = Math.max(end, range.end);
    }
    result += text.slice(end);
    return result.replace(tokenScheme, '$1 ***').replace(addressLike, withoutQuery);
  }

  /** Where the secrets are in a text, and in what it decodes to. */
  private secretRanges(text: string, levels = maxLevels): Range[] {
    const found = [...this.secrets.values()].flatMap((pattern) =>
      Array.from(text.matchAll(pattern), ({ index, 0: { length } }) => ({
        start: index,
        end: index + length,
      })),
    );
    const decoded = this.secrets.size > 0 && levels > 0 ? decode(text) : undefined;
    if (decoded) {
      for (const { start, end } of this.secretRanges(decoded.text, levels - 1)) {
        found.push({ start: decoded.starts[start] ?? 0, end: decoded.ends[end - 1] ?? 0 });
      }
    }
    return found;
  }

  /**
   * Masks secrets in every string and every name of a JSON value; values that are nested too deeply are
   * left out.
   */
  redactDeep(value: unknown, levels = maxDepth): unknown {
    if (typeof value === 'string') {
      return this.redact(value);
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    if (levels === 0) {
      return undefined;
    }
    return Array.isArray(value)
      ? value.map((item) => this.redactDeep(item, levels - 1))
      : Object.fromEntries(
          Object.entries(value).map(([name, item]) => [
            this.redact(name),
            this.redactDeep(item, levels - 1),
          ]),
        );
  }
}

/**
 * A text of the service as one plain line without secrets; see plainText. The text is masked before it is
 * cut, because a cut could leave the start of a secret. It is masked again after characters that may have
 * hidden a secret were removed.
 */
export function maskedLine(
  text: string,
  redact: (text: string) => string,
  maxLength?: number,
): string {
  return plainText(redact(plainText(redact(text), Infinity)), maxLength);
}

/** Patterns for all forms of a secret that are not decoded: as it is, in base64, and in hexadecimal digits. */
function listForms(secret: string): string[] {
  const plain = secret.replace(/[^A-Za-z0-9]/g, '\\$&');
  return secret.length < minUniqueLength
    ? [`(?<![A-Za-z0-9])${plain}(?![A-Za-z0-9])`, ...base64FormsOf(`Token ${secret}`)]
    : [plain, ...base64FormsOf(secret), Buffer.from(secret).toString('hex')];
}

/**
 * Patterns for a text inside a longer one that is in base64 (RFC 4648 sections 4 and 5): it can begin at each
 * of the three bytes of a group. A character at its ends may contain bits of its neighbors.
 */
function base64FormsOf(secret: string): string[] {
  const any = '[A-Za-z0-9+/_-]';
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + secret);
    const sure = bytes
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6))
      .replaceAll('+', '[+-]')
      .replaceAll('/', '[/_]');
    return `${before > 0 ? any : ''}${sure}${bytes.length % 3 > 0 ? any : ''}={0,2}`;
  });
}

/** A part of a text: from `start` to before `end`. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** HTML's names of printable ASCII characters that are neither letters nor digits, each with its character. */
const htmlNames = new Map(
  `amp& apos' ast* bsol\\ colon: comma, commat@ dollar$ equals= excl! grave\` gt> hat^ lbrace{ lbrack[ lcub{
  lowbar_ lpar( lsqb[ lt< midast* num# percnt% period. plus+ quest? quot" rbrace} rbrack] rcub} rpar) rsqb] semi;
  sol/ verbar| vert|`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)]),
);

/** The hexadecimal forms of one escape: of JSON and programs, of addresses, and of HTML. */
const hexadecimal = [
  /\\u\{([\da-f]{1,6})\}/,
  /[\\%]u([\da-f]{4})/,
  /(?:\\x|%)([\da-f]{2})/,
  /&#x([\da-f]{1,6});?/,
];
const otherEscapes = [/&#(\d{1,7});?/, /&([a-z]{2,6});/, /\\([^])/];

/** One escape, or invisible characters, which can stand between any two others. */
const escape = new RegExp(
  [...hexadecimal, ...otherEscapes, invisible].map(({ source }) => source).join('|'),
  'giu',
);

/** A text with each escape decoded once, and where each of its characters was before. */
interface DecodedText {
  readonly text: string;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Decodes each escape of a text once. @returns `undefined` if there is none. */
function decode(text: string): DecodedText | undefined {
  if (text.search(escape) < 0) {
    return undefined;
  }
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let decoded = '';
  let end = 0;
  const copyUntil = (next: number) => {
    const copied = text.slice(end, next);
    for (let length = decoded.length; end < next; length += 1) {
      starts[length] = end;
      ends[length] = end += 1;
    }
    decoded += copied;
  };
  for (const match of text.matchAll(escape)) {
    const character = decodedEscape(match);
    if (character !== undefined) {
      copyUntil(match.index);
      end += match[0].length;
      starts[decoded.length] = match.index;
      ends[decoded.length] = end;
      decoded += character;
    }
  }
  copyUntil(text.length);
  return { text: decoded, starts, ends };
}

/** The character of an escape, one UTF-16 unit; empty for invisible ones, `undefined` for an unknown name. */
function decodedEscape(match: RegExpExecArray): string | undefined {
  const groups: readonly (string | undefined)[] = match.slice(1);
  const hex = groups.slice(0, hexadecimal.length).find((group) => group !== undefined);
  const [decimal, name, escaped] = groups.slice(hexadecimal.length);
  if (hex !== undefined || decimal !== undefined) {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0xffff ? '\ufffd' : String.fromCharCode(code);
  }
  // The first half of a pair is enough: no secret contains one.
  return name === undefined ? (escaped?.charAt(0) ?? '') : htmlNames.get(name.toLowerCase());
}

/** Masks the query of an address or path: the query of a signed storage address gives access to its file. */
function withoutQuery(text: string): string {
  const path = text.indexOf('/');
  const query = path < 0 ? -1 : text.indexOf('?', path);
  return query < 0 || !text.includes('=', query) ? text : `${text.slice(0, query)}?***`;
}

import { invisible } from '../../base/text/plainText';

/** A part of a text: from `start` to before `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** HTML's names of printable ASCII characters that are neither letters nor digits. */
const htmlNames = new Map(
  Object.entries({
    amp: '&',
    apos: "'",
    ast: '*',
    bsol: '\\',
    colon: ':',
    comma: ',',
    commat: '@',
    dollar: '$',
    equals: '=',
    excl: '!',
    grave: '`',
    gt: '>',
    hat: '^',
    lbrace: '{',
    lbrack: '[',
    lcub: '{',
    lowbar: '_',
    lpar: '(',
    lsqb: '[',
    lt: '<',
    midast: '*',
    num: '#',
    percnt: '%',
    period: '.',
    plus: '+',
    quest: '?',
    quot: '"',
    rbrace: '}',
    rbrack: ']',
    rcub: '}',
    rpar: ')',
    rsqb: ']',
    semi: ';',
    sol: '/',
    verbar: '|',
    vert: '|',
  }),
);

/** The forms of one escape: of JSON and programs, of addresses, and of HTML. */
const hexadecimal = [
  /\\u\{([0-9a-f]{1,6})\}/,
  /\\u([0-9a-f]{4})/,
  /\\x([0-9a-f]{2})/,
  /%([0-9a-f]{2})/,
  /%u([0-9a-f]{4})/,
  /&#x([0-9a-f]{1,6});?/,
];
const decimal = /&#(\d{1,7});?/;
const named = /&([a-z]{2,6});/;
const afterBackslash = /\\([^])/;

/** One escape, or invisible characters, which can stand between any two others. */
const escape = new RegExp(
  [...hexadecimal, decimal, named, afterBackslash, invisible].map(({ source }) => source).join('|'),
  'giu',
);

/** A text that was decoded several times, and where each of its characters was in the first text. */
export class DecodedText {
  /** @param source the ranges of the characters in the first text; absent for the first text itself. */
  constructor(
    readonly text: string,
    private readonly source?: { readonly starts: Uint32Array; readonly ends: Uint32Array },
  ) {}

  /** Where a part of this text was in the first text. */
  rangeOf(start: number, end: number): Range {
    return { start: this.source?.starts[start] ?? start, end: this.source?.ends[end - 1] ?? end };
  }

  /** Decodes each escape once. @returns `undefined` if there is none. */
  decode(): DecodedText | undefined {
    const { text, source } = this;
    if (text.search(escape) < 0) {
      return undefined;
    }
    const starts = new Uint32Array(text.length);
    const ends = new Uint32Array(text.length);
    const parts: string[] = [];
    let length = 0;
    let end = 0;
    const add = (from: number, to: number) => {
      starts[length] = source?.starts[from] ?? from;
      ends[length] = source?.ends[to - 1] ?? to;
      length += 1;
    };
    const copyUntil = (next: number) => {
      parts.push(text.slice(end, next));
      for (; end < next; end += 1) {
        add(end, end + 1);
      }
    };
    for (const match of text.matchAll(escape)) {
      const character = decodedEscape(match);
      if (character !== undefined) {
        copyUntil(match.index);
        end = match.index + match[0].length;
        if (character !== '') {
          parts.push(character);
          add(match.index, end);
        }
      }
    }
    copyUntil(text.length);
    return new DecodedText(parts.join(''), { starts, ends });
  }
}

/** The character of an escape, one UTF-16 unit; empty for invisible ones, `undefined` for an unknown name. */
function decodedEscape(match: RegExpExecArray): string | undefined {
  const groups: readonly (string | undefined)[] = match.slice(1);
  const hex = groups.slice(0, hexadecimal.length).find((group) => group !== undefined);
  const [number, name, escaped] = groups.slice(hexadecimal.length);
  if (hex !== undefined || number !== undefined) {
    const code = Number.parseInt(hex ?? number ?? '', hex === undefined ? 10 : 16);
    return code > 0xffff ? '\ufffd' : String.fromCharCode(code);
  }
  // The first half of a pair is enough: no secret contains one.
  return name === undefined ? (escaped?.charAt(0) ?? '') : htmlNames.get(name.toLowerCase());
}

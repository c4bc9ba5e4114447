import { containsSecretWord, isSecretField, mask } from '../../base/json/secretFields';
import { JsonSyntax } from './jsonSyntax';

/**
 * Masks the values of secret-like members in JSON, at any depth. Everything else stays as written,
 * with all digits of numbers. Truncated or invalid text with a secret-like word is masked
 * completely, because it is unknown which part is the value.
 */
export function maskJson(text: string): string {
  return new SecretMembers().masked(text) ?? (containsSecretWord(unescaped(text)) ? mask : text);
}

/** Like `maskJson`, for text that may be JSON, such as a CSV field with nested values. */
export function maskField(text: string): string {
  return /^\s*[{[]/.test(text)
    ? (new SecretMembers().masked(text) ?? (/^[\s{[]*"/.test(text) ? maskJson(text) : text))
    : text;
}

/** How many lines before a line may have the name of its value, in pretty-printed JSON. */
const maxLinesBack = 50;

/**
 * Whether a line is a value, or part of one, whose secret-like name is on an earlier line: each
 * line of pretty-printed JSON is a record.
 * @param before returns the line this many lines before; `undefined` before the first.
 */
export function isBelowSecretName(
  line: string,
  before: (lines: number) => string | undefined,
): boolean {
  let text: string | undefined = line;
  for (let back = 1; back <= maxLinesBack && text !== undefined; back += 1) {
    if (/"\s*:|^\s*[{}\]]/.test(text)) {
      // The line has a name itself, or ends the value.
      return false;
    }
    text = before(back);
    const name = /("(?:[^"\\]|\\.)*")\s*:\s*\[?\s*$/.exec(text ?? '')?.[1];
    if (name !== undefined) {
      return isSecretField(nameOf(name));
    }
  }
  // The name is too far away to look for. Items of a list have commas between them; separate
  // records do not.
  return text !== undefined && [line, before(1)].some((each) => /,\s*$/.test(each ?? ''));
}

function nameOf(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}

class SecretMembers extends JsonSyntax {
  /** @returns `undefined` if the text is not JSON. */
  masked(text: string): string | undefined {
    const bytes = Buffer.from(text);
    this.begin(bytes, bytes.length);
    const end = this.skip(this.skipWhitespace(0));
    if (end < 0 || this.skipWhitespace(end) !== this.to) {
      return undefined;
    }
    const parts: string[] = [];
    let copiedTo = 0;
    for (let at = bytes.indexOf(quote); at >= 0; at = bytes.indexOf(quote, at)) {
      const stop = this.text(at);
      const colon = this.skipWhitespace(stop);
      if (colon >= this.to || bytes[colon] !== 0x3a) {
        // A value, not a name.
        at = stop;
        continue;
      }
      const name = JSON.parse(bytes.toString('utf8', at, stop)) as string;
      at = this.skipWhitespace(colon + 1);
      if (isSecretField(name)) {
        const from = at;
        at = this.skip(from);
        if (!/^(null|"")$/.test(bytes.toString('latin1', from, Math.min(at, from + 5)))) {
          parts.push(bytes.toString('utf8', copiedTo, from), `"${mask}"`);
          copiedTo = at;
        }
      }
    }
    return copiedTo === 0 ? text : parts.join('') + bytes.toString('utf8', copiedTo);
  }
}

const quote = 0x22;

/** Names may be written with escapes. */
function unescaped(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) =>
    String.fromCharCode(parseInt(digits, 16)),
  );
}

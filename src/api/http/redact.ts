import { plainText } from '../../base/text/plainText';
import { DecodedText, type Range } from './decodedText';

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
      this.secrets.set(secret, new RegExp(formsOf(secret).join('|'), 'gi'));
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
    for (const range of this.secretRanges(text)) {
      if (range.start >= end) {
        result += `${text.slice(end, range.start)}***`;
      }
      end = Math.max(end, range.end);
    }
    result += text.slice(end);
    return result.replace(tokenScheme, '$1 ***').replace(addressLike, withoutQuery);
  }

  /** Where the secrets are in a text, by their start. They are searched in the text and in what it decodes to. */
  private secretRanges(text: string): Range[] {
    const ranges: Range[] = [];
    if (this.secrets.size === 0) {
      return ranges;
    }
    for (let decoded = new DecodedText(text), level = 0; ; level += 1) {
      for (const pattern of this.secrets.values()) {
        for (const { index, 0: found } of decoded.text.matchAll(pattern)) {
          ranges.push(decoded.rangeOf(index, index + found.length));
        }
      }
      const next = level < maxLevels ? decoded.decode() : undefined;
      if (!next) {
        return ranges.sort((first, second) => first.start - second.start);
      }
      decoded = next;
    }
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
function formsOf(secret: string): string[] {
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

/** Masks the query of an address or path: the query of a signed storage address gives access to its file. */
function withoutQuery(text: string): string {
  const path = text.indexOf('/');
  const query = path < 0 ? -1 : text.indexOf('?', path);
  return query < 0 || !text.includes('=', query) ? text : `${text.slice(0, query)}?***`;
}

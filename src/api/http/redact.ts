import { plainText } from '../../base/text/plainText';

/**
 * A key of at least this length is replaced everywhere; a shorter key only if no letter or digit is next to
 * it.
 */
const minUniqueLength = 8;

/** The deepest level of an error's data that is included; nobody reads deeper ones. */
const maxLevels = 20;

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
      const forms = secret.replace(/\\*[^\\]|\\+$/g, formsOf);
      this.secrets.set(
        secret,
        secret.length >= minUniqueLength
          ? new RegExp(forms, 'gi')
          : new RegExp(`(?<![A-Za-z0-9])${forms}(?![A-Za-z0-9])`, 'gi'),
      );
    }
  }

  /**
   * The text with every known secret, everything like `Token abc123`, and the query of every
   * address replaced by `***`. JSON stays JSON.
   */
  redact(text: string): string {
    let result = text;
    for (const pattern of this.secrets.values()) {
      result = result.replace(pattern, '***');
    }
    return result.replace(tokenScheme, '$1 ***').replace(addressLike, withoutQuery);
  }

  /**
   * Masks secrets in every string and every name of a JSON value; values that are nested too deeply are
   * left out.
   */
  redactDeep(value: unknown, levels = maxLevels): unknown {
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

/**
 * A pattern for all forms of a part of a secret: as it is, in a JSON string (or in a JSON string inside
 * another one), and in an address. A part is a character with all backslashes in front of it. If each
 * backslash were a part, every one of them would double the number of combinations.
 */
function formsOf(part: string): string {
  const backslashes = part.lastIndexOf('\\') + 1;
  const character = part.slice(backslashes);
  if (character === '') {
    return `(?:\\\\{${backslashes},${4 * backslashes}}|(?:%5c){${backslashes}})`;
  }
  const literal = character.replace(/[^A-Za-z0-9]/, '\\$&');
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  if (backslashes > 0) {
    const escapes = `\\\\{${backslashes},${4 * backslashes + 3}}`;
    return `(?:${escapes}(?:${literal}|u00${hex})|(?:%5c){${backslashes}}(?:${literal}|%${hex}))`;
  }
  const escaped = literal === character ? '' : `|\\\\{1,3}${literal}`;
  return `(?:${literal}${escaped}|\\\\{1,3}u00${hex}|%${hex})`;
}

/** Masks the query of an address or path: the query of a signed storage address gives access to its file. */
function withoutQuery(text: string): string {
  const path = text.indexOf('/');
  const query = path < 0 ? -1 : text.indexOf('?', path);
  return query < 0 || !text.includes('=', query) ? text : `${text.slice(0, query)}?***`;
}

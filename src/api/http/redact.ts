import { invisible, plainText } from '../../base/text/plainText';

/**
 * A key of at least this length is replaced everywhere; a shorter key only if no letter or digit is next to
 * it.
 */
const minUniqueLength = 8;

/** The deepest level of an error's data that is included; nobody reads deeper ones. */
const maxDepth = 20;

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
      this.secrets.set(secret, new RegExp(formsOf(secret).join('|'), 'giu'));
    }
  }

  /** Whether a text contains a secret, in any form. */
  hasSecret(text: string): boolean {
    return [...this.secrets.values()].some((pattern) => text.search(pattern) >= 0);
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

/** Patterns for all forms of a secret: as it is, escaped, in base64, and in hexadecimal digits. */
function formsOf(secret: string): string[] {
  const plain = sequenceOf(secret);
  return secret.length < minUniqueLength
    ? [`(?<![A-Za-z0-9])${plain}(?![A-Za-z0-9])`, ...base64FormsOf(`Token ${secret}`)]
    : [plain, ...base64FormsOf(secret), Buffer.from(secret).toString('hex')];
}

/** A pattern for a text whose characters may be escaped, and with invisible characters between them. */
function sequenceOf(text: string): string {
  const parts = text.match(/\\+|[^\\]/g) ?? [];
  return parts
    .map((part, index) => {
      const { length } = part;
      if (part.startsWith('\\')) {
        // Also where each is escaped by another one, again and again.
        return `(?:(?<!\\\\)\\\\{${length},${length * mostEscapes}}|${escapesOf('\\')}{${length}})`;
      }
      const isQuotable = index > 0 && !parts[index - 1]?.startsWith('\\');
      const quotes = isQuotable ? `\\\\{0,${mostEscapes}}` : '';
      return `(?:${quotes}${literal(part)}|${escapesOf(part)})`;
    })
    .join(`(?:${invisible.source})?`);
}

/** How often an escape may be escaped itself: JSON in JSON in an address has been seen. */
const mostEscapes = 16;

/** A pattern for the escapes of a character: of JSON and programs, of addresses, and of HTML. */
function escapesOf(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  const name = htmlNames[character];
  return `(?:${[
    `(?<!\\\\)\\\\{1,${mostEscapes}}(?:u00${hex}|u\\{0{0,4}${hex}\\}|x${hex})`,
    `%(?:25){0,${mostEscapes}}(?:u00)?${hex}`,
    `&(?:amp;){0,${mostEscapes}}(?:#x0{0,4}${hex}|#0{0,4}${code}${name === undefined ? '' : `|${name}`});?`,
  ].join('|')})`;
}

/** HTML's names of the characters that must be escaped there. */
const htmlNames: Readonly<Record<string, string>> = {
  '&': 'amp',
  "'": 'apos',
  '"': 'quot',
  '<': 'lt',
  '>': 'gt',
};

function literal(character: string): string {
  return `\\u{${character.charCodeAt(0).toString(16)}}`;
}

/**
 * Patterns for a text inside a longer one that is in base64 (RFC 4648 sections 4 and 5): it can begin at each
 * of the three bytes of a group. A character at its ends may contain bits of its neighbors.
 */
function base64FormsOf(secret: string): string[] {
  const any = '(?:[A-Za-z0-9+/_-]|%2[BF])';
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + secret);
    const sure = bytes
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    const characters = Array.from(sure, (character) => {
      const plain = { '+': '[+\\-]', '/': '[/_]' }[character] ?? character;
      return `(?:${plain}|${escapesOf(character)})`;
    });
    return `${before > 0 ? any : ''}${characters.join('')}${bytes.length % 3 > 0 ? any : ''}(?:=|%3D){0,2}`;
  });
}

/** Masks the query of an address or path: the query of a signed storage address gives access to its file. */
function withoutQuery(text: string): string {
  const path = text.indexOf('/');
  const query = path < 0 ? -1 : text.indexOf('?', path);
  return query < 0 || !text.includes('=', query) ? text : `${text.slice(0, query)}?***`;
}

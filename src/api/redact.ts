/** A key this long is replaced wherever it stands; a shorter one only where it stands alone. */
const surelyUnique = 8;

/** `Token` and something that looks like a key: long, or with a digit. "Token expired" stays. */
const tokenScheme = /\b(Token|Bearer)\s+(?=[\w\-.~+/=]{20}|[\w\-.~+/=]*\d)[\w\-.~+/=]+/gi;

/** The query of an address: where storage is signed, it opens what the address names. */
const query = /(\/[^\s?"'<>\\]*)\?[^\s"'<>\\]*=[^\s"'<>\\]*/g;

/** Masks secrets; every log line and every text of an error passes it. */
export class Redactor {
  private readonly secrets = new Map<string, RegExp>();

  /** Remembers a secret; those it already knows stay known, so that late lines are covered too. */
  learn(secret: string): void {
    if (secret !== '' && !this.secrets.has(secret)) {
      const literal = secret.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
      this.secrets.set(
        secret,
        secret.length >= surelyUnique
          ? new RegExp(literal, 'g')
          : new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, 'g'),
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
    return result.replace(tokenScheme, '$1 ***').replace(query, '$1?***');
  }
}

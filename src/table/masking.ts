import type { JsonValue } from '../common/json';
import { isSecretField, mask, maskSecrets } from '../common/secretFields';

/** Longer texts of JSON are not parsed to be masked; they are masked as text. */
const maxParsed = 1024 ** 2;

const member = /"((?:[^"\\]|\\.)*)"(\s*:\s*)(?:"(?:[^"\\]|\\.)*(?:"|$)|([{[])|[^\s,{}[\]"]+)/gs;

/**
 * Masks the values of secret-like members, at any depth, in a text of JSON, which may be cut off or
 * wrong. A text without such members comes back as it is, with all digits of its numbers.
 */
export function maskJson(text: string): string {
  if (!hasSecret(text)) {
    return text;
  }
  if (text.length <= maxParsed) {
    try {
      const value = JSON.parse(text) as JsonValue;
      return JSON.stringify(maskSecrets({ value }).value);
    } catch {
      // No JSON as a whole: masked as text.
    }
  }
  let end = text.length;
  const masked = text.replace(
    member,
    (all: string, name: string, colon: string, opening: string | undefined, at: number) => {
      if (at >= end || !isSecret(name)) {
        return all;
      }
      if (opening !== undefined) {
        // Where the value ends is not known for sure, so nothing behind it is shown.
        end = Math.min(end, at);
      }
      return `"${name}"${colon}"${mask}"`;
    },
  );
  return end < text.length ? masked.slice(0, masked.indexOf(mask, end) + mask.length) : masked;
}

function hasSecret(text: string): boolean {
  for (const [, name = ''] of text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:/gs)) {
    if (isSecret(name)) {
      return true;
    }
  }
  return false;
}

/** Names may be written with escapes. */
function isSecret(name: string): boolean {
  try {
    return isSecretField(name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name);
  } catch {
    return isSecretField(name);
  }
}

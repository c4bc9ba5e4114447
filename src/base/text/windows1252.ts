import { isUtf8 } from 'node:buffer';

/** Bytes that Windows-1252 does not have. */
const missing = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
const whiteSpace = new Set([0x09, 0x0a, 0x0d]);
/** In languages of Windows-1252, most letters are those of ASCII; in other encodings, words have more bytes above it. */
const maxRun = 2;
/** From the first byte above ASCII, so many show the encoding. In more, some rare word has three such letters. */
const wordBytes = 64 * 1024;

/** By how many bytes follow it, the first bytes of characters of UTF-8. */
const firstBytes = [
  [0xc2, 0xdf],
  [0xe0, 0xef],
  [0xf0, 0xf4],
] as const;

interface TextExtent {
  /** Whether the text goes on after the bytes, perhaps within a character. */
  readonly isCut?: boolean;
}

/**
 * Whether a text that is not UTF-8 is most likely Windows-1252, by its first bytes: all of them are printable there,
 * those above ASCII stand alone or in twos, and none of these are a character of UTF-8. A few damaged characters in
 * UTF-8 are beside others that are not, and Cyrillic or Chinese words are longer. Other encodings of the Latin script
 * may look the same, so this is a guess.
 */
export function isWindows1252(bytes: Uint8Array, { isCut = false }: TextExtent = {}): boolean {
  const whole = isCut ? withoutCutCharacter(bytes) : bytes;
  if (isUtf8(whole)) {
    return false;
  }
  const first = whole.findIndex((byte) => byte >= 0x80);
  return (
    first >= 0 && hasItsWords(whole.subarray(0, first + wordBytes)) && !hasCharacterOfUtf8(whole)
  );
}

/** The bytes without the beginning of a character of UTF-8 at their end. */
export function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  for (let length = 1; length <= 3; length += 1) {
    const following = countFollowing(bytes.at(-length));
    if (following > 0) {
      return length <= following ? bytes.subarray(0, -length) : bytes;
    }
  }
  return bytes;
}

function hasItsWords(bytes: Uint8Array): boolean {
  let run = 0;
  for (const byte of bytes) {
    run = byte < 0x80 ? 0 : run + 1;
    const isControl = byte === 0x7f || (byte < 0x20 && !whiteSpace.has(byte));
    if (run > maxRun || isControl || missing.has(byte)) {
      return false;
    }
  }
  return true;
}

function hasCharacterOfUtf8(bytes: Uint8Array): boolean {
  return bytes.some((byte, at) => {
    const following = byte < 0x80 ? 0 : countFollowing(byte);
    return following > 0 && isFollowed(bytes.subarray(at + 1, at + 1 + following), following);
  });
}

function isFollowed(bytes: Uint8Array, count: number): boolean {
  return bytes.length === count && bytes.every((byte) => byte >= 0x80 && byte <= 0xbf);
}

/** How many bytes follow the first one of a character of UTF-8; 0 if it is none, or follows itself. */
function countFollowing(byte = 0): number {
  return firstBytes.findIndex(([from, to]) => byte >= from && byte <= to) + 1;
}

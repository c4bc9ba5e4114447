/** Bytes that Windows-1252 does not have. */
const missing = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
const whiteSpace = new Set([0x09, 0x0a, 0x0d]);
/** In languages of Windows-1252, most letters are those of ASCII; in other encodings, words have more bytes above it. */
const maxRun = 2;

/**
 * Whether a text that is not UTF-8 is certainly Windows-1252, by some of its bytes: all of them are printable there,
 * those above ASCII stand alone or in twos, and none of these are a character of UTF-8. A few damaged characters in
 * UTF-8 are beside others that are not, and Cyrillic or Chinese words are longer.
 */
export function isWindows1252(bytes: Uint8Array): boolean {
  let run: number[] = [];
  let isFound = false;
  for (const byte of bytes) {
    if (byte >= 0x80) {
      run.push(byte);
      isFound = true;
      if (run.length > maxRun || missing.has(byte) || isCharacter(run)) {
        return false;
      }
      continue;
    }
    if (byte === 0x7f || (byte < 0x20 && !whiteSpace.has(byte))) {
      return false;
    }
    run = [];
  }
  return isFound;
}

/** Whether two bytes are a character of UTF-8. */
function isCharacter([first = 0, second = 0]: readonly number[]): boolean {
  return first >= 0xc2 && first <= 0xdf && second >= 0x80 && second <= 0xbf;
}

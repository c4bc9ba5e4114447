/** The encodings that bytes can show to be theirs. The names are those of `TextDecoder`, which lacks UTF-32. */
export type UnicodeEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32';

/** How many of the first bytes are searched for the NULs of UTF-16. VS Code searches as many. */
const searchedBytes = 512;

export function markedEncoding(bytes: Uint8Array): UnicodeEncoding | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) {
    return third === 0 && fourth === 0 ? 'utf-32' : 'utf-16le';
  }
  if (first === 0xfe && second === 0xff) {
    return 'utf-16be';
  }
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff) {
    return 'utf-32';
  }
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

interface TextExtent {
  /** Whether the bytes are the whole text, which cannot end within a character. */
  readonly isWhole?: boolean;
}

/**
 * The encoding of a text by its first bytes; `undefined` if it is none of Unicode.
 */
export function detectUnicode(head: Uint8Array, options?: TextExtent): UnicodeEncoding | undefined {
  return markedEncoding(head) ?? detect16(head) ?? (isUtf8(head, options) ? 'utf-8' : undefined);
}

/** UTF-16 without a mark is known by NULs, which are then bytes of Latin letters, digits and line ends. */
function detect16(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const searched = head.subarray(0, searchedBytes);
  let even = 0;
  let odd = 0;
  for (const [at, byte] of searched.entries()) {
    even += byte === 0 && at % 2 === 0 ? 1 : 0;
    odd += byte === 0 && at % 2 === 1 ? 1 : 0;
  }
  const count = even + odd;
  const characters = Math.floor(searched.length / 2);
  const encoding = odd > even ? 'utf-16le' : 'utf-16be';
  const fewer = Math.min(even, odd);
  // No text in UTF-8 has so many NULs, and they are in one half of nearly all characters.
  if (count * 3 >= searched.length && fewer * 8 <= count && (characters > 1 || count > 1)) {
    return encoding;
  }
  // By chance, some bytes of another file lie so, too.
  if (fewer > 0 || count < Math.max(2, characters / 32)) {
    return undefined;
  }
  // A UTF-8 text may contain NULs. Bytes that no such text has show that it is none.
  return isPlainText(searched.filter((byte) => byte !== 0)) ? undefined : encoding;
}

/** Whether bytes are UTF-8 without control characters other than white space. */
function isPlainText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && bytes.every((byte) => byte >= 0x20 || [0x09, 0x0a, 0x0d].includes(byte));
}

function isUtf8(bytes: Uint8Array, { isWhole = false }: TextExtent = {}): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
    return true;
  } catch {
    return false;
  }
}

/** So many zero bytes in a row are padding. */
const paddingBytes = 32;

/**
 * Whether bytes without a mark may be text. A text may have zero bytes, but not many in a row, as
 * padding has them; and what has zero bytes and is not UTF-8 is no text.
 */
export function mayBeText(head: Uint8Array): boolean {
  if (!head.includes(0)) {
    return true;
  }
  const controls = head.reduce((count, byte) => count + (byte < 0x09 ? 1 : 0), 0);
  return !hasPadding(head) && controls * 3 < head.length && isUtf8(head);
}

function hasPadding(head: Uint8Array): boolean {
  let zeros = 0;
  return head.some((byte) => {
    zeros = byte === 0 ? zeros + 1 : 0;
    return zeros === paddingBytes;
  });
}

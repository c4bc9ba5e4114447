import { equalMask, prefixXor } from '../blocks';
import { backslash, openBrace, quote } from './jsonSyntax';

/*
 * JSON in blocks of 64 bytes: which of them are brackets, commas or other bytes outside of texts. A
 * search reads blocks one after another; each continues the text that may be open after the last one.
 */

/** After the last block that was read: all bits if a text is open. */
export let inText: u64 = 0;
/** After the last block that was read: 1 if its last byte is a backslash that escapes the next byte. */
export let isEscaped: u64 = 0;

/**
 * Continues where another search has stopped.
 * @inline
 */
export function continueText(text: u64, escaped: u64): void {
  inText = text;
  isEscaped = escaped;
}

/**
 * The last block that was read; 0 if none. Short records share blocks: a record that starts in it
 * does not read it again.
 */
export let blockAt: usize = 0;
/** Its brackets outside of texts, and the commas or separators. */
export let blockOpens: u64 = 0;
export let blockCloses: u64 = 0;
export let blockOthers: u64 = 0;

/** Call it before the bytes of the last search may have changed. */
export function forgetBlock(): void {
  blockAt = 0;
}

/** @inline */
export function isInBlock(at: usize): bool {
  return at - blockAt < 64;
}

/**
 * Reads the block at a position, unless it is in the last one. Returns where it starts.
 * @inline
 */
export function blockOf(at: usize, to: usize, other: u8): usize {
  if (!isInBlock(at)) {
    readBlock(at, to, other);
  }
  return blockAt;
}

export function readBlock(at: usize, to: usize, other: u8): void {
  const a = v128.load(at);
  const b = v128.load(at, 16);
  const c = v128.load(at, 32);
  const d = v128.load(at, 48);
  const length = min(to - at, 64) as u64;
  const valid = ~(0 as u64) >> (64 - length);
  const quotes = equalMask(a, b, c, d, i8x16.splat(quote as i8)) & valid;
  const slashes = equalMask(a, b, c, d, i8x16.splat(backslash as i8)) & valid;
  const outside = ~insideTexts(quotes, slashes, length) & valid;
  // This makes brackets equal to braces, and no other bytes.
  const lower = i8x16.splat(0x20);
  const e = v128.or(a, lower);
  const f = v128.or(b, lower);
  const g = v128.or(c, lower);
  const h = v128.or(d, lower);
  blockOpens = equalMask(e, f, g, h, i8x16.splat(openBrace as i8)) & outside;
  blockCloses = equalMask(e, f, g, h, i8x16.splat((openBrace + 2) as i8)) & outside;
  blockOthers = equalMask(a, b, c, d, i8x16.splat(other as i8)) & outside;
  blockAt = at;
}

const evenBits: u64 = 0x5555_5555_5555_5555;

/**
 * The bytes of a block that are inside of texts, with the opening quotes, and not the closing ones.
 * Continues the last block, and sets `inText` and `isEscaped`.
 *
 * @param length the number of bytes of the block, from 1 to 64.
 */
function insideTexts(quotes: u64, slashes: u64, length: u64): u64 {
  let escaping: u64 = 0;
  let escaped: u64 = isEscaped;
  if (slashes != 0) {
    // In each run of backslashes, the first one escapes the second one, the third one the fourth
    // one, and the last one of an odd number what follows. An addition to the first bit of a run
    // carries through all of it, which tells the runs that start at even bits from the others.
    const free = slashes & ~isEscaped;
    const starts = free & ~(free << 1);
    const fromEven = free & ~(free + (starts & evenBits));
    escaping = (fromEven & evenBits) | (free & ~fromEven & ~evenBits);
    escaped |= escaping << 1;
  }
  const inside = prefixXor(quotes & ~escaped) ^ inText;
  if ((slashes & ~inside) != 0) {
    // Outside of texts, which is never valid, a backslash escapes nothing.
    return insideByByte(quotes, slashes, length);
  }
  inText = ((inside as i64) >> 63) as u64;
  isEscaped = (escaping >> (length - 1)) & 1;
  return inside;
}

function insideByByte(quotes: u64, slashes: u64, length: u64): u64 {
  let inside: u64 = 0;
  for (let at: u64 = 0; at < length; at += 1) {
    const isQuote = ((quotes >> at) & 1) != 0;
    if (inText == 0) {
      inText = isQuote ? ~(0 as u64) : 0;
    } else if (isEscaped != 0) {
      isEscaped = 0;
    } else if (isQuote) {
      inText = 0;
    } else {
      isEscaped = (slashes >> at) & 1;
    }
    inside |= (inText & 1) << at;
  }
  return inside;
}

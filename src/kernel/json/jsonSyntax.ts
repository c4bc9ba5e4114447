import { hasEscapes } from '../reader';

/*
 * The syntax of JSON (RFC 8259), exactly as strict as `JSON.parse`; whether bytes are UTF-8 is not
 * checked here. `to` is the end of the record. Functions return the position after what they read,
 * or 0 if it is not there or does not end before `to`. They may read some bytes after `to`, but no
 * loop goes on there.
 */

export const quote: u8 = 0x22;
export const comma: u8 = 0x2c;
export const colon: u8 = 0x3a;
export const openBracket: u8 = 0x5b;
export const backslash: u8 = 0x5c;
export const closeBracket: u8 = 0x5d;
export const openBrace: u8 = 0x7b;
export const closeBrace: u8 = 0x7d;

/** An address without the flag `hasEscapes`. */
export const addressBits: usize = ~(hasEscapes as usize);

/**
 * Whether a byte opens an object or an array. The bit in which a brace differs from a bracket makes
 * both equal; no other byte is equal then.
 * @inline
 */
export function opens(byte: u8): bool {
  return (byte | 0x20) == openBrace;
}

/** @inline */
export function isBlank(byte: u8): bool {
  return byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09;
}

/**
 * The position of the first byte from `from` that is no whitespace (RFC 8259 section 2), or at least
 * `to`.
 * @inline
 */
export function afterBlanks(from: usize, to: usize): usize {
  return load<u8>(from) > 0x20 ? from : afterSomeBlanks(from, to);
}

function afterSomeBlanks(from: usize, to: usize): usize {
  // Most often, it is one space.
  if (from + 1 < to && load<u8>(from + 1) > 0x20 && isBlank(load<u8>(from))) {
    return from + 1;
  }
  let at = from;
  while (at < to) {
    const bytes = v128.load(at);
    const others = ~i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(bytes, i8x16.splat(0x20)), i8x16.eq(bytes, i8x16.splat(0x0a))),
        v128.or(i8x16.eq(bytes, i8x16.splat(0x0d)), i8x16.eq(bytes, i8x16.splat(0x09))),
      ),
    );
    // The bits above those of the 16 bytes are all set.
    const blanks = ctz(others);
    at += blanks;
    if (blanks < 16) {
      break;
    }
  }
  return at;
}

/**
 * The position after the text (RFC 8259 section 7) whose opening quote is before `from`, or 0. If it
 * has escapes, `hasEscapes` is set.
 */
export function textEnd(from: usize, to: usize): usize {
  let escapes: usize = 0;
  let at = from;
  while (at < to) {
    const bytes = v128.load(at);
    const special = i8x16.bitmask(
      v128.or(
        v128.or(
          i8x16.eq(bytes, i8x16.splat(quote as i8)),
          i8x16.eq(bytes, i8x16.splat(backslash as i8)),
        ),
        // Control characters have none of these bits.
        i8x16.eq(v128.and(bytes, i8x16.splat(0xe0 as i8)), i8x16.splat(0)),
      ),
    );
    if (special == 0) {
      at += 16;
      continue;
    }
    at += ctz(special);
    if (at >= to) {
      return 0;
    }
    const byte = load<u8>(at);
    if (byte == quote) {
      return (at + 1) | escapes;
    }
    if (byte != backslash) {
      return 0;
    }
    escapes = hasEscapes as usize;
    const escaped = load<u8>(at, 1);
    if (escaped == 0x75) {
      if (!(isHex(load<u8>(at, 2)) && isHex(load<u8>(at, 3)))) {
        return 0;
      }
      if (!(isHex(load<u8>(at, 4)) && isHex(load<u8>(at, 5)))) {
        return 0;
      }
      at += 6;
    } else if (isEscape(escaped)) {
      at += 2;
    } else {
      return 0;
    }
  }
  return 0;
}

/** @inline */
function isHex(byte: u8): bool {
  return isDigit(byte) || ((byte | 0x20) as u32) - 0x61 < 6;
}

/** @inline */
function isDigit(byte: u8): bool {
  return (byte as u32) - 0x30 < 10;
}

/** The letters of \b \f \n \r \t and the backslash, as bits from 0x40 on. */
const escapeLetters: u64 =
  ((1 as u64) << (0x62 - 0x40)) |
  ((1 as u64) << (0x66 - 0x40)) |
  ((1 as u64) << (0x6e - 0x40)) |
  ((1 as u64) << (0x72 - 0x40)) |
  ((1 as u64) << (0x74 - 0x40)) |
  ((1 as u64) << (0x5c - 0x40));

/** @inline */
function isEscape(byte: u8): bool {
  return (
    byte == quote || byte == 0x2f || (byte >> 6 == 1 && ((escapeLetters >> (byte & 0x3f)) & 1) != 0)
  );
}

/** The position after the value that starts here, or 0. */
export function valueEnd(from: usize, to: usize): usize {
  if (from >= to) {
    return 0;
  }
  const first = load<u8>(from);
  return opens(first) ? nestedEnd(from, to) : scalarEnd(from, first, to);
}

/**
 * A number, a text, or a word (RFC 8259 section 3).
 * @inline
 */
function scalarEnd(from: usize, first: u8, to: usize): usize {
  if (first == quote) {
    return textEnd(from + 1, to) & addressBits;
  }
  const end = first < 0x41 ? numberEnd(from, to) : wordEnd(from, first);
  return end <= to ? end : 0;
}

function wordEnd(from: usize, first: u8): usize {
  if (first == 0x74) {
    // true
    return load<u32>(from) == 0x6575_7274 ? from + 4 : 0;
  }
  if (first == 0x66) {
    // alse
    return load<u32>(from, 1) == 0x6573_6c61 ? from + 5 : 0;
  }
  // null
  return load<u32>(from) == 0x6c6c_756e ? from + 4 : 0;
}

/** The position after the number that starts here (RFC 8259 section 6), or 0. */
function numberEnd(from: usize, to: usize): usize {
  let at = from < to && load<u8>(from) == 0x2d ? from + 1 : from;
  if (at < to && load<u8>(at) == 0x30) {
    at += 1;
  } else {
    const first = at;
    at = afterDigits(at, to);
    if (at == first) {
      return 0;
    }
  }
  if (at < to && load<u8>(at) == 0x2e) {
    const first = at + 1;
    at = afterDigits(first, to);
    if (at == first) {
      return 0;
    }
  }
  if (at < to && (load<u8>(at) | 0x20) == 0x65) {
    at += 1;
    const sign = load<u8>(at);
    const first = sign == 0x2b || sign == 0x2d ? at + 1 : at;
    at = afterDigits(first, to);
    if (at == first) {
      return 0;
    }
  }
  return at;
}

/** @inline */
function afterDigits(from: usize, to: usize): usize {
  let at = from;
  while (at < to && isDigit(load<u8>(at))) {
    at += 1;
  }
  return at;
}

/**
 * Which of the open values are objects, one bit each, without the innermost ones (up to 64), whose bits
 * `nestedEnd` holds. It is only allocated for values that are deeper than that.
 */
let outerBits: usize = 0;
/** How many words of 64 bits there is room for. */
let outerRoom: usize = 0;

/** The position after the object or the array that starts here, to any depth. */
function nestedEnd(from: usize, to: usize): usize {
  let depth: usize = 0;
  /** The lowest bit is the innermost open value: 1 for an object. */
  let bits: u64 = 0;
  let at = from;
  while (true) {
    // A value starts here.
    if (at >= to) {
      return 0;
    }
    const byte = load<u8>(at);
    if (opens(byte)) {
      at = afterBlanks(at + 1, to);
      if (load<u8>(at) == byte + 2) {
        // It is empty: the closing bracket is the second byte after the opening one.
        at += 1;
      } else {
        if (depth != 0 && (depth & 63) == 0) {
          keepBits((depth >> 6) - 1, bits);
        }
        depth += 1;
        bits = (bits << 1) | ((byte >> 5) & 1);
        if (byte == openBrace) {
          at = afterName(at, to);
          if (at == 0) {
            return 0;
          }
        }
        continue;
      }
    } else {
      at = scalarEnd(at, byte, to);
      if (at == 0) {
        return 0;
      }
    }
    // A value ends here, and perhaps the values that contain it.
    while (true) {
      if (at > to) {
        return 0;
      }
      if (depth == 0) {
        return at;
      }
      at = afterBlanks(at, to);
      const next = load<u8>(at);
      at += 1;
      if (next == comma) {
        at = afterBlanks(at, to);
        if ((bits & 1) != 0) {
          at = afterName(at, to);
          if (at == 0) {
            return 0;
          }
        }
        break;
      }
      if (next != (closeBracket | (((bits & 1) as u8) << 5))) {
        return 0;
      }
      depth -= 1;
      bits >>= 1;
      if (depth != 0 && (depth & 63) == 0) {
        bits = load<u64>(outerBits + (((depth >> 6) - 1) << 3));
      }
    }
  }
}

function keepBits(word: usize, bits: u64): void {
  if (word == outerRoom) {
    outerRoom = word == 0 ? 64 : word * 2;
    outerBits =
      outerBits == 0 ? heap.alloc(outerRoom << 3) : heap.realloc(outerBits, outerRoom << 3);
  }
  store<u64>(outerBits + (word << 3), bits);
}

/** Reads a name and its colon. Returns where the value begins, or 0. */
function afterName(from: usize, to: usize): usize {
  if (load<u8>(from) != quote) {
    return 0;
  }
  const end = textEnd(from + 1, to) & addressBits;
  if (end == 0) {
    return 0;
  }
  const at = afterBlanks(end, to);
  return load<u8>(at) == colon ? afterBlanks(at + 1, to) : 0;
}

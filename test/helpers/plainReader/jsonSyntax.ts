import { enlarged } from '../../../src/engine/threads/memory';
import { numberEnd } from './values';
import { wordsOf } from './words';

const quote = 0x22;
const backslash = 0x5c;

/** The syntax of JSON (RFC 8259), byte by byte, exactly as strict as `JSON.parse`. */
export class JsonSyntax {
  protected bytes: Buffer = Buffer.alloc(0);
  /** The position in `bytes` where the record ends. */
  protected to = 0;
  /** Whether the last skipped text has escapes. */
  protected hasEscapes = false;
  protected words = wordsOf(this.bytes);
  private stack = new Uint8Array(64);

  /** @param to the position where the record ends. */
  protected begin(bytes: Buffer, to: number): void {
    this.to = to;
    if (bytes !== this.bytes) {
      this.bytes = bytes;
      this.words = wordsOf(bytes);
    }
  }

  /** The position after the value that starts here, or -1. */
  protected skip(from: number): number {
    const { bytes, to } = this;
    let at = from;
    let depth = 0;
    for (;;) {
      // A value starts here.
      const byte = at < to ? bytes[at] : 0;
      if (byte === 0x7b || byte === 0x5b) {
        const isObject = byte === 0x7b;
        at = this.skipWhitespace(at + 1);
        if (at < to && bytes[at] === (isObject ? 0x7d : 0x5d)) {
          at += 1;
        } else {
          if (depth === this.stack.length) {
            this.stack = enlarged(this.stack, depth * 2);
          }
          this.stack[depth] = isObject ? 1 : 0;
          depth += 1;
          if (isObject) {
            at = this.name(at);
            if (at < 0) {
              return -1;
            }
          }
          continue;
        }
      } else {
        at = this.scalar(at);
        if (at < 0) {
          return -1;
        }
      }
      // A value ends here, and perhaps the values that contain it.
      for (;;) {
        if (depth === 0) {
          return at;
        }
        const isObject = this.stack[depth - 1] === 1;
        at = this.skipWhitespace(at);
        const next = at < to ? bytes[at] : 0;
        at += 1;
        if (next === 0x2c) {
          at = this.skipWhitespace(at);
          if (isObject) {
            at = this.name(at);
            if (at < 0) {
              return -1;
            }
          }
          break;
        }
        if (next !== (isObject ? 0x7d : 0x5d)) {
          return -1;
        }
        depth -= 1;
      }
    }
  }

  /** Skips a name and its colon. @returns where the value begins, or -1 */
  private name(from: number): number {
    const stop = from < this.to && this.bytes[from] === quote ? this.text(from) : -1;
    const at = stop < 0 ? -1 : this.skipWhitespace(stop);
    return at >= 0 && at < this.to && this.bytes[at] === 0x3a ? this.skipWhitespace(at + 1) : -1;
  }

  private scalar(from: number): number {
    switch (from < this.to ? this.bytes[from] : 0) {
      case quote:
        return this.text(from);
      case 0x74:
        return this.word(from, 'true');
      case 0x66:
        return this.word(from, 'false');
      case 0x6e:
        return this.word(from, 'null');
      default:
        return numberEnd(this.bytes, from, this.to);
    }
  }

  private word(from: number, word: string): number {
    const stop = from + word.length;
    if (stop > this.to) {
      return -1;
    }
    for (let at = 0; at < word.length; at += 1) {
      if (this.bytes[from + at] !== word.charCodeAt(at)) {
        return -1;
      }
    }
    return stop;
  }

  /** The position after the text whose opening quote is here, or -1. */
  protected text(from: number): number {
    const { bytes, words, to } = this;
    this.hasEscapes = false;
    for (let at = from + 1; at < to; at += 1) {
      while (at + 4 <= to && areOrdinary(words.getInt32(at, true))) {
        at += 4;
      }
      const byte = at < to ? (bytes[at] ?? 0) : 0;
      if (isOrdinary[byte] === 1) {
        continue;
      }
      if (byte === quote) {
        return at + 1;
      }
      if (byte === backslash) {
        this.hasEscapes = true;
        at += 1;
        const escape = at < to ? (bytes[at] ?? 0) : 0;
        if (escape === 0x75) {
          for (let digit = 0; digit < 4; digit += 1) {
            at += 1;
            if (at >= to || !isHex(bytes[at] ?? 0)) {
              return -1;
            }
          }
        } else if (!escapes.has(escape)) {
          return -1;
        }
      } else {
        return -1;
      }
    }
    return -1;
  }

  protected skipWhitespace(from: number): number {
    const { bytes, to } = this;
    let at = from;
    while (at < to) {
      const byte = bytes[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        break;
      }
      at += 1;
    }
    return at;
  }
}

const escapes = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));

/** By byte: whether it is ordinary, which means that it stands for itself in a text. */
const isOrdinary = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== quote && byte !== backslash ? 1 : 0,
);

/** Whether all four bytes of a word are ordinary, so that they do not need to be checked one by one. */
function areOrdinary(word: number): boolean {
  const quoted = word ^ 0x2222_2222;
  const escaped = word ^ 0x5c5c_5c5c;
  const found =
    ((quoted - 0x0101_0101) & ~quoted) |
    ((escaped - 0x0101_0101) & ~escaped) |
    ((word - 0x2020_2020) & ~word);
  return (found & 0x8080_8080) === 0;
}

function isHex(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

import { bordersOf } from '../query/textSearch';

/** Bytes with cases made the same, as far as ASCII goes. */
const foldOf = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);

/** So many bytes are compared for each byte of a record until that is done without looking back. */
const comparedPerByte = 2;

/** Looks for a text in the bytes of records, quickly, and rather once too often than not at all. */
export class ByteSearch {
  /** By byte: 1 where the text may begin, 2 where another form of it may stand (an escape, or not ASCII). */
  private readonly marks = new Uint8Array(256);
  private readonly wanted: Uint8Array;
  private readonly borders: Uint32Array;
  private readonly takesAll: boolean;
  private compared = 0;

  /** @param folded the text, with cases made the same. */
  constructor(folded: string) {
    this.wanted = Buffer.from(folded);
    this.borders = bordersOf(this.wanted);
    // Such a text is written with escapes, or may be written in several ways.
    this.takesAll = folded === '' || !/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(folded);
    this.marks.fill(2, 0x80);
    this.marks[0x5c] = 2;
    const [first = 0] = this.wanted;
    this.marks[first] = 1;
    this.marks[upper(first)] = 1;
  }

  /** Whether the record has to be read to know whether the text is in it. */
  mayContain(bytes: Uint8Array, from: number, to: number): boolean {
    if (this.takesAll) {
      return true;
    }
    const { marks } = this;
    const mostCompared = comparedPerByte * (to - from);
    this.compared = 0;
    for (let at = from; at < to; at += 1) {
      const mark = marks[bytes[at]!]!;
      if (mark !== 0) {
        if (mark === 2 || this.isAt(bytes, at, to)) {
          return true;
        }
        if (this.compared > mostCompared) {
          return this.mayContainBehind(bytes, at + 1, to);
        }
      }
    }
    return false;
  }

  /** The quick way in the usual case; where the text begins in many places each costs its length. */
  private isAt(bytes: Uint8Array, from: number, to: number): boolean {
    const { wanted } = this;
    if (from + wanted.length > to) {
      return false;
    }
    for (let at = 1; at < wanted.length; at += 1) {
      const byte = bytes[from + at]!;
      if (byte !== wanted[at] && byte !== upper(wanted[at]!)) {
        this.compared += at;
        return false;
      }
    }
    return true;
  }

  /** The same without looking back at any byte, which takes longer in the usual case. */
  private mayContainBehind(bytes: Uint8Array, from: number, to: number): boolean {
    const { wanted, borders, marks } = this;
    let matched = 0;
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at]!;
      const folded = foldOf[byte]!;
      while (matched > 0 && folded !== wanted[matched]) {
        matched = borders[matched]!;
      }
      if (folded === wanted[matched]) {
        matched += 1;
        if (matched === wanted.length) {
          return true;
        }
      } else if (marks[byte] === 2) {
        return true;
      }
    }
    return false;
  }
}

function upper(byte: number): number {
  return byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte;
}

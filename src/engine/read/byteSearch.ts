/** The most bytes compared for each byte of a record. After that, the record is read. */
const comparedPerByte = 2;

/**
 * A quick search for a text in the bytes of records. It may report a text that is not there, but
 * never misses one.
 */
export class ByteSearch {
  /**
   * By byte: 1 if the text may start with it, 2 if another form of the text may (an escape, or a
   * byte that is not ASCII).
   */
  private readonly marks = new Uint8Array(256);
  private readonly text: Uint8Array;
  private readonly matchesAll: boolean;
  private compared = 0;

  /** @param folded the text after `fold`, for a search that ignores case. */
  constructor(folded: string) {
    this.text = Buffer.from(folded);
    // Such a text has escapes, or more than one way to write it.
    this.matchesAll = folded === '' || !/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(folded);
    this.marks.fill(2, 0x80);
    this.marks[0x5c] = 2;
    const [first = 0] = this.text;
    this.marks[first] = 1;
    this.marks[upper(first)] = 1;
  }

  /** Whether the record must be read to know if it contains the text. */
  mayContain(bytes: Uint8Array, from: number, to: number): boolean {
    if (this.matchesAll) {
      return true;
    }
    const { marks } = this;
    const maxCompared = comparedPerByte * (to - from);
    this.compared = 0;
    for (let at = from; at < to; at += 1) {
      const mark = marks[bytes[at]!]!;
      if (mark !== 0) {
        if (mark === 2 || this.matchesAt(bytes, at, to)) {
          return true;
        }
        if (this.compared > maxCompared) {
          // The text may start in too many places; `textSearch` needs only linear time.
          return true;
        }
      }
    }
    return false;
  }

  private matchesAt(bytes: Uint8Array, from: number, to: number): boolean {
    const { text } = this;
    if (from + text.length > to) {
      return false;
    }
    for (let at = 1; at < text.length; at += 1) {
      const byte = bytes[from + at]!;
      if (byte !== text[at] && byte !== upper(text[at]!)) {
        this.compared += at;
        return false;
      }
    }
    return true;
  }
}

function upper(byte: number): number {
  return byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte;
}

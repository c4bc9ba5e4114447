import { enlarged, releaseBuffers } from './memory';
import { wordsOf } from './words';

const initialEntries = 1024;

/** The distinct values of a part of the records, by their numbers in that part. */
export interface TextsPart {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
  readonly kinds: Uint8Array;
}

/**
 * Distinct values, numbered from 0 in the order they are added: their bytes are in one arena, and a
 * hash table finds them. Bytes are compared, not only hashes.
 */
export class ByteTexts {
  count = 0;
  private arena = Buffer.allocUnsafeSlow(64 * 1024);
  private words = new DataView(this.arena.buffer);
  private offsets = new Uint32Array(initialEntries + 1);
  private kindOf = new Uint8Array(initialEntries);
  /**
   * For each slot, the number (or -1) and the hash. They are next to each other, so that one memory
   * access reads both.
   */
  private table = new Int32Array(initialEntries * 4).fill(-1);

  /** The memory in bytes. */
  get size(): number {
    return this.arena.length + this.offsets.length * 5 + this.table.length * 4;
  }

  /** All arrays that hold the memory. */
  get arrays(): readonly ArrayBufferView[] {
    return [this.arena, this.offsets, this.kindOf, this.table];
  }

  /** Bytes of all values. */
  get textBytes(): number {
    return this.offsets[this.count] ?? 0;
  }

  get bytes(): Buffer {
    return this.arena;
  }

  from(number: number): number {
    return this.offsets[number] ?? 0;
  }

  to(number: number): number {
    return this.offsets[number + 1] ?? 0;
  }

  kind(number: number): number {
    return this.kindOf[number] ?? 0;
  }

  text(number: number): string {
    return this.arena.toString('utf8', this.from(number), this.to(number));
  }

  /** All values as plain data: a value is between the offset at its number and the next offset. */
  part(): TextsPart {
    return {
      bytes: new Uint8Array(this.arena.subarray(0, this.textBytes)),
      offsets: this.offsets.slice(0, this.count + 1),
      kinds: this.kindOf.slice(0, this.count),
    };
  }

  /** Returns the number of a value. Adds the value if it is new. */
  add(kind: number, bytes: Buffer, from: number, to: number): number {
    const others = wordsOf(bytes);
    const hashed = hash(kind, bytes, others, from, to);
    const { table } = this;
    const mask = table.length / 2 - 1;
    let slot = hashed & mask;
    for (; ; slot = (slot + 1) & mask) {
      const number = table[2 * slot]!;
      if (number < 0) {
        break;
      }
      if (table[2 * slot + 1] === hashed && this.equals(number, kind, bytes, others, from, to)) {
        return number;
      }
    }
    const number = this.count;
    const start = this.textBytes;
    const stop = start + to - from;
    if (number === this.kindOf.length || stop > this.arena.length) {
      this.grow(stop);
    }
    bytes.copy(this.arena, start, from, to);
    this.count += 1;
    this.offsets[number + 1] = stop;
    this.kindOf[number] = kind;
    if (this.count * 4 > table.length) {
      this.rehash(table.length * 2);
      this.put(number, hashed);
    } else {
      table[2 * slot] = number;
      table[2 * slot + 1] = hashed;
    }
    return number;
  }

  private equals(
    number: number,
    kind: number,
    bytes: Uint8Array,
    others: DataView,
    from: number,
    to: number,
  ): boolean {
    const start = this.offsets[number]!;
    if (this.kindOf[number] !== kind || this.offsets[number + 1]! - start !== to - from) {
      return false;
    }
    if (to - from < 4) {
      const { arena } = this;
      for (let at = from; at < to; at += 1) {
        if (arena[start + at - from] !== bytes[at]) {
          return false;
        }
      }
      return true;
    }
    // The last word first: it overlaps the previous one, and differs most often.
    const { words } = this;
    const last = to - 4;
    const moved = start - from;
    if (words.getInt32(last + moved, true) !== others.getInt32(last, true)) {
      return false;
    }
    for (let at = from; at < last; at += 4) {
      if (words.getInt32(at + moved, true) !== others.getInt32(at, true)) {
        return false;
      }
    }
    return true;
  }

  private grow(bytes: number): void {
    if (bytes > this.arena.length) {
      const arena = Buffer.allocUnsafeSlow(Math.max(bytes, this.arena.length * 2));
      this.arena.copy(arena, 0, 0, this.textBytes);
      releaseBuffers(this.arena);
      this.arena = arena;
      this.words = new DataView(arena.buffer);
    }
    if (this.count === this.kindOf.length) {
      const entries = this.count * 2;
      this.offsets = enlarged(this.offsets, entries + 1);
      this.kindOf = enlarged(this.kindOf, entries);
    }
  }

  private rehash(length: number): void {
    const { table } = this;
    this.table = new Int32Array(length).fill(-1);
    for (let at = 0; at < table.length; at += 2) {
      if (table[at]! >= 0) {
        this.put(table[at]!, table[at + 1]!);
      }
    }
    releaseBuffers(table);
  }

  private put(number: number, hashed: number): void {
    const { table } = this;
    const mask = table.length / 2 - 1;
    let slot = hashed & mask;
    while (table[2 * slot]! >= 0) {
      slot = (slot + 1) & mask;
    }
    table[2 * slot] = number;
    table[2 * slot + 1] = hashed;
  }
}

function hash(kind: number, bytes: Uint8Array, words: DataView, from: number, to: number): number {
  let value = 0x811c9dc5 ^ kind ^ (to - from);
  if (to - from < 4) {
    for (let at = from; at < to; at += 1) {
      value = Math.imul(value ^ bytes[at]!, 0x01000193);
    }
  } else {
    // The last word overlaps the previous one: a loop over the remaining bytes would be hard to
    // predict.
    const last = to - 4;
    for (let at = from; at < last; at += 4) {
      value = Math.imul((value << 13) ^ (value >>> 19) ^ words.getInt32(at, true), 0x9e3779b1);
    }
    value = Math.imul((value << 13) ^ (value >>> 19) ^ words.getInt32(last, true), 0x9e3779b1);
  }
  // The low bits choose the slot; the high ones are mixed into them.
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b);
  return value ^ (value >>> 13);
}

import {
  kindBoolean,
  kindDate,
  kindJson,
  kindNull,
  kindNumber,
  kindText,
  numberEnd,
  parseDate,
} from './kinds';
import type { Place, Shape } from './shape';
import type { Value, Walker, WalkerFactory } from './walker';

const quote = 0x22;
const backslash = 0x5c;

/** Reads records of JSON byte by byte (RFC 8259), exactly as strict as `JSON.parse`. */
export class JsonWalker implements Walker {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  private bytes: Buffer = Buffer.alloc(0);
  private to = 0;
  private walks = 0;
  /** The slot of each place by its number; -1 where it is not asked for. */
  private readonly slots: Int32Array;
  private stack = new Uint8Array(64);
  /** How many of the places asked for are still to come, where the rest need not be looked at. */
  private left = -1;

  constructor(
    private readonly shape: Shape,
    places: readonly Place[],
    private readonly learns: boolean,
    /** Whether records are known to be proper, so that a walk ends where it has all it wants. */
    private readonly mayStop = false,
  ) {
    this.starts = new Int32Array(places.length);
    this.ends = new Int32Array(places.length);
    this.slots = new Int32Array(shape.places.length).fill(-1);
    places.forEach((place, slot) => {
      this.slots[place.number] = slot;
    });
  }

  walk(bytes: Buffer, from: number, to: number): boolean {
    this.bytes = bytes;
    this.to = to;
    this.starts.fill(-1);
    // Walkers take turns at the same places, so the count is of no use across them.
    this.walks = nextWalk();
    this.left = this.mayStop ? this.starts.length : -1;
    if (this.left === 0) {
      return true;
    }
    const at = this.value(this.shape.top, this.blank(from));
    return at >= 0 && (this.left === 0 || this.blank(at) === to);
  }

  read(bytes: Buffer, from: number, to: number, value: Value): void {
    value.bytes = bytes;
    value.from = from;
    value.to = to;
    value.kind = kindAt(bytes, from, to);
    if (value.kind === kindText || value.kind === kindDate) {
      value.from += 1;
      value.to -= 1;
      for (let at = from + 1; at < to - 1; at += 1) {
        if (bytes[at] === backslash) {
          value.bytes = Buffer.from(JSON.parse(bytes.toString('utf8', from, to)) as string);
          value.from = 0;
          value.to = value.bytes.length;
          value.kind = Number.isNaN(parseDate(value.bytes, 0, value.to)) ? kindText : kindDate;
          return;
        }
      }
    }
  }

  /** Reads the value at a place; gives what is behind it, or -1. */
  private value(place: Place, from: number): number {
    const first = from < this.to ? this.bytes[from] : 0;
    const isObject = first === 0x7b;
    const stop =
      first === quote
        ? this.text(from)
        : isObject && !place.closed
          ? this.object(place, from)
          : this.skip(from);
    if (stop < 0 || this.left === 0) {
      return stop;
    }
    const slot = this.slots[place.number];
    // The members of a record are its values, not the record.
    if (slot !== undefined && slot >= 0 && !(isObject && place.depth === 0)) {
      this.starts[slot] = from;
      this.ends[slot] = stop;
      this.left -= 1;
    }
    if (this.learns) {
      this.learn(place, from, stop, isObject);
    }
    return stop;
  }

  private learn(place: Place, from: number, to: number, isObject: boolean): void {
    const first = this.bytes[from];
    if (isObject && !place.closed) {
      // An object is seen by its members, unless it has none; the record itself is no value.
      if (place.depth > 0 && place.members.length === 0) {
        place.kinds |= 1 << kindJson;
      }
    } else if (first === quote && place.kinds & (1 << kindText)) {
      // Whether this one is a date makes no difference to the type any more.
    } else {
      place.kinds |= 1 << kindAt(this.bytes, from, to);
    }
  }

  private object(place: Place, from: number): number {
    const { bytes, to } = this;
    let at = this.blank(from + 1);
    if (at < to && bytes[at] === 0x7d) {
      return at + 1;
    }
    for (let expected = 0; ;) {
      if (at >= to || bytes[at] !== quote) {
        return -1;
      }
      // Records of one file mostly have their members in one order.
      let member = place.members[expected];
      let stop = member?.isPlain ? this.match(member.key, at + 1) : -1;
      if (stop < 0) {
        stop = this.text(at);
        if (stop < 0) {
          return -1;
        }
        member = this.lookUp(place, at, stop);
      }
      at = this.blank(stop);
      if (at >= to || bytes[at] !== 0x3a) {
        return -1;
      }
      at = this.blank(at + 1);
      if (member) {
        if (member.walk === this.walks) {
          // Of members of one name the last counts, as for `JSON.parse`.
          this.shape.hasDuplicates = true;
          this.forget(member);
        }
        member.walk = this.walks;
        expected = member.order + 1;
        at = this.value(member, at);
      } else {
        at = this.skip(at);
      }
      if (at < 0 || this.left === 0) {
        return at;
      }
      at = this.blank(at);
      const byte = at < to ? bytes[at] : 0;
      if (byte === 0x7d) {
        return at + 1;
      }
      if (byte !== 0x2c) {
        return -1;
      }
      at = this.blank(at + 1);
    }
  }

  /** Where the name ends that begins here, if it is this one: behind its quote; else -1. */
  private match(key: Uint8Array, from: number): number {
    const { bytes } = this;
    const stop = from + key.length;
    if (stop >= this.to || bytes[stop] !== quote) {
      return -1;
    }
    for (let at = 0; at < key.length; at += 1) {
      if (bytes[from + at] !== key[at]) {
        return -1;
      }
    }
    return stop + 1;
  }

  private lookUp(place: Place, from: number, to: number): Place | undefined {
    const text = this.bytes.toString('utf8', from, to);
    const name = text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
    return this.learns ? this.shape.member(place, name) : place.byKey.get(name);
  }

  private forget(place: Place): void {
    const slot = this.slots[place.number];
    if (slot !== undefined && slot >= 0) {
      this.starts[slot] = -1;
    }
    for (const member of place.members) {
      this.forget(member);
    }
  }

  /** What is behind the value that begins here, whatever it is, or -1. */
  private skip(from: number): number {
    const { bytes, to } = this;
    let at = from;
    let depth = 0;
    for (;;) {
      // A value begins here.
      const byte = at < to ? bytes[at] : 0;
      if (byte === 0x7b || byte === 0x5b) {
        const isObject = byte === 0x7b;
        at = this.blank(at + 1);
        if (at < to && bytes[at] === (isObject ? 0x7d : 0x5d)) {
          at += 1;
        } else {
          if (depth === this.stack.length) {
            const larger = new Uint8Array(depth * 2);
            larger.set(this.stack);
            this.stack = larger;
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
      // A value ends here, and perhaps what it is in.
      for (;;) {
        if (depth === 0) {
          return at;
        }
        const isObject = this.stack[depth - 1] === 1;
        at = this.blank(at);
        const behind = at < to ? bytes[at] : 0;
        at += 1;
        if (behind === 0x2c) {
          at = this.blank(at);
          if (isObject) {
            at = this.name(at);
            if (at < 0) {
              return -1;
            }
          }
          break;
        }
        if (behind !== (isObject ? 0x7d : 0x5d)) {
          return -1;
        }
        depth -= 1;
      }
    }
  }

  /** A name and its colon; gives where the value begins, or -1. */
  private name(from: number): number {
    const stop = from < this.to && this.bytes[from] === quote ? this.text(from) : -1;
    const at = stop < 0 ? -1 : this.blank(stop);
    return at >= 0 && at < this.to && this.bytes[at] === 0x3a ? this.blank(at + 1) : -1;
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

  /** What is behind the text whose quote is here, or -1. */
  private text(from: number): number {
    const { bytes, to } = this;
    for (let at = from + 1; at < to; at += 1) {
      const byte = bytes[at]!;
      if (isOrdinary[byte] === 1) {
        continue;
      }
      if (byte === quote) {
        return at + 1;
      }
      if (byte === backslash) {
        at += 1;
        const escape = at < to ? bytes[at]! : 0;
        if (escape === 0x75) {
          for (let digit = 0; digit < 4; digit += 1) {
            at += 1;
            if (at >= to || !isHex(bytes[at]!)) {
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

  private blank(from: number): number {
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

/** Walkers over records of JSON. */
export class JsonWalkers implements WalkerFactory {
  constructor(private readonly shape: Shape) {}

  create(places: readonly Place[], learns: boolean, mayStop: boolean): JsonWalker {
    return new JsonWalker(this.shape, places, learns, mayStop && !learns);
  }
}

const escapes = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));

/** By byte: whether it stands for itself in a text. */
const isOrdinary = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== quote && byte !== backslash ? 1 : 0,
);

let lastWalk = 0;

function nextWalk(): number {
  // Compared for equality only, so that it may run over.
  lastWalk = (lastWalk + 1) | 0;
  return lastWalk;
}

function isHex(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

/** The kind of a proper JSON value. */
function kindAt(bytes: Buffer, from: number, to: number): number {
  switch (bytes[from]) {
    case quote:
      return Number.isNaN(parseDate(bytes, from + 1, to - 1)) ? kindText : kindDate;
    case 0x7b:
    case 0x5b:
      return kindJson;
    case 0x74:
    case 0x66:
      return kindBoolean;
    case 0x6e:
      return kindNull;
    default:
      return kindNumber;
  }
}

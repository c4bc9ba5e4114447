import { hasZero, repeated, wordsOf } from './words';

/** The result of a search for the next record. */
export type Split = typeof record | typeof more | typeof end;

/** A record was found: see `start`, `end` and `next`. */
export const record = 1;
/** The record does not end in these bytes. */
const more = 0;
/** There is no further record. */
export const end = -1;

/**
 * Finds where records start and end, without parsing them. A search starts at `from`, after the
 * previous record. It needs no other state, so records can be found again from any offset.
 */
export interface RecordSplitter {
  /** The record found: its first byte, and the position after its last. */
  start: number;
  end: number;
  /** The position to search for the next record. After `more`, the position to repeat this search. */
  next: number;
  /** The record is invalid, or truncated. */
  broken: boolean;
  /** CSV: whether a field of the record is quoted. A record without quoted fields is always valid. */
  readonly hasQuotes?: boolean;
  /** After the end: whether the format marks the end. */
  closed: boolean;
  /** @param final whether the bytes end at `to`. */
  find(bytes: Buffer, from: number, to: number, final: boolean): Split;
  /**
   * Call it after a record was found in these bytes. Passes the next records, if that is faster for
   * many records at once and none of them is broken; `find` would find the same records.
   * Afterwards, `next` is the position to search for the next record.
   * @param most the most records to pass.
   * @returns how many records were passed
   */
  pass?(bytes: Buffer, from: number, to: number, most: number): number;
  /** Starts to skip a record that is too long for the window. */
  beginSkip(): void;
  /**
   * The position after the record if it ends in these bytes, otherwise -1. The next call continues
   * where this one stopped.
   */
  skip(bytes: Buffer, from: number, to: number): number;
}

/** How records are found, as plain data that can be posted to threads. */
export type SplitterForm =
  | { readonly kind: 'lines' | 'array' | 'topArray' | 'texts' | 'whole' }
  | { readonly kind: 'csv'; readonly delimiter: number };

export function newSplitter(form: SplitterForm): RecordSplitter {
  switch (form.kind) {
    case 'lines':
      return new LineSplitter();
    case 'array':
      return new ArraySplitter();
    case 'topArray':
      return new TopArraySplitter();
    case 'texts':
      return new TextsSplitter();
    case 'whole':
      return new WholeSplitter();
    case 'csv':
      return new CsvSplitter(form.delimiter);
  }
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const tab = 0x09;
/** It starts a text of a JSON text sequence (RFC 7464 section 2.2). */
export const recordSeparator = 0x1e;
const quote = 0x22;
const quotes = repeated(quote);
const backslashes = repeated(0x5c);

/** One record per line (NDJSON); blank lines are skipped. */
export class LineSplitter implements RecordSplitter {
  start = 0;
  end = 0;
  next = 0;
  broken = false;
  closed = true;

  find(bytes: Buffer, from: number, to: number, final: boolean): Split {
    for (let at = from; ;) {
      let lineEnd = bytes.indexOf(newline, at);
      const isOpen = lineEnd < 0 || lineEnd >= to;
      if (isOpen) {
        this.next = at;
        if (!final) {
          return more;
        }
        lineEnd = to;
      }
      let last = lineEnd;
      while (last > at && isBlank(bytes[last - 1])) {
        last -= 1;
      }
      this.next = isOpen ? to : lineEnd + 1;
      if (last > at) {
        this.start = at;
        this.end = last;
        return record;
      }
      if (isOpen) {
        return end;
      }
      at = lineEnd + 1;
    }
  }

  pass(bytes: Buffer, from: number, to: number, most: number): number {
    let at = from;
    let count = 0;
    while (count < most && at < to && !isBlankOrBreak(bytes[at])) {
      const stop = bytes.indexOf(newline, at);
      if (stop < 0 || stop >= to) {
        break;
      }
      at = stop + 1;
      count += 1;
    }
    this.next = at;
    return count;
  }

  beginSkip(): void {
    // A line has no state.
  }

  skip(bytes: Buffer, from: number, to: number): number {
    const lineEnd = bytes.subarray(from, to).indexOf(newline);
    return lineEnd < 0 ? -1 : from + lineEnd + 1;
  }
}

/** The elements of a JSON array (RFC 8259 section 5). The search starts after `[` or a comma. */
export class ArraySplitter implements RecordSplitter {
  start = 0;
  end = 0;
  next = 0;
  broken = false;
  closed = false;
  private depth = 0;
  private inText = false;
  private escaped = false;

  find(bytes: Buffer, from: number, to: number, final: boolean): Split {
    const at = skipBlanks(bytes, from, to);
    this.next = at;
    if (at === to) {
      this.closed = false;
      return final ? end : more;
    }
    if (bytes[at] === 0x5d) {
      this.closed = true;
      return end;
    }
    this.beginSkip();
    const stop = this.scan(bytes, at, to);
    if (stop < 0 && !final) {
      return more;
    }
    const stopped = stop < 0 ? to : stop;
    this.broken = stop < 0;
    let last = stopped;
    while (last > at && isBlankOrBreak(bytes[last - 1])) {
      last -= 1;
    }
    this.start = at;
    this.end = last;
    // The next search finds a bracket again; a comma is consumed.
    this.next = stop >= 0 && bytes[stop] === 0x2c ? stop + 1 : stopped;
    return record;
  }

  beginSkip(): void {
    this.depth = 0;
    this.inText = false;
    this.escaped = false;
  }

  skip(bytes: Buffer, from: number, to: number): number {
    const stop = this.scan(bytes, from, to);
    return stop >= 0 && bytes[stop] === 0x2c ? stop + 1 : stop;
  }

  /** The position of the comma or bracket after this element, or -1. */
  private scan(bytes: Buffer, from: number, to: number): number {
    let { depth, inText, escaped } = this;
    const words = wordsOf(bytes);
    for (let at = from; at < to; at += 1) {
      if (inText && !escaped) {
        at = afterPlain(words, at, to);
      }
      const byte = at < to ? bytes[at] : undefined;
      if (inText) {
        if (escaped) {
          escaped = false;
        } else if (byte === 0x5c) {
          escaped = true;
        } else if (byte === quote) {
          inText = false;
        }
      } else if (byte === quote) {
        inText = true;
      } else if (byte === 0x7b || byte === 0x5b) {
        depth += 1;
      } else if (byte === 0x7d || byte === 0x5d) {
        if (depth === 0 && byte === 0x5d) {
          return at;
        }
        depth = Math.max(0, depth - 1);
      } else if (byte === 0x2c && depth === 0) {
        return at;
      }
    }
    this.depth = depth;
    this.inText = inText;
    this.escaped = escaped;
    return -1;
  }
}

/**
 * The elements of the top array, and of arrays that follow it as further texts. Anything else after
 * them is one last record that starts at the bracket, so that it is invalid regardless of where the
 * search started.
 */
export class TopArraySplitter extends ArraySplitter {
  private isTrailing = false;
  private isSkipBegun = false;

  override find(bytes: Buffer, from: number, to: number, final: boolean): Split {
    let split = super.find(bytes, from, to, final);
    while (split === end && this.closed) {
      const next = skipBlanks(bytes, this.next + 1, to);
      if (next === to || bytes[next] !== 0x5b) {
        break;
      }
      split = super.find(bytes, next + 1, to, final);
    }
    if (split !== end) {
      this.isTrailing = false;
      return split;
    }
    if (!this.closed) {
      this.closed = this.isTrailing;
      return end;
    }
    if (!final) {
      return more;
    }
    let last = to;
    while (isBlankOrBreak(bytes[last - 1])) {
      last -= 1;
    }
    if (last === this.next + 1) {
      return end;
    }
    this.isTrailing = true;
    this.broken = false;
    this.start = this.next;
    this.end = last;
    this.next = to;
    return record;
  }

  override beginSkip(): void {
    super.beginSkip();
    this.isSkipBegun = true;
  }

  override skip(bytes: Buffer, from: number, to: number): number {
    if (this.isSkipBegun && from < to) {
      this.isSkipBegun = false;
      this.isTrailing = bytes[from] === 0x5d;
    }
    return this.isTrailing ? -1 : super.skip(bytes, from, to);
  }
}

/**
 * Consecutive JSON values over any number of lines: objects and arrays, each perhaps after a record
 * separator. Anything else is a record up to the end of its line or the next value.
 */
class TextsSplitter implements RecordSplitter {
  start = 0;
  end = 0;
  next = 0;
  broken = false;
  closed = true;
  private depth = 0;
  private inText = false;
  private escaped = false;
  private hasBegun = false;

  find(bytes: Buffer, from: number, to: number, final: boolean): Split {
    let at = skipBlanks(bytes, from, to);
    while (at < to && bytes[at] === recordSeparator) {
      at = skipBlanks(bytes, at + 1, to);
    }
    this.next = at;
    if (at === to) {
      return final ? end : more;
    }
    this.beginSkip();
    const stop = this.skip(bytes, at, to);
    if (stop < 0 && !final) {
      return more;
    }
    this.broken = stop < 0;
    this.start = at;
    this.next = stop < 0 ? to : stop;
    this.end = this.next;
    while (isBlankOrBreak(bytes[this.end - 1])) {
      this.end -= 1;
    }
    return record;
  }

  beginSkip(): void {
    this.depth = 0;
    this.inText = false;
    this.escaped = false;
    this.hasBegun = false;
  }

  skip(bytes: Buffer, from: number, to: number): number {
    let { depth, inText, escaped, hasBegun } = this;
    const words = wordsOf(bytes);
    for (let at = from; at < to; at += 1) {
      if (inText && !escaped) {
        at = afterPlain(words, at, to);
      }
      const byte = at < to ? bytes[at] : undefined;
      if (inText) {
        if (escaped) {
          escaped = false;
        } else if (byte === 0x5c) {
          escaped = true;
        } else if (byte === quote) {
          inText = false;
        }
      } else if (byte === recordSeparator && hasBegun) {
        // The text before it is cut off.
        return at;
      } else if (byte === 0x7b || byte === 0x5b) {
        if (depth === 0 && hasBegun) {
          return at;
        }
        depth += 1;
      } else if (depth === 0) {
        if (byte === newline) {
          return at + 1;
        }
      } else if (byte === quote) {
        inText = true;
      } else if (byte === 0x7d || byte === 0x5d) {
        depth -= 1;
        if (depth === 0) {
          return at + 1;
        }
      }
      hasBegun = true;
    }
    this.depth = depth;
    this.inText = inText;
    this.escaped = escaped;
    this.hasBegun = hasBegun;
    return -1;
  }
}

/**
 * A position after all bytes of any search. It is a small integer, which V8 stores without
 * allocating memory.
 */
const nowhere = 2 ** 30 - 1;

/** Quoted fields may span lines, but a quote that is never closed must not consume the file. */
const maxQuotedBytes = 16 * 1024 ** 2;

/** The next place of a byte in the bytes that are searched, for positions that only grow. */
class NextByte {
  private found = -1;
  private bytes: Buffer = Buffer.alloc(0);
  private to = 0;

  constructor(private readonly byte: number) {}

  begin(bytes: Buffer, to: number): void {
    this.bytes = bytes;
    this.to = to;
    this.found = -1;
  }

  /** @returns `nowhere` if there is none */
  from(at: number): number {
    if (this.found < at) {
      const found = this.bytes.indexOf(this.byte, at);
      this.found = found < 0 || found >= this.to ? nowhere : found;
    }
    return this.found;
  }
}

/**
 * CSV records (RFC 4180) with any one-byte delimiter. A record ends at CR, LF or CRLF, as
 * spreadsheets and scripting languages read them. Blank lines are skipped, and so are records of
 * blank fields only, which spreadsheets write for empty rows.
 */
export class CsvSplitter implements RecordSplitter {
  start = 0;
  end = 0;
  next = 0;
  broken = false;
  closed = true;
  hasQuotes = false;
  private readonly nextQuote = new NextByte(quote);
  private readonly nextNewline = new NextByte(newline);
  private readonly nextReturn = new NextByte(carriageReturn);
  private readonly searched: { bytes: Buffer; from: number; to: number } = {
    bytes: Buffer.alloc(0),
    from: 0,
    to: 0,
  };

  constructor(
    private readonly delimiter: number,
    private readonly maxQuoted = maxQuotedBytes,
  ) {}

  find(bytes: Buffer, from: number, to: number, final: boolean): Split {
    const { delimiter, searched } = this;
    if (searched.bytes !== bytes || searched.to !== to || searched.from > from) {
      // These are other bytes, or the same buffer after its bytes were moved.
      this.nextQuote.begin(bytes, to);
      this.nextNewline.begin(bytes, to);
      this.nextReturn.begin(bytes, to);
      searched.bytes = bytes;
      searched.to = to;
    }
    let at = this.skipBlankRecords(bytes, from, to, final);
    // Bytes are moved only to positions before this one, so a search of moved bytes starts before
    // it.
    searched.from = at;
    this.start = at;
    this.next = at;
    if (at === to) {
      return final ? end : more;
    }
    this.broken = false;
    this.hasQuotes = false;
    const stop = this.lineEndFrom(at);
    if (stop < this.nextQuote.from(at)) {
      return this.endAt(bytes, stop, to, final);
    }
    for (let isFieldStart = true; at < to; at += 1) {
      const byte = bytes[at];
      if (isFieldStart && byte === quote) {
        this.hasQuotes = true;
        const close = closingQuote(bytes, at + 1, Math.min(to, at + this.maxQuoted));
        if (close < 0 && to - at < this.maxQuoted && !final) {
          return more;
        }
        if (close < 0 || this.isLiteral(bytes, at, close, to)) {
          return this.endAtLine(bytes, at, to, final);
        }
        at = close;
        isFieldStart = false;
      } else if (byte === newline || byte === carriageReturn) {
        return this.endAt(bytes, at, to, final);
      } else {
        isFieldStart = byte === delimiter;
      }
    }
    return final ? this.endAt(bytes, to, to, final) : more;
  }

  pass(bytes: Buffer, from: number, to: number, most: number): number {
    const { delimiter, searched } = this;
    const last = Math.min(to, searched.to, this.nextQuote.from(from));
    let at = from;
    let count = 0;
    while (count < most && at < last && !isBlankOrBreak(bytes[at]) && bytes[at] !== delimiter) {
      const stop = this.lineEndFrom(at);
      if (stop >= last || (bytes[stop] === carriageReturn && stop + 1 === last)) {
        break;
      }
      at = afterLineEnd(bytes, stop);
      count += 1;
    }
    this.next = at;
    return count;
  }

  beginSkip(): void {
    // A record that is too long ends at its first line end.
  }

  skip(bytes: Buffer, from: number, to: number): number {
    for (let at = from; at < to; at += 1) {
      if (bytes[at] === newline || bytes[at] === carriageReturn) {
        return at + 1;
      }
    }
    return -1;
  }

  /** The start of the first record that has a value, or that may have one after these bytes. */
  private skipBlankRecords(bytes: Buffer, from: number, to: number, final: boolean): number {
    let start = from;
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at];
      if (byte === newline || byte === carriageReturn) {
        start = at + 1;
      } else if (byte !== this.delimiter && !isBlankOrBreak(byte)) {
        return start;
      }
    }
    return final ? to : start;
  }

  private lineEndFrom(at: number): number {
    return Math.min(this.nextNewline.from(at), this.nextReturn.from(at));
  }

  /**
   * Whether a quote at the start of a field is a letter like others, because what looks like its
   * closing quote is on another line and within a text.
   */
  private isLiteral(bytes: Buffer, open: number, close: number, to: number): boolean {
    const after = bytes[close + 1];
    if (this.delimiter !== tab || close + 1 >= to || after === this.delimiter || isBreak(after)) {
      return false;
    }
    return bytes.subarray(open, close).some(isBreak);
  }

  /** The quote is never closed: the record ends with its line, and the next lines are records. */
  private endAtLine(bytes: Buffer, from: number, to: number, final: boolean): Split {
    this.broken = true;
    const at = bytes.subarray(from, to).findIndex(isBreak);
    if (at < 0) {
      return final ? this.endAt(bytes, to, to, final) : more;
    }
    return this.endAt(bytes, from + at, to, final);
  }

  private endAt(bytes: Buffer, stop: number, to: number, final: boolean): Split {
    if (bytes[stop] === carriageReturn && stop + 1 === to && !final) {
      // A newline that follows belongs to the line end.
      return more;
    }
    this.end = stop;
    this.next = stop < to ? Math.min(to, afterLineEnd(bytes, stop)) : to;
    return record;
  }
}

/** The whole file as one record: a JSON value without an array. */
class WholeSplitter extends LineSplitter {
  override find(bytes: Buffer, from: number, to: number, final: boolean): Split {
    const at = skipBlanks(bytes, from, to);
    this.next = at;
    if (!final) {
      return more;
    }
    this.start = at;
    this.next = to;
    this.end = to;
    while (this.end > at && isBlankOrBreak(bytes[this.end - 1])) {
      this.end -= 1;
    }
    return at < to ? record : end;
  }

  override pass(): number {
    return 0;
  }

  override skip(): number {
    return -1;
  }
}

/** The position of the quote that ends a field, or -1; a doubled quote is part of the text. */
function closingQuote(bytes: Buffer, from: number, to: number): number {
  for (let at = from; at < to; at += 1) {
    if (bytes[at] === quote) {
      if (at + 1 < to && bytes[at + 1] === quote) {
        at += 1;
      } else {
        return at;
      }
    }
  }
  return -1;
}

/** Skips the bytes of a text four at a time, as long as none of them is a quote or a backslash. */
function afterPlain(words: DataView, from: number, to: number): number {
  let at = from;
  while (at + 4 <= to) {
    const word = words.getInt32(at, true);
    if (hasZero(word ^ quotes) || hasZero(word ^ backslashes)) {
      break;
    }
    at += 4;
  }
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === tab || byte === carriageReturn;
}

function skipBlanks(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && isBlankOrBreak(bytes[at])) {
    at += 1;
  }
  return at;
}

function isBlankOrBreak(byte: number | undefined): boolean {
  return isBlank(byte) || byte === newline;
}

function isBreak(byte: number | undefined): boolean {
  return byte === newline || byte === carriageReturn;
}

/** The position after CR, LF or CRLF. */
function afterLineEnd(bytes: Buffer, at: number): number {
  return bytes[at] === carriageReturn && bytes[at + 1] === newline ? at + 2 : at + 1;
}

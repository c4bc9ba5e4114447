import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Clock } from '../../base/clock';
import { fnv1a } from '../../base/fnv1a';

/** Bytes of one record: far below what any file system appends in one piece. */
export const recordBytes = 36;

/**
 * - `send`: a request takes a place.
 * - `withdraw`: the request of that writer and number found none, and was not sent.
 * - `pause`: the service holds an endpoint back.
 */
type RecordKind = 'send' | 'withdraw' | 'pause';

/** One line of a ledger that several windows keep. */
export interface LedgerRecord {
  kind: RecordKind;
  /** For a pause; see Route. */
  ownLimit: boolean;
  /** Wall-clock time of the writer in whole milliseconds since the epoch. */
  wall: number;
  /** The same moment on the clock that only goes forward, in milliseconds. */
  monotonic: number;
  /** Drawn at random by each ledger that writes; 32 bits. */
  writer: number;
  /** Number of the request, counted by its writer; of a pause, its length in milliseconds. */
  value: number;
  /** See endpointId; 32 bits. */
  endpoint: number;
  /** The start of the machine that `monotonic` counts from; see bootNumber. */
  boot: number;
}

const kinds: readonly RecordKind[] = ['send', 'withdraw', 'pause'];

/** Numbers of requests wrap around here, so that writer and number fit one exact number. */
export const mostNumbers = 2 ** 20;

/** What a request is known by in memory; never 0. */
export function recordId({ writer, value }: Pick<LedgerRecord, 'writer' | 'value'>): number {
  return writer * mostNumbers + (value % mostNumbers) + 1;
}

/** A record as bytes: a checksum of what follows it first. */
export function encodeRecord(record: LedgerRecord): Buffer {
  const bytes = Buffer.alloc(recordBytes);
  bytes.writeUInt8(kinds.indexOf(record.kind), 4);
  bytes.writeUInt8(record.ownLimit ? 1 : 0, 5);
  bytes.writeUIntBE(Math.max(0, record.wall), 6, 6);
  bytes.writeDoubleBE(record.monotonic, 12);
  bytes.writeUInt32BE(record.writer, 20);
  bytes.writeUInt32BE(record.value, 24);
  bytes.writeUInt32BE(record.endpoint, 28);
  bytes.writeUInt32BE(record.boot, 32);
  bytes.writeUInt32BE(fnv1a(bytes.subarray(4)), 0);
  return bytes;
}

/**
 * Decodes the records in a piece of a ledger. `consumed` is the number of bytes that were used; the
 * rest may be the start of a record. Bytes that are no record, such as half a record from a full
 * disk, are skipped one by one until a checksum matches again. By chance, one in four billion
 * matches.
 */
export function decodeRecords(bytes: Buffer): { records: LedgerRecord[]; consumed: number } {
  const records: LedgerRecord[] = [];
  let offset = 0;
  while (offset + recordBytes <= bytes.length) {
    const record = decodeRecord(bytes.subarray(offset, offset + recordBytes));
    if (record) {
      records.push(record);
    }
    offset += record ? recordBytes : 1;
  }
  return { records, consumed: offset };
}

function decodeRecord(bytes: Buffer): LedgerRecord | undefined {
  const kind = kinds[bytes.readUInt8(4)];
  if (kind === undefined || bytes.readUInt32BE(0) !== fnv1a(bytes.subarray(4))) {
    return undefined;
  }
  return {
    kind,
    ownLimit: bytes.readUInt8(5) === 1,
    wall: bytes.readUIntBE(6, 6),
    monotonic: bytes.readDoubleBE(12),
    writer: bytes.readUInt32BE(20),
    value: bytes.readUInt32BE(24),
    endpoint: bytes.readUInt32BE(28),
    boot: bytes.readUInt32BE(32),
  };
}

/** What shows when a record was written. */
export interface LedgerTime {
  clock: Pick<Clock, 'now' | 'monotonic'>;
  /** This start of the machine; see bootNumber. */
  boot: number;
}

/**
 * When a record was written, on the monotonic clock of this machine. All processes share that
 * clock, and a change of the system time does not affect it, so the difference of two times is the
 * age. Only a restart of the machine resets it; then the wall clock gives the age.
 *
 * The wall clock never decides whether there was a restart, because anybody can set it. Each start
 * of the machine has a number. Where the system has no number (0), a monotonic time in the future
 * shows a restart, because only a restart sets that clock back. So, without a number, a record from
 * before a restart may be taken for one after it. It then seems younger than it is, never older: it
 * may count for up to an hour too long, but never too short.
 */
export function timeOf(
  { wall, monotonic, boot: written }: Pick<LedgerRecord, 'wall' | 'monotonic' | 'boot'>,
  { clock, boot }: LedgerTime,
): number {
  const now = clock.monotonic();
  const isKnown = written !== 0 && boot !== 0;
  const isOfOtherBoot = isKnown ? written !== boot : monotonic > now;
  return isOfOtherBoot ? now - Math.max(now, clock.now() - wall) : Math.min(now, monotonic);
}

/** Records after which a new file is begun: more than an hour of the highest budget. */
const defaultFileRecords = 8192;

const namePattern = /^(\d{6})\.requests$/;

/**
 * A list of records to which any number of processes append at the same time, without a lock. It is
 * a folder of numbered files that are opened for appending only. The system appends each record in
 * one piece and in one order for all processes. So a process that appends first and then reads
 * knows every record before its own.
 *
 * When a file is full, the next number follows; no clock decides that. A process that finds the
 * next file reads the last one once more and moves on. Records that are appended to a file after
 * that are not read by others. Their writer notices it by reading on (`turn`) before it relies on
 * them.
 */
export class LedgerFile {
  /**
   * Changes when reading moves on to another file: others may then have missed what was appended
   * before.
   */
  turn = 0;
  private current: { fd: number; number: number; position: number } | undefined;

  /** @param fileRecords records after which a new file is begun. */
  constructor(
    private readonly folder: string,
    private readonly fileRecords = defaultFileRecords,
  ) {}

  get isOpen(): boolean {
    return this.current !== undefined;
  }

  /** Whether any window has written here. Opening would create the folder. */
  exists(): boolean {
    return fs.existsSync(this.folder);
  }

  /**
   * Opens the last file, and reads those before it.
   * @param isOver whether records need not be kept any more; a file that holds no other is removed.
   */
  open(isOver: (record: LedgerRecord) => boolean): LedgerRecord[] {
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const last = this.numbers().at(-1) ?? 1;
    this.turn += 1;
    this.current = { fd: this.openNumber(last), number: last, position: 0 };
    return this.readBefore(last, isOver);
  }

  /** What was added since the last call; undefined when the file is gone, and has to be opened again. */
  readNew(): LedgerRecord[] | undefined {
    const all: LedgerRecord[] = [];
    for (;;) {
      const { fd, number } = this.opened();
      const { nlink, size } = fs.fstatSync(fd);
      if (nlink === 0) {
        this.close();
        return undefined;
      }
      const hasNext = this.isFull(size) && fs.existsSync(this.pathOf(number + 1));
      // Read the size again: records may have been added after it was read and before the next file
      // appeared.
      all.push(...this.readTo(hasNext ? fs.fstatSync(fd).size : size));
      if (!hasNext) {
        return all;
      }
      this.close();
      this.turn += 1;
      this.current = { fd: this.openNumber(number + 1), number: number + 1, position: 0 };
    }
  }

  /**
   * Creates the next file when this one is full. The next call of readNew reads from it.
   * @returns whether it was created.
   */
  turnWhenFull(isOver: (record: LedgerRecord) => boolean): boolean {
    const { number, position } = this.opened();
    if (!this.isFull(position)) {
      return false;
    }
    fs.closeSync(this.openNumber(number + 1));
    this.readBefore(number, isOver);
    return true;
  }

  /** @throws Error when the system writes only a part of it; readers skip that part. */
  append(record: LedgerRecord): void {
    const written = fs.writeSync(this.opened().fd, encodeRecord(record));
    if (written !== recordBytes) {
      throw Object.assign(new Error('The record was cut.'), { code: 'ENOSPC' });
    }
  }

  close(): void {
    if (this.current) {
      fs.closeSync(this.current.fd);
      this.current = undefined;
    }
  }

  private readTo(size: number): LedgerRecord[] {
    const current = this.opened();
    if (size <= current.position) {
      return [];
    }
    const bytes = Buffer.alloc(size - current.position);
    const length = fs.readSync(current.fd, bytes, 0, bytes.length, current.position);
    const { records, consumed } = decodeRecords(bytes.subarray(0, length));
    current.position += consumed;
    return records;
  }

  /** The records of all files below a number. Files that hold only expired records are removed. */
  private readBefore(end: number, isOver: (record: LedgerRecord) => boolean): LedgerRecord[] {
    const all: LedgerRecord[] = [];
    for (const number of this.numbers().filter((candidate) => candidate < end)) {
      try {
        const { records } = decodeRecords(fs.readFileSync(this.pathOf(number)));
        if (records.every(isOver)) {
          fs.rmSync(this.pathOf(number), { force: true });
        } else {
          all.push(...records);
        }
      } catch (error) {
        // Another window has removed it already, because all its records had expired.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
          throw error;
        }
      }
    }
    return all;
  }

  private numbers(): number[] {
    return fs
      .readdirSync(this.folder)
      .flatMap((name) => namePattern.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((first, second) => first - second);
  }

  private openNumber(number: number): number {
    return fs.openSync(this.pathOf(number), 'a+', 0o600);
  }

  private pathOf(number: number): string {
    return path.join(this.folder, `${String(number).padStart(6, '0')}.requests`);
  }

  private isFull(size: number): boolean {
    return size >= this.fileRecords * recordBytes;
  }

  private opened() {
    if (!this.current) {
      throw new Error('The ledger is not open.');
    }
    return this.current;
  }
}

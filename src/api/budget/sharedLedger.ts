import { randomInt } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Clock } from '../../base/events/clock';
import { namesIn, removeIfPossible } from '../../base/files';
import { fnv1a } from '../../base/fnv1a';
import type { Logger } from '../../base/logger';
import { keyTag } from '../http/apiKey';
import { endpointId, type Route } from '../paths';
import { longestPauseMs, MemoryLedger, windowMs } from './ledger';

/**
 * A margin that is added to the hour, in milliseconds. We count a request before it is sent; the
 * service counts it when it arrives, perhaps after a new connection or a busy moment. The margin
 * costs 0.3 % of the budget.
 */
export const marginMs = 10_000;

/** How long a window counts alone before it tries to write again, in milliseconds. */
const aloneMs = 60_000;

export interface SharedLedgerOptions {
  /** The folder for the records of this key; created when there is something to write. */
  folder: string;
  limit: number;
  clock: Clock;
  boot: number;
  logger: Logger;
  /** The number of records after which a new file is started. Default 8192. */
  fileRecords?: number;
  /** Called whenever the folder is about to be opened. */
  beforeOpen?: () => void;
}

/**
 * One count of the requests of all windows and processes of a machine, across restarts. To send a request,
 * a window adds a record to the shared list and reads the list. If all records before its own leave room,
 * it may send. Otherwise it adds a second record that withdraws the first, and waits.
 *
 * Of any two windows, at least the one that added later sees the other, so together they never exceed the
 * limit. The one that added first keeps its place, so the last free place is always used. There is no lock,
 * so a window that dies leaves nothing behind except, at most, the place that it had reserved. A withdrawn
 * record costs nothing.
 *
 * Rejected: a count in a file (needs a lock); a server in one window (it closes); an order by time
 * (a clock that is set back changes the order); counting each reader's own decision about the
 * records of others (while the setting changes, two windows have two limits and would never agree).
 *
 * Each record is placed on the monotonic clock of the machine (see timeOf), so a jump of the system time
 * neither frees nor blocks anything. Pauses are shared in the same way. If the folder cannot be written, a
 * window counts alone, starting from what it had read before; the 429 of the service then shows what others
 * have sent. The same applies to windows of several machines that share a network folder, because their
 * clocks have nothing in common.
 */
export class SharedLedger extends MemoryLedger {
  private readonly file: LedgerFile;
  private readonly time: LedgerTime;
  private readonly logger: Logger;
  private readonly beforeOpen: () => void;
  private readonly writer = randomInt(2 ** 32);
  private requestNumber = 0;
  private aloneUntil = -Infinity;
  private hasWarned = false;

  constructor(options: SharedLedgerOptions) {
    super(options.limit, options.clock, windowMs + marginMs);
    this.time = options;
    this.logger = options.logger;
    this.beforeOpen = options.beforeOpen ?? (() => undefined);
    this.file = new LedgerFile(options.folder, options.fileRecords);
  }

  override refresh(): boolean {
    // Only reads; creates nothing.
    return (
      (this.file.isOpen || this.file.exists()) && this.withFolder(() => this.readNew().isNew, false)
    );
  }

  override tryReserve(route: Route): boolean {
    const isReserved = this.withFolder(
      () => this.tryReserveShared(endpointId(route.label)),
      undefined,
    );
    return isReserved ?? super.tryReserve(route);
  }

  override pause(route: Route, ms: number): void {
    const written = this.withFolder(() => {
      this.readNew();
      const { label, ownLimit } = route;
      this.append({ kind: 'pause', ownLimit, value: Math.ceil(ms), endpoint: endpointId(label) });
      this.readNew();
      return true;
    }, false);
    if (!written) {
      super.pause(route, ms);
    }
  }

  override dispose(): void {
    this.file.close();
    this.aloneUntil = Infinity;
  }

  private tryReserveShared(endpoint: number): boolean {
    for (;;) {
      this.readNew();
      if (!this.hasCapacity(endpoint)) {
        return false;
      }
      if (this.file.rotateWhenFull((record) => isExpired(record, this.time))) {
        continue;
      }
      const { generation } = this.file;
      const value = (this.requestNumber += 1) % numberModulus;
      this.append({ kind: 'send', ownLimit: false, value, endpoint });
      const { hadCapacity } = this.readNew(recordId({ writer: this.writer, value }));
      const isSeen = this.file.generation === generation;
      if (isSeen && hadCapacity === undefined) {
        throw new Error('What was written cannot be read.');
      }
      if (isSeen && hadCapacity) {
        return true;
      }
      this.append({ kind: 'withdraw', ownLimit: false, value, endpoint });
      this.readNew();
      if (isSeen) {
        return false;
      }
      // The list had moved on to the next file, which may have room.
    }
  }

  /**
   * Applies the records that were added since the last call.
   * @param own the ID of a request. `hadCapacity` says whether there was room before it was counted.
   */
  private readNew(own?: number): { isNew: boolean; hadCapacity: boolean | undefined } {
    let hadCapacity: boolean | undefined;
    let records = this.file.isOpen ? this.file.readNew() : undefined;
    const isNew = records === undefined || records.length > 0;
    if (!records) {
      this.open();
      records = [];
    }
    for (const record of records) {
      if (record.kind === 'send' && recordId(record) === own) {
        hadCapacity = this.hasCapacity(record.endpoint);
      }
      // Added while this process runs, so its time is of the clock of this boot.
      this.apply(record, Math.min(this.clock.monotonic(), record.monotonic));
    }
    return { isNew, hadCapacity };
  }

  private open(): void {
    this.beforeOpen();
    const known = new Set(this.sent().map(({ id }) => id));
    const records = this.file.open((record) => isExpired(record, this.time));
    records.push(...(this.file.readNew() ?? []));
    for (const record of records) {
      if (record.kind !== 'send' || !known.has(recordId(record))) {
        this.apply(record, recordTime(record, this.time));
      }
    }
  }

  private apply(record: LedgerRecord, at: number): void {
    const { endpoint, ownLimit } = record;
    switch (record.kind) {
      case 'send':
        this.record({ at, id: recordId(record), endpoint });
        break;
      case 'withdraw':
        this.withdraw(recordId(record));
        break;
      case 'pause':
        this.pauses.add({ endpoint, ownLimit, at, ms: pauseMs(record) });
        break;
    }
  }

  private append(record: Pick<LedgerRecord, 'kind' | 'ownLimit' | 'value' | 'endpoint'>): void {
    const { clock, writer } = this;
    const times = { wall: Math.floor(clock.now()), monotonic: clock.monotonic() };
    this.file.append({ ...record, ...times, boot: this.time.boot, writer });
  }

  /** Runs `work`, which needs the folder, or returns `otherwise` while the folder cannot be used. */
  private withFolder<T>(work: () => T, otherwise: T): T {
    if (this.clock.monotonic() < this.aloneUntil) {
      return otherwise;
    }
    try {
      return work();
    } catch (error) {
      this.aloneUntil = this.clock.monotonic() + aloneMs;
      this.closeBroken();
      if (!this.hasWarned) {
        this.hasWarned = true;
        const { code = 'failed' } = error as NodeJS.ErrnoException;
        this.logger.warn(
          `The request budget cannot be shared with other windows (${code}): this one counts by itself.`,
        );
      }
      return otherwise;
    }
  }

  private closeBroken(): void {
    try {
      this.file.close();
    } catch {
      // A file that cannot be closed is not used any more either.
    }
  }
}

/** Whether a record need not be kept any more. */
function isExpired(record: LedgerRecord, time: LedgerTime): boolean {
  // A pause counts until its end.
  const lastsMs = record.kind === 'pause' ? pauseMs(record) : 0;
  return recordTime(record, time) + lastsMs <= time.clock.monotonic() - windowMs - marginMs;
}

/**
 * How long a pause lasts, in milliseconds. An impossible length means that the record is damaged.
 */
function pauseMs({ value }: LedgerRecord): number {
  return value > longestPauseMs ? windowMs : value;
}

/** The limit of the service (spec section 8); the client that uses the ledger sets its own limit. */
const maxRequestsPerHour = 5000;

/** How long a key may be unused before its records are removed, in milliseconds. */
const unusedMs = 24 * 3_600_000;

/**
 * The folder for the records of one key at one origin. A new key of the same account has its own folder and
 * so its own budget, because the service counts by key. If it does not, its 429 decides.
 *
 * @param parent the folder for the records of all keys.
 */
export function ledgerFolder(parent: string, origin: string, apiKey: string): string {
  return path.join(parent, keyTag(parent, origin, apiKey));
}

/** The ledger of a key at a service, which all windows share. It reads and creates nothing until it is used. */
export function sharedLedgerOf({
  parent,
  baseUrl,
  apiKey,
  clock,
  logger,
  boot = bootNumber(),
}: {
  parent: string;
  /** An absolute address; its origin counts. */
  baseUrl: string;
  apiKey: string;
  clock: Clock;
  logger: Logger;
  /** Default: this start of this machine. */
  boot?: number;
}): SharedLedger {
  return new SharedLedger({
    folder: ledgerFolder(parent, new URL(baseUrl).origin, apiKey),
    limit: maxRequestsPerHour,
    clock,
    boot,
    logger,
    beforeOpen: () => {
      removeUnusedLedgers(parent, { clock, boot });
    },
  });
}

/**
 * Removes the folders of keys that have not been used for a day. The times of their files show which
 * folders may be removed. Anybody can set the clock of these times, so the records are checked, too.
 */
function removeUnusedLedgers(parent: string, time: LedgerTime): void {
  for (const name of namesIn(parent)) {
    const folder = path.join(parent, name);
    const files = namesIn(folder).map((file) => path.join(folder, file));
    const usedAt = Math.max(modifiedAt(folder), ...files.map(modifiedAt));
    if (usedAt < time.clock.now() - unusedMs && files.every((file) => isFileExpired(file, time))) {
      removeIfPossible(folder);
    }
  }
}

function isFileExpired(file: string, time: LedgerTime): boolean {
  try {
    return decodeRecords(fs.readFileSync(file)).records.every((record) => isExpired(record, time));
  } catch {
    // It cannot be read, so it may hold a record that still counts.
    return false;
  }
}

/**
 * Removes the record of all requests, for all keys. A window that uses it starts a new list and
 * keeps its own count. A file that the system does not remove, because another window reads it, is
 * removed after a day.
 */
export function removeLedgers(parent: string): void {
  for (const name of namesIn(parent)) {
    removeIfPossible(path.join(parent, name));
  }
}

/** Infinity if another window has removed the file in the meantime: there is nothing left to do. */
function modifiedAt(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
}

/** Linux has a random UUID here, which is new each time the machine starts and independent of any clock. */
const bootIdFile = '/proc/sys/kernel/random/boot_id';

/**
 * A 32-bit number that identifies this start of the machine; 0 if the system has no such ID that can be
 * read without another program (Windows, macOS).
 */
export function bootNumber(file = bootIdFile): number {
  try {
    return fnv1a(fs.readFileSync(file)) || 1;
  } catch {
    return 0;
  }
}

/** Bytes of one record: far below what any file system appends in one piece. */
export const recordBytes = 36;

/**
 * - `send`: a request is counted.
 * - `withdraw`: the request of this writer and number found no room, and was not sent.
 * - `pause`: the service has paused an endpoint.
 */
type RecordKind = 'send' | 'withdraw' | 'pause';

/** One record of a ledger that several windows share. */
interface LedgerRecord {
  kind: RecordKind;
  /** For a pause; see Route. */
  ownLimit: boolean;
  /** Wall-clock time of the writer in whole milliseconds since the epoch. */
  wall: number;
  /** The same moment on the monotonic clock, in milliseconds. */
  monotonic: number;
  /** A random number of the ledger that wrote it; 32 bits. */
  writer: number;
  /** The number of the request, counted by its writer; for a pause, its length in milliseconds. */
  value: number;
  /** See endpointId; 32 bits. */
  endpoint: number;
  /** The start of the machine that `monotonic` counts from; see bootNumber. */
  boot: number;
}

const kinds: readonly RecordKind[] = ['send', 'withdraw', 'pause'];

/** Numbers of requests wrap around here, so that writer and number fit one exact number. */
const numberModulus = 2 ** 20;

/** Identifies a request in memory; never 0. */
function recordId({ writer, value }: Pick<LedgerRecord, 'writer' | 'value'>): number {
  return writer * numberModulus + (value % numberModulus) + 1;
}

/** A record as bytes. They start with a checksum of the rest. */
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
 * Decodes the records in a piece of a ledger. `consumed` is the number of bytes that were used; the rest
 * may be the start of a record. Bytes that are not a record, such as half a record from a full disk, are
 * skipped one by one until a checksum matches again. By chance, one in four billion matches.
 */
function decodeRecords(bytes: Buffer): { records: LedgerRecord[]; consumed: number } {
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

/** What is needed to tell when a record was written. */
interface LedgerTime {
  clock: Pick<Clock, 'now' | 'monotonic'>;
  /** This start of the machine; see bootNumber. */
  boot: number;
}

/**
 * When a record was written, on the monotonic clock of this machine. All processes share that
 * clock, and a change of the system time does not affect it, so the difference of two times is the
 * age. Only a restart of the machine resets it; then the wall clock gives the age.
 *
 * The wall clock never decides whether there was a restart, because anybody can set it. Each start of the
 * machine has a number. If the system has no number (0), a monotonic time in the future shows a restart,
 * because only a restart sets that clock back. So, without a number, a record from before a restart may be
 * mistaken for one after it. It then seems younger than it is, never older: it may count for up to an hour too
 * long, but never too short.
 */
function recordTime(
  { wall, monotonic, boot: written }: Pick<LedgerRecord, 'wall' | 'monotonic' | 'boot'>,
  { clock, boot }: LedgerTime,
): number {
  const now = clock.monotonic();
  const isKnown = written !== 0 && boot !== 0;
  const isOfOtherBoot = isKnown ? written !== boot : monotonic > now;
  return isOfOtherBoot ? now - Math.max(now, clock.now() - wall) : Math.min(now, monotonic);
}

/** The number of records after which a new file is started: more than an hour of the highest budget. */
const defaultFileRecords = 8192;

const namePattern = /^(\d{6})\.requests$/;

/**
 * A list of records to which any number of processes append at the same time, without a lock. It is
 * a folder of numbered files that are opened for appending only. The system appends each record in
 * one piece and in one order for all processes. So a process that appends first and then reads
 * knows every record before its own.
 *
 * When a file is full, the file with the next number follows; no clock decides that. A process that finds
 * the next file reads the last one once more and moves on. Records that are appended to a file after that
 * are not read by others. Their writer notices it by reading on (`generation`) before it relies on them.
 */
class LedgerFile {
  /**
   * Changes when reading moves on to another file: others may then have missed what was appended
   * before.
   */
  generation = 0;
  private current: { fd: number; number: number; position: number } | undefined;

  /** @param fileRecords the number of records after which a new file is started. */
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
   * @param isOver whether a record need not be kept any more; a file with only such records is removed.
   */
  open(isOver: (record: LedgerRecord) => boolean): LedgerRecord[] {
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const last = this.numbers().at(-1) ?? 1;
    this.generation += 1;
    this.current = { fd: this.openFile(last), number: last, position: 0 };
    return this.readBefore(last, isOver);
  }

  /**
   * Reads the records that were added since the last call; `undefined` if the file is gone and must be
   * opened again.
   */
  readNew(): LedgerRecord[] | undefined {
    const all: LedgerRecord[] = [];
    for (;;) {
      const { fd, number } = this.requireOpen();
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
      this.generation += 1;
      this.current = { fd: this.openFile(number + 1), number: number + 1, position: 0 };
    }
  }

  /**
   * Creates the next file when this one is full. The next call of readNew reads from it.
   * @returns whether it was created.
   */
  rotateWhenFull(isOver: (record: LedgerRecord) => boolean): boolean {
    const { number, position } = this.requireOpen();
    if (!this.isFull(position)) {
      return false;
    }
    fs.closeSync(this.openFile(number + 1));
    this.readBefore(number, isOver);
    return true;
  }

  /** @throws Error when the system writes only a part of it; readers skip that part. */
  append(record: LedgerRecord): void {
    const written = fs.writeSync(this.requireOpen().fd, encodeRecord(record));
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
    const current = this.requireOpen();
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

  private openFile(number: number): number {
    return fs.openSync(this.pathOf(number), 'a+', 0o600);
  }

  private pathOf(number: number): string {
    return path.join(this.folder, `${String(number).padStart(6, '0')}.requests`);
  }

  private isFull(size: number): boolean {
    return size >= this.fileRecords * recordBytes;
  }

  private requireOpen() {
    if (!this.current) {
      throw new Error('The ledger is not open.');
    }
    return this.current;
  }
}

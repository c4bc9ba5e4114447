import { randomInt } from 'node:crypto';
import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/logger';
import { MemoryLedger, longestPauseMs, windowMs } from './ledger';
import {
  LedgerFile,
  type LedgerRecord,
  type LedgerTime,
  mostNumbers,
  recordId,
  timeOf,
  decodeRecords,
} from './ledgerFile';
import { endpointId, type Route } from '../paths';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { namesIn, removeIfPossible } from '../../base/files';
import { keyTag } from '../http/apiKey';
import { readFileSync } from 'node:fs';
import { fnv1a } from '../../base/fnv1a';

/**
 * A margin that is added to the hour, in milliseconds. We count a request before it is sent; the
 * service counts it when it arrives, perhaps after a new connection or a busy moment. The margin
 * costs 0.3 % of the budget.
 */
export const marginMs = 10_000;

/** How long a window counts alone before it tries to write again, in milliseconds. */
const aloneMs = 60_000;

export interface SharedLedgerOptions {
  /** Where the records of this key are kept; made when there is something to write. */
  folder: string;
  limit: number;
  clock: Clock;
  boot: number;
  logger: Logger;
  /** Records after which a new file is begun. Default 8192. */
  fileRecords?: number;
  /** Called whenever the folder is about to be opened. */
  beforeOpen?: () => void;
}

/**
 * One account of the requests of all windows, processes and restarts of a machine. To send, a
 * window adds a record to the common list and reads the list. If there was a place, counting all
 * records before its own, it may send. Otherwise it adds a record that it withdraws, and waits.
 *
 * Of any two windows, at least the one that added later sees the other, so together they never
 * exceed the limit. The one that added first keeps its place, so the last place is always used.
 * There is no lock, so a window that dies leaves nothing behind except, at most, the place that it
 * had taken. A withdrawn record costs nothing.
 *
 * Rejected: a count in a file (needs a lock); a server in one window (it closes); an order by time
 * (a clock that is set back changes the order); counting each reader's own decision about the
 * records of others (while the setting changes, two windows have two limits and would never agree).
 *
 * Each record is placed on the monotonic clock of the machine (see timeOf), so a jump of the system
 * time neither frees nor blocks anything. Pauses are shared in the same way. Where the folder
 * cannot be written, a window counts alone, starting from what it had read before; the 429 of the
 * service then shows what others have sent. The same applies to windows of several machines that
 * share a network folder, because their clocks have nothing in common.
 */
export class SharedLedger extends MemoryLedger {
  private readonly file: LedgerFile;
  private readonly time: LedgerTime;
  private readonly logger: Logger;
  private readonly beforeOpen: () => void;
  private readonly writer = randomInt(2 ** 32);
  private number = 0;
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
      (this.file.isOpen || this.file.exists()) && this.shared(() => this.readNew().isNew, false)
    );
  }

  override take(route: Route): boolean {
    const taken = this.shared(() => this.takeShared(endpointId(route.label)), undefined);
    return taken ?? super.take(route);
  }

  override pause(route: Route, ms: number): void {
    const written = this.shared(() => {
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

  private takeShared(endpoint: number): boolean {
    for (;;) {
      this.readNew();
      if (!this.hasCapacity(endpoint)) {
        return false;
      }
      if (this.file.turnWhenFull((record) => isOver(record, this.time))) {
        continue;
      }
      const { turn } = this.file;
      const value = (this.number += 1) % mostNumbers;
      this.append({ kind: 'send', ownLimit: false, value, endpoint });
      const { hadCapacity } = this.readNew(recordId({ writer: this.writer, value }));
      const isSeen = this.file.turn === turn;
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
      // The file had been left for the next one, in which there may be a place.
    }
  }

  /**
   * Takes in what has been added since.
   * @param own the request for which to say whether there was a place before it was counted.
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
      // Added while this process runs, so by the clock of this boot.
      this.apply(record, Math.min(this.clock.monotonic(), record.monotonic));
    }
    return { isNew, hadCapacity };
  }

  private open(): void {
    this.beforeOpen();
    const known = new Set(this.sent().map(({ id }) => id));
    const records = this.file.open((record) => isOver(record, this.time));
    records.push(...(this.file.readNew() ?? []));
    for (const record of records) {
      if (record.kind !== 'send' || !known.has(recordId(record))) {
        this.apply(record, timeOf(record, this.time));
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
        this.takeBack(recordId(record));
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

  /** Does what needs the folder, or gives `otherwise` while there is none to be used. */
  private shared<T>(work: () => T, otherwise: T): T {
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
      // What cannot be closed is not used any more either.
    }
  }
}

/** Whether a record need not be kept any more. */
function isOver(record: LedgerRecord, time: LedgerTime): boolean {
  // A pause counts to its end.
  const lastsMs = record.kind === 'pause' ? pauseMs(record) : 0;
  return timeOf(record, time) + lastsMs <= time.clock.monotonic() - windowMs - marginMs;
}

/**
 * How long a pause lasts, in milliseconds. An impossible length means that the record is damaged.
 */
function pauseMs({ value }: LedgerRecord): number {
  return value > longestPauseMs ? windowMs : value;
}

/** What the service allows (spec section 8); the client that takes the ledger sets its own limit. */
const mostRequestsPerHour = 5000;

/** How long a key may be unused before its records are removed, in milliseconds. */
const unusedMs = 24 * 3_600_000;

/**
 * The folder for the records of one key at one origin. A new key of the same account has its own
 * folder and so its own budget, because the service counts by key. Where it does not, its 429
 * decides.
 *
 * @param parent the folder for the records of all keys.
 */
export function ledgerFolder(parent: string, origin: string, apiKey: string): string {
  return path.join(parent, keyTag(parent, origin, apiKey));
}

/** The account of a key at a service that all windows share. Nothing is read or made until it is used. */
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
    limit: mostRequestsPerHour,
    clock,
    boot,
    logger,
    beforeOpen: () => {
      removeUnusedLedgers(parent, { clock, boot });
    },
  });
}

/**
 * Removes the folders of keys that have not been used for a day. The times of their files show
 * which folders may go. Anybody can set the clock of these times, so the records are checked, too.
 */
function removeUnusedLedgers(parent: string, time: LedgerTime): void {
  for (const name of namesIn(parent)) {
    const folder = path.join(parent, name);
    const files = namesIn(folder).map((file) => path.join(folder, file));
    const usedAt = Math.max(modifiedAt(folder), ...files.map(modifiedAt));
    if (usedAt < time.clock.now() - unusedMs && files.every((file) => isFileOver(file, time))) {
      removeIfPossible(folder);
    }
  }
}

function isFileOver(file: string, time: LedgerTime): boolean {
  try {
    return decodeRecords(fs.readFileSync(file)).records.every((record) => isOver(record, time));
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

/** Infinity for what another window has removed in the meantime: there is nothing left to do. */
function modifiedAt(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
}

/** Where Linux keeps a UUID that it draws each time the machine starts; no clock touches it. */
const bootIdFile = '/proc/sys/kernel/random/boot_id';

/**
 * Identifies this start of the machine, in 32 bits; 0 where the system has no such ID that can be
 * read without another program (Windows, macOS).
 */
export function bootNumber(file = bootIdFile): number {
  try {
    return fnv1a(readFileSync(file)) || 1;
  } catch {
    return 0;
  }
}

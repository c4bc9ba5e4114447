import { randomInt } from 'node:crypto';
import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/logger';
import { MemoryLedger } from './ledger';
import { LedgerFile } from './ledgerFile';
import { type LedgerRecord, type LedgerTime, mostNumbers, recordId, timeOf } from './ledgerRecord';
import { endpointId, type Route } from '../paths';
import { longestPauseMs } from './pauses';
import { windowMs } from './rollingWindow';

/**
 * Kept beside the hour, in milliseconds: a place is taken here, and the service counts when the
 * request arrives, after a new connection or a busy moment. It costs 0.3 % of the budget.
 */
export const marginMs = 10_000;

/** How long a window counts by itself before it tries again to write, in milliseconds. */
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
 * One account for all windows, processes and restarts of a machine.
 *
 * To send, a window adds a record to the common list and reads what stands there. It may send when,
 * with all that was added before its own, there was still a place; otherwise it adds that it
 * withdraws, and waits. Of any two windows at least the one that added later sees the other, so
 * that together they never take more than there is; and the one that added first has its place, so
 * that the last place goes to somebody. No lock is held: nothing is left behind by a window that
 * dies, save at most the place that it had taken. What is withdrawn costs nothing.
 *
 * Rejected: a count in a file (needs a lock); a server in one window (it closes); deciding by the
 * order of times (a clock that is set back reorders them); counting each reader's own verdict over
 * the others' records (two limits in two windows, while the setting changes, would never agree).
 *
 * Every record is placed on the clock that only goes forward and is the machine's (see timeOf), so
 * that a system time that jumps neither frees nor blocks anything. Pauses go the same way.
 *
 * Where the folder cannot be written, a window counts by itself, with what it had read before; the
 * 429 of the service then shows what the others have sent. Windows of several machines over one
 * network folder do the same: their clocks have nothing in common.
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
    // Only to look, nothing is made.
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
export function isOver(record: LedgerRecord, time: LedgerTime): boolean {
  // A pause counts to its end.
  const lastsMs = record.kind === 'pause' ? pauseMs(record) : 0;
  return timeOf(record, time) + lastsMs <= time.clock.monotonic() - windowMs - marginMs;
}

/** How long a pause lasts, in milliseconds; a length that nobody writes is garbage. */
function pauseMs({ value }: LedgerRecord): number {
  return value > longestPauseMs ? windowMs : value;
}

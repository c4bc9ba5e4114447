import type { Clock } from '../../base/clock';
import { fnv1a } from '../../base/fnv1a';

/** Bytes of one record: far below what any file system appends in one piece. */
export const recordBytes = 36;

/**
 * - `send`: a request takes a place.
 * - `withdraw`: the request of that writer and number found none, and was not sent.
 * - `pause`: the service holds an endpoint back.
 */
export type RecordKind = 'send' | 'withdraw' | 'pause';

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

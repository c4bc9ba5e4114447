import { createHmac } from 'node:crypto';
import { scorecardData } from './demoData';
import type { ScorecardData } from './demoData';

/** What a report is; everything about it follows from this and the seed. */
export interface ReportOrder {
  readonly kind: 'full' | 'detailed';
  /** Absent: all scorecards. */
  readonly scorecard: ScorecardData | undefined;
  /** When it was asked for, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Whether it is of a week before that. */
  readonly isEarlier?: true;
}

const kinds = ['full', 'detailed'] as const;
/** What stands instead of the number of a kind for a full report of a week before. */
const earlierFull = 2;
const allScorecards = 255;
const payloadBytes = 10;
const idBytes = 16;

/**
 * The id of a report holds the whole order, so that a service started again with the same seed, at
 * another port or after a window reload, still knows the reports that were asked for before.
 *
 * @param serial distinguishes reports that were asked for in the same millisecond.
 */
export function encodeReportId(seed: number, order: ReportOrder, serial: number): string {
  const payload = Buffer.alloc(payloadBytes);
  const index = order.scorecard ? scorecardData.indexOf(order.scorecard) : allScorecards;
  payload.writeUInt8(order.isEarlier ? earlierFull : kinds.indexOf(order.kind), 0);
  payload.writeUInt8(index, 1);
  payload.writeUIntBE(order.startedAt, 2, 6);
  payload.writeUInt16BE(serial % 0x10000, 8);
  return Buffer.concat([payload, checksum(seed, payload)]).toString('base64url');
}

/** The order in an id, or `undefined` when this service (that is, its seed) never gave that id. */
export function decodeReportId(seed: number, id: string): ReportOrder | undefined {
  const bytes = Buffer.from(id, 'base64url');
  const payload = bytes.subarray(0, payloadBytes);
  if (
    bytes.length !== idBytes ||
    bytes.toString('base64url') !== id ||
    !checksum(seed, payload).equals(bytes.subarray(payloadBytes))
  ) {
    return undefined;
  }
  const isEarlier = payload.readUInt8(0) === earlierFull;
  const kind = isEarlier ? 'full' : kinds[payload.readUInt8(0)];
  const index = payload.readUInt8(1);
  const scorecard = scorecardData[index];
  if (!kind || (!scorecard && index !== allScorecards)) {
    return undefined;
  }
  return {
    kind,
    scorecard,
    startedAt: payload.readUIntBE(2, 6),
    ...(isEarlier && { isEarlier: true as const }),
  };
}

/** Against mistyped ids and those of another seed; the demo has nothing that is worth forging one. */
function checksum(seed: number, payload: Buffer): Buffer {
  return createHmac('sha256', `demo report ${seed}`)
    .update(payload)
    .digest()
    .subarray(0, idBytes - payloadBytes);
}

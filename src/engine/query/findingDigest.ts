import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { SaidSeverity } from '../../vocabulary/severity';
import {
  bitsOf,
  compareRows,
  findingsAtOnce,
  isShared,
  type KeptRows,
  newKeptRows,
} from '../data/keptRows';
import type { FindingIdentity } from '../data/known';

/**
 * The first 64 bits of a digest (SHA-256) of the id of a finding, as two numbers: of four million findings, the chance
 * that any two have the same is one in two millions.
 */
export function digestOfId(id: string): readonly [high: number, low: number] {
  // Several times as fast as an object for each.
  const digest = hash('sha256', id, 'hex');
  return [parseInt(digest.slice(0, 8), 16), parseInt(digest.slice(8, 16), 16)];
}

/**
 * 32 bits of a detail, which tells only those with the same id apart; 0 without one. That of a line is small, which packs
 * well; others are hashed (FNV-1a).
 */
export function digestOfDetail(detail = ''): number {
  if (detail === '') {
    return 0;
  }
  if (/^(0|[1-9]\d{0,8})$/.test(detail)) {
    return Number(detail) + 1;
  }
  let digest = 0x811c9dc5;
  for (let at = 0; at < detail.length; at += 1) {
    digest = Math.imul(digest ^ detail.charCodeAt(at), 0x01000193);
  }
  return digest >>> 0 || 1;
}

/** A finding as it was identified. */
interface Identified extends Pick<FindingIdentity, 'id' | 'detail'> {
  readonly isShared?: boolean;
  readonly severity?: SaidSeverity;
}

/** What is kept of findings in any order, with their positions in the order of rows, unless they have it. */
export async function digestFindings(
  findings: readonly Identified[],
): Promise<{ readonly rows: KeptRows; readonly order?: Uint32Array }> {
  const rows = newKeptRows(findings.length);
  let isSorted = true;
  for (const [at, { id, detail, severity, isShared: shares }] of findings.entries()) {
    const [high, low] = digestOfId(id);
    rows.high[at] = high;
    rows.low[at] = low;
    rows.detail[at] = digestOfDetail(detail);
    rows.bits[at] = bitsOf(severity) | (shares === true ? isShared : 0);
    isSorted &&= at === 0 || compareRows(rows, at - 1, rows, at) <= 0;
    if (at % findingsAtOnce === 0) {
      await setImmediate();
    }
  }
  if (isSorted) {
    return { rows };
  }
  const order = Uint32Array.from(findings.keys()).sort((one, other) =>
    compareRows(rows, one, rows, other),
  );
  const high = order.map((at) => rows.high[at]!);
  const low = order.map((at) => rows.low[at]!);
  const detail = order.map((at) => rows.detail[at]!);
  const bits = Uint8Array.from(order, (at) => rows.bits[at]!);
  return { rows: { high, low, detail, bits }, order };
}

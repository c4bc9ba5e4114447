import { createHash } from 'node:crypto';

/**
 * The first 64 bits of a digest (SHA-256) of the id of a finding, as two numbers: of four million findings, the chance
 * that any two have the same is one in two millions.
 */
export function digestOfId(id: string): readonly [high: number, low: number] {
  const digest = createHash('sha256').update(id).digest();
  return [digest.readUInt32BE(0), digest.readUInt32BE(4)];
}

/** 32 bits of a detail (FNV-1a), which tells only those with the same id apart; 0 without one. */
export function digestOfDetail(detail = ''): number {
  if (detail === '') {
    return 0;
  }
  let hash = 0x811c9dc5;
  for (let at = 0; at < detail.length; at += 1) {
    hash = Math.imul(hash ^ detail.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0 || 1;
}

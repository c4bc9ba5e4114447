import { hash } from 'node:crypto';

/**
 * The first 64 bits of a digest (SHA-256) of the id of a finding, as two numbers: of four million findings, the chance
 * that any two have the same is one in two millions.
 */
export function digestOfId(id: string): readonly [high: number, low: number] {
  // Several times as fast as an object for each.
  const digest = hash('sha256', id, 'hex');
  return [parseInt(digest.slice(0, 8), 16), parseInt(digest.slice(8, 16), 16)];
}

/** 32 bits of a detail (FNV-1a), which tells only those with the same id apart; 0 without one. */
export function digestOfDetail(detail = ''): number {
  if (detail === '') {
    return 0;
  }
  let digest = 0x811c9dc5;
  for (let at = 0; at < detail.length; at += 1) {
    digest = Math.imul(digest ^ detail.charCodeAt(at), 0x01000193);
  }
  return digest >>> 0 || 1;
}

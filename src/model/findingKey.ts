import { createHash } from 'node:crypto';
import type { JsonObject } from '../common/json';

/**
 * The id that the service gives a finding: what makes it the same finding on another page or after
 * a refresh. `undefined` where it gives none.
 */
export function issueIdOf(entry: JsonObject): string | undefined {
  const id = entry.issue_id;
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined;
}

/**
 * Stands in for the id of an entry that has none: what it says, and for the how manieth time. Two
 * entries that say the same without an id cannot be known to be one, so both are kept.
 */
export function contentKey(entry: JsonObject, isTaken: (key: string) => boolean): string {
  const digest = createHash('sha256').update(JSON.stringify(entry)).digest('base64url');
  let key = digest;
  for (let copy = 2; isTaken(key); copy += 1) {
    key = `${digest}#${copy}`;
  }
  return key;
}

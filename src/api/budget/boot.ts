import { readFileSync } from 'node:fs';
import { fnv1a } from '../../base/fnv1a';

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

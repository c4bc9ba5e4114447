import * as fs from 'node:fs';
import * as path from 'node:path';
import { namesIn, removeIfPossible } from '../../base/files';
import { bootNumber } from './boot';
import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/logger';
import { keyTag } from '../http/keyTag';
import { decodeRecords, type LedgerTime } from './ledgerRecord';
import { isOver, SharedLedger } from './sharedLedger';

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

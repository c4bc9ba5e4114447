import { createHmac } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { bootNumber } from '../common/boot';
import type { Clock } from '../common/clock';
import type { Logger } from '../common/logger';
import { decodeRecords, type LedgerTime } from './ledgerRecord';
import { isOver, SharedLedger } from './sharedLedger';

/** Hexadecimal digits of a key's hash: 24 bits. */
const hashDigits = 6;

/** What the service allows (spec section 8); the client that takes the ledger sets its own limit. */
const mostRequestsPerHour = 5000;

/** After which the records of a key that is not used any more are removed, in milliseconds. */
const unusedMs = 24 * 3_600_000;

/**
 * The folder for the records of one key at one origin.
 *
 * Its name must be the same in every window and must not give the key away. A hash of a key that
 * can be guessed confirms the guess, however slow or salted, to whoever may read the folder; so it
 * is cut to 24 bits, which is all it can ever tell: of a random key of 128 bits 104 stay unknown,
 * and of a poor one every sixteen-millionth guess is confirmed, right or wrong. Two keys of one
 * machine that meet in a name share a budget, which is too strict, and as good as never happens.
 * Where the folder lies salts it: the same key has another name on another machine, and no table
 * holds it.
 *
 * @param parent the folder for the records of all keys.
 */
export function ledgerFolder(parent: string, origin: string, apiKey: string): string {
  const hash = createHmac('sha256', `request budget\0${path.resolve(parent)}`)
    .update(JSON.stringify([origin, apiKey]))
    .digest('hex');
  return path.join(parent, hash.slice(0, hashDigits));
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
  /** The folder for the records of all keys. */
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
 * Removes the folders of keys that have not been used for a day. The times of their files name those
 * that may go; as they are of a clock that anybody may set, their records have the last word.
 */
function removeUnusedLedgers(parent: string, time: LedgerTime): void {
  for (const name of listed(parent)) {
    const folder = path.join(parent, name);
    const files = listed(folder).map((file) => path.join(folder, file));
    const usedAt = Math.max(modifiedAt(folder), ...files.map(modifiedAt));
    if (usedAt < time.clock.now() - unusedMs && files.every((file) => isFileOver(file, time))) {
      remove(folder);
    }
  }
}

function isFileOver(file: string, time: LedgerTime): boolean {
  try {
    return decodeRecords(fs.readFileSync(file)).records.every((record) => isOver(record, time));
  } catch {
    // Whether anything in it still counts cannot be said.
    return false;
  }
}

/**
 * Removes what all keys have sent. A window that is at it begins a new list, and keeps its own
 * count. What a system does not let go while another window reads it goes after a day.
 */
export function removeLedgers(parent: string): void {
  for (const name of listed(parent)) {
    remove(path.join(parent, name));
  }
}

function remove(folder: string): void {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch {
    // Open elsewhere, or not ours to remove: nothing depends on it.
  }
}

function listed(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/** Infinity for what another window has removed meanwhile: there is nothing left to do. */
function modifiedAt(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
}

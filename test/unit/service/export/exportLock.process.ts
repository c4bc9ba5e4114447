/**
 * Repeatedly locks and unlocks a path, in its own process: `node exportLock.process.js PATH TIMES`. Prints how
 * often it had the lock, and how often another process had it at the same time.
 */
import { closeSync, openSync, unlinkSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { localDisk } from '../../../../src/files/disk';
import { systemClock } from '../../../../src/base/events/clock';
import { localProcesses } from '../../../../src/files/processes';
import { ExportRunningError } from '../../../../src/service/export/exportErrors';
import { lockExport } from '../../../../src/service/export/exportLock';

const [path = '', times = ''] = process.argv.slice(2);
const deps = { disk: localDisk, clock: systemClock, processes: localProcesses };

async function main(): Promise<void> {
  let taken = 0;
  let overlaps = 0;
  while (taken < Number(times)) {
    const lock = await lockExport(path, deps).catch((error: unknown) => {
      if (!(error instanceof ExportRunningError)) {
        throw error;
      }
    });
    if (lock) {
      taken += 1;
      overlaps += (await isAlone()) ? 0 : 1;
      lock.release();
    }
    await turn();
  }
  console.log(JSON.stringify({ taken, overlaps }));
}

/** Whether no other process has the lock. */
async function isAlone(): Promise<boolean> {
  const inside = `${path}.inside`;
  try {
    closeSync(openSync(inside, 'wx'));
  } catch {
    return false;
  }
  await turn();
  unlinkSync(inside);
  return true;
}

void main();

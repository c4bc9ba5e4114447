import * as fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` while no other process holds the lock file. The file names its owner, so that the lock
 * of a process that was killed does not block all others.
 */
export async function withLock<T>(
  file: string,
  onWait: (owner: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  let waitsFor: number | undefined;
  while (!tryLock(file)) {
    const owner = ownerOf(file);
    if (owner !== undefined && !isAlive(owner)) {
      fs.rmSync(file, { force: true });
      continue;
    }
    if (owner !== undefined && owner !== waitsFor) {
      waitsFor = owner;
      onWait(owner);
    }
    await sleep(200);
  }
  const release = (): void => {
    fs.rmSync(file, { force: true });
  };
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function tryLock(file: string): boolean {
  try {
    // Links a finished file, so that the lock is never visible without its content.
    const own = `${file}.${process.pid}`;
    fs.writeFileSync(own, String(process.pid));
    try {
      fs.linkSync(own, file);
    } finally {
      fs.rmSync(own, { force: true });
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

function ownerOf(file: string): number | undefined {
  try {
    return Number(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    // The lock was released between two checks.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { Resume } from '../api/types';
import type { StoredReport } from './reportRecord';

/** Where the download of a report can go on: behind the bytes of its part, if they are of a known version. */
export async function keptPart(report: StoredReport): Promise<Resume | undefined> {
  const { downloadPath, partVersion, reportUrl } = report;
  if (downloadPath === undefined || partVersion === undefined || reportUrl === undefined) {
    return undefined;
  }
  const last = (await partsOf(downloadPath)).at(-1);
  const [part, taken] = await Promise.all(
    [last ?? '', downloadPath].map((file) => fs.lstat(file).catch(() => undefined)),
  );
  // Where a file of somebody else has come to stand, the report needs another name.
  return part?.isFile() && part.size > 0 && !taken
    ? { ...partVersion, offset: part.size }
    : undefined;
}

/**
 * Where a download is written until it is whole, in a turn of the lease. The turn is in the name, so
 * that a window which was asleep, and whose part another one has taken over, cannot give a name to
 * it, remove it, or take what the other one writes for its own.
 */
export function partFor(downloadPath: string, epoch: number): string {
  return `${downloadPath}.${epoch}.part`;
}

/** The parts of a download that there are, of whichever turn, the last one last. */
export async function partsOf(downloadPath: string): Promise<string[]> {
  const { dir, base } = path.parse(downloadPath);
  const names = await fs.readdir(dir).catch(() => []);
  return names
    .flatMap((name) => {
      const middle =
        name.startsWith(base) && name.endsWith('.part') && name.length >= base.length + 5
          ? name.slice(base.length, -5)
          : '-';
      // Without a number: as it was named before there were turns.
      return /^(\.\d{1,15})?$/.test(middle) ? [{ name, epoch: Number(middle.slice(1)) }] : [];
    })
    .sort((first, second) => first.epoch - second.epoch)
    .map(({ name }) => path.join(dir, name));
}

/** Makes the part that an earlier turn left the one of this turn; see partFor. */
export async function takePart(downloadPath: string, epoch: number): Promise<void> {
  const parts = await partsOf(downloadPath);
  const last = parts.pop();
  await Promise.all(parts.map((part) => fs.rm(part, { force: true })));
  if (last !== undefined && last !== partFor(downloadPath, epoch)) {
    await fs.rename(last, partFor(downloadPath, epoch));
  }
}

/** Removes what there is of a download. */
export async function removeParts(downloadPath: string): Promise<void> {
  for (const part of await partsOf(downloadPath)) {
    await fs.rm(part, { force: true });
  }
}

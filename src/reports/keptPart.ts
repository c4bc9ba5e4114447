import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { Resume } from '../api/types';
import type { StoredReport } from './reportRecord';

/** Where a download can resume: after the bytes of its part, if their version is known. */
export async function keptPart(report: StoredReport): Promise<Resume | undefined> {
  const { downloadPath, partVersion, reportUrl } = report;
  if (downloadPath === undefined || partVersion === undefined || reportUrl === undefined) {
    return undefined;
  }
  const last = (await partsOf(downloadPath)).at(-1);
  const [part, taken] = await Promise.all(
    [last ?? '', downloadPath].map((file) => fs.lstat(file).catch(() => undefined)),
  );
  // If another file has taken the final name, the report needs another name.
  return part?.isFile() && part.size > 0 && !taken
    ? { ...partVersion, offset: part.size }
    : undefined;
}

/**
 * Where a download is written until it is complete, in one turn of the lease. The name contains the
 * turn. So if another window takes over while this one is asleep, this one can neither rename nor
 * remove the part of the other, nor mistake it for its own.
 */
export function partFor(downloadPath: string, epoch: number): string {
  return `${downloadPath}.${epoch}.part`;
}

/** The existing parts of a download, from all turns, the latest last. */
export async function partsOf(downloadPath: string): Promise<string[]> {
  const { dir, base } = path.parse(downloadPath);
  const names = await fs.readdir(dir).catch(() => []);
  return names
    .flatMap((name) => {
      const middle =
        name.startsWith(base) && name.endsWith('.part') && name.length >= base.length + 5
          ? name.slice(base.length, -5)
          : '-';
      // Without a number: the name that parts had before turns were added.
      return /^(\.\d{1,15})?$/.test(middle) ? [{ name, epoch: Number(middle.slice(1)) }] : [];
    })
    .sort((first, second) => first.epoch - second.epoch)
    .map(({ name }) => path.join(dir, name));
}

/** Renames the latest part of earlier turns to the part of this turn; see partFor. */
export async function takePart(downloadPath: string, epoch: number): Promise<void> {
  const parts = await partsOf(downloadPath);
  const last = parts.pop();
  await Promise.all(parts.map((part) => fs.rm(part, { force: true })));
  if (last !== undefined && last !== partFor(downloadPath, epoch)) {
    await fs.rename(last, partFor(downloadPath, epoch));
  }
}

/** Removes all parts of a download. */
export async function removeParts(downloadPath: string): Promise<void> {
  for (const part of await partsOf(downloadPath)) {
    await fs.rm(part, { force: true });
  }
}

import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { isUnfinished, type StoredReport } from './reportRecord';

/**
 * The parts that the download of a ready report has left behind, by their names: `name.<turn>.part`;
 * see partFor. In a folder that somebody chose others have files, too: there only what is the very
 * file of the report under a second name is one, which a process left that ended while it moved it.
 *
 * @param folder the report's own for its file, in which nobody else writes.
 */
export async function orphanParts(report: StoredReport, folder: string): Promise<string[]> {
  if (isUnfinished(report) || report.path === undefined) {
    return [];
  }
  const { dir, base } = path.parse(report.path);
  const own = await partsIn(folder, base);
  if (path.resolve(dir) === path.resolve(folder)) {
    return own;
  }
  const file = await statOf(report.path);
  if (!file?.isFile() || file.nlink < 2n) {
    return own;
  }
  const others = await partsIn(dir, base);
  const stats = await Promise.all(others.map(statOf));
  const isSame = (_: string, index: number) =>
    stats[index]?.ino === file.ino && stats[index].dev === file.dev;
  return [...own, ...others.filter(isSame)];
}

/** Whether a file is one that a report speaks of, or a part of one, so that it must stay. */
export function isSpokenOf(file: string, reports: readonly StoredReport[]): boolean {
  return reports.some(
    ({ path: finished, downloadPath }) =>
      file === finished ||
      (downloadPath !== undefined &&
        path.dirname(downloadPath) === path.dirname(file) &&
        (file === downloadPath || isPartOf(path.basename(downloadPath), path.basename(file)))),
  );
}

async function partsIn(folder: string, base: string): Promise<string[]> {
  const names = await fs.readdir(folder).catch(() => []);
  return names.filter((name) => isPartOf(base, name)).map((name) => path.join(folder, name));
}

function isPartOf(base: string, name: string): boolean {
  return name.startsWith(base) && /^\.\d{1,15}\.part$/.test(name.slice(base.length));
}

function statOf(file: string) {
  // As whole numbers: those of files on Windows are larger than a number holds.
  return fs.lstat(file, { bigint: true }).catch(() => undefined);
}

import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { isUnfinished, type StoredReport } from './reportRecord';

/**
 * The parts that the download of a finished report has left behind, found by name:
 * `name.<turn>.part`, see partFor. A folder that the user chose may contain files of others. There,
 * a part counts only if it is the same file as the report, under a second name: a process that
 * ended while it moved the file leaves it.
 *
 * @param folder the report's own folder for its file, in which nobody else writes.
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

/** Whether a file is the file or a part of one of the reports, and so must stay. */
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
  // As bigint: file numbers on Windows exceed the safe integers.
  return fs.lstat(file, { bigint: true }).catch(() => undefined);
}

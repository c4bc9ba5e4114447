import * as fs from 'node:fs';
import * as path from 'node:path';
import { isUnfinished, type StoredReport } from './reportRecord';

/**
 * Removes the parts of downloads that nobody can go on with any more, of a report that has ended:
 * those in its own folder, and beside its file those that bear its name and a turn; see partFor. What
 * a retry goes on from stays, and so does what only looks like a part in somebody's folder.
 *
 * In one go, for the holder of the lease alone: no run of this process comes in between.
 * @param folder the report's own.
 */
export function removeOrphanParts(report: StoredReport, folder: string): void {
  if (isUnfinished(report)) {
    return;
  }
  const isKept = (file: string) =>
    report.downloadPath !== undefined && file.startsWith(`${report.downloadPath}.`);
  const inFolder = listed(folder)
    .filter((name) => name.endsWith('.part'))
    .map((name) => path.join(folder, name));
  const { dir, base } = path.parse(report.path ?? '');
  const besideFile =
    dir === ''
      ? []
      : listed(dir)
          .filter(
            (name) => name.startsWith(base) && /^\.\d{1,15}\.part$/.test(name.slice(base.length)),
          )
          .map((name) => path.join(dir, name));
  for (const part of new Set([...inFolder, ...besideFile])) {
    if (!isKept(part)) {
      removeFile(part);
    }
  }
}

function listed(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

function removeFile(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // Open in another program, or a folder of somebody; nothing depends on it.
  }
}

import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { SizedReport } from './cleanUp';
import { partsOf } from './keptPart';
import type { StoredReport } from './reportRecord';
import { unpackedFolder } from './unpackedReports';

/**
 * Reports with what they take on disk now: their files unless somebody has deleted them, what is kept
 * of a download to go on from, and what was unpacked.
 * @param folderOf the folder of a report's own, by its id.
 */
export function sizedReports(
  reports: readonly StoredReport[],
  folderOf: (id: string) => string,
): Promise<SizedReport[]> {
  return Promise.all(
    reports.map(async (report) => {
      const { id, path: file, downloadPath } = report;
      const files = [
        ...(file === undefined ? [] : [file]),
        ...(downloadPath === undefined ? [] : await partsOf(downloadPath)),
        ...(await filesBelow(unpackedFolder(folderOf(id)))),
      ];
      const sizes = await Promise.all(files.map(sizeOf));
      return { report, bytes: sizes.reduce((sum, size) => sum + size, 0) };
    }),
  );
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await fs
    .readdir(folder, { recursive: true, withFileTypes: true })
    .catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

function sizeOf(file: string): Promise<number> {
  return fs.stat(file).then(
    (stat) => (stat.isFile() ? stat.size : 0),
    () => 0,
  );
}

import * as fs from 'node:fs/promises';
import type { Resume } from '../../api/types';
import type { StoredReport } from './reportRecord';

/** Where the download of a report can go on: behind the bytes of its part, if they are of a known version. */
export async function keptPart(report: StoredReport): Promise<Resume | undefined> {
  const { downloadPath, partVersion, reportUrl } = report;
  if (downloadPath === undefined || partVersion === undefined || reportUrl === undefined) {
    return undefined;
  }
  const [part, taken] = await Promise.all(
    [partOf(downloadPath), downloadPath].map((path) => fs.lstat(path).catch(() => undefined)),
  );
  // Where a file of somebody else has come to stand, the report needs another name.
  return part?.isFile() && part.size > 0 && !taken
    ? { ...partVersion, offset: part.size }
    : undefined;
}

/** Where a download is written until it is whole. */
export function partOf(downloadPath: string): string {
  return `${downloadPath}.part`;
}

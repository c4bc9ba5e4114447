import { lstatSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { Resume } from '../../api/types';
import { localDisk, renameFile } from '../../files/disk';
import { isErrno, namesIn, removeFile } from '../../files/files';
import type { StoredReport } from './storedReport';

/** Where a download can resume: after the bytes of its part that are certainly on disk, if their version is known. */
export async function keptPart(report: StoredReport): Promise<Resume | undefined> {
  const { downloadPath, partVersion, reportUrl } = report;
  const { saved: offset = 0, ...version } = partVersion ?? { validator: '' };
  if (downloadPath === undefined || offset === 0 || reportUrl === undefined) {
    return undefined;
  }
  const last = (await findParts(downloadPath)).at(-1);
  const [part, existing] = await Promise.all(
    [last ?? '', downloadPath].map((file) => fs.lstat(file).catch(() => undefined)),
  );
  // If another file has the final name, the report needs another name.
  return part?.isFile() && part.size >= offset && !existing ? { ...version, offset } : undefined;
}

/**
 * The path of the file that a download is written to until it is complete. Its name contains the number of the
 * job (`jobs` of the report), so a window that was asleep while another took over can neither rename nor remove the
 * other's part, nor mistake it for its own. It may still write into the file that the other has renamed: the same
 * bytes of the same version.
 */
export function partFor(downloadPath: string, job: number): string {
  return `${downloadPath}.${job}.part`;
}

/** The existing parts of a download, from all jobs, the latest last. A folder or a link is not ours. */
export async function findParts(downloadPath: string): Promise<string[]> {
  const { dir, base } = path.parse(downloadPath);
  const entries = await fs.readdir(dir, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, job: parseJob(base, name) ?? 0 }))
    .filter(({ job }) => job > 0)
    .sort((first, second) => first.job - second.job)
    .map(({ name }) => path.join(dir, name));
}

/** The number of the job in the name of a part of this download; `undefined` for any other name. */
function parseJob(base: string, name: string): number | undefined {
  const [, job] = /^\.(\d{1,15})\.part$/.exec(name.slice(base.length)) ?? [];
  return name.startsWith(base) && job !== undefined ? Number(job) : undefined;
}

/** Makes the latest part of earlier jobs that of this job; see partFor. */
export async function adoptPart(downloadPath: string, job: number): Promise<void> {
  const parts = await findParts(downloadPath);
  const last = parts.pop();
  await Promise.all(parts.map((part) => removeFile(part)));
  if (last !== undefined && last !== partFor(downloadPath, job)) {
    await renameFile(localDisk, last, partFor(downloadPath, job)).catch((error: unknown) => {
      if (!isErrno(error, 'ENOENT')) {
        throw error;
      }
      // The window that it belonged to woke up and removed it: the download starts over.
    });
  }
}

export async function removeParts(downloadPath: string): Promise<void> {
  for (const part of await findParts(downloadPath)) {
    await removeFile(part);
  }
}

/**
 * Returns a path in the folder that no report names, and at which there is neither a file nor a
 * part of a download: `name.csv`, or else `name (2).csv` and so on. Nothing is created, so the
 * writer must still refuse to overwrite a file.
 */
export function unusedPath(
  folder: string,
  fileName: string,
  reports: readonly StoredReport[],
): string {
  const { name, ext } = path.parse(fileName);
  const names = namesIn(folder);
  for (let copy = 1; ; copy += 1) {
    const base = copy === 1 ? fileName : `${name} (${copy})${ext}`;
    const candidate = path.join(folder, base);
    const isUsed =
      belongsToReport(candidate, reports) ||
      lstatSync(candidate, { throwIfNoEntry: false }) !== undefined ||
      names.some((each) => parseJob(base, each) !== undefined);
    if (!isUsed) {
      return candidate;
    }
  }
}

/** Whether a file is the file or a part of one of the reports, so that it must stay. */
export function belongsToReport(file: string, reports: readonly StoredReport[]): boolean {
  return reports.some(
    ({ path: finished, downloadPath }) =>
      file === finished ||
      (downloadPath !== undefined &&
        path.dirname(downloadPath) === path.dirname(file) &&
        (file === downloadPath ||
          parseJob(path.basename(downloadPath), path.basename(file)) !== undefined)),
  );
}

/** The file of a report, and the parts of an unfinished download, as far as they are ours. */
export async function findFiles(report: StoredReport): Promise<string[]> {
  const { path: finished, downloadPath } = report;
  return [
    ...(finished !== undefined && hasOwnFile(report) ? [finished] : []),
    ...(downloadPath === undefined ? [] : await findParts(downloadPath)),
  ];
}

/**
 * Whether the file that was downloaded is still at its path, unchanged. Users may put something else there, or write
 * into it: that is theirs.
 */
export function hasOwnFile({ path: finished, bytes, fileTime }: StoredReport): boolean {
  try {
    const stat = lstatSync(finished ?? '');
    return (
      stat.isFile() &&
      stat.size === (bytes ?? stat.size) &&
      stat.mtimeMs === (fileTime ?? stat.mtimeMs)
    );
  } catch {
    return false;
  }
}

/** Whether a file, ours or not, is at the path of a report. */
export function hasFile({ path: finished }: Pick<StoredReport, 'path'>): boolean {
  try {
    return statSync(finished ?? '').isFile();
  } catch {
    return false;
  }
}

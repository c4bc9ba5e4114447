import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { SerialQueue } from '../../base/events/serialQueue';
import type { StoredReport } from '../reportRecord';
import type { ReportStore } from '../reportStore';
import { unpack, type UnpackOptions } from './unpack';

/** The folder of a report's unpacked file. It is next to the record and is removed with it. */
const folderName = 'unpacked';

/** How long half-unpacked files of a process that ended are kept, in milliseconds. */
const draftMs = 10 * 60_000;

/** @param folder the report's own folder. */
export function unpackedFolder(folder: string): string {
  return path.join(folder, folderName);
}

/** The unpacked files of reports that are archives; each is unpacked once. */
export class UnpackedReports {
  /** By report id: a second caller waits for the first, and finds the file that it has unpacked. */
  private readonly queues = new Map<string, SerialQueue>();

  constructor(
    private readonly store: Pick<ReportStore, 'folderOf'>,
    private readonly unpackTo = unpack,
  ) {}

  /**
   * The unpacked file of a report.
   * @param options what cancels it, and how much may be unpacked.
   * @throws UnpackError; DownloadError when the disk is full; an error of the file system;
   *   CancelledError.
   */
  of(
    id: string,
    archive: string,
    kind: 'gzip' | 'zip',
    options: UnpackOptions = {},
  ): Promise<string> {
    const queue = this.queues.get(id) ?? new SerialQueue();
    this.queues.set(id, queue);
    return queue.run(() => this.unpackOnce(id, archive, kind, options));
  }

  /** Whether a file is the unpacked file of a report. */
  owns(id: string, file: string): boolean {
    const parent = unpackedFolder(this.store.folderOf(id));
    return path.dirname(path.dirname(path.resolve(file))) === parent;
  }

  private async unpackOnce(
    id: string,
    archive: string,
    kind: 'gzip' | 'zip',
    options: UnpackOptions,
  ): Promise<string> {
    const parent = unpackedFolder(this.store.folderOf(id));
    // Not recursive: the folder of a report that was removed must not be created again.
    await fs.mkdir(parent, { mode: 0o700 }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    });
    // After a retry, another file has the same path and is unpacked again.
    const folder = path.join(parent, versionOf(await fs.stat(archive)));
    const existing = await onlyFileIn(folder);
    if (existing !== undefined) {
      return existing;
    }
    const draft = path.join(parent, `.${randomBytes(6).toString('hex')}`);
    await fs.mkdir(draft, { mode: 0o700 });
    try {
      await this.unpackTo(archive, kind, draft, options);
      await fs.rename(draft, folder);
    } catch (error) {
      await fs.rm(draft, { recursive: true, force: true });
      // Another window may have been faster.
      if ((await onlyFileIn(folder)) === undefined) {
        throw error;
      }
    }
    const unpacked = await onlyFileIn(folder);
    if (unpacked === undefined) {
      throw new Error('The unpacked report is gone.');
    }
    return unpacked;
  }
}

/**
 * Removes half-unpacked files of processes that ended, and files that were unpacked from an earlier
 * version of the report.
 * @param folder the report's own folder.
 * @param now wall-clock time in milliseconds.
 * @throws an error of the file system.
 */
export async function removeStaleUnpacked(
  report: StoredReport,
  folder: string,
  now: number,
): Promise<void> {
  const parent = unpackedFolder(folder);
  const names = await fs.readdir(parent).catch(() => []);
  const archive = await statOf(report.path ?? '');
  for (const name of names) {
    const left = path.join(parent, name);
    const { mtimeMs = now } = (await statOf(left)) ?? {};
    const isStale = name.startsWith('.')
      ? mtimeMs < now - draftMs
      : archive !== undefined && name !== versionOf(archive);
    if (isStale) {
      await fs.rm(left, { recursive: true, force: true });
    }
  }
}

function versionOf({ size, mtimeMs }: Stats): string {
  return `${size}-${Math.trunc(mtimeMs)}`;
}

function statOf(file: string): Promise<Stats | undefined> {
  return fs.stat(file).catch(() => undefined);
}

/**
 * The only file in a folder. Ignores names that start with a dot: file managers add such files to
 * each folder that they show.
 */
async function onlyFileIn(folder: string): Promise<string | undefined> {
  const names = await fs.readdir(folder).catch(() => []);
  const name = names.find((each) => !each.startsWith('.'));
  return name === undefined ? undefined : path.join(folder, name);
}

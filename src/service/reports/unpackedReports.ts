import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { SerialQueue } from '../../base/events/serialQueue';
import { localDisk, renameFile } from '../../files/disk';
import { removeFolder } from '../../files/files';
import { type ReportStore, unpackedFolder } from './reportStore';
import { unpack, type UnpackOptions } from '../../files/unpack';

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
   * @throws UnpackError; FileError when the disk is full; an error of the file system;
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

  /** The unpacked file of a report, if there is one. */
  find(id: string): Promise<string | undefined> {
    return onlyFileIn(unpackedFolder(this.store.folderOf(id)));
  }

  /** Whether a file is the unpacked file of a report. */
  owns(id: string, file: string): boolean {
    return path.dirname(path.resolve(file)) === unpackedFolder(this.store.folderOf(id));
  }

  private async unpackOnce(
    id: string,
    archive: string,
    kind: 'gzip' | 'zip',
    options: UnpackOptions,
  ): Promise<string> {
    const folder = unpackedFolder(this.store.folderOf(id));
    const existing = await this.find(id);
    if (existing !== undefined) {
      return existing;
    }
    // If this process ends, removeLeftovers of the store removes it.
    const draft = path.join(
      path.dirname(this.store.folderOf(id)),
      `.${id}-${randomBytes(6).toString('hex')}.new`,
    );
    await fs.mkdir(draft, { mode: 0o700 });
    try {
      await this.unpackTo(archive, kind, draft, options);
      const other = await onlyFileIn(folder);
      if (other !== undefined) {
        // Another window was faster.
        await removeFolder(draft);
        return other;
      }
      // Fails if the report was removed: its folder is not created again.
      await renameFile(localDisk, draft, folder);
    } catch (error) {
      await removeFolder(draft);
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
 * The only file in a folder. Ignores names that start with a dot: file managers add such files to
 * each folder that they show.
 */
async function onlyFileIn(folder: string): Promise<string | undefined> {
  const names = await fs.readdir(folder).catch(() => []);
  const name = names.find((each) => !each.startsWith('.'));
  return name === undefined ? undefined : path.join(folder, name);
}

import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { ReportStore } from './reportStore';
import { unpack } from './unpack';

/** Where a report's unpacked file stands, beside its record: it goes with it. */
const folderName = 'unpacked';

/** The unpacked files of reports that came as archives; each is unpacked once. */
export class UnpackedReports {
  constructor(private readonly store: Pick<ReportStore, 'folderOf'>) {}

  /**
   * The unpacked file of a report.
   * @throws UnpackError; DownloadError when the disk is full; an error of the file system.
   */
  async of(id: string, archive: string, kind: 'gzip' | 'zip'): Promise<string> {
    const parent = path.join(this.store.folderOf(id), folderName);
    // A report that was removed does not come back by this: its folder must be there.
    await fs.mkdir(parent, { mode: 0o700 }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    });
    const { size, mtimeMs } = await fs.stat(archive);
    // Another file in its place, after a retry, is unpacked anew.
    const folder = path.join(parent, `${size}-${Math.trunc(mtimeMs)}`);
    const known = await onlyFileIn(folder);
    if (known !== undefined) {
      return known;
    }
    const draft = path.join(parent, `.${randomBytes(6).toString('hex')}`);
    await fs.mkdir(draft, { mode: 0o700 });
    try {
      await unpack(archive, kind, draft);
      await fs.rename(draft, folder);
    } catch (error) {
      await fs.rm(draft, { recursive: true, force: true });
      // Another window was faster.
      const made = await onlyFileIn(folder);
      if (made === undefined) {
        throw error;
      }
    }
    const made = await onlyFileIn(folder);
    if (made === undefined) {
      throw new Error('The unpacked report is gone.');
    }
    return made;
  }

  /** Whether a file is one of these. */
  owns(id: string, file: string): boolean {
    const parent = path.join(this.store.folderOf(id), folderName);
    return path.dirname(path.dirname(path.resolve(file))) === parent;
  }
}

async function onlyFileIn(folder: string): Promise<string | undefined> {
  const [name] = await fs.readdir(folder).catch(() => []);
  return name === undefined ? undefined : path.join(folder, name);
}

import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { Emitter } from '../../base/events/emitter';
import { message } from '../../base/message';
import { UserError } from '../../base/userError';
import {
  type CveListFile,
  type CveListTitle,
  type ListedCves,
  maxCveHeader,
  maxListedCves,
  packCves,
  readCveHeader,
} from '../../engine';
import { localDisk, onDisk } from '../../files/disk';
import { makeFolders, namesIn, pathsOf, removeAllPossible } from '../../files/files';
import { writeWhole } from '../../files/wholeFile';

/** The names of the files that are kept end so. */
export const listEnding = '.cves';

/**
 * The lists of CVEs that a user marks the rows of all tables by, for all windows of a machine. Each is a file of its
 * own, so that windows that add some at the same time need no lock.
 */
export class CveLists {
  private readonly changes = new Emitter<void>();
  /** Fires when there may be other lists, in this window or another one. */
  readonly onChange = this.changes.event;
  /** The lists when that was said last. What was read since may not be known to a table that is open. */
  private said: string | undefined;

  /** @param folder contains nothing else. */
  constructor(readonly folder: string) {}

  /** The lists, the newest first. Never rejects: one that cannot be read marks nothing. */
  read(): Promise<readonly CveListFile[]> {
    return this.readAll();
  }

  /**
   * Adds a list in place of that with the same name. One that only says how likely attacks are also takes the place of
   * others that do: FIRST publishes a new one each day.
   * @returns the list, and what takes it back.
   * @throws UserError if there would be too many CVEs, FileError from the disk.
   */
  async add(
    title: CveListTitle,
    cves: ListedCves,
  ): Promise<CveListFile & { readonly undo: () => Promise<void> }> {
    const { bytes, header } = packCves(title, cves);
    const list: CveListFile = { ...header, file: this.fileOf(title.name) };
    const before = await this.readAll();
    const replaced = before.filter(
      (each) => each.file === list.file || (isOnlyEpss(each) && isOnlyEpss(list)),
    );
    const all = [...before.filter((each) => !replaced.includes(each)), list];
    if (all.reduce((sum, each) => sum + each.cves, 0) > maxListedCves) {
      throw new UserError(
        message(
          'Lists can have {0} CVEs in all. Take one back with Unmark CVEs of a List, then try again.',
          maxListedCves,
        ),
        'badRequest',
      );
    }
    const contents = await Promise.all(
      replaced.map(async ({ file }) => ({ file, bytes: await onDisk(() => readFile(file)) })),
    );
    await onDisk(() => makeFolders(this.folder));
    await writeWhole(localDisk, { path: list.file, replace: true }, (put) => put(bytes));
    for (const { file } of replaced) {
      if (file !== list.file) {
        await removeAllPossible(file);
      }
    }
    await this.say();
    const undo = async () => {
      // Another list may have taken its place meanwhile.
      const isStill = (await readFile(list.file).catch(() => undefined))?.equals(bytes) === true;
      if (!isStill) {
        return;
      }
      for (const before of contents) {
        const target = { path: before.file, replace: true };
        await writeWhole(localDisk, target, (put) => put(before.bytes));
      }
      if (!contents.some(({ file }) => file === list.file)) {
        await onDisk(() => localDisk.unlink(list.file));
      }
      await this.say();
    };
    return { ...list, undo };
  }

  /** Takes a list back. @returns whether there was one */
  async remove(name: string): Promise<boolean> {
    const list = (await this.readAll()).find((each) => each.name === name);
    if (list) {
      await onDisk(() => localDisk.unlink(list.file));
      await this.say();
    }
    return list !== undefined;
  }

  /** Removes all. @returns the paths that are left. */
  async removeAll(): Promise<string[]> {
    const removals = namesIn(this.folder).map((name) =>
      removeAllPossible(path.join(this.folder, name)),
    );
    const left = (await Promise.all(removals)).flat();
    this.said = undefined;
    this.changes.fire();
    return pathsOf(left);
  }

  /** Says so if there are other lists: another window may have changed them. What this window changed is said once. */
  async refresh(): Promise<void> {
    if (describe(await this.readAll()) !== this.said) {
      await this.say();
    }
  }

  private async say(): Promise<void> {
    this.said = describe(await this.readAll());
    this.changes.fire();
  }

  private async readAll(): Promise<CveListFile[]> {
    const names = namesIn(this.folder).filter((name) => name.endsWith(listEnding));
    const lists: CveListFile[] = [];
    for (const name of names) {
      const file = path.join(this.folder, name);
      const header = readCveHeader(await readStart(file));
      if (header) {
        lists.push({ ...header, file });
      }
    }
    return lists.sort((one, other) => other.at - one.at || (one.name < other.name ? -1 : 1));
  }

  private fileOf(name: string): string {
    const id = createHash('sha256').update(name).digest('hex').slice(0, 24);
    return path.join(this.folder, `${id}${listEnding}`);
  }
}

function isOnlyEpss({ known, hasEpss }: CveListFile): boolean {
  return known === 0 && hasEpss;
}

function describe(lists: readonly CveListFile[]): string {
  return JSON.stringify(lists);
}

/** The first bytes of a file; none if it cannot be read. */
async function readStart(file: string): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxCveHeader), 0, maxCveHeader, 0);
    return buffer.subarray(0, bytesRead);
  } catch {
    return Buffer.alloc(0);
  } finally {
    await handle?.close();
  }
}

import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { localDisk } from '../../files/disk';
import type { EncodingChoice } from '../../engine';
import { KeptFiles } from '../../files/keptFiles';
import { writeWhole } from '../../files/wholeFile';
import type { FileAbout } from '../../summary/fileAbout';

const aboutName = 'about.json';

/** The arguments of Compare Reports for the same files, the newer one as the older. */
export interface SwappedComparison {
  /** The ID of a report, or an absolute path. */
  readonly before: string;
  readonly after: string;
  readonly key?: string | undefined;
  readonly list?: string | undefined;
}

/** How one of the files was read that were compared, and what tells whether it is still the same. */
export interface ReadFile {
  /** Bytes. */
  readonly size: number;
  /** In milliseconds since the epoch. */
  readonly mtime: number;
  readonly encoding: EncodingChoice;
  /** The list that was chosen for its table. */
  readonly list?: string | undefined;
}

/** What was compared: the URIs of both files, by what, and how the older and the newer one were read. */
export interface ComparedFiles extends SwappedComparison {
  readonly files: readonly [ReadFile, ReadFile];
  /** What tells whether other findings are known than were counted with. */
  readonly known: string;
}

/** The data stored next to a file of differences, so that its tab looks the same after a reload. */
interface StoredAbout {
  readonly about: FileAbout;
  readonly tabTitle: string;
  /** The arguments that compare the files the other way round; absent if that makes no sense. */
  readonly swapped?: SwappedComparison;
  readonly inputs?: ComparedFiles;
}

/** Files of differences: NDJSON. */
export class ComparisonFiles extends KeptFiles {
  async saveAbout(file: string, readAbout: StoredAbout): Promise<void> {
    const target = path.join(path.dirname(file), aboutName);
    await writeWhole(localDisk, { path: target, replace: true }, (put) =>
      put(JSON.stringify(readAbout)),
    );
  }

  /** The data about a file; `undefined` for a file that is not one of these. */
  async about(file: string): Promise<StoredAbout | undefined> {
    if (!this.owns(file) || !(await this.touch(file))) {
      return undefined;
    }
    try {
      const text = await fs.readFile(path.join(path.dirname(file), aboutName), 'utf8');
      return JSON.parse(text) as StoredAbout;
    } catch {
      // The data is still being written, or was removed: the file is shown like any other table.
      return undefined;
    }
  }
}

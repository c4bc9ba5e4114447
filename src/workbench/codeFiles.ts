import { defined } from '../base/defined';
import type { CodeLocation } from '../vocabulary/codeLocation';
import { type CodeFolder, pathsBelow } from './codePaths';
import { PackageLines } from './packageLines';

/** A folder in which files are looked for. What it is asked costs time. */
export interface SearchedFolder extends CodeFolder {
  /** Whether it has a file or a folder of that name; rejects if not. */
  has(name: string): Promise<boolean>;
  /** Whether there is a file below it, and no symbolic link on the way that leads out of it; may reject. */
  isFile(below: string): Promise<boolean>;
  /** The text of a file below it; none if the file is too large. */
  text(below: string): Promise<string | undefined>;
}

export interface FoundFile<Folder> {
  readonly folder: Folder;
  readonly below: string;
  /** From 1, as its column. */
  readonly line?: number;
  readonly column?: number;
}

/** Findings are in a few manifests and lock files. */
const maxManifests = 100;

/**
 * Finds files in folders, never one outside them. What it has found is remembered, so one of these serves
 * one question. A report may name any number of paths and packages, so it looks for so many only.
 */
export class CodeFiles<Folder extends SearchedFolder> {
  private readonly files = new Map<string, Promise<FoundFile<Folder> | undefined>>();
  private readonly tops = new Map<string, Promise<boolean>>();
  private readonly manifests = new Map<string, Promise<PackageLines | undefined>>();

  /** @param looksLeft how often the folders are asked at most. 30,000 times take a disk about a second. */
  constructor(
    private readonly folders: readonly Folder[],
    private looksLeft = 30_000,
  ) {}

  /** Whether it can still find what it has not found before. */
  get hasLooksLeft(): boolean {
    return this.looksLeft > 0;
  }

  /** The first of several places that is in a folder. Never rejects. */
  async find(locations: readonly CodeLocation[]): Promise<FoundFile<Folder> | undefined> {
    for (const location of locations) {
      const found = await this.locate(location);
      if (found) {
        return found;
      }
    }
    return undefined;
  }

  private async locate(location: CodeLocation): Promise<FoundFile<Folder> | undefined> {
    const { path, line, column, package: named, isGuess = false } = location;
    const file = await remembered(this.files, path, () => this.findFile(path));
    if (!file || line !== undefined || named === undefined) {
      const place = {
        ...defined({ line, column }),
      };
      return file && { ...file, ...place };
    }
    const found = (await this.linesIn(path, file))?.lineOf(named);
    return found === undefined ? (isGuess ? undefined : file) : { ...file, line: found };
  }

  private async findFile(path: string): Promise<FoundFile<Folder> | undefined> {
    for (const [at, folder] of this.folders.entries()) {
      for (const below of pathsBelow(path, folder)) {
        const [top = ''] = below.split('/', 1);
        const hasTop = await remembered(this.tops, `${at}/${top}`, () =>
          this.look(() => folder.has(top)),
        );
        if (hasTop && (await this.look(() => folder.isFile(below)))) {
          return { folder, below };
        }
      }
    }
    return undefined;
  }

  private async look(ask: () => Promise<boolean>): Promise<boolean> {
    if (!this.hasLooksLeft) {
      return false;
    }
    this.looksLeft -= 1;
    return ask().catch(() => false);
  }

  private async linesIn(
    path: string,
    { folder, below }: FoundFile<Folder>,
  ): Promise<PackageLines | undefined> {
    if (this.manifests.size >= maxManifests && !this.manifests.has(path)) {
      return undefined;
    }
    return remembered(this.manifests, path, async () => {
      const text = await folder.text(below).catch(() => undefined);
      return text === undefined ? undefined : new PackageLines(text);
    });
  }
}

function remembered<T>(
  all: Map<string, Promise<T>>,
  key: string,
  make: () => Promise<T>,
): Promise<T> {
  const made = all.get(key) ?? make();
  all.set(key, made);
  return made;
}

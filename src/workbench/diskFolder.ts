import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { SearchedFolder } from './codeFiles';

/** Lock files are smaller; a larger one is opened without a line. */
export const maxBytesOfManifest = 16 * 1024 ** 2;

export class DiskFolder implements SearchedFolder {
  private root: Promise<string> | undefined;

  /** @param fsPath as the machine writes it. @param path as in a URI. */
  constructor(
    private readonly fsPath: string,
    readonly path: string,
    readonly nearby: readonly string[],
  ) {}

  async has(name: string): Promise<boolean> {
    await fs.lstat(path.join(this.fsPath, name));
    return true;
  }

  async isFile(below: string): Promise<boolean> {
    return (await this.findFile(below)) !== undefined;
  }

  /**
   * The absolute path, without links, of a file below the folder; `undefined` if it is none, or a link leads out.
   * @throws an error of the file system
   */
  async findFile(below: string): Promise<string | undefined> {
    const root = await (this.root ??= fs.realpath(this.fsPath));
    const file = await fs.realpath(path.join(this.fsPath, below));
    const isInside = !path.relative(root, file).split(path.sep).includes('..');
    const isOnDisk = !path.isAbsolute(path.relative(root, file));
    return isInside && isOnDisk && (await fs.stat(file)).isFile() ? file : undefined;
  }

  async text(below: string): Promise<string | undefined> {
    const file = path.join(this.fsPath, below);
    const { size } = await fs.stat(file);
    return size > maxBytesOfManifest ? undefined : fs.readFile(file, 'utf8');
  }
}

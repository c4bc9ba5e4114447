import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { partsOf } from './keptPart';

/**
 * A path in the folder at which neither a file nor its unfinished download stands: `name.csv`, else
 * `name (2).csv` and so on. Nothing is made; whoever writes must still refuse to overwrite.
 */
export async function unusedPath(folder: string, fileName: string): Promise<string> {
  const { name, ext } = path.parse(fileName);
  for (let copy = 1; ; copy += 1) {
    const candidate = path.join(folder, copy === 1 ? fileName : `${name} (${copy})${ext}`);
    if (!(await exists(candidate)) && (await partsOf(candidate)).length === 0) {
      return candidate;
    }
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await fs.lstat(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return false;
    }
    throw error;
  }
}

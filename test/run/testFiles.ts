import * as fs from 'node:fs';

/** Every `*.test.js` below a folder, by its path below it, in the order of their names. */
export function testFiles(folder: string): string[] {
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .sort();
  if (files.length === 0) {
    throw new Error(`There is no test in ${folder}.`);
  }
  return files;
}

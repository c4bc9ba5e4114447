import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../test/host/paths';
import { packageExtension } from '../test/host/vsix';
import { limited, type Row } from './line';

/** The size of what is shipped, including the pictures of the README. */
export const size: Row = {
  name: 'size',
  work: 'the minified bundle and the packaged extension',
  async measure() {
    const vsix = await packageExtension();
    const dist = (name: string) => join(repositoryRoot, 'dist', name);
    const figure = (what: string, files: readonly string[], limitKb: number) =>
      limited({ row: this.name, what, ours: kilobytesOf(files), unit: 'KB' }, limitKb);
    return [
      figure('read at start', ['extension.js', ...partsOfStart()].map(dist), 50),
      figure('all scripts', scripts().map(dist), 1000),
      figure('VSIX', [vsix], 900),
    ];
  },
};

function kilobytesOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(file).size, 0) / 1000;
}

function scripts(): string[] {
  return readdirSync(join(repositoryRoot, 'dist')).filter((name) => name.endsWith('.js'));
}

/** The files that extension.js loads at once; what it imports later it loads within a function. */
function partsOfStart(): string[] {
  const text = readFileSync(join(repositoryRoot, 'dist/extension.js'), 'utf8');
  const parts = text.matchAll(/[=;]\s*require\("\.\/(part-[\w-]+\.js)"\)/g);
  return [...new Set(Array.from(parts, ([, name]) => name ?? ''))];
}

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { repositoryRoot } from '../host/paths';

/** The pages about the code, each with the least number of files and folders that it names. */
const pages = [
  { page: 'CONTRIBUTING.md', files: 50, folders: 20 },
  { page: 'ARCHITECTURE.md', files: 50, folders: 1 },
  { page: 'src/engine/README.md', files: 30, folders: 5 },
];

describe('The pages about the code', () => {
  const textOf = (file: string) => fs.readFileSync(path.join(repositoryRoot, file), 'utf8');
  const existing = ['src', 'test', 'docs', 'l10n']
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
        .map((name) => `/${folder}/${name.replaceAll('\\', '/')}`),
    )
    .concat(fs.readdirSync(repositoryRoot).map((name) => `/${name}`));
  /** Some are named by the end of their path, after one in the same folder. */
  const isFile = (name: string) => existing.some((file) => file.endsWith(`/${name}`));
  const namesIn = (text: string, pattern: RegExp) =>
    Array.from(text.matchAll(pattern), ([, name = '']) => name);

  for (const { page, files, folders } of pages) {
    it(`The pages about the code name only files that exist: ${page}`, () => {
      const named = namesIn(textOf(page), /`([\w./]+\.(?:tsx?|m?js|json|md))`/g);
      assert.ok(named.length >= files, `only ${named.length} are named`);
      assert.deepEqual(
        named.filter((name) => !isFile(name)),
        [],
      );
    });

    it(`The pages about the code name only folders that exist: ${page}`, () => {
      const named = namesIn(textOf(page), /`((?:src|test|docs)\/[\w/]*[\w])\/?`/g);
      assert.ok(named.length >= folders, `only ${named.length} are named`);
      assert.deepEqual(
        named.filter((name) => !fs.existsSync(path.join(repositoryRoot, name))),
        [],
      );
    });
  }

  it('The pages about the code are short: one page of architecture, and a few of contributing', () => {
    const lines = (file: string) => textOf(file).trimEnd().split('\n').length;
    assert.ok(lines('ARCHITECTURE.md') <= 140);
    assert.ok(lines('CONTRIBUTING.md') <= 200);
  });
});

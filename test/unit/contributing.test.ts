import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { repositoryRoot } from '../host/paths';

describe('CONTRIBUTING.md', () => {
  const textOf = (file: string) => fs.readFileSync(path.join(repositoryRoot, file), 'utf8');
  const text = textOf('CONTRIBUTING.md');
  const existing = ['src', 'test', 'docs', 'l10n']
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
        .map((name) => `/${folder}/${name.replaceAll('\\', '/')}`),
    )
    .concat(fs.readdirSync(repositoryRoot).map((name) => `/${name}`));
  /** Some are named by the end of their path, after one in the same folder. */
  const filesNamed = (name: string) => existing.filter((file) => file.endsWith(`/${name}`));
  const namesIn = (part: string) =>
    Array.from(part.matchAll(/`([\w./]+\.(?:ts|json|md))`/g), ([, name = '']) => name);

  it('CONTRIBUTING.md names only files that exist', () => {
    const named = namesIn(text);
    assert.ok(named.length > 50);
    assert.deepEqual(
      named.filter((name) => filesNamed(name).length === 0),
      [],
    );
  });

  it('CONTRIBUTING.md has a page of the engine beside it that names only files that exist', () => {
    const named = namesIn(textOf('src/engine/README.md'));
    assert.ok(named.length > 30);
    assert.deepEqual(
      named.filter((name) => filesNamed(name).length === 0),
      [],
    );
  });

  it('CONTRIBUTING.md names only folders that exist', () => {
    const named = Array.from(
      text.matchAll(/`((?:src|test|docs)\/[\w/]*[\w])\/?`/g),
      ([, name = '']) => name,
    );
    assert.ok(named.length > 20);
    assert.deepEqual(
      named.filter((name) => !fs.existsSync(path.join(repositoryRoot, name))),
      [],
    );
  });
});

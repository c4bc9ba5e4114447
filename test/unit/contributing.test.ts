import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { repositoryRoot } from '../host/paths';

describe('CONTRIBUTING', () => {
  it('names only files that exist', () => {
    const text = fs.readFileSync(path.join(repositoryRoot, 'CONTRIBUTING.md'), 'utf8');
    const named = Array.from(
      text.matchAll(/`([\w./]+\.(?:ts|json|md))`/g),
      ([, name = '']) => name,
    );
    const existing = ['src', 'test', 'docs', 'l10n']
      .flatMap((folder) =>
        fs
          .readdirSync(path.join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
          .map((name) => `/${folder}/${name.replaceAll('\\', '/')}`),
      )
      .concat(fs.readdirSync(repositoryRoot).map((name) => `/${name}`));
    assert.ok(named.length > 50);
    assert.deepEqual(
      // Some are named by the end of their path, after one in the same folder.
      named.filter((name) => !existing.some((file) => file.endsWith(`/${name}`))),
      [],
    );
  });
});

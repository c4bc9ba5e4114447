import { statSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../test/host/paths';
import { packageExtension } from '../test/host/vsix';
import { line, type Row } from './line';

/** What is shipped; the VSIX holds no screenshots. */
export const size: Row = {
  name: 'size',
  work: 'the minified bundle and the packaged extension',
  async measure() {
    const vsix = await packageExtension();
    const figure = (what: string, file: string, limitKb: number) =>
      line(
        {
          ...{ row: this.name, what, ours: statSync(file).size / 1000, unit: 'KB' },
          ...{ peer: 'limit', theirs: limitKb, aim: `< ${limitKb} KB` },
        },
        (ours, limit) => ours < limit,
      );
    return [
      figure('bundle', join(repositoryRoot, 'dist/extension.js'), 300),
      figure('demo service', join(repositoryRoot, 'dist/demoService.js'), 300),
      figure('VSIX', vsix, 500),
    ];
  },
};

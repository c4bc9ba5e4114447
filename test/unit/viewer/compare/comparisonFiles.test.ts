import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { ComparisonFiles } from '../../../../src/viewer/compare/comparisonFiles';

const dayMs = 24 * 60 * 60 * 1000;

describe('The files of comparisons', () => {
  it('The files of comparisons stay for another week each time they are opened', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'comparisons-'));
    try {
      let now = Date.now();
      const files = new ComparisonFiles(folder, () => now);
      const make = () =>
        files.create('a.ndjson', async (file) => {
          await writeFile(file, '');
          await files.saveAbout(file, { about: { title: 'Changes' }, tabTitle: 'Comparison' });
          return file;
        });
      const [opened, other] = [await make(), await make()];
      now += 6 * dayMs;
      assert.equal((await files.about(opened))?.tabTitle, 'Comparison');
      now += 6 * dayMs;
      await make();
      assert.ok(existsSync(opened) && !existsSync(other));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

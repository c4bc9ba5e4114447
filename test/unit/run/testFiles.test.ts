import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { testFiles } from '../../run/testFiles';

describe('The test files of a folder', () => {
  let folder = '';

  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'test-files-'));
    fs.mkdirSync(path.join(folder, 'b'));
    for (const name of ['a.test.js', 'b/c.test.ts', 'support.js']) {
      fs.writeFileSync(path.join(folder, name), '');
    }
  });

  after(() => {
    fs.rmSync(folder, { recursive: true });
  });

  it('The test files of a folder are all of them, or the selected ones', () => {
    assert.deepEqual(testFiles(folder, []), ['a.test.js', 'b/c.test.js']);
    assert.deepEqual(testFiles(folder, ['b/c.test.js']), ['b/c.test.js']);
  });

  it('The test files of a folder are refused when a selected one does not exist, even if others do', () => {
    assert.throws(
      () => testFiles(folder, ['a.test.js', 'b/d.test.js']),
      new Error(`There is no test b/d.test.js in ${folder}.`),
    );
  });

  it('The test files of a folder are refused when there are none', () => {
    assert.throws(() => testFiles(path.join(folder, 'b'), ['a.test.js']), /no test a\.test\.js/);
    fs.mkdirSync(path.join(folder, 'empty'));
    assert.throws(() => testFiles(path.join(folder, 'empty'), []), /no test in/);
  });
});

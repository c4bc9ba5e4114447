import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { makeFolders } from '../../../src/files/files';

describe('Making folders', () => {
  let root: string;

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'folders-'));
  });
  afterEach(() => {
    fs.rmSync(root, { recursive: true });
  });

  it('Making folders creates what is missing, and accepts what is there', async () => {
    const folder = path.join(root, 'a', 'b', 'c');
    await makeFolders(folder);
    await makeFolders(folder);
    await Promise.all(
      [1, 2, 3].map((name) => makeFolders(path.join(root, 'd', 'e', String(name)))),
    );
    assert.deepEqual(fs.readdirSync(path.join(root, 'd', 'e')), ['1', '2', '3']);
    if (process.platform !== 'win32') {
      assert.equal(fs.statSync(folder).mode & 0o777, 0o700);
    }
  });

  it('Making folders fails where a file is in the way', async () => {
    const file = path.join(root, 'file');
    fs.writeFileSync(file, '');
    await assert.rejects(makeFolders(file), { code: 'EEXIST' });
    await assert.rejects(makeFolders(path.join(file, 'a')), { code: 'ENOTDIR' });
  });

  it('Making folders fails where the system has no place for it', async function () {
    if (!fs.existsSync('/proc/self')) {
      this.skip();
    }
    await assert.rejects(makeFolders('/proc/nowhere/a'), { code: 'ENOENT' });
  });
});

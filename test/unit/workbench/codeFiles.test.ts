import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { codeLocations } from '../../../src/vocabulary/codeLocation';
import { CodeFiles } from '../../../src/workbench/codeFiles';
import { DiskFolder } from '../../../src/workbench/diskFolder';
import { tableFolder } from '../../helpers/tableFiles';

/** A folder on the disk that counts what it is asked. */
class CountedFolder extends DiskFolder {
  looks = 0;
  reads = 0;

  override isFile(below: string): Promise<boolean> {
    this.looks += 1;
    return super.isFile(below);
  }

  override has(name: string): Promise<boolean> {
    this.looks += 1;
    return super.has(name);
  }

  override text(below: string): Promise<string | undefined> {
    this.reads += 1;
    return super.text(below);
  }
}

describe('Files that findings name', () => {
  const disk = tableFolder();
  let folder: CountedFolder;

  beforeEach(() => {
    const shop = fs.mkdtempSync(path.join(disk.path, 'shop-'));
    fs.mkdirSync(path.join(shop, 'src'));
    fs.writeFileSync(path.join(shop, 'src', 'app.ts'), '');
    fs.writeFileSync(
      path.join(shop, 'package-lock.json'),
      JSON.stringify({ packages: { 'node_modules/tar': {}, 'node_modules/ws': {} } }, null, 1),
    );
    folder = new CountedFolder(shop, shop, []);
  });

  const npm = (name: string) =>
    codeLocations({ name, via: ['x'], nodes: [`node_modules/${name}`] });

  it('Files that findings name are read once, however many packages are looked for in them', async () => {
    const files = new CodeFiles([folder]);
    const found = [];
    for (let at = 0; at < 500; at += 1) {
      found.push(await files.find(npm(['tar', 'ws', `none-${at}`][at % 3] ?? '')));
    }
    const below = 'package-lock.json';
    assert.deepEqual(found.slice(0, 3), [
      { folder, below, line: 3 },
      { folder, below, line: 4 },
      undefined,
    ]);
    assert.equal(folder.reads, 1);
    assert.ok(folder.looks < 20, `${folder.looks} looks`);
  });

  it('Files that findings name are missing after one look each if they are of a folder that is missing', async () => {
    const files = new CodeFiles([folder]);
    for (let at = 0; at < 500; at += 1) {
      const file = `/home/runner/work/web/web/lib/part${at}.ts`;
      assert.equal(await files.find(codeLocations({ file, line: 1 })), undefined);
    }
    // Below the folder there is none of: home, runner, work, web, lib.
    assert.ok(folder.looks < 520, `${folder.looks} looks`);
  });

  it('Files that findings name are looked for so many times at most, and those found before stay found', async () => {
    const files = new CodeFiles([folder], 1_000);
    const app = codeLocations({ file: 'src/app.ts', line: 7 });
    assert.ok(await files.find(app));
    for (let at = 0; at < 2_000; at += 1) {
      const file = `/${at}/${at}a/${at}b/${at}c/app.ts`;
      assert.equal(await files.find(codeLocations({ file, line: 1 })), undefined);
    }
    assert.ok(folder.looks <= 1_000, `${folder.looks} looks`);
    assert.equal(files.hasLooksLeft, false);
    assert.deepEqual(await files.find(app), { folder, below: 'src/app.ts', line: 7 });
  });
});

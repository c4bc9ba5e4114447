import assert from 'node:assert/strict';
import { lineOfPackage, pathsBelow } from '../../../src/workbench/codePaths';

describe('The paths that a file may have below a folder', () => {
  const below = (path: string, folder = '/home/me/shop', nearby: string[] = []) =>
    pathsBelow(path, { path: folder, nearby });

  it('are the path itself, and first the one beside the report', () => {
    assert.deepEqual(below('src/app.ts'), ['src/app.ts']);
    assert.deepEqual(below('src/app.ts', '/home/me/shop', ['packages', 'api']), [
      'packages/api/src/app.ts',
      'packages/src/app.ts',
      'src/app.ts',
    ]);
    assert.deepEqual(below('package.json', '/', ['out']), ['out/package.json', 'package.json']);
  });

  it('are without the folder, and without the root of another machine', () => {
    assert.deepEqual(below('/home/me/shop/src/app.ts')[0], 'src/app.ts');
    assert.deepEqual(below('/home/me/shop/shop/app.ts')[0], 'shop/app.ts');
    assert.deepEqual(below('/home/runner/work/shop/shop/src/app.ts'), [
      'home/runner/work/shop/shop/src/app.ts',
      'runner/work/shop/shop/src/app.ts',
      'work/shop/shop/src/app.ts',
      'shop/shop/src/app.ts',
      'shop/src/app.ts',
      'src/app.ts',
    ]);
    assert.deepEqual(below('C:/work/shop/src/app.ts', '/c:/work/shop'), [
      'src/app.ts',
      'work/shop/src/app.ts',
      'shop/src/app.ts',
    ]);
    assert.deepEqual(below('C:/Work/Shop/src/app.ts', '/c:/work/shop')[0], 'src/app.ts');
  });

  it('are a name alone only behind a root that may be that of the folder', () => {
    assert.deepEqual(below('/main.tf'), ['main.tf']);
    assert.ok(below('/src/main.tf').includes('main.tf'));
    assert.ok(below('/github/workspace/main.tf').includes('main.tf'));
    assert.ok(below('/home/runner/work/shop/main.tf').includes('main.tf'));
    assert.ok(!below('/usr/lib/python3/main.tf').includes('main.tf'));
    assert.ok(!below('C:/tools/lib/main.tf').includes('main.tf'));
  });

  it('leave out what a relative path begins with only if the folder ends with it', () => {
    assert.deepEqual(below('packages/api/src/app.ts', '/w/shop/packages/api'), [
      'packages/api/src/app.ts',
      'src/app.ts',
    ]);
    assert.deepEqual(below('shop/src/app.ts'), ['shop/src/app.ts', 'src/app.ts']);
    assert.deepEqual(below('other/src/app.ts'), ['other/src/app.ts']);
  });

  it('are few, however long the path', () => {
    assert.ok(below(`/${'a/'.repeat(2000)}b.ts`).length <= 30);
  });
});

describe('The line of a package', () => {
  it('is where a manifest or a lock file names it', () => {
    const manifest =
      '{\n "name": "tar",\n "dependencies": {\n  "tar-fs": "1",\n  "tar": "^1"\n }\n}';
    assert.equal(lineOfPackage(manifest, 'tar'), 5);
    const lock =
      '{\n "packages": {\n  "": { "dependencies": { "tar": "1" } },\n  "node_modules/tar": {}\n }\n}';
    assert.equal(lineOfPackage(lock, 'tar'), 4);
    const nested = '{\n "packages": {\n  "node_modules/a/node_modules/@b/tar": {}\n }\n}';
    assert.equal(lineOfPackage(nested, '@b/tar'), 3);
    assert.equal(lineOfPackage('flask==1\nFlask-Login==2\nrequests==2.1', 'requests'), 3);
    assert.equal(lineOfPackage('\r\n<artifactId>log4j-core</artifactId>', 'log4j-core'), 2);
    assert.equal(lineOfPackage('go 1.2\nrequire golang.org/x/net v0.1', 'golang.org/x/net'), 2);
  });

  it('is none where only other names contain its name', () => {
    assert.equal(lineOfPackage('{"tar-fs": "1", "my-tar": "2", "@x/tar": "3"}', 'tar'), undefined);
    assert.equal(lineOfPackage('', 'tar'), undefined);
    assert.equal(lineOfPackage('a+b', 'a+'), undefined);
    assert.equal(lineOfPackage('x', ''), undefined);
  });
});

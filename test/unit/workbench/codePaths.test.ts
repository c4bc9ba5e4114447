import assert from 'node:assert/strict';
import { pathsBelow } from '../../../src/workbench/codePaths';

describe('The paths that a file may have below a folder', () => {
  const below = (path: string, folder = '/home/me/shop', nearby: string[] = []) =>
    pathsBelow(path, { path: folder, nearby });

  it('The paths that a file may have below a folder are the path itself, and first the one beside the report', () => {
    assert.deepEqual(below('src/app.ts'), ['src/app.ts']);
    assert.deepEqual(below('src/app.ts', '/home/me/shop', ['packages', 'api']), [
      'packages/api/src/app.ts',
      'packages/src/app.ts',
      'src/app.ts',
    ]);
    assert.deepEqual(below('package.json', '/', ['out']), ['out/package.json', 'package.json']);
  });

  it('The paths that a file may have below a folder are without the folder, and without the root of another machine', () => {
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

  it('The paths that a file may have below a folder are a name alone only behind a root that may be that of the folder', () => {
    assert.deepEqual(below('/main.tf'), ['main.tf']);
    assert.ok(below('/src/main.tf').includes('main.tf'));
    assert.ok(below('/github/workspace/main.tf').includes('main.tf'));
    assert.ok(below('/home/runner/work/shop/main.tf').includes('main.tf'));
    assert.ok(!below('/usr/lib/python3/main.tf').includes('main.tf'));
    assert.ok(!below('C:/tools/lib/main.tf').includes('main.tf'));
  });

  it('The paths that a file may have below a folder leave out what a relative path begins with only if the folder ends with it', () => {
    assert.deepEqual(below('packages/api/src/app.ts', '/w/shop/packages/api'), [
      'packages/api/src/app.ts',
      'src/app.ts',
    ]);
    assert.deepEqual(below('shop/src/app.ts'), ['shop/src/app.ts', 'src/app.ts']);
    assert.deepEqual(below('other/src/app.ts'), ['other/src/app.ts']);
  });

  it('The paths that a file may have below a folder are few, however long the path', () => {
    assert.ok(below(`/${'a/'.repeat(2000)}b.ts`).length <= 30);
  });
});

import assert from 'node:assert/strict';
import { PackageLines } from '../../../src/workbench/packageLines';

const lineOfPackage = (text: string, name: string) => new PackageLines(text).lineOf(name);

describe('The line of a package', () => {
  it('The line of a package is where a manifest or a lock file names it', () => {
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
    assert.equal(lineOfPackage('\norg.apache:log4j:1.2=runtime', 'org.apache:log4j'), 2);
    assert.equal(lineOfPackage("requires 'A';\nrequires 'Foo::Bar::Baz';", 'Foo::Bar::Baz'), 2);
    assert.equal(lineOfPackage('\n"@b/tar@^1", tar@^1:\n  version 1', 'tar'), 2);
    assert.equal(lineOfPackage('\n"@b/tar@^1", tar@^1:\n  version 1', '@b/tar'), 2);
    assert.equal(lineOfPackage('go 1.2\nrequire golang.org/x/net v0.1', 'golang.org/x/net'), 2);
  });

  it('The line of a package is none where only other names contain its name', () => {
    assert.equal(lineOfPackage('{"tar-fs": "1", "my-tar": "2", "@x/tar": "3"}', 'tar'), undefined);
    assert.equal(lineOfPackage('', 'tar'), undefined);
    assert.equal(lineOfPackage('a+b', 'a+'), undefined);
    assert.equal(lineOfPackage('x', ''), undefined);
  });

  it('The line of a package is none where there is no name, in a text of any form', () => {
    for (const text of [
      ':'.repeat(1e6),
      'a:'.repeat(1e6),
      'node_modules/'.repeat(1e5),
      '@@"::"@',
    ]) {
      assert.equal(lineOfPackage(text, 'tar'), undefined);
    }
    const many = Array.from({ length: 1e6 }, (_, at) => `p${at}`).join('\n');
    assert.equal(lineOfPackage(many, 'p7'), 8);
  });
});

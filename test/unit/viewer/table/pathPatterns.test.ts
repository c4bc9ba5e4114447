import assert from 'node:assert/strict';
import {
  findPatternFault,
  matchPaths,
  readPatterns,
} from '../../../../src/viewer/table/pathPatterns';

describe('Patterns of paths', () => {
  const files = [
    'app.ts',
    'tests',
    'tests/a.ts',
    'src/tests/b.ts',
    'src/mytests/c.ts',
    'node_modules/x/index.js',
    'src/node_modules/x/index.js',
    'src/app.test.ts',
    'src/a+b(c).ts',
  ];
  const matched = (...patterns: readonly string[]) => files.filter(matchPaths(patterns));

  it('Patterns of paths match as those of a .gitignore do', () => {
    assert.deepEqual(matched('tests/'), ['tests/a.ts', 'src/tests/b.ts']);
    assert.deepEqual(matched('tests'), ['tests', 'tests/a.ts', 'src/tests/b.ts']);
    assert.deepEqual(matched('/tests/'), ['tests/a.ts']);
    assert.deepEqual(matched('src/tests'), ['src/tests/b.ts']);
    assert.deepEqual(matched('**/node_modules/**'), files.slice(5, 7));
    assert.deepEqual(matched('node_modules'), files.slice(5, 7));
    assert.deepEqual(
      matched('src/**'),
      files.filter((file) => file.startsWith('src/')),
    );
    assert.deepEqual(matched('*.test.ts'), ['src/app.test.ts']);
    assert.deepEqual(matched('src/*.ts'), ['src/app.test.ts', 'src/a+b(c).ts']);
    assert.deepEqual(matched('src/**/*.js'), ['src/node_modules/x/index.js']);
    assert.deepEqual(matched('a+b(c).ts'), ['src/a+b(c).ts']);
    assert.deepEqual(matched('ap?.ts'), ['app.ts']);
    assert.deepEqual(matched('**'), files);
    assert.deepEqual(matched(), []);
    assert.deepEqual(matched('app.ts', './tests/'), ['app.ts', 'tests/a.ts', 'src/tests/b.ts']);
  });

  it('Patterns of paths are read from what a user types, and bounded', () => {
    assert.deepEqual(readPatterns(' tests/ ,, src\\gen\ntests/'), ['tests/', 'src/gen']);
    assert.deepEqual(readPatterns(''), []);
    assert.equal(findPatternFault(['tests/', '**/x/**']), undefined);
    assert.match(String(findPatternFault(['a/../../b'])), /^"a\/\.\.\/\.\.\/b" leads out of/);
    assert.match(String(findPatternFault(['a'.repeat(201)])), /has more than 200 characters/);
    const many = Array.from({ length: 51 }, (_, at) => `a${at}`);
    assert.match(String(findPatternFault(many)), /at most 50 paths/);
  });

  it('Patterns of paths take no time that grows out of bounds', () => {
    const matches = matchPaths(['**/*a*a*a*a*b/**/**/x', `${'**/'.repeat(40)}y`]);
    assert.equal(matches(`${'a'.repeat(60)}/`.repeat(8)), false);
  });
});

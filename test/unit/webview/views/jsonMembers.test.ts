import * as assert from 'node:assert/strict';
import { beginningOf, membersOf } from '../../../../src/webview/views/jsonMembers';

describe('The members of a JSON text', () => {
  it('keep their digits and duplicate names', () => {
    assert.deepEqual(membersOf('{"ids": [12345678901234567890, 1.0], "a":1e400 , "a" : null}'), [
      ['ids', '[12345678901234567890, 1.0]'],
      ['a', '1e400'],
      ['a', 'null'],
    ]);
    assert.deepEqual(membersOf('[12345678901234567890,1.0]'), [
      ['0', '12345678901234567890'],
      ['1', '1.0'],
    ]);
  });

  it('are separated correctly even with quotes and brackets in names and strings', () => {
    assert.deepEqual(membersOf(String.raw`{"a:\"},{":"[,]\\","":{"b":[{}, {"c":":"}]}}`), [
      ['a:"},{', String.raw`"[,]\\"`],
      ['', '{"b":[{}, {"c":":"}]}'],
    ]);
  });

  it('are empty for empty values', () => {
    assert.deepEqual(membersOf('{ }'), []);
    assert.deepEqual(membersOf('[\n]'), []);
  });

  it('have a short preview without blanks, except in strings', () => {
    assert.equal(beginningOf('{ "a b" : [ 1 ,\n 2.50 ] }', 60), '{"a b":[1,2.50]}');
    assert.equal(beginningOf('["  x  "]', 60), '["  x  "]');
    assert.ok(beginningOf(`["${'x'.repeat(1000)}"]`, 60).length < 130);
  });
});

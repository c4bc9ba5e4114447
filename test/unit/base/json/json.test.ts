import assert from 'node:assert/strict';
import { isPlainObject } from '../../../../src/base/json/json';

describe('A plain object', () => {
  it('A plain object is an object in the sense of JSON, and nothing else', () => {
    for (const value of [{}, Object.create(null), JSON.parse('{"__proto__":1}')]) {
      assert.ok(isPlainObject(value));
    }
    for (const value of [null, undefined, [], 'x', 1, new Date(), new Map(), () => 1]) {
      assert.equal(isPlainObject(value), false, typeof value);
    }
  });
});

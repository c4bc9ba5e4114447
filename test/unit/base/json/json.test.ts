import assert from 'node:assert/strict';
import { deepestShown, isPlainObject, isTooDeep, jsonText } from '../../../../src/base/json/json';
import { deepEntry, deepText, nested } from '../../../helpers/deep';
import { fc } from '../../../helpers/property';

describe('A plain object', () => {
  it('is an object in the sense of JSON, and nothing else', () => {
    for (const value of [{}, Object.create(null), JSON.parse('{"__proto__":1}')]) {
      assert.ok(isPlainObject(value));
    }
    for (const value of [null, undefined, [], 'x', 1, new Date(), new Map(), () => 1]) {
      assert.equal(isPlainObject(value), false, typeof value);
    }
  });
});

describe('A JSON value', () => {
  it('is too deep for display beyond 200 levels of arrays and objects', () => {
    assert.equal(deepestShown, 200);
    for (const inside of [[], {}, [1]]) {
      assert.equal(isTooDeep(nested(199, inside)), false);
      assert.equal(isTooDeep({ a: nested(198, inside), b: 1 }), false);
      assert.equal(isTooDeep(nested(200, inside)), true);
      assert.equal(isTooDeep([1, { a: nested(198, inside) }]), true);
    }
    assert.equal(isTooDeep(nested(200, 'text')), false);
    assert.equal(isTooDeep(null), false);
  });

  it('is serialized as by JSON.stringify, however deep it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 250), (value, levels) => {
        const deep = nested(levels, [value as never, { __proto__: null, a: [], b: {} }]);
        assert.equal(jsonText(deep), JSON.stringify(deep));
      }),
    );
    const own = `${'['.repeat(300)}{"__proto__":{"":[1e999,-0,"\\u2028\\ud800",null]}}${']'.repeat(300)}`;
    const parsed = JSON.parse(own) as never;
    assert.equal(jsonText(parsed), JSON.stringify(parsed));
    assert.ok(jsonText(deepEntry(1_000_000)) === deepText(1_000_000));
  });
});

import assert from 'node:assert/strict';
import { rawMembers } from '../../../../src/base/json/rawMembers';
import { fc } from '../../../helpers/property';

describe('The raw members of an object', () => {
  it('The raw members of an object have their values as they are written', () => {
    const text =
      ' { "a" : 7.0 , "\\u0062": [1.10, "}],\\"", {"x": [ ]}] ,"a":{}, "":null,"c":"\\/" } ';
    assert.deepEqual(rawMembers(text), [
      ['a', '7.0'],
      ['b', '[1.10, "}],\\"", {"x": [ ]}]'],
      ['a', '{}'],
      ['', 'null'],
      ['c', '"\\/"'],
    ]);
    assert.deepEqual(rawMembers(' { } '), []);
  });

  it('The raw members of an object make the same object again', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (object, indent) => {
        const members = rawMembers(JSON.stringify(object, null, indent));
        const text = members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join();
        assert.equal(JSON.stringify(JSON.parse(`{${text}}`)), JSON.stringify(object));
      }),
    );
  });
});

import assert from 'node:assert/strict';
import { CharacterIndex, collectCharacters } from '../../../../src/service/lists/characterIndex';

describe('The index of the characters in a list', () => {
  it('The index of the characters in a list leads to the fields that may contain a text, in either case', () => {
    const index = new CharacterIndex([
      { ip: '192.0.2.1', domain: 'Shop.example', port: 443 },
      { ip: '192.0.2.2', domain: 'mail.example', path: '/a b' },
      { ip: '192.0.2.3', owner: 'B\u00f6hm' },
    ]);
    const fieldsWith = (text: string) => index.fieldsWith(collectCharacters(text));
    // The owner may be written otherwise in lower case.
    assert.deepEqual(fieldsWith('SHOP'), ['domain', 'owner']);
    assert.deepEqual(fieldsWith('0.2'), ['ip', 'owner']);
    assert.deepEqual(fieldsWith('7'), ['ip', 'port', 'owner']);
    assert.deepEqual(fieldsWith('/b'), ['path', 'owner']);
    assert.deepEqual(fieldsWith('x y'), ['owner']);
    assert.deepEqual(fieldsWith('b\u00f6'), ['owner']);
  });
});

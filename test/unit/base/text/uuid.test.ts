import assert from 'node:assert/strict';
import { findUuids, isUuid } from '../../../../src/base/text/uuid';
import { fc } from '../../../helpers/property';

const first = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';
const second = '9ebbce56-809e-5577-9568-4787fe8a938f';

describe('A UUID', () => {
  it('A UUID is valid in any version and case, but only alone', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        assert.ok(isUuid(uuid));
        assert.ok(isUuid(uuid.toUpperCase()));
      }),
    );
    assert.ok(isUuid('00000000-0000-0000-0000-000000000000'));
    for (const text of ['', 'example.com', ` ${first}`, `${first}\n`, `{${first}}`, `${first}0`]) {
      assert.equal(isUuid(text), false, JSON.stringify(text));
    }
  });

  it('A UUID is found once in a pasted text, and returned in lower case', () => {
    assert.deepEqual(findUuids(`https://x.example/scorecard/${first.toUpperCase()}/issues?a=1`), [
      first,
    ]);
    assert.deepEqual(findUuids(`"${first}", {${second}} ${first}`), [first, second]);
    assert.deepEqual(findUuids(''), []);
    assert.deepEqual(findUuids('example.com'), []);
  });

  it('A UUID is not found within a longer run of hexadecimal digits', () => {
    assert.deepEqual(findUuids(`a${first}`), []);
    assert.deepEqual(findUuids(`${first}0`), []);
    assert.deepEqual(findUuids(`${first}-${second}`), []);
    assert.deepEqual(findUuids(`x${first}`), [first]);
  });
});

import assert from 'node:assert/strict';
import { findingKey, isFindingOf } from '../../../src/model/entryKey';
import { maskSecrets } from '../../../src/common/secretFields';

const keyOf = (entry: object, ...held: string[]) =>
  findingKey(entry as never, new Map(held.map((key) => [key, undefined as never]))) ??
  assert.fail('held already');

describe('Whether a key is that of a finding', () => {
  it('is told by the id, whatever else the finding says by now', () => {
    assert.ok(isFindingOf({ issue_id: 'a', port: 2 }, keyOf({ issue_id: 'a', port: 1 })));
    assert.ok(!isFindingOf({ issue_id: 'b', port: 1 }, keyOf({ issue_id: 'a', port: 1 })));
    assert.ok(!isFindingOf({ issue_id: 'a' }, 'a#2'));
  });

  it('is told by what it says where it has no id, also where another says the same', () => {
    const key = keyOf({ port: 1 });
    assert.ok(isFindingOf({ port: 1 }, key));
    assert.ok(isFindingOf({ port: 1 }, keyOf({ port: 1 }, key)));
    assert.ok(!isFindingOf({ port: 2 }, key));
  });

  it('is told of a finding that was kept without its secret-like values', () => {
    const entry = { host: 'h', password: 'p' };
    assert.ok(isFindingOf(entry, keyOf(maskSecrets(entry))));
    assert.ok(!isFindingOf({ ...entry, host: 'i' }, keyOf(maskSecrets(entry))));
  });
});

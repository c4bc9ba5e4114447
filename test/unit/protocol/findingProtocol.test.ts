import assert from 'node:assert/strict';
import { findingPageMessage } from '../../../src/protocol/findingProtocol';

describe('The messages of a finding page', () => {
  it('are accepted without unknown members', () => {
    for (const message of [
      { type: 'ready' },
      { type: 'reload' },
      { type: 'secrets', on: true },
      { type: 'copy', name: 'ip' },
    ]) {
      assert.deepEqual(findingPageMessage({ ...message, uri: 'file:///etc/passwd' }), message);
    }
  });

  it('are refused when they are invalid', () => {
    for (const value of [
      undefined,
      null,
      'ready',
      [],
      {},
      { type: 'open' },
      { type: 'secrets' },
      { type: 'secrets', on: 'yes' },
      { type: 'copy', name: 1 },
    ]) {
      assert.equal(findingPageMessage(value), undefined);
    }
  });
});

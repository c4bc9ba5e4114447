import assert from 'node:assert/strict';
import { canShowSecrets } from '../../../../src/model/export/secretChoice';
import { maskSecrets } from '../../../../src/common/secretFields';

describe('The choice of secret values for held rows', () => {
  const plain = { entry: { port: 80 } };
  const secret = { entry: { password: 'p-secret' } };
  const putBack = { entry: maskSecrets(secret.entry), isMasked: true } as const;

  it('is there where a row has one', () => {
    assert.equal(canShowSecrets([plain, secret]), true);
    assert.equal(canShowSecrets([plain]), false);
    assert.equal(canShowSecrets([]), false);
  });

  it('is not there where a row was put back with masks, which would be written as data', () => {
    assert.equal(canShowSecrets([putBack]), false);
    assert.equal(canShowSecrets([secret, putBack]), false);
  });
});

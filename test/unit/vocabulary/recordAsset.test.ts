import assert from 'node:assert/strict';
import { recordAsset } from '../../../src/vocabulary/recordAsset';

describe('The asset of a record', () => {
  it('The asset of a record is its package, host or address, or the file that is elsewhere', () => {
    assert.equal(recordAsset({ PkgName: 'lodash', Target: 'alpine:3.12' }), 'lodash');
    assert.equal(recordAsset({ ip: '192.0.2.1', domain: 'shop.example' }), 'shop.example');
    assert.equal(recordAsset({ evidence: { host: 'shop.example' } }), 'shop.example');
    assert.equal(
      recordAsset({ url: 'https://me:pw@shop.example:8443/login?token=x' }),
      'shop.example',
    );
    assert.equal(recordAsset({ file: 'lib/other.c', line: 3 }), 'other.c');
    assert.equal(recordAsset({ name: 'tar', via: ['x'], nodes: ['node_modules/tar'] }), 'tar');
  });

  it('The asset of a record is that of the column which the table knows, before members with such a name', () => {
    assert.equal(recordAsset({ server: 'a.example', host: 'b.example' }, 'a.example'), 'a.example');
  });

  it('The asset of a record is one line, and none where nothing names one', () => {
    assert.equal(recordAsset({ host: 'a\n\u202eb' }), 'a b');
    assert.equal(recordAsset({ host: 'x'.repeat(500) })?.length, 200);
    assert.equal(recordAsset({ severity: 'high', port: 443 }), undefined);
    assert.equal(recordAsset({}, ''), undefined);
    const url = 'https://docs.vendor.example/s3';
    assert.equal(recordAsset({ Remediation: { Recommendation: { Url: url } } }), undefined);
  });
});

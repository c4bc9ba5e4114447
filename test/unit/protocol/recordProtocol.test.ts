import assert from 'node:assert/strict';
import { recordPageMessage } from '../../../src/protocol/recordProtocol';
import { pageMessage } from '../../../src/protocol/tableProtocol';

const actions = [
  { type: 'openFile', record: 0 },
  { type: 'findAsset', record: 0 },
  { type: 'secrets', on: true },
  { type: 'copyField', record: 0, field: 'ip' },
  { type: 'openCve', id: 'CVE-2021-44228' },
];

describe('The messages about a record', () => {
  it('The messages about a record are accepted by the page of a finding without unknown members', () => {
    for (const message of [{ type: 'ready' }, { type: 'reload' }, ...actions]) {
      assert.deepEqual(recordPageMessage({ ...message, uri: 'file:///etc/passwd' }), message);
    }
  });

  it('The messages about a record are the same for a row of a table', () => {
    for (const message of actions) {
      assert.deepEqual(pageMessage(message), recordPageMessage(message));
    }
  });

  it('The messages about a record are refused when they are invalid', () => {
    for (const value of [
      undefined,
      null,
      'ready',
      [],
      {},
      { type: 'open' },
      { type: 'openFile' },
      { type: 'openFile', record: -1 },
      { type: 'secrets' },
      { type: 'secrets', on: 'yes' },
      { type: 'copyField', record: 0 },
      { type: 'openCve', id: 'https://evil.example/CVE-2021-44228' },
      { type: 'openCve', id: 'CVE-2021-44228&x=' },
      { type: 'openCve', record: 0 },
      { type: 'copyField', record: 0, field: 1 },
    ]) {
      assert.equal(recordPageMessage(value), undefined);
    }
  });
});

import assert from 'node:assert/strict';
import { findIssueType, issueTypes, issueTypeTitle } from '../../../src/vocabulary/issueTypes';
import { demoScorecards } from '../../../src/demo/demoService';

describe('The issue types', () => {
  it('have distinct keys in the format of the service and distinct titles', () => {
    assert.ok(issueTypes.length >= 60);
    assert.equal(new Set(issueTypes.map(({ key }) => key)).size, issueTypes.length);
    assert.equal(new Set(issueTypes.map(({ title }) => title)).size, issueTypes.length);
    assert.equal(new Set(issueTypes.map(({ factor }) => factor)).size, 10);
    for (const { key, title } of issueTypes) {
      assert.match(key, /^[a-z0-9_]+$/);
      assert.match(title, /^[A-Z]/);
    }
  });

  it('have a title for known keys, and a readable one for other keys', () => {
    assert.equal(issueTypeTitle('open_port'), 'Open port');
    assert.equal(issueTypeTitle('tls_weak_protocol'), 'TLS: weak protocol');
    assert.equal(issueTypeTitle('spf_record_missing'), 'SPF record missing');
    assert.equal(issueTypeTitle('dns_zone_transfer_v2'), 'DNS zone transfer');
    assert.equal(issueTypeTitle('constructor'), 'Constructor');
    assert.equal(issueTypeTitle('___'), '___');
    assert.equal(issueTypeTitle(''), '');
  });

  it('include every issue type of the demo', () => {
    for (const key of demoScorecards.flatMap((scorecard) => scorecard.issueTypes)) {
      assert.ok(findIssueType(key), key);
    }
  });
});

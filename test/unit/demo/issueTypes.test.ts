import assert from 'node:assert/strict';
import { findIssueType, issueTypes } from '../../../src/vocabulary/issueTypes';
import { demoScorecards } from '../../../src/demo/demoService';

describe('The issue types', () => {
  it('The issue types have distinct keys in the format of the service and distinct titles', () => {
    assert.ok(issueTypes.length >= 60);
    assert.equal(new Set(issueTypes.map(({ key }) => key)).size, issueTypes.length);
    assert.equal(new Set(issueTypes.map(({ title }) => title)).size, issueTypes.length);
    assert.equal(new Set(issueTypes.map(({ factor }) => factor)).size, 10);
    for (const { key, title } of issueTypes) {
      assert.match(key, /^[a-z0-9_]+$/);
      assert.match(title, /^[A-Z]/);
    }
  });

  it('The issue types include every issue type of the demo', () => {
    for (const key of demoScorecards.flatMap((scorecard) => scorecard.issueTypes)) {
      assert.ok(findIssueType(key), key);
    }
  });
});

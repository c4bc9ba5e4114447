import * as assert from 'node:assert/strict';
import { sinceText } from '../../../src/compare/ui/compareTexts';

describe('What changed since the report before', () => {
  it('is said in words where nothing did', () => {
    const since = { new: 0, gone: 0, changed: 0, at: Date.parse('2026-11-15T12:00:00Z') };
    assert.match(sinceText(since), /^No changes since 15 Nov/);
    assert.match(sinceText({ ...since, changed: 1 }), /^0 new, 0 gone since 15 Nov/);
    assert.match(sinceText({ ...since, new: 37, gone: 12 }), /^37 new, 12 gone since 15 Nov/);
  });

  it('has the minute of a report of the same day', () => {
    const since = { new: 0, gone: 0, changed: 0, at: new Date().setHours(0, 0) };
    assert.match(sinceText(since), /^No changes since .* 00:00$/);
    assert.match(sinceText({ ...since, new: 1 }), /^1 new, 0 gone since .* 00:00$/);
  });
});

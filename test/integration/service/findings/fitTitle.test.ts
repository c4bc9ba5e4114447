import * as assert from 'node:assert/strict';
import { fitTitle } from '../../../../src/service/findings/ui/fitTitle';

describe('A title before a number', () => {
  it('A title before a number leaves room for it, and stays whole without one', () => {
    const title = 'Patching cadence: high severity CVE';
    assert.equal(fitTitle(title, undefined, 1), title);
    assert.equal(fitTitle(title, '3,472 high', 1), 'Patching cadence\u2026');
    assert.equal(fitTitle(title, '2 high', 2), 'Patching cadence: hi\u2026');
    assert.equal(fitTitle('Open port', '24,873 medium', 3), 'Open port');
  });

  it('A title before a number keeps its beginning, however long the number is', () => {
    const title = fitTitle('Compromised credentials', '1'.repeat(40), 3);
    assert.equal(title, 'Compromised\u2026');
  });
});

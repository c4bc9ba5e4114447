import assert from 'node:assert/strict';
import { sparkline } from '../../../../src/base/text/sparkline';

describe('A sparkline', () => {
  it('A sparkline has one bar for each number, from the lowest to the highest', () => {
    assert.equal(sparkline([50, 60, 70, 85, 100]), '▁▂▄▆█');
    assert.equal(sparkline([]), '');
  });

  it('A sparkline draws small differences small', () => {
    assert.equal(sparkline([81, 81, 81]), '▁▁▁');
    assert.equal(sparkline([81, 82, 81]), '▁▂▁');
  });
});

import * as assert from 'node:assert/strict';
import { fitTitle, fittingNumbers } from '../../../../src/service/findings/ui/fitTitle';

describe('A title before a number', () => {
  it('A title before a number leaves room for it, and stays whole without one', () => {
    const title = 'Patching cadence: high severity CVE';
    assert.equal(fitTitle(title, [], 1), title);
    assert.equal(fitTitle(title, ['3,472 high'], 1), 'Patching cadence\u2026');
    assert.equal(fitTitle(title, ['2 high'], 2), 'Patching cadence: hi\u2026');
    assert.equal(fitTitle('Open port', ['24,873 medium'], 3), 'Open port');
  });

  it('A title before a number keeps its beginning, however long the number is', () => {
    const title = fitTitle('Compromised credentials', ['1'.repeat(40)], 3);
    assert.equal(title, 'Compromised\u2026');
  });

  it('The title of a row leaves room for a grade and a number', () => {
    const numbers = ['C 70', '4,637 high'];
    const title = fitTitle('Halvorsen Maritime Logistics', numbers, 1);
    assert.equal(title, 'Halvorsen M\u2026');
    assert.ok(title.length + numbers.join(' \u00b7 ').length <= 29);
  });

  it('The title of a row stays beside a second number only where both have room, as a part of a number would be another one', () => {
    const total = ['41,237 total'];
    assert.deepEqual(fittingNumbers('Open port', '33,033 low', total, 2), []);
    assert.deepEqual(fittingNumbers('Open port', '5 medium', ['7 total'], 2), ['7 total']);
    assert.deepEqual(fittingNumbers('Open port', undefined, ['7'], 3), ['7']);
  });
});

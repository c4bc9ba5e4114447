import * as assert from 'node:assert/strict';
import { clockText, dateLanguage, dayText, momentText } from '../../../src/base/dates';

describe('The date of a report', () => {
  const time = new Date(2026, 10, 22, 14, 3).getTime();
  const thisYear = new Date(2026, 11, 1).getTime();
  const nextYear = new Date(2027, 0, 1).getTime();

  it('has the day first, and its year in another year only', () => {
    assert.equal(momentText(time, 'en', thisYear), '22 Nov 14:03');
    assert.equal(momentText(time, 'en', nextYear), '22 Nov 2026 14:03');
    assert.equal(dayText(time, 'en', thisYear), '22 Nov');
    assert.equal(dayText(time, 'en', nextYear), '22 Nov 2026');
    assert.equal(clockText(time, 'en'), '14:03');
  });

  it('is in the display language', () => {
    assert.equal(momentText(time, 'de', thisYear), '22. Nov. 14:03');
    assert.equal(dayText(time, 'de', nextYear), '22. Nov. 2026');
    assert.equal(dateLanguage('en-US'), 'en-GB');
    assert.equal(dateLanguage('en-AU'), 'en-AU');
    assert.equal(dateLanguage('fr'), 'fr');
  });
});

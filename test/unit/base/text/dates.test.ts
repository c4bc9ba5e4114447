import * as assert from 'node:assert/strict';
import {
  clockText,
  dateLanguage,
  dayText,
  differingText,
  momentText,
} from '../../../../src/base/text/dates';

describe('The date of a report', () => {
  const time = new Date(2026, 10, 22, 14, 3).getTime();
  const thisYear = new Date(2026, 11, 1).getTime();
  const nextYear = new Date(2027, 0, 1).getTime();

  it('The date of a report starts with the day, and shows the year only when it is another one', () => {
    assert.equal(momentText(time, 'en', thisYear), '22 Nov 14:03');
    assert.equal(momentText(time, 'en', nextYear), '22 Nov 2026 14:03');
    assert.equal(dayText(time, 'en', thisYear), '22 Nov');
    assert.equal(dayText(time, 'en', nextYear), '22 Nov 2026');
    assert.equal(clockText(time, 'en'), '14:03');
  });

  it('The date of a report is as short as it differs from that of another report', () => {
    const differing = (...other: [day: number, hour: number, minute: number, second: number]) =>
      differingText(time, new Date(2026, 10, ...other).getTime(), 'en', thisYear);
    assert.equal(differing(20, 14, 3, 0), '22 Nov');
    assert.equal(differing(22, 14, 4, 0), '22 Nov 14:03');
    assert.equal(differing(22, 14, 3, 5), '22 Nov 14:03:00');
    assert.equal(differing(22, 14, 3, 0), '22 Nov 14:03');
  });

  it('The date of a report has three letters for every English month', () => {
    for (let month = 0; month < 12; month += 1) {
      const day = new Date(2026, month, 22).getTime();
      assert.match(dayText(day, 'en', thisYear), /^22 [A-Z][a-z]{2}$/);
      assert.match(dayText(day, 'en', nextYear), /^22 [A-Z][a-z]{2} 2026$/);
    }
    const september = new Date(2026, 8, 22).getTime();
    assert.equal(dayText(september, 'de', thisYear), '22. Sept.');
  });

  it('The date of a report is in the display language', () => {
    assert.equal(momentText(time, 'de', thisYear), '22. Nov. 14:03');
    assert.equal(dayText(time, 'de', nextYear), '22. Nov. 2026');
    assert.equal(dateLanguage('en-US'), 'en-GB');
    assert.equal(dateLanguage('en-AU'), 'en-AU');
    assert.equal(dateLanguage('fr'), 'fr');
  });
});

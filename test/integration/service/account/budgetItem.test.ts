import { systemClock } from '../../../../src/base/events/clock';
import * as assert from 'node:assert/strict';
import { RateLimitedError } from '../../../../src/api/http/errors';
import { defined } from '../../../../src/base/defined';
import { describeIfApiError } from '../../../../src/service/account/ui/describeApiError';
import type { RequestBudget } from '../../../../src/api/types';
import { formatMinute, formatTime } from '../../../../src/workbench/format';
import {
  describeBudget,
  describeEndpoints,
  shortText,
} from '../../../../src/service/account/ui/budgetItem';

/** What fits into one line of a notification before VS Code cuts it. */
const visible = 55;

const budget: RequestBudget = { limit: 5000, used: 0, remaining: 5000, windowMinutes: 60 };
const retryAt = new Date(systemClock.now() + 1_000).toISOString();

describe('The text of the request budget', () => {
  it('The text of the request budget begins with the number of requests left', () => {
    assert.match(
      describeBudget(budget),
      /^5,000 of 5,000 requests left this hour \(all windows\)\.$/,
    );
  });

  it('The text of the request budget begins with the time of the next request when no request may be sent now', () => {
    const used = { ...budget, limit: 18, used: 18, remaining: 0, retryAt };
    assert.match(
      describeBudget(used),
      /^Budget used up\. Next request at \d.*\. 0 of 18 requests left/,
    );
    assert.match(
      describeBudget({ ...budget, retryAt }),
      /^Rate limited\. Next request at \d.*\. 5,000 of 5,000 requests left/,
    );
    assert.match(describeBudget(used).slice(0, visible), /0 of 18/);
  });

  it('The text of the request budget says that requests are limited only where none goes on', () => {
    const findings = { endpoint: 'GET /portfolios', used: 2 };
    const reports = { endpoint: 'POST /reports/full-dump', used: 1, retryAt };
    const time = formatMinute(Date.parse(retryAt));
    const some = { ...budget, retryAt, endpoints: [findings, reports] };
    assert.equal(shortText(some), `$(clock) Full reports: paused until ${time}`);
    assert.match(describeBudget(some), /^5,000 of 5,000 .*\. Full reports: paused until \d.*\.$/);
    const more = { ...reports, endpoint: 'POST /reports/detailed' };
    assert.equal(
      shortText({ ...some, endpoints: [findings, reports, more] }),
      `$(clock) Full reports and others: paused until ${time}`,
    );
    const all = { ...some, areAllPaused: true as const };
    assert.equal(shortText(all), `$(clock) Rate limited until ${time}`);
    assert.match(describeBudget(all), /^Rate limited\. Next request at \d.*\(all windows\)\.$/);
    assert.equal(shortText({ ...some, remaining: 0 }), `$(clock) No requests left until ${time}`);
  });

  it('The text of the request budget names what is paused in the error of a call that waits too long, as others go on', () => {
    const time = formatMinute(Date.parse(retryAt));
    const textOf = (endpoint?: string) =>
      describeIfApiError(new RateLimitedError(Date.parse(retryAt), defined({ endpoint })))?.text;
    assert.equal(textOf('POST /reports/detailed'), `Detailed reports: paused until ${time}.`);
    assert.equal(textOf(), `Rate limited until ${time}.`);
  });

  it('The text of the request budget counts endpoints of the same name together, until the last of their pauses is over', () => {
    const paused = (label: string, retry?: string) => ({
      endpoint: label,
      used: 2,
      ...(retry === undefined ? {} : { retryAt: retry }),
    });
    const later = new Date(systemClock.now() + 3_600_000).toISOString();
    const endpoints = [
      paused('GET /portfolios'),
      paused('POST /reports/full-dump', retryAt),
      paused('GET /portfolios/{id}/companies'),
      paused('POST /reports/full-scorecard-json', later),
    ];
    const [portfolios, reports, ...more] = describeEndpoints({ ...budget, endpoints });
    assert.equal(portfolios, 'Portfolio lists: 4 sent');
    assert.equal(reports, `Full reports: 4 sent, paused until ${formatTime(Date.parse(later))}`);
    assert.deepEqual(more, []);
    assert.equal(describeBudget({ ...budget, endpoints }).match(/Full reports/g)?.length, 1);
  });

  it('The text of the request budget names other hosts in words', () => {
    const endpoints = [{ endpoint: 'GET https://files.example', used: 2 }];
    assert.deepEqual(describeEndpoints({ ...budget, endpoints }), [
      'Downloads from https://files.example: 2 sent',
    ]);
  });
});

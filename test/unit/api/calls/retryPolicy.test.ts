import assert from 'node:assert/strict';
import {
  type ApiError,
  AuthError,
  BadRequestError,
  ConfigError,
  NetworkError,
  ProtocolError,
  RateLimitedError,
  ServerError,
  TimeoutError,
} from '../../../../src/api/http/errors';
import { decideRetry, type Operation } from '../../../../src/api/calls/retryPolicy';

function limited(retryAfterMs?: number): RateLimitedError {
  return new RateLimitedError(0, { status: 429, retryAfterMs });
}

function wait(failure: ApiError, attempt: number, random = 0, operation: Operation = 'read') {
  const decision = decideRetry({ operation, failure, attempt, random });
  return decision.type === 'stop' ? 'stop' : decision.waitMs;
}

describe('The retry policy', () => {
  it('The retry policy waits at least 1.5 times as long after each rate limit, whatever the jitter', () => {
    for (const told of [undefined, 0, 1000]) {
      for (const [early, late] of [
        [0, 0],
        [0.999, 0],
      ] as const) {
        for (let attempt = 1; attempt < 6; attempt += 1) {
          const first = Number(wait(limited(told), attempt, early));
          const second = Number(wait(limited(told), attempt + 1, late));
          assert.ok(first >= 1000 && second >= first * 1.5, `${first} then ${second}`);
        }
      }
    }
  });

  it('The retry policy limits the back-off to a minute', () => {
    assert.equal(wait(limited(), 40), 60_000);
  });

  it('The retry policy adds jitter only on top of Retry-After', () => {
    assert.equal(wait(limited(10_000), 1, 0), 10_000);
    const late = Number(wait(limited(10_000), 1, 0.999));
    assert.ok(late > 10_000 && late <= 12_000);
    assert.ok(Number(wait(limited(3_600_000), 1, 0.999)) <= 3_605_000);
  });

  it('The retry policy stops at a Retry-After beyond a day, but waits an hour', () => {
    assert.equal(wait(limited(99999999999000), 1), 'stop');
    assert.equal(wait(limited(3_600_000), 1), 3_600_000);
  });

  it('The retry policy retries a read four times after 500, 502, 503 and 504, but not after 501', () => {
    for (const status of [500, 502, 503, 504, 507, 520, 522, 524, 529, 599, 408, 425]) {
      const failure = new ServerError('', { status });
      assert.deepEqual(
        [1, 2, 3, 4, 5].map((attempt) => wait(failure, attempt)),
        [500, 1000, 2000, 4000, 'stop'],
      );
    }
    assert.equal(wait(new ServerError('', {}), 1), 'stop');
    for (const status of [501, 505, 511]) {
      assert.equal(wait(new ServerError('', { status }), 1), 'stop');
    }
    for (const status of [408, 425, 520, 529]) {
      assert.equal(wait(new ServerError('', { status }), 1, 0, 'create'), 'stop');
    }
  });

  it('The retry policy treats a 503 with Retry-After as a rate limit', () => {
    const decision = decideRetry({
      operation: 'read',
      failure: new ServerError('', { status: 503, retryAfterMs: 5000 }),
      attempt: 1,
      random: 0,
    });
    assert.deepEqual(decision, { type: 'limit', waitMs: 5000 });
  });

  it('The retry policy retries a report request only after a 429 that is its first answer', () => {
    assert.equal(wait(limited(2000), 1, 0, 'create'), 2000);
    const redirected = limited(2000);
    redirected.isRedirected = true;
    assert.equal(wait(redirected, 1, 0, 'create'), 'stop');
    assert.equal(wait(redirected, 1), 2000);
    for (const failure of [
      new ServerError('', { status: 503, retryAfterMs: 1000 }),
      new NetworkError('reset', 'h', 'ECONNRESET'),
      new NetworkError('refused', 'h', 'ECONNREFUSED'),
      new TimeoutError('h', 1),
    ]) {
      assert.equal(wait(failure, 1, 0, 'create'), 'stop');
    }
  });

  it('The retry policy tries a connection four times, but an invalid certificate once', () => {
    const dns = new NetworkError('dns', 'h', 'ENOTFOUND');
    assert.deepEqual([wait(dns, 3), wait(dns, 4)], [2000, 'stop']);
    assert.equal(wait(new NetworkError('certificate', 'h', 'CERT_HAS_EXPIRED'), 1), 'stop');
  });

  it('The retry policy tries twice when a request times out', () => {
    const failure = new TimeoutError('h', 1);
    assert.deepEqual([wait(failure, 1), wait(failure, 2)], [500, 'stop']);
  });

  it('The retry policy goes on for two minutes with a bulk read while the service or the network fails', () => {
    for (const failure of [
      new ServerError('', { status: 503 }),
      new NetworkError('refused', 'h', 'ECONNREFUSED'),
    ]) {
      let waited = 0;
      let attempt = 1;
      for (let decision; decision?.type !== 'stop'; attempt += 1) {
        waited += decision?.waitMs ?? 0;
        decision = decideRetry({
          operation: 'read',
          failure,
          attempt,
          random: 0,
          priority: 'bulk',
        });
      }
      assert.deepEqual([attempt - 1, waited], [9, 123_500]);
    }
  });

  it('The retry policy repeats what may be too large as often as the caller says, after no other failure', () => {
    const decide = (failure: ApiError) =>
      decideRetry({ operation: 'read', failure, attempt: 1, random: 0, attemptsIfTooLarge: 1 })
        .type;
    for (const status of [500, 502, 504]) {
      assert.equal(decide(new ServerError('', { status })), 'stop');
    }
    assert.equal(decide(new TimeoutError('h', 1)), 'stop');
    assert.equal(decide(new ServerError('', { status: 503 })), 'retry');
    assert.equal(decide(new NetworkError('reset', 'h', 'ECONNRESET')), 'retry');
  });

  it('The retry policy retries after no other error', () => {
    for (const failure of [
      new AuthError(''),
      new BadRequestError(''),
      new ProtocolError(''),
      new ConfigError(''),
      // From our own queue, which has no status.
      new RateLimitedError(0),
    ]) {
      assert.equal(wait(failure, 1), 'stop');
    }
  });
});

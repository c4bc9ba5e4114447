import assert from 'node:assert/strict';
import { BadRequestError, ServerError, TimeoutError } from '../../../../src/api/http/errors';
import { DividedPages } from '../../../../src/api/paging/dividedPages';
import type { FindingsPage, FindingsQuery } from '../../../../src/api/types';
import { FindingsList } from '../../../../src/service/findings/findingsList';
import { sendJson, sendText } from '../../../helpers/testServer';
import { failure, Harness, query, scorecardId, WaitClock } from '../support';

const total = 1_234;

function pageOf({ offset, limit }: FindingsQuery): FindingsPage {
  const length = Math.max(0, Math.min(limit, total - offset));
  const entries = Array.from({ length }, (_, at) => ({ n: offset + at }));
  return { entries, totalCount: total, hasMore: offset + limit < total, offset, limit };
}

describe('A page that is too large for the service', () => {
  const harness = new Harness();
  afterEach(() => harness.close());

  for (const failed of [
    new TimeoutError('h', 30_000),
    new TimeoutError('h', 150_000, 'whole'),
    new ServerError('The service failed.', { status: 504 }),
  ]) {
    it(`A page that is too large for the service comes in parts, and so does the rest of its list (${failed.message})`, async () => {
      const pages = new DividedPages();
      const requested: number[] = [];
      const fetch = (part: FindingsQuery) => {
        requested.push(part.limit);
        return part.limit > 100 ? Promise.reject(failed) : Promise.resolve(pageOf(part));
      };
      for (const offset of [0, 500, 1_000]) {
        const range = query({ offset, limit: 500 });
        assert.deepEqual(await pages.fetch(range, fetch), pageOf(range));
      }
      assert.deepEqual(requested.slice(0, 4), [500, 250, 125, 63]);
      assert.equal(requested.filter((limit) => limit > 100).length, 3, 'each size fails once');
      const other = query({ issueType: 'other', limit: 500 });
      await pages.fetch(other, (part) => Promise.resolve(pageOf(part)));
    });
  }

  it('A page that is too large for the service may have any number of entries, whatever the limit', async () => {
    const entries = Array.from({ length: 130_000 }, (_, n) => ({ n }));
    const page = await new DividedPages().fetch(query({ limit: 500 }), (part) =>
      part.limit > 250
        ? Promise.reject(new ServerError('The service failed.', { status: 504 }))
        : Promise.resolve({ ...pageOf(part), entries, hasMore: false }),
    );
    assert.deepEqual([page.entries.length, page.hasMore], [130_000, false]);
  });

  it('A page that is too large for the service is not divided for another failure, nor a small page for any', async () => {
    const pages = new DividedPages();
    const refused = new BadRequestError('No.', { status: 400 });
    const failed = new ServerError('The service failed.', { status: 500 });
    for (const [limit, error, expected] of [
      [500, refused, 1],
      [100, failed, 1],
      [500, failed, 4],
    ] as const) {
      let requests = 0;
      const reading = pages.fetch(query({ limit }), () => {
        requests += 1;
        return Promise.reject(error);
      });
      await assert.rejects(reading, error);
      assert.equal(requests, expected);
    }
    // Nothing is remembered of a service that fails altogether.
    const range = query({ limit: 500 });
    const whole = await pages.fetch(range, (part) => {
      assert.equal(part.limit, 500);
      return Promise.resolve(pageOf(part));
    });
    assert.equal(whole.entries.length, 500);
  });

  it('A page that is too large for the service is tried as a whole after some pages, each time that fails half as often', async () => {
    const pages = new DividedPages();
    let largest = 100;
    const wholes: number[] = [];
    const attempts: unknown[] = [];
    const read = async (number: number) => {
      const range = query({ limit: 500 });
      const page = await pages.fetch(range, (part, { attemptsIfTooLarge }) => {
        if (part.limit === 500) {
          wholes.push(number);
          attempts.push(attemptsIfTooLarge);
        }
        return part.limit > largest
          ? Promise.reject(new ServerError('', { status: 504 }))
          : Promise.resolve(pageOf(part));
      });
      assert.equal(page.entries.length, 500);
    };
    for (let number = 0; number < 40; number += 1) {
      await read(number);
    }
    assert.deepEqual(wholes, [0, 3, 9, 21]);
    // It is known to be too large.
    assert.deepEqual(attempts, [2, 1, 1, 1]);
    largest = 500;
    for (let number = 40; number < 50; number += 1) {
      await read(number);
    }
    assert.deepEqual(wholes.slice(4), [45, 46, 47, 48, 49]);
  });

  it('A page that is too large for the service is no page that comes while the service is down', async () => {
    for (const [status, priority, most] of [
      [503, 'interactive', 5],
      [503, 'bulk', 9],
      // Twice as a whole, once in each size, and with patience in the smallest one.
      [502, 'interactive', 2 + 2 + 5],
      [502, 'bulk', 2 + 2 + 9],
    ] as const) {
      const server = await harness.serve((_, response) => {
        sendText(response, status);
      });
      const clock = new WaitClock();
      const client = harness.client(server.baseUrl, { clock });
      const range = query({ limit: 500 });
      await failure(clock.run(client.findingsPage(range, { priority })), ServerError);
      assert.equal(server.requests.length, most);
      assert.ok(priority === 'interactive' || clock.monotonic() > 120_000, 'it waits');
    }
  });

  for (const status of [503, 502]) {
    it(`A page that is too large for the service is no page of a Load All during an outage of a minute (${status})`, async () => {
      const clock = new WaitClock();
      const of = 40_000;
      const server = await harness.serve((request, response) => {
        const [offset = 0, limit = 0] = ['offset', 'limit'].map((name) =>
          Number(request.query.get(name)),
        );
        const isDown = clock.monotonic() > 0 || offset >= 10_000;
        if (isDown && clock.monotonic() < 60_000) {
          sendText(response, status);
        } else {
          const entries = Array.from({ length: limit }, (_, at) => ({ issue_id: offset + at }));
          sendJson(response, 200, { entries, total_count: of, has_more: offset + limit < of });
        }
      });
      const client = harness.client(server.baseUrl, { clock });
      const list = new FindingsList(scorecardId, 'open_port', {
        fetchPage: (range, options) => client.findingsPage(query(range), options),
        pageSize: () => 100,
        now: () => clock.now(),
      });
      assert.equal((await clock.run(list.loadAll())).loaded, of);
      // Eighty pages; each of the six in flight is repeated a few times, or comes in parts for a while.
      const { length } = server.requests;
      assert.ok(length < (status === 503 ? 150 : 300), `${length} requests`);
    });
  }

  it('A page that is too large for the service is no reason to ask a service that is down for more pages', async () => {
    const server = await harness.serve((request, response) => {
      if (request.query.get('offset') === '0') {
        const entries = Array.from({ length: 500 }, (_, at) => ({ issue_id: at }));
        sendJson(response, 200, { entries, total_count: 40_000, has_more: true });
      } else {
        sendText(response, 503);
      }
    });
    const clock = new WaitClock();
    const client = harness.client(server.baseUrl, { clock });
    const list = new FindingsList(scorecardId, 'open_port', {
      fetchPage: (range, options) => client.findingsPage(query(range), options),
      pageSize: () => 100,
      now: () => clock.now(),
    });
    await failure(clock.run(list.loadAll()), ServerError);
    assert.ok(server.requests.length <= 1 + 6 * 9, `${server.requests.length} requests`);
  });

  it('A page that is too large for the service is requested from the service with other limits, and refused as it is', async () => {
    const server = await harness.serve((request, response) => {
      const [offset, limit] = ['offset', 'limit'].map((name) => Number(request.query.get(name)));
      const { entries, hasMore } = pageOf(query({ offset: offset ?? 0, limit: limit ?? 0 }));
      const body = { entries, total_count: total, has_more: hasMore, offset, limit };
      sendJson(response, (limit ?? 0) > 100 ? 504 : 200, body);
    });
    const clock = new WaitClock();
    const client = harness.client(server.baseUrl, { clock });
    const range = query({ offset: 1_000, limit: 500 });
    assert.deepEqual(await clock.run(client.findingsPage(range)), pageOf(range));
    await failure(client.findingsPage(query({ limit: 501 })), BadRequestError);
  });
});

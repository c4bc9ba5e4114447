import assert from 'node:assert/strict';
import { LinkedFindings } from '../../../../src/api/services/linkedFindings';
import { RateLimitedError } from '../../../../src/api/http/errors';
import type { FindingsPage } from '../../../../src/api/types';
import { sendJson } from '../../../helpers/testServer';
import { Harness, query } from '../support';

const many = 130_000;
const entries = Array.from({ length: many }, (_, n) => ({ n }));

describe('Findings by links', () => {
  const harness = new Harness();
  afterEach(() => harness.close());

  it('Findings by links may have any number of entries on a page, whatever the limit', async () => {
    const linked = new LinkedFindings();
    const asked: (string | undefined)[] = [];
    const read = (offset: number, limit: number): Promise<FindingsPage> =>
      linked.page(
        'list',
        { offset, limit },
        (link) => {
          asked.push(link);
          const start = link === undefined ? 0 : many;
          return Promise.resolve({
            entries: entries.map(({ n }) => ({ n: start + n })),
            link: { isMalformed: false, ...(link === undefined ? { url: '/2' } : {}) },
            url: 'https://a.example/1',
          });
        },
        {},
      );
    const all = await read(0, 3 * many);
    assert.deepEqual([all.entries.length, all.hasMore], [2 * many, false]);
    assert.ok(all.entries.every(({ n }, at) => n === at));
    const middle = await read(many - 1, 2);
    assert.deepEqual([middle.entries, middle.hasMore], [[{ n: many - 1 }, { n: many }], true]);
    assert.deepEqual(asked, [undefined, '/2'], 'the last pages are kept');
  });

  it('Findings by links that a user waits for do not wait behind all of them, which the service has paused', async () => {
    const server = await harness.serve((request, response) => {
      const page = Number(request.query.get('page') ?? 1);
      if (page === 2) {
        sendJson(response, 429, {}, { 'Retry-After': '600' });
      } else {
        const Link = `<${server.baseUrl}${request.path}?page=2>; rel="next"`;
        sendJson(response, 200, { entries: entries.slice(0, 100) }, { Link });
      }
    });
    const client = harness.client(server.baseUrl, { service: 'securityScorecard' });
    await client.findingsPage(query({ limit: 100 }));
    const ended = new AbortController();
    const waits = new Promise<void>((resolve) => {
      const bulk = client.findingsPage(query({ offset: 100, limit: 100 }), {
        priority: 'bulk',
        signal: ended.signal,
        onWait: () => {
          resolve();
        },
      });
      bulk.catch(() => undefined);
    });
    await waits;
    await assert.rejects(
      client.findingsPage(query({ offset: 100, limit: 100 })),
      (error: unknown) =>
        error instanceof RateLimitedError && Date.parse(error.retryAt) > Date.now(),
    );
    assert.equal(server.requests.length, 2);
    ended.abort();
  });

  it('Findings by links are read from the end of a page of 130,000 of them that a service sends', async () => {
    const server = await harness.serve((_, response) => {
      sendJson(response, 200, { entries });
    });
    const client = harness.client(server.baseUrl, { service: 'securityScorecard' });
    const first = await client.findingsPage(query({ limit: 500 }));
    assert.deepEqual([first.entries.length, first.hasMore], [500, true]);
    const last = await client.findingsPage(query({ offset: many - 3, limit: 500 }));
    assert.deepEqual(
      last.entries.map(({ n }) => n),
      [many - 3, many - 2, many - 1],
    );
    assert.equal(last.hasMore, false);
    assert.equal(server.requests.length, 1);
  });
});

import * as assert from 'node:assert/strict';
import { sendJson } from '../../../helpers/testServer';
import { command, configure, failure, isolate } from '../../helpers';
import {
  demo,
  halvorsen,
  pageServer,
  server,
  signedInDemo,
  signIn,
  type List,
} from '../../services';
import type { LoadResult } from '../../../../src/commands';

const openPorts: List = { scorecardId: halvorsen, issueType: 'open_port' };

/** Calls Load More until the end of a list; the results one by one. */
async function loadToEnd(list: List): Promise<LoadResult[]> {
  const results: LoadResult[] = [];
  do {
    results.push(await command('scorecard.loadMore', list));
  } while (results.at(-1)?.hasMore === true && results.length < 50);
  return results;
}

describe('Load More', () => {
  isolate();

  for (const [issueType, total] of [
    ['dmarc_contains_none', 0],
    ['spf_record_missing', 1],
    ['tlscert_expired', 99],
    ['service_vuln_host_high', 100],
    ['tls_weak_cipher', 101],
    ['csp_no_policy_v2', 250],
  ] as const) {
    it(`Load More loads a list of ${total} page by page to the end, and then sends no more requests`, async () => {
      const service = await signedInDemo();
      const list = { scorecardId: halvorsen, issueType };
      const pages = Math.max(1, Math.ceil(total / 100));
      const expected = Array.from({ length: pages }, (_, index) => ({
        loaded: Math.min(total, 100 * (index + 1)),
        total,
        hasMore: index + 1 < pages,
      }));
      assert.deepEqual(await loadToEnd(list), expected);
      assert.deepEqual(await command('scorecard.loadMore', list), expected.at(-1));
      assert.deepEqual(
        service.requests.map(({ query }) => query.toString()),
        expected.map((_, index) => `offset=${100 * index}&limit=100`),
      );
    });
  }

  it('Load More continues after an empty page in the middle', async () => {
    await signedInDemo();
    const results = await loadToEnd({ scorecardId: halvorsen, issueType: 'malware_infection' });
    assert.deepEqual(
      results.map(({ loaded }) => loaded),
      [100, 200, 200, 300, 400, 500, 600, 650],
    );
    assert.deepEqual(results.at(-1), { loaded: 650, total: 650, hasMore: false });
  });

  it('Load More uses the configured page size, even if it changes in the middle of a list', async () => {
    const service = await demo();
    await configure({ pageSize: 500 });
    await signIn(service);
    assert.equal((await command('scorecard.loadMore', openPorts)).loaded, 500);
    await configure({ pageSize: 7 });
    assert.equal((await command('scorecard.loadMore', openPorts)).loaded, 507);
    assert.deepEqual(
      service.requests.map(({ query }) => query.toString()),
      ['offset=0&limit=500', 'offset=500&limit=7'],
    );
  });

  it('Load More sends one request for concurrent calls', async () => {
    const service = await signedInDemo({ latencyMs: 50 });
    const results = await Promise.all(
      Array.from({ length: 5 }, () => command('scorecard.loadMore', openPorts)),
    );
    for (const result of results) {
      assert.deepEqual(result, { loaded: 100, total: 41_237, hasMore: true });
    }
    assert.equal(service.requests.length, 1);
  });

  it('Load More counts distinct findings, and leaves out the total when the service sends none', async () => {
    const service = await server((request, response) => {
      const entries = [{ issue_id: 'a' }, { issue_id: 'a' }, { text: 'b' }, { text: 'b' }];
      response.end(JSON.stringify({ entries, has_more: request.query.get('offset') === '0' }));
    });
    await signIn(service);
    assert.deepEqual(await loadToEnd(openPorts), [
      { loaded: 3, hasMore: true },
      { loaded: 5, hasMore: false },
    ]);
  });

  it('Load More shows each of several findings with one id', async () => {
    const entries = [
      { issue_id: 'same', host: 'a' },
      { issue_id: 'same', host: 'b' },
      { issue_id: 'other', host: 'c' },
    ];
    const service = await server((_, response) => {
      sendJson(response, 200, { entries, total_count: 3, has_more: false });
    });
    await signIn(service);
    assert.deepEqual(await command('scorecard.loadMore', openPorts), {
      loaded: 3,
      total: 3,
      hasMore: false,
    });
    for (const [index, entry] of entries.entries()) {
      const found = await command('scorecard.goToFinding', { ...openPorts, number: index + 1 });
      assert.deepEqual(found, entry);
      const filtered = { ...openPorts, text: `host:${entry.host}` };
      assert.equal((await command('scorecard.filterFindings', filtered)).shown, 1);
    }
  });

  it('Load More refuses a domain name and an invalid issue type before any request', async () => {
    const service = await pageServer(1);
    await signIn(service);
    for (const id of [
      'scorecard.loadMore',
      'scorecard.refresh',
      'scorecard.openFinding',
    ] as const) {
      const refused = await failure(
        command(id, { scorecardId: 'example.com', issueType: 'open_port', number: 1 }),
        'badRequest',
      );
      assert.match(refused.message, /scorecard UUID.*"example\.com"/);
      for (const args of [
        { ...openPorts, issueType: '../../x' },
        { ...openPorts, issueType: 7 },
        { ...openPorts, scorecardId: '' },
        { ...openPorts, scorecardId: { id: halvorsen } },
      ]) {
        await failure(command(id, { ...args, number: 1 }), 'badRequest');
      }
    }
    assert.equal(service.requests.length, 0);
  });
});

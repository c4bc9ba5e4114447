import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerError } from '../../../src/api/http/errors';
import type { JsonObject } from '../../../src/base/json/json';
import { Exporter } from '../../../src/service/export/exporter';
import { completeListPages, Findings } from '../../../src/service/findings/findings';
import type { FindingsList } from '../../../src/service/findings/findingsList';
import { FindingsFiles } from '../../../src/links/findingsFiles';
import { sendJson, startTestServer, type TestServer } from '../../helpers/testServer';
import { ExportFolder } from '../service/export/support';
import { Cleanup, clientFor, FakeSession, Gate, scorecardId } from '../service/findings/support';

const hourMs = 60 * 60 * 1000;
const issueType = 'open_port';

describe('Requests for all findings of a list', () => {
  const cleanup = new Cleanup();
  let place: ExportFolder;
  let server: TestServer;
  let session: FakeSession;
  let findings: Findings;
  let body: JsonObject;
  let now: number;
  /** How many findings there are, and how many the service counts. */
  let length: number;
  let counted: number | undefined;
  /** Held back until it opens. */
  let gate: Gate | undefined;
  let isRefused: boolean;
  /** Where a page begins that the service cannot send. */
  let broken: number | undefined;

  beforeEach(async () => {
    length = 41_237;
    counted = undefined;
    gate = undefined;
    isRefused = false;
    broken = undefined;
    body = {};
    now = 0;
    server = await startTestServer(async (request, response) => {
      await gate?.promise;
      const [offset, limit] = ['offset', 'limit'].map((name) => Number(request.query.get(name)));
      const { issue_ids: ids, has_more } = page(offset ?? 0, limit ?? 0);
      sendJson(response, isRefused ? 403 : offset === broken ? 501 : 200, {
        entries: ids.map((issue_id) => ({ issue_id })),
        count: ids.length,
        offset,
        limit,
        has_more,
        total_count: counted ?? length,
      });
    });
    cleanup.add(() => server.close());
    place = new ExportFolder();
    cleanup.add(() => {
      place.remove();
    });
    session = new FakeSession();
    session.signIn(server.baseUrl, client());
    findings = cleanup.own(
      new Findings({
        session,
        scorecards: { bodyOf: () => body, isListed: () => true },
        pageSize: () => 100,
        now: () => now,
      }),
    );
  });
  afterEach(() => cleanup.run());

  const client = () => cleanup.own(clientFor(server.baseUrl));
  const list = () => findings.listOf(scorecardId, issueType);

  function page(offset: number, limit: number) {
    const count = Math.max(0, Math.min(limit, length - offset));
    const issue_ids = Array.from({ length: count }, (_, index) => `id-${offset + index}`);
    return { issue_ids, has_more: offset + limit < length };
  }

  /** The offsets of the pages requested since the last call, in order, and their sizes. */
  function drainRequests(): { offsets: number[]; limits: number[] } {
    const queries = server.requests.splice(0).map(({ query }) => query);
    const numbers = (name: string) => queries.map((query) => Number(query.get(name)));
    return {
      offsets: numbers('offset').sort((first, second) => first - second),
      limits: [...new Set(numbers('limit'))],
    };
  }

  /** Exports as the command does: from the loaded list, if it is complete. */
  async function exportAll({ complete }: FindingsList): Promise<string> {
    const api = complete ? completeListPages(complete) : session.requireSignedIn().api;
    const { pageSize: _, ...job } = place.job(api);
    await new Exporter().exportAll({ ...job, target: { ...job.target, replace: true } });
    return readFileSync(place.path, 'utf8');
  }

  const pagesFrom = (first: number) =>
    Array.from({ length: Math.ceil((length - first) / 500) }, (_, index) => first + 500 * index);

  it('Requests for all findings of a list are 83 pages of 500 for 41,237 findings, whatever page size the user browses with', async () => {
    await list().loadAll();
    assert.deepEqual(drainRequests(), { offsets: pagesFrom(0), limits: [500] });
    assert.equal(pagesFrom(0).length, 83);
    now = hourMs + 1;
    const text = await exportAll(list());
    assert.deepEqual(drainRequests(), { offsets: pagesFrom(0), limits: [500] });
    assert.equal(text.split('\n').length, length + 1);
  });

  it('Requests for all findings of a list continue after the pages that the user has browsed', async () => {
    await list().loadMore();
    await list().loadMore();
    await list().goTo(1_001);
    assert.deepEqual(drainRequests(), { offsets: [0, 100, 1_000], limits: [100] });
    assert.equal(list().missingPages, 2 + 81);
    await list().loadAll();
    assert.deepEqual(drainRequests().offsets, [200, 700, ...pagesFrom(1_100)]);
    const { rows, duplicates } = list();
    assert.equal(duplicates, 0);
    assert.ok(
      rows.every(({ key, number }, index) => key === `id-${index}` && number === index + 1),
    );
  });

  it('Requests for all findings of a list are pages of 500 for a refresh after an incomplete Load All', async () => {
    length = 2_300;
    broken = 1_000;
    await assert.rejects(list().loadAll(), ServerError);
    // The page that fails is requested in smaller parts, too.
    assert.deepEqual([...new Set(drainRequests().offsets)], pagesFrom(0));
    await list().refresh();
    assert.deepEqual(drainRequests(), { offsets: [0, 500, 1_500, 2_000], limits: [500] });
  });

  it('Requests for all findings of a list are not needed for an export, a table and a filter after Load All', async () => {
    await list().loadAll();
    drainRequests();
    now = 12 * 60_000;
    assert.equal(list().complete?.loadedAt, 0);
    const text = await exportAll(list());
    assert.deepEqual(JSON.parse(text.split('\n')[41_236] ?? ''), { issue_id: 'id-41236' });
    const folder = mkdtempSync(join(tmpdir(), 'tables-'));
    cleanup.add(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const tables = new FindingsFiles(folder, new Exporter(), () => now);
    const { complete } = list();
    assert.ok(complete);
    const query = { accountId: 'a', scorecardId, issueType, body };
    const file = await tables.make({ api: completeListPages(complete), query, name: 'Open port' });
    assert.equal(readFileSync(file, 'utf8'), text);
    list().filter.set('id-41236');
    assert.equal((await list().loadAll()).loaded, length);
    assert.deepEqual(
      list().shownRows.map(({ number }) => number),
      [length],
    );
    assert.deepEqual(drainRequests().offsets, []);
  });

  it('Requests for all findings of a list are not needed for an export of an empty list', async () => {
    length = 0;
    await list().loadFirst();
    drainRequests();
    assert.equal(await exportAll(list()), '');
    assert.deepEqual(drainRequests().offsets, []);
  });

  it('Requests for all findings of a list are not needed when an export resumes after the rest was loaded', async () => {
    length = 1_300;
    const { api } = session.requireSignedIn();
    const abort = new AbortController();
    const job = place.job(api, {
      signal: abort.signal,
      onProgress: ({ count }) => {
        if (count === 20) {
          abort.abort();
        }
      },
    });
    await assert.rejects(new Exporter().exportAll(job));
    await list().loadAll();
    drainRequests();
    const text = await exportAll(list());
    assert.deepEqual(drainRequests().offsets, []);
    assert.equal(text.split('\n').length, length + 1);
    assert.deepEqual(place.files(), ['findings.csv']);
  });

  describe('are sent again', () => {
    beforeEach(async () => {
      length = 1_300;
      await list().loadAll();
      drainRequests();
      assert.ok(list().complete);
    });

    const sent = [0, 500, 1_000];

    const isRequestedAgain = async () => {
      assert.equal(list().complete, undefined);
      await exportAll(list());
      assert.deepEqual(drainRequests().offsets, sent);
    };

    it('Requests for all findings of a list are sent again after an hour', async () => {
      now = hourMs;
      assert.ok(list().complete);
      now += 1;
      await isRequestedAgain();
    });

    it('Requests for all findings of a list are sent again by a refresh, with as few pages as Load All', async () => {
      length = 1_001;
      body = { filter: 'other' };
      await list().loadMore();
      await list().loadAll();
      assert.deepEqual(drainRequests().offsets, [0, 100, 600]);
      await list().refresh();
      assert.deepEqual(drainRequests(), { offsets: sent, limits: [500] });
    });

    it('Requests for all findings of a list are sent again after a key change, until the list is refreshed', async () => {
      session.signIn(server.baseUrl, client());
      await isRequestedAgain();
      await list().refresh();
      assert.deepEqual(drainRequests(), { offsets: sent, limits: [500] });
      assert.ok(list().complete);
    });

    it('Requests for all findings of a list are sent again for another account or another server filter', async () => {
      body = { filter: { port: 22 } };
      await isRequestedAgain();
      await list().loadAll();
      drainRequests();
      session.useDemo(server.baseUrl, client());
      await isRequestedAgain();
    });

    it('Requests for all findings of a list are sent again during a refresh, and after a failed one', async () => {
      gate = new Gate();
      const refreshed = list().refresh();
      assert.equal(list().complete, undefined);
      isRefused = true;
      gate.open();
      await assert.rejects(refreshed);
      isRefused = false;
      drainRequests();
      await isRequestedAgain();
    });

    it('Requests for all findings of a list are sent again when the service counts more findings than it sent', async () => {
      counted = 1_301;
      await list().refresh();
      drainRequests();
      await isRequestedAgain();
    });
  });

  it('Requests for all findings of a list are still needed when the count changes while the list is loaded', async () => {
    length = 200;
    counted = 200;
    await list().loadMore();
    counted = 199;
    await list().loadMore();
    assert.deepEqual(list().result, { loaded: 200, total: 199, hasMore: false });
    assert.equal(list().complete, undefined);
  });
});

import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../../src/api/http/addresses';
import { BadRequestError, ConfigError } from '../../../../src/api/http/errors';
import type { FindingsQuery } from '../../../../src/api/types';
import type { JsonObject } from '../../../../src/base/json/json';
import { sendJson } from '../../../helpers/testServer';
import { Harness, failure, page, query, scorecardId } from '../support';

describe('The API client', () => {
  const harness = new Harness();
  afterEach(() => harness.close());

  /** Serves pages of findings, requests one, and returns the received request. */
  async function requested(suffix: string, changes: Partial<FindingsQuery> = {}) {
    const server = await harness.serve((_, response) => {
      sendJson(response, 200, page());
    });
    await harness.client(server.baseUrl + suffix).findingsPage(query(changes));
    const [request] = server.requests;
    assert.ok(request);
    return request;
  }

  async function refused(changes: Partial<FindingsQuery>): Promise<BadRequestError> {
    const server = await harness.serve((_, response) => {
      sendJson(response, 200, page());
    });
    const call = harness.client(server.baseUrl).findingsPage(query(changes));
    const error = await failure(call, BadRequestError);
    assert.equal(server.requests.length, 0);
    return error;
  }

  for (const suffix of ['', '/', '//']) {
    it(`The API client sends no double slash for the base URL B${suffix}`, async () => {
      const { path } = await requested(suffix);
      assert.equal(path, `/companies/${scorecardId}/issues/open_port/paginated`);
    });
  }

  it('The API client keeps the path prefix of the base URL', async () => {
    const { path } = await requested('/ssc/v1');
    assert.equal(path, `/ssc/v1/companies/${scorecardId}/issues/open_port/paginated`);
  });

  it('The API client posts {} as JSON with offset and limit', async () => {
    const { method, query: sent, headers, body } = await requested('');
    assert.equal(method, 'POST');
    assert.deepEqual(Object.fromEntries(sent), { offset: '0', limit: '100' });
    assert.equal(headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(body), {});
  });

  it('The API client refuses a domain name as identifier, and mentions the UUID', async () => {
    assert.match((await refused({ scorecardId: 'example.com' })).message, /UUID/);
  });

  for (const id of [
    scorecardId,
    scorecardId.toUpperCase(),
    '9b2b6f0e-3d4c-4f5a-8b1e-0a1b2c3d4e5f',
    '018f4d6e-7c2a-7b3d-9e4f-5a6b7c8d9e0f',
    '00000000-0000-0000-0000-000000000000',
    `  ${scorecardId} `,
  ]) {
    it(`The API client accepts the identifier "${id}"`, async () => {
      const { path } = await requested('', { scorecardId: id });
      assert.equal(path.split('/')[2], id.trim());
    });
  }

  for (const id of [`{${scorecardId}}`, scorecardId.replaceAll('-', ''), `${scorecardId}/..`, '']) {
    it(`The API client refuses the identifier "${id}"`, async () => {
      await refused({ scorecardId: id });
    });
  }

  for (const issueType of ['a/b', 'a?x=1', 'a#b', '%2e%2e', 'a b', 'ü']) {
    it(`The API client sends the issue type "${issueType}" as one path segment`, async () => {
      const { url } = await requested('', { issueType });
      const segments = url.split('?')[0]?.split('/') ?? [];
      assert.equal(segments.length, 6);
      assert.equal(decodeURIComponent(segments[4] ?? ''), issueType);
      assert.equal(url.split('?')[1], 'offset=0&limit=100');
    });
  }

  for (const issueType of ['open_port\n', '', '.', '..', 'x'.repeat(300), '\ud800']) {
    it(`The API client refuses the issue type ${JSON.stringify(issueType.slice(0, 12))}`, async () => {
      await refused({ issueType });
    });
  }

  for (const limit of [0, 501, -1, 1.5, NaN, Infinity, '10; x' as unknown as number]) {
    it(`The API client refuses the limit ${limit}`, async () => {
      assert.match((await refused({ limit })).message, /limit/);
    });
  }

  for (const offset of [-1, 0.5, 1e21]) {
    it(`The API client refuses the offset ${offset}`, async () => {
      assert.match((await refused({ offset })).message, /offset/);
    });
  }

  it('The API client sends large offsets and limits as plain decimals', async () => {
    for (const limit of [1, 500]) {
      const { url } = await requested('', { limit, offset: 1_000_000 });
      assert.ok(url.endsWith(`?offset=1000000&limit=${limit}`));
    }
  });

  for (const address of [
    'https://api.example.com',
    'http://127.0.0.1:8080',
    'http://localhost:8080',
    'http://[::1]:8080',
  ]) {
    it(`The API client allows the base URL ${address}`, () => {
      assert.equal(parseBaseUrl(`${address}/`), address);
    });
  }

  for (const address of [
    'http://api.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://10.0.0.1',
    'http://127.0.0.2:8080',
    'http://127.1.2.3',
    'http://0.0.0.0',
    'http://[::ffff:127.0.0.1]',
    'http://localhost.',
    'ftp://h',
    'javascript:alert(1)',
    'not a url',
    '',
    'https://h/?a=1#f',
    'https://h/?',
    'https://h/#',
    'https:\\\\h',
    'https://h\n/x',
  ]) {
    it(`The API client refuses the base URL ${JSON.stringify(address)}`, () => {
      assert.throws(() => parseBaseUrl(address), ConfigError);
    });
  }

  it('The API client never shows the password of a base URL in its error', () => {
    assert.throws(
      () => parseBaseUrl('https://user:hunter2@h/'),
      (error: Error) => error instanceof ConfigError && !error.message.includes('hunter2'),
    );
  });

  it('The API client posts the body of the query', async () => {
    const { body } = await requested('', { body: { filters: { group_status: 'active' } } });
    assert.deepEqual(JSON.parse(body), { filters: { group_status: 'active' } });
  });

  for (const body of [[], 'text', null]) {
    it(`The API client refuses the body ${JSON.stringify(body)}`, async () => {
      await refused({ body: body as unknown as JsonObject });
    });
  }
});

import assert from 'node:assert/strict';
import { normalizeApiKey } from '../../../../src/api/http/apiKey';
import { AuthError, ConfigError, ForbiddenError } from '../../../../src/api/http/errors';
import { sendJson, sendText } from '../../../helpers/testServer';
import { Harness, failure, page, query } from '../support';

describe('The API key', () => {
  const harness = new Harness();
  afterEach(() => harness.close());

  it('The API key is in the only Authorization header of every request, as Token k1', async () => {
    const server = await harness.serve((request, response) => {
      if (request.path.includes('paginated')) {
        sendJson(response, 200, page());
      } else if (request.method === 'POST') {
        sendJson(response, 200, { report_url: '/reports/1/download', status: 'processing' });
      } else if (request.path === '/portfolios') {
        sendJson(response, 200, { entries: [] });
      } else {
        sendText(response, 202);
      }
    });
    const client = harness.client(server.baseUrl);
    await client.findingsPage(query());
    await client.collectionPage({ path: '/portfolios', style: 'page' });
    await client.requestReport('full', undefined);
    await client.requestReport('detailed', { scorecard_identifier: 'x' });
    await client.fetchReport('/reports/1/download');
    assert.equal(server.requests.length, 5);
    for (const { rawHeaders, headers } of server.requests) {
      const names = rawHeaders
        .filter((_, index) => index % 2 === 0)
        .map((name) => name.toLowerCase());
      assert.equal(names.filter((name) => name === 'authorization').length, 1);
      assert.equal(headers.authorization, 'Token k1');
    }
  });

  for (const pasted of [' k1\r\n', 'Token k1', 'token k1', '\tTOKEN  k1 ']) {
    it(`The API key is sent as Token k1 when the user pastes ${JSON.stringify(pasted)}`, async () => {
      const server = await harness.serve((_, response) => {
        sendJson(response, 200, page());
      });
      await harness.client(server.baseUrl, { apiKey: () => pasted }).findingsPage(query());
      assert.equal(server.requests[0]?.headers.authorization, 'Token k1');
    });
  }

  for (const pasted of ['a b', 'k1 k2', 'a\u00a0b']) {
    it(`The API key is refused with a message about spaces when it is ${JSON.stringify(pasted)}`, () => {
      assert.throws(() => normalizeApiKey(pasted), /can't contain spaces/);
    });
  }

  it('The API key can contain every visible ASCII character', () => {
    const visible = Array.from({ length: 0x7e - 0x20 }, (_, index) =>
      String.fromCharCode(0x21 + index),
    ).join('');
    assert.equal(normalizeApiKey(visible), visible);
  });

  for (const pasted of ['', '  ', 'Token', 'Token ', 'a\nb', 'a\0b', 'k\u20ac', 'k\u00e9', 'a b']) {
    it(`The API key is refused without a request when it is ${JSON.stringify(pasted)}`, async () => {
      const server = await harness.serve((_, response) => {
        sendJson(response, 200, page());
      });
      const client = harness.client(server.baseUrl, { apiKey: () => pasted });
      await failure(client.findingsPage(query()), ConfigError);
      assert.equal(server.requests.length, 0);
      assert.equal(client.budget().used, 0);
    });
  }

  it('The API key leads to an AuthError with the message of the service after a single 401', async () => {
    const server = await harness.serve((_, response) => {
      sendJson(response, 401, {
        error: { statusCode: 401, message: 'http error 401: Unauthorized' },
      });
    });
    const error = await failure(harness.client(server.baseUrl).findingsPage(query()), AuthError);
    assert.equal(error.code, 'auth');
    assert.equal(error.status, 401);
    assert.equal(error.serviceMessage, 'http error 401: Unauthorized');
    assert.equal(error.attempts, 1);
    assert.equal(server.requests.length, 1);
  });

  it('The API key leads to a ForbiddenError with message, key and data after a 403', async () => {
    const message = 'company must be added to a portfolio first: example.com';
    const server = await harness.serve((_, response) => {
      sendJson(response, 403, {
        error: {
          message,
          statusCode: 403,
          key: 'company_not_in_a_portfolio',
          data: { domain: 'example.com' },
        },
      });
    });
    const error = await failure(
      harness.client(server.baseUrl).findingsPage(query()),
      ForbiddenError,
    );
    assert.equal(error.serviceMessage, message);
    assert.equal(error.key, 'company_not_in_a_portfolio');
    assert.deepEqual(error.data, { domain: 'example.com' });
    assert.equal(server.requests.length, 1);
  });

  it('The API key is used from the next page on when it is replaced while a page is in flight', async () => {
    let key = 'k1';
    const server = await harness.serve((_, response) => {
      key = 'k2';
      sendJson(response, 200, page());
    });
    const client = harness.client(server.baseUrl, { apiKey: () => key });
    await client.findingsPage(query());
    await client.findingsPage(query({ offset: 100 }));
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.authorization),
      ['Token k1', 'Token k2'],
    );
  });
});

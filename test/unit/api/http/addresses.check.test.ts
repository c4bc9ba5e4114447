import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CancelledError } from '../../../../src/base/cancelledError';
import { NetworkError, ProtocolError, ServerError } from '../../../../src/api/http/errors';
import { sendJson, sendText } from '../../../helpers/testServer';
import { Harness, failure } from '../support';
import { selfSigned } from './selfSigned';

const page = '<!DOCTYPE html><title>Log in</title>';

describe('The check of a base URL', () => {
  const harness = new Harness();
  afterEach(() => harness.close());

  for (const status of [200, 400, 401, 403, 404, 405, 429]) {
    it(`The check of a base URL sends one request without the key, and accepts a JSON response with status ${status}`, async () => {
      const server = await harness.serve((_, response) => {
        sendJson(response, status, { error: { message: 'No.' } }, { 'Retry-After': '600' });
      });
      await harness.client(`${server.baseUrl}/api/v2`).checkAddress();
      assert.deepEqual(
        server.requests.map(({ method, path, headers }) => [method, path, headers.authorization]),
        [
          [
            'POST',
            '/api/v2/companies/00000000-0000-0000-0000-000000000000/issues/open_port/paginated',
            undefined,
          ],
        ],
      );
    });
  }

  for (const [what, status, headers] of [
    ['says so', 200, { 'Content-Type': 'text/html; charset=utf-8' }],
    ['does not say so', 200, {}],
    ['is an error', 404, { 'Content-Type': 'text/html' }],
  ] as const) {
    it(`The check of a base URL refuses a web page that ${what}`, async () => {
      const server = await harness.serve((_, response) => {
        sendText(response, status, page, headers);
      });
      const error = await failure(harness.client(server.baseUrl).checkAddress(), ProtocolError);
      assert.match(error.message, /answers with a web page \(HTML\)\.$/);
      assert.equal(error.status, status);
      assert.equal(server.requests.length, 1);
    });
  }

  it('The check of a base URL follows a redirect to a login page on another host, but sends no key there', async () => {
    const portal = await harness.serve((_, response) => {
      sendText(response, 200, page, { 'Content-Type': 'text/html' });
    });
    const server = await harness.serve((_, response) => {
      sendText(response, 302, '', { Location: portal.baseUrl });
    });
    await failure(harness.client(server.baseUrl).checkAddress(), ProtocolError);
    assert.equal(portal.requests.length, 1);
    assert.equal(portal.requests[0]?.headers.authorization, undefined);
  });

  it('The check of a base URL is not retried after an error of the service', async () => {
    const server = await harness.serve((_, response) => {
      sendJson(response, 503, { error: { message: 'Back soon.' } });
    });
    const error = await failure(harness.client(server.baseUrl).checkAddress(), ServerError);
    assert.equal(error.serviceMessage, 'Back soon.');
    assert.equal(server.requests.length, 1);
  });

  it('The check of a base URL fails with the reason when the connection is refused or the certificate is untrusted', async () => {
    const gone = await harness.serve(() => undefined);
    const { baseUrl } = gone;
    await gone.close();
    const refused = await failure(harness.client(baseUrl).checkAddress(), NetworkError);
    assert.equal(refused.reason, 'refused');
    const secure = createServer(selfSigned, (_, response) => response.end('{}'));
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = secure.address() as AddressInfo;
      const client = harness.client(`https://127.0.0.1:${port}`);
      const untrusted = await failure(client.checkAddress(), NetworkError);
      assert.equal(untrusted.reason, 'certificate');
    } finally {
      secure.close();
    }
  });

  it('The check of a base URL ends when it is cancelled', async () => {
    const abort = new AbortController();
    const server = await harness.serve(() => {
      abort.abort();
    });
    await failure(harness.client(server.baseUrl).checkAddress(abort.signal), CancelledError);
  });
});

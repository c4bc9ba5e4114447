import assert from 'node:assert/strict';
import { Agent, createServer } from 'node:https';
import { connect, Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import nodeFetch from 'node-fetch';
import { maxInFlight } from '../../../../src/api/budget/requestQueue';
import { CancelledError } from '../../../../src/base/cancelledError';
import { NetworkError, ProtocolError, RateLimitedError } from '../../../../src/api/http/errors';
import { type Hop, nextHop } from '../../../../src/api/http/addresses';
import { FakeClock } from '../../../helpers/fakeClock';
import { sendJson, sendText, type TestServer } from '../../../helpers/testServer';
import { selfSigned } from '../http/selfSigned';
import { Harness, failure, page, query, until, WaitClock } from '../support';

describe('The API client', () => {
  const harness = new Harness();
  afterEach(() => harness.close());

  /** Serves the API, whose /r/1 redirects, and a storage on another origin. */
  async function setup(status: number, location: (storage: TestServer) => string) {
    const storage = await harness.serve((_, response) => {
      sendText(response, 200, 'a,b\n', { 'Content-Type': 'text/csv' });
    });
    const server = await harness.serve((request, response) => {
      if (request.path === '/r/2') {
        sendText(response, 200, 'a,b\n', { 'Content-Type': 'text/csv' });
      } else {
        sendText(response, status, 'x'.repeat(1000), {
          Location: location(storage),
          'Set-Cookie': 'session=1',
        });
      }
    });
    const client = harness.client(server.baseUrl, { apiKey: () => 'SECRET-k1' });
    return { storage, server, client };
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`The API client follows a ${status} to another host without key and cookie`, async () => {
      const { storage, client } = await setup(status, ({ baseUrl }) => `${baseUrl}/x`);
      const answer = await client.fetchReport('/r/1');
      assert.equal(answer.type, 'file');
      assert.equal(storage.requests[0]?.headers.authorization, undefined);
      assert.equal(storage.requests[0]?.headers.cookie, undefined);
    });

    it(`The API client follows a ${status} within the origin with the key`, async () => {
      const { server, client } = await setup(status, () => '/r/2');
      assert.equal((await client.fetchReport('/r/1')).type, 'file');
      assert.equal(server.requests[1]?.headers.authorization, 'Token SECRET-k1');
      // The body of the redirect was read, so its connection could be used again.
      assert.equal(server.connections(), 1);
    });
  }

  describe('on a redirect that says when to follow it', () => {
    const date = 'Tue, 01 Jan 2030 00:00:00 GMT';
    const later = 'Tue, 01 Jan 2030 00:00:07 GMT';

    /** A service whose /r/1 redirects to /r/2, and whose other paths answer at once. */
    async function serveLater(headers: Record<string, string>, status = 303) {
      const clock = new WaitClock();
      const server = await harness.serve((request, response) => {
        if (request.path === '/r/2') {
          sendText(response, 200, 'a,b\n', { 'Content-Type': 'text/csv' });
        } else if (request.path.startsWith('/companies')) {
          sendJson(response, 200, page());
        } else {
          sendText(response, status, '', { Location: '/r/2', ...headers });
        }
      });
      return { clock, server, client: harness.client(server.baseUrl, { clock }) };
    }

    for (const status of [301, 302, 303, 307, 308]) {
      it(`The API client on a redirect that says when to follow it waits so long (${status})`, async () => {
        for (const headers of [{ 'Retry-After': '7' }, { 'Retry-After': later, Date: date }]) {
          const { clock, server, client } = await serveLater(headers, status);
          const waits: unknown[] = [];
          const onWait = (wait: unknown) => waits.push(wait);
          const waitedUntil = clock.now() + 7_000;
          const answer = await clock.run(client.fetchReport('/r/1', { onWait }));
          assert.equal(answer.type, 'file');
          assert.deepEqual(clock.waits, [7_000]);
          assert.deepEqual(waits, [
            { reason: 'limit', until: waitedUntil, isRedirected: true },
            undefined,
          ]);
          assert.equal(server.requests.length, 2);
        }
      });
    }

    it('The API client on a redirect that says when to follow it goes on at once for 0 or an invalid time', async () => {
      for (const time of ['0', 'soon']) {
        const { clock, client } = await serveLater({ 'Retry-After': time });
        await clock.run(client.fetchReport('/r/1'));
        assert.deepEqual(clock.waits, []);
      }
    });

    it('The API client on a redirect that says nothing about that follows it at once, also after it had no time left to wait', async () => {
      const clock = new FakeClock();
      const busy: (() => void)[] = [];
      const server = await harness.serve(({ path }, response) => {
        if (path.startsWith('/companies')) {
          busy.push(() => {
            sendJson(response, 200, page());
          });
        } else if (path === '/r/1') {
          sendText(response, 302, '', { Location: '/r/2' });
        } else {
          sendText(response, 200, 'a,b\n', { 'Content-Type': 'text/csv' });
        }
      });
      const client = harness.client(server.baseUrl, { clock });
      const others = Array.from({ length: maxInFlight }, () => client.findingsPage(query()));
      await until(() => busy.length === maxInFlight);
      const asked = client.fetchReport('/r/1', { maxWaitMs: 0 });
      clock.advance(5);
      busy.forEach((answer) => {
        answer();
      });
      assert.equal((await asked).type, 'file');
      await Promise.all(others);
    });

    it('The API client on a redirect that says when to follow it requests a report once, however long it waits', async () => {
      const { clock, server, client } = await serveLater({ 'Retry-After': '3600' });
      const options = { priority: 'bulk' } as const;
      await clock.run(client.requestReport('detailed', undefined, options));
      assert.deepEqual(clock.waits, [3_600_000]);
      assert.deepEqual(
        server.requests.map(({ method, path }) => `${method} ${path}`),
        ['POST /reports/detailed', 'GET /r/2'],
      );
    });

    it('The API client on a redirect that says when to follow it does not wait longer than the call may, or than a day', async () => {
      for (const [seconds, priority] of [
        ['31', 'interactive'],
        ['86401', 'bulk'],
      ] as const) {
        const { clock, server, client } = await serveLater({ 'Retry-After': seconds });
        const retryAt = new Date(clock.now() + Number(seconds) * 1000).toISOString();
        const asked = client.fetchReport('/r/1', { priority });
        const error = await failure(clock.run(asked), RateLimitedError);
        assert.equal(error.retryAt, retryAt);
        assert.deepEqual(clock.waits, []);
        assert.equal(server.requests.length, 1);
      }
    });

    it('The API client on a redirect that says when to follow it leaves its place in the queue to others, and can be cancelled', async () => {
      const { server } = await serveLater({ 'Retry-After': '20' });
      const clock = new FakeClock();
      const client = harness.client(server.baseUrl, { clock });
      const cancel = new AbortController();
      let waits = 0;
      const options = {
        signal: cancel.signal,
        onWait: () => {
          waits += 1;
        },
      };
      const waiting = Array.from({ length: maxInFlight }, () =>
        failure(client.fetchReport('/r/1', options), CancelledError),
      );
      await until(() => waits === maxInFlight);
      await client.findingsPage(query());
      cancel.abort();
      await Promise.all(waiting);
      assert.equal(server.requests.length, maxInFlight + 1);
      assert.equal(clock.pending, 0);
    });
  });

  for (const status of [200, 203, 302, 401, 403, 407, 429, 500]) {
    it(`A ${status} of a proxy that opens no tunnel is not of the service`, async () => {
      const proxy = await harness.serve((_, response) => {
        sendJson(response, status, page(), { 'Retry-After': '86000', Location: '/x' });
      });
      // VS Code answers a request with what the proxy sent, over the connection to the proxy.
      class Refused extends Agent {
        override createConnection() {
          return connect(Number(new URL(proxy.baseUrl).port), '127.0.0.1');
        }
      }
      const agent = new Refused();
      const clock = new WaitClock();
      const client = harness.client('https://api.example.com', {
        clock,
        fetch: (url, init) => nodeFetch(url, { ...init, agent }),
      });
      const error = await failure(clock.run(client.findingsPage(query())), NetworkError);
      assert.equal(error.message, `The proxy did not connect to api.example.com (HTTP ${status}).`);
      assert.equal(client.budget().retryAt, undefined);
      assert.equal(client.budget().endpoints?.[0]?.retryAt, undefined);
    });
  }

  it('The API client of a proxy is recognized on the socket that the agent of VS Code makes of it, which takes no request', async () => {
    class Refused extends Agent {
      override createConnection() {
        const socket = new Socket({ readable: true, writable: false });
        process.nextTick(() => {
          socket.push('HTTP/1.1 403 Forbidden\r\n\r\n');
          socket.push(null);
        });
        return socket;
      }
    }
    const agent = new Refused();
    const client = harness.client('https://api.example.com', {
      fetch: (url, init) => nodeFetch(url, { ...init, agent }),
    });
    const error = await failure(client.checkAddress(), NetworkError);
    assert.equal(error.message, 'The proxy did not connect to api.example.com (HTTP 403).');
  });

  const apiKey = 'SECRET/k+1';
  const encoded = encodeURIComponent(apiKey);
  const inQuery = encodeURIComponent(Buffer.from(`Token ${apiKey}`).toString('base64'));
  for (const [where, addressAt] of [
    ['in the query', (host: string) => `${host}/r/2?api_key=${encoded}`],
    ['in the path', (host: string) => `${host}/dl/${apiKey}/r/2`],
    ['encoded twice', (host: string) => `${host}/r/2?next=${encodeURIComponent(encoded)}`],
    ['in base64', (host: string) => `${host}/r/2?auth=${inQuery}`],
  ] as const) {
    for (const isForeign of [false, true]) {
      const place = `${where}, ${isForeign ? 'of another host' : 'of the service'}`;

      async function service(answer: 'redirect' | 'record') {
        const storage = await harness.serve((_, response) => {
          sendText(response, 200, 'a,b\n', { 'Content-Type': 'text/csv' });
        });
        const server = await harness.serve((request, response) => {
          const own = `http://${request.headers.host ?? ''}`;
          const address = addressAt(isForeign ? storage.baseUrl : own);
          if (answer === 'redirect' && request.path !== '/r/2') {
            sendText(response, 302, '', { Location: address });
          } else {
            sendJson(response, 200, { report_url: address, status: 'completed' });
          }
        });
        return {
          storage,
          server,
          client: harness.client(server.baseUrl, { apiKey: () => apiKey }),
        };
      }

      it(`A redirect with the API key ${place} is not followed`, async () => {
        const { storage, server, client } = await service('redirect');
        const error = await failure(client.fetchReport('/r/1'), ProtocolError);
        assert.match(error.message, /API key/);
        assert.deepEqual([server.requests.length, storage.requests.length], [1, 0]);
      });

      it(`A report_url with the API key ${place} is refused`, async () => {
        const { storage, server, client } = await service('record');
        const requested = await failure(client.requestReport('full', {}), ProtocolError);
        assert.match(requested.message, /API key/);
        const polled = await failure(client.fetchReport('/r/1'), ProtocolError);
        assert.match(polled.message, /API key/);
        assert.deepEqual([server.requests.length, storage.requests.length], [2, 0]);
        const stored = addressAt(isForeign ? storage.baseUrl : server.baseUrl);
        await failure(client.fetchReport(stored), ProtocolError);
        assert.deepEqual([server.requests.length, storage.requests.length], [2, 0]);
      });
    }
  }

  it('The API client does not send the key again when another host redirects back to the origin', async () => {
    let apiUrl = '';
    const storage = await harness.serve((_, response) => {
      sendText(response, 302, '', { Location: `${apiUrl}/r/2` });
    });
    const server = await harness.serve((request, response) => {
      if (request.path === '/r/1') {
        sendText(response, 302, '', { Location: storage.baseUrl });
      } else {
        sendText(response, 200, 'a', { 'Content-Type': 'text/csv' });
      }
    });
    apiUrl = server.baseUrl;
    await harness.client(server.baseUrl).fetchReport('/r/1');
    assert.equal(server.requests[1]?.headers.authorization, undefined);
  });

  it('The API client follows five redirects, but not a sixth', async () => {
    for (const hops of [5, 6]) {
      const server = await harness.serve((request, response) => {
        const number = Number(request.path.slice(1));
        if (number < hops) {
          sendText(response, 302, '', { Location: `/${number + 1}` });
        } else {
          sendText(response, 200, 'a', { 'Content-Type': 'text/csv' });
        }
      });
      const answer = harness.client(server.baseUrl).fetchReport('/0');
      if (hops === 5) {
        assert.equal((await answer).type, 'file');
      } else {
        await failure(answer, ProtocolError);
        assert.equal(server.requests.length, 6);
      }
    }
  });

  it('The API client fails with a ProtocolError when a redirect forms a loop', async () => {
    const { server, client } = await setup(302, () => '/r/1');
    await failure(client.fetchReport('/r/1'), ProtocolError);
    assert.equal(server.requests.length, 1);
  });

  for (const location of [
    'http://example.com/x',
    'file:///etc/passwd',
    'data:text/csv,a',
    'ftp://h/x',
    'http://',
    'https://u:p@h/',
    '',
  ]) {
    it(`The API client refuses a redirect to "${location}"`, async () => {
      const { server, client } = await setup(302, () => location);
      await failure(client.fetchReport('/r/1'), ProtocolError);
      assert.equal(server.requests.length, 1);
    });
  }

  for (const status of [307, 308]) {
    it(`The API client does not follow a ${status} of a POST to another origin`, async () => {
      const { storage, client } = await setup(status, ({ baseUrl }) => baseUrl);
      await failure(client.findingsPage(query()), ProtocolError);
      assert.equal(storage.requests.length, 0);
    });

    it(`The API client repeats a POST with its body after a ${status} within the origin`, async () => {
      const server = await harness.serve((request, response, number) => {
        if (number === 1) {
          sendText(response, status, '', { Location: `/v2${request.url}` });
        } else {
          sendJson(response, 200, page());
        }
      });
      await harness.client(server.baseUrl).findingsPage(query());
      const [, second] = server.requests;
      assert.deepEqual([second?.method, second?.body], ['POST', '{}']);
    });
  }

  for (const status of [301, 302, 303]) {
    it(`The API client follows a ${status} of a POST with a GET without a body`, async () => {
      const { server, client } = await setup(status, () => '/r/2');
      await client.requestReport('detailed', { a: 1 });
      const [, second] = server.requests;
      assert.deepEqual([second?.method, second?.body], ['GET', '']);
      assert.equal(second?.headers['content-type'], undefined);
    });
  }

  for (const [status, methods] of [
    [303, ['POST', 'GET']],
    [307, ['POST', 'POST']],
  ] as const) {
    it(`The API client requests no report twice when a 429 follows a ${status} of its POST`, async () => {
      const server = await harness.serve((request, response, number) => {
        if (request.path !== '/made') {
          sendText(response, status, '', { Location: '/made' });
        } else if (number === 2) {
          sendText(response, 429, '', { 'Retry-After': '60' });
        } else {
          sendText(response, 200, 'a,b\n', { 'Content-Type': 'text/csv' });
        }
      });
      const clock = new WaitClock();
      const client = harness.client(server.baseUrl, { clock });
      const options = { priority: 'bulk' } as const;
      const requested = client.requestReport('detailed', {}, options);
      const error = await failure(clock.run(requested), RateLimitedError);
      assert.equal(error.isRedirected, true);
      assert.deepEqual(
        server.requests.map(({ method }) => method),
        methods,
      );
    });
  }

  describe('on a redirect from https', () => {
    const hop: Hop = { method: 'GET', url: new URL('https://api.example/r'), body: undefined };
    const base = new URL('https://api.example');

    it('The API client on a redirect from https refuses http, even on loopback', () => {
      for (const location of ['http://api.example/r', 'http://127.0.0.1/r', '//api.example:80/']) {
        const follow = () => nextHop(hop, 302, location, base);
        if (location.startsWith('//')) {
          assert.equal(follow().url.protocol, 'https:');
        } else {
          assert.throws(follow, ProtocolError);
        }
      }
    });

    it('The API client on a redirect from https decodes raw UTF-8 in a location as browsers do', () => {
      const location = Buffer.from('/\u20ac').toString('latin1');
      assert.equal(nextHop(hop, 302, location, base).url.pathname, '/%E2%82%AC');
    });

    it('The API client on a redirect from https refuses http on loopback after a hop to another host', () => {
      const away: Hop = { ...hop, url: new URL('https://other.example/') };
      const loopback = new URL('http://127.0.0.1:1');
      assert.throws(() => nextHop(away, 302, 'http://127.0.0.1:1/x', loopback), ProtocolError);
    });
  });

  it('The API client requests a report_url at another origin without the key', async () => {
    const { storage, client } = await setup(302, () => '/');
    await client.fetchReport(`${storage.baseUrl}/x`);
    assert.equal(storage.requests[0]?.headers.authorization, undefined);
  });

  it('The API client refuses http beyond loopback', async () => {
    const { client } = await setup(302, () => '/');
    await failure(client.fetchReport('http://169.254.169.254/latest'), ProtocolError);
  });

  it('The API client fails at once for a self-signed certificate', async () => {
    const server = createServer(selfSigned, (_, response) => response.end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const client = harness.client(`https://127.0.0.1:${port}`, { apiKey: () => 'SECRET-k1' });
    const error = await failure(client.findingsPage(query()), NetworkError);
    server.close();
    assert.deepEqual([error.reason, error.attempts], ['certificate', 1]);
    assert.ok(error.message.includes(`127.0.0.1:${port}`) && !error.message.includes('SECRET'));
  });

  it('The API client logs neither the key, nor an id, nor a query', async () => {
    const { client } = await setup(302, ({ baseUrl }) => `${baseUrl}/x?sig=SIGNED`);
    await client.fetchReport('/r/1');
    await failure(client.findingsPage(query()), ProtocolError);
    const log = harness.logLines.join('\n');
    assert.ok(harness.logLines.length >= 3);
    assert.ok(!/SECRET|sig=|7d1c4f52/.test(log), log);
  });
});

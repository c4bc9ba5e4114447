import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { startDemoService } from '../../../src/demo/demoService';
import type { ServedRequest } from '../../../src/demo/demoService';
import { FakeClock } from '../../helpers/fakeClock';
import { bigScorecard, call, closeServices, post, rawRequest, refused, start } from './client';

describe('The demo service', () => {
  afterEach(closeServices);

  it('The demo service requires the key in the scheme Token', async () => {
    const service = await start();
    const path = '/companies';
    for (const authorization of [undefined, 'Token', 'Token wrong', `Bearer ${service.apiKey}`]) {
      const headers = authorization === undefined ? {} : { Authorization: authorization };
      const response = await fetch(service.baseUrl + path, { headers });
      assert.equal((await refused(response, 401)).key, 'unauthorized');
    }
    assert.equal((await call(service, path)).status, 200);
  });

  it('The demo service reveals nothing about paths to requests without the key', async () => {
    const service = await start();
    await refused(await fetch(`${service.baseUrl}/nothing`), 401);
    const body = 'x'.repeat(10_000);
    await refused(
      await fetch(`${service.baseUrl}/reports/full-dump`, { method: 'POST', body }),
      401,
    );
  });

  it('The demo service generates a random key of at least 32 characters, or uses the one from its options', async () => {
    const [first, second] = [await start(), await start()];
    assert.match(first.apiKey, /^[\w-]{32,}$/);
    assert.notEqual(first.apiKey, second.apiKey);
    assert.equal((await start({ apiKey: 'mine' })).apiKey, 'mine');
  });

  it('The demo service responds only under its own host', async () => {
    const service = await start();
    const { port } = new URL(service.baseUrl);
    const authorization = `Token ${service.apiKey}`;
    const statusFor = async (host: string) =>
      (await rawRequest(service, { path: '/companies', headers: { host, authorization } })).status;
    assert.equal(await statusFor(`127.0.0.1:${port}`), 200);
    assert.equal(await statusFor(`LOCALHOST:${port}`), 200);
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost', '127.0.0.1:1']) {
      assert.equal(await statusFor(host), 421, host);
    }
  });

  it('The demo service builds its URLs with the host of the request', async () => {
    const service = await start();
    const local = service.baseUrl.replace('127.0.0.1', 'localhost');
    const { port } = new URL(service.baseUrl);
    const { headers } = await rawRequest(service, {
      path: '/companies',
      headers: { host: `localhost:${port}`, authorization: `Token ${service.apiKey}` },
    });
    assert.ok(String(headers.link).startsWith(`<${local}/companies?`));
  });

  it('The demo service allows neither cross-origin requests nor a cache', async () => {
    const service = await start();
    const preflight = await fetch(`${service.baseUrl}/companies`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'GET' },
    });
    const answer = await call(service, '/companies', {
      headers: { Origin: 'https://evil.example' },
    });
    assert.equal(preflight.status, 401);
    for (const { headers } of [preflight, answer]) {
      assert.ok(![...headers.keys()].some((name) => name.startsWith('access-control-')));
      assert.equal(headers.get('cache-control'), 'no-store');
    }
  });

  it('The demo service listens on the loopback address, and fails when the port is in use', async () => {
    const service = await start();
    assert.match(service.baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    const port = Number(new URL(service.baseUrl).port);
    await assert.rejects(startDemoService({ port }), { code: 'EADDRINUSE' });
  });

  it('The demo service responds with 404 to unknown paths, and with 405 and Allow to wrong methods', async () => {
    const service = await start();
    for (const path of [
      '/',
      '/nothing',
      '/companies/',
      '/reports',
      '/reports/full-dump/x',
      '//companies',
    ]) {
      await refused(await call(service, path), 404);
    }
    const list = `/companies/${bigScorecard}/issues/open_port/paginated`;
    for (const [method, path, allow] of [
      ['GET', list, 'POST'],
      ['GET', '/reports/full-dump', 'POST'],
      ['PUT', '/reports/detailed', 'POST'],
      ['POST', '/companies', 'GET, HEAD'],
      ['DELETE', '/reports/AAAA/download', 'GET, HEAD'],
    ] as const) {
      const response = await call(service, path, { method });
      assert.equal(response.headers.get('allow'), allow, path);
      await refused(response, 405);
    }
    await refused(await call(service, '/companies/%zz/issues/a/paginated'), 400);
  });

  it('The demo service accepts only JSON objects', async () => {
    const service = await start();
    const path = `/companies/${bigScorecard}/issues/tlscert_expired/paginated`;
    for (const body of ['', '[]', 'null', '"text"', '1', '{', '{"a":1} x', '\ufeff\u0000']) {
      const { message } = await refused(await post(service, path, body), 400);
      assert.match(message, /\n.*body/, 'over several lines, naming the body');
    }
    await refused(await post(service, path), 400);
    const form = { method: 'POST', body: '{}', headers: { 'Content-Type': 'text/plain' } };
    await refused(await call(service, path, form), 400);
    const binary = { ...form, body: new Uint8Array([0x7b, 0xff, 0x7d]) };
    await refused(await call(service, path, binary), 400);
  });

  it('The demo service survives requests that are not HTTP, and bodies that never end', async () => {
    const service = await start();
    const port = Number(new URL(service.baseUrl).port);
    const exchange = (text: string) =>
      new Promise<string>((resolve) => {
        let answer = '';
        const socket = connect(port, '127.0.0.1', () => socket.write(text));
        socket.on('data', (data) => (answer += data.toString()));
        socket
          .on('error', () => undefined)
          .on('close', () => {
            resolve(answer);
          });
      });
    assert.match(await exchange('\x16\x03\x01 hello\r\n\r\n'), /^HTTP\/1\.1 400 /);
    assert.match(
      await exchange(`GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`),
      /^HTTP\/1\.1 431 /,
    );
    assert.match(
      await exchange('GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'),
      /^HTTP\/1\.1 421 /,
    );
    const gone = connect(port, '127.0.0.1', () => {
      gone.write(
        `POST /reports/full-dump HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
          `Authorization: Token ${service.apiKey}\r\nContent-Length: 100\r\n\r\n{`,
        () => gone.destroy(),
      );
    });
    await new Promise((resolve) => gone.on('close', resolve));
    assert.equal((await call(service, '/companies')).status, 200);
  });

  it('The demo service reports every request once', async () => {
    const served: ServedRequest[] = [];
    const service = await start({ onRequest: (request) => served.push(request) });
    await call(service, '/companies?size=2');
    await call(service, '/nothing');
    await fetch(service.baseUrl);
    assert.deepEqual(
      served.map(({ method, path, query, status }) => [method, path, query.get('size'), status]),
      [
        ['GET', '/companies', '2', 200],
        ['GET', '/nothing', null, 404],
        ['GET', '/', null, 401],
      ],
    );
  });

  it('The demo service delays every response by the latency', async () => {
    const clock = new FakeClock();
    const service = await start({ clock, latencyMs: 500 });
    let answered = false;
    const answer = call(service, '/companies').finally(() => (answered = true));
    while (clock.pending === 0) {
      await new Promise(setImmediate);
    }
    clock.advance(499);
    assert.equal(clock.pending, 1);
    assert.equal(answered, false);
    clock.advance(1);
    assert.equal((await answer).status, 200);
  });

  it('The demo service closes at once, even with pending responses, and more than once', async () => {
    const clock = new FakeClock();
    const service = await start({ clock, latencyMs: 60_000 });
    const waiting = assert.rejects(call(service, '/companies'));
    while (clock.pending === 0) {
      await new Promise(setImmediate);
    }
    await Promise.all([service.close(), service.close()]);
    await waiting;
    await assert.rejects(call(service, '/companies'));
  });
});

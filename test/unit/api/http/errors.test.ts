import assert from 'node:assert/strict';
import {
  ApiError,
  BadRequestError,
  ForbiddenError,
  NetworkError,
  NotFoundError,
  ProtocolError,
  ServerError,
  TimeoutError,
} from '../../../../src/api/http/errors';
import { exchangeError } from '../../../../src/api/http/failures';
import { sendJson, sendText } from '../../../helpers/testServer';
import { Harness, failure, page, query, until, WaitClock } from '../support';

describe('An error', () => {
  const harness = new Harness();
  afterEach(() => harness.close());

  async function answered<E extends ApiError>(
    expected: abstract new (...args: never[]) => E,
    status: number,
    body: string,
    headers: Record<string, string> = { 'Content-Type': 'application/json' },
  ): Promise<E> {
    const server = await harness.serve((_, response) => {
      sendText(response, status, body, headers);
    });
    // A report request, so that no status is tried again.
    return failure(harness.client(server.baseUrl).requestReport('full', undefined), expected);
  }

  it('An error of status 404 has message and data, and says that access may be missing', async () => {
    const error = await answered(
      NotFoundError,
      404,
      '{"error":{"message":"company not found: x.example","statusCode":404,"data":{"related":"x.example"}}}',
    );
    assert.equal(error.serviceMessage, 'company not found: x.example');
    assert.deepEqual(error.data, { related: 'x.example' });
    assert.match(error.message, /or no access/);
  });

  for (const [body, expected] of [
    ['', undefined],
    ['null', undefined],
    ['[]', undefined],
    ['{}', undefined],
    ['{"error":null}', undefined],
    ['{"error":{"message":5}}', undefined],
    ['"text"', 'text'],
    ['{"error":"x"}', 'x'],
    ['{"message":"x"}', 'x'],
    ['{"errors":[{"message":"x"}]}', 'x'],
    ['{"error":{"errors":[{"detail":"x"}]}}', 'x'],
    ['{"broken":', undefined],
  ] as const) {
    it(`An error of status 400 with the body ${body || '(empty)'} is a BadRequestError with the message of the body, if any`, async () => {
      const error = await answered(BadRequestError, 400, body);
      assert.equal(error.serviceMessage, expected);
      assert.ok(error.message.includes(expected ?? 'Bad Request'));
    });
  }

  it('An error of a timeout says whether nothing came, or not all of it', () => {
    assert.deepEqual(
      ([undefined, 'silence', 'whole'] as const).map(
        (limit) => new TimeoutError('h', 2_000, limit).message,
      ),
      [
        'h did not respond for 2 s.',
        'h did not respond for 2 s.',
        'The response from h was incomplete after 2 s.',
      ],
    );
  });

  it('An error with a plain text body has the text as its message', async () => {
    const error = await answered(BadRequestError, 400, 'limit is wrong', {
      'Content-Type': 'text/plain',
    });
    assert.equal(error.serviceMessage, 'limit is wrong');
  });

  it('An error with an HTML body does not show the HTML', async () => {
    const error = await answered(ServerError, 502, '<html><h1>Bad gateway</h1></html>', {
      'Content-Type': 'text/html',
    });
    assert.equal(error.serviceMessage, undefined);
    assert.ok(error.message.length < 100 && !error.message.includes('<'));
  });

  it('An error has a message that is one short line without control characters and links', async () => {
    const message = `a \n\t\u001b[31mb [x](command:evil) \u202e${'y'.repeat(10_000)}`;
    const error = await answered(BadRequestError, 400, JSON.stringify({ error: { message } }));
    const line = error.serviceMessage ?? '';
    assert.ok(line.length <= 300);
    assert.ok(line.startsWith('a b [x] '));
    // oxlint-disable-next-line no-control-regex
    assert.ok(!/[\u0000-\u001f\u202e]|command:|\]\(/.test(line), line);
  });

  it('An error has the HTTP status, not the statusCode of its body', async () => {
    const error = await answered(ForbiddenError, 403, '{"error":{"statusCode":500}}');
    assert.equal(error.status, 403);
  });

  it('An error has the message of a body of up to 64 KB', async () => {
    const body = JSON.stringify({ error: { message: 'No.' } }).padEnd(64 * 1024);
    assert.equal((await answered(BadRequestError, 400, body)).serviceMessage, 'No.');
    assert.equal((await answered(BadRequestError, 400, `${body} `)).serviceMessage, undefined);
  });

  it('An error with an endless body reads 64 KB, then closes the connection', async () => {
    let written = 0;
    const server = await harness.serve((_, response) => {
      response.writeHead(400, { 'Content-Type': 'text/plain' });
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const write = () => {
        while (!response.destroyed && response.write(chunk)) {
          written += chunk.length;
        }
      };
      response.on('drain', write);
      write();
    });
    const error = await failure(
      harness.client(server.baseUrl).requestReport('full', undefined),
      BadRequestError,
    );
    assert.equal(error.serviceMessage?.length, 300);
    await until(() => server.connections() === 0);
    assert.ok(written < 20 * 1024 * 1024, String(written));
  });

  it('An error with __proto__ in its body changes no prototype', async () => {
    const error = await answered(
      BadRequestError,
      400,
      '{"__proto__":{"x":1},"error":{"message":"m","statusCode":400,"__proto__":{"y":1}}}',
    );
    assert.equal(error.serviceMessage, 'm');
    assert.equal(({} as { x?: unknown }).x, undefined);
  });

  it('An error is a 101 that nothing asked for, at once', async () => {
    const server = await harness.serve((_, response) => {
      response.socket?.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
      );
    });
    const client = harness.client(server.baseUrl);
    await failure(client.findingsPage(query()), ProtocolError);
    await failure(client.fetchReport('/r'), ProtocolError);
    assert.equal(server.requests.length, 2, 'it is not tried again');
    await until(() => server.connections() === 0);
  });

  for (const status of [300, 304, 418, 501, 599]) {
    it(`An error of status ${status} has a type, too`, async () => {
      const error = await answered(ApiError, status, '');
      const expected = status < 400 ? 'protocol' : status < 500 ? 'badRequest' : 'server';
      assert.deepEqual([error.code, error.status], [expected, status]);
      assert.doesNotMatch(error.message, /Unexpected response/);
    });
  }

  it('An error calls XML by its name', async () => {
    for (const [type, text, name] of [
      ['application/xml', '<?xml version="1.0"?><Error><Code>x</Code></Error>', 'XML'],
      ['text/plain', '<Error><Code>x</Code></Error>', 'XML'],
      ['application/xhtml+xml', '<?xml version="1.0"?><html></html>', 'web page (HTML)'],
      ['text/html', '<p>x', 'web page (HTML)'],
    ] as const) {
      const server = await harness.serve((_, response) => {
        sendText(response, 200, text, { 'Content-Type': type });
      });
      const client = harness.client(server.baseUrl);
      for (const call of [client.findingsPage(query()), client.checkAddress()]) {
        const { message } = await failure(call, ProtocolError);
        assert.ok(message.includes(name), message);
      }
    }
  });

  it('An error masks the API key that the service echoes', async () => {
    const server = await harness.serve((request, response) => {
      const { authorization } = request.headers;
      sendJson(response, 400, {
        error: { message: `bad ${authorization ?? ''}`, key: authorization, data: [authorization] },
      });
    });
    const client = harness.client(server.baseUrl, { apiKey: () => 'SECRET-k1' });
    const error = await failure(client.requestReport('full', undefined), BadRequestError);
    const everything = JSON.stringify([
      error.message,
      error.stack,
      error.serviceMessage,
      error.key,
      error.data,
    ]);
    assert.ok(!everything.includes('SECRET-k1'), everything);
    assert.ok(everything.includes('***'));
  });

  const key = 'SECRET/k+1/=x9';
  const escaped = key.replaceAll('/', '\\/').replaceAll('+', '\\u002b').replaceAll('=', '\\u003D');

  for (const [what, body] of [
    ['in its message', `{"error":{"message":"bad key ${escaped}"}}`],
    ['in its key', `{"error":{"message":"m","key":"${escaped}"}}`],
    ['in its data', `{"error":{"message":"m","data":"${escaped}"}}`],
    ['deep in its data', `{"error":{"message":"m","data":[{"a":[["${escaped}"]]}]}}`],
    ['as a name in its data', `{"error":{"message":"m","data":{"${escaped}":1}}}`],
    [
      'between codes of a terminal in its message',
      JSON.stringify({ message: `bad ${key.slice(0, 5)}\u001b[0m${key.slice(5)}` }),
    ],
    ['in JSON inside its message', JSON.stringify({ message: `{"token":"${escaped}"}` })],
    ['in an address', JSON.stringify({ message: `no /things/${encodeURIComponent(key)}/x` })],
    ['in plain text', `bad key ${escaped}`],
  ] as const) {
    it(`An error masks the escaped API key that the service echoes ${what}`, async () => {
      const server = await harness.serve((_, response) => {
        sendText(response, 400, body);
      });
      const client = harness.client(server.baseUrl, { apiKey: () => key });
      const error = await failure(client.requestReport('full', undefined), BadRequestError);
      const { message, stack, serviceMessage, data } = error;
      const everything = JSON.stringify([message, stack, serviceMessage, error.key, data]);
      assert.doesNotMatch(everything, /SECRET|k\+1|x9/);
      assert.ok(everything.includes('***'));
    });
  }

  it('An error omits data that is nested too deeply', async () => {
    const error = await answered(
      BadRequestError,
      400,
      `{"error":{"message":"m","data":${'['.repeat(20_000)}"x"${']'.repeat(20_000)}}}`,
    );
    assert.equal(error.serviceMessage, 'm');
    assert.ok(JSON.stringify(error.data).length < 100);
  });

  it('An error of status 429 with a broken body is retried after its Retry-After', async () => {
    const clock = new WaitClock();
    const server = await harness.serve((_, response, number) => {
      if (number > 1) {
        sendJson(response, 200, page());
        return;
      }
      response.writeHead(429, { 'Retry-After': '7', 'Content-Length': '100' });
      response.write('too many', () => response.destroy());
    });
    await clock.run(harness.client(server.baseUrl, { clock }).findingsPage(query()));
    assert.ok(
      clock.waits.some((ms) => ms >= 7_000),
      String(clock.waits),
    );
  });

  for (const [code, reason] of [
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['ECONNREFUSED', 'refused'],
    ['ETIMEDOUT', 'unreachable'],
    ['ECONNRESET', 'reset'],
    ['ERR_STREAM_PREMATURE_CLOSE', 'reset'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
    ['CERT_HAS_EXPIRED', 'certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['ESOMETHING', 'other'],
  ] as const) {
    it(`An error of the code ${code} is a NetworkError with the reason ${reason}`, () => {
      const error = exchangeError(Object.assign(new Error('Token SECRET'), { code }), 'h:443');
      assert.ok(error instanceof NetworkError);
      assert.equal(error.reason, reason);
      assert.ok(error.message.includes('h:443') && !error.message.includes('SECRET'));
    });
  }

  it('An error of the HTTP parser is a ProtocolError', () => {
    const error = exchangeError(Object.assign(new Error(), { code: 'HPE_INVALID_CONSTANT' }), 'h');
    assert.ok(error instanceof ProtocolError);
  });
});

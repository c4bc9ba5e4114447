import assert from 'node:assert/strict';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { NetworkError, ProtocolError, ServerError } from '../../../../src/api/http/errors';
import { parseFindingsPage } from '../../../../src/api/schema';
import type { JsonObject } from '../../../../src/base/json/json';
import { sendJson, sendText } from '../../../helpers/testServer';
import { Harness, failure, page, query, until, WaitClock } from '../support';

describe('a page of findings', () => {
  const harness = new Harness();
  afterEach(() => harness.close());

  async function pageOf(body: unknown) {
    const server = await harness.serve((_, response) => {
      sendJson(response, 200, body);
    });
    return harness.client(server.baseUrl).findingsPage(query());
  }

  it('OF1 gives the entries in order, the total and whether there is more', async () => {
    const entries = Array.from({ length: 100 }, (_, number) => ({ number }));
    const result = await pageOf(
      page(entries, { has_more: true, total_count: 250, offset: 0, limit: 100, count: 100 }),
    );
    assert.deepEqual(result, { entries, totalCount: 250, hasMore: true, offset: 0, limit: 100 });
  });

  it('OF2 a short page keeps the requested limit, by which the next offset is counted', async () => {
    const entries = Array.from({ length: 40 }, () => ({}));
    const result = await pageOf(page(entries, { has_more: true }));
    assert.equal(result.offset + result.limit, 100);
  });

  it('OF3 an empty page with has_more is no end', async () => {
    const result = await pageOf(page([], { has_more: true, total_count: 10 }));
    assert.deepEqual([result.entries.length, result.hasMore], [0, true]);
  });

  for (const [name, value] of Object.entries({ offset: 30, limit: 50 })) {
    it(`OF5 another echoed ${name} than asked for is a protocol error`, async () => {
      const error = await failure(pageOf(page([], { [name]: value })), ProtocolError);
      assert.match(error.message, new RegExp(name));
    });
  }

  for (const [what, body, member] of [
    ['has_more "false"', page([], { has_more: 'false' }), 'has_more'],
    ['has_more 0', page([], { has_more: 0 }), 'has_more'],
    ['no has_more', { entries: [] }, 'has_more'],
    ['no entries', { has_more: false }, 'entries'],
    ['entries as an object', { entries: {}, has_more: false }, 'entries'],
    ['a text as entry', { entries: [{}, 'x'], has_more: false }, 'entries.1'],
    ['null as entry', { entries: [null], has_more: false }, 'entries.0'],
    ['a text as offset', page([], { offset: '0' }), 'offset'],
    ['an array', [], 'JSON object'],
    ['null', null, 'JSON object'],
  ] as [string, unknown, string][]) {
    it(`OF8 ${what} is a protocol error that names it`, async () => {
      const error = await failure(pageOf(body), ProtocolError);
      assert.ok(error.message.includes(member), error.message);
      assert.equal(error.attempts, 1);
    });
  }

  it('OF8 of a page without one valid entry the first is looked at and no other', () => {
    let looked = 0;
    const entries = new Proxy(
      Array.from({ length: 1_000 }, () => 0),
      {
        get: (target, name) => {
          looked += typeof name === 'string' && /^\d+$/.test(name) ? 1 : 0;
          return target[name as unknown as number];
        },
      },
    );
    assert.throws(() => parseFindingsPage({ entries, has_more: false }, query()), ProtocolError);
    assert.equal(looked, 1);
  });

  for (const [what, body] of [
    ['entries', `{"has_more":false,"entries":[${'{},'.repeat(1_000_000)}{}]}`],
    ['values in an entry', `{"has_more":false,"entries":[{"x":[${'[],'.repeat(1_000_000)}[]]}]}`],
    ['brackets that nothing closes', '['.repeat(1_000_001)],
  ] as const) {
    it(`OF8 a page of more than a million ${what} is refused before it is parsed`, async () => {
      const server = await harness.serve((_, response) => {
        sendText(response, 200, body, { 'Content-Type': 'application/json' });
      });
      const error = await failure(
        harness.client(server.baseUrl).findingsPage(query()),
        ProtocolError,
      );
      assert.match(error.message, /more than 1,000,000 values/);
    });
  }

  it('OF15 a text of millions of commas and brackets is one value', async () => {
    const evidence = '\\"[{,'.repeat(1_000_000);
    assert.deepEqual((await pageOf(page([{ evidence }]))).entries, [{ evidence }]);
  });

  for (const total of [-1, '250', 1.5, null, {}]) {
    it(`OF11 a total_count of ${JSON.stringify(total)} is left out, the page stays`, async () => {
      const result = await pageOf(page([{}], { total_count: total }));
      assert.ok(!('totalCount' in result));
      assert.equal(result.entries.length, 1);
    });
  }

  it('OF12 a 429 on a page asks for the same offset again', async () => {
    const clock = new WaitClock();
    const server = await harness.serve((_, response, number) => {
      if (number === 1) {
        sendText(response, 429, '', { 'Retry-After': '2' });
      } else {
        sendJson(response, 200, page([{ a: 1 }], { offset: 200 }));
      }
    });
    const client = harness.client(server.baseUrl, { clock });
    await clock.run(client.findingsPage(query({ offset: 200 })));
    assert.deepEqual(
      server.requests.map((request) => request.query.get('offset')),
      ['200', '200'],
    );
  });

  it('OF14 an error beyond the retries leaves the client usable from the same offset', async () => {
    const clock = new WaitClock();
    let broken = true;
    const server = await harness.serve((_, response) => {
      if (broken) {
        sendText(response, 500);
      } else {
        sendJson(response, 200, page([{}], { offset: 200 }));
      }
    });
    const client = harness.client(server.baseUrl, { clock });
    await failure(clock.run(client.findingsPage(query({ offset: 200 }))), ServerError);
    broken = false;
    assert.equal((await client.findingsPage(query({ offset: 200 }))).offset, 200);
  });

  it('OF15 entries of any shape are delivered unchanged', async () => {
    const entries: JsonObject[] = [
      { connection_attributes: { a: 1 }, unknown: null },
      { connection_attributes: ['x'], nested: { deep: [{}] } },
      {},
    ];
    assert.deepEqual((await pageOf(page(entries))).entries, entries);
  });

  it('ER9 a member __proto__ changes no prototype', async () => {
    const server = await harness.serve((_, response) => {
      sendText(
        response,
        200,
        '{"__proto__":{"x":1},"entries":[{"__proto__":{"y":1}}],"has_more":false}',
        { 'Content-Type': 'application/json' },
      );
    });
    const { entries } = await harness.client(server.baseUrl).findingsPage(query());
    assert.equal(({} as { x?: unknown }).x, undefined);
    assert.equal(Object.getPrototypeOf(entries[0]), Object.prototype);
  });

  const asIs = (text: string) => Buffer.from(text);
  for (const [coding, encode] of [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
    ['gzip, identity', gzipSync],
    ['aws-chunked, gzip', gzipSync],
    ['aws-chunked', asIs],
    ['UTF-8', asIs],
    ['none', asIs],
    ['binary', asIs],
    [',', asIs],
  ] as const) {
    it(`a page in ${coding} is decoded`, async () => {
      const server = await harness.serve((_, response) => {
        response.writeHead(200, { 'Content-Encoding': coding });
        response.end(encode(JSON.stringify(page([{ a: 1 }]))));
      });
      const { entries } = await harness.client(server.baseUrl).findingsPage(query());
      assert.deepEqual(entries, [{ a: 1 }]);
    });
  }

  it('a page whose entries are null is empty', async () => {
    const server = await harness.serve((_, response) => {
      sendText(response, 200, '{"entries":null,"total_count":0,"has_more":false}');
    });
    const { entries } = await harness.client(server.baseUrl).findingsPage(query());
    assert.deepEqual(entries, []);
  });

  for (const body of [
    '{"error":{"message":"Scorecard is being rebuilt"}}',
    '{"error":"Scorecard is being rebuilt"}',
    '{"errors":[{"detail":"Scorecard is being rebuilt"}]}',
    '{"message":"Scorecard is being rebuilt","has_more":false}',
  ]) {
    it(`a 200 with ${body} is an error in the service's words`, async () => {
      const server = await harness.serve((_, response) => {
        sendText(response, 200, body);
      });
      const error = await failure(
        harness.client(server.baseUrl).findingsPage(query()),
        ProtocolError,
      );
      assert.match(error.message, /: Scorecard is being rebuilt$/);
    });
  }

  it('a page in a coding that cannot be decoded is refused', async () => {
    const server = await harness.serve((_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'zstd' });
      response.end('(\u00b5/\u00fd');
    });
    await failure(harness.client(server.baseUrl).findingsPage(query()), ProtocolError);
  });

  it('a gzip page with zeros behind its end leaves no connection open', async () => {
    const server = await harness.serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
      response.write(gzipSync(JSON.stringify(page())));
      const zeros = Buffer.alloc(64 * 1024);
      const writeOn = () => {
        while (!response.destroyed && response.write(zeros));
      };
      response.on('drain', writeOn);
      writeOn();
    });
    await harness.client(server.baseUrl).findingsPage(query());
    await until(() => server.connections() === 0);
  });

  it('a gzip page that was cut before it was sent is no complete page', async () => {
    const clock = new WaitClock();
    const server = await harness.serve((_, response) => {
      const coded = gzipSync(JSON.stringify(page([{ a: 'x'.repeat(1000) }])));
      response.writeHead(200, { 'Content-Encoding': 'gzip' });
      response.end(coded.subarray(0, coded.length - 12));
    });
    await failure(
      clock.run(harness.client(server.baseUrl, { clock }).findingsPage(query())),
      ProtocolError,
    );
  });

  for (const [what, body] of [
    ['invalid JSON', '{"entries":'],
    ['nothing', ''],
    ['HTML', '<html></html>'],
  ] as const) {
    it(`ER5 a 200 with ${what} is a protocol error at the first attempt`, async () => {
      const server = await harness.serve((_, response) => {
        sendText(response, 200, body);
      });
      await failure(harness.client(server.baseUrl).findingsPage(query()), ProtocolError);
      assert.equal(server.requests.length, 1);
    });
  }

  it('ER5 a page whose connection ends early is read again, then a network error', async () => {
    const clock = new WaitClock();
    const server = await harness.serve((_, response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('{"entries":');
      setImmediate(() => response.destroy());
    });
    const error = await failure(
      clock.run(harness.client(server.baseUrl, { clock }).findingsPage(query())),
      NetworkError,
    );
    assert.equal(error.reason, 'reset');
    assert.equal(server.requests.length, 4);
  });

  it('ER6 a byte order mark and a charset parameter are tolerated', async () => {
    const server = await harness.serve((_, response) => {
      sendText(response, 200, `\ufeff${JSON.stringify(page([{ a: 1 }]))}`, {
        'Content-Type': 'application/json; charset=utf-8',
      });
    });
    const { entries } = await harness.client(server.baseUrl).findingsPage(query());
    assert.deepEqual(entries, [{ a: 1 }]);
  });
});

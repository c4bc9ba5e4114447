import assert from 'node:assert/strict';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { NetworkError, ProtocolError, ServerError } from '../../../../src/api/http/errors';
import { parseFindingsPage } from '../../../../src/api/schema';
import type { JsonObject } from '../../../../src/base/json/json';
import { deepText } from '../../../helpers/deep';
import { sendJson, sendText } from '../../../helpers/testServer';
import { Harness, failure, page, query, until, WaitClock } from '../support';

describe('A page of findings', () => {
  const harness = new Harness();
  afterEach(() => harness.close());

  async function pageOf(body: unknown) {
    const server = await harness.serve((_, response) => {
      sendJson(response, 200, body);
    });
    return harness.client(server.baseUrl).findingsPage(query());
  }

  it('A page of findings has the entries in order, the total count and has_more', async () => {
    const entries = Array.from({ length: 100 }, (_, number) => ({ number }));
    const result = await pageOf(
      page(entries, { has_more: true, total_count: 250, offset: 0, limit: 100, count: 100 }),
    );
    assert.deepEqual(result, { entries, totalCount: 250, hasMore: true, offset: 0, limit: 100 });
  });

  it('A page of findings has the requested limit even when it is short, so that the next offset is right', async () => {
    const entries = Array.from({ length: 40 }, () => ({}));
    const result = await pageOf(page(entries, { has_more: true }));
    assert.equal(result.offset + result.limit, 100);
  });

  it('A page of findings leads to a ProtocolError when it is nested deeper than 200 levels', async () => {
    const server = await harness.serve((_, response) => {
      sendText(response, 200, `{"entries":[${deepText(196)}],"has_more":false}`);
    });
    const client = harness.client(server.baseUrl);
    assert.equal((await client.findingsPage(query())).entries.length, 1);
    for (const levels of [197, 100_000]) {
      const deep = await harness.serve((_, response) => {
        sendText(response, 200, `{"entries":[${deepText(levels)}],"has_more":false}`);
      });
      const refused = harness.client(deep.baseUrl).findingsPage(query());
      assert.match((await failure(refused, ProtocolError)).message, /200 levels/);
    }
  });

  it('A page of findings can be empty and still have more', async () => {
    const result = await pageOf(page([], { has_more: true, total_count: 10 }));
    assert.deepEqual([result.entries.length, result.hasMore], [0, true]);
  });

  for (const [name, value] of Object.entries({ offset: 30, limit: 50 })) {
    it(`A page of findings leads to a ProtocolError when the echoed ${name} differs from the requested one`, async () => {
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
    it(`A page of findings leads to a ProtocolError that names the member for ${what}`, async () => {
      const error = await failure(pageOf(body), ProtocolError);
      assert.ok(error.message.includes(member), error.message);
      assert.equal(error.attempts, 1);
    });
  }

  it('A page of findings is validated only up to its first invalid entry', () => {
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
    it(`A page of findings of more than a million ${what} is refused before it is parsed`, async () => {
      const server = await harness.serve((_, response) => {
        sendText(response, 200, body, { 'Content-Type': 'application/json' });
      });
      const error = await failure(
        harness.client(server.baseUrl).findingsPage(query()),
        ProtocolError,
      );
      assert.match(error.message, /more than (1,000,000 values|200 levels deep)/);
    });
  }

  it('A page of findings can contain a text of millions of commas and brackets', async () => {
    const evidence = '\\"[{,'.repeat(1_000_000);
    assert.deepEqual((await pageOf(page([{ evidence }]))).entries, [{ evidence }]);
  });

  for (const total of [-1, '250', 1.5, null, {}]) {
    it(`A page of findings ignores a total_count of ${JSON.stringify(total)}`, async () => {
      const result = await pageOf(page([{}], { total_count: total }));
      assert.ok(!('totalCount' in result));
      assert.equal(result.entries.length, 1);
    });
  }

  it('A page of findings is requested again at the same offset after a 429', async () => {
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

  it('A page of findings can be requested at the same offset after an error ended the retries', async () => {
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

  it('A page of findings has its entries unchanged, whatever their shape', async () => {
    const entries: JsonObject[] = [
      { connection_attributes: { a: 1 }, unknown: null },
      { connection_attributes: ['x'], nested: { deep: [{}] } },
      {},
    ];
    assert.deepEqual((await pageOf(page(entries))).entries, entries);
  });

  it('A page of findings with a member __proto__ changes no prototype', async () => {
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
    it(`A page of findings is decoded from ${coding}`, async () => {
      const server = await harness.serve((_, response) => {
        response.writeHead(200, { 'Content-Encoding': coding });
        response.end(encode(JSON.stringify(page([{ a: 1 }]))));
      });
      const { entries } = await harness.client(server.baseUrl).findingsPage(query());
      assert.deepEqual(entries, [{ a: 1 }]);
    });
  }

  it('A page whose entries are null is empty', async () => {
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
    it(`A 200 with ${body} is an error in the service's words`, async () => {
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

  it('A page in a coding that cannot be decoded is refused', async () => {
    const server = await harness.serve((_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'zstd' });
      response.end('(\u00b5/\u00fd');
    });
    await failure(harness.client(server.baseUrl).findingsPage(query()), ProtocolError);
  });

  it('A page of findings in gzip with zeros after its end leaves no connection open', async () => {
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

  it('A page of findings in truncated gzip leads to a ProtocolError', async () => {
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
    it(`A page of findings leads to a ProtocolError at the first attempt for a 200 with ${what}`, async () => {
      const server = await harness.serve((_, response) => {
        sendText(response, 200, body);
      });
      await failure(harness.client(server.baseUrl).findingsPage(query()), ProtocolError);
      assert.equal(server.requests.length, 1);
    });
  }

  it('A page of findings is retried when its connection ends early, then leads to a NetworkError', async () => {
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

  it('A page of findings can have a byte order mark and a charset parameter', async () => {
    const server = await harness.serve((_, response) => {
      sendText(response, 200, `\ufeff${JSON.stringify(page([{ a: 1 }]))}`, {
        'Content-Type': 'application/json; charset=utf-8',
      });
    });
    const { entries } = await harness.client(server.baseUrl).findingsPage(query());
    assert.deepEqual(entries, [{ a: 1 }]);
  });
});

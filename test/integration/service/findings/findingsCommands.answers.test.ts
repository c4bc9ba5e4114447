import * as assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { sendJson, sendText, type Handler } from '../../../helpers/testServer';
import { command, configure, failure, isolate } from '../../helpers';
import { halvorsen, sendPage, server, signIn } from '../../services';

const list = { scorecardId: halvorsen, issueType: 'open_port' };
const listOf = (issueType: string) => ({ scorecardId: halvorsen, issueType });

const gzip = (text: string) => gzipSync(text);
const plain = (text: string) => Buffer.from(text);
const codings: readonly (readonly [header: string, coded: (text: string) => Buffer])[] = [
  ['aws-chunked', plain],
  ['UTF-8', plain],
  ['none', plain],
  ['binary', plain],
  ['identity', plain],
  ['gzip, identity', gzip],
  ['identity, gzip', gzip],
  ['gzip,aws-chunked', gzip],
  ['aws-chunked,gzip', gzip],
  ['x-gzip', gzip],
  ['GZIP', gzip],
  ['deflate, none', (text) => deflateSync(text)],
  ['gzip, br', (text) => brotliCompressSync(gzipSync(text))],
];

/** Answers about each issue type as its handler says; `number` counts the requests about it from 1. */
async function issueTypes(handlers: Readonly<Record<string, Handler>>) {
  const counts = new Map<string, number>();
  await signIn(
    await server((request, response) => {
      const name = Object.keys(handlers).find((each) => request.path.includes(`/${each}/`)) ?? '';
      const number = (counts.get(name) ?? 0) + 1;
      counts.set(name, number);
      return handlers[name]?.(request, response, number);
    }),
  );
  return counts;
}

describe('An answer about findings', () => {
  isolate({ settings: { showCounts: false } });
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'answers-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('An answer about findings that a gateway fails to give is asked for five times', async () => {
    const statuses = [500, 503, 507, 520, 521, 522, 523, 524, 529, 530, 599, 408, 425];
    const handlers = statuses.map((status): [string, Handler] => [
      `status_${status}`,
      (request, response, number) => {
        if (number < 5) {
          sendText(response, status);
        } else {
          sendPage(request, response, 1);
        }
      },
    ]);
    const lasting = [520, 408].map((status): [string, Handler] => [
      `always_${status}`,
      (_, response) => {
        sendText(response, status);
      },
    ]);
    const final = [501, 505].map((status): [string, Handler] => [
      `final_${status}`,
      (_, response) => {
        sendText(response, status);
      },
    ]);
    const counts = await issueTypes(Object.fromEntries([...handlers, ...lasting, ...final]));
    await Promise.all([
      ...handlers.map(async ([name]) => {
        assert.equal((await command('scorecard.loadMore', listOf(name))).loaded, 1, name);
        assert.equal(counts.get(name), 5, name);
      }),
      ...lasting.map(async ([name]) => {
        const { message } = await failure(command('scorecard.loadMore', listOf(name)), 'server');
        assert.ok(message.includes(name.replace(/\D/g, '')), message);
        assert.equal(counts.get(name), 5, name);
      }),
      ...final.map(async ([name]) => {
        await failure(command('scorecard.loadMore', listOf(name)), 'server');
        assert.equal(counts.get(name), 1, name);
      }),
    ]);
  });

  it('An answer about findings (a 429 that does not say how long to wait) is asked for again', async () => {
    const counts = await issueTypes({
      open_port: (request, response, number) => {
        if (number === 1) {
          sendText(response, 429);
        } else {
          sendPage(request, response, 1);
        }
      },
    });
    assert.equal((await command('scorecard.loadMore', list)).loaded, 1);
    assert.equal(counts.get('open_port'), 2);
  });

  it('An answer about findings is read whatever its Content-Encoding says that is no coding', async () => {
    const handlers = codings.map(([header, coded], index): [string, Handler] => [
      `coding_${index}`,
      (_, response) => {
        response.writeHead(200, {
          'Content-Type': 'application/json',
          'Content-Encoding': header,
        });
        response.end(coded('{"entries":[{"issue_id":"a"}],"total_count":1,"has_more":false}'));
      },
    ]);
    await issueTypes(Object.fromEntries(handlers));
    await Promise.all(
      handlers.map(async ([name]) => {
        assert.equal((await command('scorecard.loadMore', listOf(name))).loaded, 1, name);
        const file = path.join(folder, name);
        const target = { format: 'ndjson', path: file };
        await command('scorecard.exportFindings', { ...listOf(name), ...target });
        assert.match(readFileSync(file, 'utf8'), /^\{.*,"issue_id":"a"\}\n$/, name);
      }),
    );
  });

  it('An answer about findings (no entries, written as null or left out) is an empty list everywhere', async () => {
    const empty: Readonly<Record<string, string>> = {
      null: '{"entries":null,"total_count":0,"has_more":false}',
      without_total: '{"entries":null,"has_more":false}',
      left_out: '{"total_count":0,"has_more":false}',
    };
    await issueTypes(
      Object.fromEntries(
        Object.entries(empty).map(([name, body]): [string, Handler] => [
          name,
          (_, response) => {
            sendText(response, 200, body);
          },
        ]),
      ),
    );
    for (const name of Object.keys(empty)) {
      const nothing = { loaded: 0, total: 0, hasMore: false };
      const { total = 0, ...rest } = await command('scorecard.loadMore', listOf(name));
      assert.deepEqual({ total, ...rest }, nothing, name);
      assert.equal((await command('scorecard.loadAll', listOf(name))).loaded, 0, name);
      const target = { format: 'ndjson', path: path.join(folder, name) };
      const { count } = await command('scorecard.exportFindings', { ...listOf(name), ...target });
      assert.equal(count, 0, name);
      assert.equal((await command('scorecard.openFindingsTable', listOf(name))).rows, 0, name);
    }
  });

  it('An answer about findings (null instead of entries that the total counts) is refused', async () => {
    await issueTypes({
      open_port: (_, response) => {
        sendText(response, 200, '{"entries":null,"total_count":7,"has_more":false}');
      },
    });
    const { message } = await failure(command('scorecard.loadMore', list), 'protocol');
    assert.match(message, /entries/);
  });

  it('An answer about findings (an end past the entries, written as null) ends the list', async () => {
    await issueTypes({
      open_port: (request, response) => {
        if (request.query.get('offset') === '0') {
          sendPage(request, response, 501);
        } else {
          sendText(response, 200, '{"entries":null,"total_count":500,"has_more":false}');
        }
      },
    });
    const { loaded, hasMore } = await command('scorecard.loadAll', list);
    assert.deepEqual([loaded, hasMore], [500, false]);
  });

  it('An answer about findings (an error with status 200) is an error in the words of the service, everywhere', async () => {
    const said = 'No such scorecard';
    const bodies: Readonly<Record<string, unknown>> = {
      error: { error: { message: said, statusCode: 404 } },
      text: { error: said },
      errors: { errors: [{ detail: said }] },
      no_success: { success: false, message: said },
      nested: { data: { error: { message: said } } },
      fault: { fault: { faultstring: said } },
      capitals: { Error: { Code: 'x', Message: said } },
      beside_null: { error: { message: said }, entries: null, has_more: false },
      beside_nothing: { errors: [said], entries: [], total_count: 0, has_more: false },
      list: [{ errorCode: 'x', message: said }],
    };
    await issueTypes(
      Object.fromEntries(
        Object.entries(bodies).map(([name, body]): [string, Handler] => [
          name,
          (request, response, number) => {
            if (name === 'error' && number === 1) {
              sendPage(request, response, 700);
            } else {
              sendJson(response, 200, body);
            }
          },
        ]),
      ),
    );
    // What is loaded stays.
    await command('scorecard.loadMore', listOf('error'));
    for (const name of Object.keys(bodies)) {
      const of = listOf(name);
      const target = { format: 'csv', path: path.join(folder, name) };
      const errors = await Promise.all([
        failure(command('scorecard.loadMore', of), 'protocol'),
        failure(command('scorecard.loadAll', of), 'protocol'),
        failure(command('scorecard.goToFinding', { ...of, number: 600 }), 'protocol'),
        failure(command('scorecard.refresh', of), 'protocol'),
        failure(command('scorecard.exportFindings', { ...of, ...target }), 'protocol'),
        failure(command('scorecard.openFindingsTable', of), 'protocol'),
      ]);
      for (const { message } of errors) {
        assert.ok(message.includes(said), `${name}: ${message}`);
      }
    }
    const { loaded } = await command('scorecard.filterFindings', {
      ...listOf('error'),
      text: 'id',
    });
    assert.equal(loaded, 100);
  });

  it('An answer about findings (an error with status 200, or null) is the same in a collection', async () => {
    const collections = [
      { name: 'Null', path: '/null', style: 'page' },
      { name: 'None', path: '/none', style: 'cursor' },
      { name: 'Error', path: '/error', style: 'page' },
      { name: 'Link', path: '/link', style: 'link' },
    ];
    await configure({ collections });
    await signIn(
      await server((request, response) => {
        const body: Record<string, unknown> = {
          '/null': { entries: null, total: 0 },
          '/none': { entries: null },
          '/error': { error: { message: 'No portfolio' } },
          '/link': { entries: null, error: { message: 'No portfolio' } },
        };
        sendJson(response, 200, body[request.path]);
      }),
    );
    for (const name of ['Null', 'None']) {
      const { loaded, hasMore } = await command('scorecard.browseCollection', { name });
      assert.deepEqual([loaded, hasMore], [0, false], name);
    }
    for (const name of ['Error', 'Link']) {
      const call = command('scorecard.browseCollection', { name });
      assert.match((await failure(call, 'protocol')).message, /No portfolio/);
    }
  });
});

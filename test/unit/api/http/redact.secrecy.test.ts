import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { ApiClient } from '../../../../src/api/client';
import { ApiError, ProtocolError } from '../../../../src/api/http/errors';
import { type FaultServer, reportBytes, type Step } from '../../../helpers/faultServer';
import { Harness, failure, query, WaitClock } from '../support';

const secret = 'SECRET-k1';
const signature = 'sig=SIGNED';

/** A service that echoes everything that it receives. */
const echo = {
  message: `bad key Token ${secret} at /x?${signature}`,
  key: secret,
  data: { authorization: `Token ${secret}` },
};

describe('The API client', () => {
  const harness = new Harness();
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secrecy-'));
  });
  afterEach(async () => {
    await harness.close();
    await rm(folder, { recursive: true });
  });

  const version = { bytes: reportBytes(10_000), etag: '"one"' };
  const refusals: Step[] = [400, 401, 403, 404, 405, 409, 413, 422, 500, 502, 503, 504].map(
    (status) => ({ do: 'answer', status, body: JSON.stringify({ error: echo }) }),
  );
  const steps: [string, Step][] = [
    ...refusals.map((step): [string, Step] => [
      step.do === 'answer' ? String(step.status) : '',
      step,
    ]),
    ['a far 429', { do: 'answer', status: 429, headers: { 'Retry-After': '99999' } }],
    ['plain text', { do: 'answer', status: 400, body: `Token ${secret}` }],
    ['HTML', { do: 'answer', status: 500, body: `<h1>${secret}</h1>` }],
    ['no JSON', { do: 'answer', status: 200, body: secret }],
    [
      'a failed record',
      {
        do: 'answer',
        status: 200,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ status: 'failed', message: `Token ${secret}` }),
      },
    ],
    ['a wrong redirect', { do: 'redirect', to: `http://example.com/?${signature}&${secret}` }],
    ['a redirect to itself', { do: 'redirect', to: '?' }],
    ['a redirect to nothing', { do: 'redirect', to: `http://127.0.0.1:1/x?${signature}` }],
    ['a redirect to a host named after it', { do: 'redirect', to: `https://${secret}.invalid/` }],
    ['a reset', { do: 'reset' }],
    ['a close', { do: 'close' }],
    ['silence', { do: 'stall' }],
    ['no HTTP', { do: 'raw', bytes: `Token ${secret}\r\n\r\n` }],
    ['a cut', { do: 'serve', version, fault: { after: 5000, how: 'close' } }],
    [
      'a garbled body',
      { do: 'serve', version, framing: 'chunked', fault: { after: 5000, how: 'garble' } },
    ],
    ['a body that stands still', { do: 'serve', version, fault: { after: 5000, how: 'stall' } }],
    ['an unasked part', { do: 'answer', status: 206, body: secret }],
  ];

  const calls: Record<string, (client: ApiClient, path: string) => Promise<unknown>> = {
    findings: (client) => client.findingsPage(query()),
    'report request': async (client, path) => {
      const answer = await client.requestReport('full', undefined);
      return answer.type === 'file' ? answer.file.saveTo(path) : answer;
    },
    'report poll': async (client, path) => {
      const resume = { validator: '"two"', offset: 100_000 };
      const answer = await client.fetchReport(`/r?${signature}`, { resume });
      return answer.type === 'file' ? answer.file.saveTo(path) : answer;
    },
  };

  for (const [how, written] of [
    ['as it is', secret],
    ['with quoted pairs', secret.replaceAll('E', String.raw`\E`)],
    ['with what no name may hold', secret.replace('C', 'C<')],
  ] as const) {
    it(`The API client removes the API key from a file name, written ${how}`, async () => {
      const server = await harness.serveFaults();
      server.script('/r', {
        do: 'answer',
        status: 200,
        headers: { 'Content-Disposition': `attachment; filename="dump-${written}.csv"` },
        body: 'a,b',
      });
      const client = harness.client(server.baseUrl, { apiKey: () => secret });
      const answer = await client.fetchReport('/r');
      assert.ok(answer.type === 'file');
      assert.equal(answer.file.fileName, 'dump-.csv');
      answer.file.discard();
    });
  }

  it('The API client sends no request to a host named after the API key, even as its first request', async () => {
    const server = await harness.serveFaults();
    const client = harness.client(server.baseUrl, { apiKey: () => secret });
    const error = await failure(client.fetchReport(`https://${secret}.invalid/r`), ProtocolError);
    assertSilent(inspect(error, { depth: 10, showHidden: true }) + harness.logLines.join('\n'));
  });

  for (const [what, step] of steps) {
    it(`The API client shows neither key nor signature in errors and log: ${what}`, async () => {
      let failures = 0;
      for (const [name, call] of Object.entries(calls)) {
        const clock = new WaitClock();
        const server: FaultServer = await harness.serveFaults();
        for (const path of [
          '/r',
          '/reports/full-dump',
          `/companies/${query().scorecardId}/issues/open_port/paginated`,
        ]) {
          server.script(path, step);
        }
        const client = harness.client(server.baseUrl, {
          apiKey: () => secret,
          clock,
          // On this clock a timeout passes at once, so only steps that stall use it.
          ...(isSilent(step) ? { requestTimeoutMs: 30_000 } : {}),
        });
        const error: unknown = await clock.run(
          call(client, join(folder, name)).then(
            () => undefined,
            (thrown: unknown) => thrown,
          ),
        );
        if (error !== undefined) {
          failures += 1;
          assert.ok(error instanceof ApiError, inspect(error));
          assert.equal(error.code === 'timeout', isSilent(step));
          assertSilent(inspect(error, { depth: 10, showHidden: true }));
          assertSilent(JSON.stringify(error));
          assertSilent(`${error.message} ${error.stack ?? ''} ${String(error.cause)}`);
        }
      }
      assert.ok(failures > 0 && harness.logLines.length >= 3);
      assertSilent(harness.logLines.join('\n'));
    });
  }
});

/** Whether the step makes the client wait until a timeout. */
function isSilent(step: Step): boolean {
  return step.do === 'stall' || (step.do === 'serve' && step.fault?.how === 'stall');
}

function assertSilent(text: string): void {
  // A host is in lower case.
  const shown = text.toLowerCase();
  assert.ok(
    !shown.includes(secret.toLowerCase()) && !shown.includes(signature.toLowerCase()),
    text,
  );
}

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { globalAgent } from 'node:https';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ReportFile } from '../../../../src/api/download/download';
import { DownloadError, NetworkError } from '../../../../src/api/http/errors';
import { perform, type Step } from '../../../helpers/faultServer';
import { type Handler, resetConnection, sendText } from '../../../helpers/testServer';
import { isWine } from '../../../helpers/wine';
import { failure, Harness, page, query, WaitClock } from '../support';
import { selfSigned } from './selfSigned';

type Served = Extract<Step, { do: 'serve' }>;

const json = { 'Content-Type': 'application/json' };
const framings = ['length', 'chunked', 'neither'] as const;

/** All ways in which a body is sent and cut. Without framing, a connection that ends normally is no cut. */
const cuts = framings.flatMap((framing) =>
  ([undefined, 'gzip'] as const).flatMap((coding) =>
    [false, true].flatMap((isSecure) =>
      (framing === 'neither' ? (['reset'] as const) : (['reset', 'close'] as const)).map((how) => ({
        framing,
        how,
        isSecure,
        sent: { framing, ...(coding && { coding }) },
        name: [framing, coding ?? 'plain', isSecure ? 'TLS' : 'no TLS', how].join(', '),
      })),
    ),
  ),
);

/** A body that gzip hardly shortens. */
const rows = `id,host\n${randomBytes(50_000).toString('hex')}\n`;
const findings = JSON.stringify(
  page([{ issue_id: 'a', banner: randomBytes(20_000).toString('hex') }]),
);

describe('A body that is cut', () => {
  const harness = new Harness();
  const { ca } = globalAgent.options;
  let folder: string;
  before(() => {
    globalAgent.options.ca = selfSigned.cert;
  });
  after(() => {
    globalAgent.options.ca = ca;
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cut-'));
  });
  afterEach(async () => {
    await harness.close();
    await rm(folder, { recursive: true });
  });

  const serve = (handler: Handler, isSecure: boolean) =>
    harness.serve(handler, isSecure ? selfSigned : undefined);

  function step(
    text: string,
    sent: Pick<Served, 'framing' | 'coding'>,
    type: object = json,
  ): Served {
    const headers = type as Record<string, string>;
    return { do: 'serve', version: { bytes: Buffer.from(text), headers }, ...sent };
  }

  /** By Wine, a reset before all was read is an ordinary end: then nothing tells that a body is cut. */
  const whenRead = () => (isWine ? setTimeout(300) : Promise.resolve());

  async function assertTruncated(file: ReportFile): Promise<void> {
    const error = await failure(file.saveTo(join(folder, 'x')), DownloadError);
    assert.equal(error.reason, 'truncated');
    assert.deepEqual(await readdir(folder), []);
  }

  for (const { sent, how, isSecure, name } of cuts) {
    it(`A body that is cut is no report (${name})`, async () => {
      for (const type of ['text/csv', 'application/pdf', 'application/octet-stream']) {
        for (const kind of ['poll', 'detailed'] as const) {
          const server = await serve((request, response) => {
            const whole = step(rows, sent, { 'Content-Type': type });
            perform(
              { ...whole, fault: { after: 20_000, how, when: whenRead() } },
              request,
              response,
            );
          }, isSecure);
          const client = harness.client(server.baseUrl);
          const answer = await (kind === 'poll'
            ? client.fetchReport('/r')
            : client.requestReport('detailed', undefined));
          assert.ok(answer.type === 'file');
          await assertTruncated(answer.file);
        }
      }
    });

    it(`A body that is cut is no page: it is requested once more (${name})`, async () => {
      const server = await serve((request, response, number) => {
        const whole = step(findings, sent);
        const fault = { after: 4_000, how };
        perform(number === 1 ? { ...whole, fault } : whole, request, response);
      }, isSecure);
      const clock = new WaitClock();
      const client = harness.client(server.baseUrl, { clock });
      const { entries } = await clock.run(client.findingsPage(query()));
      assert.deepEqual(entries, (JSON.parse(findings) as { entries: unknown }).entries);
      assert.equal(server.requests.length, 2);
    });

    it(`A body that is cut is no record and no receipt (${name})`, async () => {
      for (const type of ['application/json', 'text/plain']) {
        const server = await serve((request, response) => {
          const whole = step('{"status":"processing","report_url":"/r"}', sent, {
            'Content-Type': type,
          });
          perform({ ...whole, fault: { after: 15, how, when: whenRead() } }, request, response);
        }, isSecure);
        const client = harness.client(server.baseUrl);
        const error = await failure(client.fetchReport('/r'), DownloadError);
        assert.equal(error.reason, 'truncated');
        for (const kind of ['full', 'detailed'] as const) {
          const lost = await failure(client.requestReport(kind, undefined), NetworkError);
          assert.equal(lost.reason, 'reset');
        }
        assert.equal(server.requests.length, 3, 'nothing is requested twice');
      }
    });

    it(`A body that is cut does not matter where the headers redirect (${name})`, async () => {
      const server = await serve((request, response) => {
        if (request.path === '/to') {
          sendText(response, 200, rows, { 'Content-Type': 'text/csv' });
          return;
        }
        const moved = step(rows, sent, { Location: '/to' });
        perform({ ...moved, status: 302, fault: { after: 100, how } }, request, response);
      }, isSecure);
      const answer = await harness.client(server.baseUrl).fetchReport('/from');
      assert.ok(answer.type === 'file');
      await answer.file.saveTo(join(folder, 'x'));
      assert.equal(await readFile(join(folder, 'x'), 'utf8'), rows);
    });
  }

  for (const coding of [undefined, 'gzip'] as const) {
    it(`A body that is cut shows it by its content where only the end of its connection ends it (${coding ?? 'plain'})`, async () => {
      const sent = { framing: 'neither', ...(coding && { coding }) } as const;
      const server = await harness.serve((request, response, number) => {
        const whole = step(request.path === '/r' ? '{"status":"processing"}' : findings, sent);
        const fault = { after: 15, how: 'close' } as const;
        perform(
          number === 1 || request.path === '/r' ? { ...whole, fault } : whole,
          request,
          response,
        );
      });
      const clock = new WaitClock();
      const client = harness.client(server.baseUrl, { clock });
      await clock.run(client.findingsPage(query()));
      assert.equal(server.requests.length, 2);
      const error = await failure(client.fetchReport('/r'), DownloadError);
      assert.equal(error.reason, 'truncated');
    });
  }

  for (const [framing, body] of [
    [`Content-Length: ${rows.length}`, rows],
    ['Transfer-Encoding: chunked', `${rows.length.toString(16)}\r\n${rows}\r\n0\r\n\r\n`],
  ] as const) {
    it(`A body that is cut is not one that is complete before its connection is reset (${framing})`, async () => {
      const server = await harness.serve((_, response) => {
        const head = `HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n${framing}\r\n\r\n`;
        response.socket?.write(head + body, () => {
          resetConnection(response);
        });
      });
      const answer = await harness.client(server.baseUrl).fetchReport('/r');
      assert.ok(answer.type === 'file');
      await answer.file.saveTo(join(folder, 'x'));
      assert.equal(await readFile(join(folder, 'x'), 'utf8'), rows);
    });
  }
});

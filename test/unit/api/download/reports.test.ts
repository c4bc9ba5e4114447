import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancelledError } from '../../../../src/base/cancelledError';
import {
  DownloadError,
  ProtocolError,
  ReportFailedError,
  ServerError,
} from '../../../../src/api/http/errors';
import type { ReportFile } from '../../../../src/api/download/download';
import type { ReportResponse } from '../../../../src/api/download/reportResponse';
import type { JsonObject } from '../../../../src/base/json/json';
import { type Handler, sendJson, sendText } from '../../../helpers/testServer';
import { Harness, failure, until, WaitClock } from '../support';

describe('A report', () => {
  const harness = new Harness();
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reports-'));
  });
  afterEach(async () => {
    await harness.close();
    await rm(folder, { recursive: true });
  });

  async function contentOf(file: ReportFile): Promise<string> {
    const path = join(folder, 'content');
    await file.saveTo(path);
    return readFile(path, 'utf8');
  }

  function fileOf(answer: ReportResponse): ReportFile {
    assert.ok(answer.type === 'file');
    return answer.file;
  }

  async function requested(kind: 'full' | 'detailed', body: unknown, suffix = '') {
    const server = await harness.serve((_, response) => {
      sendJson(response, 200, body);
    });
    return {
      server,
      answer: harness.client(server.baseUrl + suffix).requestReport(kind, undefined),
    };
  }

  async function polled(handler: Handler, options = {}) {
    const server = await harness.serve(handler);
    return { server, answer: harness.client(server.baseUrl, options).fetchReport('/r/1') };
  }

  describe('request', () => {
    it('A report request sends the JSON object, or neither a body nor a Content-Type when there is none', async () => {
      const server = await harness.serve((_, response) => {
        sendJson(response, 200, { report_url: '/r/1', status: 'processing' });
      });
      const client = harness.client(server.baseUrl);
      await client.requestReport('full', undefined);
      await client.requestReport('detailed', { scorecard_identifier: 'x' });
      const [full, detailed] = server.requests;
      assert.deepEqual([full?.path, full?.body], ['/reports/full-dump', '']);
      assert.equal(full?.headers['content-type'], undefined);
      assert.deepEqual(
        [detailed?.path, detailed?.headers['content-type'], detailed?.body],
        ['/reports/detailed', 'application/json', '{"scorecard_identifier":"x"}'],
      );
    });

    it('A report request resolves with the record', async () => {
      const { server, answer } = await requested('full', {
        report_url: 'https://other.example/reports/12345/download?sig=1',
        status: 'processing',
      });
      assert.deepEqual(await answer, {
        type: 'record',
        reportUrl: 'https://other.example/reports/12345/download?sig=1',
        status: 'processing',
      });
      assert.equal(server.requests.length, 1);
    });

    for (const reportUrl of [
      undefined,
      null,
      '',
      42,
      'not a url',
      'nothing',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'ftp://h/x',
      'data:text/csv,a',
      'http://h/x',
      'http://169.254.169.254/latest',
      'https://u:p@h/x',
      '/\\h/x',
      '/a\nb',
    ]) {
      it(`A report request fails with a ProtocolError when report_url is ${JSON.stringify(reportUrl)}`, async () => {
        const body = {
          ...(reportUrl === undefined ? {} : { report_url: reportUrl }),
          status: 'processing',
        };
        const { server, answer } = await requested('full', body);
        await failure(answer, ProtocolError);
        assert.equal(server.requests.length, 1);
      });
    }

    it('A report request gets the address from a record in data', async () => {
      const { server, answer } = await requested('detailed', { data: { report_url: '/r/9' } });
      assert.deepEqual(await answer, {
        type: 'record',
        reportUrl: `${server.baseUrl}/r/9`,
        status: undefined,
      });
    });

    for (const body of [
      { id: '5f2a7c10', links: { self: '/r/1' } },
      { data: { status: 'processing' } },
      { status: 'accepted', job: { id: 1 } },
    ]) {
      it(`A report request fails when a detailed report is ${JSON.stringify(body)}`, async () => {
        await failure((await requested('detailed', body)).answer, ProtocolError);
      });
    }

    it('A report request fails when a detailed report is a web page', async () => {
      const server = await harness.serve((_, response) => {
        sendText(response, 200, '<html></html>', { 'Content-Type': 'text/html' });
      });
      await failure(harness.client(server.baseUrl).requestReport('detailed', {}), ProtocolError);
    });

    for (const [reportUrl, path] of [
      ['/reports/1/download', '/ssc/v1/reports/1/download'],
      ['/ssc/v1/reports/1/download', '/ssc/v1/reports/1/download'],
      ['reports/1/download?a=b', '/ssc/v1/reports/1/download?a=b'],
    ] as const) {
      it(`A report request resolves the relative report_url ${reportUrl} against the base URL and its prefix`, async () => {
        const { server, answer } = await requested('full', { report_url: reportUrl }, '/ssc/v1');
        const record = await answer;
        assert.deepEqual(record, {
          type: 'record',
          reportUrl: server.baseUrl + path,
          status: undefined,
        });
      });
    }

    it('A report request fails with ReportFailedError when the record has status failed', async () => {
      const { answer } = await requested('full', { status: 'failed', message: 'no data' });
      const error = await failure(answer, ReportFailedError);
      assert.deepEqual([error.serviceStatus, error.serviceMessage], ['failed', 'no data']);
    });

    it('A report request fails with a ProtocolError when a full report responds with something else than a record', async () => {
      for (const body of [[], { entries: [] }, 'text', null]) {
        const { answer } = await requested('full', body);
        await failure(answer, ProtocolError);
      }
    });

    it('A report request saves a detailed response of another shape byte for byte as the report', async () => {
      for (const body of [
        { status: 'ok', factors: [{}] },
        { id: 'x', rows: [] },
        { summary: { grade: 'A' } },
        [],
        [1],
        [{ id: '5f2a7c10' }],
        { a: 'x'.repeat(200_000) },
      ]) {
        const { answer } = await requested('detailed', body);
        const file = fileOf(await answer);
        assert.equal(file.fileName, 'report.json');
        assert.deepEqual(JSON.parse(await contentOf(file)), body);
        await rm(join(folder, 'content'));
      }
    });

    for (const kind of ['detailed', 'full'] as const) {
      it(`A report request fails with a ProtocolError that shows a ${kind} response of single values only: it is a receipt`, async () => {
        for (const [body, shown] of [
          [{ id: '5f2a7c10' }, 'id: 5f2a7c10'],
          [{ status: 'open', score: 90, date: null }, 'status: open, score: 90, date: null'],
          [{ status: 42 }, 'status: 42'],
          [{ id: 7, status: 'queued' }, 'id: 7, status: queued'],
          [
            { message: 'Accepted\n[go](command:x)' },
            'message: Accepted [go] \u2768command\u2236x)',
          ],
          [
            { key: 'k1', link: 'https://x.example/r?sig=SIGNED' },
            'key: ***, link: https://x.example/r?***',
          ],
          [{ k1: true }, '***: true'],
          [{}, '{}'],
          ['5f2a7c10', '5f2a7c10'],
          [true, 'true'],
          [null, 'null'],
        ] as const) {
          const { answer, server } = await requested(kind, body);
          const error = await failure(answer, ProtocolError);
          assert.ok(error.message.endsWith(`report_url: ${shown}`), error.message);
          assert.equal(error.status, 200);
          assert.equal(server.requests.length, 1);
        }
        const { answer } = await requested(kind, { message: 'x '.repeat(10_000) });
        assert.ok((await failure(answer, ProtocolError)).message.length < 400);
      });
    }

    it('A report request saves a detailed response that is a file as the report, whatever its content', async () => {
      const server = await harness.serve((request, response) => {
        const isNamed = request.body.includes('named');
        sendText(response, 200, '{"id":"5f2a7c10"}\n', {
          'Content-Type': isNamed ? 'application/json' : 'application/x-ndjson',
          ...(isNamed ? { 'Content-Disposition': 'attachment; filename="one.json"' } : {}),
        });
      });
      for (const body of [{ as: 'named' }, { as: 'lines' }]) {
        const file = fileOf(await harness.client(server.baseUrl).requestReport('detailed', body));
        assert.equal(await contentOf(file), '{"id":"5f2a7c10"}\n');
        await rm(join(folder, 'content'));
      }
    });

    it('A report request fails with a ProtocolError when a detailed response has a pending status but no report_url', async () => {
      for (const status of ['processing', 'queued']) {
        const { answer } = await requested('detailed', { status });
        await failure(answer, ProtocolError);
      }
    });

    it('A report request fails with a ProtocolError for an empty response, for both kinds', async () => {
      const server = await harness.serve((_, response) => {
        sendText(response, 204);
      });
      const client = harness.client(server.baseUrl);
      await failure(client.requestReport('full', undefined), ProtocolError);
      await failure(client.requestReport('detailed', undefined), ProtocolError);
    });
  });

  for (const kind of ['detailed', 'full'] as const) {
    it(`A report fails with a ProtocolError for a 202 of a ${kind} report, whatever its content`, async () => {
      const server = await harness.serve((request, response) => {
        const [type = '', text = ''] = (JSON.parse(request.body) as { as: string[] }).as;
        sendText(response, 202, text, type === '' ? {} : { 'Content-Type': type });
      });
      for (const as of [
        ['text/plain', 'Accepted'],
        ['text/html', '<p>Accepted</p>'],
        ['application/octet-stream', 'Accepted'],
        ['application/json', '{"data":{"id":"5f2a7c10"}}'],
        [],
      ]) {
        const answer = harness.client(server.baseUrl).requestReport(kind, { as });
        assert.equal((await failure(answer, ProtocolError)).status, 202);
      }
    });
  }

  describe('poll', () => {
    for (const body of [{ id: '5f2a7c10' }, { message: 'Not ready' }, {}, 'queued', true, null]) {
      it(`A report poll is pending for the receipt ${JSON.stringify(body)}`, async () => {
        const { answer } = await polled((_, response) => {
          sendJson(response, 200, body);
        });
        assert.equal((await answer).type, 'pending');
      });
    }

    for (const body of [
      { data: { status: 'processing' } },
      { status: 'In Progress', progress: { percent: 10 } },
      { status: 'NotStarted', job: {} },
      { state: 'PENDING', steps: [] },
      { state: 'WAITING', job: { id: 7, state: { code: 1 } } },
      { id: '5f2a7c10', links: { self: { href: '/r/1' } } },
      { data: { id: '5f2a7c10', attributes: { state: 'new' } } },
      { jobs: [{ id: 1, status: 'queued' }] },
    ]) {
      it(`A report poll waits when the response is ${JSON.stringify(body)}`, async () => {
        const { answer } = await polled((_, response) => {
          sendJson(response, 200, body);
        });
        assert.equal((await answer).type, 'pending');
      });
    }

    for (const [body, said] of [
      [{ error: { message: 'No such scorecard', statusCode: 500 } }, 'No such scorecard'],
      [{ errors: [{ detail: 'No such scorecard' }] }, 'No such scorecard'],
      [{ success: false, message: 'No such scorecard' }, 'No such scorecard'],
      [{ data: { error: 'No such scorecard' } }, 'No such scorecard'],
    ] as const) {
      it(`A report poll fails in the service's words when the response is ${JSON.stringify(body)}`, async () => {
        const { answer } = await polled((_, response) => {
          sendJson(response, 200, body);
        });
        assert.equal((await failure(answer, ProtocolError)).serviceMessage, said);
      });
    }

    for (const [type, text] of [
      ['text/html; charset=utf-8', '<!DOCTYPE html><title>Sign in</title>'],
      ['text/plain', ' \n<html><body>Sign in</body></html>'],
      ['application/octet-stream', '<!doctype html><p>Sign in</p>'],
      ['', '\ufeff<html>'],
      ['application/xml', '<Error><Code>AccessDenied</Code></Error>'],
    ] as const) {
      it(`A report poll refuses a page as ${type}`, async () => {
        const { answer } = await polled((_, response) => {
          sendText(response, 200, text, { 'Content-Type': type });
        });
        const error = await failure(answer, ProtocolError);
        assert.equal(error.message.includes('XML'), type.endsWith('/xml'));
      });
    }

    for (const [text, expected] of [
      ['{"entries":[{"id":1},{"i', ProtocolError],
      ['id,host\n1,a\n', ProtocolError],
      ['', ProtocolError],
      ['Processing', 'pending'],
      ['{"id":1}\n{"id":2}\n', 'file'],
      ['{"id":1}\r\n\r\n{"id":2}', 'file'],
    ] as const) {
      it(`A report poll takes ${JSON.stringify(text)} as application/json ${typeof expected === 'string' ? `for ${expected}` : 'for no report'}`, async () => {
        const { answer, server } = await polled((_, response) => {
          sendText(response, 200, text, {
            'Content-Type': 'application/json',
            'Content-Length': String(text.length),
          });
        });
        const detailed = harness.client(server.baseUrl).requestReport('detailed', undefined);
        if (typeof expected === 'string') {
          assert.equal((await answer).type, expected);
        } else {
          await failure(answer, expected);
        }
        if (expected === 'file') {
          assert.equal(await contentOf(fileOf(await detailed)), text);
        } else {
          await failure(detailed, ProtocolError);
        }
      });
    }

    it('A report poll takes the address from a record in data', async () => {
      const { answer, server } = await polled((_, response) => {
        sendJson(response, 200, { data: { report_url: '/r/9', status: 'processing' } });
      });
      const record = await answer;
      assert.ok(record.type === 'pending');
      assert.equal(record.reportUrl, `${server.baseUrl}/r/9`);
    });

    for (const [status, headers, retryAfterMs] of [
      [202, {}, undefined],
      [202, { 'Retry-After': '30' }, 30_000],
      [204, {}, undefined],
      [404, {}, undefined],
      [425, { 'Retry-After': '5' }, 5000],
      [503, { 'Retry-After': '60' }, 60_000],
      [302, { 'Retry-After': '7', Location: '/r/1' }, 7000],
      [307, { 'Retry-After': '7', Location: '1' }, 7000],
    ] as const) {
      it(`A report poll is pending for ${status} ${JSON.stringify(headers)}`, async () => {
        const { answer, server } = await polled((_, response) => {
          sendText(response, status, '', headers);
        });
        assert.deepEqual(await answer, {
          type: 'pending',
          status: undefined,
          retryAfterMs,
          reportUrl: undefined,
        });
        assert.equal(server.requests.length, 1);
      });
    }

    it('A report poll retries a 503 without Retry-After, then fails with ServerError', async () => {
      const clock = new WaitClock();
      const { answer } = await polled(
        (_, response) => {
          sendText(response, 503);
        },
        { clock },
      );
      await failure(clock.run(answer), ServerError);
    });

    for (const status of ['processing', 'queued', 'pending', 'Half-Way', 42, undefined, null]) {
      for (const code of [200, 202]) {
        it(`A report poll is pending for ${code} with status ${JSON.stringify(status)}`, async () => {
          const record: Record<string, unknown> = { report_url: '/r/1', status };
          const { answer, server } = await polled((_, response) => {
            sendJson(response, code, record);
          });
          assert.deepEqual(await answer, {
            type: 'pending',
            status: typeof (status ?? undefined) === 'undefined' ? undefined : String(status),
            retryAfterMs: undefined,
            reportUrl: `${server.baseUrl}/r/1`,
          });
        });
      }
    }

    it('A report poll fails on an invalid report_url only when the status is completed', async () => {
      for (const status of ['processing', 'completed']) {
        const { answer } = await polled((_, response) => {
          sendJson(response, 200, { report_url: 'javascript:alert(1)', status });
        });
        if (status === 'processing') {
          assert.deepEqual(await answer, {
            type: 'pending',
            status,
            retryAfterMs: undefined,
            reportUrl: undefined,
          });
        } else {
          await failure(answer, ProtocolError);
        }
      }
    });

    for (const status of ['failed', 'error', 'ERROR']) {
      it(`A report poll fails with ReportFailedError and the raw status for status ${status}`, async () => {
        const { answer } = await polled((_, response) => {
          sendJson(response, 200, { status, error: { code: 1 } });
        });
        const error = await failure(answer, ReportFailedError);
        assert.deepEqual([error.code, error.serviceStatus], ['server', status]);
      });
    }

    it('A report poll follows another report_url to the file when the status is completed', async () => {
      const { answer, server } = await polled((request, response) => {
        if (request.path === '/r/1') {
          sendJson(response, 200, { report_url: '/r/2', status: 'completed' });
        } else {
          sendText(response, 200, 'a,b\n', { 'Content-Type': 'text/csv' });
        }
      });
      const file = fileOf(await answer);
      assert.equal(await contentOf(file), 'a,b\n');
      assert.equal(server.requests.length, 2);
    });

    it('A report poll is pending when the report_urls of completed records form a circle', async () => {
      const { answer, server } = await polled((request, response) => {
        const next = request.path === '/r/1' ? '/r/2' : '/r/1';
        sendJson(response, 200, { report_url: next, status: 'completed' });
      });
      assert.equal((await answer).type, 'pending');
      assert.equal(server.requests.length, 2);
    });

    for (const [what, body, headers] of [
      [
        'an attachment',
        { report_url: '/x', status: 'processing' },
        { 'Content-Disposition': 'attachment; filename=a.json' },
      ],
      ['a list', [{ status: 'processing' }], {}],
      ['a report with a status', { status: 'ok', findings: [1] }, {}],
      ['a large record', { status: 'processing', more: 'x'.repeat(70_000) }, {}],
    ] as [string, JsonObject, Record<string, string>][]) {
      it(`A report poll saves ${what} byte for byte as the file`, async () => {
        const { answer } = await polled((_, response) => {
          sendJson(response, 200, body, headers);
        });
        assert.equal(await contentOf(fileOf(await answer)), JSON.stringify(body));
      });
    }

    it('A report poll ends at once and closes its connection when it is cancelled', async () => {
      const controller = new AbortController();
      const server = await harness.serve(() => {
        controller.abort();
      });
      const client = harness.client(server.baseUrl);
      await failure(client.fetchReport('/r/1', { signal: controller.signal }), CancelledError);
      await until(() => server.connections() === 0);
      assert.equal(server.requests.length, 1);
    });

    for (const status of [401, 403, 400]) {
      it(`A report poll fails with expiredLink for a ${status} of the storage, and logs no signature`, async () => {
        const storage = await harness.serve((_, response) => {
          sendText(response, status, '<Error><Code>AccessDenied</Code></Error>', {
            'Content-Type': 'application/xml',
          });
        });
        const server = await harness.serve((_, response) => {
          sendText(response, 302, '', { Location: `${storage.baseUrl}/x?sig=SIGNED` });
        });
        const error = await failure(
          harness.client(server.baseUrl).fetchReport('/r/1'),
          DownloadError,
        );
        assert.deepEqual([error.reason, error.status], ['expiredLink', status]);
        assert.ok(!harness.logLines.join().includes('SIGNED') && !error.message.includes('SIGNED'));
      });
    }
  });
});

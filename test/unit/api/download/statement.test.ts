import assert from 'node:assert/strict';
import { ProtocolError } from '../../../../src/api/http/errors';
import { Harness, failure } from '../support';
import { sendText } from '../../../helpers/testServer';

/** What a service says of a report, in the forms in which services say it. */
describe('A response to a poll', () => {
  const harness = new Harness();
  afterEach(() => harness.close());

  async function polled(text: string, headers: Record<string, string>) {
    const server = await harness.serve((_, response) => {
      sendText(response, 200, text, headers);
    });
    return harness.client(server.baseUrl).fetchReport('/r/1');
  }

  const json = { 'Content-Type': 'application/json' };

  for (const body of [
    { status: 'Warming up', steps: [{ name: 'collect', done: true }] },
    { status: 'warming', hosts: ['a', 'b'] },
    { status: 'In Progress', findings: [{ id: 1 }] },
    { status: 'in-progress', findings: [] },
    { state: 'Not started', eta: { seconds: 5 } },
    { status: { code: 'PENDING' }, job: { owner: {} } },
    { status: 202, request: {} },
    { id: '5f2a7c10', _embedded: { owner: {} } },
    { reportId: '5f2a7c10', request: { type: 'detailed' } },
    { message: 'Accepted', request: { type: 'detailed' } },
    { data: { type: 'job', attributes: { state: 'queued' }, relationships: { owner: {} } } },
    { Data: { Status: 'Processing', Owner: {} } },
    { status: 'FINISHED', chunks_available: [1, 2, 3], chunks_failed: [] },
    { uuid: '5f2a7c10', status: 'READY', total_chunks: 2, chunks_available: [{ id: 1 }] },
    { download_urls: ['https://a.example/1', 'https://a.example/2'] },
    { status: 'READY', download_urls: [] },
    { downloadUrls: { csv: '/r/1.csv', pdf: '/r/1.pdf' } },
    { status: 'READY', download: { urls: ['https://a.example/1?sig=x'] } },
    { status: 'READY', download: { id: 7 } },
    { status: 'done', export: { id: 7, chunks: [1, 2] } },
    { status: 'done', files: ['part-1', 'part-2'] },
    { files: [{ name: 'report.csv', size: 12, href: '/r/1' }] },
    { status: 'ready', outputs: { csv: { href: '/r/1', expires_at: '2026-01-01' } } },
    { results: [{ url: 'https://a.example/1', file_size: 9, row_count: 2 }] },
    {
      data: {
        type: 'export',
        attributes: { status: 'FINISHED', results: [{ url: 'https://a.example/1' }] },
      },
      jsonapi: { version: '1.0' },
      links: { self: '/r/1' },
    },
    [{ url: 'https://a.example/1', part: 1, md5: 'c4ca' }],
    { position: 3, estimate: { seconds: 40 } },
    { position: 3, estimate: 40 },
    { queue_position: 3, queue: { name: 'reports' }, worker: { id: 1 } },
  ]) {
    const text = JSON.stringify(body);
    it(`A response to a poll is "not ready" when it is ${text.slice(0, 100)}`, async () => {
      assert.equal((await polled(text, json)).type, 'pending');
    });
  }

  for (const body of [
    { exceptions: [{ cve: 'CVE-1', host: 'a' }] },
    [
      { url: 'https://a/', status: 404 },
      { url: 'https://b/', status: 503 },
    ],
    { status: 'completed', errors: [{ host: 'a', message: 'unreachable' }], findings: [] },
    { events: [{ id: 1, severity: 'high' }] },
    { details: [{ host: 'a' }] },
    { id: 'r1', domain: 'x', scores: { dns: 90 } },
    { url: 'https://x', factors: { dns: { score: 1 } } },
    { domain: 'x', error_count: 2, scores: { dns: 90 } },
    { state: 'Unknown', findings: [{ id: 1 }] },
    { status: 'ok', urls: [{ url: 'https://a.example/', severity: 'high' }] },
    { status: 'done', columns: ['host'], rows: [['a']] },
    { results: [{ url: 'https://a.example/', title: 'Open redirect' }] },
    { results: [{ url: 'https://a.example/', status: 404 }] },
    { status: 'done', summary: { grade: 'A' } },
    { domain: 'x', report_link: 'https://a.example/', scores: { dns: 90 } },
    { hosts: ['a.example', 'b.example'] },
    { status: 'ok', files: [] },
    { status: 'ok', files: { 'a.js': [{ rule: 'eval' }] } },
    { status: 'ok', files: [{ path: 'a.js', rule: 'eval' }] },
    { pages: [{ url: 'https://a.example/', forms: 2 }] },
    { position: 3, estimate: 40, findings: [] },
    [{ name: 'a.example', url: 'https://a.example/' }],
  ]) {
    const text = JSON.stringify(body);
    it(`A response to a poll is a report when it is ${text}`, async () => {
      const named = { ...json, 'Content-Disposition': 'attachment; filename="r.json"' };
      for (const headers of [json, named]) {
        assert.equal((await polled(text, headers)).type, 'file');
      }
    });
  }

  it('A response to a poll is a report when it is XML of a scanner', async () => {
    const text = '<?xml version="1.0" ?>\n<NessusClientData_v2><Report/></NessusClientData_v2>';
    const headers = { 'Content-Type': 'application/octet-stream' };
    assert.equal((await polled(text, headers)).type, 'file');
  });

  it('A response to a poll is "not ready" when it wraps nothing thousands of times', async () => {
    const text = `${'{"data":'.repeat(6_000)}{}${'}'.repeat(6_000)}`;
    assert.equal((await polled(text, json)).type, 'pending');
  });

  for (const type of ['text/csv', 'application/x-ndjson', 'application/octet-stream']) {
    it(`A response to a poll is "not ready" when it is a record as ${type}`, async () => {
      for (const text of [
        '{"report_url":"/r/2","status":"processing"}\n',
        '{"status":"processing","chunks_available":[1],"total_chunks":4}\n',
        '{"status":"processing","position":3,"estimate":{"seconds":40}}\n',
      ]) {
        const answer = await polled(text, { 'Content-Type': type });
        assert.equal(answer.type === 'pending' && answer.status, 'processing', text);
      }
    });
  }

  for (const text of ['processing', 'The report is being made.\n']) {
    it(`A response to a poll is "not ready" when it is the line ${JSON.stringify(text)}`, async () => {
      for (const headers of [{ 'Content-Type': 'text/plain' }, {}]) {
        assert.equal((await polled(text, headers)).type, 'pending');
      }
    });
  }

  for (const body of [
    { error: { message: 'No data', statusCode: 500 } },
    { error: { message: 'No data' }, findings: [] },
    { errors: [{ detail: 'No data' }] },
    { success: false, message: 'No data' },
    { data: { errors: ['No data'] } },
    { fault: { faultstring: 'No data', detail: { errorcode: 'x' } } },
    { Error: { Code: 'x', Message: 'No data' } },
    { errorMessages: ['No data'], errors: {} },
    { statusCode: 500, message: 'No data' },
    { status: 500, title: 'No data', instance: {} },
    { error_description: 'No data' },
    [{ errorCode: 'x', message: 'No data' }],
  ]) {
    it(`A response to a poll is an error, and no end of the report, when it is ${JSON.stringify(body)}`, async () => {
      for (const type of [
        'application/json',
        'application/problem+json; charset=utf-8',
        'text/csv',
        'application/x-ndjson',
        'application/octet-stream',
      ]) {
        const answer = polled(JSON.stringify(body), { 'Content-Type': type });
        const error = await failure(answer, ProtocolError);
        assert.equal(error.serviceMessage, 'No data', type);
        assert.match(error.message, /an error instead of the report: No data/);
      }
    });
  }

  it('A response to a poll is an error even as an attachment', async () => {
    const answer = polled('{"error":{"message":"No data"}}', {
      'Content-Type': 'application/json',
      'Content-Disposition': 'attachment; filename="report.json"',
    });
    assert.equal((await failure(answer, ProtocolError)).serviceMessage, 'No data');
  });

  const long = 'x'.repeat(100_000);
  for (const page of [
    `<!DOCTYPE html><p>${long}`,
    `\r\n<!-- sign in --><html>${long}`,
    `<title>Sign in</title>${long}`,
    `<?xml version="1.0"?><Error><Code>${long}`,
    '<Error><Code>AccessDenied</Code></Error>',
  ]) {
    it(`A response to a poll is refused when it begins with ${page.slice(0, 20)}, whatever its type`, async () => {
      for (const type of ['text/plain', 'text/csv', 'application/json', 'application/zip', '']) {
        const answer = polled(page, {
          'Content-Type': type,
          'Content-Length': String(page.length),
        });
        await failure(answer, ProtocolError);
      }
    });
  }

  for (const [type, text] of [
    ['application/json', '{"status":"final","rows":[{"a":1}]}'],
    ['application/json', '{"status":"ok","findings":[]}'],
    ['application/json', '{"id":"5f2a7c10","findings":[]}'],
    ['application/json', '{"errorCount":0,"rows":[]}'],
    ['application/json', '{"errors":[{"row":2}],"rows":[{"a":1}]}'],
    ['application/json', '{"vulnerabilities":{"CVE-1":{"score":9}}}'],
    ['application/json', '[{"message":"Port open","status":"failed"}]'],
    ['application/x-ndjson', '{"check":"tls","status":"failed"}\n'],
    ['application/x-ndjson', '{"host":"a","error":"timed out"}\n'],
    ['application/x-ndjson', '{"id":"F-1","title":"TLS","status":"expired"}\n'],
    ['application/x-ndjson', '{"title":"TLS","url":"/a","status":"failed"}\n'],
    ['application/x-ndjson', '{"id":"F-1","status":"pending"}\n'],
    ['application/json', '{"title":"All","summary":{"grade":"A"}}'],
    ['application/json', `{"data":{"rows":[]}}`],
    ['text/csv', '"a<b",c\n'],
    ['text/csv', '{"a"},b\n1,2\n'],
    ['text/csv', ''],
    ['text/plain', 'host\na\n'],
    ['text/plain', 'host,port'],
    ['', 'host;port'],
  ] as const) {
    it(`A response to a poll is the report when it is ${JSON.stringify(text)} as ${type}`, async () => {
      const answer = await polled(text, { 'Content-Type': type });
      assert.ok(answer.type === 'file');
      answer.file.discard();
    });
  }
});

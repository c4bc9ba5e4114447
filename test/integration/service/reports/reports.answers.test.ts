import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { ServerResponse } from 'node:http';
import { sendJson, sendText, type ReceivedRequest } from '../../../helpers/testServer';
import { command, isolate } from '../../helpers';
import { type Answer, manyReports, reportCases } from './manyReports';
import { reportsFolder, reportText, sendReport } from './reportService';

const page = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in</body></html>';
const longPage = page.replace('<body>', `<body>${'x'.repeat(100_000)}`);
const noData = { error: { message: 'No data', statusCode: 500 } };

const sends =
  (type: string, body: string | object): Answer =>
  (_, response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    sendText(response, 200, text, {
      ...(type === '' ? {} : { 'Content-Type': type }),
      'Content-Length': String(Buffer.byteLength(text)),
    });
  };

const json = (body: object) => sends('application/json', body);

/** What is neither a report nor says that one is being made. */
const errors: Readonly<Record<string, Answer>> = {
  'a login page': sends('text/html; charset=utf-8', page),
  'a long page as text': sends('text/plain', longPage),
  'a page as CSV': sends('text/csv', page),
  'an XML error as binary': sends('application/octet-stream', '<?xml version="1.0"?><Error/>'),
  'an error': json(noData),
  'an error as NDJSON': sends('application/x-ndjson', noData),
  'an error beside no findings': json({ ...noData, findings: [] }),
  'a nested error': json({ data: { error: { message: 'No data' } } }),
  'no success': json({ success: false, message: 'No data' }),
  'a fault': json({ fault: { faultstring: 'No data', detail: { errorcode: 'x' } } }),
};

/** What says that the report is being made. */
const notReady: Readonly<Record<string, Answer>> = {
  'a nested status': json({ data: { status: 'processing' } }),
  'a status beside progress': json({ status: 'In Progress', progress: { percent: 10 } }),
  'a status beside a job': json({ status: 'NotStarted', job: {} }),
  'a state': json({ state: 'PENDING', eta: { seconds: 5 } }),
  'an unknown word': json({ status: 'Warming up', hosts: ['a'] }),
  'an ID with links': json({ id: '5f2a7c10', links: { self: { href: '/x' } } }),
  'a resource': json({ data: { id: 1, attributes: { state: 'new' }, relationships: {} } }),
  'a word': sends('text/plain', 'processing'),
};

/** Records with the address at which the same report is polled. */
const record: Answer = (request, response, number) => {
  const content = { report_url: request.path, status: 'processing' };
  sends('text/csv', content)(request, response, number);
};
const nestedRecord: Answer = (request, response) => {
  sendJson(response, 200, { data: { report_url: request.path } });
};

const behindRedirect: Answer = (request, response, number) => {
  if (request.path.endsWith('/login')) {
    sends('text/html', page)(request, response, number);
  } else {
    sendText(response, 302, '', { Location: `${request.path}/login` });
  }
};

const rows = `${JSON.stringify({ issue_id: 'a', host: 'example.com' })}\n`.repeat(75_000);

/** Serves half of the rows, or the rest that is requested. */
function serveRows(
  { headers: { range } }: ReceivedRequest,
  response: ServerResponse,
  name: string,
) {
  const start = Number(/\d+/.exec(range ?? '')?.[0] ?? 0);
  const headers = {
    'Content-Type': 'application/x-ndjson',
    'Content-Disposition': `attachment; filename="${name}.ndjson"`,
    'Content-Length': String(rows.length - start),
    ETag: '"one"',
  };
  if (range === undefined) {
    response.writeHead(200, headers);
    response.write(rows.slice(0, rows.length / 2), () => response.destroy());
  } else {
    const part = `bytes ${start}-${rows.length - 1}/${rows.length}`;
    response.writeHead(206, { ...headers, 'Content-Range': part });
    response.end(rows.slice(start));
  }
}

/** Answers once like this, and then with the report. */
const onceBeforeReport =
  (answer: Answer): Answer =>
  (request, response, number) => {
    if (number === 1) {
      answer(request, response, number);
    } else {
      sendReport(response);
    }
  };

function mapped<T, R>(
  values: Readonly<Record<string, T>>,
  map: (value: T, name: string) => R,
): Record<string, R> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, map(value, name)]),
  );
}

/** So many of the bytes that were saved come again, and are compared. */
const overlapBytes = 4096;

describe('A service that answers with something other than the report', () => {
  isolate({ settings: manyReports });

  it('A service that answers with something other than the report (a page or an error at the address) makes the report fail, and Retry polls the address again', async () => {
    let isMended = false;
    const untilMended =
      (answer: Answer): Answer =>
      (request, response, number) => {
        if (isMended) {
          sendReport(response);
        } else {
          answer(request, response, number);
        }
      };
    const answers = { ...errors, 'a page behind a redirect': behindRedirect };
    const names = Object.keys(answers);
    const { start, failed, requestsOf } = await reportCases(
      mapped(answers, (answer) => ({ poll: untilMended(answer) })),
    );
    const reports = await Promise.all(names.map((name) => failed(name, start(name), 'protocol')));
    for (const [index, { message }] of reports.entries()) {
      assert.match(message, /HTML|XML|an error instead of the report: No data/, names[index]);
    }
    isMended = true;
    await Promise.all(
      reports.map(async ({ id }, index) => {
        const name = names[index] ?? '';
        const isNew = index % 2 === 1;
        const again = isNew ? 'scorecard.requestReportAgain' : 'scorecard.retryReport';
        const report = await command(again, { id });
        assert.equal(report.state, 'ready', name);
        assert.equal(await fs.readFile(report.path ?? '', 'utf8'), reportText);
        assert.equal(requestsOf(name, 'POST').length, isNew ? 2 : 1, name);
      }),
    );
  });

  it('A service that answers with something other than the report (a page, an error or a receipt for the request) makes the report fail, and Request Report Again requests it', async () => {
    // What one of them says at the address, it also says in answer to the request.
    const names = ['a login page', 'a long page as text', 'an error', 'a nested error', 'a fault'];
    const pages = Object.entries(errors).filter(([name]) => names.includes(name));
    const answers = { ...Object.fromEntries(pages), ...notReady };
    const { start, failed, requestsOf } = await reportCases(
      mapped(answers, (answer) => ({ post: onceBeforeReport(answer) })),
    );
    await Promise.all(
      Object.keys(answers).map(async (name, index) => {
        const { id } = await failed(name, start(name), 'protocol');
        const again = index % 2 === 0 ? 'scorecard.requestReportAgain' : 'scorecard.retryReport';
        const report = await command(again, { id });
        assert.equal(report.state, 'ready', name);
        assert.equal(requestsOf(name).length, 2, name);
      }),
    );
  });

  it('A service that answers with something other than the report (something that says "not ready" at the address) is asked again until the report is there', async () => {
    const answers = { ...notReady, 'a record as CSV': record, 'a record in data': nestedRecord };
    const { start, requestsOf } = await reportCases(
      mapped(answers, (answer) => ({ poll: onceBeforeReport(answer) })),
    );
    await Promise.all(
      Object.keys(answers).map(async (name) => {
        const report = await start(name);
        assert.equal(report?.state, 'ready', name);
        assert.equal(await fs.readFile(report.path ?? '', 'utf8'), reportText, name);
        const counts = [requestsOf(name, 'POST').length, requestsOf(name, 'GET').length];
        assert.deepEqual(counts, [1, 2], name);
      }),
    );
  });

  it('A service that answers with something other than the report (anything but the rest of a report that broke off) leaves the bytes that were saved', async () => {
    const folder = await reportsFolder();
    let isMended = false;
    const instead: Readonly<Record<string, Answer>> = {
      page: sends('text/html', page),
      otherType: sends('text/csv', 'issue_id,host\na,example.com\n'),
      error: json(noData),
      errorAsRows: sends('application/x-ndjson', noData),
      lost: json({ status: 'failed', message: 'No data' }),
    };
    const { start, failed, requestsOf } = await reportCases(
      mapped(instead, (answer, name) => ({
        poll: (request, response, number) => {
          if (request.headers.range === undefined || isMended) {
            serveRows(request, response, name);
          } else {
            answer(request, response, number);
          }
        },
      })),
    );
    const failures = await Promise.all(
      Object.keys(instead).map(async (name) => {
        const code = name === 'lost' ? 'server' : 'protocol';
        const { id, message } = await failed(name, start(name), code);
        assert.match(message, /MB saved\. Retry resumes from there\.$/, name);
        const part = (await fs.readdir(folder)).find((file) => file.startsWith(`${name}.ndjson.`));
        const kept = await fs.readFile(path.join(folder, part ?? ''), 'utf8');
        assert.ok(kept.length > 0 && rows.startsWith(kept), name);
        return { id, name, kept };
      }),
    );
    isMended = true;
    await Promise.all(
      failures.map(async ({ id, name, kept }) => {
        const report = await command('scorecard.retryReport', { id });
        assert.equal(await fs.readFile(report.path ?? '', 'utf8'), rows, name);
        assert.equal(requestsOf(name, 'POST').length, 1, name);
        assert.equal(
          requestsOf(name, 'GET').at(-1)?.headers.range,
          `bytes=${kept.length - overlapBytes}-`,
          name,
        );
      }),
    );
  });
});

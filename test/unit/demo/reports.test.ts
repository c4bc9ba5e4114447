import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json/json';
import {
  createContent,
  decodeReportId,
  DemoReports,
  encodeReportId,
} from '../../../src/demo/routes/demoReports';
import type { DemoRequest } from '../../../src/demo/http/exchange';
import { scorecardData } from '../../../src/demo/data/demoData';
import type { DemoService } from '../../../src/demo/demoService';
import { FakeClock } from '../../helpers/fakeClock';
import { call, closeServices, findings, post, refused, start, text } from './client';

const smallScorecard = scorecardData[2];
const smallTotal = Object.values(smallScorecard?.counts ?? {}).reduce(
  (sum, count) => sum + count,
  0,
);

interface RecordBody {
  report_url: string;
  status: string;
}

async function request(service: DemoService, path: string, body?: unknown): Promise<string> {
  const response = await post(service, path, body);
  assert.equal(response.status, 200);
  const record = (await response.json()) as RecordBody;
  assert.equal(record.status, 'processing');
  assert.match(record.report_url, /^http:\/\/127\.0\.0\.1:\d+\/reports\/[\w-]+\/download$/);
  return record.report_url;
}

const lines = (text: string) => text.split('\n').slice(0, -1);

/** A CSV reader for what the report may contain (RFC 4180). */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g,
  )) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') {
      rows.push([]);
    }
  }
  assert.deepEqual(rows.pop(), [], 'ends with a line end');
  return rows;
}

describe('The demo service, for reports,', () => {
  afterEach(closeServices);

  it('The demo service, for reports, generates a report in the configured time, measured by its clock', async () => {
    const clock = new FakeClock();
    const service = await start({ clock, generationMs: { full: 3500, detailed: 800 } });
    const full = await request(service, '/reports/full-dump', {
      params: { scorecard_identifier: smallScorecard?.id },
    });
    const early = await call(service, full);
    assert.equal(early.status, 202);
    assert.equal(early.headers.get('retry-after'), '4');
    assert.deepEqual(await early.json(), { report_url: full, status: 'processing' });
    clock.advance(2600);
    const later = await call(service, full);
    assert.deepEqual([later.status, later.headers.get('retry-after')], [202, null]);
    clock.advance(899);
    assert.equal((await call(service, full)).status, 202);
    clock.advance(1);
    assert.equal((await call(service, full, { method: 'HEAD' })).status, 200);
    const detailed = await request(service, '/reports/detailed', {
      scorecard_identifier: smallScorecard?.id,
    });
    clock.advance(800);
    assert.equal((await call(service, detailed, { method: 'HEAD' })).status, 200);
  });

  it('The demo service, for reports, serves all findings of one scorecard in a full report, as one JSON object per line', async () => {
    const service = await start({ generationMs: 0 });
    const url = await request(service, '/reports/full-dump', {
      params: { scorecard_identifier: smallScorecard?.id.toUpperCase() },
    });
    const response = await call(service, url);
    assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
    assert.match(
      response.headers.get('content-disposition') ?? '',
      /^attachment; filename="full-report-quillmark-health\.example-\d{4}-\d\d-\d\d\.ndjson"$/,
    );
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(bytes.length, Number(response.headers.get('content-length')));
    const rows = lines(bytes.toString()).map((line) => JSON.parse(line) as JsonObject);
    assert.equal(rows.length, smallTotal);
    for (const row of rows) {
      assert.equal(row.scorecard_identifier, smallScorecard?.id);
      assert.match(text(row.severity), /^(high|medium|low)$/);
      assert.match(text(row.domain), /quillmark-health\.example$/);
      assert.match(text(row.first_seen_time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    }
    const page = await findings(service, 'outdated_os', '', {}, smallScorecard?.id);
    const same = rows.find((row) => row.issue_id === page.entries[5]?.issue_id);
    assert.equal(
      same?.evidence && JSON.stringify(same.evidence),
      JSON.stringify(page.entries[5]?.evidence),
    );
  });

  it('The demo service, for reports, serves all findings of all scorecards in a full report, with the exact Content-Length', async () => {
    const service = await start({ generationMs: 0 });
    const url = await request(service, '/reports/full-dump');
    const response = await call(service, url);
    let [bytes, newlines] = [0, 0];
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
        newlines++;
      }
    }
    assert.equal(bytes, Number(response.headers.get('content-length')));
    const all = scorecardData.flatMap(({ counts }) => Object.values(counts));
    assert.equal(
      newlines,
      all.reduce((sum, count) => sum + count, 0),
    );
  });

  it('The demo service, for reports, yields to the event loop every few rows', async () => {
    // Counts iterations of the event loop, because milliseconds depend on the machine.
    let iterations = 0;
    const count = () => {
      iterations++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const [, scorecard] = scorecardData;
    const order = { kind: 'full', format: 'ndjson', scorecard, startedAt: 0 } as const;
    const content = await createContent(order, new AbortController().signal);
    clearImmediate(timer);
    const rows = lines(content.toString()).length;
    assert.ok(rows > 10_000, String(rows));
    assert.ok(iterations >= Math.floor(rows / 128), String(iterations));
  });

  it('The demo service, for reports, generates a report once for requests that wait for it at the same time', async () => {
    const times = { full: 0, detailed: 0 };
    const reports = new DemoReports(
      new FakeClock(),
      times,
      new AbortController().signal,
      undefined,
    );
    const report = reports.find(reports.start('full', 'ndjson', smallScorecard));
    assert.ok(report);
    const asked = { message: { headers: {} } } as DemoRequest;
    // A client that waits no longer asks again.
    const [first, again] = await Promise.all([
      reports.file(report, asked),
      reports.file(report, asked),
    ]);
    assert.equal(lines(String(first.bytes)).length, smallTotal);
    assert.ok(first.bytes === again.bytes);
    const later = await reports.file(report, asked);
    assert.ok(first.bytes !== later.bytes, 'no report is kept in memory');
    assert.ok(later.bytes?.equals(first.bytes ?? Buffer.of()));
  });

  it('The demo service, for reports, serves the detailed report as CSV that is valid with hostile values', async () => {
    const service = await start({ generationMs: 0 });
    const url = await request(service, '/reports/detailed', {
      scorecard_identifier: scorecardData[1]?.id,
    });
    const response = await call(service, url);
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(response.headers.get('content-disposition') ?? '', /\.csv"$/);
    const [heading = [], ...rows] = parseCsv(await response.text());
    assert.equal(heading[0], 'issue_id');
    const counts = Object.values(scorecardData[1]?.counts ?? {});
    assert.equal(
      rows.length,
      counts.reduce((sum, count) => sum + count, 0),
    );
    assert.ok(rows.every((row) => row.length === heading.length));
    assert.ok(rows.some((row) => row.at(-1)?.startsWith('=cmd|')));
    assert.ok(rows.some((row) => row.at(-1)?.includes('"quoted", and\r\na second line')));
  });

  it('The demo service, for reports, serves the same bytes after a restart, at any time', async () => {
    const clock = new FakeClock(Date.UTC(2025, 0, 31, 0, 20));
    const first = await start({ clock, generationMs: 1000 });
    const url = await request(first, '/reports/detailed', {
      scorecard_identifier: smallScorecard?.id,
    });
    clock.advance(1000);
    const before = await (await call(first, url)).text();
    await first.close();
    clock.advance(40 * 86_400_000);
    const second = await start({ clock, generationMs: 1000 });
    const moved = await call(second, new URL(url).pathname);
    assert.equal(moved.status, 200);
    assert.equal(await moved.text(), before);
    assert.match(moved.headers.get('content-disposition') ?? '', /2025-01-31/);
  });

  it('The demo service, for reports, serves reports of the right length on every day of the year', async () => {
    const clock = new FakeClock(Date.UTC(2024, 1, 28, 23, 59));
    const service = await start({ clock, generationMs: 0, detailedPerWindow: 100 });
    const body = { scorecard_identifier: scorecardData[3]?.id };
    for (let run = 0; run < 6; run++) {
      const kind = run % 2 === 0 ? 'detailed' : 'full-dump';
      const response = await call(service, await request(service, `/reports/${kind}`, body));
      const { length } = Buffer.from(await response.arrayBuffer());
      assert.equal(length, Number(response.headers.get('content-length')));
      clock.advance(37 * 86_400_000 + 12_345_678);
    }
  });

  it('The demo service, for reports, accepts only its own report ids', async () => {
    const service = await start({ generationMs: 0 });
    const url = await request(service, '/reports/full-dump');
    const id = url.split('/').at(-2) ?? '';
    for (const bad of ['x', id.slice(1), `${id}A`, id.replace('all', '9'), `${id}/..`]) {
      await refused(await call(service, `/reports/${bad}/download`), 404);
    }
    const again = await request(service, '/reports/full-dump');
    assert.notEqual(again, url);
  });

  it('The demo service, for reports, encodes the order in the report id', () => {
    for (const kind of ['full', 'detailed', 'earlier'] as const) {
      for (const scorecard of [undefined, ...scorecardData]) {
        const format = kind === 'detailed' ? 'csv' : 'ndjson';
        const order = { kind, format, scorecard, startedAt: 1_750_000_000_123 } as const;
        assert.deepEqual(decodeReportId(encodeReportId(order, 70_000)), order);
      }
    }
  });

  it('The demo service, for reports, has no list of recent reports, and leaves that of the other service as it is', async () => {
    const written: unknown[] = [];
    const recentReports = {
      read: () => [],
      write: (ids: readonly string[]) => {
        written.push(ids);
      },
    };
    const service = await start({ recentReports });
    await request(service, '/reports/full-dump');
    assert.deepEqual(written, []);
    await refused(await call(service, '/reports/recent'), 404);
  });

  it('The demo service, for reports, refuses reports for an invalid or unknown scorecard', async () => {
    const service = await start({ detailedPerWindow: 100 });
    const ask = (id: unknown) => post(service, '/reports/detailed', { scorecard_identifier: id });
    await refused(await ask('halvorsen-maritime.example'), 400);
    await refused(await ask(12), 400);
    await refused(await ask('11111111-1111-4111-8111-111111111111'), 404);
    await refused(await post(service, '/reports/full-dump', '[]'), 400);
    assert.equal((await post(service, '/reports/full-dump', {})).status, 200);
  });
});

describe('The demo service, for ranges of reports,', () => {
  let service: DemoService;
  let url: string;
  let whole: Buffer;
  let etag: string;

  before(async () => {
    service = await start({ generationMs: 0 });
    url = await request(service, '/reports/full-dump', {
      scorecard_identifier: smallScorecard?.id,
    });
    const response = await call(service, url);
    etag = response.headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]+"$/, 'a strong tag');
    assert.equal(response.headers.get('accept-ranges'), 'bytes');
    whole = Buffer.from(await response.arrayBuffer());
  });
  after(closeServices);

  const range = (value: string, headers: Record<string, string> = {}) =>
    call(service, url, { headers: { Range: value, ...headers } });

  it('The demo service, for ranges of reports, sends the rest that is requested', async () => {
    const size = whole.length;
    for (const start of [0, Math.floor(size / 2), size - 1]) {
      const response = await range(`bytes=${start}-`, { 'If-Range': etag });
      assert.equal(response.status, 206);
      assert.equal(response.headers.get('content-range'), `bytes ${start}-${size - 1}/${size}`);
      assert.equal(response.headers.get('content-length'), String(size - start));
      assert.equal(response.headers.get('etag'), etag);
      const part = Buffer.from(await response.arrayBuffer());
      assert.ok(part.equals(whole.subarray(start)));
    }
  });

  it('The demo service, for ranges of reports, refuses a range beyond the end', async () => {
    const response = await range(`bytes=${whole.length}-`);
    assert.equal(response.headers.get('content-range'), `bytes */${whole.length}`);
    await refused(response, 416);
  });

  it('The demo service, for ranges of reports, sends the complete report for ranges that it does not support', async () => {
    for (const value of ['bytes=5-9', 'bytes=-5', 'bytes=-', 'lines=1-', 'bytes=0-,5-']) {
      const response = await range(value);
      assert.equal(response.status, 200, value);
      assert.equal((await response.arrayBuffer()).byteLength, whole.length);
    }
  });

  it('The demo service, for ranges of reports, sends the complete report when If-Range names another version', async () => {
    const other = await request(service, '/reports/full-dump');
    const foreign = (await call(service, other, { method: 'HEAD' })).headers.get('etag') ?? '';
    assert.notEqual(foreign, etag);
    for (const value of [foreign, `W/${etag}`, '"x"', new Date().toUTCString()]) {
      const response = await range('bytes=10-', { 'If-Range': value });
      assert.equal(response.status, 200, value);
      await response.body?.cancel();
    }
  });

  it('The demo service, for ranges of reports, continues to respond when the reader of a report disconnects', async () => {
    const big = await request(service, '/reports/full-dump');
    const aborter = new AbortController();
    const response = await call(service, big, { signal: aborter.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    aborter.abort();
    await assert.rejects(async () => {
      while (!(await reader?.read())?.done);
    });
    assert.equal((await call(service, '/companies')).status, 200);
  });
});

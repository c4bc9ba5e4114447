import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { ServerResponse } from 'node:http';
import { command, isolate } from '../../helpers';
import { type Answer, type Case, manyReports, reportCases } from './manyReports';
import { reportsFolder } from './reportService';

const size = 2_066_906;
const cut = 600_000;
const bytes = Buffer.alloc(size, 'severity,host\nhigh,a.example\n');
const etag = { ETag: '"one"' };
/** Older than the Date of the answer by so much that it names one version. */
const lastModified = { 'Last-Modified': 'Mon, 16 Jun 2025 12:00:00 GMT' };

interface Sent {
  readonly name: string;
  readonly headers?: Record<string, string>;
  /** Where the body begins and breaks off. Default: at the ends of the file. */
  readonly start?: number;
  readonly end?: number;
}

function send(response: ServerResponse, { name, headers, start, end = size }: Sent): void {
  response.writeHead(start === undefined ? 200 : 206, {
    'Content-Type': 'text/csv',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
    'Content-Length': String(size - (start ?? 0)),
    ...(start === undefined ? {} : { 'Content-Range': `bytes ${start}-${size - 1}/${size}` }),
    ...headers,
  });
  response.write(bytes.subarray(start ?? 0, end), () => {
    if (end < size) {
      response.destroy();
    } else {
      response.end();
    }
  });
}

/** Where the requested rest begins; `undefined` if all is requested. */
function startOf({ headers: { range } }: Parameters<Answer>[0]): number | undefined {
  return range === undefined ? undefined : Number(/\d+/.exec(range)?.[0]);
}

/** Each of these breaks for ever; the number is what has to be on disk then. */
const broken: Readonly<Record<string, readonly [poll: Answer, kept: number]>> = {
  'all of it each time': [
    (_, response) => {
      send(response, { name: 'all', headers: etag, end: cut });
    },
    cut,
  ],
  'all of it, at changing places': [
    (_, response, number) => {
      send(response, { name: 'places', headers: etag, end: number % 2 === 1 ? cut : cut / 2 });
    },
    cut,
  ],
  'a date without an ETag, which the rest omits': [
    (request, response) => {
      const start = startOf(request);
      send(response, {
        name: 'date',
        end: cut,
        ...(start === undefined ? { headers: lastModified } : { start }),
      });
    },
    cut,
  ],
  'a rest that begins at an earlier block': [
    (request, response) => {
      const start = startOf(request);
      const block = { start: (start ?? 0) - ((start ?? 0) % 65_536) };
      send(response, {
        name: 'block',
        headers: etag,
        end: cut,
        ...(start === undefined ? {} : block),
      });
    },
    cut,
  ],
  'another version each time': [
    (_, response, number) => {
      send(response, { name: 'version', headers: { ETag: `"${number}"` }, end: cut });
    },
    cut,
  ],
  'no version': [
    (_, response) => {
      send(response, { name: 'none', end: cut });
    },
    0,
  ],
  'JSON that is too short to be sure': [
    (_, response) => {
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Length': 40_000,
        ...etag,
      });
      response.write(`[${'{"a":1},'.repeat(1000)}`, () => response.destroy());
    },
    0,
  ],
};

/** Each of these breaks, and gets further with each attempt. */
const advancing: Readonly<Record<string, Answer>> = {
  'a tenth each time': (request, response) => {
    const start = startOf(request);
    const end = Math.min(size, (start ?? 0) + Math.ceil(size / 10));
    send(response, {
      name: 'tenths',
      headers: etag,
      end,
      ...(start === undefined ? {} : { start }),
    });
  },
  'a date that the rest omits': (request, response) => {
    const start = startOf(request);
    send(response, {
      name: 'rest',
      ...(start === undefined ? { headers: lastModified, end: cut } : { start }),
    });
  },
  'all of it, a bit longer each time': (_, response, number) => {
    send(response, { name: 'longer', headers: etag, end: Math.min(size, number * cut) });
  },
};

describe('A download that breaks off again and again', () => {
  isolate({ settings: manyReports });

  it('A download that breaks off again and again ends after five attempts that get no further, keeps what is saved, and is complete if it gets further', async () => {
    const folder = await reportsFolder();
    const polls: Record<string, Case> = Object.fromEntries(
      Object.entries(broken).map(([name, [poll]]) => [name, { poll }]),
    );
    const more = Object.entries(advancing).map(([name, poll]) => [name, { poll }] as const);
    const { start, failed, requestsOf } = await reportCases({
      ...polls,
      ...Object.fromEntries(more),
    });
    await Promise.all([
      ...Object.entries(broken).map(async ([name, [, kept]]) => {
        const { message } = await failed(name, start(name), 'download');
        // The first attempt that saves something is not among the five.
        assert.equal(requestsOf(name, 'GET').length, kept > 0 ? 6 : 5, name);
        assert.equal(message.endsWith('saved. Retry resumes from there.'), kept > 0, message);
      }),
      ...more.map(async ([name]) => {
        const record = await start(name);
        assert.ok(bytes.equals(await fs.readFile(record?.path ?? '')), name);
      }),
    ]);
    const parts = (await fs.readdir(folder)).filter((file) => file.endsWith('.part'));
    const sizes = await Promise.all(
      parts.map(async (file) => (await fs.stat(path.join(folder, file))).size),
    );
    const kept = Object.values(broken).map(([, each]) => each);
    assert.deepEqual(
      sizes,
      kept.filter((each) => each > 0),
    );
    const records = await command('scorecard.listReports');
    assert.ok(records.every(({ state }) => state === 'failed' || state === 'ready'));
  });
});

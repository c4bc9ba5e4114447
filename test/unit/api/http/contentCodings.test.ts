import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ProtocolError } from '../../../../src/api/http/errors';
import { contentOfFile } from '../../../../src/files/fileContent';
import { failure, Harness, query, until } from '../support';

const rows = 'a,b\n1,2\n';
const megabyte = 1024 * 1024;

describe('A content coding', () => {
  const harness = new Harness();
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'codings-'));
  });
  afterEach(async () => {
    await harness.close();
    await rm(folder, { recursive: true });
  });

  async function client(headers: Record<string, string>, body: Buffer) {
    const server = await harness.serve((_, response: ServerResponse) => {
      response.writeHead(200, headers).end(body);
    });
    return { server, api: harness.client(server.baseUrl) };
  }

  async function download(headers: Record<string, string>, body: Buffer) {
    const { api } = await client(headers, body);
    const answer = await api.fetchReport('/r');
    assert.ok(answer.type === 'file');
    return answer.file;
  }

  const csv = Buffer.from(rows);
  const packed = gzipSync(csv);
  for (const [what, headers, body, name, saved] of [
    [
      'a gzip file that is coded once more',
      { type: 'application/gzip' },
      gzipSync(packed),
      'report.gz',
      packed,
    ],
    [
      'a gzip file that calls itself its coding',
      { type: 'application/gzip' },
      packed,
      'report',
      csv,
    ],
    ['an old type of gzip', { type: 'application/x-gzip', name: 'a.csv.gz' }, packed, 'a.csv', csv],
    ['the name of a gzip file', { type: 'text/csv', name: 'a.csv.gz' }, packed, 'a.csv', csv],
    ['the name of a gzip file in capitals', { type: '', name: 'A.GZ' }, packed, 'A', csv],
    ['the name of a packed tar file', { type: '', name: 'a.tgz' }, packed, 'a.tar', csv],
    ['a name with a second ending', { type: '', name: 'a.part.gz' }, packed, 'a_part', csv],
    ['a device behind the ending', { type: '', name: 'nul..gz' }, packed, '_nul', csv],
    [
      'no name but that of its coding',
      { type: 'application/gzip', name: '.gz' },
      packed,
      'gz',
      csv,
    ],
    ['the name of its content', { type: 'application/gzip', name: 'a.csv' }, packed, 'a.csv', csv],
    [
      'a gzip file in two codings',
      { type: '', name: 'a.csv.gz', coding: 'gzip, br' },
      brotliCompressSync(packed),
      'a.csv',
      csv,
    ],
    [
      'a gzip file in another coding',
      { type: '', name: 'a.csv.gz', coding: 'br' },
      brotliCompressSync(packed),
      'a.csv.gz',
      packed,
    ],
    [
      'a gzip file without any coding',
      { type: 'text/csv', name: 'a.csv.gz', coding: 'none' },
      packed,
      'a.csv.gz',
      packed,
    ],
    [
      'an empty file',
      { type: 'text/csv', name: 'a.csv.gz' },
      gzipSync(''),
      'a.csv',
      Buffer.alloc(0),
    ],
  ] satisfies [
    string,
    { type: string; name?: string; coding?: string },
    Buffer,
    string,
    Buffer,
  ][]) {
    it(`A content coding leaves a file that is what its name says: ${what}`, async () => {
      const { type, name: served, coding = 'gzip' } = headers as Record<string, string>;
      const file = await download(
        {
          ...(type && { 'Content-Type': type }),
          'Content-Encoding': coding,
          ...(served && { 'Content-Disposition': `attachment; filename="${served}"` }),
        },
        body,
      );
      assert.equal(file.fileName, name);
      const path = join(folder, file.fileName);
      await file.saveTo(path);
      assert.deepEqual(await readFile(path), saved);
      assert.equal((await contentOfFile(path)) === 'gzip', name.endsWith('.gz'));
    });
  }

  const zeros = Buffer.alloc(64 * megabyte, '0');
  for (const [coding, body] of [
    ['gzip', gzipSync(zeros)],
    ['deflate', deflateSync(zeros)],
    ['br', brotliCompressSync(zeros)],
    ['gzip, gzip', gzipSync(gzipSync(zeros))],
  ] as const) {
    const headers = { 'Content-Type': 'text/csv', 'Content-Encoding': coding };

    it(`A content coding ends a report that would take more than 250 times its size (${coding})`, async () => {
      const file = await download(headers, body);
      let received = 0;
      const error = await failure(
        file.saveTo(join(folder, 'x'), {
          onProgress: (progress) => {
            ({ received } = progress);
          },
        }),
        ProtocolError,
      );
      assert.match(
        error.message,
        /^127\.0\.0\.1:\d+ sent a compressed response that would take more than 250 times its size\.$/,
      );
      assert.ok(received <= 17 * megabyte, String(received));
      assert.deepEqual(await readdir(folder), []);
    });

    it(`A content coding ends a page, a receipt and the report in an answer in the same way, at once (${coding})`, async () => {
      const json = { ...headers, 'Content-Type': 'application/json' };
      const { server, api } = await client(json, body);
      const page = await failure(api.findingsPage(query()), ProtocolError);
      assert.match(page.message, /250 times/);
      // What is larger than a receipt is none.
      await failure(api.requestReport('full', undefined), ProtocolError);
      const answer = await api.requestReport('detailed', undefined);
      assert.ok(answer.type === 'file');
      const report = await failure(answer.file.saveTo(join(folder, 'x')), ProtocolError);
      assert.match(report.message, /250 times/);
      assert.equal(server.requests.length, 3, 'nothing is requested twice');
      await until(() => server.connections() === 0);
    });
  }

  it('A content coding may have any ratio up to 16 MB, and 250 above that', async () => {
    for (const text of [
      '0'.repeat(16 * megabyte),
      `${'a,b,c,d,e,f,g\n'.repeat(200)}${Math.PI}`.repeat(7_000),
    ]) {
      const file = await download(
        { 'Content-Type': 'text/csv', 'Content-Encoding': 'gzip' },
        gzipSync(text, { level: text.startsWith('0') ? 9 : 1 }),
      );
      const path = join(folder, String(text.length));
      assert.equal(await file.saveTo(path), text.length);
    }
  });
});

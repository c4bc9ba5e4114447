import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ApiClientOptions } from '../../../../src/api/client';
import { FileError, toFileError } from '../../../../src/files/fileError';
import { CancelledError } from '../../../../src/base/cancelledError';
import { DownloadError, ProtocolError, TimeoutError } from '../../../../src/api/http/errors';
import type { DownloadProgress } from '../../../../src/api/types';
import { reportBytes } from '../../../helpers/faultServer';
import { type Handler, sendText, type TestServer } from '../../../helpers/testServer';
import { Harness, failure, until } from '../support';

const csv = { 'Content-Type': 'text/csv' };

describe('A download', () => {
  const harness = new Harness();
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'download-'));
    path = join(folder, 'report.csv');
  });
  afterEach(async () => {
    await harness.close();
    await rm(folder, { recursive: true });
  });

  async function start(handler: Handler, options: Partial<ApiClientOptions> = {}) {
    const server = await harness.serve(handler);
    const answer = await harness.client(server.baseUrl, options).fetchReport('/r/1');
    assert.ok(answer.type === 'file');
    return { server, file: answer.file };
  }

  /** Asserts that the download fails, leaves no file and closes its connection. */
  async function cut(
    started: { server: TestServer; file: { saveTo(path: string): Promise<number> } },
    reason: string,
  ): Promise<DownloadError> {
    const error = await failure(started.file.saveTo(path), DownloadError);
    assert.equal(error.reason, reason);
    assert.deepEqual(await readdir(folder), []);
    await until(() => started.server.connections() === 0);
    return error;
  }

  it('A download saves 5 MB unchanged, with progress, and leaves only the final file', async () => {
    const bytes = reportBytes(5 * 1024 * 1024);
    const { file } = await start((_, response) => {
      response.writeHead(200, {
        ...csv,
        'Content-Length': bytes.length,
        'Content-Disposition': 'attachment; filename="export.csv"',
      });
      response.end(bytes);
    });
    assert.deepEqual([file.fileName, file.total], ['export.csv', bytes.length]);
    const progress: DownloadProgress[] = [];
    const length = await file.saveTo(path, { onProgress: (value) => progress.push(value) });
    assert.equal(length, bytes.length);
    const hash = (data: Buffer) => createHash('sha256').update(data).digest('hex');
    assert.equal(hash(await readFile(path)), hash(bytes));
    assert.deepEqual(await readdir(folder), ['report.csv']);
    // Windows has no such modes.
    assert.equal((await stat(path)).mode & 0o777, process.platform === 'win32' ? 0o666 : 0o600);
    assert.deepEqual(progress.at(-1), { received: bytes.length, total: bytes.length });
    assert.ok(progress.length < 30, String(progress.length));
  });

  it('A download requests an uncompressed body, and decodes a compressed one nevertheless', async () => {
    const text = 'a,b\n'.repeat(1000);
    const { server, file } = await start((_, response) => {
      response.writeHead(200, { ...csv, 'Content-Encoding': 'gzip' });
      response.end(gzipSync(text));
    });
    assert.equal(server.requests[0]?.headers['accept-encoding'], 'identity');
    assert.equal(file.total, undefined);
    await file.saveTo(path);
    assert.equal(await readFile(path, 'utf8'), text);
  });

  it('A download saves a body of 400,000 chunks', async () => {
    const pieces = 400_000;
    const { file } = await start((_, response) => {
      response.socket?.end(
        'HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n' +
          `Connection: close\r\n\r\n${'1\r\na\r\n'.repeat(pieces)}0\r\n\r\n`,
      );
    });
    assert.equal(await file.saveTo(path), pieces);
    assert.equal((await readFile(path, 'latin1')).replaceAll('a', ''), '');
  });

  it('A download fails when the body is shorter than its Content-Length', async () => {
    const error = await cut(
      await start((_, response) => {
        response.writeHead(200, { ...csv, 'Content-Length': '100' });
        response.write('x'.repeat(50), () => response.destroy());
      }),
      'truncated',
    );
    assert.match(error.message, /50 of 100/);
  });

  it('A download fails when a chunked body has no end', async () => {
    await cut(
      await start((_, response) => {
        response.writeHead(200, csv);
        response.write('x'.repeat(50), () => response.destroy());
      }),
      'truncated',
    );
  });

  it('A download fails when a gzip body is truncated', async () => {
    const { file } = await start((_, response) => {
      const coded = gzipSync(reportBytes(100_000));
      response.writeHead(200, { ...csv, 'Content-Encoding': 'gzip' });
      response.end(coded.subarray(0, 90_000));
    });
    await failure(file.saveTo(path), ProtocolError);
    assert.deepEqual(await readdir(folder), []);
  });

  it('A download is refused before the body is read when the Content-Length exceeds the maximum', async () => {
    await cut(
      await start(
        (_, response) => {
          response.writeHead(200, { ...csv, 'Content-Length': String(10 * 1024 ** 3) });
          response.write('x');
        },
        { maxReportBytes: 1024 ** 3 },
      ),
      'tooLarge',
    );
  });

  const endless: Handler = (_, response) => {
    response.writeHead(200, csv);
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  };

  it('A download ends at the maximum size when the body is endless', async () => {
    await cut(await start(endless, { maxReportBytes: 1024 * 1024 }), 'tooLarge');
  });

  it('A download applies the maximum size to the decoded bytes of a gzip bomb', async () => {
    const { file } = await start(
      (_, response) => {
        response.writeHead(200, { ...csv, 'Content-Encoding': 'gzip' });
        response.end(gzipSync(Buffer.alloc(20 * 1024 * 1024)));
      },
      { maxReportBytes: 1024 * 1024 },
    );
    assert.equal((await failure(file.saveTo(path), DownloadError)).reason, 'tooLarge');
    assert.deepEqual(await readdir(folder), []);
  });

  it('A download never replaces an existing file, and does not read the body for it', async () => {
    await writeFile(path, 'mine');
    const { server, file } = await start(endless);
    assert.equal((await failure(file.saveTo(path), FileError)).reason, 'exists');
    assert.equal(await readFile(path, 'utf8'), 'mine');
    assert.deepEqual(await readdir(folder), ['report.csv']);
    await until(() => server.connections() === 0);
  });

  it('A download does not replace a file that is created in the meantime', async () => {
    const { file } = await start((_, response) => {
      response.writeHead(200, { ...csv, 'Content-Length': '4' });
      response.write('ab');
      const wait = setInterval(() => {
        if (existsSync(`${path}.part`)) {
          clearInterval(wait);
          void writeFile(path, 'mine').then(() => response.end('cd'));
        }
      }, 1);
    });
    assert.equal((await failure(file.saveTo(path), FileError)).reason, 'exists');
    assert.equal(await readFile(path, 'utf8'), 'mine');
    assert.deepEqual(await readdir(folder), ['report.csv']);
  });

  it('A download does not touch the part of another download', async () => {
    await writeFile(`${path}.part`, 'theirs');
    const { file } = await start((_, response) => {
      sendText(response, 200, 'a,b\n', csv);
    });
    assert.equal((await failure(file.saveTo(path), FileError)).reason, 'exists');
    assert.equal(await readFile(`${path}.part`, 'utf8'), 'theirs');
    assert.deepEqual(await readdir(folder), ['report.csv.part']);
  });

  it('A download fails with notWritable when its folder is not a folder', async () => {
    await writeFile(join(folder, 'file'), '');
    const { file, server } = await start(endless);
    const error = await failure(file.saveTo(join(folder, 'file', 'x.csv')), FileError);
    assert.equal(error.reason, 'notWritable');
    await until(() => server.connections() === 0);
  });

  for (const [code, reason] of [
    ['ENOSPC', 'noSpace'],
    ['EDQUOT', 'noSpace'],
    ['EACCES', 'notWritable'],
    ['EROFS', 'notWritable'],
    ['EEXIST', 'exists'],
    ['EFBIG', 'tooLarge'],
    ['EIO', 'io'],
    [undefined, 'io'],
  ] as const) {
    it(`A download maps ${code ?? 'no code'} of the disk to "${reason}"`, () => {
      assert.equal(toFileError(code).reason, reason);
    });
  }

  it('A download closes the connection and leaves no file when it is cancelled', async () => {
    const { server, file } = await start(endless);
    const controller = new AbortController();
    const saved = file.saveTo(path, {
      signal: controller.signal,
      onProgress: () => {
        controller.abort();
      },
    });
    await failure(saved, CancelledError);
    assert.deepEqual(await readdir(folder), []);
    await until(() => server.connections() === 0);
  });

  it('A download closes the connection when it is cancelled before it starts, or discarded', async () => {
    const first = await start(endless);
    const signal = AbortSignal.abort();
    await failure(first.file.saveTo(path, { signal }), CancelledError);
    const second = await start(endless);
    second.file.discard();
    await failure(second.file.saveTo(path), CancelledError);
    await until(() => first.server.connections() + second.server.connections() === 0);
    assert.deepEqual(await readdir(folder), []);
  });

  it('A download is cancelled by the signal of the request, and by the dispose of the client', async () => {
    for (const end of ['signal', 'dispose'] as const) {
      const server = await harness.serve(endless);
      const client = harness.client(server.baseUrl);
      const controller = new AbortController();
      const answer = await client.fetchReport('/r/1', { signal: controller.signal });
      assert.ok(answer.type === 'file');
      const onProgress = () => {
        if (end === 'signal') {
          controller.abort();
        } else {
          client.dispose();
        }
      };
      await failure(answer.file.saveTo(path, { onProgress }), CancelledError);
      await until(() => server.connections() === 0);
    }
  });

  it('A download times out and leaves no file when the body stalls', async () => {
    const { server, file } = await start(
      (_, response) => {
        response.writeHead(200, csv);
        response.write('a');
      },
      { requestTimeoutMs: 500 },
    );
    await failure(file.saveTo(path), TimeoutError);
    assert.deepEqual(await readdir(folder), []);
    await until(() => server.connections() === 0);
  });

  it('A download reports the length 0 for an empty report', async () => {
    const { file } = await start((_, response) => {
      sendText(response, 200, '', { ...csv, 'Content-Length': '0' });
    });
    assert.equal(file.total, 0);
    assert.equal(await file.saveTo(path), 0);
  });

  it('A download uses no place in the request queue', async () => {
    const server = await harness.serve(endless);
    const client = harness.client(server.baseUrl);
    for (let number = 0; number < 8; number += 1) {
      const answer = await client.fetchReport(`/r/${number}`);
      assert.ok(answer.type === 'file');
    }
    assert.equal(server.requests.length, 8);
  });
});

import assert from 'node:assert/strict';
import { existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { CancelledError } from '../../../../src/base/cancelledError';
import { DownloadError, ProtocolError, TimeoutError } from '../../../../src/api/http/errors';
import type { ReportFile } from '../../../../src/api/download/download';
import type { DownloadProgress, Resume } from '../../../../src/api/types';
import {
  type BodyFault,
  type FaultServer,
  type RangeFault,
  reportBytes,
  type Step,
  type Version,
} from '../../../helpers/faultServer';
import { Gate } from '../../service/findings/support';
import { Harness, failure, until } from '../support';
import { sendText } from '../../../helpers/testServer';
import { skipInWine } from '../../../helpers/wine';

const size = 300_000;
const half = 150_000;
/** Bytes before the end of a part that are requested again. */
const overlap = 4096;
const date = 'Tue, 17 Jun 2025 12:00:00 GMT';
const old = 'Mon, 16 Jun 2025 12:00:00 GMT';
/** 59 s before `date`. */
const young = 'Tue, 17 Jun 2025 11:59:01 GMT';

describe('An interrupted download', () => {
  const harness = new Harness();
  const first: Version = { bytes: reportBytes(size), etag: '"one"' };
  const second: Version = { bytes: reportBytes(size), etag: '"two"' };
  let folder: string;
  let path: string;
  let server: FaultServer;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'resume-'));
    path = join(folder, 'report.csv');
    server = await harness.serveFaults();
  });
  afterEach(async () => {
    await harness.close();
    await rm(folder, { recursive: true });
  });

  async function fetchFile(resume?: Resume, options = {}): Promise<ReportFile> {
    const answer = await harness.client(server.baseUrl, options).fetchReport('/r', { resume });
    assert.ok(answer.type === 'file');
    return answer.file;
  }

  /** Downloads half of a version and loses the connection once that has been written. */
  async function broken(version: Version, step: Partial<Step & { do: 'serve' }> = {}) {
    const cut = new Gate();
    server.script('/r', {
      do: 'serve',
      version,
      ...step,
      fault: { after: half, how: 'close', when: cut.promise, ...step.fault },
    });
    const file = await fetchFile();
    const saved = file.saveTo(path, { keepPart: true });
    saved.catch(() => undefined);
    await until(() => existsSync(`${path}.part`) && statSync(`${path}.part`).size === half);
    cut.open();
    await failure(saved, DownloadError);
    return file;
  }

  /** Saves half of `first`. */
  async function halfSaved(version = first): Promise<Resume> {
    const file = await broken(version);
    assert.ok(file.version);
    return { ...file.version, offset: half };
  }

  async function assertWhole({ bytes }: Version): Promise<void> {
    assert.ok(bytes.equals(await readFile(path)));
    assert.deepEqual(await readdir(folder), ['report.csv']);
  }

  it('An interrupted download resumes with Range and If-Range where it stopped, with a strong ETag', async () => {
    const resume = await halfSaved();
    assert.deepEqual(resume, {
      validator: '"one"',
      total: size,
      mediaType: 'text/csv',
      offset: half,
    });
    server.script('/r', { do: 'serve', version: first });
    const file = await fetchFile(resume);
    assert.deepEqual([file.resumedFrom, file.total], [half, size]);
    const progress: DownloadProgress[] = [];
    const saved = file.saveTo(path, { onProgress: (value) => progress.push(value) });
    assert.equal(await saved, size);
    await assertWhole(first);
    const [, request] = server.requests;
    assert.equal(request?.headers.range, `bytes=${half - overlap}-`);
    assert.equal(request.headers['if-range'], '"one"');
    assert.equal(server.requests.length, 2);
    assert.ok(progress.every(({ received }) => received > half));
    assert.deepEqual(progress.at(-1), { received: size, total: size });
  });

  it('An interrupted download resumes with a strong Last-Modified when there is no ETag', async () => {
    const version = { bytes: first.bytes, lastModified: old, date };
    const resume = await halfSaved(version);
    server.script('/r', { do: 'serve', version });
    await (await fetchFile(resume)).saveTo(path);
    await assertWhole(first);
    assert.equal(server.requests[1]?.headers['if-range'], old);
  });

  it('An interrupted download resumes when the length is unknown, and gets it from Content-Range', async () => {
    const file = await broken(first, { framing: 'chunked' });
    assert.deepEqual(file.version, { validator: '"one"', mediaType: 'text/csv' });
    server.script('/r', { do: 'serve', version: first, framing: 'chunked' });
    const rest = await fetchFile({ validator: '"one"', offset: half });
    assert.deepEqual([rest.resumedFrom, rest.total], [half, size]);
    await rest.saveTo(path);
    await assertWhole(first);
  });

  for (const [what, version, coding] of [
    ['a weak ETag', { etag: 'W/"one"' }],
    ['an ETag without quotes', { etag: 'one' }],
    ['an ETag with a blank', { etag: '"o ne"' }],
    ['an empty ETag', { etag: '""' }],
    ['two ETags', { etag: '"one", "two"' }],
    ['a weak ETag and a strong date', { etag: 'W/"one"', lastModified: old, date }],
    ['a Last-Modified less than a minute old', { lastModified: young, date }],
    ['a Last-Modified that is no date', { lastModified: 'yesterday', date }],
    ['no validator', {}],
    ['a coded body', { etag: '"one"' }, 'gzip'],
  ] as [string, Partial<Version>, 'gzip'?][]) {
    it(`An interrupted download keeps no part for ${what}`, async () => {
      server.script('/r', {
        do: 'serve',
        version: { bytes: first.bytes, ...version },
        ...(coding && { coding }),
        fault: { after: half, how: 'close' },
      });
      const file = await fetchFile();
      assert.equal(file.version, undefined);
      await assert.rejects(file.saveTo(path, { keepPart: true }));
      assert.deepEqual(await readdir(folder), []);
    });
  }

  it('An interrupted download is complete when the part is as long as the report and ends like it', async () => {
    for (const [etag, total] of [
      ['"one"', undefined],
      ['"one"', size],
    ] as const) {
      await writeFile(`${path}.part`, first.bytes);
      server.script('/r', { do: 'serve', version: { bytes: first.bytes, etag } });
      const file = await fetchFile({
        validator: '"one"',
        offset: size,
        ...(total === undefined ? {} : { total }),
      });
      assert.equal(file.resumedFrom, size);
      assert.equal(await file.saveTo(path), size);
      await assertWhole(first);
      await rm(path);
    }
    assert.equal(server.requests.length, 2);
  });

  for (const [what, version, offset, total] of [
    ['a part longer than the report', first, size + overlap + 1, undefined],
    ['a part as long as the report', first, size, size],
    ['a part shorter than the report', first, half, size],
    ['another ETag', second, size, size],
    ['a weak ETag', { ...first, etag: 'W/"one"' }, size, size],
    ['no validator and a length never told', { bytes: first.bytes }, size, undefined],
    ['another length than was told', { bytes: first.bytes }, size, size + 1],
  ] as [string, Version, number, number | undefined][]) {
    it(`An interrupted download starts over after a 416 for ${what}`, async () => {
      server.script('/r', { do: 'serve', version, range: 'refused' });
      const file = await fetchFile({
        validator: '"one"',
        offset,
        ...(total === undefined ? {} : { total }),
      });
      assert.equal(file.resumedFrom, 0);
      await file.saveTo(path);
      await assertWhole(version);
      assert.deepEqual(
        server.requests.map(({ headers }) => headers.range),
        [`bytes=${offset - overlap}-`, undefined],
      );
    });
  }

  for (const [range, version, requests] of [
    [undefined, second, 1],
    ['ignored', { ...first, etag: 'W/"one"' }, 1],
    ['ignored', second, 1],
    ['ifRangeIgnored', second, 2],
    ['late', first, 2],
    ['noContentRange', first, 2],
    ['otherTotal', first, 2],
    ['noValidator', first, 2],
    ['multipart', first, 2],
    ['gzip', first, 2],
    ['refused', first, 2],
  ] as [RangeFault | undefined, Version, number][]) {
    it(`An interrupted download starts over, without splicing, when the range is ${range ?? 'of another version'}`, async () => {
      const resume = await halfSaved();
      server.script('/r', { do: 'serve', version, ...(range && { range }) });
      const file = await fetchFile(resume);
      assert.equal(file.resumedFrom, 0);
      rmSync(`${path}.part`);
      await file.saveTo(path);
      await assertWhole(version);
      assert.equal(server.requests.length - 1, requests);
    });
  }

  it('An interrupted download resumes with a range that begins with bytes that are saved already', async () => {
    const resume = await halfSaved();
    server.script('/r', { do: 'serve', version: first, range: 'early' });
    const file = await fetchFile(resume);
    assert.equal(file.resumedFrom, half);
    await file.saveTo(path);
    await assertWhole(first);
    assert.equal(server.requests.length, 2);
  });

  it('An interrupted download resumes with a range of unknown length only if the length is known', async () => {
    const resume = await halfSaved();
    const { total, ...without } = resume;
    assert.equal(total, size);
    server.script('/r', { do: 'serve', version: first, range: 'unknownTotal' });
    const whole = await fetchFile(without);
    assert.equal(whole.resumedFrom, 0);
    whole.discard();
    const file = await fetchFile(resume);
    assert.deepEqual([file.resumedFrom, file.total], [half, size]);
    await file.saveTo(path);
    await assertWhole(first);
  });

  it('An interrupted download does not take the end of a range of unknown length for that of the report', async () => {
    const text = 'a,b\n'.repeat(size / 4);
    const resume = await halfSaved({ ...first, bytes: Buffer.from(text) });
    server.script('/r', {
      do: 'answer',
      status: 206,
      headers: {
        'Content-Type': 'text/csv',
        ETag: '"one"',
        'Content-Range': `bytes ${half - overlap}-${size - 2}/*`,
      },
      body: text.slice(half - overlap, size - 1),
    });
    const file = await fetchFile(resume);
    const error = await failure(file.saveTo(path, { keepPart: true }), DownloadError);
    assert.equal(error.reason, 'truncated');
  });

  it('An interrupted download leaves out what is saved of the same version that is sent as a whole', async () => {
    const resume = await halfSaved();
    server.script('/r', { do: 'serve', version: first, range: 'ignored' });
    const file = await fetchFile(resume);
    assert.deepEqual([file.resumedFrom, file.total], [half, size]);
    await file.saveTo(path);
    await assertWhole(first);
    assert.equal(server.requests.length, 2);
  });

  it('An interrupted download keeps what is saved when the same version is sent as a whole and breaks off earlier', async () => {
    const resume = await halfSaved();
    const fault = { after: half / 2, how: 'close' } as const;
    server.script('/r', { do: 'serve', version: first, range: 'ignored', fault });
    const saved = (await fetchFile(resume)).saveTo(path, { keepPart: true });
    assert.equal((await failure(saved, DownloadError)).reason, 'truncated');
    assert.ok(first.bytes.subarray(0, half).equals(await readFile(`${path}.part`)));
  });

  it('An interrupted download resumes by Last-Modified when the 206 leaves it out', async () => {
    const version = { bytes: first.bytes, lastModified: old, date };
    const resume = await halfSaved(version);
    server.script('/r', { do: 'serve', version, range: 'noValidator' });
    const file = await fetchFile(resume);
    assert.equal(file.resumedFrom, half);
    await file.saveTo(path);
    await assertWhole(first);
  });

  it('An interrupted download keeps what is saved when a 206 without Last-Modified breaks off', async () => {
    const version = { bytes: first.bytes, lastModified: old, date };
    const resume = await halfSaved(version);
    const fault = { after: 50_000, how: 'close' } as const;
    server.script('/r', { do: 'serve', version, range: 'noValidator', fault });
    const saved = (await fetchFile(resume)).saveTo(path, { keepPart: true });
    assert.equal((await failure(saved, DownloadError)).reason, 'truncated');
    assert.equal(statSync(`${path}.part`).size, half - overlap + 50_000);
  });

  it('An interrupted download keeps the saved bytes when the response has another media type', async () => {
    const resume = await halfSaved();
    const pages = await harness.serve((_, response) => {
      sendText(response, 200, 'severity\nhigh\n', { 'Content-Type': 'application/x-ndjson' });
    });
    const client = harness.client(pages.baseUrl);
    const error = await failure(client.fetchReport('/r', { resume }), ProtocolError);
    assert.match(error.message, /"application\/x-ndjson" instead of .*"text\/csv"/);
  });

  it('An interrupted download starts over when the Content-Length does not fit the range', async () => {
    const resume = await halfSaved();
    server.script('/r', { do: 'serve', version: first, contentLength: half - 1 });
    const file = await fetchFile(resume);
    assert.equal(file.resumedFrom, 0);
    file.discard();
  });

  it('An interrupted download keeps half of the requested range, and requests the rest later', async () => {
    const resume = await halfSaved();
    server.script('/r', { do: 'serve', version: first, range: 'half' });
    const more = (await fetchFile(resume)).saveTo(path, { keepPart: true });
    assert.equal((await failure(more, DownloadError)).reason, 'truncated');
    const offset = statSync(`${path}.part`).size;
    assert.equal(offset, half - overlap + (half + overlap) / 2);
    server.script('/r', { do: 'serve', version: first });
    await (await fetchFile({ ...resume, offset })).saveTo(path);
    await assertWhole(first);
  });

  it('An interrupted download requests few bytes twice, even when it is interrupted again and again', async () => {
    const { version } = await broken(first);
    for (let offset = half; offset < size; offset += 50_000 - overlap) {
      const cut = new Gate();
      server.script('/r', {
        do: 'serve',
        version: first,
        fault: { after: 50_000, how: 'reset', when: cut.promise },
      });
      const saved = (await fetchFile({ validator: '"one"', ...version, offset })).saveTo(path, {
        keepPart: true,
      });
      saved.catch(() => undefined);
      const reached = Math.min(size, offset + 50_000 - overlap);
      await until(() => reached === size || statSync(`${path}.part`).size === reached);
      cut.open();
      if (reached < size) {
        await failure(saved, DownloadError);
      } else {
        await saved;
      }
    }
    await assertWhole(first);
  });

  for (const [how, reason] of [
    ['close', DownloadError],
    ['reset', DownloadError],
    ['stall', TimeoutError],
  ] as [BodyFault['how'], new (...args: never[]) => DownloadError | TimeoutError][]) {
    it(`An interrupted download keeps the part after a ${how} only when the caller wants it`, async () => {
      for (const keepPart of [true, false]) {
        server.script('/r', { do: 'serve', version: first, fault: { after: half, how } });
        const file = await fetchFile(undefined, { requestTimeoutMs: 1_000 });
        await failure(file.saveTo(path, { keepPart }), reason);
        assert.deepEqual(await readdir(folder), keepPart ? ['report.csv.part'] : []);
        await rm(`${path}.part`, { force: true });
      }
    });
  }

  it('An interrupted download keeps the bytes that arrived before the connection ended, even if nothing had read them', async () => {
    const few = 10_000;
    server.script('/r', { do: 'serve', version: first, fault: { after: few, how: 'close' } });
    const file = await fetchFile();
    await until(() => server.connections() === 0);
    // The client is in this process: the end of the connection reaches it some iterations later.
    for (let round = 0; round < 50; round += 1) {
      await setImmediate();
    }
    const error = await failure(file.saveTo(path, { keepPart: true }), DownloadError);
    assert.equal(error.reason, 'truncated');
    assert.ok(first.bytes.subarray(0, few).equals(await readFile(`${path}.part`)));
  });

  it('An interrupted download keeps the part when it is cancelled, if the caller wants it', async () => {
    server.script('/r', { do: 'serve', version: first, fault: { after: half, how: 'stall' } });
    const controller = new AbortController();
    const file = await fetchFile();
    const saved = file.saveTo(path, { keepPart: true, signal: controller.signal });
    await until(() => existsSync(`${path}.part`) && statSync(`${path}.part`).size === half);
    controller.abort();
    await failure(saved, CancelledError);
    assert.ok(first.bytes.subarray(0, half).equals(await readFile(`${path}.part`)));
    await until(() => server.connections() === 0);
  });

  it('An interrupted download keeps only whole chunks when a chunk is garbled', async () => {
    server.script('/r', {
      do: 'serve',
      version: first,
      framing: 'chunked',
      fault: { after: half, how: 'garble' },
    });
    const error = await failure(
      (await fetchFile()).saveTo(path, { keepPart: true }),
      DownloadError,
    );
    assert.equal(error.reason, 'truncated');
    const part = await readFile(`${path}.part`);
    assert.ok(part.length <= half && first.bytes.subarray(0, part.length).equals(part));
    assert.deepEqual(await readdir(folder), ['report.csv.part']);
  });

  it('An interrupted download fails with a ProtocolError and keeps nothing when the body is longer than the range', async () => {
    await writeFile(`${path}.part`, 'ab');
    server.script('/r', {
      do: 'answer',
      status: 206,
      headers: { ETag: '"one"', 'Content-Range': 'bytes 0-3/4', 'Transfer-Encoding': 'chunked' },
      body: 'abcde',
    });
    const file = await fetchFile({ validator: '"one"', offset: 2 });
    assert.equal(file.resumedFrom, 2);
    await failure(file.saveTo(path, { keepPart: true }), ProtocolError);
    assert.deepEqual(await readdir(folder), []);
  });

  it('An interrupted download fails with a ProtocolError for a 206 without a Range request', async () => {
    server.script('/r', {
      do: 'answer',
      status: 206,
      headers: { 'Content-Type': 'text/csv', 'Content-Range': 'bytes 0-1/4' },
      body: 'ab',
    });
    await failure(fetchFile(), ProtocolError);
  });

  it('An interrupted download fails with partChanged when the part has changed or is gone, and leaves it alone', async () => {
    const resume = await halfSaved();
    for (const content of ['changed', undefined]) {
      await rm(`${path}.part`);
      if (content !== undefined) {
        await writeFile(`${path}.part`, content);
      }
      server.script('/r', { do: 'serve', version: first });
      const error = await failure((await fetchFile(resume)).saveTo(path), DownloadError);
      assert.equal(error.reason, 'partChanged');
      assert.deepEqual(await readdir(folder), content === undefined ? [] : ['report.csv.part']);
      await writeFile(`${path}.part`, '');
    }
  });

  for (const [range, what, damage] of [
    [undefined, 'ends with zeros', (bytes: Buffer) => bytes.fill(0, bytes.length - 20_000)],
    [undefined, 'is another file', (bytes: Buffer) => reportBytes(bytes.length)],
    [undefined, 'is a longer file', (bytes: Buffer) => reportBytes(bytes.length + 1_000)],
    ['ignored', 'begins with zeros', (bytes: Buffer) => bytes.fill(0, 0, 10)],
  ] as const) {
    it(`An interrupted download fails with partChanged when its part ${what}`, async () => {
      const resume = await halfSaved();
      const part = await readFile(`${path}.part`);
      await writeFile(`${path}.part`, damage(part));
      server.script('/r', { do: 'serve', version: first, ...(range && { range }) });
      const error = await failure((await fetchFile(resume)).saveTo(path), DownloadError);
      assert.equal(error.reason, 'partChanged');
      assert.deepEqual(await readdir(folder), ['report.csv.part']);
    });
  }

  it('An interrupted download drops the bytes of its part that were not synced', async () => {
    const resume = await halfSaved();
    const offset = half - 10_000;
    await writeFile(
      `${path}.part`,
      Buffer.concat([first.bytes.subarray(0, offset), Buffer.alloc(size)]),
    );
    server.script('/r', { do: 'serve', version: first });
    await (await fetchFile({ ...resume, offset })).saveTo(path);
    await assertWhole(first);
  });

  it('An interrupted download fails with partChanged when its part is cut while it is written', async () => {
    const cut = new Gate();
    const slow = await harness.serve(async (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/csv', 'Content-Length': String(size) });
      response.write(first.bytes.subarray(0, half));
      await cut.promise;
      response.end(first.bytes.subarray(half));
    });
    const answer = await harness.client(slow.baseUrl).fetchReport('/r');
    assert.ok(answer.type === 'file');
    const saved = answer.file.saveTo(path);
    saved.catch(() => undefined);
    await until(() => existsSync(`${path}.part`) && statSync(`${path}.part`).size === half);
    truncateSync(`${path}.part`, 100);
    cut.open();
    assert.equal((await failure(saved, DownloadError)).reason, 'partChanged');
    assert.ok(!existsSync(path));
  });

  it('An interrupted download fails with partChanged when its part is replaced while it is written', async function () {
    // A file that is removed while it is open keeps its name there.
    skipInWine(this);
    const rest = new Gate();
    const slow = await harness.serve(async (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/csv', 'Content-Length': '4' });
      response.write('a,');
      await rest.promise;
      response.end('b\n');
    });
    const answer = await harness.client(slow.baseUrl).fetchReport('/r');
    assert.ok(answer.type === 'file');
    const saved = answer.file.saveTo(path);
    saved.catch(() => undefined);
    await until(() => existsSync(`${path}.part`));
    await rm(`${path}.part`);
    await writeFile(`${path}.part`, 'theirs');
    rest.open();
    assert.equal((await failure(saved, DownloadError)).reason, 'partChanged');
    assert.equal(await readFile(`${path}.part`, 'utf8'), 'theirs');
    assert.deepEqual(await readdir(folder), ['report.csv.part']);
  });

  it('An interrupted download sends the range along to the storage on a redirect, but not the API key', async () => {
    const resume = await halfSaved();
    const storage = await harness.serveFaults();
    storage.script('/s', { do: 'serve', version: first });
    server.script('/r', { do: 'redirect', to: `${storage.baseUrl}/s?sig=SIGNED` });
    await (await fetchFile(resume)).saveTo(path);
    await assertWhole(first);
    const [request] = storage.requests;
    assert.equal(request?.headers.range, `bytes=${half - overlap}-`);
    assert.equal(request.headers.authorization, undefined);
  });
});

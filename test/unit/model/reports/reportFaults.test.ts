import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { type Disk, localDisk } from '../../../../src/api/disk';
import { AuthError, DownloadError } from '../../../../src/api/errors';
import { localRecordDisk } from '../../../../src/model/reports/recordDisk';
import { perform, type Step, type Version } from '../../../helpers/faultServer';
import { sendJson, sendText } from '../../../helpers/testServer';
import { fullReport, rejection, ReportBench, sendFile, sendPending } from './bench';

const minute = 60_000;
const version: Version = {
  bytes: randomBytes(200_000),
  etag: '"one"',
  headers: { 'Content-Disposition': 'attachment; filename="report.csv"' },
};

describe('A report outlives', () => {
  let bench: ReportBench;

  beforeEach(async () => {
    bench = new ReportBench();
    await bench.start();
  });
  afterEach(() => bench.cleanup.run());

  function full(): never {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' });
  }

  it('a service that is gone for an hour while it is made', async () => {
    const from = bench.clock.now();
    bench.onPoll = (response) => {
      if (bench.clock.now() < from + minute) {
        sendPending(response);
      } else if (bench.clock.now() < from + 61 * minute) {
        response.destroy();
      } else {
        sendFile(response, 'x');
      }
    };
    const { reports } = bench.window();
    const finished = await bench.run(reports.start(fullReport).done);
    assert.equal(finished.state, 'ready');
    assert.equal(bench.posts, 1);
    assert.ok(bench.clock.now() - from < 65 * minute);
  });

  it('a network that is cut within the download, and gone for an hour', async () => {
    const half: Step = { do: 'serve', version, fault: { after: 100_000, how: 'reset' } };
    let cutAt: number | undefined;
    bench.onPoll = (response, _poll, request) => {
      if (cutAt === undefined) {
        cutAt = bench.clock.now();
        perform(half, request, response);
      } else if (bench.clock.now() < cutAt + 60 * minute) {
        response.destroy();
      } else {
        perform({ do: 'serve', version }, request, response);
      }
    };
    const { reports } = bench.window();
    const finished = await bench.run(reports.start(fullReport).done);
    assert.ok(version.bytes.equals(fs.readFileSync(finished.path ?? '')));
    assert.equal(bench.posts, 1);
    assert.deepEqual(bench.files(), ['report.csv']);
  });

  it('a key that is revoked midway: with a new one Retry goes on without a second request', async () => {
    let key = 'Token k1';
    bench.onPoll = (response, poll, request) => {
      if (request.headers.authorization !== key) {
        sendText(response, 401);
      } else if (poll < 4) {
        sendPending(response);
      } else {
        sendFile(response, 'x');
      }
    };
    const { reports, session } = bench.window();
    const { report, done } = reports.start(fullReport);
    await bench.runUntil(() => bench.polls >= 2);
    key = 'Token k2';
    assert.ok((await bench.run(rejection(done))) instanceof AuthError);
    const failed = reports.get(report.id);
    assert.deepEqual([failed.state, failed.error?.code], ['failed', 'auth']);
    session.signIn(bench.server.baseUrl, bench.client('k2'));
    assert.equal((await bench.run(reports.retry(report.id).done)).state, 'ready');
    assert.equal(bench.posts, 1);
  });

  it('a disk that is full within the download: nothing fills it up, and Retry fetches it whole', async () => {
    let room = 100_000;
    const disk: Disk = {
      ...localDisk,
      freeBytes: () => Promise.resolve(undefined),
      open: async (...given) => {
        const file = await localDisk.open(...given);
        const writev = file.writev.bind(file);
        file.writev = ((pieces: Buffer[], position: number) => {
          const bytes = Buffer.concat(pieces).subarray(0, Math.max(0, room - position));
          return bytes.length > 0 ? writev([bytes], position) : Promise.reject(enospc());
        }) as typeof writev;
        return file;
      },
    };
    bench.onPoll = (response, _poll, request) => {
      perform({ do: 'serve', version }, request, response);
    };
    const { reports } = bench.window({ disk });
    const { report, done } = reports.start(fullReport);
    const error = await bench.run(rejection(done));
    assert.ok(error instanceof DownloadError && error.reason === 'noSpace');
    assert.equal(reports.get(report.id).state, 'failed');
    assert.deepEqual(bench.files(), []);
    room = Infinity;
    const finished = await bench.run(reports.retry(report.id).done);
    assert.ok(version.bytes.equals(fs.readFileSync(finished.path ?? '')));
    assert.equal(bench.posts, 1);
    assert.deepEqual(bench.files(), ['report.csv']);
  });

  it('a disk without room for its record: the answer of the service waits for it', async () => {
    let isFull = false;
    const { reports, store } = bench.window({
      records: {
        ...localRecordDisk,
        write: (file, text) => {
          if (isFull) {
            full();
          }
          localRecordDisk.write(file, text);
        },
      },
    });
    bench.onPost = (response) => {
      isFull = true;
      sendJson(response, 200, { report_url: '/made/1' });
    };
    const { report, done } = reports.start(fullReport);
    await bench.runUntil(() => reports.activity(report.id)?.trouble !== undefined);
    assert.equal(bench.onDisk(report.id).unsent, false);
    assert.equal(bench.polls, 0);
    isFull = false;
    assert.equal((await bench.run(done)).state, 'ready');
    assert.equal(bench.posts, 1);
    assert.ok(store.written.some(({ state }) => state === 'generating'));
  });

  it('a disk without room before it is sent: it is not sent, and goes on when there is room', async () => {
    let isFull = false;
    const { reports } = bench.window({
      records: {
        ...localRecordDisk,
        sync: (file) => {
          if (isFull) {
            full();
          }
          localRecordDisk.sync(file);
        },
      },
    });
    const { report, done } = reports.start(fullReport);
    isFull = true;
    const error = await bench.run(rejection(done));
    assert.ok(error instanceof DownloadError && error.reason === 'noSpace');
    assert.equal(bench.onDisk(report.id).unsent, true);
    assert.equal(bench.posts, 0);
    isFull = false;
    assert.equal((await bench.run(reports.retry(report.id).done)).state, 'ready');
    assert.equal(bench.posts, 1);
  });

  it('a storage that cannot be written: nothing is asked for that could not be kept', () => {
    fs.writeFileSync(bench.records, 'a file stands there');
    const { reports } = bench.window();
    assert.throws(
      () => reports.start(fullReport),
      (error) => error instanceof DownloadError && error.reason === 'notWritable',
    );
    assert.equal(bench.posts, 0);
    assert.notEqual(reports.problem, undefined);
  });

  it('a jump of the clock, forth and back, in the middle of the wait', async () => {
    bench.onPoll = (response, poll) => {
      if (poll === 2) {
        bench.clock.jump(86_400_000);
      } else if (poll === 4) {
        bench.clock.jump(-86_400_000);
      }
      if (poll < 7) {
        sendPending(response);
      } else {
        sendFile(response, 'x');
      }
    };
    const { reports } = bench.window();
    assert.equal((await bench.run(reports.start(fullReport).done)).state, 'ready');
    assert.deepEqual([bench.posts, bench.polls], [1, 7]);
  });
});

function enospc(): Error {
  return Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' });
}

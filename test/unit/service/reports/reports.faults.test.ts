import { FileError } from '../../../../src/files/fileError';
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import type { ServerResponse } from 'node:http';
import * as path from 'node:path';
import { type Disk, localDisk } from '../../../../src/files/disk';
import { silentLogger } from '../../../../src/base/logger';
import { localSyncDisk } from '../../../../src/files/syncDisk';
import { AuthError, NetworkError } from '../../../../src/api/http/errors';
import type { StoredReport } from '../../../../src/service/reports/storedReport';
import { perform, reportBytes, type Step, type Version } from '../../../helpers/faultServer';
import { printTable } from '../../../helpers/table';
import { sendJson, sendText } from '../../../helpers/testServer';
import { skipInWine } from '../../../helpers/wine';
import { Gate } from '../findings/support';
import { beginFile, fullReport, rejection, ReportHarness, sendFile, sendPending } from './harness';

const minute = 60_000;
const version: Version = {
  bytes: reportBytes(200_000),
  etag: '"one"',
  headers: { 'Content-Disposition': 'attachment; filename="report.csv"' },
};
const whole: Step = { do: 'serve', version };
const half: Step = { ...whole, fault: { after: 100_000, how: 'reset' } };

describe('A report', () => {
  let bench: ReportHarness;
  const rows: string[][] = [];

  beforeEach(async () => {
    bench = new ReportHarness();
    await bench.start();
  });
  afterEach(() => bench.cleanup.run());
  after(() => {
    printTable(['Fault', 'POSTs', 'polls', 'file', 'state'], rows);
  });

  function assertWhole(finished: StoredReport): void {
    assert.ok(version.bytes.equals(fs.readFileSync(finished.path ?? '')));
    assert.deepEqual([bench.posts, bench.files()], [1, ['report.csv']]);
  }

  /** Adds the outcome of a report to the table, with the last states of its record. */
  function note(fault: string, record: string, finished?: StoredReport): void {
    const file = finished?.path === undefined ? 'none' : 'whole';
    rows.push([fault, String(bench.posts), String(bench.polls), file, record]);
  }

  it('A report becomes ready after the service is gone for an hour during generation', async () => {
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
    const finished = await bench.run((await reports.start(fullReport)).done);
    assert.equal(finished.state, 'ready');
    assert.equal(bench.posts, 1);
    assert.ok(bench.clock.now() - from < 65 * minute);
    note('service gone for an hour, while it is made', 'ready', finished);
  });

  it('A report fails without a second POST when the network is cut before the response', async () => {
    bench.onPost = (response) => response.destroy();
    const { reports } = bench.window();
    const { report, done } = await reports.start(fullReport);
    assert.ok((await bench.run(rejection(done))) instanceof NetworkError);
    const next = bench.window();
    await bench.settle();
    assert.equal(next.reports.get(report.id).state, 'failed');
    assert.deepEqual([bench.posts, bench.polls, bench.files()], [1, 0, []]);
    note('network cut before the answer to the request', 'failed (network)');
  });

  it('A report becomes ready after the network is cut during the download and gone for an hour', async () => {
    let cutAt: number | undefined;
    bench.onPoll = (response, _poll, request) => {
      if (cutAt === undefined) {
        cutAt = bench.clock.now();
        perform(half, request, response);
      } else if (bench.clock.now() < cutAt + 60 * minute) {
        response.destroy();
      } else {
        perform(whole, request, response);
      }
    };
    const { reports } = bench.window();
    const finished = await bench.run((await reports.start(fullReport)).done);
    assertWhole(finished);
    note('network cut within the download, gone for an hour', 'ready', finished);
  });

  it('A report becomes ready, whole, after its record and its file are cut by resets, with no length to show it', async function () {
    // Wine reports a reset of a connection as its end.
    skipInWine(this);
    const neither = { ...whole, framing: 'neither' } as const;
    const record = Buffer.from('{"status":"processing"}');
    const headers = { 'Content-Type': 'application/json' };
    bench.onPoll = (response, poll, request) => {
      const steps: Step[] = [
        { ...neither, version: { bytes: record, headers }, fault: { after: 15, how: 'reset' } },
        { ...neither, fault: { after: 100_000, how: 'reset' } },
      ];
      perform(steps[poll - 1] ?? neither, request, response);
    };
    const { reports } = bench.window();
    const finished = await bench.run((await reports.start(fullReport)).done);
    assertWhole(finished);
    assert.equal(bench.polls, 3);
    note('record and file cut by a reset, without a length', 'ready', finished);
  });

  it('A report fails when its key is revoked, and Retry with a new key sends no second POST', async () => {
    let key = 'Token k1';
    bench.onPoll = (response, poll, request) => {
      if (request.headers.authorization !== key) {
        sendText(response, 401);
      } else if (key === 'Token k1') {
        sendPending(response);
        // Here, because the service would respond to further polls before the test continues.
        key = poll < 2 ? key : 'Token k2';
      } else {
        sendFile(response, 'x');
      }
    };
    const { reports, session } = bench.window();
    const { report, done } = await reports.start(fullReport);
    assert.ok((await bench.run(rejection(done))) instanceof AuthError);
    const failed = reports.get(report.id);
    assert.deepEqual([failed.state, failed.error?.code], ['failed', 'auth']);
    session.signIn(bench.server.baseUrl, bench.client('k2'));
    const finished = await bench.run(reports.retry(report.id).done);
    assert.equal(finished.state, 'ready');
    assert.equal(bench.posts, 1);
    note('key revoked while it is made; a new key, Retry', 'failed (auth), ready', finished);
  });

  it('A report resumes its download on Retry when its key was revoked during the download', async () => {
    const gate = new Gate();
    const cut: Step = { ...whole, fault: { after: 100_000, how: 'close', when: gate.promise } };
    let key = 'Token k1';
    bench.onPoll = (response, _poll, request) => {
      if (request.headers.authorization === key) {
        perform(key === 'Token k1' ? cut : whole, request, response);
        key = 'Token k2';
      } else {
        sendText(response, 401);
      }
    };
    const { reports, session } = bench.window();
    const { report, done } = await reports.start(fullReport);
    const partSize = () => fs.statSync(bench.partOf(report.id), { throwIfNoEntry: false })?.size;
    await bench.runUntil(() => partSize() === 100_000);
    gate.open();
    assert.ok((await bench.run(rejection(done))) instanceof AuthError);
    session.signIn(bench.server.baseUrl, bench.client('k2'));
    const finished = await bench.run(reports.retry(report.id).done);
    assertWhole(finished);
    assert.equal(bench.server.requests.at(-1)?.headers.range, 'bytes=95904-');
    note('key revoked within the download; a new key, Retry', 'failed (auth), ready', finished);
  });

  it('A report fails when the disk gets full during the download, and downloads its file on Retry', async () => {
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
      perform(whole, request, response);
    };
    const { reports } = bench.window({ disk });
    const { report, done } = await reports.start(fullReport);
    const error = await bench.run(rejection(done));
    assert.ok(error instanceof FileError && error.reason === 'noSpace');
    assert.equal(reports.get(report.id).state, 'failed');
    assert.deepEqual(bench.files(), []);
    room = Infinity;
    const finished = await bench.run(reports.retry(report.id).done);
    assertWhole(finished);
    note('disk full after 100,000 bytes; room, Retry', 'failed (download), ready', finished);
  });

  it('A report fails on a full device (/dev/full), and downloads its file on Retry', async function () {
    if (!fs.existsSync('/dev/full')) {
      this.skip();
    }
    let isFull = true;
    const disk: Disk = {
      ...localDisk,
      freeBytes: () => Promise.resolve(undefined),
      open: (file, flags, mode) =>
        isFull && file.endsWith('.part')
          ? localDisk.open('/dev/full', 'w', mode)
          : localDisk.open(file, flags, mode),
    };
    bench.onPoll = (response, _poll, request) => {
      perform(whole, request, response);
    };
    const { reports } = bench.window({ disk });
    const { report, done } = await reports.start(fullReport);
    const error = await bench.run(rejection(done));
    assert.ok(error instanceof FileError && error.reason === 'noSpace');
    assert.deepEqual(bench.files(), []);
    isFull = false;
    const finished = await bench.run(reports.retry(report.id).done);
    assertWhole(finished);
    note('/dev/full instead of its file; room, Retry', 'failed (download), ready', finished);
  });

  it('A report fails in a folder it cannot use, and downloads its file on Retry when the folder is fixed', async () => {
    bench.folder = path.join(bench.root, 'taken');
    fs.writeFileSync(bench.folder, 'a file stands there');
    bench.onPoll = (response, _poll, request) => {
      perform(whole, request, response);
    };
    const { reports } = bench.window();
    const { report, done } = await reports.start(fullReport);
    const error = await bench.run(rejection(done));
    assert.ok(error instanceof FileError && error.reason === 'notWritable');
    assert.equal(fs.readFileSync(bench.folder, 'utf8'), 'a file stands there');
    fs.rmSync(bench.folder);
    const finished = await bench.run(reports.retry(report.id).done);
    assertWhole(finished);
    note('folder that cannot be written; fixed, Retry', 'failed (download), ready', finished);
  });

  it('A report waits until the disk has room to save the response to its POST', async () => {
    let isFull = false;
    const { reports, store } = bench.window({
      records: {
        ...localSyncDisk,
        write: (file, text) => {
          if (isFull) {
            throw enospc();
          }
          localSyncDisk.write(file, text);
        },
      },
    });
    bench.onPost = (response) => {
      isFull = true;
      sendJson(response, 200, { report_url: '/made/1' });
    };
    const { report, done } = await reports.start(fullReport);
    await bench.runUntil(() => reports.activity(report.id)?.lastError !== undefined);
    assert.equal(bench.onDisk(report.id).unsent, false);
    assert.equal(bench.polls, 0);
    isFull = false;
    const finished = await bench.run(done);
    assert.equal(finished.state, 'ready');
    assert.equal(bench.posts, 1);
    assert.ok(store.written.some(({ state }) => state === 'generating'));
    note('disk full as the answer to the request is to be kept', 'ready', finished);
  });

  it('A report is not sent when the disk has no room for its state file, and is sent on Retry', async () => {
    let isFull = false;
    const { reports } = bench.window({
      records: {
        ...localSyncDisk,
        sync: (file) => {
          if (isFull) {
            throw enospc();
          }
          localSyncDisk.sync(file);
        },
      },
    });
    const { report, done } = await reports.start(fullReport);
    isFull = true;
    const error = await bench.run(rejection(done));
    assert.ok(error instanceof FileError && error.reason === 'noSpace');
    assert.equal(bench.onDisk(report.id).unsent, true);
    assert.equal(bench.posts, 0);
    const failure = reports.saveFailure(report.id);
    assert.equal(failure?.error.reason, 'noSpace');
    const waitMs = failure.retryAt - bench.clock.now();
    assert.ok(waitMs > 0 && waitMs <= 30_000, String(waitMs));
    isFull = false;
    const finished = await bench.run(reports.retry(report.id).done);
    assert.equal(finished.state, 'ready');
    assert.equal(reports.saveFailure(report.id), undefined);
    assert.equal(bench.posts, 1);
    note('disk full before the request is sent; room, Retry', 'requested, ready', finished);
  });

  it('A report says why it waits when the disk has no room for its lock, and goes on as soon as there is some', async () => {
    let isFull = true;
    bench.leave({ unsent: true });
    const { reports } = bench.window({
      records: {
        ...localSyncDisk,
        makeFolder: (folder) => {
          if (isFull) {
            throw enospc();
          }
          localSyncDisk.makeFolder(folder);
        },
      },
    });
    await reports.load();
    assert.equal(reports.saveFailure('left')?.error.reason, 'noSpace');
    isFull = false;
    await bench.runUntil(() => reports.get('left').state === 'ready');
    assert.equal(reports.saveFailure('left'), undefined);
    note('disk full as a window starts; room', 'requested, ready', reports.get('left'));
  });

  it('A report keeps its file and downloads nothing again when the disk has no room for the final state file', async () => {
    let isFull = true;
    const { reports } = bench.window({
      records: {
        ...localSyncDisk,
        write: (file, text) => {
          if (isFull && text.includes('"state": "ready"')) {
            throw enospc();
          }
          localSyncDisk.write(file, text);
        },
      },
    });
    bench.onPoll = (response, _poll, request) => {
      perform(whole, request, response);
    };
    const { report, done } = await reports.start(fullReport);
    const error = await bench.run(rejection(done));
    assert.ok(error instanceof FileError && error.reason === 'noSpace');
    assert.equal(bench.onDisk(report.id).state, 'downloading');
    isFull = false;
    const finished = await bench.run(reports.retry(report.id).done);
    assertWhole(finished);
    assert.equal(bench.polls, 1);
    const fault = 'disk full as the end of the download is to be kept; room, Retry';
    note(fault, 'downloading, ready', finished);
  });

  it('A report goes on later when the state file cannot be written once at the start of a download', async () => {
    let fails: (record: string) => boolean;
    const { reports } = bench.window({
      records: {
        ...localSyncDisk,
        write: (file, text) => {
          if (fails(text)) {
            fails = () => false;
            throw enospc();
          }
          localSyncDisk.write(file, text);
        },
      },
    });
    bench.onPoll = (response, _poll, request) => {
      perform(whole, request, response);
    };
    for (const step of ['"state": "downloading"', '"downloadPath"']) {
      fails = (record) => record.includes(step);
      const { report, done } = await reports.start(fullReport);
      const error = await bench.run(rejection(done));
      assert.ok(error instanceof FileError && error.reason === 'noSpace', String(error));
      assert.equal(reports.get(report.id).error, undefined, 'its folder is not to blame');
      const finished = await bench.run(reports.retry(report.id).done);
      assert.equal(finished.state, 'ready');
      await reports.remove(report.id);
    }
    assert.equal(bench.posts, 2);
    note('state not written once, as the download begins; Retry', 'unfinished, ready');
  });

  for (const code of ['ENOSPC', 'EIO']) {
    it(`A report keeps what was downloaded when its count cannot be saved for a moment (${code}), and resumes from there`, async () => {
      let refused = 0;
      const warned: string[] = [];
      const { reports, store } = bench.window({
        logger: { ...silentLogger, warn: (text) => warned.push(text) },
        records: {
          ...localSyncDisk,
          write: (file, text) => {
            if (text.includes('"saved"') && refused === 0) {
              refused += 1;
              throw failureOf(code);
            }
            localSyncDisk.write(file, text);
          },
        },
      });
      bench.onPoll = (response, poll, request) => {
        perform(poll === 1 ? half : whole, request, response);
      };
      const { report, done } = await reports.start(fullReport);
      const finished = await bench.run(done);
      assertWhole(finished);
      assert.equal(refused, 1);
      assert.deepEqual(
        bench.server.requests.slice(1).map(({ headers }) => headers.range),
        [undefined, 'bytes=95904-'],
      );
      const counted = store.written.map(({ partVersion }) => partVersion?.saved);
      assert.ok(counted.includes(100_000), 'the next write has the count');
      const said = warned.filter((text) => text.includes(report.id));
      assert.equal(said.length, 1);
      assert.match(said[0] ?? '', new RegExp(code));
      note(`count of the download not saved once (${code}); cut`, 'ready', finished);
    });
  }

  it('A report is downloaded to its end while the disk has no room for the count of its bytes', async () => {
    let refused = 0;
    const warned: string[] = [];
    const { reports } = bench.window({
      logger: { ...silentLogger, warn: (text) => warned.push(text) },
      records: {
        ...localSyncDisk,
        write: (file, text) => {
          if (text.includes('"saved"')) {
            refused += 1;
            throw enospc();
          }
          localSyncDisk.write(file, text);
        },
      },
    });
    const { bytes } = version;
    let served: ServerResponse | undefined;
    bench.onPoll = (response) => {
      beginFile(response, '', bytes.length, { ETag: '"one"' });
      served = response;
    };
    const { report, done } = await reports.start(fullReport);
    let hasEnded = false as boolean;
    const end = () => {
      hasEnded = true;
    };
    done.then(end, end);
    const partSize = () => fs.statSync(bench.partOf(report.id), { throwIfNoEntry: false })?.size;
    await bench.runUntil(() => hasEnded || (served !== undefined && partSize() === 0));
    let sent = 0;
    while (refused === 0 && !hasEnded) {
      // A part is synced after five seconds, and that is told with the next bytes.
      bench.clock.advance(6_000);
      served?.write(bytes.subarray(sent, (sent += 1_000)));
      await bench.runUntil(() => hasEnded || partSize() === sent);
    }
    served?.end(bytes.subarray(sent));
    const finished = await bench.run(done);
    assertWhole(finished);
    assert.equal(bench.polls, 1);
    assert.equal(warned.length, 1, warned.join());
    note('no room for the count of the download', 'ready', finished);
  });

  it('A report is refused without a POST when the folder of reports cannot be written', async () => {
    fs.writeFileSync(bench.records, 'a file stands there');
    const { reports } = bench.window();
    await assert.rejects(
      () => reports.start(fullReport),
      (error) => error instanceof FileError && error.reason === 'notWritable',
    );
    assert.equal(bench.posts, 0);
    assert.notEqual(reports.problem, undefined);
    note('folder of the state files that cannot be written', 'none: refused');
  });

  it('A report becomes ready when the clock jumps a day ahead and back during polling', async () => {
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
    const finished = await bench.run((await reports.start(fullReport)).done);
    assert.equal(finished.state, 'ready');
    assert.deepEqual([bench.posts, bench.polls], [1, 7]);
    note('clock that jumps a day ahead, and back', 'ready', finished);
  });

  it('A report becomes ready after ten hours of sleep during generation and again during the download', async () => {
    bench.onPoll = (response, poll, request) => {
      if (poll === 3) {
        // The hours pass at once, and the connection is closed when the machine wakes up.
        bench.clock.advance(600 * minute);
        response.destroy();
      } else if (poll < 5) {
        sendPending(response);
      } else if (poll === 5) {
        bench.clock.advance(600 * minute);
        perform(half, request, response);
      } else {
        perform(whole, request, response);
      }
    };
    bench.generationTimeoutMs = 7 * 24 * 60 * minute;
    const { reports } = bench.window();
    const finished = await bench.run((await reports.start(fullReport)).done);
    assertWhole(finished);
    note('sleep of ten hours as it is made and downloaded; timeout of a week', 'ready', finished);
  });

  it('A report takes at most 30 polls for ten minutes of generation, and ends a minute later at most', async () => {
    const readyAt = bench.clock.now() + 10 * minute;
    bench.onPoll = (response) => {
      if (bench.clock.now() < readyAt) {
        sendPending(response);
      } else {
        sendFile(response, 'x');
      }
    };
    const { reports } = bench.window();
    const finished = await bench.run((await reports.start(fullReport)).done);
    assert.equal(bench.posts, 1);
    assert.ok(bench.polls <= 30, `${bench.polls} polls`);
    assert.ok(bench.clock.now() <= readyAt + 61_000);
    note('none: the service makes it in ten minutes', 'ready', finished);
  });
});

function enospc(): Error {
  return failureOf('ENOSPC');
}

function failureOf(code: string): Error {
  return Object.assign(new Error(`${code}: no luck`), { code, syscall: 'write' });
}

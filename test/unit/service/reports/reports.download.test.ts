import { FileError } from '../../../../src/files/fileError';
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { DownloadError, ForbiddenError, ReportFailedError } from '../../../../src/api/http/errors';
import type { StoredReport } from '../../../../src/service/reports/storedReport';
import { perform, reportBytes, type Step, type Version } from '../../../helpers/faultServer';
import { sendText, startTestServer } from '../../../helpers/testServer';
import { until } from '../../api/support';
import { Gate } from '../findings/support';
import { fullReport, rejection, ReportHarness } from './harness';

const size = 300_000;
const half = 150_000;
const version: Version = {
  bytes: reportBytes(size),
  etag: '"one"',
  headers: { 'Content-Disposition': 'attachment; filename="report.csv"' },
};
const whole: Step = { do: 'serve', version };

/** Bytes before the end of a part that are requested again. */
const overlap = 4096;

describe('A report download', () => {
  let bench: ReportHarness;
  /** The response to each poll; the last step repeats. */
  let steps: Step[];

  beforeEach(async () => {
    bench = new ReportHarness();
    bench.onPoll = (response, _number, request) => {
      perform((steps.length > 1 ? steps.shift() : steps[0]) ?? whole, request, response);
    };
    await bench.start();
  });
  afterEach(() => bench.cleanup.run());

  const ranges = () =>
    bench.server.requests
      .filter(({ method }) => method === 'GET')
      .map(({ headers }) => headers.range);

  const partOf = (id: string) => bench.partOf(id);

  const sizeOf = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.size;

  function assertWhole(report: StoredReport): void {
    assert.equal(report.state, 'ready');
    assertSameBytes(report.path);
    assert.deepEqual(bench.files(), ['report.csv']);
  }

  /** Says where a file differs from the report that was served. */
  function assertSameBytes(file = ''): void {
    const [saved, served] = [fs.readFileSync(file), version.bytes];
    const at = saved.findIndex((byte, each) => byte !== served[each]);
    const sizes = { saved: saved.length, served: served.length, differentFrom: at };
    assert.deepEqual(sizes, { saved: served.length, served: served.length, differentFrom: -1 });
  }

  /** A step that serves a number of bytes and breaks when the gate opens. */
  function cutAfter(after: number, gate: Gate): Step {
    return { do: 'serve', version, fault: { after, how: 'close', when: gate.promise } };
  }

  /** A window whose download has stopped with half of the report on disk. */
  async function inTheMiddle() {
    const gate = new Gate();
    steps = [cutAfter(half, gate), whole];
    const window = bench.window();
    const { report, done } = await window.reports.start(fullReport);
    await bench.runUntil(() => sizeOf(partOf(report.id)) === half);
    return { gate, id: report.id, done, ...window };
  }

  it('A report download resumes at the first missing byte after the connection is cut', async () => {
    const { gate, done } = await inTheMiddle();
    gate.open();
    const report = await bench.run(done);
    assertWhole(report);
    assert.deepEqual(ranges(), [undefined, `bytes=${half - overlap}-`]);
    assert.deepEqual([report.partVersion, report.downloadPath], [undefined, undefined]);
  });

  it('A report download reports the number of kept bytes in its error when it fails for good', async () => {
    steps = [
      { do: 'serve', version, fault: { after: half, how: 'close' } },
      { do: 'answer', status: 403 },
    ];
    const window = bench.window();
    const { report, done } = await window.reports.start(fullReport);
    const error = await bench.run(rejection(done));
    assert.ok(error instanceof ForbiddenError);
    assert.equal(error.keptBytes, half);
    assert.equal(sizeOf(partOf(report.id)), half);
  });

  it('A report download starts at the first byte when the report is requested again', async () => {
    steps = [
      { do: 'serve', version, fault: { after: half, how: 'close' } },
      { do: 'answer', status: 403 },
    ];
    const { reports } = bench.window();
    const { report, done } = await reports.start(fullReport);
    await bench.run(rejection(done));
    assert.equal(sizeOf(partOf(report.id)), half);
    const asked = ranges().length;
    steps = [whole];
    assertWhole(await bench.run(reports.retry(report.id, { isNew: true }).done));
    assert.deepEqual(ranges().slice(asked), [undefined]);
    assert.equal(bench.posts, 2);
  });

  it('A report download saves its path, ETag and size to the state file before the first byte arrives', async () => {
    const gate = new Gate();
    steps = [cutAfter(0, gate), whole];
    const { reports } = bench.window();
    const { report, done } = await reports.start(fullReport);
    await bench.runUntil(() => sizeOf(partOf(report.id)) === 0);
    const { state, downloadPath, partVersion } = bench.onDisk(report.id);
    assert.deepEqual(
      [state, downloadPath, partVersion],
      [
        'downloading',
        path.join(bench.records, report.id, 'file', 'report.csv'),
        { validator: '"one"', total: size, mediaType: 'text/csv' },
      ],
    );
    gate.open();
    assertWhole(await bench.run(done));
  });

  it('A report download resumes in the next window after its window is closed', async () => {
    const first = await inTheMiddle();
    const ended = rejection(first.done);
    await bench.kill(first);
    await ended;
    assert.equal(sizeOf(partOf(first.id)), half);
    const { reports } = bench.window();
    await bench.runUntil(() => reports.get(first.id).state === 'ready');
    assertWhole(reports.get(first.id));
    assert.deepEqual(ranges(), [undefined, `bytes=${half - overlap}-`]);
    assert.equal(bench.posts, 1);
  });

  for (const [what, damage] of [
    [
      'is replaced',
      (part: string) => {
        fs.rmSync(part);
        fs.writeFileSync(part, reportBytes(1_000));
      },
    ],
    [
      'is replaced by a longer file',
      (part: string) => {
        fs.rmSync(part);
        fs.writeFileSync(part, reportBytes(half + 1_000));
      },
    ],
    [
      'is cut',
      (part: string) => {
        fs.truncateSync(part, 10);
      },
    ],
    [
      'ends with zeros',
      (part: string) => {
        fs.truncateSync(part, half - 20_000);
        fs.truncateSync(part, half);
      },
    ],
  ] as const) {
    it(`A report download starts over when its part ${what} while it is written, or before it resumes`, async () => {
      const first = await inTheMiddle();
      steps = [{ do: 'serve', version, fault: { after: 20_000, how: 'reset' } }, whole];
      damage(partOf(first.id));
      first.gate.open();
      assertWhole(await bench.run(first.done));
      assert.equal(bench.posts, 1);
      // It would go on with the second one at once.
      await bench.kill(first);

      const second = await inTheMiddle();
      await bench.kill(second);
      await rejection(second.done);
      damage(partOf(second.id));
      steps = [whole];
      const { reports } = bench.window();
      await bench.runUntil(() => reports.get(second.id).state === 'ready');
      assertSameBytes(reports.get(second.id).path);
    });
  }

  it('A report download leaves no file when it is cancelled', async () => {
    const { reports, id } = await inTheMiddle();
    const cancelled = await bench.run(reports.cancel(id));
    assert.deepEqual(
      [cancelled.state, cancelled.downloadPath, cancelled.partVersion],
      ['cancelled', undefined, undefined],
    );
    assert.deepEqual(bench.files(), []);
  });

  it('A report download keeps its partial file when it fails, for Retry to resume or Remove to delete', async () => {
    for (const then of ['retry', 'remove'] as const) {
      const { gate, reports, id, done } = await inTheMiddle();
      steps = [{ do: 'serve', version, fault: { after: 0, how: 'close' } }];
      gate.open();
      assert.ok((await bench.run(rejection(done))) instanceof DownloadError);
      assert.equal(reports.get(id).state, 'failed');
      assert.equal(sizeOf(partOf(id)), half);
      steps = [whole];
      if (then === 'retry') {
        assertWhole(await bench.run(reports.retry(id).done));
        assert.equal(ranges().at(-1), `bytes=${half - overlap}-`);
      }
      await reports.remove(id);
      assert.deepEqual(bench.files(), []);
    }
    assert.equal(bench.posts, 2);
  });

  it('A report download fails, and can be retried, when the file system refuses the part of an earlier run', async () => {
    const { gate, reports, id, done } = await inTheMiddle();
    steps = [{ do: 'serve', version, fault: { after: 0, how: 'close' } }];
    gate.open();
    assert.ok((await bench.run(rejection(done))) instanceof DownloadError);
    assert.ok((await bench.run(rejection(reports.retry(id).done))) instanceof DownloadError);
    // No file can be renamed to a folder.
    const { downloadPath, jobs } = bench.onDisk(id);
    const obstacle = `${downloadPath}.${jobs + 1}.part`;
    fs.mkdirSync(obstacle);
    const error = await bench.run(rejection(reports.retry(id).done));
    assert.ok(error instanceof FileError && error.reason === 'notWritable');
    assert.equal(reports.get(id).state, 'failed');
    fs.rmdirSync(obstacle);
    steps = [whole];
    assertWhole(await bench.run(reports.retry(id).done));
    assert.equal(ranges().at(-1), `bytes=${half - overlap}-`);
    assert.equal(bench.posts, 1);
  });

  it('A report download survives seven cuts as long as each attempt adds bytes', async () => {
    const mebibyte = 1024 * 1024;
    const bytes = reportBytes(8 * mebibyte);
    const served = { ...version, bytes };
    const gates: Gate[] = [];
    bench.onPoll = (response, _number, request) => {
      const gate = new Gate();
      gates.push(gate);
      const again = request.headers.range === undefined ? 0 : overlap;
      const fault = { after: mebibyte + again, how: 'close', when: gate.promise } as const;
      const isLast = request.headers.range === `bytes=${7 * mebibyte - overlap}-`;
      perform({ do: 'serve', version: served, ...(!isLast && { fault }) }, request, response);
    };
    const { reports } = bench.window();
    const { report, done } = await reports.start(fullReport);
    for (let step = 1; step < 8; step += 1) {
      await bench.runUntil(() => sizeOf(partOf(report.id)) === step * mebibyte);
      gates.at(-1)?.open();
    }
    assert.ok(bytes.equals(fs.readFileSync((await bench.run(done)).path ?? '')));
    assert.equal(bench.polls, 8);
  });

  /** Serves so many bytes of what is asked for, and breaks when they are saved. */
  function serveAndBreak(countOf: (start: number) => number): void {
    bench.onPoll = (response, _number, request) => {
      const requested = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0);
      const start = requested === 0 ? 0 : requested + overlap;
      const end = start + countOf(start);
      const gate = new Gate();
      const fault = { after: end - requested, how: 'close', when: gate.promise } as const;
      perform({ do: 'serve', version, ...(end < size && { fault }) }, request, response);
      if (end < size) {
        void until(() => sizeOf(partOf(bench.folders()[0] ?? '')) === end).then(() => {
          gate.open();
        });
      }
    };
  }

  it('A report download goes on for as long as each attempt gets a hundredth of the file further', async () => {
    serveAndBreak(() => size / 20);
    const { reports } = bench.window();
    assertWhole(await bench.run((await reports.start(fullReport)).done));
    assert.equal(bench.polls, 20);
  });

  it('A report download fails after five attempts that get hardly further', async () => {
    serveAndBreak((start) => (start === 0 ? half : 10));
    const { reports } = bench.window();
    const { report, done } = await reports.start(fullReport);
    const error = await bench.run(rejection(done));
    assert.ok(error instanceof DownloadError && error.reason === 'truncated');
    assert.equal(bench.polls, 6);
    assert.equal(sizeOf(partOf(report.id)), half + 5 * 10);
  });

  it('A report download goes on when only the last attempt that is allowed gets further', async () => {
    const hardly = (start: number) => (start < half + 4 * 10 ? 10 : size / 4);
    serveAndBreak((start) => (start === 0 ? half : hardly(start)));
    const { reports } = bench.window();
    assertWhole(await bench.run((await reports.start(fullReport)).done));
    assert.equal(bench.polls, 7);
  });

  it('A report download is polled on when a gateway fails more often than one call repeats it', async () => {
    for (const status of [408, 522]) {
      steps = [...Array.from({ length: 6 }, () => ({ do: 'answer', status }) as const), whole];
      const { reports } = bench.window();
      const polls = bench.polls;
      const { report, done } = await reports.start(fullReport);
      assertWhole(await bench.run(done));
      assert.equal(bench.polls - polls, 7);
      await reports.remove(report.id);
    }
  });

  it('A report download fails after five answers in a row that break off before they show what they are', async () => {
    bench.onPoll = (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '40000' });
      response.write('{"findings":[', () => response.destroy());
    };
    const { reports } = bench.window();
    const error = await bench.run(rejection((await reports.start(fullReport)).done));
    assert.ok(error instanceof DownloadError && error.reason === 'truncated');
    assert.equal(bench.polls, 5);
  });

  it('A report download keeps what is saved, and its address, when the service says that the report has failed', async () => {
    steps = [
      { do: 'serve', version, fault: { after: half, how: 'close' } },
      {
        do: 'answer',
        status: 200,
        headers: { 'Content-Type': 'application/json' },
        body: '{"status":"failed"}',
      },
    ];
    const { reports } = bench.window();
    const { report, done } = await reports.start(fullReport);
    assert.ok((await bench.run(rejection(done))) instanceof ReportFailedError);
    assert.equal(sizeOf(partOf(report.id)), half);
    assert.equal(bench.onDisk(report.id).linkRefused, true);
    steps = [whole];
    assertWhole(await bench.run(reports.retry(report.id).done));
    assert.deepEqual(ranges(), [undefined, `bytes=${half - overlap}-`, `bytes=${half - overlap}-`]);
    assert.equal(bench.posts, 1);
  });

  it('A report download starts over when the ETag has changed', async () => {
    const { gate, done } = await inTheMiddle();
    const bytes = reportBytes(1000);
    steps = [{ do: 'serve', version: { ...version, bytes, etag: '"two"' } }];
    gate.open();
    const { path: file } = await bench.run(done);
    assert.ok(bytes.equals(fs.readFileSync(file ?? '')));
    assert.deepEqual(bench.files(), ['report.csv']);
  });

  it('A report download saves under another name when another file takes its name meanwhile', async () => {
    const { gate, id, done } = await inTheMiddle();
    fs.writeFileSync(path.join(path.dirname(partOf(id)), 'report.csv'), 'mine');
    gate.open();
    const { path: file } = await bench.run(done);
    assert.equal(path.basename(file ?? ''), 'report (2).csv');
    assert.ok(version.bytes.equals(fs.readFileSync(file ?? '')));
    assert.deepEqual(bench.files(), ['report (2).csv', 'report.csv']);
  });

  it('A report download resumes a partial file that an earlier version saved beside the state file', async () => {
    const own = path.join(bench.records, 'left');
    const downloadPath = path.join(own, 'report.csv');
    const partVersion = { validator: '"one"', total: size, saved: half };
    bench.leave({ state: 'downloading', reportUrl: '/made/1', downloadPath, partVersion });
    fs.writeFileSync(`${downloadPath}.3.part`, version.bytes.subarray(0, half));
    steps = [whole];
    const { reports } = bench.window();
    await bench.runUntil(() => reports.get('left').state === 'ready');
    assert.deepEqual(ranges(), [`bytes=${half - overlap}-`]);
    assert.equal(reports.get('left').path, downloadPath);
    assertWhole(await reports.retry('left').done);
    await reports.remove('left');
    assert.equal(fs.existsSync(own), false);
  });

  it('A report download gets a new link when its link has expired, resumes, and sends the storage host no key', async () => {
    const gate = new Gate();
    const valid = ['first', 'second'];
    const storage = await startTestServer((request, response) => {
      const link = request.query.get('sig') ?? '';
      if (!valid.includes(link)) {
        sendText(response, 403, '<Error><Code>AccessDenied</Code></Error>');
      } else {
        perform(link === 'first' ? cutAfter(half, gate) : whole, request, response);
      }
    });
    bench.cleanup.add(() => storage.close());
    const links = ['first', 'stale', 'second'];
    bench.onPoll = (response, number) => {
      const to = `${storage.baseUrl}/x?sig=${links[number - 1] ?? ''}`;
      sendText(response, 302, '', { Location: to });
    };
    const { reports } = bench.window();
    const { report, done } = await reports.start(fullReport);
    await bench.runUntil(() => sizeOf(partOf(report.id)) === half);
    gate.open();
    assertWhole(await bench.run(done));
    assert.deepEqual(
      storage.requests.map(({ headers }) => headers.range),
      [undefined, `bytes=${half - overlap}-`, `bytes=${half - overlap}-`],
    );
    assert.ok(storage.requests.every(({ headers }) => headers.authorization === undefined));
    assert.deepEqual([bench.posts, bench.polls], [1, 3]);
  });

  it('A report download fails as expiredLink when five links are refused', async () => {
    const storage = await startTestServer((_request, response) => {
      sendText(response, 403);
    });
    bench.cleanup.add(() => storage.close());
    bench.onPoll = (response) => {
      sendText(response, 302, '', { Location: `${storage.baseUrl}/x?sig=SIGNED` });
    };
    const { reports } = bench.window();
    const error = await bench.run(rejection((await reports.start(fullReport)).done));
    assert.ok(error instanceof DownloadError && error.reason === 'expiredLink');
    assert.equal(bench.polls, 5);
  });

  it('A report download requests only again what was not synced when its process gets SIGKILL twice', async () => {
    const script = path.join(__dirname, 'report.process.js');
    const children: ChildProcess[] = [];
    bench.cleanup.add(() => {
      children.forEach((child) => {
        child.kill('SIGKILL');
      });
    });
    const start = () => {
      const child = spawn(process.execPath, [script, bench.records, bench.server.baseUrl], {
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      children.push(child);
      return { child, ended: once(child, 'exit') };
    };
    const mebibyte = 1024 * 1024;
    const bytes = reportBytes(64 * mebibyte);
    const ends = [40 * mebibyte, 60 * mebibyte];
    const never = new Gate();
    bench.onPoll = (response, poll, request) => {
      const requested = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0);
      const end = ends[poll - 1];
      const fault = { after: (end ?? 0) - requested, how: 'close', when: never.promise } as const;
      const served = { ...version, bytes };
      perform({ do: 'serve', version: served, ...(end && { fault }) }, request, response);
    };
    const { id } = bench.leave({ state: 'generating', reportUrl: '/made/1' });
    for (const end of ends) {
      const { child, ended } = start();
      await until(() => sizeOf(partOf(id)) === end);
      child.kill('SIGKILL');
      await ended;
    }
    await start().ended;
    assert.ok(bytes.equals(fs.readFileSync(bench.onDisk(id).path ?? '')));
    assert.deepEqual(bench.files(), ['report.csv']);
    const [first, ...later] = ranges().map((range) => /\d+/.exec(range ?? '')?.[0]);
    assert.equal(first, undefined);
    assert.equal(later.length, 2);
    // Every 16 MiB are synced, while as many are written.
    const least = 16 * mebibyte - overlap;
    assert.ok(
      later.every((start) => Number(start) >= least),
      String(later),
    );
    assert.equal(bench.posts, 0);
  });
});

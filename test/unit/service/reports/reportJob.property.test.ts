import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { open as openFile, type FileHandle } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { Readable } from 'node:stream';
import { Response } from 'node-fetch';
import { ApiClient } from '../../../../src/api/client';
import { type Disk, localDisk } from '../../../../src/files/disk';
import { systemPatience } from '../../../../src/files/inUse';
import type { Fetch } from '../../../../src/api/http/transport';
import { LockLostError } from '../../../../src/files/fileLock';
import { silentLogger } from '../../../../src/base/logger';
import { ReportJob } from '../../../../src/service/reports/reportJob';
import { restarted, type StoredReport } from '../../../../src/service/reports/storedReport';
import type { ReportStore } from '../../../../src/service/reports/reportStore';
import { SignedOutError } from '../../../../src/service/account/signedOutError';
import { createAccount } from '../../../../src/service/account/account';
import { storedReport } from '../../../helpers/storedReport';
import { partFor, type RangeFault, type Version } from '../../../helpers/faultServer';
import { WaitClock } from '../../api/support';
import { fc } from '../../../helpers/property';

/** The response of the service to one request. Its faults are only those that a client can detect. */
interface Turn {
  /** The report is first generated again. */
  isNewVersion: boolean;
  answer: 'file' | 'pending' | 'failure' | 'refusal';
  validator: 'strong' | 'weak' | 'date' | 'none';
  range: RangeFault | undefined;
  framing: 'length' | 'chunked';
  /** Added to Content-Length. */
  lie: number;
  /** The number of bytes after which the connection breaks. */
  breakAfter: number | undefined;
  pieceSize: number;
}

/** How one window, or its process, ends before the report is ready. */
interface Life {
  end: 'kill' | 'close';
  /** The number of steps on disk, or of pieces of bodies, after which it ends. */
  after: number;
}

/** Faults that a careless client would miss are listed twice, so that they are more frequent. */
const rangeFaults: RangeFault[] = [
  'ifRangeIgnored',
  'early',
  'late',
  'half',
  'refused',
  'ifRangeIgnored',
  'early',
  'late',
  'half',
  'refused',
  'ignored',
  'noContentRange',
  'unknownTotal',
  'otherTotal',
  'noValidator',
  'multipart',
];

const turn = {
  isNewVersion: fc.nat(3).map((value) => value === 0),
  answer: fc.oneof(
    { arbitrary: fc.constant('file' as const), weight: 12 },
    { arbitrary: fc.constantFrom('pending' as const, 'failure', 'refusal'), weight: 1 },
  ),
  validator: fc.oneof(
    { arbitrary: fc.constant('strong' as const), weight: 4 },
    { arbitrary: fc.constantFrom('date' as const, 'weak', 'none'), weight: 3 },
  ),
  range: fc.option(fc.constantFrom(...rangeFaults), { nil: undefined, freq: 2 }),
  framing: fc.constantFrom('length' as const, 'chunked'),
  lie: fc.oneof(
    { arbitrary: fc.constant(0), weight: 10 },
    { arbitrary: fc.constantFrom(-1, 1), weight: 1 },
  ),
  breakAfter: fc.option(fc.nat(100), { nil: undefined, freq: 1 }),
  pieceSize: fc.integer({ min: 5, max: 50 }),
};

/** The first response breaks, so that there is a part to resume, rightly or wrongly. */
const turns = fc
  .tuple(
    fc.record({ ...turn, answer: fc.constant('file' as const), breakAfter: fc.nat(100) }),
    fc.array(fc.record(turn), { maxLength: 8 }),
  )
  .map(([first, rest]): Turn[] => [first, ...rest.map(detectable)]);

/**
 * Of a service that compares If-Range, a part need not name the date of its version (RFC 9110 section
 * 15.3.7): when one that does not compare it leaves the date out, too, nothing tells the versions
 * apart.
 */
function detectable(of: Turn): Turn {
  return of.range === 'ifRangeIgnored' && of.validator !== 'strong'
    ? { ...of, validator: 'date' }
    : of;
}

/** Versions of the same length are the easiest to confuse. */
const lengths = fc.array(fc.nat(100), { minLength: 1, maxLength: 2 });

const honest: Turn = {
  isNewVersion: false,
  answer: 'file',
  validator: 'strong',
  range: undefined,
  framing: 'length',
  lie: 0,
  breakAfter: undefined,
  pieceSize: 50,
};

const lives = fc.array(
  fc.record<Life>({ end: fc.constantFrom('kill', 'close'), after: fc.nat(25) }),
  { maxLength: 3 },
);

/** A killed process does nothing more. */
const never = new Promise<never>(() => undefined);

/** The service, without a network. */
class FakeService {
  readonly served: Buffer[] = [];
  requests = 0;
  pieces = 0;
  onPiece: () => void = () => undefined;

  constructor(
    private readonly script: Turn[],
    private readonly lengths: number[],
  ) {
    this.make();
  }

  readonly fetch = ((_url: unknown, init: { headers: Record<string, string> }) => {
    this.requests += 1;
    const turn = this.script.shift() ?? honest;
    if (turn.isNewVersion) {
      this.make();
    }
    if (turn.answer !== 'file') {
      const status = { pending: 202, failure: 500, refusal: 400 }[turn.answer];
      return Promise.resolve(new Response('', { status }));
    }
    return Promise.resolve(this.serve(turn, init.headers));
  }) as unknown as Fetch;

  /** At each offset, every version has another byte. */
  private make(): void {
    const number = this.served.length;
    const length = this.lengths[number % this.lengths.length] ?? 0;
    this.served.push(Buffer.from(Array.from({ length }, (_, at) => (number * 37 + at * 7) % 256)));
  }

  private serve(turn: Turn, asked: Record<string, string>): Response {
    const number = this.served.length - 1;
    const minute = String(number % 60).padStart(2, '0');
    const validator = {
      strong: { etag: `"v${number}"` },
      // Equivalent versions share a weak ETag (RFC 9110 section 8.8.1).
      weak: { etag: 'W/"v"' },
      date: { lastModified: `Tue, 17 Jun 2025 12:${minute}:00 GMT` },
      none: {},
    }[turn.validator];
    const version: Version = { bytes: this.served[number] ?? Buffer.alloc(0), ...validator };
    const headers = Object.fromEntries(
      Object.entries(asked).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const part = partFor({ headers }, version, turn.range);
    const isBare = turn.range === 'noValidator' && part.status !== 200;
    return new Response(Readable.from(this.body(part.bytes, turn), { objectMode: false }), {
      status: part.status,
      headers: {
        'Content-Type': 'text/csv',
        Date: 'Wed, 18 Jun 2025 12:00:00 GMT',
        ...(version.etag !== undefined && !isBare && { ETag: version.etag }),
        ...(version.lastModified !== undefined && { 'Last-Modified': version.lastModified }),
        ...part.headers,
        ...(turn.framing === 'length' && {
          'Content-Length': String(Math.max(0, part.bytes.length + turn.lie)),
        }),
      },
    });
  }

  private async *body(bytes: Buffer, turn: Turn): AsyncGenerator<Buffer> {
    const { breakAfter = Infinity, pieceSize } = turn;
    for (let at = 0; at < Math.min(bytes.length, breakAfter); at += pieceSize) {
      this.pieces += 1;
      this.onPiece();
      yield bytes.subarray(at, Math.min(at + pieceSize, breakAfter));
    }
    if (breakAfter !== Infinity) {
      // Here all sent bytes arrive before the connection breaks; a real connection may lose some.
      await new Promise((resolve) => setImmediate(resolve));
      throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    }
  }
}

/**
 * A disk that lets a process perform a number of steps and then nothing more; syncs do not count.
 * @param opened collects the open files, because a dead process does not close them.
 */
function mortalDisk(step: () => boolean, opened: FileHandle[]): Disk {
  const mortal =
    <A extends unknown[], R>(act: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      step() ? act(...args) : never;
  return {
    ...localDisk,
    link: mortal(localDisk.link),
    rename: mortal(localDisk.rename),
    unlink: mortal(localDisk.unlink),
    freeBytes: () => Promise.resolve(undefined),
    open: mortal(async (file, flags, mode) => {
      const handle = await openFile(file, flags, mode);
      opened.push(handle);
      const writev = handle.writev.bind(handle);
      handle.sync = () => Promise.resolve();
      handle.datasync = () => Promise.resolve();
      handle.writev = (async (pieces: Buffer[], position: number) => {
        if (step()) {
          return writev(pieces, position);
        }
        // Killed during a write: a part of it is on disk.
        await writev([Buffer.concat(pieces).subarray(0, 3)], position);
        return never;
      }) as typeof writev;
      return handle;
    }),
  };
}

describe('A report download with random faults', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'property-'));
  after(() => {
    fs.rmSync(root, { recursive: true });
  });
  let runs = 0;

  /** Runs one schedule; returns its outcome. */
  async function live(script: Turn[], lengths: number[], ends: Life[]): Promise<FakeService> {
    const folder = path.join(root, String((runs += 1)));
    const service = new FakeService([...script], lengths);
    let record = storedReport({
      jobs: 0,
      origin: 'http://127.0.0.1:1',
      accountId: 'http://127.0.0.1:1',
      state: 'generating',
      reportUrl: '/r',
    });
    const assertNothingSpliced = () => {
      const files = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
      for (const name of files.filter((file) => !file.endsWith('.part'))) {
        const bytes = fs.readFileSync(path.join(folder, name));
        assert.ok(
          service.served.some((version) => version.equals(bytes)),
          `${name} is no version that was served`,
        );
      }
      return files;
    };
    const remaining = [...ends];
    // Each failure is retried, as a user would do; in the end the service has no faults.
    for (let count = 0; record.state !== 'ready'; count += 1) {
      assert.ok(count < 40, 'the report is never ready');
      const isRetried = record.state === 'failed';
      const next = isRetried ? restarted(record, { isNew: false, now: 0 }) : record;
      record = await once(next, remaining.shift(), service, folder);
      assertNothingSpliced();
    }
    assert.deepEqual(assertNothingSpliced(), [path.basename(record.path ?? '')]);
    fs.rmSync(folder, { recursive: true });
    return service;
  }

  /** Runs one process to its end; returns the record after that. */
  async function once(
    report: StoredReport,
    life: Life | undefined,
    service: FakeService,
    folder: string,
  ): Promise<StoredReport> {
    const clock = new WaitClock();
    let isDead = false;
    let die: () => void = () => undefined;
    const death = new Promise<void>((resolve) => (die = resolve));
    const opened: FileHandle[] = [];
    let steps = 0;
    const step = () => {
      steps += 1;
      if (life?.end !== 'kill' || steps <= life.after) {
        return true;
      }
      isDead = true;
      die();
      return false;
    };
    const firstPiece = service.pieces;
    service.onPiece = () => {
      if (life?.end === 'close' && service.pieces - firstPiece > life.after) {
        job.stop(new SignedOutError());
      }
    };
    const client = new ApiClient({
      baseUrl: 'http://127.0.0.1:1',
      apiKey: () => 'k1',
      requestsPerHour: 5000,
      requestTimeoutMs: 1e9,
      clock,
      random: () => 0,
      fetch: service.fetch,
      gate: (start) => {
        start();
      },
      disk: mortalDisk(step, opened),
    });
    let record = report;
    const writeNow = (changed: StoredReport) => {
      if (!step()) {
        throw new LockLostError();
      }
      record = JSON.parse(JSON.stringify(changed)) as StoredReport;
    };
    // A window without a lock and a disk for its record, so that a death is exactly at a step.
    const store = {
      has: () => true,
      readReports: () => [],
      find: () => record,
      fileFolderOf: () => folder,
      lockOf: () => ({
        require: () => {
          if (isDead) {
            throw new LockLostError();
          }
        },
      }),
      locks: { patience: systemPatience },
      write: (changed: StoredReport) =>
        new Promise<void>((resolve) => {
          writeNow(changed);
          resolve();
        }),
      writeNow,
    } as unknown as ReportStore;
    const deps = {
      store,
      clock,
      logger: silentLogger,
      session: { signedIn: { account: createAccount('http://127.0.0.1:1'), api: client } },
      settings: () => ({ folder, generationTimeoutMs: 60_000 }),
      describeFailure: (error: unknown) => ({ code: 'x', message: String(error) }),
    };
    const job = new ReportJob(report, deps, () => undefined);
    const run = job.run();
    await clock.run(Promise.race([run.then(undefined, () => undefined), death]));
    client.dispose();
    if (life?.end === 'kill') {
      // The system closes the files of a dead process.
      await Promise.all(opened.filter(({ fd }) => fd >= 0).map((file) => file.close()));
    }
    return record;
  }

  it('A report download with random faults saves a file that equals one served version byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(turns, lengths, lives, async (script, sizes, ends) => {
        await live(script, sizes, ends);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import type { ServerResponse } from 'node:http';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Clock } from '../../../../src/base/events/clock';
import { FileError } from '../../../../src/files/fileError';
import type { Disk } from '../../../../src/files/disk';
import type { LockTimes } from '../../../../src/files/fileLock';
import type { SyncDisk } from '../../../../src/files/syncDisk';
import { ApiError } from '../../../../src/api/http/errors';
import { type Logger, silentLogger } from '../../../../src/base/logger';
import type { ReportRequest, StoredReport } from '../../../../src/service/reports/storedReport';
import { Reports } from '../../../../src/service/reports/reports';
import { ReportStore } from '../../../../src/service/reports/reportStore';
import { storedReport } from '../../../helpers/storedReport';
import {
  type ReceivedRequest,
  sendJson,
  sendText,
  startTestServer,
  type TestServer,
} from '../../../helpers/testServer';
import { until, WaitClock } from '../../api/support';
import { Cleanup, clientFor, FakeSession } from '../findings/support';

/** A store that remembers every record that it writes. */
export class RecordingStore extends ReportStore {
  readonly written: StoredReport[] = [];
  /** Called once, right after the records were read. */
  afterRead: (() => void) | undefined;

  override readAll() {
    const read = super.readAll();
    const then = this.afterRead;
    this.afterRead = undefined;
    then?.();
    return read;
  }

  override async create(...args: Parameters<ReportStore['create']>): Promise<void> {
    await super.create(...args);
    this.written.push(args[0]);
  }

  override async write(report: StoredReport): Promise<void> {
    await super.write(report);
    this.written.push(report);
  }

  override writeNow(report: StoredReport): void {
    super.writeNow(report);
    this.written.push(report);
  }
}

/** One window: its reports with the events they fired. */
export interface Window {
  reports: Reports;
  store: RecordingStore;
  session: FakeSession;
  ends: string[];
  /** The number of its process. */
  process: number;
}

/** Responds to a request; `number` counts the requests of its kind from 1. */
type ResponseHandler = (
  response: ServerResponse,
  number: number,
  request: ReceivedRequest,
) => unknown;

/** Locks use the real clock, as processes do; waits on the clock of the harness end at once. */
export const quickTimes = { heartbeatMs: 5, goneMs: 30, silentMs: 200 };

export const fullReport: ReportRequest = { kind: 'full', title: 'All findings' };

/**
 * A service on loopback whose reports a test controls, a temporary folder, a clock on which waits end
 * at once, and windows that share them.
 */
export class ReportHarness {
  readonly cleanup = new Cleanup();
  readonly clock = new WaitClock();
  readonly alive = new Set<number>();
  readonly root = fs.mkdtempSync(path.join(os.tmpdir(), 'reports-'));
  /** The setting reports.folder. */
  folder = '';
  generationTimeoutMs = 120 * 60_000;
  /** Called before files are removed. */
  closeFiles: (isRemoved: (file: string) => boolean) => Promise<void> = () => Promise.resolve();
  server!: TestServer;
  /** The responses to requests for a report, and to polls. */
  onPost: ResponseHandler = (response) => {
    sendJson(response, 200, { report_url: `${this.server.baseUrl}/made/1`, status: 'processing' });
  };
  onPoll: ResponseHandler = (response) => {
    sendFile(response, 'id,host\r\n');
  };
  private processes = 100;

  async start(): Promise<void> {
    this.cleanup.add(() => {
      fs.rmSync(this.root, { recursive: true, force: true });
    });
    let posts = 0;
    let polls = 0;
    this.server = await startTestServer((request, response) =>
      request.method === 'POST'
        ? this.onPost(response, (posts += 1), request)
        : this.onPoll(response, (polls += 1), request),
    );
    this.cleanup.add(() => this.server.close());
  }

  get posts(): number {
    return this.server.requests.filter(({ method }) => method === 'POST').length;
  }

  get polls(): number {
    return this.server.requests.filter(({ method }) => method === 'GET').length;
  }

  /** The folder of the records. */
  get records(): string {
    return path.join(this.root, 'records');
  }

  client(apiKey = 'k1', disk?: Disk) {
    return this.cleanup.own(clientFor(this.server.baseUrl, apiKey, this.clock, disk));
  }

  /** A window, signed in by default, with disks for its downloads and records. */
  window(
    options: {
      signedIn?: boolean;
      disk?: Disk;
      records?: SyncDisk;
      times?: LockTimes;
      /** The clock of its locks and heartbeats. */
      beats?: Clock;
      logger?: Logger;
    } = {},
  ): Window {
    const pid = (this.processes += 1);
    this.alive.add(pid);
    const locks = {
      processes: {
        ownPid: pid,
        machine: 'here',
        isAlive: (other: number) => this.alive.has(other),
      },
      times: options.times ?? quickTimes,
      ...(options.beats ? { clock: options.beats } : {}),
      ...(options.records ? { disk: options.records } : {}),
    };
    const store = new RecordingStore(this.records, silentLogger, locks);
    const session = new FakeSession();
    const reports = this.cleanup.own(
      new Reports({
        store,
        clock: this.clock,
        logger: options.logger ?? silentLogger,
        session,
        closeFiles: (isRemoved) => this.closeFiles(isRemoved),
        settings: () => ({ folder: this.folder, generationTimeoutMs: this.generationTimeoutMs }),
        describeFailure: (error) => ({
          code: error instanceof ApiError || error instanceof FileError ? error.code : 'unexpected',
          message: error instanceof Error ? error.message : String(error),
        }),
      }),
    );
    const ends: string[] = [];
    reports.onDidEnd(({ report, ranHere }) =>
      ends.push(`${report.state} ${ranHere ? 'here' : 'elsewhere'}`),
    );
    if (options.signedIn !== false) {
      session.signIn(this.server.baseUrl, this.client('k1', options.disk));
    }
    return { reports, store, session, ends, process: pid };
  }

  /** A window whose full report the service is polled for, and a second window opened after that. */
  async twoWindows() {
    const first = this.window();
    const { report, done } = await first.reports.start(fullReport);
    await this.runUntil(() => this.polls > 0);
    return { first, second: this.window(), report, done };
  }

  /** Ends a window without notice, as a crash does. */
  async kill(window: Window): Promise<void> {
    window.reports.dispose();
    await this.settle();
    this.alive.delete(window.process);
  }

  /** Lets pending input and output, and their effects, happen. */
  async settle(): Promise<void> {
    for (let round = 0; round < 50; round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Runs until the promise settles; waits end at once. */
  run<T>(promise: Promise<T>): Promise<T> {
    return this.clock.run(promise);
  }

  /** Runs until the condition holds. */
  async runUntil(condition: () => boolean): Promise<void> {
    await this.clock.run(until(condition));
  }

  /** The record on disk. */
  onDisk(id: string): StoredReport {
    const file = path.join(this.records, id, 'report.json');
    return JSON.parse(fs.readFileSync(file, 'utf8')) as StoredReport;
  }

  /** All files below the root except records and locks; parts without the number of their run. */
  files(): string[] {
    return fs
      .readdirSync(this.root, { recursive: true, encoding: 'utf8' })
      .filter(
        (name) =>
          !/[\\/](lock|\.start)([\\/]|$)/.test(name) &&
          fs.statSync(path.join(this.root, name)).isFile(),
      )
      .map((name) => path.basename(name))
      .filter((name) => !/^(report|progress)\.json$|^(notified|cancel)$/.test(name))
      .map((name) => name.replace(/\.\d+\.part$/, '.part'))
      .sort();
  }

  /** The part of a report's download. */
  partOf(id: string): string {
    const folder = path.join(this.records, id, 'file');
    const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    return path.join(folder, names.find((name) => name.endsWith('.part')) ?? 'no part');
  }

  /** The folders of the reports. */
  folders(): string[] {
    return fs.readdirSync(this.records).filter((name) => name !== '.start');
  }

  /** Writes a record to disk, as an earlier session left it. */
  leave(changes: Partial<StoredReport> = {}): StoredReport {
    const report = storedReport({
      jobs: 0,
      id: 'left',
      origin: this.server.baseUrl,
      accountId: this.server.baseUrl,
      title: 'Left behind',
      state: 'requested',
      requestedAt: new Date(this.clock.now()).toISOString(),
      ...changes,
    });
    fs.mkdirSync(path.join(this.records, report.id), { recursive: true });
    fs.writeFileSync(path.join(this.records, report.id, 'report.json'), JSON.stringify(report));
    return report;
  }
}

export function sendFile(response: ServerResponse, text: string, name = 'report.csv'): void {
  sendText(response, 200, text, {
    'Content-Type': 'text/csv',
    'Content-Disposition': `attachment; filename="${name}"`,
    'Content-Length': String(Buffer.byteLength(text)),
  });
}

/** Begins a file; the test sends the rest. */
export function beginFile(
  response: ServerResponse,
  start: string,
  length: number,
  headers: Record<string, string> = {},
): void {
  response.writeHead(200, {
    'Content-Type': 'text/csv',
    'Content-Disposition': 'attachment; filename="report.csv"',
    'Content-Length': String(length),
    ...headers,
  });
  response.flushHeaders();
  response.write(start);
}

export function sendPending(response: ServerResponse, headers: Record<string, string> = {}): void {
  sendJson(response, 202, { status: 'processing' }, headers);
}

/** Asserts that a promise rejects, and returns the error. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof Error, 'expected a rejection');
  return outcome;
}

/** Polls whose report is never ready. */
export const neverReady: ResponseHandler = (response) => {
  sendPending(response);
};

/** Polls whose report is ready as soon as a condition holds. */
export function readyWhen(isReady: () => boolean): ResponseHandler {
  return (response) => {
    if (isReady()) {
      sendFile(response, 'x');
    } else {
      sendPending(response);
    }
  };
}

/** Polls whose first response is half of a file that stays open; later ones have the whole file. */
export const interruptedOnce: ResponseHandler = (response, poll) => {
  if (poll === 1) {
    beginFile(response, 'abc', 6);
  } else {
    sendFile(response, 'abcdef');
  }
};

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { ServiceName } from '../../../../src/api/types';
import type { StoredReport } from '../../../../src/service/reports/storedReport';
import { perform, reportBytes, type Version } from '../../../helpers/faultServer';
import { sendJson, startTestServer, type TestServer } from '../../../helpers/testServer';
import { Cleanup } from '../findings/support';
import { openWindow, type ReportWindow, type WindowTask } from './reportWindow';

/** The size of the report: four steps of its download, and a rest. */
const size = 4 * 65_536 + 1_234;

/** The outcome of a case. */
export interface Outcome {
  posts: number;
  /** The record; `undefined` if there is none. */
  record: StoredReport | undefined;
  /** `whole`, `none`, or the problem. */
  file: string;
  /** Whether the window reached the step at which it should end. */
  reached: boolean;
}

/**
 * A service, and windows that end at a step of a report. Windows that end are separate processes. The
 * others run in this process, which is much faster.
 */
export class CrashHarness {
  private readonly cleanup = new Cleanup();
  private readonly root = fs.mkdtempSync(path.join(os.tmpdir(), 'crash-'));
  private readonly version: Version = {
    bytes: reportBytes(size),
    etag: '"one"',
    headers: { 'Content-Disposition': 'attachment; filename="report.csv"' },
  };
  private server!: TestServer;
  private cases = 0;

  /** @param service whose interface the server has. */
  constructor(private readonly service: ServiceName) {}

  async start(): Promise<void> {
    this.cleanup.add(() => {
      fs.rmSync(this.root, { recursive: true, force: true });
    });
    const polls = new Map<string, number>();
    this.server = await startTestServer((request, response) => {
      const [, name = '', ...rest] = request.path.split('/');
      const isListed = this.service === 'securityScorecard';
      if (request.method === 'POST') {
        const receipt = isListed ? { id: 'r1' } : { report_url: '/made/1', status: 'processing' };
        sendJson(response, 200, receipt);
        return;
      }
      if (isListed && rest.join('/') === 'reports/recent') {
        const count = (polls.get(name) ?? 0) + 1;
        polls.set(name, count);
        const isMade = count > 1;
        sendJson(response, 200, {
          entries: [{ id: 'r1', ...(isMade ? { download_url: `/${name}/files/1` } : {}) }],
        });
        return;
      }
      if (isListed) {
        perform({ do: 'serve', version: this.version }, request, response);
        return;
      }
      const count = (polls.get(name) ?? 0) + 1;
      polls.set(name, count);
      if (count === 1) {
        sendJson(response, 202, { status: 'processing' });
      } else {
        perform({ do: 'serve', version: this.version }, request, response);
      }
    });
    this.cleanup.add(() => this.server.close());
  }

  stop(): Promise<void> {
    return this.cleanup.run();
  }

  /** All steps of an undisturbed report, in order. */
  async steps(): Promise<string[]> {
    const { folder, task } = this.newCase();
    await ended(this.spawn({ ...task, starts: true }));
    const outcome = this.outcome(folder);
    if (outcome.record?.state !== 'ready' || outcome.file !== 'whole') {
      throw new Error(`Undisturbed, the report came out as ${JSON.stringify(outcome)}`);
    }
    return stepsIn(task);
  }

  /**
   * Kills a window before one of its steps. Three other windows wait meanwhile, and one takes over, if
   * `withOthers`; otherwise, another window is opened afterwards.
   */
  async kill(step: string, withOthers: boolean): Promise<Outcome> {
    const { folder, task } = this.newCase();
    const waiting = withOthers ? this.openOthers(task) : [];
    const end = { before: step, signal: 'SIGKILL' } as const;
    await ended(this.spawn({ ...task, starts: true, end }));
    if (this.hasRecord(folder)) {
      const others = withOthers ? waiting : [this.open({ ...task, notes: `${task.notes}-2` })];
      await Promise.all(others.map((each) => each.ended));
    } else {
      // Nothing was requested, so no window has anything to resume.
      waiting.forEach((each) => {
        each.close();
      });
    }
    return { ...this.outcome(folder), reached: stepsIn(task).at(-1) === step };
  }

  /**
   * Puts a window to sleep before one of its steps, and wakes it up after one of three others has taken
   * over and finished the report. It must not change anything then.
   */
  async sleep(step: string): Promise<Outcome & { isChanged: boolean }> {
    const { folder, task } = this.newCase();
    // Long enough that a window on a busy machine does not count as asleep.
    const quick = { ...task, silentMs: 4_000 };
    const waiting = this.openOthers(quick);
    const end = { before: step, signal: 'SIGSTOP' } as const;
    const sleeper = this.spawn({ ...quick, starts: true, end });
    await until(() => stepsIn(task).at(-1) === step || sleeper.exitCode !== null);
    const othersEnd = Promise.all(waiting.map((each) => each.ended));
    if (this.hasRecord(folder)) {
      await othersEnd;
    }
    const before = this.outcome(folder);
    // Repeatedly, because the first signal may come before it falls asleep.
    const waking = setInterval(() => sleeper.kill('SIGCONT'), 100);
    await ended(sleeper).finally(() => {
      clearInterval(waking);
    });
    await othersEnd;
    const outcome = this.outcome(folder);
    const isChanged =
      before.record !== undefined &&
      JSON.stringify([before.record, before.file]) !==
        JSON.stringify([outcome.record, outcome.file]);
    return { ...outcome, reached: stepsIn(task).includes(step), isChanged };
  }

  /** Kills windows one after the other, each after a delay; the last one finishes the report. */
  async killAfter(delays: readonly number[]): Promise<Outcome> {
    const { folder, task } = this.newCase();
    for (const [index, delay] of delays.entries()) {
      const starts = !this.hasRecord(folder);
      const notes = `${task.notes}-${index}`;
      const child = this.spawn({ ...task, notes, starts });
      await Promise.race([ended(child), new Promise((resolve) => setTimeout(resolve, delay))]);
      child.kill('SIGKILL');
      await ended(child);
    }
    if (!this.hasRecord(folder) || isUnfinished(this.recordIn(folder))) {
      const starts = !this.hasRecord(folder);
      await this.open({ ...task, starts }).ended;
    }
    return this.outcome(folder);
  }

  private newCase() {
    const name = `c${(this.cases += 1)}`;
    const folder = path.join(this.root, name);
    const task: WindowTask = {
      folder,
      baseUrl: `${this.server.baseUrl}/${name}`,
      service: this.service,
      starts: false,
      silentMs: 20_000,
      notes: path.join(this.root, `${name}.notes`),
    };
    return { folder, task };
  }

  private spawn(task: WindowTask): ChildProcess {
    const script = path.join(__dirname, 'reportWindow.process.js');
    const child = spawn(process.execPath, [script, JSON.stringify(task)], {
      stdio: ['ignore', 'ignore', 'inherit'],
      // The first process ends by itself and leaves the compiled code for the others.
      env: { ...process.env, NODE_COMPILE_CACHE: path.join(this.root, 'compiled') },
    });
    this.cleanup.add(() => child.kill('SIGKILL'));
    return child;
  }

  private openOthers(task: WindowTask): ReportWindow[] {
    return [2, 3, 4].map((number) => this.open({ ...task, notes: `${task.notes}-${number}` }));
  }

  private open(task: WindowTask): ReportWindow {
    const window = openWindow(task);
    this.cleanup.add(() => {
      window.close();
    });
    return window;
  }

  private hasRecord(folder: string): boolean {
    return fs.existsSync(folder) && ids(folder).length > 0;
  }

  private recordIn(folder: string): StoredReport | undefined {
    const [id] = fs.existsSync(folder) ? ids(folder) : [];
    return id === undefined
      ? undefined
      : (JSON.parse(fs.readFileSync(path.join(folder, id, 'report.json'), 'utf8')) as StoredReport);
  }

  private outcome(folder: string): Outcome {
    const prefix = `/${path.basename(folder)}/`;
    const record = this.recordIn(folder);
    return {
      posts: this.server.requests.filter(
        (request) => request.method === 'POST' && request.path.startsWith(prefix),
      ).length,
      record,
      file: this.fileOf(folder, record),
      reached: true,
    };
  }

  private fileOf(folder: string, record: StoredReport | undefined): string {
    const left = fs.existsSync(folder)
      ? fs
          .readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((name) => /report\.csv|\.part$|\(\d\)/.test(name))
      : [];
    if (record?.path === undefined) {
      return left.length === 0 ? 'none' : `left behind: ${left.join(', ')}`;
    }
    const isAlone = left.length === 1 && path.join(folder, left[0] ?? '') === record.path;
    const isWhole =
      hash(fs.readFileSync(record.path)) === hash(this.version.bytes) && record.bytes === size;
    return isWhole ? (isAlone ? 'whole' : `not alone: ${left.join(', ')}`) : 'broken';
  }
}

function ids(folder: string): string[] {
  return fs.readdirSync(folder).filter((name) => !name.startsWith('.'));
}

function isUnfinished(record: StoredReport | undefined): boolean {
  return ['requested', 'generating', 'downloading'].includes(record?.state ?? '');
}

function stepsIn({ notes }: WindowTask): string[] {
  return fs.existsSync(notes) ? fs.readFileSync(notes, 'utf8').trim().split('\n') : [];
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, 'exit');
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

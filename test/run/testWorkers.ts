import * as fs from 'node:fs';
import type { Cleanup } from '../host/cleanup';
import { bundle, repositoryRoot } from '../host/paths';
import { startNode, type RunningProcess } from '../host/processes';
import { judge, type Counts } from './counts';
import type { Request } from './mochaStage';

/** One worker per lane, for tests of one kind. */
export class TestWorkers {
  private readonly workers = new Map<number, TestWorker>();
  private readonly log: number;

  constructor(
    private readonly kind: string,
    private readonly cleanup: Cleanup,
  ) {
    this.log = fs.openSync(bundle(`logs/${kind}.log`), 'w');
  }

  run(lane: number, node: string, files: readonly string[]): Promise<Counts> {
    const worker =
      this.workers.get(lane) ?? new TestWorker(this.kind, node, this.log, this.cleanup);
    this.workers.set(lane, worker);
    return worker.run(files);
  }

  /** The same in a process of its own: what files have loaded stays in the memory, gigabytes in the end. */
  async runAlone(node: string, files: readonly string[]): Promise<Counts> {
    const worker = new TestWorker(this.kind, node, this.log, this.cleanup);
    try {
      return await worker.run(files);
    } finally {
      await worker.end();
    }
  }
}

/**
 * A process that runs files of tests of one kind, one request after the other. What they share, such as a
 * browser, is started once. A process that ends before its tests are done is replaced at the next request.
 */
class TestWorker {
  private process: RunningProcess | undefined;

  /**
   * @param kind a folder below `test/`.
   * @param log file descriptor for what the tests print.
   */
  constructor(
    private readonly kind: string,
    private readonly node: string,
    private readonly log: number,
    private readonly cleanup: Cleanup,
  ) {}

  async run(files: readonly string[]): Promise<Counts> {
    const { child, exitCode } = (this.process ??= this.start());
    const request: Request = { files };
    const counts = new Promise<Counts>((resolve) => {
      child.once('message', (message) => {
        resolve(message as Counts);
      });
    });
    child.send(request);
    const name = `${this.kind} ${files.join(' ')}`;
    return Promise.race([
      counts.then((counted) => judge(name, counted, undefined)),
      exitCode.then((code) => {
        this.process = undefined;
        return judge(name, undefined, code);
      }),
    ]);
  }

  /** Ends the process; the next request starts another one. */
  async end(): Promise<void> {
    const ending = this.process;
    this.process = undefined;
    ending?.child.disconnect();
    await ending?.exitCode;
  }

  private start(): RunningProcess {
    const started = startNode(this.node, [bundle('run/mochaStage.js'), this.kind], {
      cwd: repositoryRoot,
      output: this.log,
      channel: true,
    });
    return this.cleanup.add(started, (running) => running.stop());
  }
}

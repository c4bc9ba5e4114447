import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { bundle } from '../test/host/paths';

/** Whether a program is on the PATH. */
export async function isInstalled(program: string): Promise<boolean> {
  const child = spawn(program, ['--version'], { stdio: 'ignore' });
  return new Promise((resolve) => {
    child.once('error', () => {
      resolve(false);
    });
    child.once('exit', (code) => {
      resolve(code === 0);
    });
  });
}

/** Runs a program of the system to its end; rejects unless it exits with 0. */
export async function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) {
    throw new Error(`${program} ended with exit code ${code ?? 'none'}.`);
  }
}

/** A bundle of the bench in a separate process, which ends with this one. */
export class Program {
  private constructor(private readonly child: ChildProcess) {}

  /** Starts `bench/<name>.ts`; resolves with its first message. */
  static async start(name: string, ...args: string[]) {
    const program = new Program(
      fork(bundle(`bench/${name}.js`), args, { execArgv: ['--expose-gc'] }),
    );
    return { program, ready: await program.answer() };
  }

  /** Starts a program, returns its first message and ends it. */
  static async result(name: string, ...args: string[]): Promise<unknown> {
    const { program, ready } = await Program.start(name, ...args);
    await program.stop();
    return ready;
  }

  /** The results of a few runs of a program, one after the other. */
  static async results(runs: number, name: string, ...args: string[]): Promise<unknown[]> {
    const results: unknown[] = [];
    while (results.length < runs) {
      results.push(await Program.result(name, ...args));
    }
    return results;
  }

  /** Sends a message and returns the number in its answer. */
  async count(message: string): Promise<number> {
    this.child.send(message);
    return (await this.answer()) as number;
  }

  async stop(): Promise<void> {
    if (this.child.connected) {
      this.child.disconnect();
    }
    if (this.child.exitCode === null && this.child.signalCode === null) {
      await once(this.child, 'exit');
    }
  }

  private answer(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null) => {
        reject(new Error(`A program of the bench ended with exit code ${code ?? 'none'}.`));
      };
      this.child.once('exit', onExit);
      this.child.once('message', (message) => {
        this.child.off('exit', onExit);
        resolve(message);
      });
    });
  }
}

import { spawn, spawnSync, type ChildProcess, type IOType } from 'node:child_process';
import { constants } from 'node:os';
import type { Stream } from 'node:stream';
import { launcherVariable } from './launcherVariable';
import { exitWithParent } from './paths';

export interface ProcessOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Shows its output here, leaves it to the caller, or writes it to a file descriptor. Default `inherit`. */
  readonly output?: 'inherit' | 'pipe' | 'stderr' | number;
  /** Whether both processes can send each other messages. Default false. */
  readonly channel?: boolean;
}

/** A process in a group of its own, so that it can be ended with everything it started. */
export interface RunningProcess {
  readonly child: ChildProcess;
  /** Settles when it has ended; never rejects. A signal counts as 128 + its number, as in a shell. */
  readonly exitCode: Promise<number>;
  /** Ends it and its children: with a signal first, and kills them after three seconds. */
  stop(): Promise<void>;
}

const running = new Set<number>();

function endAll(): void {
  for (const pid of running) {
    signalGroup(pid, 'SIGKILL');
  }
}

/** Listens only while something runs: each bundle of tests has a copy of this module. */
function follow(pid: number): void {
  if (running.size === 0) {
    process.on('exit', endAll);
  }
  running.add(pid);
}

function unfollow(pid: number): void {
  running.delete(pid);
  if (running.size === 0) {
    process.off('exit', endAll);
  }
}

/** Starts a program, which ends when this process ends, for whatever reason. */
export function startProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions = {},
): RunningProcess {
  // Windows starts a script of its shell in a shell only, which splits what is not quoted.
  const shell = process.platform === 'win32' && command.endsWith('.cmd');
  const quote = (text: string) => (shell ? `"${text}"` : text);
  const child = spawn(quote(command), args.map(quote), {
    shell,
    cwd: options.cwd,
    env: { ...process.env, ...options.env, [launcherVariable]: String(process.pid) },
    stdio: [...stdioFor(options.output ?? 'inherit'), ...(options.channel ? ['ipc' as const] : [])],
    detached: process.platform !== 'win32',
  });
  const { pid } = child;
  if (pid !== undefined) {
    follow(pid);
  }
  const exitCode = new Promise<number>((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      resolve(127);
    });
    child.once('exit', (code, signal) => {
      if (pid !== undefined) {
        // Ends what the leader of the group has left running.
        signalGroup(pid, 'SIGKILL');
        unfollow(pid);
      }
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']);
    });
  });
  return {
    child,
    exitCode,
    async stop() {
      if (pid === undefined || child.exitCode !== null || child.signalCode !== null) {
        return;
      }
      signalGroup(pid, 'SIGTERM');
      const insist = setTimeout(() => {
        signalGroup(pid, 'SIGKILL');
      }, 3000);
      await exitCode;
      clearTimeout(insist);
    },
  };
}

/** Like {@link startProcess} for Node programs, which then also end when this process is killed. */
export function startNode(
  node: string,
  args: readonly string[],
  options: ProcessOptions & { readonly preload?: string } = {},
): RunningProcess {
  return startProcess(node, ['--require', options.preload ?? exitWithParent, ...args], options);
}

/** Runs a program to its end; rejects unless it exits with 0. */
export async function runProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<void> {
  const code = await startProcess(command, args, options).exitCode;
  if (code !== 0) {
    throw new Error(`${command} ${args.join(' ')} ended with exit code ${code}.`);
  }
}

/** Runs npm: the one that runs this program, if any, because `npm` is not an executable on Windows. */
export async function runNpm(args: readonly string[], options: ProcessOptions = {}): Promise<void> {
  const script = process.env.npm_execpath;
  await (script?.endsWith('.js')
    ? runProcess(process.execPath, [script, ...args], options)
    : runProcess(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, options));
}

function stdioFor(output: NonNullable<ProcessOptions['output']>): (IOType | Stream | number)[] {
  if (typeof output === 'number') {
    return ['pipe', output, output];
  }
  switch (output) {
    case 'inherit':
      return ['pipe', 'inherit', 'inherit'];
    case 'stderr':
      return ['pipe', process.stderr, 'inherit'];
    case 'pipe':
      return ['pipe', 'pipe', 'pipe'];
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // ESRCH: nothing is left of the group, as intended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') {
      throw error;
    }
  }
}

import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';

/** The processes of this machine; a parameter for tests. */
export interface Processes {
  readonly ownPid: number;
  /**
   * A word for this machine, and for the container if this process runs in one: elsewhere, the same process ID is
   * that of another process. Folders are shared between machines, too.
   */
  readonly machine: string;
  /** `false` only if there is certainly no process with that ID. */
  isAlive(pid: number): boolean;
  /** The start time of a process, in a system-specific unit; `undefined` if the system does not provide it. */
  startOf?(pid: number): string | undefined;
  /** How long the machine has been running, in milliseconds. */
  runningMs?(): number;
}

/**
 * Rejected on Windows and macOS: the start times of other processes, which only a program tells there, such as PowerShell,
 * half a second later.
 */
export const localProcesses: Processes = {
  ownPid: process.pid,
  machine: nameMachine(),
  isAlive: (pid) => {
    try {
      // Signal 0 is never delivered; the call only checks whether a signal could be sent.
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ESRCH';
    }
  },
  runningMs: () => uptime() * 1_000,
  startOf: (pid) => {
    // Linux (proc_pid_stat(5)): the second field is a name in parentheses that may contain any
    // characters; the 22nd is the start time in clock ticks since the machine started.
    const stat = readIfPossible(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
    return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  },
};

function nameMachine(): string {
  const facts = [
    hostname(),
    // Linux (machine-id(5), pid_namespaces(7)): hosts may have the same name, and so may containers.
    readIfPossible(() => readFileSync('/etc/machine-id', 'latin1')),
    readIfPossible(() => readlinkSync('/proc/self/ns/pid')),
  ];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 8);
}

function readIfPossible(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * A name for this process that fits into a file name: its process id, where the system provides it its start time,
 * and its machine. A process id alone is reused sooner or later.
 */
export function ownProcessName(processes: Processes): string {
  const { ownPid, machine } = processes;
  const start = processes.startOf?.(ownPid);
  return `${ownPid}${start === undefined ? '' : `-${start}`}@${machine}`;
}

/**
 * - `running`: the process exists.
 * - `unsure`: a process with its ID exists here, but the system does not tell since when, so it may be another one.
 * - `elsewhere`: it is, or was, on another machine or in another container.
 * - `ended`: it certainly does not exist any more.
 */
export type ProcessState = 'running' | 'unsure' | 'elsewhere' | 'ended';

/** What has become of the process with a name from `ownProcessName`; of any other text, `ended`. */
export function stateOfProcess(processes: Processes, name: string): ProcessState {
  const [, number, start, machine] = /^([1-9]\d{0,9})(?:-(\d+))?@(\w+)$/.exec(name) ?? [];
  if (number === undefined) {
    return 'ended';
  }
  if (machine !== processes.machine) {
    return 'elsewhere';
  }
  if (!processes.isAlive(Number(number))) {
    return 'ended';
  }
  const present = processes.startOf?.(Number(number));
  if (start === undefined || present === undefined) {
    return 'unsure';
  }
  return present === start ? 'running' : 'ended';
}

import { readFileSync } from 'node:fs';

/** The processes of this machine; a parameter for tests. */
export interface Processes {
  readonly ownPid: number;
  /** `false` only if there is certainly no process with that ID. */
  isAlive(pid: number): boolean;
  /** The start time of a process, in a system-specific unit; `undefined` if the system does not provide it. */
  startOf?(pid: number): string | undefined;
}

export const localProcesses: Processes = {
  ownPid: process.pid,
  isAlive: (pid) => {
    try {
      // Signal 0 is never delivered; the call only checks whether a signal could be sent.
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ESRCH';
    }
  },
  startOf: (pid) => {
    try {
      // Linux (proc_pid_stat(5)): the second field is a name in parentheses that may contain any
      // characters; the 22nd is the start time in clock ticks since the machine started.
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    } catch {
      return undefined;
    }
  },
};

/**
 * A name for this process that fits into a file name: its process id and, where the system provides it, its
 * start time. A process id alone is reused sooner or later.
 */
export function ownProcessName(processes: Processes): string {
  const start = processes.startOf?.(processes.ownPid);
  return start === undefined ? String(processes.ownPid) : `${processes.ownPid}-${start}`;
}

/** Whether the process with a name from `ownProcessName` is running; `false` for any other text. */
export function isProcessAlive(processes: Processes, name: string): boolean {
  const [, number, start] = /^([1-9]\d{0,9})(?:-(\d+))?$/.exec(name) ?? [];
  if (number === undefined || !processes.isAlive(Number(number))) {
    return false;
  }
  const present = processes.startOf?.(Number(number));
  return start === undefined || present === undefined || present === start;
}

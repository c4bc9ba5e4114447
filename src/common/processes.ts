/** The processes of this machine; a parameter for tests. */
export interface Processes {
  readonly own: number;
  /** `false` only where there is certainly no process of that number. */
  isAlive(pid: number): boolean;
}

export const localProcesses: Processes = {
  own: process.pid,
  isAlive: (pid) => {
    try {
      // Signal 0 is not sent; the call only tells whether it could be.
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ESRCH';
    }
  },
};

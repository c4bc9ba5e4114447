/** Environment variable with the file of the work for an extension host, a StatesOrder in JSON. */
export const statesVariable = 'SCORECARD_BENCH_STATES';

export interface StatesOrder {
  /** Whether a file of a user is opened, or the newest report. */
  readonly kind: 'file' | 'report';
  readonly rows: number;
  /** How many states the file has before it is measured. */
  readonly states: number;
  readonly runs: number;
  /** For the files of findings. */
  readonly folder: string;
  /** The storage of the extension. */
  readonly storage: string;
  /** The file to write the OpenedStates to, in JSON. */
  readonly result: string;
}

/** Milliseconds of each opening: of what has a past, and of files that have none. */
export interface OpenedStates {
  readonly kept: readonly number[];
  readonly plain: readonly number[];
}

/** Findings as a scanner writes them; of each run, 100 are new, and 100 are gone. */
export function findingsOfRun(run: number, rows: number): string {
  const severities = ['critical', 'high', 'medium', 'low'];
  const lines = Array.from({ length: rows }, (_, row) => {
    const number = run * 100 + row;
    const severity = severities[number % severities.length];
    return `rule-${number % 97},${severity},src/folder-${number % 1_000}/file-${number}.ts,${number},open`;
  });
  return ['rule_id,severity,path,line,status', ...lines, ''].join('\n');
}

interface Run<T> {
  readonly result: Promise<T | undefined>;
  readonly abort: AbortController;
  /** The number of waiting callers. A caller without a signal never leaves. */
  callers: number;
}

/**
 * Runs that several callers share, one at a time for each key. A run is cancelled when all its callers have
 * cancelled. Results are cached. After a run without a result, the next caller starts another run.
 */
export class SharedRuns<T> {
  private readonly runs = new Map<string, Run<T>>();

  /**
   * @param start called unless the key has a result or a run in progress.
   * @returns `undefined` if there is no result, or if the caller cancels first. Rejects if the run does.
   */
  async get(
    key: string,
    start: (signal: AbortSignal) => Promise<T | undefined>,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    if (signal?.aborted) {
      return undefined;
    }
    const run = this.runs.get(key) ?? this.begin(key, start);
    run.callers += 1;
    if (!signal) {
      return run.result;
    }
    let leave: () => void = () => undefined;
    const left = new Promise<undefined>((resolve) => {
      leave = () => {
        run.callers -= 1;
        if (run.callers === 0) {
          // A later caller needs another run.
          this.forget(key, run);
          run.abort.abort();
        }
        resolve(undefined);
      };
    });
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([run.result, left]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  private begin(key: string, start: (signal: AbortSignal) => Promise<T | undefined>): Run<T> {
    const abort = new AbortController();
    const run: Run<T> = { result: start(abort.signal), abort, callers: 0 };
    this.runs.set(key, run);
    run.result.then(
      (result) => {
        if (result === undefined) {
          this.forget(key, run);
        }
      },
      () => {
        this.forget(key, run);
      },
    );
    return run;
  }

  private forget(key: string, run: Run<T>): void {
    if (this.runs.get(key) === run) {
      this.runs.delete(key);
    }
  }
}

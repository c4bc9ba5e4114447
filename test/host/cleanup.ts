/** Collects what must be released, in reverse order, however a launcher ends. */
export class Cleanup {
  private readonly steps: (() => Promise<void> | void)[] = [];
  private running: Promise<void> | undefined;

  /** Registers a step and returns what it releases. */
  add<T>(resource: T, release: (resource: T) => Promise<void> | void): T {
    this.steps.push(() => release(resource));
    return resource;
  }

  /** Runs all steps once; a step that fails does not keep the others from running. */
  run(): Promise<void> {
    this.running ??= this.runSteps();
    return this.running;
  }

  private async runSteps(): Promise<void> {
    const errors: unknown[] = [];
    for (let step = this.steps.pop(); step; step = this.steps.pop()) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) {
      throw new AggregateError(errors, 'Not everything could be released.');
    }
  }
}

/**
 * Runs the main function of a launcher: its exit code is the function's result, an error is printed
 * in one piece, and Ctrl+C or a termination signal releases everything first.
 */
export function runMain(main: (cleanup: Cleanup) => Promise<number>): void {
  const cleanup = new Cleanup();
  let interrupted = false;
  const finish = async (code: number): Promise<void> => {
    try {
      await cleanup.run();
    } catch (error) {
      report(error);
      process.exit(code === 0 ? 1 : code);
    }
    process.exit(code);
  };
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.on(signal, () => {
      interrupted = true;
      void finish(code);
    });
  }
  main(cleanup).then(
    (code) => (interrupted ? undefined : finish(code)),
    (error: unknown) => {
      // After an interruption, errors are expected: the resources were just released.
      if (!interrupted) {
        report(error);
        void finish(1);
      }
    },
  );
}

function report(error: unknown): void {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
}

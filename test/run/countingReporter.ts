import { inspect } from 'node:util';
import Mocha from 'mocha';
import type { Counts, TestTime } from './counts';
import { nameSources } from './sourceStack';

/** Prints mocha's usual output, and counts the tests. */
export class CountingReporter extends Mocha.reporters.Spec {
  private readonly failed: { readonly test: Mocha.Test; readonly error: unknown }[] = [];
  private readonly times: TestTime[] = [];

  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const { EVENT_TEST_FAIL, EVENT_TEST_END, EVENT_RUN_END } = Mocha.Runner.constants;
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      nameSources(error);
      this.failed.push({ test, error });
    });
    runner.on(EVENT_TEST_END, (test) => {
      if (test.duration !== undefined) {
        this.times.push({ title: test.title, ms: test.duration });
      }
    });
    const { onCounts } = (options?.reporterOptions ?? {}) as ReporterOptions;
    runner.once(EVENT_RUN_END, () => {
      const { passes: passed, pending: skipped } = this.stats;
      // Only now: hooks may have added to the errors what they saw after the test.
      const failures = this.failed.map(({ test, error }) => describeFailure(test, error));
      onCounts?.({ passed, skipped, failures, times: this.times });
    });
  }
}

/** What mocha hands to the reporter as `reporterOptions`. */
export interface ReporterOptions {
  readonly onCounts?: (counts: Counts) => void;
}

/** The title of a test is a whole sentence, by which it is found. */
function describeFailure(test: Mocha.Test, error: unknown): string {
  return `${test.title}\n${inspect(error).replace(/^/gm, '  ')}`;
}

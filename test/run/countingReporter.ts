import * as fs from 'node:fs';
import { inspect } from 'node:util';
import Mocha from 'mocha';
import { countsVariable, type Counts } from './counts';

/** Mocha's usual output; in the end the counts go to the file the environment names. */
export class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const failures: string[] = [];
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (test, error) => {
      failures.push(describeFailure(test, error));
    });
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const file = process.env[countsVariable];
      if (file !== undefined) {
        const { passes: passed, pending: skipped } = this.stats;
        const counts: Counts = { passed, skipped, failures };
        fs.writeFileSync(file, JSON.stringify(counts));
      }
    });
  }
}

function describeFailure(test: Mocha.Test, error: unknown): string {
  return `${test.titlePath().join(' › ')}\n${inspect(error).replace(/^/gm, '  ')}`;
}

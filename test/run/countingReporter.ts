import * as fs from 'node:fs';
import Mocha from 'mocha';
import { countsVariable, type Counts } from './counts';

/** Mocha's usual output; in the end the counts go to the file the environment names. */
export class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const file = process.env[countsVariable];
      if (file !== undefined) {
        fs.writeFileSync(file, JSON.stringify(countsOf(this.stats)));
      }
    });
  }
}

function countsOf(stats: Mocha.Stats): Counts {
  return { passed: stats.passes, failed: stats.failures, skipped: stats.pending };
}

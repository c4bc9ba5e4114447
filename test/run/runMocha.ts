import * as path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import { CountingReporter, type ReporterOptions } from './countingReporter';
import { nothing, type Counts } from './counts';
import { hangLimitMs } from './hangLimit';
import { lineMark } from './lineMark';
import { testFiles } from './testFiles';

/**
 * Runs the tests below a folder.
 * @param only the files to run, as `testFiles` names them.
 * @param factor how many times as long as usual a test may take.
 */
export async function runMocha(
  folder: string,
  only: readonly string[] = testFiles(folder),
  factor = 1,
): Promise<Counts> {
  let counts = nothing;
  const reporterOptions: ReporterOptions = {
    onCounts: (counted) => {
      counts = counted;
    },
  };
  const mocha = new Mocha({
    reporter: CountingReporter,
    reporterOptions,
    timeout: hangLimitMs * factor,
    color: process.stdout.isTTY,
    // With a forgotten `it.only`, one test would look like the whole suite.
    forbidOnly: true,
  });
  markLines();
  only.forEach((name) => mocha.addFile(path.join(folder, name)));
  await new Promise((resolve) => mocha.run(resolve));
  return counts;
}

/** Marks the lines of mocha, so that a reader finds them in the output of a whole VS Code. */
function markLines(): void {
  const mark = lineMark();
  if (mark !== undefined) {
    Mocha.reporters.Base.consoleLog = (...args: unknown[]): void => {
      for (const line of format(...args).split('\n')) {
        console.log('%s', mark + line);
      }
    };
  }
}

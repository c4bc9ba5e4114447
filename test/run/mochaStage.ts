/**
 * Runs files of tests of one kind.
 *
 *   node out/run/mochaStage.js unit
 *   node out/run/mochaStage.js ui findings.test.js    one of its files, or several
 *
 * Started by `npm test` it runs the files that come as messages, until there are no more.
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import { inspect } from 'node:util';
import { runMain } from '../host/cleanup';
import { bundle } from '../host/paths';
import { closeSharedHost } from '../host/sharedHost';
import { countsVariable, failure } from './counts';
import { runMocha } from './runMocha';

const kinds = ['unit', 'ui', 'smoke'];

/** A request of `npm test` to run files; the response is their {@link Counts}. */
export interface Request {
  readonly files: readonly string[];
}

/** Mocha drops a rejection that nobody handles, and the test passes: as an exception, it fails. */
function failUnhandled(reason: unknown): never {
  throw reason;
}

runMain(async (cleanup) => {
  // Before Mocha's own listener.
  process.on('unhandledRejection', failUnhandled);
  const [kind = '', ...files] = process.argv.slice(2);
  if (!kinds.includes(kind)) {
    throw new Error(`Name one of ${kinds.join(', ')}.`);
  }
  cleanup.add(undefined, closeSharedHost);
  if (kind === 'unit') {
    // They use whole cores; a window that is tested beside them answers first.
    os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
  }
  // More runs of each property, see test/helpers/property.ts, take longer.
  const factor = Math.max(1, Number(process.env.SCORECARD_RUNS ?? 0) / 100);
  const folder = bundle(`test/${kind}`);
  if (!process.send) {
    const counts = await runMocha(folder, files.length > 0 ? files : undefined, factor);
    const countsFile = process.env[countsVariable];
    if (countsFile !== undefined) {
      fs.writeFileSync(countsFile, JSON.stringify(counts));
    }
    return counts.failures.length === 0 ? 0 : 1;
  }
  await new Promise<void>((resolve) => {
    let before: Promise<unknown> = Promise.resolve();
    process.on('message', (request: Request) => {
      before = before.then(async () => {
        const { files } = request;
        const counts = await runMocha(folder, files, factor).catch((error: unknown) =>
          failure(`${files.join(' ')} could not be run\n${inspect(error)}`),
        );
        process.send?.(counts);
      });
    });
    process.on('disconnect', resolve);
  });
  return 0;
});

/**
 * Runs the tests of one kind in a process of their own.
 *
 *   node out/run/mochaStage.js unit
 *   node out/run/mochaStage.js ui
 *   node out/run/mochaStage.js ui findings.test.js    one of its files, or several
 */
import { runMain } from '../host/cleanup';
import { bundle } from '../host/paths';
import { runMocha } from './runMocha';

/** Milliseconds a single test may take. */
const timeouts: Partial<Record<string, number>> = { unit: 30_000, ui: 120_000 };

runMain(async () => {
  const [kind = '', ...files] = process.argv.slice(2);
  const timeout = timeouts[kind];
  if (timeout === undefined) {
    throw new Error(`Name one of ${Object.keys(timeouts).join(', ')}.`);
  }
  // More runs of each property, see test/helpers/property.ts, take longer.
  const factor = Math.max(1, Number(process.env.SCORECARD_RUNS ?? 0) / 500);
  const folder = bundle(`test/${kind}`);
  const only = files.length > 0 ? files : undefined;
  return (await runMocha(folder, timeout * factor, only)) === 0 ? 0 : 1;
});

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

const kinds = ['unit', 'ui'];

runMain(async () => {
  const [kind = '', ...files] = process.argv.slice(2);
  if (!kinds.includes(kind)) {
    throw new Error(`Name one of ${kinds.join(', ')}.`);
  }
  // More runs of each property, see test/helpers/property.ts, take longer.
  const factor = Math.max(1, Number(process.env.SCORECARD_RUNS ?? 0) / 500);
  const folder = bundle(`test/${kind}`);
  const only = files.length > 0 ? files : undefined;
  return (await runMocha(folder, only, factor)) === 0 ? 0 : 1;
});

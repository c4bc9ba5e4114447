import fc from 'fast-check';

/*
 * Property tests import `fc` from here and not from fast-check, so that all of them run as often as
 * the environment says and from one seed, which is printed once: `SCORECARD_SEED` and
 * `SCORECARD_RUNS` repeat a failure.
 */

/** Runs of each property in `npm test`; `npm run test:deep` asks for more. */
const defaultRuns = 40;

interface Settings {
  readonly runs: number;
  readonly seed: number;
}

const marker = Symbol.for('scorecard.propertySettings');
const shared = globalThis as unknown as Record<symbol, Settings | undefined>;

// Each test file is a bundle with its own copy of this module: the first one decides for all.
const settings = (shared[marker] ??= announce({
  runs: integer('SCORECARD_RUNS', 1) ?? defaultRuns,
  seed: integer('SCORECARD_SEED', -(2 ** 31)) ?? Math.floor(Math.random() * 2 ** 31),
}));

/** How often each property is run. */
export const { runs, seed } = settings;

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: runs, seed });

/** Whether this is `npm run test:deep`, which may take hours. */
const isDeep = runs > 1_000;

/** A test that takes minutes, or has many more cases than its test in `npm test`: only for `npm run test:deep`. */
export const deepIt: (title: string, test: Mocha.AsyncFunc) => void = isDeep ? it : () => undefined;

export { fc, isDeep };

function announce(chosen: Settings): Settings {
  console.log(`Properties: ${chosen.runs} runs each, SCORECARD_SEED=${chosen.seed}`);
  return chosen;
}

function integer(variable: string, min: number): number | undefined {
  const text = process.env[variable] ?? '';
  if (text === '') {
    return undefined;
  }
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value >= 2 ** 31) {
    throw new Error(`${variable} must be an integer from ${min} to ${2 ** 31 - 1}, not "${text}".`);
  }
  return value;
}

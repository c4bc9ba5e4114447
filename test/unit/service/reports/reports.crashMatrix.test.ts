import assert from 'node:assert/strict';
import { deepIt, isDeep, seed } from '../../../helpers/property';
import { printTable } from '../../../helpers/table';
import { UndecidedRequestError } from '../../../../src/service/reports/reportErrors';
import { CrashHarness, type Outcome } from './crashHarness';

/** The number of cases that run at the same time: they mostly wait. */
const concurrency = 4;

/** How often each step is killed with three other windows, and stopped. */
const repetitions = isDeep ? 3 : 1;

/** The cases in which one of four windows was killed with SIGKILL, or stopped with SIGSTOP. */
const withFourWindows = { kills: 0, stops: 0 };

after(() => {
  const { kills, stops } = withFourWindows;
  console.log(`With four windows: ${kills} kills, ${stops} stops.`);
});

for (const service of ['interface', 'securityScorecard'] as const) {
  describe(`A report of the service ${service}`, () => {
    const bench = new CrashHarness(service);
    let steps: string[];

    before(async () => {
      await bench.start();
      steps = await bench.steps();
    });
    after(() => bench.stop());

    /** Asserts the outcome of a report whose window ended before a step. */
    function assertOutcome(step: string, outcome: Outcome, isAsleep = false): void {
      const isDone = (done: string) => steps.indexOf(done) < steps.indexOf(step);
      assert.ok(outcome.reached, 'the step was not reached');
      if (!isDone('rename state requested, not sent') && !isAsleep) {
        assert.deepEqual([outcome.posts, outcome.record], [0, undefined], 'nothing was asked for');
      } else if (isDone('rename state requested, sent') && !isDone('rename state generating')) {
        // It is unknown whether the service accepted the request.
        const error = new UndecidedRequestError();
        assert.equal(outcome.record?.state, 'failed');
        assert.equal(outcome.record.error?.message, String(error));
        // A window that fell asleep while it sent the request may send it when it wakes up; no other window does.
        const most = isDone('send request') || isAsleep ? 1 : 0;
        const least = isDone('send request') ? 1 : 0;
        assert.ok(outcome.posts >= least && outcome.posts <= most, `${outcome.posts} requests`);
        assert.equal(outcome.file, 'none');
      } else {
        assert.equal(outcome.record?.state, 'ready');
        assert.equal(outcome.posts, 1);
        assert.equal(outcome.file, 'whole');
      }
    }

    /** Runs cases concurrently, and returns a text for each that failed. */
    async function failuresOf<T>(
      cases: readonly T[],
      check: (each: T) => Promise<void>,
    ): Promise<string[]> {
      const failures: string[] = [];
      const left = [...cases];
      await Promise.all(
        Array.from({ length: concurrency }, async () => {
          for (let each = left.shift(); each !== undefined; each = left.shift()) {
            await check(each).catch((error: unknown) => {
              failures.push(`${JSON.stringify(each)}: ${String(error)}`);
            });
          }
        }),
      );
      return failures;
    }

    const cell = ({ posts, record, file }: Outcome) =>
      `${posts}, ${file}, ${record?.state ?? 'none'}`;

    it(`A report of the service ${service} sends at most one POST and ends whole or undecided when SIGKILL hits before any step`, async () => {
      const rows = new Map(steps.map((step) => [step, { alone: '', others: '' }]));
      const cases = steps.flatMap((step) => [
        { step, withOthers: false },
        ...Array.from({ length: repetitions }, () => ({ step, withOthers: true })),
      ]);
      const failures = await failuresOf(cases, async ({ step, withOthers }) => {
        withFourWindows.kills += withOthers ? 1 : 0;
        const outcome = await bench.kill(step, withOthers);
        const row = rows.get(step);
        if (row) {
          row[withOthers ? 'others' : 'alone'] = cell(outcome);
        }
        assertOutcome(step, outcome);
      });
      const columns = ['alone: POSTs, file, state', 'with three other windows'];
      const table = [...rows].map(([step, { alone, others }]) => [step, alone, others]);
      printTable(['Killed before', ...columns], table);
      console.log('The same, steps of one outcome together:');
      printTable(['Killed before', 'steps', ...columns], mergeRows(table));
      assert.deepEqual(failures, []);
    });

    deepIt(
      `A report of the service ${service} is not changed by a window that wakes from SIGSTOP after another window took over`,
      async () => {
        const cases = Array.from({ length: repetitions }, () => steps).flat();
        const failures = await failuresOf(cases, async (step) => {
          withFourWindows.stops += 1;
          const outcome = await bench.sleep(step);
          assertOutcome(step, outcome, true);
          assert.equal(outcome.isChanged, false, 'the sleeper changed what the other one wrote');
        });
        assert.deepEqual(failures, []);
      },
    );

    it(`A report of the service ${service} sends at most one POST and ends whole or undecided after SIGKILLs at random moments`, async () => {
      const random = randomFrom(seed);
      const cases = Array.from({ length: isDeep ? 400 : 8 }, () =>
        Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
          Math.floor(150 + random() * 400),
        ),
      );
      const failures = await failuresOf(cases, async (delays) => {
        const { posts, record, file } = await bench.killAfter(delays);
        if (record?.state === 'failed') {
          assert.equal(record.error?.message, String(new UndecidedRequestError()));
          assert.ok(posts <= 1);
          assert.equal(file, 'none');
        } else {
          assert.deepEqual([record?.state, posts, file], ['ready', 1, 'whole']);
        }
      });
      assert.deepEqual(failures, []);
    });
  });
}

/** Merges successive rows that differ only in their first cell, with their number. */
function mergeRows(rows: readonly (readonly string[])[]): string[][] {
  const groups: { steps: string[]; cells: string[] }[] = [];
  for (const [step = '', ...cells] of rows) {
    const last = groups.at(-1);
    if (last?.cells.join() === cells.join()) {
      last.steps.push(step);
    } else {
      groups.push({ steps: [step], cells });
    }
  }
  return groups.map(({ steps, cells }) => [
    [...new Set([steps[0], steps.at(-1)])].join(' \u2026 '),
    String(steps.length),
    ...cells,
  ]);
}

/** Returns a generator of numbers from 0 to 1 that a seed determines (linear congruential). */
function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

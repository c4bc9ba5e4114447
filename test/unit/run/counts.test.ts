import * as assert from 'node:assert/strict';
import { add, failure, judge, nothing, slowest, summary, type Counts } from '../../run/counts';

describe('The counts of a test run', () => {
  /** The summary of a run with these counts and this exit code. */
  function judged(content: Partial<Counts> | undefined, exitCode: number): string {
    return summary(judge('ui', content && { ...nothing, ...content }, exitCode));
  }

  it('The counts of a test run are shown as reported', () => {
    assert.equal(judged({ passed: 7 }, 0), '7 passed, 0 failed');
    assert.equal(judged({ passed: 7, skipped: 1 }, 0), '7 passed, 0 failed, 1 skipped');
  });

  it('The counts of a test run are shown on one line after the failures', () => {
    assert.equal(
      judged(
        { passed: 7, failures: ['Lists › load\n  Error: one', 'Lists › end\n  Error: two'] },
        1,
      ),
      'Lists › load\n  Error: one\n\nLists › end\n  Error: two\n\n7 passed, 2 failed',
    );
  });

  it('The counts of a test run are summed', () => {
    assert.deepEqual(
      add(
        { passed: 1, skipped: 2, failures: ['a'], times: [{ title: 'one', ms: 1 }] },
        add({ ...nothing, passed: 4, times: [{ title: 'two', ms: 2 }] }, failure('b')),
      ),
      {
        passed: 5,
        skipped: 2,
        failures: ['a', 'b'],
        times: [
          { title: 'one', ms: 1 },
          { title: 'two', ms: 2 },
        ],
      },
    );
  });

  it('The counts of a test run have a failure when the run ended before its tests were done', () => {
    for (const exitCode of [0, 137]) {
      assert.equal(
        judged(undefined, exitCode),
        `ui ended with exit code ${exitCode} before its tests were done\n\n0 passed, 1 failed`,
      );
    }
  });

  it('The counts of a test run have a failure when there were no tests', () => {
    assert.equal(judged({}, 0), 'ui ran no tests\n\n0 passed, 1 failed');
    assert.equal(judged({ skipped: 3 }, 0), 'ui ran no tests\n\n0 passed, 1 failed, 3 skipped');
  });

  it('The counts of a test run have a failure when the run failed after its last test', () => {
    assert.equal(
      judged({ passed: 7 }, 3),
      'ui ended with exit code 3 after its tests\n\n7 passed, 1 failed',
    );
  });

  it('The counts of a test run list the slowest tests, the slowest first', () => {
    const times = [
      { title: 'quick', ms: 1 },
      { title: 'slow', ms: 12_345 },
      { title: 'middling', ms: 900 },
    ];
    assert.equal(slowest({ ...nothing, times }, 2), '  12.3 s  slow\n   0.9 s  middling');
  });
});

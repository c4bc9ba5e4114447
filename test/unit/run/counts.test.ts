import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { judge, summary } from '../../run/counts';

describe('The counts of a test run', () => {
  let folder = '';
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counts-test-'));
  });
  after(() => {
    fs.rmSync(folder, { recursive: true });
  });

  function judged(content: object | undefined, exitCode: number): string {
    const file = path.join(folder, 'counts.json');
    fs.rmSync(file, { force: true });
    if (content) {
      fs.writeFileSync(file, JSON.stringify(content));
    }
    return summary(judge(file, exitCode));
  }

  it('are taken as they are', () => {
    assert.equal(judged({ passed: 7, failed: 0, skipped: 0 }, 0), '7 passed, 0 failed');
    assert.equal(judged({ passed: 7, failed: 2, skipped: 1 }, 1), '7 passed, 2 failed, 1 skipped');
  });

  it('are a failure when the run ended before its tests did', () => {
    assert.equal(judged(undefined, 0), '0 passed, 1 failed');
    assert.equal(judged(undefined, 137), '0 passed, 1 failed');
  });

  it('are a failure when there were no tests', () => {
    assert.equal(judged({ passed: 0, failed: 0, skipped: 0 }, 0), '0 passed, 1 failed');
    assert.equal(judged({ passed: 0, failed: 0, skipped: 3 }, 0), '0 passed, 1 failed, 3 skipped');
  });

  it('are a failure when the run went wrong after its last test', () => {
    assert.equal(judged({ passed: 7, failed: 0, skipped: 0 }, 3), '7 passed, 1 failed');
  });
});

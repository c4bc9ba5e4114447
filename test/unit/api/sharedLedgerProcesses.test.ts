import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { windowMs } from '../../../src/api/rollingWindow';

interface Taken {
  /** Times before and after a place was taken, on the clock of the processes. */
  before: number;
  after: number;
}

describe('the ledger that processes share', () => {
  let root: string;

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'ledger-'));
  });
  afterEach(() => {
    fs.rmSync(root, { recursive: true, force: true });
  });

  /** Lets a process send all it may; `killAfter` places it is killed. */
  function run(
    { limit, speed, forMs }: { limit: number; speed: number; forMs: number },
    killAfter = Infinity,
  ): Promise<Taken[]> {
    const script = path.join(__dirname, 'ledgerUser.process.js');
    const child = spawn(
      process.execPath,
      [script, path.join(root, 'key'), String(limit), String(speed), String(forMs)],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.split('\n').length > killAfter) {
        child.kill('SIGKILL');
      }
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => {
        if (errors !== '') {
          reject(new Error(errors));
          return;
        }
        const lines = output.split('\n').slice(0, -1);
        resolve(
          lines.map((line) => {
            const [before, after] = line.split(' ').map(Number);
            return { before: before ?? NaN, after: after ?? NaN };
          }),
        );
      });
    });
  }

  /** Of one more than the limit, from before the first to after the last it was at least an hour. */
  function expectWithin(limit: number, taken: Taken[]): void {
    taken.sort((first, second) => first.after - second.after);
    for (let index = limit; index < taken.length; index += 1) {
      const group = taken.slice(index - limit, index + 1);
      const start = Math.min(...group.map(({ before }) => before));
      assert.ok((taken[index]?.after ?? 0) - start >= windowMs);
    }
  }

  it('three that hammer it take exactly the limit', async function () {
    this.timeout(30_000);
    const options = { limit: 2000, speed: 1, forMs: 0 };
    const taken = await Promise.all([run(options), run(options), run(options)]);
    assert.equal(taken.flat().length, 2000);
  });

  it('one that is killed at it leaves the others their places, and none too many', async function () {
    this.timeout(30_000);
    const options = { limit: 2000, speed: 1, forMs: 0 };
    const taken = await Promise.all([run(options, 50), run(options), run(options)]);
    // The one that was killed may have taken one place that it did not tell.
    const told = taken.flat().length;
    assert.ok(told <= 2000 && told >= 1999, `${told} places`);
  });

  it('three that ask for one place at the same moment, again and again, get one', async function () {
    this.timeout(30_000);
    // An hour in ten milliseconds.
    const options = { limit: 1, speed: windowMs / 10, forMs: 1500 };
    const taken = (await Promise.all([run(options), run(options), run(options)])).flat();
    expectWithin(1, taken);
    assert.ok(taken.length > 10, `${taken.length} places`);
  });

  it('three over four hours never exceed the limit of any hour, and use 99 % of it', async function () {
    this.timeout(60_000);
    const limit = 500;
    // An hour in a second.
    const options = { limit, speed: windowMs / 1000, forMs: 3900 };
    const taken = (await Promise.all([run(options), run(options), run(options)])).flat();
    expectWithin(limit, taken);
    const first = taken[0]?.after ?? NaN;
    const inThreeHours = taken.filter(({ after }) => after <= first + 3 * windowMs + 120_000);
    assert.ok(taken.length >= 0.99 * 4 * limit, `${taken.length} places`);
    assert.ok(inThreeHours.length >= 0.99 * 3 * limit, `${inThreeHours.length} places`);
  });
});

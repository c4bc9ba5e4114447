import { deepIt } from '../../../helpers/property';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { windowMs } from '../../../../src/api/budget/ledger';

/** A place that was asked for; the times are milliseconds on the clock of the processes. */
interface Asked {
  before: number;
  after: number;
  /** How long it has to wait; 0 when the place was taken. */
  waitMs: number;
}

const isTaken = ({ waitMs }: Asked) => waitMs === 0;

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
  ): Promise<Asked[]> {
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
            const [before = NaN, after = NaN, waitMs = NaN] = line.split(' ').map(Number);
            return { before, after, waitMs };
          }),
        );
      });
    });
  }

  /** Of one more than the limit, from before the first to after the last it was at least an hour. */
  function expectWithin(limit: number, taken: Asked[]): void {
    for (let index = limit; index < taken.length; index += 1) {
      const group = taken.slice(index - limit, index + 1);
      const start = Math.min(...group.map(({ before }) => before));
      assert.ok((taken[index]?.after ?? 0) - start >= windowMs);
    }
  }

  /** Nobody was refused, or has to wait, while 1 % of the limit was free, or for 1 % of the hour. */
  function expectUsed(limit: number, taken: Asked[], refused: Asked[]): void {
    for (const { before, after, waitMs } of refused) {
      const sent = taken.filter((place) => place.before <= after);
      const leaving = sent.at(-Math.ceil(0.99 * limit));
      assert.ok(leaving, `refused after ${sent.length} of ${limit} places`);
      const lateMs = before + waitMs - (leaving.after + windowMs);
      assert.ok(lateMs <= 0.01 * windowMs, `${lateMs} ms after a place is free`);
    }
  }

  /** The places that were taken, in their order, and what was asked for in vain. */
  function sorted(asked: Asked[][]): { taken: Asked[]; refused: Asked[] } {
    const all = asked.flat().sort((first, second) => first.after - second.after);
    return { taken: all.filter(isTaken), refused: all.filter((one) => !isTaken(one)) };
  }

  it('three that hammer it take exactly the limit', async () => {
    const options = { limit: 2000, speed: 1, forMs: 0 };
    const taken = await Promise.all([run(options), run(options), run(options)]);
    assert.equal(taken.flat().filter(isTaken).length, 2000);
  });

  it('one that is killed at it leaves the others their places, and none too many', async () => {
    const options = { limit: 2000, speed: 1, forMs: 0 };
    const taken = await Promise.all([run(options, 50), run(options), run(options)]);
    // The one that was killed may have taken one place that it did not show.
    const told = taken.flat().filter(isTaken).length;
    assert.ok(told <= 2000 && told >= 1999, `${told} places`);
  });

  it('three that ask for one place at the same moment, again and again, get one', async () => {
    // An hour in ten milliseconds.
    const options = { limit: 1, speed: windowMs / 10, forMs: 1500 };
    const { taken } = sorted(await Promise.all([run(options), run(options), run(options)]));
    expectWithin(1, taken);
    assert.ok(taken.length > 10, `${taken.length} places`);
  });

  deepIt(
    'three over four hours never exceed the limit of any hour, and use 99 % of it',
    async () => {
      const limit = 500;
      // An hour in a second.
      const options = { limit, speed: windowMs / 1000, forMs: 3900 };
      const asked = sorted(await Promise.all([run(options), run(options), run(options)]));
      expectWithin(limit, asked.taken);
      expectUsed(limit, asked.taken, asked.refused);
      assert.ok(asked.taken.length > limit, `${asked.taken.length} places`);
    },
  );
});

import { deepIt } from '../../../helpers/property';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { windowMs } from '../../../../src/api/budget/ledger';

/** A request for a place; the times are milliseconds on the clock of the processes. */
interface Attempt {
  before: number;
  after: number;
  /** How long the process has to wait; 0 if the place was reserved. */
  waitMs: number;
}

const isReserved = ({ waitMs }: Attempt) => waitMs === 0;

describe('The ledger that processes share', () => {
  let root: string;

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'ledger-'));
  });
  afterEach(() => {
    fs.rmSync(root, { recursive: true, force: true });
  });

  interface Options {
    limit: number;
    speed: number;
    forMs: number;
    /** The process sends this to itself while it holds the lock, `before` or `after` it adds a line. */
    signal?: 'SIGKILL' | 'SIGSTOP';
    step?: 'before' | 'after';
    /** Whether locks change hands as slowly as usual. */
    isPatient?: boolean;
  }

  /** Starts a process that sends as much as it may. It is killed after `killAfter` places. */
  function start(
    { limit, speed, forMs, signal, step, isPatient = false }: Options,
    killAfter = Infinity,
  ) {
    const script = path.join(__dirname, 'ledgerUser.process.js');
    const patience = isPatient ? 5 : 1;
    const own = [limit, speed, forMs, patience, ...(signal && step ? [signal, step] : [])].map(
      String,
    );
    const child = spawn(process.execPath, [script, path.join(root, 'key'), ...own], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
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
    const attempts = new Promise<Attempt[]>((resolve, reject) => {
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
    return { child, attempts };
  }

  const run = (options: Options, killAfter?: number) => start(options, killAfter).attempts;

  /** Any `limit + 1` requests span at least an hour. */
  function expectWithin(limit: number, reserved: Attempt[]): void {
    for (let index = limit; index < reserved.length; index += 1) {
      const group = reserved.slice(index - limit, index + 1);
      const start = Math.min(...group.map(({ before }) => before));
      assert.ok((reserved[index]?.after ?? 0) - start >= windowMs);
    }
  }

  /** No request is refused while 1 % of the limit is free, or waits 1 % of an hour too long. */
  function expectUsed(limit: number, reserved: Attempt[], refused: Attempt[]): void {
    for (const { before, after, waitMs } of refused) {
      const sent = reserved.filter((place) => place.before <= after);
      const leaving = sent.at(-Math.ceil(0.99 * limit));
      assert.ok(leaving, `refused after ${sent.length} of ${limit} places`);
      const lateMs = before + waitMs - (leaving.after + windowMs);
      assert.ok(lateMs <= 0.01 * windowMs, `${lateMs} ms after a place is free`);
    }
  }

  /** The reserved places and the refused attempts, in order. */
  function sorted(attempts: Attempt[][]): { reserved: Attempt[]; refused: Attempt[] } {
    const all = attempts.flat().sort((first, second) => first.after - second.after);
    return { reserved: all.filter(isReserved), refused: all.filter((one) => !isReserved(one)) };
  }

  /** What is left of the limit when processes send as fast as they can. */
  const hammer: Options = { limit: 500, speed: 1, forMs: 0 };
  const places = (attempts: Attempt[][]) => attempts.flat().filter(isReserved).length;

  /**
   * Expects a number of places. A process that a busy machine keeps in the lock for as long as one that is gone
   * does not send, so a few of the places may be counted only.
   */
  function expectGranted(attempts: Attempt[][], granted: number): void {
    const reserved = places(attempts);
    assert.ok(reserved <= granted && reserved >= granted - 25, `${reserved} of ${granted} places`);
    const log = fs.readFileSync(path.join(root, 'key', 'requests.log'), 'latin1');
    const counted = log.split('\n').filter((line) => line.includes(' send ')).length;
    assert.ok(counted >= 500, `${counted} are counted`);
  }

  it('The ledger that processes share grants the limit, and not one place more, to three processes that hammer it', async () => {
    const patient = { ...hammer, isPatient: true };
    expectGranted(await Promise.all([run(patient), run(patient), run(patient)]), 500);
  });

  it('The ledger that processes share grants the remaining places to the other processes when one is killed, and none too many', async () => {
    const reserved = await Promise.all([run(hammer, 50), run(hammer), run(hammer)]);
    // The one that was killed may have reserved one place that it did not show.
    expectGranted(reserved, 500);
  });

  for (const step of ['before', 'after'] as const) {
    // What is written may count, but is not sent.
    const granted = step === 'before' ? 500 : 499;

    it(`The ledger that processes share goes on when a process is killed in the lock, ${step} it writes`, async () => {
      const killed = run({ ...hammer, signal: 'SIGKILL', step });
      const all = await Promise.all([killed, run(hammer), run(hammer)]);
      assert.ok(all[0].filter(isReserved).length < 25, 'it was killed');
      expectGranted(all, granted);
    });

    it(`The ledger that processes share goes on when a process is stopped in the lock, ${step} it writes, and grants it nothing later`, async function () {
      if (process.platform === 'win32') {
        this.skip();
      }
      const stopped = start({ ...hammer, signal: 'SIGSTOP', step });
      const others = await Promise.all([run(hammer), run(hammer)]);
      stopped.child.kill('SIGCONT');
      const own = await stopped.attempts;
      assert.ok(own.filter(isReserved).length < 25, 'it was stopped');
      assert.equal(own.filter((one) => !isReserved(one)).length, 1);
      // The others cannot know that the line of the stopped process was never sent.
      expectGranted([own, ...others], granted);
    });
  }

  it('The ledger that processes share never exceeds the limit of any hour while its processes are stopped again and again', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    // An hour in a tenth of a second.
    const options = { limit: 50, speed: windowMs / 100, forMs: 2000 };
    const users: ReturnType<typeof start>[] = [];
    const timer = setInterval(() => {
      const { child } = users.at(-1 - Math.floor(Math.random() * 3)) ?? {};
      child?.kill('SIGSTOP');
      setTimeout(() => child?.kill('SIGCONT'), Math.random() * 150);
    }, 20);
    try {
      let reserved: Attempt[] = [];
      // On a busy machine, processes do little before their time is over: others go on.
      while (reserved.length <= 50) {
        users.push(start(options), start(options), start(options));
        ({ reserved } = sorted(await Promise.all(users.map(({ attempts }) => attempts))));
      }
      expectWithin(50, reserved);
    } finally {
      clearInterval(timer);
    }
  });

  it('The ledger that processes share grants one place when three processes request it at the same moment, again and again', async () => {
    // An hour in ten milliseconds.
    const options = { limit: 1, speed: windowMs / 10, forMs: 1500 };
    const attempts: Attempt[][] = [];
    let reserved: Attempt[] = [];
    while (reserved.length <= 10) {
      attempts.push(...(await Promise.all([run(options), run(options), run(options)])));
      ({ reserved } = sorted(attempts));
    }
    expectWithin(1, reserved);
  });

  deepIt(
    'The ledger that processes share never exceeds the limit of any hour, and uses 99 % of it, for three processes over four hours',
    async () => {
      const limit = 500;
      // An hour in a second.
      const options = { limit, speed: windowMs / 1000, forMs: 3900 };
      const attempts = sorted(await Promise.all([run(options), run(options), run(options)]));
      expectWithin(limit, attempts.reserved);
      expectUsed(limit, attempts.reserved, attempts.refused);
      assert.ok(attempts.reserved.length > limit, `${attempts.reserved.length} places`);
    },
  );
});

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { endpoints } from '../../../../src/api/paths';
import { maxInFlight, RequestQueue, type Slot } from '../../../../src/api/budget/requestQueue';
import { windowMs } from '../../../../src/api/budget/ledger';
import { SharedLedger } from '../../../../src/api/budget/sharedLedger';
import { silentLogger } from '../../../../src/base/logger';
import { FakeClock } from '../../../helpers/fakeClock';
import { fc } from '../../../helpers/property';
import { tick } from '../support';

const routes: readonly string[] = [
  endpoints.findings,
  endpoints.reportUrl,
  endpoints.fullReport,
  endpoints.detailedReport,
];

/** The steps of a run, in order. */
type Step =
  | {
      type: 'call';
      window: number;
      route: number;
      bulk: boolean;
      cancelAfterMs: number | undefined;
    }
  | { type: 'answer'; window: number; retryAfterMs: number | undefined }
  | { type: 'pass'; ms: number }
  | { type: 'jump'; hours: number }
  | { type: 'restart'; window: number };

const windowNumber = fc.nat({ max: 2 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant('call' as const),
        window: windowNumber,
        route: fc.nat({ max: routes.length - 1 }),
        bulk: fc.boolean(),
        cancelAfterMs: fc.option(fc.nat({ max: windowMs }), { nil: undefined, freq: 6 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('answer' as const),
        window: windowNumber,
        retryAfterMs: fc.option(fc.integer({ min: 1000, max: windowMs }), {
          nil: undefined,
          freq: 3,
        }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('pass' as const),
        ms: fc.oneof(fc.nat({ max: 10_000 }), fc.nat({ max: 2_000_000 })),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('jump' as const),
        hours: fc.constantFrom(-30, -2, -0.02, 0.02, 2, 30),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant('restart' as const), window: windowNumber }),
    },
  ),
  { minLength: 20, maxLength: 80, size: 'max' },
);

/** A ledger that reports each reserved request. */
class WatchedLedger extends SharedLedger {
  onReserve: (route: string) => void = () => undefined;

  override tryReserve(route: string): boolean {
    const isReserved = super.tryReserve(route);
    if (isReserved) {
      this.onReserve(route);
    }
    return isReserved;
  }
}

/** Windows over one folder, and a service that checks what they send. */
class World {
  readonly clock = new FakeClock();
  private readonly windows: Window[];
  private readonly sent: number[] = [];
  /** When the pause that the service ordered ends, by endpoint. */
  private readonly pausedUntil = new Map<string, number>();

  constructor(
    private readonly folder: string,
    private readonly limit: number,
    count: number,
  ) {
    this.windows = Array.from({ length: count }, () => new Window(this));
  }

  window(number: number): Window {
    const found = this.windows[number % this.windows.length];
    assert.ok(found);
    return found;
  }

  ledger(): WatchedLedger {
    const { folder, limit, clock } = this;
    const ledger = new WatchedLedger({
      folder,
      limit,
      clock,
      largeBytes: 500,
      logger: {
        ...silentLogger,
        warn: (line) => {
          assert.fail(line);
        },
      },
    });
    ledger.onReserve = (route) => {
      const now = this.clock.monotonic();
      assert.ok(now >= (this.pausedUntil.get(route) ?? 0), `${route} before its time`);
      this.sent.push(now);
      const earlier = this.sent.at(-1 - this.limit);
      assert.ok(earlier === undefined || now - earlier >= windowMs, 'over the limit');
    };
    return ledger;
  }

  recordPause(route: string, ms: number): void {
    this.pausedUntil.set(
      route,
      Math.max(this.pausedUntil.get(route) ?? 0, this.clock.monotonic() + ms),
    );
  }

  async run(step: Step): Promise<void> {
    switch (step.type) {
      case 'call':
        this.window(step.window).call(step);
        break;
      case 'answer':
        this.window(step.window).answer(step.retryAfterMs);
        break;
      case 'pass':
        this.clock.advance(step.ms);
        break;
      case 'jump':
        this.clock.jump(step.hours * 3_600_000);
        break;
      case 'restart':
        this.window(step.window).restart();
        break;
    }
    await tick();
    for (const window of this.windows) {
      assert.ok(window.inFlight <= maxInFlight);
    }
  }

  /** Answers all requests. The waiting ones must be sent as soon as the limit allows. */
  async drain(): Promise<void> {
    const hours = 3 + Math.ceil(this.windows.reduce((sum, { open }) => sum + open, 0) / this.limit);
    for (let minute = 0; minute < hours * 61 && this.windows.some(({ open }) => open > 0);) {
      for (const window of this.windows) {
        while (window.inFlight > 0) {
          window.answer(undefined);
        }
      }
      await tick();
      this.clock.advance(60_000);
      minute += 1;
      await tick();
    }
    assert.deepEqual(
      this.windows.map(({ open }) => open),
      this.windows.map(() => 0),
      'stalled',
    );
    assert.equal(this.clock.pending, 0);
  }

  close(): void {
    for (const window of this.windows) {
      window.close();
    }
  }
}

class Window {
  /** Calls that have neither been answered nor cancelled. */
  open = 0;
  private ledger: WatchedLedger;
  private queue: RequestQueue;
  private slots: { slot: Slot; route: string; bulk: boolean }[] = [];

  constructor(private readonly world: World) {
    [this.ledger, this.queue] = this.start();
  }

  get inFlight(): number {
    return this.slots.length;
  }

  call({ route: index, bulk, cancelAfterMs }: Step & { type: 'call' }): void {
    const route = routes[index];
    assert.ok(route);
    this.open += 1;
    this.enter(route, bulk, false, cancelAfterMs);
  }

  /** The service answers the oldest request. After a 429, the request is sent again. */
  answer(retryAfterMs: number | undefined): void {
    const answered = this.slots.shift();
    if (!answered) {
      return;
    }
    const { slot, route, bulk } = answered;
    if (retryAfterMs === undefined) {
      this.open -= 1;
    } else {
      this.world.recordPause(route, retryAfterMs);
      this.queue.pause(route, retryAfterMs);
      assert.ok(this.ledger.pauses.endpointMs(route) >= retryAfterMs);
      this.enter(route, bulk, true, undefined);
    }
    slot.release();
  }

  restart(): void {
    this.close();
    this.open = 0;
    this.slots = [];
    [this.ledger, this.queue] = this.start();
  }

  close(): void {
    this.queue.dispose();
  }

  private start(): [WatchedLedger, RequestQueue] {
    const ledger = this.world.ledger();
    const pass = (start: () => void) => {
      start();
    };
    return [ledger, new RequestQueue(ledger, pass, this.world.clock)];
  }

  private enter(
    route: string,
    bulk: boolean,
    again: boolean,
    cancelAfterMs: number | undefined,
  ): void {
    const controller = new AbortController();
    const { queue } = this;
    const keep =
      cancelAfterMs === undefined
        ? () => undefined
        : this.world.clock.setTimeout(() => {
            controller.abort();
          }, cancelAfterMs);
    queue
      .enter({
        route,
        isRepeat: again,
        maxWaitMs: Infinity,
        onWait: undefined,
        priority: bulk ? 'bulk' : 'interactive',
        signal: controller.signal,
      })
      .then(
        (slot) => {
          keep();
          if (this.queue === queue) {
            this.slots.push({ slot, route, bulk });
          }
        },
        () => {
          keep();
          if (this.queue === queue) {
            this.open -= 1;
          }
        },
      );
  }
}

describe('The budget that VS Code windows share', () => {
  it('The budget that VS Code windows share is never exceeded, for any schedule of calls, responses, clock jumps and restarts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 3 }),
        steps,
        async (limit, windows, schedule) => {
          const root = fs.mkdtempSync(path.join(os.tmpdir(), 'budget-'));
          const world = new World(path.join(root, 'key'), limit, windows);
          try {
            for (const step of schedule) {
              await world.run(step);
            }
            await world.drain();
          } finally {
            world.close();
            fs.rmSync(root, { recursive: true });
          }
        },
      ),
    );
  });

  it('The budget that VS Code windows share is used to 99 % over a day of three windows that restart and whose system time jumps', () => {
    const limit = 100;
    const hours = 24;
    const root = fs.mkdtempSync(path.join(os.tmpdir(), 'budget-'));
    const clock = new FakeClock();
    const open = () =>
      new SharedLedger({
        folder: path.join(root, 'key'),
        limit,
        clock,
        logger: silentLogger,
      });
    const ledgers = [open(), open(), open()];
    const sent: number[] = [];
    try {
      for (let minute = 0; minute < hours * 60; minute += 1) {
        const ledgerIndex = minute % ledgers.length;
        if (minute % 97 === 0) {
          ledgers[ledgerIndex] = open();
        }
        if (minute % 211 === 0) {
          clock.jump(minute % 2 === 0 ? 7_200_000 : -7_200_000);
        }
        for (let second = 0; second < 60; second += 5) {
          // Some windows reserve everything at once, others little by little.
          const most = minute % 180 < 90 ? 1 : Infinity;
          for (
            let count = 0;
            count < most && ledgers[ledgerIndex]?.tryReserve(endpoints.findings);
            count += 1
          ) {
            sent.push(clock.monotonic());
          }
          clock.advance(5000);
        }
      }
    } finally {
      fs.rmSync(root, { recursive: true });
    }
    for (const [index, time] of sent.entries()) {
      const earlier = sent[index - limit];
      assert.ok(earlier === undefined || time - earlier >= windowMs);
    }
    assert.ok(sent.length >= 0.99 * limit * hours, `${sent.length} of ${limit * hours}`);
  });
});

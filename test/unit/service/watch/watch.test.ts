import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { localDisk } from '../../../../src/files/disk';
import { localProcesses } from '../../../../src/files/processes';
import { type ToldNews, Watch } from '../../../../src/service/watch/watch';
import { lookAtCompany } from '../../../../src/service/watch/companyLook';
import { addNews, newsOfEvents } from '../../../../src/service/watch/watchNews';
import { WatchFile } from '../../../../src/service/watch/watchFile';
import type { CompanyEvent } from '../../../../src/api/services/companyEvents';
import type { TrendLevel } from '../../../../src/summary/trend';
import { FakeClock } from '../../../helpers/fakeClock';

const hour = 3_600_000;
const day = 24 * hour;
const account = 'https://api.example#one';
const [tarnwick, pemberlane] = ['tarnwick', 'pemberlane'];

/** The service: what happens to companies, and who asked. */
class Service {
  readonly asked: string[] = [];
  readonly happened: (CompanyEvent & { readonly company: string })[] = [];
  isDown = false;

  constructor(private readonly clock: FakeClock) {}

  arrive(company: string, count: number, severity: string, at = this.clock.now()): void {
    this.happened.push({
      company,
      id: `e${this.happened.length}`,
      at,
      kind: 'issues',
      issues: { count, status: 'active', issueType: 'open_port', severity },
    });
  }

  breach(company: string): void {
    this.happened.push({
      company,
      id: `e${this.happened.length}`,
      at: this.clock.now(),
      kind: 'breach',
    });
  }

  events(company: string, { from, to }: { from: number; to: number }): Promise<CompanyEvent[]> {
    this.asked.push(company);
    return this.isDown
      ? Promise.reject(new Error('The service is down.'))
      : Promise.resolve(
          this.happened.filter(
            (event) => event.company === company && event.at >= from && event.at <= to,
          ),
        );
  }
}

describe('Watch', () => {
  let folder: string;
  let clock: FakeClock;
  let service: Service;
  let told: (readonly ToldNews[])[];
  let windows: Watch[];
  let hasBudget: boolean;
  let accountId: string | undefined;
  let leastSeverity: TrendLevel;
  const listed = new Set([tarnwick, pemberlane]);

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'watch-'));
    clock = new FakeClock(Date.UTC(2026, 10, 2, 9));
    service = new Service(clock);
    told = [];
    hasBudget = true;
    accountId = account;
    leastSeverity = 'high';
    windows = [];
  });
  afterEach(() => {
    windows.forEach((each) => {
      each.dispose();
    });
    rmSync(folder, { recursive: true, force: true });
  });

  function deps(): ConstructorParameters<typeof Watch>[0] {
    return {
      file: new WatchFile({ clock, disk: localDisk, processes: localProcesses, folder }),
      clock,
      log: { warn: () => undefined },
      accountId: () => accountId,
      isListed: (id) => listed.has(id),
      hasBudget: () => hasBudget,
      look: (entry, now) => lookAtCompany(service, entry, now),
      leastSeverity: () => leastSeverity,
      describe: ({ count, isBreached }) =>
        [count > 0 ? `${count} new` : '', isBreached ? 'a breach' : ''].filter(Boolean).join(', '),
      describeFailure: (error) => String(error),
      tell: (news) => told.push(news),
    };
  }

  function open(): Watch {
    const watch = new Watch(deps());
    windows.push(watch);
    return watch;
  }

  /** Moves the time, and lets all windows look. */
  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    await Promise.all(windows.map((each) => each.check()));
  }

  const texts = () =>
    told.map((all) =>
      all.map(({ scorecardId, news }) => [
        scorecardId,
        news.count,
        news.severity.critical,
        news.isBreached,
      ]),
    );

  it('Watch keeps a breach among what else is new', () => {
    const at = clock.now();
    const breach = newsOfEvents([{ id: 'a', at, kind: 'breach' }], () => undefined);
    const others = newsOfEvents([], () => undefined);
    for (const both of [addNews(breach, others), addNews(others, breach)]) {
      assert.deepEqual(both, breach);
    }
    assert.ok(breach.isBreached && !others.isBreached);
  });

  it('Watch in three windows for a week asks once a company and day, and tells each change once', async () => {
    const [first] = [open(), open(), open()];
    service.arrive(tarnwick, 100, 'critical', clock.now() - 3 * day);
    await first.set(account, tarnwick, 'daily');
    await first.set(account, pemberlane, 'daily');
    for (let days = 0; days < 7; days += 1) {
      if (days === 2) {
        service.arrive(tarnwick, 33, 'high');
        service.arrive(tarnwick, 4, 'critical');
        service.breach(pemberlane);
      }
      if (days === 4) {
        service.arrive(pemberlane, 9, 'low');
      }
      for (let hours = 0; hours < 24; hours += 3) {
        await pass(3 * hour);
      }
    }
    assert.equal(service.asked.filter((each) => each === tarnwick).length, 7);
    assert.equal(service.asked.filter((each) => each === pemberlane).length, 7);
    assert.deepEqual(texts(), [
      [
        [tarnwick, 37, 4, false],
        [pemberlane, 0, 0, true],
      ],
    ]);
    assert.deepEqual(
      windows.map((each) => each.find(pemberlane)?.news?.text),
      ['9 new', '9 new', '9 new'],
      'also what is not worth a notification, in all windows',
    );
  });

  it('Watch makes up for missed periods once, and goes on at the hour of before', async () => {
    await open().set(account, tarnwick, 'daily');
    const begun = clock.now();
    service.arrive(tarnwick, 2, 'high', begun + day);
    await pass(5 * day + 2 * hour);
    assert.equal(service.asked.length, 1);
    assert.deepEqual(texts(), [[[tarnwick, 2, 0, false]]]);
    assert.equal(windows[0]?.find(tarnwick)?.nextAt, begun + 6 * day);
  });

  it('Watch tells an event that the service adds late, and none twice', async () => {
    await open().set(account, tarnwick, 'daily');
    await pass(day);
    service.arrive(tarnwick, 5, 'high', clock.now() - 2 * day);
    await pass(day);
    await pass(day);
    assert.deepEqual(texts(), [[[tarnwick, 5, 0, false]]]);
  });

  it('Watch asks again an hour after a failure, and loses nothing', async () => {
    await open().set(account, tarnwick, 'weekly');
    service.arrive(tarnwick, 3, 'critical', clock.now() + day);
    service.isDown = true;
    await pass(7 * day);
    await pass(30 * 60_000);
    assert.equal(service.asked.length, 1);
    service.isDown = false;
    await pass(hour);
    assert.deepEqual(texts(), [[[tarnwick, 3, 3, false]]]);
    assert.equal(service.asked.length, 2);
  });

  it('Watch asks nothing without budget, in the demo, or of a scorecard that was removed', async () => {
    await open().set(account, tarnwick, 'daily');
    hasBudget = false;
    await pass(day);
    hasBudget = true;
    accountId = undefined;
    await pass(day);
    accountId = account;
    listed.delete(tarnwick);
    await pass(day);
    listed.add(tarnwick);
    assert.deepEqual(service.asked, []);
    await pass(0);
    assert.deepEqual(service.asked, [tarnwick]);
  });

  it('Watch tells no findings below the severity of the setting, but always a breach', async () => {
    await open().set(account, tarnwick, 'daily');
    service.arrive(tarnwick, 5, 'medium', clock.now() + hour);
    await pass(day);
    assert.deepEqual(told, []);
    leastSeverity = 'medium';
    service.arrive(tarnwick, 5, 'medium', clock.now() + hour);
    await pass(day);
    assert.equal(told.length, 1);
  });

  it('Watch ends, and another period does not make it look more often', async () => {
    const watch = open();
    const begun = clock.now();
    await watch.set(account, tarnwick, 'weekly');
    await pass(2 * day);
    assert.equal((await watch.set(account, tarnwick, 'daily'))?.nextAt, begun + day);
    await pass(hour);
    assert.equal(service.asked.length, 1);
    assert.equal(await watch.set(account, tarnwick, 'off'), undefined);
    await pass(30 * day);
    assert.equal(service.asked.length, 1);
    assert.deepEqual(watch.watched, []);
  });

  it('Watch waits for the next period after two failures, and says why in the row until a look succeeds', async () => {
    const watch = open();
    await watch.set(account, tarnwick, 'daily');
    service.isDown = true;
    await pass(day);
    await pass(hour);
    assert.equal(service.asked.length, 2);
    assert.deepEqual(watch.find(tarnwick)?.failure, {
      times: 2,
      text: 'Error: The service is down.',
    });
    await pass(hour);
    await pass(20 * hour);
    assert.equal(service.asked.length, 2);
    service.isDown = false;
    await pass(4 * hour);
    assert.equal(service.asked.length, 3);
    assert.equal(watch.find(tarnwick)?.failure, undefined);
  });

  it('Watch tells in another window what a window has found that was closed during the next look', async () => {
    const first = open();
    await first.set(account, tarnwick, 'daily');
    await first.set(account, pemberlane, 'daily');
    service.arrive(tarnwick, 4, 'critical', clock.now() + hour);
    // The window is closed while it asks for the second company.
    const events = service.events.bind(service);
    let isClosed = false;
    service.events = async (company, period) => {
      if (company === pemberlane && !isClosed) {
        isClosed = true;
        first.dispose();
        throw new Error('The window was closed.');
      }
      return events(company, period);
    };
    await pass(day);
    assert.deepEqual(told, []);
    windows = [open()];
    await pass(60_000);
    assert.deepEqual(texts(), [[[tarnwick, 4, 4, false]]]);
    await pass(60_000);
    await pass(2 * day);
    assert.equal(told.length, 1);
  });

  it('Watch goes on when the window that looked was killed, and nothing says whether it still runs', async () => {
    const file = path.join(folder, 'look.lock', '4711@elsewhere 0123456789ab');
    const watch = open();
    await watch.set(account, tarnwick, 'daily');
    mkdirSync(file, { recursive: true });
    clock.advance(day);
    for (let minutes = 0; minutes < 20 && service.asked.length === 0; minutes += 1) {
      await pass(60_000);
    }
    assert.deepEqual(service.asked, [tarnwick]);
  });

  it('Watch goes on when the clock of the machine was a year ahead', async () => {
    await open().set(account, tarnwick, 'daily');
    await pass(day);
    clock.jump(365 * day);
    await pass(60_000);
    clock.jump(-365 * day);
    service.arrive(tarnwick, 3, 'high', clock.now() + hour);
    await pass(day);
    await pass(day);
    assert.deepEqual(texts(), [[[tarnwick, 3, 0, false]]]);
  });

  it('Watch asks nothing more of an account when another one is signed in during a look, or what is turned off', async () => {
    const watch = open();
    await watch.set(account, tarnwick, 'daily');
    await watch.set(account, pemberlane, 'daily');
    const events = service.events.bind(service);
    let during: () => unknown = () => (accountId = 'https://api.example#two');
    service.events = async (company, period) => {
      await during();
      return events(company, period);
    };
    await pass(day);
    assert.deepEqual(service.asked, [tarnwick]);
    accountId = account;
    during = () => watch.set(account, tarnwick, 'off');
    await pass(60_000);
    assert.deepEqual(service.asked, [tarnwick, pemberlane]);
    during = () => watch.set(account, pemberlane, 'off');
    await watch.set(account, tarnwick, 'daily');
    clock.advance(2 * day);
    await watch.check();
    assert.equal(watch.find(pemberlane), undefined);
  });

  it('Watch takes what a look says it covered as where the next one begins', async () => {
    const begun = clock.now();
    const since: number[] = [];
    const watch = new Watch({
      ...deps(),
      look: (entry, now) => {
        since.push(entry.since);
        return Promise.resolve({ news: newsOfEvents([], () => undefined), since: now + 5 });
      },
    });
    windows.push(watch);
    await watch.set(account, tarnwick, 'daily');
    await pass(day);
    await pass(day);
    assert.deepEqual(since, [begun, begun + day + 5]);
  });

  it('Watch takes the severity of the issue type where an event has none', () => {
    const event: CompanyEvent = {
      id: 'e',
      at: 0,
      kind: 'issues',
      issues: { count: 3, status: 'active', issueType: 'open_port' },
    };
    const severityOf = (issueType: string) => (issueType === 'open_port' ? 'high' : undefined);
    assert.equal(newsOfEvents([event], severityOf).severity.high, 3);
  });

  it('Watch neither forgets nor replaces a file that it cannot read, and keeps entries of a newer version', async () => {
    const watch = open();
    await watch.set(account, tarnwick, 'daily');
    const file = path.join(folder, 'watched.json');
    const newer = { accountId: account, scorecardId: 'c', period: 'hourly' };
    const stored = JSON.parse(readFileSync(file, 'utf8')) as { watched: unknown[] };
    writeFileSync(file, JSON.stringify({ ...stored, watched: [newer, ...stored.watched] }));
    await watch.set(account, pemberlane, 'weekly');
    await pass(day);
    const after = JSON.parse(readFileSync(file, 'utf8')) as { watched: unknown[] };
    assert.deepEqual(after.watched.at(-1), newer);
    assert.equal(after.watched.length, 3);
    for (const damaged of ['{', '{"version":2,"watched":[]}']) {
      writeFileSync(file, damaged);
      await pass(day);
      await assert.rejects(watch.set(account, pemberlane, 'daily'), /Repair or remove the file/);
      assert.equal(readFileSync(file, 'utf8'), damaged);
    }
    assert.deepEqual(service.asked, [tarnwick]);
    await watch.removeAll();
    assert.ok(!existsSync(file));
  });

  it('Watch reads what it can of a damaged file, and leaves what other accounts watch', async () => {
    const watch = open();
    await watch.set('https://api.example#other', pemberlane, 'weekly');
    await watch.set(account, tarnwick, 'daily');
    assert.deepEqual(
      watch.watched.map(({ scorecardId }) => scorecardId),
      [tarnwick],
    );
    const file = path.join(folder, 'watched.json');
    const stored = JSON.parse(readFileSync(file, 'utf8')) as { watched: unknown[] };
    writeFileSync(file, JSON.stringify({ ...stored, watched: [...stored.watched, { period: 1 }] }));
    await pass(day);
    assert.deepEqual(service.asked, [tarnwick]);
  });
});

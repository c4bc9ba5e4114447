import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as path from 'node:path';
import { mock } from 'node:test';
import { silentLogger } from '../../../../src/base/logger';
import type { ReportState, StoredReport } from '../../../../src/service/reports/storedReport';
import { ReportStore } from '../../../../src/service/reports/reportStore';
import { storedReport } from '../../../helpers/storedReport';
import { FakeClock } from '../../../helpers/fakeClock';
import { fullReport, ReportHarness, neverReady, quickTimes } from './harness';

/** Counts the reads of records. */
class CountedReads {
  count = 0;
  /** Called after a record was read, before its reader gets it. */
  after: (file: string) => void = () => undefined;

  constructor() {
    const { readFileSync } = fs;
    mock.method(fs, 'readFileSync', (...given: Parameters<typeof readFileSync>) => {
      const text = readFileSync(...given);
      if (path.basename(String(given[0])) === 'report.json') {
        this.count += 1;
        this.after(given[0] as string);
      }
      return text;
    });
  }
}

/** Counts the synchronous calls of the file system. @returns the count so far. */
function countCalls(): () => number {
  let calls = 0;
  for (const name of Object.keys(fs).filter((each) => each.endsWith('Sync')) as 'statSync'[]) {
    const original = fs[name] as typeof fs.statSync | undefined;
    if (!original) {
      // Not on this system.
      continue;
    }
    mock.method(fs, name, (...given: Parameters<typeof original>) => {
      calls += 1;
      return original(...given);
    });
  }
  return () => calls;
}

describe('Many records', () => {
  let bench: ReportHarness;
  let reads: CountedReads;

  beforeEach(async () => {
    bench = new ReportHarness();
    await bench.start();
  });
  afterEach(async () => {
    mock.restoreAll();
    await bench.cleanup.run();
  });

  describe('in a store', () => {
    const file = () => path.join(bench.records, 'x', 'report.json');
    const put = (state: ReportState, title = 'one') => {
      fs.mkdirSync(path.dirname(file()), { recursive: true });
      fs.writeFileSync(`${file()}-draft`, JSON.stringify(storedReport({ state, title })));
      fs.renameSync(`${file()}-draft`, file());
    };
    const store = () => new ReportStore(bench.records, silentLogger);

    it('Many state files in a store are read again only after they were replaced, if their reports have ended', () => {
      const reader = store();
      reads = new CountedReads();
      put('ready');
      const first = reader.find('x');
      assert.equal(reader.find('x'), first);
      assert.equal(reads.count, 1);
      put('ready', 'two');
      assert.equal(reader.find('x')?.title, 'two', 'of the same size');
      put('failed');
      assert.equal(reader.find('x')?.state, 'failed');
      put('error' as ReportState);
      assert.equal(reader.find('x'), undefined, 'no state of a report');
      fs.rmSync(file());
      assert.equal(reader.find('x'), undefined);
      put('generating');
      const { count } = reads;
      assert.equal(reader.find('x')?.state, 'generating');
      assert.equal(reader.find('x')?.state, 'generating');
      assert.equal(reads.count, count + 2, 'another window may write it at any time');
    });

    it('Many state files in a store are up to date where they are replaced while they are read ahead', async () => {
      put('cancelled');
      fs.mkdirSync(path.join(bench.records, 'broken'));
      fs.writeFileSync(path.join(bench.records, 'broken', 'report.json'), '{');
      fs.mkdirSync(path.join(bench.records, 'gone'));
      reads = new CountedReads();
      reads.after = () => {
        reads.after = () => undefined;
        put('ready');
      };
      const reader = store();
      await reader.readAhead();
      assert.equal(reader.find('x')?.state, 'ready');
      assert.deepEqual(reader.readAll().unreadable, ['broken']);
    });
  });

  it('Many state files on a slow disk are read one in a turn, so that other work is not held up', async () => {
    for (const id of ['a', 'b', 'c', 'd']) {
      bench.leave({ id, state: 'ready', path: `/${id}` });
    }
    reads = new CountedReads();
    const turns: number[] = [];
    reads.after = () => {
      const end = performance.now() + 10;
      while (performance.now() < end) {
        // As a disk that takes its time.
      }
    };
    const reading = new ReportStore(bench.records, silentLogger).readAhead();
    while (reads.count < 4) {
      await new Promise(setImmediate);
      turns.push(reads.count);
    }
    await reading;
    assert.ok(
      [1, 2, 3].every((each) => turns.includes(each)),
      turns.join(),
    );
  });

  describe('of a window', () => {
    const count = 1_000;

    beforeEach(() => {
      for (let index = 0; index < count; index += 1) {
        leave(`r${index}`, { state: 'ready', path: `/r${index}` });
      }
      reads = new CountedReads();
    });

    /** Writes a record to disk, with a time a minute ago. */
    function leave(id: string, changes: Partial<StoredReport>): StoredReport {
      const report = bench.leave({ id, ...changes });
      const at = Date.now() / 1_000 - 60;
      fs.utimesSync(path.join(bench.records, id, 'report.json'), at, at);
      return report;
    }

    it('Many state files of a window are read once, when it starts, even if the user signs in meanwhile', async () => {
      const { reports, session } = bench.window({ signedIn: false });
      const loading = reports.load();
      session.signIn(bench.server.baseUrl, bench.client());
      reports.resume();
      assert.equal(reads.count, 0, 'nobody waits for the disk');
      assert.deepEqual(reports.listShown(), []);
      assert.equal(reports.load(), loading);
      await loading;
      assert.equal(reports.listShown().length, count);
      reports.resume();
      assert.equal(reads.count, count);
    });

    it('Many state files of a window are read again one by one when another window changes them', async () => {
      const { reports } = bench.window({ signedIn: false });
      await reports.load();
      leave('r7', { state: 'failed', error: { code: 'server', message: 'It broke.' } });
      leave('new', { state: 'cancelled' });
      reports.resume();
      assert.equal(reports.get('r7').state, 'failed');
      assert.equal(reports.listShown().length, count + 1);
      assert.equal(reads.count, count + 2);
      fs.rmSync(path.join(bench.records, 'r8'), { recursive: true });
      reports.resume();
      assert.equal(reports.listShown().length, count);
      assert.equal(reads.count, count + 2);
    });

    it('Many state files of a window cost a few calls of the file system at a heartbeat', async () => {
      const times = { heartbeatMs: 3_600_000, goneMs: 3_600_000, silentMs: 3_600_000 };
      bench.onPoll = neverReady;
      const other = bench.window({ times });
      const { report } = await other.reports.start(fullReport);
      const beats = new FakeClock();
      const { reports } = bench.window({ times, beats });
      await reports.load();
      // What the view does at each change.
      reports.onDidChange(() => {
        reports.unseen();
        reports.unseen();
      });
      /** Makes the folder look as if nothing had changed for a minute. */
      const settle = () => {
        const at = Date.now() / 1_000 - 60;
        fs.utimesSync(bench.records, at, at);
        reports.resume();
        beats.advance(3_000);
        reports.resume();
      };
      settle();
      const calls = countCalls();
      reports.resume();
      assert.ok(calls() < 12, `${calls()} calls`);
      assert.equal(reports.listShown().length, count + 1);
      assert.equal(reports.unseen().length, count);
      // What another window does is noticed all the same.
      other.reports.markSeen(other.reports.get('r7'));
      reports.resume();
      assert.equal(reports.unseen().length, count - 1);
      settle();
      await other.store.write({ ...other.reports.get(report.id), state: 'cancelled' });
      reports.resume();
      assert.equal(reports.get(report.id).state, 'cancelled');
      await other.store.remove('r8');
      reports.resume();
      assert.equal(reports.listShown().length, count);
      settle();
      assert.ok(other.store.acquire('r9'));
      await other.store.writeRestarted({ ...other.reports.get('r9'), state: 'generating' });
      reports.resume();
      assert.equal(reports.get('r9').state, 'generating');
    });

    it('Many state files of a window are read again after a second change that leaves the folder the same time', async () => {
      const beats = new FakeClock();
      const times = { ...quickTimes, heartbeatMs: 1_000 };
      const { reports } = bench.window({ signedIn: false, beats, times });
      await reports.load();
      const { statSync } = fs;
      const before = statSync(bench.records);
      mock.method(fs, 'statSync', (...given: Parameters<typeof statSync>) =>
        given[0] === bench.records ? before : statSync(...given),
      );
      leave('new', { state: 'cancelled' });
      beats.advance(times.heartbeatMs);
      beats.advance(5_000);
      assert.equal(reports.listShown().length, count + 1);
    });

    it('Many state files of a window are up to date when another window finishes a report during the read-ahead', async () => {
      const left = bench.leave({ id: 'left', state: 'generating', reportUrl: '/made/1' });
      const { reports, session, ends } = bench.window({ signedIn: false });
      reads.after = (file) => {
        if (file.includes('left')) {
          reads.after = () => undefined;
          bench.leave({ ...left, state: 'ready', path: '/left' });
        }
      };
      const loading = reports.load();
      session.signIn(bench.server.baseUrl, bench.client());
      await loading;
      assert.deepEqual(reports.get('left'), bench.onDisk('left'));
      assert.equal(reports.get('left').state, 'ready');
      assert.deepEqual([bench.polls, bench.posts, ends], [0, 0, []]);
    });
  });
});

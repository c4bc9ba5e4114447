import { FileError } from '../../../../src/files/fileError';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { UserError } from '../../../../src/base/userError';
import { LockLostError } from '../../../../src/files/fileLock';
import { type Logger, silentLogger } from '../../../../src/base/logger';
import { localProcesses, ownProcessName } from '../../../../src/files/processes';
import { localSyncDisk } from '../../../../src/files/syncDisk';
import { toPublicReport, type StoredReport } from '../../../../src/service/reports/storedReport';
import { ReportStore } from '../../../../src/service/reports/reportStore';
import { FakeClock } from '../../../helpers/fakeClock';
import { storedReport } from '../../../helpers/storedReport';
import { tick } from '../../api/support';
import { Cleanup } from '../findings/support';

function record(id: string, changes: Partial<StoredReport> = {}): StoredReport {
  return storedReport({ id, jobs: 0, state: 'requested', ...changes });
}

describe('The report store', () => {
  const cleanup = new Cleanup();
  let folder: string;
  let warnings: string[];

  beforeEach(() => {
    folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'reports-')), 'reports');
    cleanup.add(() => {
      fs.rmSync(path.dirname(folder), { recursive: true });
    });
    warnings = [];
  });
  afterEach(() => cleanup.run());

  /** The store of one window. */
  function window(disk = localSyncDisk): ReportStore {
    const logger: Logger = { ...silentLogger, warn: (line) => warnings.push(line) };
    return new ReportStore(folder, logger, { disk });
  }

  function acquire(store: ReportStore, id: string): void {
    const lock = store.lockOf(id);
    assert.ok(lock.tryAcquire());
    cleanup.add(() => {
      lock.tryRelease();
    });
  }

  /** The store of a window that runs a report, which it has just created. */
  async function windowOf(report: StoredReport, disk = localSyncDisk): Promise<ReportStore> {
    const store = window(disk);
    await store.create(report);
    acquire(store, report.id);
    return store;
  }

  const files = (id: string) => fs.readdirSync(path.join(folder, id)).sort();
  const put = (id: string, text: string) => {
    fs.mkdirSync(path.join(folder, id), { recursive: true });
    fs.writeFileSync(path.join(folder, id, 'report.json'), text);
  };

  it('The report store is empty before the first report, and reading it creates no folder', () => {
    assert.deepEqual(window().readReports(), []);
    assert.deepEqual(window().readAll().unreadable, []);
    assert.equal(fs.existsSync(folder), false);
  });

  it('The report store returns a created report, and keeps its files private to the user', async () => {
    const report = record('a', { body: { x: [1] }, unsent: true, reportUrl: '/reports/1' });
    await window().create(report);
    assert.deepEqual(window().readReports(), [report]);
    assert.deepEqual(files('a'), ['report.json']);
    assert.deepEqual(fs.readdirSync(folder), ['a']);
    if (process.platform !== 'win32') {
      assert.equal(fs.statSync(path.join(folder, 'a')).mode & 0o077, 0);
      assert.equal(fs.statSync(path.join(folder, 'a', 'report.json')).mode & 0o077, 0);
    }
  });

  it('The report store adds a report at once after the process of a window was killed while it added one', async () => {
    const { pid } = spawnSync(process.execPath, ['--eval', 'process.kill(process.pid, "SIGKILL")']);
    const owners = [`${pid}@${localProcesses.machine}`];
    const own = ownProcessName(localProcesses);
    if (own.includes('-')) {
      // This process has the ID of one that was started at another time.
      owners.push(own.replace('-', '-1'));
    }
    for (const owner of owners) {
      const left = path.join(folder, '.start', `${owner} 0123456789ab`, 'draft-1');
      fs.mkdirSync(left, { recursive: true });
      const report = record(owner);
      assert.equal(
        await window().start(report, () => undefined, new AbortController().signal),
        report,
      );
      assert.deepEqual(window().find(owner), report);
      assert.equal(fs.existsSync(path.join(folder, '.start')), false);
    }
  });

  describe('while another window adds a report', () => {
    let clock: FakeClock;
    let store: ReportStore;
    let owner: string;
    const never = new AbortController().signal;

    beforeEach(() => {
      clock = new FakeClock();
      const processes = { ownPid: 1, machine: 'here', isAlive: () => true };
      store = new ReportStore(folder, silentLogger, { clock, processes });
      owner = path.join(folder, '.start', '2@here abcdefabcdef');
      fs.mkdirSync(owner, { recursive: true });
    });

    /** Lets timers of this time run, and what follows from them. */
    async function pass(ms: number): Promise<void> {
      await tick();
      clock.advance(ms);
      await tick();
    }

    it('The report store waits for another window on its clock, and then adds one report of two calls', async () => {
      const find = () => store.readReports()[0];
      const started = Promise.all(['a', 'b'].map((id) => store.start(record(id), find, never)));
      await pass(4);
      fs.rmSync(path.dirname(owner), { recursive: true });
      assert.deepEqual([store.readReports(), clock.pending], [[], 2]);
      await pass(1);
      const [first, second] = await started;
      assert.deepEqual([first, second], [record('a'), record('a')]);
      assert.deepEqual(fs.readdirSync(folder), ['a']);
    });

    it('The report store waits for another window for a fifth of a second', async () => {
      const started = store.start(record('a'), () => undefined, never);
      const refused = assert.rejects(started, UserError);
      for (let waitedMs = 0; waitedMs < 200; waitedMs += 5) {
        assert.equal(clock.pending, 1, `after ${waitedMs} ms`);
        await pass(5);
      }
      await refused;
      assert.equal(clock.pending, 0);
      assert.deepEqual(fs.readdirSync(folder), ['.start']);
    });

    it('The report store stops waiting for another window at a signal', async () => {
      const closing = new AbortController();
      const started = store.start(record('a'), () => undefined, closing.signal);
      const refused = assert.rejects(started, new Error('Closed.'));
      await pass(1);
      closing.abort(new Error('Closed.'));
      await refused;
      assert.equal(clock.pending, 0);
    });
  });

  it('The report store replaces a state file atomically', async () => {
    const store = await windowOf(record('a'));
    const reader = fs.openSync(path.join(folder, 'a', 'report.json'), 'r');
    const written = record('a', { state: 'ready' });
    const writing = store.write(written);
    const old = JSON.parse(fs.readFileSync(reader, 'utf8')) as StoredReport;
    // On Windows, it is replaced now.
    fs.closeSync(reader);
    await writing;
    assert.equal(old.state, 'requested', 'who was reading reads the old one to its end');
    assert.deepEqual(store.readReports(), [written]);
    assert.deepEqual(files('a'), ['lock', 'report.json']);
  });

  it('The report store syncs a state file before its rename and the folder after it', async () => {
    const steps: string[] = [];
    const noting = (step: string, act: (...paths: [string, string]) => void) =>
      ((...paths: [string, string]) => {
        steps.push(`${step} ${path.basename(paths.at(-1) ?? '')}`);
        act(...paths);
      }) as never;
    const store = window({
      ...localSyncDisk,
      write: (file, text) => {
        steps.push('write');
        localSyncDisk.write(file, text);
      },
      sync: (file) => {
        steps.push('sync');
        localSyncDisk.sync(file);
      },
      syncFolder: noting('sync folder', localSyncDisk.syncFolder),
      move: noting('rename to', localSyncDisk.move),
    });
    await store.create(record('a'));
    assert.deepEqual(steps.splice(0), [
      'write',
      'sync',
      'sync folder .a.new',
      'rename to a',
      'sync folder reports',
    ]);
    acquire(store, 'a');
    await store.write(record('a'));
    assert.deepEqual(steps, ['write', 'sync', 'rename to report.json', 'sync folder a']);
  });

  it('The report store rejects a write from a window that does not own the lock of the report', async () => {
    const store = await windowOf(record('a'));
    const other = window();
    assert.equal(other.lockOf('a').tryAcquire(), false);
    await assert.rejects(other.write(record('a', { state: 'ready' })), LockLostError);
    assert.equal(store.readReports()[0]?.state, 'requested');
  });

  it('The report store does not bring a removed report back', async () => {
    const store = await windowOf(record('a'));
    await window().remove('a');
    await assert.rejects(store.write(record('a')), LockLostError);
    assert.equal(store.lockOf('a').isOwned(), false);
    assert.equal(store.lockOf('a').tryAcquire(), false);
    assert.equal(store.has('a'), false);
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  it('The report store throws notWritable when the folder cannot be created, and noSpace when the disk is full', async () => {
    fs.writeFileSync(folder, 'a file stands there');
    await assert.rejects(
      window().create(record('a')),
      (error) => error instanceof FileError && error.reason === 'notWritable',
    );
    fs.rmSync(folder);
    const store = window({
      ...localSyncDisk,
      write: () => {
        fs.writeFileSync('/dev/full', 'x');
      },
    });
    if (fs.existsSync('/dev/full')) {
      await assert.rejects(
        store.create(record('a')),
        (error) => error instanceof FileError && error.reason === 'noSpace',
      );
      assert.deepEqual(fs.readdirSync(folder), [], 'nothing half made is left');
    }
  });

  it('The report store leaves each unreadable state file as it is, warns once about it, and lists the others', async () => {
    const store = window();
    const { schemaVersion: _version, ...unversioned } = record('bad4');
    const texts = [
      '',
      '{',
      '[]',
      '{"schemaVersion":1}',
      JSON.stringify(unversioned),
      JSON.stringify(record('other')),
    ];
    texts.forEach((text, index) => {
      put(`bad${index}`, text);
    });
    fs.mkdirSync(path.join(folder, 'being-removed'));
    fs.writeFileSync(path.join(folder, 'no folder'), '');
    await store.create(record('good'));
    for (const _time of [1, 2]) {
      assert.deepEqual(
        store.readReports().map(({ id }) => id),
        ['good'],
      );
    }
    assert.equal(warnings.length, texts.length);
    texts.forEach((text, index) => {
      assert.deepEqual(files(`bad${index}`), ['report.json']);
      const file = path.join(folder, `bad${index}`, 'report.json');
      assert.equal(fs.readFileSync(file, 'utf8'), text);
    });
    const ids = texts.map((_text, index) => `bad${index}`);
    assert.deepEqual(window().readAll().unreadable, ids, 'also in the next session');
    await store.removeAll();
    assert.equal(fs.existsSync(folder), false);
  });

  it('The report store leaves the state file of a newer version unchanged', () => {
    const text = JSON.stringify({ ...record('new'), schemaVersion: 2, state: 'paused' });
    put('new', text);
    const store = window();
    assert.deepEqual(store.readReports(), []);
    assert.deepEqual(store.readAll().unreadable, ['new']);
    assert.equal(fs.readFileSync(path.join(folder, 'new', 'report.json'), 'utf8'), text);
  });

  it('The report store reports a state file as unreadable while the disk fails, and warns each time', async () => {
    const store = window();
    await store.create(record('a'));
    const file = path.join(folder, 'a', 'report.json');
    // Nobody, not even the user root, can read a folder as a file.
    const fail = () => {
      fs.renameSync(file, `${file}.away`);
      fs.mkdirSync(file);
    };
    const mend = () => {
      fs.rmdirSync(file);
      fs.renameSync(`${file}.away`, file);
    };
    for (const times of [1, 2]) {
      fail();
      const unreadable = ['a'];
      assert.deepEqual(store.readAll(), { reports: [], unreadable });
      assert.equal(store.find('a'), undefined);
      mend();
      assert.deepEqual(store.readAll(), { reports: [record('a')], unreadable: [] });
      assert.equal(warnings.length, times);
    }
    assert.deepEqual(files('a'), ['report.json']);
  });

  it('The report store removes half created and half removed folders after an hour', async () => {
    const store = window();
    await store.create(record('a'));
    for (const name of ['.b.new', '.c.removed']) {
      fs.mkdirSync(path.join(folder, name));
    }
    fs.writeFileSync(path.join(folder, '.d.file'), '');
    await store.removeLeftovers(Date.now());
    assert.deepEqual(fs.readdirSync(folder).sort(), ['.b.new', '.c.removed', '.d.file', 'a']);
    await store.removeLeftovers(Date.now() + 3_600_000);
    assert.deepEqual(fs.readdirSync(folder), ['a']);
  });

  it('The report store gives the notice of a report to one window, and again after it is renewed', async () => {
    const [first, second] = [window(), window()];
    await first.create(record('a'));
    assert.deepEqual(
      [first, second, first].map((store) => store.claimNotice('a')),
      [true, false, false],
    );
    await first.forgetEnd('a');
    assert.equal(second.claimNotice('a'), true);
    await first.remove('a');
    assert.equal(first.claimNotice('a'), false);
  });

  it('The report store omits internal fields from the public report', () => {
    const kept = record('a', { unsent: false, partVersion: { validator: '"x"' } });
    assert.deepEqual(Object.keys(toPublicReport(kept)).sort(), [
      'id',
      'kind',
      'origin',
      'requestedAt',
      'state',
      'title',
    ]);
  });

  it('The report store counts a report as seen until it starts anew in this or another window', async () => {
    const store = await windowOf(record('a', { state: 'ready' }));
    const settle = () => {
      fs.utimesSync(path.join(folder, 'a', 'report.json'), 1_000, 1_000);
      store.readReports();
    };
    settle();
    store.markSeen(['a']);
    assert.ok(store.isSeen('a'));
    assert.ok(store.isSeen('a'));
    await store.forgetEnd('a');
    await store.write(record('a', { state: 'failed' }));
    assert.ok(!store.isSeen('a'), 'begun anew here');
    settle();
    store.markSeen(['a']);
    assert.ok(store.isSeen('a'));
    // Restarted in another window, and seen there after it ended.
    const other = window();
    await other.forgetEnd('a');
    put('a', JSON.stringify(record('a', { state: 'ready' })));
    store.readReports();
    assert.ok(!store.isSeen('a'));
  });
});

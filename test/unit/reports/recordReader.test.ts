import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import {
  localRecordFiles,
  type RecordFiles,
  RecordReader,
} from '../../../src/reports/recordReader';
import type { ReportState, StoredReport } from '../../../src/reports/reportRecord';
import { storedReport } from '../../helpers/storedReport';
import { until } from '../api/support';
import { Gate } from '../findings/support';
import { ReportHarness, sendFile, neverReady } from './harness';

/** Counts the reads of files, by function. */
class CountedFiles implements RecordFiles {
  readonly done = { now: 0, later: 0, looks: 0 };
  /** Called after a record was read ahead, before its reader gets it. */
  after: (file: string) => Promise<void> = () => Promise.resolve();

  stat = (file: string) => {
    this.done.looks += 1;
    return localRecordFiles.stat(file);
  };
  read = (file: string) => {
    this.done.now += 1;
    return localRecordFiles.read(file);
  };
  statLater = localRecordFiles.statLater;
  readLater = async (file: string) => {
    this.done.later += 1;
    const text = await localRecordFiles.readLater(file);
    await this.after(file);
    return text;
  };
}

describe('The record reader', () => {
  let folder: string;
  let files: CountedFiles;
  let reader: RecordReader;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'records-'));
    files = new CountedFiles();
    reader = new RecordReader(files);
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });

  const file = () => path.join(folder, 'record.json');
  /** Replaces the record as a window does, with a time some seconds ago. */
  const put = (state: ReportState, secondsAgo: number) => {
    const draft = path.join(folder, 'draft');
    fs.writeFileSync(draft, JSON.stringify(storedReport({ state })));
    const at = Date.now() / 1_000 - secondsAgo;
    fs.utimesSync(draft, at, at);
    fs.renameSync(draft, file());
  };

  it('reads a file again only after it is replaced or rewritten, even with the same size', () => {
    put('ready', 60);
    const first = reader.read(file());
    assert.equal(reader.read(file()), first);
    assert.deepEqual(files.done, { now: 1, later: 0, looks: 2 });
    put('error' as ReportState, 60);
    assert.throws(() => reader.read(file()), 'no state of a report');
    put('failed', 30);
    assert.equal(reader.read(file()).state, 'failed');
    fs.writeFileSync(
      file(),
      JSON.stringify(storedReport({ state: 'failed' })).replace('failed', 'ready '),
    );
    assert.throws(() => reader.read(file()));
    fs.rmSync(file());
    assert.throws(() => reader.read(file()), { code: 'ENOENT' });
  });

  it('reads a file every time while its modification time is too recent to trust', () => {
    put('ready', 1);
    reader.read(file());
    reader.read(file());
    assert.equal(files.done.now, 2);
    put('ready', -60);
    reader.read(file());
    reader.read(file());
    assert.equal(files.done.now, 4, 'nor where a clock was set back');
  });

  it('reads files ahead, and throws for a missing or broken one only when it is read', async () => {
    put('ready', 60);
    const others = ['gone.json', 'broken.json'].map((name) => path.join(folder, name));
    fs.writeFileSync(others[1] ?? '', '{');
    await reader.readAhead([file(), ...others]);
    assert.equal(reader.read(file()).state, 'ready');
    assert.equal(files.done.now, 0);
    for (const other of others) {
      assert.throws(() => reader.read(other));
    }
  });

  it('returns the new record when its file is replaced during the read-ahead', async () => {
    put('generating', 60);
    files.after = () => {
      put('ready', 30);
      return Promise.resolve();
    };
    await reader.readAhead([file()]);
    assert.equal(reader.read(file()).state, 'ready');
  });
});

describe('A thousand records', () => {
  let bench: ReportHarness;
  let files: CountedFiles;
  const count = 1_000;

  beforeEach(async () => {
    bench = new ReportHarness();
    await bench.start();
    files = new CountedFiles();
    for (let index = 0; index < count; index += 1) {
      leave(`r${index}`, { state: 'ready', path: `/r${index}` });
    }
  });
  afterEach(() => bench.cleanup.run());

  /** Writes a record to disk, with a time a minute ago. */
  function leave(id: string, changes: Partial<StoredReport>): StoredReport {
    const report = bench.leave({ id, ...changes });
    const at = Date.now() / 1_000 - 60;
    fs.utimesSync(path.join(bench.records, id, 'record.json'), at, at);
    return report;
  }

  it('are read once, asynchronously, when a window starts, even if the user signs in meanwhile', async () => {
    const { reports, session } = bench.window({ files, signedIn: false });
    const loading = reports.load();
    session.signIn(bench.server.baseUrl, bench.client());
    reports.resume();
    assert.deepEqual(files.done, { now: 0, later: 0, looks: 0 }, 'nobody waits for the disk');
    assert.deepEqual(reports.list(), []);
    assert.equal(reports.load(), loading);
    await loading;
    assert.equal(reports.list().length, count);
    reports.resume();
    assert.deepEqual([files.done.later, files.done.now], [count, 0]);
  });

  it('are read again one by one when another window changes them', async () => {
    const { reports } = bench.window({ files, signedIn: false });
    await reports.load();
    leave('r7', { state: 'failed', error: { code: 'server', message: 'It broke.' } });
    leave('new', { state: 'cancelled' });
    reports.resume();
    assert.equal(reports.get('r7').state, 'failed');
    assert.equal(reports.list().length, count + 1);
    assert.equal(files.done.now, 2);
    fs.rmSync(path.join(bench.records, 'r8'), { recursive: true });
    reports.resume();
    assert.equal(reports.list().length, count);
    assert.equal(files.done.now, 2);
  });

  it('are up to date when another window finishes a report during the read-ahead', async () => {
    bench.leave({ id: 'left', state: 'generating', reportUrl: '/made/1' });
    bench.onPoll = neverReady;
    const other = bench.window();
    await bench.runUntil(() => bench.polls > 0);
    const { reports, session, ends } = bench.window({ files, signedIn: false });
    const gate = new Gate();
    files.after = (file) => (file.includes('left') ? gate.promise : Promise.resolve());
    const loading = reports.load();
    session.signIn(bench.server.baseUrl, bench.client());
    await until(() => files.done.later === count + 1);
    bench.onPoll = (response) => {
      sendFile(response, 'x');
    };
    await bench.runUntil(() => other.reports.get('left').state === 'ready');
    const { polls } = bench;
    gate.open();
    await loading;
    assert.deepEqual(reports.get('left'), bench.onDisk('left'));
    assert.equal(reports.get('left').state, 'ready');
    assert.deepEqual([bench.polls, bench.posts, ends], [polls, 0, []]);
  });
});

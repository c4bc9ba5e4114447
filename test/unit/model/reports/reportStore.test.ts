import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { type Logger, silentLogger } from '../../../../src/common/logger';
import type { StoredReport } from '../../../../src/model/reports/reportRecord';
import { type Processes, ReportStore } from '../../../../src/model/reports/reportStore';
import { Cleanup } from '../support';

function record(id: string, changes: Partial<StoredReport> = {}): StoredReport {
  return {
    schemaVersion: 1,
    id,
    kind: 'full',
    origin: 'https://x.example',
    accountId: 'https://x.example',
    title: 'Full report',
    state: 'requested',
    requestedAt: '2026-01-31T08:00:00.000Z',
    ...changes,
  };
}

describe('The store of reports', () => {
  const cleanup = new Cleanup();
  let folder: string;
  let alive: Set<number>;
  let warnings: string[];

  beforeEach(() => {
    folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'reports-')), 'reports');
    cleanup.add(() => {
      fs.rmSync(path.dirname(folder), { recursive: true });
    });
    alive = new Set([1, 2, 3]);
    warnings = [];
  });
  afterEach(() => cleanup.run());

  function storeOf(own: number): ReportStore {
    const logger: Logger = { ...silentLogger, warn: (line) => warnings.push(line) };
    const processes: Processes = { own, isAlive: (pid) => alive.has(pid) };
    return new ReportStore(folder, logger, processes);
  }

  const files = (id: string) => fs.readdirSync(path.join(folder, id)).sort();

  it('is empty before there was a report, and makes nothing by being read', () => {
    assert.deepEqual(storeOf(1).list(), []);
    assert.equal(fs.existsSync(folder), false);
  });

  it('gives back what was written, private to the user', () => {
    const store = storeOf(1);
    const report = record('a', { body: { x: [1] }, unsent: true, reportUrl: '/reports/1' });
    store.create('a');
    store.write(report);
    assert.deepEqual(storeOf(2).list(), [report]);
    assert.deepEqual(files('a'), ['driver', 'record.json']);
    if (process.platform !== 'win32') {
      assert.equal(fs.statSync(path.join(folder, 'a')).mode & 0o077, 0);
      assert.equal(fs.statSync(path.join(folder, 'a', 'record.json')).mode & 0o077, 0);
    }
  });

  it('replaces a record as a whole', () => {
    const store = storeOf(1);
    store.create('a');
    store.write(record('a'));
    const reader = fs.openSync(path.join(folder, 'a', 'record.json'), 'r');
    store.write(record('a', { state: 'ready' }));
    const old = JSON.parse(fs.readFileSync(reader, 'utf8')) as StoredReport;
    fs.closeSync(reader);
    assert.equal(old.state, 'requested', 'who was reading reads the old one to its end');
    assert.equal(store.list()[0]?.state, 'ready');
  });

  it('does not bring a removed report back', () => {
    const store = storeOf(1);
    store.create('a');
    store.write(record('a'));
    storeOf(2).remove('a');
    assert.throws(() => {
      store.write(record('a'));
    }, /ENOENT/);
    assert.equal(store.claim('a'), false);
    assert.equal(store.has('a'), false);
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  it('leaves what it cannot read as it is, says so once, and lists the others', () => {
    const store = storeOf(1);
    const texts = ['', '{', '[]', '{"schemaVersion":2}', JSON.stringify(record('other'))];
    texts.forEach((text, index) => {
      fs.mkdirSync(path.join(folder, `bad${index}`), { recursive: true });
      fs.writeFileSync(path.join(folder, `bad${index}`, 'record.json'), text);
    });
    fs.mkdirSync(path.join(folder, 'being-made'));
    store.create('good');
    store.write(record('good'));
    for (const _time of [1, 2]) {
      assert.deepEqual(
        store.list().map(({ id }) => id),
        ['good'],
      );
    }
    assert.equal(warnings.length, texts.length);
    texts.forEach((text, index) => {
      assert.equal(fs.readFileSync(path.join(folder, `bad${index}`, 'record.json'), 'utf8'), text);
    });
    store.removeAll();
    assert.equal(fs.existsSync(folder), false);
  });

  describe('lets one process drive a report', () => {
    it('the first that claims it, for as long as it lives or until it releases it', () => {
      const [first, second] = [storeOf(1), storeOf(2)];
      first.create('a');
      assert.equal(first.claim('a'), true, 'again');
      assert.equal(second.claim('a'), false);
      second.release('a');
      assert.equal(second.claim('a'), false, 'what is not its own it cannot release');
      first.release('a');
      assert.equal(second.claim('a'), true);
      assert.equal(first.claim('a'), false);
      assert.deepEqual(files('a'), ['driver']);
    });

    it('another one when the first has died', () => {
      storeOf(1).create('a');
      alive.delete(1);
      assert.equal(storeOf(2).claim('a'), true);
      assert.equal(storeOf(3).claim('a'), false);
      assert.deepEqual(files('a'), ['driver']);
    });

    it('one where the claim is garbage', () => {
      storeOf(1).create('a');
      for (const text of ['', 'x', '-5', '1.5', '99999999999999999999x']) {
        fs.writeFileSync(path.join(folder, 'a', 'driver'), text);
        assert.equal(storeOf(2).claim('a'), true, JSON.stringify(text));
        storeOf(2).release('a');
      }
    });

    it('and knows whether that is another one, while there is something to drive', () => {
      const [first, second] = [storeOf(1), storeOf(2)];
      first.create('a');
      assert.equal(first.isDrivenElsewhere(record('a')), false);
      assert.equal(second.isDrivenElsewhere(record('a')), true);
      assert.equal(second.isDrivenElsewhere(record('a', { state: 'ready' })), false);
      alive.delete(1);
      assert.equal(second.isDrivenElsewhere(record('a')), false);
      assert.equal(second.isDrivenElsewhere(record('unknown')), false);
    });

    it('which is this very process where nothing else is said', () => {
      const real = new ReportStore(folder, silentLogger);
      real.create('a');
      assert.equal(fs.readFileSync(path.join(folder, 'a', 'driver'), 'utf8'), String(process.pid));
      fs.writeFileSync(path.join(folder, 'a', 'driver'), String(process.ppid));
      assert.equal(real.claim('a'), false, 'the parent lives');
      fs.writeFileSync(path.join(folder, 'a', 'driver'), String(2 ** 22 + 1));
      assert.equal(real.claim('a'), true, 'no process can have this number');
    });
  });

  it('lets one window tell the end of a report, and again after a new start', () => {
    const [first, second] = [storeOf(1), storeOf(2)];
    first.create('a');
    assert.deepEqual(
      [first, second, first].map((store) => store.claimNotice('a')),
      [true, false, false],
    );
    first.renewNotice('a');
    assert.equal(second.claimNotice('a'), true);
    first.remove('a');
    assert.equal(first.claimNotice('a'), false);
  });
});

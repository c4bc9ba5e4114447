import assert from 'node:assert/strict';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../../src/common/logger';
import {
  CancelledError,
  ForbiddenError,
  NetworkError,
  ProtocolError,
} from '../../../src/api/errors';
import { FindingsList } from '../../../src/model/findingsList';
import type { FetchFindings } from '../../../src/model/pageFlights';
import { PageStore } from '../../../src/model/keptPages';
import { mask } from '../../../src/common/secretFields';
import { FakeClock } from '../../helpers/fakeClock';
import { Cleanup } from './support';

const account = 'https://api.example.com';
const total = 100;

describe('The kept pages of a Load All', () => {
  const cleanup = new Cleanup();
  let folder: string;
  let clock: FakeClock;
  let offsets: number[];
  let failsFrom: number;
  const living = new Set<number>();

  beforeEach(() => {
    const parent = mkdtempSync(join(tmpdir(), 'scorecard-pages-'));
    cleanup.add(() => {
      rmSync(parent, { recursive: true });
    });
    folder = join(parent, 'pages');
    clock = new FakeClock();
    offsets = [];
    failsFrom = 50;
    living.clear();
  });
  afterEach(() => cleanup.run());

  const fetchPage: FetchFindings = ({ offset, limit }) => {
    offsets.push(offset);
    if (offset >= failsFrom) {
      return Promise.reject(new NetworkError('reset', 'api.example.com', undefined));
    }
    const entries = Array.from({ length: Math.min(limit, total - offset) }, (_, index) => ({
      issue_id: `id-${offset + index}`,
      ...(offset + index === 3 ? { password: 'hunter2' } : { port: 22 }),
    }));
    return Promise.resolve({
      ...{ entries, offset, limit, totalCount: total, hasMore: offset + limit < total },
    });
  };

  /** A window with its store and one list. */
  function open(
    pid: number,
    { accountId = account, body = {}, breathe = () => Promise.resolve() } = {},
  ) {
    living.add(pid);
    const processes = { own: pid, isAlive: (other: number) => living.has(other) };
    const store = new PageStore(
      folder,
      silentLogger,
      () => clock.now(),
      processes,
      () => breathe,
    );
    const pageSize = () => 10;
    const kept = store.list({ accountId, scorecardId: 's', issueType: 't', body, pageSize });
    const list = new FindingsList('s', 't', {
      ...{ fetchPage, pageSize, kept },
      now: () => clock.now(),
    });
    return { store, list };
  }

  /** A window in which a Load All breaks off after 50 findings, and which then closes. */
  async function interrupted(pid = 1): Promise<void> {
    const { store, list } = open(pid);
    await list.loadMore();
    await assert.rejects(list.loadAll(), NetworkError);
    assert.equal(list.result.loaded, 50);
    list.dispose();
    await store.settled();
    living.delete(pid);
    offsets.length = 0;
    failsFrom = Infinity;
  }

  const files = () => readdirSync(folder).map((name) => join(folder, name));
  const onlyFile = () => {
    const [file = '', ...others] = files();
    assert.deepEqual(others, []);
    return file;
  };

  it('are put back after a reload, and only the rest is asked for', async () => {
    await interrupted();
    const { store, list } = open(2);
    assert.deepEqual(await list.loadFirst(), { loaded: 50, total, hasMore: true });
    assert.equal(list.isInterrupted, true);
    assert.deepEqual(offsets, []);
    assert.deepEqual(await list.loadAll(), { loaded: 100, total, hasMore: false });
    assert.deepEqual(
      offsets.sort((a, b) => a - b),
      [50, 60, 70, 80, 90],
    );
    assert.equal(list.isInterrupted, false);
    await store.settled();
    assert.deepEqual(files(), [], 'nothing is kept of what has ended');
  });

  it('are read in slices, in which the list says so', async () => {
    await interrupted();
    let isReading: boolean[] = [];
    const { list } = open(2, {
      breathe: () => {
        isReading.push(list.isReadingKept);
        return Promise.resolve();
      },
    });
    const told: boolean[] = [];
    list.onDidChange(() => told.push(list.isReadingKept));
    await list.takeUpKept();
    assert.deepEqual(isReading, [true, true, true, true, true], 'once for each page');
    assert.deepEqual([told[0], told.at(-1)], [true, false]);
    // Where nothing is kept nothing is said.
    isReading = [];
    const other = open(3, { body: { other: 1 } }).list;
    other.onDidChange(() => isReading.push(other.isReadingKept));
    await other.takeUpKept();
    assert.deepEqual(isReading, []);
  });

  it('are given up where the list is refreshed while they are read', async () => {
    await interrupted();
    let refreshed: Promise<unknown> | undefined;
    const { list } = open(2, {
      breathe: () => {
        refreshed ??= list.refresh();
        return Promise.resolve();
      },
    });
    await list.takeUpKept();
    await refreshed;
    assert.equal(list.result.loaded, 10);
    assert.equal(list.isInterrupted, false);
  });

  it('are known without a request', async () => {
    await interrupted();
    const { list } = open(2);
    assert.equal(list.isInterrupted, false);
    await list.takeUpKept();
    assert.equal(list.isInterrupted, true);
    assert.equal(list.result.loaded, 50);
    assert.deepEqual(offsets, []);
  });

  it('stay after a cancel, also when more is cancelled after it', async () => {
    failsFrom = Infinity;
    const { store, list } = open(1);
    await list.loadMore();
    for (const end of [30, 60]) {
      const cancelled = list.loadAll();
      const stop = list.onDidChange(() => {
        if (list.result.loaded >= end) {
          list.cancelLoadAll();
        }
      });
      await assert.rejects(cancelled, CancelledError);
      stop.dispose();
    }
    const { loaded } = list.result;
    assert.ok(loaded >= 60 && loaded < total, String(loaded));
    list.dispose();
    await store.settled();
    living.delete(1);
    onlyFile();
    offsets.length = 0;
    const next = open(2);
    assert.equal((await next.list.loadFirst()).loaded, loaded);
    await next.list.loadAll();
    assert.equal(Math.min(...offsets), loaded);
    assert.equal(new Set(offsets).size, (total - loaded) / 10);
    await next.store.settled();
    assert.deepEqual(files(), []);
  });

  it('go when the rest is loaded page by page: the list is not interrupted any more', async () => {
    const { store, list } = open(1);
    await list.loadMore();
    await assert.rejects(list.loadAll(), NetworkError);
    failsFrom = Infinity;
    while (list.result.hasMore) {
      await list.loadMore();
    }
    await store.settled();
    assert.deepEqual(files(), []);
  });

  it('hold no secret, in files and a folder that only the user may read', async () => {
    await interrupted();
    const text = readFileSync(onlyFile(), 'utf8');
    assert.ok(text.includes(mask) && !text.includes('hunter2'));
    if (process.platform !== 'win32') {
      assert.equal(statSync(folder).mode & 0o777, 0o700);
      assert.equal(statSync(onlyFile()).mode & 0o777, 0o600);
    }
    const { list } = open(2);
    await list.loadFirst();
    assert.equal(list.rowAt(4)?.isMasked, true);
    assert.equal(list.rowAt(5)?.isMasked, undefined);
    assert.equal(list.rowAt(4)?.entry.password, mask);
    assert.deepEqual(offsets, []);
  });

  it('lose a last line that was cut off, and nothing else', async () => {
    await interrupted();
    const file = onlyFile();
    truncateSync(file, statSync(file).size - 20);
    const { list } = open(2);
    assert.equal((await list.loadFirst()).loaded, 40);
  });

  it('are not put back from a file that is none of ours', async () => {
    await interrupted();
    truncateSync(onlyFile(), 0);
    appendFileSync(onlyFile(), '{"version":99}\n[]\n');
    const { list } = open(2);
    assert.deepEqual(await list.loadFirst(), { loaded: 10, total, hasMore: true });
  });

  it('are not put back a day later', async () => {
    await interrupted();
    clock.advance(25 * 3_600_000);
    const { store, list } = open(2);
    assert.equal((await list.loadFirst()).loaded, 10);
    await store.settled();
    assert.deepEqual(files(), []);
  });

  it('are those of one account, one list and one body', async () => {
    await interrupted();
    for (const other of [{ accountId: 'demo' }, { body: { filter: 1 } }]) {
      const { list } = open(2, other);
      assert.equal((await list.loadFirst()).loaded, 10);
    }
  });

  it('belong to one window: another takes them only when it has gone', async () => {
    const first = open(1);
    await assert.rejects(first.list.loadAll(), NetworkError);
    await first.store.settled();
    failsFrom = Infinity;
    const second = open(2);
    assert.equal((await second.list.loadFirst()).loaded, 10, 'the first window has them');
    living.delete(1);
    const [third, fourth] = [open(3), open(4)];
    const loaded = await Promise.all([third.list.loadFirst(), fourth.list.loadFirst()]);
    assert.deepEqual(
      loaded.map((result) => result.loaded).sort((a, b) => a - b),
      [10, 50],
    );
  });

  it('are put back later where the process before the reload lives on for a moment', async () => {
    await interrupted();
    for (const [index, load] of (['loadFirst', 'loadMore', 'loadAll'] as const).entries()) {
      living.add(1);
      const { store, list } = open(2 + index);
      assert.equal((await list.loadFirst()).loaded, 10);
      living.delete(1);
      offsets.length = 0;
      const loaded = { loadFirst: 50, loadMore: 60, loadAll: 100 }[load];
      assert.equal((await list[load]()).loaded, loaded);
      assert.equal(offsets.length, (loaded - 50) / 10, load);
      list.dispose();
      await store.settled();
      rmSync(folder, { recursive: true });
      living.clear();
      failsFrom = 50;
      await interrupted();
    }
  });

  it('go with a refresh before anything was put back', async () => {
    await interrupted();
    const { store, list } = open(2);
    await list.refresh();
    await store.settled();
    assert.deepEqual(files(), []);
  });

  it('of any list go a day later with their process, at the first restore', async () => {
    await interrupted();
    const old = onlyFile();
    const copy = (pid: number) => {
      const name = old.replace(/\.\d+-(\d+)$/, `.${pid}-$1`);
      copyFileSync(old, name);
      return name;
    };
    const [alive, fresh] = [copy(7), copy(8)];
    const strange = join(folder, 'strange');
    appendFileSync(strange, '');
    living.add(7);
    const seconds = clock.now() / 1000;
    const dayAgo = seconds - 25 * 3600;
    for (const [name, time] of [
      [old, dayAgo],
      [alive, dayAgo],
      [strange, dayAgo],
      [fresh, seconds],
    ] as const) {
      utimesSync(name, time, time);
    }
    const { list } = open(2, { body: { filter: 1 } });
    await list.loadFirst();
    assert.deepEqual(files().sort(), [alive, fresh, strange].sort());
  });

  it('go with a refresh, a sign-out and all local data', async () => {
    const ends: ((window: ReturnType<typeof open>) => Promise<unknown>)[] = [
      ({ list }) => list.refresh(),
      ({ store }) => store.removeAccount(account),
      ({ store }) => store.removeAll(),
    ];
    for (const [index, end] of ends.entries()) {
      failsFrom = 50;
      await interrupted(10 + index);
      const window = open(20 + index);
      await window.list.loadFirst();
      await end(window);
      await window.store.settled();
      assert.deepEqual(existsSync(folder) ? files() : [], [], String(index));
      window.list.dispose();
    }
  });

  it('are no reason to fail when the disk refuses', async () => {
    const { store, list } = open(1);
    rmSync(join(folder, '..'), { recursive: true });
    appendFileSync(join(folder, '..'), 'a file stands in the place of the folder');
    failsFrom = Infinity;
    assert.deepEqual(await list.loadAll(), { loaded: 100, total, hasMore: false });
    await store.settled();
  });
});

describe('Load All', () => {
  const listOf = (fetchPage: FetchFindings) =>
    new FindingsList('s', 't', { fetchPage, pageSize: () => 10, now: () => 0 });

  it('counts on has_more alone where the total is missing, zero or too small', async () => {
    for (const totalCount of [undefined, 0, 25]) {
      const offsets: number[] = [];
      const list = listOf(({ offset, limit }) => {
        offsets.push(offset);
        const entries = Array.from({ length: limit }, (_, at) => ({ issue_id: offset + at }));
        const count = totalCount === undefined ? {} : { totalCount };
        return Promise.resolve({ entries, offset, limit, hasMore: offset < 40, ...count });
      });
      assert.equal((await list.loadAll()).loaded, 50);
      assert.deepEqual(offsets, [0, 10, 20, 30, 40]);
    }
  });

  it('ends where a service repeats its last page for ever', async () => {
    for (const entries of [[{ issue_id: 1 }, { issue_id: 2 }], [{ port: 22 }]]) {
      let asked = 0;
      const list = listOf(({ offset, limit }) => {
        asked += 1;
        assert.ok(asked < 30, 'asked without an end');
        return Promise.resolve({ entries, offset, limit, hasMore: true, totalCount: 2 });
      });
      await assert.rejects(list.loadAll(), ProtocolError);
      assert.equal(asked, 21);
    }
  });

  it('gives up at once what concerns every page', async () => {
    let asked = 0;
    const list = listOf(() => {
      asked += 1;
      return Promise.reject(new ForbiddenError('No.', { status: 403 }));
    });
    await assert.rejects(list.loadAll(), ForbiddenError);
    assert.equal(asked, 1);
    assert.equal(list.gaps[0]?.error instanceof ForbiddenError, true);
  });

  it('tells of a total that changes, and of findings that come twice', async () => {
    const list = listOf(({ offset, limit }) => {
      const shift = offset === 0 ? 0 : 2;
      const entries = Array.from({ length: limit }, (_, at) => ({ issue_id: offset + at - shift }));
      return Promise.resolve({
        ...{ entries, offset, limit, hasMore: offset === 0, totalCount: 18 + shift },
      });
    });
    await list.loadMore();
    assert.equal(list.totalChange, undefined);
    await list.loadMore();
    assert.deepEqual(list.totalChange, { from: 18, to: 20 });
    assert.equal(list.duplicates, 2);
    assert.equal(list.result.loaded, 18);
    assert.equal((await list.goTo(11)).number, 9, 'found under the number it has first');
  });
});

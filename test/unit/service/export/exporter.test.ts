import { FileError } from '../../../../src/files/fileError';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  type PathLike,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { localDisk } from '../../../../src/files/disk';
import { NetworkError } from '../../../../src/api/http/errors';
import type { JsonObject } from '../../../../src/base/json/json';
import {
  ExportRunningError,
  PartMismatchError,
  TooManyColumnsError,
} from '../../../../src/service/export/exportErrors';
import { Exporter, type ExportProgress } from '../../../../src/service/export/exporter';
import { StoppedError } from '../../../../src/workbench/stoppedError';
import { mask } from '../../../../src/vocabulary/secretFields';
import { FakeClock } from '../../../helpers/fakeClock';
import { fc } from '../../../helpers/property';
import { skipInWine } from '../../../helpers/wine';
import { Gate } from '../findings/support';
import { ndjson, numbered, pageSize, ExportFolder, ServedList } from './support';

const broken = () => new NetworkError('reset', 'api.example.com', 'ECONNRESET');

async function rejection<E>(
  promise: Promise<unknown>,
  expected: new (...args: never[]) => E,
): Promise<E> {
  const outcome: unknown = await promise.then(
    () => 'no error',
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof expected, String(outcome));
  return outcome;
}

/** Lets the time of a clock pass until a promise is settled, but only while something waits for it. */
async function passUntil(
  promise: Promise<unknown>,
  clock: FakeClock,
  isWaiting = () => true,
): Promise<void> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  const later = () => new Promise<false>((resolve) => setTimeout(resolve, 1, false));
  while (!(await Promise.race([settled, later()]))) {
    if (clock.pending > 0 && isWaiting()) {
      clock.advance(500);
    }
  }
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

describe('An export', () => {
  let place: ExportFolder;
  beforeEach(() => {
    place = new ExportFolder();
  });
  afterEach(() => {
    place.remove();
  });

  /** A list whose export failed at an offset; the pages before that are in the part. */
  async function interruptedAt(
    entries: readonly JsonObject[],
    offset: number,
  ): Promise<ServedList> {
    const list = new ServedList(entries);
    list.before = (requested) => {
      if (requested >= offset) {
        throw broken();
      }
    };
    const error = await rejection(place.export(place.job(list)), StoppedError);
    assert.ok(error.cause instanceof NetworkError);
    assert.deepEqual(place.files(), ['findings.csv.part']);
    list.before = () => undefined;
    list.offsets.length = 0;
    return list;
  }

  function headerOf(): { startedAt: number } {
    const [header = ''] = readFileSync(place.part, 'utf8').split('\n');
    return JSON.parse(header) as { startedAt: number };
  }

  for (const count of [0, 1, pageSize - 1, pageSize, pageSize + 1, 95]) {
    it(`An export of ${count} findings writes each of them once, in order, and leaves no other file`, async () => {
      const list = new ServedList(numbered(count));
      const result = await place.export(place.job(list));
      assert.deepEqual(result, { count, hasMasked: false });
      assert.equal(readFileSync(place.path, 'utf8'), ndjson(list.entries));
      assert.deepEqual(place.files(), ['findings.csv']);
      assert.equal(list.offsets.length, Math.max(1, Math.ceil(count / pageSize)));
    });
  }

  it('An export writes an entry twice when the service sends it twice', async () => {
    const entries = [...numbered(15), ...numbered(15)];
    const { count } = await place.export(place.job(new ServedList(entries)));
    assert.equal(count, 30);
    assert.equal(readFileSync(place.path, 'utf8'), ndjson(entries));
  });

  it('An export creates a file and a part that only the user can read', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const list = new ServedList(numbered(30));
    let partMode: number | undefined;
    list.before = () => {
      partMode = statSync(place.part).mode & 0o777;
    };
    await place.export(place.job(list));
    assert.equal(partMode, 0o600);
    assert.equal(statSync(place.path).mode & 0o777, 0o600);
  });

  it('An export reports that the total of the service has changed at the end', async () => {
    const list = new ServedList(numbered(35));
    list.total = (offset) => (offset < 30 ? 36 : 35);
    const result = await place.export(place.job(list));
    assert.deepEqual(result, { count: 35, hasMasked: false, changed: true });
  });

  it('An export reports its progress page by page', async () => {
    const progressEvents: ExportProgress[] = [];
    const list = new ServedList(numbered(25));
    await place.export(
      place.job(list, { onProgress: (progress) => progressEvents.push(progress) }),
    );
    const counts = progressEvents.map(({ count, total }) => [count, total]);
    assert.deepEqual(counts, [
      [0, undefined],
      [10, 25],
      [20, 25],
      [25, 25],
    ]);
  });

  describe('of secret fields', () => {
    const entries = [{ a: 1 }, { user_name: 'amy-secret', nested: { apiKey: 'k-secret' } }];

    it('An export of secret fields masks them, and never writes one to disk', async () => {
      const list = await interruptedAt([...numbered(10), ...entries, ...numbered(20)], 20);
      assert.ok(!readFileSync(place.part, 'utf8').includes('secret"'));
      const result = await place.export(place.job(list));
      assert.equal(result.hasMasked, true);
      const text = readFileSync(place.path, 'utf8');
      assert.ok(text.includes(`{"user_name":"${mask}","nested":{"apiKey":"${mask}"}}`));
      assert.ok(!text.includes('amy') && !text.includes('k-secret'));
    });

    it('An export of secret fields shows them when the user has chosen that', async () => {
      const query = { secretValues: 'shown' } as const;
      const result = await place.export(place.job(new ServedList(entries), { query }));
      assert.deepEqual(result, { count: 2, hasMasked: false });
      assert.equal(readFileSync(place.path, 'utf8'), ndjson(entries));
    });

    it('An export of secret fields masks or shows them in loaded rows, too', async () => {
      const exporter = new Exporter();
      const target = { path: place.path, format: 'csv', replace: false } as const;
      const masked = await exporter.exportEntries(entries, 'masked', target);
      assert.deepEqual(masked, { count: 2, hasMasked: true });
      assert.equal(
        readFileSync(place.path, 'utf8'),
        `a,user_name,nested\r\n1,,\r\n,${mask},"{""apiKey"":""${mask}""}"\r\n`,
      );
      const error = exporter.exportEntries(entries, 'shown', target);
      assert.equal((await rejection(error, FileError)).reason, 'exists');
      await exporter.exportEntries(entries, 'shown', {
        ...target,
        format: 'ndjson',
        replace: true,
      });
      assert.equal(readFileSync(place.path, 'utf8'), ndjson(entries));
      assert.deepEqual(place.files(), ['findings.csv']);
    });
  });

  describe('that ended early', () => {
    it('An export that ended early continues after its last complete page, and requests none twice', async () => {
      const list = await interruptedAt(numbered(95), 40);
      const result = await place.export(place.job(list));
      assert.equal(result.count, 95);
      assert.equal(result.resumed?.count, 40);
      assert.deepEqual(list.offsets, [40, 50, 60, 70, 80, 90]);
      assert.equal(readFileSync(place.path, 'utf8'), ndjson(list.entries));
      assert.deepEqual(place.files(), ['findings.csv']);
    });

    it('An export that ended early continues in another format and with another page size', async () => {
      const list = await interruptedAt(numbered(95), 20);
      await place.export(place.job(list, { format: 'json', pageSize: 50 }));
      assert.deepEqual(list.offsets, [20, 70]);
      assert.deepEqual(JSON.parse(readFileSync(place.path, 'utf8')), list.entries);
    });

    /** A list whose pages are all in the part; only the file is missing. */
    async function complete(count: number): Promise<ServedList> {
      const list = new ServedList(numbered(count));
      const disk = {
        ...localDisk,
        link: () => Promise.reject(Object.assign(new Error('dir'), { code: 'EIO' })),
        rename: () => Promise.reject(Object.assign(new Error('dir'), { code: 'EIO' })),
      };
      const error = await rejection(place.export(place.job(list), { disk }), StoppedError);
      assert.ok(error.cause instanceof FileError && error.cause.reason === 'io');
      assert.deepEqual(place.files(), ['findings.csv.part']);
      list.offsets.length = 0;
      return list;
    }

    it('An export that ended early requests only the count when only the file is missing', async () => {
      const list = await complete(30);
      const limits: number[] = [];
      const findingsPage = (query: { offset: number; limit: number }) => {
        limits.push(query.limit);
        return list.findingsPage(query);
      };
      const result = await place.export(place.job({ findingsPage }));
      assert.deepEqual([result.count, result.resumed?.count], [30, 30]);
      assert.deepEqual([list.offsets, limits], [[0], [1]]);
      assert.equal(readFileSync(place.path, 'utf8'), ndjson(list.entries));
    });

    it('An export that ended early starts over when only the file is missing and the list has another length', async () => {
      const list = await complete(30);
      list.entries = numbered(15).reverse();
      const result = await place.export(place.job(list));
      assert.deepEqual(result, {
        count: 15,
        hasMasked: false,
        restarted: true,
      });
      assert.deepEqual(list.offsets, [0, 0, 10]);
      assert.equal(readFileSync(place.path, 'utf8'), ndjson(list.entries));
    });

    it('An export that ended early keeps its pages when the request for the count fails', async () => {
      const list = await complete(30);
      list.before = () => {
        throw broken();
      };
      await rejection(place.export(place.job(list)), StoppedError);
      list.before = () => undefined;
      assert.equal((await place.export(place.job(list))).resumed?.count, 30);
    });

    for (const isComplete of [false, true]) {
      it(`An export that ended early starts over after a day with a part that is ${isComplete ? 'complete' : 'begun'}`, async () => {
        const list = isComplete ? await complete(30) : await interruptedAt(numbered(30), 20);
        const { startedAt } = headerOf();
        // Another list of the same length: no count shows the difference.
        list.entries = numbered(30).reverse();
        const clock = new FakeClock(startedAt + 24 * 3_600_000 + 1);
        const result = await place.export(place.job(list), { clock });
        assert.deepEqual(result, { count: 30, hasMasked: false, restarted: true });
        assert.deepEqual(list.offsets, [0, 10, 20]);
        assert.equal(readFileSync(place.path, 'utf8'), ndjson(list.entries));
      });
    }

    it('An export that ended early continues within a day', async () => {
      const list = await interruptedAt(numbered(30), 20);
      const clock = new FakeClock(headerOf().startedAt + 24 * 3_600_000);
      assert.equal((await place.export(place.job(list), { clock })).resumed?.count, 20);
    });

    it('An export that ended early restarts its progress and its start time when it starts over', async () => {
      const list = await interruptedAt(numbered(95), 40);
      list.entries = numbered(60);
      const clock = new FakeClock(headerOf().startedAt + 3_600_000);
      const shown: unknown[] = [];
      list.before = (offset) => {
        if (offset === 20) {
          throw broken();
        }
      };
      const job = place.job(list, {
        onProgress: ({ count }) => shown.push(count),
      });
      await rejection(place.export(job, { clock }), StoppedError);
      assert.deepEqual(shown, [40, 0, 10, 20]);
      assert.equal(headerOf().startedAt, clock.now());
      list.before = () => undefined;
      const { resumed } = await place.export(place.job(list), { clock });
      assert.deepEqual(resumed, { count: 20, startedAt: clock.now() });
      assert.equal(readFileSync(place.path, 'utf8'), ndjson(list.entries));
    });

    it('An export that ended early is complete even if its part cannot be removed', async () => {
      const list = new ServedList(numbered(30));
      const disk = {
        ...localDisk,
        unlink: (file: PathLike) =>
          file === place.part
            ? Promise.reject(Object.assign(new Error('held'), { code: 'EPERM' }))
            : localDisk.unlink(file),
      };
      assert.equal((await place.export(place.job(list), { disk })).count, 30);
      assert.equal(readFileSync(place.path, 'utf8'), ndjson(list.entries));
    });

    it('An export that ended early continues after it is cancelled', async () => {
      const list = new ServedList(numbered(95));
      const abort = new AbortController();
      let kept = 0;
      const job = place.job(list, {
        signal: abort.signal,
        onProgress: ({ count }) => {
          kept = count;
          if (count === 50) {
            abort.abort();
          }
        },
      });
      const outcome = await place.export(job).catch((error: unknown) => error);
      assert.equal((outcome as Error).name, 'CancelledError');
      assert.deepEqual([kept, place.files()], [50, ['findings.csv.part']]);
      list.offsets.length = 0;
      const result = await place.export(place.job(list));
      assert.deepEqual([result.resumed?.count, result.count], [50, 95]);
      assert.deepEqual(list.offsets, [50, 60, 70, 80, 90]);
      assert.equal(readFileSync(place.path, 'utf8'), ndjson(list.entries));
    });

    it('An export that ended early leaves no draft when it is cancelled while it writes the file', async () => {
      const list = new ServedList(numbered(30));
      const abort = new AbortController();
      const disk = {
        ...localDisk,
        open: (file: string, flags: string | number, mode: number) => {
          if (basename(file) === 'draft-1') {
            abort.abort();
          }
          return localDisk.open(file, flags, mode);
        },
      };
      const job = place.job(list, { signal: abort.signal });
      const outcome = await place.export(job, { disk }).catch((error: unknown) => error);
      assert.equal((outcome as Error).name, 'CancelledError');
      assert.deepEqual(place.files(), ['findings.csv.part']);
    });

    it('An export that ended early starts over, and reports that, when the list has another length', async () => {
      const list = await interruptedAt(numbered(95), 40);
      list.entries = numbered(60).reverse();
      const result = await place.export(place.job(list));
      assert.deepEqual(result, {
        count: 60,
        hasMasked: false,
        restarted: true,
      });
      assert.deepEqual(list.offsets, [40, 0, 10, 20, 30, 40, 50]);
      assert.equal(readFileSync(place.path, 'utf8'), ndjson(list.entries));
    });

    it('An export that ended early leaves nothing when no page has arrived', async () => {
      const list = new ServedList([]);
      list.before = () => {
        throw broken();
      };
      await rejection(place.export(place.job(list)), NetworkError);
      assert.deepEqual(place.files(), []);
    });

    it('An export that ended early continues after the last complete page when its part was cut or filled with zeros', async () => {
      const entries = numbered(45);
      const list = await interruptedAt(entries, 40);
      const part = readFileSync(place.part);
      const headerEnd = part.indexOf('\n') + 1;
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 0, max: part.length }),
          fc.nat({ max: 100 }),
          async (length, zeros) => {
            rmSync(place.path, { force: true });
            const isWholeHeader = length >= headerEnd;
            // A power failure may leave zeros behind a cut; a header without its end is never synced.
            const tail = Buffer.alloc(isWholeHeader ? zeros : 0);
            writeFileSync(place.part, Buffer.concat([part.subarray(0, length), tail]));
            const whole = part.subarray(headerEnd, length).toString().split('\n').length - 1;
            list.offsets.length = 0;
            const result = await place.export(place.job(list));
            assert.equal(result.count, 45);
            const first = isWholeHeader ? whole * pageSize : 0;
            assert.deepEqual(
              list.offsets,
              [0, 10, 20, 30, 40].filter((offset) => offset >= first),
            );
            assert.equal(readFileSync(place.path, 'utf8'), ndjson(entries));
          },
        ),
        { numRuns: 60 },
      );
    });
  });

  describe('beside a foreign part', () => {
    for (const [what, query] of [
      ['another account', { accountId: 'https://other.example.com' }],
      ['another issue type', { issueType: 'service_rdp' }],
      ['another body', { body: { status: 'active' } }],
      ['shown secret values', { secretValues: 'shown' }],
    ] as const) {
      it(`An export beside a foreign part is refused for ${what}, and leaves the part unchanged`, async () => {
        const list = await interruptedAt(numbered(30), 20);
        const before = hashOf(place.part);
        await rejection(place.export(place.job(list, { query })), PartMismatchError);
        assert.deepEqual(list.offsets, []);
        assert.equal(hashOf(place.part), before);
        assert.deepEqual(place.files(), ['findings.csv.part']);
      });
    }

    for (const [what, text] of [
      ['a later version', '{"scorecardExport":2,"x":1}\n{}\n'],
      ['a download', 'a,b\r\n1,2\r\n'],
      ['one long line', 'x'.repeat(100_000)],
    ] as const) {
      it(`An export beside a foreign part is refused when the part has ${what}, and leaves it unchanged`, async () => {
        const list = await interruptedAt(numbered(30), 20);
        writeFileSync(place.part, text);
        const before = hashOf(place.part);
        await rejection(place.export(place.job(list)), PartMismatchError);
        assert.equal(hashOf(place.part), before);
      });
    }

    it('An export beside a foreign part does not follow a symbolic link in place of the part', async function () {
      if (process.platform === 'win32') {
        this.skip();
      }
      const elsewhere = `${place.folder}/elsewhere`;
      writeFileSync(elsewhere, '');
      symlinkSync(elsewhere, place.part);
      await rejection(place.export(place.job(new ServedList(numbered(5)))), FileError);
      assert.equal(readFileSync(elsewhere, 'utf8'), '');
    });
  });

  describe('to a path that is in use', () => {
    const machine = 'here';

    it('An export to a path that is in use is refused before it requests a page when the file exists', async () => {
      writeFileSync(place.path, 'mine');
      const list = new ServedList(numbered(5));
      const error = await rejection(place.export(place.job(list)), FileError);
      assert.equal(error.reason, 'exists');
      assert.deepEqual(list.offsets, []);
      assert.equal(readFileSync(place.path, 'utf8'), 'mine');
      assert.deepEqual(place.files(), ['findings.csv']);
    });

    it('An export to a path that is in use does not replace a file that appears meanwhile, and keeps its pages', async () => {
      const list = new ServedList(numbered(30));
      list.before = (offset) => {
        if (offset === 20) {
          writeFileSync(place.path, 'mine');
        }
      };
      const error = await rejection(place.export(place.job(list)), StoppedError);
      assert.ok(error.cause instanceof FileError && error.cause.reason === 'exists');
      assert.equal(readFileSync(place.path, 'utf8'), 'mine');
      assert.deepEqual(place.files(), ['findings.csv', 'findings.csv.part']);
    });

    it('An export to a path that is in use replaces a file only at the end, when the user has agreed', async () => {
      writeFileSync(place.path, 'mine');
      const list = new ServedList(numbered(30));
      list.before = () => {
        assert.equal(readFileSync(place.path, 'utf8'), 'mine');
      };
      const target = { path: place.path, format: 'ndjson', replace: true } as const;
      await place.export(place.job(list, { target }));
      assert.equal(readFileSync(place.path, 'utf8'), ndjson(list.entries));
      assert.deepEqual(place.files(), ['findings.csv']);
    });

    it('An export to a path that is in use keeps the mode of the file that it replaces', async function () {
      if (process.platform === 'win32') {
        this.skip();
      }
      for (const mode of [0o644, 0o640, 0o600, 0o444]) {
        writeFileSync(place.path, 'mine');
        chmodSync(place.path, mode);
        const list = new ServedList(numbered(30));
        const target = { path: place.path, format: 'ndjson', replace: true } as const;
        await place.export(place.job(list, { target }));
        assert.equal(readFileSync(place.path, 'utf8'), ndjson(list.entries));
        assert.equal(statSync(place.path).mode & 0o777, mode);
        rmSync(place.path);
      }
    });

    it('An export to a path that is in use replaces the target of a symbolic link, not the link', async function () {
      if (process.platform === 'win32') {
        this.skip();
      }
      const other = mkdtempSync(join(tmpdir(), 'export-'));
      const real = join(other, 'real.ndjson');
      const between = join(place.folder, 'between');
      try {
        symlinkSync(real, between);
        symlinkSync('between', place.path);
        const exporter = new Exporter();
        const entries = numbered(30);
        const target = { path: place.path, format: 'ndjson', replace: true } as const;
        const all = [
          () => exporter.exportAll(place.job(new ServedList(entries), { target })),
          () => exporter.exportEntries(entries, 'masked', target),
        ];
        for (const run of all) {
          writeFileSync(real, 'mine');
          await run();
          assert.equal(readFileSync(real, 'utf8'), ndjson(entries));
          assert.ok(lstatSync(place.path).isSymbolicLink() && lstatSync(between).isSymbolicLink());
          assert.deepEqual(place.files(), ['between', 'findings.csv']);
          assert.deepEqual(readdirSync(other), ['real.ndjson']);
        }
        rmSync(real);
        // The link is broken now: the user agreed to replace the name.
        await exporter.exportEntries(entries, 'masked', target);
        assert.equal(readFileSync(place.path, 'utf8'), ndjson(entries));
      } finally {
        rmSync(other, { recursive: true });
      }
    });

    it('An export to a path that is in use runs once at a time, even through a link to its file', async function () {
      if (process.platform === 'win32') {
        this.skip();
      }
      const link = join(place.folder, 'link.ndjson');
      writeFileSync(place.path, 'mine');
      symlinkSync(place.path, link);
      const exporter = new Exporter();
      const list = new ServedList(numbered(5));
      const { gate, reached } = list.blockPages();
      const target = { path: place.path, format: 'ndjson', replace: true } as const;
      const first = exporter.exportAll(place.job(list, { target }));
      await reached;
      const other = place.job(list, { target: { ...target, path: link } });
      await rejection(exporter.exportAll(other), ExportRunningError);
      gate.open();
      assert.equal((await first).count, 5);
    });

    it('An export to a path that is in use runs once at a time', async () => {
      const exporter = new Exporter();
      const list = new ServedList(numbered(5));
      const { gate, reached } = list.blockPages();
      const first = exporter.exportAll(place.job(list));
      await reached;
      await rejection(exporter.exportAll(place.job(list)), ExportRunningError);
      gate.open();
      assert.equal((await first).count, 5);
    });

    it('An export to a path that is in use runs once at a time, even through another name of its folder', async function () {
      // Wine makes no junctions.
      skipInWine(this);
      const alias = `${place.folder}-alias`;
      symlinkSync(place.folder, alias, 'junction');
      try {
        const exporter = new Exporter();
        const list = new ServedList(numbered(5));
        const { gate, reached } = list.blockPages();
        const first = exporter.exportAll(place.job(list));
        await reached;
        const job = place.job(list);
        const target = { ...job.target, path: join(alias, basename(place.path)) };
        await rejection(exporter.exportAll({ ...job, target }), ExportRunningError);
        gate.open();
        assert.equal((await first).count, 5);
        assert.deepEqual(list.offsets, [0]);
      } finally {
        rmSync(alias, { recursive: true });
      }
    });

    it('An export to a path that is in use runs in one window at a time', async () => {
      const list = new ServedList(numbered(5));
      const { gate, reached } = list.blockPages();
      const isAlive = () => true;
      const first = place.export(place.job(list), { processes: { ownPid: 11, machine, isAlive } });
      await reached;
      const second = place.export(place.job(list), { processes: { ownPid: 12, machine, isAlive } });
      await rejection(second, ExportRunningError);
      assert.deepEqual(place.files(), ['findings.csv.part', 'findings.csv.part.lock']);
      gate.open();
      assert.equal((await first).count, 5);
      assert.deepEqual(list.offsets, [0]);
      assert.deepEqual(place.files(), ['findings.csv']);
    });

    /** The draft of an export that was killed, in its lock. */
    function leaveLock(owner: string): string {
      const folder = join(`${place.part}.lock`, `${owner} 0123456789ab`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'draft-1'), 'half');
      return folder;
    }

    for (const [owner, leastMs, mostMs] of [
      ['11@here', 0, 0],
      ['11-700@here', 0, 0],
      ['13-700@here', 0, 0],
      ['12-700@here', 0, 0],
      // Another process may have its ID, and it may be asleep.
      ['13@here', 10_000, 12_000],
      ['13-700@there', 2_500, 4_000],
    ] as const) {
      it(`An export to a path that is in use takes over the lock of a process that is gone (${owner}) after ${leastMs} to ${mostMs} ms`, async () => {
        const left = leaveLock(owner);
        const clock = new FakeClock();
        const processes = {
          ownPid: 12,
          machine,
          // Process id 13 now belongs to a process that was started later.
          isAlive: (pid: number) => pid !== 11,
          startOf: () => '800',
        };
        const list = new ServedList(numbered(5));
        const exported = place.export(place.job(list), { clock, processes });
        await passUntil(exported, clock, () => existsSync(left));
        assert.equal((await exported).count, 5);
        const waitedMs = clock.monotonic();
        assert.ok(waitedMs >= leastMs && waitedMs <= mostMs, String(waitedMs));
        assert.deepEqual(place.files(), ['findings.csv']);
      });
    }

    for (const owner of ['11@there', '11@here']) {
      it(`An export to a path that is in use is refused as soon as the heartbeat of its lock changes (${owner})`, async () => {
        const beat = join(leaveLock(owner), 'heartbeat');
        /** While the export waits, the owner of the lock goes on. */
        class BeatingClock extends FakeClock {
          override setTimeout(callback: () => void, delayMs: number): () => void {
            writeFileSync(beat, String(this.monotonic()));
            return super.setTimeout(callback, delayMs);
          }
        }
        const clock = new BeatingClock();
        const processes = { ownPid: 12, machine, isAlive: () => true };
        const refused = rejection(
          place.export(place.job(new ServedList([])), { clock, processes }),
          ExportRunningError,
        );
        await passUntil(refused, clock);
        assert.ok((await refused).message.includes(`"${place.part}.lock"`));
        assert.equal(clock.monotonic(), 500);
      });
    }

    for (const [step, offset] of [
      ['before a page arrives', 20],
      ['before the first page arrives', 0],
      ['before it starts over', 20],
      ['before its file gets its name', undefined],
    ] as const) {
      it(`An export to a path that is in use changes nothing after another machine has taken over while this one was asleep (${step})`, async () => {
        const isRestart = step === 'before it starts over';
        const list = isRestart ? await interruptedAt(numbered(95), 20) : new ServedList([]);
        list.entries = numbered(35);
        const other = new ServedList(numbered(35).reverse());
        const reached = other.blockPages();
        const clock = new FakeClock(Date.now());
        let second: Promise<{ count: number }> | undefined;
        let part: string | undefined;
        const sleep = async () => {
          if (!second) {
            const processes = { ownPid: 12, machine: 'there', isAlive: () => false };
            second = place.export(place.job(other), { clock, processes });
            await Promise.race([reached.reached, passUntil(second, clock)]);
            part = readFileSync(place.part, 'utf8');
          }
        };
        list.before = (requested) => (requested === offset ? sleep() : undefined);
        const disk = {
          ...localDisk,
          link: async (from: PathLike, to: PathLike) => {
            await sleep();
            await localDisk.link(from, to);
          },
        };
        const error = await rejection(
          place.export(place.job(list), {
            disk,
            clock: new FakeClock(Date.now()),
            processes: { ownPid: 11, machine, isAlive: () => true },
          }),
          ExportRunningError,
        );
        assert.ok(error.message.includes(`"${place.part}.lock"`));
        assert.deepEqual(place.files(), ['findings.csv.part', 'findings.csv.part.lock']);
        assert.equal(readFileSync(place.part, 'utf8'), part);
        reached.gate.open();
        assert.ok(second);
        assert.equal((await second).count, 35);
        assert.equal(readFileSync(place.path, 'utf8').split('\n').length, 36);
        assert.deepEqual(place.files(), ['findings.csv']);
      });
    }

    it('An export to a path that is in use requests nothing when another window has created the file meanwhile', async () => {
      const list = new ServedList(numbered(5));
      const processes = {
        ownPid: 12,
        machine,
        isAlive: () => true,
        startOf: () => {
          writeFileSync(place.path, 'of the other window');
          return '1';
        },
      };
      const error = await rejection(place.export(place.job(list), { processes }), FileError);
      assert.equal(error.reason, 'exists');
      assert.deepEqual(list.offsets, []);
      assert.deepEqual(place.files(), ['findings.csv']);
    });
  });

  describe('on a failing disk', () => {
    it('An export on a failing disk stops when the disk is full (real ENOSPC), keeps the part and leaves no file', async function () {
      if (!existsSync('/dev/full')) {
        this.skip();
      }
      const list = new ServedList(numbered(30));
      const disk = {
        ...localDisk,
        open: (file: string, flags: string | number, mode: number) =>
          basename(file) === 'draft-1' ? open('/dev/full', 'r+') : open(file, flags, mode),
      };
      const error = await rejection(place.export(place.job(list), { disk }), StoppedError);
      assert.ok(error.cause instanceof FileError && error.cause.reason === 'noSpace');
      assert.deepEqual(place.files(), ['findings.csv.part']);
    });

    for (const [step, reason] of [
      ['nothing', 'io'],
      ['the writing', 'noSpace'],
    ] as const) {
      it(`An export on a failing disk reports the first failure when its files cannot be closed after ${step} has failed`, async () => {
        const fails = (code: string) => () =>
          Promise.reject(Object.assign(new Error('bad'), { code }));
        const disk = {
          ...localDisk,
          open: async (file: string, flags: string | number, mode: number) => {
            const handle = await open(file, flags, mode);
            const close = handle.close.bind(handle);
            if (basename(file) === 'draft-1' && step === 'the writing') {
              handle.writev = fails('ENOSPC');
            }
            if (/(\.part|draft-1)$/.test(file)) {
              handle.close = async () => {
                await close();
                await fails('EIO')();
              };
            }
            return handle;
          },
        };
        const job = place.job(new ServedList(numbered(30)));
        const error = await rejection(place.export(job, { disk }), StoppedError);
        assert.ok(error.cause instanceof FileError && error.cause.reason === reason);
        assert.deepEqual(place.files(), ['findings.csv.part']);
      });
    }

    it('An export on a failing disk continues when a disk that filled up during its pages has room again', async () => {
      const list = new ServedList(numbered(95));
      let room = 2_000;
      const disk = {
        ...localDisk,
        open: async (file: string, flags: string | number, mode: number) => {
          const handle = await open(file, flags, mode);
          const writev = handle.writev.bind(handle);
          handle.writev = (async (pieces: Buffer[], position: number) => {
            const bytes = Buffer.concat(pieces).subarray(0, room);
            if (bytes.length === 0) {
              throw Object.assign(new Error('full'), { code: 'ENOSPC' });
            }
            room -= bytes.length;
            return await writev([bytes], position);
          }) as unknown as typeof handle.writev;
          return handle;
        },
      };
      const error = await rejection(place.export(place.job(list), { disk }), StoppedError);
      assert.ok(error.cause instanceof FileError && error.cause.reason === 'noSpace');
      assert.deepEqual(place.files(), ['findings.csv.part']);
      const whole = readFileSync(place.part, 'utf8').split('\n').length - 2;
      assert.ok(whole > 0 && whole < 9, `${whole} pages`);
      list.offsets.length = 0;
      assert.equal((await place.export(place.job(list))).count, 95);
      assert.equal(list.offsets[0], whole * pageSize);
      assert.equal(readFileSync(place.path, 'utf8'), ndjson(list.entries));
    });

    it('An export on a failing disk is refused before it requests a page when the folder is missing', async () => {
      const list = new ServedList(numbered(5));
      place.remove();
      const error = await rejection(place.export(place.job(list)), FileError);
      assert.equal(error.reason, 'notWritable');
      assert.deepEqual(list.offsets, []);
    });

    it('An export on a failing disk stops when the folder disappears meanwhile', async function () {
      if (process.platform === 'win32') {
        // Windows keeps a folder in which a file is open.
        this.skip();
      }
      const list = new ServedList(numbered(30));
      list.before = (offset) => {
        if (offset === 20) {
          place.remove();
        }
      };
      const error = await rejection(place.export(place.job(list)), StoppedError);
      assert.ok(error.cause instanceof FileError && error.cause.reason === 'notWritable');
      assert.ok(!existsSync(place.folder));
    });

    it('An export on a failing disk requests pages no faster than a slow disk writes them', async () => {
      // The pages are larger than the buffer of the writer.
      const big = numbered(60).map((entry) => ({ ...entry, banner: 'x'.repeat(300_000) }));
      const list = new ServedList(big);
      const gate = new Gate();
      const reached = new Gate();
      const disk = {
        ...localDisk,
        open: async (file: string, flags: string | number, mode: number) => {
          const handle = await open(file, flags, mode);
          const writev = handle.writev.bind(handle);
          handle.writev = (async (pieces: NodeJS.ArrayBufferView[], position: number) => {
            if (position > 0 && file === place.part) {
              reached.open();
              await gate.promise;
            }
            return writev(pieces, position);
          }) as unknown as typeof handle.writev;
          return handle;
        },
      };
      const running = place.export(place.job(list, { pageSize: 1 }), { disk });
      await reached.promise;
      // By then, everything that does not need the disk has happened.
      for (let round = 0; round < 500; round += 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      // Four megabytes wait, four are being written, and six pages are requested.
      assert.ok(
        list.offsets.length >= 6 && list.offsets.length <= 16,
        `${list.offsets.length} pages`,
      );
      gate.open();
      assert.equal((await running).count, 60);
    });
  });

  it('An export with too many different fields is refused as CSV, and loads nothing again as JSON', async () => {
    const wide = Array.from({ length: 20 }, (_, row) =>
      Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`f${row}-${at}`, at])),
    );
    const list = new ServedList(wide);
    await rejection(place.export(place.job(list, { format: 'csv' })), TooManyColumnsError);
    list.offsets.length = 0;
    assert.equal((await place.export(place.job(list, { format: 'json' }))).count, 20);
    assert.deepEqual(list.offsets, [0], 'the count alone');
  });
});

import { FileError } from '../../../src/files/fileError';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  type Disk,
  type DiskFile,
  localDisk,
  moveWithoutReplacing,
  PartWriter,
} from '../../../src/files/disk';
import { CancelledError } from '../../../src/base/cancelledError';
import { DownloadError } from '../../../src/api/http/errors';
import { Gate } from '../service/findings/support';
import { Harness, failure, tick, until } from '../api/support';

const mebibyte = 1024 * 1024;

/** A file in memory whose writes behave as a test says. */
class FakeFile implements Pick<DiskFile, 'writev' | 'datasync'> {
  writes = 0;
  syncs = 0;
  private readonly written: Buffer[] = [];
  private size = 0;

  constructor(
    /** How many of these bytes a write accepts; it may wait, or throw. */
    private readonly take: (length: number) => number | Promise<number> = (length) => length,
    private readonly onSync: () => void | Promise<void> = () => undefined,
  ) {}

  readonly writev = (async (pieces: Buffer[], position: number) => {
    this.writes += 1;
    const all = Buffer.concat(pieces);
    const bytesWritten = await this.take(all.length);
    assert.equal(position, this.size);
    this.written.push(all.subarray(0, bytesWritten));
    this.size += bytesWritten;
    return { bytesWritten, buffers: pieces };
  }) as unknown as DiskFile['writev'];

  get bytes(): Buffer {
    return Buffer.concat(this.written);
  }

  async datasync(): Promise<void> {
    this.syncs += 1;
    await this.onSync();
  }
}

/** Opens files of this disk with something changed. */
function opening(change: (file: FileHandle, path: string) => void): Pick<Disk, 'open'> {
  return {
    open: async (...args) => {
      const file = await open(...args);
      change(file, args[0]);
      return file;
    },
  };
}

function refusing(code: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error('bad'), { code }));
}

describe('A download to the disk', () => {
  const harness = new Harness();
  const bytes = randomBytes(3 * mebibyte);
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'disk-'));
    path = join(folder, 'report.csv');
  });
  afterEach(async () => {
    await harness.close();
    await rm(folder, { recursive: true });
  });

  /** Downloads `bytes` to a disk, optionally with `keepPart`. */
  async function saved(
    disk: Partial<Disk>,
    {
      framing = 'length',
      signal,
    }: { readonly framing?: 'length' | 'chunked'; readonly signal?: AbortSignal } = {},
  ) {
    const server = await harness.serveFaults();
    server.script('/r', { do: 'serve', version: { bytes, etag: '"one"' }, framing });
    const client = harness.client(server.baseUrl, { disk: { ...localDisk, ...disk } });
    const answer = await client.fetchReport('/r');
    assert.ok(answer.type === 'file');
    return answer.file.saveTo(path, { keepPart: true, ...(signal && { signal }) });
  }

  async function fullDisk(promise: Promise<unknown>): Promise<FileError> {
    const error = await failure(promise, FileError);
    assert.equal(error.reason, 'noSpace');
    assert.deepEqual(await readdir(folder), []);
    return error;
  }

  it('A download to the disk fails before a byte is written when there is too little space, with the needed and free bytes', async () => {
    let written = false;
    const error = await fullDisk(
      saved({
        freeBytes: () => Promise.resolve(bytes.length - 1),
        ...opening((file) => {
          file.writev = () => {
            written = true;
            return Promise.reject(new Error('written'));
          };
        }),
      }),
    );
    assert.ok(!written);
    assert.deepEqual(error.space, {
      folder,
      neededBytes: bytes.length,
      freeBytes: bytes.length - 1,
    });
    assert.match(error.message, /3145728 bytes are needed, 3145727 bytes are free/);
  });

  it('A download to the disk starts when the space is just enough or unknown', async () => {
    for (const free of [bytes.length, undefined]) {
      assert.equal(await saved({ freeBytes: () => Promise.resolve(free) }), bytes.length);
      await rm(path);
    }
  });

  it('A download to the disk gets the free bytes of a folder, and undefined for a folder that does not exist', async () => {
    assert.ok(((await localDisk.freeBytes(folder)) ?? 0) > 0);
    assert.equal(await localDisk.freeBytes(join(folder, 'missing')), undefined);
  });

  it('A download to the disk fails with noSpace and leaves no file when the device is full (a real ENOSPC)', async function () {
    if (!existsSync('/dev/full')) {
      this.skip();
    }
    for (const framing of ['length', 'chunked'] as const) {
      const error = await fullDisk(
        saved(
          {
            open: (part, flags) =>
              part.endsWith('.part') ? open('/dev/full', 'w') : open(part, flags),
            freeBytes: () => Promise.resolve(framing === 'length' ? bytes.length : undefined),
          },
          { framing },
        ),
      );
      assert.match(error.message, framing === 'length' ? /3145728 bytes are free/ : /full\.$/);
    }
  });

  it('A download to the disk removes the part when the disk is full after a megabyte, and says how much is missing', async () => {
    let left = mebibyte;
    const error = await fullDisk(
      saved({
        freeBytes: () => Promise.resolve(left === mebibyte ? undefined : 0),
        ...opening((file, opened) => {
          if (opened.endsWith('.part')) {
            const write = file.write.bind(file);
            // A full disk writes what fits, and refuses the next write.
            file.writev = (async (pieces: Buffer[], position: number) => {
              const all = Buffer.concat(pieces).subarray(0, left);
              if (all.length === 0) {
                throw Object.assign(new Error('full'), { code: 'ENOSPC' });
              }
              left -= all.length;
              return { ...(await write(all, 0, all.length, position)), buffers: pieces };
            }) as typeof file.writev;
          }
        }),
      }),
    );
    assert.deepEqual(error.space, { folder, neededBytes: 2 * mebibyte, freeBytes: 0 });
  });

  for (const step of ['datasync', 'sync'] as const) {
    it(`A download to the disk fails when ${step} fails`, async () => {
      const big = Buffer.alloc(17 * mebibyte);
      const server = await harness.serveFaults();
      server.script('/r', { do: 'serve', version: { bytes: big, etag: '"one"' } });
      const disk: Disk = {
        ...localDisk,
        ...opening((file) => {
          file[step] = refusing('EIO');
        }),
      };
      const answer = await harness.client(server.baseUrl, { disk }).fetchReport('/r');
      assert.ok(answer.type === 'file');
      const error = await failure(answer.file.saveTo(path, { keepPart: true }), FileError);
      assert.equal(error.reason, 'io');
      assert.deepEqual(await readdir(folder), []);
    });
  }

  it('A download to the disk syncs the file before it gets its name, and the folder after', async () => {
    const steps: string[] = [];
    await saved({
      ...opening((file, opened) => {
        const sync = file.sync.bind(file);
        file.sync = () => {
          steps.push(opened === folder ? 'sync folder' : 'sync part');
          return sync();
        };
      }),
      link: (from, to) => {
        steps.push('name');
        return localDisk.link(from, to);
      },
    });
    assert.deepEqual(steps, ['sync part', 'name', 'sync folder']);
  });

  it('A download to the disk reports a failure or success as it is when the part cannot be removed', async () => {
    const unlink = refusing('EBUSY');
    const full = await failure(saved({ unlink, freeBytes: () => Promise.resolve(0) }), FileError);
    assert.equal(full.reason, 'noSpace');
    await rm(`${path}.part`);
    assert.equal(await saved({ unlink }), bytes.length);
    assert.ok(bytes.equals(await readFile(path)));
  });

  it('A download to the disk fails when the file cannot be closed, but reports an earlier failure first', async () => {
    const closing = (file: FileHandle) => {
      const close = file.close.bind(file);
      file.close = async () => {
        await close();
        throw Object.assign(new Error('bad'), { code: 'EDQUOT' });
      };
    };
    await fullDisk(saved(opening(closing)));
    const error = await failure(
      saved(
        opening((file) => {
          closing(file);
          file.writev = refusing('EIO');
        }),
      ),
      FileError,
    );
    assert.equal(error.reason, 'io');
  });

  /** The responses of the service: a download that breaks off, then the rest of it. */
  async function serveBroken(how: 'close' | 'stall') {
    const server = await harness.serveFaults();
    const serve = { do: 'serve', version: { bytes, etag: '"one"' } } as const;
    server.script('/r', { ...serve, fault: { after: mebibyte, how } }, serve);
    return server;
  }

  /** A download whose connection breaks off, optionally with `keepPart`. */
  async function breaksOff(disk: Partial<Disk> = {}): Promise<{ baseUrl: string }> {
    const server = await serveBroken('close');
    const client = harness.client(server.baseUrl, { disk: { ...localDisk, ...disk } });
    const answer = await client.fetchReport('/r');
    assert.ok(answer.type === 'file');
    const error = await failure(answer.file.saveTo(path, { keepPart: true }), DownloadError);
    assert.equal(error.reason, 'truncated');
    return server;
  }

  it('A download to the disk syncs a part that it keeps', async () => {
    const syncs: string[] = [];
    await breaksOff(
      opening((file, opened) => {
        const sync = file.sync.bind(file);
        file.sync = () => {
          syncs.push(opened);
          return sync();
        };
      }),
    );
    assert.deepEqual(await readdir(folder), ['report.csv.part']);
    assert.deepEqual(syncs, [`${path}.part`]);
  });

  it('A download to the disk removes a part that cannot be synced', async () => {
    await breaksOff(
      opening((file) => {
        file.sync = refusing('EIO');
      }),
    );
    assert.deepEqual(await readdir(folder), []);
  });

  it('A download to the disk syncs what it has when it is cancelled, and keeps the part', async () => {
    const server = await serveBroken('stall');
    let written = 0;
    let syncs = 0;
    let kept = 0;
    const disk: Disk = {
      ...localDisk,
      ...opening((file) => {
        const writev = file.writev.bind(file);
        file.writev = (async (...args: Parameters<typeof writev>) => {
          const result = await writev(...args);
          written += result.bytesWritten;
          return result;
        }) as typeof file.writev;
        const sync = file.sync.bind(file);
        file.sync = () => {
          syncs += 1;
          return sync();
        };
      }),
    };
    const answer = await harness.client(server.baseUrl, { disk }).fetchReport('/r');
    assert.ok(answer.type === 'file');
    const cancelled = new AbortController();
    const saving = failure(
      answer.file.saveTo(path, {
        keepPart: true,
        signal: cancelled.signal,
        onSynced: (bytes) => {
          kept = bytes;
        },
      }),
      CancelledError,
    );
    await until(() => written === mebibyte);
    cancelled.abort();
    await saving;
    assert.equal(syncs, 1);
    assert.equal(kept, mebibyte);
    assert.equal((await readFile(`${path}.part`)).length, mebibyte);
  });

  it('A download to the disk closes a part that it keeps, also where the caller cannot store how much that is, or its size is unknown', async () => {
    for (const fault of ['caller', 'stat'] as const) {
      const server = await serveBroken('close');
      let [opened, closed] = [0, 0];
      const disk: Disk = {
        ...localDisk,
        ...opening((file) => {
          opened += 1;
          const close = file.close.bind(file);
          file.close = () => {
            closed += 1;
            return close();
          };
          const sync = file.sync.bind(file);
          file.sync = async () => {
            await sync();
            if (fault === 'stat') {
              file.stat = refusing('EIO');
            }
          };
        }),
      };
      const answer = await harness.client(server.baseUrl, { disk }).fetchReport('/r');
      assert.ok(answer.type === 'file');
      const onSynced = () => {
        throw new Error('no room');
      };
      const saving = answer.file.saveTo(path, { keepPart: true, onSynced });
      await (fault === 'stat' ? failure(saving, DownloadError) : assert.rejects(saving, /no room/));
      assert.deepEqual([opened, closed], [1, 1]);
      assert.deepEqual(await readdir(folder), fault === 'stat' ? ['report.csv.part'] : []);
      await rm(`${path}.part`, { force: true });
    }
  });

  it('A download to the disk closes a part whose stat fails', async () => {
    const { baseUrl } = await breaksOff();
    const offset = (await readFile(`${path}.part`)).length;
    let [opened, closed] = [0, 0];
    const disk: Disk = {
      ...localDisk,
      ...opening((file) => {
        opened += 1;
        const close = file.close.bind(file);
        file.close = () => {
          closed += 1;
          return close();
        };
        file.stat = refusing('EIO');
      }),
    };
    const resume = { validator: '"one"', total: bytes.length, offset };
    const answer = await harness.client(baseUrl, { disk }).fetchReport('/r', { resume });
    assert.ok(answer.type === 'file');
    await failure(answer.file.saveTo(path, { keepPart: true }), FileError);
    assert.deepEqual([opened, closed], [1, 1]);
  });

  it('A download to the disk writes every byte before the file gets its name, even when the disk is slow', async () => {
    let writing = 0;
    let atName: number | undefined;
    await saved({
      ...opening((file) => {
        const writev = file.writev.bind(file);
        file.writev = (async (...args: Parameters<typeof writev>) => {
          writing += 1;
          await setTimeout(100);
          const result = await writev(...args);
          writing -= 1;
          return result;
        }) as typeof file.writev;
      }),
      link: (from, to) => {
        atName = writing;
        return localDisk.link(from, to);
      },
    });
    assert.equal(atName, 0);
    assert.ok(bytes.equals(await readFile(path)));
  });

  it('A download to the disk keeps only the part when it is cancelled while the file is synced', async () => {
    const cancelled = new AbortController();
    const syncing = opening((file) => {
      const sync = file.sync.bind(file);
      file.sync = () => {
        cancelled.abort();
        return sync();
      };
    });
    await failure(saved(syncing, { signal: cancelled.signal }), CancelledError);
    assert.deepEqual(await readdir(folder), ['report.csv.part']);
  });

  it('A download to the disk renames the part where hard links are not supported, but never over a file', async () => {
    const link = refusing('EPERM');
    await saved({ link });
    assert.ok(bytes.equals(await readFile(path)));
    const error = await failure(saved({ link }), FileError);
    assert.equal(error.reason, 'exists');
    assert.deepEqual(await readdir(folder), ['report.csv']);
  });

  it('A download to the disk has no part any more when it is done', async () => {
    const [part, path] = [join(folder, 'part'), join(folder, 'report.csv')];
    await writeFile(part, 'a');
    const disk: Disk = {
      ...localDisk,
      unlink: async (each) => {
        await tick();
        await localDisk.unlink(each);
      },
    };
    await moveWithoutReplacing(disk, part, path);
    assert.deepEqual(await readdir(folder), ['report.csv']);
  });

  it('A download to the disk stops reading while the disk is slow', async () => {
    const gate = new Gate();
    const file = new FakeFile(async (length) => {
      await gate.promise;
      return length;
    });
    const writer = new PartWriter(file, 0);
    let accepted = 0;
    const reading = (async () => {
      for (; accepted < 100; accepted += 1) {
        await writer.write([Buffer.from('a')]);
      }
    })();
    for (let rounds = 0; rounds < 50; rounds += 1) {
      await tick();
    }
    // It is on its way to the disk, and the next one waits.
    assert.deepEqual([accepted, file.writes], [1, 1]);
    gate.open();
    await reading;
    await writer.flush();
    assert.equal(file.bytes.length, 100);
  });

  it('A download to the disk stops writing while a sync is slow', async () => {
    const gate = new Gate();
    const file = new FakeFile(undefined, () => gate.promise);
    const writer = new PartWriter(file, 0);
    let accepted = 0;
    const reading = (async () => {
      for (; accepted < 100; accepted += 1) {
        await writer.write([Buffer.alloc(mebibyte)]);
      }
    })();
    for (let rounds = 0; rounds < 1000; rounds += 1) {
      await tick();
    }
    // Sixteen lie before the sync, and as many behind it, the last of which waits for it.
    assert.equal(accepted, 32);
    gate.open();
    await reading;
    await writer.flush();
    assert.equal(file.bytes.length, 100 * mebibyte);
  });

  it('A download to the disk fails on flush when a sync fails late', async () => {
    const gate = new Gate();
    const file = new FakeFile(undefined, async () => {
      await gate.promise;
      throw new Error('lost');
    });
    const writer = new PartWriter(file, 0);
    await writer.write([Buffer.alloc(17 * mebibyte)]);
    const flushed = assert.rejects(writer.flush(), /lost/);
    for (let rounds = 0; rounds < 50; rounds += 1) {
      await tick();
    }
    assert.equal(file.syncs, 1);
    gate.open();
    await flushed;
  });

  it('A download to the disk rejects a pending write when the disk fails', async () => {
    const gate = new Gate();
    const file = new FakeFile(async () => {
      await gate.promise;
      throw new Error('lost');
    });
    const writer = new PartWriter(file, 0);
    await writer.write([Buffer.from('a')]);
    const rejected = assert.rejects(writer.write([Buffer.from('b')]), /lost/);
    await tick();
    gate.open();
    await rejected;
    await assert.rejects(writer.flush(), /lost/);
  });

  it('A download to the disk fails when the disk writes no bytes, instead of trying forever', async () => {
    const file = new FakeFile(async () => {
      await tick();
      return 0;
    });
    const writer = new PartWriter(file, 0);
    await writer.write([Buffer.from('a')]);
    await assert.rejects(writer.flush(), /accepted no bytes/);
  });

  it('A download to the disk continues after an empty piece', async () => {
    const file = new FakeFile();
    const writer = new PartWriter(file, 0);
    for (const text of ['', 'a', '', 'b']) {
      await writer.write([Buffer.from(text)]);
    }
    await writer.flush();
    assert.equal(file.bytes.toString(), 'ab');
  });

  it('A download to the disk loses no byte when each write accepts only a few', async () => {
    const file = new FakeFile((length) => Math.min(7, length));
    const writer = new PartWriter(file, 0);
    const parts = [randomBytes(10), Buffer.alloc(0), randomBytes(3), randomBytes(25)];
    for (const part of parts) {
      await writer.write([part]);
    }
    await writer.flush();
    assert.ok(file.bytes.equals(Buffer.concat(parts)));
  });

  it('A download to the disk rejects the next write and the flush when a write fails', async () => {
    const file = new FakeFile(() => {
      throw new Error('no');
    });
    const writer = new PartWriter(file, 0);
    await writer.write([Buffer.from('a')]).catch(() => undefined);
    await tick();
    await assert.rejects(writer.write([Buffer.from('b')]), /no/);
    await assert.rejects(writer.flush(), /no/);
  });
});

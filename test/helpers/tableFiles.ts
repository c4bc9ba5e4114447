import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { CopiedSource, openPlain, openSource } from '../../src/engine/read/bytes/byteSource';
import type { RecordReader } from '../../src/engine/read/records/recordReader';
import { type CoreOptions, TableCore, type Work } from '../../src/engine/tableCore';
import { type FileOptions, TableFile } from '../../src/engine/read/tableFile';
import type { Filter } from '../../src/engine/data/query';
import type { EncodingChoice } from '../../src/engine/data/tableInfo';
import { YieldBudget } from '../../src/engine/threads/yieldBudget';

/** A folder for the files of one test suite; removed after it. */
export function tableFolder(): {
  path: string;
  write(name: string, content: string | Buffer): string;
} {
  const folder = { path: '', write };
  let written = 0;
  before(() => {
    folder.path = fs.mkdtempSync(path.join(os.tmpdir(), 'scorecard-table-'));
  });
  after(async () => {
    try {
      await fs.promises.rm(folder.path, { recursive: true, force: true, maxRetries: 2 });
    } catch (error) {
      // Windows keeps the file of a table that a test has left open until the process ends.
      if (process.platform !== 'win32') {
        throw error;
      }
    }
  });
  return folder;

  function write(name: string, content: string | Buffer): string {
    written += 1;
    const file = path.join(folder.path, `${written}-${name}`);
    fs.writeFileSync(file, content);
    return file;
  }
}

/** Opens a table in this thread, with all records found and checked. The caller closes it. */
export async function openCore(
  file: string,
  options: CoreOptions & FileOptions = {},
): Promise<TableCore> {
  const core = await startCore(file, options);
  await core.check();
  return core;
}

/** The same before all rows are read. */
export async function startCore(
  file: string,
  options: CoreOptions & FileOptions = {},
): Promise<TableCore> {
  const core = new TableCore(await TableFile.open(file, openPlain(file), options), options);
  await core.start();
  return core;
}

/** The same from a gzip file with this content. */
export async function openGzip(
  file: string,
  cacheFolder: string,
  maxBytes = 1e9,
): Promise<TableCore> {
  const source = gzipSource(file, cacheFolder, maxBytes);
  const core = new TableCore(await TableFile.open(file, source));
  await core.start();
  await core.check();
  return core;
}

export function gzipSource(file: string, cacheFolder: string, maxBytes = 1e9): CopiedSource {
  const form = { isGzip: true, encoding: 'utf-8' };
  return new CopiedSource(openPlain(file, cacheFolder), form, maxBytes);
}

/** The same from any file, whatever its encoding. */
export async function openAny(
  file: string,
  cacheFolder: string,
  choice?: EncodingChoice,
  options: CoreOptions = {},
): Promise<TableCore> {
  const source = openSource(file, cacheFolder, choice);
  const core = new TableCore(await TableFile.open(file, source), options);
  await core.start();
  await core.check();
  return core;
}

export function gzip(content: string): Buffer {
  return gzipSync(content);
}

/** How many rows a filter matches. */
export async function countRows(
  core: TableCore,
  filter: Filter,
  options: Work = work(),
): Promise<number> {
  return (await core.query({ query: { filter } }, options)).rows;
}

export function work(budget = new YieldBudget()): Work {
  return { budget, reveal: true };
}

/** The text of a record that a reader has found. */
export function recordText(reader: RecordReader, record: number): string {
  return reader.bytes.toString('utf8', reader.start(record), reader.end(record));
}

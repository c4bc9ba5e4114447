import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as v from 'valibot';
import {
  type ClosedCounts,
  countChanges,
  countOpenRows,
  findingsAtOnce,
  KnownDigests,
  type KnownFinding,
  parseKeptRows,
  putKeptRows,
  type Side,
  visitDifferences,
  type SincePrevious,
  type TableHandle,
} from '../../engine';
import { systemClock } from '../../base/events/clock';
import { tryParseJson } from '../../base/json/tryParseJson';
import type { Logger } from '../../base/logger';
import { localDisk, onDisk } from '../../files/disk';
import {
  isErrno,
  makeFolders,
  pathsOf,
  removeAllPossible,
  removeFile,
  removeFolder,
} from '../../files/files';
import { type PutPiece, writeWhole } from '../../files/wholeFile';
import { noSeverities, type SeverityCounts, type TrendPoint } from '../../summary/trend';
import type { SaidSeverity } from '../../vocabulary/severity';
import {
  type Findings,
  type KeptFinding,
  keptFinding,
  readOpenFindings,
  readOpenRows,
  readRows,
  sortFindings,
  type StateLimits,
  stateLimits,
} from './keptFindings';
import { type ReadTexts, SideWriter } from './keptSides';

/** The most states of a file: the newest ones. */
const maxStates = 20;

/** What was not opened for so long is forgotten, in milliseconds: half a year. */
const maxAgeMs = 183 * 86_400_000;

/**
 * A program that adds to a file it wrote less than this long ago, in milliseconds, is still at work: what the file
 * contained meanwhile is no state to compare with.
 */
const appendMs = 30 * 60_000;

/** So many bytes at the end of a file tell whether another one begins with it. */
const tailBytes = 4_096;

const indexName = 'index.json';

/** Ends the name of a state without texts. */
const keptExtension = '.kept.gz';

const newline = 0x0a;

/** So many lines take less time than a user notices. */
const linesAtOnce = 1_000;

const [zip, unzip] = [promisify(gzip), promisify(gunzip)];

const stateSchema = v.object({
  /** The file with its findings, in the same folder. */
  name: v.string(),
  /** When the user's file was written, in milliseconds since the epoch, and its size in bytes: what tells it apart. */
  at: v.number(),
  bytes: v.number(),
  /** When this became the content, if that was not when it was written: an older file may take the place of a newer one. */
  since: v.exactOptional(v.number()),
  /** A digest of its last bytes. */
  tail: v.string(),
});

type State = v.InferOutput<typeof stateSchema>;

const indexSchema = v.object({ version: v.literal(1), states: v.array(stateSchema) });

/** A file, and the list of it that a table shows; `undefined` if there is only one. */
interface FileList {
  readonly file: string;
  readonly list?: string | undefined;
}

interface FileStatesDeps {
  /** Contains nothing else. */
  readonly folder: string;
  readonly knownFindings: () => Promise<readonly KnownFinding[]>;
  readonly log: Pick<Logger, 'warn'>;
  /** By default `stateLimits`. */
  readonly limits?: StateLimits;
}

type OpenTable = Pick<TableHandle, 'call' | 'info'>;

/** Two files of findings that are compared by `finding`. */
export interface WrittenSides {
  readonly before: string;
  readonly after: string;
  /** When the file was written, in milliseconds since the epoch. */
  readonly at: readonly [number, number];
  /** How many new and gone findings are left out of both, because they are known. */
  readonly known: ClosedCounts;
  /** How many gone findings have no more than a severity: there were too many to keep their texts. */
  readonly withoutTexts: number;
}

/**
 * What the findings files of users contained when they were opened before: which findings were open, not the file. A
 * scanner overwrites its file, so that nothing else is left to compare with. Findings are told apart as decisions about
 * them are, so that one that has moved by some lines is the same; equal ones are counted. Each list of a file has states
 * of its own.
 */
export class FileStates {
  /** By the folder of the states. */
  private readonly recording = new Map<string, Promise<void>>();
  /** What was found last, by the folder, and for which states and decisions. */
  private readonly found = new Map<
    string,
    { readonly of: string; readonly since: SincePrevious }
  >();
  private sweeping: Promise<void> | undefined;

  constructor(private readonly deps: FileStatesDeps) {}

  /** Keeps what a file contains now, unless that is kept already. Never rejects: without it, less is told later. */
  record(file: string, table: OpenTable): Promise<void> {
    const folder = this.folderOf({ file, list: table.info.list });
    const recording = (this.recording.get(folder) ?? Promise.resolve())
      .then(() => this.recordOnce(file, folder, table))
      .catch((error: unknown) => {
        this.deps.log.warn(`What a findings file contains could not be kept: ${String(error)}`);
      })
      .finally(() => {
        if (this.recording.get(folder) === recording) {
          this.recording.delete(folder);
        }
      });
    this.recording.set(folder, recording);
    return recording;
  }

  /**
   * How a file differs from its state before, without known findings; `undefined` if that is not known.
   * @throws an error of the file system
   */
  async findChanges(of: FileList): Promise<SincePrevious | undefined> {
    const folder = this.folderOf(of);
    const states = await this.statesNow(of.file, folder);
    if (!states) {
      return undefined;
    }
    const known = await this.deps.knownFindings();
    const [older, newer] = states;
    const key = shortId(JSON.stringify([older.name, newer.name, known]));
    const found = this.found.get(folder);
    if (found?.of === key) {
      return found.since;
    }
    const digests = await KnownDigests.of(known);
    const [before, after] = await this.readBoth(folder, states);
    const changes = await countChanges(
      { rows: before.rows, known: digests },
      { rows: after.rows, known: digests },
    );
    const since = { ...changes, at: older.since ?? older.at };
    this.found.set(folder, { of: key, since });
    return since;
  }

  /** The states of a file, the oldest first, without what is known now. @throws an error of the file system */
  async readPoints(of: FileList): Promise<TrendPoint[]> {
    const folder = this.folderOf(of);
    await this.recording.get(folder);
    const known = await KnownDigests.of(await this.deps.knownFindings());
    const points: TrendPoint[] = [];
    let before: Side | undefined;
    for (const { at, since = at, name } of await this.readIndex(folder)) {
      const kept = await this.readFindings(folder, name).catch(() => undefined);
      if (!kept) {
        // Another window has just removed it, or it is damaged.
        continue;
      }
      const side = { rows: kept.rows, known };
      const changes = before && (await countChanges(before, side));
      const { open, severities } = await countOpenRows(side);
      points.push({
        at: since,
        open,
        severity: countLevels(severities),
        ...(changes && { new: changes.new, gone: changes.gone }),
      });
      before = side;
    }
    return points;
  }

  /**
   * Writes the findings of a file now and before to files that can be compared by `finding`.
   * Only what counts as a change differs: both have the texts of now. Of equal findings each has a number.
   * @param table the open file: it has the texts that are not kept.
   * @returns `undefined` if there is no state before.
   * @throws FileError, TableError, an error of the file system
   */
  async writeSides(of: FileList, table: OpenTable): Promise<WrittenSides | undefined> {
    const folder = this.folderOf(of);
    const states = await this.statesNow(of.file, folder);
    if (!states) {
      return undefined;
    }
    const [older, newer] = states;
    const [known, none] = [
      await KnownDigests.of(await this.deps.knownFindings()),
      await KnownDigests.of([]),
    ];
    const [before, after] = await this.readBoth(folder, states);
    const sidesWith = (decided: KnownDigests): [Side, Side] => [
      { rows: before.rows, known: decided },
      { rows: after.rows, known: decided },
    ];
    const counts = await countChanges(...sidesWith(known));
    const ofAll = await countChanges(...sidesWith(none));
    const texts = after.texts ? undefined : await this.openTexts(table, after);
    const [beforePath, afterPath] = ['before', 'after'].map((name) =>
      path.join(folder, `${name}.ndjson`),
    ) as [string, string];
    await writeFile(beforePath, (putBefore) =>
      writeFile(afterPath, async (putAfter) => {
        const writer = new SideWriter(
          { findings: before, put: putBefore },
          { findings: after, put: putAfter },
          texts,
        );
        await visitDifferences(...sidesWith(known), writer);
        await writer.finish();
      }),
    );
    return {
      before: beforePath,
      after: afterPath,
      at: [older.since ?? older.at, newer.since ?? newer.at],
      known: {
        new: Math.max(0, ofAll.new - counts.new),
        gone: Math.max(0, ofAll.gone - counts.gone),
      },
      withoutTexts: before.texts ? 0 : counts.gone,
    };
  }

  /** Forgets all states. @returns the paths that are left. */
  async removeAll(): Promise<string[]> {
    return pathsOf(await removeAllPossible(this.deps.folder));
  }

  /** Whether what a file contains now is kept. @throws an error of the file system */
  async isKept(of: FileList): Promise<boolean> {
    const latest = (await this.readIndex(this.folderOf(of))).at(-1);
    const { size, mtimeMs } = await fs.stat(of.file);
    return latest?.at === mtimeMs && latest.bytes === size;
  }

  /** The state before and that of now; `undefined` unless both are kept. */
  private async statesNow(file: string, folder: string): Promise<[State, State] | undefined> {
    await this.recording.get(folder);
    const [older, newer] = (await this.readIndex(folder)).slice(-2);
    const { size, mtimeMs } = await fs.stat(file);
    // Nothing may be kept of what the file contains now: it has too many findings, or none that can be told apart.
    return older && newer?.at === mtimeMs && newer.bytes === size ? [older, newer] : undefined;
  }

  private async readBoth(
    folder: string,
    [older, newer]: readonly [State, State],
  ): Promise<[Findings, Findings]> {
    return [
      await this.readFindings(folder, older.name),
      await this.readFindings(folder, newer.name),
    ];
  }

  /** Reads the texts of findings of the open file by their positions; `undefined` if it has others. */
  private async openTexts(table: OpenTable, { rows }: Findings): Promise<ReadTexts | undefined> {
    const found = await readOpenRows(table, rows.bits.length);
    const records = found?.records;
    return records?.length !== rows.bits.length
      ? undefined
      : async (positions) => {
          const numberOf = (position: number) => records[position] ?? NaN;
          const read = await readRows(table, positions.map(numberOf));
          return new Map(positions.map((each) => [each, read.get(numberOf(each)) ?? {}]));
        };
  }

  private async recordOnce(file: string, folder: string, table: OpenTable): Promise<void> {
    const stamp = await stampOf(file);
    const states = await this.readIndex(folder);
    const latest = states.at(-1);
    if (latest?.at === stamp.at && latest.bytes === stamp.bytes) {
      await touch(path.join(folder, indexName));
      return;
    }
    this.sweeping ??= this.sweep();
    // To count them in the same pass would delay what a user waits for.
    await table.call('checked', {});
    const findings = await readOpenFindings(table, this.deps.limits ?? stateLimits);
    const tail = await tailOf(file, stamp.bytes);
    const { truncated, changed } = await table.call('checked', {});
    const now = await stampOf(file);
    const isStill = changed === undefined && now.at === stamp.at && now.bytes === stamp.bytes;
    // What has come meanwhile is read and kept next.
    if (!findings || !isStill || truncated !== undefined) {
      return;
    }
    // Where there is nothing else to compare with, more is told rather than less.
    const isAdded =
      latest !== undefined &&
      states.length > 1 &&
      stamp.bytes > latest.bytes &&
      stamp.at - latest.at < appendMs &&
      (await tailOf(file, latest.bytes)) === latest.tail;
    // Nor is what a program has found once more: what was new stays so until something else is found.
    const isSame =
      latest !== undefined && states.length > 1 && (await this.isSame(folder, latest, findings));
    const earlier = isAdded || isSame ? states.slice(0, -1) : states;
    // The same in all windows, which may keep it at the same time: what one writes, another one must not remove.
    const id = shortId(`${stamp.at} ${stamp.bytes}`);
    const name = `${id}${findings.texts ? '.ndjson.gz' : keptExtension}`;
    await this.writeFindings(folder, name, findings);
    const moment = systemClock.now();
    const isOlder = latest !== undefined && stamp.at <= (latest.since ?? latest.at);
    const isWrong = isOlder || stamp.at > moment;
    const state: State = {
      name,
      ...stamp,
      tail,
      ...(isWrong && { since: moment }),
    };
    await this.writeIndex(folder, [...earlier, state]);
  }

  /** Whether a state has the same findings; not if it cannot be read. */
  private async isSame(folder: string, { name }: State, { rows }: Findings): Promise<boolean> {
    const kept = await this.readFindings(folder, name).catch(() => undefined);
    const known = await KnownDigests.of([]);
    const changes = kept && (await countChanges({ rows: kept.rows, known }, { rows, known }));
    return changes !== undefined && changes.new + changes.gone + changes.changed === 0;
  }

  /** @throws an error of the file system, unless nothing is kept: what cannot be read now is not replaced. */
  private async readIndex(folder: string): Promise<readonly State[]> {
    const text = await fs.readFile(path.join(folder, indexName), 'utf8').catch((error: unknown) => {
      if (isErrno(error, 'ENOENT')) {
        return '';
      }
      throw error;
    });
    const parsed = v.safeParse(indexSchema, tryParseJson(text));
    return parsed.success ? parsed.output.states : [];
  }

  private async writeIndex(folder: string, states: readonly State[]): Promise<void> {
    const kept = states.slice(-maxStates);
    await writeText(path.join(folder, indexName), JSON.stringify({ version: 1, states: kept }));
    const names = new Set(kept.map(({ name }) => name));
    const old = (await fs.readdir(folder)).filter(
      (name) => name.endsWith('.gz') && !names.has(name),
    );
    await Promise.all(old.map((name) => removeFile(path.join(folder, name))));
  }

  /** Removes what belongs to files that nobody has opened for long. Never rejects. */
  private async sweep(): Promise<void> {
    for (const name of await fs.readdir(this.deps.folder).catch(() => [])) {
      const folder = path.join(this.deps.folder, name);
      const { mtimeMs } = await fs
        .stat(path.join(folder, indexName))
        .catch(() => ({ mtimeMs: Infinity }));
      if (mtimeMs < systemClock.now() - maxAgeMs && !this.recording.has(folder)) {
        await removeFolder(folder).catch(() => undefined);
      }
    }
  }

  /** @throws an error of the file system, and of what is damaged */
  private async readFindings(folder: string, name: string): Promise<Findings> {
    const bytes = await fs.readFile(path.join(folder, name));
    return name.endsWith(keptExtension)
      ? { rows: await parseKeptRows(bytes) }
      : sortFindings(await parseTexts(await unzip(bytes)));
  }

  private async writeFindings(
    folder: string,
    name: string,
    { rows, texts }: Findings,
  ): Promise<void> {
    await onDisk(() => makeFolders(folder));
    const packed = texts && (await zip(await joinTexts(texts)));
    await writeFile(path.join(folder, name), (put) =>
      packed ? put(packed) : putKeptRows(rows, put),
    );
  }

  /** That of the file itself, also where links lead to it; a drive of Windows is written in two ways. */
  private folderOf({ file, list = '' }: FileList): string {
    return path.join(this.deps.folder, shortId(`${realPath(file)}\n${list}`));
  }
}

/** The levels of a trend. */
function countLevels(severities: ReadonlyMap<SaidSeverity, number>): SeverityCounts {
  const {
    positive: _,
    unknown: __,
    ...counts
  } = {
    positive: 0,
    unknown: 0,
    ...noSeverities,
    ...Object.fromEntries(severities),
  };
  return counts;
}

function realPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    // It was removed.
    return path.resolve(file);
  }
}

/** The texts of findings, a line each. */
async function joinTexts(texts: readonly KeptFinding[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let from = 0; from < texts.length; from += findingsAtOnce) {
    const lines = texts.slice(from, from + findingsAtOnce).map((each) => JSON.stringify(each));
    parts.push(Buffer.from(`${lines.join('\n')}\n`));
    await setImmediate();
  }
  return Buffer.concat(parts);
}

/** The findings of lines, but for those that are damaged. */
async function parseTexts(bytes: Buffer): Promise<KeptFinding[]> {
  const texts: KeptFinding[] = [];
  for (let from = 0, line = 1; from < bytes.length; line += 1) {
    const end = bytes.indexOf(newline, from);
    const to = end < 0 ? bytes.length : end;
    const parsed = v.safeParse(keptFinding, tryParseJson(bytes.toString('utf8', from, to)));
    if (parsed.success) {
      texts.push(parsed.output);
    }
    from = to + 1;
    if (line % linesAtOnce === 0) {
      await setImmediate();
    }
  }
  return texts;
}

/** Says that a file was used now. Never rejects. */
async function touch(file: string): Promise<void> {
  const now = new Date(systemClock.now());
  await fs.utimes(file, now, now).catch(() => undefined);
}

async function stampOf(file: string): Promise<{ readonly at: number; readonly bytes: number }> {
  const { size: bytes, mtimeMs: at } = await fs.stat(file);
  return { at, bytes };
}

/** A digest of the last bytes before an offset. */
async function tailOf(file: string, end: number): Promise<string> {
  const from = Math.max(0, end - tailBytes);
  const handle = await fs.open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - from), 0, end - from, from);
    return shortId(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

function shortId(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

async function writeText(target: string, text: string): Promise<void> {
  await writeFile(target, (put) => put(text));
}

async function writeFile(target: string, write: (put: PutPiece) => Promise<void>): Promise<void> {
  await writeWhole(localDisk, { path: target, replace: true }, write);
}

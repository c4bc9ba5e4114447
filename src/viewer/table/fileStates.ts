import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as v from 'valibot';
import type { ClosedCounts, KnownFinding, SincePrevious, TableHandle } from '../../engine';
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
import { writeWhole } from '../../files/wholeFile';
import type { TrendPoint } from '../../summary/trend';
import type { SaidSeverity } from '../../vocabulary/severity';
import {
  countChanges,
  countSeverities,
  type Difference,
  type KeptFinding,
  keptFinding,
  leaveOutKnown,
  pairFindings,
  readOpenFindings,
} from './keptFindings';

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
}

type OpenTable = Pick<TableHandle, 'call' | 'info'>;

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
    const difference = await this.compare(folder, states, known);
    const since = { ...countChanges(difference), at: older.since ?? older.at };
    this.found.set(folder, { of: key, since });
    return since;
  }

  /** The states of a file, the oldest first, without what is known now. @throws an error of the file system */
  async readPoints(of: FileList): Promise<TrendPoint[]> {
    const folder = this.folderOf(of);
    await this.recording.get(folder);
    const known = await this.deps.knownFindings();
    const points: TrendPoint[] = [];
    let before: readonly KeptFinding[] | undefined;
    for (const { at, since = at, name } of await this.readIndex(folder)) {
      const kept = await this.readFindings(folder, name).catch(() => undefined);
      if (!kept) {
        // Another window has just removed it, or it is damaged.
        continue;
      }
      const findings = leaveOutKnown(kept, known);
      const changes = before && countChanges(pairFindings(before, findings));
      points.push({
        at: since,
        open: findings.length,
        severity: countSeverities(findings),
        ...(changes && { new: changes.new, gone: changes.gone }),
      });
      before = findings;
    }
    return points;
  }

  /**
   * Writes the findings of a file now and before to files that can be compared by `finding`.
   * Only what counts as a change differs: both have the texts of now. Of equal findings each has a number.
   * @returns their paths, when the file was written, and how many new and gone findings they lack, which are known;
   * `undefined` if there is no state before.
   * @throws FileError, an error of the file system
   */
  async writeSides(of: FileList): Promise<
    | {
        readonly before: string;
        readonly after: string;
        readonly at: readonly [number, number];
        readonly known: ClosedCounts;
      }
    | undefined
  > {
    const folder = this.folderOf(of);
    const states = await this.statesNow(of.file, folder);
    if (!states) {
      return undefined;
    }
    const [older, newer] = states;
    const known = await this.deps.knownFindings();
    const { pairs, added, gone } = await this.compare(folder, states, known);
    const ofAll = known.length > 0 ? await this.compare(folder, states, []) : { added, gone };
    const nameOf = numberEqual();
    const ofPairs = pairs.map(([before, after]) => {
      const finding = nameOf(after.id);
      return [toLine(finding, { ...after, severity: before.severity }), toLine(finding, after)];
    });
    const ofOthers = (findings: readonly KeptFinding[]) =>
      findings.map((each) => toLine(nameOf(each.id), each));
    const write = async (name: string, lines: readonly string[]) => {
      const target = path.join(folder, name);
      await writeText(target, `${lines.join('\n')}\n`);
      return target;
    };
    const [before, after] = await Promise.all([
      write('before.ndjson', [...ofPairs.map(([line = '']) => line), ...ofOthers(gone)]),
      write('after.ndjson', [...ofPairs.map(([, line = '']) => line), ...ofOthers(added)]),
    ]);
    return {
      before,
      after,
      at: [older.since ?? older.at, newer.since ?? newer.at],
      known: {
        new: Math.max(0, ofAll.added.length - added.length),
        gone: Math.max(0, ofAll.gone.length - gone.length),
      },
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

  private async compare(
    folder: string,
    states: readonly [State, State],
    known: readonly KnownFinding[],
  ): Promise<Difference> {
    const [before, after] = await Promise.all(
      states.map(({ name }) => this.readFindings(folder, name)),
    );
    return pairFindings(leaveOutKnown(before ?? [], known), leaveOutKnown(after ?? [], known));
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
    const findings = await readOpenFindings(table);
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
    const earlier = isAdded ? states.slice(0, -1) : states;
    // The same in all windows, which may keep it at the same time: what one writes, another one must not remove.
    const name = `${shortId(`${stamp.at} ${stamp.bytes}`)}.ndjson.gz`;
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

  private async readFindings(folder: string, name: string): Promise<KeptFinding[]> {
    const bytes = await unzip(await fs.readFile(path.join(folder, name)));
    return bytes
      .toString('utf8')
      .split('\n')
      .flatMap((line) => {
        const parsed = v.safeParse(keptFinding, tryParseJson(line));
        return parsed.success ? [parsed.output] : [];
      });
  }

  private async writeFindings(
    folder: string,
    name: string,
    findings: readonly KeptFinding[],
  ): Promise<void> {
    const lines = findings.map((finding) => JSON.stringify(finding)).join('\n');
    await onDisk(() => makeFolders(folder));
    const target = { path: path.join(folder, name), replace: true };
    const packed = await zip(Buffer.from(lines));
    await writeWhole(localDisk, target, (put) => put(packed));
  }

  /** That of the file itself, also where links lead to it; a drive of Windows is written in two ways. */
  private folderOf({ file, list = '' }: FileList): string {
    return path.join(this.deps.folder, shortId(`${realPath(file)}\n${list}`));
  }
}

function realPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    // It was removed.
    return path.resolve(file);
  }
}

/** A finding as a line of a file that is compared. */
function toLine(
  finding: string,
  {
    severity: level,
    rule,
    title,
    place,
  }: Omit<KeptFinding, 'severity'> & { severity?: SaidSeverity | undefined },
): string {
  return JSON.stringify({ finding, severity: level, rule, title, place });
}

/** Names findings by their ids, equal ones apart. */
function numberEqual(): (id: string) => string {
  const counts = new Map<string, number>();
  return (id) => {
    const number = (counts.get(id) ?? 0) + 1;
    counts.set(id, number);
    return number === 1 ? shortId(id) : `${shortId(id)} ${number}`;
  };
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
  await writeWhole(localDisk, { path: target, replace: true }, (put) => put(text));
}

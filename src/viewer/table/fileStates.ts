import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as v from 'valibot';
import {
  type KnownFinding,
  maxIdentified,
  type SincePrevious,
  type TableHandle,
} from '../../engine';
import { localDisk, onDisk } from '../../files/disk';
import { makeFolders, pathsOf, removeAllPossible } from '../../files/files';
import { writeWhole } from '../../files/wholeFile';
import { openFilters } from '../../summary/openFindings';
import { noSeverities, type TrendLevel, type TrendPoint } from '../../summary/trend';
import { areFindings } from '../../vocabulary/findingColumns';
import { isMoreSevere, severityLevels } from '../../vocabulary/severity';
import { withRows } from './writeTable';

/** The most findings of a state: nothing is kept of a larger file. */
const maxFindings = 100_000;

/** The most states of a file: the newest ones. */
const maxStates = 20;

const [zip, unzip] = [promisify(gzip), promisify(gunzip)];

const severity = v.picklist(severityLevels);

/** What is kept of an open finding: what tells it apart, and what a person reads of it. */
const keptFinding = v.object({
  id: v.string(),
  detail: v.exactOptional(v.string()),
  severity: v.exactOptional(severity),
  rule: v.exactOptional(v.string()),
  title: v.exactOptional(v.string()),
  place: v.exactOptional(v.string()),
});

type KeptFinding = v.InferOutput<typeof keptFinding>;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const stateSchema = v.object({
  /** The file with its findings, in the same folder. */
  name: v.string(),
  /** When the user's file was written, in milliseconds since the epoch, and its size in bytes: what tells it apart. */
  at: v.number(),
  bytes: v.number(),
  open: count,
  severity: v.object({ critical: count, high: count, medium: count, low: count, info: count }),
  /** Compared with the state before. */
  changes: v.exactOptional(v.object({ new: count, gone: count })),
});

type State = v.InferOutput<typeof stateSchema>;

const indexSchema = v.object({ version: v.literal(1), states: v.array(stateSchema) });

interface FileStatesDeps {
  /** Contains nothing else. */
  readonly folder: string;
  readonly knownFindings: () => Promise<readonly KnownFinding[]>;
}

/** The findings of two states that count, and how they differ. */
interface Difference {
  readonly before: readonly KeptFinding[];
  readonly after: readonly KeptFinding[];
  readonly since: SincePrevious;
}

/**
 * What the findings files of users contained when they were opened before: which findings were open, not the file. A
 * scanner overwrites its file, so that nothing else is left to compare with. Findings are told apart as decisions about
 * them are, so that one that has moved by some lines is the same; equal ones are counted.
 */
export class FileStates {
  private readonly recording = new Map<string, Promise<void>>();

  constructor(private readonly deps: FileStatesDeps) {}

  /** Keeps what a file contains now, unless that is kept already. Never rejects: without it, less is told later. */
  record(file: string, table: Pick<TableHandle, 'call' | 'info'>): Promise<void> {
    const recording = (this.recording.get(file) ?? Promise.resolve())
      .then(() => this.recordOnce(file, table))
      .catch(() => undefined)
      .finally(() => {
        if (this.recording.get(file) === recording) {
          this.recording.delete(file);
        }
      });
    this.recording.set(file, recording);
    return recording;
  }

  /** How a file differs from its state before, without known findings; `undefined` if that is not known. */
  async findChanges(file: string): Promise<SincePrevious | undefined> {
    return (await this.compare(file))?.since;
  }

  /** The states of a file, the oldest first. */
  async readPoints(file: string): Promise<TrendPoint[]> {
    await this.recording.get(file);
    const states = await this.readIndex(file);
    return states.map(({ at, open, severity: severities, changes }) => ({
      at,
      open,
      severity: severities,
      ...changes,
    }));
  }

  /**
   * Writes the findings of a file now and before to files that can be compared by `finding`.
   * @returns their paths, and when the file was written; `undefined` if there is no state before.
   */
  async writeSides(
    file: string,
  ): Promise<
    | { readonly before: string; readonly after: string; readonly at: readonly [number, number] }
    | undefined
  > {
    const [difference, states] = await Promise.all([this.compare(file), this.readIndex(file)]);
    const [older, newer] = states.slice(-2);
    if (!difference || !older || !newer) {
      return undefined;
    }
    const folder = this.folderOf(file);
    const write = async (name: string, findings: readonly KeptFinding[]) => {
      const target = path.join(folder, name);
      const lines = findings.map(({ id, severity: level, rule, title, place }) =>
        JSON.stringify({ finding: shortId(id), severity: level, rule, title, place }),
      );
      await writeText(target, `${lines.join('\n')}\n`);
      return target;
    };
    const [before, after] = await Promise.all([
      write('before.ndjson', difference.before),
      write('after.ndjson', difference.after),
    ]);
    return { before, after, at: [older.at, newer.at] };
  }

  /** Forgets all states. @returns the paths that are left. */
  removeAll(): string[] {
    return pathsOf(removeAllPossible(this.deps.folder));
  }

  private async compare(file: string): Promise<Difference | undefined> {
    await this.recording.get(file);
    const [older, newer] = (await this.readIndex(file)).slice(-2);
    const { size, mtimeMs } = await fs.stat(file);
    // Nothing may be kept of what the file contains now: it has too many findings, or none that can be told apart.
    if (!older || newer?.at !== mtimeMs || newer.bytes !== size) {
      return undefined;
    }
    const known = isKnownBy(await this.deps.knownFindings());
    const [before, after] = await Promise.all(
      [older, newer].map(async ({ name }) =>
        (await this.readFindings(file, name)).filter((finding) => !known(finding)),
      ),
    );
    return before && after
      ? { before, after, since: { ...countChanges(before, after), at: older.at } }
      : undefined;
  }

  private async recordOnce(file: string, table: Pick<TableHandle, 'call' | 'info'>): Promise<void> {
    const { size: bytes, mtimeMs: at } = await fs.stat(file);
    const states = await this.readIndex(file);
    const latest = states.at(-1);
    if (latest?.at === at && latest.bytes === bytes) {
      return;
    }
    await table.call('checked', {});
    const findings = await readOpenFindings(table);
    // If the file is replaced meanwhile, the table still reads the former one; if it is overwritten, it says so.
    if (!findings) {
      return;
    }
    const known = isKnownBy(await this.deps.knownFindings());
    const counted = findings.filter((finding) => !known(finding));
    const before = latest && (await this.readFindings(file, latest.name).catch(() => undefined));
    const changes =
      before &&
      countChanges(
        before.filter((finding) => !known(finding)),
        counted,
      );
    // The same in all windows, which may keep it at the same time: what one writes, another one must not remove.
    const name = `${shortId(`${at} ${bytes}`)}.ndjson.gz`;
    await this.writeFindings(file, name, findings);
    const state: State = {
      name,
      at,
      bytes,
      open: counted.length,
      severity: countSeverities(counted),
      ...(changes && { changes: { new: changes.new, gone: changes.gone } }),
    };
    await this.writeIndex(file, [...states, state]);
  }

  private async readIndex(file: string): Promise<readonly State[]> {
    try {
      const text = await fs.readFile(path.join(this.folderOf(file), 'index.json'), 'utf8');
      const parsed = v.safeParse(indexSchema, JSON.parse(text));
      return parsed.success ? parsed.output.states : [];
    } catch {
      return [];
    }
  }

  private async writeIndex(file: string, states: readonly State[]): Promise<void> {
    const folder = this.folderOf(file);
    const kept = states.slice(-maxStates);
    await writeText(path.join(folder, 'index.json'), JSON.stringify({ version: 1, states: kept }));
    const names = new Set(kept.map(({ name }) => name));
    const old = (await fs.readdir(folder)).filter(
      (name) => name.endsWith('.gz') && !names.has(name),
    );
    await Promise.all(old.map((name) => fs.rm(path.join(folder, name), { force: true })));
  }

  private async readFindings(file: string, name: string): Promise<KeptFinding[]> {
    const bytes = await unzip(await fs.readFile(path.join(this.folderOf(file), name)));
    return bytes
      .toString('utf8')
      .split('\n')
      .flatMap((line) => {
        const parsed = v.safeParse(keptFinding, line === '' ? undefined : JSON.parse(line));
        return parsed.success ? [parsed.output] : [];
      });
  }

  private async writeFindings(
    file: string,
    name: string,
    findings: readonly KeptFinding[],
  ): Promise<void> {
    const lines = findings.map((finding) => JSON.stringify(finding)).join('\n');
    await onDisk(() => makeFolders(this.folderOf(file)));
    const target = { path: path.join(this.folderOf(file), name), replace: true };
    const packed = await zip(Buffer.from(lines));
    await writeWhole(localDisk, target, (put) => put(packed));
  }

  private folderOf(file: string): string {
    return path.join(this.deps.folder, shortId(path.resolve(file)));
  }
}

/** The open findings of a table, known ones too; `undefined` if rows are no findings, too many, or not told apart. */
async function readOpenFindings(
  table: Pick<TableHandle, 'call' | 'info'>,
): Promise<KeptFinding[] | undefined> {
  const { columns } = table.info;
  if (!areFindings(columns)) {
    return undefined;
  }
  const { closed } = await table.call('readOverview', { now: 0, scope: 'openOrKnown' });
  const query = { filter: { op: 'and', of: openFilters(closed) } } as const;
  return withRows(table, query, async ({ id: view, rows }) => {
    if (rows > maxFindings) {
      return undefined;
    }
    const found: KeptFinding[] = [];
    for (let from = 0; from < rows; from += maxIdentified) {
      const page = await table.call('identify', { view, from, count: maxIdentified });
      for (const { id, detail, severity: level, rule, title, place } of page) {
        found.push({
          id,
          ...(detail !== undefined && { detail }),
          ...(level !== undefined && { severity: level }),
          ...(rule !== undefined && { rule }),
          ...(title !== undefined && { title }),
          ...(place !== undefined && { place }),
        });
      }
    }
    return found.length < rows ? undefined : found;
  });
}

/** Whether a finding is known, as tables decide: not if it got worse, or the decision is over. */
function isKnownBy(known: readonly KnownFinding[]): (finding: KeptFinding) => boolean {
  const byId = groupById(known);
  return (finding) =>
    (byId.get(finding.id) ?? []).some(
      ({ detail, isShared, severity: decided, isOver }) =>
        isOver !== true &&
        (isShared !== true || detail === finding.detail) &&
        !isMoreSevere(finding.severity, decided),
    );
}

/** Of findings with the same id, as many are the same as both have. */
function countChanges(
  before: readonly KeptFinding[],
  after: readonly KeptFinding[],
): Pick<SincePrevious, 'new' | 'gone' | 'changed' | 'worstNew'> {
  const left = groupById(before);
  const added: KeptFinding[] = [];
  let changed = 0;
  for (const finding of after) {
    const same = left.get(finding.id)?.pop();
    if (!same) {
      added.push(finding);
    } else if (same.severity !== finding.severity) {
      changed += 1;
    }
  }
  const gone = [...left.values()].reduce((sum, { length }) => sum + length, 0);
  const worst = severityLevels.find((level) => added.some((each) => each.severity === level));
  return {
    new: added.length,
    gone,
    changed,
    ...(worst !== undefined && {
      worstNew: {
        severity: worst,
        count: added.filter((each) => each.severity === worst).length,
      },
    }),
  };
}

function groupById<T extends { readonly id: string }>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(item.id);
    if (group) {
      group.push(item);
    } else {
      groups.set(item.id, [item]);
    }
  }
  return groups;
}

function countSeverities(findings: readonly KeptFinding[]): State['severity'] {
  const counts: Record<TrendLevel, number> = { ...noSeverities };
  for (const { severity: level } of findings) {
    if (level !== undefined && level !== 'positive') {
      counts[level] += 1;
    }
  }
  return counts;
}

function shortId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

async function writeText(target: string, text: string): Promise<void> {
  await writeWhole(localDisk, { path: target, replace: true }, (put) => put(text));
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../../base/cancelledError';
import type { Logger } from '../../../base/logger';
import type { CallOptions } from '../../../base/rpc';
import { UserError } from '../../../base/userError';
import {
  TableError,
  changesSince,
  type ClosedCounts,
  type SincePrevious,
  type Comparison,
  type ComparisonAbout,
  type ComparisonRequest,
  type KnownFinding,
  noSameList,
  runComparison,
  uniteLists,
} from '../../../engine';
import { maxAutomaticBytes } from '../automaticComparison';
import type { LocalTable } from '../../table/localTable';
import type { LocalFiles } from '../../table/ui/localFiles';
import type { StoredFile, StoredFiles } from '../../table/ui/storedFile';
import type { ReportTables } from '../../table/ui/tables';
import { publicCode } from '../../table/ui/tableErrors';
import type {
  ComparedFiles,
  ComparisonFiles,
  ReadFile,
  SwappedComparison,
} from '../comparisonFiles';
import { localDisk, renameFile } from '../../../files/disk';
import { removeFolder } from '../../../files/files';
import { unpackedBytes } from '../../../files/packedSize';
import type { Recount } from '../../table/ui/fileSource';
import { localPath } from '../../../workbench/storedFiles';
import { type ComparedInput, createInput, createSide, swappedArgs } from './comparedInput';
import {
  comparisonHeading,
  comparisonWarnings,
  describeCompareError,
  keyWarnings,
  tabTitle,
} from './compareTexts';

/** The same for one that is open, when other findings are known: that happens often. */
const maxRecountedBytes = 256 * 1024 ** 2;

export interface ComparisonResult extends Comparison {
  readonly path: string;
  readonly warnings: readonly string[];
}

interface ComparerDeps {
  readonly bundles: vscode.Uri;
  readonly files: ComparisonFiles;
  readonly tables: () => Promise<Pick<ReportTables, 'files' | 'cacheFolder' | 'knownFindings'>>;
  readonly stored: Pick<StoredFiles, 'listWarnings'>;
  readonly log: Logger;
  /** See the constant of the same name, which is the default. */
  readonly maxRecountedBytes?: number;
}

export class Comparer {
  /** Comparisons of a file with the one before it, by the paths, sizes, times, encodings and lists of both files. */
  private readonly sincePrevious = new Map<string, Promise<SincePrevious>>();

  constructor(private readonly deps: ComparerDeps) {}

  /**
   * Compares two files, and writes the differences to a file.
   * @param list JSON: the name of the list to compare. Default: the one that is shown, or has findings.
   * @param leftOut the new and gone findings that the files lack, because they are known.
   * @param warnings more reasons to doubt the numbers.
   * @throws NoKeyError, UserError, CancelledError
   */
  async compare(
    before: ComparedInput,
    after: ComparedInput,
    {
      key,
      list,
      leftOut,
      warnings: more = [],
    }: Pick<SwappedComparison, 'key' | 'list'> & {
      readonly leftOut?: ClosedCounts | undefined;
      readonly warnings?: readonly string[];
    },
    options: CallOptions,
  ): Promise<ComparisonResult> {
    const { files, stored } = this.deps;
    return files.create(createFileName(before, after), async (target) => {
      // What is written later is seen later.
      const read = await this.readFiles(before.uri, after.uri);
      const known = await this.knownFindings();
      const comparison = await this.run(before, after, options, {
        target,
        list,
        known,
        ...(key !== undefined && { key }),
      });
      const warnings = [
        ...more,
        ...(key === undefined ? keyWarnings(comparison) : []),
        ...(before.stored && after.stored ? stored.listWarnings(before.stored, after.stored) : []),
        ...comparisonWarnings(comparison),
      ];
      const swapped = swappedArgs(before, after, { key, list });
      await files.saveAbout(target, {
        tabTitle: tabTitle(before, after),
        ...(swapped && { swapped }),
        inputs: {
          before: before.uri.toString(),
          after: after.uri.toString(),
          key,
          list,
          files: read,
          known: hashKnown(known),
        },
        about: {
          title: comparisonHeading(before, after),
          comparison: {
            ...comparison,
            before: createSide(before),
            after: createSide(after),
            ...(swapped && { canSwap: true }),
            ...(leftOut && { leftOut }),
            warnings,
          },
        },
      });
      return { ...comparison, path: target, warnings };
    });
  }

  /** Whether the counts of a comparison are those of other known findings. */
  async isOutdated({ known }: ComparedFiles): Promise<boolean> {
    return known !== hashKnown(await this.knownFindings());
  }

  /**
   * Compares the files of a comparison again, if other findings are known.
   * @returns what puts the result in the place of the file of differences, which nothing reads meanwhile; `undefined`
   * where its rows stay: also where the files are large, or no longer those that were compared. Never rejects.
   */
  async recount(file: string, signal: AbortSignal): Promise<Recount | undefined> {
    const { files, log } = this.deps;
    const stored = await files.about(file);
    const comparison = stored?.about.comparison;
    if (!stored?.inputs || !comparison || !(await this.isOutdated(stored.inputs))) {
      return undefined;
    }
    const { inputs } = stored;
    let folder: string | undefined;
    const discard = async () => {
      await (folder && removeFolder(folder).catch(() => undefined));
    };
    try {
      // Another window may do the same.
      folder = await fs.mkdtemp(path.join(path.dirname(file), 'again-'));
      const target = path.join(folder, path.basename(file));
      const again = await this.runAgain(comparison, inputs, target, signal);
      signal.throwIfAborted();
      if (!again) {
        await discard();
        return undefined;
      }
      const { before, after, canSwap, leftOut, warnings } = comparison;
      const sides = { before, after, ...(canSwap && { canSwap }), ...(leftOut && { leftOut }) };
      const save = () =>
        files.saveAbout(file, {
          ...stored,
          inputs: { ...inputs, known: again.known },
          about: { ...stored.about, comparison: { ...again.counts, ...sides, warnings } },
        });
      if (await areEqual(file, target)) {
        await save();
        await discard();
        return undefined;
      }
      const replace = async () => {
        try {
          await renameFile(localDisk, target, file);
          await save();
        } catch (error) {
          log.warn(`Could not replace a comparison: ${String(error)}`);
        } finally {
          await discard();
        }
      };
      return { replace, discard };
    } catch (error) {
      await discard();
      if (!signal.aborted) {
        log.warn(`Could not compare files again: ${String(error)}`);
      }
      return undefined;
    }
  }

  /**
   * Compares the files of a comparison as they were read; `undefined` if they are large, or not the same.
   * @throws as `run` does
   */
  private async runAgain(
    { before, after }: Pick<ComparisonAbout, 'before' | 'after'>,
    { files, key, list, ...inputs }: ComparedFiles,
    target: string,
    signal: AbortSignal,
  ): Promise<{ readonly counts: Comparison; readonly known: string } | undefined> {
    const { maxRecountedBytes: most = maxRecountedBytes } = this.deps;
    const [older, newer] = [vscode.Uri.parse(inputs.before), vscode.Uri.parse(inputs.after)];
    const now = await this.readFiles(older, newer);
    const [asBefore, asAfter] = files;
    const isLarge = countBytes([older, newer], now) > most;
    if (isLarge || !now.every((read, at) => isSame(read, files[at]))) {
      return undefined;
    }
    const known = await this.knownFindings();
    const counts = await this.run(
      { ...before, uri: older, as: asBefore },
      { ...after, uri: newer, as: asAfter },
      { signal },
      { target, list, known, ...(key !== undefined && { key }) },
    );
    return { counts, known: hashKnown(known) };
  }

  private async knownFindings(): Promise<readonly KnownFinding[]> {
    return (await this.deps.tables()).knownFindings();
  }

  /** How files are read, and what tells whether they are the same later. @throws an error of the file system */
  private async readFiles(...uris: readonly [vscode.Uri, vscode.Uri]) {
    const { choices } = (await this.deps.tables()).files;
    const readFile = async (uri: vscode.Uri): Promise<ReadFile> => {
      const file = localPath(uri);
      const { size, mtime } =
        file === undefined ? await vscode.workspace.fs.stat(uri) : await statFile(file);
      return { size, mtime, encoding: choices.findEncoding(uri), list: choices.of(uri).list };
    };
    return Promise.all([readFile(uris[0]), readFile(uris[1])]);
  }

  /**
   * How a stored file differs from an earlier one; `undefined` if the comparison is not possible, or would take too
   * long to run automatically. Never rejects.
   */
  async since(previous: StoredFile, latest: StoredFile): Promise<SincePrevious | undefined> {
    try {
      const tables = await this.deps.tables();
      const [older, newer] = [previous.uri, latest.uri];
      const read = await this.readFiles(older, newer);
      if (countBytes([older, newer], read) > maxAutomaticBytes) {
        return undefined;
      }
      const uris = [older, newer].map((uri) => uri.toString());
      const compared = JSON.stringify([uris, read, await tables.knownFindings()]);
      const key = createHash('sha256').update(compared).digest('base64');
      const known = this.sincePrevious.get(key) ?? this.count(previous, latest);
      this.sincePrevious.set(key, known);
      return await known.catch((error: unknown) => {
        this.sincePrevious.delete(key);
        throw error;
      });
    } catch (error) {
      this.deps.log.warn(`Could not compare a file with the one before it: ${String(error)}`);
      return undefined;
    }
  }

  private async count(previous: StoredFile, latest: StoredFile): Promise<SincePrevious> {
    return changesSince(
      await this.run(createInput(previous), createInput(latest)),
      previous.madeAt,
    );
  }

  private async run(
    before: ComparedInput,
    after: ComparedInput,
    options: CallOptions = {},
    { list, known, ...request }: Pick<ComparisonRequest, 'target' | 'key' | 'list' | 'known'> = {},
  ): Promise<Comparison> {
    const tables = await this.deps.tables();
    const signal = options.signal ?? new AbortController().signal;
    const older = await openInput(tables.files, before, signal);
    try {
      const newer = await openInput(tables.files, after, signal);
      try {
        const { cacheFolder } = tables;
        await fs.mkdir(cacheFolder, { recursive: true, mode: 0o700 });
        const script = vscode.Uri.joinPath(this.deps.bundles, 'engineWorker.js').fsPath;
        return await runComparison(
          script,
          {
            ...request,
            before: older.path,
            after: newer.path,
            encodings: { before: older.encoding, after: newer.encoding },
            list: list ?? shownList(older, newer),
            known: known ?? (await tables.knownFindings()),
            cacheFolder,
          },
          options,
        );
      } finally {
        await newer.release();
      }
    } catch (error) {
      if (!(error instanceof TableError)) {
        throw error;
      }
      if (error.code === 'cancelled') {
        throw new CancelledError();
      }
      throw new UserError(describeCompareError(error, before, after), publicCode(error.code), {
        cause: error,
      });
    } finally {
      await older.release();
    }
  }
}

async function openInput(
  files: Pick<LocalFiles, 'open'>,
  { uri, as }: ComparedInput,
  signal: AbortSignal,
): Promise<LocalTable> {
  const table = await files.open(uri, signal);
  return as ? { ...table, encoding: as.encoding, list: as.list } : table;
}

function isSame({ size, mtime }: ReadFile, before: ReadFile | undefined): boolean {
  return size === before?.size && mtime === before.mtime;
}

/** About how many bytes files have together when they are unpacked. */
function countBytes(uris: readonly vscode.Uri[], files: readonly ReadFile[]): number {
  return files.reduce((sum, { size }, at) => sum + unpackedBytes(uris[at]?.path ?? '', size), 0);
}

/** What tells whether other findings are known; not in which words. */
function hashKnown(known: readonly KnownFinding[]): string {
  const parts = known
    .map(({ id, detail, isShared, severity, isOver }) =>
      JSON.stringify([id, detail, isShared, severity, isOver]),
    )
    .sort();
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

/** Whether two files have the same bytes. @throws an error of the file system */
async function areEqual(...files: readonly [string, string]): Promise<boolean> {
  const [{ size }, { size: other }] = await Promise.all([fs.stat(files[0]), fs.stat(files[1])]);
  if (size !== other) {
    return false;
  }
  const [one, another] = await Promise.all(files.map(hashFile));
  return one === another;
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk as Uint8Array);
  }
  return hash.digest('hex');
}

/** The lists that were chosen for the table of either file. @throws TableError if these have none in common */
function shownList(older: LocalTable, newer: LocalTable): string | undefined {
  if (older.list === undefined || newer.list === undefined) {
    return newer.list ?? older.list;
  }
  const both = uniteLists(older.list, newer.list);
  if (both === undefined) {
    throw noSameList(older.list, newer.list);
  }
  return both;
}

function createFileName(before: ComparedInput, after: ComparedInput): string {
  const name = ({ title, madeAt: at }: ComparedInput) =>
    at === undefined
      ? path
          .parse(title)
          .name.replace(/[^\w.-]+/g, '-')
          .slice(0, 60)
      : new Date(at).toISOString().slice(0, 10);
  return `comparison-${name(before)}-to-${name(after)}.ndjson`;
}

/** @throws an error of the file system */
async function statFile(file: string): Promise<{ size: number; mtime: number }> {
  const { size, mtimeMs: mtime } = await fs.stat(file);
  return { size, mtime };
}

import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../../base/cancelledError';
import type { Logger } from '../../../base/logger';
import type { CallOptions } from '../../../base/rpc';
import { UserError } from '../../../base/userError';
import {
  TableError,
  type SincePrevious,
  type Comparison,
  type ComparisonRequest,
  noSameList,
  runComparison,
  uniteLists,
} from '../../../engine';
import type { LocalTable } from '../../table/localTable';
import type { StoredFile, StoredFiles } from '../../table/ui/storedFile';
import type { ReportTables } from '../../table/ui/tables';
import { publicCode } from '../../table/ui/tableErrors';
import { localPath } from '../../../workbench/storedFiles';
import type { ComparisonFiles, SwappedComparison } from '../comparisonFiles';
import { type ComparedInput, createInput, createSide, swappedArgs } from './comparedInput';
import {
  comparisonHeading,
  comparisonWarnings,
  describeCompareError,
  keyWarnings,
  tabTitle,
} from './compareTexts';

/**
 * The maximum size of both files together, in bytes, for an automatic comparison. Larger ones are compared
 * only on request.
 */
const maxAutomaticBytes = 1024 ** 3;

/** The same for one that is open, when other findings are known: that happens often. */
const maxRecountedBytes = 256 * 1024 ** 2;

export interface ComparisonResult extends Comparison {
  readonly path: string;
  readonly warnings: readonly string[];
}

interface ComparerDeps {
  readonly bundles: vscode.Uri;
  readonly files: ComparisonFiles;
  readonly tables: () => Promise<ReportTables>;
  readonly stored: Pick<StoredFiles, 'listWarnings'>;
  readonly log: Logger;
}

export class Comparer {
  /** Comparisons of a file with the one before it, by the paths, sizes, times, encodings and lists of both files. */
  private readonly sincePrevious = new Map<string, Promise<SincePrevious>>();

  constructor(private readonly deps: ComparerDeps) {}

  /**
   * Compares two files, and writes the differences to a file.
   * @param list JSON: the name of the list to compare. Default: the one that is shown, or has findings.
   * @throws NoKeyError, UserError, CancelledError
   */
  async compare(
    before: ComparedInput,
    after: ComparedInput,
    { key, list }: Pick<SwappedComparison, 'key' | 'list'>,
    options: CallOptions,
  ): Promise<ComparisonResult> {
    const { files, stored } = this.deps;
    return files.create(createFileName(before, after), async (target) => {
      const comparison = await this.run(before, after, options, {
        target,
        list,
        ...(key !== undefined && { key }),
      });
      const warnings = [
        ...(key === undefined ? keyWarnings(comparison) : []),
        ...(before.stored && after.stored ? stored.listWarnings(before.stored, after.stored) : []),
        ...comparisonWarnings(comparison),
      ];
      const swapped = swappedArgs(before, after, { key, list });
      await files.saveAbout(target, {
        tabTitle: tabTitle(before, after),
        ...(swapped && { swapped }),
        inputs: { before: before.uri.toString(), after: after.uri.toString(), key, list },
        about: {
          title: comparisonHeading(before, after),
          comparison: {
            ...comparison,
            before: createSide(before),
            after: createSide(after),
            ...(swapped && { canSwap: true }),
            warnings,
          },
        },
      });
      return { ...comparison, path: target, warnings };
    });
  }

  /**
   * Compares the files of a comparison again, because other findings are known.
   * @returns what puts the result in the place of the file of differences, which nothing reads meanwhile; `undefined`
   * if the files are large, or no longer there. Never rejects.
   */
  async recount(file: string, signal: AbortSignal): Promise<(() => Promise<void>) | undefined> {
    const { files, log } = this.deps;
    const stored = await files.about(file);
    const { inputs, about } = stored ?? {};
    if (!stored || !inputs || !about?.comparison) {
      return undefined;
    }
    const { before, after, canSwap, warnings } = about.comparison;
    const [older, newer] = [vscode.Uri.parse(inputs.before), vscode.Uri.parse(inputs.after)];
    const target = path.join(path.dirname(file), 'again.ndjson');
    try {
      const stats = await Promise.all([older, newer].map((uri) => vscode.workspace.fs.stat(uri)));
      if (stats.reduce((sum, { size }) => sum + size, 0) > maxRecountedBytes) {
        return undefined;
      }
      await fs.rm(target, { force: true });
      const { key, list } = inputs;
      const counts = await this.run(
        { ...before, uri: older },
        { ...after, uri: newer },
        { signal },
        { target, list, ...(key !== undefined && { key }) },
      );
      const sides = { before, after, warnings, ...(canSwap && { canSwap }) };
      return async () => {
        await fs.rename(target, file);
        await files.saveAbout(file, {
          ...stored,
          about: { ...about, comparison: { ...counts, ...sides } },
        });
      };
    } catch (error) {
      log.warn(`Could not compare files again: ${String(error)}`);
      return undefined;
    }
  }

  /**
   * How a stored file differs from an earlier one; `undefined` if the comparison is not possible, or would take too
   * long to run automatically. Never rejects.
   */
  async since(previous: StoredFile, latest: StoredFile): Promise<SincePrevious | undefined> {
    try {
      const tables = await this.deps.tables();
      const { choices } = tables.files;
      const states = await Promise.all(
        [previous, latest].map(async ({ uri }) => {
          const file = localPath(uri) ?? '';
          const { size, mtimeMs } = await fs.stat(file);
          const encoding = choices.findEncoding(uri);
          return { file, size, mtimeMs, encoding, list: choices.of(uri).list };
        }),
      );
      if (states.reduce((sum, { size }) => sum + size, 0) > maxAutomaticBytes) {
        return undefined;
      }
      const key = JSON.stringify([states, await tables.knownFindings()]);
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
    const counts = await this.run(createInput(previous), createInput(latest));
    return {
      new: counts.new,
      gone: counts.gone,
      changed: counts.changed,
      ...(counts.closed && { closed: counts.closed }),
      ...(counts.nowClosed !== undefined && { nowClosed: counts.nowClosed }),
      ...(counts.reopened !== undefined && { reopened: counts.reopened }),
      at: previous.madeAt,
    };
  }

  private async run(
    before: ComparedInput,
    after: ComparedInput,
    options: CallOptions = {},
    { list, ...request }: Pick<ComparisonRequest, 'target' | 'key' | 'list'> = {},
  ): Promise<Comparison> {
    const tables = await this.deps.tables();
    const signal = options.signal ?? new AbortController().signal;
    const older = await tables.files.open(before.uri, signal);
    try {
      const newer = await tables.files.open(after.uri, signal);
      try {
        const { cacheFolder } = tables;
        await fs.mkdir(cacheFolder, { recursive: true, mode: 0o700 });
        const script = vscode.Uri.joinPath(this.deps.bundles, 'compareWorker.js').fsPath;
        return await runComparison(
          script,
          {
            ...request,
            before: older.path,
            after: newer.path,
            encodings: { before: older.encoding, after: newer.encoding },
            list: list ?? shownList(older, newer),
            known: await tables.knownFindings(),
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

import { allFindings } from '../../api/paging/allFindings';
import { toFileError } from '../../files/fileError';
import { type Disk, localDisk } from '../../files/disk';
import { defined } from '../../base/defined';
import { CancelledError } from '../../base/cancelledError';
import type { Api } from '../../api/client';
import { largestPage, type Wait } from '../../api/types';
import { type Clock, systemClock } from '../../base/events/clock';
import type { FileLock } from '../../files/fileLock';
import type { JsonObject } from '../../base/json/json';
import { localProcesses, type Processes } from '../../files/processes';
import { hasSecrets, maskSecrets } from '../../vocabulary/secretFields';
import { message } from '../../base/message';
import { StoppedError } from '../../workbench/stoppedError';
import { ExportRunningError, TooManyColumnsError } from './exportErrors';
import { exportLockFolder, lockExport } from './exportLock';
import type { SecretMode } from '../../base/exportFormats';
import { type ExportQuery, Spool } from './spool';
import { formatWriter, putFindings } from './exportFormat';
import {
  resolveTarget,
  type ExportTarget,
  writeAtomically,
  writeWhole,
} from '../../files/wholeFile';

/**
 * The maximum age of the first page of an export that is resumed, in milliseconds. If a list changes without a
 * change of its total, only this limit helps.
 */
const maxPartAgeMs = 24 * 60 * 60 * 1000;

export interface ExportProgress {
  /** The number of findings fetched, or of rows written, so far. */
  readonly count: number;
  readonly total: number | undefined;
}

export interface ExportResult {
  readonly count: number;
  /** The number of findings from an earlier export, and when that began (wall clock, milliseconds). */
  readonly resumed?: { readonly count: number; readonly startedAt: number };
  /**
   * The pages of an earlier export were discarded: it began too long ago, or the length of the list has
   * changed.
   */
  readonly restarted?: true;
  /** The service counted another total with the last page than with the first. */
  readonly changed?: true;
  readonly hasMasked: boolean;
}

/** Finds what each finding gets before its own fields. @param fields the names of the fields of all findings */
export type MembersFor = (fields: ReadonlySet<string>) => JsonObject;

export interface ExportJob {
  readonly api: Pick<Api, 'findingsPage'>;
  readonly query: ExportQuery;
  /** Findings per page. Default: the largest page of the service. */
  readonly pageSize?: number;
  readonly target: ExportTarget;
  /** What each finding gets before its own fields, by the names of the fields of all. */
  readonly membersFor?: MembersFor;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ExportProgress) => void;
  readonly onWait?: (wait: Wait | undefined) => void;
}

export interface ExporterDeps {
  /** Default: the file system of this machine. */
  readonly disk?: Disk;
  readonly clock?: Clock;
  readonly processes?: Processes;
}

/** Writes findings to files, all or nothing and in constant memory. */
export class Exporter {
  private readonly deps: Required<ExporterDeps>;

  constructor(deps: ExporterDeps = {}) {
    this.deps = {
      disk: localDisk,
      clock: systemClock,
      processes: localProcesses,
      ...deps,
    };
  }

  /**
   * Exports a whole list in the order in which it is served. An entry that is served twice is written twice.
   * Pages are collected in `<path>.part`, and one pass writes the file from there. An export that ends early
   * leaves its pages, and the next export to the same path continues after them. It starts over if they are
   * older than a day, or if the length of the list has changed.
   *
   * @throws PartMismatchError if `<path>.part` is something else; ExportRunningError; TooManyColumnsError;
   * CancelledError; StoppedError with the cause once there is something to resume, or else the cause
   * itself (ApiError, FileError).
   */
  async exportAll(job: ExportJob): Promise<ExportResult> {
    const target = await resolveTarget(this.deps.disk, job.target);
    const lock = await lockExport(target.path, this.deps);
    try {
      // Check again: the export of another window may have ended in between.
      return await this.exportThroughSpool(
        { ...job, target: await resolveTarget(this.deps.disk, target) },
        lock,
      );
    } finally {
      lock.tryRelease();
    }
  }

  private async exportThroughSpool(job: ExportJob, lock: FileLock): Promise<ExportResult> {
    const { disk, clock } = this.deps;
    const startedAt = Math.floor(clock.now());
    const spool = await Spool.open(disk, `${job.target.path}.part`, job.query, startedAt, lock);
    const { path } = job.target;
    const stopped = (error: unknown) =>
      new StoppedError(message('Export to {0} again to resume.', path), error);
    let result: ExportResult;
    try {
      result = await this.fillAndWrite(spool, job, lock);
    } catch (error) {
      if (!lock.isOwned()) {
        await spool.close();
        // While this machine was asleep, an export of another one may have taken over.
        throw lock.isOwnedElsewhere()
          ? new ExportRunningError(path, exportLockFolder(path))
          : stopped(toFileError('ENOENT'));
      }
      if (spool.nextOffset === 0) {
        await spool.remove();
        throw error;
      }
      await spool.close();
      if (job.signal?.aborted) {
        throw new CancelledError();
      }
      const isFinal = error instanceof CancelledError || error instanceof TooManyColumnsError;
      throw isFinal ? error : stopped(error);
    }
    // The file is complete, even if the part cannot be removed.
    await spool.remove().catch(() => undefined);
    return result;
  }

  /** Exports entries that are in memory. @throws FileError, TooManyColumnsError. */
  async exportEntries(
    entries: readonly JsonObject[],
    secretValues: SecretMode,
    target: ExportTarget,
    membersFor?: MembersFor,
  ): Promise<ExportResult> {
    const isMasked = secretValues === 'masked';
    const batches = function* () {
      for (let start = 0; start < entries.length; start += largestPage) {
        const batch = entries.slice(start, start + largestPage);
        yield isMasked ? batch.map(maskSecrets) : batch;
      }
    };
    const columns = new Set(entries.flatMap((entry) => Object.keys(entry)));
    const writer = formatWriter(target.format, columns, membersFor?.(columns));
    const count = await writeWhole(this.deps.disk, target, (put) =>
      putFindings(put, writer, batches()),
    );
    return { count, hasMasked: isMasked && entries.some((entry) => hasSecrets(entry)) };
  }

  private async fillAndWrite(spool: Spool, job: ExportJob, lock: FileLock): Promise<ExportResult> {
    const { signal, target } = job;
    let resumed = spool.count;
    const isRestarted = await fill(spool, job, this.deps.clock, () => {
      resumed = Math.min(resumed, spool.count);
      job.onProgress?.({ count: spool.count, total: spool.lastTotal });
    });
    const writer = formatWriter(target.format, spool.columns, job.membersFor?.(spool.columns));
    const count = await writeAtomically(
      this.deps.disk,
      // An export that has lost its lock has lost the draft, too, so it cannot give it the name of the target.
      lock.draft(),
      target,
      (put) => putFindings(put, writer, spool.batches()),
      signal,
    );
    return {
      count,
      hasMasked: spool.hasMasked,
      ...(resumed > 0 ? { resumed: { count: resumed, startedAt: spool.startedAt } } : {}),
      ...(isRestarted ? { restarted: true } : {}),
      ...(spool.firstTotal === spool.lastTotal ? {} : { changed: true }),
    };
  }
}

/**
 * Fetches the pages that a spool lacks.
 * @param onChange called for each page, and when the pages of an earlier export are discarded.
 * @returns whether the pages of an earlier export were discarded.
 */
async function fill(
  spool: Spool,
  job: ExportJob,
  clock: Clock,
  onChange: () => void,
): Promise<boolean> {
  const { scorecardId, issueType, body } = job.query;
  const { signal, onWait, pageSize: limit = largestPage } = job;
  const options = defined({ signal, onWait });
  const list = { scorecardId, issueType, body };
  let isFirstNewPage = spool.nextOffset > 0;
  let isRestarted = false;
  const startOver = async () => {
    isFirstNewPage = false;
    isRestarted = true;
    await spool.restart(Math.floor(clock.now()));
    onChange();
  };
  onChange();
  if (isFirstNewPage && clock.now() - spool.startedAt > maxPartAgeMs) {
    await startOver();
  } else if (spool.isComplete) {
    // No page remains whose response would show whether the list is still the same.
    const probe = { ...list, offset: 0, limit: 1 };
    const page = await job.api.findingsPage(probe, { priority: 'bulk', ...options });
    if (spool.lastTotal !== page.totalCount) {
      await startOver();
    }
  }
  while (!spool.isComplete) {
    const query = { ...list, offset: spool.nextOffset, limit };
    for await (const page of allFindings(job.api, query, options)) {
      if (isFirstNewPage && spool.lastTotal !== page.totalCount) {
        await startOver();
        break;
      }
      isFirstNewPage = false;
      await spool.append(page);
      onChange();
    }
  }
  return isRestarted;
}

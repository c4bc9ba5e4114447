import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { diskError } from '../api/download/disk';
import {
  DownloadError,
  NetworkError,
  ReportFailedError,
  ServerError,
  TimeoutError,
} from '../api/http/errors';
import type { SignedIn } from '../account/session';
import type { ReportFile } from '../api/download/download';
import type { ReportResponse } from '../api/download/reportResponse';
import { type Clock, delay } from '../base/events/clock';
import type { FileLock } from '../base/fileLock';
import { isDiskError, isErrno, makeFolders } from '../base/files';
import type { JsonObject } from '../base/json/json';
import { message } from '../base/message';
import { GenerationTimeoutError, LatePollError, UndecidedRequestError } from './reportErrors';
import type { ReportActivity } from './reportActivity';
import { keptPart, partFor, partsOf, removeParts, adoptPart, unusedPath } from './reportParts';
import { isOnOtherHost, type StoredReport } from './reportRecord';
import type { ReportStore } from './reportStore';

/** The settings that a run uses. */
export interface ReportSettings {
  /** The folder of the file; if it is empty, each report's file is in its own folder. */
  folder: string;
  /**
   * How long to wait for the generation, in milliseconds, from the first poll of a run. After a download that
   * broke off it is counted anew: the service may generate the report again.
   */
  generationTimeoutMs: number;
}

/** Changes to a record; `undefined` removes a property. */
export type Changes = { [K in keyof StoredReport]?: StoredReport[K] | undefined };

/** The job of a run; see ReportJob. */
export interface RunJob {
  readonly report: StoredReport;
  readonly lock: Pick<FileLock, 'require'>;
  readonly deps: {
    readonly clock: Clock;
    readonly settings: () => ReportSettings;
    readonly store: Pick<ReportStore, 'list' | 'find' | 'fileFolderOf'>;
  };
  save(changes: Changes): void;
  stop(reason: unknown): void;
  setActivity(activity: ReportActivity): void;
}

type FinishedDownload = Required<Pick<StoredReport, 'path' | 'bytes'>>;

const firstPollMs = 1_000;
const longestPollMs = 60_000;
const pollGrowth = 1.5;
/** Pause before an answer is written again after the disk was full, in milliseconds. */
const saveRetryMs = 2_000;
/** How many times in a row a download may fail, or its link be refused, before the report fails. */
const maxDownloadAttempts = 5;
/**
 * A failed attempt starts the count again if it got a hundredth of the file further, or this many bytes. Fewer
 * are no progress: how many bytes of a broken connection arrive is partly chance.
 */
const progressBytes = 1024 * 1024;

/**
 * One run of a report, from the state of its record to its file. Each state is written before the step
 * that it names begins, so that a run can resume where another one ended.
 */
export class ReportRun {
  /** @param signal ends the run when the job is cancelled or its client is gone. */
  constructor(
    private readonly job: RunJob,
    private readonly signedIn: SignedIn,
    private readonly signal: AbortSignal,
  ) {}

  private get report(): StoredReport {
    return this.job.report;
  }

  /**
   * Call it once. When it resolves, the record is in state `ready`.
   * @throws ApiError when it failed; the reason of the signal when it was aborted. The record is then
   * as the last step left it; the job writes the outcome.
   */
  async run(): Promise<void> {
    const { downloadPath, run } = this.report;
    if (downloadPath !== undefined) {
      await adoptPart(downloadPath, run).catch((error: unknown) => {
        throw toDownloadError(error, path.dirname(downloadPath));
      });
    }
    const finished = await this.finishedDownload();
    if (finished !== undefined) {
      this.ready(finished);
      return;
    }
    const answer = this.report.reportUrl === undefined ? await this.request() : undefined;
    let file =
      answer?.type === 'file' ? answer.file : await this.pollUntilReady(answer !== undefined);
    // The offset that counts as reached. A body that breaks off at the same place gets no further, however
    // much of it is downloaded again.
    let furthest = (await keptPart(this.report))?.offset ?? 0;
    for (let attempt = 1; ; attempt += 1) {
      try {
        // If the record cannot be written, the error is thrown unchanged: the run that resumes the
        // report finds the file.
        this.ready(await this.download(file));
        return;
      } catch (error) {
        if (!this.isTransient(error) || this.report.reportUrl === undefined) {
          throw error;
        }
        const { offset, total } = (await keptPart(this.report)) ?? { offset: 0 };
        if (offset > furthest && offset - furthest >= progressOf(total ?? offset)) {
          attempt = 0;
          furthest = offset;
        } else if (attempt >= maxDownloadAttempts) {
          throw error;
        }
        await this.pause(firstPollMs * 2 ** attempt, 'downloading', error);
        file = await this.pollUntilReady(false);
      }
    }
  }

  private async request(): Promise<ReportResponse> {
    if (this.report.unsent !== true) {
      throw new UndecidedRequestError();
    }
    const { job, signal } = this;
    const { kind, body } = this.report;
    job.setActivity({ stage: 'requesting' });
    signal.throwIfAborted();
    // From here on, the service may have accepted the request, even if this process ends. A window
    // that takes over either reads this, or has already made this write fail, so no request is
    // sent.
    job.save({ unsent: false });
    const answer = await this.signedIn.api.requestReport(kind, body as JsonObject | undefined, {
      signal,
      priority: 'bulk',
      onWait: (wait) => {
        // A request that waits for the limit was not accepted and may be sent again after a restart.
        try {
          job.save({ unsent: wait !== undefined });
        } catch (error) {
          // Nothing is sent.
          job.stop(error);
        }
        job.setActivity({ stage: 'requesting', ...(wait ? { wait } : {}) });
      },
    });
    if (answer.type === 'record') {
      await this.saveAnswer({
        state: 'generating',
        unsent: undefined,
        reportUrl: this.storedUrl(answer.reportUrl),
        serviceStatus: answer.status,
      });
    }
    // If the answer is the report itself, the record stays marked as sent until the file is
    // complete.
    return answer;
  }

  /** Writes the response. Its only copy is in memory, so the write is repeated while the disk is full. */
  private async saveAnswer(changes: Changes): Promise<void> {
    for (;;) {
      try {
        this.job.save(changes);
        return;
      } catch (error) {
        if (!isDiskError(error) || isErrno(error, 'ENOENT')) {
          throw error;
        }
        await this.pause(saveRetryMs, 'generating', diskError(error.code));
      }
    }
  }

  /** Polls until the report is ready. @param waitFirst whether it was requested just now */
  private async pollUntilReady(waitFirst: boolean): Promise<ReportFile> {
    const { job, signal } = this;
    const { clock, settings } = job.deps;
    const { generationTimeoutMs } = settings();
    const stage = this.report.state === 'downloading' ? 'downloading' : 'generating';
    const deadline = clock.monotonic() + generationTimeoutMs;
    /** Links that were refused, and answers that broke off, in a row. */
    let failures = 0;
    job.setActivity({ stage });
    if (waitFirst) {
      await delay(firstPollMs, clock, signal);
    }
    for (let interval = firstPollMs; ; interval = Math.min(interval * pollGrowth, longestPollMs)) {
      let lastError: Error | undefined;
      let retryAfterMs = 0;
      job.lock.require();
      try {
        const answer = await this.signedIn.api.fetchReport(this.report.reportUrl ?? '', {
          signal,
          priority: 'bulk',
          resume: await keptPart(this.report),
          onWait: (wait) => {
            job.setActivity({ stage, ...(wait ? { wait } : {}) });
          },
        });
        if (answer.type === 'file') {
          return answer.file;
        }
        failures = 0;
        this.updateStatus(answer.status, answer.reportUrl);
        retryAfterMs = answer.type === 'pending' ? (answer.retryAfterMs ?? 0) : 0;
      } catch (error) {
        if (!(error instanceof Error) || !this.isTransient(error)) {
          throw error;
        }
        if (error instanceof DownloadError && ++failures >= maxDownloadAttempts) {
          throw error;
        }
        lastError = error;
      }
      const left = deadline - clock.monotonic();
      if (left <= 0) {
        throw lastError ?? new GenerationTimeoutError(generationTimeoutMs);
      }
      if (retryAfterMs > left) {
        throw new LatePollError(clock.now() + retryAfterMs);
      }
      // The last poll is at the deadline, not after it.
      await this.pause(Math.min(Math.max(interval, retryAfterMs), left), stage, lastError);
    }
  }

  private async download(file: ReportFile): Promise<FinishedDownload> {
    const { job, signal, folder } = this;
    const { clock } = job.deps;
    const startedAt = clock.monotonic();
    try {
      job.save({ state: 'downloading' });
      await makeFolders(folder);
      const { resumedAt } = file;
      const downloadPath = await this.preparePath(file);
      job.setActivity({
        stage: 'downloading',
        progress: { received: resumedAt, total: file.total },
      });
      const bytes = await file.saveTo(downloadPath, {
        part: partFor(downloadPath, this.report.run),
        beforeMove: () => {
          job.lock.require();
        },
        // Without an address, the download cannot be resumed.
        keepPart: this.report.reportUrl !== undefined,
        signal,
        onProgress: (progress) => {
          const seconds = (clock.monotonic() - startedAt) / 1_000;
          job.setActivity({
            stage: 'downloading',
            progress,
            ...(seconds >= 1 ? { bytesPerSecond: (progress.received - resumedAt) / seconds } : {}),
          });
        },
      });
      return { path: downloadPath, bytes };
    } catch (error) {
      file.discard();
      await this.cleanUpFailedAttempt();
      throw toDownloadError(error, folder);
    }
  }

  /**
   * Returns the path of a download that resumes the part of an earlier attempt or starts over. To
   * start over, it removes the old part first, then records the version of the new one; the first byte is
   * written after that. So a killed process never leaves bytes of one version that are recorded as
   * another.
   */
  private async preparePath(file: ReportFile): Promise<string> {
    const { downloadPath, reportUrl } = this.report;
    if (downloadPath !== undefined && file.resumedAt > 0) {
      return downloadPath;
    }
    if (downloadPath !== undefined) {
      // The part of an earlier attempt.
      await removeParts(downloadPath);
    }
    // Nothing is awaited from here to the save, so that no other download uses the path.
    const others = this.job.deps.store.list().filter(({ id }) => id !== this.report.id);
    const newPath = unusedPath(this.folder, file.fileName, others);
    this.job.save({
      downloadPath: newPath,
      partVersion: reportUrl === undefined ? undefined : file.version,
    });
    return newPath;
  }

  /**
   * Call it after a failed attempt. If no part is left, the path is removed from the record: a file
   * that appears there later is not ours.
   */
  private async cleanUpFailedAttempt(): Promise<void> {
    const { downloadPath } = this.report;
    if (downloadPath === undefined) {
      return;
    }
    const { id, run } = this.report;
    if ((this.job.deps.store.find(id)?.run ?? Infinity) > run) {
      // This window was asleep, and may have opened its part after another window took over. That
      // window uses its own part.
      await fs.rm(partFor(downloadPath, run), { force: true });
    } else if ((await partsOf(downloadPath)).length === 0) {
      this.job.save({ downloadPath: undefined, partVersion: undefined });
    }
  }

  /** The file, if an earlier run moved it into place and ended before it wrote the record. */
  private async finishedDownload(): Promise<FinishedDownload | undefined> {
    const { state, downloadPath, partVersion } = this.report;
    if (state !== 'downloading' || downloadPath === undefined) {
      return undefined;
    }
    const file = await fs.stat(downloadPath).catch(() => undefined);
    const parts = await Promise.all((await partsOf(downloadPath)).map((part) => fs.stat(part)));
    if (
      !file ||
      parts.some((part) => part.ino !== file.ino) ||
      (partVersion?.total ?? file.size) !== file.size
    ) {
      // A file next to an unfinished download, or of another size, is not ours. Any other file is
      // ours: no other report uses a path that a record names, and cleanUpFailedAttempt clears the
      // path if no part is left.
      return undefined;
    }
    await removeParts(downloadPath);
    return { path: downloadPath, bytes: file.size };
  }

  private ready(file: FinishedDownload): void {
    this.job.save({
      state: 'ready',
      unsent: undefined,
      finishedAt: new Date(this.job.deps.clock.now()).toISOString(),
      downloadPath: undefined,
      partVersion: undefined,
      ...file,
    });
  }

  private updateStatus(status: string | undefined, reportUrl: string | undefined): void {
    const serviceStatus = status ?? this.report.serviceStatus;
    const url = reportUrl === undefined ? this.report.reportUrl : this.storedUrl(reportUrl);
    if (serviceStatus !== this.report.serviceStatus || url !== this.report.reportUrl) {
      this.job.save({ serviceStatus, reportUrl: url });
    }
  }

  /** Whether a failure may be temporary, so that another attempt makes sense. */
  private isTransient(error: unknown): boolean {
    return (
      error instanceof NetworkError ||
      error instanceof TimeoutError ||
      (error instanceof ServerError && !(error instanceof ReportFailedError)) ||
      (error instanceof DownloadError &&
        // Another file may have the name: the next attempt uses another one.
        ['truncated', 'partChanged', 'exists'].includes(error.reason)) ||
      // The service gives a new link on the next request; another host cannot.
      (isRefusedLink(error) && !isOnOtherHost(this.report))
    );
  }

  /** The demo listens on another port after a reload, so its addresses are stored without their origin. */
  private storedUrl(reportUrl: string): string {
    const { isDemo, origin } = this.signedIn.account;
    return isDemo && reportUrl.startsWith(`${origin}/`)
      ? reportUrl.slice(origin.length)
      : reportUrl;
  }

  private async pause(
    ms: number,
    stage: ReportActivity['stage'],
    lastError: unknown,
  ): Promise<void> {
    const { clock } = this.job.deps;
    this.job.setActivity(
      lastError === undefined ? { stage } : { stage, lastError, nextAttemptAt: clock.now() + ms },
    );
    await delay(ms, clock, this.signal);
  }

  /** The folder of the file; created if missing. */
  private get folder(): string {
    const { settings, store } = this.job.deps;
    return settings().folder || store.fileFolderOf(this.report.id);
  }
}

/** @returns a number of bytes. */
function progressOf(bytes: number): number {
  return Math.min(progressBytes, bytes / 100);
}

function isRefusedLink(error: unknown): boolean {
  return error instanceof DownloadError && error.reason === 'expiredLink';
}

/** Converts a file system error that occurs before the file is complete to a DownloadError. */
function toDownloadError(error: unknown, folder: string): unknown {
  return error instanceof Error && 'syscall' in error
    ? new DownloadError(
        'notWritable',
        message('The folder {0} cannot be used: {1}', folder, error.message),
      )
    : error;
}

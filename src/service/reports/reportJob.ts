import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { SignedIn } from '../account/session';
import { describeDiskError } from '../../files/disk';
import { FileError } from '../../files/fileError';
import { ApiError, DownloadError, ReportFailedError } from '../../api/http/errors';
import type { ReportFile } from '../../api/download/download';
import type { ReportResponse } from '../../api/download/reportResponse';
import type { Resume } from '../../api/types';
import { defined } from '../../base/defined';
import { type Clock, delay } from '../../base/events/clock';
import { type FileLock, LockLostError } from '../../files/fileLock';
import { isFileSystemError, isErrno, makeFolders, removeFile } from '../../files/files';
import { isInUse } from '../../files/inUse';
import type { JsonObject } from '../../base/json/json';
import type { Logger } from '../../base/logger';
import { message } from '../../base/message';
import { describeForLog } from '../../workbench/describeForLog';
import { SignedOutError } from '../account/signedOutError';
import type { ReportActivity } from './reportActivity';
import {
  GenerationTimeoutError,
  isLinkRefused,
  isRequestRefused,
  isTransient,
  LatePollError,
  requiresNewRequest,
  UndecidedRequestError,
} from './reportErrors';
import { adoptPart, keptPart, partFor, findParts, removeParts, unusedPath } from './reportParts';
import type { ReportFailure, StoredReport } from './storedReport';
import type { ReportStore } from './reportStore';

/** The settings that a job uses. */
export interface ReportSettings {
  /** The folder of the file; if it is empty, each report's file is in its own folder. */
  folder: string;
  /**
   * How long to wait for the generation, in milliseconds, from the first poll of a job. After a download that
   * broke off it is counted anew: the service may generate the report again.
   */
  generationTimeoutMs: number;
}

/** Changes to a state file; `undefined` removes a property. */
type Changes = { [K in keyof StoredReport]?: StoredReport[K] | undefined };

export interface ReportJobDeps {
  store: ReportStore;
  clock: Clock;
  logger: Logger;
  session: { readonly signedIn: SignedIn | undefined };
  /** The current settings. */
  settings: () => ReportSettings;
  /** Converts an error to the failure that is stored. */
  describeFailure(error: unknown): ReportFailure;
}

type FinishedDownload = Required<Pick<StoredReport, 'path' | 'bytes'>> &
  Pick<StoredReport, 'fileTime'>;

const firstPollMs = 1_000;
const longestPollMs = 60_000;
const pollGrowth = 1.5;
/** Pause before an answer is written again after that has failed, in milliseconds. */
const saveRetryMs = 2_000;
/** How many times in a row a link may be refused, or an answer to a poll break off, before the report fails. */
const maxFailedPolls = 5;
/** How many times a download may break off without progress before the report fails. */
const maxDownloadAttempts = 5;
/**
 * The count of attempts starts again as soon as a hundredth of the file, or this many bytes, were saved since it
 * last started, in one attempt or several. Fewer are no progress: how many bytes of a broken connection arrive is
 * partly chance.
 */
const progressBytes = 1024 * 1024;

/**
 * Runs one report with one client, from where its state file says it is to its file: an address is polled, a path of
 * the download continued; the state alone decides nothing. Each state is written before the step that it names
 * begins, so that a job can resume where another one ended. The window that owns the lock of the report creates it.
 * While it runs, nobody else writes the state file.
 */
export class ReportJob {
  activity: ReportActivity;
  readonly lock: FileLock;
  private readonly signedIn: SignedIn | undefined;
  private readonly abort = new AbortController();
  private isCancelled = false;
  /** Whether the log says that the progress cannot be saved. */
  private isProgressUnsaved = false;

  /**
   * @param report it, as last written.
   * @param onChange called with the report when the report or the activity changes.
   */
  constructor(
    public report: StoredReport,
    private readonly deps: ReportJobDeps,
    private readonly onChange: (report: StoredReport) => void,
  ) {
    this.activity = { stage: firstStage(report) };
    this.lock = deps.store.lockOf(report.id);
    this.signedIn = deps.session.signedIn;
  }

  /**
   * Runs the report. Call it once.
   * @returns the report in state `ready` or `cancelled`.
   * @throws the reason when the report failed; SignedOutError when it waits for its account or another client;
   *   LockLostError when another window has taken over; an error of the file system when the
   *   state file cannot be written.
   */
  async run(): Promise<StoredReport> {
    this.logState();
    try {
      // Tells this job from earlier ones, whose window may only be asleep; see partFor.
      await this.save({ jobs: this.report.jobs + 1 });
      await this.getFile();
      return this.report;
    } catch (error) {
      const { signal } = this.abort;
      return await this.end(signal.aborted ? signal.reason : error);
    }
  }

  /** Cancels the report. It may become ready, or fail, before that; the state file has the outcome. */
  cancel(): void {
    this.isCancelled = true;
    this.abort.abort();
  }

  /** Stops the job. If the reason is a failure of the report, it is written to the state file. */
  stop(reason: unknown): void {
    this.abort.abort(reason);
  }

  /**
   * When it resolves, the report is in state `ready`.
   * @throws ApiError, FileError, errors of the file system, or why it was stopped. The state file is then as the last
   * step left it.
   */
  private async getFile(): Promise<void> {
    const { downloadPath, jobs } = this.report;
    if (downloadPath !== undefined) {
      await adoptPart(downloadPath, jobs).catch((error: unknown) => {
        throw toFolderError(error, path.dirname(downloadPath));
      });
    }
    const finished = await this.finishedDownload();
    if (finished !== undefined) {
      await this.ready(finished);
      return;
    }
    // A window may also begin a job only to cancel it. A file that is complete is kept with its state file all the
    // same.
    this.abort.signal.throwIfAborted();
    const answer = this.report.reportUrl === undefined ? await this.request() : undefined;
    let file =
      answer?.type === 'file'
        ? answer.file
        : await this.pollUntilReady({ waitFirst: answer !== undefined });
    // The offset at which the count of attempts last started. A body that breaks off at the same place gets no
    // further, however much of it is downloaded again.
    let countedOffset = (await keptPart(this.report))?.offset ?? 0;
    for (let attempt = 1; ; attempt += 1) {
      try {
        // If the state file cannot be written, the error is thrown unchanged: the job that resumes the
        // report finds the file.
        await this.ready(await this.download(file));
        return;
      } catch (error) {
        if (!isTransient(error, this.report) || this.report.reportUrl === undefined) {
          throw error;
        }
        const { offset, total } = (await keptPart(this.report)) ?? { offset: 0 };
        if (offset > countedOffset && offset - countedOffset >= progressStep(total ?? offset)) {
          attempt = 0;
          countedOffset = offset;
        } else if (attempt >= maxDownloadAttempts) {
          throw error;
        }
        await this.pause(firstPollMs * 2 ** attempt, 'downloading', error);
        file = await this.pollUntilReady({ waitFirst: false });
      }
    }
  }

  private async request(): Promise<ReportResponse> {
    if (this.report.unsent !== true) {
      throw new UndecidedRequestError();
    }
    const { signal } = this.abort;
    const { kind, body } = this.report;
    // First of all: a state file that says that the request was sent must not be written for another account.
    const { api } = this.client;
    this.setActivity({ stage: 'requesting' });
    signal.throwIfAborted();
    // From here on, the service may have accepted the request, even if this process ends. A window
    // that takes over either reads this, or has already made this write fail, so no request is
    // sent.
    await this.save({ unsent: false });
    const answer = await api.requestReport(kind, body as JsonObject | undefined, {
      signal,
      priority: 'bulk',
      onWait: (wait) => {
        // Only a wait for the service's limit or for our hourly budget is told, not one for other requests, which is
        // short. A request that waits so was not accepted and may be sent again after a restart. After a redirect, it
        // may have been accepted.
        try {
          this.saveNow({ unsent: wait !== undefined && !wait.isRedirected });
        } catch (error) {
          // Nothing is sent.
          this.stop(error);
        }
        this.setActivity({ stage: 'requesting', ...defined({ wait }) });
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
    // If the answer is the report itself, the state file stays marked as sent: only another request gets the file
    // again.
    return answer;
  }

  /**
   * Writes the response. Its only copy is in memory, so the write is repeated until the disk takes it, unless the
   * report was removed (ENOENT).
   */
  private async saveAnswer(changes: Changes): Promise<void> {
    for (;;) {
      try {
        await this.save(changes);
        return;
      } catch (error) {
        if (!isFileSystemError(error) || isErrno(error, 'ENOENT')) {
          throw error;
        }
        await this.pause(saveRetryMs, 'generating', describeDiskError(error));
      }
    }
  }

  /** Polls until the report is ready. @param options `waitFirst`: it was requested just now. */
  private async pollUntilReady({ waitFirst }: { waitFirst: boolean }): Promise<ReportFile> {
    const { signal } = this.abort;
    const { clock, settings } = this.deps;
    const { generationTimeoutMs } = settings();
    const stage = this.report.state === 'downloading' ? 'downloading' : 'generating';
    const deadline = clock.monotonic() + generationTimeoutMs;
    /** Links that were refused, and answers that broke off, in a row. */
    let failures = 0;
    this.setActivity({ stage });
    if (waitFirst) {
      await delay(firstPollMs, clock, signal);
    }
    for (let interval = firstPollMs; ; interval = Math.min(interval * pollGrowth, longestPollMs)) {
      let lastError: Error | undefined;
      let retryAfterMs = 0;
      this.lock.require();
      try {
        const answer = await this.client.api.fetchReport(this.report.reportUrl ?? '', {
          signal,
          priority: 'bulk',
          resume: await keptPart(this.report),
          onWait: (wait) => {
            this.setActivity({ stage, ...defined({ wait }) });
          },
        });
        if (answer.type === 'file') {
          return answer.file;
        }
        failures = 0;
        await this.updateStatus(answer.status, answer.reportUrl);
        retryAfterMs = answer.type === 'pending' ? (answer.retryAfterMs ?? 0) : 0;
      } catch (error) {
        if (!(error instanceof Error) || !isTransient(error, this.report)) {
          throw error;
        }
        if (error instanceof DownloadError && ++failures >= maxFailedPolls) {
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
    const { signal } = this.abort;
    const { clock } = this.deps;
    const startedAt = clock.monotonic();
    try {
      await this.save({ state: 'downloading' });
      const { resumedFrom } = file;
      const downloadPath = await this.preparePath(file);
      this.setActivity({
        stage: 'downloading',
        progress: { received: resumedFrom, total: file.total },
      });
      const bytes = await file.saveTo(downloadPath, {
        part: partFor(downloadPath, this.report.jobs),
        beforeMove: () => {
          this.lock.require();
        },
        // Without an address, the download cannot be resumed.
        keepPart: this.report.reportUrl !== undefined,
        signal,
        onSynced: (saved) => {
          const { partVersion } = this.report;
          if (partVersion) {
            this.saveProgress({ partVersion: { ...partVersion, saved } });
          }
        },
        onProgress: (progress) => {
          const seconds = (clock.monotonic() - startedAt) / 1_000;
          this.setActivity({
            stage: 'downloading',
            progress,
            ...(seconds >= 1
              ? { bytesPerSecond: (progress.received - resumedFrom) / seconds }
              : {}),
          });
        },
      });
      const { mtimeMs: fileTime } = (await fs.stat(downloadPath).catch(() => undefined)) ?? {};
      return { path: downloadPath, bytes, ...defined({ fileTime }) };
    } catch (error) {
      file.discard();
      await this.cleanUpFailedAttempt(error);
      throw error;
    }
  }

  /**
   * Returns the path of a download that resumes the part of an earlier attempt or starts over. To
   * start over, it removes the old part first, then records the version of the new one; the first byte is
   * written after that. So a killed process never leaves bytes of one version that are recorded as
   * another.
   */
  private async preparePath(file: ReportFile): Promise<string> {
    const { folder } = this;
    const { downloadPath, reportUrl } = this.report;
    let newPath: string;
    try {
      await makeFolders(folder);
      if (downloadPath !== undefined && file.resumedFrom > 0) {
        return downloadPath;
      }
      if (downloadPath !== undefined) {
        // The part of an earlier attempt.
        await removeParts(downloadPath);
      }
      // Nothing is awaited from here to the save, so that no other download uses the path.
      const others = this.deps.store.readReports().filter(({ id }) => id !== this.report.id);
      newPath = unusedPath(folder, file.fileName, others);
    } catch (error) {
      throw toFolderError(error, folder);
    }
    await this.save({
      downloadPath: newPath,
      partVersion: reportUrl === undefined ? undefined : file.version,
    });
    return newPath;
  }

  /**
   * Call it after a failed attempt. If no part is left, the path is removed from the state file: a file
   * that appears there later is not ours.
   */
  private async cleanUpFailedAttempt(error: unknown): Promise<void> {
    const { downloadPath } = this.report;
    if (downloadPath === undefined) {
      return;
    }
    const { id, jobs } = this.report;
    if ((this.deps.store.find(id)?.jobs ?? Infinity) > jobs) {
      // This window was asleep, and may have opened its part after another window took over. That
      // window uses its own part.
      await removeFile(partFor(downloadPath, jobs));
    } else if ((await findParts(downloadPath)).length === 0) {
      await this.save({ downloadPath: undefined, partVersion: undefined });
    } else if (error instanceof DownloadError && error.reason === 'partChanged') {
      // Its bytes are those of another program, or damaged: the next attempt starts over.
      await this.save({ partVersion: undefined });
    }
  }

  /** The file, if an earlier job moved it into place and ended before it wrote the state file. */
  private async finishedDownload(): Promise<FinishedDownload | undefined> {
    const { state, downloadPath, partVersion } = this.report;
    if (state !== 'downloading' || downloadPath === undefined) {
      return undefined;
    }
    const file = await fs.stat(downloadPath).catch(() => undefined);
    const parts = await Promise.all((await findParts(downloadPath)).map((part) => fs.stat(part)));
    if (
      !file ||
      parts.some((part) => part.ino !== file.ino) ||
      (partVersion?.total ?? file.size) !== file.size
    ) {
      // A file next to an unfinished download, or of another size, is not ours. Any other file is
      // ours: no other report uses a path that a state file names, and cleanUpFailedAttempt clears the
      // path if no part is left.
      return undefined;
    }
    await removeParts(downloadPath);
    return { path: downloadPath, bytes: file.size, fileTime: file.mtimeMs };
  }

  private async ready(file: FinishedDownload): Promise<void> {
    await this.save({
      state: 'ready',
      finishedAt: this.report.readyAt ?? new Date(this.deps.clock.now()).toISOString(),
      readyAt: undefined,
      downloadPath: undefined,
      partVersion: undefined,
      ...file,
    });
  }

  private async updateStatus(
    status: string | undefined,
    reportUrl: string | undefined,
  ): Promise<void> {
    const serviceStatus = status ?? this.report.serviceStatus;
    const url = reportUrl === undefined ? this.report.reportUrl : this.storedUrl(reportUrl);
    if (serviceStatus !== this.report.serviceStatus || url !== this.report.reportUrl) {
      await this.save({ serviceStatus, reportUrl: url });
    }
  }

  /** The demo listens on another port after a reload, so its addresses are stored without their origin. */
  private storedUrl(reportUrl: string): string {
    const { isDemo, origin } = this.client.account;
    return isDemo && reportUrl.startsWith(`${origin}/`)
      ? reportUrl.slice(origin.length)
      : reportUrl;
  }

  private async pause(
    ms: number,
    stage: ReportActivity['stage'],
    lastError: unknown,
  ): Promise<void> {
    const { clock } = this.deps;
    this.setActivity(
      lastError === undefined ? { stage } : { stage, lastError, nextAttemptAt: clock.now() + ms },
    );
    await delay(ms, clock, this.abort.signal);
  }

  /** The client of the report's account. @throws SignedOutError */
  private get client(): SignedIn {
    if (this.signedIn?.account.id !== this.report.accountId) {
      throw new SignedOutError();
    }
    return this.signedIn;
  }

  /** The folder of the file; created if missing. */
  private get folder(): string {
    const { settings, store } = this.deps;
    return settings().folder || store.fileFolderOf(this.report.id);
  }

  /**
   * Changes the state file, on disk first. Nothing else may be saved before this resolves.
   * @throws LockLostError when another window has taken over; an error of the file system.
   */
  private async save(changes: Changes): Promise<void> {
    const next = this.changed(changes);
    await this.deps.store.write(next);
    this.accept(next);
  }

  /** As `save`, for a caller that cannot wait. */
  private saveNow(changes: Changes): void {
    const next = this.changed(changes);
    this.deps.store.writeNow(next);
    this.accept(next);
  }

  /**
   * Writes how much of the part is on disk. Never fails, as the bytes are good whatever becomes of their count: what
   * cannot be written now goes with the next count, and this job resumes from there without it. If another window has
   * taken over, the job stops.
   */
  private saveProgress(changes: Changes): void {
    const next = this.changed(changes);
    try {
      this.deps.store.writeNow(next);
      this.isProgressUnsaved = false;
    } catch (error) {
      if (!isFileSystemError(error)) {
        this.stop(error);
        return;
      }
      // Who reads the state file is in the way for a moment only.
      if (!this.isProgressUnsaved && !isInUse(error, this.deps.store.locks.patience)) {
        this.isProgressUnsaved = true;
        const { id } = next;
        this.deps.logger.warn(`The progress of report ${id} cannot be saved now: ${String(error)}`);
      }
    }
    this.accept(next);
  }

  private changed(changes: Changes): StoredReport {
    return Object.fromEntries(
      Object.entries({ ...this.report, ...changes }).filter(([, value]) => value !== undefined),
    ) as unknown as StoredReport;
  }

  private accept(next: StoredReport): void {
    const before = this.report.state;
    this.report = next;
    if (next.state !== before) {
      this.logState();
    }
    this.onChange(next);
  }

  private setActivity(activity: ReportActivity): void {
    if (!this.deps.store.has(this.report.id)) {
      this.stop(new LockLostError());
    }
    this.activity = activity;
    this.onChange(this.report);
  }

  /**
   * Records that the report was cancelled or has failed, and removes its parts.
   * @param part the part from which Retry can resume; it stays.
   */
  private async finish(end: Changes, part?: Resume): Promise<void> {
    const { id, downloadPath } = this.report;
    this.lock.require();
    if (downloadPath !== undefined && !part) {
      await removeParts(downloadPath).catch((error: unknown) => {
        this.deps.logger.warn(`A part of report ${id} is left behind: ${String(error)}`);
      });
    }
    await this.save({
      ...(part ? {} : { downloadPath: undefined, partVersion: undefined }),
      ...end,
      finishedAt: new Date(this.deps.clock.now()).toISOString(),
    });
  }

  /**
   * Records why the job has ended without a file, unless the report is to continue.
   * @returns the report in state `cancelled`.
   * @throws as `run` does.
   */
  private async end(reason: unknown): Promise<StoredReport> {
    if (!this.deps.store.has(this.report.id)) {
      // Another window has removed it: do not create it again.
      return { ...this.report, state: 'cancelled' };
    }
    this.lock.require();
    if (this.isCancelled) {
      await this.finish({ state: 'cancelled' });
      return this.report;
    }
    return this.fail(reason);
  }

  /** @throws the error, after it was written to the state file. */
  private async fail(error: unknown): Promise<never> {
    if (
      error instanceof LockLostError ||
      error instanceof SignedOutError ||
      isFileSystemError(error)
    ) {
      // The error is not a failure of the report, or cannot be written to the state file.
      throw error;
    }
    const kept = await keptPart(this.report);
    const isNewNeeded = requiresNewRequest(error, this.report, kept);
    const reportUrl = isNewNeeded ? undefined : this.report.reportUrl;
    const part = isNewNeeded ? undefined : kept;
    if (error instanceof ApiError || error instanceof FileError) {
      error.keptBytes = part?.offset;
    }
    const failure = this.deps.describeFailure(error);
    this.deps.logger.warn(`Report ${this.report.id} failed: ${describeForLog(error)}`);
    const linkRefused = isLinkRefused(error, reportUrl) || undefined;
    // There will be no report of the request that was sent: a second one is no risk.
    const isWithoutReport =
      error instanceof ReportFailedError ||
      (this.report.state === 'requested' && isRequestRefused(error));
    const decided = isWithoutReport ? { unsent: undefined } : {};
    await this.finish(
      { state: 'failed', error: failure, reportUrl, linkRefused, ...decided },
      part,
    );
    throw error;
  }

  private logState(): void {
    const { id, kind, state, bytes } = this.report;
    const size = bytes === undefined ? '' : `, ${bytes} bytes`;
    this.deps.logger.info(`Report ${id} (${kind}): ${state}${size}`);
  }
}

function firstStage({ state }: StoredReport): ReportActivity['stage'] {
  return state === 'requested' ? 'requesting' : state === 'downloading' ? state : 'generating';
}

/** @returns a number of bytes. */
function progressStep(bytes: number): number {
  return Math.min(progressBytes, bytes / 100);
}

/** Converts a file system error that occurs before the file is complete to a FileError. */
function toFolderError(error: unknown, folder: string): unknown {
  return error instanceof Error && 'syscall' in error
    ? new FileError(
        'notWritable',
        message('The folder {0} cannot be used: {1}', folder, error.message),
      )
    : error;
}

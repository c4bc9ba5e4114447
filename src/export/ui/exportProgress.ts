import * as vscode from 'vscode';
import type { Wait } from '../../api/types';
import { type Clock, systemClock } from '../../base/events/clock';
import { plainText } from '../../base/text/plainText';
import type { ExportJob, ExportProgress } from '../exporter';
import { percentOf, withProgressNotification } from '../../workbench/progressNotification';
import { describeWait } from '../../workbench/describe';
import { formatDuration, formatNumber } from '../../workbench/format';

const { t } = vscode.l10n;

/** The rate is shown only after this time, in milliseconds: before, it fluctuates too much. */
const minRateMs = 1_000;

type ProgressOptions = Required<Pick<ExportJob, 'signal' | 'onProgress' | 'onWait'>>;

/** Shows an export as a notification with Cancel until it ends. */
export async function withExportProgress<T>(
  title: string,
  work: (follow: ProgressOptions) => Promise<T>,
): Promise<T> {
  const meter = new Meter(systemClock);
  return withProgressNotification(plainText(title, 100), meter, (signal, update) =>
    work({
      signal,
      onProgress: (progress) => {
        meter.progress = progress;
      },
      onWait: (wait) => {
        meter.waitFor(wait);
        update();
      },
    }),
  );
}

/** Progress and rate of an export; waits do not count. */
class Meter {
  progress: ExportProgress | undefined;
  private wait: Wait | undefined;
  private waitingSince = 0;
  private waitedMs = 0;
  private readonly startedAt: number;

  constructor(private readonly clock: Clock) {
    this.startedAt = clock.monotonic();
  }

  waitFor(wait: Wait | undefined): void {
    const now = this.clock.monotonic();
    if (this.wait && !wait) {
      this.waitedMs += now - this.waitingSince;
    } else if (wait && !this.wait) {
      this.waitingSince = now;
    }
    this.wait = wait;
  }

  percent(): number {
    const { count = 0, total } = this.progress ?? {};
    return percentOf(count, total);
  }

  /** `12,300 of 41,237 · 2,100/s · 14 s left` */
  describe(): string {
    const { progress, wait } = this;
    if (!progress) {
      return t('Starting');
    }
    const { count, total, resumedFrom, phase } = progress;
    const done =
      total === undefined
        ? formatNumber(count)
        : t('{0} of {1}', formatNumber(count), formatNumber(total));
    if (phase === 'writing') {
      return [done, t('Writing the file')].join(' \u00b7 ');
    }
    if (wait) {
      return [done, describeWait(wait)].join(' \u00b7 ');
    }
    const ms = this.clock.monotonic() - this.startedAt - this.waitedMs;
    const perSecond = ms < minRateMs ? 0 : ((count - resumedFrom) / ms) * 1_000;
    return [
      done,
      ...(perSecond > 0 ? [t('{0}/s', formatNumber(Math.round(perSecond)))] : []),
      ...(perSecond > 0 && total !== undefined && total > count
        ? [t('{0} left', formatDuration(((total - count) / perSecond) * 1_000))]
        : []),
    ].join(' \u00b7 ');
  }
}

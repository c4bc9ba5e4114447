import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../../../src/base/logger';
import { toFileError } from '../../../../src/files/fileError';
import { Emitter } from '../../../../src/base/events/emitter';
import type { ReportEnd, Reports } from '../../../../src/service/reports/reports';
import type { StoredReport } from '../../../../src/service/reports/storedReport';
import {
  type ReportNews,
  ReportNotices,
  ReportProgress,
} from '../../../../src/service/reports/ui/reportNotices';
import { storedReport } from '../../../helpers/storedReport';
import { isolate } from '../../helpers';
import { closeLater } from '../../services';
import { until } from '../../until';
import { buttonsOf, told } from '../../window';

const report = storedReport({ title: 'Full report', bytes: 8 });
const ready = '"Full report: All findings" is ready (8 B).';
const changed: ReportNews = { text: '3 new since 15 Nov', hasChanges: true };

describe('The notification of a report', () => {
  isolate({ settings: { 'reports.openWhenReady': false } });

  /** Lets a report end whose news come when the test says so. */
  function endReport() {
    const ended = new Emitter<ReportEnd>();
    let all: StoredReport[] = [report];
    const reports = {
      onDidEnd: ended.event,
      listShown: () => all,
      isQuiet: () => false,
      claimNotice: () => true,
    } as unknown as Reports;
    let come: (news: ReportNews | undefined) => void = () => undefined;
    const news = new Promise<ReportNews | undefined>((resolve) => {
      come = resolve;
    });
    const notices = new ReportNotices(
      reports,
      () => Promise.resolve(false),
      () => news,
      silentLogger,
    );
    closeLater(() => {
      notices.dispose();
      return Promise.resolve();
    });
    ended.fire({ report, ranHere: true });
    return {
      come,
      remove: () => {
        all = [];
      },
    };
  }

  const texts = () => told('showInformationMessage');

  it('The notification of a report says at once how it differs, where that is known soon', async () => {
    endReport().come(changed);
    await until('it is told', () => texts().length > 0);
    assert.deepEqual(texts(), [`${ready} 3 new since 15 Nov.`]);
    assert.deepEqual(buttonsOf('showInformationMessage', /is ready/), [
      'Open Report',
      'Show Changes',
      'Reveal',
    ]);
  });

  it('The notification of a report does not wait for a long comparison, whose changes follow', async () => {
    const { come } = endReport();
    await until('it is told', () => texts().length > 0);
    assert.deepEqual(texts(), [ready]);
    assert.deepEqual(buttonsOf('showInformationMessage', /is ready/), ['Open Report', 'Reveal']);
    come(changed);
    await until('the changes are told', () => texts().length > 1);
    assert.equal(texts()[1], '"Full report: All findings": 3 new since 15 Nov');
    assert.deepEqual(buttonsOf('showInformationMessage', /3 new/), ['Show Changes']);
  });

  it('The notification of a report is the only one when a long comparison finds nothing, or the report is removed', async () => {
    for (const news of [undefined, { text: 'No changes since 15 Nov', hasChanges: false }]) {
      const { come } = endReport();
      const before = texts().length;
      await until('it is told', () => texts().length > before);
      come(news);
    }
    const { come, remove } = endReport();
    await until('it is told', () => texts().length > 2);
    remove();
    come(changed);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(texts(), [ready, ready, ready]);
  });
});

describe('The progress of a report', () => {
  isolate();

  /** Presses Cancel in the notification of a report. @param all the reports when that has failed */
  async function cancel(all: readonly StoredReport[]): Promise<readonly string[]> {
    const logged: string[] = [];
    let hasFailed = false as boolean;
    const reports = {
      onDidChange: new Emitter<void>().event,
      listShown: () => all,
      activity: () => undefined,
      isRunningElsewhere: () => false,
      isRunningHere: () => true,
      isOfSignedIn: () => true,
      saveFailure: () => undefined,
      cancel: () => {
        hasFailed = true;
        return Promise.reject(toFileError('ENOSPC'));
      },
    } as unknown as Reports;
    const progress = new ReportProgress(reports, {
      ...silentLogger,
      error: (text) => logged.push(text),
    });
    const token = new vscode.CancellationTokenSource();
    const window = vscode.window as { withProgress: typeof vscode.window.withProgress };
    const original = window.withProgress;
    window.withProgress = (_, task) => task({ report: () => undefined }, token.token);
    closeLater(() => {
      window.withProgress = original;
      progress.dispose();
      return Promise.resolve();
    });
    progress.show(report, new Promise(() => undefined));
    token.cancel();
    await until('it is to be cancelled', () => hasFailed);
    return logged;
  }

  it('The progress of a report tells why it cannot be cancelled', async () => {
    const logged = await cancel([report]);
    await until('it is told', () => told('showErrorMessage').length > 0);
    assert.match(told('showErrorMessage').join(), /^The disk is full\. Free up space/);
    assert.match(logged.join(), /^Could not cancel report x: FileError, The disk is full/);
  });

  it('The progress of a report tells nothing of one that was removed meanwhile', async () => {
    await cancel([]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(told('showErrorMessage'), []);
  });
});

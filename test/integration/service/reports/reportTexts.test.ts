import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { NetworkError } from '../../../../src/api/http/errors';
import { toFileError } from '../../../../src/files/fileError';
import { LatePollError } from '../../../../src/service/reports/reportErrors';
import { schemaVersion, type StoredReport } from '../../../../src/service/reports/storedReport';
import type { ReportActivity } from '../../../../src/service/reports/reportActivity';
import type { Reports } from '../../../../src/service/reports/reports';
import { reportChoices } from '../../../../src/service/reports/ui/pickReport';
import { suggestFileName } from '../../../../src/service/reports/ui/reportFiles';
import { ReportNode } from '../../../../src/service/reports/ui/reportsView';
import {
  describeActivity,
  describeReportRow,
  describeReportError,
  describeState,
  reportName,
  reportTitle,
} from '../../../../src/service/reports/ui/reportTexts';

const now = Date.parse('2026-01-31T08:10:00Z');

function report(changes: Partial<StoredReport>): StoredReport {
  return {
    schemaVersion,
    jobs: 1,
    id: 'a',
    kind: 'full',
    title: 'Full report',
    origin: 'https://api.example',
    accountId: 'https://api.example',
    state: 'generating',
    requestedAt: '2026-01-31T08:00:00Z',
    ...changes,
  };
}

const reports = {
  activity: (): ReportActivity | undefined => undefined,
  isRunningElsewhere: () => false,
  isOfSignedIn: () => false,
  saveFailure: () => undefined,
};

/** The reports of a window that runs each with this activity. */
function doing(activity: ReportActivity) {
  return { ...reports, activity: () => activity };
}

describe('The activity of a running report', () => {
  it('The activity of a running report tells a wait for the request budget from a limit of the service', () => {
    const requested = report({ state: 'requested' });
    const text = (reason: 'limit' | 'budget') =>
      describeActivity(
        doing({ stage: 'requesting', wait: { reason, until: now + 58 * 60_000 } }),
        requested,
        now,
      );
    assert.match(text('limit'), /^Rate limited \u00b7 Retrying in 58 min \u00b7 10 min elapsed$/);
    assert.match(
      text('budget'),
      /^Waiting \u00b7 58 min for your request budget \(scorecard\.requestsPerHour\)/,
    );
  });

  it('The activity of a running report includes the time since the request, even during the download', () => {
    const activity = {
      stage: 'downloading' as const,
      progress: { received: 2_900_000, total: 20_400_000 },
      bytesPerSecond: 1_000_000,
    };
    assert.equal(
      describeActivity(doing(activity), report({ state: 'downloading' }), now),
      'Downloading 14% \u00b7 18 s left \u00b7 2.9 MB of 20.4 MB \u00b7 1 MB/s \u00b7 10 min elapsed',
    );
  });

  it('The activity of a running report counts the time from the last retry', () => {
    const retried = report({ retriedAt: '2026-01-31T08:09:55Z' });
    const activity = { stage: 'generating' as const };
    assert.equal(describeActivity(doing(activity), retried, now), 'Generating \u00b7 5 s elapsed');
  });
});

describe('The description of a report', () => {
  it('The description of a report says where to sign in when the report belongs to another account', () => {
    assert.equal(
      describeState(reports, report({ origin: 'http://127.0.0.1:8080' }), now),
      'Sign in to resume \u00b7 With the key of its account at 127.0.0.1:8080',
    );
  });

  it('The description of a report shows the activity from the notification when the report waits for a limit', () => {
    const activity = {
      stage: 'requesting' as const,
      wait: { reason: 'limit' as const, until: now + 31_000 },
    };
    const waiting = report({ state: 'requested' });
    assert.equal(
      describeState(doing(activity), waiting, now),
      describeActivity(doing(activity), waiting, now),
    );
    const row = describeReportRow(doing(activity), waiting, now);
    assert.deepEqual(
      [row.label, row.description],
      ['Rate limited', 'Retrying in 31 s \u00b7 Full report: All findings \u00b7 10 min elapsed'],
    );
  });

  it('The description of a report says why the report waits when its state file cannot be written', () => {
    const waiting = report({ state: 'requested' });
    const ofSignedIn = { ...reports, isOfSignedIn: () => true };
    assert.equal(describeState(ofSignedIn, waiting, now), 'Waiting');
    const saveFailure = () => ({ error: toFileError('ENOSPC'), retryAt: now + 28_000 });
    const unsaved = { ...ofSignedIn, saveFailure };
    const why = 'Its state cannot be saved: The disk is full (ENOSPC)';
    assert.equal(
      describeState(unsaved, waiting, now),
      `Waiting \u00b7 ${why} \u00b7 Retrying in 28 s`,
    );
    const row = describeReportRow(unsaved, waiting, now);
    assert.deepEqual(
      [row.label, row.description],
      ['Waiting', `${why} \u00b7 Full report: All findings \u00b7 Retrying in 28 s`],
    );
    // Whatever failed here, another window can write it.
    const elsewhere = { ...unsaved, isRunningElsewhere: () => true };
    assert.equal(describeState(elsewhere, waiting, now), 'Requesting \u00b7 In another window');
  });

  it('The description of a report that is ready is its size', () => {
    const ready = report({ state: 'ready', bytes: 12_300_000 });
    assert.equal(describeState(reports, ready, now), '12.3 MB');
  });
});

describe('The row of a report', () => {
  const finishedAt = new Date(2026, 0, 31, 14, 3).toISOString();
  const row = (changes: Partial<StoredReport>, activity?: ReportActivity, isMissing = false) => {
    const stored = report({ finishedAt, ...changes });
    return describeReportRow({ ...reports, activity: () => activity }, stored, now, { isMissing });
  };

  it('The row of a report begins with its activity while the report is running, or with what stops it', () => {
    const progress = { received: 2_900_000, total: 20_400_000 };
    const downloading = { stage: 'downloading' as const, progress, bytesPerSecond: 1_000_000 };
    const figures = '18 s left \u00b7 2.9 MB of 20.4 MB \u00b7 1 MB/s \u00b7 10 min elapsed';
    assert.deepEqual(row({ state: 'downloading' }, downloading), {
      label: 'Downloading 14%',
      description: `Full report: All findings \u00b7 ${figures}`,
      name: `Downloading 14%, Full report: All findings \u00b7 ${figures}`,
    });
    const broken = {
      stage: 'generating' as const,
      nextAttemptAt: now + 5_000,
      lastError: new NetworkError('refused', 'a.example', undefined),
    };
    assert.equal(row({}, broken).label, 'Service unreachable');
    assert.equal(row({}).label, 'Sign in to resume');
  });

  it('The row of a report begins with the time at which the report ended, and its state unless it is ready', () => {
    assert.deepEqual(row({ state: 'ready', bytes: 12_300_000 }), {
      label: '14:03 Full report',
      description: 'All findings',
      name: '14:03 Full report: All findings \u00b7 12.3 MB',
    });
    assert.deepEqual(row({ state: 'failed' }), {
      label: '14:03 Failed',
      description: 'Full report: All findings',
      name: '14:03 Failed, Full report: All findings',
    });
    const error = {
      code: 'auth',
      message: 'The service refused the API key (401). Sign in again with a valid key.',
    };
    const cause = 'The service refused the API key (401)';
    assert.deepEqual(row({ state: 'failed', error }), {
      label: '14:03 Failed',
      description: `Full report: All findings \u00b7 ${cause}`,
      name: `14:03 Failed, Full report: All findings, ${cause}`,
    });
    assert.equal(row({ state: 'cancelled' }).label, '14:03 Cancelled');
    assert.equal(row({ state: 'ready', bytes: 0 }).label, '14:03 Empty');
    assert.equal(row({ state: 'ready', bytes: 5 }, undefined, true).label, '14:03 File missing');
  });
});

describe('The title of a report in its tab and in a quick pick', () => {
  it('The title of a report in its tab and in a quick pick has its name, day and time, and the year if it is not this year', () => {
    const requestedAt = new Date(2026, 10, 22, 14, 3).toISOString();
    const title = (year: number) =>
      reportTitle(report({ requestedAt }), new Date(year, 11, 1).getTime());
    assert.equal(title(2026), 'Full report: All findings \u00b7 22 Nov 14:03');
    assert.equal(title(2027), 'Full report: All findings \u00b7 22 Nov 2026 14:03');
  });

  it('The title of a report in its tab and in a quick pick has the time at which the report was finished, like its row', () => {
    const requestedAt = new Date(2026, 10, 22, 14, 3).toISOString();
    const finishedAt = new Date(2026, 10, 22, 14, 40).toISOString();
    assert.match(reportTitle(report({ requestedAt, finishedAt })), /22 Nov.* 14:40$/);
  });
});

describe('The name of a report', () => {
  const finishedAt = new Date(2026, 0, 31, 14, 3).toISOString();
  const made = { state: 'ready', bytes: 5, finishedAt } as const;
  const ofAll = report(made);
  const ofOne = report({
    ...made,
    scorecardId: 'b',
    title: 'Bluefjord: Bank',
  });

  for (const [stored, name] of [
    [ofAll, 'Full report: All findings'],
    [ofOne, 'Full report: Bluefjord: Bank'],
  ] as const) {
    it(`The name of a report is ${name} in its tab, row, tooltip, choice and file`, () => {
      assert.equal(reportName(stored), name);
      assert.ok(reportTitle(stored).startsWith(`${name} \u00b7 31 Jan`));
      const { label, description, name: spoken } = describeReportRow(reports, stored, now);
      const [kind = '', scope = ''] = name.split(/: (.*)/);
      assert.deepEqual([label, description], [`14:03 ${kind}`, scope]);
      assert.ok(spoken.startsWith(`14:03 ${name}`), spoken);
      for (const state of ['failed', 'cancelled', 'generating'] as const) {
        assert.ok(
          describeReportRow(reports, report({ ...stored, state }), now).description.includes(name),
        );
      }
      const all = { ...reports, get: () => stored } as unknown as Reports;
      const { tooltip } = new ReportNode(stored, all).draw(now);
      assert.ok(tooltip instanceof vscode.MarkdownString && tooltip.value.includes(name.slice(-4)));
      const [choice] = reportChoices(all, [stored]);
      assert.equal(choice?.label, reportTitle(stored));
      const saved = suggestFileName(stored, '/reports/report (2).csv');
      assert.equal(saved.replace(/ \u00b7 .*/, ''), name.replaceAll(':', ''));
      assert.match(saved, /\.csv$/);
      // The service has named it.
      assert.equal(suggestFileName(stored, '/reports/report-7.csv'), 'report-7.csv');
    });
  }
});

describe('The tooltip of a report', () => {
  const statusIn = (changes: Partial<StoredReport>) => {
    const stored = report({ serviceStatus: 'processing', ...changes });
    const reports = {
      get: () => stored,
      activity: () => undefined,
      isRunningElsewhere: () => false,
      isOfSignedIn: () => true,
      saveFailure: () => undefined,
    } as unknown as Reports;
    const { tooltip } = new ReportNode(stored, reports).draw(now);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    return tooltip.value.includes('processing');
  };

  it('The tooltip of a report has the status from the service while the report is generated, or if it explains a failure', () => {
    const finishedAt = '2026-01-31T08:05:00Z';
    const failed = (code: string) =>
      ({ state: 'failed', finishedAt, error: { code, message: 'No.' } }) as const;
    assert.equal(statusIn({ state: 'generating' }), true);
    assert.equal(statusIn(failed('server')), true);
    assert.equal(statusIn(failed('download')), false);
    assert.equal(statusIn({ state: 'downloading' }), false);
    assert.equal(statusIn({ state: 'cancelled', finishedAt }), false);
  });
});

describe('The error of a report', () => {
  it('The error of a report names the time until which the service asks to wait, however late it is', () => {
    const text = (time: number) => describeReportError(new LatePollError(time)).text;
    assert.match(
      text(new Date(2027, 10, 22, 14, 3).getTime()),
      /wait until 22 Nov( 2027)? 14:03, which is longer than scorecard\.reports\.timeoutMinutes/,
    );
    assert.match(text(Infinity), /wait until .+, which/);
  });
});

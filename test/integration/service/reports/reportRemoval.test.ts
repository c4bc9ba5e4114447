import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { systemClock } from '../../../../src/base/events/clock';
import { Emitter } from '../../../../src/base/events/emitter';
import { silentLogger } from '../../../../src/base/logger';
import { UserError } from '../../../../src/base/userError';
import { Reports } from '../../../../src/service/reports/reports';
import { ReportStore } from '../../../../src/service/reports/reportStore';
import type { StoredReport } from '../../../../src/service/reports/storedReport';
import { removeReport } from '../../../../src/service/reports/ui/reportRemoval';
import { storedReport } from '../../../helpers/storedReport';
import { isolate } from '../../helpers';
import { closeLater } from '../../services';
import { answer, takeQuestions } from '../../window';

describe('Remove Report', () => {
  isolate();
  let folder: string;
  const report = storedReport({ title: 'Full report' });
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(tmpdir(), 'scorecard-removal-'));
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });

  /** Removes a report as a user does. @returns the error that is shown */
  async function remove(): Promise<UserError | undefined> {
    const store = new ReportStore(folder, silentLogger);
    const reports = new Reports({
      store,
      clock: systemClock,
      logger: silentLogger,
      session: { signedIn: undefined, onDidChange: new Emitter<void>().event },
      settings: () => ({ folder: '', generationTimeoutMs: 1 }),
      describeFailure: (error) => ({ code: 'unexpected', message: String(error) }),
    });
    closeLater(() => {
      reports.dispose();
      return Promise.resolve();
    });
    await reports.load();
    answer('showWarningMessage', 'Remove');
    const call = { by: 'user', args: {} } as const;
    const error = await removeReport({ reports, store }, report, call).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    takeQuestions();
    assert.ok(error === undefined || error instanceof UserError);
    return error;
  }

  function write(changes: Partial<StoredReport> = {}): void {
    fs.mkdirSync(path.join(folder, report.id), { recursive: true });
    const text = JSON.stringify({ ...report, ...changes });
    fs.writeFileSync(path.join(folder, report.id, 'report.json'), text);
  }

  it('Remove Report says that a report was started again since the question', async () => {
    write({ state: 'requested' });
    assert.match(
      (await remove())?.message ?? '',
      /^The report "Full report: All findings" was started again\. Cancel it/,
    );
    assert.ok(fs.existsSync(path.join(folder, report.id)));
  });

  it('Remove Report says that a report that has ended is in use, and removes it when it is no longer', async () => {
    write();
    const lock = path.join(folder, report.id, 'lock');
    fs.mkdirSync(path.join(lock, '123@elsewhere 0123456789ab'), { recursive: true });
    assert.equal(
      (await remove())?.message,
      'The report "Full report: All findings" is in use, perhaps in another window. Try again in a few seconds.',
    );
    fs.rmSync(lock, { recursive: true });
    assert.equal(await remove(), undefined);
    assert.ok(!fs.existsSync(path.join(folder, report.id)));
  });
});

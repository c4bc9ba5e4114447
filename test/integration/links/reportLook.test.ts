import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { lookAtReport, type ReportLookDeps } from '../../../src/links/reportLook';
import type { StoredReport } from '../../../src/service/reports/storedReport';
import type { Watched } from '../../../src/service/watch/watchFile';
import { storedFileUri } from '../../../src/workbench/storedFiles';
import { storedReport } from '../../helpers/storedReport';
import { halvorsen } from '../services';

const mebibyte = 1024 ** 2;

describe('A look at a watched scorecard', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'scorecard-look-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Looks at a scorecard with two reports of such names and sizes. @returns whether they were compared */
  async function look(name: string, bytes: number): Promise<boolean> {
    const [before, report] = [1, 8].map((day): StoredReport => {
      const file = path.join(folder, `${day}-${name}`);
      writeFileSync(file, 'id');
      const finishedAt = new Date(Date.UTC(2026, 10, day)).toISOString();
      return storedReport({ id: String(day), path: file, bytes, finishedAt });
    });
    assert.ok(before && report);
    const compared = new Error('compared');
    const deps = {
      reports: { listOfAllAccounts: () => [before, report] },
      clock: { now: () => Date.UTC(2026, 10, 8) },
      requestAbout: () => ({ kind: 'full', title: 'x' }),
      startQuietly: () => Promise.resolve(report),
      account: () => ({ id: report.accountId, origin: report.origin }),
      stored: () =>
        Promise.resolve({
          fileOf: ({ id, path: file = '' }: StoredReport) => ({ id, uri: storedFileUri(file) }),
        }),
      comparer: () => Promise.resolve({ compare: () => Promise.reject(compared) }),
    } as unknown as ReportLookDeps;
    const watched = { scorecardId: halvorsen, since: Date.UTC(2026, 10, 2) } as Watched;
    const failed = await lookAtReport(deps, watched).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    if (failed !== compared) {
      assert.match(String(failed), /too large to be compared without being asked/);
    }
    return failed === compared;
  }

  it('A look at a watched scorecard compares reports of up to 1 GiB together, as large as they are unpacked', async () => {
    assert.equal(await look('report.csv', 500 * mebibyte), true);
    assert.equal(await look('report.csv', 600 * mebibyte), false);
    assert.equal(await look('report.csv.gz', 50 * mebibyte), true);
    assert.equal(await look('report.csv.gz', 60 * mebibyte), false);
    assert.equal(await look('report.zip', 60 * mebibyte), false);
  });
});

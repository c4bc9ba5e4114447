import { randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ApiClient } from '../src/api/client';
import { systemClock } from '../src/common/clock';
import { Emitter } from '../src/common/emitter';
import { silentLogger } from '../src/common/logger';
import { accountOf } from '../src/model/account';
import { ReportLeases } from '../src/model/reports/reportLeases';
import { Reports } from '../src/model/reports/reports';
import { ReportStore } from '../src/model/reports/reportStore';
import { claimMemory, fillHeap, peakMb, runChild, settledMb, tell, warmUpBytes } from './child';
import type { DownloadResult } from './downloadChild';

/*
 * A report as a window asks for it, with its records, its lease and its file, from the moment it
 * says that it downloads until it is ready: `reportJobChild.js ADDRESS FOLDER BYTES PATH`.
 */
runChild(async ([baseUrl = '', folder = '', bytes = '', path = '']) => {
  const client = new ApiClient({
    baseUrl,
    apiKey: () => 'key',
    requestsPerHour: 5000,
    requestTimeoutMs: 30_000,
  });
  const records = join(folder, randomUUID());
  const leases = new ReportLeases({ folder: records });
  const reports = new Reports({
    store: new ReportStore(records, silentLogger, leases),
    leases,
    clock: systemClock,
    logger: silentLogger,
    session: {
      signedIn: { account: accountOf(baseUrl), api: client },
      onDidChange: new Emitter<void>().event,
    },
    settings: () => ({ folder: '', generationTimeoutMs: 60_000 }),
    describeFailure: (error) => ({ code: 'unexpected', message: String(error) }),
  });
  let size = 0;
  let begin: number | undefined;
  reports.onDidChange((report) => {
    if (report?.state === 'downloading' && begin === undefined) {
      claimMemory(folder, size);
      begin = performance.now();
    }
  });
  const run = async (bytes: number) => {
    size = bytes;
    begin = undefined as number | undefined;
    const request = { kind: 'full', title: 'Full report', body: { bytes } } as const;
    const report = await reports.start(request).done;
    if (begin === undefined || report.path === undefined) {
      throw new Error(`The report is ${report.state}.`);
    }
    renameSync(report.path, path);
    return performance.now() - begin;
  };
  fillHeap();
  const before = settledMb();
  await run(warmUpBytes);
  rmSync(path);
  const milliseconds = await run(Number(bytes));
  reports.dispose();
  client.dispose();
  tell({ milliseconds, growthMb: peakMb() - before } satisfies DownloadResult);
});

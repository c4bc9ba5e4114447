/**
 * A window in its own process, so that it can be killed. It resumes the unfinished reports of a
 * folder, and ends when none is left.
 *
 *   node report.process.js <folder of the records> <base address>
 */
import { ApiClient } from '../../../../src/api/client';
import { systemClock } from '../../../../src/base/events/clock';
import { Emitter } from '../../../../src/base/events/emitter';
import { silentLogger } from '../../../../src/base/logger';
import { createAccount } from '../../../../src/service/account/account';
import { Reports } from '../../../../src/service/reports/reports';
import { ReportStore } from '../../../../src/service/reports/reportStore';

const [, , folder = '', baseUrl = ''] = process.argv;
const client = new ApiClient({
  baseUrl,
  apiKey: () => 'k1',
  requestsPerHour: 5000,
  requestTimeoutMs: 30_000,
});
const reports = new Reports({
  store: new ReportStore(folder, silentLogger),
  clock: systemClock,
  logger: silentLogger,
  session: {
    signedIn: { account: createAccount(baseUrl), api: client },
    onDidChange: new Emitter<void>().event,
  },
  settings: () => ({ folder: '', generationTimeoutMs: 60_000 }),
  describeFailure: (error) => ({ code: 'unexpected', message: String(error) }),
});
reports.onDidEnd(() => {
  reports.dispose();
  client.dispose();
});
reports.resume();

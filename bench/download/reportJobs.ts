import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { ApiClient } from '../../src/api/client';
import { systemClock } from '../../src/base/events/clock';
import { Emitter } from '../../src/base/events/emitter';
import { silentLogger } from '../../src/base/logger';
import { createAccount } from '../../src/service/account/account';
import { Reports } from '../../src/service/reports/reports';
import { ReportStore } from '../../src/service/reports/reportStore';
import { claimMemory } from '../child';
import { meter, type Spent } from '../measure';

/** Reports as a window requests them, with their records, their lock and their files. */
export class ReportJobs {
  private readonly client: ApiClient;
  private readonly reports: Reports;
  private size = 0;
  private spent: (() => Spent) | undefined;

  /** @param folder receives the records, in a subfolder. */
  constructor(
    baseUrl: string,
    private readonly folder: string,
  ) {
    this.client = new ApiClient({
      baseUrl,
      apiKey: () => 'key',
      requestsPerHour: 5000,
      requestTimeoutMs: 30_000,
    });
    const records = join(folder, randomUUID());
    this.reports = new Reports({
      store: new ReportStore(records, silentLogger),
      clock: systemClock,
      logger: silentLogger,
      session: {
        signedIn: { account: createAccount(baseUrl), api: this.client },
        onDidChange: new Emitter<void>().event,
      },
      settings: () => ({ folder: '', generationTimeoutMs: 60_000 }),
      describeFailure: (error) => ({ code: 'unexpected', message: String(error) }),
    });
    this.reports.onDidChange((report) => {
      if (report?.state === 'downloading' && this.spent === undefined) {
        claimMemory(this.folder, this.size);
        this.spent = meter();
      }
    });
  }

  /**
   * Requests a report of this many bytes and moves it to a path.
   * @param rate bytes per second of a simulated connection; if absent, as fast as possible.
   * @returns what was spent from when the report says that it is downloading until it is ready.
   */
  async run(bytes: number, path: string, rate?: number): Promise<Spent> {
    this.size = bytes;
    this.spent = undefined as (() => Spent) | undefined;
    const request = {
      kind: 'full',
      title: 'Full report',
      body: { bytes, ...(rate !== undefined && { rate }) },
    } as const;
    const { done } = await this.reports.start(request);
    const report = await done;
    const spent = this.spent?.();
    if (spent === undefined || report.path === undefined) {
      throw new Error(`The report is ${report.state}.`);
    }
    renameSync(report.path, path);
    return spent;
  }

  dispose(): void {
    this.reports.dispose();
    this.client.dispose();
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ApiClient } from '../../src/api/client';
import { allFindings } from '../../src/api/paging/allFindings';
import { startDemoService } from '../../src/demo/demoService';
import { line, type Line, type Row } from '../line';

const service = 'securityScorecard';
const scorecardId = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';

/** What tasks cost of the hourly requests at SecurityScorecard's interface. */
export const serviceRequests: Row = {
  name: 'serviceRequests',
  work: "each task once, at a service with SecurityScorecard's interface",
  async measure() {
    let sent = 0;
    const demo = await startDemoService({ service, generationMs: 0, onRequest: () => (sent += 1) });
    const api = new ApiClient({
      baseUrl: demo.baseUrl,
      service,
      apiKey: () => demo.apiKey,
      requestsPerHour: 5000,
      requestTimeoutMs: 30_000,
    });
    const lines: Line[] = [];
    const measure = async (what: string, fewest: number, task: () => Promise<unknown>) => {
      sent = 0;
      await task();
      const figures = {
        ours: sent,
        unit: 'requests',
        peer: 'fewest possible',
        theirs: fewest,
      } as const;
      lines.push(
        line(
          { row: this.name, what, ...figures, aim: 'the fewest' },
          (ours, theirs) => ours <= theirs,
        ),
      );
    };
    try {
      await measure('verify a key', 1, () => api.verifyKey(undefined));
      await measure('score, counts and severities of a company', 2, async () =>
        api.companies?.summary(scorecardId),
      );
      await measure('load 2,036 findings in pages of 500', 5, loadAll);
      await measure('an issues report that is made at once, with its redirect', 4, loadReport);
    } finally {
      api.dispose();
      await demo.close();
    }
    return lines;

    async function loadAll(): Promise<void> {
      const query = { scorecardId, issueType: 'tls_weak_protocol', offset: 0, limit: 500 };
      for await (const page of allFindings(api, query)) {
        void page;
      }
    }

    async function loadReport(): Promise<void> {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-'));
      try {
        const body = { scorecard_identifier: scorecardId, format: 'csv' };
        const receipt = await api.requestReport('issues', body);
        const answer =
          receipt.type === 'record' ? await api.fetchReport(receipt.reportUrl) : receipt;
        if (answer.type !== 'file') {
          throw new Error(`The report is ${answer.type}.`);
        }
        await answer.file.saveTo(path.join(folder, 'report.csv'));
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
  },
};

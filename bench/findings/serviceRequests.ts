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
  name: 'per task',
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
      await measure('score, counts and severities of a company', 1, async () =>
        api.companies?.summary(scorecardId),
      );
      await measure('add two companies of a portfolio, with the same', 4, addCompanies);
      await measure('load 2,036 findings in pages of 500', 5, loadAll);
      await measure('an issues report that is made at once, with its redirect', 4, () =>
        loadReports(1),
      );
      // Each is requested, and loaded with its redirect; all are found in one list.
      await measure('ten of them, requested together', 31, () => loadReports(10));
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

    async function addCompanies(): Promise<void> {
      const { companies } = api;
      const portfolios = (await companies?.portfolios()) ?? [];
      const listed = (await companies?.ofPortfolio(portfolios[1]?.id ?? '')) ?? [];
      for (const { domain } of listed.slice(0, 2)) {
        await companies?.summary(domain);
      }
    }

    async function loadReports(count: number): Promise<void> {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-'));
      try {
        const body = { scorecard_identifier: scorecardId, format: 'csv' };
        const receipts = [];
        for (let number = 0; number < count; number += 1) {
          receipts.push(await api.requestReport('issues', body));
        }
        const answers = await Promise.all(
          receipts.map((receipt) =>
            receipt.type === 'record'
              ? api.fetchReport(receipt.reportUrl)
              : Promise.resolve(receipt),
          ),
        );
        for (const [number, answer] of answers.entries()) {
          if (answer.type !== 'file') {
            throw new Error(`The report is ${answer.type}.`);
          }
          await answer.file.saveTo(path.join(folder, `${number}.csv`));
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
  },
};

import { ApiClient } from '../src/api/client';
import { Exporter } from '../src/model/export/exporter';
import type { ExportFormat } from '../src/model/export/exportFormat';
import { peakMb, runChild, settledMb, tell } from './child';
import { time } from './measure';

/** What one export came to. */
export interface ExportFigures {
  readonly milliseconds: number;
  readonly count: number;
  /** By how much resident memory grew at its highest. */
  readonly growthMb: number;
}

/*
 * One export in a process of its own, so that its memory is its own:
 * `exportChild.js URL KEY SCORECARD ISSUE_TYPE PAGE_SIZE FORMAT PATH`.
 */
runChild(async ([baseUrl = '', apiKey = '', scorecardId = '', issueType = '', ...rest]) => {
  const [pageSize, format, path = ''] = rest;
  const client = new ApiClient({
    baseUrl,
    apiKey: () => apiKey,
    requestsPerHour: 5000,
    requestTimeoutMs: 30_000,
  });
  const before = settledMb();
  let count = 0;
  const milliseconds = await time(async () => {
    const result = await new Exporter().exportAll({
      api: client,
      query: { accountId: baseUrl, scorecardId, issueType, body: {}, secretValues: 'masked' },
      pageSize: Number(pageSize),
      target: { path, format: format as ExportFormat, replace: false },
    });
    count = result.count;
  });
  client.dispose();
  tell({ milliseconds, count, growthMb: peakMb() - before } satisfies ExportFigures);
});

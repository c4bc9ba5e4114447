import { rmSync } from 'node:fs';
import { ApiClient } from '../../src/api/client';
import { Exporter } from '../../src/service/export/exporter';
import type { ExportFormat } from '../../src/base/exportFormats';
import { residentMb, runChild, settledMb, sendResult } from '../child';
import { time } from '../measure';

/** The result of one export. */
export interface ExportFigures {
  readonly milliseconds: number;
  readonly count: number;
  /** The largest growth of resident memory. */
  readonly growthMb: number;
}

/** How often resident memory is measured, in milliseconds. */
const sampleEveryMs = 5;

/*
 * An export in a separate process, to measure its memory alone, after another one to warm up: in an extension
 * host, V8 has already allocated the memory that it needs for itself.
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
  const exportAll = () =>
    new Exporter().exportAll({
      api: client,
      query: { accountId: baseUrl, scorecardId, issueType, body: {}, secretValues: 'masked' },
      pageSize: Number(pageSize),
      target: { path, format: format as ExportFormat, replace: false },
    });
  await exportAll();
  rmSync(path);
  const before = settledMb();
  let highest = before;
  const looking = setInterval(() => {
    highest = Math.max(highest, residentMb());
  }, sampleEveryMs);
  let count = 0;
  const milliseconds = await time(async () => {
    ({ count } = await exportAll());
  });
  clearInterval(looking);
  client.dispose();
  sendResult({ milliseconds, count, growthMb: highest - before } satisfies ExportFigures);
});

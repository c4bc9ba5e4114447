import { rmSync } from 'node:fs';
import { ApiClient } from '../../src/api/client';
import { Exporter } from '../../src/export/exporter';
import type { ExportFormat } from '../../src/base/exportFormats';
import { residentMb, runChild, settledMb, tell } from '../child';
import { time } from '../measure';

/** What one export came to. */
export interface ExportFigures {
  readonly milliseconds: number;
  readonly count: number;
  /** By how much resident memory grew at its highest. */
  readonly growthMb: number;
}

/** So often resident memory is looked at, in milliseconds. */
const lookEveryMs = 5;

/*
 * An export in a process of its own, so that its memory is its own, after one to warm up: an extension
 * host has long had the room that V8 takes for itself while it works.
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
  }, lookEveryMs);
  let count = 0;
  const milliseconds = await time(async () => {
    ({ count } = await exportAll());
  });
  clearInterval(looking);
  client.dispose();
  tell({ milliseconds, count, growthMb: highest - before } satisfies ExportFigures);
});

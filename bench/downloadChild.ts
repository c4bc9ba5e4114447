import { ApiClient } from '../src/api/client';
import { peakMb, runChild, settledMb, tell } from './child';
import { time } from './measure';

/** What one download came to. */
export interface DownloadResult {
  readonly milliseconds: number;
  readonly bytes: number;
  /** By how much resident memory grew at its highest. */
  readonly growthMb: number;
}

/* One download in a process of its own, so that its memory is its own: `downloadChild.js URL PATH`. */
runChild(async ([baseUrl = '', path = '']) => {
  const client = new ApiClient({
    baseUrl,
    apiKey: () => 'key',
    requestsPerHour: 5000,
    requestTimeoutMs: 30_000,
  });
  const before = settledMb();
  let bytes = 0;
  const milliseconds = await time(async () => {
    const answer = await client.fetchReport('/report.csv');
    if (answer.type !== 'file') {
      throw new Error(`The report is ${answer.type}.`);
    }
    bytes = await answer.file.saveTo(path);
  });
  client.dispose();
  tell({ milliseconds, bytes, growthMb: peakMb() - before } satisfies DownloadResult);
});

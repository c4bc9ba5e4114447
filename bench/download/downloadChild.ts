import { dirname } from 'node:path';
import { ApiClient } from '../../src/api/client';
import { claimMemory, runChild } from '../child';
import { time } from '../measure';
import { measureDownload } from './measuredDownload';

/*
 * One download in a separate process, to measure its memory alone:
 * `downloadChild.js time|memory ADDRESS BYTES PATH`.
 */
runChild(async ([measured, baseUrl = '', bytes = '', path = '']) => {
  const client = new ApiClient({
    baseUrl,
    apiKey: () => 'key',
    requestsPerHour: 5000,
    requestTimeoutMs: 30_000,
  });
  await measureDownload(measured, bytes, path, async (size) => {
    claimMemory(dirname(path), size);
    return time(async () => {
      const answer = await client.fetchReport(`/${size}.csv`);
      if (answer.type !== 'file') {
        throw new Error(`The report is ${answer.type}.`);
      }
      await answer.file.saveTo(path);
    });
  });
  client.dispose();
});

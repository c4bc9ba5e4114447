import { runChild } from '../child';
import { measureDownload } from './measuredDownload';
import { ReportJobs } from './reportJobs';

/*
 * A report in a separate process: `reportJobChild.js time|memory ADDRESS FOLDER BYTES PATH`.
 */
runChild(async ([measured, baseUrl = '', folder = '', bytes = '', path = '']) => {
  const jobs = new ReportJobs(baseUrl, folder);
  await measureDownload(measured, bytes, path, async (size) => {
    const { milliseconds } = await jobs.run(size, path);
    return milliseconds;
  });
  jobs.dispose();
});

import assert from 'node:assert/strict';
import { silentLogger } from '../../../../src/base/logger';
import { sendJson } from '../../../helpers/testServer';
import { fullReport, rejection, ReportHarness } from './harness';

describe('The log of a report', () => {
  let bench: ReportHarness;
  let lines: string[];
  const logger = {
    ...silentLogger,
    info: (line: string) => lines.push(`info ${line}`),
    warn: (line: string) => lines.push(`warn ${line}`),
  };

  beforeEach(async () => {
    lines = [];
    bench = new ReportHarness();
    await bench.start();
  });
  afterEach(() => bench.cleanup.run());

  it('The log of a report has one line for each step', async () => {
    const window = bench.window({ logger });
    const { report, done } = await window.reports.start(fullReport);
    await bench.run(done);
    assert.deepEqual(
      lines,
      ['requested', 'generating', 'downloading', 'ready, 9 bytes'].map(
        (step) => `info Report ${report.id} (full): ${step}`,
      ),
    );
  });

  it('The log of a report has the cause of a failure, but no text of the service', async () => {
    bench.onPoll = (response) => {
      sendJson(response, 403, { error: { message: 'Not for Mary' } });
    };
    const window = bench.window({ logger });
    const { report, done } = await window.reports.start(fullReport);
    await bench.run(rejection(done));
    assert.ok(
      lines.includes(
        `warn Report ${report.id} failed: ForbiddenError, status 403, GET {report_url}, attempts 1`,
      ),
      lines.join('\n'),
    );
    // A status of the service may be any text.
    assert.ok(!lines.join().includes('Mary'));
    assert.equal(lines.at(-1), `info Report ${report.id} (full): failed`);
  });
});

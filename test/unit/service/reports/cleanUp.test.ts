import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { cleanUpCandidates, sizedReports } from '../../../../src/service/reports/cleanUp';
import type { StoredReport } from '../../../../src/service/reports/storedReport';
import { storedReport } from '../../../helpers/storedReport';
import { Cleanup } from '../findings/support';

const day = 24 * 3_600_000;
const now = Date.parse('2026-03-30T12:00:00.000Z');

/** A report that ended a number of days ago. */
function report(id: string, days: number, changes: Partial<StoredReport> = {}): StoredReport {
  const time = new Date(now - days * day).toISOString();
  return storedReport({ id, bytes: 100, requestedAt: time, finishedAt: time, ...changes });
}

const sized = (each: StoredReport) => ({ report: each, bytes: each.bytes ?? 0 });

describe('A clean-up', () => {
  const offered = (reports: StoredReport[], maxTotalBytes: number, maxDays: number) =>
    cleanUpCandidates(reports.map(sized), { maxTotalBytes, maxAgeMs: maxDays * day }, now).map(
      ({ report: { id }, reason }) => `${id} ${reason}`,
    );
  const three = [report('new', 1), report('middle', 5), report('old', 10)];

  it('A clean-up offers nothing without limits or within them', () => {
    assert.deepEqual(offered(three, 0, 0), []);
    assert.deepEqual(offered(three, 300, 10), []);
    assert.deepEqual(offered([], 1, 1), []);
  });

  it('A clean-up offers the reports that are older than the age limit', () => {
    assert.deepEqual(offered(three, 0, 4), ['old age', 'middle age']);
  });

  it('A clean-up offers the oldest reports until the rest fits the size limit', () => {
    assert.deepEqual(offered(three, 299, 0), ['old size']);
    assert.deepEqual(offered(three, 1, 0), ['old size', 'middle size', 'new size']);
    assert.deepEqual(offered(three, 150, 7), ['old age', 'middle size']);
  });

  it('A clean-up offers a report without bytes only when it is too old', () => {
    const failed = report('failed', 20, { state: 'failed', bytes: 0 });
    assert.deepEqual(offered([...three, failed], 250, 0), ['old size']);
    assert.deepEqual(offered([...three, failed], 0, 15), ['failed age']);
  });

  it('A clean-up never offers a running report, but counts its bytes', () => {
    const running = report('running', 90, { state: 'downloading' });
    assert.deepEqual(offered([running], 1, 1), []);
    assert.deepEqual(offered([...three, running], 300, 0), ['old size']);
  });
});

describe('The size of a report', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('The size of a report is the sum of its file, its unpacked copies and its partial download', async () => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), 'bytes-'));
    cleanup.add(() => {
      fs.rmSync(root, { recursive: true });
    });
    const put = (name: string, bytes: number) => {
      const file = path.join(root, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, Buffer.alloc(bytes));
      return file;
    };
    put('packed/unpacked/r.csv', 100);
    put('packed/unpacked/.DS_Store', 20);
    put('out/s.csv.3.part', 7);
    put('out/s.csv.mine', 1_000);
    const sized = await sizedReports(
      [
        storedReport({ id: 'packed', path: put('out/r.csv.gz', 5), bytes: 5 }),
        storedReport({ id: 'gone', path: path.join(root, 'out', 'gone.csv'), bytes: 1_000 }),
        storedReport({
          id: 'failed',
          state: 'failed',
          downloadPath: path.join(root, 'out', 's.csv'),
        }),
        storedReport({ id: 'none', state: 'cancelled' }),
      ],
      (id) => path.join(root, id),
    );
    assert.deepEqual(
      sized.map(({ report: { id }, bytes }) => [id, bytes]),
      [
        ['packed', 125],
        ['gone', 0],
        ['failed', 7],
        ['none', 0],
      ],
    );
  });
});

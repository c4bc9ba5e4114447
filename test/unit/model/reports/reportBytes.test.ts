import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { sizedReports } from '../../../../src/model/reports/reportBytes';
import type { StoredReport } from '../../../../src/model/reports/reportRecord';
import { Cleanup } from '../support';

describe('The bytes of reports', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('are those of their files, of what was unpacked, and of parts that are kept', async () => {
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
    const report = (id: string, changes: Partial<StoredReport>): StoredReport => ({
      ...{ schemaVersion: 2, epoch: 1, id, kind: 'full', title: id, state: 'ready' },
      ...{ origin: 'https://x.example', accountId: 'https://x.example' },
      requestedAt: '2026-01-31T08:00:00.000Z',
      ...changes,
    });
    put('packed/unpacked/5-7/r.csv', 100);
    put('packed/unpacked/.draft/r.csv', 20);
    put('out/s.csv.3.part', 7);
    put('out/s.csv.mine', 1_000);
    const sized = await sizedReports(
      [
        report('packed', { path: put('out/r.csv.gz', 5), bytes: 5 }),
        report('gone', { path: path.join(root, 'out', 'gone.csv'), bytes: 1_000 }),
        report('failed', { state: 'failed', downloadPath: path.join(root, 'out', 's.csv') }),
        report('none', { state: 'cancelled' }),
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

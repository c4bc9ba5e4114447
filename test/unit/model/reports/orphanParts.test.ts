import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { removeOrphanParts } from '../../../../src/model/reports/orphanParts';
import type { StoredReport } from '../../../../src/model/reports/reportRecord';
import { Cleanup } from '../support';

describe('Orphaned parts', () => {
  const cleanup = new Cleanup();
  let own: string;
  let chosen: string;

  beforeEach(() => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), 'parts-'));
    [own, chosen] = [path.join(root, 'own'), path.join(root, 'chosen')];
    for (const folder of [own, chosen]) {
      fs.mkdirSync(folder);
      for (const name of ['r.csv', 'r.csv.1.part', 'r.csv.12.part', 'r (2).csv.3.part']) {
        fs.writeFileSync(path.join(folder, name), name);
      }
    }
    // Of somebody else: it has no turn.
    fs.writeFileSync(path.join(chosen, 'r.csv.part'), '');
    fs.writeFileSync(path.join(chosen, 'r.csv.mine.part'), '');
    cleanup.add(() => {
      fs.rmSync(root, { recursive: true });
    });
  });
  afterEach(() => cleanup.run());

  function report(changes: Partial<StoredReport>): StoredReport {
    return {
      ...{ schemaVersion: 2, epoch: 1, id: 'x', kind: 'full', title: 'x', state: 'ready' },
      ...{ origin: 'https://x.example', accountId: 'https://x.example' },
      requestedAt: '2026-01-31T08:00:00.000Z',
      ...changes,
    };
  }
  const left = (folder: string) => fs.readdirSync(folder).sort();
  const all = ['r (2).csv.3.part', 'r.csv', 'r.csv.1.part', 'r.csv.12.part'];

  it('go from the folder of a report that is ready, and from beside its file', () => {
    removeOrphanParts(report({ path: path.join(chosen, 'r.csv') }), own);
    assert.deepEqual(left(own), ['r.csv']);
    assert.deepEqual(left(chosen), ['r (2).csv.3.part', 'r.csv', 'r.csv.mine.part', 'r.csv.part']);
  });

  it('stay where a retry goes on from them', () => {
    const failed = report({ state: 'failed', downloadPath: path.join(own, 'r.csv') });
    removeOrphanParts(failed, own);
    assert.deepEqual(left(own), ['r.csv', 'r.csv.1.part', 'r.csv.12.part']);
  });

  it('are none while the report is on its way', () => {
    removeOrphanParts(report({ state: 'downloading' }), own);
    assert.deepEqual(left(own), all);
  });

  it('are none where there is no folder', () => {
    removeOrphanParts(report({ path: path.join(own, 'gone', 'r.csv') }), path.join(own, 'gone'));
    assert.deepEqual(left(own), all);
  });
});

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { belongsToReport, orphanParts } from '../../../src/reports/reportParts';
import type { StoredReport } from '../../../src/reports/reportRecord';
import { storedReport } from '../../helpers/storedReport';
import { Cleanup } from '../findings/support';

describe('Orphaned parts', () => {
  const cleanup = new Cleanup();
  let root: string;
  let own: string;
  let chosen: string;

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'parts-'));
    [own, chosen] = [path.join(root, 'own'), path.join(root, 'chosen')];
    for (const folder of [own, chosen]) {
      fs.mkdirSync(folder);
      for (const name of ['r.csv', 'r.csv.1.part', 'r.csv.12.part', 'r (2).csv.3.part']) {
        fs.writeFileSync(path.join(folder, name), name);
      }
    }
    cleanup.add(() => {
      fs.rmSync(root, { recursive: true });
    });
  });
  afterEach(() => cleanup.run());

  const names = async (changes: Partial<StoredReport>, folder = own) =>
    (await orphanParts(storedReport(changes), folder))
      .map((file) => path.relative(root, file))
      .sort();

  it('are the numbered parts of the file of a ready report in its own folder', async () => {
    for (const name of ['r.csv.part', 'export.part', 'r.csv.mine.part']) {
      fs.writeFileSync(path.join(own, name), '');
    }
    const parts = ['own/r.csv.1.part', 'own/r.csv.12.part'];
    assert.deepEqual(await names({ path: path.join(own, 'r.csv') }), parts);
    assert.deepEqual(await names({ path: path.join(own, 'export.part') }), []);
  });

  it('in a folder of the user are only hard links to the report file', async () => {
    const file = path.join(chosen, 'r.csv');
    const parts = ['own/r.csv.1.part', 'own/r.csv.12.part'];
    assert.deepEqual(await names({ path: file }), parts);
    fs.linkSync(file, path.join(chosen, 'r.csv.7.part'));
    fs.linkSync(file, path.join(chosen, 'r.csv.mine.part'));
    assert.deepEqual(await names({ path: file }), ['chosen/r.csv.7.part', ...parts]);
    fs.rmSync(file);
    assert.deepEqual(await names({ path: file }), parts, 'nor once the file was moved away');
  });

  it('do not exist for a report that is not ready', async () => {
    assert.deepEqual(await names({ state: 'downloading', path: path.join(own, 'r.csv') }), []);
    assert.deepEqual(await names({ state: 'failed', downloadPath: path.join(own, 'r.csv') }), []);
    assert.deepEqual(await names({ state: 'cancelled' }), []);
  });

  it('do not exist when the folder is missing', async () => {
    const gone = path.join(own, 'gone');
    assert.deepEqual(await names({ path: path.join(gone, 'r.csv') }, gone), []);
  });

  it('exclude files that a record names and parts of unfinished downloads', () => {
    const part = path.join(chosen, 'r.csv.7.part');
    const belongs = (changes: Partial<StoredReport>) =>
      belongsToReport(part, [storedReport(changes)]);
    assert.ok(belongs({ state: 'downloading', downloadPath: path.join(chosen, 'r.csv') }));
    assert.ok(belongs({ state: 'failed', downloadPath: path.join(chosen, 'r.csv') }));
    assert.ok(belongs({ path: part }));
    assert.ok(belongs({ state: 'downloading', downloadPath: part }));
    assert.ok(!belongs({ path: path.join(chosen, 'r.csv') }));
    assert.ok(!belongs({ downloadPath: path.join(own, 'r.csv') }));
    assert.ok(!belongs({ downloadPath: path.join(chosen, 'r') }));
  });
});

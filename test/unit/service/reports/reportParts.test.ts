import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { adoptPart, belongsToReport, findParts } from '../../../../src/service/reports/reportParts';
import type { StoredReport } from '../../../../src/service/reports/storedReport';
import { storedReport } from '../../../helpers/storedReport';

describe('The files of reports', () => {
  it('The files of reports are those that a state file names, and the parts of unfinished downloads', () => {
    const part = path.join('/chosen', 'r.csv.7.part');
    const belongs = (changes: Partial<StoredReport>) =>
      belongsToReport(part, [storedReport(changes)]);
    assert.ok(belongs({ state: 'downloading', downloadPath: path.join('/chosen', 'r.csv') }));
    assert.ok(belongs({ state: 'failed', downloadPath: path.join('/chosen', 'r.csv') }));
    assert.ok(belongs({ path: part }));
    assert.ok(belongs({ state: 'downloading', downloadPath: part }));
    assert.ok(!belongs({ path: path.join('/chosen', 'r.csv') }));
    assert.ok(!belongs({ downloadPath: path.join('/own', 'r.csv') }));
    assert.ok(!belongs({ downloadPath: path.join('/chosen', 'r') }));
  });

  it('The files of reports go to one of two windows that take over at the same moment, and the other one does not fail', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'report-parts-'));
    try {
      const download = path.join(folder, 'r.csv');
      fs.writeFileSync(`${download}.1.part`, 'part');
      await Promise.all(Array.from({ length: 20 }, (_, at) => adoptPart(download, at + 2)));
      assert.equal((await findParts(download)).length, 1);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});

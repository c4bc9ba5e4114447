import assert from 'node:assert/strict';
import * as path from 'node:path';
import { belongsToReport } from '../../../src/reports/reportParts';
import type { StoredReport } from '../../../src/reports/reportRecord';
import { storedReport } from '../../helpers/storedReport';

describe('The files of reports', () => {
  it('are those that a record names, and the parts of unfinished downloads', () => {
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
});

import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { silentLogger } from '../../../src/base/logger';
import { ReportStore } from '../../../src/service/reports/reportStore';
import { storedFileUri } from '../../../src/workbench/storedFiles';
import { storedReport } from '../../helpers/storedReport';
import { isolate } from '../helpers';
import { until } from '../until';
import { knownIssuesIn } from '../viewer/table/knownTables';
import { reportTables } from './reportTables';
import { severityLevels } from '../../../src/vocabulary/severity';
import * as path from 'node:path';

describe('The severities of a full report that opens as a table', () => {
  isolate({ settings: { 'reports.openAs': 'table' } });
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'reports-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('The severities of a full report that opens as a table are stored for the Findings view', async () => {
    const stored: unknown[] = [];
    const store = new ReportStore(path.join(folder, 'reports'), silentLogger);
    const tables = reportTables(store, path.join(folder, 'tables'), ({ positions }) => {
      stored.push(positions);
    });
    const draft = path.join(folder, 'draft');
    writeFileSync(draft, '{"issue_type":"open_port","severity":"high"}\n'.repeat(3));
    const file = path.join(store.fileFolderOf('one'), 'full-report.ndjson');
    await store.create(storedReport({ id: 'one', path: file }), { file: draft });
    const document = tables.open(storedFileUri(file), { onClosed: () => undefined });
    await document.open();
    await until('they are stored', () => stored.length === 1);
    assert.deepEqual(stored, [{ open_port: severityLevels.indexOf('high') }]);
    document.dispose();
    tables.dispose();
  });

  it('The severities of a full report that opens as a table are stored again when findings are marked as known, once for all that follow each other', async () => {
    const stored: unknown[] = [];
    const store = new ReportStore(path.join(folder, 'reports'), silentLogger);
    const tablesFolder = path.join(folder, 'tables');
    const known = knownIssuesIn(tablesFolder);
    const keep = ({ positions }: { readonly positions: unknown }) => {
      stored.push(positions);
    };
    const tables = reportTables(store, tablesFolder, keep, known);
    const draft = path.join(folder, 'draft');
    const lines = ['high', 'medium', 'low'].map((severity, at) =>
      JSON.stringify({ issue_id: `F-${at}`, issue_type: 'open_port', severity }),
    );
    writeFileSync(draft, `${lines.join('\n')}\n`);
    const file = path.join(store.fileFolderOf('one'), 'full-report.ndjson');
    await store.create(storedReport({ id: 'one', path: file }), { file: draft });
    const document = tables.open(storedFileUri(file), { onClosed: () => undefined });
    await document.open();
    await until('they are stored', () => stored.length === 1);
    await known.mark([{ id: 'F-0', reason: 'notOurs' }]);
    await document.refreshKnown();
    await known.mark([{ id: 'F-1', reason: 'notOurs' }]);
    await document.refreshKnown();
    await until('they are stored again', () => stored.length > 1);
    assert.deepEqual(stored[1], { open_port: severityLevels.indexOf('low') });
    document.dispose();
    tables.dispose();
  });
});

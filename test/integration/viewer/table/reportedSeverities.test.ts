import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { silentLogger } from '../../../../src/base/logger';
import { Exporter } from '../../../../src/service/export/exporter';
import type { Scorecards } from '../../../../src/service/findings/scorecards';
import type { IssueTypeMeanings } from '../../../../src/service/findings/ui/issueTypeMeanings';
import { ReportStore } from '../../../../src/service/reports/reportStore';
import { UnpackedReports } from '../../../../src/service/reports/unpackedReports';
import { ReportTables } from '../../../../src/viewer/table/ui/tables';
import { storedFileUri } from '../../../../src/workbench/storedFiles';
import { storedReport } from '../../../helpers/storedReport';
import { isolate } from '../../helpers';
import { until } from '../../until';
import { severityLevels } from '../../../../src/vocabulary/severity';

describe('The severities of a full report that opens as a table', () => {
  isolate({ settings: { 'reports.openAs': 'table' } });
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'reports-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('are stored for the Findings view', async () => {
    const stored: unknown[] = [];
    const store = new ReportStore(path.join(folder, 'reports'), silentLogger);
    const tables = new ReportTables({
      bundles: vscode.Uri.file(path.resolve(__dirname, '../../../../dist')),
      folder: path.join(folder, 'tables'),
      log: silentLogger,
      exporter: new Exporter(),
      reports: { all: () => store.list(), load: () => store.readAhead(), resume: () => undefined },
      unpacked: new UnpackedReports(store),
      fileInfo: () => undefined,
      reported: {
        store: ({ positions }) => {
          stored.push(positions);
        },
      },
      scorecards: { list: () => [], find: () => undefined } as unknown as Scorecards,
      meanings: { of: () => Promise.resolve(undefined) } as unknown as IssueTypeMeanings,
    });
    const draft = path.join(folder, 'draft');
    writeFileSync(draft, '{"issue_type":"open_port","severity":"high"}\n'.repeat(3));
    const file = path.join(store.fileFolderOf('one'), 'full-report.ndjson');
    store.create(storedReport({ id: 'one', path: file }), { file: draft });
    const document = tables.open(storedFileUri(file), { onClosed: () => undefined });
    await document.open();
    await until('they are stored', () => stored.length === 1);
    assert.deepEqual(stored, [{ open_port: severityLevels.indexOf('high') }]);
    document.dispose();
    tables.dispose();
  });
});

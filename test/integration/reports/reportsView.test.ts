import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Emitter } from '../../../src/base/events/emitter';
import type { ReportState, StoredReport } from '../../../src/reports/reportRecord';
import type { Reports } from '../../../src/reports/reports';
import { registerReportsView } from '../../../src/reports/ui/reportsView';
import type { TreeNode } from '../../../src/workbench/views';
import { storedReport } from '../../helpers/storedReport';

describe('The Reports view', () => {
  const disposables: { dispose(): unknown }[] = [];

  afterEach(() => {
    disposables.splice(0).forEach((item) => item.dispose());
  });

  // While the list is read again, VS Code does not know the row that a user has just clicked.
  it('redraws only the row of a report that is not finished', async () => {
    const changed = new Emitter<StoredReport | undefined>();
    let report: StoredReport;
    const become = (state: ReportState): StoredReport => {
      report = storedReport({ state });
      return report;
    };
    become('requested');
    const reports = {
      onDidChange: changed.event,
      list: () => [report],
      all: () => [report],
      load: () => Promise.resolve(),
      unreadable: [],
      unseen: () => [],
      markSeen: () => undefined,
    } as unknown as Reports;
    const none = new Emitter<void>();
    let provider: vscode.TreeDataProvider<TreeNode> | undefined;
    const registry = {
      registerTree: (_: string, tree: vscode.TreeDataProvider<TreeNode>) => {
        provider = tree;
        return { visible: true, onDidChangeVisibility: none.event } as never;
      },
    };
    disposables.push(
      registerReportsView(registry, reports, { onDidChange: none.event } as never, () =>
        Promise.resolve(),
      ),
    );
    const redrawn: unknown[] = [];
    provider?.onDidChangeTreeData?.((rows) => redrawn.push(rows));
    const [row] = (await provider?.getChildren()) ?? [];
    assert.ok(row);
    for (const state of ['generating', 'downloading', 'ready'] as const) {
      changed.fire(become(state));
    }
    assert.deepEqual(redrawn, [row, row, undefined]);
  });
});

import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/events/emitter';
import type { StoredReport } from '../../../../src/service/reports/storedReport';
import type { Reports } from '../../../../src/service/reports/reports';
import { registerReportsView } from '../../../../src/service/reports/ui/reportsView';
import type { TreeNode } from '../../../../src/workbench/views';
import { storedReport } from '../../../helpers/storedReport';

describe('The Reports view', () => {
  const disposables: { dispose(): unknown }[] = [];

  afterEach(() => {
    disposables.splice(0).forEach((item) => item.dispose());
  });

  /** The view of a list of reports, newest first, as `list` is when it is read. */
  function viewOf(list: () => StoredReport[]) {
    const changed = new Emitter<StoredReport | undefined>();
    const reports = {
      onDidChange: changed.event,
      listShown: list,
      listOfAllAccounts: list,
      get: (id: string) => list().find((report) => report.id === id),
      load: () => Promise.resolve(),
      activity: () => undefined,
      isOfSignedIn: () => true,
      saveFailure: () => undefined,
      isRunningElsewhere: () => false,
      unreadable: [],
      unseen: () => [],
      markSeen: () => undefined,
    } as unknown as Reports;
    const none = new Emitter<void>();
    let tree: vscode.TreeDataProvider<TreeNode> | undefined;
    const registry = {
      registerTree: (_: string, provider: vscode.TreeDataProvider<TreeNode>) => {
        tree = provider;
        return { visible: true, onDidChangeVisibility: none.event } as never;
      },
    };
    disposables.push(
      registerReportsView(
        registry,
        reports,
        { onDidChange: none.event } as never,
        () => Promise.resolve(),
        {
          remarks: { of: () => undefined, onDidChange: none.event },
          extra: { rows: () => [], onDidChange: none.event },
        },
      ),
    );
    assert.ok(tree);
    return { tree, changed };
  }

  // While the list is read again, VS Code does not know the row that a user has just clicked.
  it('The Reports view redraws only the row of a report that is not finished', async () => {
    let report = storedReport({ state: 'requested' });
    const { tree, changed } = viewOf(() => [report]);
    const redrawn: unknown[] = [];
    tree.onDidChangeTreeData?.((rows) => redrawn.push(rows));
    const [row] = (await tree.getChildren()) ?? [];
    assert.ok(row);
    for (const state of ['generating', 'downloading', 'ready'] as const) {
      report = storedReport({ state });
      changed.fire(report);
    }
    assert.deepEqual(redrawn, [row, row, undefined]);
  });

  it('The Reports view has running reports first, in their order, then days, of which the newest is expanded', async () => {
    const ended = (id: string, day: number) =>
      storedReport({ id, finishedAt: `2026-01-${day}T12:00:00.000Z` });
    const { tree } = viewOf(() => [
      storedReport({ id: 'downloads', state: 'downloading' }),
      ended('new', 12),
      storedReport({ id: 'waits', state: 'requested' }),
      ended('old', 10),
      ended('also new', 12),
      storedReport({ id: 'generates', state: 'generating' }),
    ]);
    const rows = (await tree.getChildren()) ?? [];
    assert.deepEqual(
      rows.slice(0, 3).map(({ id }) => id),
      ['report:downloads', 'report:waits', 'report:generates'],
    );
    const items = rows.slice(3).map((row) => tree.getTreeItem(row) as vscode.TreeItem);
    // Collapsed is 1, expanded is 2.
    assert.deepEqual(
      items.map(({ description, collapsibleState }) => [description, collapsibleState]),
      [
        ['2', 2],
        ['1', 1],
      ],
    );
  });

  it('The Reports view draws reports whose state files have times and addresses that are none', async () => {
    const bad = { requestedAt: 'soon', origin: 'nowhere' };
    const reports = [
      storedReport({ id: 'good', finishedAt: '2026-01-12T12:00:00.000Z' }),
      storedReport({ id: 'ended', finishedAt: 'never', ...bad }),
      storedReport({ id: 'failed', state: 'failed', ...bad }),
      storedReport({ id: 'runs', state: 'generating', retriedAt: 'x', ...bad }),
    ];
    const { tree } = viewOf(() => reports);
    const rows = (await tree.getChildren()) ?? [];
    const inside = await Promise.all(rows.map(async (row) => (await tree.getChildren(row)) ?? []));
    const drawn = [...rows, ...inside.flat()].map(
      (row) => tree.getTreeItem(row) as vscode.TreeItem,
    );
    assert.deepEqual(
      drawn.flatMap(({ id }) => (id?.startsWith('report:') ? [id.slice(7)] : [])).sort(),
      reports.map(({ id }) => id).sort(),
    );
    const { tooltip } = drawn.find(({ id }) => id === 'report:ended') ?? {};
    assert.match((tooltip as vscode.MarkdownString).value, /soon.*nowhere/);
  });
});

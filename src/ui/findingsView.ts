import * as vscode from 'vscode';
import type { Disposable } from '../common/disposable';
import { viewIds } from '../contributions';
import type { Findings } from '../model/findings';
import type { FindingRow, FindingsList } from '../model/findingsList';
import type { Scorecards } from '../model/scorecards';
import type { Session } from '../model/session';
import { describeWait } from './describe';
import { findingItem, resolveFindingTooltip } from './findingItems';
import {
  EmptyListNode,
  FailureNode,
  FindingNode,
  IssueTypeNode,
  ListNode,
  LoadMoreNode,
  NoIssueTypesNode,
  ScorecardNode,
  SettingProblemNode,
  type TreeNode,
} from './nodes';
import { isUnreachable } from './viewState';

const { t } = vscode.l10n;

/** What the findings view shows. */
export interface FindingsViewDeps {
  session: Session;
  scorecards: Scorecards;
  findings: Findings;
}

/**
 * The tree scorecard > issue type > finding. It adapts the model: reading children may begin the
 * first page, and does so once; only Load More moves on.
 */
export class FindingsTree implements vscode.TreeDataProvider<TreeNode> {
  private readonly changed = new vscode.EventEmitter<TreeNode | undefined>();
  private readonly typeNodes = new WeakMap<FindingsList, IssueTypeNode>();
  private readonly findingNodes = new WeakMap<FindingRow, FindingNode>();
  /** Lists whose children VS Code is waiting for: a change event for them would break the view. */
  private readonly pending = new Map<FindingsList, number>();

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly deps: FindingsViewDeps) {}

  /** Draws the tree again from the model, all of it or one list. */
  update(list?: FindingsList): void {
    if (!list) {
      this.changed.fire(undefined);
    } else if (!this.pending.has(list)) {
      this.changed.fire(this.typeNode(list));
    }
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return findingItem(node, this.deps);
  }

  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    if (node instanceof FindingNode) {
      item.tooltip = resolveFindingTooltip(node);
    }
    return item;
  }

  getParent(node: TreeNode): TreeNode | undefined {
    if (node instanceof IssueTypeNode) {
      const scorecard = this.deps.scorecards.find(node.list.scorecardId);
      return scorecard && new ScorecardNode(scorecard);
    }
    if (node instanceof ListNode) {
      return this.typeNode(node.list);
    }
    return node instanceof NoIssueTypesNode ? new ScorecardNode(node.scorecard) : undefined;
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (!node) {
      return this.roots();
    }
    if (node instanceof ScorecardNode) {
      const { id, issueTypes } = node.scorecard;
      return issueTypes.length === 0
        ? [new NoIssueTypesNode(node.scorecard)]
        : issueTypes.map((type) => this.typeNode(this.deps.findings.list(id, type)));
    }
    return node instanceof IssueTypeNode ? this.rowsOf(node.list) : [];
  }

  /** The row of a finding, the same object each time. */
  findingNode(list: FindingsList, row: FindingRow): FindingNode {
    const known = this.findingNodes.get(row);
    const node = known ?? new FindingNode(list, row);
    this.findingNodes.set(row, node);
    return node;
  }

  /** The row of an issue type, the same object each time. */
  typeNode(list: FindingsList): IssueTypeNode {
    const known = this.typeNodes.get(list);
    const node = known ?? new IssueTypeNode(list);
    this.typeNodes.set(list, node);
    return node;
  }

  private roots(): TreeNode[] {
    const { session, scorecards } = this.deps;
    if (!session.signedIn || isUnreachable(this.deps)) {
      // The welcome view says what to do.
      return [];
    }
    return [
      ...scorecards.list().map((scorecard) => new ScorecardNode(scorecard)),
      ...scorecards.problems().map((problem) => new SettingProblemNode(problem)),
    ];
  }

  private async rowsOf(list: FindingsList): Promise<TreeNode[]> {
    if (!list.isLoaded && list.state.type !== 'failed') {
      this.pending.set(list, (this.pending.get(list) ?? 0) + 1);
      try {
        await list.loadFirst();
      } catch {
        // The list holds the failure, and the rows below show it.
      } finally {
        const left = (this.pending.get(list) ?? 1) - 1;
        if (left > 0) {
          this.pending.set(list, left);
        } else {
          this.pending.delete(list);
          // The issue type's own row tells how much is loaded now. Not before VS Code has the rows.
          setTimeout(() => {
            this.update(list);
          }, 0);
        }
      }
    }
    const rows: TreeNode[] = list.rows.map((row) => this.findingNode(list, row));
    if (list.state.type === 'failed') {
      rows.push(new FailureNode(list));
    } else if (list.isLoaded && list.result.hasMore) {
      rows.push(new LoadMoreNode(list));
    } else if (list.isLoaded && rows.length === 0) {
      rows.push(new EmptyListNode(list));
    }
    return rows;
  }
}

/** The findings view: the tree and what stands around it. */
export interface FindingsView extends Disposable {
  readonly tree: vscode.TreeView<TreeNode>;
  /** Puts the focus on a finding. */
  reveal(list: FindingsList, row: FindingRow): Promise<void>;
}

/** Registers the findings view and keeps it in step with the model. */
export function registerFindingsView(deps: FindingsViewDeps): FindingsView {
  const provider = new FindingsTree(deps);
  const tree = vscode.window.createTreeView(viewIds.findings, {
    treeDataProvider: provider,
    showCollapseAll: true,
  });
  const describe = () => {
    const { session } = deps;
    const account = session.signedIn?.account;
    tree.description = account
      ? account.isDemo
        ? t('(demo)')
        : new URL(account.baseUrl).host
      : '';
    tree.message = (account && (waitOf(deps.findings) ?? messageOf(deps))) ?? '';
  };
  const listeners = [
    deps.session.onDidChange(() => {
      describe();
      provider.update();
    }),
    deps.scorecards.onDidChange(() => {
      describe();
      provider.update();
    }),
    deps.findings.onDidChange((list) => {
      describe();
      provider.update(list);
    }),
  ];
  describe();
  return {
    tree,
    reveal: async (list, row) => {
      await tree.reveal(provider.findingNode(list, row), { select: true, focus: true });
    },
    dispose: () => {
      vscode.Disposable.from(...listeners, tree).dispose();
    },
  };
}

/** What a list waits for; a first page has no row yet that could tell it. */
function waitOf(findings: Findings): string | undefined {
  const waits = findings
    .active()
    .flatMap(({ state }) => (state.type === 'loading' && state.wait ? [state.wait] : []));
  const [first] = waits;
  return first && `${describeWait(first)}.`;
}

function messageOf({ session, scorecards }: FindingsViewDeps): string | undefined {
  switch (session.keyState) {
    case 'unchecked':
      // A message hides the welcome text of an empty view, which says the same and how to go on.
      return scorecards.list().length + scorecards.problems().length === 0
        ? undefined
        : t('The API key was not checked yet: it is tried with the first findings.');
    case 'refused':
      return t('The service refused the API key. Sign in again with a valid key.');
    case 'accepted':
    case 'unreachable':
      return undefined;
  }
}

import * as vscode from 'vscode';
import type { Disposable } from '../common/disposable';
import { viewIds } from '../contributions';
import type { Findings } from '../model/findings';
import { type FindingRow, FindingsList } from '../model/findingsList';
import type { Scorecards } from '../model/scorecards';
import type { Session } from '../model/session';
import type { Scorecard } from '../model/settings';
import { findingItem, findingTooltip, openCommand } from './findingItems';
import { waitOf } from './listItems';
import { ListTree } from './listTree';
import {
  ChangedNode,
  FindingNode,
  IssueTypeNode,
  listOf,
  LoadingAllNode,
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
 * The tree scorecard > issue type > finding. It adapts the model.
 */
export class FindingsTree extends ListTree<FindingsList, IssueTypeNode, FindingNode> {
  constructor(private readonly deps: FindingsViewDeps) {
    super({
      node: (list) => new IssueTypeNode(list),
      row: (list, row) => new FindingNode(list, row),
    });
  }

  override getTreeItem(node: TreeNode): vscode.TreeItem {
    return findingItem(node, this.deps);
  }

  override resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    if (node instanceof FindingNode) {
      item.command = openCommand(node, this.deps.session.signedIn?.account.id ?? '');
    }
    return super.resolveTreeItem(item, node);
  }

  protected override tooltipOf(node: TreeNode): vscode.MarkdownString | undefined {
    return node instanceof FindingNode ? findingTooltip(node) : undefined;
  }

  protected override noticesOf(list: FindingsList): TreeNode[] {
    return list.totalChange ? [new ChangedNode(list)] : [];
  }

  protected override progressOf(list: FindingsList): TreeNode {
    return new LoadingAllNode(list);
  }

  override getParent(node: TreeNode): TreeNode | undefined {
    if (node instanceof IssueTypeNode) {
      const scorecard = this.deps.scorecards.find(node.list.scorecardId);
      return scorecard && new ScorecardNode(scorecard);
    }
    const list = listOf(node, FindingsList);
    if (list) {
      return this.listNode(list);
    }
    return node instanceof NoIssueTypesNode ? new ScorecardNode(node.scorecard) : undefined;
  }

  override async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (!node) {
      return this.roots();
    }
    if (node instanceof ScorecardNode) {
      const { id, issueTypes } = node.scorecard;
      return issueTypes.length === 0
        ? [new NoIssueTypesNode(node.scorecard)]
        : issueTypes.map((type) => this.listNode(this.deps.findings.list(id, type)));
    }
    return node instanceof IssueTypeNode ? this.rowsOf(node.list) : [];
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
}

/** The findings view: the tree and what stands around it. */
export interface FindingsView extends Disposable {
  readonly tree: vscode.TreeView<TreeNode>;
  /** Puts the focus on a finding. */
  reveal(list: FindingsList, row: FindingRow): Promise<void>;
  /** Puts the focus on a scorecard and shows its issue types. */
  revealScorecard(scorecard: Scorecard): Promise<void>;
}

/** Registers the findings view and keeps it in step with the model. */
export function registerFindingsView(deps: FindingsViewDeps): FindingsView {
  const provider = new FindingsTree(deps);
  const tree = vscode.window.createTreeView(viewIds.findings, {
    treeDataProvider: provider,
    showCollapseAll: true,
    canSelectMany: true,
  });
  const describe = () => {
    const { session } = deps;
    const account = session.signedIn?.account;
    tree.description = account
      ? account.isDemo
        ? t('(demo)')
        : new URL(account.baseUrl).host
      : '';
    const message = (account && (waitOf(deps.findings.active()) ?? messageOf(deps))) ?? '';
    if (message !== tree.message) {
      // VS Code draws rows and message together once both are quiet: said for each page of a long
      // load, also the same message would hold the rows back until its end.
      tree.message = message;
    }
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
      await tree.reveal(provider.rowNode(list, row), { select: true, focus: true });
    },
    revealScorecard: async (scorecard) => {
      await tree.reveal(new ScorecardNode(scorecard), { select: true, focus: true, expand: true });
    },
    dispose: () => {
      vscode.Disposable.from(...listeners, tree, provider).dispose();
    },
  };
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

import * as vscode from 'vscode';
import type { Disposable } from '../common/disposable';
import { viewIds } from '../contributions';
import type { Findings } from '../model/findings';
import { type FindingRow, FindingsList } from '../model/findingsList';
import type { IssueCounts } from '../model/issueCounts';
import type { Scorecards } from '../model/scorecards';
import type { Session } from '../model/session';
import type { Scorecard } from '../model/settings';
import { findingItem, findingTooltip, loadedOf, openCommand } from './findingItems';
import { formatNumber } from './format';
import { waitOf } from './listItems';
import { ListTree } from './listTree';
import { showInformation } from './messages';
import {
  ChangedNode,
  FilterNode,
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
  counts: IssueCounts;
  /** Whether counts are loaded without being asked for. */
  showCounts(): boolean;
}

/**
 * The tree scorecard > issue type > finding. It adapts the model.
 */
export class FindingsTree extends ListTree<FindingsList, IssueTypeNode, FindingNode> {
  /** The rows of the scorecards as VS Code has them: it knows rows by the object. */
  private readonly scorecardNodes = new Map<string, ScorecardNode>();
  private readonly dueCounts = new Set<string>();

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

  protected override onDidArrive(): void {
    this.updateCounts();
  }

  protected override noticesOf(list: FindingsList): TreeNode[] {
    return [
      ...(list.totalChange ? [new ChangedNode(list)] : []),
      // Where there is nothing at all, that says more than that nothing matches.
      ...(list.isFiltered && (list.rows.length > 0 || list.result.hasMore)
        ? [new FilterNode(list)]
        : []),
    ];
  }

  protected override entriesOf(list: FindingsList): readonly FindingRow[] {
    return list.shownRows;
  }

  protected override progressOf(list: FindingsList): TreeNode {
    return new LoadingAllNode(list);
  }

  override getParent(node: TreeNode): TreeNode | undefined {
    if (node instanceof IssueTypeNode) {
      const scorecard = this.deps.scorecards.find(node.list.scorecardId);
      return scorecard && this.scorecardNode(scorecard);
    }
    const list = listOf(node, FindingsList);
    if (list) {
      return this.listNode(list);
    }
    return node instanceof NoIssueTypesNode ? this.scorecardNode(node.scorecard) : undefined;
  }

  override async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (!node) {
      return this.roots();
    }
    if (node instanceof ScorecardNode) {
      const { id, issueTypes } = node.scorecard;
      if (this.deps.showCounts()) {
        // Not waited for, and once in an hour, however often this is read.
        void this.deps.counts.loadQuietly(id, issueTypes);
      }
      return issueTypes.length === 0
        ? [new NoIssueTypesNode(node.scorecard)]
        : issueTypes.map((type) => this.listNode(this.deps.findings.list(id, type)));
    }
    return node instanceof IssueTypeNode ? this.rowsOf(node.list) : [];
  }

  /** The row of a scorecard, the same object until the scorecard is changed. */
  scorecardNode(scorecard: Scorecard): ScorecardNode {
    const known = this.scorecardNodes.get(scorecard.id);
    if (known && JSON.stringify(known.scorecard) === JSON.stringify(scorecard)) {
      return known;
    }
    const node = new ScorecardNode(scorecard);
    this.scorecardNodes.set(scorecard.id, node);
    return node;
  }

  /** Draws the counts of a scorecard, as soon as VS Code waits for none of its rows. */
  updateCounts(scorecardId?: string): void {
    if (scorecardId !== undefined) {
      this.dueCounts.add(scorecardId);
    }
    for (const id of this.dueCounts) {
      const node = this.scorecardNodes.get(id);
      const lists = node?.scorecard.issueTypes.map((type) => this.deps.findings.list(id, type));
      if (!lists?.some((list) => this.isPending(list))) {
        this.dueCounts.delete(id);
        this.redraw(node ? [node] : []);
      }
    }
  }

  private roots(): TreeNode[] {
    const { session, scorecards } = this.deps;
    if (!session.signedIn || isUnreachable(this.deps)) {
      // The welcome view says what to do.
      return [];
    }
    return [
      ...scorecards.list().map((scorecard) => this.scorecardNode(scorecard)),
      ...scorecards.problems().map((problem) => new SettingProblemNode(problem)),
    ];
  }
}

/** The findings view: the tree and what stands around it. */
export interface FindingsView extends Disposable {
  readonly tree: vscode.TreeView<TreeNode>;
  /** Puts the focus on a finding; where the filter hides it, says so. */
  reveal(list: FindingsList, row: FindingRow): Promise<void>;
  /** Shows what is below the row of a list; the focus stays where it is. */
  expand(list: FindingsList): Promise<void>;
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
    // The row that tells how far a Load All is may be out of sight.
    const all = deps.findings
      .active()
      .find(({ state }) => state.type === 'loading' && state.task === 'all');
    const host = account && (account.isDemo ? t('(demo)') : new URL(account.baseUrl).host);
    tree.description = [
      ...(host === undefined ? [] : [host]),
      ...(all ? [t('Loading all: {0}', loadedOf(all))] : []),
    ].join(' \u00b7 ');
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
    deps.counts.onDidChange((scorecardId) => {
      provider.updateCounts(scorecardId);
    }),
  ];
  describe();
  return {
    tree,
    reveal: async (list, row) => {
      if (!list.filter.shows(row)) {
        showInformation(
          t('Finding {0} does not match the filter of its list.', formatNumber(row.number)),
          [
            {
              title: t('Clear Filter'),
              command: 'scorecard.clearFilter',
              node: provider.listNode(list),
            },
          ],
        );
        return;
      }
      await tree.reveal(provider.rowNode(list, row), { select: true, focus: true });
    },
    expand: async (list) => {
      await tree.reveal(provider.listNode(list), { select: true, focus: false, expand: true });
    },
    revealScorecard: async (scorecard) => {
      await tree.reveal(provider.scorecardNode(scorecard), {
        select: true,
        focus: true,
        expand: true,
      });
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

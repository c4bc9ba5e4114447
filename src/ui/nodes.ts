import type { CollectionList } from '../model/collectionList';
import type { FindingsList } from '../model/findingsList';
import type { ListRow, PagedList } from '../model/pagedList';
import type { StoredReport } from '../model/reports/reportRecord';
import type { Scorecard, SettingProblem } from '../model/settings';

/**
 * A row of one of our trees. Commands that get an instance were called by a person on that row.
 * Nodes are light: what they show is drawn from the model when VS Code asks.
 */
export abstract class TreeNode {
  /** Unique in its tree, and the same after a reload. */
  abstract readonly id: string;
}

export class ScorecardNode extends TreeNode {
  readonly id: string;
  constructor(readonly scorecard: Scorecard) {
    super();
    this.id = `scorecard:${scorecard.id}`;
  }
}

/** Something that belongs to a list which is loaded page by page. */
export abstract class ListNode<L extends PagedList = PagedList> extends TreeNode {
  constructor(readonly list: L) {
    super();
  }
  protected idOf(kind: string, rest = ''): string {
    return `${kind}:${this.list.id}${rest}`;
  }
}

/** The list that a row belongs to, if it is one of this kind. */
export function listOf<L extends PagedList>(
  node: TreeNode | undefined,
  kind: abstract new (...args: never[]) => L,
): L | undefined {
  const list = node instanceof ListNode ? (node.list as PagedList) : undefined;
  return list instanceof kind ? list : undefined;
}

/** The list of the findings of one issue type of a scorecard. */
export class IssueTypeNode extends ListNode<FindingsList> {
  readonly id = this.idOf('issueType');
}

/** The list of the entries of a collection. */
export class CollectionNode extends ListNode<CollectionList> {
  readonly id = this.idOf('collection');
}

/** One entry of a list. */
export abstract class RowNode<L extends PagedList> extends ListNode<L> {
  readonly id: string;
  constructor(
    kind: string,
    list: L,
    readonly row: ListRow,
  ) {
    super(list);
    this.id = this.idOf(kind, `/${row.key}`);
  }
}

export class FindingNode extends RowNode<FindingsList> {
  constructor(list: FindingsList, row: ListRow) {
    super('finding', list, row);
  }
}

export class EntryNode extends RowNode<CollectionList> {
  constructor(list: CollectionList, row: ListRow) {
    super('entry', list, row);
  }
}

export class LoadMoreNode extends ListNode {
  readonly id = this.idOf('loadMore');
}

/** The list could not be loaded (further); with Retry. */
export class FailureNode extends ListNode {
  readonly id = this.idOf('failure');
}

/** The list has no entries. */
export class EmptyListNode extends ListNode {
  readonly id = this.idOf('empty');
}

/** The scorecard has no issue types yet. */
export class NoIssueTypesNode extends TreeNode {
  readonly id: string;
  constructor(readonly scorecard: Scorecard) {
    super();
    this.id = `noIssueTypes:${scorecard.id}`;
  }
}

export class SettingProblemNode extends TreeNode {
  readonly id: string;
  constructor(readonly problem: SettingProblem) {
    super();
    this.id = `problem:${problem.setting}`;
  }
}

export class ReportNode extends TreeNode {
  readonly id: string;
  constructor(public report: StoredReport) {
    super();
    this.id = `report:${report.id}`;
  }
}

import type { CollectionList } from '../model/collectionList';
import type { FindingsList } from '../model/findingsList';
import type { ListRow, LoadedList } from '../model/loadedList';
import type { ReportDay } from '../model/reports/reportDays';
import type { StoredReport } from '../model/reports/reportRecord';
import type { UnreadableReport } from '../model/reports/reportStore';
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
export abstract class ListNode<L extends LoadedList = LoadedList> extends TreeNode {
  constructor(readonly list: L) {
    super();
  }
  protected idOf(kind: string, rest = ''): string {
    return `${kind}:${this.list.id}${rest}`;
  }
}

/** The list that a row belongs to, if it is one of this kind. */
export function listOf<L extends LoadedList>(
  node: TreeNode | undefined,
  kind: abstract new (...args: never[]) => L,
): L | undefined {
  const list = node instanceof ListNode ? (node.list as LoadedList) : undefined;
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
export abstract class RowNode<L extends LoadedList> extends ListNode<L> {
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

/** A part of a list that is not loaded; pressed, it loads its next page. */
export class GapNode extends ListNode {
  readonly id: string;
  /** @param offset where the gap begins. */
  constructor(
    list: LoadedList,
    readonly offset: number,
    kind = 'gap',
  ) {
    super(list);
    this.id = this.idOf(kind, kind === 'loadMore' ? '' : `/${offset}`);
  }
}

/** The last gap: what is behind everything that is loaded. */
export class LoadMoreNode extends GapNode {
  constructor(list: LoadedList, offset: number) {
    super(list, offset, 'loadMore');
  }
}

/** A gap whose next page could not be loaded; with Retry. */
export class FailureNode extends GapNode {
  constructor(list: LoadedList, offset: number) {
    super(list, offset, 'failure');
  }
}

/** The list could not be refreshed; its old rows stay. With Retry. */
export class RefreshFailureNode extends ListNode {
  readonly id = this.idOf('refreshFailure');
}

/** The service counts other findings than before: what is loaded may not fit together. */
export class ChangedNode extends ListNode<FindingsList> {
  readonly id = this.idOf('changed');
}

/** Some rows of the list are hidden; says how many are shown. */
export class FilterNode extends ListNode<FindingsList> {
  readonly id = this.idOf('filter');
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

/** The reports that ended on one day. */
export class ReportDayNode extends TreeNode {
  readonly id: string;
  constructor(public day: ReportDay) {
    super();
    this.id = `day:${day.key}`;
  }
}

/** A report whose record cannot be read. */
export class UnreadableReportNode extends TreeNode {
  readonly id: string;
  constructor(readonly report: UnreadableReport) {
    super();
    this.id = `unreadable:${report.id}`;
  }
}

/** Why the reports on disk cannot be used. */
export class ReportsProblemNode extends TreeNode {
  readonly id = 'problem';
}

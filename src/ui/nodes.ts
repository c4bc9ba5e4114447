import type { FindingRow, FindingsList } from '../model/findingsList';
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

/** Something below a scorecard that belongs to the findings of one issue type. */
export abstract class ListNode extends TreeNode {
  constructor(readonly list: FindingsList) {
    super();
  }
  protected idOf(kind: string, rest = ''): string {
    return `${kind}:${this.list.scorecardId}/${this.list.issueType}${rest}`;
  }
}

export class IssueTypeNode extends ListNode {
  readonly id = this.idOf('issueType');
}

export class FindingNode extends ListNode {
  readonly id: string;
  constructor(
    list: FindingsList,
    readonly row: FindingRow,
  ) {
    super(list);
    this.id = this.idOf('finding', `/${row.key}`);
  }
}

export class LoadMoreNode extends ListNode {
  readonly id = this.idOf('loadMore');
}

/** The list could not be loaded (further); with Retry. */
export class FailureNode extends ListNode {
  readonly id = this.idOf('failure');
}

/** The list has no findings. */
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

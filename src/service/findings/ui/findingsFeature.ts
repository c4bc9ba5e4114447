import type { Session } from '../../account/session';
import type { ShownNames } from '../../../vocabulary/shownNames';
import type { KnownIssues } from '../../../known/knownIssues';
import type { KnownSnapshot } from '../../../known/knownSnapshot';
import type { TreeNode } from '../../../workbench/views';
import type { Findings } from '../findings';
import type { IssueCounts } from '../issueCounts';
import type { Scorecards } from '../scorecards';
import type { ReportSeverities } from '../severity';
import type { FindingDocuments } from './findingDocuments';
import type { IssueTypeMeanings } from './issueTypeMeanings';
import type { FindingsView } from './findingsView';

/** What a user may do with a list that is too large to be loaded. Errors are shown. */
export interface LargeListActions {
  /** @param list its row in the view */
  openTable(list: TreeNode): PromiseLike<unknown>;
  exportFindings(list: TreeNode): PromiseLike<unknown>;
  /** @param scorecard its row in the view; without one, the user is asked. */
  startFullReport(scorecard?: TreeNode): PromiseLike<unknown>;
}

/** What the findings offer to their commands and to the features above. */
export interface FindingsFeature {
  readonly session: Session;
  readonly scorecards: Scorecards;
  readonly findings: Findings;
  readonly counts: IssueCounts;
  readonly documents: FindingDocuments;
  readonly view: FindingsView;
  readonly meanings: IssueTypeMeanings;
  /** The severities from full reports. */
  readonly reported: ReportSeverities;
  readonly names: ShownNames;
  /** The decisions about findings, as last read. */
  readonly known: Pick<KnownSnapshot, 'find' | 'onChange' | 'version'>;
  readonly knownIssues: Pick<KnownIssues, 'noteTold'>;
  /** Loads again what other views of the service show: Refresh is about all of it. */
  readonly refreshOthers: () => Promise<void>;
  readonly largeLists: LargeListActions;
}

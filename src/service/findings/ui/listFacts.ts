import { defined } from '../../../base/defined';
import { severityLevels } from '../../../vocabulary/severity';
import type { WorstSeverity } from '../../../vocabulary/worstSeverity';
import type { FindingsList } from '../findingsList';
import type { ListFacts } from '../listMembers';
import type { FindingsFeature } from './findingsFeature';

type Known = Pick<FindingsFeature, 'counts' | 'reported' | 'scorecards'>;

/** What is known of all findings of a list, without a request. */
export function findListFacts(known: Known, list: FindingsList): ListFacts {
  const { scorecardId, issueType } = list;
  const worst = findSeverity(known, list);
  const name = known.scorecards.find(scorecardId)?.name;
  return {
    issueType,
    scorecardId,
    ...defined({
      severity: worst && severityLevels[worst.position],
      // One without a name is called by its ID.
      scorecardName: name === scorecardId ? undefined : name,
    }),
  };
}

/** The severity of an issue type, as the service says, or else the newest full report. */
export function findSeverity(
  { counts, reported }: Pick<Known, 'counts' | 'reported'>,
  { scorecardId, issueType }: FindingsList,
): WorstSeverity | undefined {
  return counts.severityOf(scorecardId, issueType) ?? reported.of(issueType, scorecardId);
}

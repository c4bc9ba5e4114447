import type { FindingsFeature } from '../service/findings/ui/findingsFeature';
import type { FindingNames } from '../viewer/table/ui/tableActions';

/** What tables show of the names and ratings that the service gives. */
export function createFindingNames(
  findings: Pick<FindingsFeature, 'scorecards' | 'counts' | 'meanings' | 'names' | 'session'>,
): FindingNames {
  const { scorecards, counts, meanings, names, session } = findings;
  return {
    names,
    scorecardNames: () =>
      Object.fromEntries(
        scorecards.list().flatMap(({ id }) => {
          const name = scorecards.nameOf(id);
          return name === id ? [] : [[id, name]];
        }),
      ),
    ratings: {
      read: () =>
        Object.fromEntries(
          scorecards.list().flatMap(({ id }) => {
            const { score, grade } = counts.companies.of(id) ?? {};
            return score === undefined && grade === undefined ? [] : [[id, { score, grade }]];
          }),
        ),
      onDidChange: (listener) => {
        const counted = counts.onDidChange(listener);
        // Another account rates other companies.
        const changed = session.onDidChangeAccount(listener);
        return {
          dispose: () => {
            counted.dispose();
            changed.dispose();
          },
        };
      },
    },
    meaningOf: (issueType) => meanings.of(issueType),
  };
}

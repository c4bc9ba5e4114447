import { defined } from '../../base/defined';
import type { JsonObject } from '../../base/json/json';
import type { ShownNames } from '../../vocabulary/shownNames';
import { isNameOf, type Meaning, namesOf } from '../../vocabulary/meanings';

/** What is known of all findings of a list, which its entries need not say themselves. */
export interface ListFacts {
  /** A level, such as `high`; absent if it is not known. */
  readonly severity?: string;
  /** Its key. */
  readonly issueType: string;
  /** Absent where people read the name. */
  readonly scorecardId?: string;
  /** Absent if the scorecard was not added. */
  readonly scorecardName?: string;
}

/** The same as people read it. */
export function readListFacts(
  { severity, issueType, scorecardId, scorecardName = scorecardId }: ListFacts,
  names: ShownNames,
): ListFacts {
  return {
    issueType: names.title(issueType),
    ...defined({
      severity: severity === undefined ? undefined : names.formatSeverity(severity),
      scorecardName,
    }),
  };
}

/**
 * The members that findings get where they are read without their list: how bad they are, what they are and whose. What
 * a field of theirs says already is not among them.
 * @param fields the names of the fields of all findings.
 */
export function findListMembers(fields: Iterable<string>, list: ListFacts): JsonObject {
  const names = [...fields];
  const values = [
    ['severity', list.severity],
    ['issueType', list.issueType],
    ['scorecardId', list.scorecardId],
    ['scorecardName', list.scorecardName],
  ] as const satisfies readonly (readonly [Meaning, string | undefined])[];
  return Object.fromEntries(
    values.flatMap(([meaning, value]) => {
      const isSaid = names.some((name) => isNameOf(meaning, name));
      const [usual] = meaning === 'severity' ? ['severity'] : namesOf(meaning);
      return isSaid || value === undefined || usual === undefined ? [] : [[usual, value] as const];
    }),
  );
}

import { areRanks } from './orderedWords';
import { snakeCase } from './roles';
import type { Column } from '../engine/data/column';

/** The usual names of the column with the UUIDs of scorecards, most likely first. */
const scorecardNames = ['scorecard_identifier', 'scorecard_id', 'scorecard_uuid', 'scorecard'];

/**
 * The columns that lead from a row to its finding at the service, or without `issueId` only to the list that has it;
 * `undefined` if a file has no such columns.
 */
export function findingColumns(columns: readonly Column[]) {
  const [scorecard] = scorecardNames.flatMap((name) => columnNamed(name, columns) ?? []);
  const issueType =
    columns.find(({ role }) => role === 'issueType') ?? columnNamed('issue_type', columns);
  const issueId = issueIdColumn(columns);
  return scorecard && issueType
    ? {
        scorecard: scorecard.id,
        issueType: issueType.id,
        ...(issueId && { issueId: issueId.id }),
      }
    : undefined;
}

/** The column with the ids that the service gives to findings. */
export function issueIdColumn(columns: readonly Column[]): Column | undefined {
  return columnNamed('issue_id', columns);
}

/** Whether the lowest number of a column is the worst, as that of a priority is. */
export function isWorstLowest({ name, type, role }: Column): boolean {
  return role === 'severity' && type === 'number' && areRanks(name, ['1']);
}

function columnNamed(wanted: string, columns: readonly Column[]): Column | undefined {
  return columns.find(({ name }) => snakeCase(name) === wanted);
}

import { identityColumn } from './identity';
import { isNameOf, type Meaning, namesWith } from './meanings';
import type { ColumnRole, NamedColumn } from './columnRole';
import { areRanks } from './severity';

/**
 * The columns that lead from a row to its finding at the service, or without `issueId` only to the list that has it;
 * `undefined` if a file has no such columns.
 */
export function findingColumns<Id>(columns: readonly (NamedColumn & { readonly id: Id })[]) {
  const scorecard = scorecardColumn(columns);
  const issueType =
    columns.find(({ role }) => role === 'issueType') ?? likeliest('listedType', columns);
  const issueId = identityColumn(columns);
  return scorecard && issueType
    ? {
        scorecard: scorecard.id,
        issueType: issueType.id,
        ...(issueId && { issueId: issueId.id }),
      }
    : undefined;
}

/** The column with the UUIDs of scorecards. */
export function scorecardColumn<Column extends NamedColumn>(
  columns: readonly Column[],
): Column | undefined {
  return likeliest('scorecardId', columns);
}

/** Whether the lowest number of a column is the worst, as that of a priority is. */
export function isWorstLowest({
  name,
  type,
  role,
}: NamedColumn & { readonly type: string }): boolean {
  return role === 'severity' && type === 'number' && areRanks(name, ['1']);
}

/** Roles that hardly occur in files without findings, unlike a date, a status or an ID. */
const rolesOfFindings: ReadonlySet<string | undefined> = new Set<ColumnRole>([
  'change',
  'severity',
  'issueType',
  'factor',
]);

/**
 * Whether rows with these columns are findings. A list of one issue type has neither its severity nor its name.
 * @param roles of the columns, if more is known of them now.
 */
export function areFindings(
  columns: readonly NamedColumn[],
  roles: readonly (string | undefined)[] = columns.map(({ role }) => role),
): boolean {
  return roles.some((role) => rolesOfFindings.has(role)) || identityColumn(columns) !== undefined;
}

/** The column whose whole name most likely has a meaning. */
function likeliest<Column extends NamedColumn>(
  meaning: Meaning,
  columns: readonly Column[],
): Column | undefined {
  const [name] = namesWith(
    meaning,
    columns.map((column) => column.name).filter((each) => isNameOf(meaning, each)),
  );
  return columns.find((column) => column.name === name);
}

import * as v from 'valibot';
import { groupBy } from '../../base/groupBy';
import {
  type KnownFinding,
  maxIdentified,
  type SincePrevious,
  type TableHandle,
} from '../../engine';
import { openFilters } from '../../summary/openFindings';
import { noSeverities, type SeverityCounts, type TrendLevel } from '../../summary/trend';
import { areFindings } from '../../vocabulary/findingColumns';
import { isMoreSevere, severityLevels } from '../../vocabulary/severity';
import { withRows } from './writeTable';

/** The most findings of a state: nothing is kept of a larger file. */
const maxFindings = 100_000;

const severity = v.picklist([...severityLevels, 'unknown']);

/** What is kept of an open finding: what tells it apart, and what a person reads of it. */
export const keptFinding = v.object({
  id: v.string(),
  detail: v.exactOptional(v.string()),
  /** Whether another row of the file has the same id, open or not. */
  isShared: v.exactOptional(v.boolean()),
  severity: v.exactOptional(severity),
  rule: v.exactOptional(v.string()),
  title: v.exactOptional(v.string()),
  place: v.exactOptional(v.string()),
});

export type KeptFinding = v.InferOutput<typeof keptFinding>;

/** How the findings of two states differ that count. */
export interface Difference {
  /** Those that are in both: as they were, and as they are. */
  readonly pairs: readonly (readonly [KeptFinding, KeptFinding])[];
  readonly added: readonly KeptFinding[];
  readonly gone: readonly KeptFinding[];
}

/**
 * The open findings of a table, known ones too, without records that cannot be read; `undefined` if rows are no findings,
 * too many, or not told apart.
 */
export async function readOpenFindings(
  table: Pick<TableHandle, 'call' | 'info'>,
): Promise<KeptFinding[] | undefined> {
  if (!areFindings(table.info.columns)) {
    return undefined;
  }
  const { closed } = await table.call('readOverview', { now: 0, scope: 'open' });
  const query = {
    filter: { op: 'and', of: openFilters(closed && { ...closed, known: 0 }) },
  } as const;
  return withRows(table, query, async ({ id: view, rows }) => {
    if (rows > maxFindings) {
      return undefined;
    }
    const found: KeptFinding[] = [];
    for (let from = 0; from < rows; from += maxIdentified) {
      const page = await table.call('identify', { view, from, count: maxIdentified });
      for (const { id, detail, isShared, severity: level, rule, title, place } of page) {
        found.push({
          id,
          ...(detail !== undefined && { detail }),
          ...(isShared === true && { isShared }),
          ...(level !== undefined && { severity: level }),
          ...(rule !== undefined && { rule }),
          ...(title !== undefined && { title }),
          ...(place !== undefined && { place }),
        });
      }
    }
    const { invalidRows } = await table.call('checked', {});
    return found.length < rows - invalidRows ? undefined : found;
  });
}

/**
 * The findings of a state that are not known, as a table decides: a decision without the line holds only where one
 * finding has the id, and none holds for one that got worse, or when it is over.
 */
export function leaveOutKnown(
  findings: readonly KeptFinding[],
  known: readonly KnownFinding[],
): readonly KeptFinding[] {
  if (known.length === 0) {
    return findings;
  }
  const decisions = groupBy(known, ({ id }) => id);
  const equal = groupBy(findings, ({ id }) => id);
  return findings.filter(
    ({ id, detail, isShared, severity: level }) =>
      !(decisions.get(id) ?? []).some(
        (decided) =>
          decided.isOver !== true &&
          ((decided.detail ?? '') === (detail ?? '') ||
            (decided.isShared !== true && isShared !== true && equal.get(id)?.length === 1)) &&
          !isMoreSevere(level, decided.severity),
      ),
  );
}

/**
 * Pairs findings with the same id, first those that are equal, then those with the same severity, then those at the same
 * place of the file.
 */
export function pairFindings(
  before: readonly KeptFinding[],
  after: readonly KeptFinding[],
): Difference {
  const keys: readonly ((finding: KeptFinding) => string)[] = [
    ({ id, detail, severity: level }) => JSON.stringify([id, level, detail]),
    ({ id, severity: level }) => JSON.stringify([id, level]),
    ({ id, detail }) => JSON.stringify([id, detail]),
    ({ id }) => id,
  ];
  const pairs: [KeptFinding, KeptFinding][] = [];
  let [gone, added] = [before, after];
  for (const keyOf of keys) {
    const left = groupBy(gone.toReversed(), keyOf);
    added = added.filter((finding) => {
      const same = left.get(keyOf(finding))?.pop();
      if (same) {
        pairs.push([same, finding]);
      }
      return !same;
    });
    gone = [...left.values()].flat().toReversed();
  }
  return { pairs, added, gone };
}

export function countChanges({
  pairs,
  added,
  gone,
}: Difference): Pick<SincePrevious, 'new' | 'gone' | 'changed' | 'worstNew'> {
  const worst = severityLevels.find((level) => added.some((each) => each.severity === level));
  return {
    new: added.length,
    gone: gone.length,
    changed: pairs.filter(([one, other]) => one.severity !== other.severity).length,
    ...(worst !== undefined && {
      worstNew: {
        severity: worst,
        count: added.filter((each) => each.severity === worst).length,
      },
    }),
  };
}

export function countSeverities(findings: readonly KeptFinding[]): SeverityCounts {
  const counts: Record<TrendLevel, number> = { ...noSeverities };
  for (const { severity: level } of findings) {
    if (level !== undefined && level !== 'positive' && level !== 'unknown') {
      counts[level] += 1;
    }
  }
  return counts;
}

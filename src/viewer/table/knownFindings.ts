import { defined } from '../../base/defined';
import type { KnownIssue } from '../../commands';
import {
  type Filter,
  type IdentifiedRow,
  type KnownFinding,
  type KnownRowsSummary,
  maxIdentified,
  type Query,
  type TableHandle,
} from '../../engine';
import { type DecidableFinding, type Decision, isExpired } from '../../known/decision';
import { withRows } from './writeTable';

/*
 * Decisions and rows: which findings are told to a table, and which rows a decision is about.
 */

/** The decisions as a table is told them. */
export function knownFindings(
  decisions: readonly Decision[],
  now: number,
  labelOf: (decision: Decision) => string,
): KnownFinding[] {
  return decisions.map((decision) => {
    const { id, detail, isShared, severity, reason } = decision;
    return {
      id,
      reason,
      label: labelOf(decision),
      ...(detail !== undefined && { detail }),
      ...(isShared && { isShared }),
      ...(severity && { severity }),
      ...(isExpired(decision, now) && { isOver: true as const }),
    };
  });
}

/** The rows that are marked: some of a query, by their positions, or those with one of these ids. */
export interface MarkedRows {
  readonly query: Query;
  readonly from?: number;
  readonly count?: number;
  readonly ids?: ReadonlySet<string>;
}

/**
 * What tells the marked rows apart; `undefined` if nothing does, although there are such rows.
 * @throws TableError
 */
export function identifyRows(
  table: Pick<TableHandle, 'call'>,
  { query, from = 0, count = Infinity, ids }: MarkedRows,
): Promise<readonly IdentifiedRow[] | undefined> {
  return withRows(table, query, async ({ id: view, rows }) => {
    const end = Math.min(rows, from + count);
    const found: IdentifiedRow[] = [];
    let identified = 0;
    for (let position = from; position < end; position += maxIdentified) {
      const params = { view, from: position, count: Math.min(maxIdentified, end - position) };
      const page = await table.call('identify', params);
      identified += page.length;
      found.push(...page.filter(({ id }) => ids?.has(id) ?? true));
    }
    return end > from && identified === 0 ? undefined : found;
  });
}

/** A decision about a finding. */
export function decide(
  { id, detail, isShared, workspace, severity, rule, title, place }: DecidableFinding,
  decided: Pick<Decision, 'reason' | 'until' | 'comment'>,
): Decision {
  return {
    id,
    ...defined({ detail, isShared, workspace, severity, rule, title, place }),
    ...decided,
  };
}

/** A decision, and whether it counts. */
export interface StatedDecision {
  readonly decision: Decision;
  readonly state: KnownIssue['state'];
}

/** The decisions with their states. @param summary of a file, if one is asked for. */
export function stateDecisions(
  decisions: readonly Decision[],
  now: number,
  summary?: KnownRowsSummary,
): StatedDecision[] {
  const worse = new Set(summary?.worse);
  const unmatched = new Set(summary?.unmatched);
  return decisions.map((decision, at) => {
    const inFile = worse.has(at) ? 'worse' : unmatched.has(at) ? 'unmatched' : 'active';
    return { decision, state: isExpired(decision, now) ? 'expired' : inFile };
  });
}

/** A decision as programs read it. */
export function describeKnownIssue({ decision, state }: StatedDecision): KnownIssue {
  const { id, rule, reason, until, comment } = decision;
  return {
    ids: [id],
    reason,
    state,
    ...(rule !== undefined && { ruleId: rule }),
    ...(until !== undefined && { until }),
    ...(comment !== undefined && { comment }),
  };
}

/** Leaves out the rows that are known. */
export function withoutKnown(query: Query): Query {
  const isOpen: Filter = { op: 'not', of: { op: 'known' } };
  const { filter } = query;
  return { ...query, filter: filter ? { op: 'and', of: [filter, isOpen] } : isOpen };
}

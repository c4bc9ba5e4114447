import { defined } from '../../base/defined';
import type { KnownIssue } from '../../commands';
import {
  type Filter,
  type IdentifiedRow,
  type KnownFinding,
  type KnownRowsSummary,
  maxIdentified,
  maxPageRows,
  type Query,
  type TableHandle,
} from '../../engine';
import { type DecidableFinding, type Decision, isExpired } from '../../known/decision';
import { withRows } from './writeTable';

/*
 * Decisions and rows: which findings are told to a table, and which rows a decision is about.
 */

/** The most UTF-16 units of a comment that a record shows. */
const maxComment = 1_000;

/** The decisions as a table is told them. */
export function knownFindings(
  decisions: readonly Decision[],
  now: number,
  labelOf: (decision: Decision) => string,
): KnownFinding[] {
  return decisions.map((decision) => {
    const { id, detail, isShared, severity, reason, comment = '' } = decision;
    return {
      id,
      reason,
      label: labelOf(decision),
      ...(detail !== undefined && { detail }),
      ...(isShared && { isShared }),
      ...(severity && { severity }),
      ...(isExpired(decision, now) && { isOver: true as const }),
      ...(comment !== '' && { comment: comment.slice(0, maxComment) }),
    };
  });
}

/**
 * The rows that are marked: some of a query, or all in some of its groups, by their positions, or those with one of
 * these ids.
 */
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
export async function identifyMarked(
  table: Pick<TableHandle, 'call'>,
  rows: MarkedRows,
): Promise<readonly IdentifiedRow[] | undefined> {
  const isGrouped = (rows.query.groupBy ?? []).length > 0;
  return identifyEach(table, isGrouped ? { query: await queryOfGroups(table, rows) } : rows);
}

/** The query of all rows of some groups. */
function queryOfGroups(
  table: Pick<TableHandle, 'call'>,
  { query: { groupBy = [], ...query }, from = 0, count = Infinity }: MarkedRows,
): Promise<Query> {
  return withRows(table, { ...query, groupBy }, async ({ id: view, groups = 0 }) => {
    const end = Math.min(groups, from + count);
    const of: Filter[] = [];
    for (let position = from; position < end; position += maxPageRows) {
      const params = { view, from: position, count: Math.min(maxPageRows, end - position) };
      const page = await table.call('groups', params);
      of.push(...page.groups.map(({ filter }) => filter));
    }
    const inGroups = anyOf(of);
    const { filter } = query;
    return { ...query, filter: filter ? { op: 'and', of: [filter, inGroups] } : inGroups };
  });
}

/** Groups by one column are one condition: each is evaluated on all rows. */
function anyOf(groups: readonly Filter[]): Filter {
  const keys = new Map<string, string[]>();
  const others: Filter[] = [];
  for (const group of groups) {
    const [only, ...more] = group.op === 'and' ? group.of : [group];
    if (only?.op === 'in' && more.length === 0) {
      const all = keys.get(only.column) ?? [];
      for (const key of only.keys) {
        all.push(key);
      }
      keys.set(only.column, all);
    } else {
      others.push(group);
    }
  }
  const ofKeys = Array.from(keys, ([column, all]): Filter => ({ op: 'in', column, keys: all }));
  return { op: 'or', of: [...ofKeys, ...others] };
}

function identifyEach(
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
export interface ListedDecision {
  readonly decision: Decision;
  readonly state: KnownIssue['state'];
}

/** The decisions with their states. @param summary of a file, if one is asked for. */
export function listDecisions(
  decisions: readonly Decision[],
  now: number,
  summary?: KnownRowsSummary,
): ListedDecision[] {
  const worse = new Set(summary?.worse);
  const unmatched = new Set(summary?.unmatched);
  return decisions.map((decision, at) => {
    const inFile = worse.has(at) ? 'worse' : unmatched.has(at) ? 'unmatched' : 'active';
    return { decision, state: isExpired(decision, now) ? 'expired' : inFile };
  });
}

/** The decisions as one list of a file has them, and others: what one of those matches is needed. */
export function withOtherLists(
  listed: readonly ListedDecision[],
  others: readonly ListedDecision[],
): ListedDecision[] {
  const keyOf = ({ decision: { id, detail, workspace } }: ListedDecision) =>
    JSON.stringify([id, detail, workspace]);
  const isMatched = ({ state }: ListedDecision) => state === 'active' || state === 'worse';
  const matched = new Map(others.filter(isMatched).map((one) => [keyOf(one), one]));
  return listed.map((one) => (one.state === 'unmatched' ? (matched.get(keyOf(one)) ?? one) : one));
}

/** A decision as programs read it. */
export function describeKnownIssue({ decision, state }: ListedDecision): KnownIssue {
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

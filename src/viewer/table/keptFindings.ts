import * as v from 'valibot';
import {
  digestFindings,
  type IdentifiedRow,
  isShared,
  type KeptRows,
  type KeptRowsOfFile,
  maxIdentified,
  type TableHandle,
} from '../../engine';
import { openFilters } from '../../summary/openFindings';
import { areFindings } from '../../vocabulary/findingColumns';
import { severityLevels } from '../../vocabulary/severity';
import { withRows } from './writeTable';

/** What is kept of a file. */
export interface StateLimits {
  /** The most findings of a state: nothing is kept of a larger file. */
  readonly findings: number;
  /** The most findings of a state whose texts are kept: of more, only what tells them apart is. */
  readonly texts: number;
}

export const stateLimits: StateLimits = { findings: 2_000_000, texts: 100_000 };

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

/** The open findings of a file at some time. */
export interface Findings {
  readonly rows: KeptRows;
  /** Their texts, in the same order; absent if there are too many. */
  readonly texts?: readonly KeptFinding[];
}

type OpenTable = Pick<TableHandle, 'call' | 'info'>;

/**
 * The open findings of a table, known ones too, without records that cannot be read; `undefined` if rows are no findings,
 * too many, or not told apart.
 */
export async function readOpenFindings(
  table: OpenTable,
  limits: StateLimits,
): Promise<Findings | undefined> {
  const rows = areFindings(table.info.columns)
    ? await readOpenRows(table, limits.findings)
    : undefined;
  return rows && rows.records.length <= limits.texts
    ? { rows, texts: await readTexts(table, rows) }
    : rows && { rows };
}

/** The same without texts, with the numbers of the rows. */
export async function readOpenRows(
  table: Pick<TableHandle, 'call'>,
  most: number,
): Promise<KeptRowsOfFile | undefined> {
  const { closed } = await table.call('readOverview', { now: 0, scope: 'open' });
  const query = {
    filter: { op: 'and', of: openFilters(closed && { ...closed, known: 0 }) },
  } as const;
  return withRows(table, query, async ({ id: view, rows }) => {
    const kept = await table.call('keep', { view, most });
    const { invalidRows } = await table.call('checked', {});
    return !kept || kept.records.length < rows - invalidRows ? undefined : kept;
  });
}

/** What rows are about, by their numbers. */
export async function readRows(
  table: Pick<TableHandle, 'call'>,
  records: readonly number[],
): Promise<Map<number, IdentifiedRow>> {
  const found = new Map<number, IdentifiedRow>();
  // Neighbors are read together.
  const ordered = records.toSorted((one, other) => one - other);
  for (let from = 0; from < ordered.length; from += maxIdentified) {
    const some = ordered.slice(from, from + maxIdentified);
    for (const row of await table.call('identifyRecords', { records: some })) {
      found.set(row.record, row);
    }
  }
  return found;
}

async function readTexts(
  table: Pick<TableHandle, 'call'>,
  { records, bits }: KeptRowsOfFile,
): Promise<KeptFinding[]> {
  const rows = await readRows(table, [...records]);
  return Array.from(records, (record, at) => {
    const { id = '', detail, severity: level, rule, title, place } = rows.get(record) ?? {};
    return {
      id,
      ...(detail !== undefined && { detail }),
      ...(((bits[at] ?? 0) & isShared) !== 0 && { isShared: true }),
      ...(level !== undefined && { severity: level }),
      ...(rule !== undefined && { rule }),
      ...(title !== undefined && { title }),
      ...(place !== undefined && { place }),
    };
  });
}

/** Findings by their texts, in any order. */
export async function sortFindings(texts: readonly KeptFinding[]): Promise<Required<Findings>> {
  const { rows, order } = await digestFindings(texts);
  return { rows, texts: order ? Array.from(order).flatMap((at) => texts[at] ?? []) : texts };
}

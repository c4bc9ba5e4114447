import { kindDate, kindNull } from '../../values/kinds';
import { newValue, type RecordReader } from '../records/recordReader';
import type { Shape, ShapeNode } from '../records/shape';
import { dayOfDate } from '../../../vocabulary/datePeriod';
import type { ClosingForm } from '../../../vocabulary/closing';
import {
  findClosingColumns,
  findLateClosing,
  findRoles,
  type Role,
  type RoleOf,
  type SampledColumn,
} from '../../../vocabulary/roles';

/** How many of the first rows are used to find roles. */
export const sampledRows = 200;
/** The most bytes that are read of a value: short values are enough to find roles. */
const sampledBytes = 1000;

/** A file of which single records can be read. */
export interface SampledFile {
  readonly shape: Shape;
  readonly index: { readonly rows: number };
  read(row: number, nodes: readonly ShapeNode[]): RecordReader;
}

export interface ColumnSample extends SampledColumn {
  readonly node: ShapeNode;
  readonly texts: string[];
  dates: number;
}

/**
 * The columns known so far, with the values of the first rows.
 * @param onValue hears of each value, and of its row.
 */
export function sampleColumns(
  file: SampledFile,
  onValue?: (node: ShapeNode, row: number, text: string) => void,
  of: readonly ShapeNode[] = file.shape
    .columns()
    .columns.flatMap(({ id }) => file.shape.find(id) ?? []),
): ColumnSample[] {
  const sampled = of.map((node): ColumnSample => ({ node, name: node.name, texts: [], dates: 0 }));
  const nodes = sampled.map(({ node }) => node);
  const rows = { from: 0, to: sampledRows };
  sampleValues(file, nodes, rows, sampledBytes, (slot, kind, text, row) => {
    const column = sampled[slot]!;
    onValue?.(column.node, row, text);
    column.texts.push(text);
    column.dates += kind === kindDate ? 1 : 0;
  });
  return sampled;
}

/**
 * How columns say which rows are closed: those of the first rows, and of a copy of lists also those that only later rows have.
 * @param found the roles of the columns of the first rows.
 */
export function closingOfFile(
  file: { readonly announcedNodes: readonly ShapeNode[] },
  columns: readonly ColumnSample[],
  found: ReadonlyMap<Role, RoleOf<ColumnSample>>,
): Map<ColumnSample, ClosingForm> {
  if (file.announcedNodes.length === 0) {
    return findClosingColumns(columns, found);
  }
  const all = [...columns, ...announcedColumns(file)];
  const status = found.get('status') ?? findRoles(all).get('status');
  return findClosingColumns(all, status ? new Map([...found, ['status', status]]) : found);
}

/**
 * How columns that neither the first rows have nor a heading say which rows are closed, by their names.
 * @param from the number of the first node that is looked at.
 */
export function lateClosingOfFile(
  { shape: { nodes }, firstNodes }: SampledFile & { readonly firstNodes: ReadonlySet<ShapeNode> },
  from: number,
): Map<ShapeNode, ClosingForm> {
  const late = nodes
    .slice(from)
    .filter((node) => node.members.length === 0 && !firstNodes.has(node));
  return new Map(
    late.flatMap((node) => {
      const form = findLateClosing(node.name, nodes);
      return form === undefined ? [] : [[node, form] as const];
    }),
  );
}

/** Columns of a copy that the first rows do not have: their names may say which findings are closed. */
function announcedColumns(file: { readonly announcedNodes: readonly ShapeNode[] }): ColumnSample[] {
  return file.announcedNodes.map((node) => ({ node, name: node.name, texts: [], dates: 0 }));
}

/** The columns of the first rows, also once there are more. */
export function firstColumns(
  file: SampledFile & { readonly firstListed: readonly ShapeNode[] },
): ColumnSample[] {
  return sampleColumns(file, undefined, file.firstListed);
}

/** Whether the sampled dates of a column are of several days, in UTC as in filters. */
export function hasSeveralDays({ texts, dates }: ColumnSample): boolean {
  if (dates === 0) {
    return false;
  }
  const days = texts.flatMap((text) => dayOfDate(text) ?? []);
  return days.some((day) => day !== days[0]);
}

/**
 * Reads the values of some rows, but for nulls and empty texts.
 * @param maxBytes are read of each
 */
export function sampleValues(
  file: SampledFile,
  nodes: readonly ShapeNode[],
  { from, to }: { readonly from: number; readonly to: number },
  maxBytes: number,
  add: (slot: number, kind: number, text: string, row: number) => void,
): void {
  const value = newValue();
  const end = nodes.length > 0 ? Math.min(to, file.index.rows) : 0;
  for (let row = from; row < end; row += 1) {
    const reader = file.read(row, nodes);
    for (let slot = 0; slot < nodes.length; slot += 1) {
      reader.read(0, slot, value);
      if (value.kind < kindNull && value.to > value.from) {
        const last = Math.min(value.to, value.from + maxBytes);
        add(slot, value.kind, value.bytes.toString('utf8', value.from, last), row);
      }
    }
  }
}

import { isNameOf, namesOf, namesWith } from '../../vocabulary/meanings';
import { RowReader, type RowReaderOptions } from '../read/rowReader';
import type { ShapeNode } from '../read/records/shape';
import type { TableFile } from '../read/tableFile';
import { countColumn } from '../data/answers';
import type { Cell } from '../data/cell';
import { parseNames } from '../data/column';
import { oldColumn } from '../data/comparisonColumns';
import type { ExportPart, HandedOn } from '../data/copies';
import { GroupReader } from './groupReader';
import { knownFinding } from './knownRows';
import type { Groups, ViewRows } from './views';

/** What is exported: full values by position. */
export interface ExportCells {
  /** With the names that lead to their values in a record. */
  readonly columns: readonly { readonly name: string; readonly path: readonly string[] }[];
  readonly count: number;
  readonly cellsAt: (position: number) => readonly Cell[];
}

export function recordCells(
  file: TableFile,
  nodes: readonly ShapeNode[],
  rows: Uint32Array | undefined,
  options: RowReaderOptions,
): ExportCells {
  const reader = new RowReader(file, nodes, options);
  return {
    columns: nodes.map(({ id, name }) => ({ name, path: parseNames(id) })),
    count: rows?.length ?? file.index.rows,
    cellsAt: (position) => reader.row(rows ? rows[position]! : position).cells,
  };
}

export function groupCells(
  file: TableFile,
  { columns = [], countName = 'count' }: Pick<ExportPart, 'columns' | 'countName'>,
  groups: Groups,
  reveal: boolean,
): ExportCells {
  const ids = columns.length > 0 ? columns : [...groups.columns, countColumn];
  const reader = new GroupReader(file, groups, reveal, Infinity);
  const { columns: named, cellsAt } = reader.table(ids, countName);
  return {
    columns: named.map(({ name }) => ({ name, path: [name] })),
    count: groups.count,
    cellsAt,
  };
}

/** Columns with those of their old values after each, if the file is one of differences. */
export function withOldColumns(
  { shape }: TableFile,
  nodes: readonly ShapeNode[],
  { compared = false }: HandedOn,
): readonly ShapeNode[] {
  const all = nodes.flatMap((node) => [node, shape.find(oldColumn(node.id)) ?? []].flat());
  return compared ? [...new Set(all)] : nodes;
}

/** The name of the column with the names of scorecards. */
const [scorecardName = ''] = namesOf('scorecardName');

/** Where cells have the UUIDs of scorecards; `undefined` if they do not, or have the names already. */
export function scorecardSlot({ columns }: Pick<ExportCells, 'columns'>): number | undefined {
  const names = columns.map(({ name }) => name);
  const [id] = namesWith('scorecardId', names).filter((name) => isNameOf('scorecardId', name));
  return id === undefined || names.some((name) => isNameOf('scorecardName', name))
    ? undefined
    : names.indexOf(id);
}

/** Adds a column with the names of scorecards after that of their UUIDs. */
export function withScorecardNames(cells: ExportCells, { scorecards }: HandedOn): ExportCells {
  const at = scorecards && scorecardSlot(cells);
  if (scorecards === undefined || at === undefined || Object.keys(scorecards).length === 0) {
    return cells;
  }
  const { columns, cellsAt } = cells;
  const path = [...(columns[at]?.path.slice(0, -1) ?? []), scorecardName];
  return {
    ...cells,
    columns: columns.toSpliced(at + 1, 0, { name: scorecardName, path }),
    cellsAt: (position) => {
      const row = cellsAt(position);
      return row.toSpliced(at + 1, 0, nameCell(row[at], scorecards));
    },
  };
}

/** The column with the reasons why findings are known. */
const knownName = 'known';

/** Adds a column with the reasons why rows of a view are known, if any of the file is. */
export function withKnown(cells: ExportCells, { rows, groups, known }: ViewRows): ExportCells {
  if (!known || groups) {
    return cells;
  }
  const { columns, cellsAt } = cells;
  return {
    ...cells,
    columns: [...columns, { name: knownName, path: [knownName] }],
    cellsAt: (position) => {
      const reason = knownFinding(known, rows ? rows[position]! : position)?.reason;
      return [...cellsAt(position), textCell(reason)];
    },
  };
}

/** Adds the reason why a finding is known to its record. */
export function withKnownReason(record: string, row: number, { known }: ViewRows): string {
  return withMember(record, knownName, known && knownFinding(known, row)?.reason);
}

/** Adds the name of its scorecard to a record, which is an object in JSON. */
export function withScorecardName(
  record: string,
  scorecard: Cell | undefined,
  { scorecards = {} }: HandedOn,
): string {
  return withMember(record, scorecardName, scorecards[scorecard?.text.toLowerCase() ?? '']);
}

/** Adds a member to a record in JSON, if it is an object. */
function withMember(record: string, name: string, text: string | undefined): string {
  const end = record.lastIndexOf('}');
  if (text === undefined || end < 0) {
    return record;
  }
  const members = record.slice(0, end).trimEnd();
  const comma = members.endsWith('{') ? '' : ',';
  return `${members}${comma}${JSON.stringify(name)}:${JSON.stringify(text)}}`;
}

function nameCell(cell: Cell | undefined, names: NonNullable<HandedOn['scorecards']>): Cell {
  return textCell(names[cell?.text.toLowerCase() ?? '']);
}

function textCell(text: string | undefined): Cell {
  return text === undefined ? { kind: 'missing', text: '' } : { kind: 'text', text };
}

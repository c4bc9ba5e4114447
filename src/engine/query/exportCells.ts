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
import { knownFinding, type KnownRows } from './knownRows';
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

/** A column with reasons why findings are known, or were known. */
interface ReasonColumn {
  readonly name: string;
  readonly reasonOf: (row: number) => string | undefined;
}

/** The columns with reasons. That of findings which are open again is there only if there are any. */
function reasonColumns(
  { columns }: Pick<ExportCells, 'columns'>,
  known: KnownRows | undefined,
): readonly ReasonColumn[] {
  if (!known) {
    return [];
  }
  const names = columns.flatMap(({ name, path }) => [name, path[0] ?? '']);
  const taken = new Set(names.map((name) => name.toLowerCase()));
  const findFree = (...candidates: readonly string[]) => {
    let name = candidates[0] ?? '';
    for (let number = 1; taken.has(name); number += 1) {
      name = candidates[number] ?? `${candidates.at(-1)}_${number}`;
    }
    return name;
  };
  const was: ReasonColumn = {
    name: findFree('was_known'),
    reasonOf: (row) => {
      const past = known.past.get(row);
      return past && `${past.finding.reason} (${past.why})`;
    },
  };
  return [
    {
      name: findFree('known', 'known_issue'),
      reasonOf: (row) => knownFinding(known, row)?.reason,
    },
    ...(known.past.size > 0 ? [was] : []),
  ];
}

/** Adds columns with the reasons why rows of a view are known, or were, if any of the file is or was. */
export function withKnown(cells: ExportCells, { rows, groups, known }: ViewRows): ExportCells {
  const added = groups ? [] : reasonColumns(cells, known);
  const { columns, cellsAt } = cells;
  return added.length === 0
    ? cells
    : {
        ...cells,
        columns: [...columns, ...added.map(({ name }) => ({ name, path: [name] }))],
        cellsAt: (position) => {
          const row = rows ? rows[position]! : position;
          return [...cellsAt(position), ...added.map(({ reasonOf }) => textCell(reasonOf(row)))];
        },
      };
}

/**
 * Returns what adds the reasons why a finding is known, or was, to its record.
 * @param cells of all columns, without those with the reasons.
 */
export function reasonAdder(
  cells: Pick<ExportCells, 'columns'>,
  { known }: ViewRows,
): (record: string, row: number) => string {
  const added = reasonColumns(cells, known);
  return (record, row) =>
    added.reduce((text, { name, reasonOf }) => withMember(text, name, reasonOf(row)), record);
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

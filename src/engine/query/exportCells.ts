import { isNameOf, namesOf, namesWith } from '../../vocabulary/meanings';
import { RowReader, type RowReaderOptions } from '../read/rowReader';
import type { ShapeNode } from '../read/records/shape';
import type { TableFile } from '../read/tableFile';
import { countColumn } from '../data/answers';
import type { Cell } from '../data/cell';
import type { ColumnRole } from '../../vocabulary/columnRole';
import { type ColumnId, parseNames } from '../data/column';
import { formatCell, oldColumn } from '../data/comparisonColumns';
import type { AddedColumn, CopyRange, ExportPart, ExportWords, HandedOn } from '../data/copies';
import { GroupReader } from './groupReader';
import type { KnownFinding } from '../data/known';
import { ShownNames } from '../../vocabulary/shownNames';
import { knownFinding, type KnownRows } from './knownRows';
import type { Groups, ViewRows } from './views';

/** Where rows are exported from. */
export interface ExportSource {
  readonly file: TableFile;
  readonly view: ViewRows;
  /** All columns of the file. */
  readonly listed: readonly ShapeNode[];
  readonly roles: ReadonlyMap<ColumnId, ColumnRole>;
}

interface ExportColumn {
  readonly name: string;
  /** The names that lead to its values in a record. */
  readonly path: readonly string[];
  /** Absent for those that an export adds, and for numbers of rows. */
  readonly id?: ColumnId;
  readonly added?: AddedColumn;
}

/** What is exported of it. */
type ExportedPart = Pick<ExportPart, 'columns' | 'countName' | 'words'> & HandedOn;

/** What is exported: full values by position. */
export interface ExportCells {
  readonly columns: readonly ExportColumn[];
  readonly count: number;
  readonly cellsAt: (position: number) => readonly Cell[];
}

/** What is exported, with what an export adds, and as people read it if the part has their words. */
export function exportedCells(
  source: ExportSource,
  part: ExportedPart,
  options: RowReaderOptions,
): ExportCells {
  const { file, view } = source;
  const { rows, groups } = view;
  // A file without a column would be no table for its readers.
  const own = groups
    ? groupCells(file, part, groups, options)
    : recordCells(file, chosenNodes(source, part, file.shape.top), rows, options);
  return withAdded(own, source, part);
}

/** The columns to export. @param otherwise what is exported if there are none */
export function chosenNodes(
  { file, listed }: Pick<ExportSource, 'file' | 'listed'>,
  part: ExportedPart,
  ...otherwise: readonly ShapeNode[]
): readonly ShapeNode[] {
  const chosen = part.columns?.map((id) => file.shape.get(id)) ?? listed;
  return withOldColumns(file, chosen.length > 0 ? chosen : otherwise, part);
}

/** Adds the names of scorecards, why findings are known, and words. */
export function withAdded(
  own: ExportCells,
  { view, roles }: Pick<ExportSource, 'view' | 'roles'>,
  { words, ...part }: ExportedPart,
): ExportCells {
  return withWords(withKnown(withScorecardNames(own, part), view, words), roles, words);
}

export function recordCells(
  file: TableFile,
  nodes: readonly ShapeNode[],
  rows: Uint32Array | undefined,
  options: RowReaderOptions,
): ExportCells {
  const reader = new RowReader(file, nodes, options);
  return {
    columns: nodes.map(({ id, name }) => ({ id, name, path: parseNames(id) })),
    count: rows?.length ?? file.index.rows,
    cellsAt: (position) => reader.row(rows ? rows[position]! : position).cells,
  };
}

export function groupCells(
  file: TableFile,
  { columns = [], countName = 'count' }: Pick<ExportPart, 'columns' | 'countName'>,
  groups: Groups,
  { reveal, maxLength }: RowReaderOptions,
): ExportCells {
  const ids = columns.length > 0 ? columns : [...groups.columns, countColumn];
  const reader = new GroupReader(file, groups, reveal, maxLength);
  const { columns: named, cellsAt } = reader.table(ids, countName);
  return {
    columns: named.map(({ name }, at) => ({
      name,
      path: [name],
      ...(ids[at] !== undefined && ids[at] !== countColumn && { id: ids[at] }),
    })),
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
    columns: columns.toSpliced(at + 1, 0, { name: scorecardName, path, added: 'scorecardName' }),
    cellsAt: (position) => {
      const row = cellsAt(position);
      return row.toSpliced(at + 1, 0, nameCell(row[at], scorecards));
    },
  };
}

/** A column with reasons why findings are known, or were known. */
interface ReasonColumn {
  readonly name: string;
  readonly added: AddedColumn;
  readonly reasonOf: (row: number) => string | undefined;
}

/** The columns with reasons. That of findings which are open again is there only if there are any. */
function reasonColumns(
  { columns }: Pick<ExportCells, 'columns'>,
  known: KnownRows | undefined,
  words?: Pick<ExportWords, 'past'>,
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
  const describe = (finding: KnownFinding | undefined) =>
    words ? finding?.label : finding?.reason;
  const was: ReasonColumn = {
    name: findFree('was_known'),
    added: 'wasKnown',
    reasonOf: (row) => {
      const past = known.past.get(row);
      return past && `${describe(past.finding)} (${words?.past[past.why] ?? past.why})`;
    },
  };
  return [
    {
      name: findFree('known', 'known_issue'),
      added: 'known',
      reasonOf: (row) => describe(knownFinding(known, row)),
    },
    ...(known.past.size > 0 ? [was] : []),
  ];
}

/** The reasons why some rows are known, or were, as people read them: a title and a text of each row. */
export function copiedReasons(
  known: KnownRows | undefined,
  rows: readonly number[],
  { reasons }: Pick<CopyRange, 'reasons'>,
): readonly { readonly name: string; readonly cellOf: (row: number) => Cell }[] {
  return reasons === undefined
    ? []
    : reasonColumns({ columns: [] }, known, reasons)
        .filter(({ reasonOf }) => rows.some((row) => reasonOf(row) !== undefined))
        .map(({ added, reasonOf }) => ({
          name: reasons.addedTitles[added],
          cellOf: (row) => textCell(reasonOf(row)),
        }));
}

/** Adds columns with the reasons why rows of a view are known, or were, if any of the file is or was. */
export function withKnown(
  cells: ExportCells,
  { rows, groups, known }: ViewRows,
  words?: ExportWords,
): ExportCells {
  const added = groups ? [] : reasonColumns(cells, known, words);
  const { columns, cellsAt } = cells;
  return added.length === 0
    ? cells
    : {
        ...cells,
        columns: [
          ...columns,
          ...added.map((column) => ({
            name: column.name,
            path: [column.name],
            added: column.added,
          })),
        ],
        cellsAt: (position) => {
          const row = rows ? rows[position]! : position;
          return [...cellsAt(position), ...added.map(({ reasonOf }) => textCell(reasonOf(row)))];
        },
      };
}

/** What people read: titles instead of names, and words instead of keys. */
function withWords(
  cells: ExportCells,
  roles: ReadonlyMap<ColumnId, ColumnRole>,
  words: ExportWords | undefined,
): ExportCells {
  if (!words) {
    return cells;
  }
  const { columns, cellsAt } = cells;
  const { titles, addedTitles, changes } = words;
  const names = { names: new ShownNames(words.texts), scorecards: {}, changes };
  const rolesOfBoth = new Map(
    Array.from(roles, ([id, role]) =>
      [id, oldColumn(id)].map((each) => [each, role] as const),
    ).flat(),
  );
  const roleAt = columns.map(({ id }) => (id === undefined ? undefined : rolesOfBoth.get(id)));
  const titleOf = ({ id, added }: ExportColumn) =>
    added ? addedTitles[added] : id === undefined ? undefined : titles[id];
  return {
    ...cells,
    columns: columns.map((column) => ({ ...column, name: titleOf(column) ?? column.name })),
    cellsAt: (position) =>
      cellsAt(position).map((cell, at) =>
        columns[at]?.added ? cell : formatCell(cell, roleAt[at], names),
      ),
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

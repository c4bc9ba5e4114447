import type { YieldBudget } from '../threads/yieldBudget';
import { RowReader } from '../read/rowReader';
import type { ShapeNode } from '../read/records/shape';
import type { TableFile } from '../read/tableFile';
import { countColumn } from '../data/answers';
import type { Cell } from '../data/cell';
import { parseNames } from '../data/column';
import type { ExportedRows, ExportPart } from '../data/copies';
import { copyWriter, jsonValue, uniqueNames } from './copyText';
import { GroupReader } from './groupReader';
import type { Groups, ViewRows } from './views';

/** The size of a part in UTF-16 code units, unless one row is longer. */
const partLength = 1024 ** 2;

/** What is exported: full values by position. */
export interface ExportCells {
  readonly columns: readonly { readonly name: string }[];
  readonly count: number;
  readonly cellsAt: (position: number) => readonly Cell[];
}

export function recordCells(
  file: TableFile,
  nodes: readonly ShapeNode[],
  rows: Uint32Array | undefined,
  reveal: boolean,
): ExportCells {
  const reader = new RowReader(file, nodes, { reveal, maxLength: Infinity });
  return {
    columns: nodes,
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
  return { ...reader.table(ids, countName), count: groups.count };
}

/**
 * Writes the next rows of a view, each value in full. A record that could not be read is written as
 * text in the first column, as in the table.
 * @param listed all columns of the file.
 */
export async function exportRows(
  file: TableFile,
  part: ExportPart,
  { rows, groups }: ViewRows,
  { budget, reveal }: { readonly budget: YieldBudget; readonly reveal: boolean },
  listed: readonly ShapeNode[],
): Promise<ExportedRows> {
  const nodes = groups ? [] : (part.columns?.map((id) => file.shape.get(id)) ?? listed);
  const cells = groups
    ? groupCells(file, part, groups, reveal)
    : recordCells(file, nodes, rows, reveal);
  const { columns, count, cellsAt } = cells;
  const isFlat = groups !== undefined || file.detected.format.kind === 'csv';
  const objects = createMember(
    isFlat ? uniqueNames(columns).map((name) => [name]) : nodes.map(({ id }) => parseNames(id)),
  );
  // The record as it is in the file, with columns beyond the limit and its own order.
  const whole =
    isFlat || part.columns ? undefined : new RowReader(file, [], { reveal, maxLength: Infinity });
  const jsonAt = (position: number) => {
    const text = whole?.text(rows ? rows[position]! : position);
    if (text !== undefined) {
      return text;
    }
    const values = cellsAt(position);
    return values[0]?.kind === 'invalid' && !groups
      ? JSON.stringify({ [columns[0]?.name ?? '']: values[0].text })
      : (memberText(objects, values) ?? '{}');
  };
  const { head, row, tail } =
    part.format === 'csv' ? csvTexts(cells) : jsonTexts(part.format, jsonAt);
  const texts = part.from === 0 ? [head] : [];
  let length = 0;
  let position = part.from;
  while (position < count && length < partLength) {
    const text = row(position);
    texts.push(text);
    length += text.length;
    position += 1;
    if (budget.shouldYield(text.length)) {
      await budget.pause();
    }
  }
  const isLast = position >= count;
  if (isLast) {
    texts.push(tail(count));
  }
  return { text: texts.join(''), rows: position - part.from, isLast };
}

/** The texts of a file: its beginning, one for each row, and its end. */
interface FileTexts {
  readonly head: string;
  readonly row: (position: number) => string;
  readonly tail: (rows: number) => string;
}

function csvTexts({ columns, cellsAt }: ExportCells): FileTexts {
  const writer = copyWriter('csv', columns, { headings: true });
  return {
    head: writer.head(),
    row: (position) => writer.row(cellsAt(position), position),
    tail: () => '',
  };
}

function jsonTexts(format: 'json' | 'ndjson', jsonAt: (position: number) => string): FileTexts {
  // JSON has line breaks only between its values.
  const line = (position: number) => jsonAt(position).replace(/[\t\r\n]+ */g, '');
  return format === 'ndjson'
    ? { head: '', row: (position) => `${line(position)}\n`, tail: () => '' }
    : {
        head: '[',
        row: (position) => `${position === 0 ? '\n' : ',\n'}${line(position)}`,
        tail: (rows) => (rows === 0 ? ']\n' : '\n]\n'),
      };
}

/** A member of the objects that are written, in which nested members keep their place. */
interface Member {
  /** The index of the cell with its value, if the member is a column itself. */
  slot: number | undefined;
  readonly members: Map<string, Member>;
}

/** @param paths for each cell, the names that lead to it; empty for the record itself. */
function createMember(paths: readonly (readonly string[])[]): Member {
  const top: Member = { slot: undefined, members: new Map() };
  paths.forEach((path, slot) => {
    let member = top;
    for (const name of path) {
      const inner = member.members.get(name) ?? { slot: undefined, members: new Map() };
      member.members.set(name, inner);
      member = inner;
    }
    member.slot ??= slot;
  });
  return top;
}

/** @returns `undefined` if there is no such member. */
function memberText({ slot, members }: Member, cells: readonly Cell[]): string | undefined {
  const cell = slot === undefined ? undefined : cells[slot];
  const value = cell && jsonValue(cell);
  if (value !== undefined) {
    return value;
  }
  const inner = [...members].flatMap(([name, member]) => {
    const inside = memberText(member, cells);
    return inside === undefined ? [] : [`${JSON.stringify(name)}:${inside}`];
  });
  return inner.length > 0 ? `{${inner.join(',')}}` : undefined;
}

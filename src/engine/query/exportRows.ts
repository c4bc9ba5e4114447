import type { YieldBudget } from '../values/yieldBudget';
import { RowReader } from '../read/records/rowReader';
import type { ShapeNode } from '../read/records/shape';
import type { TableFile } from '../read/tableFile';
import { type Cell, countColumn, type ExportedRows, type ExportPart, namesOf } from '../types';
import { copyWriter, jsonValue, uniqueNames } from './copyText';
import { GroupReader } from './groupReader';
import type { ViewRows } from './views';

/** The size of a part in UTF-16 code units, unless one row is longer. */
const partLength = 1024 ** 2;

/** Writes a file from its rows. */
interface ExportWriter {
  head(): string;
  row(position: number): string;
  tail(rows: number): string;
}

/**
 * Writes the next rows of a view, each value in full. A record that could not be read is written as
 * text in the first column, as in the table.
 * @param listed all columns of the file.
 */
export async function exportRows(
  file: TableFile,
  part: ExportPart,
  view: ViewRows,
  { budget, reveal }: { readonly budget: YieldBudget; readonly reveal: boolean },
  listed: readonly ShapeNode[],
): Promise<ExportedRows> {
  const writer = view.groups
    ? groupWriter(file, part, view.groups, reveal)
    : rowWriter(file, part, view.rows, reveal, listed);
  const count = view.groups?.count ?? view.rows?.length ?? file.index.rows;
  const texts = part.from === 0 ? [writer.head()] : [];
  let length = 0;
  let position = part.from;
  while (position < count && length < partLength) {
    const text = writer.row(position);
    texts.push(text);
    length += text.length;
    position += 1;
    if (budget.shouldYield(text.length)) {
      await budget.pause();
    }
  }
  const isLast = position >= count;
  if (isLast) {
    texts.push(writer.tail(count));
  }
  return { text: texts.join(''), rows: position - part.from, isLast };
}

function rowWriter(
  file: TableFile,
  { columns, format }: ExportPart,
  rows: Uint32Array | undefined,
  reveal: boolean,
  listed: readonly ShapeNode[],
): ExportWriter {
  const recordAt = (position: number) => (rows ? rows[position]! : position);
  const nodes = columns?.map((id) => file.shape.get(id)) ?? listed;
  const reader = new RowReader(file, nodes, reveal, Infinity);
  const rowAt = (position: number) => reader.row(recordAt(position));
  if (format === 'csv') {
    const writer = copyWriter('csv', nodes, true);
    return { ...writer, row: (position) => writer.row(rowAt(position).cells, position) };
  }
  const isCsv = file.detected.format.kind === 'csv';
  const objects = new ObjectTexts(
    isCsv ? uniqueNames(nodes).map((name) => [name]) : nodes.map(({ id }) => namesOf(id)),
  );
  const firstName = nodes[0]?.name ?? '';
  // The record as it is in the file, with columns beyond the limit and its own order.
  const whole = isCsv || columns ? undefined : new RowReader(file, [], reveal, Infinity);
  return lineWriter(format, (position) => {
    const text = whole?.text(recordAt(position));
    if (text !== undefined) {
      return text;
    }
    const { cells } = rowAt(position);
    return cells[0]?.kind === 'invalid'
      ? JSON.stringify({ [firstName]: cells[0].text })
      : objects.of(cells);
  });
}

function groupWriter(
  file: TableFile,
  { columns = [], format, countName = 'count' }: ExportPart,
  groups: NonNullable<ViewRows['groups']>,
  reveal: boolean,
): ExportWriter {
  const ids = columns.length > 0 ? columns : [...groups.columns, countColumn];
  const reader = new GroupReader(file, groups, reveal, Infinity);
  const { columns: names, cellsAt } = reader.table(ids, countName);
  if (format === 'csv') {
    const writer = copyWriter('csv', names, true);
    return { ...writer, row: (position) => writer.row(cellsAt(position), position) };
  }
  const objects = new ObjectTexts(uniqueNames(names).map((name) => [name]));
  return lineWriter(format, (position) => objects.of(cellsAt(position)));
}

function lineWriter(format: 'json' | 'ndjson', jsonAt: (position: number) => string): ExportWriter {
  // JSON has line breaks only between its values.
  const line = (position: number) => jsonAt(position).replace(/[\t\r\n]+ */g, '');
  return format === 'ndjson'
    ? { head: () => '', row: (position) => `${line(position)}\n`, tail: () => '' }
    : {
        head: () => '[',
        row: (position) => `${position === 0 ? '\n' : ',\n'}${line(position)}`,
        tail: (rows) => (rows === 0 ? ']\n' : '\n]\n'),
      };
}

/** A member of the objects that are written. */
interface Member {
  /** The index of the cell with its value, if the member is a column itself. */
  slot: number | undefined;
  readonly members: Map<string, Member>;
}

/** Writes cells as objects, in which nested members keep their place. */
class ObjectTexts {
  private readonly top: Member = { slot: undefined, members: new Map() };

  /** @param paths for each cell, the names that lead to it; empty for the record itself. */
  constructor(paths: readonly (readonly string[])[]) {
    paths.forEach((path, slot) => {
      let member = this.top;
      for (const name of path) {
        const inner = member.members.get(name) ?? { slot: undefined, members: new Map() };
        member.members.set(name, inner);
        member = inner;
      }
      member.slot ??= slot;
    });
  }

  of(cells: readonly Cell[]): string {
    return memberText(this.top, cells) ?? '{}';
  }
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

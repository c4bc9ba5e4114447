import type { YieldBudget } from '../threads/yieldBudget';
import { RowReader } from '../read/rowReader';
import type { Cell } from '../data/cell';
import type { ExportedRows, ExportPart } from '../data/copies';
import { type LineFormat, writeCsvHead, writeCsvLine } from '../../base/text/csv';
import type { CellText } from '../../base/text/cellText';
import { columnType } from '../values/kinds';
import { jsonValue, uniqueNames } from './copyText';
import {
  type ExportCells,
  type ExportSource,
  chosenNodes,
  groupCells,
  reasonAdder,
  recordCells,
  scorecardSlot,
  withAdded,
  withScorecardName,
} from './exportCells';

/** The size of a part in UTF-16 code units, unless one row is longer. */
const partLength = 1024 ** 2;

/**
 * Writes the next rows of a view, each value in full. A record that could not be read is written as
 * text in the first column, as in the table.
 */
export async function exportRows(
  source: ExportSource,
  part: ExportPart,
  { budget, reveal }: { readonly budget: YieldBudget; readonly reveal: boolean },
): Promise<ExportedRows> {
  const { file, view } = source;
  const { rows, groups } = view;
  const full = { reveal, maxLength: Infinity };
  const nodes = groups ? [] : chosenNodes(source, part);
  const own = groups ? groupCells(file, part, groups, full) : recordCells(file, nodes, rows, full);
  const cells = withAdded(own, source, part);
  const { columns, count, cellsAt } = cells;
  const isFlat = groups !== undefined || file.detected.format.kind === 'csv';
  const objects = createMember(
    isFlat ? uniqueNames(columns).map((name) => [name]) : columns.map(({ path }) => path),
  );
  // The record as it is in the file, or in the copy of a nested list, with columns beyond the limit and its own order.
  const named = nodes[scorecardSlot(own) ?? -1];
  const whole =
    isFlat || part.columns ? undefined : new RowReader(file, named ? [named] : [], full);
  const addReason = reasonAdder(own, view);
  const jsonAt = (position: number) => {
    const row = rows ? rows[position]! : position;
    const text = whole?.text(row);
    if (text !== undefined) {
      const [scorecard] = whole?.row(row).cells ?? [];
      return addReason(withScorecardName(text, scorecard, part), row);
    }
    const values = cellsAt(position);
    return values[0]?.kind === 'invalid' && !groups
      ? JSON.stringify({ [columns[0]?.name ?? '']: values[0].text })
      : (memberText(objects, values) ?? '{}');
  };
  const { head, row, tail } =
    part.format === 'json' || part.format === 'ndjson'
      ? jsonTexts(part.format, jsonAt)
      : lineTexts(part.format, cells, part, file);
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

function lineTexts(
  format: 'csv' | 'tsv' | 'excelCsv',
  { columns, cellsAt }: ExportCells,
  { decimalComma = false }: Pick<ExportPart, 'decimalComma'>,
  { shape }: Pick<ExportSource['file'], 'shape'>,
): FileTexts {
  const isExcel = format === 'excelCsv';
  const lines: LineFormat = isExcel ? (decimalComma ? 'semicolons' : 'csv') : format;
  const sign = decimalComma ? ',' : '.';
  // In another column, 1.10 may be a version.
  const areNumbers = columns.map(({ id }) => {
    const node = id === undefined ? undefined : shape.find(id);
    return node !== undefined && columnType(node.kinds) === 'number';
  });
  const head = writeCsvHead(
    columns.map(({ name }) => name),
    lines,
  );
  return {
    // Without the mark, Excel reads bytes of the country's code page.
    head: isExcel ? `${byteOrderMark}${head}` : head,
    row: (position) => {
      const cells = cellsAt(position);
      return writeCsvLine(
        isExcel
          ? cells.map((cell, at) => (areNumbers[at] ? withDecimalSign(cell, sign) : cell))
          : cells,
        lines,
      );
    },
    tail: () => '',
  };
}

const byteOrderMark = '\ufeff';

/** A number with the decimal sign of the country: where that is a comma, Excel would take 7.5 for the 7th of May. */
function withDecimalSign({ kind, text }: CellText, sign: string): CellText {
  return { kind, text: kind === 'number' ? text.replace(/[.,]/, sign) : text };
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

import type { CopyFormat } from '../../base/exportFormats';
import { copiedLines, writeCsvHead, writeCsvLine } from '../../base/text/csv';
import type { ComparedCell } from '../data/comparisonColumns';
import { formatJsonNumber } from '../../vocabulary/writtenNumbers';
import type { YieldBudget } from '../threads/yieldBudget';
import type { ShapeNode } from '../read/records/shape';
import { type CopyWriter, markdownTable } from './tableMarkdown';
import type { Cell } from '../data/cell';
import { type CopyResult, type CopyRange, maxCopyLength, maxCopyRows } from '../data/copies';

export function copyWriter(
  format: CopyFormat,
  nodes: readonly Pick<ShapeNode, 'name'>[],
  { headings, onlyFilled = false }: Pick<CopyRange, 'headings' | 'onlyFilled'>,
): CopyWriter {
  if (format === 'markdown') {
    return markdownTable(
      nodes.map(({ name }) => name),
      { onlyFilled },
    );
  }
  if (format === 'json') {
    const names = uniqueNames(nodes).map((name) => JSON.stringify(name));
    return {
      head: () => '[',
      row: (cells, index) => {
        const members = cells.flatMap((cell, at) => {
          const value = jsonValue(cell);
          return value === undefined ? [] : [`${names[at] ?? ''}:${value}`];
        });
        return `${index === 0 ? '\n' : ',\n'}{${members.join(',')}}`;
      },
      tail: (rows) => (rows === 0 ? ']' : '\n]'),
    };
  }
  const names = nodes.map(({ name }) => name);
  const lines = copiedLines[format];
  return {
    head: () => (headings ? writeCsvHead(names, lines) : ''),
    row: (cells) => writeCsvLine(cells.map(withOldText), lines),
    tail: () => '',
  };
}

/** The columns of a copy with what people read instead of their names. */
export function withTitles(
  columns: readonly Pick<ShapeNode, 'name'>[],
  { columns: ids, titles = {} }: Pick<CopyRange, 'columns' | 'titles'>,
): readonly Pick<ShapeNode, 'name'>[] {
  return columns.map(({ name }, at) => ({ name: titles[ids[at] ?? ''] ?? name }));
}

/** A cell with its old text before the new one, for people. */
function withOldText({ was, ...cell }: ComparedCell): Cell {
  const text = (value: string) => value || '\u2014';
  return was ? { kind: 'text', text: `${text(was.text)} \u2192 ${text(cell.text)}` } : cell;
}

/** Copies rows from the start of the range up to, but not including, `end`, within the limits of a copy. */
export async function copyRows(
  { from }: CopyRange,
  end: number,
  writer: CopyWriter,
  budget: YieldBudget,
  rowAt: (position: number) => { readonly cells: readonly ComparedCell[] },
): Promise<CopyResult> {
  const last = Math.min(end, from + maxCopyRows);
  const parts = [writer.head()];
  let length = 0;
  let position = from;
  for (; position < last; position += 1) {
    const text = writer.row(rowAt(position).cells, position - from);
    if (length + text.length > maxCopyLength) {
      break;
    }
    parts.push(text);
    length += text.length;
    if (budget.shouldYield(16 * 1024)) {
      await budget.pause((position - from) / (last - from));
    }
  }
  const rows = Math.max(0, position - from);
  parts.push(writer.tail(rows));
  return { text: writer.finalText?.(rows) ?? parts.join(''), rows, cut: position < end };
}

/** The JSON of a cell. Numbers keep all their digits. */
export function jsonValue({ kind, text, masked, cut }: Cell): string | undefined {
  switch (kind) {
    case 'missing':
      return undefined;
    case 'null':
      return 'null';
    case 'number':
      return masked ? JSON.stringify(text) : (formatJsonNumber(text) ?? JSON.stringify(text));
    case 'boolean':
      return masked ? JSON.stringify(text) : text;
    case 'json':
      // A cut value is not valid JSON, and a mask may replace the whole value.
      return cut || (masked && !/^[[{]/.test(text)) ? JSON.stringify(text) : text;
    default:
      return JSON.stringify(text);
  }
}

/**
 * Makes names unique: columns with the same name would be one member.
 * @param keyOf returns what is the same for names that are.
 */
export function uniqueNames(
  nodes: readonly Pick<ShapeNode, 'name'>[],
  keyOf = (name: string) => name,
): string[] {
  const seen = new Set<string>();
  return nodes.map(({ name }) => {
    let unique = name;
    for (let number = 2; seen.has(keyOf(unique)); number += 1) {
      unique = `${name} (${number})`;
    }
    seen.add(keyOf(unique));
    return unique;
  });
}

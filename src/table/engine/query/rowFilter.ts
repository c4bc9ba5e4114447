import { ByteSearch } from '../read/byteSearch';
import { type ColumnData, firstValueCode } from '../columns/columnData';
import type { ColumnStore } from '../columns/columnStore';
import { condition, fold } from './conditions';
import { type ColumnFilter, columnFiltersOf } from './filters';
import { kindMissing, kindNull } from '../columns/kinds';
import { releaseBuffers } from '../columns/memory';
import type { Pace } from '../pace';
import type { RecordCursor } from '../read/recordIndex';
import { withExactKeys } from '../columns/rowKeys';
import type { ShapeNode } from '../read/shape';
import { TableError } from '../tableError';
import { readSlot, type TableFile } from '../read/tableFile';
import { textSearch } from '../../../base/textSearch';
import type { Filter } from '../types';
import { newValue, type Walker } from '../read/walker';

/** Which rows match a filter: 1 or 0 by row. */
export type Mask = Uint8Array;

/** Evaluates filters. */
export class RowFilter {
  constructor(
    private readonly file: TableFile,
    private readonly store: ColumnStore,
  ) {}

  async mask(filter: Filter, pace: Pace): Promise<Mask> {
    // All columns are built in one scan, before the conditions are evaluated one by one.
    await this.store.columns(
      columnFiltersOf(filter).map(({ column }) => this.node(column)),
      pace,
    );
    return this.evaluate(withExactKeys(this.file, filter), pace);
  }

  /** @throws TableError `badRequest` if no record has a column with this id. */
  node(id: string): ShapeNode {
    const node = this.file.shape.find(id);
    if (!node) {
      throw new TableError('badRequest', 'Unknown column.');
    }
    return node;
  }

  /** The rows with a text in any cell, ignoring case. */
  async anywhere(text: string, pace: Pace): Promise<Mask> {
    const { file } = this;
    const mask = new Uint8Array(file.index.rows);
    const wanted = fold(text);
    const search = new ByteSearch(wanted);
    const contains = textSearch(wanted);
    const cellsOf = file.shape.isComplete ? knownCells(file, this.listed()) : allCells(file);
    const silent = file.walker([]);
    const value = newValue();
    await file.scan(
      pace,
      () => silent,
      (row, invalid, cursor) => {
        if (!search.mayContain(cursor.bytes, cursor.start, cursor.end)) {
          return;
        }
        if (invalid !== undefined) {
          const shown = cursor.bytes.toString('utf8', cursor.start, cursor.end);
          mask[row] = contains(fold(shown)) ? 1 : 0;
          return;
        }
        const walker = cellsOf(cursor);
        for (let slot = 0; slot < walker.starts.length && mask[row] === 0; slot += 1) {
          readSlot(walker, slot, invalid, cursor, value);
          if (value.kind < kindNull) {
            const shown = value.bytes.toString('utf8', value.from, value.to);
            mask[row] = contains(fold(shown)) ? 1 : 0;
          }
        }
      },
    );
    return mask;
  }

  /** The nodes that are columns. */
  listed(): ShapeNode[] {
    return this.file.shape.columns().columns.map(({ id }) => this.node(id));
  }

  private async evaluate(filter: Filter, pace: Pace): Promise<Mask> {
    switch (filter.op) {
      case 'and':
      case 'or': {
        const isAnd = filter.op === 'and';
        const mask = new Uint8Array(this.file.index.rows).fill(isAnd ? 1 : 0);
        for (const part of filter.of) {
          const other = await this.evaluate(part, pace);
          for (let row = 0; row < mask.length; row += 1) {
            mask[row] = isAnd ? mask[row]! & other[row]! : mask[row]! | other[row]!;
          }
          releaseBuffers(other);
        }
        return mask;
      }
      case 'not': {
        const mask = await this.evaluate(filter.of, pace);
        for (let row = 0; row < mask.length; row += 1) {
          mask[row] = 1 - mask[row]!;
        }
        return mask;
      }
      case 'anywhere':
        return this.anywhere(filter.text, pace);
      case 'invalid': {
        const mask = new Uint8Array(this.file.index.rows);
        const silent = this.file.walker([]);
        await this.file.scan(
          pace,
          () => silent,
          (row, invalid) => {
            mask[row] = invalid === undefined ? 0 : 1;
          },
        );
        return mask;
      }
      default:
        return this.column(filter, pace);
    }
  }

  private async column(filter: ColumnFilter, pace: Pace): Promise<Mask> {
    const node = this.node(filter.column);
    await pace.pause();
    // Used before the next await: after it, the store may drop the column.
    const [data] = await this.store.columns([node], pace);
    return data?.type === 'dictionary'
      ? byDictionary(filter, data)
      : this.byScan(filter, node, pace);
  }

  /** Reads the values from the file, because a wide column does not hold them. */
  private async byScan(filter: ColumnFilter, node: ShapeNode, pace: Pace): Promise<Mask> {
    const mask = new Uint8Array(this.file.index.rows);
    const wanted = condition(filter);
    await this.file.scanValues(pace, [node], (row, _slot, value) => {
      const isMet =
        value.kind < kindNull
          ? wanted.test(value.kind, value.bytes, value.from, value.to)
          : (value.kind === kindNull && wanted.null) ||
            (value.kind === kindMissing && wanted.missing);
      mask[row] = isMet ? 1 : 0;
    });
    return mask;
  }
}

/** Walks through the columns of a record. */
type CellWalk = (cursor: RecordCursor) => Walker;

function knownCells(file: TableFile, nodes: readonly ShapeNode[]): CellWalk {
  const walker = file.walker(nodes);
  return ({ bytes, start, end }) => {
    walker.walk(bytes, start, end);
    return walker;
  };
}

/**
 * Walks all columns of a record. While columns are still being found, this first finds those of the
 * record.
 */
function allCells(file: TableFile): CellWalk {
  const { shape, walkers } = file.blank();
  const scout = walkers.create([], true, false);
  let known = '';
  let walker: Walker | undefined;
  return ({ bytes, start, end }) => {
    scout.walk(bytes, start, end);
    const { columns } = shape.columns();
    const ids = columns.map(({ id }) => id).join('\n');
    if (!walker || ids !== known) {
      known = ids;
      walker = walkers.create(
        columns.flatMap(({ id }) => shape.find(id) ?? []),
        false,
        false,
      );
    }
    walker.walk(bytes, start, end);
    return walker;
  };
}

/** Tests each distinct value once. */
function byDictionary(
  filter: ColumnFilter,
  { codes, texts }: Extract<ColumnData, { readonly type: 'dictionary' }>,
): Mask {
  const wanted = condition(filter);
  const isMet = new Uint8Array(texts.count + firstValueCode);
  isMet[0] = wanted.null ? 1 : 0;
  isMet[1] = wanted.missing ? 1 : 0;
  for (let number = 0; number < texts.count; number += 1) {
    const { bytes } = texts;
    const test = wanted.test(texts.kind(number), bytes, texts.from(number), texts.to(number));
    isMet[number + firstValueCode] = test ? 1 : 0;
  }
  const mask = new Uint8Array(codes.length);
  for (let row = 0; row < codes.length; row += 1) {
    mask[row] = isMet[codes[row]!]!;
  }
  return mask;
}

/** The rows of a mask, in the order of the file. The mask is consumed. */
export function rowsOf(mask: Mask): Uint32Array {
  // Writes every row, and overwrites it if its mask is 0: an unpredictable branch would cost more.
  // So the array has one more item than there are rows.
  const rows = new Uint32Array(countOf(mask) + 1);
  let at = 0;
  for (let row = 0; row < mask.length; row += 1) {
    rows[at] = row;
    at += mask[row]!;
  }
  releaseBuffers(mask);
  return rows.subarray(0, at);
}

function countOf(mask: Mask): number {
  let count = 0;
  // By index, which is several times as fast as an iterator while the engine warms up.
  for (let left = mask.length; left > 0; left -= 1) {
    count += mask[left - 1]!;
  }
  return count;
}

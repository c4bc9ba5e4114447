import type { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { columnType } from '../../values/kinds';
import type { YieldBudget } from '../../threads/yieldBudget';
import type { ShapeNode } from '../../read/records/shape';
import type { PackedPart, PackedRows } from '../../data/copies';
import {
  type ExportCells,
  type ExportSource,
  chosenNodes,
  groupCells,
  recordCells,
  withAdded,
} from '../exportCells';
import type { PackedExport } from '../packedExport';
import { sqlNames } from '../sql';
import { commonTypes, parquetType, type ParquetTypeName, type ParquetValue } from './parquetTypes';

/**
 * The size of a row group, which is in memory as a whole: in UTF-16 code units, and as many more for
 * each value as its objects take. Of each column of a group, about a kilobyte is in memory until the
 * file ends.
 */
const groupLength = 8 * 1024 ** 2;
const valueLength = 16;
/** A limit for rows with few values: a `null` takes memory, too. */
const maxGroupRows = 20_000;

/** The rows to write. */
interface ParquetCells extends ExportCells {
  readonly names: readonly string[];
  /** Only the columns that may have another type than text. */
  readonly typed: { readonly columns: readonly number[] } & Pick<ExportCells, 'cellsAt'>;
}

/** Writes the rows of a view as Parquet, one row group at a time, so that only that is in memory. */
export class ParquetExport implements PackedExport {
  private constructor(
    private readonly rows: ParquetCells,
    private readonly types: readonly ParquetTypeName[],
    private readonly bytes: ByteWriter,
    private readonly writer: ParquetWriter,
  ) {}

  /**
   * Reads the values of columns that may be more than text once to find their types: the schema of a Parquet file is
   * that of all its rows.
   */
  static async begin(
    source: ExportSource,
    part: PackedPart,
    { budget, reveal }: { readonly budget: YieldBudget; readonly reveal: boolean },
  ): Promise<ParquetExport> {
    const rows = readCells(source, part, reveal);
    const types = await exactTypes(rows, budget);
    const library = await import('./parquetLibrary');
    const bytes = new library.ByteWriter();
    const schema = [
      { name: 'schema', num_children: rows.names.length },
      ...rows.names.map((name, at) => ({
        name,
        repetition_type: 'OPTIONAL' as const,
        ...parquetType(types[at]!).element,
      })),
    ];
    const writer = new library.ParquetWriter({ writer: bytes, schema });
    return new ParquetExport(rows, types, bytes, writer);
  }

  /** Writes the next row group, and after the last one the end of the file. */
  async next(from: number, budget: YieldBudget): Promise<PackedRows> {
    const { names, count, cellsAt } = this.rows;
    const end = Math.min(count, from + maxGroupRows);
    const columns = names.map((): ParquetValue[] => []);
    const parsers = this.types.map((type) => parquetType(type).parse);
    let length = 0;
    let position = from;
    while (position < end && length < groupLength) {
      for (const [at, { kind, text }] of cellsAt(position).entries()) {
        const isNull = kind === 'null' || kind === 'missing';
        columns[at]!.push(isNull ? null : parsers[at]!(text));
        length += isNull ? 0 : valueLength + text.length;
      }
      position += 1;
      if (budget.shouldYield(names.length * valueLength)) {
        await budget.pause();
      }
    }
    const rowGroupSize = position - from;
    if (rowGroupSize > 0) {
      const columnData = columns.map((data, at) => ({
        name: names[at]!,
        data,
        offsetIndex: false,
        // A dictionary has one entry for 0 and -0.
        ...(this.types[at] === 'double' && { encoding: 'PLAIN' as const }),
      }));
      await this.writer.write({ columnData, rowGroupSize });
    }
    const isLast = position >= count;
    if (isLast) {
      await this.writer.finish();
    }
    return { bytes: this.takeBytes(), rows: rowGroupSize, isLast };
  }

  private takeBytes(): Uint8Array {
    const taken = this.bytes.getBytes().slice();
    this.bytes.index = 0;
    return taken;
  }
}

async function exactTypes(
  { names, count, typed }: ParquetCells,
  budget: YieldBudget,
): Promise<ParquetTypeName[]> {
  const types: (readonly ParquetTypeName[] | undefined)[] = names.map(() => undefined);
  const isOpen = () => typed.columns.some((column) => types[column]?.length !== 0);
  for (let position = 0; position < count && isOpen(); position += 1) {
    const cells = typed.cellsAt(position);
    // The text of a record without values is in the first column.
    const columns = cells[0]?.kind === 'invalid' ? [0] : typed.columns;
    columns.forEach((column, at) => {
      types[column] = commonTypes(types[column], cells[at]!);
    });
    if (budget.shouldYield(names.length * valueLength)) {
      await budget.pause();
    }
  }
  return types.map((possible) => possible?.[0] ?? 'string');
}

function readCells(source: ExportSource, part: PackedPart, reveal: boolean): ParquetCells {
  const { file, view } = source;
  const { rows, groups } = view;
  const options = { reveal, maxLength: Infinity };
  if (groups) {
    const cells = withAdded(groupCells(file, part, groups, options), source, part);
    const { columns, cellsAt } = cells;
    return { ...cells, names: sqlNames(columns), typed: { columns: [...columns.keys()], cellsAt } };
  }
  // A file without a column would be no table for its readers.
  const nodes = chosenNodes(source, part, file.shape.top);
  const typed = [...nodes.keys()].filter((at) => mayBeTyped(nodes[at]!));
  const { cellsAt } = recordCells(
    file,
    typed.map((at) => nodes[at]!),
    rows,
    options,
  );
  const own = recordCells(file, nodes, rows, options);
  const cells = withAdded(own, source, part);
  const named = cells.columns.findIndex(({ added }) => added === 'scorecardName');
  const added = named < 0 ? Infinity : named;
  return {
    ...cells,
    names: sqlNames(cells.columns),
    typed: { columns: typed.map((at) => (at < added ? at : at + 1)), cellsAt },
  };
}

function mayBeTyped({ kinds }: ShapeNode): boolean {
  return ['number', 'date', 'boolean'].includes(columnType(kinds));
}

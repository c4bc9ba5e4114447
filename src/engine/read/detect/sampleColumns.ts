import { kindDate, kindNull } from '../../values/kinds';
import type { ShapeNode } from '../records/shape';
import type { TableFile } from '../tableFile';
import { newValue } from '../records/recordReader';
import type { SampledColumn } from '../../values/roles';

/** How many of the first rows are used to find roles. */
export const sampledRows = 200;
/** The most bytes that are read of a value: short values are enough to find roles. */
const sampledBytes = 1000;

export interface ColumnSample extends SampledColumn {
  readonly node: ShapeNode;
  readonly texts: string[];
  dates: number;
}

/** The columns known so far, with the values of the first rows. */
export function sampleColumns(file: TableFile): ColumnSample[] {
  const sampled = file.shape
    .columns()
    .columns.flatMap(({ id }) => file.shape.find(id) ?? [])
    .map((node): ColumnSample => ({ node, name: node.name, texts: [], dates: 0 }));
  const nodes = sampled.map(({ node }) => node);
  const value = newValue();
  for (let row = 0; row < Math.min(sampledRows, file.index.rows); row += 1) {
    const reader = file.read(row, nodes);
    sampled.forEach((column, slot) => {
      reader.read(0, slot, value);
      if (value.kind < kindNull && value.to > value.from) {
        const end = Math.min(value.to, value.from + sampledBytes);
        column.texts.push(value.bytes.toString('utf8', value.from, end));
        column.dates += value.kind === kindDate ? 1 : 0;
      }
    });
  }
  return sampled;
}

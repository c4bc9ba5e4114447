import type { ColumnChart } from '../overviewTypes';
import { rowsUpTo } from '../read/records/recordIndex';
import { newValue } from '../read/records/recordReader';
import type { ShapeNode } from '../read/records/shape';
import type { TableFile } from '../read/tableFile';
import { kindDate, kindNumber } from '../values/kinds';
import { numberValue } from '../values/measures';

/** The most rows that are read; a small chart does not show more. */
const maxSampled = 512;
const steps = 20;

/**
 * How the numbers or dates of columns are spread, as rows at equal distances show; `undefined` for a column without
 * different values.
 * @param rows how many first rows are sampled.
 */
export function spreadsOf(
  file: TableFile,
  nodes: readonly ShapeNode[],
  rows: number,
): ColumnChart['spread'][] {
  const found = nodes.map((): number[] => []);
  const value = newValue();
  const share = rows / maxSampled;
  // Other rows are found from one whose offset is kept, which takes longer.
  const distance = share > 64 ? rowsUpTo(share) : Math.ceil(share);
  for (let row = 0; row < rows; row += distance) {
    const reader = file.read(row, nodes);
    // In a row that is not valid CSV, a secret may be in any column.
    const isValid = reader.invalid(0) === undefined;
    found.forEach((values, slot) => {
      if (isValid && reader.has(0, slot)) {
        reader.read(0, slot, value);
        const { kind, bytes, from, to, time } = value;
        const number =
          kind === kindNumber ? numberValue(bytes, from, to) : kind === kindDate ? time : NaN;
        if (Number.isFinite(number)) {
          values.push(number);
        }
      }
    });
  }
  return found.map(spreadOf);
}

function spreadOf(values: readonly number[]): ColumnChart['spread'] {
  const from = Math.min(...values);
  const to = Math.max(...values);
  if (!(from < to) || !Number.isFinite(to - from)) {
    return undefined;
  }
  const counts = Array.from({ length: steps }, () => 0);
  for (const value of values) {
    counts[Math.min(steps - 1, Math.floor(((value - from) / (to - from)) * steps))]! += 1;
  }
  return { from, to, steps: counts };
}

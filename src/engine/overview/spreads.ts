import type { ColumnChart } from '../data/overview';
import { rowsUpTo } from '../read/records/recordIndex';
import { RowReader, shownLength } from '../read/rowReader';
import type { ShapeNode } from '../read/records/shape';
import type { TableFile } from '../read/tableFile';
import { kindDate, kindNumber } from '../values/kinds';
import { numberValue } from '../values/measures';

/** The most rows that are read; a small chart does not show more. */
const maxSampled = 512;
/** In larger files, only rows whose offsets are kept are read: to find others would take long. */
const maxFoundBytes = 128 * 1024 ** 2;
const steps = 20;

/**
 * How the numbers or dates of columns are spread, as rows at equal distances show; `undefined` for a column without
 * different values.
 * @param rows how many first rows are sampled. @param maxBytes of a file in which any row is found.
 */
export function findSpreads(
  file: TableFile,
  nodes: readonly ShapeNode[],
  rows: number,
  maxBytes = maxFoundBytes,
): ColumnChart['spread'][] {
  const found = nodes.map((): number[] => []);
  const reader = new RowReader(file, nodes, { reveal: false, maxLength: shownLength });
  const share = rows / maxSampled;
  const distance =
    share > 64 || file.index.position > maxBytes ? rowsUpTo(share) : Math.ceil(share);
  for (let row = 0; row < rows; row += distance) {
    reader.visitValues(row, (slot, { kind, bytes, from, to, time }) => {
      const number =
        kind === kindNumber ? numberValue(bytes, from, to) : kind === kindDate ? time : NaN;
      if (Number.isFinite(number)) {
        found[slot]!.push(number);
      }
    });
  }
  return found.map(createSpread);
}

function createSpread(values: readonly number[]): ColumnChart['spread'] {
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

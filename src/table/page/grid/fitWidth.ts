import type { Cell } from '../../engine/types';
import type { ShownColumn } from './columnModel';
import type { ScorecardNames } from '../scorecardNames';
import { comparedText } from './rowPainter';

/** Pixels around the text of a cell, and of a heading (with the sort arrow). */
const cellRoom = 18;
const headRoom = 34;

/** The width in pixels that fits a heading and cells. */
export function fitWidth(
  { column }: ShownColumn,
  cells: readonly Cell[],
  scorecards: ScorecardNames,
): number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) {
    return 0;
  }
  const { fontStyle, fontSize, fontFamily } = getComputedStyle(document.body);
  const measure = (text: string, weight: string): number => {
    context.font = `${fontStyle} ${weight} ${fontSize} ${fontFamily}`;
    return context.measureText(text.slice(0, 300)).width;
  };
  const widths = cells.map((cell) => measure(comparedText(cell, scorecards), '400') + cellRoom);
  return Math.ceil(Math.max(measure(column.name, '600') + headRoom, ...widths));
}

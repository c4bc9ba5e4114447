import type { ComparedCell } from '../../engine/page';
import type { Criteria } from '../state/criteria';
import type { Store } from '../state/store';
import { comparedText } from './cellText';
import type { MeasuredColumn, ShownColumn } from '../state/columnModel';

/** The most columns that are measured: those that may be seen soon. Hundreds would be slow. */
const maxMeasured = 60;

/** Fits the widths of columns to their values. */
export class ColumnFit {
  /** Identifies the rows that the columns were last fitted to. */
  private fitted: string | undefined;

  constructor(private readonly store: Store) {}

  /**
   * Fits columns that nobody has resized to the first rows. Rows further down may need more room. A sort
   * changes no width, so that the heading stays under the pointer; after the one that the table begins with, see refit.
   */
  fitFirst(): void {
    const { view, scroll, texts } = this.store;
    const rows = describeRows(view.criteria, view.info.list, view.oldColumnCount);
    const areAwaited =
      rows !== describeRows(view.shownCriteria, view.info.list, view.oldColumnCount);
    if (this.fitted === rows || areAwaited || !view.row(scroll.first, 0)) {
      return;
    }
    this.fitted = rows;
    const { shownColumns } = view;
    const measured = shownColumns.shown.slice(0, maxMeasured).map((shown, at): MeasuredColumn => {
      const { id, role } = shown.column;
      const cells = seenCells(this.store, at);
      // An ID that is shown by a name looks like any other value.
      const isId = role === 'id' && !cells.some(({ text }) => texts.findScorecard(text));
      const isChange = cells.some(({ was }) => was !== undefined);
      return {
        id,
        width: fitWidth(shown, cells, this.store),
        holds: isId ? 'id' : isChange ? 'change' : 'value',
      };
    });
    shownColumns.fit(measured);
  }

  /** Fits the columns to the first rows again, which are others now. */
  refit(): void {
    this.fitted = undefined;
  }
}

/** The values in a column as far as they are loaded, from the first visible row on. */
export function seenCells({ view, scroll }: Store, column: number): ComparedCell[] {
  const { first, page } = scroll;
  const count = Math.max(page, 60);
  return Array.from({ length: count }, (_, at) => view.cell(first + at, column) ?? []).flat();
}

/** Identifies the rows of criteria, in any order, and what their cells show. */
function describeRows(
  { filters, openedGroup, overviewFilter, groupBy }: Criteria,
  ...shown: readonly unknown[]
): string {
  return JSON.stringify([filters, openedGroup, overviewFilter, groupBy, shown]);
}

/** Pixels around the text of a cell, and of a heading (with the sort arrow). */
const cellPadding = 18;
const headingPadding = 44;
/** Pixels of the mark before a severity. */
const severityMark = 18;

/** The width in pixels that fits a heading and cells. */
export function fitWidth(
  { column }: ShownColumn,
  cells: readonly ComparedCell[],
  { texts, view }: Store,
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
  // The same font weights as in `table.css` and `differences.css`.
  const weightOf = ({ was }: ComparedCell) => (was ? '600' : '400');
  const padding = cellPadding + (column.role === 'severity' ? severityMark : 0);
  const widths = cells.map(
    (cell) => measure(comparedText(cell, column, texts), weightOf(cell)) + padding,
  );
  return Math.ceil(Math.max(measure(view.formatColumn(column), '600') + headingPadding, ...widths));
}

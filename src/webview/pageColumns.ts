import type { ComparedCell } from '../engine/values/comparisonColumns';
import type { Column } from '../engine/types';
import type { Criteria } from './criteria';
import type { PageContext } from './pageContext';
import type { MeasuredColumn, ShownColumn } from './grid/columnModel';
import type { Texts } from './texts';
import { comparedText } from './grid/gridPainter';

/** What is needed of the page. */
type ColumnsPage = Pick<PageContext, 'texts' | 'view' | 'grid' | 'announcer' | 'memory' | 'draw'>;

/** Moves, resizes and hides columns. Announces and saves the changes. */
export class PageColumns {
  /** Identifies the rows that the columns were last fitted to. */
  private fitted: string | undefined;
  /** Whether nothing was fitted since the page was restored: its saved widths stay. */
  private keepsSavedWidths = true;

  constructor(private readonly page: ColumnsPage) {}

  setHidden({ id, name }: Column, hidden: boolean): void {
    const { view, texts } = this.page;
    this.change(
      () => {
        view.columns.setHidden(id, hidden);
      },
      hidden ? texts.get('hidden', name) : undefined,
    );
  }

  showAll(): void {
    const { columns } = this.page.view;
    this.change(() => {
      for (const { id } of columns.ordered) {
        columns.setHidden(id, false);
      }
    });
  }

  /** Shows columns without any value, or hides them until one is found. */
  setEmptyHidden(hidden: boolean): void {
    const { view, texts } = this.page;
    const { columns } = view;
    const text = texts.get(hidden ? 'emptyNotShown' : 'emptyShown');
    this.change(() => {
      columns.setEmptyHidden(hidden);
    }, text);
  }

  private change(change: () => void, outcome?: string): void {
    this.page.view.columnsChanged(change);
    if (outcome !== undefined) {
      this.page.announcer.say(outcome);
    }
    this.page.memory.saveSoon();
  }

  move(from: number, to: number): void {
    const { shown } = this.page.view.shownColumns;
    const target = Math.max(0, Math.min(to, shown.length - 1));
    const name = shown[from]?.column.name ?? '';
    this.change(
      () => {
        this.page.view.shownColumns.move(from, target);
      },
      this.page.texts.get('moved', name, target + 1, shown.length),
    );
    const { selection, zone } = this.page.grid.focus;
    const position = { row: selection.active.row, column: target };
    this.page.grid.focus = {
      selection: { anchor: position, active: position, kind: 'cells' },
      zone,
    };
    this.page.grid.revealColumn(target);
  }

  /** Fits the width to the heading and the visible values. */
  fit(at: number): void {
    const shown = this.page.view.shownColumns.shown[at];
    if (shown) {
      this.resize(shown.column, fitWidth(shown, this.seenCells(at), this.page.texts));
    }
  }

  resize(column: Column, width: number): void {
    this.page.view.shownColumns.resize(column.id, width);
    const shown = this.page.view.shownColumns.shown.find((one) => one.column.id === column.id);
    this.page.announcer.say(this.page.texts.get('width', column.name, shown?.width ?? 0));
    this.page.draw();
    this.page.memory.saveSoon();
  }

  /**
   * Fits columns that nobody has resized to the first rows. Rows further down may need more room. A sort
   * changes no width, so that the heading stays under the pointer; after the one that the table begins with, see refit.
   */
  fitFirst(): void {
    const { view, grid } = this.page;
    const rows = rowsOf(view.criteria);
    const areAwaited = rows !== rowsOf(view.shownCriteria);
    if (this.fitted === rows || areAwaited || !view.row(grid.scroll.first)) {
      return;
    }
    const { shownColumns } = view;
    const { keepsSavedWidths } = this;
    this.fitted = rows;
    this.keepsSavedWidths = false;
    // Measures only columns that may be seen soon: hundreds would be slow.
    const { texts } = this.page;
    const measured = shownColumns.shown.slice(0, 60).flatMap((shown, at): MeasuredColumn[] => {
      if (keepsSavedWidths && shownColumns.isFitted(shown.column.id)) {
        return [];
      }
      const cells = this.seenCells(at);
      // An ID that is shown by a name looks like any other value.
      const isId =
        shown.column.role === 'id' &&
        !cells.some(({ text }) => texts.scorecards.of(text) !== undefined);
      return [
        {
          id: shown.column.id,
          width: fitWidth(shown, cells, texts),
          holds: isId ? 'id' : cells.some(({ was }) => was !== undefined) ? 'change' : 'value',
        },
      ];
    });
    shownColumns.fit(measured);
    grid.show(view.source);
  }

  /** Fits the columns to the first rows again: they are others, or their cells now show more. */
  refit(): void {
    this.fitted = undefined;
    this.keepsSavedWidths = false;
  }

  private seenCells(column: number): ComparedCell[] {
    const { first, page } = this.page.grid.scroll;
    const count = Math.max(page, 60);
    return Array.from(
      { length: count },
      (_, at) => this.page.view.cell(first + at, column) ?? [],
    ).flat();
  }
}

/** Identifies the rows of criteria, in any order. */
function rowsOf({ filters, invalidOnly, openedGroup, overviewFilter, groupBy }: Criteria): string {
  return JSON.stringify([[...filters], invalidOnly, openedGroup, overviewFilter, groupBy]);
}

/** Pixels around the text of a cell, and of a heading (with the sort arrow). */
const cellPadding = 18;
const headingPadding = 44;
/** Pixels of the mark before a severity. */
const severityMark = 18;

/** The width in pixels that fits a heading and cells. */
function fitWidth({ column }: ShownColumn, cells: readonly ComparedCell[], texts: Texts): number {
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
  return Math.ceil(Math.max(measure(column.name, '600') + headingPadding, ...widths));
}

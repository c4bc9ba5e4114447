import type { Cell, Column } from '../engine/types';
import { fitWidth } from './grid/fitWidth';
import type { Announcer } from './announcer';
import type { Grid } from './grid/grid';
import type { TableView } from './tableView';
import type { Texts } from './texts';

/** What it needs of the page. */
export interface ColumnsPage {
  readonly texts: Texts;
  readonly view: TableView;
  readonly grid: Grid;
  readonly announcer: Announcer;
  readonly memory: { keep(): void };
  draw(): void;
}

/** Moves, resizes and hides columns, says so, and keeps it. */
export class PageColumns {
  private fitted: string | undefined;

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

  private change(change: () => void, outcome?: string): void {
    this.page.view.columnsChanged(change);
    if (outcome !== undefined) {
      this.page.announcer.say(outcome);
    }
    this.page.memory.keep();
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

  /** As wide as the heading and the values that are seen. */
  fit(at: number): void {
    const shown = this.page.view.shownColumns.shown[at];
    if (shown) {
      this.resize(shown.column, fitWidth(shown, this.seenCells(at)));
    }
  }

  resize(column: Column, width: number): void {
    this.page.view.shownColumns.resize(column.id, width);
    const shown = this.page.view.shownColumns.shown.find((one) => one.column.id === column.id);
    this.page.announcer.say(this.page.texts.get('width', column.name, shown?.width ?? 0));
    this.page.draw();
    this.page.memory.keep();
  }

  /**
   * Widths that follow the first rows, for columns that nobody has sized. Other rows may need more; a mere
   * sort changes none, so that the heading stays under the pointer.
   */
  fitFirst(): void {
    const { view, grid } = this.page;
    const { filters, invalidOnly, picked, chosen, groupBy } = view.criteria;
    const rows = JSON.stringify([[...filters], invalidOnly, picked, chosen, groupBy]);
    if (this.fitted === rows || view.progress !== undefined || !view.row(grid.scroll.first)) {
      return;
    }
    this.fitted = rows;
    const { shownColumns } = view;
    // Only what one may see soon: measuring hundreds of columns would take a while.
    const widths = shownColumns.shown
      .slice(0, 60)
      .map((shown, at) => [shown.column.id, fitWidth(shown, this.seenCells(at))] as const);
    shownColumns.fit(new Map(widths));
    grid.show(view.source);
  }

  private seenCells(column: number): Cell[] {
    const { first, page } = this.page.grid.scroll;
    const count = Math.max(page, 60);
    return Array.from(
      { length: count },
      (_, at) => this.page.view.cell(first + at, column) ?? [],
    ).flat();
  }
}

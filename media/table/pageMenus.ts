import type { Column, DistinctValues } from '../../src/table/types';
import { equalTo } from './filterExpression';
import { queryOf, type Wish } from './gridState';
import { keyName } from './keyNames';
import { separator, showMenu, type MenuItem } from './menu';
import {
  columnItems,
  copyItems,
  filterItems,
  groupItems,
  headerItems,
  type MenuActions,
} from './tableMenus';
import type { TablePage } from './tablePage';

type At = Element | { x: number; y: number };

/** Most frequent values that a filter offers. */
const offered = 50;

/** Opens the menus of the page, each for what it belongs to. */
export class PageMenus {
  constructor(private readonly page: TablePage) {}

  header(column: number, at: At): void {
    const { page } = this;
    const { shown } = page.view.shownColumns;
    const one = shown[column];
    if (one && !page.view.grouped) {
      const items = () => headerItems(page.texts, one, column, shown.length - 1, this.actions());
      showMenu(at, items, one.column.name, page.grid.elements.grid);
    }
  }

  columns(button: HTMLElement): void {
    const { texts } = this.page;
    showMenu(button, () => columnItems(texts, this.actions()), texts.get('columns'), button);
  }

  groupBy(button: HTMLElement): void {
    const { texts } = this.page;
    showMenu(button, () => groupItems(texts, this.actions()), texts.get('groupBy'), button);
  }

  copyAs(at: At): void {
    const { texts, grid } = this.page;
    const items = () => copyItems(texts, this.actions());
    showMenu(at, items, texts.get('copyAs'), grid.elements.grid);
  }

  /** The conditions a column can have, and its values as soon as they are counted. */
  filter(column: Column, at: Element): void {
    const { texts, grid, link, view } = this.page;
    let values: DistinctValues | undefined;
    // Of the rows that the other filters leave: those that a choice would show.
    const others: Wish = {
      ...view.wish,
      filters: new Map([...view.wish.filters].filter(([id]) => id !== column.id)),
    };
    const among = queryOf(others, view.filters(others))?.filter;
    const asked = link.ask('distinct', {
      ...{ column: column.id, limit: offered },
      ...(among && { filter: among }),
    });
    const redraw = showMenu(
      at,
      () => filterItems(texts, column, values, this.actions(), new Date()),
      texts.get('filterMenu', column.name),
      grid.elements.grid,
      asked.cancel,
    );
    const none: DistinctValues = { values: [], total: 0 };
    asked.answer.then(
      (answer) => {
        values = answer;
        redraw();
      },
      () => {
        values = none;
        redraw();
      },
    );
  }

  cell(at: At): void {
    const { page } = this;
    const { texts, grid, view } = page;
    if (view.rows > 0) {
      const label = texts.get('recordTitle', grid.focus.selection.active.row + 1);
      showMenu(at, () => this.cellItems(), label, grid.elements.grid);
    }
  }

  private cellItems(): MenuItem[] {
    const { page } = this;
    const { texts, view, grid } = page;
    const { row } = grid.focus.selection.active;
    const open: MenuItem = {
      ...{ label: texts.get(view.grouped ? 'openGroup' : 'openRecord'), detail: 'Enter' },
      run: () => {
        page.openRecord(row);
      },
    };
    if (view.grouped) {
      return [open, separator, ...copyItems(texts, this.actions())];
    }
    return [
      open,
      separator,
      ...copyItems(texts, this.actions()),
      separator,
      ...this.valueItems(),
      {
        ...{ label: texts.get('goToRow'), detail: keyName('Ctrl+G') },
        run: () => {
          page.openJump();
        },
      },
    ];
  }

  /** Keeps or drops the rows that have the value of the active cell. */
  private valueItems(): MenuItem[] {
    const { page } = this;
    const { texts, grid, view } = page;
    const { row, column } = grid.focus.selection.active;
    const shown = view.columns.shown[column];
    const cell = view.cell(row, column);
    if (!shown || !cell || cell.masked || cell.cut || cell.kind === 'wrong') {
      return [];
    }
    const item = (label: string, sign: '==' | '!=='): MenuItem => ({
      label,
      run: () => {
        page.showFilterRow(true);
        page.setFilter(
          shown.column,
          cell.text === '' ? sign.slice(0, -1) : equalTo(cell.text, sign),
        );
      },
    });
    return [item(texts.get('keepValue'), '=='), item(texts.get('dropValue'), '!=='), separator];
  }

  private actions(): MenuActions {
    const { page } = this;
    const { view } = page;
    const { columns } = view;
    return {
      wish: view.wish,
      columns: columns.ordered,
      isHidden: ({ id }) => columns.isHidden(id),
      setSort: (sort) => {
        page.wish({ sort });
      },
      setHidden: ({ id, name }, hidden) => {
        page.columns.change(
          () => {
            columns.setHidden(id, hidden);
          },
          hidden ? page.texts.get('hidden', name) : undefined,
        );
      },
      showAll: () => {
        page.columns.change(() => {
          columns.ordered.forEach(({ id }) => {
            columns.setHidden(id, false);
          });
        });
      },
      fit: (column) => {
        page.columns.fit(column);
      },
      move: (from, to) => {
        page.columns.move(from, to);
      },
      groupBy: (ids) => {
        page.groupBy(ids);
        page.grid.takeFocus();
      },
      setFilter: (column, text) => {
        page.setFilter(column, text);
      },
      beginFilter: (column, text, caret) => {
        const at = columns.shown.findIndex((shown) => shown.column.id === column.id);
        page.editFilter(at, text, caret);
      },
      copy: (format, headings) => {
        page.copies.copy(format, headings);
      },
    };
  }
}

import { type Column, type DistinctValues, maxDistinctValues } from '../../engine/types';
import { queryOf, type Criteria } from '../criteria';
import type { RecordLinks } from '../protocol';
import { showMenu } from './menu';
import { ValueChoice } from './valueChoice';
import {
  cellItems,
  columnItems,
  copyItems,
  filterItems,
  groupItems,
  exportAndCopyItems,
  headerItems,
  type MenuPage,
} from './tableMenus';

type MenuAnchor = Element | { x: number; y: number };

/** Opens the menus of the page. */
export class PageMenus {
  constructor(private readonly page: MenuPage) {}

  header(column: number, at: MenuAnchor): void {
    const { page } = this;
    const { shown } = page.view.shownColumns;
    const one = shown[column];
    if (page.view.grouped) {
      // Groups are not sorted or filtered, but another column can divide them.
      const { texts, grid } = page;
      const { search } = this;
      showMenu(at, () => groupItems(page), texts.get('groupBy'), grid.elements.grid, { search });
    } else if (one) {
      const items = () => headerItems(page, one, column, shown.length - 1);
      showMenu(at, items, one.column.name, page.grid.elements.grid);
    }
  }

  columns(button: HTMLElement): void {
    const { texts } = this.page;
    const { search } = this;
    showMenu(button, () => columnItems(this.page), texts.get('columns'), button, { search });
  }

  groupBy(button: HTMLElement): void {
    const { texts } = this.page;
    const { search } = this;
    showMenu(button, () => groupItems(this.page), texts.get('groupBy'), button, { search });
  }

  private get search() {
    const { texts } = this.page;
    return {
      label: texts.get('searchItems'),
      none: texts.get('notFound'),
      more: (count: number) => texts.get('moreValues', count),
    };
  }

  exportAndCopy(button: HTMLElement): void {
    const { texts } = this.page;
    showMenu(button, () => exportAndCopyItems(this.page), texts.get('exportAndCopy'), button);
  }

  copyAs(at: MenuAnchor): void {
    const { texts, grid } = this.page;
    const items = () => copyItems(this.page);
    showMenu(at, items, texts.get('copyAs'), grid.elements.grid);
  }

  /** The conditions of a column, and its values as soon as they are counted. */
  filter(column: Column, at: Element): void {
    const { texts, grid, link, view } = this.page;
    let values: DistinctValues | undefined;
    // Counts values only in rows that match the other filters: choosing a value shows that many rows.
    const others: Criteria = {
      ...view.criteria,
      filters: new Map([...view.criteria.filters].filter(([id]) => id !== column.id)),
    };
    const among = queryOf(others, view.filters(others))?.filter;
    const call = link.request('distinct', {
      column: column.id,
      limit: maxDistinctValues,
      ...(among && { filter: among }),
    });
    const choice = new ValueChoice(this.page, column);
    const redraw = showMenu(
      at,
      () => filterItems(this.page, column, choice.items(values), new Date()),
      texts.get('filterMenu', column.name),
      grid.elements.grid,
      { search: this.search, onClose: call.cancel },
    );
    const none: DistinctValues = { values: [], total: 0 };
    call.answer.then(
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

  cell(at: MenuAnchor): void {
    const { page } = this;
    const { texts, grid, view, link } = page;
    if (view.rows > 0) {
      const { row } = grid.focus.selection.active;
      const label = texts.get('recordTitle', row + 1);
      const record = view.grouped ? undefined : view.row(row)?.record;
      let links: RecordLinks | undefined;
      const call =
        record !== undefined && page.links.hasWorkspace
          ? link.request('links', { record })
          : undefined;
      const items = () => cellItems(page, links);
      const onClose = call?.cancel;
      const redraw = showMenu(at, items, label, grid.elements.grid, onClose && { onClose });
      call?.answer.then(
        (answer) => {
          links = answer;
          redraw();
        },
        // The item stays disabled.
        () => undefined,
      );
    }
  }
}

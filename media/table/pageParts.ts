import { Finder } from './finder';
import { Grid } from './grid';
import { nextSort } from './gridState';
import type { InputBar } from './inputBar';
import { RecordPanel } from './recordPanel';
import { rowJump } from './rowJump';
import type { TablePage } from './tablePage';
import { Toolbar } from './toolbar';

/*
 * Each makes a part of the page and says what comes of what a person does to it. They ask the page only
 * when something happens: the page is not complete when they are made.
 */

export function makeGrid(page: TablePage, usualRowHeight: number): Grid {
  const fontSize = Number.parseFloat(getComputedStyle(document.body).fontSize);
  const rowHeight = Math.max(usualRowHeight, Math.ceil(fontSize * 1.7));
  const grid: Grid = new Grid(
    page.texts,
    {
      open: (row) => {
        page.openRecord(row);
      },
      focusChanged: (focus) => {
        page.focusChanged(focus);
      },
      sort: (column, further) => {
        if (!page.view.grouped) {
          page.wish({ sort: nextSort(page.view.wish.sort, column.id, further) });
        }
      },
      filter: (column, text) => {
        page.setFilter(column, text);
      },
      headerMenu: (column, at) => {
        page.menus.header(column, at);
      },
      filterMenu: (column, at) => {
        page.menus.filter(column, at);
      },
      cellMenu: (at) => {
        page.menus.cell(at);
      },
      resize: (column, width) => {
        page.columns.resize(column, width);
      },
      fit: (column) => {
        page.columns.fit(column);
      },
      move: (from, to) => {
        page.columns.move(from, to);
      },
      scrolled: () => {
        page.memory.keep();
      },
    },
    rowHeight,
  );
  return grid;
}

export function makeFinder(page: TablePage): Finder {
  return new Finder(page.link, page.texts, {
    get view() {
      return page.view.id;
    },
    get from() {
      return page.grid.focus.selection.active.row;
    },
    found: ({ position, column }) => {
      const at = page.view.columns.shown.findIndex((shown) => shown.column.id === column);
      page.grid.jumpTo(position, at < 0 ? undefined : at);
    },
    closed: () => {
      page.grid.takeFocus();
    },
    announce: (outcome) => {
      if (page.finder.bar.root.hidden) {
        page.tell(outcome);
      } else {
        page.announcer.say(outcome);
      }
    },
    changed: () => {
      page.memory.keep();
    },
  });
}

export function makeJump(page: TablePage): InputBar {
  return rowJump(page.link, page.texts, {
    get view() {
      return page.view.id;
    },
    get rows() {
      return page.view.rows;
    },
    get grouped() {
      return page.view.grouped;
    },
    jump: (position) => {
      page.grid.jumpTo(position);
    },
    closed: () => {
      page.grid.takeFocus();
    },
    announce: (outcome) => {
      page.announcer.say(outcome);
    },
  });
}

export function makeRecord(page: TablePage): RecordPanel {
  return new RecordPanel(page.texts, {
    ask: (record) => page.link.ask('record', { record }),
    openDocument: (record) => {
      page.link.send({ type: 'openRecord', record });
    },
    reveal: () => {
      page.reveal();
    },
    close: () => {
      page.showRecord(false);
      page.grid.takeFocus();
    },
  });
}

export function makeToolbar(page: TablePage): Toolbar {
  return new Toolbar(page.texts, {
    filter: () => {
      page.showFilterRow(!page.filterRow);
    },
    find: () => {
      page.openFind();
    },
    columns: (button) => {
      page.menus.columns(button);
    },
    groupBy: (button) => {
      page.menus.groupBy(button);
    },
    record: () => {
      page.showRecord(!page.record.visible);
    },
    secrets: () => {
      page.reveal();
    },
    help: () => {
      page.help();
    },
    cancel: () => {
      page.view.cancel();
      page.announcer.say(page.texts.get('cancelled'));
      page.grid.takeFocus();
    },
    back: () => {
      page.leaveGroup();
      page.grid.takeFocus();
    },
    clearFilters: () => {
      page.clearFilters();
      page.grid.takeFocus();
    },
  });
}

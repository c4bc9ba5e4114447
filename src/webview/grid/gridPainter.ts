import type { Column } from '../../engine/types';
import type { ShownColumn } from './columnModel';
import { keyName } from '../menus/menu';
import { BarChart, element, icon, setAttribute, setText } from '../dom';
import {
  filterId,
  headId,
  type GridFocus,
  type GridSource,
  cellId,
  cornerText,
  contains,
  rangeOf,
  type CellRange,
} from './gridParts';
import { comparedText } from './cellText';
import { toneOf } from '../views/severityTones';
import { setFilter } from '../actions';
import { filterMenu } from '../menus/pageMenus';
import type { Store } from '../store';
import type { ComparedCell } from '../../engine/values/comparisonColumns';

/** Focus changes around the filters. */
interface Editing {
  /** The focus moves to the headings or cells. */
  leave(zone: 'header' | 'cells'): void;
  /** The filter of this column got the focus. */
  entered(column: Column): void;
}

interface Head {
  readonly head: HTMLElement;
  readonly name: HTMLElement;
  readonly sort: HTMLElement;
  readonly chart: BarChart;
  readonly filter: HTMLElement;
  readonly input: HTMLInputElement;
  readonly more: HTMLElement;
  readonly fault: HTMLElement;
  column: Column;
}

/**
 * Paints the headings and filters of visible columns. An element stays with its column when the column
 * moves.
 */
export class HeadPainter {
  private painted = new Map<string, Head>();
  private readonly corner = element('div', {
    class: 'number',
    role: 'columnheader',
    'aria-colindex': 1,
  });
  private readonly filterCorner = element('div', {
    class: 'number',
    role: 'gridcell',
    'aria-colindex': 1,
  });

  constructor(
    private readonly header: HTMLElement,
    private readonly filters: HTMLElement,
    private readonly store: Store,
    private readonly editing: Editing,
  ) {
    this.filterCorner.append(icon('filter'));
    this.filterCorner.setAttribute('aria-label', store.texts.get('filter'));
    header.append(this.corner);
    filters.append(this.filterCorner);
  }

  paint(source: GridSource, { selection, zone }: GridFocus, window: Window): void {
    setText(this.corner, this.store.texts.get(cornerText(source)));
    const seen = new Map<string, Head>();
    for (let at = window.firstColumn; at < window.endColumn; at += 1) {
      const shown = source.columns[at];
      if (shown) {
        const key = shown.column.id;
        const head = this.painted.get(key) ?? this.create(shown.column);
        this.painted.delete(key);
        seen.set(key, head);
        head.column = shown.column;
        this.paintHead(head, at, shown, source, window.numberWidth);
        const active = at === selection.active.column;
        head.head.classList.toggle('active', active && zone === 'header');
        head.filter.classList.toggle('active', active && zone === 'filter');
      }
    }
    for (const { head, filter } of this.painted.values()) {
      head.remove();
      filter.remove();
    }
    this.painted = seen;
    // Screen readers use the order of elements, not their positions.
    let headBefore: HTMLElement = this.corner;
    let filterBefore: HTMLElement = this.filterCorner;
    for (const { head, filter } of seen.values()) {
      if (headBefore.nextSibling !== head) {
        headBefore.after(head);
      }
      if (filterBefore.nextSibling !== filter) {
        filterBefore.after(filter);
      }
      [headBefore, filterBefore] = [head, filter];
    }
  }

  /** Focuses a visible filter. */
  edit(column: Column, typed?: string, caret = typed?.length ?? 0): void {
    const input = this.painted.get(column.id)?.input;
    if (input) {
      input.focus({ preventScroll: true });
      if (typed === undefined) {
        input.select();
      } else {
        input.value = typed;
        input.setSelectionRange(caret, caret);
      }
    }
  }

  /** The element that a menu of a heading belongs to. */
  anchor(column: Column, zone: 'header' | 'filter'): Element | undefined {
    const head = this.painted.get(column.id);
    return zone === 'header' ? head?.head : head?.more;
  }

  private paintHead(
    { head, name, sort, chart, filter, input, fault }: Head,
    at: number,
    { column, left, width }: ShownColumn,
    source: GridSource,
    numberWidth: number,
  ): void {
    for (const one of [head, filter]) {
      one.style.left = `${numberWidth + left}px`;
      one.style.width = `${width}px`;
      setAttribute(one, 'aria-colindex', at + 2);
      setAttribute(one, 'data-column', at);
    }
    setAttribute(head, 'id', headId(at));
    setAttribute(filter, 'id', filterId(at));
    setText(name, column.name || column.id || this.store.texts.get('record'));
    // The charts count the rows of the file, not groups.
    const counted = source.queryable ? this.store.charts.get(column.id) : undefined;
    chart.show(counted?.bars ?? []);
    setAttribute(head, 'title', [name.textContent, counted?.text].filter(Boolean).join('\n'));
    head.classList.toggle('end', column.type === 'number');
    const rank = source.sort.findIndex((key) => key.column === column.id);
    const key = source.sort[rank];
    const direction = key?.descending ? 'descending' : 'ascending';
    // ARIA allows `aria-sort` on one heading only. The labels of the other headings describe their sort.
    setAttribute(head, 'aria-sort', rank === 0 ? direction : undefined);
    setAttribute(
      head,
      'aria-label',
      key && source.sort.length > 1
        ? this.store.texts.get(
            'sortedAs',
            name.textContent,
            rank + 1,
            this.store.texts.get(direction),
          )
        : undefined,
    );
    const arrow = key ? (key.descending ? '↓' : '↑') : '';
    setText(sort, source.sort.length > 1 && key ? `${arrow}${rank + 1}` : arrow);
    this.paintFilter(input, fault, column, source);
  }

  private paintFilter(
    input: HTMLInputElement,
    fault: HTMLElement,
    column: Column,
    source: GridSource,
  ): void {
    const { text, fault: invalid } = source.filterOf(column);
    if (document.activeElement !== input && input.value !== text) {
      input.value = text;
    }
    input.classList.toggle('set', text !== '');
    setAttribute(input, 'aria-invalid', invalid ? 'true' : undefined);
    // The filter may be longer than its input.
    setAttribute(input, 'title', invalid ?? (text || this.store.texts.get('filterHint')));
    setAttribute(input, 'aria-label', this.store.texts.get('filterOf', column.name));
    if (fault.textContent !== (invalid ?? '')) {
      fault.textContent = invalid ?? '';
      // Moves the message left until it fits.
      const { left } = input.getBoundingClientRect();
      const beyond = left + fault.offsetWidth + 8 - document.body.clientWidth;
      fault.style.left = `${3 - Math.max(0, Math.min(beyond, left))}px`;
    }
  }

  private create(column: Column): Head {
    const name = element('span', { class: 'name' });
    const sort = element('span', { class: 'sort', 'aria-hidden': 'true' });
    const resizer = element('span', { class: 'resizer', 'aria-hidden': 'true' });
    const chart = new BarChart();
    const parts = [name, sort, chart.root, resizer];
    const head = element('div', { class: 'cell', role: 'columnheader' }, ...parts);
    const input = element('input', {
      type: 'text',
      tabindex: -1,
      spellcheck: 'false',
      autocomplete: 'off',
    });
    const more = element('span', { class: 'filter-more', 'aria-hidden': 'true' });
    more.append(icon('down'));
    const fault = element('span', { class: 'fault', role: 'alert' });
    const filter = element('div', { class: 'cell', role: 'gridcell' }, input, more, fault);
    const made: Head = { head, name, sort, chart, filter, input, more, fault, column };
    this.listen(made);
    this.header.append(head);
    this.filters.append(filter);
    return made;
  }

  private listen(made: Head): void {
    const { input, more } = made;
    const apply = (): void => {
      setFilter(this.store, made.column, input.value);
    };
    input.addEventListener('change', apply);
    input.addEventListener('focus', () => {
      this.editing.entered(made.column);
    });
    input.addEventListener('keydown', (event) => {
      if (event.isComposing) {
        return;
      }
      if (event.key === 'Enter') {
        apply();
      } else if (event.key === 'Escape') {
        if (input.value !== '') {
          input.value = '';
          apply();
        }
        this.editing.leave('cells');
      } else if (event.key === 'ArrowDown' && event.altKey) {
        filterMenu(this.store, made.column, more);
      } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp' || event.key === 'Tab') {
        apply();
        this.editing.leave(event.key === 'ArrowUp' ? 'header' : 'cells');
        if (event.key === 'Tab') {
          return;
        }
      } else {
        // Keys of the page, such as Alt+F1, are handled by a listener of the document.
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    });
    more.addEventListener('click', () => {
      filterMenu(this.store, made.column, more);
    });
  }
}

/** The visible part of the grid: rows and columns from (inclusive) to (exclusive). */
export interface Window {
  readonly first: number;
  readonly end: number;
  readonly firstColumn: number;
  readonly endColumn: number;
  /** Pixels scrolled away. */
  readonly top: number;
  readonly rowHeight: number;
  /** Pixels of the column of row numbers. */
  readonly numberWidth: number;
}

interface Painted {
  readonly line: HTMLElement;
  readonly number: HTMLElement;
  readonly cells: HTMLElement[];
}

/** Paints visible rows, and reuses the elements of others. */
export class RowPainter {
  private painted = new Map<number, Painted>();
  private readonly marks = new Highlight();

  constructor(
    private readonly container: HTMLElement,
    private readonly store: Store,
  ) {
    CSS.highlights.set('found', this.marks);
  }

  paint(source: GridSource, focus: GridFocus, window: Window): void {
    const range = rangeOf(focus.selection, source.rows, source.columns.length);
    const free = [...this.painted].filter(([row]) => row < window.first || row >= window.end);
    free.forEach(([row]) => this.painted.delete(row));
    for (let row = window.first; row < window.end; row += 1) {
      const painted = this.painted.get(row) ?? free.pop()?.[1] ?? this.create();
      this.painted.set(row, painted);
      this.paintRow(painted, row, source, focus, range, window);
    }
    free.forEach(([, { line }]) => {
      line.remove();
    });
  }

  /** Marks a text in the cells, in any case. */
  mark(source: GridSource, { firstColumn }: Window, text: string): void {
    this.marks.clear();
    const found = text.toLowerCase();
    if (found === '') {
      return;
    }
    for (const [row, { cells }] of this.painted) {
      cells.forEach((cell, at) => {
        const raw = source.cell(row, firstColumn + at)?.text ?? '';
        for (const range of foundRanges(cell.firstChild, raw, found)) {
          this.marks.add(range);
        }
      });
    }
  }

  private create(): Painted {
    const number = element('div', { class: 'number', role: 'rowheader', 'aria-colindex': 1 });
    const line = element('div', { class: 'row', role: 'row' }, number);
    this.container.append(line);
    return { line, number, cells: [] };
  }

  private paintRow(
    { line, number, cells }: Painted,
    row: number,
    source: GridSource,
    { selection, zone }: GridFocus,
    range: CellRange,
    window: Window,
  ): void {
    const loaded = source.row(row);
    const { active } = selection;
    line.style.transform = `translateY(${row * window.rowHeight - window.top}px)`;
    setAttribute(line, 'aria-rowindex', row + 1);
    setAttribute(line, 'aria-busy', loaded ? undefined : 'true');
    setAttribute(line, 'data-row', row);
    line.classList.toggle('invalid', loaded?.invalid !== undefined);
    line.classList.toggle('active', row === active.row);
    line.classList.toggle('loading', loaded === undefined);
    setText(number, this.store.texts.number((loaded?.record ?? row) + 1));
    number.classList.toggle('selected', row >= range.top && row <= range.bottom);
    this.fitCells(line, cells, window.endColumn - window.firstColumn);
    cells.forEach((cell, at) => {
      const column = window.firstColumn + at;
      const shown = source.columns[column];
      if (!shown) {
        return;
      }
      const isActive = row === active.row && column === active.column;
      const spans = column === 0 && loaded?.cells[0]?.kind === 'invalid';
      cell.style.left = `${window.numberWidth + shown.left}px`;
      cell.style.width = `${spans ? source.width : shown.width}px`;
      const isFocus = isActive && zone === 'cells';
      setAttribute(cell, 'id', isFocus ? cellId(active) : undefined);
      setAttribute(cell, 'aria-colindex', column + 2);
      setAttribute(cell, 'aria-selected', String(contains(range, row, column)));
      cell.classList.toggle('active', isFocus);
      this.paintCell(cell, source.cell(row, column), shown.column);
    });
  }

  private fitCells(line: HTMLElement, cells: HTMLElement[], count: number): void {
    while (cells.length > count) {
      cells.pop()?.remove();
    }
    while (cells.length < count) {
      const cell = element('div', { class: 'cell', role: 'gridcell' });
      cells.push(cell);
      line.append(cell);
    }
  }

  private paintCell(cell: HTMLElement, content: ComparedCell | undefined, column: Column): void {
    setAttribute(cell, 'data-kind', content?.kind);
    cell.classList.toggle('end', column.type === 'number');
    const isChanged = content?.was !== undefined;
    const text = content ? comparedText(content, column, this.store.texts) : '';
    const isNamed = content && this.store.texts.value(content, column.role) !== content.text;
    const isLink = text !== '' && content?.kind !== 'null' && this.store.isFileColumn(column.id);
    cell.classList.toggle('link', isLink);
    const link = isLink ? this.store.texts.get('followLink', keyName('Ctrl+Click')) : undefined;
    // An old and a new value may be too long for the column.
    setAttribute(cell, 'title', isChanged ? text : isNamed ? content.text : link);
    cell.classList.toggle('changed', isChanged);
    // The mark of one severity before two would be wrong.
    const severity = column.role === 'severity' && !isChanged ? content?.text : undefined;
    setAttribute(cell, 'data-tone', severity ? toneOf(severity, column.name) : undefined);
    setText(cell, text);
    setAttribute(cell, 'aria-label', content?.masked ? this.store.texts.get('masked') : undefined);
  }
}

/** Where a cell shows a text, in lower case; all of it if it has the text in the file but shows a name instead. */
function foundRanges(shown: Node | null, raw: string, found: string): Range[] {
  const text = shown?.nodeValue?.toLowerCase();
  if (!shown || text === undefined) {
    return [];
  }
  const rangeOfText = (from: number, to: number): Range => {
    const range = new Range();
    range.setStart(shown, from);
    range.setEnd(shown, to);
    return range;
  };
  const ranges: Range[] = [];
  // Some letters have another length in lower case: the marks would be beside them.
  const isExact = text.length === shown.nodeValue?.length;
  for (
    let at = text.indexOf(found);
    isExact && at >= 0;
    at = text.indexOf(found, at + found.length)
  ) {
    ranges.push(rangeOfText(at, at + found.length));
  }
  return ranges.length === 0 && raw.toLowerCase().includes(found)
    ? [rangeOfText(0, shown.nodeValue?.length ?? 0)]
    : ranges;
}

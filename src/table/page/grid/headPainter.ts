import type { Column } from '../../engine/types';
import type { ShownColumn } from './columnModel';
import { BarChart, element, icon, setAttribute, setText } from '../dom';
import { filterId, headId, type GridActions, type GridFocus, type GridSource } from './gridParts';
import type { Window } from './rowPainter';
import type { Texts } from '../texts';

/** Focus changes around the filters. */
export interface Editing {
  /** The focus leaves to the headings or cells. */
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
 * Paints the headings and filters of visible columns. Elements belong to a column, not to a
 * position.
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
    private readonly texts: Texts,
    private readonly actions: GridActions,
    private readonly editing: Editing,
  ) {
    this.filterCorner.append(icon('filter'));
    this.filterCorner.setAttribute('aria-label', texts.get('filter'));
    header.append(this.corner);
    filters.append(this.filterCorner);
  }

  paint(source: GridSource, { selection, zone }: GridFocus, window: Window): void {
    setText(this.corner, this.texts.get(source.queryable ? 'fileRow' : 'group'));
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
    setText(name, column.name || column.id || this.texts.get('record'));
    // Groups are other rows than those that were counted.
    const counted = source.queryable ? this.actions.charts.of(column.id) : undefined;
    chart.show(counted?.bars ?? []);
    setAttribute(head, 'title', [name.textContent, counted?.text].filter(Boolean).join('\n'));
    head.classList.toggle('end', column.type === 'number');
    const rank = source.sort.findIndex((key) => key.column === column.id);
    const key = source.sort[rank];
    const direction = key?.descending ? 'descending' : 'ascending';
    // ARIA allows it on one heading only; the others have it in their label.
    setAttribute(head, 'aria-sort', rank === 0 ? direction : undefined);
    setAttribute(
      head,
      'aria-label',
      key && source.sort.length > 1
        ? this.texts.get('sortedAs', name.textContent, rank + 1, this.texts.get(direction))
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
    setAttribute(input, 'title', invalid ?? (text || this.texts.get('filterHint')));
    setAttribute(input, 'aria-label', this.texts.get('filterOf', column.name));
    if (fault.textContent !== (invalid ?? '')) {
      fault.textContent = invalid ?? '';
      // Moved left as far as needed.
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
      this.actions.setFilter(made.column, input.value);
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
        this.actions.menus.filter(made.column, more);
      } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp' || event.key === 'Tab') {
        apply();
        this.editing.leave(event.key === 'ArrowUp' ? 'header' : 'cells');
        if (event.key === 'Tab') {
          return;
        }
      } else {
        // Page keys, such as Alt+F1, are handled further out.
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    });
    more.addEventListener('click', () => {
      this.actions.menus.filter(made.column, more);
    });
  }
}

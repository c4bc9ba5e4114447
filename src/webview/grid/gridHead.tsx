import { render, type TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Column, parseColumnFilter } from '../../engine/page';
import { setFilter } from '../state/actions';
import { classes, Icon } from '../dom/components';
import { focusShown } from '../dom/dom';
import type { PageTextKey } from '../../summary/pageTexts';
import { select } from '../state/selection';
import type { HeadChart, Store } from '../state/store';
import { type ShownColumn, typeChoices } from '../state/columnModel';
import { filterId, type GridElements, type GridMenus, headId, type Window } from './gridParts';

/** The key of the heading above the row numbers. */
export const cornerText = ({ grouped }: { readonly grouped: boolean }) =>
  grouped ? 'group' : 'fileRow';

/** What the headings and the filters are drawn from. */
interface HeadProps {
  readonly store: Store;
  readonly menus: GridMenus;
  readonly window: Window;
}

/** A column, and its place among the visible ones. */
interface ColumnProps extends HeadProps {
  readonly shown: ShownColumn;
  readonly at: number;
}

/** Draws the headings and filters of visible columns. Screen readers use the order of elements, not their positions. */
export function drawHead({ header, filters }: GridElements, props: HeadProps): void {
  const { window, store } = props;
  const { texts, view } = store;
  const columns = view.shownColumns.shown
    .slice(window.firstColumn, window.endColumn)
    .map((shown, index) => ({ ...props, shown, at: window.firstColumn + index }));
  render(
    <>
      <div class="number" role="columnheader" aria-colindex={1}>
        {texts.get(cornerText(view))}
      </div>
      {columns.map((column) => (
        <Heading key={column.shown.column.id} {...column} />
      ))}
    </>,
    header,
  );
  render(
    <>
      <div class="number" role="gridcell" aria-colindex={1} aria-label={texts.get('filter')}>
        <Icon name="filter" />
      </div>
      {columns.map((column) => (
        <Filter key={column.shown.column.id} {...column} />
      ))}
    </>,
    filters,
  );
}

/** The attributes that a heading and its filter have in common. */
function placeAttributes({ shown, at, window }: ColumnProps) {
  return {
    style: { left: `${window.numberWidth + shown.left}px`, width: `${shown.width}px` },
    'aria-colindex': at + 2,
    'data-column': at,
  };
}

function Heading(props: ColumnProps) {
  const { store, shown, at } = props;
  const { texts, focus, view, charts } = store;
  const { column } = shown;
  const { sort } = view;
  const title = view.formatColumn(column);
  const name = column.name || title;
  // The charts count the rows of the file, not groups.
  const chart = view.grouped ? undefined : charts.get(column.id);
  const rank = sort.findIndex((key) => key.column === column.id);
  const key = sort[rank];
  const direction = key?.descending ? 'descending' : 'ascending';
  const isOneOfMany = key !== undefined && sort.length > 1;
  const isActive = focus.zone === 'header' && at === focus.selection.active.column;
  return (
    <div
      id={headId(at)}
      class={classes('cell', column.type === 'number' && 'end', isActive && 'active')}
      role="columnheader"
      // The name in the file is what filters, SQL and programs know.
      title={chart?.text ? `${name}\n${chart.text}` : name}
      // ARIA allows `aria-sort` on one heading only. The labels of the other headings describe their sort.
      aria-sort={rank === 0 ? direction : undefined}
      aria-label={
        isOneOfMany ? texts.get('sortedAs', title, rank + 1, texts.get(direction)) : undefined
      }
      {...placeAttributes(props)}
    >
      <span class="name">{title}</span>
      <span class="sort" aria-hidden="true">
        {key && (key.descending ? '↓' : '↑')}
        {isOneOfMany && rank + 1}
      </span>
      <Chart bars={chart?.bars ?? []} />
      <span class="resizer" aria-hidden="true" />
    </div>
  );
}

/** A bar chart. It is hidden from screen readers, because its numbers are available as text elsewhere. */
function Chart({ bars }: Pick<HeadChart, 'bars'>) {
  const shape = bars.map((bar, at) => {
    // A small value must not look like 0.
    const height = bar > 0 ? Math.max(1, Math.round(bar * 12)) : 0;
    return `M${at + 0.1} 12v-${height}h.8v${height}z`;
  });
  return (
    <svg
      class="chart"
      aria-hidden="true"
      preserveAspectRatio="none"
      viewBox={`0 0 ${Math.max(1, bars.length)} 12`}
      data-bars={bars.length || undefined}
      style={{ width: `min(100% - 16px, ${bars.length * 9}px)` }}
    >
      <path d={shape.join('')} />
    </svg>
  );
}

function Filter(props: ColumnProps) {
  const { store, menus, shown, at } = props;
  const { texts, focus, view } = store;
  const { column } = shown;
  const input = useRef<HTMLInputElement>(null);
  const more = useRef<HTMLSpanElement>(null);
  const text = view.criteria.filters[column.id] ?? '';
  const fault = findFault(text, column);
  const reason = fault ? texts.get(fault) : '';
  const isActive = focus.zone === 'filter' && at === focus.selection.active.column;
  const apply = () => setFilter(store, column, input.current?.value ?? '');
  const openMenu = () => {
    if (more.current) {
      menus.openFilterMenu(column, more.current);
    }
  };
  const enter = () => {
    const { selection, zone } = store.focus;
    if (zone !== 'filter' || at !== selection.active.column) {
      store.select(select({ row: selection.active.row, column: at }), 'filter');
    }
  };
  const leave = (to: 'header' | 'cells') => {
    store.select(store.focus.selection, to);
    focusShown();
  };
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const { key, altKey, isComposing, currentTarget } = event;
    if (isComposing) {
      return;
    }
    if (key === 'Enter') {
      apply();
    } else if (key === 'Escape') {
      currentTarget.value = '';
      apply();
      leave('cells');
    } else if (key === 'ArrowDown' && altKey) {
      openMenu();
    } else if (key === 'ArrowDown' || key === 'ArrowUp' || key === 'Tab') {
      apply();
      leave(key === 'ArrowUp' ? 'header' : 'cells');
      if (key === 'Tab') {
        return;
      }
    } else {
      // Keys of the page, such as Alt+F1, are handled by a listener of the document.
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      id={filterId(at)}
      class={classes('cell', isActive && 'active')}
      role="gridcell"
      {...placeAttributes(props)}
    >
      <input
        ref={input}
        type="text"
        tabIndex={-1}
        spellcheck={false}
        autocomplete="off"
        class={text && 'set'}
        // What a user types stays.
        value={input.current && input.current === document.activeElement ? undefined : text}
        aria-invalid={fault ? 'true' : undefined}
        // The filter may be longer than its input.
        title={reason || text || texts.get('filterHint')}
        aria-label={texts.get('filterOf', view.formatColumn(column))}
        onChange={apply}
        onFocus={enter}
        onKeyDown={press}
      />
      <span ref={more} class="filter-more" aria-hidden="true" onClick={openMenu}>
        <Icon name="down" />
      </span>
      <Fault text={reason} />
    </div>
  );
}

/** Why a filter that was typed does not apply. */
function findFault(text: string, column: Column): PageTextKey | undefined {
  const parsed = parseColumnFilter(text, column);
  if (!('fault' in parsed)) {
    return undefined;
  }
  const canHaveNumbers = parsed.fault === 'noNumbers' && typeChoices(column).length > 0;
  return canHaveNumbers ? 'noNumbersYet' : parsed.fault;
}

function Fault({ text }: { readonly text: string }) {
  const fault = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const { current: shown } = fault;
    // To measure is slow: it makes the browser lay out the page for each column that is scrolled into view.
    if (shown && text !== '') {
      // Moves the message left until it fits.
      const { left = 0 } = shown.parentElement?.getBoundingClientRect() ?? {};
      const beyond = left + shown.offsetWidth + 11 - document.body.clientWidth;
      shown.style.left = `${3 - Math.max(0, Math.min(beyond, left))}px`;
    }
  }, [text]);
  return (
    <span ref={fault} class="fault" role="alert">
      {text}
    </span>
  );
}

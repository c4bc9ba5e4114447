import { render } from 'preact';
import type { Column, ComparedCell } from '../../engine/page';
import { classes } from '../dom/components';
import { keyName } from '../dom/keys';
import type { Store } from '../state/store';
import { blockColumns, type LoadedRow } from '../state/tableView';
import type { Texts } from '../../summary/texts';
import { findTone } from '../../summary/severityTones';
import { comparedText, findDay } from './cellText';
import { contains, rangeOf } from '../state/selection';
import { cellId, type Window } from './gridParts';

interface RowsProps {
  readonly store: Store;
  readonly window: Window;
}

/** Draws the visible rows. A row that leaves the window gives its element to one that comes. */
export function drawRows(rows: HTMLElement, props: RowsProps): void {
  const { first, end, slots } = props.window;
  const shown = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
  render(
    shown.map((row) => (
      <div key={row % slots} {...createLine(row, props)}>
        {createCells(row, props)}
      </div>
    )),
    rows,
  );
}

function createLine(row: number, { store: { view }, window }: RowsProps) {
  const loaded = view.row(row, firstBlock(window));
  return {
    class: classes(
      'row',
      loaded?.invalid !== undefined && 'invalid',
      loaded?.isClosed === true && 'closed',
      !loaded && 'loading',
    ),
    role: 'row',
    style: { transform: `translateY(${row * window.rowHeight - window.top}px)` },
    'aria-rowindex': row + 1,
    'aria-busy': loaded ? undefined : true,
    'data-row': row,
  } as const;
}

/** The block of the first visible column: those before it may not be loaded. */
function firstBlock({ firstColumn }: Window): number {
  return Math.floor(firstColumn / blockColumns);
}

/** The number of a row, and its visible cells. */
function createCells(row: number, { store, window }: RowsProps) {
  const { texts, focus, view } = store;
  const { shown, width: allWidth } = view.shownColumns;
  const { active } = focus.selection;
  const loaded = view.row(row, firstBlock(window));
  const range = rangeOf(focus.selection, view.rows, shown.length);
  const isSelected = row >= range.top && row <= range.bottom;
  const number = texts.number((loaded?.record ?? row) + 1);
  const closed = loaded && rowTitle(loaded, number, texts);
  return [
    <div
      class={classes(
        'number',
        isSelected && 'selected',
        loaded?.wasKnown !== undefined && 'was-known',
        loaded?.isExploited === true && 'exploited',
      )}
      role="rowheader"
      aria-colindex={1}
      aria-label={closed}
      title={closed}
    >
      {number}
    </div>,
    drawnColumns(row, { store, window }).map((at) => {
      const one = shown[at];
      if (!one) {
        return null;
      }
      const { column, left, width } = one;
      const isActive = focus.zone === 'cells' && row === active.row && at === active.column;
      const spans = at === 0 && loaded?.cells[0]?.kind === 'invalid';
      const cell = createCell(view.cell(row, at), column, store);
      return (
        <div
          id={isActive ? cellId(active) : undefined}
          role="gridcell"
          style={{
            left: `${window.numberWidth + left}px`,
            width: `${spans ? allWidth : width}px`,
          }}
          aria-colindex={at + 2}
          aria-selected={contains(range, row, at)}
          {...cell}
          class={classes(cell.class, isActive && 'active')}
        />
      );
    }),
  ];
}

/** What the number of a row says of its finding, in words; `undefined` if nothing. */
function rowTitle(loaded: LoadedRow, number: string, texts: Texts): string | undefined {
  const closed = closedTitle(loaded, number, texts);
  return loaded.isExploited === true ? texts.get('exploitedRow', closed ?? number) : closed;
}

/** What it says of what is decided or done besides the number; `undefined` if nothing. */
function closedTitle(
  { isClosed, known, wasKnown }: LoadedRow,
  number: string,
  texts: Texts,
): string | undefined {
  if (known !== undefined) {
    return texts.get('knownRow', number, known);
  }
  return wasKnown === undefined
    ? isClosed && texts.get('closedRow', number)
    : texts.get(wasKnown.why === 'expired' ? 'expiredRow' : 'worseRow', number, wasKnown.label);
}

/** The columns that are seen, and that of the active cell, which screen readers read even if it is not. */
function drawnColumns(row: number, { store, window }: RowsProps): readonly number[] {
  const { firstColumn, endColumn } = window;
  const { active } = store.focus.selection;
  const seen = Array.from({ length: endColumn - firstColumn }, (_, at) => firstColumn + at);
  return row === active.row && !seen.includes(active.column) ? [...seen, active.column] : seen;
}

/** What a cell shows. */
function createCell(cell: ComparedCell | undefined, column: Column, store: Store) {
  const { texts } = store;
  const isNumber = column.type === 'number' && 'end';
  if (!cell) {
    return { class: classes('cell', isNumber) };
  }
  const isChanged = cell.was !== undefined;
  const text = comparedText(cell, column, texts);
  const isNamed = texts.value(cell, column.role) !== cell.text;
  const day = findDay(cell, column, texts);
  const isLink = text !== '' && cell.kind !== 'null' && store.isFileColumn(column.id);
  const link = isLink ? texts.get('followLink', keyName('Ctrl+Click')) : undefined;
  // The mark of one severity before two would be wrong.
  const hasTone = column.role === 'severity' && !isChanged && cell.text !== '';
  return {
    class: classes('cell', isNumber, isLink && 'link', isChanged && 'changed'),
    'data-kind': cell.kind,
    // An old and a new value may be too long for the column.
    title: isChanged ? text : (day?.time ?? (isNamed ? cell.text : link)),
    'data-tone': hasTone ? findTone(cell.text, column) : undefined,
    // What else a value has is read as it is shown.
    'aria-label': cell.masked && /^\u2022+$/.test(text) ? texts.get('masked') : undefined,
    children: text,
  };
}

/** Marks a text in the cells, in any case. */
export class FoundMarks {
  private readonly marks = new Highlight();

  constructor() {
    CSS.highlights.set('found', this.marks);
  }

  show(rows: HTMLElement, { store: { view }, window }: RowsProps, text: string): void {
    this.marks.clear();
    const found = text.toLowerCase();
    if (found === '') {
      return;
    }
    for (const line of rows.querySelectorAll<HTMLElement>('.row')) {
      line.querySelectorAll('.cell').forEach((cell, at) => {
        const raw = view.cell(Number(line.dataset.row), window.firstColumn + at)?.text ?? '';
        for (const range of foundRanges(cell.firstChild, raw, found)) {
          this.marks.add(range);
        }
      });
    }
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

import type { Column } from '../../engine/types';
import type { ComparedCell } from '../../engine/values/comparisonColumns';
import { element, setAttribute, setText } from '../dom';
import { keyName } from '../menus/menu';
import type { Store } from '../store';
import { toneOf } from '../views/severityTones';
import { comparedText } from './cellText';
import {
  cellId,
  type CellRange,
  contains,
  type GridFocus,
  type GridSource,
  rangeOf,
  type Window,
} from './gridParts';

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

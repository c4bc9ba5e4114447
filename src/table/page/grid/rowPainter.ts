import type { Cell } from '../../engine/types';
import type { ComparedCell } from '../../engine/comparisonColumns';
import { element, setAttribute, setText } from '../dom';
import { cellId, type GridFocus, type GridSource } from './gridParts';
import { contains, rangeOf, type CellRange } from './selection';
import type { ScorecardNames } from '../scorecardNames';
import type { Texts } from '../texts';

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

  constructor(
    private readonly container: HTMLElement,
    private readonly texts: Texts,
  ) {}

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
    setText(number, this.texts.number((loaded?.record ?? row) + 1));
    number.classList.toggle('selected', row >= range.top && row <= range.bottom);
    this.fitCells(line, cells, window.endColumn - window.firstColumn);
    cells.forEach((cell, at) => {
      const column = window.firstColumn + at;
      const shown = source.columns[column];
      if (!shown) {
        return;
      }
      const isActive = row === active.row && column === active.column;
      const spans = loaded?.invalid !== undefined && column === 0;
      cell.style.left = `${window.numberWidth + shown.left}px`;
      cell.style.width = `${spans ? source.width : shown.width}px`;
      const isFocus = isActive && zone === 'cells';
      setAttribute(cell, 'id', isFocus ? cellId(active) : undefined);
      setAttribute(cell, 'aria-colindex', column + 2);
      setAttribute(cell, 'aria-selected', String(contains(range, row, column)));
      cell.classList.toggle('active', isFocus);
      this.paintCell(cell, source.cell(row, column), shown.column.type === 'number');
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

  private paintCell(cell: HTMLElement, content: ComparedCell | undefined, number: boolean): void {
    setAttribute(cell, 'data-kind', content?.kind);
    cell.classList.toggle('end', number);
    const name = content && this.texts.scorecards.of(content.text);
    setAttribute(cell, 'title', name === undefined ? undefined : content?.text);
    cell.classList.toggle('changed', content?.was !== undefined);
    setText(cell, content ? comparedText(content, this.texts.scorecards) : '');
    setAttribute(cell, 'aria-label', content?.masked ? this.texts.get('masked') : undefined);
  }
}

/** A cell as one line; of one that differs the old value, too. */
export function comparedText(cell: ComparedCell, scorecards: ScorecardNames): string {
  const { was } = cell;
  const text = (each: Cell) => cellText(each, scorecards);
  return was ? `${text(was) || '\u2014'} \u2192 ${text(cell) || '\u2014'}` : text(cell);
}

/** A cell as one line: invisible characters are shown as signs, and a scorecard by its name. */
function cellText({ kind, text, cut }: Cell, scorecards: ScorecardNames): string {
  switch (kind) {
    case 'null':
      return '\u2014';
    case 'missing':
      return '';
    default:
      return oneLine(scorecards.of(text) ?? text) + (cut ? '…' : '');
  }
}

// Line breaks, and characters that reverse or hide adjacent ones.
const unseen = /\r\n|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function oneLine(text: string): string {
  // More is not readable in a cell; this keeps layout cheap.
  return text
    .slice(0, 1000)
    .replace(unseen, (sign) => (/[\r\n\u2028\u2029]/.test(sign) ? '↵' : '·'));
}

import { element, iconButton, replaceChildren, setAttribute, setText } from '../dom';
import type { LabeledFilter } from '../protocol';
import type { Texts } from '../texts';
import type { BarPart, CountRow, Section } from './countRows';

/** What a section reports to the overview. */
interface CountTableEvents {
  choose(chosen: LabeledFilter): void;
  remove(section: Section): void;
}

interface PaintedRow {
  readonly root: HTMLTableRowElement;
  readonly name: HTMLElement;
  readonly track: HTMLElement;
  readonly count: HTMLElement;
  readonly cells: readonly HTMLElement[];
  row: CountRow;
}

/**
 * A section of the overview. It is a table for screen readers, in which each value is a button, and looks
 * like tiles or bars. The row of a value keeps its elements, so that the focus stays while counts grow.
 */
export class CountTable {
  readonly root: HTMLElement;
  private readonly body = element('tbody');
  private readonly further: readonly string[];
  private painted = new Map<string, PaintedRow>();

  constructor(
    section: Section,
    private readonly texts: Texts,
    private readonly events: CountTableEvents,
  ) {
    const { id, kind, title, headings, added, isOfNumbers } = section;
    const name = `overview ${id}`.replace(/\W+/g, '-');
    const heading = element('h3', { id: name, title }, title);
    const head = element('div', { class: 'section-head' }, heading);
    if (added !== undefined) {
      head.append(
        iconButton('close', texts.get('removeBars', title), () => {
          events.remove(section);
        }),
      );
    }
    const [value = '', count = '', ...further] = headings;
    this.further = further;
    const cells = [value, ...further, count];
    const table = element(
      'table',
      { 'aria-labelledby': name },
      element(
        'thead',
        { class: kind === 'issues' ? '' : 'unseen' },
        element('tr', {}, ...cells.map((text) => element('th', { scope: 'col' }, text))),
      ),
      this.body,
    );
    const classes = `section ${kind}${isOfNumbers ? ' numbers' : ''}`;
    this.root = element('section', { class: classes }, head, table);
  }

  show({ rows }: Section): void {
    const most = Math.max(1, ...rows.map(({ count, isRest }) => (isRest ? 0 : count)));
    const seen = new Map<string, PaintedRow>();
    for (const row of rows) {
      const painted = this.painted.get(row.key) ?? this.create(row);
      seen.set(row.key, painted);
      this.paint(painted, row, most);
    }
    this.painted = seen;
    replaceChildren(
      this.body,
      [...seen.values()].map(({ root }) => root),
    );
  }

  private paint(painted: PaintedRow, row: CountRow, most: number): void {
    const { root, name, track, count, cells } = painted;
    painted.row = row;
    const number = this.texts.number(row.count);
    setText(name, row.label);
    setText(count, number);
    setAttribute(name, 'title', row.label);
    if (row.chosen) {
      setAttribute(name, 'aria-label', `${row.label}: ${number}`);
    }
    setAttribute(root, 'data-tone', row.tone);
    paintBar(track, row.parts ?? [row], most);
    cells.forEach((cell, at) => {
      const { text = '', tone, chosen } = row.cells?.[at] ?? {};
      setText(cell, text);
      cell.hidden = text === '';
      setAttribute(cell, 'data-tone', tone);
      setAttribute(cell, 'aria-label', chosen && `${chosen.label}: ${text}`);
    });
  }

  private create(row: CountRow): PaintedRow {
    const name = row.chosen
      ? element('button', { type: 'button', class: 'count-name' })
      : element('span', { class: 'count-name' });
    const track = element('span', { class: 'bar', 'aria-hidden': 'true' });
    track.hidden = row.isRest === true;
    const count = element('span', { class: 'count' });
    const cells = (row.cells ?? []).map(({ chosen }, at) => {
      const attributes = { class: 'count-cell', 'data-heading': this.further[at] };
      if (!chosen) {
        return element('span', attributes);
      }
      const button = element('button', { ...attributes, type: 'button' });
      button.addEventListener('click', () => {
        const cell = painted.row.cells?.[at];
        if (cell?.chosen) {
          this.events.choose(cell.chosen);
        }
      });
      return button;
    });
    const root = element(
      'tr',
      { class: row.chosen ? 'choice' : 'rest' },
      element('th', { scope: 'row' }, name, track),
      ...cells.map((cell) => element('td', { class: 'beside' }, cell)),
      element('td', { class: 'end' }, count),
    );
    const painted: PaintedRow = { root, name, track, count, cells, row };
    name.addEventListener('click', () => {
      if (painted.row.chosen) {
        this.events.choose(painted.row.chosen);
      }
    });
    return painted;
  }
}

/** Paints the parts of a bar, one beside the other; all of the track is as many as `most`. */
function paintBar(track: HTMLElement, parts: readonly Partial<BarPart>[], most: number): void {
  const bars = [...track.querySelectorAll<HTMLElement>('.bar-value')];
  bars.slice(parts.length).forEach((bar) => {
    bar.remove();
  });
  parts.forEach(({ count = 0, tone }, at) => {
    const bar = bars[at] ?? track.appendChild(element('span', { class: 'bar-value' }));
    setAttribute(bar, 'data-tone', tone);
    // A small count must not look like 0.
    bar.style.width = count === 0 ? '0' : `max(2px, ${(100 * count) / most}%)`;
  });
}

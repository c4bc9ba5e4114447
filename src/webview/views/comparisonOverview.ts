import type { ComparisonAbout } from '../../engine/values/comparisonAbout';
import type { LabeledFilter } from '../protocol';
import { element } from '../dom';
import { CountTable } from './countTable';
import type { Texts } from '../texts';
import {
  type Change,
  type ChangeRow,
  changeSections,
  type ChangeTable,
  changeTables,
} from './comparisonModel';

/** Tiles by severity for new, gone and changed records, and bars for the scorecards and the issue types. */
export function comparisonParts(
  about: ComparisonAbout,
  texts: Texts,
  choose: (chosen: LabeledFilter) => void,
): HTMLElement[] {
  const warnings = about.warnings.map((text) => element('li', {}, text));
  const tiles = changeSections(about, texts).map((section) => {
    const table = new CountTable(section, texts, { choose, remove: () => undefined });
    table.show(section);
    return table.root;
  });
  return [
    ...(warnings.length > 0
      ? [
          element(
            'ul',
            { class: 'warnings', 'aria-label': texts.get('comparisonNotes') },
            ...warnings,
          ),
        ]
      : []),
    ...tiles,
    ...changeTables(about, texts).map((table) => divergingTable(table, texts, choose)),
  ];
}

function severityCell({ severity }: ChangeRow): HTMLElement {
  return severity
    ? element('td', { class: 'severity', 'data-tone': severity.tone }, severity.text)
    : element('td');
}

/**
 * A table of the new and gone records of each issue type or scorecard, with bars to the right and to the left.
 * Each number is a button.
 */
function divergingTable(
  { id: kind, title, heading, rows, more }: ChangeTable,
  texts: Texts,
  choose: (chosen: LabeledFilter) => void,
): HTMLElement {
  const most = Math.max(1, ...rows.map(({ tally }) => Math.max(tally.new, tally.gone)));
  const id = `overview-${kind}`;
  const hasSeverities = rows.some(({ severity }) => severity !== undefined);
  const head = [
    ...(hasSeverities ? (['severity'] as const) : []),
    'goneOnes',
    'newOnes',
    'changedOnes',
  ] as const;
  const number = (row: ChangeRow, change: Change, name: string) => {
    const count = row.tally[change];
    if (count === 0) {
      return element('span', { class: 'faint' }, texts.number(0));
    }
    const label = `${row.label}, ${name}: ${texts.number(count)}`;
    const button = element(
      'button',
      { type: 'button', class: 'text-button', 'aria-label': label },
      texts.number(count),
    );
    button.addEventListener('click', () => {
      choose(row.chosen(change));
    });
    return button;
  };
  const bar = (change: 'new' | 'gone', count: number) => {
    if (count === 0) {
      // Even an empty bar has a border, which would look like a count.
      return '';
    }
    const value = element('span', { class: `diverging-bar ${change}`, 'aria-hidden': 'true' });
    // The number takes 8ch; the longest bar takes the rest.
    value.style.width = `max(2px, calc((100% - 8ch) * ${count / most}))`;
    return value;
  };
  const body = rows.map((row) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row', title: row.label }, row.label),
      ...(hasSeverities ? [severityCell(row)] : []),
      element(
        'td',
        { class: 'gone' },
        element(
          'span',
          { class: 'diverging' },
          number(row, 'gone', texts.get('goneOnes')),
          bar('gone', row.tally.gone),
        ),
      ),
      element(
        'td',
        { class: 'new' },
        element(
          'span',
          { class: 'diverging' },
          bar('new', row.tally.new),
          number(row, 'new', texts.get('newOnes')),
        ),
      ),
      element('td', { class: 'end' }, number(row, 'changed', texts.get('changedOnes'))),
    ),
  );
  return element(
    'section',
    { class: 'section changes' },
    element('div', { class: 'section-head' }, element('h3', { id }, title)),
    element(
      'table',
      { 'aria-labelledby': id },
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          element('th', { scope: 'col' }, heading),
          ...head.map((key) => element('th', { scope: 'col', class: key }, texts.get(key))),
        ),
      ),
      element('tbody', {}, ...body),
    ),
    ...(more === undefined ? [] : [element('p', { class: 'faint' }, more)]),
  );
}

import type { Cell, Column, DistinctValue, DistinctValues } from '../../engine/page';
import { equalToAny, exactValues, hasExactForm } from '../../vocabulary/filterLanguage';
import { setFilter } from '../state/actions';
import type { Store } from '../state/store';
import { findTone } from '../../summary/severityTones';
import type { MenuItem } from '../dom/menu';

/**
 * The most frequent values of a column, once they are counted. Each can be added to its filter, or removed.
 * @param before the values that the filter had when the menu was opened: they keep their place, whether they are counted
 * and still in the filter or not.
 */
export function valueItems(
  store: Store,
  column: Column,
  values: DistinctValues | undefined,
  before: readonly string[],
): MenuItem[] {
  const { texts, view } = store;
  if (!values) {
    return [{ label: texts.get('loading') }];
  }
  const chosen = exactValues(view.criteria.filters[column.id] ?? '') ?? [];
  const item = ({ cell, count }: Pick<DistinctValue, 'cell' | 'count'>): MenuItem => {
    const { text } = cell;
    const label = texts.value(cell, column.role);
    const others = chosen.filter((one) => one !== text);
    const checked = others.length < chosen.length;
    return {
      label: label.replace(/\s+/g, ' ').slice(0, 60),
      detail: texts.number(count),
      ...(label !== text && { title: text }),
      ...(column.role === 'severity' && { tone: findTone(text, column) }),
      checked,
      isValue: true,
      staysOpen: true,
      run: () => setFilter(store, column, equalToAny(checked ? others : [...chosen, text])),
    };
  };
  const usable = values.values.filter(({ cell }) => isUsable(cell));
  const isCounted = new Set(usable.map(({ cell }) => cell.text));
  const uncounted = before
    .filter((text) => !isCounted.has(text))
    .map((text) => ({ cell: { kind: 'text', text } as const, count: 0 }));
  if (usable.length + uncounted.length === 0) {
    return [{ label: texts.get('noValues') }];
  }
  const more = values.total - values.values.length;
  return [
    ...[...uncounted, ...usable].map(item),
    ...(more > 0 ? [{ label: texts.get('moreValues', more) }] : []),
  ];
}

/** Whether a filter can be typed for exactly this value. */
function isUsable({ kind, text, cut, masked }: Cell): boolean {
  return (
    kind !== 'invalid' && text !== '' && !cut && !masked && text.length <= 200 && hasExactForm(text)
  );
}

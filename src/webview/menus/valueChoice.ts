import type { Cell, Column, DistinctValue, DistinctValues } from '../../engine/types';
import { equalToAny, exactValues } from '../../engine/values/filters';
import { setFilter } from '../actions';
import type { Store } from '../store';
import { toneOf } from '../views/severityTones';
import type { MenuItem } from './menu';

/**
 * The choice of values in the menu of a filter, until it is applied.
 * @returns the items for the most frequent values, once they are counted
 */
export function valueChoice(
  store: Store,
  column: Column,
): (values: DistinctValues | undefined) => MenuItem[] {
  const { texts, view } = store;
  const before = exactValues(view.criteria.filters[column.id] ?? '') ?? [];
  const chosen = new Set(before);
  const isChanged = () => chosen.size !== before.length || before.some((text) => !chosen.has(text));
  const apply = () => setFilter(store, column, equalToAny([...chosen]));
  const item = ({ cell, count }: Pick<DistinctValue, 'cell' | 'count'>): MenuItem => {
    const { text } = cell;
    const label = texts.value(cell, column.role);
    return {
      label: label.replace(/\s+/g, ' ').slice(0, 60),
      detail: texts.number(count),
      ...(label !== text && { title: text }),
      ...(column.role === 'severity' && { tone: toneOf(text, column.name) }),
      checked: chosen.has(text),
      isValue: true,
      staysOpen: true,
      run: () => {
        if (!chosen.delete(text)) {
          chosen.add(text);
        }
      },
      enter: () => {
        if (!isChanged()) {
          chosen.clear();
          chosen.add(text);
        }
        apply();
      },
    };
  };
  return (values) => {
    if (!values) {
      return [{ label: texts.get('loading') }];
    }
    const usable = values.values.filter(({ cell }) => isUsable(cell));
    const isCounted = new Set(usable.map(({ cell }) => cell.text));
    const uncounted = before
      .filter((text) => !isCounted.has(text))
      .map((text) => ({ cell: { kind: 'text', text } as const, count: 0 }));
    if (usable.length + uncounted.length === 0) {
      return [{ label: texts.get('noValues') }];
    }
    const others = values.total - values.values.length;
    return [
      ...[...uncounted, ...usable].map(item),
      ...(others > 0 ? [{ label: texts.get('moreValues', others) }] : []),
      { label: texts.get('applyFilter'), disabled: !isChanged(), isButton: true, run: apply },
    ];
  };
}

/** Whether a filter can be typed for exactly this value. */
function isUsable({ kind, text, cut, masked }: Cell): boolean {
  return (
    kind !== 'invalid' &&
    text !== '' &&
    !cut &&
    !masked &&
    text.length <= 200 &&
    !text.includes('" | ==')
  );
}

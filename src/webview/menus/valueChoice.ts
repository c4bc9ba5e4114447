import type { Cell, Column, DistinctValue, DistinctValues } from '../../engine/types';
import { equalToAny, exactValues } from '../../engine/values/filters';
import { setFilter } from '../actions';
import type { Store } from '../store';
import { toneOf } from '../views/severityTones';
import type { MenuItem } from './menu';

/** The choice of values in the menu of a filter, until it is applied. */
export class ValueChoice {
  private readonly before: readonly string[];
  private readonly chosen: Set<string>;

  constructor(
    private readonly store: Store,
    private readonly column: Column,
  ) {
    this.before = exactValues(store.view.criteria.filters.get(column.id) ?? '') ?? [];
    this.chosen = new Set(this.before);
  }

  /** @param values the most frequent values, once they are counted. */
  items(values: DistinctValues | undefined): MenuItem[] {
    const { texts } = this.store;
    if (!values) {
      return [{ label: texts.get('loading') }];
    }
    const usable = values.values.filter(({ cell }) => isUsable(cell));
    const isCounted = new Set(usable.map(({ cell }) => cell.text));
    const uncounted = this.before.filter((text) => !isCounted.has(text));
    if (usable.length + uncounted.length === 0) {
      return [{ label: texts.get('noValues') }];
    }
    const others = values.total - values.values.length;
    return [
      ...uncounted.map((text) => this.item({ cell: { kind: 'text', text }, count: 0 })),
      ...usable.map((value) => this.item(value)),
      ...(others > 0 ? [{ label: texts.get('moreValues', others) }] : []),
      {
        label: texts.get('applyFilter'),
        disabled: !this.isChanged,
        isButton: true,
        run: () => {
          this.apply();
        },
      },
    ];
  }

  private item({ cell, count }: Pick<DistinctValue, 'cell' | 'count'>): MenuItem {
    const { column, chosen } = this;
    const { texts } = this.store;
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
        if (!this.isChanged) {
          chosen.clear();
          chosen.add(text);
        }
        this.apply();
      },
    };
  }

  private get isChanged(): boolean {
    const { before, chosen } = this;
    return chosen.size !== before.length || before.some((text) => !chosen.has(text));
  }

  private apply(): void {
    setFilter(this.store, this.column, equalToAny([...this.chosen]));
  }
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

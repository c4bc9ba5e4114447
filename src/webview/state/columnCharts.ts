import type { Charts, ColumnChart, ColumnId } from '../../engine/page';
import type { HeadChart, Store } from './store';
import { FileCounts } from './fileCounts';
import { noneClosed } from './tableView';

/** The most values that the text of a chart names. */
const maxNamedValues = 3;

/** The charts in the headings. */
export class ColumnCharts {
  private readonly counts: FileCounts<'charts'>;

  constructor(private readonly store: Store) {
    const answered = ({ columns, done, closed, closing }: Charts) => {
      store.view.closed = done ? { rows: closed, closing } : noneClosed;
      const charts = columns.flatMap((chart): [ColumnId, HeadChart][] => {
        const shown = headChart(chart, store);
        return shown ? [[chart.column, shown]] : [];
      });
      store.set({ charts: new Map(charts) });
    };
    // The page reports problems with the file elsewhere. The headings then have no charts.
    this.counts = new FileCounts(store, 'charts', answered, () => undefined);
  }

  /** Requests the charts when the table is shown and all rows are checked, so that counting delays nothing else. */
  draw(): void {
    const { view, tab } = this.store;
    if (view.info.checked && tab === 'table') {
      this.counts.request({});
    }
  }
}

function headChart(
  { column, values = [], spread }: ColumnChart,
  { texts, view }: Store,
): HeadChart | undefined {
  const counts = spread?.steps ?? values.map(({ count }) => count);
  const most = Math.max(1, ...counts);
  const bars = counts.map((count) => count / most);
  const { type, role } = view.info.columns.find(({ id }) => id === column) ?? {};
  if (spread) {
    if (role === 'id') {
      // An ID is only a name: its size means nothing.
      return undefined;
    }
    const write = (value: number) => (type === 'date' ? texts.utcDay(value) : texts.number(value));
    return { bars, text: texts.get('chartSpread', write(spread.from), write(spread.to)) };
  }
  const said = values.slice(0, maxNamedValues).map(({ cell, count }) => {
    const name = texts.value(cell, role).replace(/\s+/g, ' ').slice(0, 60);
    return `${name || texts.get('emptyValue')} (${texts.number(count)})`;
  });
  return { bars, text: said.join(', ') + (values.length > maxNamedValues ? ', …' : '') };
}

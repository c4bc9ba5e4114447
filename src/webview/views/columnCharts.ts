import type { ColumnChart } from '../../engine/overviewTypes';
import type { ColumnId } from '../../engine/types';
import type { HeadChart } from '../grid/gridParts';
import type { PendingCall } from '../hostLink';
import type { PageContext } from '../pageContext';
import type { TableTab } from '../protocol';

/** What is needed of the page. */
interface ChartsPage extends Pick<PageContext, 'texts' | 'link' | 'view' | 'grid'> {
  readonly tabs: { readonly shown: TableTab };
}

/** The most values that the text of a chart names. */
const maxNamedValues = 3;

/**
 * The charts in the headings. The page requests them when the table is shown and all rows are checked, so
 * that counting the rows for them delays nothing else.
 */
export class ColumnCharts {
  private charts: ReadonlyMap<ColumnId, HeadChart> = new Map();
  private pending: PendingCall<'charts'> | undefined;
  private isDone = false;
  /** Whether an update arrived while a request was pending. */
  private isStale = false;

  constructor(private readonly page: ChartsPage) {}

  of(column: ColumnId): HeadChart | undefined {
    return this.charts.get(column);
  }

  /** Called when the host sends an update of the file, and when the table is shown. */
  update(): void {
    const { link, view, tabs } = this.page;
    this.isStale = this.pending !== undefined;
    if (this.pending || this.isDone || !view.info.checked || tabs.shown !== 'table') {
      return;
    }
    const call = link.request('charts', {});
    this.pending = call;
    call.answer.then(
      ({ columns, done }) => {
        if (this.pending === call) {
          this.pending = undefined;
          this.isDone = done;
          this.charts = new Map(
            columns.flatMap((chart) => {
              const shown = this.headChart(chart);
              return shown ? [[chart.column, shown]] : [];
            }),
          );
          this.page.grid.refresh();
          if (this.isStale) {
            this.update();
          }
        }
      },
      () => {
        // The page reports problems with the file elsewhere. The headings then have no charts.
        if (this.pending === call) {
          this.pending = undefined;
          this.isDone = true;
        }
      },
    );
  }

  /** Discards all charts and requests them again. */
  restart(): void {
    this.pending = undefined;
    this.isDone = false;
    this.charts = new Map();
    this.update();
  }

  private headChart({ column, values = [], spread }: ColumnChart): HeadChart | undefined {
    const { texts, view } = this.page;
    const counts = spread?.steps ?? values.map(({ count }) => count);
    const most = Math.max(1, ...counts);
    const bars = counts.map((count) => count / most);
    const { type, role } = view.info.columns.find(({ id }) => id === column) ?? {};
    if (spread) {
      if (role === 'id') {
        // An ID is only a name: its size means nothing.
        return undefined;
      }
      const write = (value: number) =>
        type === 'date' ? texts.utcDay(value) : texts.number(value);
      return { bars, text: texts.get('chartSpread', write(spread.from), write(spread.to)) };
    }
    const said = values.slice(0, maxNamedValues).map(({ cell, count }) => {
      const name = texts.value(cell, role).replace(/\s+/g, ' ').slice(0, 60);
      return `${name || texts.get('emptyValue')} (${texts.number(count)})`;
    });
    return { bars, text: said.join(', ') + (values.length > maxNamedValues ? ', …' : '') };
  }
}

import { join } from 'node:path';
import {
  type ColumnCounts,
  type ColumnId,
  openTable,
  type Overview,
  type Query,
  type SortKey,
  type TableHandle,
  wholeFile,
} from '../../src/engine';
import { repositoryRoot } from '../../test/host/paths';
import { peakMb, runChild, sendResult, settledMb } from '../child';
import { now } from './findingTexts';
import type { Numbers } from './numbers';
import { middleOf, type Shape, shapeNamed } from './shapes';

/** What a process does with a table that it has just opened. */
export type TableWork =
  | 'check'
  | 'filter'
  | 'sort by date'
  | 'sort by asset'
  | 'group'
  | 'overview'
  | 'known'
  | 'session';

/** How many findings are known: half of them are in the file. */
const knownFindings = 10_000;

/** Milliseconds and megabytes by name, and what was found. */
export interface TableResult {
  readonly figures: Readonly<Record<string, number>>;
  readonly numbers: Numbers;
}

/* Opens a file, shows its first rows and does one work with it: `WORK FILE SHAPE CACHE`. */
runChild(async ([work = '', file = '', name = '', cacheFolder = '']) => {
  const before = settledMb();
  const script = join(repositoryRoot, 'dist/engineWorker.js');
  const shape = shapeNamed(name);
  const open = async () => {
    const start = performance.now();
    const opened = await openTable(script, file, { cacheFolder });
    await opened.call('rows', { view: wholeFile, from: 0, count: 200 });
    return new OpenedTable(opened, shape, start, open);
  };
  const opened = await open();
  const firstRows = opened.passed();
  const { table } = opened;
  const { figures, numbers } = await works[work as TableWork](opened);
  const { invalidRows } = table.info;
  table.dispose();
  if (invalidRows > 0) {
    throw new Error(`${invalidRows} invalid rows.`);
  }
  const memory = peakMb() - before;
  sendResult({
    figures: { 'first rows': firstRows, [`memory, ${work}`]: memory, ...figures },
    numbers,
  } satisfies TableResult);
});

class OpenedTable {
  constructor(
    readonly table: TableHandle,
    readonly shape: Shape,
    private readonly start: number,
    /** Opens the file again. */
    readonly open: () => Promise<OpenedTable>,
  ) {}

  /** Milliseconds since the file was opened. */
  passed(): number {
    return performance.now() - this.start;
  }

  column(name: string): ColumnId {
    const found = this.table.info.columns.find((column) => column.name === name);
    if (!found) {
      throw new Error(`There is no column ${name}.`);
    }
    return found.id;
  }

  query(query: Query) {
    return this.table.call('query', { query });
  }

  withSeverity(text: string) {
    return this.query({ filter: { op: 'equals', column: this.column('severity'), text } });
  }

  /** The first page of the view of a query for groups. */
  async groups(): Promise<Numbers> {
    const { id } = await this.query({ groupBy: [this.column('issue_type')] });
    const { groups } = await this.table.call('groups', { view: id, from: 0, count: 200 });
    return named('issue_type', groups, ({ values: [cell], count }) => [cell?.text ?? '', count]);
  }

  sortedBy(name: string, descending = false) {
    const key: SortKey = { column: this.column(name), descending };
    return this.query({ sort: [key] });
  }

  /** The rows in the middle of a view. */
  middle(view: number) {
    const from = middleOf(this.table.info.rows);
    return this.table.call('rows', { view, from, count: 200 });
  }
}

const works: Readonly<Record<TableWork, (table: OpenedTable) => Promise<TableResult>>> = {
  check: async (opened) => {
    const { rows } = await opened.table.call('checked', {});
    const checked = opened.passed();
    const found = await opened.query({ filter: { op: 'anywhere', text: opened.shape.searched } });
    const anywhere = opened.passed() - checked;
    return { figures: { checked, anywhere }, numbers: { rows, 'with the text': found.rows } };
  },
  filter: async (opened) => {
    const view = await opened.withSeverity('high');
    await opened.table.call('rows', { view: view.id, from: 0, count: 200 });
    return { figures: { filter: opened.passed() }, numbers: { 'severity high': view.rows } };
  },
  'sort by date': async (opened) => {
    const { passed, text } = await sort(opened, 'first_seen');
    const numbers = { 'first seen in the middle': Date.parse(text) };
    return { figures: { 'sort by date': passed }, numbers };
  },
  'sort by asset': async (opened) => {
    const { passed, text } = await sort(opened, opened.shape.asset);
    const numbers = { 'host in the middle': Number(/\d+/.exec(text)?.[0]) };
    return { figures: { 'sort by asset': passed }, numbers };
  },
  group: async (opened) => {
    const numbers = await opened.groups();
    return { figures: { group: opened.passed() }, numbers };
  },
  overview: async (opened) => {
    let first = NaN;
    const listener = opened.table.onInfo(() => {
      opened.table.call('readOverviewSoFar', { now }).then(
        ({ rows }) => {
          if (rows > 0 && Number.isNaN(first)) {
            first = opened.passed();
          }
        },
        // The table is closed before the last request is answered.
        () => undefined,
      );
    });
    const overview = await opened.table.call('readOverview', { now });
    const figures = { overview: opened.passed(), 'first numbers': first };
    listener.dispose();
    return { figures, numbers: numbersOf(overview) };
  },
  known: async (before) => {
    const half = knownFindings / 2;
    const rows = await before.table.call('identify', { view: wholeFile, from: 0, count: half });
    await before.table.close();
    // They are known when a file is opened.
    const opened = await before.open();
    const { table } = opened;
    const ids = [...rows.map(({ id }) => id), ...rows.map(({ id }) => `not ${id}`)];
    const known = ids.map((id) => ({ id, label: 'Not ours', reason: 'notOurs' }));
    const finding = table.call('setKnown', { known });
    const overview = await table.call('readOverview', { now, scope: 'open' });
    const figures = { 'known overview': opened.passed() };
    const { rows: found } = await finding;
    table.dispose();
    if (found !== rows.length || overview.closed?.known === 0) {
      throw new Error(`Found ${found} known findings instead of ${rows.length}.`);
    }
    return { figures, numbers: {} };
  },
  session: async (opened) => {
    const { table } = opened;
    const figures: Record<string, number> = {};
    const step = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
      const start = performance.now();
      const result = await work();
      figures[name] = performance.now() - start;
      return result;
    };
    await table.call('checked', {});
    await table.call('readOverview', { now });
    await opened.withSeverity('high');
    await step('another filter', () => opened.withSeverity('low'));
    await opened.groups();
    await step('another group', () => opened.groups());
    for (const name of ['issue_type', 'first_seen', 'issue_id', opened.shape.asset]) {
      await opened.sortedBy(name);
    }
    const { id } = await step('another sort', () => opened.sortedBy(opened.shape.asset, true));
    await step('page', () => opened.middle(id));
    return { figures, numbers: {} };
  },
};

/** Sorts by a column; returns the milliseconds since opening, and its text in the middle of the rows. */
async function sort(opened: OpenedTable, name: string): Promise<{ passed: number; text: string }> {
  const { id } = await opened.sortedBy(name);
  const { rows } = await opened.middle(id);
  const passed = opened.passed();
  const at = opened.table.info.columns.findIndex((column) => column.name === name);
  return { passed, text: rows[0]?.cells[at]?.text ?? '' };
}

/** The numbers of an overview, by the names that DuckDB's query gives them. */
function numbersOf(overview: Overview): Numbers {
  const { severity, issueType, factor, status, firstSeen, assets, topIssueTypes = [] } = overview;
  const counts = (part: string, of: ColumnCounts | undefined) =>
    named(part, of?.values ?? [], ({ cell, count }) => [cell.text, count]);
  const { under7 = NaN, from7To30 = NaN } = firstSeen?.ages ?? {};
  return {
    ...counts('severity', severity),
    ...counts('issue_type', issueType),
    ...counts('factor', factor),
    ...counts('status', status),
    ...named('month', firstSeen?.months ?? [], ({ month, count }) => [month, count]),
    ...named('assets of', topIssueTypes, (type) => [type.value.cell.text, type.assets ?? NaN]),
    ...named('last of', topIssueTypes, (type) => [type.value.cell.text, type.lastFirstSeen ?? NaN]),
    'first seen in 30 days': under7 + from7To30,
    assets: assets?.total ?? NaN,
    'rows of 50 assets': (assets?.values ?? []).reduce((sum, { count }) => sum + count, 0),
  };
}

function named<Item>(
  part: string,
  items: readonly Item[],
  entry: (item: Item) => [name: string, number: number],
): Numbers {
  return Object.fromEntries(
    items.map((item) => {
      const [name, number] = entry(item);
      return [`${part} ${name}`, number];
    }),
  );
}

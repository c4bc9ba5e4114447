import * as assert from 'node:assert/strict';
import { ColumnModel } from '../../../../src/webview/state/columnModel';
import { type Criteria, noCriteria } from '../../../../src/webview/state/criteria';
import { blockColumns, type LoadedRow, TableView } from '../../../../src/webview/state/tableView';
import { Texts } from '../../../../src/summary/texts';
import type { HostLink } from '../../../../src/webview/state/hostLink';
import type { Column } from '../../../../src/engine/data/column';
import type { Query, View } from '../../../../src/engine/data/query';
import type { TableInfo } from '../../../../src/engine/data/tableInfo';
import { TableError } from '../../../../src/engine/data/tableError';
import { column } from '../../../helpers/column';

const info = (columns: readonly Column[], change: Partial<TableInfo> = {}): TableInfo => ({
  format: { kind: 'ndjson', gzip: false },
  rows: 200,
  done: false,
  bytes: 100,
  bytesRead: 10,
  columns,
  moreColumns: 0,
  invalidRows: 0,
  checked: false,
  ...change,
});

const early = [column('id')];
const all = [column('id'), column('severity')];

/** A page's view with a host that records the queries. */
class RecordingHost {
  readonly queries: Query[] = [];
  readonly view: TableView;
  private readonly answers: ((view: View) => void)[] = [];

  constructor(first: TableInfo) {
    const request: HostLink['request'] = (type, payload) => {
      assert.equal(type, 'query');
      this.queries.push((payload as { query: Query }).query);
      return new Promise<never>((resolve) => {
        this.answers.push(resolve as unknown as (view: View) => void);
      });
    };
    this.view = new TableView(
      { request },
      new Texts({}, 'en'),
      new ColumnModel(),
      { changed: () => undefined, answered: () => undefined },
      first,
    );
  }

  async answer(rows: number): Promise<void> {
    this.answers.at(-1)?.({ id: this.answers.length, rows });
    await new Promise(setImmediate);
  }
}

const criteria = (change: Partial<Criteria>): Criteria => ({ ...noCriteria, ...change });
const severe = criteria({ filters: { '/severity': '=high' } });
const isHigh = { op: 'equals', column: '/severity', text: 'high' };

describe('A view of a table whose columns are still being found', () => {
  it('A view of a table whose columns are still being found runs a query when the column of its filter is found, not before', async () => {
    const { view, queries, ...host } = start(info(early));
    view.apply(severe);
    assert.deepEqual(queries, []);
    assert.equal(view.progress, 0);
    view.update(info(early, { rows: 5000 }));
    assert.deepEqual(queries, []);
    view.update(info(all));
    assert.deepEqual(queries, [{ filter: isHigh }]);
    view.update(info(all, { done: true, checked: true }));
    await host.answer(7);
    assert.equal(queries.length, 1);
    assert.equal(view.matching, 7);
    assert.equal(view.progress, undefined);
  });

  it('A view of a table whose columns are still being found delays a sort, a grouping and an open group in the same way', () => {
    for (const late of [
      criteria({ sort: [{ column: '/severity', descending: true }] }),
      criteria({ groupBy: ['/severity'] }),
      criteria({
        openedGroup: {
          label: 'high',
          filter: { op: 'in', column: '/severity', keys: ['text:high'] },
        },
      }),
    ]) {
      const { view, queries } = start(info(early));
      view.apply(late);
      assert.deepEqual(queries, []);
      view.update(info(all));
      assert.equal(queries.length, 1);
      assert.deepEqual(view.criteria, late);
    }
  });

  it('A view of a table whose columns are still being found drops criteria for columns that the file does not have, and keeps the rest', () => {
    for (const end of [{ checked: true }, { changed: 'modified' }] as const) {
      const { view, queries } = start(info(early));
      view.apply(
        criteria({
          filters: { ...severe.filters, '/id': '=7' },
          sort: [{ column: '/severity', descending: false }],
        }),
      );
      view.update(info(early, end));
      assert.deepEqual(queries, [{ filter: { op: 'equals', column: '/id', text: '7' } }]);
      assert.deepEqual(view.criteria.filters, { '/id': '=7' });
      assert.deepEqual(view.criteria.sort, []);
    }
  });

  it('A view of a table whose columns are still being found runs the query again when a column changes its type', async () => {
    const { view, queries, ...host } = start(
      info([column('score', undefined, { type: 'number' })]),
    );
    view.apply(criteria({ filters: { '/score': '=5' } }));
    await host.answer(3);
    view.update(info([column('score', undefined, { type: 'number' }), column('id')]));
    assert.equal(queries.length, 1);
    view.update(info([column('score', undefined, { type: 'mixed' }), column('id')]));
    assert.deepEqual(queries.at(-1), {
      filter: {
        op: 'or',
        of: [
          { op: 'equals', column: '/score', text: '5' },
          { op: 'compare', column: '/score', number: '5', is: '=' },
        ],
      },
    });
    assert.equal(queries.length, 2);
  });

  it('A view of a table whose columns are still being found runs the query again when a column is found that closes rows', async () => {
    const { view, queries, ...host } = start(info(all));
    view.apply(severe);
    await host.answer(3);
    view.update(info([...all, column('note')]));
    assert.equal(queries.length, 1);
    view.update(
      info([...all, column('note'), column('resolved_at', undefined, { closing: 'ifDated' })]),
    );
    assert.deepEqual(queries, [{ filter: isHigh }, { filter: isHigh }]);
  });

  it('A view of a table whose columns are still being found tells nothing while it waits: its filter would be missing', () => {
    const { view } = start(info(early));
    assert.deepEqual(view.told, { query: {}, columns: ['/id'] });
    view.apply(severe);
    assert.equal(view.told, undefined);
    view.update(info(all));
    assert.deepEqual(view.told, { query: { filter: isHigh }, columns: ['/id', '/severity'] });
  });

  it('A view of a table whose columns are still being found can be cancelled while it waits', () => {
    const { view, queries } = start(info(early));
    view.apply(severe);
    view.cancel();
    assert.equal(view.progress, undefined);
    assert.deepEqual(view.criteria, noCriteria);
    view.update(info(all));
    assert.deepEqual(queries, []);
  });

  it('A view of a table whose columns are still being found waits again when the file is reopened', () => {
    const { view, queries } = start(info(all, { checked: true }));
    view.apply(severe);
    view.restart(info(early));
    assert.equal(queries.length, 1);
    assert.deepEqual(view.criteria, severe);
    view.update(info(all));
    assert.deepEqual(queries, [{ filter: isHigh }, { filter: isHigh }]);
  });
});

function start(first: TableInfo) {
  const host = new RecordingHost(first);
  return {
    view: host.view,
    queries: host.queries,
    answer: (rows: number) => host.answer(rows),
  };
}

describe('The loaded rows of a table', () => {
  const columns = Array.from({ length: 2 * blockColumns }, (_, at) => column(`c${at}`));

  function viewOf(request: (from: number, signal: AbortSignal) => Promise<readonly LoadedRow[]>) {
    const link: Pick<HostLink, 'request'> = {
      request: async (_, params, { signal = new AbortController().signal } = {}) => {
        const { from } = params as { from: number };
        return { rows: await request(from, signal) } as never;
      },
    };
    return new TableView(
      link,
      new Texts({}, 'en'),
      new ColumnModel(),
      { changed: () => undefined, answered: () => undefined },
      info(columns, { rows: 1000 }),
    );
  }

  it('The loaded rows of a table tell which findings are closed, also by a column that is hidden', async () => {
    const status = column('status', 'status', { closing: 'status' });
    const accepted = column('accepted', undefined, { closing: 'ifTrue' });
    const requested: unknown[] = [];
    const text = (value: string) => ({ kind: 'text', text: value }) as const;
    const link: Pick<HostLink, 'request'> = {
      request: (_, params) => {
        requested.push((params as { columns: unknown }).columns);
        const rows = [
          ['active', 'false'],
          ['resolved', 'false'],
          ['active', 'true'],
        ].map((values, record) => ({ record, cells: values.map(text) }));
        return Promise.resolve({ rows } as never);
      },
    };
    const view = new TableView(
      link,
      new Texts({}, 'en'),
      new ColumnModel([{ id: accepted.id, hidden: true }]),
      { changed: () => undefined, answered: () => undefined },
      info([status, accepted], { rows: 3 }),
    );
    view.load(0, 3, 0, 1);
    await new Promise(setImmediate);
    assert.deepEqual(requested, [[status.id, accepted.id]]);
    assert.deepEqual(
      [0, 1, 2].map((row) => [view.row(row, 0)?.isClosed, view.row(row, 0)?.cells.length]),
      [
        [undefined, 1],
        [true, 1],
        [true, 1],
      ],
    );
  });

  it('The loaded rows of a table show the text of an invalid line in the first column only', async () => {
    const view = viewOf(() =>
      Promise.resolve([
        { cells: [{ kind: 'invalid', text: '{"a' }], record: 0, invalid: 'syntax' },
      ]),
    );
    view.load(0, 1, 0, columns.length);
    await new Promise(setImmediate);
    assert.equal(view.cell(0, 0)?.text, '{"a');
    assert.deepEqual(view.cell(0, blockColumns), { kind: 'missing', text: '' });
  });

  it('The loaded rows of a table are requested again after a failure only when the user asks for it', async () => {
    const requested: number[] = [];
    const view = viewOf((from) => {
      requested.push(from);
      return requested.length === 1
        ? Promise.reject(new Error('No disk.'))
        : Promise.resolve([{ cells: [{ kind: 'text', text: 'x' }], record: from }]);
    });
    const load = async () => {
      view.load(0, 1, 0, 1);
      await new Promise(setImmediate);
    };
    await load();
    await load();
    assert.deepEqual(requested, [0]);
    assert.equal(view.failure, 'No disk.');
    view.tryAgain();
    await load();
    assert.deepEqual(requested, [0, 0]);
    assert.equal(view.cell(0, 0)?.text, 'x');
  });

  for (const code of ['changed', 'gone'] as const) {
    it(`The loaded rows of a table are queried as the user wanted when they fail as ${code} after the query`, async () => {
      const queries: Query[] = [];
      let isChanged = true;
      let failRows: () => void = () => undefined;
      const link: Pick<HostLink, 'request'> = {
        request: (type, params) => {
          if (type === 'rows') {
            return new Promise<never>((_, reject) => {
              failRows = () => {
                reject(new TableError(code, 'x'));
              };
            });
          }
          queries.push((params as { query: Query }).query);
          return isChanged
            ? Promise.reject(new TableError('changed', 'x'))
            : (Promise.resolve({ id: 1, rows: 1 }) as Promise<never>);
        },
      };
      const events = { changed: () => undefined, answered: () => undefined };
      const first = info(all, { done: true, checked: true });
      const view = new TableView(link, new Texts({}, 'en'), new ColumnModel(), events, first);
      view.load(0, 1, 0, 1);
      view.apply(severe);
      await new Promise(setImmediate);
      failRows();
      await new Promise(setImmediate);
      assert.equal(view.failure, 'x');
      isChanged = false;
      view.tryAgain();
      await new Promise(setImmediate);
      assert.deepEqual(queries.at(-1), { filter: isHigh });
      assert.deepEqual(view.shownCriteria, severe);
      assert.equal(view.failure, undefined);
    });
  }

  it('The loaded rows of a table are queried again if their view is gone, without a loss of criteria that were set since', async () => {
    const queries: Query[] = [];
    const link: Pick<HostLink, 'request'> = {
      request: (type, params) => {
        if (type === 'rows') {
          return Promise.reject(new TableError('gone', 'x'));
        }
        queries.push((params as { query: Query }).query);
        // The second one is answered late.
        return queries.length === 2
          ? new Promise<never>(() => undefined)
          : (Promise.resolve({ id: queries.length, rows: 1 }) as Promise<never>);
      },
    };
    const events = { changed: () => undefined, answered: () => undefined };
    const first = info(all, { done: true, checked: true });
    const view = new TableView(link, new Texts({}, 'en'), new ColumnModel(), events, first);
    view.apply(criteria({ sort: [{ column: '/id', descending: false }] }));
    await new Promise(setImmediate);
    view.apply(severe);
    view.load(0, 1, 0, 1);
    await new Promise(setImmediate);
    assert.deepEqual(view.criteria, severe);
    assert.deepEqual(queries.at(-1), { filter: isHigh });
    assert.equal(view.failure, undefined);
  });

  it('The loaded rows of a table are no longer requested out of sight, and again where they come back', async () => {
    const requested: { readonly from: number; readonly signal: AbortSignal }[] = [];
    const view = viewOf((from, signal) => {
      requested.push({ from, signal });
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(new TableError('cancelled', 'x'));
        });
      });
    });
    view.load(0, 1, 0, 1);
    view.load(500, 501, 0, 1);
    await new Promise(setImmediate);
    view.load(0, 1, 0, 1);
    assert.deepEqual(
      requested.map(({ from, signal }) => [from, signal.aborted]),
      [
        [0, true],
        [500, true],
        [0, false],
      ],
    );
    assert.equal(view.failure, undefined);
  });

  it('The loaded rows of a table are forgotten where they were out of sight for longest, and requested again there', async () => {
    const requested: number[] = [];
    const page = Array.from({ length: 1_000 }, (_, record): LoadedRow => {
      return { cells: [{ kind: 'text', text: 'x' }], record };
    });
    const view = viewOf((from) => {
      requested.push(from);
      return Promise.resolve(page);
    });
    view.update(info(columns, { rows: 1_000_000 }));
    const load = async (row: number) => {
      view.load(row, row + 1, 0, 1);
      await new Promise(setImmediate);
    };
    for (let row = 0; row <= 500_000; row += 1_000) {
      await load(row);
      await load(0);
    }
    const kept = requested.filter((row) => view.row(row, 0) !== undefined);
    assert.ok(kept.length > 1 && kept.length < 200, `${kept.length} pages`);
    assert.ok(view.row(0, 0), 'it was seen again and again');
    assert.ok(view.row(500_000, 0));
    assert.equal(view.row(1_000, 0), undefined);
    const before = requested.length;
    await load(1_000);
    assert.equal(requested.length, before + 1);
    assert.ok(view.row(1_000, 0));
  });
});

describe('Rows that stay while a table begins anew', () => {
  it('Rows that stay while a table begins anew keep their filters when a user cancels, who has asked for nothing', async () => {
    const shown = info(all, { checked: true });
    const { view, queries, ...host } = start(shown);
    view.apply(severe);
    await host.answer(7);
    view.restart(shown, { keepsRows: true });
    assert.equal(view.isCancellable, false);
    view.cancel();
    assert.deepEqual(view.shownCriteria, severe);
    assert.equal(queries.length, 2);
    // What a user asks for meanwhile can be cancelled, and what is shown is asked for again.
    view.apply(noCriteria);
    view.apply(criteria({ sort: [{ column: '/id', descending: false }] }));
    assert.equal(view.isCancellable, true);
    view.cancel();
    assert.deepEqual(queries.at(-1), { filter: isHigh });
    assert.deepEqual(view.criteria, severe);
    await host.answer(6);
    assert.equal(view.matching, 6);
  });

  it('Rows that stay while a table begins anew never get values of columns that were shown before', async () => {
    const model = new ColumnModel();
    const asked: { readonly columns: readonly string[]; readonly answer: () => void }[] = [];
    const request: HostLink['request'] = (type, payload) => {
      assert.equal(type, 'rows');
      const { columns, count } = payload as { columns: readonly string[]; count: number };
      return new Promise<never>((resolve) => {
        const cells = columns.map((id) => ({ kind: 'text', text: id }));
        const rows = Array.from({ length: count }, (_, record) => ({ record, cells }));
        const answer = () => {
          (resolve as (page: object) => void)({ rows });
        };
        asked.push({ columns, answer });
      });
    };
    const events = { changed: () => undefined, answered: () => undefined };
    const shown = info(all, { checked: true });
    const view = new TableView({ request }, new Texts({}, 'en'), model, events, shown);
    const answer = async () => {
      asked.at(-1)?.answer();
      await new Promise(setImmediate);
    };
    const firstCells = () => view.anyOfRow(0)?.cells.map((cell) => cell.text);
    view.load(0, 20, 0, 2);
    await answer();
    assert.deepEqual(firstCells(), ['/id', '/severity']);
    view.restart(shown, { keepsRows: true });
    view.columnsChanged(() => {
      model.setHidden('/id', true);
    });
    await answer();
    view.load(0, 20, 0, 1);
    assert.deepEqual(asked.at(-1)?.columns, ['/severity']);
    await answer();
    assert.deepEqual(firstCells(), ['/severity']);
  });
});

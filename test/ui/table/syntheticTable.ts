import type {
  Cell,
  ColumnId,
  Filter,
  Group,
  Query,
  Row,
  TableRecord,
  View,
} from '../../../src/table/types';
import { cellOf, columns, isWrong, rank, textOf, wrongText } from './syntheticRows';

/** An engine over synthetic rows: as little as answers what the page can ask. */
export class SyntheticTable {
  reveal = false;
  private order: Uint32Array | undefined;
  private groupsOf: readonly Group[] = [];
  private lastView = 0;

  constructor(
    readonly rows: number,
    private readonly hasWrong: boolean,
  ) {}

  isWrong(row: number): boolean {
    return this.hasWrong && isWrong(row);
  }

  query({ filter, sort = [], groupBy = [] }: Query): View {
    let rows = this.filtered(filter);
    for (const { column, descending } of [...sort].reverse()) {
      rows = this.sorted(rows, column, descending);
    }
    this.lastView += 1;
    this.order = rows;
    if (groupBy.length === 0) {
      return { id: this.lastView, rows: rows.length };
    }
    this.groupsOf = this.grouped(rows, groupBy);
    return { id: this.lastView, rows: rows.length, groups: this.groupsOf.length };
  }

  /** The record at a position of a view; `undefined` for a view that is gone. */
  at(view: number, position: number): number | undefined {
    return view === 0 ? position : view === this.lastView ? this.order?.[position] : undefined;
  }

  row(record: number, ids: readonly ColumnId[]): Row {
    if (this.isWrong(record)) {
      const cells = ids.map((_, at): Cell =>
        at === 0 ? { kind: 'wrong', text: wrongText } : missing,
      );
      return { record, cells, wrong: 'syntax' };
    }
    return { record, cells: ids.map((id) => this.cell(record, id)) };
  }

  groups(from: number, count: number): readonly Group[] {
    return this.groupsOf.slice(from, from + count);
  }

  locate(view: number, record: number): number | null {
    if (view === 0) {
      return record < this.rows ? record : null;
    }
    const at = this.order?.indexOf(record) ?? -1;
    return at < 0 ? null : at;
  }

  count(filter: Filter): number {
    return this.filtered(filter).length;
  }

  values(id: ColumnId, filter: Filter | undefined): { cell: Cell; key: string; count: number }[] {
    return this.grouped(this.filtered(filter).slice(0, 100_000), [id]).map(({ values, count }) => ({
      cell: values[0] ?? missing,
      key: values[0]?.text ?? '',
      count,
    }));
  }

  record(record: number): TableRecord {
    if (this.isWrong(record)) {
      return { record, text: wrongText, cut: false, masked: false, fields: [], wrong: 'syntax' };
    }
    const fields = columns.map(({ id, name }) => ({
      column: id,
      name,
      cell: this.cell(record, id),
    }));
    const text = JSON.stringify(
      Object.fromEntries(fields.map(({ name, cell }) => [name, cell.text])),
    );
    return { record, text, cut: false, masked: !this.reveal, fields };
  }

  private cell(record: number, id: ColumnId): Cell {
    const column = columns.find((one) => one.id === id);
    return column ? cellOf(record, column, this.reveal) : missing;
  }

  private filtered(filter: Filter | undefined): Uint32Array {
    const rows = new Uint32Array(this.rows);
    let length = 0;
    for (let row = 0; row < this.rows; row += 1) {
      if (!filter || this.matches(row, filter)) {
        rows[length] = row;
        length += 1;
      }
    }
    return rows.slice(0, length);
  }

  private matches(row: number, filter: Filter): boolean {
    if (filter.op === 'and') {
      return filter.of.every((one) => this.matches(row, one));
    }
    if (filter.op === 'wrong' || filter.op === 'anywhere') {
      return filter.op === 'wrong' && this.isWrong(row);
    }
    if (this.isWrong(row)) {
      return false;
    }
    if (filter.op === 'not') {
      return !this.matches(row, filter.of);
    }
    if (!('column' in filter)) {
      return filter.of.some((one) => this.matches(row, one));
    }
    const text = textOf(row, filter.column);
    switch (filter.op) {
      case 'contains':
        return text.toLowerCase().includes(filter.text.toLowerCase());
      case 'equals':
        return text.toLowerCase() === filter.text.toLowerCase();
      case 'startsWith':
        return text.toLowerCase().startsWith(filter.text.toLowerCase());
      case 'endsWith':
        return text.toLowerCase().endsWith(filter.text.toLowerCase());
      case 'compare':
        return compare(Number(text), filter.is, Number(filter.number));
      case 'dateRange': {
        const time = Date.parse(text);
        return time >= (filter.from ?? -Infinity) && time < (filter.to ?? Infinity);
      }
      case 'in':
        return filter.keys.includes(text);
      case 'present':
        return text !== '';
      case 'empty':
      case 'null':
      case 'missing':
        return text === '';
    }
  }

  /** Stable, by counting. */
  private sorted(rows: Uint32Array, id: ColumnId, descending: boolean): Uint32Array {
    const most = 2048;
    const key = (row: number) => (descending ? most - 1 - rank(row, id) : rank(row, id));
    const starts = new Uint32Array(most + 1);
    for (const row of rows) {
      starts[key(row) + 1] = (starts[key(row) + 1] ?? 0) + 1;
    }
    for (let at = 1; at <= most; at += 1) {
      starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
    }
    const out = new Uint32Array(rows.length);
    for (const row of rows) {
      const at = starts[key(row)] ?? 0;
      out[at] = row;
      starts[key(row)] = at + 1;
    }
    return out;
  }

  private grouped(rows: Uint32Array, ids: readonly ColumnId[]): Group[] {
    const groups = new Map<string, { readonly row: number; count: number }>();
    for (const row of rows) {
      const key = ids.map((id) => textOf(row, id)).join('\n');
      const group = groups.get(key);
      if (group) {
        group.count += 1;
      } else {
        groups.set(key, { row, count: 1 });
      }
    }
    return [...groups.values()]
      .sort((a, b) => b.count - a.count)
      .map(({ row, count }) => ({
        values: ids.map((id) => this.cell(row, id)),
        count,
        filter: {
          op: 'and',
          of: ids.map((id) => ({ op: 'in', column: id, keys: [textOf(row, id)] })),
        },
      }));
  }
}

const missing: Cell = { kind: 'missing', text: '' };

function compare(value: number, is: string, than: number): boolean {
  switch (is) {
    case '<':
      return value < than;
    case '<=':
      return value <= than;
    case '=':
      return value === than;
    case '!=':
      return value !== than;
    case '>=':
      return value >= than;
    default:
      return value > than;
  }
}

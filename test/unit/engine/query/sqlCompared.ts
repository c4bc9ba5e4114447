import assert from 'node:assert/strict';
import type { TableCore } from '../../../../src/engine/tableCore';
import { sqlOfFile } from '../../../../src/engine/query/sqlText';
import type { Row } from '../../../../src/engine/data/answers';
import type { Cell } from '../../../../src/engine/data/cell';
import type { ColumnId } from '../../../../src/engine/data/column';
import type { Query } from '../../../../src/engine/data/query';
import type { SqlDialect, SqlRequest } from '../../../../src/engine/data/sqlParts';
import { TableError } from '../../../../src/engine/data/tableError';
import { compareNumbers, decimal } from '../../../../src/vocabulary/compareNumbers';
import { parseDate } from '../../../../src/engine/values/measures';
import { handleOf } from '../../../helpers/tableHandle';
import { work } from '../../../helpers/tableFiles';
import type { Scale } from '../../../../src/vocabulary/scale';
import { findOrder } from '../../../../src/vocabulary/valueOrder';

/** An engine that runs. */
export interface SqlRunner {
  readonly dialect: SqlDialect;
  /** How many questions it answers at once. Default 1. */
  readonly atOnce?: number;
  /** The answer to the last of these statements. */
  run(sql: string): Promise<readonly SqlRow[]>;
}

export type SqlRow = readonly (string | null)[];

/** The SQL of a table for its file. */
export async function sqlOfTable(core: TableCore, request: SqlRequest): Promise<string> {
  return sqlOfFile(request.dialect, await handleOf(core).call('sql', request));
}

/**
 * Compares what an engine reads with the rows or groups of the table.
 * @returns why the query has no SQL; `undefined` if it read the same
 */
export async function refusalOrSame(
  engine: SqlRunner,
  core: TableCore,
  file: string,
  query: Query,
): Promise<string | undefined> {
  const columns = core.info().columns.map(({ id }) => id);
  let sql;
  try {
    const request = { path: file, dialect: engine.dialect, query, columns };
    sql = await sqlOfTable(core, request);
  } catch (error) {
    assert.ok(error instanceof TableError && error.code === 'noSql', String(error));
    return error.message;
  }
  let read: readonly SqlRow[] = [];
  try {
    read = await engine.run(sql);
    await inTurn(() =>
      query.groupBy && query.groupBy.length > 0
        ? compareGroups(core, query, query.groupBy, read)
        : compareRows(core, query, columns, read),
    );
  } catch (error) {
    const shown = [String(error), JSON.stringify(query), sql, JSON.stringify(read)];
    throw new Error(shown.join('\n').slice(0, 3000), { cause: error });
  }
  return undefined;
}

let last: Promise<void> = Promise.resolve();

/** A query of a table ends the one before it. */
function inTurn(compare: () => Promise<void>): Promise<void> {
  const compared = last.then(compare);
  last = compared.catch(() => undefined);
  return compared;
}

async function compareRows(
  core: TableCore,
  query: Query,
  columns: readonly ColumnId[],
  read: readonly SqlRow[],
): Promise<void> {
  // Lines that cannot be read are left out.
  const rows = (await rowsOf(core, query, columns)).filter(({ invalid }) => invalid === undefined);
  assert.equal(read.length, rows.length, `rows: ${JSON.stringify(rows.map(textsOf))}`);
  const { sort = [] } = query;
  if (sort.length === 0) {
    rows.forEach((row, at) => {
      assert.ok(isSame(core, row, read[at]), `row ${at}: ${JSON.stringify(textsOf(row))}`);
    });
    return;
  }
  const sameKeys = await Promise.all(
    sort.map(async ({ column }) => {
      const slot = columns.indexOf(column);
      const same = await sameKeyOf(core, column);
      return (one?: Row, other?: Row) => same(one?.cells[slot], other?.cells[slot]);
    }),
  );
  // Rows with equal sort keys may come in another order.
  const left = [...rows];
  rows.forEach((expected, at) => {
    const found = left.findIndex((row) => isSame(core, row, read[at]));
    assert.ok(found >= 0, `row ${at} is none of ${JSON.stringify(left.map(textsOf))}`);
    const [row] = left.splice(found, 1);
    assert.ok(
      sameKeys.every((same) => same(row, expected)),
      `row ${at}: expected ${JSON.stringify(textsOf(expected))}`,
    );
  });
}

async function compareGroups(
  core: TableCore,
  query: Query,
  groupBy: readonly ColumnId[],
  read: readonly SqlRow[],
): Promise<void> {
  const view = await core.query({ query }, work());
  const { groups } = core.groups({ view: view.id, from: 0, count: 200 }, work());
  // `null` and a missing value are the same.
  const merged = new Map<string, { readonly cells: readonly Cell[]; count: number }>();
  for (const { values: cells, count } of groups) {
    if (cells[0]?.kind !== 'invalid') {
      const key = JSON.stringify(cells.map((cell) => !isNone(cell) && [cell.kind, cell.text]));
      merged.set(key, { cells, count: count + (merged.get(key)?.count ?? 0) });
    }
  }
  const left = [...merged.values()];
  assert.equal(read.length, left.length, `groups: ${JSON.stringify(left)}`);
  const scale = await scaleOfColumn(core, groupBy[0]);
  let last = { place: -1, count: Infinity };
  for (const each of read) {
    const count = Number(each.at(-1));
    const found = left.findIndex(
      ({ cells, count: expected }) =>
        count === expected && isSame(core, { cells }, each.slice(0, -1)),
    );
    assert.ok(found >= 0, `group ${JSON.stringify(each)} is none of ${JSON.stringify(left)}`);
    left.splice(found, 1);
    const [word] = each;
    // A missing value comes last.
    const isMissing = (word ?? '') === '';
    const place = !scale ? 0 : isMissing ? 100 : (scale.positionOf(word ?? '') ?? 99);
    assert.ok(
      place > last.place || (place === last.place && count <= last.count),
      'the order of groups',
    );
    last = { place, count };
  }
}

/** Whether two cells of a column are equal where it is sorted. */
async function sameKeyOf(core: TableCore, column: ColumnId) {
  const scale = await scaleOfColumn(core, column);
  return (one = missing, other = missing): boolean => {
    if (one.text === '' || other.text === '') {
      return one.text === other.text;
    }
    if (scale) {
      return scale.sortPositionOf(one.text) === scale.sortPositionOf(other.text);
    }
    if (one.kind !== other.kind) {
      return false;
    }
    switch (one.kind) {
      case 'number':
        return compareNumbers(one.text, other.text) === 0;
      case 'date':
        return timeOf(one) === timeOf(other);
      default:
        return one.text === other.text;
    }
  };
}

const missing: Cell = { kind: 'missing', text: '' };

async function scaleOfColumn(core: TableCore, column: ColumnId = ''): Promise<Scale | undefined> {
  const { name = '' } = core.info().columns.find(({ id }) => id === column) ?? {};
  const { values } = await core.distinct({ column }, work());
  const words = values.flatMap(({ cell }) => (cell.kind === 'invalid' ? [] : [cell.text]));
  return findOrder(name, words);
}

function timeOf({ text }: Cell): number {
  const bytes = Buffer.from(text);
  return parseDate(bytes, 0, bytes.length);
}

/** The rows of a query; a view may have up to 200. */
async function rowsOf(
  core: TableCore,
  query: Query,
  columns: readonly ColumnId[],
): Promise<readonly Row[]> {
  const view = await core.query({ query }, work());
  return core.rows({ view: view.id, from: 0, count: 200, columns }, work()).rows;
}

function textsOf({ cells }: Pick<Row, 'cells'>): (string | null)[] {
  return cells.map((cell) => (isNone(cell) ? null : cell.text));
}

function isNone({ kind }: Cell): boolean {
  return kind === 'null' || kind === 'missing';
}

function isSame(core: TableCore, { cells }: Pick<Row, 'cells'>, read: SqlRow = []): boolean {
  const isCsv = core.info().format.kind === 'csv';
  return (
    cells.length === read.length &&
    cells.every((cell, at) => isSameValue(isCsv, cell, read[at] ?? null))
  );
}

/** Whether an engine read this value. It writes JSON and its numbers in its own way. */
function isSameValue(isCsv: boolean, cell: Cell, read: string | null): boolean {
  const { kind, text, cut } = cell;
  if (isNone(cell) || read === null) {
    return isNone(cell) && read === null;
  }
  switch (kind) {
    case 'number':
      return text === read || (!isCsv && /^-?\d/.test(read) && compareNumbers(text, read) === 0);
    case 'json':
      return cut === true || plainJson(text) === plainJson(read);
    default:
      return cut ? read.startsWith(text) : text === read;
  }
}

function plainJson(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|\s+/g, (part) =>
    part.startsWith('"')
      ? JSON.stringify(JSON.parse(part))
      : part.trim() === ''
        ? ''
        : JSON.stringify(decimal(part)),
  );
}

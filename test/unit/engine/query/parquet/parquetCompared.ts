import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isPlainObject, type JsonValue } from '../../../../../src/base/json/json';
import { parseJson } from '../../../../../src/base/json/parseJson';
import type { TableExportFormat } from '../../../../../src/base/exportFormats';
import type { TableCore } from '../../../../../src/engine/tableCore';
import { uniqueNames } from '../../../../../src/engine/query/copyText';
import type { ParquetTypeName } from '../../../../../src/engine/query/parquet/parquetTypes';
import { maxPageRows } from '../../../../../src/engine/data/answers';
import { type ColumnId, parseNames } from '../../../../../src/engine/data/column';
import type { HandedOn } from '../../../../../src/engine/data/copies';
import type { Query } from '../../../../../src/engine/data/query';
import { decimal } from '../../../../../src/vocabulary/compareNumbers';
import { formatJsonNumber } from '../../../../../src/vocabulary/writtenNumbers';
import { type TableExport, writeTable } from '../../../../../src/viewer/table/writeTable';
import { work } from '../../../../helpers/tableFiles';
import { handleOf } from '../../../../helpers/tableHandle';
import type { ParquetReader, ReadParquet } from './parquetReaders';

let exported = 0;

interface Exported extends HandedOn, Pick<TableExport, 'words' | 'sheetName'> {
  readonly query?: Query;
  readonly columns?: readonly ColumnId[];
  readonly reveal?: boolean;
}

/** Exports to a new file in the folder. @returns its path, and how many rows it has. */
export async function exportTo(
  folder: string,
  core: TableCore,
  format: TableExportFormat,
  { query = {}, columns, reveal = false, ...handedOn }: Exported = {},
): Promise<{ file: string; count: number; cutCells: number }> {
  exported += 1;
  const file = path.join(folder, `exported-${exported}.${format}`);
  const what = { query, format, countName: 'Rows', ...handedOn, ...(columns && { columns }) };
  const { count, cutCells } = await writeTable(
    handleOf(core),
    what,
    { path: file, replace: false },
    { reveal },
  );
  return { file, count, cutCells };
}

/** Compares each value of an export to Parquet with that of one to NDJSON. @returns what was read. */
export async function compareWithNdjson(
  folder: string,
  core: TableCore,
  read: ParquetReader,
  what: Omit<Exported, 'columns'> = {},
): Promise<ReadParquet> {
  const { columns, format } = core.info();
  const ids = columns.map(({ id }) => id);
  const parquet = await exportTo(folder, core, 'parquet', what);
  const ndjson = await exportTo(folder, core, 'ndjson', { ...what, columns: ids });
  const lines = readFileSync(ndjson.file, 'utf8').split('\n').slice(0, -1);
  const result = await read(parquet.file);
  assert.equal(parquet.count, lines.length);
  assert.equal(result.rows.length, lines.length);
  const members =
    format.kind === 'csv' ? uniqueNames(columns).map((name) => [name]) : ids.map(parseNames);
  const invalid = await invalidRows(core, what.query);
  lines.forEach((line, row) => {
    const record = parseJson(line);
    // The text of such a record has the shown name of the first column.
    const places = invalid.has(row) ? [[columns[0]?.name ?? '']] : members;
    for (const [at, names] of places.entries()) {
      const { type = 'string' } = result.columns[at] ?? {};
      const value = result.rows[row]?.[at] ?? null;
      assert.ok(
        isSame(value, memberOf(record, names), type),
        `${line}\nin column ${at} is the ${type} ${JSON.stringify(value)}`,
      );
    }
  });
  return result;
}

/** The positions of the rows without values. */
async function invalidRows(core: TableCore, query: Query = {}): Promise<ReadonlySet<number>> {
  const { id: view, rows } = await core.hold({ query }, work());
  const found = new Set<number>();
  for (let from = 0; from < rows; from += maxPageRows) {
    const page = core.rows({ view, from, count: maxPageRows }, work());
    page.rows.forEach(({ cells }, at) => {
      if (cells[0]?.kind === 'invalid') {
        found.add(from + at);
      }
    });
  }
  core.release({ view });
  return found;
}

function memberOf(record: JsonValue, names: readonly string[]): JsonValue | undefined {
  if (names.length === 0 && isPlainObject(record)) {
    // The column of records that are no objects.
    return undefined;
  }
  return names.reduce<JsonValue | undefined>(
    (value, name) => (isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    record,
  );
}

function isSame(
  read: string | null,
  expected: JsonValue | undefined,
  type: ParquetTypeName,
): boolean {
  if (read === null) {
    return expected === undefined || expected === null;
  }
  if (expected === undefined || expected === null) {
    return false;
  }
  switch (type) {
    case 'int64':
      return read === JSON.stringify(expected);
    case 'double': {
      const text = JSON.stringify(expected);
      const isNegativeZero = /^-0(\.0*)?(e.*)?$/i.test(text);
      return isNegativeZero ? read === '-0' : read !== '-0' && sameDecimals(text, read);
    }
    case 'boolean':
      return read === JSON.stringify(expected);
    case 'date':
      return new Date(Number(read) * 86_400_000).toISOString().slice(0, 10) === expected;
    case 'timestamp':
    case 'localTimestamp':
      return typeof expected === 'string' && BigInt(read) === microseconds(expected);
    case 'string':
      return typeof expected === 'string'
        ? // A lone surrogate is no character of UTF-8.
          read === expected.replace(/[\ud800-\udfff]/gu, '\ufffd')
        : read === JSON.stringify(expected) ||
            (typeof expected === 'object' && !('source' in expected)
              ? JSON.stringify(parseJson(read)) === JSON.stringify(expected)
              : formatJsonNumber(read) === JSON.stringify(expected));
  }
}

function sameDecimals(one: string, other: string): boolean {
  assert.ok(Number.isFinite(Number(other)));
  try {
    assert.deepEqual(decimal(one), decimal(other));
    return true;
  } catch {
    return false;
  }
}

function microseconds(text: string): bigint {
  const [, seconds = '', fraction = ''] = /^(.{19})(?:\.(\d+))?Z?$/.exec(text) ?? [];
  const milliseconds = Date.parse(`${seconds.replace(' ', 'T')}Z`);
  return BigInt(milliseconds) * 1000n + BigInt(fraction.padEnd(6, '0'));
}

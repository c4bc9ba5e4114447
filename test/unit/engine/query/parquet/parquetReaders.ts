import { readFileSync } from 'node:fs';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { ParquetTypeName } from '../../../../../src/engine/query/parquet/parquetTypes';
import type { SqlRunner } from '../sqlCompared';

/** A column as a reader of Parquet names and types it. */
export interface ReadColumn {
  readonly name: string;
  readonly type: ParquetTypeName;
}

/** A file as it was read: times in microseconds and dates in days since 1970-01-01, doubles as JavaScript writes them. */
export interface ReadParquet {
  readonly columns: readonly ReadColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
}

export type ParquetReader = (file: string) => Promise<ReadParquet>;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads with hyparquet, which needs no program. */
export async function readInProcess(file: string): Promise<ReadParquet> {
  const content = readFileSync(file);
  const buffer = new Uint8Array(content).buffer;
  const { schema, num_rows: count } = parquetMetadata(buffer);
  const columns = schema.slice(1).map(({ name, type, logical_type: logical }): ReadColumn => {
    const plain = { INT64: 'int64', DOUBLE: 'double', BOOLEAN: 'boolean' } as const;
    if (logical?.type === 'TIMESTAMP') {
      return { name, type: logical.isAdjustedToUTC ? 'timestamp' : 'localTimestamp' };
    }
    return {
      name,
      type:
        logical?.type === 'DATE'
          ? 'date'
          : logical?.type === 'STRING'
            ? 'string'
            : plain[type as keyof typeof plain],
    };
  });
  const objects: readonly Record<string, ReadValue>[] = await parquetReadObjects({
    file: buffer,
    parsers: {
      timestampFromMicroseconds: (microseconds) => microseconds,
      dateFromDays: (days) => days,
      stringFromBytes: (bytes) => decoder.decode(bytes),
    },
  });
  const rows = objects.map((row) => columns.map(({ name }) => textOf(row[name])));
  // Rows of another number would be a fault of the file, not of its reader.
  if (BigInt(rows.length) !== count) {
    throw new Error(`The file says that it has ${count} rows, not ${rows.length}.`);
  }
  return { columns, rows };
}

type ReadValue = string | number | bigint | boolean | null | undefined;

function textOf(value: ReadValue): string | null {
  if (value === null || value === undefined) {
    return null;
  }
  return Object.is(value, -0) ? '-0' : String(value);
}

const duckDbTypes: Readonly<Record<string, ParquetTypeName>> = {
  BIGINT: 'int64',
  DOUBLE: 'double',
  BOOLEAN: 'boolean',
  DATE: 'date',
  'TIMESTAMP WITH TIME ZONE': 'timestamp',
  TIMESTAMP: 'localTimestamp',
  VARCHAR: 'string',
};

/** Reads with DuckDB. */
export function duckDbReader(engine: SqlRunner): ParquetReader {
  return async (file) => {
    const utc = "set TimeZone = 'UTC';\n";
    const from = `from read_parquet('${file}')`;
    const described = await engine.run(`${utc}describe select * ${from}`);
    const columns = described.map(([name, type]) => columnOf(name, type, duckDbTypes));
    const selected = columns.map(({ type }, at) => {
      const column = `c${at}`;
      switch (type) {
        case 'date':
          return `${column} - date '1970-01-01'`;
        case 'timestamp':
        case 'localTimestamp':
          return `epoch_us(${column})`;
        default:
          return column;
      }
    });
    const named = `as written(${columns.map((_, at) => `c${at}`).join()})`;
    const rows = await engine.run(`${utc}select ${selected.join()} ${from} ${named}`);
    return { columns, rows: rows.map((row) => row.map(textOf)) };
  };
}

const sparkTypes: Readonly<Record<string, ParquetTypeName>> = {
  bigint: 'int64',
  double: 'double',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  timestamp_ntz: 'localTimestamp',
  string: 'string',
};

/** Reads with Spark. */
export function sparkReader(engine: SqlRunner): ParquetReader {
  return async (file) => {
    const view = `set spark.sql.session.timeZone=UTC;\ncreate or replace temporary view written using parquet options (path '${file}');\n`;
    const described = await engine.run(`${view}describe written`);
    const columns = described.map(([name, type]) => columnOf(name, type, sparkTypes));
    const selected = columns.map(({ type }, at) => {
      const column = `c${at}`;
      switch (type) {
        case 'date':
          return `unix_date(${column})`;
        case 'timestamp':
          return `unix_micros(${column})`;
        case 'localTimestamp':
          return `unix_micros(cast(${column} as timestamp))`;
        default:
          return column;
      }
    });
    const named = `as named(${columns.map((_, at) => `c${at}`).join()})`;
    const rows = await engine.run(`${view}select ${selected.join()} from written ${named}`);
    return {
      columns,
      rows: rows.map((row) => row.map((value, at) => writtenText(value, columns[at]?.type))),
    };
  };
}

/** Python writes `True` and `1e-07`. */
function writtenText(value: string | null, type: ParquetTypeName | undefined): string | null {
  switch (value === null ? 'string' : type) {
    case 'double':
      return textOf(Number(value));
    case 'boolean':
      return textOf(value === 'True');
    default:
      return value;
  }
}

function columnOf(
  name: string | null | undefined,
  type: string | null | undefined,
  types: Readonly<Record<string, ParquetTypeName>>,
): ReadColumn {
  const known = types[type ?? ''];
  if (known === undefined) {
    throw new Error(`The column ${name} has the type ${type}.`);
  }
  return { name: name ?? '', type: known };
}

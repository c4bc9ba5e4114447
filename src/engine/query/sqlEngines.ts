import { message } from '../../base/message';
import type { TableFile } from '../read/tableFile';
import type { SqlDialect, TableFormat } from '../types';
import { refuse, stayHere, toCsv, toNdjson } from './noSqlError';

/** The name of the table of records. */
export const table = 'report';

/** What an engine reads. */
export interface SqlFile {
  /** Absolute. */
  readonly path: string;
  readonly file: TableFile;
  readonly format: TableFormat;
  /** The unique names of the CSV fields. */
  readonly fields: readonly string[];
}

/**
 * How an engine writes names and values, and how it reads a file: each value as text, so that it
 * guesses no types. What cannot be written throws a NoSqlError.
 */
export interface SqlEngine {
  name(name: string): string;
  text(text: string): string;
  /** The type of a time. */
  readonly time: string;
  readonly functions: Readonly<Record<'contains' | 'startsWith' | 'endsWith', string>>;
  /** The text of a member of a record of JSON. */
  member(names: readonly string[]): string;
  /** The statements before the query, and its records. */
  records(file: SqlFile): { readonly before: string; readonly from: string };
}

const duckDb: SqlEngine = {
  name: (name) => `"${name.replaceAll('"', '""')}"`,
  text: (text) => `'${withoutNul(text).replaceAll("'", "''")}'`,
  time: 'timestamptz',
  functions: { contains: 'contains', startsWith: 'starts_with', endsWith: 'ends_with' },
  member: (names) => `(${table}.json->>${duckDb.text(duckDbPath(names))})`,
  records: (file) => ({ before: `set timezone = 'UTC';\n`, from: duckDbRecords(file) }),
};

const spark: SqlEngine = {
  name: (name) => `\`${name.replaceAll('`', '``')}\``,
  text: (text) => `'${withoutNul(text).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  time: 'timestamp',
  functions: { contains: 'contains', startsWith: 'startswith', endsWith: 'endswith' },
  member: (names) => {
    const path = pathOf(names, (name) => `['${name}']`, /['?\\*\]]|^$/);
    return `get_json_object(${table}.value, ${spark.text(path)})`;
  },
  records: (file) => ({ before: `set time zone 'UTC';\n${sparkView(file)};\n`, from: table }),
};

export const sqlEngines: Readonly<Record<SqlDialect, SqlEngine>> = { duckdb: duckDb, spark };

function withoutNul(text: string): string {
  return text.includes('\0')
    ? refuse(message('SQL has no texts with NUL characters.'), stayHere)
    : text;
}

/** The JSON path to a member. @param refused what no name may have. */
function pathOf(
  names: readonly string[],
  quoted: (name: string) => string,
  refused: RegExp,
): string {
  if (names.some((name) => refused.test(name))) {
    const reason = message('SQL cannot ask for a member with the name "{0}".');
    refuse(reason, toCsv, names.join('.'));
  }
  const parts = names.map((name) => (/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : quoted(name)));
  return `$${parts.join('')}`;
}

function duckDbPath(names: readonly string[]): string {
  return pathOf(names, (name) => `."${name}"`, /["\\*]|^$/);
}

function duckDbRecords({ path, file, format, fields }: SqlFile): string {
  // What names say must not matter: neither an ending, nor a folder such as `year=2026`.
  const isNamedSo = /\.gz$/i.test(path) === format.gzip && !/\.zst$/i.test(path);
  const call = (name: string, ...options: readonly string[]) => {
    const all = [
      duckDb.text(path.replace(/[*?[]/g, '[$&]')),
      ...options,
      ...(isNamedSo ? [] : [`compression = '${format.gzip ? 'gzip' : 'uncompressed'}'`]),
      ...(path.includes('=') ? ['hive_partitioning = false'] : []),
    ];
    return `${name}(${all.join(', ')})`;
  };
  switch (file.detected.form.kind) {
    case 'csv': {
      // DuckDB must not guess: a line that starts with # is not a comment, and line ends may differ.
      // Only one thread can read records with fewer fields if some of them have line breaks.
      const delimiter = duckDb.text(format.delimiter ?? ',');
      const heading = `header = ${format.heading === true}, auto_detect = false`;
      const quotes = `delim = ${delimiter}, quote = '"', escape = '"'`;
      const lengths = 'null_padding = true, parallel = false, strict_mode = false';
      const columns = fields.map((name) => `${duckDb.text(name)}: 'varchar'`).join(', ');
      return `${call('read_csv', heading, quotes, lengths, `columns = {${columns}}`)} as ${table}`;
    }
    case 'lines':
      return `${call('read_ndjson_objects')} as ${table}`;
    case 'topArray':
      return `${call('read_json_objects', "format = 'array'")} as ${table}`;
    case 'texts':
    case 'whole':
      return `${call('read_json_objects', "format = 'unstructured'")} as ${table}`;
    case 'array': {
      // The whole file is one value.
      const largest = `maximum_object_size = ${Math.max(16 * 1024 ** 2, file.source.available)}`;
      const list = duckDb.text(duckDbPath((format.member ?? '').split('.')));
      const whole = call('read_json_objects', "format = 'unstructured'", largest);
      return `(\n  select unnest(cast(json->${list} as json[])) as json\n  from ${whole}\n) as ${table}`;
    }
  }
}

function sparkView({ path, file, format }: SqlFile): string {
  if (file.detected.form.kind !== 'lines') {
    refuse(message('SQL for Spark reads only NDJSON files.'), toNdjson);
  }
  if (/\.gz$/i.test(path) !== format.gzip) {
    refuse(message('The name of the file does not say whether it is compressed.'), toNdjson);
  }
  const text = spark.text(path.replaceAll('\\', '/').replace(/[*?[\]{}]/g, '\\$&'));
  return `create or replace temporary view ${table} using text options (path ${text})`;
}

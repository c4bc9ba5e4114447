import { message } from '../../base/message';
import type { TableFile } from '../read/tableFile';
import type { ColumnId } from '../data/column';
import type { SqlColumns, SqlDialect } from '../data/sqlParts';
import type { TableFormat } from '../data/tableInfo';
import { type Need, needs } from './sqlNeeds';
import { isReadBySpark } from './sqlSpark';
import { refuse, stayHere, toCsv, toNdjson } from './sqlRefusal';

/** The name of the records in a query. */
export const table = 'report';

/** What is queried. */
export interface SqlTable {
  /** Absolute. */
  readonly path: string;
  readonly file: TableFile;
  readonly format: TableFormat;
  /** CSV: the unique names of the fields, in their order. */
  readonly fields: ReadonlyMap<ColumnId, string>;
  /** The columns of the file that it is read beside. */
  readonly like: SqlColumns;
  /** The words of the columns that are sorted by them; those of a file that is read beside others are added. */
  readonly words: ReadonlyMap<ColumnId, Set<string>>;
}

/**
 * How an engine writes names and values, and how it reads a file: each value as text, so that it
 * guesses no types. What cannot be written is refused.
 */
export interface SqlEngine {
  name(name: string): string;
  text(text: string): string;
  /** The type of a time. */
  readonly time: string;
  readonly functions: Readonly<Record<'contains' | 'startsWith' | 'endsWith', string>>;
  /** The text of a field of CSV, without the points between the thousands of a number with a decimal comma. */
  withoutPoints(value: string): string;
  /** A number that is compared with a double. */
  number(text: string): string;
  /** What numbers and lists of JSON must be, so that their values or texts are kept. */
  readonly kept: Readonly<Record<'digits' | 'texts', Need>>;
  /** Whether a record of JSON is read as it is. */
  readsRecord(json: Buffer): boolean;
  /** The text of a member of a record of JSON. */
  member(names: readonly string[]): string;
  /** Sets the time zone. */
  readonly setting: string;
  /** How a file is read. */
  source(of: SqlTable): string;
  /** The statements before the query, and its records. */
  records(sources: readonly SqlSource[]): { readonly before: string; readonly from: string };
}

/** A file that is read, and what its records have in the column {@link dateColumn}, if there are several files. */
export interface SqlSource {
  readonly source: string;
  readonly date?: string;
}

/** When the report was made that a record is from. */
export const dateColumn = 'report_date';

/** Spark goes by the name. */
const sparkCodec = /\.(gz|bz2|deflate|lz4|snappy|zstd?)$/i;

/** As the kernel has it. */
const groupedNumber = '[ \\t]*[-+]?[1-9][0-9]{0,2}([.][0-9]{3})+(,[0-9]*)?[ \\t]*';

const duckDb: SqlEngine = {
  name: (name) => `"${name.replaceAll('"', '""')}"`,
  text: (text) => `'${withoutNul(text).replaceAll("'", "''")}'`,
  time: 'timestamptz',
  functions: { contains: 'contains', startsWith: 'starts_with', endsWith: 'ends_with' },
  withoutPoints: (value) =>
    `case when regexp_full_match(${value}, '${groupedNumber}') then replace(${value}, '.', '') else ${value} end`,
  number: (text) => text,
  kept: { digits: needs.keptDigits, texts: needs.keptTexts },
  readsRecord: () => true,
  member: (names) => `(${table}.json->>${duckDbPath(names)})`,
  setting: `set timezone = 'UTC';\n`,
  source: (of) => (of.format.kind === 'csv' ? duckDbCsv(of) : duckDbJson(of)),
  records: (sources) => {
    const [first = { source: '' }] = sources;
    const dated = sources.map(
      ({ source, date = '' }) => `  select ${duckDb.text(date)} as ${dateColumn}, * from ${source}`,
    );
    // A file may have fewer columns than another.
    const all = `(\n${dated.join('\n  union all by name\n')}\n)`;
    return { before: '', from: `${first.date === undefined ? first.source : all} as ${table}` };
  },
};

const spark: SqlEngine = {
  name: (name) => `\`${name.replaceAll('`', '``')}\``,
  // `${name}` would be replaced by a setting or variable of the machine.
  text: (text) =>
    `'${withoutNul(text).replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('${', '$\\{')}'`,
  time: 'timestamp',
  functions: { contains: 'contains', startsWith: 'startswith', endsWith: 'endswith' },
  withoutPoints: () => refuse(message('SQL for Spark reads only NDJSON files.'), toNdjson),
  // A decimal has no more than 38 digits.
  number: (text) => (text.length > 38 && !/e/i.test(text) ? `${text}e0` : text),
  kept: { digits: needs.keptDigitsBySpark, texts: needs.keptTextsBySpark },
  readsRecord: isReadBySpark,
  member: (names) => {
    const path = writePath(names, (name) => `['${name}']`, /['?\\*\]]|^\s|^$/);
    return `get_json_object(${table}.value, ${spark.text(path)})`;
  },
  setting: `set time zone 'UTC';\n`,
  source: sparkText,
  records: (sources) => {
    const [first = { source: '' }] = sources;
    const view = (name: string, made: string) =>
      `create or replace temporary view ${name} ${made};\n`;
    if (first.date === undefined) {
      return { before: view(table, first.source), from: table };
    }
    const views = sources.map(({ source }, at) => view(`${table}_${at + 1}`, source));
    const dated = sources.map(
      ({ date = '' }, at) =>
        `select ${spark.text(date)} as ${dateColumn}, value from ${table}_${at + 1}`,
    );
    return {
      before: [...views, view(table, `as\n${dated.join('\nunion all\n')}`)].join(''),
      from: table,
    };
  },
};

export const sqlEngines: Readonly<Record<SqlDialect, SqlEngine>> = { duckdb: duckDb, spark };

function withoutNul(text: string): string {
  return text.includes('\0')
    ? refuse(message('SQL has no texts with NUL characters.'), stayHere)
    : text;
}

/** The JSON path to a member. @param refused what no name may have. */
function writePath(
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
  return duckDb.text(writePath(names, (name) => `."${name}"`, /["\\*]|^$/));
}

function duckDbCsv({ path, format, fields }: SqlTable): string {
  const [first = '', ...others] = fields.values();
  // Below a single column, blank lines would be rows.
  const names = [first, ...(others.length > 0 ? others : [`${first} (2)`])];
  // DuckDB must not guess: a line that starts with # is not a comment, and line ends may differ.
  // Only one thread can read records with fewer fields if some of them have line breaks.
  const options = [
    `header = ${format.heading === true}, auto_detect = false`,
    `delim = ${duckDb.text(format.delimiter ?? ',')}, quote = '"', escape = '"'`,
    'null_padding = true, parallel = false, strict_mode = false',
    `columns = {${names.map((name) => `${duckDb.text(name)}: 'varchar'`).join(', ')}}`,
  ];
  return duckDbFile('read_csv', path, format, options);
}

function duckDbJson({ path, file, format }: SqlTable): string {
  const { kind } = file.detected.form;
  if (kind === 'lines') {
    return duckDbFile('read_ndjson_objects', path, format, []);
  }
  // The whole file is one value.
  const largest = `maximum_object_size = ${Math.max(16 * 1024 ** 2, file.source.available)}`;
  const layout = `format = '${kind === 'topArray' ? 'array' : 'unstructured'}'`;
  const options = [layout, ...(kind === 'array' ? [largest] : [])];
  const records = duckDbFile('read_json_objects', path, format, options);
  const list = kind === 'array' && duckDbPath(file.detected.outerNames ?? []);
  return list
    ? `(\n  select unnest(cast(json->${list} as json[])) as json\n  from ${records}\n)`
    : records;
}

/** A call that reads a file, whatever its name says: an ending, or a folder such as `year=2026`. */
function duckDbFile(
  name: string,
  path: string,
  { gzip }: TableFormat,
  options: readonly string[],
): string {
  const isNamedSo = /\.gz$/i.test(path) === gzip && !/\.zst$/i.test(path);
  const all = [
    duckDb.text(path.replace(/[*?[]/g, '[$&]')),
    ...options,
    ...(isNamedSo ? [] : [`compression = '${gzip ? 'gzip' : 'uncompressed'}'`]),
    ...(path.includes('=') ? ['hive_partitioning = false'] : []),
  ];
  return `${name}(${all.join(', ')})`;
}

function sparkText({ path, file, format }: SqlTable): string {
  if (file.detected.form.kind !== 'lines') {
    refuse(message('SQL for Spark reads only NDJSON files.'), toNdjson);
  }
  const [, ending] = sparkCodec.exec(path) ?? [];
  if (ending === undefined ? format.gzip : ending.toLowerCase() !== 'gz' || !format.gzip) {
    refuse(message('The name of the file does not say whether it is compressed.'), toNdjson);
  }
  const name = path.replace(/^[A-Za-z]:[\\/]/, '').replace(/^.*\//, '');
  if (/^[_.]|:|\._COPYING_$/.test(name) || (path.startsWith('/') && path.includes('\\'))) {
    refuse(message('Spark does not read files with this name.'), toNdjson);
  }
  const text = spark.text(path.replaceAll('\\', '/').replace(/[*?[\]{}]/g, '\\$&'));
  // By default, a CR within a record would end it.
  return `using text options (path ${text}, lineSep '\\n')`;
}

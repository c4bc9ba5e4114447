import { scaleOf } from '../../base/text/orderedWords';
import { kindBoolean, kindDate, kindJson, kindNumber, kindText } from '../values/kinds';
import { TableError } from '../values/tableError';
import {
  type CellKind,
  type Column,
  type ColumnId,
  type ColumnType,
  type DistinctValue,
  type Filter,
  namesOf,
  type Query,
  type SortKey,
  type SqlDialect,
  type TableFormat,
} from '../types';
import { recordOfKey } from '../values/filters';

/*
 * The query of a table as SQL for other engines. As in the table, values are read as text, so that
 * no engine guesses the types of columns.
 */

/** The file to query. */
export interface SqlSource {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  readonly format: TableFormat;
  readonly columns: readonly Column[];
  /** Columns beyond the limit of a table. */
  readonly moreColumns: number;
  /** Whether there are records that cannot be read. */
  readonly hasInvalid: boolean;
  /** The distinct values of columns that have few; they show which columns are severities or statuses. */
  readonly words: ReadonlyMap<ColumnId, readonly string[]>;
  /** The text columns that also have dates. */
  readonly dated: ReadonlySet<ColumnId>;
}

/** Distinct values for `SqlSource.words`, without records that could not be read. */
export function wordsAmong(values: readonly DistinctValue[]): string[] {
  return values.flatMap(({ cell }) => (cell.kind === 'invalid' ? [] : [cell.text]));
}

/**
 * Writes a query as SQL. Rows with equal sort keys may come in a different order than in the table,
 * and `null` and a missing member are the same.
 * @param columns the columns of the answer; ignored for groups, which have the columns they are
 *   grouped by.
 * @throws TableError `noSql` if the query names masked values, invalid records or unusual columns.
 */
export function sqlOf(
  dialect: SqlDialect,
  source: SqlSource,
  { filter, sort = [], groupBy = [] }: Query,
  columns: readonly ColumnId[],
): string {
  if (source.format.linesBefore !== undefined) {
    throw new TableError('noSql', 'The file has lines before its heading.');
  }
  if (source.format.encoding !== undefined) {
    throw new TableError('noSqlForEncoding', 'The file is not UTF-8.');
  }
  const sql = new Writer(dialect, source);
  const isGrouped = groupBy.length > 0;
  const wanted = isGrouped ? groupBy : columns;
  const names = unique(wanted.map((id) => sql.column(id).name));
  const selected = [
    ...wanted.map((id, at) => `${sql.value(id)} as ${sql.name(names[at] ?? '')}`),
    ...(isGrouped ? [`count(*) as ${sql.name('count')}`] : []),
  ];
  const order = isGrouped
    ? [...sql.listed(groupBy[0] ?? ''), 'count(*) desc']
    : sort.flatMap((key) => sql.sorted(key));
  const clauses = [
    `select\n  ${selected.join(',\n  ')}`,
    `from ${sql.from()}`,
    ...(filter ? [`where ${sql.condition(filter)}`] : []),
    ...(isGrouped ? [`group by ${groupBy.map((_, at) => at + 1).join(', ')}`] : []),
    ...(order.length > 0 ? [`order by\n  ${order.join(',\n  ')}`] : []),
  ];
  return `${sql.before()}${clauses.join('\n')};\n`;
}

/** The name of the table of records. */
const table = 'report';

class Writer {
  private readonly isDuckDb: boolean;
  /** The unique names of the CSV fields. */
  private readonly fields: ReadonlyMap<ColumnId, string>;

  constructor(
    dialect: SqlDialect,
    private readonly source: SqlSource,
  ) {
    this.isDuckDb = dialect === 'duckdb';
    const { columns } = source;
    const names = unique(columns.map(({ name }) => name));
    this.fields = new Map(columns.map(({ id }, at) => [id, names[at] ?? '']));
  }

  column(id: ColumnId): Column {
    const column = this.source.columns.find((one) => one.id === id);
    if (!column) {
      throw new TableError('noSql', `Unknown column: ${id}.`);
    }
    return column;
  }

  /**
   * The type of a column. If some of its values are objects whose members are separate columns, it
   * is `mixed`.
   */
  private type(id: ColumnId): ColumnType {
    const { columns } = this.source;
    return columns.some((other) => other.id.startsWith(`${id}/`)) ? 'mixed' : this.column(id).type;
  }

  /** The statements before the query. */
  before(): string {
    const { format, hasInvalid, path } = this.source;
    const note = hasInvalid ? '-- Records that cannot be read are left out.\n' : '';
    if (this.isDuckDb) {
      return `${note}set timezone = 'UTC';\n`;
    }
    const view = (name: string, using: string) =>
      `create or replace temporary view ${name} ${using};\n`;
    const file = `path ${this.text(path.replaceAll('\\', '/').replace(/[*?[\]{}]/g, '\\$&'))}`;
    const views = {
      csv: () => {
        const schema = this.csvNames().map((name) => `${this.name(name)} string`);
        const options = [
          file,
          `header ${this.text(String(format.heading === true))}`,
          `sep ${this.text(format.delimiter ?? ',')}`,
          `multiLine 'true'`,
          `escape '"'`,
        ];
        return view(table, `(${schema.join(', ')}) using csv options (${options.join(', ')})`);
      },
      ndjson: () => view(table, `using text options (${file})`),
      json: () => {
        const whole = format.member === undefined ? 'value' : this.member('value', format.member);
        const values = `explode(from_json(${whole}, 'array<string>')) as value`;
        return (
          view('file', `using text options (${file}, wholetext 'true')`) +
          view(table, `as select ${values} from file`)
        );
      },
    };
    return `${note}set time zone 'UTC';\n${views[format.kind]()}`;
  }

  from(): string {
    const { format, hasInvalid, bytes } = this.source;
    if (!this.isDuckDb) {
      return table;
    }
    const file = this.text(this.source.path.replace(/[*?[]/g, '[$&]'));
    const more = [
      ...(format.gzip ? ["compression = 'gzip'"] : []),
      ...(hasInvalid ? ['ignore_errors = true'] : []),
    ];
    switch (format.kind) {
      case 'csv': {
        // DuckDB must not guess: a line that starts with # is not a comment, and line ends may
        // differ. Only one thread can read records with fewer fields if some of them have line
        // breaks.
        const options = [
          file,
          `header = ${format.heading === true}`,
          'auto_detect = false',
          `delim = ${this.text(format.delimiter ?? ',')}`,
          `quote = '"'`,
          `escape = '"'`,
          'null_padding = true',
          'parallel = false',
          `strict_mode = ${hasInvalid}`,
          ...more,
          `columns = {${this.csvNames()
            .map((name) => `${this.text(name)}: 'varchar'`)
            .join(', ')}}`,
        ];
        return `read_csv(${options.join(', ')}) as ${table}`;
      }
      case 'ndjson':
        return `read_ndjson_objects(${[file, ...more].join(', ')}) as ${table}`;
      case 'json': {
        if (format.member === undefined) {
          const options = [file, "format = 'array'", ...more];
          return `read_json_objects(${options.join(', ')}) as ${table}`;
        }
        // The whole file is one object.
        const largest = Math.max(16 * 1024 ** 2, format.gzip ? bytes * 20 : bytes);
        const options = [file, "format = 'unstructured'", `maximum_object_size = ${largest}`];
        const list = this.member('json', format.member, '->');
        const whole = `read_json_objects(${[...options, ...more].join(', ')})`;
        return `(\n  select unnest(cast(${list} as json[])) as json\n  from ${whole}\n) as ${table}`;
      }
    }
  }

  /** The text of a value. DuckDB writes JSON numbers in its own way: 1e3 becomes 1000.0. */
  value(id: ColumnId): string {
    if (this.source.format.kind === 'csv') {
      return `${table}.${this.name(this.fields.get(id) ?? '')}`;
    }
    const parts = namesOf(id);
    const path = pathOf(parts);
    if (this.isDuckDb) {
      return `(${table}.json->>${this.text(path ?? id)})`;
    }
    if (parts.some((part) => /['?\\\]]/.test(part) || part === '')) {
      throw new TableError('noSql', 'Spark SQL cannot ask for a member with this name.');
    }
    const quoted = parts.map((part) => `['${part}']`).join('');
    return `get_json_object(${table}.value, ${this.text(path ?? `$${quoted}`)})`;
  }

  condition(filter: Filter): string {
    switch (filter.op) {
      case 'and':
      case 'or': {
        const parts = filter.of.map((part) => this.condition(part));
        const word = filter.op === 'and' ? '\n  and ' : ' or ';
        const joined = parts.join(word);
        return parts.length === 0
          ? filter.op === 'and'
            ? 'true'
            : 'false'
          : parts.length === 1 || filter.op === 'and'
            ? joined
            : `(${joined})`;
      }
      case 'not':
        // A row without a value matches no condition, so it matches the negation of every
        // condition.
        return `not coalesce(${this.condition(filter.of)}, false)`;
      case 'contains':
      case 'equals':
      case 'startsWith':
      case 'endsWith':
        return this.textTest(filter);
      case 'compare': {
        const { column, is, number } = filter;
        return `${this.number(column)} ${is === '!=' ? '<>' : is} ${number}`;
      }
      case 'dateRange': {
        const { column, from, to } = filter;
        const value = this.date(column);
        return [
          ...(from === undefined ? [] : [`${value} >= ${this.time(from)}`]),
          ...(to === undefined ? [] : [`${value} < ${this.time(to)}`]),
          ...(from === undefined && to === undefined ? [`${value} is not null`] : []),
        ].join(' and ');
      }
      case 'in':
        return this.oneOf(filter.column, filter.keys);
      case 'present':
        return `${this.value(filter.column)} <> ''`;
      case 'empty':
        return `coalesce(${this.value(filter.column)}, '') = ''`;
      case 'null':
      case 'missing':
        return `${this.value(filter.column)} is null`;
      case 'anywhere':
      case 'invalid':
        throw new TableError('noSql', 'SQL has no such condition.');
    }
  }

  /** The keys of a sort. Rows without a value come last in both directions. */
  sorted({ column: id, descending }: SortKey): string[] {
    const scale = scaleOf(this.column(id).name, this.source.words.get(id) ?? []);
    const keys = scale
      ? [this.wordPositions(id, (word) => scale.sortPositionOf(word), -1)]
      : this.sortKeys(id);
    return keys.map((key) => `${key} ${descending ? 'desc' : 'asc'} nulls last`);
  }

  private sortKeys(id: ColumnId): string[] {
    const value = this.sortedValue(id);
    const type = this.type(id);
    switch (type) {
      case 'number':
        return [this.number(id)];
      case 'date':
        return [this.date(id)];
      case 'text':
      case 'mixed': {
        if (type === 'text' && !this.source.dated.has(id)) {
          return [value];
        }
        const ordered = [...(type === 'mixed' ? [this.number(id)] : []), this.date(id)];
        // Equal numbers and dates are equal regardless of how they are written.
        const rest = ordered.map((key) => `${key} is null`).join(' and ');
        return [this.kind(id), ...ordered, `case when ${rest} then ${value} end`];
      }
      default:
        return [value];
    }
  }

  /** A value in a sort, where an empty text comes last like null. */
  private sortedValue(id: ColumnId): string {
    const value = this.value(id);
    return this.source.format.kind === 'csv' ? value : `nullif(${value}, '')`;
  }

  /** The position of a kind of value; see `kinds`. */
  private kind(id: ColumnId): string {
    const value = this.sortedValue(id);
    const whenKind = (condition: string, kind: number) => ` when ${condition} then ${kind}`;
    const date = whenKind(`${this.date(id)} is not null`, kindDate);
    const text = whenKind(`${value} is not null`, kindText);
    if (this.type(id) === 'text') {
      return `case${date}${text} end`;
    }
    const type = this.jsonType(id);
    const cases =
      type === undefined
        ? [
            whenKind(`${this.number(id)} is not null`, kindNumber),
            date,
            whenKind(`${value} in ('true', 'false')`, kindBoolean),
            text,
          ]
        : [
            whenKind(this.isNumber(id), kindNumber),
            date,
            whenKind(`${type} = 'VARCHAR' and ${value} is not null`, kindText),
            whenKind(`${type} = 'BOOLEAN'`, kindBoolean),
            whenKind(`${value} is not null`, kindJson),
          ];
    return `case${cases.join('')} end`;
  }

  /** The type of a JSON value, if the engine knows it. */
  private jsonType(id: ColumnId): string | undefined {
    return this.isDuckDb && this.source.format.kind !== 'csv'
      ? `json_type(${table}.json, ${this.text(pathOf(namesOf(id)) ?? id)})`
      : undefined;
  }

  /** The key by which groups are listed before their size: the order of severities. */
  listed(id: ColumnId): string[] {
    const scale = scaleOf(this.column(id).name, this.source.words.get(id) ?? []);
    return scale
      ? [`${this.wordPositions(id, (word) => scale.positionOf(word) ?? 99, 99)} asc nulls last`]
      : [];
  }

  name(name: string): string {
    return this.isDuckDb ? `"${name.replaceAll('"', '""')}"` : `\`${name.replaceAll('`', '``')}\``;
  }

  private wordPositions(
    id: ColumnId,
    positionOf: (word: string) => number,
    unknown: number,
  ): string {
    const words = [
      ...new Set((this.source.words.get(id) ?? []).map((word) => word.trim().toLowerCase())),
    ].filter((word) => word !== '' && positionOf(word) !== unknown);
    const cases = words.map((word) => `when ${this.text(word)} then ${positionOf(word)}`);
    const value = this.value(id);
    return `case when ${value} <> '' then case lower(trim(${value})) ${cases.join(' ')} else ${unknown} end end`;
  }

  private textTest({
    op,
    column,
    text,
    matchCase = false,
  }: Extract<Filter, { readonly text: string; readonly column: ColumnId }>): string {
    const value = matchCase ? this.value(column) : `lower(${this.value(column)})`;
    const wanted = this.text(matchCase ? text : text.toLowerCase());
    switch (op) {
      case 'contains':
        return `contains(${value}, ${wanted})`;
      case 'equals':
        return `${value} = ${wanted}`;
      case 'startsWith':
        return `${this.isDuckDb ? 'starts_with' : 'startswith'}(${value}, ${wanted})`;
      case 'endsWith':
        return `${this.isDuckDb ? 'ends_with' : 'endswith'}(${value}, ${wanted})`;
    }
  }

  private oneOf(id: ColumnId, keys: readonly string[]): string {
    if (keys.some((key) => recordOfKey(key) !== undefined)) {
      throw new TableError('noSql', 'A masked value cannot be named.');
    }
    const none: readonly string[] = ['null:', 'missing:'] satisfies `${CellKind}:`[];
    const values = keys.filter((key) => !none.includes(key));
    const texts = values.map((key) => this.text(key.slice(key.indexOf(':') + 1)));
    const parts = [
      ...(texts.length > 0 ? [`${this.value(id)} in (${texts.join(', ')})`] : []),
      ...(values.length < keys.length ? [`${this.value(id)} is null`] : []),
    ];
    return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' or ') || 'false'})`;
  }

  private number(id: ColumnId): string {
    const value = this.hasCommas ? `replace(${this.value(id)}, ',', '.')` : this.value(id);
    const number = `try_cast(${value} as double)`;
    switch (this.type(id)) {
      case 'number':
        return number;
      case 'mixed':
        return `case when ${this.isNumber(id)} then ${number} end`;
      default:
        // A JSON string is not a number, even if it looks like one.
        return 'cast(null as double)';
    }
  }

  /** Whether the point of a number may be a comma. */
  private get hasCommas(): boolean {
    return this.source.format.delimiter === ';';
  }

  /**
   * Whether a value of a mixed column is a number. Spark cannot distinguish a number from a text
   * that looks like one.
   */
  private isNumber(id: ColumnId): string {
    const type = this.jsonType(id);
    if (this.source.format.kind === 'csv') {
      const point = this.hasCommas ? '[.,]' : '[.]';
      const digits = `(0|[1-9][0-9]*)(${point}[0-9]*)?|${point}[0-9]+`;
      return this.matches(this.value(id), `^[ \\t]*[-+]?(${digits})([eE][-+]?[0-9]+)?[ \\t]*$`);
    }
    return type === undefined
      ? this.matches(this.value(id), '^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?$')
      : `${type} in ('UBIGINT', 'BIGINT', 'HUGEINT', 'UHUGEINT', 'DOUBLE')`;
  }

  /** A date. Engines read more texts as dates than the table does, such as `infinity`. */
  private date(id: ColumnId): string {
    const value = this.value(id);
    const text = this.source.format.kind === 'csv' ? `trim(${value})` : value;
    const date = `try_cast(${text} as ${this.isDuckDb ? 'timestamptz' : 'timestamp'})`;
    return this.type(id) === 'date'
      ? date
      : `case when ${this.matches(value, '^ *[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}| *$)')} then ${date} end`;
  }

  private matches(value: string, pattern: string): string {
    return this.isDuckDb
      ? `regexp_matches(${value}, ${this.text(pattern)})`
      : `${value} rlike ${this.text(pattern)}`;
  }

  private time(time: number): string {
    const text = new Date(time)
      .toISOString()
      .replace('T', ' ')
      .replace(/\.000Z$|Z$/, '');
    return `${this.isDuckDb ? 'timestamptz' : 'timestamp'} '${text}+00:00'`;
  }

  private text(text: string): string {
    return this.isDuckDb
      ? `'${text.replaceAll("'", "''")}'`
      : `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  }

  /** The list of the records in a member of the top object, or of its members. */
  private member(of: string, member: string, arrow: '->' | '->>' = '->>'): string {
    const path = pathOf(member.split('.')) ?? this.refuseMember();
    return this.isDuckDb
      ? `${of}${arrow}${this.text(path)}`
      : `get_json_object(${of}, ${this.text(path)})`;
  }

  private refuseMember(): never {
    throw new TableError('noSql', 'The rows are in a member with an unusual name.');
  }

  /** The names of all CSV fields, including those beyond the limit of a table. */
  private csvNames(): string[] {
    const names = [...this.fields.values()];
    return unique([...names, ...Array.from({ length: this.source.moreColumns }, () => 'more')]);
  }
}

/** The JSON path to a member; `undefined` if a name must be quoted. */
function pathOf(parts: readonly string[]): string | undefined {
  return parts.every((part) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(part))
    ? ['$', ...parts].join('.')
    : undefined;
}

/** Makes names unique, ignoring case, because engines ignore it. */
function unique(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.map((name) => {
    const first = name === '' ? 'column' : name;
    let found = first;
    for (let number = 2; seen.has(found.toLowerCase()); number += 1) {
      found = `${first}_${number}`;
    }
    seen.add(found.toLowerCase());
    return found;
  });
}

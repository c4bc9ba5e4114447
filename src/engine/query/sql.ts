import { scaleOf } from '../../base/text/orderedWords';
import {
  columnType,
  kindBoolean,
  kindDate,
  kindEmptyText,
  kindJson,
  kindMissing,
  kindNull,
  kindNumber,
  kindText,
} from '../values/kinds';
import { TableError } from '../values/tableError';
import {
  type Column,
  type ColumnId,
  type ColumnType,
  type DistinctValue,
  type Filter,
  namesOf,
  type Query,
  type SortKey,
  type SqlDialect,
  type TableInfo,
} from '../types';
import { columnFiltersOf, recordOfKey } from '../values/filters';
import type { ColumnFacts, SqlFacts, ValueOddity } from '../sqlTypes';
import {
  refuseColumn,
  refuseFile,
  refuseFilter,
  refuseMixed,
  refuseName,
  refuseNoColumns,
} from './sqlRefusals';
import { SqlFile } from './sqlFile';
import { pathOf, SqlSyntax, table, unique } from './sqlSyntax';
import { datePattern, isExactDouble } from './sqlValues';

/*
 * The query of a table as SQL for other engines. As in the table, values are read as text, so that
 * no engine guesses the types of columns.
 */

/** The file to query. */
export interface SqlSource {
  /** Absolute. */
  readonly path: string;
  readonly info: TableInfo;
  /** With the columns of the answer, and of `comparedColumns`. */
  readonly facts: SqlFacts;
  /** The distinct values of columns that have few; they show which columns are severities or statuses. */
  readonly words: ReadonlyMap<ColumnId, readonly string[]>;
}

/** The columns that a query compares, beside those of the answer. */
export function comparedColumns({ filter, sort = [], groupBy = [] }: Query): ColumnId[] {
  const filtered = filter ? columnFiltersOf(filter).map(({ column }) => column) : [];
  return [...new Set([...filtered, ...sort.map(({ column }) => column), ...groupBy])];
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
 * @throws NoSqlError if SQL would read something else than the table.
 */
export function sqlOf(
  dialect: SqlDialect,
  source: SqlSource,
  { filter, sort = [], groupBy = [] }: Query,
  columns: readonly ColumnId[],
): string {
  refuseFile(dialect, source.path, source.info, source.facts);
  const syntax = new SqlSyntax(dialect);
  const fields = unique(source.info.columns.map(({ name }) => name));
  const file = new SqlFile(syntax, source, fields);
  const sql = new Writer(syntax, source, fields);
  const isGrouped = groupBy.length > 0;
  const wanted = isGrouped ? groupBy : columns;
  if (wanted.length === 0) {
    refuseNoColumns();
  }
  const names = unique(wanted.map((id) => sql.column(id).name));
  const selected = [
    ...wanted.map((id, at) => `${sql.selected(id, isGrouped)} as ${syntax.name(names[at] ?? '')}`),
    ...(isGrouped ? [`count(*) as ${syntax.name('count')}`] : []),
  ];
  const order = isGrouped
    ? [...sql.listed(groupBy[0] ?? ''), 'count(*) desc']
    : sort.flatMap((key, at) => sql.sorted(key, at === sort.length - 1));
  const conditions = [...file.validRecords(), ...(filter ? [sql.condition(filter)] : [])];
  const clauses = [
    `select\n  ${selected.join(',\n  ')}`,
    `from ${file.from()}`,
    ...(conditions.length > 0 ? [`where ${conditions.join('\n  and ')}`] : []),
    ...(isGrouped ? [`group by ${groupBy.map((_, at) => at + 1).join(', ')}`] : []),
    ...(order.length > 0 ? [`order by\n  ${order.join(',\n  ')}`] : []),
  ];
  return `${file.before()}${clauses.join('\n')};\n`;
}

/** A column of CSV that is not compared. */
const noFacts: ColumnFacts = { kinds: 0, oddities: new Set() };

class Writer {
  private readonly isCsv: boolean;

  /** @param fields the unique names of the CSV fields, in the order of the columns. */
  constructor(
    private readonly syntax: SqlSyntax,
    private readonly source: SqlSource,
    private readonly fields: readonly string[],
  ) {
    this.isCsv = source.info.format.kind === 'csv';
  }

  column(id: ColumnId): Column {
    const column = this.source.info.columns.find((one) => one.id === id);
    if (!column) {
      throw new TableError('badRequest', `Unknown column: ${id}.`);
    }
    return column;
  }

  /** The type of all values of a column. */
  private type(id: ColumnId): ColumnType {
    return columnType(this.facts(id).kinds);
  }

  private has(id: ColumnId, kind: number): boolean {
    return (this.facts(id).kinds & (1 << kind)) !== 0;
  }

  private facts(id: ColumnId): ColumnFacts {
    return this.source.facts.columns.get(id) ?? noFacts;
  }

  /** @throws NoSqlError if a column has one of these */
  private refuse(id: ColumnId, ...oddities: readonly ValueOddity[]): void {
    const found = oddities.find((oddity) => this.facts(id).oddities.has(oddity));
    if (found) {
      refuseColumn(this.column(id), found);
    }
  }

  /** A column of the answer. */
  selected(id: ColumnId, isGrouped: boolean): string {
    this.refuse(id, 'lostDigits');
    if (isGrouped) {
      this.refuse(id, 'otherNumbers', 'otherJson');
      if (this.hasLookalikes(id)) {
        refuseMixed(this.column(id));
      }
    }
    return this.value(id);
  }

  /** Whether texts and other values of JSON may look the same. */
  private hasLookalikes(id: ColumnId): boolean {
    return (
      !this.isCsv && this.type(id) === 'mixed' && (this.has(id, kindText) || this.has(id, kindDate))
    );
  }

  private refuseLookalikes(id: ColumnId): void {
    if (this.hasLookalikes(id) && this.jsonType(id) === undefined) {
      refuseMixed(this.column(id));
    }
  }

  /** The text of a value. DuckDB writes JSON numbers in its own way: 1e3 becomes 1000.0. */
  private value(id: ColumnId): string {
    if (this.isCsv) {
      const at = this.source.info.columns.findIndex((column) => column.id === id);
      return `${table}.${this.syntax.name(this.fields[at] ?? '')}`;
    }
    const isInLines = this.source.facts.splitter === 'lines';
    if (id === '' && (this.has(id, kindMissing) || !(this.syntax.isDuckDb || isInLines))) {
      // SQL would show an object whose members are columns, too. In lists, Spark knows only objects.
      refuseMixed(this.column(id));
    }
    const parts = namesOf(id);
    if (this.syntax.isDuckDb) {
      return `(${table}.json->>${this.syntax.text(this.path(id))})`;
    }
    if (parts.some((part) => /['?\\\]*]/.test(part) || part === '')) {
      return refuseName(this.column(id));
    }
    const quoted = parts.map((part) => `['${part}']`).join('');
    return `get_json_object(${table}.value, ${this.syntax.text(pathOf(parts) ?? `$${quoted}`)})`;
  }

  /** The path to a member for DuckDB. */
  private path(id: ColumnId): string {
    const parts = namesOf(id);
    if (!parts.some((part) => /^\d+$/.test(part))) {
      return pathOf(parts) ?? (id.endsWith('/') ? refuseName(this.column(id)) : id);
    }
    // A pointer to a member `0` would also find the first element of an array.
    return parts.some((part) => /["\\*]/.test(part) || part === '')
      ? refuseName(this.column(id))
      : `$${parts.map((part) => `."${part}"`).join('')}`;
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
        this.refuse(column, 'longNumbers');
        this.refuseLookalikes(column);
        if (!isExactDouble(number)) {
          refuseColumn(this.column(column), 'longNumbers');
        }
        return `${this.number(column)} ${is === '!=' ? '<>' : is} ${number}`;
      }
      case 'dateRange': {
        const { column, from, to } = filter;
        this.refuse(column, 'otherDates');
        const value = this.date(column);
        return [
          ...(from === undefined ? [] : [`${value} >= ${this.syntax.time(from)}`]),
          ...(to === undefined ? [] : [`${value} < ${this.syntax.time(to)}`]),
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
        return this.none(filter.column, kindNull);
      case 'missing':
        return this.none(filter.column, kindMissing);
      case 'anywhere':
      case 'invalid':
        return refuseFilter();
    }
  }

  /** Whether there is no value, of a column in which it has this kind. */
  private none(id: ColumnId, kind: typeof kindNull | typeof kindMissing): string {
    const other = kind === kindNull ? kindMissing : kindNull;
    if (!this.has(id, kind)) {
      return 'false';
    }
    return this.has(id, other) ? refuseFilter() : `${this.value(id)} is null`;
  }

  /** The keys of a sort. Rows without a value come last in both directions. */
  sorted({ column: id, descending }: SortKey, isLast: boolean): string[] {
    const empty = [kindEmptyText, kindNull, kindMissing].filter((kind) => this.has(id, kind));
    const words = (this.source.words.get(id) ?? []).filter((word) => word !== '');
    const scale = scaleOf(this.column(id).name, words);
    const positions = words.map((word) => scale?.sortPositionOf(word));
    const areWordsEqual = scale !== undefined && new Set(positions).size < words.length;
    if (!isLast && (empty.length > 1 || areWordsEqual)) {
      // The table sorts them one after another. In SQL they are equal, so that the next key decides.
      refuseMixed(this.column(id));
    }
    const keys = scale
      ? [this.wordPositions(id, (word) => scale.sortPositionOf(word), -1)]
      : this.sortKeys(id);
    return keys.map((key) => `${key} ${descending ? 'desc' : 'asc'} nulls last`);
  }

  private sortKeys(id: ColumnId): string[] {
    const value = this.sortedValue(id);
    const type = this.type(id);
    this.refuse(id, 'longNumbers', 'otherDates', 'otherJson');
    this.refuseLookalikes(id);
    switch (type) {
      case 'number':
        return [this.number(id)];
      case 'date':
        return [this.date(id)];
      case 'text':
      case 'mixed': {
        if (type === 'text' && !this.has(id, kindDate)) {
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
    return this.isCsv ? value : `nullif(${value}, '')`;
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
    return this.syntax.isDuckDb && !this.isCsv
      ? `json_type(${table}.json, ${this.syntax.text(this.path(id))})`
      : undefined;
  }

  /** The key by which groups are listed before their size: the order of severities. */
  listed(id: ColumnId): string[] {
    const scale = scaleOf(this.column(id).name, this.source.words.get(id) ?? []);
    return scale
      ? [`${this.wordPositions(id, (word) => scale.positionOf(word) ?? 99, 99)} asc nulls last`]
      : [];
  }

  private wordPositions(
    id: ColumnId,
    positionOf: (word: string) => number,
    unknown: number,
  ): string {
    this.refuse(id, 'otherCase');
    const written = this.source.words.get(id) ?? [];
    if (written.some((word) => /^\s|\s$/.test(word.replace(/^ +| +$/g, '')))) {
      // SQL trims only spaces.
      refuseMixed(this.column(id));
    }
    const words = [...new Set(written.map((word) => word.trim().toLowerCase()))].filter(
      (word) => word !== '' && positionOf(word) !== unknown,
    );
    const cases = words.map((word) => `when ${this.syntax.text(word)} then ${positionOf(word)}`);
    const value = this.value(id);
    return `case when ${value} <> '' then case lower(trim(${value})) ${cases.join(' ')} else ${unknown} end end`;
  }

  private textTest({
    op,
    column,
    text,
    matchCase = false,
  }: Extract<Filter, { readonly text: string; readonly column: ColumnId }>): string {
    this.refuse(column, 'otherNumbers', 'otherJson', ...(matchCase ? [] : ['otherCase' as const]));
    const value = matchCase ? this.value(column) : `lower(${this.value(column)})`;
    return this.syntax.textTest(op, value, matchCase ? text : text.toLowerCase());
  }

  private oneOf(id: ColumnId, keys: readonly string[]): string {
    if (keys.some((key) => recordOfKey(key) !== undefined)) {
      refuseFilter();
    }
    this.refuse(id, 'otherNumbers', 'otherJson');
    const value = this.value(id);
    const type = this.jsonType(id) ?? '';
    const listed = (some: readonly string[]) => {
      const texts = some.map((key) => this.syntax.text(key.slice(key.indexOf(':') + 1)));
      return texts.length > 0 ? [`${value} in (${texts.join(', ')})`] : [];
    };
    const isNone = (key: string) => key === 'null:' || key === 'missing:';
    const values = keys.filter((key) => !isNone(key));
    const none = keys.filter(isNone);
    if (!this.hasLookalikes(id)) {
      return anyOf([...listed(values), ...this.noneOf(id, none)]);
    }
    this.refuseLookalikes(id);
    const isText = (key: string) => /^(text|date):/.test(key);
    return anyOf([
      ...listed(values.filter(isText)).map((test) => `(${type} = 'VARCHAR' and ${test})`),
      ...listed(values.filter((key) => !isText(key))).map(
        (test) => `(${type} <> 'VARCHAR' and ${test})`,
      ),
      ...this.noneOf(id, none),
    ]);
  }

  /** @param keys those of null and missing values. */
  private noneOf(id: ColumnId, keys: readonly string[]): string[] {
    if (keys.includes('null:') && keys.includes('missing:')) {
      return [`${this.value(id)} is null`];
    }
    return keys.map((key) => this.none(id, key === 'null:' ? kindNull : kindMissing));
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
    return this.source.info.format.delimiter === ';';
  }

  /**
   * Whether a value of a mixed column is a number. Spark cannot distinguish a number from a text
   * that looks like one.
   */
  private isNumber(id: ColumnId): string {
    const type = this.jsonType(id);
    if (this.isCsv) {
      const point = this.hasCommas ? '[.,]' : '[.]';
      const digits = `(0|[1-9][0-9]*)(${point}[0-9]*)?|${point}[0-9]+`;
      return this.syntax.matches(
        this.value(id),
        `^[ \\t]*[-+]?(${digits})([eE][-+]?[0-9]+)?[ \\t]*$`,
      );
    }
    return type === undefined
      ? this.syntax.matches(this.value(id), '^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?$')
      : `${type} in ('UBIGINT', 'BIGINT', 'HUGEINT', 'UHUGEINT', 'DOUBLE')`;
  }

  /** A date. Engines read more texts as dates than the table does, such as `infinity`. */
  private date(id: ColumnId): string {
    const value = this.value(id);
    const text = this.isCsv ? `trim(${value})` : value;
    const date = `try_cast(${text} as ${this.syntax.isDuckDb ? 'timestamptz' : 'timestamp'})`;
    return this.type(id) === 'date'
      ? date
      : `case when ${this.syntax.matches(value, datePattern(this.isCsv))} then ${date} end`;
  }
}

function anyOf(conditions: readonly string[]): string {
  // Spark reads `from report where (false)` as a table with the name `where`.
  return conditions.length > 1 ? `(${conditions.join(' or ')})` : (conditions[0] ?? 'false');
}

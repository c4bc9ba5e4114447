import { message } from '../../base/message';
import type { OrderedWord } from '../columns/ranks';
import type { Shape } from '../read/shape';
import { recordOfKey } from '../values/filters';
import { columnType, kindEmptyText, kindJson, kindMissing, kindNull } from '../values/kinds';
import {
  type ColumnId,
  type ColumnType,
  type Filter,
  namesOf,
  type SortKey,
  type SqlRefusal,
} from '../types';
import { NoSqlError, refuse, stayHere, toCsv } from './noSqlError';
import { type SqlEngine, table } from './sqlEngines';
import { isExactDouble, lookalikes, type Need, Needs, needs, oneOf } from './sqlNeeds';

/** What the clauses of a query are written from. */
interface SqlSource {
  readonly engine: SqlEngine;
  readonly shape: Shape;
  /** CSV: the fields of the columns. */
  readonly fields: ReadonlyMap<ColumnId, string> | undefined;
  /** Whether the point of a number may be a comma. */
  readonly hasCommas: boolean;
  /** The ordered words of columns, such as severities. */
  readonly words: ReadonlyMap<ColumnId, readonly OrderedWord[]>;
}

type FilterOf<Op extends Filter['op']> = Extract<Filter, { readonly op: Op }>;
type TextOp = 'contains' | 'equals' | 'startsWith' | 'endsWith';

/** Writes the parts of a query. Each throws a NoSqlError if SQL would read something else. */
export class SqlClauses {
  /** What is needed by the parts that are written. */
  readonly needs = new Needs();

  constructor(private readonly source: SqlSource) {}

  /** A column of the answer. */
  shown(id: ColumnId): string {
    return this.value(id, ...this.ofJson(needs.keptDigits));
  }

  /** A column whose values must be distinct. */
  distinct(id: ColumnId): string {
    // Texts of JSON may look like other values.
    if (!this.source.fields && this.type(id) === 'mixed') {
      this.refuse(id, lookalikes);
    }
    return this.value(id, ...this.ofJson(needs.keptTexts));
  }

  /** The order of groups before that of their size. */
  listed(id: ColumnId): string[] {
    const words = this.wordOrder(id, 'position');
    return words === undefined ? [] : [`${words} asc nulls last`];
  }

  /** Rows without a value come last in both directions. */
  sorted({ column: id, descending }: SortKey, isLast: boolean): string {
    if (!isLast) {
      // The table sorts them one after another. In SQL they are equal, so that the next key decides.
      this.value(id, oneOf(kindEmptyText, kindNull, kindMissing));
    }
    const key = this.wordOrder(id, 'rank') ?? this.sortKey(id);
    return `${key} ${descending ? 'desc' : 'asc'} nulls last`;
  }

  private sortKey(id: ColumnId): string {
    const type = this.type(id);
    switch (type) {
      case 'number':
      case 'date':
        return this.cast(id, type);
      case 'text':
      case 'boolean':
        // An empty text comes last, as null does.
        return `nullif(${this.value(id, needs.noDates)}, '')`;
      default:
        return this.refuse(id, needs.noDates);
    }
  }

  /** @returns `undefined` if the values are not ordered words. */
  private wordOrder(id: ColumnId, by: 'rank' | 'position'): string | undefined {
    const words = this.source.words.get(id) ?? [];
    if (words.length === 0) {
      return undefined;
    }
    if (this.source.shape.get(id).secret) {
      const reason = message('SQL would show masked values of the column "{0}".');
      this.refuse(id, { reason, remedy: stayHere });
    }
    const cases = words.map((word) => `when ${this.text(word.text)} then ${word[by]}`);
    return `case ${this.distinct(id)} ${cases.join(' ')} end`;
  }

  condition(filter: Filter): string {
    switch (filter.op) {
      case 'and':
        return filter.of.map((part) => this.condition(part)).join('\n  and ') || 'true';
      case 'or':
        return anyOf(filter.of.map((part) => this.condition(part)));
      case 'not':
        // A row without a value matches no condition, so it matches the negation of every
        // condition.
        return `not coalesce(${this.condition(filter.of)}, false)`;
      case 'contains':
      case 'equals':
      case 'startsWith':
      case 'endsWith':
        return this.textTest(filter);
      case 'compare':
        return this.comparison(filter);
      case 'dateRange':
        return this.dateRange(filter);
      case 'in':
        return this.oneOf(filter);
      case 'present':
        return `${this.value(filter.column)} <> ''`;
      case 'empty':
        return `coalesce(${this.value(filter.column)}, '') = ''`;
      case 'anywhere':
      case 'invalid':
        throw new NoSqlError(otherFilter);
    }
  }

  private textTest({ op, column, text, matchCase = false }: FilterOf<TextOp>): string {
    const { functions } = this.source.engine;
    const kept = this.value(column, ...this.ofJson(needs.keptTexts));
    const value = matchCase ? kept : `lower(${this.value(column, needs.plainLetters)})`;
    const wanted = this.text(matchCase ? text : text.toLowerCase());
    return op === 'equals' ? `${value} = ${wanted}` : `${functions[op]}(${value}, ${wanted})`;
  }

  private comparison({ column, is, number }: FilterOf<'compare'>): string {
    if (!isExactDouble(number)) {
      this.refuse(column, needs.exactNumbers);
    }
    return this.hasOnly(column, 'number')
      ? `${this.cast(column, 'number')} ${is === '!=' ? '<>' : is} ${number}`
      : 'false';
  }

  private dateRange({ column, from, to }: FilterOf<'dateRange'>): string {
    if (!this.hasOnly(column, 'date')) {
      this.value(column, needs.noDates);
      return 'false';
    }
    const value = this.cast(column, 'date');
    const time = (ms: number) => {
      const text = new Date(ms)
        .toISOString()
        .replace('T', ' ')
        .replace(/(\.000)?Z$/, '');
      return `${this.source.engine.time} '${text}+00:00'`;
    };
    return [
      `${value} is not null`,
      ...(from === undefined ? [] : [`${value} >= ${time(from)}`]),
      ...(to === undefined ? [] : [`${value} < ${time(to)}`]),
    ].join(' and ');
  }

  private oneOf({ column, keys }: FilterOf<'in'>): string {
    if (keys.some((key) => recordOfKey(key) !== undefined)) {
      throw new NoSqlError(otherFilter);
    }
    const value = this.distinct(column);
    const wanted = new Set(keys);
    const hasNull = wanted.delete('null:');
    const hasMissing = wanted.delete('missing:');
    if (hasNull !== hasMissing) {
      const kinds = [hasNull ? kindMissing : kindNull];
      this.value(column, { ...otherFilter, kinds, fits: () => false });
    }
    const texts = [...wanted].map((key) => this.text(key.slice(key.indexOf(':') + 1)));
    return anyOf([
      ...(texts.length > 0 ? [`${value} in (${texts.join(', ')})`] : []),
      ...(hasNull || hasMissing ? [`${value} is null`] : []),
    ]);
  }

  /** Whether the values of a column are numbers or dates, and not some of them. */
  private hasOnly(id: ColumnId, kind: 'number' | 'date'): boolean {
    const type = this.type(id);
    return type === 'mixed' ? this.refuse(id, needs.noDates) : type === kind;
  }

  /** A value as a number or date. */
  private cast(id: ColumnId, kind: 'number' | 'date'): string {
    const { engine, hasCommas } = this.source;
    if (kind === 'date') {
      return `try_cast(${this.value(id, needs.knownDates)} as ${engine.time})`;
    }
    const value = this.value(id, needs.exactNumbers);
    return `try_cast(${hasCommas ? `replace(${value}, ',', '.')` : value} as double)`;
  }

  /** The text of a value, which must be as it is needed. */
  private value(id: ColumnId, ...some: readonly Need[]): string {
    const { engine, fields, shape } = this.source;
    for (const need of some) {
      this.needs.add(shape.get(id), need);
    }
    if (fields) {
      return `${table}.${engine.name(fields.get(id) ?? '')}`;
    }
    if (id === '') {
      return refuse(message('The file has rows that are not objects.'), toCsv);
    }
    return engine.member(namesOf(id));
  }

  /** Needs of values that engines write on their own; those of CSV are texts. */
  private ofJson(...some: readonly Need[]): readonly Need[] {
    return this.source.fields ? [] : some;
  }

  private text(text: string): string {
    return this.source.engine.text(text);
  }

  private type(id: ColumnId): ColumnType {
    const { kinds, members } = this.source.shape.get(id);
    // SQL shows objects whose members are columns, too.
    return columnType(members.length > 0 ? kinds | (1 << kindJson) : kinds);
  }

  private refuse(id: ColumnId, refusal: SqlRefusal): never {
    throw new NoSqlError(refusal, this.source.shape.get(id).name);
  }
}

const otherFilter: SqlRefusal = {
  reason: message('The filter names masked values, missing values or records that cannot be read.'),
  remedy: message('Use another filter.'),
};

function anyOf(conditions: readonly string[]): string {
  // Spark reads `from report where (false)` as a table with the name `where`.
  return conditions.length > 1 ? `(${conditions.join(' or ')})` : (conditions[0] ?? 'false');
}

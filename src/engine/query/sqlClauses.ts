import { message } from '../../base/message';
import type { ShapeNode } from '../read/records/shape';
import { recordOfKey } from '../data/columnFilters';
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
import { type ColumnId, type ColumnType, parseNames } from '../data/column';
import type { Filter, SortKey } from '../data/query';
import type { SqlOrder } from '../data/sqlParts';
import { type SqlEngine, type SqlTable, table } from './sqlEngines';
import { isExactDouble, type Need, needs, type Needs, onlyOneKind, unlike } from './sqlNeeds';
import { otherColumns, refuse, type SqlRefusal, stayHere, toCsv } from './sqlRefusal';
import { maxSeverities } from '../../vocabulary/valueOrder';

type FilterOf<Op extends Filter['op']> = Extract<Filter, { readonly op: Op }>;
type TextOp = 'contains' | 'equals' | 'startsWith' | 'endsWith';

/** Writes the parts of a query, or refuses what SQL would read otherwise than the table. */
export class SqlClauses {
  /** What is needed by the parts that are written. */
  readonly needs: Needs = new Map();
  private readonly isCsv: boolean;

  constructor(
    private readonly of: SqlTable,
    private readonly engine: SqlEngine,
  ) {
    this.isCsv = of.format.kind === 'csv';
  }

  /** A column of the answer. */
  shown(id: ColumnId): string {
    return this.value(id, ...this.ofJson(this.engine.kept.digits));
  }

  /** A column whose values must be distinct. */
  distinct(id: ColumnId): string {
    // Texts of JSON may look like other values.
    if (!this.isCsv && this.type(id) === 'mixed') {
      this.refuse(id, unlike);
    }
    return this.value(id, ...this.ofJson(this.engine.kept.texts));
  }

  /** The order of groups before that of their size. */
  listed(id: ColumnId): SqlOrder[] {
    const words = this.wordOrder(id);
    return words ? [{ ...words, isDescending: false }] : [];
  }

  /** Rows without a value come last in both directions. */
  sorted({ column: id, descending }: SortKey, isLast: boolean): SqlOrder {
    if (!isLast) {
      // The table sorts them one after another. In SQL they are equal, so that the next key decides.
      this.value(id, onlyOneKind(kindEmptyText, kindNull, kindMissing));
    }
    return { ...(this.wordOrder(id) ?? { value: this.sortKey(id) }), isDescending: descending };
  }

  private sortKey(id: ColumnId): string {
    const type = this.type(id);
    if (type === 'number' || type === 'date') {
      return this.cast(id, type);
    }
    // An empty text comes last, as null does.
    const key = `nullif(${this.value(id, needs.noDates)}, '')`;
    return type === 'text' || type === 'boolean' ? key : this.refuse(id, unlike);
  }

  /** @returns `undefined` if the values are not ordered words. */
  private wordOrder(id: ColumnId): Omit<SqlOrder, 'isDescending'> | undefined {
    const words = this.of.words.get(id);
    if (!words) {
      return undefined;
    }
    if (this.node(id)?.secret) {
      const reason = message('SQL would show masked values of the column "{0}".');
      this.refuse(id, { reason, remedy: stayHere });
    }
    if (this.of.like[id]) {
      // Whatever the words of the other file are.
      const fits = (text: string) => words.add(text).size <= maxSeverities;
      const kinds = [kindText, kindNumber, kindDate, kindBoolean];
      this.value(id, { ...otherColumns, kinds, fits });
    }
    return { value: this.distinct(id), wordsOf: id };
  }

  condition(filter: Filter): string {
    switch (filter.op) {
      case 'and':
        return filter.of.map((part) => this.condition(part)).join('\n  and ') || 'true';
      case 'or':
        return writeAny(filter.of.map((part) => this.condition(part)));
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
        return this.writeIn(filter);
      case 'present':
        return `${this.value(filter.column)} <> ''`;
      case 'empty':
        return `coalesce(${this.value(filter.column)}, '') = ''`;
      case 'closes':
        return refuse(
          message('SQL cannot tell which of so many values close a finding.'),
          stayHere,
        );
      case 'known':
        return refuse(message('SQL does not have the known issues.'), stayHere);
      case 'listed':
        return refuse(message('SQL does not have the lists of CVEs.'), stayHere);
      case 'anywhere':
      case 'invalid':
        return refuse(otherFilter.reason, otherFilter.remedy);
    }
  }

  private textTest({ op, column, text, matchCase = false }: FilterOf<TextOp>): string {
    const { functions } = this.engine;
    const kept = this.value(column, ...this.ofJson(this.engine.kept.texts));
    const value = matchCase ? kept : `lower(${this.value(column, needs.plainLetters)})`;
    const wanted = this.engine.text(matchCase ? text : text.toLowerCase());
    return op === 'equals' ? `${value} = ${wanted}` : `${functions[op]}(${value}, ${wanted})`;
  }

  private comparison({ column, is, number }: FilterOf<'compare'>): string {
    if (!isExactDouble(number)) {
      this.refuse(column, needs.exactNumbers);
    }
    return this.hasOnly(column, 'number')
      ? `${this.cast(column, 'number')} ${is === '!=' ? '<>' : is} ${this.engine.number(number)}`
      : 'false';
  }

  private dateRange({ column, from, to }: FilterOf<'dateRange'>): string {
    if (!this.hasOnly(column, 'date')) {
      this.value(column, needs.noDates);
      return 'false';
    }
    const value = this.cast(column, 'date');
    const test = (is: string, time: number | undefined) =>
      time === undefined
        ? []
        : [`${value} ${is} ${this.engine.time} '${new Date(time).toISOString()}'`];
    return [`${value} is not null`, ...test('>=', from), ...test('<', to)].join(' and ');
  }

  private writeIn({ column, keys }: FilterOf<'in'>): string {
    if (keys.some((key) => recordOfKey(key) !== undefined)) {
      return refuse(otherFilter.reason, otherFilter.remedy);
    }
    const value = this.distinct(column);
    const wanted = new Set(keys);
    const hasNull = wanted.delete('null:');
    const hasMissing = wanted.delete('missing:');
    if (hasNull !== hasMissing) {
      const kinds = [hasNull ? kindMissing : kindNull];
      this.value(column, { ...otherFilter, kinds, fits: () => false });
    }
    const texts = [...wanted].map((key) => this.engine.text(key.slice(key.indexOf(':') + 1)));
    return writeAny([
      ...(texts.length > 0 ? [`${value} in (${texts.join(', ')})`] : []),
      ...(hasNull || hasMissing ? [`${value} is null`] : []),
    ]);
  }

  /** Whether the values of a column are numbers or dates, and not some of them. */
  private hasOnly(id: ColumnId, kind: 'number' | 'date'): boolean {
    const type = this.type(id);
    return type === 'mixed' ? this.refuse(id, unlike) : type === kind;
  }

  /** A value as a number or date. */
  private cast(id: ColumnId, kind: 'number' | 'date'): string {
    if (kind === 'date') {
      return `try_cast(${this.value(id, needs.knownDates)} as ${this.engine.time})`;
    }
    const value = this.value(id, needs.exactNumbers);
    const hasCommas = this.of.format.delimiter === ';' || this.node(id)?.form === 'decimalComma';
    return `try_cast(${hasCommas ? `replace(${value}, ',', '.')` : value} as double)`;
  }

  /** The text of a value, which must be as it is needed. */
  private value(id: ColumnId, ...some: readonly Need[]): string {
    const { engine, of } = this;
    const node = this.node(id);
    const form = node?.form;
    if (form && form !== 'text' && form !== 'decimalComma') {
      this.refuse(id, { reason: needs.knownDates.reason, remedy: toCsv });
    }
    if (!node) {
      const unmet = some.find(
        ({ kinds, fits }) => kinds.includes(kindMissing) && !fits('', kindMissing),
      );
      if (unmet) {
        this.refuse(id, unmet);
      }
    } else if (some.length > 0) {
      this.needs.set(node, new Set([...(this.needs.get(node) ?? []), ...some]));
    }
    if (this.isCsv) {
      const value = `${table}.${engine.name(of.fields.get(id) ?? '')}`;
      return form === 'decimalComma' ? engine.withoutPoints(value) : value;
    }
    if (id === '') {
      refuse(message('The file has rows that are not objects.'), toCsv);
    }
    return engine.member(parseNames(id));
  }

  /** Needs of values that engines write on their own; those of CSV are texts. */
  private ofJson(...some: readonly Need[]): readonly Need[] {
    return this.isCsv ? [] : some;
  }

  private type(id: ColumnId): ColumnType {
    return columnType(kindsOf(this.node(id)) | (this.of.like[id]?.kinds ?? 0));
  }

  /** @returns `undefined` if only other files that are read have the column. */
  private node(id: ColumnId): ShapeNode | undefined {
    const { file, like } = this.of;
    const other = like[id];
    if (!other) {
      return file.shape.get(id);
    }
    const node = file.shape.find(id);
    // Members of an object with too many of them are not columns.
    const isMissing = !node && !file.shape.isPartial && !isWithin(id, file.shape.nodes);
    return isMissing || node?.name === other.name
      ? node
      : refuse(otherColumns.reason, otherColumns.remedy);
  }

  private refuse(id: ColumnId, { reason, remedy }: SqlRefusal): never {
    return refuse(reason, remedy, this.node(id)?.name ?? this.of.like[id]?.name);
  }
}

/** Whether a column is a member of a value that is not expanded to columns. */
function isWithin(id: ColumnId, nodes: readonly ShapeNode[]): boolean {
  return nodes.some((node) => node.isCollapsed && id.startsWith(`${node.id}/`));
}

/** The kinds of the values of a column as SQL shows them: also objects whose members are columns. */
export function kindsOf(node: ShapeNode | undefined): number {
  const { kinds = 0, members = [] } = node ?? {};
  return members.length > 0 ? kinds | (1 << kindJson) : kinds;
}

const otherFilter: SqlRefusal = {
  reason: message('The filter names masked values, missing values or records that cannot be read.'),
  remedy: message('Use another filter.'),
};

function writeAny(conditions: readonly string[]): string {
  // Spark reads `from report where (false)` as a table with the name `where`.
  return conditions.length > 1 ? `(${conditions.join(' or ')})` : (conditions[0] ?? 'false');
}

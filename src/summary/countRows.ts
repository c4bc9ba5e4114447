import {
  type ColumnCounts,
  keysOf,
  type Column,
  type ColumnId,
  type DistinctValue,
  type Filter,
} from '../engine/page';
import { isUuid } from '../base/text/uuid';
import type { LabeledFilter } from './labeledFilter';
import type { Texts } from './texts';
import type { Tone } from './severityTones';

/** A value with its number of rows. */
export interface CountRow {
  /** Identifies the value while the counts grow. */
  readonly key: string;
  readonly label: string;
  readonly count: number;
  /** The count in the older file, which is shown before it. */
  readonly was?: number;
  /** The filter that shows the rows; absent for the rest. */
  readonly chosen?: LabeledFilter;
  readonly tone?: Tone;
  /** The count by severity, worst first: the parts of the bar. Without them the bar has one color. */
  readonly parts?: readonly BarPart[];
  /** Combines several values. The row has no bar, and the bars of other rows are not scaled to its count. */
  readonly isRest?: true;
  /** The cells next to the number, one for each further heading. */
  readonly cells?: readonly SideCell[];
}

/** A part of a bar. */
export interface BarPart {
  readonly count: number;
  readonly tone: Tone;
}

/** A text, its color, and the filter that shows its rows. */
export interface SideCell {
  readonly text: string;
  readonly tone?: Tone;
  readonly chosen?: LabeledFilter;
  /** A bar beside the number, towards or away from the one in the next cell. Its share is at most 1. */
  readonly bar?: { readonly side: 'gone' | 'new'; readonly share: number };
}

/** Counts that belong together: tiles, bars, or a list, such as of issue types. */
export interface Section {
  readonly id: string;
  /** Rows of `changes` have no number of their own, only those of their cells. */
  readonly kind: 'tiles' | 'issues' | 'bars' | 'changes';
  readonly title: string;
  /** The headings of the values, of the cells next to them, and of the numbers. */
  readonly headings: readonly string[];
  readonly rows: readonly CountRow[];
  /** The first column of numbers. Default: the last one. */
  readonly numbersFrom?: number;
  /** `and 3 more issue types` */
  readonly more?: string;
  /** The column, if a user added this section and can remove it. */
  readonly added?: ColumnId;
}

/** A fact, and what a click on it does. */
export interface Fact {
  readonly text: string;
  readonly title?: string;
  /** Whether it is said first, and larger. */
  readonly isLead?: true;
  /** Whether it has a line of its own, which is there before it is known. */
  readonly isLine?: true;
  /** Whether it only offers something, so that a copy leaves it out. */
  readonly isOffer?: true;
  readonly action?:
    | { readonly type: 'show'; readonly chosen: LabeledFilter }
    | { readonly type: 'showList'; readonly list: string }
    | { readonly type: 'compare' | 'swap' | 'trend' }
    /** Counts findings that are not open, too, or no longer. */
    | { readonly type: 'count'; readonly all: boolean };
}

/** What facts say in a copy, and to a language model. */
export function handedOn(facts: readonly Fact[]): string[] {
  return facts.filter(({ isOffer }) => !isOffer).map(({ text }) => text);
}

/** All that the overview shows. */
export interface OverviewModel {
  /** What is below the title: when the report was created, how many rows it has, and what is not counted. */
  readonly facts: readonly Fact[];
  readonly sections: readonly Section[];
  /** Columns that can be added as bars. */
  readonly offered: readonly Column[];
}

/** The most values in a section with bars. */
const maxBars = 8;

/** The first values of a column, and how many more there are. @param tone of a severity */
export function barRows(
  { column, moreColumns, values, severities, total, other }: ColumnCounts,
  texts: Texts,
  name: string,
  write: Write,
  tone: (severity: string) => Tone = () => 'none',
): CountRow[] {
  const more = total - Math.min(maxBars, values.length);
  const rest = values.slice(maxBars).reduce((sum, { count }) => sum + count, other);
  return [
    ...values.slice(0, maxBars).map((value, at) => ({
      ...valueRow(value, column, texts, name, write, moreColumns),
      ...severityParts(severities?.[at], value.count, tone),
    })),
    ...(rest > 0
      ? [
          {
            key: 'rest',
            label: more > 0 ? texts.get('moreValues', more) : texts.get('unreadableRows'),
            count: rest,
            isRest: true as const,
            // All values are shown: what is left has none.
            ...(more === 0 && {
              chosen: { label: texts.get('unreadableRows'), filter: { op: 'invalid' } as const },
            }),
          },
        ]
      : []),
  ];
}

/** @param name the name of the column in the label of the filter. */
export function valueRow(
  value: DistinctValue,
  column: ColumnId,
  texts: Texts,
  name: string,
  write: Write,
  more: readonly ColumnId[] = [],
): CountRow {
  const { key, count } = value;
  const label = write(value.cell.text, texts);
  return {
    key,
    label,
    count,
    chosen: { label: `${name}: ${label}`, filter: valueFilter(value, [column, ...more]) },
  };
}

/**
 * The parts of the bar of a value by severity, the worst first.
 * @param count of all rows: those without a severity are the last part.
 */
export function severityParts(
  severities: readonly DistinctValue[] | undefined,
  count: number,
  tone: (severity: string) => Tone,
): Pick<CountRow, 'parts'> {
  if (!severities || severities.length === 0) {
    return {};
  }
  const parts = severities.map((each) => ({ count: each.count, tone: tone(each.cell.text) }));
  const rest = count - parts.reduce((sum, part) => sum + part.count, 0);
  return { parts: rest > 0 ? [...parts, { count: rest, tone: 'none' }] : parts };
}

/** The rows with a value in the first of some columns that has one. */
function valueFilter(value: DistinctValue, columns: readonly ColumnId[]): Filter {
  const isEmpty = (column: ColumnId): Filter => ({ op: 'empty', column });
  const isValue = (column: ColumnId): Filter => ({
    op: 'in',
    column,
    keys: keysOf(value),
  });
  const [first = '', ...more] = columns;
  if (more.length === 0) {
    return isValue(first);
  }
  return value.cell.text === ''
    ? { op: 'and', of: [isValue(first), ...more.map(isEmpty)] }
    : {
        op: 'or',
        of: columns.map((column, at) => ({
          op: 'and',
          of: [...columns.slice(0, at).map(isEmpty), isValue(column)],
        })),
      };
}

/** Writes a value. */
export type Write = (text: string, texts: Texts) => string;

/** A value as the file writes it, on one line; a scorecard by its name. */
export function formatValue(value: string, texts: Texts): string {
  const written = texts.findScorecard(value) ?? value;
  const text = written.replace(/\s+/g, ' ').trim().slice(0, 200);
  return text === '' ? texts.get('emptyValue') : text;
}

/** A scorecard by its name; one that was not added by the domain that the service tells of its findings. */
export function scorecardText(id: string, domain: string | undefined, texts: Texts): string {
  const isAdded = texts.findScorecard(id) !== undefined;
  return formatValue(!isAdded && domain !== undefined && isUuid(id) ? domain : id, texts);
}

/** A key of the service, such as `network_security`, as users read it. */
export function formatWords(value: string, texts: Texts): string {
  return texts.names.formatKey(formatValue(value, texts));
}

/** Whether there is a repair, as users read it. */
export function formatFix(value: string, texts: Texts): string {
  return texts.names.formatFix(formatValue(value, texts));
}

/** `High`, `High 7–8.9` for the scores of a level, and `Risk 5` for a number, which alone would look like a count. */
export function severityLabel(
  {
    text,
    scores,
  }: { readonly text: string; readonly scores?: DistinctValue['scores'] | undefined },
  name: string,
  texts: Texts,
): string {
  const word = severityText(text, texts);
  if (!scores) {
    return /^-?\d+([.,]\d+)?$/.test(word) ? `${name} ${word}` : word;
  }
  const ends = [...new Set([scores.lowest, scores.highest])].map((end) => texts.number(end));
  return `${text === 'none' ? texts.get('noSeverity') : word} ${ends.join('\u2013')}`;
}

/** A severity as users read it. */
export function severityText(value: string, texts: Texts): string {
  return texts.names.formatSeverity(formatValue(value, texts));
}

import * as v from 'valibot';
import { isPlainObject } from '../base/json/json';
import { type Filter, listedSigns, pastReasons, type Query } from '../engine/page';
import { closingForms } from '../vocabulary/closing';

/*
 * What pages send and save. The limits of texts, lists and filters are far above what users need, and far
 * below what would be harmful. Unknown members are left out.
 */

const maxColumns = 2000;
const maxKeys = 10_000;
const maxConditions = 200;
const maxSortKeys = 20;
/** A key is the value itself; longer ones are not offered. */
const maxKeyLength = 100_000;

export const integer = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(min), v.maxValue(max));

export const text = v.pipe(v.string(), v.maxLength(10_000));

/** Milliseconds since the epoch, within the range of dates in JavaScript. */
export const time = v.pipe(v.number(), v.minValue(-8.64e15), v.maxValue(8.64e15));

/** A list with an item for each column at most. */
export const columnsOf = <T extends v.GenericSchema>(item: T) =>
  v.pipe(v.array(item), v.maxLength(maxColumns), v.readonly());

/** Which rows an overview counts; see `CountScope`. */
export const countScope = v.picklist(['open', 'all']);

/** The ids of scorecards, the worst first. */
export const ratedScorecards = v.pipe(v.array(text), v.maxLength(maxKeys), v.readonly());

export const columnIds = columnsOf(text);

/** Columns as a user has arranged them: in their order, with widths in pixels. */
export const columnLayout = columnsOf(
  v.object({
    id: text,
    width: v.exactOptional(integer(1, 10_000)),
    hidden: v.exactOptional(v.boolean()),
  }),
);

const sortKeys = v.pipe(
  v.array(v.object({ column: text, descending: v.boolean() })),
  v.maxLength(maxSortKeys),
  v.readonly(),
);

const condition: v.GenericSchema<unknown, Filter> = v.lazy(() =>
  v.variant('op', [
    v.object({ op: v.picklist(['and', 'or']), of: v.array(condition) }),
    v.object({ op: v.literal('not'), of: condition }),
    v.object({
      op: v.picklist(['contains', 'equals', 'startsWith', 'endsWith']),
      column: text,
      text,
      matchCase: v.exactOptional(v.boolean()),
    }),
    v.object({
      op: v.literal('in'),
      column: text,
      keys: v.pipe(v.array(v.pipe(v.string(), v.maxLength(maxKeyLength))), v.maxLength(maxKeys)),
    }),
    v.object({
      op: v.literal('compare'),
      column: text,
      is: v.picklist(['<', '<=', '=', '!=', '>=', '>']),
      number: v.pipe(
        v.string(),
        v.maxLength(1000),
        v.regex(/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/),
      ),
    }),
    v.object({
      op: v.literal('dateRange'),
      column: text,
      from: v.exactOptional(time),
      to: v.exactOptional(time),
    }),
    v.object({ op: v.picklist(['present', 'empty']), column: text }),
    v.object({ op: v.literal('closes'), column: text, form: v.picklist(closingForms) }),
    v.object({ op: v.literal('anywhere'), text }),
    v.object({ op: v.literal('invalid') }),
    v.object({ op: v.literal('known'), was: v.exactOptional(v.picklist(pastReasons)) }),
    v.object({ op: v.literal('listed'), sign: v.picklist(listedSigns) }),
  ]),
);

/** A filter of at most 200 conditions, which also bounds its depth. */
export const filter = v.pipe(v.unknown(), v.check(hasFewConditions), condition);

const labeledFilter = v.object({ label: text, filter });

/** As typed, by the ids of their columns. */
export const typedFilters = v.record(text, text);

export const criteria = v.object({
  filters: typedFilters,
  sort: sortKeys,
  groupBy: columnIds,
  /** The group whose rows are shown. */
  openedGroup: v.optional(labeledFilter),
  /** What was chosen in the overview, or in a notice about the file. */
  overviewFilter: v.optional(labeledFilter),
});

export const query: v.GenericSchema<unknown, Query> = v.object({
  filter: v.exactOptional(filter),
  sort: v.exactOptional(sortKeys),
  groupBy: v.exactOptional(v.pipe(v.array(text), v.maxLength(maxSortKeys))),
});

function hasFewConditions(value: unknown): boolean {
  const left: unknown[] = [value];
  for (let count = 1; left.length > 0 && count <= maxConditions; count += 1) {
    const part = left.pop();
    const of: unknown = isPlainObject(part) ? part.of : undefined;
    if (Array.isArray(of)) {
      left.push(...(of.slice(0, maxConditions) as unknown[]));
    } else if (of !== undefined) {
      left.push(of);
    }
  }
  return left.length === 0;
}

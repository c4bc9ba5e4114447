import type { ClosingForm } from '../../vocabulary/closing';
import type { ColumnRole } from '../../vocabulary/columnRole';
import type { NumberScale } from '../../vocabulary/numberScales';

/**
 * Where a column's values are in a record, as a JSON pointer (RFC 6901): `/a/b` is the member `b`
 * of the object `a`, and an empty text is the whole record. A CSV record is an array of texts:
 * `/0`, `/1`. A file has the same ids each time it is opened.
 */
export type ColumnId = string;

/** The names of the objects that contain a column, followed by its own name. */
export function parseNames(id: ColumnId): string[] {
  return id
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * The type of a column's values, except nulls and empty texts: `date` are texts in one of the forms of
 * `src/kernel/values/textKinds.ts`, or in a `ValueForm`; `json` are arrays and objects.
 */
export type ColumnType = 'text' | 'number' | 'date' | 'boolean' | 'json' | 'mixed';

/** The order of day and month in dates with slashes or dashes. */
export const dateOrders = ['dayFirst', 'monthFirst'] as const;
export type DateOrder = (typeof dateOrders)[number];

/**
 * How values are written that only all values of their column together tell, or a user. Dates are `13/02/2026`,
 * `02-13-2026` or `20260213`, or a number of seconds, milliseconds, microseconds or nanoseconds since
 * 1970-01-01; they are shown as in ISO 8601. Numbers are
 * `0,5` or `1.234,56`; they are shown without points. Whatever is read as `text` is a text.
 */
export const valueForms = [
  ...dateOrders,
  'seconds',
  'milliseconds',
  'decimalComma',
  'text',
  'digits',
  'microseconds',
  'nanoseconds',
] as const;
export type ValueForm = (typeof valueForms)[number];

/** What a user may choose for a column whose values allow it. */
export const formChoices = ['text', 'decimalComma', ...dateOrders] as const;
export type FormChoice = (typeof formChoices)[number];

export interface Column {
  readonly id: ColumnId;
  /** The shown name: a CSV heading, or the names joined as `a.b`. It is not necessarily unique. */
  readonly name: string;
  readonly type: ColumnType;
  /** Whether the type is based on all rows rather than on a sample. */
  readonly verified: boolean;
  /** Whether its name, or that of an object around it or a column beside it, tells of a secret, so that values are masked unless a user shows them. */
  readonly secret: boolean;
  /** It never changes while the file is open. */
  readonly role?: ColumnRole;
  /** Of severities: the scale of their numbers, if the other columns tell which tool has written them. */
  readonly scale?: NumberScale;
  /** How its values say which findings are closed. */
  readonly closing?: ClosingForm;
  /**
   * Its dates are of several days, as far as they are sampled, so that these alone tell most of them apart; or they are of
   * findings.
   */
  readonly hasDays?: true;
  readonly form?: ValueForm;
  /** What a user may choose for its form, as its first values allow; absent if there is nothing. */
  readonly formChoices?: readonly FormChoice[];
  /** What a user has chosen; without it, the first values tell the form. */
  readonly chosenForm?: FormChoice;
  /** No row has a value so far: each is null, missing or an empty text. */
  readonly empty?: true;
  /** In the page of a comparison: some records have another value here than before. */
  readonly changed?: true;
}

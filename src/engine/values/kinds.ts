import type { CellKind } from '../../base/text/cellText';
import type { ColumnType } from '../data/column';

/* Kinds of values as small numbers, in the order of a mixed column's sort; values come before `null`. */

export const kinds = [
  'number',
  'date',
  'text',
  'boolean',
  'json',
  'null',
  'missing',
  'invalid',
] as const satisfies readonly CellKind[];

export const kindNumber = 0;
export const kindDate = 1;
export const kindText = 2;
export const kindBoolean = 3;
export const kindJson = 4;
export const kindNull = 5;
export const kindMissing = 6;
export const kindInvalid = 7;
/** An empty text, where values are sorted: it comes last, like null. */
export const kindEmptyText = 8;

/** The key that identifies one value in a filter. */
export function formatKey(kind: number, text: string): string {
  return `${kinds[kind] ?? ''}:${text}`;
}

/** The key of a text. */
export function keyOfText(text: string): string {
  return formatKey(kindText, text);
}

/** Whether values of a kind are ordered by a number, which becomes their sort key. */
export function isMeasured(kind: number | undefined): boolean {
  return kind === kindNumber || kind === kindDate;
}

/** Whether all values of a column of this type have a kind for which `isMeasured` is true. */
export function isMeasuredType(type: ColumnType): boolean {
  return isMeasured(kinds.findIndex((kind) => kind === type));
}

/** The type of a column whose values are of these kinds, one bit each. */
export function columnType(bits: number): ColumnType {
  const values = bits & ((1 << kindNull) - 1);
  const one = kinds.find((_, kind) => values === 1 << kind);
  if (one !== undefined) {
    return one as ColumnType;
  }
  return (values & ~((1 << kindDate) | (1 << kindText))) === 0 ? 'text' : 'mixed';
}

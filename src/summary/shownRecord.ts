import type { NumberScale } from '../vocabulary/numberScales';
import type { ComparedCell } from '../engine/page';
import { mask } from '../vocabulary/secretFields';
import type { Tone } from './severityTones';
import type { ColumnRole } from '../vocabulary/columnRole';

/** A field of a record, with its old value if that differs. */
export interface ShownField {
  /** Identifies it in its record: the id of its column, or the name of the member of a finding. */
  readonly id: string;
  readonly name: string;
  /** What people read instead of the name, if that differs. */
  readonly title?: string;
  readonly cell: ComparedCell;
  readonly role?: ColumnRole;
  /** Of severities: the scale of their numbers. */
  readonly scale?: NumberScale;
}

/** A fact next to the title of a record. */
export interface RecordFact {
  readonly label: string;
  /** A date is as it is written. */
  readonly text: string;
  readonly kind: 'severity' | 'text' | 'date';
  /** Of a severity. */
  readonly tone?: Tone;
  /** As it is written, if that differs from the text. */
  readonly written?: string;
  /** Where it is from, if not from the record. */
  readonly source?: string;
}

/** Where a record leads in the workspace. Plain text. */
export interface RecordLinks {
  /** The file of the workspace that it names, with its line: `src/app.ts:42`. */
  readonly file?: string;
  /** Without a file: the asset to search for. */
  readonly asset?: string;
}

/** Whether a record has secret-like values, and whether they are shown. */
export type SecretState = 'none' | 'masked' | 'shown';

/** A finding of the service, or a row of a table, as users read it whole. All texts are plain. */
export interface ShownRecord {
  readonly title: string;
  /** For a finding of the service, its number and its scorecard; for one of a file, its row. */
  readonly subtitle?: string;
  /** Why it could not be read as the others. */
  readonly notice?: string;
  readonly facts: readonly RecordFact[];
  /** What its issue type means and what to do, if that is known. */
  readonly meaning?: string;
  /** What the service recommends, if it does. */
  readonly recommendation?: string;
  readonly links?: RecordLinks;
  readonly secrets: SecretState;
  /** The fields that say what was found and where; all fields of a record that is no finding. */
  readonly key: readonly ShownField[];
  readonly more: readonly ShownField[];
  /** The record as it is in its file, unless masked. */
  readonly source?: {
    readonly text: string;
    /** Whether the text is only its beginning. */
    readonly cut: boolean;
    /** Whether it is shown at once, because the fields do not show all of it. */
    readonly open: boolean;
  };
}

/** Whether a value is masked as a whole, rather than a part of it, as in JSON. */
export function isMaskedWhole({ masked, text }: ShownField['cell']): boolean {
  return masked === true && text === mask;
}

/** Whether there is a value that can be copied. */
export function isCopyable(cell: ShownField['cell']): boolean {
  return cell.kind !== 'null' && cell.kind !== 'missing' && !isMaskedWhole(cell);
}

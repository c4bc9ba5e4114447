import * as v from 'valibot';
import type { Cell } from '../engine/page';
import type { RecordLinks } from './tableProtocol';

/*
 * The messages between the webview page of one finding and its host. The page never decides whether secrets
 * are shown, and never gets masked ones. All messages are JSON.
 */

export interface FindingField {
  readonly name: string;
  readonly cell: Cell;
}

/** A fact next to the title of a finding. */
export interface FindingFact {
  readonly label: string;
  /** A date is as the service sends it. */
  readonly text: string;
  readonly kind: 'severity' | 'text' | 'date';
  /** For a severity: its position on the severity scale; 0 is the worst. */
  readonly position?: number;
  /** Where it is from, if not from the finding. */
  readonly source?: string;
}

/** A finding as it is shown; all texts are plain. */
export interface ShownFinding {
  readonly title: string;
  /** Its issue type, its number and its scorecard. */
  readonly subtitle: string;
  readonly facts: readonly FindingFact[];
  /** What its issue type means and what to do, if that is known. */
  readonly meaning?: string;
  /** What the service recommends, if it does. */
  readonly recommendation?: string;
  /** The most important fields, and the others. */
  readonly key: readonly FindingField[];
  readonly more: readonly FindingField[];
  /** Whether it has secret-like values, and whether they are shown. */
  readonly secrets: 'none' | 'masked' | 'shown';
  /** Where it leads in the workspace. */
  readonly links: RecordLinks;
}

export type FindingHostMessage =
  | {
      readonly type: 'finding';
      readonly finding: ShownFinding;
      /** The texts of the page in the display language, by key. */
      readonly texts: Readonly<Record<string, string>>;
      /** BCP 47. */
      readonly locale: string;
    }
  /** The finding is being loaded; the text is in the display language. */
  | { readonly type: 'loading'; readonly message: string }
  /** The finding could not be loaded; the texts are in the display language. */
  | { readonly type: 'failed'; readonly message: string; readonly tryAgain: string };

const findingPageMessageSchema = v.variant('type', [
  v.object({
    type: v.picklist([
      /** The script runs; the host replies with one of its messages. */
      'ready',
      'reload',
      /** Opens the file that the finding names. */
      'openFile',
      /** Searches the workspace for its asset. */
      'findAsset',
    ]),
  }),
  v.object({ type: v.literal('secrets'), on: v.boolean() }),
  /** Puts the value of a field on the clipboard. */
  v.object({ type: v.literal('copy'), name: v.string() }),
]);

export type FindingPageMessage = v.InferOutput<typeof findingPageMessageSchema>;

/** Checks a message of the page; `undefined` if it is invalid. */
export function findingPageMessage(value: unknown): FindingPageMessage | undefined {
  const { success, output } = v.safeParse(findingPageMessageSchema, value);
  return success ? output : undefined;
}

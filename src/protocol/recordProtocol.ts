import * as v from 'valibot';
import { isCve } from '../vocabulary/cve';
import type { ShownRecord } from '../summary/shownRecord';
import * as schemas from './schemas';

/*
 * The messages about a record: a finding of the service on a page of its own, or a row beside its table. No request for
 * a record says whether secrets are shown: the host keeps that, and changes it on `secrets`. A page gets dots in place of
 * what is masked. All messages are JSON.
 */

/** The number of a record in its file, from 0. A page of its own has one record, number 0. */
export const recordNumber = schemas.integer(0);

/** What a user does with a record. Both pages send it. */
export const recordActions = [
  v.object({
    type: v.picklist([
      /** Opens the file that it names. */
      'openFile',
      /** Searches the workspace for its asset. */
      'findAsset',
    ]),
    record: recordNumber,
  }),
  /** Puts the value of a field on the clipboard, unless that is masked. */
  v.object({ type: v.literal('copyField'), record: recordNumber, field: v.string() }),
  /** Opens the page of a CVE in the browser. The page says only the id: no address comes from it. */
  v.object({ type: v.literal('openCve'), id: v.pipe(v.string(), v.check(isCve)) }),
  /** Shows or masks secret-like values. */
  v.object({ type: v.literal('secrets'), on: v.boolean() }),
] as const;

export type RecordAction = v.InferOutput<(typeof recordActions)[number]>;

const recordPageMessageSchema = v.variant('type', [
  ...recordActions,
  v.object({
    type: v.picklist([
      /** The script runs; the host replies with one of its messages. */
      'ready',
      'reload',
    ]),
  }),
]);

/** What the page of one record sends. */
export type RecordPageMessage = v.InferOutput<typeof recordPageMessageSchema>;

/** Checks a message of the page of one record; `undefined` if it is invalid. */
export function recordPageMessage(value: unknown): RecordPageMessage | undefined {
  const { success, output } = v.safeParse(recordPageMessageSchema, value);
  return success ? output : undefined;
}

/** Why there is no record to draw yet; texts are in the display language. */
export type NoRecord =
  | { readonly type: 'loading'; readonly message: string }
  | { readonly type: 'failed'; readonly message: string; readonly tryAgain: string };

/** What the page of one record gets. */
export type RecordHostMessage =
  | {
      readonly type: 'record';
      readonly record: ShownRecord;
      /** The texts of the page in the display language, by key. */
      readonly texts: Readonly<Record<string, string>>;
      /** BCP 47. */
      readonly locale: string;
    }
  | NoRecord;

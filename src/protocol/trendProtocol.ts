import * as v from 'valibot';
import type { TrendModel } from '../summary/trendModel';
import type { NoRecord } from './recordProtocol';
import * as schemas from './schemas';

/* The messages between the page of a trend and its host. All are JSON. */

const trendPageMessageSchema = v.variant('type', [
  /** The script runs; the host replies with one of its messages. */
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('reload') }),
  /** Opens what a point shows, or compares it with the point before; the host checks that it is one of the trend. */
  v.object({ type: v.literal('open'), source: schemas.text }),
  v.object({ type: v.literal('compare'), source: schemas.text }),
]);

export type TrendPageMessage = v.InferOutput<typeof trendPageMessageSchema>;

const trendAboutSchema = v.union([
  v.object({ scorecardId: schemas.text }),
  v.object({ id: schemas.text }),
  v.object({ path: schemas.text }),
]);

/** A scorecard by its UUID, a report by its id, or a file by its path. */
export type TrendAbout = Readonly<v.InferOutput<typeof trendAboutSchema>>;

/** Checks what a page has kept; `undefined` if it is invalid. */
export function trendAbout(value: unknown): TrendAbout | undefined {
  const { success, output } = v.safeParse(trendAboutSchema, value);
  return success ? output : undefined;
}

/** Checks a message of the page; `undefined` if it is invalid. */
export function trendPageMessage(value: unknown): TrendPageMessage | undefined {
  const { success, output } = v.safeParse(trendPageMessageSchema, value);
  return success ? output : undefined;
}

/** What the page shows. */
export type TrendShown =
  | {
      readonly type: 'trend';
      readonly title: string;
      readonly trend: TrendModel;
      /** The texts of the page in the display language, by key. */
      readonly texts: Readonly<Record<string, string>>;
      /** BCP 47. */
      readonly locale: string;
    }
  | NoRecord;

export type TrendHostMessage = TrendShown & {
  /** What the trend is about, which the page keeps for when the window is reloaded, also while it is read. */
  readonly about: TrendAbout;
};

import type { PastReason } from '../engine/page';
import type { RecordFact } from './shownRecord';
import type { Texts } from './texts';

/** The most characters of a comment that a record shows. */
export const maxShownComment = 1_000;

/** What a user has decided about a finding, or had, as the first facts of its record. All texts are plain. */
export function knownFacts(
  {
    known,
    wasKnown,
    comment,
  }: {
    /** Why it needs no attention, in words. */
    readonly known?: string | undefined;
    readonly wasKnown?: { readonly why: PastReason; readonly label: string } | undefined;
    readonly comment?: string | undefined;
  },
  texts: Texts,
): readonly RecordFact[] {
  const fact = (key: 'known' | 'comment' | PastReason, text: string | undefined): RecordFact[] =>
    text === undefined ? [] : [{ label: texts.get(key), text, kind: 'text' }];
  return [
    ...fact('known', known),
    ...(wasKnown ? fact(wasKnown.why, wasKnown.label) : []),
    ...fact('comment', comment),
  ];
}

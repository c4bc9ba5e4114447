import type { PastReason } from '../engine/page';
import type { RecordFact } from './shownRecord';
import type { Texts } from './texts';

/** The most characters of a comment that a record shows. */
export const maxShownComment = 1_000;

/** @param text why a file says that a finding is closed, as plain text. */
export function justificationFact(text: string | undefined, texts: Texts): readonly RecordFact[] {
  return createFacts('justification', text, texts);
}

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
  return [
    ...createFacts('known', known, texts),
    ...(wasKnown ? createFacts(wasKnown.why, wasKnown.label, texts) : []),
    ...createFacts('comment', comment, texts),
  ];
}

function createFacts(
  key: 'known' | 'comment' | 'justification' | PastReason,
  text: string | undefined,
  texts: Texts,
): readonly RecordFact[] {
  return text === undefined ? [] : [{ label: texts.get(key), text, kind: 'text' }];
}

import { createScale } from './scale';

/** Why a problem needs no attention any more, or never did. */
export type ClosedReason = 'fixed' | 'closed' | 'departed' | 'decayed' | 'accepted' | 'rejected';

/** What the status of a problem says. */
export interface Status {
  readonly isOpen: boolean;
  /** Why it is not open. */
  readonly reason?: ClosedReason;
}

/** The words of many tools in English and German, without what joins their parts; those that need attention first. */
const statuses: readonly (readonly [ClosedReason | 'open', string])[] = [
  [
    'open',
    'open active new reopened unresolved confirmed triaged inprogress inreview toreview offen aktiv neu',
  ],
  ['fixed', 'resolved fixed mitigated remediated resolvedwithpedigree behoben gelöst'],
  ['closed', 'closed autoclosed done inactive geschlossen erledigt inaktiv'],
  ['departed', 'departed'],
  ['decayed', 'decayed'],
  ['accepted', 'accepted riskaccepted wontfix wontdo akzeptiert risikoakzeptiert'],
  [
    'rejected',
    'rejected dismissed autodismissed suppressed ignored falsepositive notaffected notapplicable ' +
      'duplicate outofscope ignoriert verworfen abgelehnt falschpositiv',
  ],
];

const byWord: ReadonlyMap<string, Status> = new Map(
  statuses.flatMap(([reason, words]) => {
    const status: Status = reason === 'open' ? { isOpen: true } : { isOpen: false, reason };
    return words.split(' ').map((word) => [word, status] as const);
  }),
);

/** What a status says, such as `Resolved`, `wont_fix` or `falsePositive`; `undefined` if the word is unknown. */
export function parseStatus(text: string): Status | undefined {
  return byWord.get(statusWord(text));
}

/** Whether a status says that a problem is not open. */
export function isClosedStatus(text: string): boolean {
  return parseStatus(text)?.isOpen === false;
}

export function isKnownStatus(text: string): boolean {
  return parseStatus(text) !== undefined;
}

/** The words that say no more than that a problem is open, as the status of most does. */
const onlyOpen: ReadonlySet<string> = new Set(['open', 'active', 'offen', 'aktiv']);

/** Whether a status says no more than that a problem is open. */
export function saysOnlyOpen(text: string): boolean {
  return onlyOpen.has(statusWord(text));
}

/** A status without what says more about it, as in `Closed - Fixed`, and without what joins its words. */
function statusWord(text: string): string {
  const [word = ''] = text.toLowerCase().split(/ +[-\u2013:(] *|: /);
  return word.replace(/[\s_'\u2019-]+/g, '');
}

/** The statuses of the service, those that need attention first. Words of other tools have no order. */
export const statusScale = createScale(['active', 'resolved', 'departed', 'decayed'], {
  worstFirst: true,
});

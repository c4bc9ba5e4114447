import { openCounts, type ClosedCounts } from '../engine/page';
import type { SeverityLevel } from '../vocabulary/severity';
import type { PageTextKey } from './pageTexts';

/*
 * What a comparison counts, and the one word for each: in pages, notifications, Markdown and tables.
 */

/** What became of findings that both files have, or only one of them. */
export type Change = 'new' | 'reopened' | 'gone' | 'closed' | 'changed';

/** The word for each. */
export const changeTitles = {
  new: 'newOnes',
  reopened: 'reopenedOnes',
  gone: 'goneOnes',
  closed: 'nowClosedOnes',
  changed: 'changedOnes',
} as const satisfies Record<Change, PageTextKey>;

/** Bad news first. */
const order = ['new', 'reopened', 'gone', 'closed', 'changed'] as const;

const numbers = {
  new: 'countNew',
  reopened: 'countReopened',
  gone: 'countGone',
  closed: 'countClosed',
  changed: 'countChanged',
} as const satisfies Record<Change, PageTextKey>;

/** The same where only open ones are counted. */
const numbersOfOpen = {
  new: 'countNewOpen',
  gone: 'countGoneOpen',
} as const satisfies Partial<Record<Change, PageTextKey>>;

/** Findings fewer of which are open now. */
export function isGoodNews(change: Change): boolean {
  return change === 'gone' || change === 'closed';
}

/** `Texts`, which stands above: the words of changes are among its own. */
interface ReadText {
  get(key: PageTextKey, ...values: readonly number[]): string;
  number(value: number): string;
}

/** As a comparison, and a tally of it, counts. */
interface Counted {
  readonly new: number;
  readonly gone: number;
  readonly changed: number;
  readonly closed?: ClosedCounts;
  readonly nowClosed?: number;
  readonly reopened?: number;
  readonly worstNew?: { readonly severity: SeverityLevel; readonly count: number };
}

/** How many findings are shown as what: each once, and of the new and gone ones those that are open. */
export function countChanges(counts: Counted): Record<Change, number> {
  const { new: added, gone, changed, nowClosed = 0, reopened = 0 } = openCounts(counts);
  return {
    new: added,
    reopened,
    gone,
    closed: nowClosed,
    changed: changed - nowClosed - reopened,
  };
}

/** Whether some new and gone findings are not open, so that those that are counted are not all. */
export function areOnlyOpen({ closed }: Pick<Counted, 'closed'>): boolean {
  return closed !== undefined && closed.new + closed.gone > 0;
}

/**
 * `37 new, 12 no longer reported, 3 closed, 2 changed`; of open ones alone, `37 new (open)`.
 * @param without what is said elsewhere.
 */
export function formatChanges(
  counts: Counted,
  texts: ReadText,
  without: readonly Change[] = [],
): string {
  const all = countChanges(counts);
  const isSaid = (change: Change) =>
    !without.includes(change) &&
    (all[change] > 0 || !(change === 'closed' || change === 'reopened'));
  const ofOpen = { ...numbers, ...(areOnlyOpen(counts) && numbersOfOpen) };
  const said = order.filter(isSaid).map((change) => {
    const text = texts.get(ofOpen[change], all[change]);
    const { worstNew } = counts;
    if (change !== 'new' || !worstNew) {
      return text;
    }
    const word = texts.get(worstNew.severity).toLowerCase();
    return `${text} (${texts.number(worstNew.count)} ${word})`;
  });
  return said.join(', ');
}

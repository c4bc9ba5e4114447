import type { ComparedSide, ComparisonAbout } from '../../comparisonAbout';
import type { Texts } from '../texts';

/** What was compared, to the minute: `Full report: All findings · 15 Nov 09:00 → 22 Nov 09:00`. */
export function comparedSides({ before, after }: ComparisonAbout, texts: Texts): string {
  const time = ({ madeAt }: ComparedSide) => (madeAt === undefined ? [] : [texts.moment(madeAt)]);
  const older = [before.title, ...time(before)].join(' \u00b7 ');
  const isSame = before.title === after.title && after.madeAt !== undefined;
  const newer = [...(isSame ? [] : [after.title]), ...time(after)].join(' \u00b7 ');
  return `${older} \u2192 ${newer}`;
}

/** The same in a heading: `15 Nov → 22 Nov`, with minutes where the day is the same, or names of files. */
export function comparedDays({ before, after }: ComparisonAbout, texts: Texts): string {
  const dayOf = ({ madeAt }: ComparedSide) =>
    madeAt === undefined ? undefined : texts.dayOf(madeAt);
  const isSameDay = dayOf(before) === dayOf(after);
  const short = (side: ComparedSide) =>
    side.madeAt !== undefined && isSameDay
      ? texts.moment(side.madeAt)
      : (dayOf(side) ?? side.title);
  return `${short(before)} \u2192 ${short(after)}`;
}

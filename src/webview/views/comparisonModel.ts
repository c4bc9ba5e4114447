import { compareListed, severityScale } from '../../base/text/orderedWords';
import type {
  ComparisonAbout,
  Tallies,
  Tally,
  ComparedSide,
} from '../../engine/values/comparisonAbout';
import type { Filter } from '../../engine/types';
import type { LabeledFilter } from '../protocol';
import { type CountRow, type Section, severityText, wordsOf } from './countRows';
import { type Tone, toneOf } from './severityTones';
import type { Texts } from '../texts';
import { changeColumn } from '../../engine/values/comparisonColumns';

const changes = ['new', 'gone', 'changed'] as const;

export type Change = (typeof changes)[number];

const titles = { new: 'newOnes', gone: 'goneOnes', changed: 'changedOnes' } as const;

/** The most issue types that are shown. */
const maxTypes = 20;

/** An issue type, and the filter for the rows of each of its numbers. */
export interface TypeRow {
  readonly label: string;
  readonly tally: Tally;
  /** The worst severity of its differences. */
  readonly severity?: { readonly text: string; readonly tone: Tone };
  chosen(change: Change): LabeledFilter;
}

/**
 * A section of tiles each for new, gone and changed records: their total, and the count of each severity. A
 * section without records is omitted.
 */
export function changeSections(
  { severities, ...counts }: ComparisonAbout,
  texts: Texts,
): Section[] {
  return changes
    .filter((change) => counts[change] > 0)
    .map((change) => {
      const title = texts.get(titles[change]);
      const filter: Filter = { op: 'equals', column: changeColumn, text: change, matchCase: true };
      const all: CountRow = {
        key: 'all',
        label: texts.get('all'),
        count: counts[change],
        // The total has no severity color.
        tone: 'none',
        chosen: { label: title, filter },
      };
      return {
        id: `change ${change}`,
        kind: 'tiles',
        title,
        headings: [texts.get('severity'), title],
        rows: [all, ...(severities ? severityRows(severities, change, title, texts) : [])],
      };
    });
}

function severityRows(
  { column, values }: Tallies,
  change: Change,
  title: string,
  texts: Texts,
): CountRow[] {
  return values
    .filter((tally) => tally[change] > 0)
    .map((tally) => ({ tally, word: tally.value, count: sizeOf(tally) }))
    .sort((one, other) => compareListed(severityScale, one, other))
    .map(({ tally }) => {
      const label = severityText(tally.value, texts);
      return {
        key: `value ${tally.value}`,
        label,
        count: tally[change],
        tone: toneOf(tally.value),
        chosen: { label: `${title}: ${label}`, filter: filterOf(change, column, tally.value) },
      };
    });
}

/** The issue types with the most differences, the worst first. */
export function typeRows({ issueTypes }: ComparisonAbout, texts: Texts): TypeRow[] {
  const listed = (issueTypes?.values ?? []).slice(0, maxTypes).map((tally) => ({
    tally,
    word: tally.severity ?? '',
    count: sizeOf(tally),
  }));
  return listed
    .sort((...both) => compareListed(severityScale, ...both))
    .map(({ tally }) => {
      const label = wordsOf(tally.value, texts);
      const { severity } = tally;
      return {
        label,
        tally,
        ...(severity !== undefined && {
          severity: { text: severityText(severity, texts), tone: toneOf(severity) },
        }),
        chosen: (change) => ({
          label: `${texts.get(titles[change])}: ${label}`,
          filter: filterOf(change, issueTypes?.column ?? '', tally.value),
        }),
      };
    });
}

function filterOf(change: Change, column: string, value: string): Filter {
  return {
    op: 'and',
    of: [
      { op: 'equals', column: changeColumn, text: change, matchCase: true },
      value === ''
        ? { op: 'empty', column }
        : { op: 'equals', column, text: value, matchCase: true },
    ],
  };
}

function sizeOf({ new: added, gone, changed }: Tally): number {
  return added + gone + changed;
}

/** What was compared, to the minute: `Full report: All findings · 15 Nov 09:00 → 22 Nov 09:00`. */
export function comparedSides({ before, after }: ComparisonAbout, texts: Texts): string {
  const time = ({ madeAt }: ComparedSide) => (madeAt === undefined ? [] : [texts.moment(madeAt)]);
  const older = [before.title, ...time(before)].join(' \u00b7 ');
  const isSame = before.title === after.title && after.madeAt !== undefined;
  const newer = [...(isSame ? [] : [after.title]), ...time(after)].join(' \u00b7 ');
  return `${older} \u2192 ${newer}`;
}

/** What was compared, for a heading: `15 Nov → 22 Nov`, with times if the days are equal, or file names. */
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

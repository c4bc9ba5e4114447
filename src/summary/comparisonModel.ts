import { dayText, differingText, momentText, sinceText } from '../base/text/dates';
import {
  type ClosedCounts,
  type ClosedDifferences,
  type ComparedSide,
  type ComparisonAbout,
  hasChanges,
  type SincePrevious,
  type Tallies,
} from '../engine/page';
import {
  areOnlyOpen,
  type Change,
  changeTitles,
  countChanges,
  formatChanges,
  isGoodNews,
} from './changeCounts';
import { isRuleName } from '../vocabulary/roles';
import type { PageTextKey } from './pageTexts';
import type { Texts } from './texts';
import {
  type CountRow,
  type Fact,
  type OverviewModel,
  type Section,
  severityText,
  type SideCell,
  formatValue,
  formatWords,
  scorecardText,
  type Write,
} from './countRows';
import { createChosenFilter, valueFilter } from './changeFilters';
import { openText, openTiles } from './openBeforeAfter';
import { statusNames } from './openFindings';
import { findTone, severityColumn } from './severityTones';

/*
 * What a page and a copy show of a comparison. Where a status tells, new and gone records are counted only if
 * they are open findings, as in the overview of a report, and each filter leads to the rows that are counted.
 */

/** Those with tiles of their own: bad news, then good news. */
const tiled = ['new', 'gone', 'closed', 'changed'] as const;

/** From left to right in a table: good news, then bad news. */
const tableOrder = ['closed', 'gone', 'new', 'reopened', 'changed'] as const;

/** The most issue types or scorecards that are shown. */
const maxRows = 20;

const none: ClosedCounts = { new: 0, gone: 0 };

/** Of a column, in UTF-16 units. */
const longestName = 60;

/** What a comparison has found, as the overview of its file. */
export function comparisonModel(about: ComparisonAbout, texts: Texts): OverviewModel {
  const swap: Fact = {
    text: texts.get('swap'),
    title: texts.get('swapTitle'),
    isOffer: true,
    action: { type: 'swap' },
  };
  const { open } = about;
  const changed = changedOpen(about);
  return {
    facts: [
      ...(open ? [{ text: openText(open, texts), isLead: true as const }] : []),
      { text: comparedSides(about, texts) },
      ...(about.canSwap ? [swap] : []),
      ...comparisonFacts(about, texts),
    ],
    sections: [
      ...(changed ? openTiles(changed, texts) : []),
      ...changeSections(about, texts),
      ...changeTables(about, texts),
    ],
    offered: [],
  };
}

/** The open findings of both files, if a table of them says more than that nothing has changed. */
export function changedOpen(about: ComparisonAbout): ComparisonAbout['open'] {
  return hasChanges(about) ? about.open : undefined;
}

/** The facts about a comparison after what was compared. */
export function comparisonFacts(about: ComparisonAbout, texts: Texts): Fact[] {
  const { closed, leftOut = none, unchanged, recognizedBy } = about;
  const { reopened, changed } = countChanges(about);
  const chosen = createChosenFilter(about, 'reopened', texts.get(changeTitles.reopened), [], texts);
  const areSome = hasChanges(about);
  // What is closed in both files is counted as changed or unchanged, too.
  const ofBoth = about.open !== undefined && about.open.areAll !== true;
  const counts = formatChanges(about, texts, [
    'reopened',
    ...(ofBoth ? (['changed'] as const) : []),
  ]);
  const rest = [
    ...(ofBoth && areSome ? [texts.get('countChanged', changed)] : []),
    texts.get('unchangedCount', unchanged),
  ].join(', ');
  return [
    { text: areSome ? counts : texts.get('noChanges') },
    // Bad news that is rare: a count, and no section of its own.
    ...(reopened > 0
      ? [{ text: texts.get('countReopened', reopened), action: { type: 'show', chosen } as const }]
      : []),
    { text: ofBoth ? texts.get('openOrNot', rest) : rest },
    ...notCounted(closed, leftOut, texts),
    ...(recognizedBy
      ? [{ text: texts.get('recognizedBy', recognizedBy.map(shortName).join(', ')) }]
      : []),
  ];
}

/** A name of a column of a file, which may be of any length. */
function shortName(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName)}\u2026` : name;
}

/** What is not open: what a file closes, and what a user knows. */
function notCounted(
  { known = none, words, ...closed }: ClosedDifferences = { ...none, by: [], words: [] },
  leftOut: ClosedCounts,
  texts: Texts,
): Fact[] {
  const byFile = { new: closed.new - known.new, gone: closed.gone - known.gone };
  const allKnown = { new: known.new + leftOut.new, gone: known.gone + leftOut.gone };
  const said = [
    [byFile, statusNames(words, texts)],
    [allKnown, texts.get('known').toLowerCase()],
  ] as const;
  const label = texts.get('knownIssues');
  return said
    .filter(([counts]) => counts.new + counts.gone > 0)
    .map(([counts, word]) => ({
      text: texts.get('closedDifferences', counts.new, counts.gone, word),
      // The file of differences has those that were not left out of both.
      ...(counts === allKnown &&
        known.new + known.gone > 0 && {
          action: { type: 'show', chosen: { label, filter: { op: 'known' } } } as const,
        }),
    }));
}

/** `37 new, 12 no longer reported, 5 changed since 15 Nov`, of open findings where a status tells. */
export function changesFact(counts: SincePrevious, texts: Texts): Fact {
  const since = sinceText(counts.at, texts.locale);
  return hasChanges(counts)
    ? {
        text: texts.get('sincePrevious', formatChanges(counts, texts), since),
        action: { type: 'compare' },
      }
    : { text: texts.get('noneSincePrevious', since) };
}

/**
 * A section of tiles for each change: the total, and the count of each severity. Good news has one color, and no
 * color of a severity. A section without records is omitted.
 */
export function changeSections(about: ComparisonAbout, texts: Texts): Section[] {
  const counts = countChanges(about);
  const severities = (about.severities?.values ?? []).map((tally) => ({
    value: tally.value,
    counts: countChanges(tally),
  }));
  return tiled
    .filter((change) => counts[change] > 0)
    .map((change) => {
      const title = texts.get(changeTitles[change]);
      const all: CountRow = {
        key: 'all',
        label: texts.get('all'),
        count: counts[change],
        // The total has no severity color.
        tone: isGoodNews(change) ? 'positive' : 'none',
        chosen: createChosenFilter(about, change, title, [], texts),
      };
      return {
        id: `change ${change}`,
        kind: 'tiles',
        title: titleOf(change, about, texts),
        headings: [texts.get('severity'), titleOf(change, about, texts)],
        rows: [
          all,
          ...severities
            .filter((tally) => tally.counts[change] > 0)
            .map(({ value, counts: numbers }): CountRow => {
              const label = severityText(value, texts);
              const isValue = valueFilter(about.severities?.column ?? '', value, {
                matchCase: false,
              });
              return {
                key: `value ${value}`,
                label,
                count: numbers[change],
                tone: isGoodNews(change)
                  ? 'positive'
                  : findTone(value, severityColumn(about.severities)),
                chosen: createChosenFilter(about, change, `${title}: ${label}`, [isValue], texts),
              };
            }),
        ],
      };
    });
}

/** `New`, or `New (open)` where others are not counted. */
function titleOf(change: Change, about: ComparisonAbout, texts: Texts): string {
  const title = texts.get(changeTitles[change]);
  const isOfOpen = areOnlyOpen(about) && (change === 'new' || change === 'gone');
  return isOfOpen ? texts.get('chosenOpen', title) : title;
}

/** The differences by severity in one table, instead of three with tiles. */
export function severityTable(about: ComparisonAbout, texts: Texts): Section[] {
  const names = { id: 'severities', title: texts.get('severity'), heading: texts.get('severity') };
  return changeTable(names, about.severities, severityText, about, texts);
}

/** The differences by scorecard and by issue type. */
export function changeTables(about: ComparisonAbout, texts: Texts): Section[] {
  const { issueTypes, scorecards } = about;
  const ofScorecards: Names = {
    id: 'scorecards',
    title: texts.get('changesByScorecard'),
    heading: texts.get('scorecard'),
    moreKeys: ['oneMoreScorecard', 'moreScorecards'],
  };
  const ofTypes: Names = {
    id: 'issue-types',
    title: texts.get('changesByType'),
    heading: texts.get('issueType'),
    moreKeys: ['oneMoreIssueType', 'moreIssueTypes'],
  };
  const domains = new Map(scorecards?.values.map(({ value, domain }) => [value, domain]));
  const writeScorecard: Write = (id, of) => scorecardText(id, domains.get(id), of);
  const writeType = isRuleName(issueTypes?.column ?? '') ? formatValue : formatWords;
  return [
    ...changeTable(ofScorecards, scorecards, writeScorecard, about, texts),
    ...changeTable(ofTypes, issueTypes, writeType, about, texts),
  ];
}

interface Names extends Pick<Section, 'id' | 'title'> {
  readonly heading: string;
  /** Only so many values are shown, and that there is one more, or how many there are. */
  readonly moreKeys?: readonly [one: PageTextKey, many: PageTextKey];
}

/** The records with each value by what became of them, and the worst severity of them; nothing if there are none. */
function changeTable(
  { id, title, heading, moreKeys }: Names,
  { column, values, more: left = 0 }: Tallies = { column: '', values: [] },
  write: Write,
  about: ComparisonAbout,
  texts: Texts,
): Section[] {
  const tallies = moreKeys ? values.slice(0, maxRows) : values;
  const more = left + values.length - tallies.length;
  const most = Math.max(1, ...tallies.map((tally) => Math.max(tally.new, tally.gone)));
  // Where nothing was closed or reopened, a column of zeros would say nothing.
  const all = countChanges(about);
  const shown = tableOrder.filter(
    (change) => all[change] > 0 || !(change === 'closed' || change === 'reopened'),
  );
  const hasSeverities = tallies.some(({ severity }) => severity !== undefined);
  const rows = tallies.map((tally): CountRow => {
    const { value, severity = '' } = tally;
    const label = write(value, texts);
    const counts = countChanges(tally);
    const cellOf = (change: Change): SideCell => {
      const count = counts[change];
      const name = `${texts.get(changeTitles[change])}: ${label}`;
      return {
        text: texts.number(count),
        ...(count > 0 && {
          chosen: createChosenFilter(about, change, name, [valueFilter(column, value)], texts),
        }),
        ...((change === 'new' || change === 'gone') && {
          bar: { side: change, share: count / most },
        }),
      };
    };
    const worst: SideCell = severity
      ? {
          text: severityText(severity, texts),
          tone: findTone(severity, severityColumn(about.severities)),
        }
      : { text: '' };
    const cells = [...(hasSeverities ? [worst] : []), ...shown.map(cellOf)];
    return { key: value, label, count: tally.new + tally.gone + tally.changed, cells };
  });
  const headings = [
    heading,
    ...(hasSeverities ? [texts.get('worstSeverity')] : []),
    ...shown.map((change) => titleOf(change, about, texts)),
  ];
  const numbersFrom = headings.length - shown.length;
  const section: Section = {
    id,
    kind: 'changes',
    title,
    headings,
    numbersFrom,
    rows,
    ...(moreKeys && more > 0 && { more: texts.get(moreKeys[more === 1 ? 0 : 1], more) }),
  };
  return rows.length === 0 ? [] : [section];
}

type ComparedSides = Pick<ComparisonAbout, 'before' | 'after'>;

/** What was compared, at least to the minute: `Full report: All findings · 15 Nov 09:00 → 22 Nov 09:00`. */
export function comparedSides({ before, after }: ComparedSides, texts: Texts): string {
  const minutes = [before, after].map(({ madeAt }) => madeAt && momentText(madeAt, texts.locale));
  const time = ({ madeAt }: ComparedSide, { madeAt: other }: ComparedSide): string[] =>
    madeAt === undefined
      ? []
      : [
          other !== undefined && minutes[0] === minutes[1]
            ? differingText(madeAt, other, texts.locale)
            : momentText(madeAt, texts.locale),
        ];
  const older = [before.title, ...time(before, after)].join(' \u00b7 ');
  const isSame = before.title === after.title && after.madeAt !== undefined;
  const newer = [...(isSame ? [] : [after.title]), ...time(after, before)].join(' \u00b7 ');
  return `${older} \u2192 ${newer}`;
}

/** What was compared, for a heading: `15 Nov → 22 Nov`, with times if the days are equal, or file names. */
export function comparedDays({ before, after }: ComparedSides, texts: Texts): string {
  const short = ({ title, madeAt }: ComparedSide, { madeAt: other }: ComparedSide): string => {
    if (madeAt === undefined) {
      return title;
    }
    return other === undefined
      ? dayText(madeAt, texts.locale)
      : differingText(madeAt, other, texts.locale);
  };
  return `${short(before, after)} \u2192 ${short(after, before)}`;
}

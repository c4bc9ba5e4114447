import { dayText, differingText, momentText, sinceText } from '../base/text/dates';
import {
  type ComparedSide,
  type ComparisonAbout,
  hasChanges,
  openCounts,
  type SincePrevious,
  type Tallies,
  changeColumn,
  type Filter,
} from '../engine/page';
import { isRuleName } from '../vocabulary/roles';
import type { LabeledFilter } from './labeledFilter';
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
import { statusNames } from './openFindings';
import { findTone } from './severityTones';

/*
 * What a page and a copy show of a comparison. Where a status tells, new and gone records are counted only if
 * they are open findings, as in the overview of a report, and each filter leads to the rows that are counted.
 */

const changes = ['new', 'gone', 'changed'] as const;

export type Change = (typeof changes)[number];

/** From left to right. */
const tableOrder = ['gone', 'new', 'changed'] as const;

const titles = { new: 'newOnes', gone: 'goneOnes', changed: 'changedOnes' } as const;

/** The most issue types or scorecards that are shown. */
const maxRows = 20;

/** What a comparison has found, as the overview of its file. */
export function comparisonModel(about: ComparisonAbout, texts: Texts): OverviewModel {
  const swap: Fact = {
    text: texts.get('swap'),
    title: texts.get('swapTitle'),
    isOffer: true,
    action: { type: 'swap' },
  };
  return {
    facts: [
      { text: comparedSides(about, texts) },
      ...(about.canSwap ? [swap] : []),
      ...comparisonFacts(about, texts).map((text) => ({ text })),
    ],
    sections: [...changeSections(about, texts), ...changeTables(about, texts)],
    offered: [],
  };
}

/** The facts about a comparison after what was compared. */
export function comparisonFacts(about: ComparisonAbout, texts: Texts): string[] {
  const { new: added, gone, changed } = openCounts(about);
  const { closed, nowClosed, unchanged } = about;
  const counts =
    nowClosed === undefined
      ? texts.get('comparedCounts', added, gone, changed)
      : texts.get('comparedCountsClosed', added, gone, changed, nowClosed);
  return [
    hasChanges(about) ? counts : texts.get('noChanges'),
    texts.get('unchangedCount', unchanged),
    ...(closed
      ? [
          texts.get(
            'closedDifferences',
            closed.new,
            closed.gone,
            statusNames(
              closed.by.map(({ word }) => word),
              texts,
            ),
          ),
        ]
      : []),
  ];
}

/** `37 new, 12 gone, 5 changed (3 closed) since 15 Nov`, without the brackets where none was closed; of open findings where a status tells. */
export function changesFact(counts: SincePrevious, texts: Texts): Fact {
  const { new: added, gone, changed, nowClosed, at } = openCounts(counts);
  const since = sinceText(at, texts.locale);
  if (!hasChanges(counts)) {
    return { text: texts.get('noneSincePrevious', since) };
  }
  const text =
    nowClosed === undefined
      ? texts.get('sincePrevious', added, gone, changed, since)
      : texts.get('sincePreviousClosed', added, gone, changed, nowClosed, since);
  return { text, action: { type: 'compare' } };
}

/**
 * A section of tiles each for new, gone and changed records: their total, and the count of each severity. A
 * section without records is omitted.
 */
export function changeSections(about: ComparisonAbout, texts: Texts): Section[] {
  const counts = openCounts(about);
  const severities = about.severities?.values ?? [];
  return changes
    .filter((change) => counts[change] > 0)
    .map((change) => {
      const title = texts.get(titles[change]);
      const all: CountRow = {
        key: 'all',
        label: texts.get('all'),
        count: counts[change],
        // The total has no severity color.
        tone: 'none',
        chosen: createChosenFilter(about, change, title, [], texts),
      };
      return {
        id: `change ${change}`,
        kind: 'tiles',
        title,
        headings: [texts.get('severity'), title],
        rows: [
          all,
          ...severities
            .filter((tally) => tally[change] > 0)
            .map(({ value, ...numbers }): CountRow => {
              const label = severityText(value, texts);
              const isValue = valueFilter(about.severities?.column ?? '', value, {
                matchCase: false,
              });
              return {
                key: `value ${value}`,
                label,
                count: numbers[change],
                tone: findTone(value, about.severities?.column),
                chosen: createChosenFilter(about, change, `${title}: ${label}`, [isValue], texts),
              };
            }),
        ],
      };
    });
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
    moreKey: 'moreScorecards',
  };
  const ofTypes: Names = {
    id: 'issue-types',
    title: texts.get('changesByType'),
    heading: texts.get('issueType'),
    moreKey: 'moreIssueTypes',
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
  /** Only so many values are shown, and how many more there are. */
  readonly moreKey?: 'moreIssueTypes' | 'moreScorecards';
}

/** The gone, new and changed records with each value, and the worst severity of them; nothing if there are none. */
function changeTable(
  { id, title, heading, moreKey }: Names,
  { column, values, more: left = 0 }: Tallies = { column: '', values: [] },
  write: Write,
  about: ComparisonAbout,
  texts: Texts,
): Section[] {
  const tallies = moreKey ? values.slice(0, maxRows) : values;
  const more = left + values.length - tallies.length;
  const most = Math.max(1, ...tallies.map((tally) => Math.max(tally.new, tally.gone)));
  const hasSeverities = tallies.some(({ severity }) => severity !== undefined);
  const rows = tallies.map((tally): CountRow => {
    const { value, severity = '' } = tally;
    const label = write(value, texts);
    const cellOf = (change: Change): SideCell => {
      const count = tally[change];
      const name = `${texts.get(titles[change])}: ${label}`;
      return {
        text: texts.number(count),
        ...(count > 0 && {
          chosen: createChosenFilter(about, change, name, [valueFilter(column, value)], texts),
        }),
        ...(change !== 'changed' && { bar: { side: change, share: count / most } }),
      };
    };
    const worst: SideCell = severity
      ? { text: severityText(severity, texts), tone: findTone(severity, about.severities?.column) }
      : { text: '' };
    const cells = [...(hasSeverities ? [worst] : []), ...tableOrder.map(cellOf)];
    return { key: value, label, count: tally.new + tally.gone + tally.changed, cells };
  });
  const headings = [
    heading,
    ...(hasSeverities ? [texts.get('worstSeverity')] : []),
    ...tableOrder.map((change) => texts.get(titles[change])),
  ];
  const numbersFrom = headings.length - tableOrder.length;
  const section: Section = {
    id,
    kind: 'changes',
    title,
    headings,
    numbersFrom,
    rows,
    ...(moreKey && more > 0 && { more: texts.get(moreKey, more) }),
  };
  return rows.length === 0 ? [] : [section];
}

/** The filter for the rows of a number. */
function createChosenFilter(
  { closed }: ComparisonAbout,
  change: Change,
  label: string,
  conditions: readonly Filter[],
  texts: Texts,
): LabeledFilter {
  const all = [valueFilter(changeColumn, change), ...conditions];
  if (!closed || change === 'changed') {
    return { label, filter: { op: 'and', of: all } };
  }
  const isClosed = closed.by.map(({ column, value }) => valueFilter(column, value));
  return {
    label: texts.get('chosenOpen', label),
    filter: { op: 'and', of: [...all, { op: 'not', of: { op: 'or', of: isClosed } }] },
  };
}

function valueFilter(column: string, value: string, { matchCase = true } = {}): Filter {
  return value === ''
    ? { op: 'empty', column }
    : { op: 'equals', column, text: value, ...(matchCase && { matchCase }) };
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

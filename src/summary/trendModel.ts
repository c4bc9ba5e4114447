import { dayText, differingText } from '../base/text/dates';
import { openText } from './openBeforeAfter';
import type { PageTextKey } from './pageTexts';
import { gradeBands } from '../vocabulary/grade';
import type { Texts } from './texts';
import {
  countOthers,
  type EarlierPoint,
  isOfToday,
  isRecalibration,
  pointBefore,
  type TrendLevel,
  trendLevels,
  type TrendMark,
  type TrendPoint,
  type TrendTime,
} from './trend';

/** Today is compared with the time so many days ago. */
const comparedDays = [30, 90] as const;

const markKeys = {
  breach: 'breachMark',
  recalibration: 'recalibrationMark',
} as const satisfies Record<TrendMark, PageTextKey>;

/** A place in a chart: from 0 to 1, from left to right and from the bottom to the top. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** A line, in pieces between changes in how the service counts. */
interface TrendLine {
  readonly pieces: readonly (readonly Place[])[];
}

/** How the findings of a report, a file or a company develop: what a page draws and says. */
export interface TrendModel {
  /** `Critical 41, 12 more than 30 days ago` */
  readonly facts: readonly string[];
  /** The first and the last day. */
  readonly days: readonly string[];
  readonly findings: {
    /** What the top of the chart means. */
    readonly most: number;
    readonly lines: readonly (TrendLine & { readonly level: TrendLevel; readonly label: string })[];
  };
  /** Absent if no point tells what changed. */
  readonly changes?: {
    readonly most: number;
    readonly title: string;
    /** Whether any was closed: good news, as those that are gone. */
    readonly hasClosed: boolean;
    readonly bars: readonly {
      readonly x: number;
      readonly new: number;
      readonly gone: number;
      readonly closed: number;
    }[];
  };
  /** Absent without scores. */
  readonly score?: TrendLine & {
    readonly bands: readonly {
      readonly grade: string;
      readonly from: number;
      readonly to: number;
    }[];
  };
  readonly marks: readonly { readonly x: number; readonly word: string; readonly label: string }[];
  /** What can be opened, the oldest first. */
  readonly targets: readonly {
    readonly x: number;
    readonly label: string;
    readonly source: string;
  }[];
  readonly headings: readonly string[];
  /** The newest first. Points that say the same as the one before are left out. */
  readonly rows: readonly TrendRow[];
}

interface TrendRow {
  readonly cells: readonly string[];
  readonly source?: string;
  /** Whether the point before can be opened, too: both can be compared. */
  readonly canCompare: boolean;
}

type Column = readonly [PageTextKey, (point: TrendPoint) => string | number | undefined];

/** What is needed to put points into words. */
interface Words {
  readonly texts: Texts;
  /** The day of a point, with its time where another point is of the same day. */
  readonly dayOf: (point: TrendPoint) => string;
}

/** @param points the oldest first. */
export function trendModel(
  points: readonly TrendPoint[],
  texts: Texts,
  time: TrendTime,
): TrendModel {
  const [first] = points;
  const last = points.at(-1);
  const [from, to] = [first?.at ?? 0, last?.at ?? 0];
  const xOf = ({ at }: TrendPoint) => (to === from ? 0.5 : (at - from) / (to - from));
  const words: Words = { texts, dayOf: dayNames(points, texts, time) };
  const columns = usedColumns(points, words);
  return {
    facts: trendFacts(points, texts, time),
    days: [...new Set([first, last].flatMap((point) => (point ? words.dayOf(point) : [])))],
    findings: findingLines(points, xOf, texts),
    ...changeBars(points, xOf, texts),
    ...(points.some(({ score }) => score !== undefined) && { score: scoreLine(points, xOf) }),
    marks: points.flatMap((point) =>
      (point.marks ?? []).map((mark) => {
        const word = texts.get(markKeys[mark]);
        return { x: xOf(point), word, label: `${words.dayOf(point)}: ${word}` };
      }),
    ),
    targets: points.flatMap((point) =>
      point.source === undefined
        ? []
        : { x: xOf(point), label: pointText(point, words), source: point.source },
    ),
    headings: columns.map(([key]) => texts.get(key)),
    rows: trendRows(points, columns, texts),
  };
}

function changeBars(
  points: readonly TrendPoint[],
  xOf: (point: TrendPoint) => number,
  texts: Texts,
): Pick<TrendModel, 'changes'> {
  const bars = points
    .filter((point) => point.new !== undefined || point.gone !== undefined)
    .map((point) => {
      const { new: added = 0, gone = 0, closed = 0 } = point;
      return { x: xOf(point), new: added, gone, closed };
    });
  if (bars.length === 0) {
    return {};
  }
  const hasClosed = bars.some(({ closed }) => closed > 0);
  const title = texts.get(hasClosed ? 'newGoneAndClosed' : 'newAndGone');
  const most = Math.max(1, ...bars.flatMap((bar) => [bar.new, bar.gone + bar.closed]));
  return { changes: { title, hasClosed, most, bars } };
}

/** As long as it takes to tell a point from those beside it. Those of a company are days, and never of the same one. */
function dayNames(
  points: readonly TrendPoint[],
  texts: Texts,
  { now, days }: TrendTime,
): Words['dayOf'] {
  if (days === 'utc') {
    return ({ at }) => texts.utcDay(at);
  }
  const { locale } = texts;
  const names = new Map(
    points.map((point, index) => {
      const names = [points[index - 1], points[index + 1]].flatMap((other) =>
        other ? differingText(point.at, other.at, locale, now) : [],
      );
      const [name = dayText(point.at, locale, now)] = names.sort(
        (one, other) => other.length - one.length,
      );
      return [point, name];
    }),
  );
  return (point) => names.get(point) ?? dayText(point.at, locale, now);
}

/**
 * How the last point differs from earlier ones: `Critical 41, 12 more than 30 days ago, 3 fewer than 90 days ago`. Where
 * no report is of such a day, the day of the one before is named.
 */
export function trendFacts(points: readonly TrendPoint[], texts: Texts, time: TrendTime): string[] {
  const last = points.at(-1);
  if (!last) {
    return [];
  }
  const dayOf = dayNames(points, texts, time);
  const found = comparedDays.flatMap((days) => {
    const earlier = pointBefore(points, days, time);
    return earlier ? [{ ...earlier, when: whenText(earlier, days, { texts, dayOf }) }] : [];
  });
  // One report may be the latest of both days: it is named once.
  const earlier = found.filter(
    ({ point, isClose }, index) =>
      isClose || !found.slice(index + 1).some((other) => other.point === point),
  );
  const levels = trendLevels.filter(
    (level) => last.severity[level] > 0 || earlier.some(({ point }) => point.severity[level] > 0),
  );
  const { score } = last;
  const factOf = (word: string, read: (point: TrendPoint) => number) =>
    [
      `${word} ${texts.number(read(last))}`,
      ...earlier.map(({ point, when }) => differenceText(read(last) - read(point), when, texts)),
    ].join(', ');
  const hasOthers = [last, ...earlier.map(({ point }) => point)].some(
    (each) => countOthers(each) > 0,
  );
  return [
    ...(isOfToday(last, time) ? [] : [texts.get('trendAsOf', dayOf(last))]),
    ...(score === undefined ? [] : [scoreFact(last, score, earlier, texts)]),
    ...levels.map((level) => factOf(texts.get(level), ({ severity }) => severity[level])),
    ...(hasOthers ? [factOf(texts.get('otherSeverities'), countOthers)] : []),
    ...sumChanges(points, { texts, dayOf }),
    ...recalibrationFact(points, { texts, dayOf }),
  ];
}

/** Why there is no comparison with what was before: the service counts in another way since. */
function recalibrationFact(points: readonly TrendPoint[], { texts, dayOf }: Words): string[] {
  const last = points.slice(1).findLast(isRecalibration);
  return last ? [texts.get('notComparedBefore', dayOf(last))] : [];
}

/**
 * All that changed since the first point: `13 new, 9 no longer reported, 6 closed since 29 Aug: 110 → 108 open (2 fewer)`.
 * What is not known of one point is not known of all: then it is only how many more or fewer are open.
 */
function sumChanges(points: readonly TrendPoint[], { texts, dayOf }: Words): string[] {
  // What came and went before the first point is no part of the trend.
  const [first, ...later] = points;
  const last = later.at(-1);
  if (!first || !last) {
    return [];
  }
  const sum = (key: 'new' | 'gone' | 'closed') =>
    later.reduce((total, point) => total + (point[key] ?? 0), 0);
  const [added, gone, closed] = [sum('new'), sum('gone'), sum('closed')];
  const isKnown = later.every((point) => point.new !== undefined);
  const hasChanges = added + gone + closed > 0 || first.open !== last.open;
  if (!hasChanges) {
    return isKnown ? [texts.get('noneSincePrevious', dayOf(first))] : [];
  }
  // Where the service counts in another way since, the numbers cannot be compared.
  const net = later.some(isRecalibration)
    ? []
    : [openText({ before: first.open, after: last.open }, texts)];
  if (!isKnown) {
    return net.map((text) => texts.get('sincePrevious', text, dayOf(first)));
  }
  const changes = [
    texts.get('countNew', added),
    texts.get('countGone', gone),
    ...(closed > 0 ? [texts.get('countClosed', closed)] : []),
  ].join(', ');
  return [[texts.get('sincePrevious', changes, dayOf(first)), ...net].join(': ')];
}

function whenText({ point, isClose }: EarlierPoint, days: number, { texts, dayOf }: Words): string {
  return isClose ? texts.get('daysAgo', days) : texts.get('onDay', dayOf(point));
}

/** `12 more critical than last time`: the worst severity whose number differs; `undefined` if all are the same. */
export function worstDifference(
  last: TrendPoint,
  before: TrendPoint,
  texts: Pick<Texts, 'get'>,
): string | undefined {
  const level = trendLevels.find((each) => last.severity[each] !== before.severity[each]);
  if (level === undefined) {
    return undefined;
  }
  const difference = last.severity[level] - before.severity[level];
  const word = texts.get(level).toLowerCase();
  return difference > 0
    ? texts.get('moreThanLastTime', difference, word)
    : texts.get('fewerThanLastTime', -difference, word);
}

interface Earlier {
  readonly point: TrendPoint;
  /** `30 days ago`, or `on 2 Nov` */
  readonly when: string;
}

function scoreFact(
  last: TrendPoint,
  score: number,
  earlier: readonly Earlier[],
  texts: Texts,
): string {
  const grade = last.grade === undefined ? '' : ` (${last.grade})`;
  return [
    `${texts.get('score')} ${texts.number(score)}${grade}`,
    ...earlier.flatMap(({ point, when }) => {
      const difference = score - (point.score ?? Number.NaN);
      return Number.isNaN(difference)
        ? []
        : difference === 0
          ? texts.get('asThen', when)
          : difference > 0
            ? texts.get('higherThanThen', difference, when)
            : texts.get('lowerThanThen', -difference, when);
    }),
  ].join(', ');
}

function differenceText(difference: number, when: string, texts: Texts): string {
  if (difference === 0) {
    return texts.get('asManyAsThen', when);
  }
  return difference > 0
    ? texts.get('moreThanThen', difference, when)
    : texts.get('fewerThanThen', -difference, when);
}

function findingLines(
  points: readonly TrendPoint[],
  xOf: (point: TrendPoint) => number,
  texts: Texts,
): TrendModel['findings'] {
  const levels = trendLevels.filter((level) => points.some(({ severity }) => severity[level] > 0));
  const all = points.flatMap(({ severity }) => levels.map((level) => severity[level]));
  const most = all.reduce((one, other) => Math.max(one, other), 1);
  return {
    most,
    lines: levels.map((level) => ({
      level,
      label: texts.get(level),
      pieces: splitPieces(points, (point) => ({
        x: xOf(point),
        y: point.severity[level] / most,
      })),
    })),
  };
}

/** The chart begins at 50, or at the tens of a lower score: the grade F is more than half of all scores. */
function scoreLine(
  points: readonly TrendPoint[],
  xOf: (point: TrendPoint) => number,
): NonNullable<TrendModel['score']> {
  const lowest = points.reduce((least, { score = 100 }) => Math.min(least, score), 50);
  const bottom = Math.max(0, Math.floor(lowest / 10) * 10);
  const place = (score: number) => Math.max(0, (score - bottom) / (100 - bottom));
  return {
    pieces: splitPieces(points, (point) =>
      point.score === undefined ? undefined : { x: xOf(point), y: place(point.score) },
    ),
    bands: gradeBands.map(([grade, from], index) => ({
      grade,
      from: place(from),
      to: place(gradeBands[index - 1]?.[1] ?? 100),
    })),
  };
}

function splitPieces(
  points: readonly TrendPoint[],
  place: (point: TrendPoint) => Place | undefined,
): Place[][] {
  const pieces: Place[][] = [[]];
  for (const point of points) {
    if (isRecalibration(point)) {
      pieces.push([]);
    }
    const at = place(point);
    if (at) {
      pieces.at(-1)?.push(at);
    }
  }
  return pieces.filter(({ length }) => length > 0);
}

function usedColumns(points: readonly TrendPoint[], { texts, dayOf }: Words): Column[] {
  const all: Column[] = [
    ['trendDay', dayOf],
    [
      'score',
      ({ score, grade }) =>
        score === undefined ? undefined : [grade, texts.number(score)].filter(Boolean).join(' '),
    ],
    ['openStatus', ({ open }) => open],
    ...trendLevels.map((level): Column => [level, ({ severity }) => severity[level]]),
    ['otherSeverities', countOthers],
    ['newOnes', (point) => point.new],
    ['goneOnes', ({ gone }) => gone],
    ['nowClosedOnes', ({ closed }) => closed],
    ['trendMark', (point) => marksText(point, texts)],
  ];
  return all.filter(
    ([key, read]) =>
      key === 'openStatus' ||
      points.some((point) => {
        const value = read(point);
        return value !== undefined && (value !== 0 || key === 'newOnes' || key === 'goneOnes');
      }),
  );
}

/** What may differ in days that say the same: that nothing came or went is said by leaving such a day out. */
const unequalKeys: ReadonlySet<PageTextKey> = new Set([
  'trendDay',
  'newOnes',
  'goneOnes',
  'nowClosedOnes',
  'trendMark',
]);

function trendRows(
  points: readonly TrendPoint[],
  columns: readonly Column[],
  texts: Texts,
): TrendRow[] {
  const rows = points.map((point, index) => {
    const values = columns.map(([, read]) => read(point));
    const before = points[index - 1];
    const isSame =
      before !== undefined &&
      point.source === undefined &&
      point.marks === undefined &&
      (point.new ?? 0) === 0 &&
      (point.gone ?? 0) === 0 &&
      (point.closed ?? 0) === 0 &&
      columns.every(([key, read], at) => unequalKeys.has(key) || read(before) === values[at]);
    return { point, before, values, isSame };
  });
  return rows
    .filter(({ isSame }, index) => !isSame || index === rows.length - 1)
    .map(({ point: { source }, before, values }) => ({
      cells: values.map((value) =>
        typeof value === 'number' ? texts.number(value) : (value ?? ''),
      ),
      ...(source !== undefined && { source }),
      canCompare: source !== undefined && before?.source !== undefined,
    }))
    .reverse();
}

/** `22 Nov: 120 open, Critical 41, High 79` */
function pointText(point: TrendPoint, { texts, dayOf }: Words): string {
  const { open, severity } = point;
  const counts = trendLevels
    .filter((level) => severity[level] > 0)
    .map((level) => `${texts.get(level)} ${texts.number(severity[level])}`);
  const others = countOthers(point);
  if (others > 0) {
    counts.push(`${texts.get('otherSeverities')} ${texts.number(others)}`);
  }
  return `${dayOf(point)}: ${[texts.get('openCount', open), ...counts].join(', ')}`;
}

/** `Breach, Scores recalibrated`; `undefined` if nothing happened. */
function marksText({ marks }: TrendPoint, texts: Texts): string | undefined {
  return marks?.map((mark) => texts.get(markKeys[mark])).join(', ');
}

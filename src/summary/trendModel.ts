import type { PageTextKey } from './pageTexts';
import type { Texts } from './texts';
import { gradeBands, pointBefore, type TrendLevel, trendLevels, type TrendPoint } from './trend';

/** Today is compared with the time so many days ago. */
const comparedDays = [30, 90] as const;

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
    readonly bars: readonly { readonly x: number; readonly new: number; readonly gone: number }[];
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

/** @param points the oldest first. */
export function trendModel(points: readonly TrendPoint[], texts: Texts): TrendModel {
  const [first] = points;
  const last = points.at(-1);
  const [from, to] = [first?.at ?? 0, last?.at ?? 0];
  const xOf = ({ at }: TrendPoint) => (to === from ? 0.5 : (at - from) / (to - from));
  const columns = usedColumns(points, texts);
  const bars = points
    .filter((point) => point.new !== undefined || point.gone !== undefined)
    .map((point) => ({ x: xOf(point), new: point.new ?? 0, gone: point.gone ?? 0 }));
  return {
    facts: trendFacts(points, texts),
    days: [...new Set([from, to].map((at) => texts.utcDay(at)))],
    findings: findingLines(points, xOf, texts),
    ...(bars.length > 0 && {
      changes: { most: Math.max(1, ...bars.flatMap((bar) => [bar.new, bar.gone])), bars },
    }),
    ...(points.some(({ score }) => score !== undefined) && { score: scoreLine(points, xOf) }),
    marks: points.flatMap((point) =>
      point.mark === undefined
        ? []
        : {
            x: xOf(point),
            word: markText(point.mark, texts),
            label: `${texts.utcDay(point.at)}: ${markText(point.mark, texts)}`,
          },
    ),
    targets: points.flatMap((point) =>
      point.source === undefined
        ? []
        : { x: xOf(point), label: pointText(point, texts), source: point.source },
    ),
    headings: columns.map(([key]) => texts.get(key)),
    rows: trendRows(points, columns, texts),
  };
}

/** How the last point differs from earlier ones: `Critical 41, 12 more than 30 days ago, 3 fewer than 90 days ago`. */
export function trendFacts(points: readonly TrendPoint[], texts: Texts): string[] {
  const last = points.at(-1);
  if (!last) {
    return [];
  }
  const earlier = comparedDays.flatMap((days) => {
    const point = pointBefore(points, days);
    return point ? [{ days, point }] : [];
  });
  const levels = trendLevels.filter(
    (level) => last.severity[level] > 0 || earlier.some(({ point }) => point.severity[level] > 0),
  );
  const { score } = last;
  return [
    ...(score === undefined ? [] : [scoreFact(last, score, earlier, texts)]),
    ...levels.map((level) => {
      const count = last.severity[level];
      return [
        `${texts.get(level)} ${texts.number(count)}`,
        ...earlier.map(({ days, point }) =>
          differenceText(count - point.severity[level], days, texts),
        ),
      ].join(', ');
    }),
  ];
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
  readonly days: number;
  readonly point: TrendPoint;
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
    ...earlier.flatMap(({ days, point }) => {
      const difference = score - (point.score ?? Number.NaN);
      return Number.isNaN(difference)
        ? []
        : difference === 0
          ? texts.get('asDaysAgo', days)
          : difference > 0
            ? texts.get('higherThanDaysAgo', difference, days)
            : texts.get('lowerThanDaysAgo', -difference, days);
    }),
  ].join(', ');
}

function differenceText(difference: number, days: number, texts: Texts): string {
  if (difference === 0) {
    return texts.get('asManyAsDaysAgo', days);
  }
  return difference > 0
    ? texts.get('moreThanDaysAgo', difference, days)
    : texts.get('fewerThanDaysAgo', -difference, days);
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
    if (point.mark === 'recalibration') {
      pieces.push([]);
    }
    const at = place(point);
    if (at) {
      pieces.at(-1)?.push(at);
    }
  }
  return pieces.filter(({ length }) => length > 0);
}

function usedColumns(points: readonly TrendPoint[], texts: Texts): Column[] {
  const all: Column[] = [
    ['trendDay', ({ at }) => texts.utcDay(at)],
    [
      'score',
      ({ score, grade }) =>
        score === undefined ? undefined : [grade, texts.number(score)].filter(Boolean).join(' '),
    ],
    ['openStatus', ({ open }) => open],
    ...trendLevels.map((level): Column => [level, ({ severity }) => severity[level]]),
    ['newOnes', (point) => point.new],
    ['goneOnes', ({ gone }) => gone],
    ['trendMark', ({ mark }) => mark && markText(mark, texts)],
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
      columns.every(([key, read], at) => key === 'trendDay' || read(before) === values[at]);
    return { point, before, values, isSame };
  });
  return rows
    .filter(({ isSame }) => !isSame)
    .map(({ point: { source }, before, values }) => ({
      cells: values.map((value) =>
        typeof value === 'number' ? texts.number(value) : (value ?? ''),
      ),
      ...(source !== undefined && { source }),
      canCompare: source !== undefined && before?.source !== undefined,
    }))
    .reverse();
}

/** `22 Nov 2026: 120 open, Critical 41, High 79` */
function pointText({ at, open, severity }: TrendPoint, texts: Texts): string {
  const counts = trendLevels
    .filter((level) => severity[level] > 0)
    .map((level) => `${texts.get(level)} ${texts.number(severity[level])}`);
  return `${texts.utcDay(at)}: ${[texts.get('openCount', open), ...counts].join(', ')}`;
}

function markText(mark: NonNullable<TrendPoint['mark']>, texts: Texts): string {
  return texts.get(mark === 'breach' ? 'breachMark' : 'recalibrationMark');
}

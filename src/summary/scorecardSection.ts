import {
  type ColumnCounts,
  type DistinctValue,
  type Filter,
  isEmptyValue,
  keysOf,
  type Overview,
} from '../engine/page';
import type { Rating, Ratings } from '../vocabulary/grade';
import type { Texts } from './texts';
import {
  type Section,
  severityParts,
  severityText,
  scorecardText,
  type SideCell,
  valueRow,
} from './countRows';
import type { Tone } from './severityTones';

/** The worst severities that have a column of their own. */
const maxSeverities = 4;

/** The worst scorecards, each with its findings by severity, and how its company is rated where that is known. */
export function scorecardSection(
  { column, worst, total }: NonNullable<Overview['scorecards']>,
  severity: ColumnCounts,
  { texts, ratings = {} }: { readonly texts: Texts; readonly ratings?: Ratings },
  tone: (severity: string) => Tone,
): Section {
  const title = texts.get('scorecards');
  const heading = texts.get('scorecard');
  const shown = severity.values.filter((value) => !isEmptyValue(value)).slice(0, maxSeverities);
  const more = total - worst.length;
  const ratingOf = (id: string) => ratingText(ratings[id.toLowerCase()], texts);
  // The order is by ratings first, which the counts beside them would seem to contradict.
  const hasRatings = worst.some(({ value }) => ratingOf(value.cell.text) !== '');
  return {
    id: 'scorecards',
    kind: 'issues',
    numbersFrom: hasRatings ? 2 : 1,
    title: more > 0 ? texts.get('worstOf', title, worst.length, total) : title,
    headings: [
      heading,
      ...(hasRatings ? [texts.get('ratedNow')] : []),
      ...shown.map(({ cell }) => severityText(cell.text, texts)),
      texts.get('findingsCount'),
    ],
    rows: worst.map(({ value: of, domain, severities }) => {
      const write = (id: string) => scorecardText(id, domain, texts);
      const row = valueRow(of, column, texts, heading, write);
      const cellOf = (value: DistinctValue): SideCell => {
        const count = severities.find(({ key }) => key === value.key)?.count;
        const word = severityText(value.cell.text, texts);
        const isSeverity: Filter = { op: 'in', column: severity.column, keys: keysOf(value) };
        return row.chosen
          ? {
              text: count === undefined ? '' : texts.number(count),
              chosen: {
                label: `${row.label}: ${word}`,
                filter: { op: 'and', of: [row.chosen.filter, isSeverity] },
              },
            }
          : { text: '' };
      };
      return {
        ...row,
        // The order is by the worst severity, which a bar in one color would seem to contradict.
        ...severityParts(severities, of.count, tone),
        cells: [...(hasRatings ? [{ text: ratingOf(of.cell.text) }] : []), ...shown.map(cellOf)],
      };
    }),
  };
}

/** How the only company is rated that findings are of, such as `Score now: F 47`. */
export function ratingFacts(
  { scorecards, domains = {} }: Overview,
  { texts, ratings = {} }: { readonly texts: Texts; readonly ratings?: Ratings },
): string[] {
  const [only = '', ...others] = Object.keys(domains);
  const rating = scorecards || others.length > 0 ? '' : ratingText(ratings[only], texts);
  return rating === '' ? [] : [`${texts.get('ratedNow')}: ${rating}`];
}

/** `F 47` */
function ratingText({ grade, score }: Rating = {}, texts: Texts): string {
  return [grade, score === undefined ? undefined : texts.number(score)]
    .filter((part) => part !== undefined)
    .join(' ');
}

import { type ColumnCounts, isEmptyValue, keysOf, type Overview } from '../engine/page';
import type { Texts } from './texts';
import { type Section, severityParts, severityText, scorecardText, valueRow } from './countRows';
import type { Tone } from './severityTones';

/** The worst severities that have a column of their own. */
const maxSeverities = 4;

/** The worst scorecards, each with its findings by severity. */
export function scorecardSection(
  { column, worst, total }: NonNullable<Overview['scorecards']>,
  severity: ColumnCounts,
  texts: Texts,
  tone: (severity: string) => Tone,
): Section {
  const title = texts.get('scorecards');
  const heading = texts.get('scorecard');
  const shown = severity.values.filter((value) => !isEmptyValue(value)).slice(0, maxSeverities);
  const more = total - worst.length;
  return {
    id: 'scorecards',
    kind: 'issues',
    numbersFrom: 1,
    title: more > 0 ? texts.get('worstOf', title, worst.length, total) : title,
    headings: [
      heading,
      ...shown.map(({ cell }) => severityText(cell.text, texts)),
      texts.get('findingsCount'),
    ],
    rows: worst.map(({ value: of, domain, severities }) => {
      const write = (id: string) => scorecardText(id, domain, texts);
      const row = valueRow(of, column, texts, heading, write);
      const filter = row.chosen?.filter;
      return {
        ...row,
        // The order is by the worst severity, which a bar in one color would seem to contradict.
        ...severityParts(severities, of.count, tone),
        cells: shown.map((value) => {
          const { key, cell } = value;
          const count = severities.find((each) => each.key === key)?.count;
          const word = severityText(cell.text, texts);
          return !filter
            ? { text: '' }
            : {
                text: count === undefined ? '' : texts.number(count),
                chosen: {
                  label: `${row.label}: ${word}`,
                  filter: {
                    op: 'and',
                    of: [filter, { op: 'in', column: severity.column, keys: keysOf(value) }],
                  },
                },
              };
        }),
      };
    }),
  };
}

import { cell, line } from '../../base/text/markdown';
import type { TableOverview } from './plainOverview';

/** The most values of a column in a summary. */
const maxValues = 10;

/** The texts of this extension in a summary. */
export interface MarkdownTexts {
  readonly title: string;
  /** The heading of counts. */
  readonly rows: string;
  /** The label of rows with other values, or without a value. */
  readonly other: string;
  /** How many rows there are. */
  readonly total: string;
  /** The heading of months. */
  readonly month: string;
}

/** The counts of a file, as tables. */
export function markdownSummary(overview: TableOverview, texts: MarkdownTexts): string {
  const { severity, issueType, factor, status, firstSeen } = overview;
  const tables = [severity, issueType, factor, status].flatMap((counts) => {
    if (!counts) {
      return [];
    }
    const { column, values } = counts;
    const shown = values.slice(0, maxValues);
    const other = counts.other + values.slice(maxValues).reduce((sum, { count }) => sum + count, 0);
    return [
      [
        line([cell(column), texts.rows]),
        line(['---', '---:']),
        ...shown.map(({ value, count }) => line([cell(value), String(count)])),
        ...(other > 0 ? [line([texts.other, String(other)])] : []),
      ].join(''),
    ];
  });
  if (firstSeen && firstSeen.months.length > 0) {
    tables.push(
      [
        line([`${texts.month} (${cell(firstSeen.column)})`, texts.rows]),
        line(['---', '---:']),
        ...firstSeen.months
          .slice(-12)
          .map(({ month, count }) => line([cell(month), String(count)])),
      ].join(''),
    );
  }
  return [`### ${texts.title}\n`, `${texts.total}\n`, ...tables].join('\n');
}

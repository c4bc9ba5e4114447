import { compareListed, severityScale } from '../base/text/orderedWords';
import type { ComparisonAbout, Tallies } from '../engine/values/comparisonAbout';
import { cell, code, line } from '../base/text/markdown';

/** The texts of a comparison that are not data. */
interface ComparisonMarkdownTexts {
  /** Which files are compared, as Markdown. */
  readonly title: string;
  /** "37 new, 12 gone, 5 changed" */
  readonly counts: string;
  readonly unchanged: string;
  /** The headings of what is new, gone and changed. */
  readonly changes: readonly string[];
  /** The label of records without a severity or an issue type. */
  readonly noValue: string;
}

/** The most issue types in a table. */
const maxTypes = 10;

/** What is new, gone and changed, by severity and by issue type, for a ticket. */
export function markdownComparison(
  { severities, issueTypes, warnings }: ComparisonAbout,
  texts: ComparisonMarkdownTexts,
): string {
  const parts = [`### ${texts.title}\n`, `${texts.counts} \u00b7 ${texts.unchanged}\n`];
  if (warnings.length > 0) {
    parts.push(warnings.map((warning) => `- ${code(warning)}\n`).join(''));
  }
  if (severities) {
    const listed = severities.values
      .map((tally) => ({ tally, word: tally.value, count: tally.new + tally.gone + tally.changed }))
      .sort((one, other) => compareListed(severityScale, one, other))
      .map(({ tally }) => tally);
    parts.push(tableOf({ ...severities, values: listed }, texts));
  }
  if (issueTypes) {
    parts.push(tableOf({ ...issueTypes, values: issueTypes.values.slice(0, maxTypes) }, texts));
  }
  return parts.join('\n');
}

function tableOf({ column, values }: Tallies, texts: ComparisonMarkdownTexts): string {
  return [
    line([cell(column.replace(/^\//, '')), ...texts.changes]),
    line(['---', '---:', '---:', '---:']),
    ...values.map(({ value, new: added, gone, changed }) =>
      line([cell(value) || texts.noValue, ...[added, gone, changed].map(String)]),
    ),
  ].join('');
}

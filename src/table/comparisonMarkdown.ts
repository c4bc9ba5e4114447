import { compareListed, severityScale } from '../base/text/orderedWords';
import type { ComparisonAbout, Tally } from '../engine/values/comparisonAbout';
import { cell, inline, line } from '../base/text/markdown';
import type { Texts } from '../webview/texts';
import { comparedSides } from '../webview/views/comparisonModel';
import { severityText, wordsOf } from '../webview/views/countRows';

/** The most issue types in a table. */
const maxTypes = 10;

/** What is new, gone and changed, by severity and by issue type, for a ticket. */
export function markdownComparison(comparison: ComparisonAbout, texts: Texts): string {
  const { severities, issueTypes, warnings, new: added, gone, changed, unchanged } = comparison;
  const counts = texts.get('comparedCounts', added, gone, changed);
  const parts = [
    `### ${inline(comparedSides(comparison, texts))}\n`,
    `${counts} \u00b7 ${texts.get('unchangedCount', unchanged)}\n`,
  ];
  if (warnings.length > 0) {
    parts.push(warnings.map((warning) => `- ${inline(warning)}\n`).join(''));
  }
  const tableOf = (
    heading: string,
    values: readonly Tally[],
    write: (value: string, texts: Texts) => string,
  ) =>
    [
      line([
        heading,
        ...(['newOnes', 'goneOnes', 'changedOnes'] as const).map((key) => texts.get(key)),
      ]),
      line(['---', '---:', '---:', '---:']),
      ...values.map((tally) =>
        line([
          cell(write(tally.value, texts)),
          ...[tally.new, tally.gone, tally.changed].map((count) => texts.number(count)),
        ]),
      ),
    ].join('');
  if (severities) {
    const listed = severities.values
      .map((tally) => ({ tally, word: tally.value, count: tally.new + tally.gone + tally.changed }))
      .sort((one, other) => compareListed(severityScale, one, other))
      .map(({ tally }) => tally);
    parts.push(tableOf(texts.get('severity'), listed, severityText));
  }
  if (issueTypes) {
    parts.push(tableOf(texts.get('issueType'), issueTypes.values.slice(0, maxTypes), wordsOf));
  }
  return parts.join('\n');
}

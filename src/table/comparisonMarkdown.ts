import { cell, inline, line } from '../base/text/markdown';
import type { ComparisonAbout, Tally } from '../engine/values/comparisonAbout';
import type { Texts } from '../webview/texts';
import {
  changeTables,
  comparedSides,
  comparisonFacts,
  severityTallies,
} from '../webview/views/comparisonModel';
import { severityText } from '../webview/views/countRows';

/** What is new, gone and changed, by severity, scorecard and issue type, as the page shows it, for a ticket. */
export function markdownComparison(comparison: ComparisonAbout, texts: Texts): string {
  const { warnings } = comparison;
  const severities = severityTallies(comparison);
  return [
    `### ${inline(comparedSides(comparison, texts))}\n`,
    `${comparisonFacts(comparison, texts).map(inline).join(' \u00b7 ')}\n`,
    ...(warnings.length > 0 ? [warnings.map((warning) => `- ${inline(warning)}\n`).join('')] : []),
    ...(severities.length > 0
      ? [
          tableOf(
            [texts.get('severity')],
            severities.map((tally) => ({ cells: [severityText(tally.value, texts)], tally })),
            texts,
          ),
        ]
      : []),
    ...changeTables(comparison, texts).flatMap(({ heading, rows, more }) => {
      const hasSeverities = rows.some(({ severity }) => severity !== undefined);
      const cellsOf = ({ label, severity }: (typeof rows)[number]) =>
        hasSeverities ? [label, severity?.text ?? ''] : [label];
      const table = tableOf(
        hasSeverities ? [heading, texts.get('worstSeverity')] : [heading],
        rows.map((row) => ({ cells: cellsOf(row), tally: row.tally })),
        texts,
      );
      return more === undefined ? [table] : [table, `${more}\n`];
    }),
  ].join('\n');
}

function tableOf(
  headings: readonly string[],
  rows: readonly { readonly cells: readonly string[]; readonly tally: Tally }[],
  texts: Texts,
): string {
  const numbers = ['newOnes', 'goneOnes', 'changedOnes'] as const;
  return [
    line([...headings, ...numbers.map((key) => texts.get(key))]),
    line([...headings.map(() => '---'), ...numbers.map(() => '---:')]),
    ...rows.map(({ cells, tally: { new: added, gone, changed } }) =>
      line([...cells.map(cell), ...[added, gone, changed].map((count) => texts.number(count))]),
    ),
  ].join('');
}

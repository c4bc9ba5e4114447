import * as path from 'node:path';
import * as vscode from 'vscode';
import { plainPath, plainText } from '../../base/text/plainText';
import { withoutInvisible } from '../../base/text/visibleText';
import type { toolNames } from '../../contributions';
import type { Reports } from '../../service/reports/reports';
import { reportById } from '../../service/reports/ui/pickReport';
import { reportTitle } from '../../service/reports/ui/reportTexts';
import { formatNumber } from '../../workbench/format';
import { createTextMarkdown } from '../../workbench/views';
import { isPlainObject } from '../../base/json/json';
import { namesFile } from './answers/findTableFile';
import { rowLimit } from './answers/toolInput';

const { t } = vscode.l10n;

type Input = Readonly<Record<string, unknown>>;

/**
 * What chat asks a user before a tool runs: which report is meant, what is asked of it, and what leaves the
 * machine. The input is written by the model: it is shown as text only.
 */
export function confirmation(
  reports: Reports,
  name: (typeof toolNames)[number],
  input: Input,
): vscode.LanguageModelToolConfirmationMessages {
  const { title, lines } = parts(reports, name, input);
  return { title, message: createTextMarkdown(...lines) };
}

function parts(
  reports: Reports,
  name: (typeof toolNames)[number],
  input: Input,
): { readonly title: string; readonly lines: readonly string[] } {
  const label = (id: unknown) => findLabel(reports, id);
  const subject = (id: unknown) =>
    typeof id === 'string' && namesFile(id)
      ? t('File: {0}', label(id))
      : t('Report: {0}', label(id));
  switch (name) {
    case 'scorecard_list':
      return {
        title: t('List Scorecards and Reports'),
        lines: [
          t('The language model gets the names of your scorecards and reports, and no findings.'),
        ],
      };
    case 'scorecard_report_overview':
      return {
        title: t('Overview of a Report'),
        lines: [
          subject(input.report),
          t(
            'The language model gets counts, such as of severities, issue types and assets with their names. Secret values stay masked.',
          ),
        ],
      };
    case 'scorecard_query_report':
      return {
        title: t('Query a Report'),
        lines: [
          subject(input.report),
          ...describeQuery(input),
          mostRowsText(rowLimit(input.limit)),
        ],
      };
    case 'scorecard_compare_reports':
      return {
        title: t('Compare Two Reports'),
        lines: [
          t('Compared: {0} and {1}', label(input.before), label(input.after)),
          t(
            'The language model gets counts and at most {0} differences. Secret values stay masked.',
            formatNumber(rowLimit(undefined)),
          ),
        ],
      };
    case 'scorecard_trend':
      return {
        title: t('Trend of a Report'),
        lines: [
          subject(input.report),
          t('The language model gets how many findings are open in it and in earlier ones.'),
        ],
      };
  }
}

function mostRowsText(limit: number): string {
  return limit === 1
    ? t('The language model gets at most 1 row. Secret values stay masked.')
    : t(
        'The language model gets at most {0} rows. Secret values stay masked.',
        formatNumber(limit),
      );
}

function describeQuery({ filter, sort, groupBy }: Input): string[] {
  const items = (value: unknown) => (Array.isArray(value) ? value : []) as unknown[];
  const member = (item: unknown, key: string) => shown(isPlainObject(item) ? item[key] : undefined);
  const filters = items(filter).map((item) => `${member(item, 'column')}: ${member(item, 'text')}`);
  const order = items(sort).map((item) => member(item, 'column'));
  const groups = items(groupBy).map(shown);
  return [
    ...(filters.length > 0 ? [t('Filter: {0}', filters.join('; '))] : []),
    ...(order.length > 0 ? [t('Sorted by {0}', order.join(', '))] : []),
    ...(groups.length > 0 ? [t('Grouped by {0}', groups.join(', '))] : []),
  ];
}

function findLabel(reports: Reports, id: unknown): string {
  try {
    return reportTitle(reportById(reports, String(id)));
  } catch {
    // Its end says which file it is, whatever is before it.
    return withoutInvisible(plainPath(path.posix.normalize(String(id).replaceAll('\\', '/'))));
  }
}

function shown(value: unknown): string {
  return withoutInvisible(
    plainText(typeof value === 'string' ? value : JSON.stringify(value ?? ''), 100),
  );
}

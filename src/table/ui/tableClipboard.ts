import * as vscode from 'vscode';
import { severityLevels } from '../../base/text/orderedWords';
import { systemClock } from '../../base/events/clock';
import { code } from '../../base/text/markdown';
import { plainOverview } from '../../engine/overview/plainOverview';
import type { TableCallOptions, TableHandle } from '../../engine/engine';
import { markdownRecord } from '../../engine/query/tableMarkdown';
import { markdownSummary } from '../../engine/overview/summaryMarkdown';
import { markdownComparison } from '../comparisonMarkdown';
import { oldColumn } from '../../engine/values/comparisonColumns';
import type { TableInfo, TableRecord } from '../../engine/types';
import { type SeverityNames, shownCell } from '../../engine/values/shownWords';
import { TableError } from '../../engine/values/tableError';
import { formatMoment, formatNumber } from '../../workbench/format';
import { localizedTexts } from '../../workbench/webviewPage';
import type { ClipboardCalls, FileAbout, PageRequest } from '../../webview/protocol';

const { t } = vscode.l10n;

/** The file of a table. */
interface SourceFile {
  readonly path: string;
  readonly about: FileAbout;
}

type ClipboardRequest = PageRequest<keyof ClipboardCalls>;
type Table = Pick<TableHandle, 'call' | 'info'>;

export function isClipboardRequest(request: PageRequest): request is ClipboardRequest {
  switch (request.type) {
    case 'copy':
    case 'copyRecord':
    case 'copySummary':
    case 'copySql':
      return true;
    default:
      return false;
  }
}

/** Copies to the clipboard. @returns the answer for the page @throws TableError */
export async function copyToClipboard(
  table: Table,
  file: SourceFile,
  request: ClipboardRequest,
  options: TableCallOptions,
): Promise<unknown> {
  const { text, ...copied } = await textOf(table, file, request, options);
  if (options.signal?.aborted === true) {
    // The clipboard stays unchanged.
    throw new TableError('cancelled', 'The copy was cancelled.');
  }
  await vscode.env.clipboard.writeText(text);
  return request.type === 'copy' ? copied : null;
}

async function textOf(
  table: Table,
  file: SourceFile,
  request: ClipboardRequest,
  options: TableCallOptions,
): Promise<{ readonly text: string }> {
  switch (request.type) {
    case 'copy':
      return table.call(
        'copy',
        request.format === 'markdown' ? { ...request, severityNames: severityNames() } : request,
        options,
      );
    case 'copyRecord': {
      const record = await table.call('record', request, options);
      const title = t('Record {0} of {1}', formatNumber(record.record + 1), titleOf(file.about));
      const compared = file.about.comparison !== undefined;
      return { text: markdownRecord(shownRecord(record, table.info), { title, compared }) };
    }
    case 'copySummary':
      return { text: await summaryOf(table, file, options) };
    case 'copySql': {
      const { dialect, query, columns } = request;
      const { path } = file;
      return { text: await table.call('sql', { path, dialect, query, columns }, options) };
    }
  }
}

function severityNames(): SeverityNames {
  const texts = localizedTexts();
  return Object.fromEntries(severityLevels.map((level) => [level, texts[level] ?? level]));
}

/** A record with severities and keys of the service as users read them. */
function shownRecord(record: TableRecord, { columns }: TableInfo): TableRecord {
  const roles = new Map(
    columns.flatMap(({ id, role }) =>
      role ? [id, oldColumn(id)].map((each) => [each, role]) : [],
    ),
  );
  const names = severityNames();
  return {
    ...record,
    fields: record.fields.map(({ cell, ...field }) => ({
      ...field,
      cell: shownCell(cell, roles.get(field.column), names),
    })),
  };
}

async function summaryOf(
  table: Table,
  file: SourceFile,
  options: TableCallOptions,
): Promise<string> {
  const { comparison } = file.about;
  if (comparison) {
    return markdownComparison(comparison, {
      title: [comparison.before, comparison.after].map(titleOf).join(' \u2192 '),
      counts: t(
        '{0} new, {1} gone, {2} changed',
        ...[comparison.new, comparison.gone, comparison.changed].map(formatNumber),
      ),
      unchanged: t('{0} unchanged', formatNumber(comparison.unchanged)),
      changes: [t('New'), t('No longer reported'), t('Changed')],
      noValue: t('No value'),
    });
  }
  const overview = await table.call('counted', { now: systemClock.now() }, options);
  const { rows } = overview;
  return markdownSummary(plainOverview(overview, table.info.columns), {
    title: titleOf(file.about),
    total: rows === 1 ? t('1 row') : t('{0} rows', formatNumber(rows)),
    rows: t('Rows'),
    other: t('Other values'),
    month: t('Month'),
  });
}

/** `` `Full report` · 15 Nov 2026 `` */
function titleOf({ title, madeAt }: Pick<FileAbout, 'title' | 'madeAt'>): string {
  return [code(title), ...(madeAt === undefined ? [] : [formatMoment(madeAt)])].join(' \u00b7 ');
}

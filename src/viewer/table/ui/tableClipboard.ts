import type { ColumnRole } from '../../../vocabulary/columnRole';
import * as vscode from 'vscode';
import { inline } from '../../../base/text/markdown';
import { oneLine } from '../../../base/text/visibleText';
import {
  type TableCallOptions,
  type TableHandle,
  markdownRecord,
  type Column,
  type TableInfo,
  type TableRecord,
  oldColumn,
  TableError,
} from '../../../engine';
import { comparisonMarkdown, countsMarkdown } from '../../../summary/overviewMarkdown';
import { shownCell } from '../../../vocabulary/shownWords';
import { findingProblem } from '../../../vocabulary/findingProblem';
import { formatMoment, formatNumber } from '../../../workbench/format';
import type { ClipboardCalls, PageRequest, SummaryParams } from '../../../protocol/tableProtocol';
import type { FileAbout } from '../../../summary/fileAbout';
import { Texts } from '../../../summary/texts';
import { wordsOf } from '../../../summary/countRows';
import { localizedTexts } from '../../../workbench/webviewPage';
import { type SqlFile, sqlOf } from '../../../links/reportsSql';
import { shownNames } from './shownNames';

const { t } = vscode.l10n;

/** UTF-16 units of what a record says that are in its title. */
const maxTitle = 120;

/** The file of a table. */
interface SourceFile extends SqlFile {
  readonly about: FileAbout;
  /** By UUID in lower case. */
  readonly scorecardNames: Readonly<Record<string, string>>;
}

type ClipboardRequest = PageRequest<keyof ClipboardCalls>;
type Table = Pick<TableHandle, 'call' | 'info'>;

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
        request.format === 'markdown' ? { ...request, names: shownNames() } : request,
        options,
      );
    case 'copyRecord': {
      const record = await table.call('record', request, options);
      const title = recordTitle(record, table.info.columns, file);
      const compared = file.about.comparison !== undefined;
      return { text: markdownRecord(shownRecord(record, table.info), { title, compared }) };
    }
    case 'copySummary':
      return { text: await summaryOf(table, file, request, options) };
    case 'copySql': {
      const { dialect, query, columns } = request;
      return { text: await sqlOf(table, file, { dialect, query, columns }, options) };
    }
  }
}

/** A record with severities and keys of the service as users read them. */
function shownRecord(record: TableRecord, { columns }: TableInfo): TableRecord {
  const roles = new Map(
    columns.flatMap(({ id, role }) =>
      role ? [id, oldColumn(id)].map((each) => [each, role]) : [],
    ),
  );
  const names = shownNames();
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
  { now, added, scope }: SummaryParams,
  options: TableCallOptions,
): Promise<string> {
  const { about } = file;
  const texts = textsOf(file);
  if (about.comparison) {
    return comparisonMarkdown(about.title, about.comparison, texts);
  }
  const since = about.previousAt;
  const params = { now, scope, ...(since !== undefined && { since }) };
  const overview = await table.call('readOverview', params, options);
  return countsMarkdown(overview, { texts, about, info: table.info, added, now });
}

function textsOf({ scorecardNames }: SourceFile): Texts {
  return new Texts(localizedTexts(), vscode.env.language, scorecardNames);
}

/** What a record is about, as Markdown: its issue type or what it says, and its asset; else its number. */
function recordTitle(
  { record, fields }: TableRecord,
  columns: readonly Column[],
  file: SourceFile,
): string {
  const textIn = (role: ColumnRole) => {
    const id = columns.find((column) => column.role === role)?.id;
    return fields.find(({ column }) => column === id)?.cell.text ?? '';
  };
  const members = Object.fromEntries(fields.map(({ name, cell }) => [name, cell.text]));
  const issueType = textIn('issueType');
  const subject =
    issueType === '' ? findingProblem(members).message : wordsOf(issueType, textsOf(file));
  const parts = [oneLine(subject ?? '').slice(0, maxTitle), oneLine(textIn('asset'))];
  const title = parts.filter((part) => part !== '').join(' \u00b7 ');
  return title === ''
    ? t('Record {0} of {1}', formatNumber(record + 1), titleOf(file.about))
    : inline(title);
}

/** `` `Full report` · 15 Nov 2026 `` */
function titleOf({ title, madeAt }: Pick<FileAbout, 'title' | 'madeAt'>): string {
  return [inline(title), ...(madeAt === undefined ? [] : [formatMoment(madeAt)])].join(' \u00b7 ');
}

import * as vscode from 'vscode';
import { type CopyFormat, isForPeople } from '../../../base/exportFormats';
import { writeInline } from '../../../base/text/markdown';
import {
  type TableCallOptions,
  type TableHandle,
  markdownRecord,
  type Column,
  type TableInfo,
  type TableRecord,
  type CopyRange,
  formatCell,
  oldColumn,
  TableError,
} from '../../../engine';
import { summaryMarkdown } from '../../../summary/summaryMarkdown';
import { spellName } from '../../../vocabulary/fieldNames';
import { formatMoment, formatNumber } from '../../../workbench/format';
import type { ClipboardCalls, PageRequest } from '../../../protocol/tableProtocol';
import type { FileAbout } from '../../../summary/fileAbout';
import { rowTitle } from '../rowTitle';
import { createTexts, type FileNames, reasonWords, titlesIn } from './exportWords';
import { readSummary } from './tableSummary';
import type { SqlQuestion } from './fileSource';

const { t } = vscode.l10n;

/** The file of a table. */
export interface CopiedFile extends FileNames {
  readonly writeSql: (question: SqlQuestion) => Promise<string>;
}

type ClipboardRequest = PageRequest<keyof ClipboardCalls>;
type Table = Pick<TableHandle, 'call' | 'info'>;

/** Copies to the clipboard. @returns the answer for the page @throws TableError */
export async function copyToClipboard(
  table: Table,
  file: CopiedFile,
  request: ClipboardRequest,
  options: TableCallOptions,
): Promise<unknown> {
  const { text, ...copied } = await writeText(table, file, request, options);
  if (options.signal?.aborted === true) {
    // The clipboard stays unchanged.
    throw new TableError('cancelled', 'The copy was cancelled.');
  }
  await vscode.env.clipboard.writeText(text);
  return request.type === 'copy' ? copied : null;
}

async function writeText(
  table: Table,
  file: CopiedFile,
  request: ClipboardRequest,
  options: TableCallOptions,
): Promise<{ readonly text: string }> {
  switch (request.type) {
    case 'copy':
      return table.call('copy', { ...request, ...readersOf(request.format, table, file) }, options);
    case 'copyRecord': {
      const record = await table.call('record', request, options);
      const title = recordTitle(record, table.info.columns, file);
      const compared = file.about.comparison !== undefined;
      return {
        text: markdownRecord(shownRecord(record, table.info, file), { title, compared }),
      };
    }
    case 'copySummary': {
      const { summary, texts } = await readSummary(table, file, request, options);
      return { text: summaryMarkdown(summary, texts) };
    }
    case 'copySql': {
      const { dialect, query, columns } = request;
      return { text: await file.writeSql({ dialect, query, columns }) };
    }
  }
}

/** What people read instead of what is in the file, or what programs get beside it. */
function readersOf(
  format: CopyFormat,
  { info }: Table,
  file: CopiedFile,
): Partial<Pick<CopyRange, 'names' | 'titles' | 'scorecards' | 'reasons'>> {
  const texts = createTexts(file);
  const { names, scorecards, changes } = texts;
  return isForPeople(format)
    ? {
        names: { texts: names.texts, scorecards, changes },
        titles: Object.fromEntries(titlesIn(info, file, texts)),
        ...(format === 'markdown' && { reasons: reasonWords(texts) }),
      }
    : { scorecards };
}

/** A record with its fields, severities and keys of the service as users read them. */
function shownRecord(record: TableRecord, info: TableInfo, file: CopiedFile): TableRecord {
  const texts = createTexts(file);
  const titles = titlesIn(info, file, texts);
  const roles = new Map(
    info.columns.flatMap(({ id, role }) =>
      role ? [id, oldColumn(id)].map((each) => [each, role]) : [],
    ),
  );
  return {
    ...record,
    fields: record.fields.map(({ cell, ...field }) => ({
      ...field,
      name: titles.get(field.column) ?? spellName(field.name),
      cell: formatCell(cell, roles.get(field.column), texts),
    })),
  };
}

/** What a record is about, as Markdown, or else its number. */
function recordTitle(
  { record, fields }: TableRecord,
  columns: readonly Column[],
  file: CopiedFile,
): string {
  const title = rowTitle(fields, columns, createTexts(file));
  return title === ''
    ? t('Record {0} of {1}', formatNumber(record + 1), formatTitle(file.about))
    : writeInline(title);
}

/** `` `Full report` · 15 Nov 2026 `` */
function formatTitle({ title, madeAt }: Pick<FileAbout, 'title' | 'madeAt'>): string {
  return [writeInline(title), ...(madeAt === undefined ? [] : [formatMoment(madeAt)])].join(
    ' \u00b7 ',
  );
}

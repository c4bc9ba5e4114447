import * as path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../../base/cancelledError';
import { UserError } from '../../../base/userError';
import type { Logger } from '../../../base/logger';
import { findSystemLocale, hasDecimalComma } from '../../../base/text/decimalComma';
import {
  isFileForPeople,
  isPacked,
  type TableExportFormat,
  tableExportFormats,
} from '../../../base/exportFormats';
import {
  checkTarget,
  offerOtherFolder,
  openExported,
  pickFormat,
  pickSecretValues,
  pickTarget,
} from '../../../workbench/saving/savePrompts';
import { withExportProgress } from '../../../workbench/saving/saveProgress';
import { toTargetError } from '../../../workbench/saving/saveErrors';
import type { ExportTarget, SaveTarget } from '../../../files/wholeFile';
import { revealFile } from '../../../workbench/saving/revealFile';
import { describeError } from '../../../workbench/describe';
import { type CommandCall, dismissed } from '../../../workbench/commandRunner';
import { describeForLog } from '../../../workbench/describeForLog';
import { formatNumber } from '../../../workbench/format';
import { showError, showInformation } from '../../../workbench/messages';
import { pickOne } from '../../../workbench/pick';
import type { ColumnId, TableInfo } from '../../../engine';
import type { ToldTable } from '../../../protocol/tableProtocol';
import type { LocalTable } from '../localTable';
import { withoutKnown } from '../knownFindings';
import { exportWords } from './exportWords';
import type { TableDocument } from './tableDocument';
import { checkScope, type TableScope } from '../tableScope';
import { writeTable } from '../writeTable';
import type { ArgumentOf, Exported } from '../../../commands';

const { t } = vscode.l10n;

/** Dependencies of an export. */
interface TableExportsDeps {
  readonly log: Logger;
}

/** How values are written. */
type ExportStyle = Pick<ArgumentOf<'scorecard.exportTable'>, 'words' | 'separator'>;

/** Exports the rows and columns that a call names, by default all. @throws UserError and others */
export async function exportTable(
  deps: TableExportsDeps,
  call: CommandCall<ArgumentOf<'scorecard.exportTable'>>,
  document: TableDocument,
): Promise<Exported | undefined> {
  const target = await checkTarget(call.args.to);
  const { format, words, separator } = call.args;
  return document.forProgram(async (table, file) => {
    const info = await table.call('checked', {});
    const named = checkScope(call.args, info.columns);
    const scope =
      call.args.known === 'without' ? { ...named, query: withoutKnown(named.query) } : named;
    const chosen = await complete(document, info, file, scope, call, {
      target,
      format,
      style: { words, separator },
    });
    return chosen && run(deps, document, chosen, call);
  });
}

/**
 * Exports what a page shows. Never rejects: errors are shown.
 * @param format chosen in the page. With a format, the visible columns are exported with secrets masked, and
 * the user only picks the file.
 */
export async function exportShown(
  deps: TableExportsDeps,
  document: TableDocument,
  { query, columns, rows }: ToldTable,
  format?: TableExportFormat,
): Promise<void> {
  const call: CommandCall = { by: 'user', args: {} };
  try {
    await document.forProgram(async (table, file) => {
      const info = await table.call('checked', {});
      const title = formatTitle(document);
      const isGrouped = (query.groupBy ?? []).length > 0;
      const which = isGrouped ? 'all' : await pickColumns(title, columns, info, format);
      if (which) {
        const scope = { query, ...(which === 'visible' && { columns }) };
        const options = format
          ? { format, secrets: 'masked' as const }
          : { question: rows === undefined ? undefined : formatQuestion(rows) };
        const chosen = await complete(document, info, file, scope, call, options);
        await (chosen && run(deps, document, chosen, call));
      }
    });
  } catch (error) {
    if (!(error instanceof CancelledError)) {
      deps.log.error(`Export of a table: ${describeForLog(error)}`);
      showError(describeError(error));
    }
  }
}

interface ExportChoice extends TableScope {
  readonly style: ExportStyle;
  readonly target: ExportTarget<TableExportFormat>;
  readonly reveal: boolean;
  /** Whether secret-like values were found and masked. */
  readonly hasMasked: boolean;
}

/** Adds the options that the call leaves out: a user picks format, secrets and file. */
async function complete(
  document: TableDocument,
  info: TableInfo,
  file: LocalTable,
  scope: TableScope,
  call: CommandCall,
  options: {
    readonly target?: SaveTarget | undefined;
    readonly format?: TableExportFormat | undefined;
    readonly secrets?: 'masked';
    readonly style?: ExportStyle;
    /** Asks for the format. */
    readonly question?: string | undefined;
  },
): Promise<ExportChoice | undefined> {
  const title = formatTitle(document);
  const format = options.format ?? (await pickFormat(title, tableExportFormats, options.question));
  if (!format) {
    return dismissed;
  }
  const { style = {} } = options;
  refuseMissingColumns(info, scope, format);
  refuseStyle(style, format);
  const hasSecrets =
    !file.isMasked &&
    info.columns.some(({ id, secret }) => secret && (scope.columns?.includes(id) ?? true));
  const secrets =
    hasSecrets && call.by === 'user' && !options.secrets
      ? await pickSecretValues(title, t('This table contains secret values'))
      : 'masked';
  if (!secrets) {
    return dismissed;
  }
  const target = options.target
    ? { ...options.target, format }
    : await pickTarget(createFileName(document, scope), format);
  const reveal = file.isMasked || secrets === 'shown';
  return target && { ...scope, style, target, reveal, hasMasked: hasSecrets && !reveal };
}

async function run(
  deps: TableExportsDeps,
  document: TableDocument,
  chosen: ExportChoice,
  call: CommandCall,
): Promise<Exported> {
  try {
    return await document.whileExporting(() => write(document, chosen, call));
  } catch (error) {
    if (call.by === 'api') {
      throw error;
    }
    return offerOtherFolder(error, describeError, async () => {
      const { target } = chosen;
      const other = await pickTarget(createFileName(document, chosen), target.format, target.path);
      await (other && run(deps, document, { ...chosen, target: other }, call));
    });
  }
}

async function write(
  document: TableDocument,
  { query, columns, style, target, reveal, hasMasked }: ExportChoice,
  call: CommandCall,
): Promise<Exported> {
  const { table, file } = await document.open();
  const { name, names } = document;
  const scorecardNames = document.scorecardNames();
  const about = file.about ?? { title: name };
  const part = {
    query,
    format: target.format,
    countName: t('Rows'),
    compared: about.comparison !== undefined,
    scorecards: scorecardNames,
    ...(columns && { columns }),
    sheetName: t('Rows'),
    ...((style.words ?? isFileForPeople(target.format)) && {
      words: exportWords(table.info, { about, scorecardNames, names }),
    }),
    decimalComma:
      style.separator === undefined ? hasDecimalComma(systemLocale()) : style.separator === ';',
  };
  const { count, cutCells } = await withExportProgress(
    t('Exporting {0}', document.name),
    ({ signal, onProgress }) =>
      writeTable(table, part, target, {
        reveal,
        signal,
        onProgress: (written, total) => {
          onProgress({ count: written, total });
        },
      }),
  ).catch((error: unknown) => {
    throw toTargetError(error, target.path);
  });
  if (call.by === 'user') {
    const outcome =
      count === 1
        ? t('Exported 1 row to {0}.', target.path)
        : t('Exported {0} rows to {1}.', formatNumber(count), target.path);
    const notes = [...(hasMasked ? [t('Secret values are masked.')] : []), ...cutNote(cutCells)];
    showInformation([outcome, ...notes].join(' '), [
      ...(isPacked(target.format)
        ? []
        : [
            {
              title: t('Open File'),
              run: () => openExported(target.path),
            },
          ]),
      { title: t('Reveal'), run: () => revealFile(target.path) },
    ]);
  }
  return { path: target.path, count, ...(cutCells > 0 && { cutCells }) };
}

/** That of the numbers of Excel. */
function systemLocale(): string {
  const { env, platform } = process;
  return findSystemLocale({ env, platform, language: vscode.env.language });
}

/** Says how many texts are not whole. */
function cutNote(cells: number): string[] {
  return cells === 0
    ? []
    : [
        cells === 1
          ? t('{0} cell has only the beginning of its text: Excel has no room for more.', cells)
          : t(
              '{0} cells have only the beginning of their texts: Excel has no room for more.',
              formatNumber(cells),
            ),
      ];
}

function createFileName({ name }: TableDocument, { query }: TableScope): string {
  const base = path.parse(name).name;
  return query.filter ? t('{0} - filtered', base) : base;
}

function formatTitle({ name }: TableDocument): string {
  return t('Export {0}', name);
}

/** Asks for the format, and says how many rows are written. */
function formatQuestion(rows: number): string {
  return rows === 1
    ? t('In which format? 1 row is written.')
    : t('In which format? {0} rows are written.', formatNumber(rows));
}

/** Lets the user pick columns, unless none with values is hidden or a format was chosen. */
async function pickColumns(
  title: string,
  visible: readonly ColumnId[],
  info: TableInfo,
  format: TableExportFormat | undefined,
): Promise<'visible' | 'all' | undefined> {
  const { columns, moreColumns } = info;
  const isOfFile = columns.length === visible.length && moreColumns === 0;
  if (isOfFile && columns.every(({ id }, at) => id === visible[at])) {
    return 'all';
  }
  const isNoneHidden =
    moreColumns === 0 && columns.every(({ id, empty }) => empty === true || visible.includes(id));
  return isNoneHidden || format
    ? 'visible'
    : pickOne(
        [
          {
            label: t('Visible columns ({0})', formatNumber(visible.length)),
            value: 'visible' as const,
          },
          {
            label: t('All columns ({0})', formatNumber(columns.length + moreColumns)),
            value: 'all' as const,
          },
        ],
        { title, placeHolder: t('Which columns?') },
      );
}

/** Refuses an export without the columns beyond the limit, which are only in the records of JSON files. */
function refuseMissingColumns(
  { columns, moreColumns, format: { kind } }: TableInfo,
  scope: TableScope,
  format: TableExportFormat,
): void {
  const isWhole = kind !== 'csv' && (format === 'json' || format === 'ndjson');
  if (moreColumns > 0 && !scope.columns && !isWhole && !scope.query.groupBy) {
    throw new UserError(
      t(
        'The file has {0} columns; only the first {1} can be exported like this. Name the columns, or export JSON files as JSON or NDJSON.',
        formatNumber(columns.length + moreColumns),
        formatNumber(columns.length),
      ),
      'badRequest',
    );
  }
}

/** Refuses a style that the format does not have. */
function refuseStyle({ words, separator }: ExportStyle, format: TableExportFormat): void {
  if (words === true && ['json', 'ndjson', 'parquet'].includes(format)) {
    throw new UserError(
      t(
        'JSON, NDJSON and Parquet have the names and values of the file. Leave out words, or export as CSV, TSV or an Excel workbook.',
      ),
      'badRequest',
    );
  }
  if (separator !== undefined && format !== 'excelCsv') {
    throw new UserError(
      t('Only CSV for Excel has a separator to choose. Leave it out, or export as excelCsv.'),
      'badRequest',
    );
  }
}

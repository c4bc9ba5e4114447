import * as vscode from 'vscode';
import type { TableCallOptions, TableHandle } from '../../engine/engine';
import { otherColumns } from '../../engine/query/sqlRefusal';
import { isSameQuery, type ReportPart, sqlOfFile, sqlOfReports } from '../../engine/query/sqlText';
import type { SqlRequest } from '../../engine/types';
import { TableError, tableCauseOf } from '../../engine/values/tableError';
import { describeError, localize } from '../../workbench/describe';
import { formatMoment, formatNumber } from '../../workbench/format';
import { showInformation } from '../../workbench/messages';
import { pickOne } from '../../workbench/pick';
import { percentOf, withProgressNotification } from '../../workbench/progressNotification';
import type { LocalTable, ReportsOfKind, WithReport } from '../localTable';
import { describeTableError } from './tableErrors';

const { t } = vscode.l10n;

/** A file that SQL is written for. */
export interface SqlFile {
  readonly path: string;
  readonly reportsOfKind?: LocalTable['reportsOfKind'] | undefined;
  readonly withReport: WithReport;
}

type SqlQuestion = Omit<SqlRequest, 'path' | 'like'>;
type Table = Pick<TableHandle, 'call'>;

/** The SQL for a file, or for all reports of its kind if a user chooses that. @throws TableError */
export async function sqlOf(
  table: Table,
  file: SqlFile,
  question: SqlQuestion,
  options: TableCallOptions,
): Promise<string> {
  const reports = file.reportsOfKind?.();
  if (!reports || reports.others.length === 0 || !(await isForAll(reports))) {
    const part = await table.call('sql', { ...question, path: file.path }, options);
    return sqlOfFile(question.dialect, part);
  }
  const total = reports.others.length + 1;
  let done = 0;
  const shown = {
    describe: () => t('{0} of {1} reports', formatNumber(done), formatNumber(total)),
    percent: () => percentOf(done, total),
  };
  return withProgressNotification(t('Checking reports for SQL'), shown, (cancelled) => {
    const signal = options.signal ? AbortSignal.any([cancelled, options.signal]) : cancelled;
    return sqlOfAll(table, file, reports, question, { ...options, signal }, () => {
      done += 1;
    });
  });
}

/** Whether a user wants the SQL for all reports of a kind. @throws TableError `cancelled` */
async function isForAll({ kind, others }: ReportsOfKind): Promise<boolean> {
  const count = formatNumber(others.length + 1);
  const chosen = await pickOne(
    [
      { label: t('This Report'), value: 'this' },
      {
        label: t('All Downloaded Reports of This Kind ({0})', count),
        description: kind,
        detail: t('Each row has the date of its report. All reports are checked first.'),
        value: 'all',
      },
    ],
    { title: t('Copy as SQL'), placeHolder: t('For which reports?') },
  );
  if (chosen === undefined) {
    throw new TableError('cancelled', 'No reports were chosen.');
  }
  return chosen === 'all';
}

async function sqlOfAll(
  table: Table,
  file: SqlFile,
  { madeAt, others }: ReportsOfKind,
  question: SqlQuestion,
  options: TableCallOptions & { readonly signal: AbortSignal },
  onChecked: () => void,
): Promise<string> {
  const { signal } = options;
  const shown = await table.call('sql', { ...question, path: file.path, like: {} }, options);
  const parts: ReportPart[] = [{ madeAt, part: shown }];
  const leftOut = new Map<string, string[]>();
  onChecked();
  for (const report of others) {
    try {
      const part = await file.withReport(
        report,
        (other, path) => other.call('sql', { ...question, path, like: shown.columns }, options),
        signal,
      );
      if (!isSameQuery(shown, part)) {
        throw new TableError('noSql', 'The query differs.', { details: [otherColumns.reason] });
      }
      parts.push({ madeAt: report.madeAt, part });
    } catch (error) {
      if (signal.aborted) {
        throw new TableError('cancelled', 'The copy was cancelled.', { cause: error });
      }
      const reason = reasonOf(error);
      leftOut.set(reason, [...(leftOut.get(reason) ?? []), formatMoment(report.madeAt)]);
    }
    onChecked();
  }
  tell(leftOut, parts.length, others.length + 1);
  return sqlOfReports(question.dialect, parts);
}

/** Why a report is left out. */
function reasonOf(error: unknown): string {
  const [reason] = error instanceof TableError ? error.details : [];
  const code = tableCauseOf(error);
  return reason ? localize(reason) : code ? describeTableError(code) : describeError(error);
}

/** @param leftOut the times of reports, by the reason. */
function tell(
  leftOut: ReadonlyMap<string, readonly string[]>,
  written: number,
  total: number,
): void {
  if (leftOut.size > 0) {
    const causes = [...leftOut].map(([reason, times]) => `${times.join(', ')}: ${reason}`);
    const counts = [written, total].map(formatNumber);
    const text = t('The SQL reads {0} of {1} reports; the others are left out.', ...counts);
    showInformation([text, ...causes].join(' '));
  }
}

import * as vscode from 'vscode';
import {
  type TableCallOptions,
  otherColumns,
  isSameQuery,
  type ReportPart,
  sqlOfFile,
  sqlOfReports,
  TableError,
  findTableCause,
} from '../engine';
import { localize } from '../workbench/describe';
import { describeReportError, reportName } from '../service/reports/ui/reportTexts';
import { formatMoment, formatNumber } from '../workbench/format';
import { showInformation } from '../workbench/messages';
import { pickOne } from '../workbench/pick';
import { withProgressNotification } from '../workbench/progressNotification';
import { storedFileUri } from '../workbench/storedFiles';
import { madeAt, type StoredReport } from '../service/reports/storedReport';
import type { SqlQuestion, SqlTable, WithTable } from '../viewer/table/ui/fileSource';
import { describeTableError } from '../viewer/table/ui/tableErrors';

const { t } = vscode.l10n;

/** A file of a report that SQL is written for. */
interface ReportSqlTable extends Omit<SqlTable, 'path'> {
  /** The shown file as SQL can ask it. @throws as unpacking does */
  readonly keepShown: (signal: AbortSignal) => Promise<string>;
  /** Absent if the report was removed. */
  readonly report: StoredReport | undefined;
  /** The other downloaded reports of its kind. */
  readonly others: readonly StoredReport[];
  readonly withTable: WithTable;
  /** The file of a report that SQL can ask. @throws as unpacking does */
  readonly keep: (report: StoredReport, signal: AbortSignal) => Promise<string>;
}

/**
 * Writes the SQL for a report, or for all reports of its kind if a user chooses that. Archives are unpacked after that.
 * @throws TableError, and as unpacking does
 */
export async function writeReportSql(
  file: ReportSqlTable,
  question: SqlQuestion,
  options: TableCallOptions,
): Promise<string> {
  const { table, report, others } = file;
  if (!report || others.length === 0 || !(await isForAll(report, others.length + 1))) {
    const path = await file.keepShown(options.signal ?? new AbortController().signal);
    const part = await table.call('sql', { ...question, path }, options);
    return sqlOfFile(question.dialect, part);
  }
  const total = others.length + 1;
  let done = 0;
  const progress = () => ({ done, total });
  return withProgressNotification(t('Checking reports for SQL'), progress, (cancelled) => {
    const signal = options.signal ? AbortSignal.any([cancelled, options.signal]) : cancelled;
    return sqlOfAll(file, report, question, { ...options, signal }, () => {
      done += 1;
    });
  });
}

/** Whether a user wants the SQL for all reports of a kind. @throws TableError `cancelled` */
async function isForAll(report: StoredReport, count: number): Promise<boolean> {
  const chosen = await pickOne(
    [
      { label: t('This Report'), value: 'this' },
      {
        label: t('All Downloaded Reports of This Kind ({0})', formatNumber(count)),
        description: reportName(report),
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
  file: ReportSqlTable,
  report: StoredReport,
  question: SqlQuestion,
  options: TableCallOptions & { readonly signal: AbortSignal },
  onChecked: () => void,
): Promise<string> {
  const { signal } = options;
  const { table } = file;
  const shownPath = await file.keepShown(signal);
  const shown = await table.call('sql', { ...question, path: shownPath, like: {} }, options);
  const parts: ReportPart[] = [{ madeAt: madeAt(report), part: shown }];
  const leftOut = new Map<string, string[]>();
  onChecked();
  for (const other of file.others) {
    try {
      const part = await file.withTable(
        storedFileUri(await file.keep(other, signal)),
        (otherTable, path) =>
          otherTable.call('sql', { ...question, path, like: shown.columns }, options),
        signal,
      );
      if (!isSameQuery(shown, part)) {
        throw new TableError('noSql', 'The query differs.', { details: [otherColumns.reason] });
      }
      parts.push({ madeAt: madeAt(other), part });
    } catch (error) {
      if (signal.aborted) {
        throw new TableError('cancelled', 'The copy was cancelled.', { cause: error });
      }
      const reason = describeReason(error);
      leftOut.set(reason, [...(leftOut.get(reason) ?? []), formatMoment(madeAt(other))]);
    }
    onChecked();
  }
  tell(leftOut, parts.length, file.others.length + 1);
  return sqlOfReports(question.dialect, parts);
}

/** Why a report is left out. */
function describeReason(error: unknown): string {
  const [reason] = error instanceof TableError ? error.details : [];
  const code = findTableCause(error);
  return reason
    ? localize(reason)
    : code
      ? describeTableError(code)
      : describeReportError(error).text;
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
    const text = t('The SQL reads {0} of {1} reports; the rest is left out.', ...counts);
    showInformation([text, ...causes].join(' '));
  }
}

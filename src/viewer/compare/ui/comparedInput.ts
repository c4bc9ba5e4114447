import type * as vscode from 'vscode';
import type { ComparedSide } from '../../../engine';
import { madeAt, type StoredReport } from '../../../service/reports/reportRecord';
import { reportName } from '../../../service/reports/ui/reportTexts';
import type { SwappedComparison } from '../../table/localTable';
import { localPath, storedFileUri } from '../../../workbench/storedFiles';

export interface ComparedInput extends ComparedSide {
  readonly uri: vscode.Uri;
  readonly report?: StoredReport;
}

export function inputOf(report: StoredReport): ComparedInput {
  return {
    uri: storedFileUri(report.path ?? ''),
    report,
    title: reportName(report),
    madeAt: madeAt(report),
  };
}

/** The data of a file to compare that is stored with the result. */
export function sideOf({ title, madeAt: at }: ComparedInput): ComparedSide {
  return { title, ...(at !== undefined && { madeAt: at }) };
}

/**
 * The arguments that compare two files the other way round; `undefined` for two reports, whose times tell their
 * order, and for files that are not on this machine.
 */
export function swappedArgs(
  before: ComparedInput,
  after: ComparedInput,
  by: Pick<SwappedComparison, 'key' | 'list'> = {},
): SwappedComparison | undefined {
  const [older, newer] = [after, before].map(({ report, uri }) => report?.id ?? localPath(uri));
  const areReports = before.report !== undefined && after.report !== undefined;
  return areReports || older === undefined || newer === undefined
    ? undefined
    : { before: older, after: newer, ...by };
}

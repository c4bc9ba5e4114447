import type * as vscode from 'vscode';
import type { ComparedSide } from '../../engine/values/comparisonAbout';
import { madeAt, type StoredReport } from '../../reports/reportRecord';
import { reportUri } from '../../reports/ui/reportFiles';
import { reportName } from '../../reports/ui/reportTexts';

/** A file to compare. */
export interface ComparedInput extends ComparedSide {
  readonly uri: vscode.Uri;
  readonly report?: StoredReport;
}

/** A report as one of the files to compare. */
export function inputOf(report: StoredReport): ComparedInput {
  return {
    uri: reportUri(report.path ?? '', false),
    report,
    title: reportName(report),
    madeAt: madeAt(report),
  };
}

/** The data of a file to compare that is stored with the result. */
export function sideOf({ title, madeAt: at }: ComparedInput): ComparedSide {
  return { title, ...(at !== undefined && { madeAt: at }) };
}

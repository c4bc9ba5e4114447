import type * as vscode from 'vscode';
import { reportScheme } from '../contributions';
import type { StoredReport } from '../service/reports/storedReport';
import { loadedReportOfFile, type ReportLookup } from '../service/reports/ui/reportFiles';
import { localPath } from '../workbench/storedFiles';

/** The report that an editor shows, among those that have been read; `undefined` for any other file. */
export function shownReport(lookup: ReportLookup, uri: vscode.Uri): StoredReport | undefined {
  return uri.scheme === reportScheme ? loadedReportOfFile(lookup, localPath(uri) ?? '') : undefined;
}

import * as vscode from 'vscode';
import { systemClock } from '../base/events/clock';
import { previousReport } from '../service/reports/previousReport';
import { isSameRequest, madeAt, type StoredReport } from '../service/reports/storedReport';
import type { Reports } from '../service/reports/reports';
import { reportFile, reportOfFile, type ReportLookup } from '../service/reports/ui/reportFiles';
import { reportById } from '../service/reports/ui/pickReport';
import { ReportNode } from '../service/reports/ui/reportsView';
import {
  describeState,
  reportName,
  reportTitle,
  describeScope,
} from '../service/reports/ui/reportTexts';
import type { StoredFile, StoredFiles } from '../viewer/table/ui/storedFile';
import { localPath, storedFileUri } from '../workbench/storedFiles';
import type { TreeNode } from '../workbench/views';

const { t } = vscode.l10n;

/** The reports, as the commands of tables and comparisons know them. */
export class StoredReports implements StoredFiles {
  constructor(private readonly lookup: ReportLookup & { readonly reports: Reports }) {}

  list(): readonly StoredFile[] {
    return this.lookup.reports
      .listShown()
      .filter(({ state }) => state === 'ready')
      .map((report) => this.fileOf(report));
  }

  async get(id: string): Promise<StoredFile> {
    const report = reportById(this.lookup.reports, id);
    await reportFile(report);
    return this.fileOf(report);
  }

  async find(uri: vscode.Uri): Promise<StoredFile | undefined> {
    const file = localPath(uri);
    const report = file === undefined ? undefined : await reportOfFile(this.lookup, file);
    return report && this.fileOf(report);
  }

  idOf(node: TreeNode): string | undefined {
    return node instanceof ReportNode ? node.report.id : undefined;
  }

  previousOf({ id }: StoredFile): StoredFile | undefined {
    const { reports } = this.lookup;
    const previous = previousReport(reportById(reports, id), reports.listShown());
    return previous && this.fileOf(previous);
  }

  /** How two reports differ in kind, account, scope or request. */
  listWarnings(before: StoredFile, after: StoredFile): readonly string[] {
    const { reports } = this.lookup;
    return listWarnings(reportById(reports, before.id), reportById(reports, after.id));
  }

  fileOf(report: StoredReport): StoredFile {
    return {
      id: report.id,
      uri: storedFileUri(report.path ?? ''),
      title: reportName(report),
      madeAt: madeAt(report),
      label: reportTitle(report),
      description: describeState(this.lookup.reports, report, systemClock.now()),
    };
  }
}

/** What a user should know who compares two reports of different kinds, accounts, scopes or requests. */
export function listWarnings(older: StoredReport, newer: StoredReport): readonly string[] {
  const kinds = [older.kind, newer.kind];
  const warnings: string[] = [];
  if (older.kind !== newer.kind) {
    warnings.push(
      kinds.includes('issues')
        ? t('The reports are of different kinds: their fields differ.')
        : t('One is a full report, the other a detailed report: their fields differ.'),
    );
  }
  if (older.accountId !== newer.accountId) {
    warnings.push(t('The reports belong to different accounts.'));
  } else if (older.scorecardId !== newer.scorecardId) {
    warnings.push(
      t(
        'The reports are about different scorecards: "{0}" and "{1}".',
        describeScope(older),
        describeScope(newer),
      ),
    );
  } else if (older.kind === newer.kind && !isSameRequest(older, newer)) {
    warnings.push(
      t(
        'The reports were requested with different bodies: findings that only one of them covers count as new or no longer reported.',
      ),
    );
  }
  return warnings;
}

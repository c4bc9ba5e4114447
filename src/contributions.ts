/**
 * The names that package.json declares, each defined once in code with its type. A test fails if the two
 * differ.
 */

export const extensionId = 'scorecard-tools.scorecard-explorer';

/** The walkthrough, as VS Code opens it. */
export const walkthroughId = `${extensionId}#scorecard.start`;

export const toolNames = [
  'scorecard_list',
  'scorecard_report_overview',
  'scorecard_query_report',
  'scorecard_compare_reports',
  'scorecard_trend',
] as const;

export const viewIds = {
  findings: 'scorecard.findings',
  reports: 'scorecard.reports',
  collections: 'scorecard.collections',
} as const;

/** The custom editor that shows files as tables. */
export const reportTableId = 'scorecard.reportTable';

/** The custom editor that shows a finding as a record. */
export const findingRecordId = 'scorecard.findingRecord';

/** The extension of the documents of `findingRecordId`. */
export const findingRecordEnding = '.finding';

/** The custom editor that shows an entry of a collection as a record. */
export const entryRecordId = 'scorecard.entryRecord';

/** The extension of the documents of `entryRecordId`. */
export const entryRecordEnding = '.entry';

/** The tab that shows a trend. */
export const trendTabId = 'scorecard.trend';

export const logChannelName = 'Scorecard';

/** The settings below `scorecard.`, with the type of each value as the manifest declares it. */
export interface SettingTypes {
  baseUrl: string;
  service: 'auto' | 'interface' | 'securityScorecard';
  scorecards: unknown[];
  collections: unknown[];
  pageSize: number;
  requestsPerHour: number;
  requestTimeoutSeconds: number;
  showCounts: boolean;
  sortFindingsBy: 'severity' | 'name';
  showFactors: boolean;
  openFindingsAs: 'record' | 'json';
  /** The least severity of new findings that a notification is shown for. */
  watchSeverity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  'reports.folder': string;
  'reports.openWhenReady': boolean;
  'reports.openAs': 'overview' | 'table' | 'text';
  'reports.timeoutMinutes': number;
  'reports.maxTotalSizeMB': number;
  'reports.maxAgeDays': number;
  'reports.fullBody': Record<string, unknown> | null;
  'reports.detailedBody': Record<string, unknown> | null;
}

/** Context keys for `when` clauses, with their values. */
export interface ContextKeys {
  /** What the findings view shows; selects its welcome text. */
  'scorecard.state': 'signedOut' | 'badBaseUrl' | 'noScorecards' | 'unreachable' | 'ready';
  /** Whether there is a collection to browse, or one in the settings that cannot be used. */
  'scorecard.hasCollections': boolean;
  'scorecard.isDemo': boolean;
  /** Whether the service has portfolios of companies. */
  'scorecard.hasCompanies': boolean;
  'scorecard.sortFindingsBy': 'severity' | 'name';
  'scorecard.isLoadingAll': boolean;
  /** Whether rows are hidden because a list is filtered. */
  'scorecard.hasFilter': boolean;
  /** Whether a full report covers all findings, one scorecard that the user chooses, or either. */
  'scorecard.fullReportScope': 'all' | 'scorecard' | 'any';
  /** The same for a detailed report. */
  'scorecard.detailedReportScope': 'all' | 'scorecard' | 'any';
  'scorecard.hasIssuesReports': boolean;
  /** Whether the list of reports has been read, and is empty. */
  'scorecard.hasNoReports': boolean;
  /** Whether two files were compared in this window. */
  'scorecard.hasCompared': boolean;
  /** Whether the list has a report that can be opened. */
  'scorecard.hasReadyReport': boolean;
  /** Whether the report in the active editor has an earlier report to compare with. */
  'scorecard.hasPreviousReport': boolean;
  'scorecard.hasUnfinishedReport': boolean;
  'scorecard.hasFailedReport': boolean;
  /** Whether a report started in this window shows its progress as a notification. */
  'scorecard.hasForegroundReport': boolean;
  /** Whether the document in the active editor has secret-like values, and whether they are shown. */
  'scorecard.secretValues': 'none' | 'masked' | 'shown';
}

/** Values of `viewItem` in menus. */
export const contextValues = {
  scorecard: 'scorecard',
  issueType: 'issueType',
  issueTypeWithBody: 'issueType.body',
  issueTypeFiltered: 'issueType.filtered',
  issueTypeWithBodyFiltered: 'issueType.body.filtered',
  filter: 'filter',
  filterOfPart: 'filter.part',
  finding: 'finding',
  findingWithFile: 'finding.file',
  knownFinding: 'finding.known',
  knownFindingWithFile: 'finding.file.known',
  collection: 'collection',
  entry: 'entry',
  entryWithScorecard: 'entry.scorecard',
  loadMore: 'loadMore',
  gap: 'gap',
  loadingAll: 'loadingAll',
  changed: 'changed',
  failure: 'failure',
  settingProblem: 'settingProblem',
  reportDay: 'reportDay',
  watched: 'watched',
  watchedGroup: 'watchedGroup',
  unreadableReport: 'unreadableReport',
  refusedReport: 'report.refused',
  reportWithPrevious: 'report.ready.previous',
  reportsProblem: 'reportsProblem',
} as const;

/** Scheme of the read-only documents that show one entry of a collection. */
export const entryScheme = 'scorecard-entry';

/** Scheme of the read-only documents that show one finding. */
export const findingScheme = 'scorecard-finding';

/** Scheme of the read-only documents that show the file of a report. */
export const reportScheme = 'scorecard-report';

import type { SettingTypes } from '../../src/contributions';

/** The names of `SettingTypes`, which a type alone cannot list. */
export const settingKeys = [
  'baseUrl',
  'service',
  'scorecards',
  'collections',
  'pageSize',
  'requestsPerHour',
  'requestTimeoutSeconds',
  'showCounts',
  'sortFindingsBy',
  'showFactors',
  'openFindingsAs',
  'watchSeverity',
  'reports.folder',
  'reports.openWhenReady',
  'reports.openAs',
  'reports.timeoutMinutes',
  'reports.maxTotalSizeMB',
  'reports.maxAgeDays',
  'reports.fullBody',
  'reports.detailedBody',
] as const satisfies readonly (keyof SettingTypes)[];

import { reportScenes } from './reportScenes';
import type { Scene } from './scene';
import { ReportTable } from '../workbench/reportTable';
import { restPointer, tryDemo, startReportOfAll } from '../workbench/steps';
import type { Workbench } from '../workbench/workbench';

/** Large enough for a long list. Pictures are part of every VSIX, and are shown at about this width. */
const small = { width: 960, height: 600 };

/** All pictures. To add one, add an entry. */
export const scenes: readonly Scene[] = [
  {
    name: 'report-overview',
    theme: 'Dark Modern',
    size: { width: 1000, height: 650 },
    arrange: showReportOverview,
  },
  { name: 'comparison', theme: 'Dark Modern', size: small, arrange: showComparison },
  {
    name: 'table',
    theme: 'Light Modern',
    size: { width: 1000, height: 480 },
    arrange: showTable,
  },
  ...reportScenes,
];

/** The overview of a report that has just arrived, next to the views. */
async function showReportOverview(workbench: Workbench): Promise<void> {
  await tryDemo(workbench);
  await workbench.setSideBarWidth(330);
  await startReportOfAll(workbench, 'Full');
  const ready = /"Full report: All findings" is ready/;
  await workbench.notifications.toast(ready).waitFor();
  await workbench.notifications.press(ready, 'Open Report');
  const table = new ReportTable(workbench);
  await table.frame.getByText(/^[\d,]+ findings$/).waitFor();
  await table.frame.getByText(/^Counting… /).waitFor({ state: 'hidden' });
  await workbench.runCommand('Notifications: Clear All Notifications');
  await restPointer(workbench);
}

/** What has changed since the report of a week ago. */
async function showComparison(workbench: Workbench): Promise<void> {
  await showReportOverview(workbench);
  const table = new ReportTable(workbench);
  await table.count(/ new.* changed .*since /).click();
  await table.frame.getByRole('heading', { name: /^Changes since / }).waitFor();
  await table.press('Control+b');
  await restPointer(workbench);
}

/** What a full report has of high severity that is active and is about patching, with one record. */
async function showTable(workbench: Workbench): Promise<void> {
  await tryDemo(workbench);
  await startReportOfAll(workbench, 'Full');
  await workbench.notifications.toast(/"Full report: All findings" is ready/).waitFor();
  const report = workbench.treeItem(/\d Full report: All findings · [\d.]+ MB/).first();
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.pickFromContextMenu(report, 'Open as Table');
  const table = new ReportTable(workbench);
  await table.waitForStatus(/ rows$/);
  await table.press('Control+b');
  await table.filter('severity', '=high');
  await table.filter('issue_type', 'patching');
  const filtered = /^[\d,]+ of [\d,]+ rows(, [\d,]+ open)?$/;
  await table.waitForStatus(filtered);
  const before = await table.status.innerText();
  await table.filter('group_status', '=active');
  await table.status.filter({ hasText: filtered, hasNotText: before }).waitFor();
  await table.openRecord(3);
  await workbench.runCommand('Notifications: Clear All Notifications');
  await restPointer(workbench);
}

import { expandIssueType, findingRow, halvorsen, tryDemo } from './workbench/steps';
import type { Workbench } from './workbench/workbench';

/** A picture of the README. */
export interface Scene {
  /** Name of the file in `media/readme`, without its ending. */
  readonly name: string;
  /** As the setting `workbench.colorTheme` names it. */
  readonly theme: 'Dark Modern' | 'Light Modern' | 'Default High Contrast';
  /** Brings a signed-out window to what is to be shown. */
  arrange(workbench: Workbench): Promise<void>;
}

/** All pictures; another one is another entry. */
export const scenes: readonly Scene[] = [
  { name: 'overview', theme: 'Dark Modern', arrange: showOverview },
  { name: 'light', theme: 'Light Modern', arrange: showOverview },
  { name: 'high-contrast', theme: 'Default High Contrast', arrange: showOverview },
  { name: 'narrow', theme: 'Dark Modern', arrange: (workbench) => showFindings(workbench, 200) },
  { name: 'report-progress', theme: 'Dark Modern', arrange: showProgress },
  { name: 'signed-out', theme: 'Dark Modern', arrange: showSignedOut },
];

/** Findings with one of them open, and a report in its list. */
async function showOverview(workbench: Workbench): Promise<void> {
  await showFindings(workbench, 440);
  await workbench.runCommand('Scorecard: Start Full Report');
  await workbench.notifications.toast(/"Full report: All findings" is ready/).waitFor();
  await workbench.runCommand('Notifications: Clear All Notifications');
  await findingRow(workbench, 3).click();
  await workbench.textEditor.getByText('"issue_id"').waitFor();
  await restPointer(workbench);
}

async function showFindings(workbench: Workbench, width: number): Promise<void> {
  await tryDemo(workbench);
  await workbench.setSideBarWidth(width);
  await expandIssueType(workbench, halvorsen, 'Open port');
  await workbench.treeItem('Open port, 100 of 41,237 loaded').waitFor();
  await restPointer(workbench);
}

async function showProgress(workbench: Workbench): Promise<void> {
  await showFindings(workbench, 440);
  await workbench.runCommand('Scorecard: Start Full Report');
  const toast = workbench.notifications.toast(/Generating \u00b7 2 s/);
  await toast.waitFor();
  await workbench.treeItem(/^Full report: All findings, Generating/).waitFor();
}

async function showSignedOut(workbench: Workbench): Promise<void> {
  await workbench.openContainer('Scorecard');
  await workbench.view('Findings').getByRole('button', { name: 'Sign In' }).waitFor();
}

/** To where it makes nothing look pressed and opens no tooltip. */
async function restPointer(workbench: Workbench): Promise<void> {
  await workbench.page.mouse.move(800, 700);
  await workbench.page.locator('.monaco-hover:visible').waitFor({ state: 'detached' });
}

import type { Locator } from 'playwright-core';
import { setExpanded } from './tree';
import type { Workbench } from './workbench';

/** The scorecard of the demo with the longest list. */
export const halvorsen = 'Halvorsen Maritime Logistics';

/** Signs in to an account as a user does, from wherever the window is. */
export async function signIn(
  workbench: Workbench,
  account: { readonly baseUrl: string; readonly apiKey: string },
): Promise<void> {
  await workbench.openContainer('Scorecard');
  await workbench.runCommand('Scorecard: Sign In');
  await workbench.quickInput.widget.getByText('Sign In (1/2)').waitFor();
  await workbench.quickInput.answer(account.baseUrl);
  await workbench.quickInput.widget.getByText('Sign In (2/2)').waitFor();
  await workbench.quickInput.answer(account.apiKey);
  await workbench.quickInput.widget.waitFor({ state: 'hidden' });
}

/** Presses the link of the signed-out view. */
export async function tryDemo(workbench: Workbench): Promise<void> {
  await workbench.openContainer('Scorecard');
  const findings = workbench.view('Findings');
  await findings.getByText('Try the demo', { exact: true }).click();
  await findings.getByText('(demo)').waitFor();
  // The overview of its newest report opens by itself, and would come over what a test opens next.
  await workbench.editorTab(/^Full report: /).waitFor();
  await severitiesOfDemo(workbench);
}

/** Waits until the overview has said how severe the issue types are: they are put into another order then. */
export async function severitiesOfDemo(workbench: Workbench): Promise<void> {
  const severe = new RegExp(`^${halvorsen}, [\\d,]+ high`);
  await workbench.treeItem(severe, workbench.view('Findings')).waitFor();
}

/**
 * Expands a scorecard and one of its issue types, whatever is below it then; returns the row of the issue
 * type.
 */
export async function expandIssueType(
  workbench: Workbench,
  scorecard: string,
  issueType: string,
): Promise<Locator> {
  const findings = workbench.view('Findings');
  await setExpanded(workbench.treeItem(scorecard, findings), true);
  const row = workbench.treeItem(new RegExp(`^${issueType}`), findings);
  await setExpanded(row, true);
  return row;
}

/** Expands an issue type, and waits until its findings are there and its row shows how many. */
export async function expandLoaded(
  workbench: Workbench,
  scorecard: string,
  issueType: string,
): Promise<Locator> {
  const row = await expandIssueType(workbench, scorecard, issueType);
  await row.and(workbench.treeItem(/\d loaded$/, workbench.view('Findings'))).waitFor();
  await findingRow(workbench, 1).waitFor();
  return row;
}

/** The row of a finding by its number in the list. */
export function findingRow(workbench: Workbench, number: number): Locator {
  return workbench.treeItem(new RegExp(`, finding ${number}$`), workbench.view('Findings'));
}

/** Puts the pointer where it makes nothing look pressed and opens no tooltip. */
export async function restPointer(workbench: Workbench): Promise<void> {
  await workbench.page.mouse.move(800, 700);
  await workbench.page.locator('.monaco-hover:visible').waitFor({ state: 'detached' });
}

/** Starts a report about all findings. */
export async function startReportOfAll(
  workbench: Workbench,
  kind: 'Full' | 'Detailed',
): Promise<void> {
  await workbench.runCommand(`Scorecard: Start ${kind} Report`);
}

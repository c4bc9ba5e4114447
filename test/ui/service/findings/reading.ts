import * as assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { expandLoaded, findingRow, halvorsen } from '../../../host/workbench/steps';
import { focusedRow, setExpanded } from '../../../host/workbench/tree';
import { faultsOf } from '../../../host/workbench/faults';
import type { Workbench } from '../../../host/workbench/workbench';
import type { Ui } from '../../fixture';

/** What is shown instead of a secret-like value. */
export const mask = '\u2022'.repeat(8);

/** With the demo, in a window in which no issue type is expanded. */
export function readingTests(ui: Ui): void {
  it('The Findings view shows findings in one tab by key and button, and copies the selected rows by key', async () => {
    const { workbench } = ui;
    const { keyboard } = workbench.page;
    const openPorts = await expandLoaded(workbench, halvorsen, 'Open port');
    await findingRow(workbench, 3).click();
    await workbench.editorTab(/^3 Open port/).waitFor();
    const { webview } = workbench;
    const title = webview.getByRole('heading', { level: 1 });
    // Until the finding is there, the heading is the title of the tab.
    await webview.getByText(/^A port answers from the internet\. Close it/).waitFor();
    const first = await title.innerText();
    await title.click();
    await keyboard.press('Alt+J');
    await workbench.editorTab(/^4 Open port/).waitFor();
    await title.filter({ hasNotText: first }).waitFor();
    // The key works in the page that has just come, too.
    await webview.locator('main:focus').waitFor();
    await keyboard.press('Alt+K');
    await workbench.editorTab(/^3 Open port/).waitFor();
    await title.filter({ hasText: first }).waitFor();
    await webview.getByText('Open', { exact: true }).waitFor();
    await webview.getByText('IP', { exact: true }).hover();
    await webview.getByRole('button', { name: 'Copy IP', exact: true }).click();
    await workbench.statusBarItem(/Copied IP/).waitFor();
    assert.deepEqual(await faultsOf(webview), []);

    await workbench.page.getByRole('button', { name: 'Open Finding as JSON' }).click();
    await workbench.textEditor.getByText('"issue_id"').waitFor();
    await workbench.textEditor.click();
    await keyboard.press('Alt+J');
    await workbench.editorTab(/^4 Open port .*\.json/).waitFor();
    await workbench.page.getByRole('button', { name: 'Open Finding as Record' }).click();
    await title.filter({ hasNotText: first }).waitFor();
    await workbench.page.getByRole('button', { name: /^Next Finding/ }).click();
    await workbench.editorTab(/^5 Open port/).waitFor();
    const tabs = workbench.page.locator('.part.editor').getByRole('tab');
    await tabs.nth(1).waitFor({ state: 'detached' });
    assert.equal(await tabs.count(), 1);

    // The view selects the row of the document that it has come to.
    await findingRow(workbench, 5).and(workbench.page.locator('[aria-selected="true"]')).waitFor();
    await findingRow(workbench, 3).click();
    await keyboard.press('Shift+ArrowDown');
    await keyboard.press('Control+C');
    await workbench.statusBarItem(/Copied 2 findings as TSV/).waitFor();
    await setExpanded(openPorts, false);
  });

  it('The Findings view shows the next finding by key in the view, and the tab follows the selection', async () => {
    const { workbench } = ui;
    const { keyboard } = workbench.page;
    const findings = workbench.view('Findings');
    const openPorts = await expandLoaded(workbench, halvorsen, 'Open port');
    await findingRow(workbench, 3).click();
    await workbench.editorTab(/^3 Open port/).waitFor();
    const isAt = async (number: number) => {
      const row = findingRow(workbench, number);
      await focusedRow(findings).and(row).and(workbench.page.locator('.selected')).waitFor();
      await workbench.editorTab(new RegExp(`^${number.toLocaleString('en')} Open port`)).waitFor();
    };
    await keyboard.press('Alt+J');
    await isAt(4);
    await keyboard.press('Alt+J');
    await isAt(5);
    await keyboard.press('Alt+K');
    await isAt(4);
    // From the row that has the focus, also where it is not selected.
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await keyboard.press('Alt+J');
    await isAt(7);

    // Stepping in the record moves the selection along.
    await workbench.webview.getByRole('heading', { level: 1 }).click();
    await keyboard.press('Alt+J');
    await workbench.editorTab(/^8 Open port/).waitFor();
    await findingRow(workbench, 8).and(workbench.page.locator('.selected')).waitFor();

    // A page that is still loading passes no key on.
    await workbench.webview.getByRole('heading', { name: /^Open port: / }).waitFor();
    await workbench.webview.getByText(/^Finding 8 of /).waitFor();
    // From the list: VS Code gives a page that had the focus before a box the focus back, in its own time.
    await findingRow(workbench, 8).click();
    await workbench.runCommand('Scorecard: Go to Finding');
    await workbench.quickInput.answer('30,000');
    await focusedRow(findings)
      .and(workbench.treeItem(/, finding 30,000$/, findings))
      .waitFor();
    await workbench.editorTab(/^30,000 Open port/).waitFor();
    const tabs = workbench.page.locator('.part.editor').getByRole('tab');
    assert.equal(await tabs.count(), 1);
    await keyboard.press('Home');
    await setExpanded(openPorts, false);
  });

  it('The Findings view shows secret values of one record until they are hidden', async () => {
    const { page } = ui.workbench;
    const password = await showPassword(ui.workbench);
    await page.getByRole('button', { name: 'Hide Secret Values' }).click();
    await password.filter({ hasText: mask }).waitFor();
    await page.getByRole('button', { name: 'Show Secret Values' }).click();
    await password.filter({ hasText: 'not-a-real-password' }).waitFor();
  });
}

/** Opens the second of the compromised credentials, and shows its password; returns where it is. */
export async function showPassword(workbench: Workbench): Promise<Locator> {
  const { webview } = workbench;
  await expandLoaded(workbench, halvorsen, 'Compromised credentials');
  await findingRow(workbench, 2).click();
  const password = webview.locator('dt:text-is("Password") + dd');
  await password.filter({ hasText: mask }).waitFor();
  await webview.getByRole('button', { name: 'Show Secret Values' }).click();
  await password.filter({ hasText: 'not-a-real-password' }).waitFor();
  return password;
}

import * as assert from 'node:assert/strict';
import {
  expandIssueType,
  expandLoaded,
  findingRow,
  halvorsen,
  tryDemo,
} from '../host/workbench/steps';
import { setExpanded } from '../host/workbench/tree';
import { useWorkbench } from './fixture';

describe('Reading findings', () => {
  const ui = useWorkbench({ oneWindow: true, prepare: tryDemo });

  it('goes on by key and button in one tab, and copies the selected rows by key', async () => {
    const { workbench } = ui;
    const { keyboard } = workbench.page;
    const openPorts = await expandIssueType(workbench, halvorsen, 'Open port');
    await findingRow(workbench, 3).click();
    await workbench.editorTab(/^3 Open port/).waitFor();
    await workbench.textEditor.click();
    await keyboard.press('Alt+J');
    await workbench.editorTab(/^4 Open port/).waitFor();
    await keyboard.press('Alt+K');
    await workbench.editorTab(/^3 Open port/).waitFor();
    await workbench.page.getByRole('button', { name: /^Next Finding/ }).click();
    await workbench.editorTab(/^4 Open port/).waitFor();
    const tabs = workbench.page.locator('.part.editor').getByRole('tab');
    await tabs.nth(1).waitFor({ state: 'detached' });
    assert.equal(await tabs.count(), 1);

    await findingRow(workbench, 3).click();
    await keyboard.press('Shift+ArrowDown');
    await keyboard.press('Control+C');
    await workbench.statusBarItem(/Copied 2 findings as TSV/).waitFor();
    await setExpanded(openPorts, false);
  });

  it('shows secret-like values of one document, and hides them again', async () => {
    const { workbench } = ui;
    await expandIssueType(workbench, halvorsen, 'Compromised credentials');
    await findingRow(workbench, 2).click();
    await workbench.textEditor.getByText('"password"').waitFor();
    await workbench.textEditor.getByText('\u2022'.repeat(8)).first().waitFor();
    await workbench.page.getByRole('button', { name: 'Show Secret Values' }).click();
    await workbench.page.getByRole('button', { name: 'Hide Secret Values' }).waitFor();
    await workbench.textEditor.getByText('not-a-real-password').waitFor();
    await workbench.page.getByRole('button', { name: 'Hide Secret Values' }).click();
    await workbench.textEditor.getByText('not-a-real-password').waitFor({ state: 'detached' });
  });

  it('offers to show a masked value that somebody wants to copy', async () => {
    const { workbench } = ui;
    await expandLoaded(workbench, halvorsen, 'Compromised credentials');
    await workbench.pickFromContextMenu(findingRow(workbench, 2), 'Copy Field of Finding...');
    await workbench.quickInput.pick('password');
    const masked = workbench.notifications.toast('The value of password is masked.');
    await masked.getByRole('button', { name: 'Show and Copy' }).click();
    await workbench.statusBarItem(/Copied password/).waitFor();
    await workbench.textEditor.getByText('not-a-real-password').waitFor();
    await workbench.page.getByRole('button', { name: 'Hide Secret Values' }).waitFor();
  });
});

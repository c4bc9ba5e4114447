import * as assert from 'node:assert/strict';
import { halvorsen, signIn } from '../../host/workbench/steps';
import type { Ui } from '../fixture';

/** High enough for a list of all our commands. */
export const paletteSize = { width: 1280, height: 2700 };

/** From a new window of that size to the demo, which the palette starts. */
export function paletteTests(ui: Ui): void {
  /** The titles of our commands that it offers, without those with which VS Code shows our views. */
  async function offered(): Promise<string[]> {
    const { page, quickInput } = ui.workbench;
    await page.keyboard.press('F1');
    await quickInput.input.waitFor();
    await quickInput.type('>Scorecard: ');
    await quickInput.row('Scorecard: Show Log').waitFor();
    const titles = await quickInput.rows.locator('.label-name').allTextContents();
    await quickInput.dismiss();
    return titles
      .filter((title) => title.startsWith('Scorecard: ') && !title.includes(': Focus on '))
      .map((title) => title.replace('Scorecard: ', ''))
      .sort();
  }

  it('The Command Palette starts from the palette, which offers only commands that are possible in each state', async () => {
    const { workbench } = ui;
    await workbench.openContainer('Scorecard');
    await workbench.view('Findings').getByText('Try the demo', { exact: true }).waitFor();
    const signedOut = await offered();
    assert.deepEqual(signedOut, [
      'Compare Reports...',
      'Delete Local Data',
      'Open Findings File...',
      'Show Log',
      'Sign In',
      'Use Demo Data',
    ]);
    await signIn(workbench, ui.demo);
    await workbench.treeItem('Own').waitFor();
    await workbench.notifications.toast(/^Signed in to .*: key verified\.$/).waitFor();
    await workbench.runCommand('Notifications: Clear All Notifications');
    const signedIn = await offered();
    // Twenty, and two for the collections of the settings.
    assert.ok(signedIn.length > 10 && signedIn.length <= 22, signedIn.join(', '));
    // The titles do not name what they are about: in the menu of a scorecard it is that one.
    for (const title of ['Start Full Report', 'Start Detailed Report']) {
      assert.ok(signedIn.includes(title), signedIn.join(', '));
    }
    assert.ok(signedIn.includes('Sign Out'), signedIn.join(', '));

    // The demo comes with its own scorecards and the report of a week ago, and on screen.
    await workbench.openContainer('Explorer');
    await workbench.runCommand('Scorecard: Use Demo Data');
    await workbench.treeItem(halvorsen, workbench.view('Findings')).waitFor();
    await workbench
      .treeItem(/\d Full report: All findings · .*MB$/, workbench.view('Reports'))
      .waitFor();
    assert.equal(await workbench.treeItem('Own').count(), 0);
    await workbench.editorTab(/^Full report: /).waitFor();
    const withReport = await offered();
    assert.deepEqual(
      withReport.filter((title) => !signedIn.includes(title)),
      [
        'Clean Up Reports...',
        'Compare Reports...',
        'Compare With...',
        'Copy MCP Configuration...',
        'Exclude Paths From Problems...',
        'Export Table...',
        'Keep Known Issues in...',
        'Mark CVEs From a List...',
        'Mark as Known...',
        'No Longer Known',
        'Open Known Issues',
        'Open Overview',
        'Open Report',
        'Open as Table',
        'Remove Known Issues...',
        'Reopen Report Table with Encoding',
        'Save Report As...',
        'Show Trend',
        'Toggle Findings in Problems',
        'Unmark CVEs of a List...',
      ],
    );
    assert.deepEqual(
      signedIn.filter((title) => !withReport.includes(title)),
      ['Use Demo Data'],
    );
    await workbench.runCommand('View: Close All Editors');
    await workbench.resize({ width: 1280, height: 800 });
  });
}

import * as assert from 'node:assert/strict';
import { halvorsen, signIn } from '../../host/workbench/steps';
import { useWorkbench } from '../fixture';

describe('The Command Palette', () => {
  // High enough for a list of all our commands.
  const ui = useWorkbench({ oneWindow: true, size: { width: 1280, height: 1700 } });

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

  it('offers what is possible without an account, then with one, then with a report', async () => {
    const { workbench } = ui;
    await workbench.openContainer('Scorecard');
    await workbench.view('Findings').getByText('Try the demo', { exact: true }).waitFor();
    const signedOut = await offered();
    assert.deepEqual(signedOut, [
      'Delete Local Data',
      'Open as Table',
      'Show Log',
      'Sign In',
      'Use Demo Data',
    ]);
    await signIn(workbench, ui.demo);
    await workbench.treeItem(halvorsen).waitFor();
    const signedIn = await offered();
    // Twenty, and one for the collections of the settings.
    assert.ok(signedIn.length > 10 && signedIn.length <= 21, signedIn.join(', '));
    // They say what they cover.
    for (const title of [
      'Start Full Report (All Findings)',
      'Start Detailed Report (All Findings)',
    ]) {
      assert.ok(signedIn.includes(title), signedIn.join(', '));
    }
    assert.ok(signedIn.includes('Sign Out'), signedIn.join(', '));

    // The demo comes with one, and needs no command to start it.
    await workbench.runCommand('Scorecard: Use Demo Data');
    await workbench.treeItem(/Full report, All findings/, workbench.view('Reports')).waitFor();
    const withReport = await offered();
    assert.deepEqual(
      withReport.filter((title) => !signedIn.includes(title)),
      [
        'Clean Up Reports...',
        'Compare Reports...',
        'Export Table...',
        'Open Overview',
        'Open Report',
        'Save Report As...',
      ],
    );
    assert.deepEqual(
      signedIn.filter((title) => !withReport.includes(title)),
      ['Use Demo Data'],
    );
  });
});

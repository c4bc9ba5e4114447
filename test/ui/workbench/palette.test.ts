import * as assert from 'node:assert/strict';
import { tryDemo } from '../../host/workbench/steps';
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

  it('offers what is possible without an account, then what is with one', async () => {
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
    await tryDemo(workbench);
    const signedIn = await offered();
    assert.ok(signedIn.length > 10 && signedIn.length <= 22, signedIn.join(', '));
    // They say what they cover.
    for (const title of [
      'Start Full Report (All Findings)',
      'Start Detailed Report (All Findings)',
    ]) {
      assert.ok(signedIn.includes(title), signedIn.join(', '));
    }
    assert.ok(signedIn.includes('Sign Out'), signedIn.join(', '));
  });
});

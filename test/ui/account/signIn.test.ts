import * as assert from 'node:assert/strict';
import { useWorkbench } from '../fixture';
import { expandIssueType, findingRow, halvorsen } from '../../host/workbench/steps';

describe('Signing in', () => {
  const ui = useWorkbench();

  it('says what is wrong while one types, refuses a wrong key, and is remembered', async () => {
    const { workbench, demo } = ui;
    const { quickInput } = workbench;
    const findings = workbench.view('Findings');
    await workbench.openContainer('Scorecard');
    await findings.getByRole('button', { name: 'Sign In' }).waitFor();
    assert.equal(await workbench.notifications.toasts.count(), 0);
    await findings.getByRole('button', { name: 'Sign In' }).click();
    await quickInput.widget.getByText('Sign In (1/2)').waitFor();
    await quickInput.type('http://service.example/v1');
    await quickInput.message.filter({ hasText: /https/ }).waitFor();
    await quickInput.answer('no address');
    await quickInput.message.filter({ hasText: 'must be a URL such as https:' }).waitFor();
    await quickInput.answer(demo.baseUrl);

    await quickInput.widget.getByText('Sign In (2/2)').waitFor();
    await quickInput.type('two words');
    await quickInput.message.filter({ hasText: /API key/ }).waitFor();
    const host = new URL(demo.baseUrl).host;
    await quickInput.answer('not-the-key');
    await quickInput.message.filter({ hasText: `${host} refused this key (401)` }).waitFor();
    assert.equal(await workbench.treeItem(halvorsen, findings).count(), 0);
    await quickInput.answer(demo.apiKey);
    await workbench.treeItem(halvorsen, findings).waitFor();
    await findings.getByText(host).waitFor();
    assert.equal(await workbench.notifications.toasts.count(), 0);

    await workbench.reload();
    await expandIssueType(workbench, halvorsen, 'Open port');
    await findingRow(workbench, 1).waitFor();

    await workbench.runCommand('Scorecard: Sign Out');
    await findings.getByRole('button', { name: 'Sign In' }).waitFor();
  });
});

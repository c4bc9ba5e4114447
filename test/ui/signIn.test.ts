import * as assert from 'node:assert/strict';
import { scrollTo, setExpanded } from '../host/workbench/tree';
import { useWorkbench } from './fixture';

describe('Signing in', () => {
  const ui = useWorkbench();

  it('asks for address and key, shows the findings, and is remembered by a reload', async () => {
    const { workbench, demo } = ui;
    const [scorecard] = demo.scorecards;
    assert.ok(scorecard);
    await workbench.openContainer('Scorecard');
    await workbench.runCommand('Scorecard: Sign In');
    await workbench.quickInput.answer(demo.baseUrl);
    await workbench.quickInput.widget.getByText('Sign In (2/2)').waitFor();
    await workbench.quickInput.answer(demo.apiKey);
    const findings = workbench.view('Findings');
    const row = workbench.treeItem(new RegExp(`^${scorecard.name}`), findings);
    await row.waitFor();

    await workbench.reload();
    await row.waitFor();
    await setExpanded(row, true);
    const issueType = workbench.treeItem(/^Open port/i, findings);
    await setExpanded(issueType, true);
    await scrollTo(workbench.treeItem(/^Load 100 more/, findings), findings);
  });

  it('refuses a wrong key in the box where it was typed', async () => {
    const { workbench, demo } = ui;
    await workbench.openContainer('Scorecard');
    await workbench.runCommand('Scorecard: Sign In');
    await workbench.quickInput.answer(demo.baseUrl);
    await workbench.quickInput.widget.getByText('Sign In (2/2)').waitFor();
    await workbench.quickInput.answer('not-the-key');
    await workbench.quickInput.message.filter({ hasText: /key/i }).waitFor();
    await workbench.quickInput.dismiss();
    assert.equal(await workbench.notifications.toasts.count(), 0);
  });
});

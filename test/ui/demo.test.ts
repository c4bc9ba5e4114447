import * as assert from 'node:assert/strict';
import { ReportTable } from '../host/workbench/reportTable';
import { focusedRow, scrollTo } from '../host/workbench/tree';
import { useWorkbench } from './fixture';
import { expandIssueType, findingRow, halvorsen, tryDemo } from '../host/workbench/steps';

/** A report of tens of megabytes is made and downloaded first. */
const large = { timeout: 40_000 };

describe('The demo', () => {
  // Without an account: the demo brings its own scorecards.
  const ui = useWorkbench({ settings: { 'scorecard.scorecards': [] } });

  it('is tried from the signed-out view: pages, a finding, a full report; and is left again', async () => {
    const { workbench } = ui;
    const findings = workbench.view('Findings');
    await tryDemo(workbench);
    assert.equal(await workbench.notifications.toasts.count(), 0);

    const issueType = await expandIssueType(workbench, halvorsen, 'Open port');
    await findingRow(workbench, 1).waitFor();
    for (const loaded of [100, 200]) {
      const counts = `${loaded} of 41,237 loaded`;
      const more = workbench.treeItem(`Load 100 more, ${counts}`, findings);
      await scrollTo(more, findings);
      assert.equal(await more.innerText(), `Load 100 more${counts}`);
      await more.click();
      await focusedRow(findings)
        .and(findingRow(workbench, loaded + 1))
        .waitFor();
    }

    await findingRow(workbench, 201).click();
    const tab = workbench.editorTab(/^201 Open port .*\.json.*preview/);
    await tab.waitFor();
    await workbench.textEditor.getByText('"issue_id"').waitFor();
    const shown = await workbench.textEditor.innerText();
    await workbench.textEditor.click();
    await workbench.page.keyboard.type('x');
    await workbench.page.getByRole('alert').getByText('Cannot edit in read-only editor').waitFor();
    assert.equal(await workbench.textEditor.innerText(), shown);

    await workbench.runCommand('Scorecard: Start Full Report');
    const progress = workbench.notifications.toast('Full report: All findings');
    await progress.filter({ hasText: /Generating · [1-9]\d* s/ }).waitFor();
    await progress.locator('.monaco-progress-container.active').waitFor();
    await workbench.editorTab(/^full-report-.*\.ndjson/).waitFor(large);
    // What is that large is shown as a table.
    await new ReportTable(workbench).row(1).waitFor();
    await progress.waitFor({ state: 'detached' });
    const report = workbench.treeItem(
      /^Full report: All findings, \d[\d.]* MB · just now$/,
      workbench.view('Reports'),
    );
    await report.waitFor();
    // VS Code may have one of its own, about large files; ours would tell what is on screen already.
    assert.equal(await workbench.notifications.toast(/"Full report: .* is ready/).count(), 0);

    await workbench.runCommand('Scorecard: Sign Out');
    await findings.getByRole('button', { name: 'Sign In' }).waitFor();
    await issueType.waitFor({ state: 'detached' });
  });

  it('is back after a reload, and a report that was on its way goes on and opens', async () => {
    const { workbench } = ui;
    await tryDemo(workbench);
    await workbench.runCommand('Scorecard: Start Detailed Report');
    await workbench.editorTab(/^detailed-report-.*\.csv/).waitFor(large);

    await workbench.runCommand('Scorecard: Start Full Report');
    await workbench.notifications.toast(/Full report: All findings.*Generating/).waitFor();
    await workbench.reload();
    await workbench.view('Findings').getByText('(demo)').waitFor();
    await workbench.treeItem(halvorsen).waitFor();
    await workbench
      .treeItem(/^Full report: All findings, Generating/, workbench.view('Reports'))
      .waitFor();
    await workbench.editorTab(/^full-report-.*\.ndjson/).waitFor(large);
  });
});

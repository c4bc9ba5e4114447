import * as assert from 'node:assert/strict';
import { demoScorecards } from '../../../src/demo/demoService';
import { ReportTable } from '../../host/workbench/reportTable';
import { focusedRow, scrollTo, setExpanded } from '../../host/workbench/tree';
import {
  expandIssueType,
  findingRow,
  halvorsen,
  tryDemo,
  startReportOfAll,
} from '../../host/workbench/steps';
import { useWorkbench } from '../fixture';
import { mask, readingTests, showPassword } from '../service/findings/reading';
import { paletteSize, paletteTests } from '../workbench/palette';

describe('The demo', () => {
  const [other] = demoScorecards;
  const ui = useWorkbench({
    oneWindow: true,
    size: paletteSize,
    // The demo brings its own.
    settings: { 'scorecard.scorecards': [{ ...other, name: 'Own' }] },
  });

  paletteTests(ui);
  readingTests(ui);

  it('The demo starts from the signed-out view, shows a finding, keeps a full report over a reload, and ends on Sign Out', async () => {
    const { workbench } = ui;
    const findings = workbench.view('Findings');
    const table = new ReportTable(workbench);
    // First the demo is left, then the account that was there before it.
    await workbench.runCommand('Scorecard: Sign Out');
    await workbench.treeItem('Own', findings).waitFor();
    await workbench.runCommand('Scorecard: Sign Out');
    await findings.getByRole('button', { name: 'Sign In' }).waitFor();
    await workbench.runCommand('View: Close All Editors');
    await tryDemo(workbench);
    await workbench.view('Collections').waitFor();
    // The overview of the newest report, which tells the tree how severe the findings are.
    await workbench.editorTab(/^Full report: /).waitFor();
    await table.frame.getByText(/^[\d,]+ findings$/).waitFor();
    await workbench.treeItem(/^Halvorsen Maritime Logistics, [\d,]+ high, /, findings).waitFor();
    assert.deepEqual(await workbench.notifications.toasts.allInnerTexts(), []);
    await workbench.runCommand('View: Close All Editors');

    const openPorts = await expandIssueType(workbench, halvorsen, 'Open port');
    await findingRow(workbench, 1).waitFor();
    // In a narrow side bar, too, beside the buttons that come with the pointer.
    await workbench.setSideBarWidth(200);
    await findings.locator('.pane-header').hover();
    const mark = findings.locator('.pane-header .description');
    assert.ok(await mark.evaluate((text) => text.scrollWidth <= text.clientWidth));
    await workbench.setSideBarWidth(300);
    const counts = '100 of 41,237 loaded';
    const more = workbench.treeItem(`Load 100 more, ${counts}`, findings);
    await scrollTo(more, findings);
    assert.equal(await more.innerText(), 'Load 100 moreloaded: 100 of 41,237');
    await more.click();
    await focusedRow(findings).and(findingRow(workbench, 101)).waitFor();

    await findingRow(workbench, 101).click();
    const tab = workbench.editorTab(/^101 Open port .*preview/);
    await tab.waitFor();
    await workbench.page.getByRole('button', { name: 'Open Finding as JSON' }).click();
    await workbench.textEditor.getByText('"issue_id"').waitFor();
    const shown = await workbench.textEditor.innerText();
    await workbench.textEditor.click();
    await workbench.page.keyboard.type('x');
    await workbench.page.getByRole('alert').getByText('Cannot edit in read-only editor').waitFor();
    assert.equal(await workbench.textEditor.innerText(), shown);

    await workbench.runCommand('Scorecard: Focus on Findings View');
    await workbench.page.keyboard.press('Home');
    await setExpanded(openPorts, false);
    const password = await showPassword(workbench);
    await workbench.whenCustomEditorIsSaved('/2 Compromised credentials');
    await startReportOfAll(workbench, 'Full');
    const progress = workbench.notifications.toast('Full report: All findings');
    await progress.filter({ hasText: /Generating · [1-9]\d* s/ }).waitFor();
    await progress.locator('.monaco-progress-container.active').waitFor();
    await workbench.reload();
    await findings.getByText('(demo)').waitFor();
    await workbench.treeItem(halvorsen).waitFor();
    await workbench.editorTab(/^Full report: .*\d:\d\d/).waitFor();
    // What is worst: two clicks from the report.
    await table.frame.getByText(/^[\d,]+ findings$/).waitFor();
    await table
      .count(
        /^[\d,]+ new \(open\), [\d,]+ no longer reported \(open\), [\d,]+ closed, [\d,]+ changed since /,
      )
      .waitFor();
    const high = table.count(/^High: /);
    const name = await high.getAttribute('aria-label');
    await high.click();
    await table.waitForStatus(new RegExp(`^${name?.replace('High: ', '')} of [\\d,]+ rows$`));
    await table.button('Remove filter Severity: High (open)').waitFor();
    await table.row(1).getByText('High', { exact: true }).first().waitFor();
    const reports = workbench.view('Reports');
    await reports.locator('.pane-header').getByText('(demo)').waitFor();
    await workbench.treeItem(/^Today, 1 report/, reports).waitFor();
    // The first one: that of a week ago is below it.
    const report = workbench.treeItem(
      /^\d\d:\d\d Full report: All findings · \d[\d.]* MB$/,
      reports,
    );
    await report.first().waitFor();
    // VS Code may have one of its own, about large files; ours would show what is on screen already.
    assert.equal(await workbench.notifications.toast(/"Full report: .* is ready/).count(), 0);
    // What was shown of a record is hidden again.
    await workbench.editorTab(/^2 Compromised credentials/).click();
    await password.filter({ hasText: mask }).waitFor();

    // A trend comes back, too.
    await workbench.editorTab(/^Full report: /).click();
    await table.row(1).waitFor();
    await workbench.runCommand('Scorecard: Show Trend');
    const chart = table.frame.getByRole('heading', { name: 'Full report: All findings' });
    await chart.waitFor();
    await table.frame.locator('.trend-facts li').first().waitFor();
    await workbench.whenCustomEditorIsSaved('scorecard.trend');
    await workbench.reload();
    await workbench.editorTab(/^Trend: Full report: All findings/).waitFor();
    await chart.waitFor();
    await table.frame.locator('.trend-facts li').first().waitFor();

    await workbench.runCommand('Scorecard: Sign Out');
    await findings.getByRole('button', { name: 'Sign In' }).waitFor();
    await workbench.treeItem(halvorsen).waitFor({ state: 'detached' });
  });
});

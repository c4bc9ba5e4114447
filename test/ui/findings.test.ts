import * as assert from 'node:assert/strict';
import { demoScorecards } from '../../src/demo/demoService';
import { focusedRow, scrollTo, setExpanded } from '../host/workbench/tree';
import { useFaultyService } from './faultyService';
import { useWorkbench } from './fixture';
import { foreignLinks } from './links';
import {
  expandIssueType,
  expandLoaded,
  findingRow,
  halvorsen,
  signIn,
} from '../host/workbench/steps';

const [first, ...others] = demoScorecards;

describe('The findings view', () => {
  const ui = useWorkbench({
    oneWindow: true,
    settings: {
      'scorecard.scorecards': [first, { id: 'example.com' }, ...others.slice(0, 1)],
    },
    prepare: signIn,
  });
  const faulty = useFaultyService(ui);

  it('is used with the keyboard alone, and names its rows for a screen reader', async () => {
    const { workbench } = ui;
    const { keyboard } = workbench.page;
    const findings = workbench.view('Findings');
    await workbench.treeItem(halvorsen, findings).waitFor();
    await workbench.runCommand('Scorecard: Focus on Findings View');
    await keyboard.press('Home');
    await focusedRow(findings).and(workbench.treeItem(halvorsen)).waitFor();
    await keyboard.press('ArrowRight');
    await workbench.treeItem('Open port', findings).waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowRight');
    await workbench.treeItem('Open port, 100 of 41,237 loaded', findings).waitFor();
    await keyboard.press('ArrowRight');
    const row = focusedRow(findings).and(findingRow(workbench, 1));
    await row.waitFor();
    assert.match(
      (await row.getAttribute('aria-label')) ?? '',
      /^#1 [\d.]+:\d+, .*20\d\d-\d\d-\d\d, finding 1$/,
    );
    await keyboard.press('Enter');
    await workbench.editorTab(/^1 Open port .*preview/).waitFor();

    await workbench.runCommand('Scorecard: Focus on Findings View');
    // To the last row of all, and up again over the other scorecards and issue types.
    await keyboard.press('End');
    await focusedRow(findings)
      .and(workbench.treeItem(/^Setting scorecards/))
      .waitFor();
    const more = workbench.treeItem('Load 100 more, 100 of 41,237 loaded');
    const steps = (first?.issueTypes.length ?? 0) + 1;
    for (let step = 0; step < steps; step += 1) {
      await keyboard.press('ArrowUp');
    }
    await focusedRow(findings).and(more).waitFor();
    await keyboard.press('Enter');
    await focusedRow(findings).and(findingRow(workbench, 101)).waitFor();
    await keyboard.press('Home');
    await setExpanded(workbench.treeItem(/^Open port, 200 of/, findings), false);
  });

  it('says when there is nothing, and goes on behind an empty page', async () => {
    const { workbench } = ui;
    const findings = workbench.view('Findings');
    const empty = await expandIssueType(workbench, halvorsen, 'DMARC');
    await workbench.treeItem('No findings', findings).waitFor();
    assert.equal(await workbench.treeItem(/^Load/, findings).count(), 0);
    await setExpanded(empty, false);

    await expandIssueType(workbench, halvorsen, 'Malware infection');
    await findingRow(workbench, 1).waitFor();
    await scrollTo(workbench.treeItem('Load 100 more, 100 of 650 loaded', findings), findings);
    await workbench.treeItem('Load 100 more, 100 of 650 loaded', findings).click();
    await focusedRow(findings).and(findingRow(workbench, 101)).waitFor();
    await scrollTo(workbench.treeItem('Load 100 more, 200 of 650 loaded', findings), findings);
    await workbench.treeItem('Load 100 more, 200 of 650 loaded', findings).click();
    await workbench
      .treeItem('Load 100 more, Last page was empty · 200 of 650 loaded', findings)
      .click();
    for (const number of [301, 401, 501, 601, 701]) {
      await focusedRow(findings).and(findingRow(workbench, number)).waitFor();
      await workbench.runCommand('Scorecard: Load More Findings');
    }
    await scrollTo(findingRow(workbench, 750), findings);
    assert.equal(await workbench.treeItem(/^Load/, findings).count(), 0);
    await workbench.page.keyboard.press('Home');
    await setExpanded(workbench.treeItem(/^Malware infection, 650 loaded$/, findings), false);
  });

  it('knows the row of a menu that is open while counts arrive', async () => {
    const { workbench } = ui;
    const { quickInput } = workbench;
    const findings = workbench.view('Findings');
    const hold = (issueType: string) => {
      let release: () => void = () => undefined;
      const until = new Promise<void>((resolve) => {
        release = resolve;
      });
      faulty.service.fail(`/${issueType}/`, { until });
      return release;
    };
    const releaseRdp = hold('service_rdp');
    await signIn(workbench, faulty.account);
    const spf = await expandLoaded(workbench, halvorsen, 'SPF record missing');
    await workbench.openContextMenu(findingRow(workbench, 1));
    releaseRdp();
    await workbench.treeItem('Open port, 41,237 in all, not loaded', findings).waitFor();
    await workbench.pickFromMenu('Copy Field of Finding...');
    await quickInput.row('issue_id').waitFor();
    await quickInput.dismiss();

    await setExpanded(spf, false);
    await setExpanded(workbench.treeItem(halvorsen, findings), false);
    const releaseBrowsers = hold('outdated_browser');
    await setExpanded(workbench.treeItem('Bluefjord Bank', findings), true);
    await workbench.openContextMenu(workbench.treeItem('Outdated browser', findings));
    releaseBrowsers();
    await workbench.treeItem('Outdated browser, 5,863 in all, not loaded', findings).waitFor();
    await workbench.pickFromMenu('Go to Finding');
    await quickInput.widget.getByText('Go to Finding: Outdated browser').waitFor();
    await quickInput.dismiss();
    await setExpanded(workbench.treeItem('Bluefjord Bank', findings), false);
  });

  it('shows what attackers wrote as the text that it is', async () => {
    const { workbench } = ui;
    const link = '[fix](command:workbench.action.quit)';
    const html = '<img src=x onerror=alert(1)>';
    faulty.service.fail('/issues/', {
      entries: [
        {
          issue_id: '1',
          target: `$(warning) ${html}`,
          reason: link,
          banner: `${html} ${link} https://evil.example/ www.evil.example a@evil.example`,
        },
      ],
    });
    await signIn(workbench, faulty.account);
    await expandIssueType(workbench, halvorsen, 'Open port');
    const row = findingRow(workbench, 1);
    await row.waitFor();
    assert.equal(await row.locator('.label-name').innerText(), `#1 $(warning) ${html}`);
    assert.match(await row.locator('.label-description').innerText(), /^\[fix\].*quit/);
    await workbench.page.keyboard.press('ArrowDown');
    await focusedRow(workbench.view('Findings')).and(row).waitFor();
    await workbench.showHover();
    const hover = workbench.page.locator('.monaco-hover');
    await hover.getByText(`banner: ${html} [fix]`).waitFor();
    assert.equal(await hover.locator('img').count(), 0);
    assert.equal(await row.locator('img').count(), 0);
    assert.deepEqual(await foreignLinks(workbench), []);
  });

  // The last: the settings open above the window.
  it('shows a setting that cannot be used as a row, beside those that can', async () => {
    const { workbench } = ui;
    const findings = workbench.view('Findings');
    const problem = workbench.treeItem(/^Setting scorecards\[1\]: .*"example\.com"/, findings);
    await problem.getByText('Open Settings').waitFor();
    await workbench.treeItem('Bluefjord Bank', findings).waitFor();
    await problem.click();
    const editor = workbench.page.locator('.monaco-editor');
    await editor.getByText('"scorecard.scorecards"').waitFor();
  });
});

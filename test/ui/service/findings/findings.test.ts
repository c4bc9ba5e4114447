import * as assert from 'node:assert/strict';
import { demoScorecards } from '../../../../src/demo/demoService';
import { focusedRow, scrollTo, setExpanded } from '../../../host/workbench/tree';
import { useFaultyService } from '../../faultyService';
import { useWorkbench } from '../../fixture';
import { longListTests } from '../lists/longList';
import { foreignLinks } from '../../links';
import {
  expandIssueType,
  expandLoaded,
  findingRow,
  halvorsen,
  signIn,
  startReportOfAll,
} from '../../../host/workbench/steps';

const [first, second] = demoScorecards;
const pemberlane = 'Pemberlane Retail Group';

describe('The Findings view', () => {
  const ui = useWorkbench({
    oneWindow: true,
    settings: {
      'scorecard.scorecards': [
        first,
        second,
        ...demoScorecards.filter(({ name }) => name === pemberlane),
      ],
      'scorecard.collections': [],
    },
    prepare: (workbench) => signIn(workbench, faulty.account),
  });
  const faulty = useFaultyService(ui);

  // The first: nothing is counted yet.
  it('The Findings view keeps the row of an open context menu while counts arrive', async () => {
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
    const spf = await expandLoaded(workbench, halvorsen, 'SPF record missing');
    await workbench.openContextMenu(findingRow(workbench, 1));
    releaseRdp();
    await workbench.treeItem('Open port, 41,237 total, not loaded', findings).waitFor();
    await workbench.pickFromMenu('Copy', 'Copy Field of Finding...');
    await quickInput.row('Issue ID').waitFor();
    await quickInput.dismiss();

    await setExpanded(spf, false);
    await setExpanded(workbench.treeItem(halvorsen, findings), false);
    const releaseBrowsers = hold('outdated_browser');
    await setExpanded(workbench.treeItem('Bluefjord Bank', findings), true);
    await workbench.openContextMenu(workbench.treeItem('Outdated browser', findings));
    releaseBrowsers();
    await workbench.treeItem('Outdated browser, 5,863 total, not loaded', findings).waitFor();
    await workbench.pickFromMenu('Go to Finding');
    await quickInput.widget.getByText('Go to Finding: Outdated browser').waitFor();
    await quickInput.dismiss();
    await setExpanded(workbench.treeItem('Bluefjord Bank', findings), false);
    // No collection is configured.
    assert.equal(await workbench.view('Collections').count(), 0);
  });

  it('The Findings view works with the keyboard alone, and names its rows for a screen reader', async () => {
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
      /^[\d.]+:\d+, .* · \d{1,2} [A-Z][a-z]{2}( 20\d\d)? · .*, finding 1$/,
    );
    await keyboard.press('Enter');
    await workbench.editorTab(/^1 Open port .*preview/).waitFor();
    // A page that is still loading passes no key on.
    await workbench.webview.getByRole('heading', { level: 1 }).waitFor();

    await workbench.runCommand('Scorecard: Focus on Findings View');
    // To the last row of all, and up again over another scorecard and the issue types.
    await keyboard.press('End');
    await focusedRow(findings).and(workbench.treeItem(pemberlane)).waitFor();
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
    await setExpanded(workbench.treeItem(halvorsen, findings), false);
  });

  it('The Findings view filters the loaded findings while a user types, and shows all again on Escape or Clear Filter', async () => {
    const { workbench } = ui;
    const { quickInput } = workbench;
    const findings = workbench.view('Findings');
    const row = await expandLoaded(workbench, halvorsen, 'Malware infection');
    await workbench.pressRowAction(row, 'Filter Findings');
    await quickInput.widget.getByText('Filter Findings: Malware infection').waitFor();
    await quickInput.type('no-such-word-at-all');
    const none = workbench.treeItem(
      /^Only 100 of 650 searched, No matches, Filter: no-such/,
      findings,
    );
    await none.waitFor();
    await findingRow(workbench, 1).waitFor({ state: 'detached' });
    await workbench.treeItem(/^Load 100 more, Not searched/, findings).waitFor();
    await quickInput.dismiss();
    await findingRow(workbench, 1).waitFor();
    await none.waitFor({ state: 'detached' });

    await workbench.pressRowAction(row, 'Filter Findings');
    await quickInput.widget.getByText('Filter Findings: Malware infection').waitFor();
    await quickInput.answer('no-such-word-at-all');
    await workbench
      .treeItem(/^Malware infection, 0 of 100 loaded match, 650 total$/, findings)
      .waitFor();
    // Pressed, the row searches the rest.
    await none.click();
    await workbench.treeItem(/^Malware infection, 0 of 650 match$/, findings).waitFor();
    const nothing = workbench.treeItem(/^No matches of 650, /, findings);
    await nothing.getByText('Clear Filter').waitFor();
    await nothing.click();
    await workbench.treeItem(/^Malware infection, 650 loaded$/, findings).waitFor();
    await findingRow(workbench, 1).waitFor();
    await setExpanded(row, false);
    await setExpanded(workbench.treeItem(halvorsen, findings), false);
  });

  it('The Findings view shows and exports only matching rows, and clears the filter in the row of the issue type', async () => {
    const { workbench } = ui;
    const { quickInput } = workbench;
    const findings = workbench.view('Findings');
    const row = await expandLoaded(workbench, pemberlane, 'Open port');
    await findingRow(workbench, 2).waitFor();
    const label = (await findingRow(workbench, 2).getAttribute('aria-label')) ?? '';
    const [target = ''] = /[\d.]{7,}/.exec(label) ?? [];
    await workbench.pressRowAction(row, 'Filter Findings');
    await quickInput.widget.getByText('Filter Findings: Open port').waitFor();
    await quickInput.answer(target);
    await workbench.treeItem(/^Open port, \d+ of 100 loaded match, 827 total$/, findings).waitFor();
    await findingRow(workbench, 2).waitFor();
    await findingRow(workbench, 1).waitFor({ state: 'detached' });
    const filter = workbench.treeItem(/^Only 100 of 827 searched, \d+ match, Filter: /, findings);
    await workbench.pickFromContextMenu(filter, 'Export Findings...');
    // First what this row shows.
    await quickInput.rows
      .first()
      .getByText(/^Filtered findings \(\d+\)$/)
      .waitFor();
    await quickInput.dismiss();
    const more = workbench.treeItem(/^Load 100 more, Not searched/, findings);
    await scrollTo(more, findings);
    await more.click();
    await workbench.treeItem(/^Open port, \d+ of 200 loaded match, 827 total$/, findings).waitFor();
    await workbench.pressRowAction(row, 'Clear Filter');
    await workbench.treeItem('Open port, 200 of 827 loaded', findings).waitFor();
    await findingRow(workbench, 1).waitFor();
    await workbench.page.keyboard.press('Home');
    await setExpanded(row, false);
    await setExpanded(workbench.treeItem(pemberlane, findings), false);
  });

  it('The Findings view marks a finding as known, says why in its row, and takes it back', async () => {
    const { workbench } = ui;
    const { quickInput, notifications } = workbench;
    const findings = workbench.view('Findings');
    const issueType = await expandIssueType(workbench, pemberlane, 'Open port');
    const row = findingRow(workbench, 2);
    await row.waitFor();
    assert.doesNotMatch(await row.innerText(), /known/);
    await workbench.pickFromContextMenu(row, 'Mark as Known...');
    await quickInput.widget.getByText('Mark 1 Finding as Known: ').waitFor();
    await quickInput.pick('Compensating control');
    await quickInput.pick('For good');
    await quickInput.answer('A firewall is in front of it.');
    const known = row.filter({ hasText: 'known: Compensating control' });
    await known.waitFor();
    await workbench.treeItem(/^Open port, .*, 1 known$/, findings).waitFor();
    await notifications.press('Marked 1 finding as known: Compensating control.', 'Undo');
    await known.waitFor({ state: 'detached' });
    await row.waitFor();
    assert.doesNotMatch((await issueType.getAttribute('aria-label')) ?? '', /known/);
    await setExpanded(issueType, false);
    await setExpanded(workbench.treeItem(pemberlane, findings), false);
  });

  it('The Findings view shows hostile findings as plain text', async () => {
    const { workbench } = ui;
    const link = '[fix](command:workbench.action.quit)';
    const html = '<img src=x onerror=alert(1)>';
    faulty.service.fail('/service_ftp/', {
      entries: [
        {
          issue_id: '1',
          target: `$(warning) ${html}`,
          reason: link,
          banner: `${html} ${link} https://evil.example/ www.evil.example a@evil.example`,
        },
      ],
    });
    await expandIssueType(workbench, pemberlane, 'FTP');
    const row = findingRow(workbench, 1);
    await row.waitFor();
    assert.equal(await row.locator('.label-name').innerText(), `$(warning) ${html}`);
    assert.match(await row.locator('.label-description').innerText(), /^\[fix\].*quit/);
    await workbench.page.keyboard.press('ArrowDown');
    await focusedRow(workbench.view('Findings')).and(row).waitFor();
    await workbench.showHover();
    const hover = workbench.page.locator('.monaco-hover');
    await hover.getByText(`banner: ${html} [fix]`).waitFor();
    assert.equal(await hover.locator('img').count(), 0);
    assert.equal(await row.locator('img').count(), 0);
    assert.deepEqual(await foreignLinks(workbench), []);
    await setExpanded(workbench.treeItem(pemberlane, workbench.view('Findings')), false);
  });

  it('The Findings view shows messages from the service without links', async () => {
    const { workbench } = ui;
    const findings = workbench.view('Findings');
    const words = 'Please [log in](command:workbench.action.quit) or see https://evil.example/';
    faulty.service.fail('/', { status: 403, message: words });
    await expandIssueType(workbench, halvorsen, 'RDP service exposed');
    const failure = workbench.treeItem(
      /^No access, Retry\. .*\(403\): Please \[log in\]/,
      findings,
    );
    await failure.waitFor();
    await workbench.page.keyboard.press('ArrowDown');
    await focusedRow(findings).and(failure).waitFor();
    await workbench.showHover();
    await workbench.page.locator('.monaco-hover').getByText('Please [log in]').waitFor();
    assert.deepEqual(await foreignLinks(workbench), []);
    await failure.click();
    await workbench.notifications.toast(/\(403\): Please \[log in\]/).waitFor();
    await startReportOfAll(workbench, 'Full');
    await workbench.notifications.toast(/"Full report: All findings" failed\. .*log in/).waitFor();
    assert.deepEqual(await foreignLinks(workbench), []);
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  describe('with a very long list', () => {
    longListTests(ui, faulty);
  });
});

import * as assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { demoScorecards } from '../../../../src/demo/demoService';
import { expandIssueType, findingRow, halvorsen, signIn } from '../../../host/workbench/steps';
import { setExpanded } from '../../../host/workbench/tree';
import type { Workbench } from '../../../host/workbench/workbench';
import { useFaultyService } from '../../faultyService';
import { useWorkbench } from '../../fixture';

describe('The request budget', () => {
  const [scorecard] = demoScorecards;
  // Few issue types: each is asked for its count in both windows.
  const issueTypes = ['open_port', 'service_rdp'];
  const ui = useWorkbench({
    settings: { 'scorecard.scorecards': [{ ...scorecard, issueTypes }] },
  });
  const faulty = useFaultyService(ui);

  const item = (workbench: Workbench): Locator =>
    workbench.statusBarItem(/^Scorecard Request Budget/);

  /** The item as it says how many requests are left of the 5,000. */
  const left = (workbench: Workbench, used: number): Locator =>
    workbench.statusBarItem(
      new RegExp(
        `^Scorecard Request Budget: Signed in to ${new URL(faulty.account.baseUrl).host}; ${(5000 - used).toLocaleString('en')} of 5,000 `,
      ),
    );

  /** The requests that are counted: the check of an address sends no key. */
  const counted = () =>
    faulty.service.requests.filter(
      (request) => !request.includes('/00000000-0000-0000-0000-000000000000/'),
    ).length;

  it('The request budget is shared by two windows with the same key, and so is a pause', async () => {
    const one = ui.workbench;
    await signIn(one, faulty.account);
    await one.treeItem(halvorsen).waitFor();
    // It runs the extension in a process of its own, and finds the key that the first one has stored.
    const two = await ui.openAnother();
    await two.openContainer('Scorecard');
    await two.treeItem(halvorsen).waitFor();
    // Every request is counted here: those for counts are sent when a scorecard is expanded.
    await setExpanded(one.treeItem(halvorsen), true);
    await setExpanded(two.treeItem(halvorsen), true);
    await one.treeItem('Open port, 41,237 total, not loaded').waitFor();
    await two.treeItem('Open port, 41,237 total, not loaded').waitFor();
    await expandIssueType(one, halvorsen, 'RDP service exposed');
    await findingRow(one, 1).waitFor();
    const used = counted();
    assert.ok(used > 0);
    await left(one, used).waitFor();
    await left(two, used).waitFor();

    faulty.service.fail('/issues/', { status: 429, message: 'Slow down', retryAfter: 600 });
    await setExpanded(two.treeItem(/^Open port/, two.view('Findings')), true);
    await item(two)
      .filter({ hasText: /\d:\d\d/ })
      .waitFor();
    await item(one)
      .filter({ hasText: /\d:\d\d/ })
      .waitFor();
    assert.equal(counted(), used + 1);

    // The window that was not told itself asks nothing either.
    faulty.service.fail('/issues/');
    await setExpanded(one.treeItem(/^Open port/, one.view('Findings')), true);
    await one.treeItem(/Retry/, one.view('Findings')).waitFor();
    assert.equal(counted(), used + 1);

    await item(one).click();
    const told = /Findings: paused until .*\./;
    await one.notifications.toast(told).waitFor();
  });
});

import * as assert from 'node:assert/strict';
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

/** What a service may say in the hope that someone clicks on it. */
const hostile = 'Please [log in](command:workbench.action.quit) or see https://evil.example/';

/** What is tried four or five times, with longer and longer waits, takes a while to fail. */
const retried = { timeout: 45_000 };

describe('When the service fails', () => {
  const ui = useWorkbench({
    settings: { 'scorecard.reports.openWhenReady': false },
  });
  const faulty = useFaultyService(ui);

  it('says that it cannot be reached, and goes on when it is back', async () => {
    const { workbench } = ui;
    const findings = workbench.view('Findings');
    await faulty.service.stop();
    await signIn(workbench, faulty.account);
    await findings.getByText('The service cannot be reached.').waitFor(retried);
    await workbench.notifications.toast(/could not be checked: .* cannot be reached/).waitFor();
    await faulty.service.start();
    await findings.getByRole('button', { name: 'Try Again' }).click();
    const scorecard = workbench.treeItem(halvorsen, findings);
    await scorecard.waitFor();

    await setExpanded(scorecard, true);
    await faulty.service.stop();
    const issueType = workbench.treeItem('RDP service exposed', findings);
    await setExpanded(issueType, true);
    const failure = workbench.treeItem(/^Service not reachable, Retry\. .*try again/, findings);
    await failure.waitFor(retried);
    await faulty.service.start();
    await failure.click();
    await findingRow(workbench, 1).waitFor();
    await failure.waitFor({ state: 'detached' });
  });

  it('keeps a report whose download breaks off for a retry, and a list that got a 500', async () => {
    const { workbench } = ui;
    const findings = workbench.view('Findings');
    const posts = () =>
      faulty.service.requests.filter((line) => line === 'POST /reports/full-dump');
    await signIn(workbench, faulty.account);
    await workbench.treeItem(halvorsen, findings).waitFor();
    faulty.service.fail('/download', { cutAfter: 1_000_000 });
    await workbench.runCommand('Scorecard: Start Full Report');

    faulty.service.fail('/issues/', { status: 500, message: 'Internal error' });
    const issueType = workbench.treeItem('RDP service exposed', findings);
    await setExpanded(workbench.treeItem(halvorsen, findings), true);
    await setExpanded(issueType, true);
    const failure = workbench.treeItem(/^Service error 500, Retry\. .*Try again/, findings);
    await failure.waitFor(retried);
    faulty.service.fail('/issues/');
    await failure.click();
    await findingRow(workbench, 1).waitFor();

    const toast = workbench.notifications.toast(/The download broke off before its end/);
    await toast.waitFor(retried);
    const reports = workbench.view('Reports');
    await workbench.treeItem(/^Full report: All findings, Failed/, reports).waitFor();
    // That of the progress goes when the report has failed.
    await workbench.notifications.toasts.nth(1).waitFor({ state: 'detached' });
    assert.equal(await workbench.notifications.toasts.count(), 1);
    faulty.service.fail('/download');
    await toast.getByRole('button', { name: 'Retry' }).click();
    await workbench.treeItem(/^Full report: All findings, \d[\d.]* MB/, reports).waitFor();
    assert.equal(posts().length, 1);
  });

  it('shows the words of the service, and no link that is in them', async () => {
    const { workbench } = ui;
    const findings = workbench.view('Findings');
    await signIn(workbench, faulty.account);
    await workbench.treeItem(halvorsen, findings).waitFor();
    faulty.service.fail('/', { status: 403, message: hostile });
    await expandIssueType(workbench, halvorsen, 'Open port');
    const failure = workbench.treeItem(
      /^No access, Retry\. .*It says: Please \[log in\]/,
      findings,
    );
    await failure.waitFor();
    await workbench.page.keyboard.press('ArrowDown');
    await focusedRow(findings).and(failure).waitFor();
    await workbench.showHover();
    await workbench.page.locator('.monaco-hover').getByText('Please [log in]').waitFor();
    assert.deepEqual(await foreignLinks(workbench), []);
    await failure.click();
    await workbench.notifications.toast(/\(403\)\. It says: Please \[log in\]/).waitFor();
    await workbench.runCommand('Scorecard: Start Full Report');
    await workbench.notifications.toast(/"Full report: All findings" failed\. .*log in/).waitFor();
    assert.deepEqual(await foreignLinks(workbench), []);
  });

  // The last: what the service forbids for a while is remembered by every window of this machine.
  it('keeps what is loaded through a limit and a refused key, and says what to do', async () => {
    const { workbench } = ui;
    const findings = workbench.view('Findings');
    await signIn(workbench, faulty.account);
    const issueType = await expandLoaded(workbench, halvorsen, 'Patching cadence');
    faulty.service.fail('/issues/', { status: 401, message: hostile });
    await workbench.pickFromContextMenu(issueType, 'Refresh Findings');
    await findings.getByText('The service refused the API key. Sign in again').waitFor();
    const refused = workbench.notifications.toast(/refused the API key \(401\)\. Sign in again/);
    await refused.getByRole('button', { name: 'Sign In' }).click();
    await workbench.quickInput.widget.getByText('Sign In (1/2)').waitFor();
    await workbench.quickInput.dismiss();
    await workbench.treeItem(/^Patching cadence.*, 100 of 3,720 loaded/, findings).waitFor();

    faulty.service.fail('/issues/', { status: 429, message: hostile, retryAfter: 1800 });
    const failure = workbench.treeItem(/^API key refused, Sign In\./, findings);
    await scrollTo(failure, findings);
    await workbench.runCommand('Scorecard: Load More Findings');
    await workbench.notifications
      .toast(/The request limit is reached\. Try again at .*; what is loaded stays/)
      .waitFor();
    await scrollTo(workbench.treeItem(/^Limit reached until .*, Retry\./, findings), findings);
    await findingRow(workbench, 100).waitFor();
    await workbench.notifications.toasts.nth(1).waitFor({ state: 'detached' });
    assert.equal(await workbench.notifications.toasts.count(), 1);
    assert.deepEqual(await foreignLinks(workbench), []);
  });
});

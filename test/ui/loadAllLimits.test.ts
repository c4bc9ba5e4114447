import * as assert from 'node:assert/strict';
import { expandLoaded, halvorsen, signIn } from '../host/workbench/steps';
import { focusedRow } from '../host/workbench/tree';
import { useFaultyService } from './faultyService';
import { useWorkbench } from './fixture';

describe('Load All and the request limit', () => {
  const ui = useWorkbench({
    settings: { 'scorecard.requestsPerHour': 100, 'scorecard.pageSize': 250 },
  });
  const faulty = useFaultyService(ui);

  it('asks before it takes much of what is left, and offers a report instead', async () => {
    const { workbench } = ui;
    const { quickInput } = workbench;
    const findings = workbench.view('Findings');
    await signIn(workbench, faulty.account);
    const row = await expandLoaded(workbench, halvorsen, 'Patching cadence');
    const before = faulty.service.requests.length;

    await workbench.pickFromContextMenu(row, 'Load All Findings');
    await quickInput.widget.getByText(/^Load All Findings: Patching cadence/).waitFor();
    await quickInput.dismiss();
    assert.equal(faulty.service.requests.length, before);
    await workbench.treeItem(/^Patching cadence.*, 250 of 3,720 loaded$/, findings).waitFor();

    await workbench.pickFromContextMenu(row, 'Load All Findings');
    await quickInput.pick('Start Full Report Instead');
    await workbench
      .treeItem(/^Full report: All findings, \d[\d.]* MB/, workbench.view('Reports'))
      .waitFor();
    await workbench.treeItem(/^Patching cadence.*, 250 of 3,720 loaded$/, findings).waitFor();

    await workbench.pickFromContextMenu(row, 'Load All Findings');
    await quickInput.pick('Load All');
    await workbench.treeItem(/^Patching cadence.*, 3,720 loaded$/, findings).waitFor();
  });

  // The last: what the service forbids for a while is remembered by every window of this machine.
  it('waits for the limit in the middle, says until when, and goes on by itself', async () => {
    const { workbench } = ui;
    const findings = workbench.view('Findings');
    await signIn(workbench, faulty.account);
    const row = await expandLoaded(workbench, halvorsen, 'Patching cadence');
    faulty.service.fail('offset=1000&', { status: 429, message: 'Slow down', retryAfter: 15 });
    await workbench.pickFromContextMenu(row, 'Load All Findings');
    await workbench.quickInput.pick('Load All');
    await findings
      .getByText(/^Waiting for the request limit until/)
      .first()
      .waitFor();
    faulty.service.fail('offset=1000&');
    const waiting = workbench.treeItem(
      /^Paused until .*, Loading all: [\d,]+ of 3,720, Waiting for the request limit/,
      findings,
    );
    // Thousands of rows away: typing its name leads there.
    await workbench.runCommand('Scorecard: Focus on Findings View');
    await workbench.page.keyboard.type('Paused');
    await focusedRow(findings).and(waiting).waitFor();
    await waiting.waitFor({ state: 'detached' });
    await workbench.page.keyboard.press('Home');
    await workbench.treeItem(/^Patching cadence.*, 3,720 loaded$/, findings).waitFor();
    assert.equal(await workbench.notifications.toasts.count(), 0);
  });
});

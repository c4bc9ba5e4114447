import * as assert from 'node:assert/strict';
import { expandLoaded, findingRow, halvorsen, signIn } from '../../host/workbench/steps';
import { focusedRow, scrollTo, setExpanded } from '../../host/workbench/tree';
import { useFaultyService } from '../faultyService';
import { useWorkbench } from '../fixture';

describe('A very long list', () => {
  const offsets: string[] = [];
  const ui = useWorkbench({
    oneWindow: true,
    settings: { 'scorecard.pageSize': 500 },
    demo: {
      // Each page is counted; one entry is asked for to try the key, and for a count.
      onRequest: ({ query }) => {
        if (query.get('limit') !== '1') {
          offsets.push(query.get('offset') ?? '');
        }
      },
    },
  });
  const faulty = useFaultyService(ui);

  it('is no longer loaded after Cancel, before the first answer and in the middle', async () => {
    const { workbench } = ui;
    const { quickInput } = workbench;
    const findings = workbench.view('Findings');
    let release: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    await signIn(workbench, faulty.account);
    await workbench.treeItem(halvorsen, findings).waitFor();
    faulty.service.fail('/open_port/', { until });
    await workbench.runCommand('Scorecard: Load All Findings');
    await quickInput.pick(halvorsen);
    await quickInput.pick('Open port');
    const toast = workbench.notifications.toast('Load All Findings: Open port');
    const cancel = toast.getByRole('button', { name: 'Cancel', exact: true });
    await cancel.click();
    await toast.waitFor({ state: 'detached' });
    faulty.service.fail('/open_port/');
    release();

    const row = await expandLoaded(workbench, halvorsen, 'Open port');
    assert.match((await row.getAttribute('aria-label')) ?? '', / 500 of 41,237 loaded$/);
    // No page behind the first 10,000 is answered, nor the two that begin with the same digit.
    faulty.service.fail('offset=1', { until: new Promise(() => undefined) });
    await workbench.runCommand('Scorecard: Load All Findings');
    await toast.filter({ hasText: /\b9,000 of 41,237/ }).waitFor();
    await cancel.click();
    await toast.waitFor({ state: 'detached' });
    await row.and(workbench.treeItem(/ 9,000 of 41,237 loaded$/)).waitFor();
    await setExpanded(row, false);
  });

  it('shows a finding in the middle, and the gaps around it', async () => {
    const { workbench } = ui;
    const findings = workbench.view('Findings');
    offsets.length = 0;
    const issueType = await expandLoaded(workbench, halvorsen, 'Patching cadence');
    await workbench.pickFromContextMenu(issueType, 'Go to Finding');
    await workbench.quickInput.type('3721');
    await workbench.quickInput.message
      .filter({ hasText: 'Enter a whole number from 1 to 3,720.' })
      .waitFor();
    await workbench.quickInput.answer('3,000');
    await focusedRow(findings)
      .and(workbench.treeItem(/, finding 3,000$/, findings))
      .waitFor();
    assert.deepEqual(offsets, ['0', '2500']);
    await workbench.page.keyboard.press('Home');
    const gap = workbench.treeItem('Findings 501 to 2,500 are not loaded', findings);
    await scrollTo(gap, findings);
    await gap.click();
    await focusedRow(findings).and(findingRow(workbench, 501)).waitFor();
    assert.deepEqual(offsets, ['0', '2500', '500']);
  });

  // The last: the window remembers what the service forbids for a while.
  it('says until when it waits for the request limit, and can be cancelled then', async () => {
    const { workbench } = ui;
    faulty.service.fail('/issues/', { status: 429, message: 'Slow down', retryAfter: 600 });
    await workbench.runCommand('Scorecard: Load All Findings');
    const toast = workbench.notifications.toast('Load All Findings: Patching cadence');
    const waiting = /Rate limited until .*\d:\d\d/;
    await toast.filter({ hasText: waiting }).waitFor();
    const message = workbench.view('Findings').getByText(waiting).first();
    await message.waitFor();
    await toast.getByRole('button', { name: 'Cancel', exact: true }).click();
    await toast.waitFor({ state: 'detached' });
    await message.waitFor({ state: 'detached' });
  });
});

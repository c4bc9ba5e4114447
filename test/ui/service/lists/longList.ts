import * as assert from 'node:assert/strict';
import { expandLoaded, findingRow, halvorsen } from '../../../host/workbench/steps';
import { focusedRow, scrollTo } from '../../../host/workbench/tree';
import type { FaultyService } from '../../faultyService';
import type { Ui } from '../../fixture';

/** With a list of 41,237 of which the first 200 are loaded, and one of which nothing is. */
export function longListTests(ui: Ui, faulty: { readonly service: FaultyService }): void {
  it('A long list shows a finding in the middle, and loads a gap on a click', async () => {
    const { workbench } = ui;
    const findings = workbench.view('Findings');
    const before = faulty.service.addresses.length;
    // Each page is counted; one entry is asked for to count the list.
    const offsets = () =>
      faulty.service.addresses
        .slice(before)
        .map((address) => new URL(address, ui.demo.baseUrl).searchParams)
        .filter((query) => query.get('limit') !== '1')
        .map((query) => query.get('offset'));
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
    assert.deepEqual(offsets(), ['0', '2900']);
    await workbench.page.keyboard.press('Home');
    const gap = workbench.treeItem('101\u20132,900 not loaded', findings);
    await scrollTo(gap, findings);
    await gap.click();
    await focusedRow(findings).and(findingRow(workbench, 101)).waitFor();
    assert.deepEqual(offsets(), ['0', '2900', '100']);
  });

  it('A long list stops loading on Cancel, before the first response and in the middle', async () => {
    const { workbench } = ui;
    let release: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    await workbench.page.keyboard.press('Home');
    const row = await expandLoaded(workbench, halvorsen, 'Open port');
    faulty.service.fail('/open_port/', { until });
    // The palette takes the list of the selected row.
    await findingRow(workbench, 1).click();
    await workbench.runCommand('Scorecard: Load All Findings');
    const toast = workbench.notifications.toast('Load All Findings: Open port');
    const cancel = toast.getByRole('button', { name: 'Cancel', exact: true });
    await cancel.click();
    await toast.waitFor({ state: 'detached' });
    faulty.service.fail('/open_port/');
    release();

    assert.match((await row.getAttribute('aria-label')) ?? '', / 200 of 41,237 loaded$/);
    // Pages of 500 follow the first 200. None behind 10,200 is answered, nor the two from 1,200 on.
    faulty.service.fail('offset=1', { until: new Promise(() => undefined) });
    await workbench.runCommand('Scorecard: Load All Findings');
    await toast.filter({ hasText: /\b9,200 of 41,237/ }).waitFor();
    await cancel.click();
    await toast.waitFor({ state: 'detached' });
    await row.and(workbench.treeItem(/ 9,200 of 41,237 loaded$/)).waitFor();
  });

  // The last: the window remembers what the service forbids for a while.
  it('A long list shows until when it waits for the rate limit, and can be cancelled meanwhile', async () => {
    const { workbench } = ui;
    faulty.service.fail('/issues/', { status: 429, message: 'Slow down', retryAfter: 600 });
    await workbench.runCommand('Scorecard: Load All Findings');
    const toast = workbench.notifications.toast('Load All Findings: Open port');
    const waiting = /The service asks to wait until .*\d:\d\d/;
    await toast.filter({ hasText: waiting }).waitFor();
    const message = workbench.view('Findings').getByText(waiting).first();
    await message.waitFor();
    await toast.getByRole('button', { name: 'Cancel', exact: true }).click();
    await toast.waitFor({ state: 'detached' });
    await message.waitFor({ state: 'detached' });
  });
}

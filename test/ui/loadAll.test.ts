import * as assert from 'node:assert/strict';
import { expandIssueType, findingRow, halvorsen, signIn } from '../host/workbench/steps';
import { focusedRow, scrollTo } from '../host/workbench/tree';
import { useWorkbench } from './fixture';

describe('A very long list', () => {
  const offsets: string[] = [];
  const ui = useWorkbench({
    demo: {
      latencyMs: 150,
      onRequest: ({ query }) => offsets.push(query.get('offset') ?? ''),
    },
  });

  beforeEach(() => {
    offsets.length = 0;
  });

  it('goes on after a reload of the window where Load All was interrupted', async () => {
    const { workbench, demo } = ui;
    const findings = workbench.view('Findings');
    await signIn(workbench, demo);
    await expandIssueType(workbench, halvorsen, 'Open port');
    await findingRow(workbench, 1).waitFor();
    const more = workbench.treeItem(/^Load 100 more, 100 of 41,237 loaded/, findings);
    await scrollTo(more, findings);
    await workbench.pickFromContextMenu(more, 'Load All Findings');
    await workbench.treeItem(/^Loading all: \d+,\d00 of 41,237/, findings).waitFor();
    await workbench.reload();
    const sent = offsets.length;
    const interrupted = workbench.treeItem(
      /^Loading was interrupted at \d+,\d00 of 41,237: go on\?/,
      findings,
    );
    await workbench.openContainer('Scorecard');
    await expandIssueType(workbench, halvorsen, 'Open port');
    await findingRow(workbench, 1).waitFor();
    await workbench.treeItem(/^Open port, \d+,\d00 of 41,237 loaded/, findings).waitFor();
    assert.ok(offsets.length <= sent + 6, 'pages were asked for again');
    await scrollTo(interrupted, findings);
    await interrupted.click();
    await workbench.page.keyboard.press('Home');
    await workbench.treeItem(/^Open port, 41,237$/, findings).waitFor({ timeout: 50_000 });
    // Only answers that were on their way when the window went may have been asked for twice.
    const twice = offsets.length - new Set(offsets).size;
    assert.ok(twice <= 7, `${twice} pages were asked for twice`);
    assert.equal(new Set(offsets).size, 413);
  });

  it('shows a finding in the middle, and the gaps around it', async () => {
    const { workbench, demo } = ui;
    const findings = workbench.view('Findings');
    await signIn(workbench, demo);
    const issueType = await expandIssueType(workbench, halvorsen, 'Open port');
    await findingRow(workbench, 1).waitFor();
    await workbench.pickFromContextMenu(issueType, 'Go to Finding');
    await workbench.quickInput.answer('30000');
    await focusedRow(findings)
      .and(workbench.treeItem(/, finding 30,000$/, findings))
      .waitFor();
    // The first tried the key.
    assert.deepEqual(offsets, ['0', '0', '29900']);
    await workbench.page.keyboard.press('Home');
    const gap = workbench.treeItem('Findings 101 to 29,900 are not loaded', findings);
    await scrollTo(gap, findings);
    await gap.click();
    await focusedRow(findings).and(findingRow(workbench, 101)).waitFor();
    assert.deepEqual(offsets, ['0', '0', '29900', '100']);
  });
});

import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { expandLoaded, findingRow, halvorsen, signIn } from '../host/workbench/steps';
import { scrollTo, setExpanded } from '../host/workbench/tree';
import { useWorkbench } from './fixture';

describe('Counts and filter', () => {
  const limits: string[] = [];
  const ui = useWorkbench({
    oneWindow: true,
    demo: { onRequest: ({ query }) => limits.push(query.get('limit') ?? '') },
    prepare: signIn,
  });

  beforeEach(() => {
    limits.length = 0;
  });

  it('shows how many findings there are as soon as a scorecard is expanded', async () => {
    const { workbench } = ui;
    const findings = workbench.view('Findings');
    const scorecard = workbench.treeItem(halvorsen, findings);
    await setExpanded(scorecard, true);
    const openPorts = workbench.treeItem('Open port, 41,237 in all, not loaded', findings);
    await openPorts.waitFor();
    assert.equal(await openPorts.locator('.label-description').innerText(), '41,237');
    assert.deepEqual(new Set(limits), new Set(['1']));
    await setExpanded(scorecard, false);
    await allCounts().waitFor();
    const sent = limits.length;
    await setExpanded(scorecard, true);
    await openPorts.waitFor();
    assert.equal(limits.length, sent);
    await setExpanded(workbench.treeItem(/^Open port, /, findings), true);
    const loaded = workbench.treeItem('Open port, 100 of 41,237 loaded', findings);
    await setExpanded(loaded, false);
  });

  it('filters the loaded findings while a person types, and takes it back', async () => {
    const { workbench } = ui;
    const { quickInput } = workbench;
    const findings = workbench.view('Findings');
    const row = await expandCounted('Malware infection');
    await workbench.pickFromContextMenu(row, 'Filter Findings');
    await quickInput.widget.getByText('Filter Findings: Malware infection').waitFor();
    await quickInput.type('no-such-word-at-all');
    const none = workbench.treeItem(/^None match of 100 loaded, Filter: no-such/, findings);
    await none.waitFor();
    await findingRow(workbench, 1).waitFor({ state: 'detached' });
    await workbench.treeItem(/^Load 100 more, Not searched/, findings).waitFor();
    await quickInput.dismiss();
    await findingRow(workbench, 1).waitFor();
    await none.waitFor({ state: 'detached' });

    await workbench.pickFromContextMenu(row, 'Filter Findings');
    await quickInput.widget.getByText('Filter Findings: Malware infection').waitFor();
    await quickInput.answer('no-such-word-at-all');
    await workbench
      .treeItem(/^Malware infection, 0 of 100 loaded match, 650 in all$/, findings)
      .waitFor();
    // Pressed, the row searches the rest.
    await none.click();
    await workbench.treeItem(/^Malware infection, 0 of 650 match$/, findings).waitFor();
    const nothing = workbench.treeItem(/^None match of 650, /, findings);
    await nothing.getByText('Clear Filter').waitFor();
    await nothing.click();
    await workbench.treeItem(/^Malware infection, 650 loaded$/, findings).waitFor();
    await findingRow(workbench, 1).waitFor();
    await setExpanded(row, false);
  });

  it('shows only the rows that match, and clears from the row of the issue type', async () => {
    const { workbench } = ui;
    const { quickInput } = workbench;
    const findings = workbench.view('Findings');
    const row = await expandCounted('Open port');
    await findingRow(workbench, 2).waitFor();
    const label = (await findingRow(workbench, 2).getAttribute('aria-label')) ?? '';
    const [target = ''] = /[\d.]{7,}/.exec(label) ?? [];
    await workbench.pickFromContextMenu(row, 'Filter Findings');
    await quickInput.widget.getByText('Filter Findings: Open port').waitFor();
    await quickInput.answer(target);
    await workbench
      .treeItem(/^Open port, \d+ of 100 loaded match, 41,237 in all$/, findings)
      .waitFor();
    await findingRow(workbench, 2).waitFor();
    await findingRow(workbench, 1).waitFor({ state: 'detached' });
    const more = workbench.treeItem(/^Load 100 more, Not searched/, findings);
    await scrollTo(more, findings);
    await more.click();
    await workbench
      .treeItem(/^Open port, \d+ of 200 loaded match, 41,237 in all$/, findings)
      .waitFor();
    await row.hover();
    await row.getByRole('button', { name: 'Clear Filter' }).click();
    await workbench.treeItem('Open port, 200 of 41,237 loaded', findings).waitFor();
    await findingRow(workbench, 1).waitFor();
  });

  it('exports the rows that are shown, and no others', async () => {
    const { workbench, server } = ui;
    const { quickInput } = workbench;
    const findings = workbench.view('Findings');
    const row = await expandCounted('Open port');
    await findingRow(workbench, 2).waitFor();
    await workbench.pickFromContextMenu(row, 'Filter Findings');
    await quickInput.widget.getByText('Filter Findings: Open port').waitFor();
    await quickInput.answer('nginx');
    const filter = workbench.treeItem(/^\d+ match of \d+ loaded, Filter: nginx/, findings);
    await filter.waitFor();
    const [count = ''] = /^\d+/.exec((await filter.getAttribute('aria-label')) ?? '') ?? [];
    const folder = path.join(server.folder, 'shown');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'neighbour.ndjson'), '');
    const file = path.join(folder, 'nginx.ndjson');
    const sent = limits.length;
    await workbench.pickFromContextMenu(filter, 'Export Findings...');
    await quickInput.row('All findings (41,237)').waitFor();
    await quickInput.pick(`Shown rows (${count})`);
    await quickInput.pick('NDJSON');
    await quickInput.answerFile(file, 'neighbour.ndjson');
    await workbench.notifications
      .toast(new RegExp(`${count} findings are exported to .*nginx\\.ndjson`))
      .waitFor();
    const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
    assert.equal(lines.length, Number(count));
    assert.ok(lines.every((line) => line.toLowerCase().includes('nginx')));
    assert.equal(limits.length, sent);
  });

  /** Expands an issue type when no count is asked for any more: the requests are counted here. */
  async function expandCounted(issueType: string): Promise<Locator> {
    const { workbench } = ui;
    const scorecard = workbench.treeItem(halvorsen, workbench.view('Findings'));
    await setExpanded(scorecard, true);
    await setExpanded(scorecard, false);
    await allCounts().waitFor();
    return expandLoaded(workbench, halvorsen, issueType);
  }

  /** The row of the scorecard, which is drawn with the sum when it is closed. */
  function allCounts(): Locator {
    const { workbench } = ui;
    const name = `${halvorsen}, 50,026 findings in all, 12 issue types`;
    return workbench.treeItem(name, workbench.view('Findings'));
  }
});

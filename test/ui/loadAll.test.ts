import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import {
  expandIssueType,
  expandLoaded,
  findingRow,
  halvorsen,
  signIn,
} from '../host/workbench/steps';
import { focusedRow, scrollTo } from '../host/workbench/tree';
import { useFaultyService } from './faultyService';
import { useWorkbench } from './fixture';

describe('A very long list', () => {
  const offsets: string[] = [];
  const ui = useWorkbench({
    settings: { 'scorecard.pageSize': 500 },
    demo: {
      latencyMs: 4000,
      // Each page is counted; one entry is asked for to try the key, and for a count.
      onRequest: ({ query }) => {
        if (query.get('limit') !== '1') {
          offsets.push(query.get('offset') ?? '');
        }
      },
    },
  });

  beforeEach(() => {
    offsets.length = 0;
  });

  it('shows a finding in the middle, and the gaps around it', async () => {
    const { workbench, demo } = ui;
    const findings = workbench.view('Findings');
    await signIn(workbench, demo);
    const issueType = await expandLoaded(workbench, halvorsen, 'Open port');
    await workbench.pickFromContextMenu(issueType, 'Go to Finding');
    await workbench.quickInput.type('41238');
    await workbench.quickInput.message
      .filter({ hasText: 'Give a whole number from 1 to 41,237.' })
      .waitFor();
    await workbench.quickInput.answer('30,000');
    await focusedRow(findings)
      .and(workbench.treeItem(/, finding 30,000$/, findings))
      .waitFor();
    assert.deepEqual(offsets, ['0', '29500']);
    await workbench.page.keyboard.press('Home');
    const gap = workbench.treeItem('Findings 501 to 29,500 are not loaded', findings);
    await scrollTo(gap, findings);
    await gap.click();
    await focusedRow(findings).and(findingRow(workbench, 501)).waitFor();
    assert.deepEqual(offsets, ['0', '29500', '500']);
  });
});

describe('Load All from the palette', () => {
  const ui = useWorkbench();
  const faulty = useFaultyService(ui);

  it('is cancelled before the first answer, and in the midst of it', async () => {
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
    assert.match((await row.getAttribute('aria-label')) ?? '', / 100 of 41,237 loaded$/);
    await workbench.runCommand('Scorecard: Load All Findings');
    await toast.filter({ hasText: /\b\d,\d00 of 41,237/ }).waitFor();
    await cancel.click();
    await toast.waitFor({ state: 'detached' });
    await row.and(workbench.treeItem(/ [\d,]+00 of 41,237 loaded$/)).waitFor();
    // Some thousand rows are drawn by now; what is told of them does not wait for that.
    await workbench.runCommand('Scorecard: Load All Findings');
    await cancel.click();
    await toast.waitFor({ state: 'detached' });
  });
});

describe('A list with a page that fails', () => {
  const ui = useWorkbench();
  const faulty = useFaultyService(ui);
  const total = 3720;

  it('has all the rest, a row with Retry in the place of the page, and is exported when it is whole', async () => {
    const { workbench } = ui;
    const { quickInput } = workbench;
    const findings = workbench.view('Findings');
    await signIn(workbench, faulty.account);
    const issueType = await expandLoaded(workbench, halvorsen, 'Patching cadence');
    faulty.service.fail('offset=200&', { status: 501, message: 'This page is broken.' });
    await workbench.pickFromContextMenu(issueType, 'Load All Findings');
    await workbench.treeItem(/^Patching cadence.*, 3,620 of 3,720 loaded$/, findings).waitFor();
    const failure = workbench.treeItem(
      /^Service error 501, Retry\. .*This page is broken/,
      findings,
    );
    await scrollTo(failure, findings);
    await findingRow(workbench, 200).waitFor();
    await findingRow(workbench, 301).waitFor();
    faulty.service.fail('offset=200&');
    await failure.click();
    await focusedRow(findings).and(findingRow(workbench, 201)).waitFor();
    await workbench.page.keyboard.press('Home');
    await workbench.treeItem(/^Patching cadence.*, 3,720 loaded$/, findings).waitFor();

    const folder = path.join(ui.server.folder, 'exports');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'neighbour.csv'), '');
    const file = path.join(folder, 'cadence.csv');
    await workbench.runCommand('Scorecard: Export Findings...');
    await quickInput.pick('CSV');
    await quickInput.answerFile(file, 'neighbour.csv');
    const done = workbench.notifications.toast(/3,720 findings are exported to .*cadence\.csv/);
    await done.waitFor();
    // A record may have line breaks in its cells; each begins with the finding's id.
    const records = fs.readFileSync(file, 'utf8').match(/^[0-9a-f-]{24,36},/gm);
    assert.equal(new Set(records).size, total);
    await done.getByRole('button', { name: 'Open' }).click();
    await workbench.editorTab(/^cadence\.csv/).waitFor();
  });

  it('says that the list has changed meanwhile, and loads it anew when that is pressed', async () => {
    const { workbench } = ui;
    const findings = workbench.view('Findings');
    await signIn(workbench, faulty.account);
    await expandIssueType(workbench, halvorsen, 'Patching cadence');
    await findingRow(workbench, 1).waitFor();
    // Five more than on the first page.
    faulty.service.fail('/issues/', { total: total + 5 });
    const more = workbench.treeItem(/^Load 100 more, 100 of 3,720 loaded/, findings);
    await scrollTo(more, findings);
    await more.click();
    await focusedRow(findings).and(findingRow(workbench, 101)).waitFor();
    await workbench.page.keyboard.press('Home');
    const changed = workbench.treeItem('List changed: reload? 3,720 before, 3,725 now', findings);
    await changed.waitFor();
    const before = faulty.service.requests.length;
    await changed.click();
    await changed.waitFor({ state: 'detached' });
    await workbench.treeItem(/^Patching cadence.*, 200 of 3,725 loaded$/, findings).waitFor();
    await findingRow(workbench, 1).waitFor();
    assert.equal(faulty.service.requests.length, before + 2);
  });
});

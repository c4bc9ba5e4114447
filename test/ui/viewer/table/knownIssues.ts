import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { ReportTable } from '../../../host/workbench/reportTable';
import type { Ui } from '../../fixture';

/** Findings of Trivy: what a scanner writes, and what it writes when it runs again. */
const first = ['CVE-2026-1', 'CVE-2026-2', 'CVE-2026-3', 'CVE-2026-4'];
const again = [...first, 'CVE-2026-5'];

function trivy(ids: readonly string[], severity = 'HIGH'): string {
  const Vulnerabilities = ids.map((id, at) => ({
    VulnerabilityID: id,
    PkgName: `package-${at}`,
    InstalledVersion: '1.0',
    Severity: severity,
    Title: `Overflow ${at}`,
  }));
  return JSON.stringify({
    SchemaVersion: 2,
    ArtifactName: 'app',
    Results: [{ Target: 'app (debian 12)', Class: 'os-pkgs', Type: 'debian', Vulnerabilities }],
  });
}

/** What the vendor states about two of them. */
const openVex = JSON.stringify({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  timestamp: '2026-01-01T00:00:00Z',
  statements: [
    { vulnerability: { name: 'CVE-2026-2' }, status: 'not_affected', justification: 'not_built' },
    { vulnerability: { name: 'CVE-2026-3' }, status: 'fixed' },
    { vulnerability: { name: 'CVE-2026-4' }, status: 'affected' },
  ],
});

/** The files of these tests, for the folder of the window. */
export const trivyFiles = {
  'trivy.json': trivy(first),
  'trivy-again.json': trivy(again),
  'trivy-worse.json': trivy(first, 'CRITICAL'),
  'trivy-fixed.json': trivy(again.toSpliced(3, 1)),
  'vendor.openvex.json': openVex,
};

/** Marks findings as a user does, with {@link trivyFiles} in the folder of the window. */
export function knownIssuesTests(ui: Ui): void {
  async function openTable(name: string): Promise<ReportTable> {
    const { workbench } = ui;
    await workbench.openContainer('Explorer');
    const item = workbench.treeItem(name, workbench.sideBar);
    await workbench.pickFromContextMenu(item, 'Open as Table');
    await workbench.editorTab(name).and(workbench.page.locator('[aria-selected=true]')).waitFor();
    return new ReportTable(workbench);
  }

  it('Known issues are marked by one key after another, count as closed in the next report, and can be undone', async () => {
    const { workbench } = ui;
    const { quickInput, notifications } = workbench;
    let table = await openTable('trivy.json');
    await table.waitForStatus('4 rows');
    await table.row(1).getByRole('gridcell').first().click();
    await table.press('k');
    await quickInput.widget.getByText('Mark 1 Finding as Known: ').waitFor();
    await quickInput.pick('False positive');
    await quickInput.pick('90 days');
    await quickInput.answer('The package is not used.');
    await table.waitForStatus('3 open of 4 rows');
    const known = (row: number) =>
      table.row(row).getByRole('rowheader', { name: /known: False positive until / });
    await known(1).waitFor();
    // The next row is active: the same again is two keys.
    await table.press('k');
    await quickInput.rows.first().getByText('As last time').waitFor();
    await quickInput.input.press('Enter');
    await table.waitForStatus('2 open of 4 rows');
    await known(2).waitFor();
    await notifications
      .toast(/Marked 1 finding as known: False positive until /)
      .first()
      .waitFor();

    await table.frame.getByRole('tab', { name: 'Overview' }).click();
    await table.count(/^High: 2$/).waitFor();
    await table.frame.getByRole('button', { name: '2 known', exact: true }).click();
    await table.waitForStatus('2 of 4 rows');
    await table.button('Clear Filters').press('Enter');

    // The scanner runs again: only what is new is open.
    table = await openTable('trivy-again.json');
    await table.waitForStatus('3 open of 5 rows');
    await table.button('2 known').waitFor();

    await table.row(1).getByRole('gridcell').first().click();
    await table.press('Shift+K');
    await table.waitForStatus('4 open of 5 rows');
    await notifications.press('1 finding is no longer known.', 'Undo');
    await table.waitForStatus('3 open of 5 rows');
    // The focus was in the notification.
    await table.row(1).getByRole('gridcell').first().click();
    await table.press('Control+A', 'Shift+K');
    await table.waitForStatus(/^5 rows$/);
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('Known issues leave Problems at once, and come back when they are not', async () => {
    const { workbench } = ui;
    const { quickInput, notifications } = workbench;
    const table = await openTable('scan.json');
    await table.waitForStatus(/^4 rows$/);
    await table.tool('Show in Problems', false).click();
    const worst = workbench.page
      .locator('.markers-panel')
      .getByRole('treeitem', { name: /Critical: SQL injection/ });
    await worst.waitFor();
    await workbench.editorTab('scan.json').click();
    await table.row(1).getByRole('gridcell').first().click();
    await table.press('k');
    await quickInput.pick('Not ours');
    await quickInput.pick('For good');
    await quickInput.answer('');
    await worst.waitFor({ state: 'detached' });
    await notifications.press(/Marked 1 finding as known/, 'Undo');
    await worst.waitFor();
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('View: Hide Panel');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('Known issues that are more severe in the next report are open there, and say what was decided', async () => {
    const { workbench } = ui;
    const { quickInput } = workbench;
    const decided = await openTable('trivy.json');
    await decided.waitForStatus(/^4 rows$/);
    await decided.row(1).getByRole('gridcell').first().click();
    await decided.press('k');
    await quickInput.pick('Compensating control');
    await quickInput.pick('For good');
    await quickInput.answer('');
    await decided.waitForStatus('3 open of 4 rows');
    const worse = await openTable('trivy-worse.json');
    await worse.waitForStatus(/^4 rows$/);
    const name = /more severe than when it was decided: Compensating control$/;
    await worse.row(1).getByRole('rowheader', { name }).waitFor();
    await worse.frame.getByRole('tab', { name: 'Overview' }).click();
    await worse.count(/^Critical: 4$/).waitFor();
    await worse.frame.getByRole('button', { name: '1 worse than decided', exact: true }).click();
    await worse.waitForStatus('1 of 4 rows');
    // It is decided again: at the severity that it has now.
    await worse.row(1).getByRole('gridcell').first().click();
    await worse.press('k');
    await quickInput.rows.first().getByText('As last time').waitFor();
    await quickInput.input.press('Enter');
    await worse.button('Clear Filters').press('Enter');
    await worse.waitForStatus('3 open of 4 rows');
    await worse.row(1).getByRole('gridcell').first().click();
    await worse.press('Shift+K');
    await worse.waitForStatus(/^4 rows$/);
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('Known issues that match nothing in a file are listed, and removed together', async () => {
    const { workbench } = ui;
    const { quickInput, notifications } = workbench;
    const marked = await openTable('trivy.json');
    await marked.waitForStatus(/^4 rows$/);
    await marked.row(3).getByRole('gridcell').first().click();
    await marked.press('Shift+ArrowDown', 'k');
    await quickInput.widget.getByText('Mark 2 Findings as Known').waitFor();
    await quickInput.pick('Accepted risk');
    await quickInput.pick('For good');
    await quickInput.answer('');
    await marked.waitForStatus('2 open of 4 rows');
    await workbench.runCommand('Scorecard: Remove Known Issues...');
    await notifications.toast(/Nothing to remove/).waitFor();

    const table = await openTable('trivy-fixed.json');
    await table.waitForStatus('3 open of 4 rows');
    await workbench.runCommand('Scorecard: Remove Known Issues...');
    const row = quickInput.row('Overflow 3');
    await row.getByText('Accepted risk \u00b7 matches nothing in this file').waitFor();
    assert.equal(await quickInput.rows.count(), 1);
    await row.getByRole('checkbox').check();
    await quickInput.input.press('Enter');
    await notifications.toast('1 finding is no longer known.').waitFor();

    // The file of another tool, in which none of them could be.
    await workbench.runCommand('Notifications: Clear All Notifications');
    const other = await openTable('scan.json');
    await other.waitForStatus(/^4 rows$/);
    await workbench.runCommand('Scorecard: Remove Known Issues...');
    await notifications.toast(/Nothing to remove/).waitFor();
    await workbench.editorTab('trivy-fixed.json').click();
    await table.waitForStatus('3 open of 4 rows');
    await table.row(3).getByRole('gridcell').first().click();
    await table.press('Control+A', 'Shift+K');
    await table.waitForStatus(/^4 rows$/);
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('Known issues are what a document of OpenVEX beside a file states, if the user chooses that', async () => {
    const { workbench } = ui;
    const { quickInput, notifications } = workbench;
    const table = await openTable('trivy.json');
    await table.waitForStatus(/^4 rows$/);
    // It is said before anything is marked, and marked at once.
    const notice = table.frame.locator('.notice', {
      hasText: 'vendor.openvex.json says that 2 open findings need no attention.',
    });
    await notice.getByRole('button', { name: 'Mark as Known' }).click();
    await table.waitForStatus('2 open of 4 rows');
    await notice.waitFor({ state: 'detached' });
    await notifications.press('Marked 2 findings as known: as vendor.openvex.json says.', 'Undo');
    await table.waitForStatus(/^4 rows$/);
    await notice.waitFor();
    await table.row(1).getByRole('gridcell').first().click();
    await table.press('Control+A', 'k');
    await quickInput.widget.getByText('Mark 4 Findings as Known').waitFor();
    await quickInput.pick('As vendor.openvex.json Says');
    await table.waitForStatus('2 open of 4 rows');
    for (const [row, reason] of [
      [2, 'False positive'],
      [3, 'Fixed'],
    ] as const) {
      await table
        .row(row)
        .getByRole('rowheader', { name: `known: ${reason}` })
        .waitFor();
    }
    await notifications.press('Marked 2 findings as known: as vendor.openvex.json says.', 'Undo');
    await table.waitForStatus(/^4 rows$/);
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('Known issues are counted in a comparison that is open, as soon as they are marked and when they are not', async () => {
    const { workbench } = ui;
    const { quickInput, notifications } = workbench;
    let table = await openTable('trivy.json');
    await table.waitForStatus(/^4 rows$/);
    await workbench.runCommand('Scorecard: Compare With...');
    await quickInput.answerFile(path.join(ui.server.folder, 'trivy-again.json'), 'trivy.json');
    await table.frame.getByText(/^1 new, 0 no longer reported/).waitFor();
    table = await openTable('trivy-again.json');
    await table.waitForStatus(/^5 rows$/);
    await table.row(5).getByRole('gridcell').first().click();
    await table.press('k');
    await quickInput.pick('Fixed');
    await quickInput.pick('For good');
    await quickInput.answer('');
    await table.waitForStatus('4 open of 5 rows');
    await workbench.editorTab('trivy.json \u2192 trivy-again.json').click();
    await table.frame.getByText(/^0 new \(open\), 0 no longer reported \(open\)/).waitFor();
    await table.frame.getByText('Not counted: 1 new, 0 no longer reported (known)').waitFor();
    // While it is seen, too.
    await notifications.press(/Marked 1 finding as known/, 'Undo');
    await table.frame.getByText(/^1 new, 0 no longer reported/).waitFor();

    // A file that was overwritten makes no other comparison under its title.
    const overwritten = path.join(ui.server.folder, 'trivy-again.json');
    fs.writeFileSync(overwritten, trivy([...again, 'CVE-2026-6']));
    try {
      table = await openTable('trivy.json');
      await table.waitForStatus(/^4 rows$/);
      await table.row(1).getByRole('gridcell').first().click();
      await table.press('k');
      await quickInput.rows.first().getByText('As last time').waitFor();
      await quickInput.input.press('Enter');
      await table.waitForStatus('3 open of 4 rows');
      await workbench.editorTab('trivy.json \u2192 trivy-again.json').click();
      await table.frame.getByText(/^Known issues have changed since\. Compare the files/).waitFor();
      await table.frame.getByText(/^1 new, 0 no longer reported/).waitFor();
      await notifications.press(/Marked 1 finding as known/, 'Undo');
    } finally {
      fs.writeFileSync(overwritten, trivyFiles['trivy-again.json']);
    }
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('Known issues are kept in a file of the workspace that the user has chosen, with what others write into it', async () => {
    const { workbench } = ui;
    const { quickInput } = workbench;
    const file = path.join(ui.server.folder, 'known-issues.sarif');
    const table = await openTable('trivy.json');
    await table.waitForStatus(/^4 rows$/);
    await workbench.runCommand('Scorecard: Keep Known Issues in...');
    await quickInput.pick('A File of the Workspace\u2026');
    await quickInput.answerFile(file, 'trivy.json');
    await table.row(1).getByRole('gridcell').first().click();
    await table.press('Shift+ArrowDown', 'k');
    await quickInput.widget.getByText('Mark 2 Findings as Known').waitFor();
    await quickInput.pick('Not ours');
    await quickInput.pick('For good');
    await quickInput.answer('');
    await table.waitForStatus('2 open of 4 rows');
    const written = fs.readFileSync(file, 'utf8');
    assert.match(written, /^\{"ruleId":"CVE-2026-1",.*"reason":"notOurs"/m);

    // As a merge of what a colleague decided.
    const [line = ''] = /^\{"ruleId":"CVE-2026-2".*$/m.exec(written) ?? [];
    const added = line.replaceAll('CVE-2026-2', 'CVE-2026-3').replaceAll('package-1', 'package-2');
    fs.writeFileSync(file, written.replace(line, `${line},\n${added}`));
    await table.waitForStatus('1 open of 4 rows');

    // With thousands of decisions of others.
    const others = Array.from({ length: 5_000 }, (_, at) =>
      line.replaceAll('CVE-2026-2', `CVE-2025-${10_000 + at}`),
    );
    fs.writeFileSync(
      file,
      written.replace(line, () => [line, ...others].join(',\n')),
    );
    await table.waitForStatus('2 open of 4 rows');
    await table.row(4).getByRole('gridcell').first().click();
    await table.press('k');
    await quickInput.rows.first().getByText('As last time').waitFor();
    await quickInput.input.press('Enter');
    await table.waitForStatus('1 open of 4 rows');
    const all = fs.readFileSync(file, 'utf8').match(/^\{"ruleId"/gm);
    assert.equal(all?.length, 5_003);
    fs.rmSync(file);
    await table.waitForStatus(/^4 rows$/);

    // A file that a colleague has committed counts once it is chosen, and the dialog does not ask to replace it.
    await workbench.runCommand('Scorecard: Keep Known Issues in...');
    await quickInput.pick('My Own File');
    fs.writeFileSync(file, written);
    await table.waitForStatus(/^4 rows$/);
    await workbench.runCommand('Scorecard: Keep Known Issues in...');
    await quickInput.pick('known-issues.sarif');
    await table.waitForStatus('2 open of 4 rows');
    fs.rmSync(file);
    await table.waitForStatus(/^4 rows$/);
    await workbench.runCommand('Scorecard: Keep Known Issues in...');
    await quickInput.pick('My Own File');
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });
}

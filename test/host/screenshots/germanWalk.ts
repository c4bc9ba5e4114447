import * as path from 'node:path';
import { comparedDumps } from '../../helpers/comparedDumps';
import { ReportTable } from '../workbench/reportTable';
import { halvorsen } from '../workbench/steps';
import { scrollTo, setExpanded } from '../workbench/tree';
import type { Workbench } from '../workbench/workbench';
import type { Camera } from './camera';
import { holdFindings, settingGroups, walkParts, type Services } from './reviewWalk';

/** The main states in a German window. VS Code's own texts are English in it. */
export async function germanWalk(
  workbench: Workbench,
  camera: Camera,
  services: Services,
): Promise<void> {
  await signInSteps(workbench, camera, services);
  await walkParts(workbench, camera, services, [findings, reports, editors, settings]);
}

async function signInSteps(
  workbench: Workbench,
  camera: Camera,
  { demo, service }: Services,
): Promise<void> {
  const { quickInput } = workbench;
  const step = (number: number) =>
    quickInput.widget.getByText(`Anmelden (${number}/2)`, { exact: true }).waitFor();
  await workbench.openContainer('Scorecard');
  await workbench.view('Befunde').getByRole('button', { name: 'Anmelden' }).waitFor();
  await camera.sideBar('70-de-signed-out');
  await workbench.runCommand('Scorecard: Anmelden');
  await step(1);
  await quickInput.type('');
  await camera.picker('71-de-sign-in-address');
  await quickInput.answer('http://127.0.0.1:1');
  await quickInput.widget.getByRole('button', { name: 'Trotzdem verwenden' }).waitFor();
  await camera.picker('71-de-sign-in-address-problem');
  await quickInput.answer(service.baseUrl);
  await step(2);
  await camera.picker('72-de-sign-in-key');
  await quickInput.answer('not-the-key');
  await quickInput.message.getByText(/hat diesen Schlüssel abgelehnt/).waitFor();
  await camera.picker('72-de-sign-in-key-problem');
  await quickInput.answer(demo.apiKey);
  await quickInput.widget.waitFor({ state: 'hidden' });
  await workbench.notifications.toast('Schlüssel überprüft').waitFor();
  await camera.toast('73-de-signed-in');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.treeItem(halvorsen).waitFor();
  await workbench.page.keyboard.press('F1');
  await quickInput.type('>Scorecard: ');
  await quickInput.rows.filter({ hasText: 'Scorecard: Abmelden' }).waitFor();
  await camera.window('74-de-palette');
  await quickInput.dismiss();
}

async function findings(
  workbench: Workbench,
  camera: Camera,
  { service, folder }: Services,
): Promise<void> {
  const { quickInput, notifications } = workbench;
  const view = workbench.view('Befunde');
  await workbench.runCommand('Scorecard: Scorecard oder Problemtypen hinzufügen');
  await quickInput.input.waitFor();
  await camera.picker('75-de-add-scorecard');
  await quickInput.answer('example.com');
  await quickInput.message.getByText(/nicht unterstützt/).waitFor();
  await camera.picker('75-de-add-scorecard-problem');
  await quickInput.dismiss();
  await setExpanded(workbench.treeItem(halvorsen), true);
  await setExpanded(workbench.treeItem(/^Offener Port/), true);
  await workbench.treeItem(/^Offener Port, 100 von /).waitFor();
  await scrollTo(workbench.treeItem(/^100 weitere laden/), view);
  await camera.sideBar('76-de-load-more');
  await workbench.page.keyboard.press('Home');
  await workbench.runCommand('Scorecard: Befunde filtern');
  await quickInput.input.waitFor();
  await camera.picker('76-de-filter');
  await quickInput.answer('nginx');
  await camera.sideBar('76-de-filtered');
  await workbench.runCommand('Scorecard: Filter aufheben');
  await workbench.runCommand('Scorecard: Befunde exportieren...');
  await quickInput.rows.first().waitFor();
  await camera.picker('77-de-export-scope');
  await quickInput.rows.filter({ hasText: 'Alle Befunde' }).click();
  await quickInput.row('NDJSON').waitFor();
  await camera.picker('77-de-export-format');
  const release = holdFindings(service);
  await quickInput.answer('NDJSON');
  await quickInput.answerFile(path.join(folder, 'befunde.ndjson'), 'neighbor.ndjson');
  const running = notifications.toast(/wird exportiert/);
  await running.waitFor();
  await camera.toast('77-de-export-progress');
  await running.getByRole('button', { name: 'Cancel' }).click();
  release();
  await running.waitFor({ state: 'detached' });
  await setExpanded(workbench.treeItem(/^Offener Port/, view), false);
  await setExpanded(workbench.treeItem(/^DMARC/, view), true);
  await workbench.treeItem('Keine Befunde').waitFor();
  service.fail('/paginated', { status: 500, message: 'boom' });
  await setExpanded(workbench.treeItem(/^Malware-Infektion/, view), true);
  await workbench.treeItem(/^Serverfehler 500/, view).waitFor();
  await camera.sideBar('78-de-failed-and-empty');
  service.heal();
  await workbench.runCommand('Scorecard: Anfragekontingent anzeigen');
  await notifications.toasts.first().waitFor();
  await camera.toast('78-de-budget');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await setExpanded(workbench.treeItem(halvorsen), false);
}

async function reports(workbench: Workbench, camera: Camera, { service }: Services): Promise<void> {
  const { quickInput, notifications } = workbench;
  const view = workbench.view('Berichte');
  await workbench.view('Befunde').locator('.pane-header').click();
  await camera.sideBar('80-de-no-reports');
  await workbench.runCommand('Scorecard: Detaillierten Bericht erstellen');
  await quickInput.rows.first().waitFor();
  await camera.picker('80-de-report-scorecard');
  await quickInput.dismiss();
  service.fail('/download', { status: 425, message: 'Not yet' });
  await workbench.runCommand('Scorecard: Vollständigen Bericht erstellen');
  const generating = notifications.toast(/Wird erstellt/);
  await generating.waitFor();
  await camera.toast('81-de-generating');
  await camera.sideBar('81-de-generating-row');
  await generating.getByRole('button', { name: 'Cancel' }).click();
  await workbench.treeItem(/ Abgebrochen, /, view).waitFor();
  service.heal();
  service.fail('/download', { pieceEveryMs: 25 });
  await workbench.runCommand('Scorecard: Vollständigen Bericht erstellen');
  await notifications.toast(/Download: /).waitFor();
  await camera.toast('82-de-downloading');
  await camera.sideBar('82-de-downloading-row');
  service.heal();
  await workbench
    .treeItem(/\d Vollständiger Bericht: Alle Befunde · [\d,]+ MB/, view)
    .waitFor({ timeout: 60_000 });
  await camera.toast('83-de-ready');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await camera.sideBar('83-de-ready-row');
  service.fail('/reports/full', { status: 500, message: 'boom' });
  await workbench.runCommand('Scorecard: Vollständigen Bericht erstellen');
  await notifications.toast('fehlgeschlagen').waitFor();
  // VS Code shows any progress for a moment.
  await notifications.toast('Wird angefordert').waitFor({ state: 'detached' });
  await camera.toast('84-de-report-failed');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await camera.sideBar('84-de-report-failed-row');
  service.heal();
}

async function editors(workbench: Workbench, camera: Camera, { service }: Services): Promise<void> {
  const { notifications } = workbench;
  const view = workbench.view('Berichte');
  const table = new ReportTable(workbench);
  await workbench
    .treeItem(/\d Vollständiger Bericht: Alle Befunde/, view)
    .last()
    .click();
  await table.count(/^Hoch: /).waitFor();
  await camera.editor('85-de-overview');
  await table.count(/^Hoch: /).click();
  await table.waitForStatus(/von/);
  await camera.editor('86-de-table');
  await table.tool('Exportieren und kopieren').click();
  await table.frame.getByRole('menu').waitFor();
  // An open menu keeps all keys, so that no command can be run.
  await camera.window('86-de-table-menu');
  await table.press('Escape');
  await table.row(2).getByRole('gridcell').first().click();
  await table.press('Enter');
  await table.record.getByText('Text in der Datei').waitFor();
  await camera.editor('86-de-table-record');
  await workbench.runCommand('View: Close All Editors');

  const { before, after } = comparedDumps();
  for (const [name, text] of [
    ['before.ndjson', before],
    ['after.ndjson', after],
  ] as const) {
    service.fail('/download', { name, bytes: Buffer.from(text) });
    await workbench.runCommand('Scorecard: Vollständigen Bericht erstellen');
    await notifications.toast(/ neu, [\d.]+ weggefallen, [\d.]+ geändert .*seit /).waitFor();
    if (name === 'after.ndjson') {
      await camera.toast('87-de-report-with-changes');
    }
    await workbench.runCommand('Notifications: Clear All Notifications');
  }
  service.heal();
  const rows = workbench.treeItem(/\d Vollständiger Bericht: Alle Befunde/, view);
  await rows.first().hover();
  await rows.first().getByRole('button', { name: 'Mit vorherigem Bericht vergleichen' }).click();
  await workbench.webview.getByRole('heading', { name: /^Änderungen seit/ }).waitFor();
  await camera.editor('88-de-comparison');
  await workbench.webview.getByRole('button', { name: 'Alle: 5', exact: true }).click();
  await table.waitForStatus(/von/);
  await camera.editor('88-de-comparison-table');
  await table.row(1).getByRole('gridcell').first().click();
  await table.press('Enter');
  await table.record.getByText('Text in der Datei').waitFor();
  await camera.editor('88-de-comparison-record');
  await workbench.runCommand('View: Close All Editors');

  await workbench.view('Berichte').locator('.pane-header').click();
  await workbench.view('Befunde').locator('.pane-header').click();
  await workbench.treeItem(/^Halvorsen.*[\d.]+ hoch/).waitFor();
  await setExpanded(workbench.treeItem(/^Halvorsen/), true);
  await setExpanded(workbench.treeItem(/TLS: schwache Verschlüsselung/), true);
  await workbench.treeItem(/, Befund 1$/).waitFor();
  await camera.sideBar('90-de-findings-with-severity');
  await workbench.treeItem(/, Befund 1$/).click();
  await workbench.webview.getByText('Issue ID').waitFor();
  await camera.editor('91-de-record');
}

async function settings(workbench: Workbench, camera: Camera): Promise<void> {
  const groups = ['Verbindung', 'Durchsuchen', 'Berichte'];
  await settingGroups(workbench, camera, '92-de-settings', groups);
}

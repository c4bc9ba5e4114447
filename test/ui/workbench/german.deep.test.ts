import * as assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { demoScorecards } from '../../../src/demo/demoService';
import { scrollTo, setExpanded } from '../../host/workbench/tree';
import { halvorsen } from '../../host/workbench/steps';
import { rowTexts } from '../../host/workbench/visibleText';
import { useWorkbench } from '../fixture';

describe('In a German VS Code', () => {
  const pemberlane = demoScorecards.find(({ name }) => name === 'Pemberlane Retail Group')?.id;
  const ui = useWorkbench({
    oneWindow: true,
    signedIn: true,
    language: 'de',
    settings: {
      'scorecard.collections': [{ name: 'A', path: 'x', style: 'page' }],
      'scorecard.reports.openWhenReady': false,
      // Of all findings it would be large.
      'scorecard.reports.detailedBody': { scorecard_identifier: pemberlane },
    },
    demo: { generationMs: 0 },
    prepare: async (workbench, { baseUrl }) => {
      await workbench.openContainer('Scorecard');
      const { host } = new URL(baseUrl);
      await workbench.notifications
        .toast(`Ein anderes Programm hat Sie bei ${host} angemeldet.`)
        .waitFor();
    },
  });

  it('In a German VS Code the views and their numbers are in German', async () => {
    const { workbench } = ui;
    await expandOpenPorts();
    await workbench.treeItem(/, Befund 1$/).waitFor();
    const more = workbench.treeItem('100 weitere laden, 100 von 41.237 geladen');
    await scrollTo(more, workbench.view('Befunde'));
    await workbench.page.keyboard.press('Home');
  });

  it('In a German VS Code a problem of a setting is translated, with the value in it', async () => {
    const { workbench } = ui;
    await workbench
      .treeItem(/Einstellung collections\[0\]: Der Pfad muss mit genau einem .* Gefunden: "x"/)
      .waitFor();
  });

  it('In a German VS Code an error says in German what is wrong and what to do', async () => {
    const { workbench } = ui;
    await workbench.pickFromContextMenu(await expandOpenPorts(), 'Gehe zu Befund');
    await workbench.quickInput.message.filter({ hasText: 'von 1 bis 41.237' }).waitFor();
    await workbench.quickInput.type('50000');
    await workbench.quickInput.message
      .filter({ hasText: 'Geben Sie eine ganze Zahl von 1 bis 41.237 ein.' })
      .waitFor();
    await workbench.quickInput.dismiss();
    await workbench.runCommand('Scorecard: Befunde kopieren...');
    await workbench.notifications.toast('Öffnen Sie einen Befund, oder wählen Sie').waitFor();
  });

  // The last: it signs out.
  it('In a German VS Code commands have German names, and sizes have a decimal comma', async () => {
    const { workbench } = ui;
    await workbench.runCommand('Scorecard: Detaillierten Bericht erstellen (alle Befunde)');
    await workbench.notifications.toast('Detaillierter Bericht: Alle Befunde').waitFor();
    await workbench
      .treeItem(
        /^\d\d:\d\d Detaillierter Bericht: Alle Befunde · \d+,\d MB$/,
        workbench.view('Berichte'),
      )
      .waitFor();
    // German words are longer; what tells a report from others is whole all the same.
    await workbench.setSideBarWidth(200);
    const rows = await rowTexts(workbench.view('Berichte').locator('.monaco-list-row'));
    assert.match(rows.at(-1)?.shownLabel ?? '', /^\d\d:\d\d Detaillierter /);
    await workbench.runCommand('Scorecard: Abmelden');
    const findings = workbench.view('Befunde');
    await findings.getByRole('button', { name: 'Anmelden' }).click();
    await workbench.quickInput.type('http://service.example/v1');
    await workbench.quickInput.message
      .filter({ hasText: 'Die Basisadresse muss mit https:// beginnen' })
      .waitFor();
  });

  /** Returns the row of the list, which is loaded. */
  async function expandOpenPorts(): Promise<Locator> {
    const { workbench } = ui;
    await setExpanded(workbench.treeItem(halvorsen), true);
    await setExpanded(workbench.treeItem(/^Offener Port/), true);
    const loaded = workbench.treeItem('Offener Port, 100 von 41.237 geladen');
    await loaded.waitFor();
    return loaded;
  }
});

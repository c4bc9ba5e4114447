import { scrollTo, setExpanded } from '../host/workbench/tree';
import { halvorsen } from '../host/workbench/steps';
import { useWorkbench } from './fixture';

describe('In a German VS Code', () => {
  const ui = useWorkbench({
    signedIn: true,
    language: 'de',
    settings: { 'scorecard.collections': [{ name: 'A', path: 'x', style: 'page' }] },
  });

  it('the views speak German and write numbers as Germans do', async () => {
    const { workbench, demo } = ui;
    await workbench.openContainer('Scorecard');
    await workbench.notifications
      .toast(`per Befehl bei ${new URL(demo.baseUrl).host} angemeldet.`)
      .waitFor();

    await setExpanded(workbench.treeItem(halvorsen), true);
    const list = workbench.treeItem(/^Open port/);
    await setExpanded(list, true);
    await workbench.treeItem(/, Befund 1$/).waitFor();
    await workbench.treeItem('Open port, 100 von 41.237 geladen').waitFor();
    const more = workbench.treeItem('100 weitere laden, 100 von 41.237 geladen');
    await scrollTo(more, workbench.view('Findings'));
  });

  it('a sentence of the core is translated with what stands in it', async () => {
    const { workbench } = ui;
    await workbench.openContainer('Scorecard');
    await workbench
      .treeItem(/Einstellung collections\[0\]: Der Pfad muss mit genau einem .* Gefunden: "x"/)
      .waitFor();
  });
});

import * as assert from 'node:assert/strict';
import { scrollTo, setExpanded } from '../host/workbench/tree';
import { useWorkbench } from './fixture';

const broken = { name: 'Broken', path: '/../x', style: 'page' };

describe('The Collections view', () => {
  const portfolios = { name: 'Portfolios', path: '/portfolios', style: 'page', size: 10 };
  const companies = { name: 'Companies', path: '/companies', style: 'page', size: 5 };
  const ui = useWorkbench({
    signedIn: true,
    size: { width: 1280, height: 1100 },
    settings: { 'scorecard.collections': [portfolios, companies, broken] },
  });

  it('browses page by page, opens an entry, and leads to the findings of its scorecard', async () => {
    const { workbench, demo } = ui;
    const [scorecard] = demo.scorecards;
    assert.ok(scorecard);
    await workbench.openContainer('Scorecard');
    const view = workbench.view('Collections');
    await workbench.treeItem(/^Setting collections\[2\]: The path/, view).waitFor();

    const list = workbench.treeItem(/^Portfolios/, view);
    await setExpanded(list, true);
    await workbench.treeItem(/, entry 1$/, view).waitFor();
    const more = workbench.treeItem(/^Load 10 more/, view);
    await scrollTo(more, view);
    await more.click();
    // What is new is shown, with the focus on its first entry.
    const eleventh = workbench.treeItem(/, entry 11$/, view);
    await eleventh.and(workbench.page.locator('[aria-selected="true"]')).waitFor();
    const last = workbench.treeItem(/^Load 3 more, 20 of 23 loaded/, view);
    await scrollTo(last, view);
    // Back to the top: what is far away is not in the DOM.
    await workbench.page.keyboard.press('Home');
    await setExpanded(list, false);

    await setExpanded(workbench.treeItem(/^Companies/, view), true);
    const company = workbench.treeItem(new RegExp(`^${scorecard.name}`), view);
    await company.click();
    await workbench.editorTab(new RegExp(scorecard.name)).waitFor();
    await workbench.textEditor.getByText('scorecard_identifier').waitFor();

    await workbench.pickFromContextMenu(company, 'Browse Its Findings');
    const found = workbench.treeItem(new RegExp(`^${scorecard.name}`), workbench.view('Findings'));
    await found
      .and(workbench.page.locator('[aria-expanded="true"][aria-selected="true"]'))
      .waitFor();
    // The helper that signs in is told as the program it is; nothing else is.
    const others = workbench.notifications.toasts.filter({ hasNotText: 'of a program signed' });
    assert.equal(await others.count(), 0);
  });
});

describe('Without a collection', () => {
  const ui = useWorkbench({ signedIn: true, settings: { 'scorecard.collections': [] } });

  it('there is no Collections view', async () => {
    await ui.workbench.openContainer('Scorecard');
    // The scorecards come when the session is known, and with it the collections would.
    await ui.workbench.treeItem(/./, ui.workbench.view('Findings')).first().waitFor();
    assert.equal(await ui.workbench.view('Collections').count(), 0);
  });
});

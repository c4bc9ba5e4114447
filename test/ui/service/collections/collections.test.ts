import * as assert from 'node:assert/strict';
import { findingRow } from '../../../host/workbench/steps';
import { scrollTo, setExpanded } from '../../../host/workbench/tree';
import { useWorkbench } from '../../fixture';

const broken = { name: 'Broken', path: '/../x', style: 'page' };

describe('The Scorecard side bar', () => {
  const portfolios = { name: 'Portfolios', path: '/portfolios', style: 'page', size: 10 };
  const companies = { name: 'Companies', path: '/companies', style: 'page', size: 5 };
  const ofPortfolio = {
    name: 'Companies of it',
    path: '/portfolios/{id}/companies',
    style: 'page',
  };
  const ui = useWorkbench({
    oneWindow: true,
    signedIn: true,
    size: { width: 1280, height: 1100 },
    settings: {
      'scorecard.scorecards': [],
      'scorecard.collections': [portfolios, companies, broken, ofPortfolio],
    },
    prepare: (workbench) => workbench.openContainer('Scorecard'),
  });

  it('The Scorecard side bar adds a scorecard from pasted text, with picked and typed issue types, and removes it', async () => {
    const { workbench, demo } = ui;
    const { quickInput } = workbench;
    const findings = workbench.view('Findings');
    const id = demo.scorecards[3]?.id ?? '';
    await findings.getByText('This also verifies your key.').waitFor();
    await findings.getByRole('button', { name: 'Add Scorecard', exact: true }).click();
    await quickInput.type('tarnwick-energy.example');
    await quickInput.message
      .filter({ hasText: 'domain names such as "tarnwick-energy.example" are not supported' })
      .waitFor();
    await quickInput.answer(`https://service.example/scorecards/${id.toUpperCase()}/issues?page=1`);
    await quickInput.message.filter({ hasText: `Name for ${id}` }).waitFor();
    await quickInput.answer('Tarnwick Energy');
    await quickInput
      .row('Find Issue Types with Findings')
      .getByText(/requests; .* left/)
      .waitFor();
    await quickInput.pick('Select From List');
    await quickInput.widget.getByText('Issue types of Tarnwick Energy').waitFor();
    await quickInput.type('SSH: weak');
    await quickInput.pick('SSH: weak cipher');
    // A list that changes before the extension knows of a choice comes without it.
    await quickInput.widget.getByText('1 Selected').waitFor();
    await quickInput.type('found_in_2031');
    await quickInput.pick('Add "found_in_2031"');
    await quickInput.widget.getByText('2 Selected').waitFor();
    await quickInput.type('service_rdp, service_smb typosquat');
    await quickInput.pick('Add 3 issue types');
    await quickInput.widget.getByText('3 Selected').waitFor();
    await quickInput.input.press('Enter');

    // What was chosen is on screen, without a click on the scorecard.
    await workbench.treeItem('Tarnwick Energy, 5 issue types', findings).waitFor();
    await workbench.treeItem('Found in 2031', findings).waitFor();
    await setExpanded(workbench.treeItem(/^SSH: weak cipher/, findings), true);
    await findingRow(workbench, 1).waitFor();
    await workbench.pickFromContextMenu(
      workbench.treeItem('Tarnwick Energy', findings),
      'Remove Scorecard',
    );
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('Remove Tarnwick Energy from the settings?').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await findings.getByRole('button', { name: 'Add Scorecard', exact: true }).waitFor();
    await dialog.waitFor({ state: 'detached' });
  });

  it('The Scorecard side bar loads a collection page by page, opens an entry, and adds its scorecard', async () => {
    const { workbench, demo } = ui;
    const [scorecard] = demo.scorecards;
    assert.ok(scorecard);
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
    // A portfolio expands into its companies; its JSON is in its menu.
    const portfolio = workbench.treeItem(/, entry 1$/, view);
    await workbench.pickFromContextMenu(portfolio, 'Open Entry as JSON');
    await workbench.textEditor.getByText('"name"').waitFor();
    await portfolio.click();
    await workbench.treeItem(/^Companies of it/, view).waitFor();
    await view.locator('[aria-level="4"][aria-label$=", entry 1"]').waitFor();
    await setExpanded(list, false);

    await setExpanded(workbench.treeItem(/^Companies/, view), true);
    const company = workbench.treeItem(new RegExp(`^${scorecard.name}`), view);
    await company.click();
    await workbench.editorTab(new RegExp(scorecard.name)).waitFor();
    const page = workbench.webview;
    await page.getByRole('heading', { name: scorecard.name }).waitFor();
    await page.getByText(/^Companies, entry \d+$/).waitFor();
    await workbench.runCommand('Scorecard: Open Entry as JSON');
    await workbench.textEditor.getByText('scorecard_identifier').waitFor();

    await workbench.pressRowAction(company, 'Show Findings');
    await workbench.quickInput.widget.getByText(`Issue types of ${scorecard.name}`).waitFor();
    // Nobody knows which types have findings: they can be found here, too.
    await workbench.quickInput.row('Find Issue Types with Findings').waitFor();
    await workbench.quickInput.pick('Select From List');
    await workbench.quickInput.pick('Open port');
    await workbench.quickInput.input.press('Enter');
    const found = workbench.treeItem(new RegExp(`^${scorecard.name}`), workbench.view('Findings'));
    await found
      .and(workbench.page.locator('[aria-expanded="true"][aria-selected="true"]'))
      .waitFor();
    // The helper that signs in is told as the program it is; nothing else is.
    const others = workbench.notifications.toasts.filter({ hasNotText: 'Another program signed' });
    assert.equal(await others.count(), 0);
  });
});

import * as assert from 'node:assert/strict';
import { extensionHosts, killExtensionHost } from '../../../host/extensionHosts';
import { namedHost } from '../../../host/namedCertificate';
import { focusedRow, setExpanded } from '../../../host/workbench/tree';
import { until } from '../../../integration/until';
import { useWorkbench } from '../../fixture';
import { type NamedService, startNamedService } from './namedService';

const halvorsen = 'Halvorsen Maritime Logistics';
const bluefjord = 'Bluefjord Bank';

describe('An account of SecurityScorecard', () => {
  const requests: string[] = [];
  let named: NamedService | undefined;
  // It is known by its host.
  before(async () => {
    named = await startNamedService(() => ui.demo.baseUrl);
  });
  const ui = useWorkbench({
    oneWindow: true,
    settings: {
      'scorecard.scorecards': [],
      'scorecard.collections': [],
      get 'http.proxy'() {
        return named?.proxyUrl;
      },
      'http.proxySupport': 'override',
      'scorecard.reports.openAs': 'overview',
      'scorecard.showFactors': true,
    },
    demo: {
      service: 'securityScorecard',
      generationMs: 60_000,
      onRequest: ({ method, path }) => requests.push(`${method} ${path}`),
    },
  });

  after(() => named?.close());

  const to = (start: string) => requests.filter((request) => request.startsWith(start)).length;

  it('An account of SecurityScorecard is signed in to with the key, lists companies, and finishes its reports', async () => {
    const { workbench, demo } = ui;
    const { quickInput, notifications } = workbench;
    const { widget } = quickInput;
    const findings = workbench.view('Findings');
    await workbench.openContainer('Scorecard');
    await workbench.runCommand('Scorecard: Sign In');
    await widget.getByText('Sign In (1/3)').waitFor();
    await quickInput.answer(`https://${namedHost}`);
    await widget.getByText('Sign In (2/2)').waitFor();
    await quickInput.answer(demo.apiKey);
    await notifications.toast(/^Signed in to .*: key verified\.$/).waitFor();

    await findings.getByText('Add companies of your portfolios').waitFor();
    await quickInput.pick('Critical suppliers');
    await quickInput.row(halvorsen).getByRole('checkbox').check();
    await quickInput.row(bluefjord).getByRole('checkbox').check();
    await quickInput.input.press('Enter');
    // The score is beside the name, the severity of the worst issue type after it.
    const first = workbench.treeItem(new RegExp(`^${halvorsen}, `), findings);
    const second = workbench.treeItem(new RegExp(`^${bluefjord}, `), findings);
    const scored = workbench.treeItem(/, Score [A-F] \d+, .*\d high, /, findings);
    await first.and(scored).waitFor();
    await second.and(scored).waitFor();
    // The first one that was added is shown with its issue types.
    await first.and(workbench.page.locator('[aria-expanded="true"]')).waitFor();
    const scoredFactor = (name: string) =>
      workbench.treeItem(new RegExp(`^${name}, Score [A-F] \\d+, `), findings);
    await setExpanded(scoredFactor('Network security'), true);
    await workbench.treeItem(/^Open port, 33,033 low, 33,033 total/, findings).waitFor();
    // The company with the lower score is above.
    await workbench.page.keyboard.press('Home');
    await focusedRow(findings).and(second).waitFor();
    await workbench.page.keyboard.press('ArrowDown');
    await focusedRow(findings).and(first).waitFor();
    await workbench.showHover();
    const hover = workbench.page.locator('.monaco-hover');
    await hover.getByText('halvorsen-maritime.example').waitFor();
    await hover.getByText(/^From\s\d+\sto\s\d+\sin\s1[78]\d\sdays\s[▁-█]+$/).waitFor();
    await hover.getByText(/^Fix.+,.+,\sand.+for\sabout\s\+[\d.]+\spoints\.$/).waitFor();
    assert.equal(to('GET /companies/'), 3, 'one request for each company, one for the scores');
    // A finding is shown below its factor, which is collapsed.
    await setExpanded(scoredFactor('Network security'), false);
    await setExpanded(first, false);
    await workbench.runCommand('Scorecard: Go to Finding');
    await quickInput.pick(halvorsen);
    await quickInput.pick('Open port');
    await quickInput.answer('7');
    await focusedRow(findings)
      .and(workbench.treeItem(/, finding 7$/, findings))
      .waitFor();
    // The company with the lower score is above.
    await workbench.page.keyboard.press('Home');
    await focusedRow(findings).and(second).waitFor();
    await workbench.page.keyboard.press('ArrowDown');
    await focusedRow(findings).and(first).waitFor();
    requests.length = 0;
    await workbench.page.keyboard.press('Escape');
    await setExpanded(first, false);
    await setExpanded(second, true);
    await setExpanded(scoredFactor('Endpoint security'), true);
    await workbench.treeItem(/^Outdated browser, 4,720 low, 4,720 total/, findings).waitFor();
    assert.equal(to('GET /companies/'), 0, 'it was loaded when it was added');

    await workbench.runCommand('Notifications: Clear All Notifications');
    const name = `Issues report: ${bluefjord}`;
    const running = workbench.statusBarItem(`1 report: ${name} · Generating`);
    await workbench.runCommand('Scorecard: Start Issues Report');
    await quickInput.pick(bluefjord);
    await notifications
      .toast(name)
      .filter({ hasText: /Generating/ })
      .waitFor();
    const hosts = extensionHosts(ui.server);
    await workbench.reload();
    await running.waitFor();
    await killExtensionHost(ui.server, hosts);
    const overview = workbench.webview.getByRole('tab', { name: 'Overview' });
    await workbench.editorTab(new RegExp(`^${name}`)).waitFor();
    await overview.waitFor();
    await workbench.webview.getByText('Outdated browser').first().waitFor();
    assert.equal(to('POST /reports/issues'), 1);

    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Scorecard: Start Issues Report');
    await quickInput.pick(bluefjord);
    await workbench.editorTab(new RegExp(`^${name}`)).waitFor();
    await overview.waitFor();
    const newest = workbench.treeItem(
      /\d Issues report: Bluefjord Bank/,
      workbench.view('Reports'),
    );
    await workbench.pressRowAction(newest.first(), 'Compare with Previous');
    await workbench.webview
      .getByText(/ unchanged( \(open or not\))?$/)
      .first()
      .waitFor();
    assert.equal(to('POST /reports/issues'), 2);

    // All companies that are selected, such as those of a portfolio.
    // Their counts are loaded first: rows that are drawn again in between are not selected.
    await setExpanded(first, true);
    await first.and(scored).waitFor();
    const selected = findings.getByRole('treeitem', { selected: true });
    await first.click();
    await first.and(selected).waitFor();
    await second.click({ modifiers: ['ControlOrMeta'] });
    await first.and(selected).waitFor();
    await second.and(selected).waitFor();
    await workbench.openContextMenu(second);
    await workbench.pickFromMenu('Report', 'Start Issues Report');
    for (const scorecard of [halvorsen, bluefjord]) {
      const report = new RegExp(`^Generating, Issues report: ${scorecard}`);
      await workbench.treeItem(report, workbench.view('Reports')).waitFor();
    }
    assert.equal(to('POST /reports/issues'), 4);

    await first.click();
    await workbench.openContextMenu(first);
    await workbench.pickFromMenu('Open in Browser');
    const question = workbench.page.getByRole('dialog').filter({ hasText: 'external website' });
    // VS Code shortens it in the middle.
    await question
      .getByText(/^https:\/\/platform\.securityscorecard\.io\/#.*\.example\/factors$/)
      .waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('An account of SecurityScorecard finds companies of all portfolios by a breach in one choice, lists and adds them', async () => {
    const { workbench } = ui;
    const { quickInput } = workbench;
    requests.length = 0;
    // Two clicks.
    await workbench.pressViewAction('Findings', 'Find Companies...');
    await quickInput.pick('Had a breach in the last 365 days');
    const collections = workbench.view('Collections');
    const found = workbench.treeItem('Had a breach in the last 365 days', collections);
    const row = workbench.treeItem(/^Tarnwick Energy, [A-F] \u00b7 \d+ \u00b7 /, collections);
    await row.waitFor();
    assert.equal(to('GET /portfolios/'), 3, 'one for each portfolio');
    await workbench.pressRowAction(row, 'Show Findings');
    await workbench.treeItem(/^Tarnwick Energy, /, workbench.view('Findings')).waitFor();
    // The last: while the rows of a view are drawn again, VS Code does not know the row of a button.
    await workbench.pressRowAction(found, 'Refresh Collections');
    await until('each portfolio was asked again', () => to('GET /portfolios/') === 6);
  });

  it('An account of SecurityScorecard tells the service about known findings once, after the user has seen the request', async () => {
    const { workbench } = ui;
    const { quickInput, notifications } = workbench;
    const findings = workbench.view('Findings');
    const path = '/companies/halvorsen-maritime.example/issues/open_port/feedback/';
    await workbench.runCommand('Scorecard: Go to Finding');
    await quickInput.pick(halvorsen);
    await quickInput.pick('Open port');
    await quickInput.answer('3');
    const third = workbench.treeItem(/, finding 3$/, findings);
    await focusedRow(findings).and(third).waitFor();
    await workbench.pickFromContextMenu(third, 'Send Feedback to the Service...');
    await notifications.toast(/None of these findings is known/).waitFor();
    await workbench.pickFromContextMenu(third, 'Mark as Known...');
    await quickInput.pick('Not ours');
    await quickInput.pick('For good');
    await quickInput.answer('Sold in May.');
    await third.filter({ hasText: 'known: Not ours' }).waitFor();

    await workbench.pickFromContextMenu(third, 'Send Feedback to the Service...');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('Send feedback about 1 finding to the service?').waitFor();
    await dialog.getByText(`POST ${path}`).waitFor();
    await dialog.getByText('1 finding, misattribution: Sold in May.').waitFor();
    assert.equal(to('POST /companies/'), 0);
    await dialog.getByRole('button', { name: 'Send' }).click();
    await notifications.toast('Sent feedback about 1 finding.').waitFor();
    assert.equal(to(`POST ${path}`), 1);

    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.pickFromContextMenu(third, 'Send Feedback to the Service...');
    await notifications.toast(/The service was told on /).waitFor();
    assert.equal(to('POST /companies/'), 1);
  });
});

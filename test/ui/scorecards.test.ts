import { setExpanded } from '../host/workbench/tree';
import { useWorkbench } from './fixture';
import { expandIssueType, findingRow, signIn } from '../host/workbench/steps';

const id = '53c76b81-428a-57bf-a935-f032570637ba';

describe('Scorecards', () => {
  const ui = useWorkbench({ settings: { 'scorecard.scorecards': [] } });

  it('are added from pasted text, with chosen and typed issue types, and removed', async () => {
    const { workbench, demo } = ui;
    const { quickInput } = workbench;
    const findings = workbench.view('Findings');
    await signIn(workbench, demo);
    await findings.getByText('The API key is checked with the first of them.').waitFor();
    await findings.getByRole('button', { name: 'Add Scorecard', exact: true }).click();

    await quickInput.type('tarnwick-energy.example');
    await quickInput.message
      .filter({ hasText: '"tarnwick-energy.example" is a domain name. The service wants the UUID' })
      .waitFor();
    await quickInput.answer(`https://service.example/scorecards/${id.toUpperCase()}/issues?page=1`);
    await quickInput.message.filter({ hasText: `A name for ${id}` }).waitFor();
    await quickInput.answer('Tarnwick Energy');
    await quickInput.widget.getByText('Issue types of Tarnwick Energy').waitFor();
    await quickInput.type('SSH: weak');
    await quickInput.pick('SSH: weak cipher');
    await quickInput.type('found_in_2031');
    await quickInput.pick('Add "found_in_2031"');
    await quickInput.type('service_rdp, service_smb typosquat');
    await quickInput.pick('Add 3 issue types');
    await quickInput.input.press('Enter');

    await findings.getByText('The API key was not checked yet').waitFor();
    const type = await expandIssueType(workbench, 'Tarnwick Energy', 'SSH: weak cipher');
    await findingRow(workbench, 1).waitFor();
    await findings.getByText('The API key was not checked yet').waitFor({ state: 'detached' });
    await setExpanded(type, false);
    await expandIssueType(workbench, 'Tarnwick Energy', 'Found in 2031');
    await workbench.treeItem('No findings', findings).waitFor();
    const pasted = workbench.treeItem('SMB service exposed', findings);
    await pasted.waitFor();
    await workbench.runCommand('Scorecard: Remove Issue Type');
    await quickInput.pick('SMB service exposed');
    await pasted.waitFor({ state: 'detached' });
    await workbench.treeItem('RDP service exposed', findings).waitFor();

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
});

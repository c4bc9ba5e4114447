import * as assert from 'node:assert/strict';
import { useWorkbench } from './fixture';
import { useFaultyService } from './faultyService';
import { expandIssueType, findingRow, halvorsen, signIn } from '../host/workbench/steps';

describe('Signing in', () => {
  const ui = useWorkbench();
  const faulty = useFaultyService(ui);

  it('says what is wrong while one types, refuses a wrong key, and is remembered', async () => {
    const { workbench, demo } = ui;
    const { quickInput } = workbench;
    const findings = workbench.view('Findings');
    await workbench.openContainer('Scorecard');
    await findings.getByRole('button', { name: 'Sign In' }).click();
    await quickInput.widget.getByText('Sign In (1/2)').waitFor();
    await quickInput.type('http://service.example/v1');
    await quickInput.message.filter({ hasText: /https/ }).waitFor();
    await quickInput.answer('no address');
    await quickInput.message.filter({ hasText: 'is not a web address such as https:' }).waitFor();
    await quickInput.answer(demo.baseUrl);

    await quickInput.widget.getByText('Sign In (2/2)').waitFor();
    await quickInput.type('two words');
    await quickInput.message.filter({ hasText: /API key/ }).waitFor();
    const host = new URL(demo.baseUrl).host;
    await quickInput.answer('not-the-key');
    await quickInput.message.filter({ hasText: `${host} refused this key (401)` }).waitFor();
    assert.equal(await workbench.treeItem(halvorsen, findings).count(), 0);
    await quickInput.answer(demo.apiKey);
    await workbench.treeItem(halvorsen, findings).waitFor();
    await findings.getByText(host).waitFor();
    assert.equal(await workbench.notifications.toasts.count(), 0);

    await workbench.reload();
    await expandIssueType(workbench, halvorsen, 'Open port');
    await findingRow(workbench, 1).waitFor();

    await workbench.runCommand('Scorecard: Sign Out');
    await findings.getByRole('button', { name: 'Sign In' }).waitFor();
    await workbench.reload();
    await findings.getByRole('button', { name: 'Sign In' }).waitFor();
  });

  it('asks whether a new key is of the same account when something is loaded', async () => {
    const { workbench } = ui;
    const { service, account } = faulty;
    const { quickInput } = workbench;
    const row = (host: string) => workbench.treeItem(new RegExp(host), workbench.view('Findings'));
    /** Whatever key asks, these are its findings from now on. */
    const serve = (host: string) => {
      service.fail('/issues/', { entries: [{ issue_id: host, domain: host, port: 22 }] });
    };
    const enter = async (apiKey: string) => {
      await workbench.runCommand('Scorecard: Sign In');
      await quickInput.widget.getByText('Sign In (1/2)').waitFor();
      await quickInput.answer(account.baseUrl);
      await quickInput.widget.getByText('Sign In (2/2)').waitFor();
      await quickInput.answer(apiKey);
    };
    const keys = () => [...new Set(service.authorizations)];

    serve('first.example');
    await signIn(workbench, { ...account, apiKey: 'key-1' });
    await expandIssueType(workbench, halvorsen, 'Open port');
    await row('first.example').waitFor();

    serve('second.example');
    await enter('key-2');
    await quickInput.row('Another account').waitFor();
    await quickInput.dismiss();
    await enter('key-2');
    await quickInput.pick('Same account');
    await quickInput.widget.waitFor({ state: 'hidden' });
    await row('first.example').waitFor();
    assert.equal(await row('second.example').count(), 0);

    await enter('key-3');
    await quickInput.pick('Another account');
    await row('second.example').waitFor();
    await row('first.example').waitFor({ state: 'detached' });

    // A key that is known is never asked about again.
    serve('first.example');
    await enter('key-1');
    await row('first.example').waitFor();
    assert.equal(await row('second.example').count(), 0);
    assert.deepEqual(keys(), ['Token key-1', 'Token key-2', 'Token key-3']);
    assert.equal(await workbench.notifications.toasts.count(), 0);
  });
});

import * as assert from 'node:assert/strict';
import { expandIssueType, findingRow } from '../../../host/workbench/steps';
import { sendText, startTestServer } from '../../../helpers/testServer';
import { useWorkbench } from '../../fixture';

const domain = 'halvorsen-maritime.example';
const scorecardId = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';

/** Nothing listens there. */
const offline = 'http://127.0.0.1:1';

describe('Signing in', () => {
  const ui = useWorkbench({ settings: { 'scorecard.scorecards': [] } });

  it('Signing in shows each problem in its step, keeps the input, verifies the key and survives a reload', async () => {
    const { workbench, demo } = ui;
    const { quickInput } = workbench;
    const { widget, message, input } = quickInput;
    const findings = workbench.view('Findings');
    const back = widget.getByRole('button', { name: 'Back' });
    const useAnyway = widget.getByRole('button', { name: 'Use Anyway' });
    const says = (text: string | RegExp) => message.filter({ hasText: text }).waitFor();
    const step = (number: number) => widget.getByText(`Sign In (${number}/3)`).waitFor();
    const portal = await startTestServer((_, response) => {
      sendText(response, 200, '<title>Log in</title>', { 'Content-Type': 'text/html' });
    });
    try {
      // It is there with the collections of the settings, before another view was opened.
      await workbench.runCommand('Scorecard: Focus on Collections View');
      await workbench.view('Collections').getByText('Sign in to browse collections.').waitFor();
      await findings.getByRole('button', { name: 'Sign In' }).click();
      await step(1);
      await quickInput.type('http://service.example/v1');
      await says(/https/);
      await quickInput.answer('no address');
      await says('must be a URL such as https:');
      await quickInput.answer(portal.baseUrl);
      await says('answers with a web page (HTML). Check the address with its path');
      assert.equal(await useAnyway.count(), 0);
      await quickInput.answer(offline);
      await says('127.0.0.1:1 refused the connection');
      await useAnyway.click();
      await step(2);
      await back.click();
      await step(1);
      assert.equal(await input.inputValue(), offline);
      await quickInput.answer(demo.baseUrl);
    } finally {
      await portal.close();
    }

    await step(2);
    await quickInput.type('two words');
    await says(/can't contain spaces/);
    await quickInput.answer('not-the-key');
    await step(3);
    await quickInput.answer('example.com');
    await says('domain names such as "example.com" are not supported');
    await quickInput.answer(`https://example.com/scorecards/${scorecardId}`);
    const host = new URL(demo.baseUrl).host;
    await step(2);
    await says(`${host} refused this key (401): The API key is missing or not valid.`);
    assert.equal(await input.inputValue(), 'not-the-key');
    assert.equal(await input.getAttribute('type'), 'password');
    assert.equal(await workbench.notifications.toasts.count(), 0);
    await quickInput.answer(demo.apiKey);
    await step(3);
    await back.click();
    await step(2);
    assert.equal(await input.inputValue(), demo.apiKey);
    await input.press('Enter');
    await step(3);
    assert.match(await input.inputValue(), new RegExp(scorecardId));
    // As where the address lacks a part of its path.
    await quickInput.answer('00000000-0000-4000-8000-000000000000');
    await says(
      `whether the address ${demo.baseUrl} is complete. Back returns to it; leave this step empty to add scorecards later.`,
    );
    await quickInput.answer(scorecardId);
    const verified = workbench.notifications.toast(': key and scorecard verified.');
    await verified.waitFor();
    // It has one line, as it has no button.
    const line = verified.locator('.notification-list-item-message');
    assert.ok(await line.evaluate((shown) => shown.scrollWidth <= shown.clientWidth));
    await widget.getByText(/^\d+ requests; 4,99\d left this hour$/).waitFor();
    await quickInput.pick('Select From List');
    await quickInput.type('open_port');
    await quickInput.pick('Open port');
    await input.press('Enter');
    // What was chosen is on screen, without a click on the scorecard.
    const openPorts = workbench.treeItem(/^Open port/, findings);
    // Its scorecard gets the focus, which would close a menu.
    await findings.locator('.monaco-list:focus .monaco-list-row.selected').waitFor();
    await workbench.pickFromContextMenu(openPorts, 'Edit Server Filter (JSON)');
    await widget.getByText(/^The service decides which fields it may have\. /).waitFor();
    await input.press('Escape');

    await workbench.reload();
    await expandIssueType(workbench, domain, 'Open port');
    await findingRow(workbench, 1).waitFor();

    await workbench.runCommand('Scorecard: Sign Out');
    await findings.getByRole('button', { name: 'Sign In' }).waitFor();
  });
});

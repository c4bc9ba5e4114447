import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { CommandId } from '../../../src/commands';
import { sendText } from '../../helpers/testServer';
import { command, configure, isolate, settingsWritten } from '../helpers';
import { reportIn, reportService, sendProcessing } from '../service/reports/reportService';
import { demo, halvorsen, pemberlane, sendPage, server, signedInDemo, signIn } from '../services';
import { until } from '../until';
import { answer, answerWith, takeQuestions, told } from '../window';

/** Calls a command as a user does: with nothing. */
async function user(id: CommandId): Promise<unknown> {
  return vscode.commands.executeCommand(id);
}

/** Closes the question on screen, again and again until the command has ended. */
async function dismissing(call: Promise<unknown>): Promise<unknown> {
  const open = Symbol('open');
  for (;;) {
    const closed = vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    const result = await Promise.race([call, closed.then(() => open)]);
    if (result !== open) {
      return result;
    }
  }
}

const scorecards = [
  { id: halvorsen, name: 'Halvorsen', issueTypes: ['open_port', 'service_rdp'] },
  { id: pemberlane, name: 'Pemberlane', issueTypes: ['open_port'] },
];

describe('A user', () => {
  isolate();

  for (const id of [
    'scorecard.signIn',
    'scorecard.addScorecard',
    'scorecard.removeScorecard',
    'scorecard.loadMore',
    'scorecard.openFinding',
    'scorecard.startFullReport',
  ] as const) {
    it(`A user who dismisses the question of ${id} changes nothing`, async () => {
      const service = await demo();
      await configure({ 'reports.fullBody': { id: '${scorecardId}' } });
      await signIn(service);
      await configure({ scorecards });
      const settings = settingsWritten();
      assert.equal(await dismissing(user(id)), undefined);
      assert.ok(takeQuestions().length > 0, 'Nothing was asked.');
      assert.deepEqual(settingsWritten(), settings);
      assert.equal(service.requests.length, 0);
      assert.deepEqual(told('showErrorMessage'), []);
    });
  }

  it('A user is asked before local data is deleted, and can refuse', async () => {
    await signedInDemo();
    answer('showWarningMessage', undefined);
    assert.equal(await user('scorecard.deleteLocalData'), undefined);
    assert.equal(takeQuestions().length, 1);
    assert.equal((await command('scorecard.showRequestBudget')).used, 0);
  });

  it('A user gets one notification of an error, and the command resolves to undefined', async () => {
    const service = await server((_, response) => {
      sendText(response, 404);
    });
    await signIn(service);
    await configure({ scorecards: [{ ...scorecards[1] }] });
    assert.equal(await user('scorecard.loadMore'), undefined);
    assert.equal(told('showErrorMessage').length, 1);
    assert.match(told('showErrorMessage').join(), /404/);
  });

  it('A user can try again what failed because the service was down', async () => {
    let isDown = false;
    let pages = 0;
    const service = await server((request, response) => {
      if (isDown) {
        sendText(response, 501);
      } else {
        pages += 1;
        sendPage(request, response, 3);
      }
    });
    await configure({ scorecards: [{ ...scorecards[1] }] });
    await signIn(service);
    const before = pages;
    isDown = true;
    answerWith('showErrorMessage', (_, ...buttons) => {
      isDown = false;
      return (buttons as vscode.MessageItem[]).find(({ title }) => title === 'Try Again');
    });
    assert.equal(await user('scorecard.loadMore'), undefined);
    await until('it is loaded', () => pages > before);
    assert.equal(told('showErrorMessage').length, 1);
  });

  it('A user gets one notification of a report that fails', async () => {
    const service = await server((_, response) => {
      sendText(response, 401);
    });
    await signIn(service);
    assert.equal(await user('scorecard.startFullReport'), undefined);
    const notices = [...told('showErrorMessage'), ...told('showWarningMessage')];
    assert.equal(notices.length, 1, notices.join());
  });

  it('A user who cancels a report gets undefined', async () => {
    await signIn(
      await reportService((_, response) => {
        sendProcessing(response);
      }),
    );
    const started = user('scorecard.startFullReport');
    await command('scorecard.cancelReport', { id: await reportIn('generating') });
    assert.equal(await started, undefined);
  });

  it('A user gets no question from Show Request Budget, List Reports and Sign Out', async () => {
    await configure({ scorecards });
    for (const signedIn of [false, true]) {
      if (signedIn) {
        await user('scorecard.useDemo');
      }
      await user('scorecard.showRequestBudget');
      assert.deepEqual(await user('scorecard.listReports'), []);
      await user('scorecard.signOut');
    }
    assert.deepEqual(takeQuestions(), []);
  });
});

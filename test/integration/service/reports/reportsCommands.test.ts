import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { sendText } from '../../../helpers/testServer';
import { localPath } from '../../../../src/workbench/storedFiles';
import { command, configure, failure, isolate } from '../../helpers';
import {
  instantReports,
  postsOf,
  quietReports,
  reportIn,
  reportsFolder,
  reportService,
  reportText,
  sendProcessing,
  sendReport,
} from './reportService';
import { server, signIn } from '../../services';
import { answer, buttonsOf, pickFirst, takeQuestions, told } from '../../window';
import type { Report } from '../../../../src/commands';

/** A report that is ready, in a new folder. */
async function readyReport(): Promise<Report & { path: string; folder: string }> {
  const folder = await reportsFolder();
  await signIn(await instantReports());
  const record = await command('scorecard.startDetailedReport');
  assert.ok(record.path !== undefined);
  return { ...record, path: record.path, folder };
}

const openFile = () => {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom ? localPath(input.uri) : undefined;
};

describe('A finished report', () => {
  isolate({ settings: quietReports });

  it('A finished report opens in the editor', async () => {
    const { id, path: file } = await readyReport();
    assert.equal(await command('scorecard.openReport', { id }), undefined);
    assert.equal(openFile(), file);
  });

  it('A finished report is saved as a copy, but not over a file or to a relative path', async () => {
    const { folder, path: file, ...record } = await readyReport();
    const { id } = record;
    const target = path.join(folder, 'copy.csv');
    const saved = await command('scorecard.saveReportAs', { id, path: target });
    assert.deepEqual(saved, { ...record, path: file });
    assert.equal(await fs.readFile(target, 'utf8'), reportText);
    assert.equal((await fs.stat(target)).mode & 0o077, 0, 'private');
    await fs.writeFile(target, 'mine');
    const again = command('scorecard.saveReportAs', { id, path: target });
    const refused = await failure(again, 'badRequest');
    assert.ok(refused.message.includes(target));
    assert.equal(await fs.readFile(target, 'utf8'), 'mine');
    for (const relative of ['copy.csv', './copy.csv', '', 'file:///tmp/copy.csv']) {
      await failure(command('scorecard.saveReportAs', { id, path: relative }), 'badRequest');
    }
    await failure(command('scorecard.saveReportAs', { id, path: 7 }), 'badRequest');
    const nowhere = path.join(folder, 'missing', 'copy.csv');
    const unsaved = command('scorecard.saveReportAs', { id, path: nowhere });
    const { message } = await failure(unsaved, 'download');
    assert.match(message, /is not writable \(ENOENT\)\. Choose a path in a writable folder\.$/);
    assert.ok(!(await fs.readdir(folder)).some((name) => name.endsWith('.draft')));
  });

  it('A finished report is saved for a user where the dialog says, even over a file', async () => {
    const { folder } = await readyReport();
    const target = path.join(folder, 'copy.csv');
    // The user has confirmed in the dialog.
    await fs.writeFile(target, 'old');
    pickFirst();
    answer('showSaveDialog', vscode.Uri.file(target));
    await vscode.commands.executeCommand('scorecard.saveReportAs');
    assert.deepEqual(
      takeQuestions().map(({ name }) => name),
      ['showQuickPick', 'showSaveDialog'],
    );
    assert.equal(await fs.readFile(target, 'utf8'), reportText);
    assert.ok(told('showInformationMessage').includes(`Report saved as ${target}`));
  });

  it('A finished report is revealed in the file manager, or its path is shown where there is none', async () => {
    const { id, path: file } = await readyReport();
    assert.equal(await command('scorecard.revealReport', { id }), undefined);
    if (!(await vscode.commands.getCommands(true)).includes('revealFileInOS')) {
      assert.ok(told('showInformationMessage').some((message) => message.includes(file)));
    }
  });

  it('A finished report is removed with its file', async () => {
    const { id, folder } = await readyReport();
    assert.equal(await command('scorecard.removeReport', { id }), undefined);
    assert.deepEqual(await command('scorecard.listReports'), []);
    assert.deepEqual(await fs.readdir(folder), []);
  });

  it('A finished report is removed for a user after a confirmation', async () => {
    const { title, folder } = await readyReport();
    pickFirst();
    for (const [button, left] of [
      [undefined, 1],
      ['Remove', 0],
    ] as const) {
      answer('showWarningMessage', button);
      await vscode.commands.executeCommand('scorecard.removeReport');
      const asked = takeQuestions().filter(({ name }) => name === 'showWarningMessage');
      assert.equal(asked.length, 1);
      const [question] = asked[0]?.args ?? [];
      const named = /^Remove "Detailed report: (.+) \u00b7 \d+ \w+ \d\d:\d\d"\?$/;
      assert.equal(named.exec(String(question))?.[1], title);
      assert.equal((await command('scorecard.listReports')).length, left);
      assert.equal((await fs.readdir(folder)).length, left);
    }
  });

  it('A finished report is removed for a user who has read what becomes of its files', async () => {
    const { id: _id, ...first } = await readyReport();
    pickFirst();
    answer('showWarningMessage', undefined);
    const detail = async () => {
      await vscode.commands.executeCommand('scorecard.removeReport');
      const asked = takeQuestions().find(({ name }) => name === 'showWarningMessage');
      return (asked?.args[1] as vscode.MessageOptions | undefined)?.detail?.split('\n');
    };
    const removed = 'It is removed from the list.';
    assert.deepEqual(await detail(), [removed, `Its file is deleted: ${first.path}`]);
    await fs.writeFile(first.path, 'my own notes');
    assert.deepEqual(await detail(), [
      removed,
      `Its file stays, because it was changed after the download: ${first.path}`,
    ]);
    await fs.rm(first.path);
    assert.deepEqual(await detail(), [removed]);

    await configure({ 'reports.folder': '' });
    const { id, path: file = '' } = await command('scorecard.startDetailedReport');
    const own = path.dirname(path.dirname(file));
    assert.equal(path.basename(own), id);
    assert.deepEqual(await detail(), [removed, `Its file is deleted: ${file}`]);
    await fs.writeFile(file, 'my own notes');
    const changed = `Its file is deleted, although it was changed after the download: ${file}`;
    assert.deepEqual(await detail(), [removed, changed]);
    await fs.mkdir(path.join(own, 'unpacked'));
    assert.deepEqual(await detail(), [removed, changed]);
    await fs.writeFile(path.join(own, 'unpacked', 'report.csv'), '');
    const others = `The other files in its own folder are deleted: ${own}`;
    assert.deepEqual(await detail(), [removed, changed, others]);
    answer('showWarningMessage', 'Remove');
    assert.deepEqual(await detail(), [removed, changed, others]);
    await assert.rejects(fs.stat(own), { code: 'ENOENT' });
  });

  it('A finished report copies its path to the clipboard', async () => {
    const { id, path: file } = await readyReport();
    assert.equal(await command('scorecard.copyReportPath', { id }), file);
    assert.equal(await vscode.env.clipboard.readText(), file);
  });

  it('A finished report is removed with all other finished reports when a program confirms', async () => {
    const { folder } = await readyReport();
    await failure(command('scorecard.removeFinishedReports'), 'badRequest');
    assert.equal((await command('scorecard.listReports')).length, 1);
    await command('scorecard.signOut');
    await signIn(
      await reportService((_, response) => {
        sendProcessing(response);
      }),
    );
    const running = command('scorecard.startFullReport');
    const id = await reportIn('generating');
    assert.deepEqual(await command('scorecard.removeFinishedReports', { confirm: true }), {
      removed: 1,
    });
    assert.deepEqual(
      (await command('scorecard.listReports')).map((report) => report.id),
      [id],
    );
    assert.deepEqual(await fs.readdir(folder), []);
    await command('scorecard.cancelReport', { id });
    assert.equal(await running, undefined);
  });

  it('A finished report is removed with all other finished reports that a user selects', async () => {
    await readyReport();
    await command('scorecard.startDetailedReport');
    answer('showQuickPick', undefined);
    await vscode.commands.executeCommand('scorecard.removeFinishedReports');
    const [question] = takeQuestions();
    assert.equal((await command('scorecard.listReports')).length, 2);
    answer('showQuickPick', question?.args[0]);
    await vscode.commands.executeCommand('scorecard.removeFinishedReports');
    assert.deepEqual(await command('scorecard.listReports'), []);
    takeQuestions();
  });

  it('A finished report warns that its file is missing, and is downloaded again by Retry', async () => {
    await reportsFolder();
    const service = await reportService((_, response) => {
      sendReport(response);
    });
    await signIn(service);
    const record = await command('scorecard.startFullReport');
    assert.ok(record.path !== undefined);
    const { id, path: file } = record;
    await fs.rm(file);
    const gone = await failure(command('scorecard.openReport', { id }), 'download');
    assert.ok(gone.message.includes(file));
    pickFirst();
    await vscode.commands.executeCommand('scorecard.openReport');
    takeQuestions();
    const missing =
      /^The file of "Full report: All findings" is missing\. Retry downloads it again\.$/;
    assert.deepEqual(buttonsOf('showWarningMessage', missing), ['Retry']);
    assert.deepEqual(told('showErrorMessage'), []);
    assert.deepEqual(await command('scorecard.retryReport', { id }), record, 'with its time');
    assert.equal(await fs.readFile(file, 'utf8'), reportText);
    assert.equal(postsOf(service), 1);
  });

  it('A finished report warns that its file is missing, and is requested again by Retry if the answer was the file', async () => {
    await reportsFolder();
    const service = await instantReports();
    await signIn(service);
    const record = await command('scorecard.startDetailedReport');
    await fs.rm(record.path ?? '');
    pickFirst();
    await vscode.commands.executeCommand('scorecard.openReport');
    const missing =
      /^The file of "Detailed report: All findings" is missing\. Retry requests the report again\.$/;
    assert.deepEqual(buttonsOf('showWarningMessage', missing), ['Retry']);
    takeQuestions();
    pickFirst();
    answer('showWarningMessage', undefined);
    await vscode.commands.executeCommand('scorecard.retryReport');
    assert.equal(takeQuestions().length, 2, 'which report, and whether to ask for it once more');
    assert.equal(postsOf(service), 1);
  });
});

describe('List Reports', () => {
  isolate();

  it('List Reports returns the newest first, also when signed out, and none of them during the demo', async () => {
    const service = await server((_, response) => {
      sendText(response, 400);
    });
    await signIn(service);
    await failure(command('scorecard.startFullReport'), 'badRequest');
    await failure(command('scorecard.startDetailedReport'), 'badRequest');
    await failure(command('scorecard.startFullReport'), 'badRequest');
    const records = await command('scorecard.listReports');
    assert.deepEqual(
      records.map(({ kind }) => kind),
      ['full', 'detailed', 'full'],
    );
    const times = records.map(({ requestedAt }) => Date.parse(requestedAt));
    assert.deepEqual(times, [...times].sort().reverse());
    await command('scorecard.useDemo');
    assert.deepEqual(await command('scorecard.listReports'), []);
    await command('scorecard.signOut');
    assert.deepEqual(await command('scorecard.listReports'), records);
    // Reports are on this machine, whichever account is signed in.
    await command('scorecard.signOut');
    assert.deepEqual(await command('scorecard.listReports'), records);
  });
});

describe('Commands about a report', () => {
  isolate({ settings: quietReports });

  const ids = [
    'scorecard.openReport',
    'scorecard.cancelReport',
    'scorecard.retryReport',
    'scorecard.requestReportAgain',
    'scorecard.removeReport',
    'scorecard.revealReport',
    'scorecard.saveReportAs',
    'scorecard.copyReportPath',
  ] as const;

  it('Commands about a report reject with notFound and the id of an unknown report', async () => {
    for (const id of ids) {
      const unknown = await failure(command(id, { id: 'no-such-report' }), 'notFound');
      assert.match(unknown.message, /no-such-report/);
      await failure(command(id, { id: 5 }), 'badRequest');
      // Without an ID there is no report to choose, so there is no quick pick.
      await failure(command(id), 'notFound');
    }
  });

  it('Commands about a report reject with download while the report is generated, and Remove Report cancels it', async () => {
    await signIn(
      await reportService((_, response) => {
        sendProcessing(response);
      }),
    );
    const started = command('scorecard.startFullReport');
    const id = await reportIn('generating');
    assert.equal(await command('scorecard.continueInBackground'), undefined);
    for (const command_ of ['openReport', 'revealReport'] as const) {
      await failure(command(`scorecard.${command_}`, { id }), 'download');
    }
    const target = path.join(__dirname, 'never.csv');
    await failure(command('scorecard.saveReportAs', { id, path: target }), 'download');
    assert.equal(await command('scorecard.removeReport', { id }), undefined);
    assert.equal(await started, undefined);
    assert.deepEqual(await command('scorecard.listReports'), []);
  });
});

import * as assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { command, configure, failure, isolate } from '../../helpers';
import { until } from '../../until';
import { quietReports, reportsFolder, sendReport } from './reportService';
import { server, signIn } from '../../services';
import { answer, takeQuestions, told } from '../../window';

const half = 'x'.repeat(600_000);

/** Signs in to a service whose reports are larger than half a megabyte. */
async function largeReports(): Promise<string> {
  const folder = await reportsFolder();
  await signIn(
    await server((_, response) => {
      sendReport(response, half);
    }),
  );
  return folder;
}

const offers = () =>
  told('showInformationMessage').filter((text) => /exceeds? your limits/.test(text));

describe('Clean Up Reports', () => {
  isolate({ settings: quietReports });

  it('Clean Up Reports is offered when reports exceed a limit, and removes nothing without a confirmation', async () => {
    await largeReports();
    await configure({ 'reports.maxTotalSizeMB': 1 });
    await command('scorecard.startDetailedReport');
    assert.deepEqual(offers(), []);
    await command('scorecard.startDetailedReport');
    await until('it is offered', () => offers().length === 1);
    assert.equal((await command('scorecard.listReports')).length, 2);
    await failure(command('scorecard.cleanUpReports'), 'badRequest');
    assert.equal((await command('scorecard.listReports')).length, 2);
  });

  it('Clean Up Reports removes the oldest reports when a program confirms', async () => {
    const folder = await largeReports();
    await configure({ 'reports.maxTotalSizeMB': 1 });
    await command('scorecard.startDetailedReport');
    const kept = await command('scorecard.startDetailedReport');
    const done = await command('scorecard.cleanUpReports', { confirm: true });
    assert.deepEqual(done, { removed: 1, bytes: half.length });
    assert.deepEqual(await command('scorecard.listReports'), [kept]);
    assert.equal((await fs.readdir(folder)).length, 1);
    const again = await command('scorecard.cleanUpReports', { confirm: true });
    assert.deepEqual(again, { removed: 0, bytes: 0 });
  });

  it('Clean Up Reports removes the reports that a user leaves selected, and none when it is dismissed', async () => {
    await largeReports();
    await configure({ 'reports.maxTotalSizeMB': 1 });
    await command('scorecard.startDetailedReport');
    await command('scorecard.startDetailedReport');
    const run = () => vscode.commands.executeCommand('scorecard.cleanUpReports');
    answer('showQuickPick', undefined);
    assert.equal(await run(), undefined);
    assert.equal((await command('scorecard.listReports')).length, 2);
    const [question] = takeQuestions();
    assert.ok(question);
    const items = question.args[0] as { picked: boolean; detail?: string }[];
    const { title } = question.args[1] as { title: string };
    // The newest first; the older one exceeds the limit.
    assert.deepEqual(
      items.map(({ picked, detail }) => [picked, detail]),
      [
        [false, undefined],
        [true, 'Exceeds the size limit'],
      ],
    );
    assert.match(title, /1\.2 MB/);
    answer(
      'showQuickPick',
      items.filter(({ picked }) => picked),
    );
    assert.deepEqual(await run(), { removed: 1, bytes: half.length });
    assert.equal(takeQuestions().length, 1);
    assert.equal((await command('scorecard.listReports')).length, 1);
  });

  it('Clean Up Reports offers a user all finished reports when no limit is set, and says if there are none', async () => {
    await largeReports();
    const run = () => vscode.commands.executeCommand('scorecard.cleanUpReports');
    await run();
    assert.ok(told('showInformationMessage').includes('There are no finished reports to remove.'));
    await command('scorecard.startDetailedReport');
    await command('scorecard.startDetailedReport');
    answer('showQuickPick', undefined);
    await run();
    const [question] = takeQuestions();
    const items = (question?.args[0] ?? []) as { picked: boolean }[];
    assert.deepEqual(
      items.map(({ picked }) => picked),
      [false, false],
    );
    answer('showQuickPick', items);
    assert.deepEqual(await run(), { removed: 2, bytes: 2 * half.length });
    assert.equal(takeQuestions().length, 1);
    assert.deepEqual(await command('scorecard.listReports'), []);
  });

  it('Clean Up Reports is offered once while a limit is exceeded, and again after it was met', async () => {
    await largeReports();
    await configure({ 'reports.maxTotalSizeMB': 1 });
    const files: string[] = [];
    for (const _time of [1, 2, 3]) {
      files.push((await command('scorecard.startDetailedReport')).path ?? '');
    }
    await until('it is offered', () => offers().length > 0);
    assert.equal((await command('scorecard.cleanUpReports', { confirm: true })).removed, 2);
    await command('scorecard.startDetailedReport');
    await until('it is offered again', () => offers().length > 1);
    assert.equal(offers().length, 2);
    // A deleted file takes no space.
    await fs.rm(files[2] ?? '');
    const done = await command('scorecard.cleanUpReports', { confirm: true });
    assert.deepEqual(done, { removed: 0, bytes: 0 });
  });

  it('Clean Up Reports shows no icon for $(trash) in the name of a scorecard', async () => {
    await largeReports();
    await command('scorecard.addScorecard', {
      id: '0ef2a68d-1a1a-4a9b-9d43-1a2b3c4d5e6f',
      name: '$(trash) Mine',
      issueTypes: [],
    });
    await configure({
      'reports.maxTotalSizeMB': 1,
      'reports.detailedBody': { for: '${scorecardId}' },
    });
    const scorecardId = '0ef2a68d-1a1a-4a9b-9d43-1a2b3c4d5e6f';
    await command('scorecard.startDetailedReport', { scorecardId });
    await command('scorecard.startDetailedReport', { scorecardId });
    answer('showQuickPick', undefined);
    await vscode.commands.executeCommand('scorecard.cleanUpReports');
    const [question] = takeQuestions();
    assert.ok(question);
    const [item] = question.args[0] as { label: string }[];
    assert.match(item?.label ?? '', /Mine/);
    assert.ok(!item?.label.includes('$('), item?.label);
  });
});

describe('Remove All Finished Reports', () => {
  isolate({ settings: quietReports });

  it('Remove All Finished Reports removes the other reports when one cannot be removed, and counts both', async () => {
    await largeReports();
    const stuck = await command('scorecard.startDetailedReport');
    await command('scorecard.startDetailedReport');
    await command('scorecard.startDetailedReport');
    // As on Windows, while another program has the file open.
    const { rm } = fs;
    const removal = mock.method(fs, 'rm', (...given: Parameters<typeof rm>) =>
      given[0] === stuck.path
        ? Promise.reject(Object.assign(new Error('EBUSY'), { code: 'EBUSY', syscall: 'unlink' }))
        : rm(...given),
    );
    const { message } = await failure(
      command('scorecard.removeFinishedReports', { confirm: true }),
      'download',
    );
    assert.match(message, /^Removed: 2\. Not removed: 1\. /);
    assert.deepEqual(
      (await command('scorecard.listReports')).map(({ id }) => id),
      [stuck.id],
    );
    removal.mock.restore();
    assert.deepEqual(await command('scorecard.removeFinishedReports', { confirm: true }), {
      removed: 1,
    });
  });
});

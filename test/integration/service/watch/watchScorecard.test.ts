import * as assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../../../src/base/events/clock';
import type { Watched } from '../../../../src/service/watch/watchFile';
import { command, configure, failure, isolate } from '../../helpers';
import { type OwnExtension, startExtension } from '../../ownExtension';
import { demo, halvorsen, signIn } from '../../services';
import { until } from '../../until';
import { buttonsOf, takeQuestions, told } from '../../window';
import { reportService, reportsFolder, sendReport } from '../reports/reportService';

const bluefjord = '9ebbce56-809e-5577-9568-4787fe8a938f';
const day = 86_400_000;

describe('Watch Scorecard', () => {
  isolate();
  let file: string;

  async function start(): Promise<OwnExtension> {
    return startExtension((storage) => {
      file = path.join(storage, 'watch', 'watched.json');
    });
  }

  /** Lets everything that is watched be due, as if it had been looked at some days ago. */
  function makeDue(daysAgo: number): void {
    const { watched } = JSON.parse(readFileSync(file, 'utf8')) as { watched: Watched[] };
    const now = systemClock.now();
    const due = watched.map((each) => ({ ...each, nextAt: now, since: now - daysAgo * day }));
    writeFileSync(file, JSON.stringify({ version: 1, watched: due }));
  }

  /** Lets everything be due again, right after a look. */
  function makeNext(): void {
    const { watched } = JSON.parse(readFileSync(file, 'utf8')) as { watched: Watched[] };
    const due = watched.map((each) => ({ ...each, nextAt: systemClock.now() }));
    writeFileSync(file, JSON.stringify({ version: 1, watched: due }));
  }

  it('Watch Scorecard tells a program when it looks next, and ends', async () => {
    await start();
    await signIn(await demo());
    await command('scorecard.addScorecard', {
      id: halvorsen,
      name: 'H',
      issueTypes: ['open_port'],
    });
    await failure(command('scorecard.watchScorecard', { scorecardId: halvorsen }), 'badRequest');
    await failure(
      command('scorecard.watchScorecard', { scorecardId: bluefjord, period: 'daily' }),
      'notFound',
    );
    const state = await command('scorecard.watchScorecard', {
      scorecardId: halvorsen,
      period: 'weekly',
    });
    assert.deepEqual(
      { ...state, next: undefined },
      { scorecardId: halvorsen, period: 'weekly', next: undefined },
    );
    const ahead = Date.parse(state.next ?? '') - systemClock.now();
    assert.ok(ahead > 6.9 * day && ahead <= 7 * day, String(ahead));
    assert.deepEqual(
      await command('scorecard.watchScorecard', { scorecardId: halvorsen, period: 'off' }),
      { scorecardId: halvorsen, period: 'off' },
    );
    await command('scorecard.watchScorecard', { scorecardId: halvorsen, period: 'daily' });
    await command('scorecard.deleteLocalData', { confirm: true });
    assert.ok(!existsSync(file));
  });

  it('Watch Scorecard of a service of reports compares a new one with the one of before, and opens none', async () => {
    const own = await start();
    await reportsFolder();
    let rows = `1,high,active,${halvorsen}\n2,low,active,${bluefjord}\n`;
    const service = await reportService((_, response) => {
      sendReport(response, `issue_id,severity,status,scorecard_identifier\n${rows}`);
    });
    await signIn(service);
    await configure({ 'reports.openWhenReady': false });
    await command('scorecard.addScorecard', {
      id: halvorsen,
      name: 'Halvorsen',
      issueTypes: ['open_port'],
    });
    await command('scorecard.addScorecard', {
      id: bluefjord,
      name: 'Bluefjord',
      issueTypes: ['open_port'],
    });
    await command('scorecard.startFullReport', {});
    await command('scorecard.markKnown', {
      id: (await command('scorecard.listReports'))[0]?.id,
      ids: ['1'],
      reason: 'fixed',
    });
    takeQuestions();
    await configure({ 'reports.openWhenReady': true });
    for (const scorecardId of [halvorsen, bluefjord]) {
      await command('scorecard.watchScorecard', { scorecardId, period: 'daily' });
    }
    rows += [3, 4, 5].map((id) => `${id},critical,active,${halvorsen}\n`).join('');
    rows += `6,high,active,${halvorsen}\n7,high,resolved,${halvorsen}\n8,high,active,${bluefjord}\n`;
    const posts = () => service.requests.filter(({ method }) => method === 'POST').length;
    const before = posts();
    makeDue(0);
    const buttons = await until('what is new is said', () =>
      buttonsOf(
        'showInformationMessage',
        /^Halvorsen: 4 new, 3 critical; Bluefjord: 1 new, 1 high$/,
      ),
    );
    assert.deepEqual(buttons, ['Show']);
    assert.equal(posts(), before + 1, 'both are in one report');
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0);
    const group = await own.view('reports').row(/^Watched Scorecards 2$/);
    const names = (await own.view('reports').rows(group)).map(({ name }) => name);
    assert.match(names[0] ?? '', /^Halvorsen, Daily, 4 new, 3 critical \u00b7 /);
    assert.match(names[1] ?? '', /^Bluefjord, Daily, 1 new, 1 high \u00b7 /);
    // The next look compares with the report of this one, not with the one of before.
    rows += `9,high,active,${halvorsen}\n`;
    makeNext();
    await until('only what came since is said', () =>
      buttonsOf('showInformationMessage', /^Halvorsen: 1 new, 1 high$/),
    );
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0);
  });

  it('Watch Scorecard of a service of reports begins anew when another report is requested', async () => {
    await start();
    await reportsFolder();
    let rows = `1,high,active,${halvorsen}\n`;
    const service = await reportService((_, response) => {
      sendReport(response, `issue_id,severity,status,scorecard_identifier\n${rows}`);
    });
    await signIn(service);
    await configure({ 'reports.openWhenReady': false });
    await command('scorecard.addScorecard', {
      id: halvorsen,
      name: 'Halvorsen',
      issueTypes: ['open_port'],
    });
    await command('scorecard.startFullReport', {});
    await command('scorecard.watchScorecard', { scorecardId: halvorsen, period: 'daily' });
    rows += `2,high,active,${halvorsen}\n`;
    await configure({ 'reports.fullBody': { since: 2026 } });
    const reports = async () => (await command('scorecard.listReports')).map(({ state }) => state);
    makeDue(0);
    await until('it has looked', async () => (await reports()).join() === 'ready,ready');
    const since = () =>
      (JSON.parse(readFileSync(file, 'utf8')) as { watched: Watched[] }).watched[0]?.since ?? 0;
    const [{ finishedAt = '' } = {}] = await command('scorecard.listReports');
    await until('that is written down', () => since() === Date.parse(finishedAt));
    // The next look compares with the report of this one.
    rows += `3,high,active,${halvorsen}\n4,high,active,${halvorsen}\n`;
    makeNext();
    const said = 'Halvorsen: 2 new, 2 high';
    const says = () =>
      told('showInformationMessage').filter((text) => text.startsWith('Halvorsen: '));
    await until('what came since is said', () => says().includes(said));
    assert.deepEqual(says(), [said], 'and nothing else');
  });

  it('Watch Scorecard of SecurityScorecard takes one request, and Show leads to the trend', async () => {
    await configure({ service: 'securityScorecard' });
    const own = await start();
    const service = await demo({ service: 'securityScorecard', generationMs: 0 });
    await signIn(service);
    await command('scorecard.addScorecard', { id: bluefjord, name: 'Bluefjord' });
    await command('scorecard.watchScorecard', { scorecardId: bluefjord, period: 'weekly' });
    service.requests.splice(0);
    makeDue(40);
    const said = /^Bluefjord: a breach, [\d,]+ new/;
    const buttons = await until('what is new is said', () =>
      buttonsOf('showInformationMessage', said),
    );
    assert.deepEqual(buttons, ['Show']);
    assert.deepEqual(
      service.requests.map(({ path: asked }) => asked),
      [`/companies/${bluefjord}/history/events/`],
    );
    const group = await own.view('reports').row(/^Watched Scorecards 1$/);
    const row = await own.view('reports').row(/^Bluefjord, Weekly, .*a breach, [\d,]+ new/, group);
    await own.press(row);
    await until(
      'the trend is shown',
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.label === 'Trend: Bluefjord',
    );
  });
});

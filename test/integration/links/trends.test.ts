import * as assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Report } from '../../../src/commands';
import { reportService, reportsFolder, sendReport } from '../service/reports/reportService';
import { command, configure, failure, isolate } from '../helpers';
import { type OwnExtension, startExtension } from '../ownExtension';
import { closeLater, demo, halvorsen, signIn } from '../services';
import { until } from '../until';
import { zipOf } from '../../helpers/zip';

const other = '9ebbce56-809e-5577-9568-4787fe8a938f';

interface Kept {
  readonly known: string;
  readonly counts: { readonly open: number };
  readonly changes?: { readonly new: number; readonly gone: number };
}

describe('Show Trend', () => {
  isolate();
  let storage = '';

  /** Starts a service. @returns what makes reports of findings, as `id severity status scorecard` */
  async function startService({ isPacked = false } = {}): Promise<
    (...contents: readonly string[]) => Promise<Report[]>
  > {
    await reportsFolder();
    await configure({ 'reports.openWhenReady': false });
    let content = '';
    await signIn(
      await reportService((_, response) => {
        const text = `issue_id,severity,status,scorecard_identifier\n${content}\n`;
        if (isPacked) {
          sendReport(response, zipOf([{ name: 'r.csv', data: Buffer.from(text) }]), 'r.zip');
        } else {
          sendReport(response, text);
        }
      }),
    );
    return async (...contents) => {
      const reports: Report[] = [];
      for (const each of contents) {
        content = each.replaceAll(' ', ',');
        reports.push(await command('scorecard.startFullReport', {}));
      }
      return reports;
    };
  }

  async function makeReports(...contents: readonly string[]): Promise<Report[]> {
    return (await startService())(...contents);
  }

  /** Starts the extension once more, with a storage that the test can read. */
  function startOwn(): Promise<OwnExtension> {
    return startExtension((folder) => {
      storage = folder;
    });
  }

  function fileOf({ id }: Report): string {
    return path.join(storage, 'reports', id, 'counts.json');
  }

  /** What is kept of a report. */
  function readKept(report: Report): Kept {
    return JSON.parse(readFileSync(fileOf(report), 'utf8')) as Kept;
  }

  const weeks = [
    `1 high active ${halvorsen}\n2 low active ${other}\n3 critical resolved ${halvorsen}`,
    `1 high active ${halvorsen}\n2 low active ${other}\n4 critical active ${halvorsen}\n5 odd active ${other}`,
    `2 low active ${other}\n4 critical active ${halvorsen}\n6 critical active ${other}`,
  ];

  it('Show Trend counts reports that are ZIP archives and leaves no unpacked copy of them', async () => {
    await startOwn();
    const makePacked = await startService({ isPacked: true });
    const reports = await makePacked(weeks[0] ?? '', weeks[1] ?? '');
    const { points } = await command('scorecard.reportTrend', { id: reports[0]?.id ?? '' });
    assert.deepEqual(
      points.map(({ open, new: added }) => [open, added]),
      [
        [2, undefined],
        [4, 2],
      ],
    );
    for (const { id } of reports) {
      const names = readdirSync(path.join(storage, 'reports', id));
      assert.ok(names.includes('counts.json') && !names.includes('unpacked'), names.join());
    }
    // Opened by a user, one of them is unpacked, and read from there.
    await command('scorecard.openReport', { id: reports[1]?.id ?? '' });
    assert.ok(
      readdirSync(path.join(storage, 'reports', reports[1]?.id ?? '')).includes('unpacked'),
    );
  });

  it('Show Trend tells a program the open findings of each report, and what came and went', async () => {
    const [first, second, third] = await makeReports(...weeks);
    assert.ok(first && second && third);
    const { points } = await command('scorecard.reportTrend', { id: second.id });
    const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
    assert.deepEqual(points, [
      { date: first.finishedAt, open: 2, severity: { ...none, high: 1, low: 1 } },
      {
        date: second.finishedAt,
        open: 4,
        severity: { ...none, critical: 1, high: 1, low: 1 },
        new: 2,
        gone: 0,
      },
      {
        date: third.finishedAt,
        open: 3,
        severity: { ...none, critical: 2, low: 1 },
        new: 1,
        gone: 2,
      },
    ]);
    assert.deepEqual(await command('scorecard.reportTrend', { path: third.path }), { points });
    // Reports about all findings say of a scorecard what is its own.
    await command('scorecard.addScorecard', {
      id: halvorsen,
      name: 'H',
      issueTypes: ['open_port'],
    });
    const own = await command('scorecard.reportTrend', { scorecardId: halvorsen });
    assert.deepEqual(
      own.points.map(({ open, severity, new: added }) => [open, severity.critical, added]),
      [
        [1, 0, undefined],
        [2, 1, undefined],
        [1, 1, undefined],
      ],
    );
    // A first report about it alone does not hide them.
    await configure({ 'reports.fullBody': { about: '${scorecardId}' } });
    await command('scorecard.startFullReport', { scorecardId: halvorsen });
    assert.deepEqual(await command('scorecard.reportTrend', { scorecardId: halvorsen }), own);
  });

  it('Show Trend reads a report once, and counts only the newest again when other findings are known', async () => {
    await startOwn();
    const [first, second] = await makeReports(weeks[0] ?? '', weeks[1] ?? '');
    assert.ok(first?.path !== undefined && second?.path !== undefined);
    const trend = async () => {
      const { points } = await command('scorecard.reportTrend', { id: second.id });
      return points.map((point) => [point.open, point.new, point.gone]);
    };
    assert.deepEqual(await trend(), [
      [2, undefined, undefined],
      [4, 2, 0],
    ]);
    await command('scorecard.markKnown', {
      id: second.id,
      ids: ['1', '4'],
      reason: 'acceptedRisk',
    });
    assert.deepEqual(
      await trend(),
      [
        [2, undefined, undefined],
        [2, 1, 0],
      ],
      'as the overview says today',
    );
    await command('scorecard.unmarkKnown', { id: second.id, ids: ['1', '4'] });
    assert.deepEqual((await trend()).at(-1), [4, 2, 0]);
    // What is kept is what is shown: no file is read again.
    const [older, newer] = [first, second].map(readKept);
    writeFileSync(
      fileOf(first),
      JSON.stringify({ ...older, counts: { ...older?.counts, open: 70 } }),
    );
    writeFileSync(
      fileOf(second),
      JSON.stringify({
        ...newer,
        counts: { ...newer?.counts, open: 80 },
        changes: { ...newer?.changes, new: 90 },
      }),
    );
    const changed = [
      [70, undefined, undefined],
      [80, 90, 0],
    ];
    assert.deepEqual(await trend(), changed);
    assert.deepEqual(await trend(), changed);
    // A report whose file is gone has no point, and hides no other.
    rmSync(first.path);
    assert.deepEqual(
      (await trend()).map(([open]) => open),
      [80],
    );
  });

  it('Show Trend counts a report by what is known now when a newer one is removed', async () => {
    await startOwn();
    const [first, second, third] = await makeReports(...weeks);
    assert.ok(first && second && third);
    const open = async () => {
      const { points } = await command('scorecard.reportTrend', { id: second.id });
      return points.map((point) => [point.open, point.new]);
    };
    assert.deepEqual(await open(), [
      [2, undefined],
      [4, 2],
      [3, 1],
    ]);
    const { known } = readKept(second);
    await command('scorecard.markKnown', { id: third.id, ids: ['4'], reason: 'acceptedRisk' });
    assert.deepEqual(await open(), [
      [2, undefined],
      [4, 2],
      [2, 1],
    ]);
    assert.equal(readKept(second).known, known, 'what it was counted by');
    await command('scorecard.removeReport', { id: third.id });
    assert.deepEqual(await open(), [
      [2, undefined],
      [3, 1],
    ]);
  });

  it('Show Trend has its worst difference in the row of a report that ended here', async () => {
    const own = await startOwn();
    await makeReports(weeks[0] ?? '', weeks[2] ?? '');
    const view = own.view('reports');
    const rows = async () => view.rows(await view.row(/^Today, 2 reports$/));
    const row = await until('a row says it', async () =>
      (await rows()).find(({ name }) => name.endsWith(', 2 more critical than last time')),
    );
    assert.match(row.description, / \u00b7 2 more critical than last time$/);
    const others = (await rows()).filter(({ name }) => name !== row.name);
    assert.equal(others.length, 1);
    assert.doesNotMatch(others[0]?.name ?? '', /last time/);
  });

  it('Show Trend says in the row of the newest report what counts when other findings are known', async () => {
    const own = await startOwn();
    const [, latest] = await makeReports(weeks[0] ?? '', weeks[2] ?? '');
    assert.ok(latest);
    const view = own.view('reports');
    const says = (remark: string) =>
      until(`a row says ${remark}`, async () =>
        (await view.rows(await view.row(/^Today, 2 reports$/))).some(({ name }) =>
          name.endsWith(`, ${remark} than last time`),
        ),
      );
    await says('2 more critical');
    await command('scorecard.markKnown', { id: latest.id, ids: ['4'], reason: 'acceptedRisk' });
    await says('1 more critical');
    await command('scorecard.unmarkKnown', { id: latest.id, ids: ['4'] });
    await says('2 more critical');
  });

  it('Show Trend keeps what is known of a report when the next one has ended', async () => {
    const own = await startOwn();
    const make = await startService();
    const [first, second] = await make(weeks[0] ?? '', weeks[1] ?? '');
    assert.ok(first && second);
    await command('scorecard.reportTrend', { id: second.id });
    const { changes } = readKept(second);
    assert.deepEqual([changes?.new, changes?.gone], [2, 0]);
    await make(weeks[2] ?? '');
    const view = own.view('reports');
    await until('the row of the third report says it', async () =>
      (await view.rows(await view.row(/^Today, 3 reports$/))).some(({ name }) =>
        name.endsWith(', 1 more critical than last time'),
      ),
    );
    assert.deepEqual(readKept(second).changes, changes);
  });

  it('Show Trend shows a user the trend of the file in the active table, or in the menu of its title', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'scorecard-trend-')), 'scan.csv');
    closeLater(async () => rm(path.dirname(file), { recursive: true }));
    writeFileSync(file, 'rule,severity,file\nr,high,a.js\n');
    await command('scorecard.openReportTable', { path: file });
    const labels = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
    const trends = () => labels().filter(({ label }) => label === 'Trend: scan.csv');
    await until(
      'the table is active',
      () =>
        vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputCustom,
    );
    await vscode.commands.executeCommand('scorecard.reportTrend');
    await until('its trend is shown', () => trends().length === 1);
    await vscode.window.tabGroups.close(trends());
    await vscode.commands.executeCommand('scorecard.reportTrend', vscode.Uri.file(file));
    await until('its trend is shown again', () => trends().length === 1);
    // Differences have no past: it is about the only scorecard.
    const older = path.join(path.dirname(file), 'older.csv');
    writeFileSync(older, 'rule,severity,file\nr,high,b.js\n');
    await command('scorecard.addScorecard', {
      id: halvorsen,
      name: 'H',
      issueTypes: ['open_port'],
    });
    await command('scorecard.compareReports', { before: older, after: file, key: 'file' });
    await vscode.commands.executeCommand('scorecard.reportTrend');
    await until('the trend of the scorecard is shown', () =>
      labels().some(({ label }) => label === 'Trend: H'),
    );
  });

  it('Show Trend says what it cannot find', async () => {
    await makeReports();
    await failure(command('scorecard.reportTrend', { id: 'nothing' }), 'notFound');
    await failure(command('scorecard.reportTrend', { scorecardId: halvorsen }), 'notFound');
    const missing = `${__filename}.csv`;
    await failure(command('scorecard.reportTrend', { path: missing }), 'notFound');
    await failure(command('scorecard.reportTrend', { path: 'a.csv' }), 'badRequest');
    await failure(
      command('scorecard.reportTrend', { path: __filename, id: 'nothing' }),
      'badRequest',
    );
    await command('scorecard.addScorecard', {
      id: halvorsen,
      name: 'H',
      issueTypes: ['open_port'],
    });
    assert.deepEqual(await command('scorecard.reportTrend', { scorecardId: halvorsen }), {
      points: [],
    });
  });

  it('Show Trend of a company takes two requests, and has its score and its events', async () => {
    await configure({ service: 'securityScorecard' });
    const service = await demo({ service: 'securityScorecard', generationMs: 0 });
    await signIn(service);
    await command('scorecard.addScorecard', { id: other });
    // As a row of the tree does.
    const counts = await command('scorecard.findIssueTypes', { scorecardId: other });
    service.requests.splice(0);
    const { points } = await command('scorecard.reportTrend', { scorecardId: other });
    assert.deepEqual(
      service.requests.map(({ path: requested }) => requested.split('/').slice(3).join('/')).sort(),
      ['history/events/', 'history/score'],
    );
    // A year: in December it has the spring.
    assert.ok(points.length > 360 && points.length < 370, `${points.length} days`);
    const last = points.at(-1);
    assert.equal(
      last?.open,
      counts.reduce((sum, { total = 0 }) => sum + total, 0),
    );
    assert.match(last.grade ?? '', /^[A-F]$/);
    assert.deepEqual([...new Set(points.flatMap(({ mark }) => mark ?? []))].sort(), [
      'breach',
      'recalibration',
    ]);
    assert.ok(points.some((point) => (point.new ?? 0) > 0) && points.some(({ gone = 0 }) => gone));
    assert.ok(points.every(({ date }, at) => at === 0 || date > (points[at - 1]?.date ?? '')));
  });
});

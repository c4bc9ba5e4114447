import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { sendJson, type TestServer } from '../../helpers/testServer';
import { localPath } from '../../../src/workbench/storedFiles';
import { command, configure, failure, isolate } from '../helpers';
import { startExtension } from '../ownExtension';
import { reportsFolder, sendReport } from '../service/reports/reportService';
import { closeLater, halvorsen, pemberlane, sendPage, server, signIn } from '../services';
import { answerWith, takeQuestions, told } from '../window';

const list = { scorecardId: halvorsen, issueType: 'open_port' };

/** Records of a full report: their scorecard, their issue type and their id. */
type RecordOf = readonly [scorecard: string, issueType: string, id: string];

const csvOf = (records: readonly RecordOf[]) =>
  ['scorecard_identifier,issue_type,issue_id', ...records.map((one) => one.join(','))].join('\n');

describe('Links between findings and reports', () => {
  isolate();

  /** A service with lists of 2,000 findings, and with one report. */
  async function serviceWith(
    report: readonly RecordOf[],
  ): Promise<TestServer & { pages: string[] }> {
    const pages: string[] = [];
    const service = await server((request, response, number) => {
      if (request.method === 'GET') {
        sendReport(response, csvOf(report));
      } else if (request.path.startsWith('/reports/')) {
        sendJson(response, 200, {
          report_url: `/reports/${number}/download`,
          status: 'processing',
        });
      } else {
        pages.push(`${request.path.split('/').at(-2)} ${request.query.get('offset')}`);
        sendPage(request, response, 2000);
      }
    });
    return { ...service, pages };
  }

  it('Links between findings and reports reveal the finding of a row with one request, and add its scorecard only if the user agrees', async () => {
    const own = await startExtension();
    const service = await serviceWith([]);
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'links-'));
    closeLater(() => fs.rm(folder, { recursive: true, force: true }));
    const file = path.join(folder, 'own.csv');
    const records: RecordOf[] = [
      [pemberlane, 'open_port', 'id-1'],
      ...Array.from({ length: 1800 }, (_, at): RecordOf => [halvorsen, 'open_port', `id-${at}`]),
      [halvorsen.toUpperCase(), 'open_port', 'gone'],
      ['halvorsen.example', 'open_port', 'id-2'],
    ];
    await fs.writeFile(file, csvOf(records));
    await configure({ scorecards: [{ id: halvorsen, name: 'Own', issueTypes: ['open_port'] }] });
    await signIn(service);
    service.pages.length = 0;
    const { revealed } = own.view('findings');
    const show = async (row: number) => {
      revealed.length = 0;
      return vscode.commands.executeCommand(
        'scorecard.showInFindings',
        vscode.Uri.file(file).with({ fragment: `row=${row}` }),
      );
    };
    assert.deepEqual(await show(1801), { issue_id: 'id-1799' });
    assert.equal(revealed.length, 1);
    assert.match(revealed[0] ?? '', /finding 1,800$/);
    await show(1701);
    assert.match(revealed[0] ?? '', /finding 1,700$/);
    assert.deepEqual(service.pages, ['open_port 1500']);

    assert.equal(await show(1802), undefined);
    assert.match(revealed[0] ?? '', /^Open/);
    assert.match(
      told('showInformationMessage').at(-1) ?? '',
      /^Finding gone is not among the .* Load all/,
    );
    await show(1803);
    assert.match(told('showErrorMessage').at(-1) ?? '', /^Row 1,803 does not say/);

    service.pages.length = 0;
    answerWith('showInformationMessage', () => undefined);
    assert.equal(await show(1), undefined);
    assert.equal(revealed.length, 0);
    answerWith('showInformationMessage', () => 'Add');
    assert.deepEqual(await show(1), { issue_id: 'id-1' });
    assert.match(revealed[0] ?? '', /finding 2$/);
    assert.deepEqual(service.pages, ['open_port 0']);
    assert.deepEqual(
      takeQuestions().map(({ args }) => String(args[0]).includes(pemberlane)),
      [true, true],
    );
    const settings = vscode.workspace
      .getConfiguration('scorecard')
      .get<{ id: string }[]>('scorecards');
    assert.deepEqual(
      settings?.map(({ id }) => id),
      [halvorsen, pemberlane],
    );
  });

  it('Links between findings and reports lead a program from a finding to its row in the newest full report, and back', async () => {
    await reportsFolder();
    await configure({ 'reports.openWhenReady': false });
    const service = await serviceWith([
      [halvorsen, 'open_port', 'id-3'],
      [halvorsen, 'open_port', 'id-7'],
    ]);
    await signIn(service);
    const show = (number: number) => command('scorecard.showInNewestReport', { ...list, number });
    assert.match((await failure(show(8), 'notFound')).message, /no full report/);
    await command('scorecard.startDetailedReport');
    await failure(show(8), 'notFound');
    await command('scorecard.startFullReport');
    const newest = await command('scorecard.startFullReport');
    const id = newest.id;
    assert.deepEqual(await show(8), { id, row: 2 });
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    assert.ok(activeTab?.input instanceof vscode.TabInputCustom);
    assert.equal(localPath(activeTab.input.uri), newest.path);
    assert.match(
      (await failure(show(5), 'notFound')).message,
      /^Finding id-4 is not in the newest/,
    );

    const back = (args: object) => command('scorecard.showInFindings', args);
    assert.deepEqual(await back({ id, row: 2 }), { issue_id: 'id-7' });
    await failure(back({ id, row: 3 }), 'badRequest');
    await failure(back({ id, row: 0 }), 'badRequest');
    await failure(back({ id }), 'badRequest');
    await failure(back({ id: 'missing', row: 1 }), 'notFound');
    await command('scorecard.signOut');
    await failure(back({ id, row: 2 }), 'config');
  });
});

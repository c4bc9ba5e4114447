import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { reportTableId } from '../../../src/contributions';
import { command, configure, failure, isolate } from '../helpers';
import { startExtension } from '../ownExtension';
import { quietReports, reportsFolder, sendReport } from '../service/reports/reportService';
import { closeLater, halvorsen, sendPage, server, signIn } from '../services';
import { until } from '../until';
import { answerWith, takeQuestions, told } from '../window';

const list = { scorecardId: halvorsen, issueType: 'open_port' };
const scheme = () => `${vscode.env.uriScheme}://scorecard-tools.scorecard-explorer`;

/** The file of the table in the active editor. */
function activeTable(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom && input.viewType === reportTableId
    ? input.uri
    : undefined;
}

describe('Links into the extension', () => {
  isolate({ settings: quietReports });

  it('Links into the extension ask before the list of a finding is requested, and not if it is loaded', async () => {
    const own = await startExtension();
    const pages: string[] = [];
    const service = await server((request, response) => {
      pages.push(request.query.get('offset') ?? '');
      sendPage(request, response, 2000);
    });
    await configure({ scorecards: [{ id: halvorsen, name: 'Own', issueTypes: ['open_port'] }] });
    await signIn(service);
    const link = await command('scorecard.copyLink', { ...list, number: 3 });
    assert.equal(await vscode.env.clipboard.readText(), link);
    assert.ok(link.startsWith(`${scheme()}/finding?`), link);
    assert.doesNotMatch(link, /127\.0\.0\.1|localhost|key/);

    const { revealed } = own.view('findings');
    pages.length = 0;
    await own.openLink(link);
    assert.match(revealed.at(-1) ?? '', /finding 3$/);
    assert.deepEqual(pages, []);

    const far = link.replace('id-2', 'id-1799').replace('at%3D3', 'at%3D1800');
    assert.notEqual(far, link);
    answerWith('showWarningMessage', () => undefined);
    await own.openLink(far);
    const [asked] = takeQuestions();
    assert.match(String(asked?.args[0]), /^Open the finding id-1799 .*Own/);
    assert.deepEqual(pages, []);
    answerWith('showWarningMessage', () => 'Open');
    await own.openLink(far);
    assert.match(revealed.at(-1) ?? '', /finding 1,800$/);
    assert.equal(pages.length, 1);
    assert.equal(takeQuestions().length, 1);
  });

  it('Links into the extension open a report of this machine, and say so of another one', async () => {
    await reportsFolder();
    await signIn(
      await server((_, response) => {
        sendReport(response, 'a,b\n1,2\n');
      }),
    );
    const { id } = await command('scorecard.startDetailedReport', {});
    const link = await command('scorecard.copyLink', { id });
    assert.equal(link, `${scheme()}/report?id%3D${id}`);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('scorecard.openLink', vscode.Uri.parse(link, true));
    await until('the report is open', () => vscode.window.tabGroups.activeTabGroup.activeTab);
    const other = link.replace(id, '00000000-0000-4000-8000-000000000000');
    const { message } = await failure(command('scorecard.openLink', { link: other }), 'notFound');
    assert.match(message, /not on this machine/);
  });

  it('Links into the extension open a findings file in a folder of the window, and no file elsewhere', async () => {
    const own = await startExtension();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const name = 'linked & 100% (1).csv';
    const file = path.join(folder.uri.fsPath, name);
    await fs.writeFile(file, 'a,b\n1,2\n');
    const outside = path.join(folder.uri.fsPath, 'outside.csv');
    await fs.symlink('/etc/hosts', outside);
    closeLater(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await fs.rm(file);
      await fs.rm(outside);
    });
    const link = await command('scorecard.copyLink', { path: file });
    await own.openLink(link);
    await until('the table is open', () => activeTable()?.fsPath === file);

    const hostile: readonly (readonly [string, RegExp])[] = [
      ['/file?path%3Doutside.csv', /no folder of this window has/],
      ['/file?path%3Dnothing.json', /no folder of this window has/],
      ['/file?path%3D../x.json', /leads to nothing that Scorecard Explorer knows/],
      ['/file?path%3D/etc/hosts', /leads to nothing that Scorecard Explorer knows/],
      ['/run?command%3Dx', /leads to nothing that Scorecard Explorer knows/],
    ];
    for (const [parts, sentence] of hostile) {
      await own.openLink(`${scheme()}${parts}`);
      assert.match(told('showErrorMessage').at(-1) ?? '', sentence, parts);
    }
    await failure(command('scorecard.openLink', { link: 'https://x.example/file' }), 'badRequest');
    await failure(command('scorecard.openLink', { link: '' }), 'badRequest');
    await failure(command('scorecard.copyLink', { path: '/etc/hosts' }), 'badRequest');
  });
});

import * as assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ComparisonResult } from '../../../../src/viewer/compare/ui/comparer';
import { comparedDumps } from '../../../helpers/comparedDumps';
import { zipOf } from '../../../helpers/zip';
import { localPath } from '../../../../src/workbench/storedFiles';
import { command, configure, failure, isolate } from '../../helpers';
import { until } from '../../until';
import { startExtension } from '../../ownExtension';
import { reportService, reportsFolder, sendReport } from '../../service/reports/reportService';
import { server, signIn } from '../../services';
import { answer, answerWith, buttonsOf, pickFirst, takeQuestions } from '../../window';

const compare = (args: object) => command('scorecard.compareReports', args);

describe('Compare Reports', () => {
  isolate();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'compare-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('Compare Reports gives a program the counts and a file of the differences, for files and for reports', async () => {
    const dumps = comparedDumps();
    const write = (name: string, content: string | Buffer) => {
      const file = path.join(folder, name);
      writeFileSync(file, content);
      return file;
    };
    const before = write(
      'before.zip',
      zipOf([{ name: 'a.ndjson', data: Buffer.from(dumps.before) }]),
    );
    const after = write('after.ndjson', dumps.after);
    const result = await compare({ before, after });
    const { key, unchanged, duplicates, warnings } = result;
    assert.deepEqual(
      [key, result.new, result.gone, result.changed, unchanged, duplicates, warnings],
      ['issue_id', 37, 12, 5, 183, 0, []],
    );
    const lines = readFileSync(result.path, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.equal(lines.length, 37 + 12 + 5);
    assert.deepEqual(
      lines.find(({ issue_id }) => issue_id === 'F-12'),
      {
        change: 'changed',
        changed_fields: ['status', 'password'],
        became: 'closed',
        issue_id: 'F-12',
        issue_type: 'open_port',
        severity: 'critical',
        status: 'resolved',
        domain: 'host-5.example',
        password: 'hunter2',
        open: { port: 80 },
        before: { status: 'active', password: 'hunter1' },
      },
    );
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    assert.ok(tab?.input instanceof vscode.TabInputCustom);
    assert.equal(localPath(tab.input.uri), result.path);
    assert.ok((await vscode.workspace.fs.readFile(tab.input.uri)).length > 0);
    // A path through the folder of comparisons leads nowhere else.
    const comparisons = path.dirname(path.dirname(result.path));
    const outside = tab.input.uri.with({
      query: `file=${comparisons}/${path.relative(comparisons, __filename)}`,
    });
    await assert.rejects(Promise.resolve(vscode.workspace.fs.readFile(outside)));

    for (const [args, code] of [
      [{ before }, 'badRequest'],
      [{ before, after: 'nothing' }, 'notFound'],
      [{ before, after: path.join(folder, 'none.csv') }, 'notFound'],
      [{ before, after, key: 'size' }, 'badRequest'],
      [{ before, after: write('text.csv', 'name\n1\n') }, 'badRequest'],
    ] as const) {
      await failure(compare(args), code);
    }

    await reportsFolder();
    await configure({ 'reports.openWhenReady': false });
    let report = 'issue_id,size\n1,5\n2,6\n';
    await signIn(
      await server((_, response) => {
        sendReport(response, report);
      }),
    );
    const first = await command('scorecard.startDetailedReport', {});
    assert.ok(first);
    await failure(command('scorecard.compareWithPrevious', { id: first.id }), 'notFound');
    report = 'issue_id,size\n2,7\n3,6\n';
    const second = await command('scorecard.startDetailedReport', {});
    assert.ok(second);
    const ofReports = { new: 1, gone: 1, changed: 1, unchanged: 0 };
    const numbers = (found: ComparisonResult) => ({
      new: found.new,
      gone: found.gone,
      changed: found.changed,
      unchanged: found.unchanged,
    });
    assert.deepEqual(numbers(await compare({ before: first.id, after: second.id })), ofReports);
    pickFirst();
    assert.deepEqual(
      numbers(await vscode.commands.executeCommand<ComparisonResult>('scorecard.compareReports')),
      ofReports,
    );
    assert.equal(takeQuestions().filter(({ name }) => name === 'showQuickPick').length, 2);
    const previous = await command('scorecard.compareWithPrevious', { id: second.id });
    assert.deepEqual(numbers(previous), ofReports);
  });

  it('Compare Reports compares two files that are selected in the Explorer, the older one first', async () => {
    const dumps = comparedDumps();
    const [before, after] = [
      ['b.ndjson', dumps.before, 100],
      ['a.ndjson', dumps.after, 200],
    ].map(([name, text, seconds]) => {
      const file = path.join(folder, String(name));
      writeFileSync(file, String(text));
      utimesSync(file, Number(seconds), Number(seconds));
      return vscode.Uri.file(file);
    });
    const result = await vscode.commands.executeCommand<ComparisonResult>(
      'scorecard.compareReports',
      after,
      [after, before],
    );
    assert.deepEqual([result.new, result.gone, result.changed], [37, 12, 5]);

    // With an open table, only the other file is asked for.
    await vscode.commands.executeCommand('vscode.openWith', after, 'scorecard.reportTable');
    answer('showOpenDialog', [before]);
    takeQuestions();
    const same = await vscode.commands.executeCommand<ComparisonResult>('scorecard.compareWith');
    assert.deepEqual([same.new, same.gone, same.changed], [37, 12, 5]);
    assert.deepEqual(
      takeQuestions().map(({ name }) => name),
      ['showOpenDialog'],
    );
  });

  it('Compare Reports offers files where there are not two reports', async () => {
    const dumps = comparedDumps();
    const file = path.join(folder, 'old.ndjson');
    writeFileSync(file, dumps.before);
    utimesSync(file, 100, 100);
    await reportsFolder();
    await configure({ 'reports.openWhenReady': false });
    await vscode.commands.executeCommand('scorecard.compareReports');
    assert.deepEqual(buttonsOf('showInformationMessage', /^There are no reports yet/), [
      'Choose Files\u2026',
      'Start Full Report',
    ]);
    await signIn(
      await server((_, response) => {
        sendReport(response, dumps.after, 'r.ndjson');
      }),
    );
    await command('scorecard.startDetailedReport', {});
    answer('showOpenDialog', [vscode.Uri.file(file)]);
    answerWith('showInformationMessage', (_, ...actions) =>
      (actions as { title: string }[]).find(({ title }) => title === 'Choose File\u2026'),
    );
    await vscode.commands.executeCommand('scorecard.compareReports');
    await until('the comparison is shown', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return (
        input instanceof vscode.TabInputCustom &&
        localPath(input.uri)?.includes(`${path.sep}comparisons${path.sep}`)
      );
    });
    assert.deepEqual(
      takeQuestions().map(({ name }) => name),
      ['showOpenDialog'],
    );
  });

  it('Compare Reports is offered in the editor of a report that has a previous report', async () => {
    const own = await startExtension();
    const offered = () => own.contexts.filter((each) => each.includes('hasPreviousReport')).at(-1);
    await reportsFolder();
    await configure({ 'reports.openWhenReady': false });
    await signIn(
      await server((_, response) => {
        sendReport(response);
      }),
    );
    const first = await command('scorecard.startDetailedReport', {});
    const second = await command('scorecard.startDetailedReport', {});
    assert.equal(offered(), 'scorecard.hasPreviousReport=false');
    for (const [id, isOffered] of [
      [second.id, true],
      [first.id, false],
    ] as const) {
      await command('scorecard.openReport', { id });
      await until(`it is ${isOffered}`, () => offered()?.endsWith(`=${isOffered}`));
    }
  });

  it('Compare Reports is offered in the notification of a new report when something changed', async () => {
    await reportsFolder();
    await configure({ 'reports.openWhenReady': false });
    let report = 'issue_id,size\n1,5\n';
    await signIn(
      await reportService((_, response) => {
        sendReport(response, report);
      }),
    );
    const buttons = async (said: RegExp) => {
      await command('scorecard.startFullReport', {});
      return until(`${said.source} is said`, () => buttonsOf('showInformationMessage', said));
    };
    assert.deepEqual(await buttons(/is ready/), ['Open Report', 'Reveal']);
    assert.deepEqual(await buttons(/No changes since/), ['Open Report', 'Reveal']);
    report = 'issue_id,size\n1,6\n';
    assert.deepEqual(await buttons(/1 changed since/), ['Open Report', 'Show Changes', 'Reveal']);
  });

  it('Compare Reports recognizes records by another key when the usual one is missing, and warns about it', async () => {
    await reportsFolder();
    await configure({ 'reports.openWhenReady': false });
    let report = 'finding_id,size\n1,5\n2,6\n';
    await signIn(
      await reportService((_, response) => {
        sendReport(response, report);
      }),
    );
    await command('scorecard.startFullReport', {});
    report = 'finding_id,size\n2,6\n3,6\n4,6\n';
    const second = await command('scorecard.startFullReport', {});
    const offered = await until('what changed is said', () =>
      buttonsOf('showInformationMessage', /2 new, 1 no longer reported, 0 changed since/),
    );
    assert.deepEqual(offered, ['Open Report', 'Show Changes', 'Reveal']);
    takeQuestions();
    const { key, warnings } = await command('scorecard.compareWithPrevious', { id: second.id });
    assert.deepEqual(
      [key, warnings],
      ['finding_id', ['Without "issue_id", records are recognized by "finding_id".']],
    );
  });
});

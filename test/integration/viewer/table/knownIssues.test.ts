import * as assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { command, failure, isolate } from '../../helpers';
import { until } from '../../until';
import { answerWith, takeQuestions, told } from '../../window';

describe('Known issues of programs', () => {
  isolate();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'known-'));
  });
  afterEach(async () => {
    const { file } = await command('scorecard.unmarkKnown', { path: write('none'), filter: [] });
    rmSync(file, { force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  /** A file of findings with these ids. */
  function write(name: string, ...ids: readonly string[]): string {
    const file = path.join(folder, `${name}.ndjson`);
    const lines = ids.map((id) =>
      JSON.stringify({
        issue_id: id,
        severity: id === '3' ? 'low' : 'high',
        host: `${id}.example`,
      }),
    );
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  }

  const counts = async (file: string, args: object = {}) => {
    const { rows, severity } = await command('scorecard.reportOverview', { path: file, ...args });
    return [rows, severity?.values.map(({ value, count }) => `${value} ${count}`)];
  };

  it('Known issues of programs are marked by a filter or by ids, and are left out of the counts of every file that has them', async () => {
    const file = write('first', '1', '2', '3');
    const filter = [{ column: 'severity', text: '=low' }];
    const marked = await command('scorecard.markKnown', {
      path: file,
      filter,
      reason: 'acceptedRisk',
      until: '2999-12-31',
      comment: 'Until the next release.',
    });
    assert.equal(marked.marked, 1);
    assert.ok(existsSync(marked.file));
    await command('scorecard.markKnown', { path: file, ids: ['2'], reason: 'notOurs' });
    assert.deepEqual(await counts(file, { all: false, known: false }), [1, ['high 1']]);
    assert.deepEqual(await counts(file, { known: false }), [1, ['high 1']]);
    assert.deepEqual(await counts(file), [3, ['high 2', 'low 1']]);
    const next = write('next', '2', '4');
    assert.deepEqual(await counts(next, { known: false }), [1, ['high 1']]);

    const to = path.join(folder, 'export.csv');
    await command('scorecard.exportTable', { path: file, format: 'csv', to, known: 'without' });
    assert.match(
      readFileSync(to, 'utf8'),
      /^\ufeff?issue_id,severity,host,known\r\n1,high,1\.example,\r\n$/,
    );
    assert.deepEqual(await command('scorecard.listKnown', { path: next }), [
      { ids: ['2'], reason: 'notOurs', state: 'active' },
      {
        ids: ['3'],
        reason: 'acceptedRisk',
        until: '2999-12-31',
        comment: 'Until the next release.',
        state: 'unmatched',
      },
    ]);
    const both = { path: file, filter: [{ column: 'severity', text: '=low' }], ids: ['2', '3'] };
    const { unmarked } = await command('scorecard.unmarkKnown', both);
    assert.equal(unmarked, 2);
    assert.deepEqual(await counts(file, { known: false }), [3, ['high 2', 'low 1']]);
    assert.deepEqual(await command('scorecard.listKnown'), []);
  });

  it('Known issues of programs are all of the file where no table is named, also those of other folders', async () => {
    const file = write('first', '1', '2');
    const reason = 'notOurs';
    const marked = await command('scorecard.markKnown', { path: file, ids: ['1'], reason });
    const kept = JSON.parse(readFileSync(marked.file, 'utf8')) as {
      runs: { results: { properties: Record<string, unknown> }[] }[];
    };
    const [result] = kept.runs[0]?.results ?? [];
    assert.ok(result);
    result.properties.workspace = 'file:///elsewhere';
    writeFileSync(marked.file, JSON.stringify(kept));
    const decision = { ids: ['1'], reason, state: 'active' };
    await until('the finding counts again', async () => {
      return (await counts(file, { known: false }))[0] === 2;
    });
    assert.deepEqual(await command('scorecard.listKnown', { path: file }), []);
    assert.deepEqual(await command('scorecard.listKnown'), [decision]);
    rmSync(marked.file);
  });

  it('Known issues of programs are over after their day, and when the finding is more severe', async () => {
    const file = write('first', '3', '4');
    const reason = 'falsePositive';
    await command('scorecard.markKnown', { path: file, ids: ['4'], reason, until: '2020-01-01' });
    await command('scorecard.markKnown', { path: file, ids: ['3'], reason });
    assert.deepEqual(await counts(file, { known: false }), [1, ['high 1']]);
    const worse = path.join(folder, 'worse.csv');
    writeFileSync(worse, 'issue_id,severity\n3,critical\n4,high\n');
    assert.deepEqual(await counts(worse, { known: false }), [2, ['critical 1', 'high 1']]);
    const states = (await command('scorecard.listKnown', { path: worse })).map(
      ({ state }) => state,
    );
    assert.deepEqual(states, ['worse', 'expired']);
  });

  it('Known issues of programs that are in another list of the file than its table shows are not offered to be removed', async () => {
    const file = path.join(folder, 'lists.json');
    const row = (id: string) => ({ issue_id: id, severity: 'high', host: `${id}.example` });
    const save = (...lists: readonly (readonly object[])[]) => {
      const [vulnerabilities, secrets] = lists;
      writeFileSync(file, JSON.stringify({ vulnerabilities, secrets }));
    };
    save(['a', 'b', 'c'].map(row), ['d', 'e', 'f'].map(row));
    const shown = { path: file, list: 'vulnerabilities[]' };
    const other = { path: file, list: 'secrets[]' };
    await command('scorecard.markKnown', { ...shown, ids: ['a', 'b'], reason: 'fixed' });
    await command('scorecard.markKnown', { ...other, ids: ['d', 'e'], reason: 'fixed' });
    await command('scorecard.openReportTable', shown);
    const remove = () => vscode.commands.executeCommand('scorecard.removeKnown');
    await remove();
    assert.match(told('showInformationMessage').at(-1) ?? '', /^Nothing to remove/);

    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    save(['a', 'c'].map(row), ['d', 'f'].map(row));
    await command('scorecard.openReportTable', shown);
    let offered: readonly string[] = [];
    answerWith('showQuickPick', (items) => {
      offered = (items as vscode.QuickPickItem[]).map(({ description = '' }) => description);
      return undefined;
    });
    await remove();
    takeQuestions();
    assert.deepEqual(offered.toSorted(), ['b.example', 'e.example']);

    offered = [];
    const { withProgress } = vscode.window;
    const isCancelled = { isCancellationRequested: true } as vscode.CancellationToken;
    Object.assign(vscode.window, {
      withProgress: ((options, work) =>
        withProgress(options, (progress) =>
          work(progress, {
            ...isCancelled,
            onCancellationRequested: (cancel: () => void) => {
              cancel();
              return new vscode.Disposable(() => undefined);
            },
          } as unknown as vscode.CancellationToken),
        )) satisfies typeof withProgress,
    });
    try {
      await remove();
    } finally {
      Object.assign(vscode.window, { withProgress });
    }
    assert.deepEqual([offered, takeQuestions()], [[], []]);
  });

  it('Known issues of programs that are in a list inside the rows of the table are not offered to be removed', async () => {
    const file = path.join(folder, 'inner.json');
    const row = (id: string) => ({ issue_id: id, severity: 'high', host: `${id}.example` });
    const rows = [
      { ...row('a'), issues: [row('b'), row('c')] },
      { ...row('x'), issues: [] },
    ];
    writeFileSync(file, JSON.stringify({ vulnerabilities: rows }));
    const shown = { path: file, list: 'vulnerabilities[]' };
    const inner = { path: file, list: 'vulnerabilities[].issues[]' };
    await command('scorecard.markKnown', { ...shown, ids: ['a'], reason: 'fixed' });
    await command('scorecard.markKnown', { ...inner, ids: ['b'], reason: 'fixed' });
    await command('scorecard.openReportTable', shown);
    await vscode.commands.executeCommand('scorecard.removeKnown');
    assert.match(told('showInformationMessage').at(-1) ?? '', /^Nothing to remove/);
  });

  it('Known issues that changed while a comparison was closed count when it is opened', async () => {
    const [before, after] = [write('before', '1'), write('after', '1', '2')];
    const { path: compared } = await command('scorecard.compareReports', { before, after });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until('it is closed', () =>
      vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0),
    );
    await command('scorecard.markKnown', { path: after, ids: ['2'], reason: 'notOurs' });
    const about = path.join(path.dirname(compared), 'about.json');
    assert.doesNotMatch(readFileSync(about, 'utf8'), /"known":\{/);
    await command('scorecard.openReportTable', { path: compared });
    await until('it is counted', () => readFileSync(about, 'utf8').includes('"known":{"new":1'));
  });

  it('Known issues of programs need a reason, a date that is one, and findings that are named', async () => {
    const file = write('first', '1');
    const refused = async (args: object) =>
      (await failure(command('scorecard.markKnown', { path: file, ...args }), 'badRequest'))
        .message;
    assert.match(await refused({ filter: [] }), /^Enter a reason: falsePositive, /);
    assert.match(await refused({ reason: 'fixed' }), /^Name the findings/);
    assert.match(
      await refused({ reason: 'fixed', filter: [], until: 'soon' }),
      /"soon" is no date/,
    );
    const plain = path.join(folder, 'plain.csv');
    writeFileSync(plain, 'colour,amount\nred,1\nred,1\n');
    const args = { path: plain, filter: [], reason: 'fixed' };
    const unclear = await failure(command('scorecard.markKnown', args), 'badRequest');
    assert.match(unclear.message, /^The rows of "plain\.csv" are no findings/);
  });
});

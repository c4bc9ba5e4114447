import * as assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { assertNoFormula } from '../../../helpers/spreadsheet';
import { sendJson, sendText } from '../../../helpers/testServer';
import { command, configure, failure, isolate } from '../../helpers';
import { until } from '../../until';
import { halvorsen, sendPage, served, server, signedInDemo, signIn } from '../../services';
import { answer, answerWith, clickButton, pickLabel, takeQuestions, told } from '../../window';

const credentials = { scorecardId: halvorsen, issueType: 'compromised_credentials_found' };
const ciphers = { scorecardId: halvorsen, issueType: 'tls_weak_cipher' };

describe('Export Findings', () => {
  isolate();
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'export-'));
    file = path.join(folder, 'findings.out');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('Export Findings writes all findings in the order of the service for a program', async () => {
    const service = await signedInDemo();
    const result = await command('scorecard.exportFindings', {
      ...ciphers,
      format: 'ndjson',
      path: file,
    });
    assert.deepEqual(result, { path: file, count: 101 });
    assert.deepEqual(
      service.requests.map(({ query }) => query.toString()),
      ['offset=0&limit=500'],
    );
    const expected = await served(service, ciphers, 1, 101);
    const members = { issue_type: ciphers.issueType, scorecard_identifier: halvorsen };
    assert.equal(
      readFileSync(file, 'utf8'),
      expected.map((finding) => `${JSON.stringify({ ...members, ...finding })}\n`).join(''),
    );
    assert.deepEqual(readdirSync(folder), ['findings.out']);
    assert.ok(!told('showInformationMessage').some((text) => text.includes('export')));
  });

  it('Export Findings writes CSV and JSON, with secret values only on request', async () => {
    const service = await signedInDemo();
    const [first] = await served(service, credentials, 1);
    const password = String(first?.password);
    const args = { ...credentials, path: file };
    for (const format of ['csv', 'json'] as const) {
      const { count } = await command('scorecard.exportFindings', { ...args, format });
      assert.equal(count, 1342);
      const text = readFileSync(file, 'utf8');
      assert.ok(!text.includes(password) && text.includes('\u2022\u2022'));
      rmSync(file);
    }
    await command('scorecard.exportFindings', {
      ...args,
      format: 'json',
      secretValues: 'shown',
    });
    const shown = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>[];
    const members = { issue_type: credentials.issueType, scorecard_identifier: halvorsen };
    assert.deepEqual(shown[0], { ...members, ...first });
  });

  it('Export Findings writes and copies no formula after a semicolon or a tab', async () => {
    const entries = [{ issue_id: 'a;=1+1', banner: 'x\t=1+1', list: ['y;@SUM(1)'], score: -5 }];
    const page = { entries, offset: 0, count: 1, total_count: 1, has_more: false };
    await signIn(
      await server(({ query }, response) => {
        sendJson(response, 200, { ...page, limit: Number(query.get('limit')) });
      }),
    );
    await command('scorecard.exportFindings', { ...ciphers, format: 'csv', path: file });
    await command('scorecard.copyFindings', { ...ciphers, numbers: [1], format: 'csv' });
    const copied = await vscode.env.clipboard.readText();
    for (const text of [readFileSync(file, 'utf8'), copied]) {
      assert.match(text, /"a;'=1\+1".*,-5\r\n$/s);
      assertNoFormula(text, [',', ';', '\t']);
    }
  });

  it('Export Findings refuses invalid arguments before any request', async () => {
    const service = await signedInDemo();
    const good = { ...ciphers, format: 'csv', path: file };
    const call = (changes: object) => command('scorecard.exportFindings', { ...good, ...changes });
    for (const bad of ['findings.csv', 'file:///tmp/x.csv', '//host/x.csv', `${folder}/`, 'a\0b']) {
      await failure(call({ path: bad }), 'config');
    }
    writeFileSync(file, 'mine');
    assert.match((await failure(call({}), 'config')).message, /already exists/);
    assert.equal(readFileSync(file, 'utf8'), 'mine');
    await failure(call({ path: path.join(folder, 'missing', 'x.csv') }), 'config');
    writeFileSync(`${file}.2.part`, 'mine');
    await failure(call({ path: `${file}.2` }), 'config');
    for (const bad of [{ format: 'xlsx' }, { format: 7 }, { secretValues: 'all' }, { path: 7 }]) {
      await failure(call({ path: `${file}.3`, ...bad }), 'badRequest');
    }
    await failure(call({ path: `${file}.3`, scorecardId: 'example.com' }), 'badRequest');
    assert.equal(service.requests.length, 0);
    assert.deepEqual(readdirSync(folder).sort(), ['findings.out', 'findings.out.2.part']);
  });

  it('Export Findings resumes where it failed, and its error says so', async () => {
    let isBroken = true;
    const service = await server((request, response) => {
      if (isBroken && request.query.get('offset') === '1000') {
        // Other requests at the same time count as earlier ones.
        void until('the last page is asked for', () =>
          service.requests.some(({ query }) => query.get('offset') === '2000'),
        ).then(() => {
          sendText(response, 404);
        });
      } else {
        sendPage(request, response, 2_045);
      }
    });
    await signIn(service);
    const args = { ...ciphers, format: 'ndjson', path: file };
    const broken = await failure(command('scorecard.exportFindings', args), 'notFound');
    assert.match(broken.message, /Export to .* again to resume/);
    assert.ok(!existsSync(file));
    const before = service.requests.length;
    isBroken = false;
    assert.deepEqual(await command('scorecard.exportFindings', args), { path: file, count: 2_045 });
    assert.deepEqual(
      // They are requested at the same time.
      service.requests
        .slice(before)
        .map(({ query }) => query.get('offset'))
        .sort(),
      ['1000', '1500', '2000'],
    );
    assert.deepEqual(readdirSync(folder), ['findings.out']);
  });

  it('Export Findings asks a user for scope, format, secret values and file, and offers Open and Refresh', async () => {
    const service = await signedInDemo();
    await configure({
      scorecards: [{ id: halvorsen, name: 'A/B =x', issueTypes: [credentials.issueType] }],
    });
    answer('showSaveDialog', vscode.Uri.file(file));
    const picks = [/^Loaded findings \(500\)$/, /^CSV$/, /^Include secret values$/];
    const functions = vscode.window as unknown as { showQuickPick: unknown };
    const offered: string[][] = [];
    functions.showQuickPick = (items: { label: string }[]) => {
      const pattern = picks.shift() ?? /never/;
      offered.push(items.map(({ label }) => label));
      return Promise.resolve(items.find(({ label }) => pattern.test(label)));
    };
    const result = await vscode.commands.executeCommand('scorecard.exportFindings');
    assert.deepEqual(result, { path: file, count: 500 });
    assert.deepEqual(offered, [
      ['All findings (1,342)', 'Loaded findings (500)'],
      ['CSV', 'JSON', 'NDJSON'],
      ['Mask secret values', 'Include secret values'],
    ]);
    const [dialog] = takeQuestions();
    assert.ok(dialog);
    const { defaultUri } = dialog.args[0] as { defaultUri: vscode.Uri };
    assert.match(path.basename(defaultUri.fsPath), /^A-B =x - Compromised credentials.*\.csv$/i);
    const [message = '', ...others] = told('showInformationMessage').filter((text) =>
      text.includes('export'),
    );
    assert.match(message, /^Exported 500 findings to .*findings\.out\.$/);
    assert.deepEqual(others, []);
    assert.equal(service.requests.length, 1);

    // For a fully loaded list there is no choice of findings, and no request is sent.
    await command('scorecard.loadAll', credentials);
    const before = service.requests.length;
    const whole = path.join(folder, 'whole.csv');
    answer('showSaveDialog', vscode.Uri.file(whole));
    clickButton('Open File');
    picks.push(/^CSV$/, /^Mask secret values$/);
    assert.deepEqual(await vscode.commands.executeCommand('scorecard.exportFindings'), {
      path: whole,
      count: 1_342,
    });
    await until('the file is open as a table', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputCustom && input.uri.fsPath === whole;
    });
    // A record may have line breaks in its cells; each begins with what it is, whose, and the finding's id.
    const exported = readFileSync(whole, 'utf8');
    const begin = /^compromised_credentials_found,[0-9a-f-]{36},A\/B =x,[0-9a-f-]{24,36},/gm;
    assert.equal(new Set(exported.match(begin)).size, 1_342);
    assert.match(told('showInformationMessage').at(-1) ?? '', / Loaded just now\.$/);
    assert.equal(service.requests.length, before);

    // Refresh loads the list again, and opens the dialog for the file.
    const [other, fresh] = [path.join(folder, 'other.csv'), path.join(folder, 'fresh.csv')];
    let clicks = 0;
    const targets = [other, fresh];
    answerWith('showSaveDialog', () => vscode.Uri.file(targets.shift() ?? ''));
    answerWith('showInformationMessage', (_, ...actions) => {
      clicks += 1;
      return clicks === 1
        ? (actions as { title: string }[]).find(({ title }) => title === 'Refresh')
        : undefined;
    });
    picks.push(/^CSV$/, /^Mask secret values$/);
    await vscode.commands.executeCommand('scorecard.exportFindings');
    await until('it is exported again', () => existsSync(fresh));
    assert.equal(service.requests.length, before + 3);
    takeQuestions();
  });

  it('Export Findings sends one request for a user when one page has all findings', async () => {
    const service = await signedInDemo();
    await configure({
      scorecards: [{ id: halvorsen, name: 'H', issueTypes: [ciphers.issueType] }],
    });
    pickLabel('NDJSON');
    answer('showSaveDialog', vscode.Uri.file(file));
    const result = await vscode.commands.executeCommand('scorecard.exportFindings');
    assert.deepEqual(result, { path: file, count: 101 });
    takeQuestions();
    const pages = service.requests.map(({ query }) => query.toString());
    assert.deepEqual(
      // Requests for counts are left out.
      pages.filter((page) => !page.endsWith('limit=1')),
      ['offset=0&limit=500'],
    );
  });

  it('Export Findings offers to resume a cancelled export', async () => {
    let isCancelled = false;
    const service = await server((request, response) => {
      const mayAnswer = request.query.get('offset') !== '2000';
      void until('the export is cancelled', () => mayAnswer || isCancelled).then(() => {
        sendPage(request, response, 2_045);
      });
    });
    await signIn(service);
    const window = vscode.window as { withProgress: typeof vscode.window.withProgress };
    const original = window.withProgress;
    window.withProgress = (_, task) => {
      window.withProgress = original;
      const cancel = new vscode.CancellationTokenSource();
      const report = ({ message = '' }: { message?: string }) => {
        if (/^[\d,]+ of 2,045/.test(message)) {
          cancel.cancel();
          isCancelled = true;
        }
      };
      return Promise.resolve(task({ report }, cancel.token));
    };
    clickButton('Resume');
    const args = { ...ciphers, format: 'ndjson', path: file };
    assert.equal(await command('scorecard.exportFindings', args), undefined);
    await until('the export has resumed', () => existsSync(file));
    window.withProgress = original;
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    assert.equal(lines.length, 2_045);
    const said = await until('a user is told', () => {
      const texts = told('showInformationMessage').filter((text) => /export/i.test(text));
      return texts.length === 2 && texts;
    });
    const [cancelled = '', finished = ''] = said;
    assert.match(cancelled, /^The export was cancelled after [\d,]+ findings\. /);
    assert.match(finished, /^Exported 2,045 findings to .* are from an export started at /);
  });

  it('Export Findings exports only the rows that the filter shows, if the user picks them', async () => {
    const service = await signedInDemo();
    const list = { scorecardId: halvorsen, issueType: 'open_port' };
    await configure({ scorecards: [{ id: halvorsen, name: 'H', issueTypes: ['open_port'] }] });
    const { shown } = await command('scorecard.filterFindings', { ...list, text: 'nginx' });
    assert.ok(shown > 0 && shown < 100);
    const before = service.requests.length;
    const picks = [`Filtered findings (${shown})`, 'NDJSON'];
    const offered: string[][] = [];
    answerWith('showQuickPick', (choices) => {
      const items = choices as { label: string }[];
      offered.push(items.map(({ label }) => label));
      return items.find(({ label }) => picks.includes(label));
    });
    answer('showSaveDialog', vscode.Uri.file(file));
    const result = await vscode.commands.executeCommand('scorecard.exportFindings');
    assert.deepEqual(result, { path: file, count: shown });
    assert.deepEqual(offered[0], [picks[0], 'Loaded findings (100)', 'All findings (41,237)']);
    const [dialog] = takeQuestions().filter(({ name }) => name === 'showSaveDialog');
    const { defaultUri } = (dialog?.args ?? [])[0] as { defaultUri: vscode.Uri };
    assert.equal(path.basename(defaultUri.fsPath), 'H - Open port - filtered.ndjson');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    assert.equal(lines.length, shown);
    assert.ok(lines.every((line) => line.toLowerCase().includes('nginx')));
    assert.match(
      told('showInformationMessage').at(-1) ?? '',
      new RegExp(`^Exported ${shown} findings to `),
    );
    assert.equal(service.requests.length, before);
  });

  it('Export Findings offers another folder when one cannot be written to', async () => {
    await signedInDemo();
    await configure({ scorecards: [{ id: halvorsen, name: 'H', issueTypes: ['open_port'] }] });
    await command('scorecard.loadMore', { scorecardId: halvorsen, issueType: 'open_port' });
    const targets = [path.join(folder, 'missing', 'a.csv'), file];
    answerWith('showSaveDialog', () => vscode.Uri.file(targets.shift() ?? ''));
    answerWith('showQuickPick', (choices) =>
      (choices as { label: string }[]).find(({ label }) => /^(Loaded|CSV|Mask)/.test(label)),
    );
    answerWith('showErrorMessage', (_, ...actions) =>
      (actions as { title: string }[]).find(({ title }) => title.startsWith('Choose Another')),
    );
    assert.equal(await vscode.commands.executeCommand('scorecard.exportFindings'), undefined);
    await until('it is exported to the other folder', () => existsSync(file));
    await until('the user is told', () =>
      told('showInformationMessage').some((text) => text.startsWith('Exported 100 findings')),
    );
    assert.match(told('showErrorMessage')[0] ?? '', /does not exist or is not writable/);
    takeQuestions();
  });

  it('Export Findings shows a user one error notification, and resolves to undefined', async () => {
    const service = await server((_, response) => {
      sendText(response, 403);
    });
    await signIn(service);
    await configure({ scorecards: [{ id: halvorsen, name: 'H', issueTypes: ['open_port'] }] });
    assert.equal(await vscode.commands.executeCommand('scorecard.exportFindings'), undefined);
    assert.equal(told('showErrorMessage').length, 1);
  });
});

import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { command, failure, isolate } from '../../helpers';
import { closeLater, halvorsen, server, signIn } from '../../services';
import { sendJson } from '../../../helpers/testServer';
import { until } from '../../until';
import { answer, buttonsOf, takeQuestions, told } from '../../window';

/** Lines that can be told apart. */
const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => `const line${at + 1} = ${at + 1};\n`).join('');

describe('From findings to the files of the workspace', () => {
  isolate();
  let folder: string;

  beforeEach(async () => {
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first, 'The tests run in a folder.');
    folder = first.uri.fsPath;
    await write('src/app.ts', lines(60));
    await write('src/my lib.ts', lines(60));
    await write('package.json', '{\n  "dependencies": {\n    "lodash": "^4.17.0"\n  }\n}\n');
  });
  afterEach(async () => {
    for (const name of await fs.readdir(folder)) {
      await fs.rm(path.join(folder, name), { recursive: true, force: true });
    }
  });

  async function write(name: string, content: string): Promise<string> {
    const file = path.join(folder, name);
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(file, content);
    return file;
  }

  const report = (records: readonly object[], name = 'out/report.json') =>
    write(name, JSON.stringify(records));

  const open = (file: string, row: number) => command('scorecard.openFile', { path: file, row });

  /** The file and the line of the active editor. */
  function shown(): [name: string, line: number] | undefined {
    const editor = vscode.window.activeTextEditor;
    return editor && [editor.document.uri.fsPath, editor.selection.active.line + 1];
  }

  it('A row opens its file at the line, wherever its tool ran', async () => {
    const app = path.join(folder, 'src', 'app.ts');
    const located = (uri: string, startLine: number) => ({
      ruleId: 'r',
      message: { text: 'm' },
      locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine } } }],
    });
    const file = await report([
      located('src/app.ts', 42),
      located(vscode.Uri.file(app).toString(), 7),
      located('/home/runner/work/shop/shop/src/app.ts', 8),
      located('src/my%20lib.ts', 9),
      located('src/app.ts', 5_000),
    ]);
    assert.deepEqual(await open(file, 1), { path: app, line: 42 });
    await until('the line is shown', () => shown()?.join() === `${app},42`);
    assert.deepEqual(await open(file, 2), { path: app, line: 7 });
    await until('the line is shown', () => shown()?.join() === `${app},7`);
    assert.deepEqual(await open(file, 3), { path: app, line: 8 });
    const lib = path.join(folder, 'src', 'my lib.ts');
    assert.deepEqual(await open(file, 4), { path: lib, line: 9 });
    await until('the line is shown', () => shown()?.join() === `${lib},9`);
    // A file may be shorter than it was for the tool.
    assert.deepEqual(await open(file, 5), { path: app, line: 5_000 });
    await until('the file is shown', () => shown()?.[0] === app);

    const csv = await write('bandit.csv', 'filename,line_number,col_offset\nsrc\\app.ts,3,6\n');
    assert.deepEqual(await open(csv, 1), { path: app, line: 3, column: 7 });
    const npm = await report([{ name: 'lodash', via: ['x'], nodes: ['node_modules/lodash'] }]);
    assert.deepEqual(await open(npm, 1), { path: path.join(folder, 'package.json'), line: 3 });
  });

  it('A file beside the report comes first', async () => {
    const own = await write('api/src/app.ts', lines(3));
    const file = await report([{ file: 'src/app.ts', line: 2 }], 'api/report.json');
    assert.deepEqual(await open(file, 1), { path: own, line: 2 });
  });

  it('No file outside the workspace is opened', async () => {
    const outside = await fs.mkdtemp(path.join(os.tmpdir(), 'outside-'));
    closeLater(() => fs.rm(outside, { recursive: true, force: true }));
    const secret = path.join(outside, 'secret.ts');
    await fs.writeFile(secret, lines(3));
    await fs.symlink(outside, path.join(folder, 'linked'));
    await fs.symlink(secret, path.join(folder, 'link.ts'));
    await fs.symlink(path.join(folder, 'src'), path.join(folder, 'inside'));
    const file = await report(
      [
        secret,
        vscode.Uri.file(secret).toString(),
        `../${path.basename(outside)}/secret.ts`,
        path.relative(folder, secret),
        'src/../../secret.ts',
        'linked/secret.ts',
        'link.ts',
        'src',
        'missing.ts',
        'inside/app.ts',
      ].map((uri) => ({ file: uri, line: 1 })),
    );
    for (let row = 1; row <= 9; row += 1) {
      await failure(open(file, row), 'notFound');
    }
    assert.equal(vscode.window.activeTextEditor, undefined);
    assert.deepEqual(await open(file, 10), {
      path: path.join(folder, 'inside', 'app.ts'),
      line: 1,
    });
  });

  it('What names no file is searched for by its asset', async () => {
    const file = await report([
      { host: 'shop.example', severity: 'high' },
      { severity: 'low' },
      { file: 'gone.ts', line: 3 },
    ]);
    const find = (row: number) => command('scorecard.findAsset', { path: file, row });
    assert.deepEqual(await find(1), { query: 'shop.example' });
    await failure(find(2), 'notFound');
    assert.deepEqual(await find(3), { query: 'gone.ts' });
    await failure(open(file, 0), 'badRequest');

    // A user is told, and can search.
    const row = vscode.Uri.file(file).with({ fragment: 'row=1' });
    assert.equal(await vscode.commands.executeCommand('scorecard.openFile', row), undefined);
    assert.deepEqual(told('showInformationMessage'), [
      'This finding names no file in the workspace.',
    ]);
    assert.deepEqual(buttonsOf('showInformationMessage', /names no file/), [
      'Find Asset in Workspace',
    ]);
  });

  it('A finding of the service leads there, too', async () => {
    const service = await server((request, response) => {
      const entries = [
        { issue_id: 'a', source: { file_path: 'src/app.ts', start_line: 4 } },
        { issue_id: 'b', domain: 'shop.example', password: 'hunter2' },
      ];
      const [from = 0, size = 0] = ['offset', 'limit'].map((name) =>
        Number(request.query.get(name)),
      );
      const page = entries.slice(from, from + size);
      const total = entries.length;
      sendJson(response, 200, { entries: page, has_more: from + size < total, size, total });
    });
    await signIn(service);
    const at = (number: number) => ({ scorecardId: halvorsen, issueType: 'open_port', number });
    const app = path.join(folder, 'src', 'app.ts');
    assert.deepEqual(await command('scorecard.openFile', at(1)), { path: app, line: 4 });
    await failure(command('scorecard.openFile', at(2)), 'notFound');
    assert.deepEqual(await command('scorecard.findAsset', at(2)), { query: 'shop.example' });
  });

  it('Findings in Problems lead to the places that a message of SARIF links to', async () => {
    const place = (uri: string, startLine: number) => ({
      physicalLocation: { artifactLocation: { uri }, region: { startLine } },
    });
    const result = {
      ruleId: 'r',
      message: { text: 'The value of [x\u202e](1) is run' },
      locations: [place('src/app.ts', 4)],
      relatedLocations: [{ id: 1, ...place('src/my%20lib.ts', 7) }],
    };
    const run = { tool: { driver: { name: 'Scan' } }, results: [result] };
    const file = await write('out/scan.sarif', JSON.stringify({ version: '2.1.0', runs: [run] }));
    await command('scorecard.toggleProblems', { path: file });
    const app = vscode.Uri.file(path.join(folder, 'src', 'app.ts'));
    const [problem] = vscode.languages.getDiagnostics(app);
    assert.match(problem?.message ?? '', /The value of x.? is run$/);
    assert.deepEqual(
      problem?.relatedInformation?.map(({ location, message }) => [
        location.uri.fsPath,
        location.range.start.line,
        message,
      ]),
      [[path.join(folder, 'src', 'my lib.ts'), 6, 'x']],
    );
    await command('scorecard.toggleProblems', { path: file, on: false });
  });

  it('Findings are listed in Problems, the worst first, until their tab is closed', async () => {
    const severities = ['low', 'medium', 'high', 'critical', 'info'];
    const records = severities.map((severity, at) => ({
      rule_id: `rule-${at}`,
      severity,
      message: `[x](command:workbench.action.quit) ${severity}\u202e\nfinding`,
      file: 'src/app.ts',
      line: at + 1,
    }));
    const elsewhere = { severity: 'critical', message: 'other', file: 'other.ts', line: 1 };
    const file = await report([...records, elsewhere]);
    const app = vscode.Uri.file(path.join(folder, 'src', 'app.ts'));
    const ours = () => vscode.languages.getDiagnostics(app);
    const toggle = (args: object = {}) =>
      command('scorecard.toggleProblems', { path: file, ...args });

    assert.deepEqual(await toggle(), { on: true, listed: 5, hasMore: false });
    const { Error: error, Warning: warning, Information: information } = vscode.DiagnosticSeverity;
    assert.deepEqual(
      ours().map(({ severity, range, code, source }) => [severity, range.start.line, code, source]),
      [
        [error, 3, 'rule-3', 'report.json'],
        [error, 2, 'rule-2', 'report.json'],
        [warning, 1, 'rule-1', 'report.json'],
        [information, 0, 'rule-0', 'report.json'],
        [information, 4, 'rule-4', 'report.json'],
      ],
    );
    // Nothing of it is a link, or writes backwards.
    assert.equal(
      ours()[0]?.message,
      'Critical: [x] \u2768command\u2236workbench.action.quit) critical finding',
    );
    assert.deepEqual(
      vscode.languages
        .getDiagnostics()
        .flatMap(([uri, all]) => (all.length > 0 ? [uri.fsPath] : [])),
      [app.fsPath],
    );

    // Those of two reports are listed side by side.
    const second = await report(
      [{ severity: 'high', message: 'second', file: 'src/app.ts', line: 9 }],
      'b.json',
    );
    await command('scorecard.toggleProblems', { path: second, on: true });
    assert.equal(ours().length, 6);
    assert.deepEqual(await toggle(), { on: false });
    assert.deepEqual(
      ours().map(({ message }) => message),
      ['High: second'],
    );
    await toggle({ on: true });
    assert.equal(ours().length, 6);
    await vscode.window.tabGroups.close(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs));
    await until('nothing is listed', () => ours().length === 0);
  });

  it('Findings in excluded paths are not listed in Problems of this workspace, and are counted', async () => {
    await write('tests/app.test.ts', lines(9));
    await write('src/node_modules/x/index.js', lines(9));
    const places = ['src/app.ts', 'tests/app.test.ts', 'src/node_modules/x/index.js'];
    const file = await report(
      places.map((place, at) => ({ severity: 'high', message: `m${at}`, file: place, line: 2 })),
    );
    const listed = () =>
      vscode.languages
        .getDiagnostics()
        .flatMap(([uri, all]) => all.map(() => path.relative(folder, uri.fsPath)))
        .sort();
    const exclude = (...paths: readonly string[]) =>
      command('scorecard.excludeProblemPaths', { paths });
    assert.deepEqual(await exclude('**/node_modules/**', 'tests/'), {
      paths: ['**/node_modules/**', 'tests/'],
    });
    assert.deepEqual(await command('scorecard.toggleProblems', { path: file }), {
      on: true,
      listed: 1,
      hasMore: false,
      excluded: 2,
    });
    assert.deepEqual(listed(), ['src/app.ts']);
    await exclude('src');
    assert.deepEqual(listed(), ['tests/app.test.ts']);
    await exclude('src', 'tests/');
    assert.deepEqual(listed(), []);
    // What is left out can still be shown.
    assert.deepEqual(await command('scorecard.toggleProblems', { path: file }), { on: false });
    assert.deepEqual(await command('scorecard.toggleProblems', { path: file }), {
      on: true,
      listed: 0,
      hasMore: false,
      excluded: 3,
    });
    answer('showInputBox', '');
    assert.deepEqual(await vscode.commands.executeCommand('scorecard.excludeProblemPaths'), {
      paths: [],
    });
    const [question] = takeQuestions();
    assert.equal((question?.args[0] as vscode.InputBoxOptions | undefined)?.value, 'src, tests/');
    assert.deepEqual(listed(), [...places].sort());
    assert.deepEqual(await command('scorecard.excludeProblemPaths'), { paths: [] });
    const { message } = await failure(exclude('../other/'), 'badRequest');
    assert.match(message, /"\.\.\/other\/" leads out of the workspace\. Enter a path in it/);
    await command('scorecard.toggleProblems', { path: file, on: false });
  });

  it('From findings to the files of the workspace at most a thousand findings are listed', async () => {
    const file = await report(
      Array.from({ length: 1_200 }, (_, at) => ({
        severity: at % 2 === 0 ? 'low' : 'high',
        message: `m${at}`,
        file: at % 100 === 99 ? 'gone.ts' : 'src/app.ts',
        line: at + 1,
      })),
    );
    const state = await command('scorecard.toggleProblems', { path: file });
    assert.deepEqual(state, { on: true, listed: 1_000, hasMore: true });
    const app = vscode.Uri.file(path.join(folder, 'src', 'app.ts'));
    const all = vscode.languages.getDiagnostics(app);
    assert.equal(all.length, 1_000);
    const { Error: error } = vscode.DiagnosticSeverity;
    assert.equal(all.filter(({ severity }) => severity === error).length, 588);
    await command('scorecard.toggleProblems', { path: file, on: false });

    const hosts = await report([{ host: 'shop.example' }], 'hosts.json');
    const none = await command('scorecard.toggleProblems', { path: hosts });
    assert.deepEqual(none, { on: false, listed: 0, hasMore: false });
  });

  it('Any findings file is opened, from a path or a dialog', async () => {
    const sarif = await report([{ ruleId: 'r', level: 'error' }], 'scan.sarif');
    assert.deepEqual(await command('scorecard.openFindingsFile', { path: sarif }), {
      rows: 1,
      columns: 2,
    });
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    assert.ok(activeTab?.input instanceof vscode.TabInputCustom);
    assert.equal(activeTab.input.uri.fsPath, sarif);
    await failure(command('scorecard.openFindingsFile', { path: 'scan.sarif' }), 'badRequest');

    const csv = await write('own.csv', 'file,line\nsrc/app.ts,3\n');
    answer('showOpenDialog', [vscode.Uri.file(csv)]);
    assert.deepEqual(await vscode.commands.executeCommand('scorecard.openFindingsFile'), {
      rows: 1,
      columns: 2,
    });
    assert.deepEqual(
      takeQuestions().map(({ name }) => name),
      ['showOpenDialog'],
    );
  });
});

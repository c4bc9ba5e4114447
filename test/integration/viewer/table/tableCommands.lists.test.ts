import * as assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { command, failure, isolate } from '../../helpers';

describe('The lists of a JSON document in a Report Table', () => {
  isolate();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'lists-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const rules = ['a', 'b', 'c'].map((id) => ({ id, text: `rule ${id}` }));
  const lists = [
    { list: 'runs[].results[]', rows: 2 },
    { list: 'runs[]', rows: 1 },
    { list: 'runs[].tool.rules[]', rows: 3 },
  ];

  const write = (name: string, ...levels: readonly string[]): string => {
    const file = path.join(folder, name);
    const results = levels.map((level, at) => ({ id: at + 1, level }));
    const tool = { name: 'Scan', rules };
    writeFileSync(file, JSON.stringify({ runs: [{ tool, results }] }));
    return file;
  };

  let exports = 0;
  const exported = async (file: string, list?: string): Promise<string> => {
    exports += 1;
    const to = path.join(folder, `export-${exports}.csv`);
    const args = { path: file, format: 'csv', to, ...(list !== undefined && { list }) };
    await command('scorecard.exportTable', args);
    return readFileSync(to, 'utf8').replace(/^\ufeff/, '');
  };

  it('The lists of a JSON document in a Report Table are the findings, unless a program asks for another one, also in exports and comparisons', async () => {
    const file = write('scan.json', 'error', 'note');
    const results = { rows: 2, columns: 3, list: 'runs[].results[]', lists };
    assert.deepEqual(await command('scorecard.openReportTable', { path: file }), results);
    const findings = 'id,level,runs.tool.name\r\n1,error,Scan\r\n2,note,Scan\r\n';
    assert.equal(await exported(file), findings);
    const list = 'runs[].tool.rules[]';
    assert.match(await exported(file, list), /^id,text,runs\.tool\.name\r\na,rule a,Scan\r\n/);
    assert.equal(await exported(file), findings);

    const other = await command('scorecard.openReportTable', { path: file, list });
    assert.deepEqual(other, { rows: 3, columns: 3, list, lists });
    assert.match(await exported(file), /rule a/);
    const { before, after } = { before: file, after: write('next.json', 'error') };
    const compared = await command('scorecard.compareReports', { before, after, key: 'id' });
    assert.equal(compared.unchanged, 3);
    const asked = { before, after, key: 'id', list: 'runs[].results[]' };
    assert.equal((await command('scorecard.compareReports', asked)).gone, 1);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.match(await exported(file), /rule a/);
  });

  it('The lists of a JSON document in a Report Table are named, and a name that is none changes nothing', async () => {
    const file = write('scan.json', 'error', 'note');
    await command('scorecard.openReportTable', { path: file });
    const error = await failure(
      command('scorecard.openReportTable', { path: file, list: 'runs[].x[]' }),
      'badRequest',
    );
    assert.match(error.message, /has no such list/);
    assert.match(await exported(file), /1,error,Scan/);
  });
});

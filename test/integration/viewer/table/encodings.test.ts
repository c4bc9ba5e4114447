import * as assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { localPath } from '../../../../src/workbench/storedFiles';
import { command, configure, failure, isolate } from '../../helpers';
import { reportsFolder, sendReport } from '../../service/reports/reportService';
import { server, signIn } from '../../services';
import { pickLabel, takeQuestions } from '../../window';

const text = 'severity,name\r\nhigh,Jos\u00e9\r\nlow,Zo\u00eb\r\n';
const windows1252 = Buffer.from(text, 'latin1');

describe('The encoding of a Report Table', () => {
  isolate();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'encodings-'));
  });
  afterEach(async () => {
    await vscode.workspace
      .getConfiguration('files')
      .update('encoding', undefined, vscode.ConfigurationTarget.Global);
    rmSync(folder, { recursive: true, force: true });
  });

  const write = (name: string, content: string | Uint8Array): string => {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return file;
  };

  let exports = 0;
  const exported = async (file: string): Promise<string> => {
    exports += 1;
    const to = path.join(folder, `export-${exports}.csv`);
    await command('scorecard.exportTable', { path: file, format: 'csv', to });
    return readFileSync(to, 'utf8');
  };

  it('The encoding of a Report Table is chosen by a program, and counts for exports, overviews and comparisons of the file, too', async () => {
    const file = write('own.csv', windows1252);
    const size = { rows: 2, columns: 2 };
    assert.deepEqual(await command('scorecard.openReportTable', { path: file }), size);
    const utf8 = { path: file, encoding: 'utf8' };
    assert.deepEqual(await command('scorecard.reopenTableWithEncoding', utf8), size);
    assert.equal(await exported(file), text.replaceAll(/[\u00e9\u00eb]/g, '\ufffd'));
    const ask = { path: file, encoding: 'windows1252' };
    assert.deepEqual(await command('scorecard.reopenTableWithEncoding', ask), size);
    assert.equal(await exported(file), text);
    const { before, after } = { before: file, after: write('utf8.csv', text) };
    const { unchanged } = await command('scorecard.compareReports', { before, after, key: 'name' });
    assert.equal(unchanged, 2);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.equal(await exported(file), text);
    const cyrillic = { path: file, encoding: 'windows1251' };
    assert.deepEqual(await command('scorecard.reopenTableWithEncoding', cyrillic), size);
    assert.equal(
      await exported(file),
      text.replace('\u00e9', '\u0439').replace('\u00eb', '\u043b'),
    );
    assert.equal((await command('scorecard.reportOverview', { path: file })).rows, 2);
  });

  it('The encoding of a Report Table is forgotten with the file that it was chosen for', async () => {
    const file = write('own.csv', Buffer.from(text, 'latin1'));
    const ask = { path: file, encoding: 'windows1252' };
    await command('scorecard.reopenTableWithEncoding', ask);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(file);
    // On some file systems, a new file gets the number of the one before.
    write('other.csv', text);
    write('own.csv', text);
    assert.equal(await exported(file), text);
  });

  it('The encoding of a Report Table is detected where a file is Windows-1252 or UTF-16', async () => {
    assert.equal(await exported(write('windows.csv', windows1252)), text);
    for (const mark of ['\ufeff', '']) {
      const file = write('own.csv', Buffer.from(mark + text, 'utf16le'));
      assert.equal(await exported(file), text);
    }
  });

  it('The encoding of a Report Table is detected in a report, which opens as a table', async () => {
    await reportsFolder();
    await configure({ 'reports.openWhenReady': false });
    await signIn(
      await server((_, response) => {
        sendReport(response, Buffer.from(`\ufeff${text}`, 'utf16le'));
      }),
    );
    const record = await command('scorecard.startDetailedReport');
    await command('scorecard.openReport', { id: record.id });
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputCustom);
    assert.equal(localPath(input.uri), record.path);
    const ask = { id: record.id, encoding: 'utf16le' };
    const size = { rows: 2, columns: 2 };
    assert.deepEqual(await command('scorecard.reopenTableWithEncoding', ask), size);
  });

  it('The encoding of a Report Table is that of files.encoding where a file is no Unicode', async () => {
    const files = vscode.workspace.getConfiguration('files');
    const file = write('own.csv', windows1252);
    await files.update('encoding', 'windows1252', vscode.ConfigurationTarget.Global);
    assert.equal(await exported(file), text);
    assert.equal(await exported(write('utf8.csv', text)), text);
    assert.equal(await exported(write('utf16.csv', Buffer.from(text, 'utf16le'))), text);
    const ask = { path: file, encoding: 'utf8' };
    await command('scorecard.reopenTableWithEncoding', ask);
    assert.match(await exported(file), /Jos\ufffd/);
    await files.update('encoding', 'utf8', vscode.ConfigurationTarget.Global);
    const json = vscode.workspace.getConfiguration('files', { languageId: 'json' });
    await json.update('encoding', 'windows1252', vscode.ConfigurationTarget.Global, true);
    const list = write('own.json', Buffer.from('[{"name":"Jos\u00e9"}]', 'latin1'));
    assert.match(await exported(list), /Jos\u00e9/);
    await json.update('encoding', undefined, vscode.ConfigurationTarget.Global, true);
    const cyrillic = Buffer.from('severity,name\nhigh,\xc8\xe2\xe0\xed\n', 'latin1');
    assert.match(await exported(write('other.csv', cyrillic)), /\ufffd{4}/);
  });

  it('The encoding of a Report Table is picked by a user for the table that is shown, the present one first', async () => {
    const file = write('own.csv', windows1252);
    await command('scorecard.openReportTable', { path: file });
    pickLabel(undefined);
    const reopen = () => vscode.commands.executeCommand('scorecard.reopenTableWithEncoding');
    await reopen();
    assert.equal(await exported(file), text);
    pickLabel('UTF-8');
    await reopen();
    assert.match(await exported(file), /Jos\ufffd/);
    await reopen();
    const offered = takeQuestions().map(({ args }) => args[0] as vscode.QuickPickItem[]);
    assert.deepEqual(
      offered.map(([first]) => `${first?.label}, ${first?.description}`),
      [
        'Western (Windows 1252), windows1252 (current)',
        'Western (Windows 1252), windows1252 (current)',
        'UTF-8, utf8 (current)',
      ],
    );
    for (const items of offered) {
      const labels = items.map(({ label }) => label);
      assert.equal(new Set(labels).size, labels.length);
      for (const label of [
        'UTF-16 LE',
        'Japanese (Shift JIS)',
        'Simplified Chinese (GB18030)',
        'Cyrillic (KOI8-R)',
        'Central European (Windows 1250)',
      ]) {
        assert.ok(labels.includes(label), label);
      }
    }
  });

  it('The encoding of a Report Table can be corrected after one in which the file has no table', async () => {
    const file = write('own.json', Buffer.from('[{"a":1}]', 'utf16le'));
    const size = { rows: 1, columns: 1 };
    assert.deepEqual(await command('scorecard.openReportTable', { path: file }), size);
    const reopen = (encoding: string) =>
      command('scorecard.reopenTableWithEncoding', { path: file, encoding });
    await failure(reopen('utf16be'), 'badRequest');
    assert.deepEqual(await reopen('utf16le'), size);
  });

  it('The encoding of a Report Table is refused with the cause', async () => {
    const file = write('own.csv', windows1252);
    const reopen = (args: object) => command('scorecard.reopenTableWithEncoding', args);
    const unknown = await failure(reopen({ path: file, encoding: 'latin' }), 'badRequest');
    assert.match(unknown.message, /windows1252.*"latin"/);
    await failure(reopen({ path: file, encoding: 5 }), 'badRequest');
    await failure(reopen({ path: 'own.csv', encoding: 'utf8' }), 'badRequest');
    await failure(reopen({ id: 'no-such-report', encoding: 'utf8' }), 'notFound');
    const utf32 = write('utf32.csv', Uint8Array.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0));
    const refused = await failure(
      command('scorecard.openReportTable', { path: utf32 }),
      'badRequest',
    );
    assert.match(refused.message, /UTF-32/);
  });
});

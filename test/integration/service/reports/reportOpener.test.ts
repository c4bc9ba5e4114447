import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { gzipSync } from 'node:zlib';
import { openRestoredReports } from '../../../../src/service/reports/ui/reportFiles';
import { zipOf } from '../../../helpers/zip';
import { localPath } from '../../../../src/workbench/storedFiles';
import { command, configure, failure, isolate } from '../../helpers';
import { until } from '../../until';
import { newReportsFolder } from './reportService';
import { halvorsen, server, signIn } from '../../services';
import { SystemCalls } from '../../workbench/systemCalls';
import { answerWith, editorsOpened, pickFirst, takeQuestions, told } from '../../window';

const text = 'a,b\n1,2\n';

/** A report with this name and content that is ready. It opens as text, automatically only if requested. */
async function reportOf(
  name: string,
  bytes: Uint8Array | string,
  { opens = false } = {},
): Promise<{ id: string; path: string }> {
  await newReportsFolder();
  await configure({ 'reports.openWhenReady': opens });
  await signIn(
    await server((_, response) => {
      response.writeHead(200, {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `attachment; filename="${name}"`,
        'Content-Length': Buffer.byteLength(bytes),
      });
      response.end(bytes);
    }),
  );
  const record = await command('scorecard.startDetailedReport');
  assert.ok(record.path !== undefined);
  return { id: record.id, path: record.path };
}

async function open(name: string, bytes: Uint8Array | string) {
  const report = await reportOf(name, bytes);
  await command('scorecard.openReport', { id: report.id });
  return { ...report, document: vscode.window.activeTextEditor?.document };
}

describe('Open Report', () => {
  isolate({ settings: { 'reports.openWhenReady': false, 'reports.openAs': 'text' } });

  it('Open Report shows text in a read-only editor, and leaves the file unchanged', async () => {
    const { document, path: file } = await open('r.csv', text);
    assert.equal(document?.uri.scheme, 'scorecard-report');
    assert.equal(document.uri.path, `/${path.basename(file)}`, 'breadcrumbs show no other folder');
    assert.equal(document.getText(), text);
    assert.equal(vscode.workspace.fs.isWritableFileSystem(document.uri.scheme), false);
    await assert.rejects(
      Promise.resolve(vscode.workspace.fs.writeFile(document.uri, Buffer.from('x'))),
    );
    await assert.rejects(Promise.resolve(vscode.workspace.fs.delete(document.uri)));
    assert.equal(await fs.readFile(file, 'utf8'), text);
  });

  it('Open Report shows a table as its overview, and other JSON as text', async () => {
    for (const [name, bytes, inner] of [
      ['r.csv', text, 'r.csv'],
      ['r.json', '{"findings":[{"a":1}]}', 'r.json'],
      ['r.csv.gz', gzipSync(text), 'r.csv.gz'],
      ['r.zip', zipOf([{ name: 'inner.csv', data: Buffer.from(text) }]), 'inner.csv'],
    ] as const) {
      const { id } = await reportOf(name, bytes);
      await configure({ 'reports.openAs': 'overview' });
      await command('scorecard.openReport', { id });
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      assert.ok(tab?.input instanceof vscode.TabInputCustom, name);
      assert.equal(tab.input.viewType, 'scorecard.reportTable');
      assert.equal(path.basename(tab.input.uri.fsPath), inner);
      await until('the tab says what it is', () => /^Detailed report: .*\d:\d\d/.test(tab.label));
      await command('scorecard.removeReport', { id });
    }
    const { id } = await reportOf('r.json', '{"a":1}');
    await configure({ 'reports.openAs': 'overview' });
    await command('scorecard.openReport', { id });
    assert.equal(vscode.window.activeTextEditor?.document.getText(), '{\n  "a": 1\n}\n');
  });

  it('Open Report gives no access to other files through its documents', async () => {
    const { document, path: file } = await open('r.csv', text);
    const other = path.join(path.dirname(file), 'other.txt');
    await fs.writeFile(other, 'secret');
    for (const hidden of [other, __filename, path.dirname(file)]) {
      const uri = document?.uri.with({ query: `file=${hidden}` });
      assert.ok(uri);
      await assert.rejects(Promise.resolve(vscode.workspace.fs.readFile(uri)), hidden);
    }
  });

  it('Open Report formats JSON of one line without changing numbers or the file', async () => {
    const json = '{"id":12345678901234567890,"list":[1.10,{}]}';
    const { document, path: file } = await open('r.bin', json);
    assert.equal(document?.languageId, 'json');
    assert.equal(
      document.getText(),
      '{\n  "id": 12345678901234567890,\n  "list": [\n    1.10,\n    {}\n  ]\n}\n',
    );
    assert.equal(await fs.readFile(file, 'utf8'), json);
  });

  it('Open Report shows JSON that is formatted already, or broken, as it is', async () => {
    for (const json of ['{\n\t"a": [1,\n\t2]}', '{"a":']) {
      assert.equal((await open('r.json', json)).document?.getText(), json);
    }
  });

  it('Open Report unpacks gzip, whatever its name, and a ZIP archive of one file', async () => {
    for (const [name, bytes, inner] of [
      ['r.csv.gz', gzipSync(text), 'r.csv'],
      ['r.pdf', gzipSync(text), 'r.pdf'],
      ['r.zip', zipOf([{ name: 'in/inner.csv', data: Buffer.from(text) }]), 'inner.csv'],
    ] as const) {
      const { document, id } = await open(name, bytes);
      assert.equal(document?.getText(), text, name);
      // The scheme of read-only documents.
      assert.equal(document.uri.scheme, 'scorecard-report');
      assert.equal(path.basename(document.uri.path), inner);
      const unpacked = localPath(document.uri) ?? '';
      await command('scorecard.removeReport', { id });
      await assert.rejects(fs.stat(unpacked), name);
    }
  });

  it('Open Report opens gzip that is too large for a text editor as a table, without unpacking it', async () => {
    const line = (at: number) => `${at},${(at * 2_654_435_761) % 1e9},active\n`;
    const lines = Array.from({ length: 100_000 }, (_, at) => line(at)).join('');
    const csv = `id,value,status\n${lines.repeat(Math.ceil((51 * 1024 ** 2) / lines.length))}`;
    const { path: file } = await open('r.csv.gz', gzipSync(csv, { level: 1 }));
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputCustom);
    assert.equal(input.viewType, 'scorecard.reportTable');
    assert.equal(localPath(input.uri), file);
  });

  it('Open Report shows in the status bar that a report is opening, before its editor opens', async () => {
    await reportOf('r.csv', text);
    // VS Code draws icons in the status bar, and a name may come from the service.
    await configure({
      'reports.detailedBody': { scorecard: '${scorecardId}' },
      scorecards: [{ id: halvorsen, name: '$(error) H', issueTypes: [] }],
    });
    const report = await command('scorecard.startDetailedReport', { scorecardId: halvorsen });
    assert.ok(report);
    const { id } = report;
    const window = vscode.window as { withProgress: typeof vscode.window.withProgress };
    const original = window.withProgress;
    const shown: [place: unknown, title: string | undefined, editors: number][] = [];
    window.withProgress = (options, task) => {
      shown.push([options.location, options.title, editorsOpened()]);
      return original(options, task);
    };
    try {
      await command('scorecard.openReport', { id });
    } finally {
      window.withProgress = original;
    }
    assert.deepEqual(shown[0]?.[0], vscode.ProgressLocation.Window);
    assert.match(shown[0][1] ?? '', /^Opening "Detailed report: \$ \(error\) H"/);
    assert.equal(shown[0][2], 0);
    assert.equal(editorsOpened(), 1);
  });

  it('Open Report leaves a tab unchanged that VS Code has restored itself', async () => {
    const { document } = await open('r.csv', text);
    await vscode.commands.executeCommand('workbench.action.pinEditor');
    const commands = vscode.commands as { executeCommand: typeof vscode.commands.executeCommand };
    const original = commands.executeCommand;
    const opened: Thenable<unknown>[] = [];
    commands.executeCommand = <T>(...args: Parameters<typeof original>) => {
      const result = original<T>(...args);
      opened.push(result);
      return result;
    };
    try {
      openRestoredReports();
    } finally {
      commands.executeCommand = original;
    }
    assert.equal(opened.length, 1);
    await Promise.all(opened);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    assert.deepEqual(
      tabs.map(({ label, isPinned, isPreview }) => ({ label, isPinned, isPreview })),
      [{ label: 'r.csv', isPinned: true, isPreview: false }],
    );
    assert.equal(vscode.window.activeTextEditor?.document, document);
  });

  it('Open Report opens the tab before it reads a long text', async () => {
    const events: string[] = [];
    const listeners = vscode.Disposable.from(
      vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
        events.push(...opened.map(({ label }) => `tab ${label}`));
      }),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        events.push(`text ${path.basename(uri.path)}`);
      }),
    );
    try {
      const long = 'x'.repeat(1023) + '\n';
      await open('r.log', long.repeat(5 * 1024 + 1));
      await until('VS Code has it', () =>
        ['tab r.log', 'text r.log'].every((event) => events.includes(event)),
      );
    } finally {
      listeners.dispose();
    }
    assert.deepEqual(events.filter((event) => event.endsWith('r.log')).slice(0, 2), [
      'tab r.log',
      'text r.log',
    ]);
  });

  it('Open Report rejects a damaged file, and opens no link from an archive', async () => {
    const { id } = await reportOf('r.csv.gz', gzipSync(text).subarray(0, 15));
    await failure(command('scorecard.openReport', { id }), 'download');
    const link = zipOf([{ name: 'r.csv', data: Buffer.from('/etc/passwd'), mode: 0o120777 }]);
    const linked = await reportOf('r.zip', link);
    const { message } = await failure(
      command('scorecard.openReport', { id: linked.id }),
      'download',
    );
    assert.match(message, /points outside its folder/);
    assert.ok(!told('showInformationMessage').some((each) => each.includes('points outside')));
    assert.equal(editorsOpened(), 0);
  });

  it('Open Report formats JSON only if it is valid UTF-8', async () => {
    const latin = Buffer.from('{"a":"\u00e9"}', 'latin1');
    const { document, path: file } = await open('r.json', latin);
    assert.ok(document);
    const shown = await vscode.workspace.fs.readFile(document.uri);
    assert.deepEqual(Buffer.from(shown), await fs.readFile(file));
    const marked = await open('r.json', Buffer.from('\ufeff{"a":1}'));
    assert.equal(marked.document?.getText(), '{\n  "a": 1\n}\n');
  });

  describe('with another program', () => {
    let system: SystemCalls;
    beforeEach(() => {
      system = new SystemCalls();
    });
    afterEach(() => {
      system.restore();
    });

    it('Open Report with another program opens a PDF, and reveals a file that no editor shows', async () => {
      const several = zipOf([{ name: 'a.csv' }, { name: 'b.csv' }]);
      for (const [name, bytes, opened, revealed] of [
        ['r.csv', Buffer.from([1, 0, 2]), [], ['r.csv']],
        ['r.zip', several, [], ['r.zip']],
        ['r.pdf', Buffer.from('%PDF-1.7\n'), ['r.pdf'], []],
        ['R.PDF', Buffer.from('%PDF-1.7\n'), ['R.PDF'], []],
        ['r.zip', zipOf([{ name: 'r.pdf', data: Buffer.from('%PDF-1.7\n') }]), ['r.pdf'], []],
      ] as const) {
        await open(name, bytes);
        assert.deepEqual(system.take(), { opened, revealed }, name);
        assert.equal(editorsOpened(), 0, name);
      }
    });

    it('Open Report with another program starts nothing for a PDF with another file extension', async () => {
      const bytes = Buffer.from('%PDF-1.7\r\ncalc.exe\r\n');
      for (const [name, sent] of [
        ['r.bat', bytes],
        ['r.html', bytes],
        ['r.csv', bytes],
        ['r.zip', zipOf([{ name: 'r.bat', data: bytes }])],
      ] as const) {
        const { id } = await reportOf(name, sent);
        await failure(command('scorecard.openReport', { id }), 'download');
        assert.deepEqual(system.take(), { opened: [], revealed: [] }, name);
        await command('scorecard.removeReport', { id });
      }
    });

    it('Open Report with another program offers a user to reveal the unpacked file', async () => {
      await reportOf('r.zip', zipOf([{ name: 'r.bat', data: Buffer.from('%PDF-1.7\n') }]));
      let offered: { title: string; run(): Promise<void> } | undefined;
      answerWith('showInformationMessage', (_, reveal) => {
        offered = reveal as typeof offered;
      });
      pickFirst();
      await vscode.commands.executeCommand('scorecard.openReport');
      assert.equal(takeQuestions().length, 1);
      assert.equal(offered?.title, 'Reveal');
      await offered.run();
      assert.deepEqual(system.take(), { opened: [], revealed: ['r.bat'] });
    });

    it('Open Report with another program starts nothing by itself, but says that the report is ready', async () => {
      const ready = () =>
        told('showInformationMessage').filter((each) => each.includes('is ready')).length;
      for (const [name, bytes] of [
        ['r.csv', Buffer.from('%PDF-1.7\n')],
        ['r.html', Buffer.from('%PDF-1.7\n')],
        ['r.csv', Buffer.from([1, 0, 2])],
        ['r.csv', zipOf([{ name: 'a.csv' }, { name: 'b.csv' }])],
        ['r.csv.gz', gzipSync(Buffer.from('%PDF-1.7\n'))],
      ] as const) {
        const before = ready();
        await reportOf(name, bytes, { opens: true });
        await until('it is told', () => ready() > before);
        assert.deepEqual(system.take(), { opened: [], revealed: [] }, name);
        assert.equal(editorsOpened(), 0, name);
      }
    });
  });
});

import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ComparisonResult } from '../../../../src/viewer/compare/ui/comparer';
import { command, failure, isolate } from '../../helpers';
import {
  quietReports,
  reportService,
  reportsFolder,
  sendReport,
} from '../../service/reports/reportService';
import { signIn } from '../../services';
import { answerWith, takeQuestions } from '../../window';

describe('The key of a comparison', () => {
  isolate({ settings: quietReports });
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'compare-keys-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const older = 'host,ref,note,gone\na,,x,1\nb,,y,2\n';
  const newer = '{"host":"a","ref":"1","note":null}\n{"host":"b","ref":"2","note":""}\n';

  for (const [key, says] of [
    [
      'ref',
      /^The older file has no values in a column "ref"\. Pass another column in the argument key: host\.$/,
    ],
    ['note', /^The newer file has no values in a column "note"\. Pass .*: host\.$/],
    ['gone', /^The newer file has no values in a column "gone"\. Pass .*: host\.$/],
    ['none', /^Neither file has values in a column "none"\. Pass .*: host\.$/],
    [undefined, /^Neither file has values in a column "issue_id"\. Pass .*: host\.$/],
  ] as const) {
    it(`The key of a comparison (${key ?? 'none named'}) that does not tell records apart is refused with the file at fault, and with other columns`, async () => {
      const [before, after] = [path.join(folder, 'a.csv'), path.join(folder, 'b.ndjson')];
      writeFileSync(before, older);
      writeFileSync(after, newer);
      const call = command('scorecard.compareReports', { before, after, key });
      assert.match((await failure(call, 'badRequest')).message, says);
    });
  }

  it('The key of a comparison is not said to be missing where the files have it later, and a guess did not tell records apart', async () => {
    const line = (row: number) =>
      row < 250 ? `{"ref_id":"r${row}"}\n` : `{"ref_id":"r1","issue_id":${row}}\n`;
    const content = Array.from({ length: 300 }, (_, row) => line(row)).join('');
    const [before, after] = [path.join(folder, 'a.ndjson'), path.join(folder, 'b.ndjson')];
    writeFileSync(before, content);
    writeFileSync(after, content);
    const call = command('scorecard.compareReports', { before, after });
    assert.match(
      (await failure(call, 'badRequest')).message,
      /^The first records have no values in a column "issue_id"\. Pass .*: ref_id\.$/,
    );
  });

  it('The key of a comparison is not offered where no column has values in both files', async () => {
    const [before, after] = [path.join(folder, 'a.csv'), path.join(folder, 'b.csv')];
    writeFileSync(before, 'host,ref\na,\nb,\n');
    writeFileSync(after, 'host,ref\n,1\n,2\n');
    const call = command('scorecard.compareReports', { before, after, key: 'ref' });
    assert.match(
      (await failure(call, 'badRequest')).message,
      /^The older file has no values in a column "ref"\. No column in both files identifies their records/,
    );
  });

  it('The key of a comparison is asked for with the file at fault, among the columns with values in both files', async () => {
    await reportsFolder();
    let report = 'host,ref,note,issue_id\na,,x,1\na,,y,2\nc,,x,3\n';
    await signIn(
      await reportService((_, response) => {
        sendReport(response, report);
      }),
    );
    await command('scorecard.startFullReport', {});
    report = 'host,ref,note,issue_id\na,1,x,\na,2,y,\nc,3,y,\n';
    await command('scorecard.startFullReport', {});
    const asked: { labels: string[]; details: unknown[]; placeHolder: string }[] = [];
    answerWith('showQuickPick', (items, options) => {
      const { placeHolder } = options as vscode.QuickPickOptions;
      const labels = (items as vscode.QuickPickItem[]).map(({ label }) => label);
      const details = (items as vscode.QuickPickItem[]).map(({ detail }) => detail);
      asked.push({ labels, details, placeHolder: placeHolder ?? '' });
      return (items as unknown[])[0];
    });
    const result = await vscode.commands.executeCommand<ComparisonResult>(
      'scorecard.compareReports',
    );
    takeQuestions();
    assert.equal(result.key, 'host');
    assert.deepEqual(asked.at(-1), {
      labels: ['host', 'note'],
      details: ['Tells 66% of rows apart in both files', 'Tells 66% of rows apart in both files'],
      placeHolder: 'The newer file has no values in a column "issue_id". What identifies a record?',
    });
  });
});

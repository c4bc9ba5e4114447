import * as assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { startDemoService } from '../../src/demo/demoService';
import { Cleanup } from '../host/cleanup';
import { halvorsen, signIn } from '../host/workbench/steps';
import { newestExtensionHost } from '../host/extensionHosts';
import { FaultyService } from './faultyService';
import { useReports } from './reportsFixture';

describe('A report whose account is left over a reload', () => {
  const { ui, faulty, start } = useReports();
  const cleanup = new Cleanup();
  let other: FaultyService;
  let otherAccount: { baseUrl: string; apiKey: string };

  before(async () => {
    // Long enough for a window that was left to ask again, if it did.
    const generationMs = 12_000;
    const demo = cleanup.add(await startDemoService({ generationMs }), (each) => each.close());
    other = cleanup.add(await new FaultyService(demo).start(), (each) => each.stop());
    otherAccount = { baseUrl: other.baseUrl, apiKey: demo.apiKey };
  });
  after(() => cleanup.run());

  it('is not asked for after the next sign-in, and neither service sees the key of the other', async () => {
    const { workbench } = ui;
    const reports = workbench.view('Reports');
    await signIn(workbench, faulty.account);
    await workbench.treeItem(halvorsen).waitFor();
    faulty.service.fail('/download', { status: 503, message: 'Not yet' });
    await start('Full', 'Bluefjord Bank');
    await workbench.treeItem(/^Full report: Bluefjord Bank, Generating/, reports).waitFor();
    await workbench.reload();
    await workbench.treeItem(/^Full report: Bluefjord Bank, /, reports).waitFor();
    await signIn(workbench, otherAccount);
    const { host } = new URL(faulty.account.baseUrl);
    await workbench
      .treeItem(`Full report: Bluefjord Bank, Waiting: sign in to ${host} to continue`, reports)
      .waitFor();

    const asked = faulty.service.requests.length;
    await start('Detailed', 'Tarnwick Energy');
    await workbench.treeItem(/^Detailed report: Tarnwick Energy, [\d.]+ KB/, reports).waitFor();
    assert.deepEqual(faulty.service.requests.slice(asked), []);
    const keys = ({ authorizations }: FaultyService) => [...new Set(authorizations)];
    assert.deepEqual(keys(faulty.service), [`Token ${faulty.account.apiKey}`]);
    assert.deepEqual(keys(other), [`Token ${otherAccount.apiKey}`]);
    assert.equal(postsOf(faulty.service), 1);
  });
});

describe('A report of a window', () => {
  const { ui, faulty, start } = useReports();

  /** That the one report was asked for once, and that its file is what the service has. */
  async function assertWholeAndAskedOnce(service: FaultyService, before: number): Promise<void> {
    assert.equal(postsOf(service), before + 1);
    const [, address = ''] = service.requests.at(-1)?.split(' ') ?? [];
    const { apiKey } = faulty.account;
    const served = await fetch(ui.demo.baseUrl + address, {
      headers: { Authorization: `Token ${apiKey}` },
    });
    const storage = path.join(ui.server.globalStorage, 'scorecard-tools.scorecard-explorer');
    const files = fs
      .readdirSync(path.join(storage, 'reports'), { recursive: true, encoding: 'utf8' })
      .filter((name) => path.basename(name).startsWith('full-report'))
      .map((name) => path.join(storage, 'reports', name));
    assert.ok(
      files.every((file) => file.endsWith('.ndjson')),
      `no part: ${files.join(', ')}`,
    );
    const [newest = ''] = files.sort((a, b) => fs.statSync(b).mtimeMs - fs.statSync(a).mtimeMs);
    const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    assert.equal(
      sha256(fs.readFileSync(newest)),
      sha256(new Uint8Array(await served.arrayBuffer())),
    );
  }

  async function openWhenReady(scorecard: string): Promise<void> {
    const { workbench } = ui;
    const toast = new RegExp(`"Full report: ${scorecard}" is ready`);
    const ready = workbench.notifications.toast(toast);
    await ready.getByRole('button', { name: 'Open' }).click();
    await workbench.editorTab(/^full-report-.*\.ndjson/).waitFor();
    await workbench.textEditor.getByText('"issue_id"').first().waitFor();
  }

  it('that is reloaded while it is made, and again while it comes, ends and opens', async () => {
    const { workbench } = ui;
    const { service } = faulty;
    const reports = workbench.view('Reports');
    service.fail('/download', { pieceEveryMs: 500 });
    await signIn(workbench, faulty.account);
    await workbench.treeItem(halvorsen).waitFor();
    const before = postsOf(service);
    await start('Full', 'Quillmark Health');
    const generating = workbench.treeItem(/^Full report: Quillmark Health, Generating/, reports);
    await generating.waitFor();
    await workbench.reload();
    await generating.waitFor();
    await workbench.treeItem(comingRow('Quillmark Health'), reports).waitFor();
    service.fail('/download');
    await workbench.reload();
    await openWhenReady('Quillmark Health');
    await assertWholeAndAskedOnce(service, before);
  });

  for (const { scorecard, row, when } of [
    { scorecard: 'Pemberlane Retail Group', row: madeRow, when: 'while it is made' },
    { scorecard: 'Tarnwick Energy', row: comingRow, when: 'while it comes' },
  ]) {
    it(`whose extension host is killed by SIGKILL ${when} ends and opens`, async () => {
      const { workbench } = ui;
      const { service } = faulty;
      service.fail('/download', { pieceEveryMs: 500 });
      await signIn(workbench, faulty.account);
      await workbench.treeItem(halvorsen).waitFor();
      const before = postsOf(service);
      await start('Full', scorecard);
      await workbench.treeItem(row(scorecard), workbench.view('Reports')).waitFor();
      process.kill(newestExtensionHost(ui.server), 'SIGKILL');
      service.fail('/download');
      await openWhenReady(scorecard);
      await assertWholeAndAskedOnce(service, before);
    });
  }
});

function postsOf({ requests }: FaultyService): number {
  return requests.filter((request) => request.startsWith('POST /reports')).length;
}

function madeRow(scorecard: string): RegExp {
  return new RegExp(`^Full report: ${scorecard}, Generating`);
}

function comingRow(scorecard: string): RegExp {
  return new RegExp(`^Full report: ${scorecard}, Downloading \u00b7 [\\d.]+ [KM]B of`);
}

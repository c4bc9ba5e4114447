import * as assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../host/browser';
import { Cleanup } from '../host/cleanup';
import { bundle } from '../host/paths';
import { startNode } from '../host/processes';
import {
  expandIssueType,
  findingRow,
  halvorsen,
  severitiesOfDemo,
  startReportOfAll,
} from '../host/workbench/steps';
import { waitLimitMs } from '../run/hangLimit';
import { ReportTable } from '../host/workbench/reportTable';
import { Workbench } from '../host/workbench/workbench';

describe('npm start', () => {
  const cleanup = new Cleanup();
  let browser: Browser;
  let url = '';
  let errors = '';

  before(async () => {
    // What npm starts once everything is built, with the Node at hand.
    const started = cleanup.add(
      startNode(process.execPath, [bundle('host/start.js')], { output: 'pipe' }),
      (running) => running.stop(),
    );
    started.child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      errors += chunk;
    });
    const ready = new Promise<string>((resolve) => {
      let output = '';
      started.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
        const [, address] = /^ready: (\S+)$/m.exec(output) ?? [];
        if (address !== undefined) {
          resolve(address);
        }
      });
    });
    const ended = started.exitCode.then((code) => {
      throw new Error(`npm start ended with exit code ${code}.`);
    });
    url = await Promise.race([ready, ended]);
    browser = cleanup.add(await launchBrowser(), (launched) => launched.close());
  });

  after(() => cleanup.run());

  it('npm start packages the extension without a warning', () => {
    assert.match(errors, /Packaged: /);
    assert.doesNotMatch(errors, /WARNING|::warning/);
  });

  it('npm start opens a window with the demo, with findings, a report of last week and what changed since', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(waitLimitMs);
    const workbench = new Workbench(page, { url, settingsFile: '' });
    await workbench.open();
    await workbench.openContainer('Scorecard');
    await workbench.view('Findings').getByText('(demo)').waitFor();
    await workbench.editorTab(/^Full report: /).waitFor();
    assert.deepEqual(await workbench.notifications.toasts.allInnerTexts(), []);
    await severitiesOfDemo(workbench);
    await expandIssueType(workbench, halvorsen, 'Open port');
    await findingRow(workbench, 1).waitFor();
    await workbench.treeItem(/^Open port, .*100 of 41,237 loaded$/).waitFor();

    await startReportOfAll(workbench, 'Full');
    const reports = workbench.view('Reports');
    await workbench.treeItem(/^Today, 1 report/, reports).waitFor();
    const table = new ReportTable(workbench);
    await table
      .count(
        /^[\d,]+ new \(open\), [\d,]+ no longer reported \(open\), [\d,]+ closed, [\d,]+ changed since /,
      )
      .waitFor();
    // It is on screen: to say that it is ready would be too much.
    assert.equal(await workbench.notifications.toast(/is ready/).count(), 0);
  });
});

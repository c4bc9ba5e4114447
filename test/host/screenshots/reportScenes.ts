import * as fs from 'node:fs';
import * as path from 'node:path';
import { demoScorecards, startDemoService } from '../../../src/demo/demoService';
import { FaultyService } from '../../ui/faultyService';
import type { Scene, Stage } from './scene';
import { ReportTable } from '../workbench/reportTable';
import { halvorsen, restPointer, signIn } from '../workbench/steps';
import type { Workbench } from '../workbench/workbench';

const body = { scorecard_identifier: '${scorecardId}' };
const settings = {
  'scorecard.scorecards': demoScorecards,
  'scorecard.reports.fullBody': body,
  'scorecard.reports.detailedBody': body,
};

/** Pictures of reports. */
export const reportScenes: readonly Scene[] = [
  {
    name: 'reports',
    theme: 'Dark Modern',
    settings,
    size: { width: 1000, height: 500 },
    arrange: showReports,
  },
];

/** One report is downloaded; others are listed by their days, and one of them is open. */
async function showReports(workbench: Workbench, stage: Stage): Promise<void> {
  const service = await openReports(workbench, stage);
  await makeEarlierReports(workbench, stage);
  await workbench.setSideBarWidth(500);
  await row(workbench, /\d Detailed report: Quillmark Health/).click();
  await new ReportTable(workbench).count(/^High: /).waitFor();
  service.fail('/download', { pieceEveryMs: 400 });
  await start(workbench, 'Full', 'Bluefjord Bank');
  const toast = workbench.notifications.toast('Full report: Bluefjord Bank');
  await toast.getByText('Continue in Background').click();
  await row(workbench, /^Downloading \d+%, Full report: Bluefjord Bank · .* left/).waitFor();
  await rest(workbench);
}

/** Signs in to a service that can be made slow, and gives the reports the whole side bar. */
async function openReports(workbench: Workbench, { cleanup }: Stage): Promise<FaultyService> {
  const generationMs = { full: 500, detailed: 300 };
  const options = { generationMs, detailedPerWindow: 100 };
  const demo = cleanup.add(await startDemoService(options), (each) => each.close());
  const service = cleanup.add(await new FaultyService(demo).start(), (each) => each.stop());
  await signIn(workbench, { baseUrl: service.baseUrl, apiKey: demo.apiKey });
  await workbench.treeItem(halvorsen).waitFor();
  await workbench.setSideBarWidth(560);
  await workbench.view('Findings').locator('.pane-header').click();
  return service;
}

/** Reports that ended today, yesterday and before: their records are moved back by whole days. */
async function makeEarlierReports(workbench: Workbench, { server }: Stage): Promise<void> {
  const made = [
    { scorecard: 'Tarnwick Energy', daysAgo: 3 },
    { scorecard: 'Halvorsen Maritime Logistics', daysAgo: 1 },
    { scorecard: 'Bluefjord Bank', daysAgo: 1 },
    { scorecard: 'Quillmark Health', daysAgo: 0 },
  ];
  for (const { scorecard } of made) {
    await start(workbench, 'Detailed', scorecard);
    await row(workbench, new RegExp(`\\d Detailed report: ${scorecard} · [\\d.]+ [KM]B`)).waitFor();
  }
  const reports = path.join(server.globalStorage, 'scorecard-tools.scorecard-explorer/reports');
  for (const id of fs.readdirSync(reports).filter((name) => !name.startsWith('.'))) {
    const file = path.join(reports, id, 'report.json');
    const record = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>;
    const daysAgo = made.find(({ scorecard }) => record.title?.endsWith(scorecard))?.daysAgo ?? 0;
    for (const time of ['requestedAt', 'finishedAt']) {
      const at = Date.parse(record[time] ?? '') - daysAgo * 24 * 3_600_000;
      record[time] = new Date(at).toISOString();
    }
    fs.writeFileSync(file, JSON.stringify(record));
  }
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.reload();
  await row(workbench, /^Yesterday/).waitFor();
}

async function start(
  workbench: Workbench,
  kind: 'Full' | 'Detailed',
  scorecard: string,
): Promise<void> {
  await workbench.runCommand(`Scorecard: Start ${kind} Report`);
  await workbench.quickInput.pick(scorecard);
}

function row(workbench: Workbench, name: RegExp) {
  return workbench.treeItem(name, workbench.view('Reports'));
}

async function rest(workbench: Workbench): Promise<void> {
  await workbench.runCommand('Notifications: Clear All Notifications');
  await restPointer(workbench);
}

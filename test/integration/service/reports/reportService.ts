import { systemClock } from '../../../../src/base/events/clock';
import * as assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ReportState } from '../../../../src/service/reports/storedReport';
import { sendJson, type Handler, type TestServer } from '../../../helpers/testServer';
import { command, configure } from '../../helpers';
import { until } from '../../until';
import { closeLater, server } from '../../services';

/** The default content of a report. */
export const reportText = 'a,b\n1,2\n';

/** A service that accepts every request for a report; a test provides the responses to polls. */
export async function reportService(download: Handler): Promise<TestServer> {
  return server(async (request, response, number) => {
    if (request.method === 'POST') {
      const report_url = `/reports/${number}/download`;
      sendJson(response, 200, { report_url, status: 'processing' });
    } else {
      await download(request, response, number);
    }
  });
}

/** A service whose reports are generated until a test finishes them. */
export async function slowReports(): Promise<{ service: TestServer; finish: () => void }> {
  let isReady = false;
  const service = await reportService((_, response) => {
    if (isReady) {
      sendReport(response);
    } else {
      sendProcessing(response);
    }
  });
  const finish = () => {
    isReady = true;
  };
  return { service, finish };
}

/** A service whose response to the request for a detailed report is the report itself. */
export async function instantReports(nameOf: () => string = () => 'r.csv'): Promise<TestServer> {
  return server((_, response) => {
    sendReport(response, undefined, nameOf());
  });
}

/** Responds to a poll with the report. */
export function sendReport(
  response: ServerResponse,
  text: string | Buffer = reportText,
  name = 'r.csv',
): void {
  response.writeHead(200, {
    'Content-Type': 'text/csv',
    'Content-Length': Buffer.byteLength(text),
    'Content-Disposition': `attachment; filename="${name}"`,
  });
  response.end(text);
}

/** Responds to a poll: not ready yet. */
export function sendProcessing(response: ServerResponse): void {
  sendJson(response, 202, { status: 'processing' });
}

/** The folder of reports in the suites that set it. */
const usualFolder = path.join(os.tmpdir(), `scorecard-reports-${process.pid}`);

/** Settings of a suite whose reports are saved in {@link reportsFolder}, and do not open automatically. */
export const quietReports = {
  'reports.folder': usualFolder,
  'reports.openWhenReady': false,
} as const;

/** An empty folder for the reports of this test. */
export async function reportsFolder(): Promise<string> {
  await fs.mkdir(usualFolder, { recursive: true });
  return useFolder(usualFolder);
}

/**
 * The same, at a new path: VS Code may still have the text of an earlier file at a path, and would show that.
 */
export async function newReportsFolder(): Promise<string> {
  return useFolder(await fs.mkdtemp(path.join(os.tmpdir(), 'scorecard-reports-')));
}

async function useFolder(folder: string): Promise<string> {
  closeLater(() => fs.rm(folder, { recursive: true, force: true }));
  await configure({ 'reports.folder': folder });
  return folder;
}

/** The id of the newest report, once it is in this state. */
export async function reportIn(state: ReportState): Promise<string> {
  return until(`a report is ${state}`, async () => {
    const [newest] = await command('scorecard.listReports');
    return newest?.state === state && newest.id;
  });
}

/** Collects the progress texts of notifications from now on; for one test. */
export function watchProgress(): readonly string[] {
  const said: string[] = [];
  const window = vscode.window as { withProgress: typeof vscode.window.withProgress };
  const original = window.withProgress;
  window.withProgress = (options, task) =>
    original(options, (progress, token) => {
      const report: typeof progress.report = (value) => {
        if (options.location === vscode.ProgressLocation.Notification) {
          said.push(`${options.title ?? ''}: ${value.message ?? ''}`);
        }
        progress.report(value);
      };
      return task({ report }, token);
    });
  closeLater(() => {
    window.withProgress = original;
    return Promise.resolve();
  });
  return said;
}

export function postsOf({ requests }: { requests: readonly { method: string }[] }): number {
  return requests.filter(({ method }) => method === 'POST').length;
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Asserts that a value is a recent ISO 8601 time. */
export function assertRecent(time: string | undefined): void {
  const date = new Date(time ?? '');
  assert.equal(date.toISOString(), time);
  assert.ok(Math.abs(systemClock.now() - date.getTime()) < 60_000, time);
}

import * as vscode from 'vscode';
import { writeFileSync } from 'node:fs';
import { extensionId } from '../../src/contributions';
import { time } from '../measure';
import { type Mark, type MeasuredStart, startVariable } from './activationTimes';

/** The performance marks in each process of VS Code. */
declare const MonacoPerformanceMarks: { getMarks(): Mark[] };

/**
 * Called by VS Code in the extension host: writes what VS Code has measured of its start to a file, once our
 * extension has started.
 */
export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension(extensionId);
  await until(() => extension?.isActive === true);
  const firstCommand = await time(async () => {
    await vscode.commands.executeCommand('scorecard.listReports');
  });
  // VS Code creates the statistics when they are shown, from what it has measured until then.
  await vscode.commands.executeCommand('perfview.show');
  let statistics = '';
  await until(() => {
    const shown = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'perf');
    statistics = shown?.getText() ?? '';
    return statistics.includes(extensionId);
  });
  const marks = MonacoPerformanceMarks.getMarks();
  const start: MeasuredStart = { statistics, marks, firstCommand };
  writeFileSync(process.env[startVariable] ?? '', JSON.stringify(start));
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

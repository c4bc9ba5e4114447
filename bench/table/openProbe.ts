import * as vscode from 'vscode';
import { linkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { time } from '../measure';
import { openOrderVariable, type OpenedTables, type OpenOrder } from './openOrder';

/** Called by VS Code in the extension host: opens a file as a table several times, until its records are checked. */
export async function run(): Promise<void> {
  const { path, times, result } = JSON.parse(process.env[openOrderVariable] ?? '') as OpenOrder;
  const opened: OpenedTables = { rows: [], milliseconds: [] };
  // Under other names: a table whose editor was just closed may not be read again. All at once, because a new name
  // changes the time of the file, so that a table that is open would look for what has changed.
  const links = Array.from({ length: times }, (_, number) =>
    join(dirname(path), `${number}-${basename(path)}`),
  );
  for (const link of links) {
    linkSync(path, link);
  }
  for (const link of links) {
    const milliseconds = await time(async () => {
      const size = await vscode.commands.executeCommand<{ rows: number }>(
        'scorecard.openReportTable',
        { path: link },
      );
      opened.rows.push(size.rows);
    });
    opened.milliseconds.push(milliseconds);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }
  writeFileSync(result, JSON.stringify(opened));
}

import { createHash } from 'node:crypto';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { localDisk } from '../../../files/disk';
import { writeWhole } from '../../../files/wholeFile';
import { summaryHtml, summaryStyle } from '../../../summary/summaryHtml';
import { showInformation } from '../../../workbench/messages';
import { revealFile } from '../../../workbench/saving/revealFile';
import { pickHtmlTarget } from '../../../workbench/saving/savePrompts';
import { toTargetError } from '../../../workbench/saving/saveErrors';
import type { ReadSummary } from './tableSummary';

const { t } = vscode.l10n;

/** Lets the user choose an HTML file, and writes a summary to it. @throws TableError, FileError */
export async function saveSummary(name: string, read: () => Promise<ReadSummary>): Promise<void> {
  const target = await pickHtmlTarget(t('{0} - overview', path.parse(name).name));
  if (!target) {
    return;
  }
  const { summary, texts } = await read();
  const styleHash = createHash('sha256').update(summaryStyle).digest('base64');
  const html = summaryHtml(summary, texts, styleHash);
  await writeWhole(localDisk, target, (put) => put(html)).catch((error: unknown) => {
    throw toTargetError(error, target.path);
  });
  showInformation(t('Saved {0}.', target.path), [
    {
      title: t('Open in Browser'),
      run: async () => {
        await vscode.env.openExternal(vscode.Uri.file(target.path));
      },
    },
    { title: t('Reveal'), run: () => revealFile(target.path) },
  ]);
}

import { createHash } from 'node:crypto';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { localDisk } from '../../../files/disk';
import { type SaveTarget, writeWhole } from '../../../files/wholeFile';
import { summaryHtml, summaryStyle } from '../../../summary/summaryHtml';
import { describeError } from '../../../workbench/describe';
import { isLocalWindow } from '../../../workbench/localWindow';
import { showInformation } from '../../../workbench/messages';
import { revealFile } from '../../../workbench/saving/revealFile';
import { offerOtherFolder, pickHtmlTarget } from '../../../workbench/saving/savePrompts';
import { withExportProgress } from '../../../workbench/saving/saveProgress';
import { toTargetError } from '../../../workbench/saving/saveErrors';
import { textLanguage } from '../../../workbench/webviewPage';
import type { ReadSummary } from './tableSummary';

const { t } = vscode.l10n;

/** What is written, and whether secret-like values of the file are masked in it. */
export interface SavedSummary extends ReadSummary {
  readonly hasMasked: boolean;
}

/**
 * Lets the user choose an HTML file, and writes a summary to it.
 * @param before the file that the dialog suggests.
 * @throws CancelledError, TableError, FileError
 */
export async function saveSummary(
  name: string,
  read: (signal: AbortSignal) => Promise<SavedSummary>,
  before?: string,
): Promise<void> {
  const target = await pickHtmlTarget(t('{0} - overview', path.parse(name).name), before);
  if (!target) {
    return;
  }
  let hasMasked: boolean;
  try {
    hasMasked = await withExportProgress(t('Saving {0}', path.basename(target.path)), (options) =>
      write(target, read, options.signal),
    );
  } catch (error) {
    offerOtherFolder(toTargetError(error, target.path), describeError, () =>
      saveSummary(name, read, target.path),
    );
  }
  const outcome = t('Saved {0}.', target.path);
  showInformation(hasMasked ? `${outcome} ${t('Secret values are masked.')}` : outcome, [
    ...(isLocalWindow()
      ? [
          {
            title: t('Open in Browser'),
            run: async () => {
              await vscode.env.openExternal(vscode.Uri.file(target.path));
            },
          },
        ]
      : []),
    { title: t('Reveal'), run: () => revealFile(target.path) },
  ]);
}

/** @returns whether values are masked */
async function write(
  target: SaveTarget,
  read: (signal: AbortSignal) => Promise<SavedSummary>,
  signal: AbortSignal,
): Promise<boolean> {
  const { summary, texts, hasMasked } = await read(signal);
  const styleHash = createHash('sha256').update(summaryStyle).digest('base64');
  const html = summaryHtml(summary, texts, { styleHash, language: textLanguage() });
  await writeWhole(localDisk, target, (put) => put(html), signal);
  return hasMasked;
}

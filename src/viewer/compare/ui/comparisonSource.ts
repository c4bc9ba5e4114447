import * as vscode from 'vscode';
import { localPath } from '../../../workbench/storedFiles';
import { type FileFacts, fileInPlace, type LocalFile } from '../../table/localTable';
import type { FileSource, Recount } from '../../table/ui/fileSource';
import type { ComparisonFiles } from '../comparisonFiles';
import type { Comparer } from './comparer';

const { t } = vscode.l10n;

/** Owns the files of differences. */
export class ComparisonSource implements FileSource {
  readonly firstTab = 'overview';

  constructor(
    private readonly files: ComparisonFiles,
    private readonly comparer: () => Promise<Comparer>,
  ) {}

  owns(uri: vscode.Uri): boolean {
    const file = localPath(uri);
    return file !== undefined && this.files.owns(file);
  }

  open(uri: vscode.Uri): Promise<LocalFile> {
    return Promise.resolve(fileInPlace(localPath(uri) ?? ''));
  }

  async recount(uri: vscode.Uri, signal: AbortSignal): Promise<Recount | undefined> {
    return (await this.comparer()).recount(localPath(uri) ?? '', signal);
  }

  async about(uri: vscode.Uri): Promise<FileFacts | undefined> {
    const stored = await this.files.about(localPath(uri) ?? '');
    if (!stored) {
      return undefined;
    }
    const { swapped, inputs, about, tabTitle } = stored;
    const { comparison } = about;
    const isOutdated = inputs && (await (await this.comparer()).isOutdated(inputs));
    const warnings = [
      ...(comparison?.warnings ?? []),
      ...(isOutdated
        ? [t('Known issues have changed since. Compare the files again to count with them.')]
        : []),
    ];
    const swap = async () =>
      (await vscode.commands.executeCommand('scorecard.compareReports', swapped)) !== undefined;
    return {
      about: { ...about, ...(comparison && { comparison: { ...comparison, warnings } }) },
      tabTitle,
      ...(swapped && { swap }),
    };
  }
}

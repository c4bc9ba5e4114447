import * as vscode from 'vscode';
import type { Logger } from '../base/logger';
import { UserError } from '../base/userError';
import { fileInPlace, type LocalFile } from '../viewer/table/localTable';
import type { FileSource } from '../viewer/table/ui/fileSource';
import { describeForLog } from '../workbench/describeForLog';
import { localPath } from '../workbench/storedFiles';
import type { FindingsFiles } from './findingsFiles';

/** Owns the files with the findings of lists. Each is deleted with its editor. */
export class FindingsSource implements FileSource {
  readonly firstTab = 'table';

  constructor(
    private readonly files: FindingsFiles,
    private readonly log: Logger,
  ) {}

  owns(uri: vscode.Uri): boolean {
    const file = localPath(uri);
    return file !== undefined && this.files.owns(file);
  }

  /** @throws UserError if the file was deleted: VS Code restores the tabs of earlier windows. */
  async open(uri: vscode.Uri): Promise<LocalFile> {
    const file = localPath(uri) ?? '';
    if (!(await this.files.touch(file))) {
      throw new UserError(
        vscode.l10n.t('The findings of this table were deleted. Open them as a table again.'),
        'notFound',
      );
    }
    return fileInPlace(file, { isMasked: true });
  }

  closed(uri: vscode.Uri): void {
    this.files.remove(localPath(uri) ?? '').catch((error: unknown) => {
      this.log.warn(`Could not delete the file of a findings table: ${describeForLog(error)}`);
    });
  }
}

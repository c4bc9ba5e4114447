import * as vscode from 'vscode';
import { FileError } from '../../../files/fileError';
import { removeFolder } from '../../../files/files';
import type { TempCopies } from '../../../files/tempCopies';
import { UserError } from '../../../base/userError';
import { localizedMessage } from '../../../workbench/describe';
import type { LocalTable } from '../localTable';
import { FileChoices } from './fileChoices';
import type { FileSource, MakeCopy } from './fileSource';
import type { FileStates } from '../fileStates';
import { type CompareFiles, UserFiles } from './userFiles';

/** Provides a file on this machine for the URI of a table: asks the source that owns it. */
export class LocalFiles {
  readonly choices = new FileChoices();
  private readonly userFiles: UserFiles;

  /**
   * @param tempCopies temporary copies, removed when their table is closed.
   * @param sources the owners of all files that are not those of users; the first one that owns a file counts.
   */
  constructor(
    private readonly tempCopies: TempCopies,
    private readonly sources: readonly FileSource[],
    states: FileStates,
    compareFiles: CompareFiles,
  ) {
    this.userFiles = new UserFiles(states, compareFiles);
  }

  isOfUser(uri: vscode.Uri): boolean {
    return this.sourceOf(uri) === this.userFiles;
  }

  sourceOf(uri: vscode.Uri): FileSource {
    return this.sources.find((source) => source.owns(uri)) ?? this.userFiles;
  }

  /** The file of a document, with what was chosen for it and is known of it. @throws as `FileSource.open` does */
  async open(uri: vscode.Uri, signal: AbortSignal): Promise<LocalTable> {
    await this.tempCopies.sweep();
    const source = this.sourceOf(uri);
    const encoding = this.choices.findEncoding(uri);
    const file = await source.open(uri, signal, this.copy);
    const { list } = this.choices.of(uri);
    return { ...file, ...(await source.about?.(uri)), encoding, list };
  }

  private readonly copy: MakeCopy = async (make) => {
    const folder = await this.tempCopies.make();
    const release = () => removeFolder(folder).catch(() => undefined);
    try {
      return { path: await make(folder), isMasked: false, release };
    } catch (error) {
      await release();
      throw error instanceof FileError ? copyError(error) : error;
    }
  };
}

/** The error for a copy that the disk has refused: the file itself is not lost. */
function copyError(cause: FileError): UserError {
  return new UserError(
    vscode.l10n.t(
      'No copy of the file could be made to read it: {0} Free up space on this disk, then try again.',
      localizedMessage(cause),
    ),
    cause.code,
    { cause },
  );
}

import type * as vscode from 'vscode';
import type { TempCopies } from '../../../files/tempCopies';
import type { LocalTable } from '../localTable';
import { FileChoices } from './fileChoices';
import type { FileSource } from './fileSource';
import type { FileStates } from '../fileStates';
import { type CompareFiles, UserFiles } from './userFiles';

/** Provides a file on this machine for the URI of a table: asks the source that owns it. */
export class LocalFiles {
  readonly choices = new FileChoices();
  private readonly userFiles: UserFiles;

  /** @param sources the owners of all files that are not those of users; the first one that owns a file counts. */
  constructor(
    private readonly tempCopies: TempCopies,
    private readonly sources: readonly FileSource[],
    states: FileStates,
    compareFiles: CompareFiles,
  ) {
    this.userFiles = new UserFiles(tempCopies, states, compareFiles);
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
    const file = await source.open(uri, signal);
    const { list } = this.choices.of(uri);
    return { ...file, ...(await source.about?.(uri)), encoding, list };
  }
}

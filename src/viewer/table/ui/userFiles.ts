import * as path from 'node:path';
import * as vscode from 'vscode';
import { localDisk } from '../../../files/disk';
import { writeWhole } from '../../../files/wholeFile';
import { CancelledError } from '../../../base/cancelledError';
import { plainText, withoutIcons } from '../../../base/text/plainText';
import { safeFileName } from '../../../files/fileName';
import { UserError } from '../../../base/userError';
import { contentOfFile, readHead, isSpreadsheet } from '../../../files/fileContent';
import { unpack, UnpackError } from '../../../files/unpack';
import { formatBytes } from '../../../workbench/format';
import { localPath } from '../../../workbench/storedFiles';
import { withUnpackProgress } from '../../../workbench/unpackProgress';
import { fileInPlace, type LocalFile } from '../localTable';
import type { SincePrevious, TableHandle } from '../../../engine';
import type { FileStates, WrittenSides } from '../fileStates';
import type { FileSource, MakeCopy } from './fileSource';

const { t } = vscode.l10n;

/** The most bytes that are read through VS Code, in memory. */
const maxBytesThroughVSCode = 256 * 1024 ** 2;

/** Compares what a file contained at two times, and shows the comparison. */
export type CompareFiles = (sides: WrittenSides & { readonly title: string }) => Promise<void>;

/** The files of users, also those that only VS Code can read. */
export class UserFiles implements FileSource {
  readonly firstTab = 'table';
  /** By the files whose changes are being shown. */
  private readonly showing = new Map<string, Promise<void>>();

  constructor(
    private readonly states: FileStates,
    private readonly compareFiles: CompareFiles,
  ) {}

  opened(uri: vscode.Uri, table: TableHandle): void {
    const file = localPath(uri);
    if (file !== undefined) {
      // It never rejects.
      this.states.record(file, table).then(undefined, () => undefined);
    }
  }

  async findChanges(uri: vscode.Uri, list: string | undefined): Promise<SincePrevious | undefined> {
    const file = localPath(uri);
    return file === undefined ? undefined : this.states.findChanges({ file, list });
  }

  /** A second call for the same file, while its findings are written, is answered with the first. */
  async showChanges(uri: vscode.Uri, table: TableHandle): Promise<void> {
    const key = uri.toString();
    const showing =
      this.showing.get(key) ??
      this.compareWithState(uri, table).finally(() => this.showing.delete(key));
    this.showing.set(key, showing);
    await showing;
  }

  private async compareWithState(uri: vscode.Uri, table: TableHandle): Promise<void> {
    const file = localPath(uri);
    const { list } = table.info;
    if (file === undefined) {
      return;
    }
    const name = path.basename(uri.path);
    const sides = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Window,
        title: t('Finding changes in "{0}"\u2026', withoutIcons(plainText(name, 60))),
      },
      () => this.states.writeSides({ file, list }, table),
    );
    if (sides) {
      await this.compareFiles({ ...sides, title: name });
    }
  }

  owns(): boolean {
    return true;
  }

  /** The file itself, the only file of a ZIP archive, or a copy of a document that only VS Code can read. */
  async open(uri: vscode.Uri, signal: AbortSignal, copy: MakeCopy): Promise<LocalFile> {
    const file = localPath(uri);
    if (file === undefined) {
      return this.openContent(uri, signal, copy);
    }
    // What is wrong with a file is said when it is read.
    if ((await contentOfFile(file).catch(() => undefined)) !== 'zip') {
      return fileInPlace(file);
    }
    try {
      return await copy((folder) =>
        withUnpackProgress(file, signal, (options) => unpack(file, 'zip', folder, options)),
      );
    } catch (error) {
      throw error instanceof UnpackError ? await unpackError(file, error) : error;
    }
  }

  private async openContent(
    uri: vscode.Uri,
    signal: AbortSignal,
    copy: MakeCopy,
  ): Promise<LocalFile> {
    const bytes = await contentFromVSCode(uri);
    if (signal.aborted) {
      throw new CancelledError();
    }
    return copy(async (folder) => {
      const file = path.join(folder, safeFileName(path.basename(uri.path)) || 'table');
      await writeWhole(localDisk, { path: file, replace: false }, (put) => put(bytes));
      return file;
    });
  }
}

/** The error for a file of the user's: unlike a report, it cannot be made again. */
async function unpackError(file: string, cause: UnpackError): Promise<Error> {
  if (isSpreadsheet(await readHead(file))) {
    return new UserError(
      t(
        'This file is a spreadsheet, not text. Open it in a spreadsheet program, save it as CSV, then open that file.',
      ),
      cause.code,
      { cause },
    );
  }
  return cause.reason === 'damaged'
    ? new UserError(
        t('The archive cannot be unpacked: it is damaged or incomplete. Get the file again.'),
        cause.code,
        { cause },
      )
    : cause;
}

/** The content of a document that is not a local file. @throws UserError */
async function contentFromVSCode(uri: vscode.Uri): Promise<Uint8Array> {
  const name = path.basename(uri.path);
  const open = vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri.toString(),
  );
  if (open?.isUntitled) {
    return Buffer.from(open.getText());
  }
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxBytesThroughVSCode) {
      throw new UserError(
        t(
          '"{0}" has {1}. The limit for files that are not on this machine is {2}. Save it on this machine, then open the saved file.',
          name,
          formatBytes(size),
          formatBytes(maxBytesThroughVSCode),
        ),
        'badRequest',
      );
    }
    return await vscode.workspace.fs.readFile(uri);
  } catch (cause) {
    if (cause instanceof UserError) {
      throw cause;
    }
    throw new UserError(
      t(
        'Could not read "{0}" ({1}). Save it on this machine, then open the saved file.',
        name,
        uri.scheme,
      ),
      'notFound',
      { cause },
    );
  }
}

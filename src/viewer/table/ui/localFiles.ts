import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { localDisk } from '../../../files/disk';
import { writeWhole } from '../../../files/wholeFile';
import { removeFolder } from '../../../files/files';
import { CancelledError } from '../../../base/cancelledError';
import { safeFileName } from '../../../files/fileName';
import { UserError } from '../../../base/userError';
import { reportScheme } from '../../../contributions';
import type { FindingsFiles } from '../findingsFiles';
import { FileChoices } from './fileChoices';
import { contentOfFile, headOf, isSpreadsheet } from '../../../files/fileContent';
import { unpack, UnpackError, type UnpackOptions } from '../../../files/unpack';
import type { TempCopies } from '../../../files/tempCopies';
import { formatBytes } from '../../../workbench/format';
import { localPath } from '../../../workbench/storedFiles';
import { reportOfFile, type ReportLookup } from '../../../service/reports/ui/reportFiles';
import { largestSilentBytes, withUnpackProgress } from '../../../service/reports/ui/reportOpener';
import { madeAt, previousReport } from '../../../service/reports/reportRecord';
import { reportName, reportTabTitle } from '../../../service/reports/ui/reportTexts';
import type { FileInfoProvider, LocalTable } from '../localTable';

const { t } = vscode.l10n;

/** The most bytes that are read through VS Code, in memory. */
const maxBytesThroughVSCode = 256 * 1024 ** 2;

/** Dependencies of {@link LocalFiles}. */
interface LocalFilesDeps extends ReportLookup {
  /** Temporary copies, removed when their table is closed. */
  readonly tempCopies: TempCopies;
  readonly findingsFiles: FindingsFiles;
  readonly fileInfo: () => FileInfoProvider | undefined;
}

/** Provides a file on this machine for the URI of a table. */
export class LocalFiles {
  readonly choices = new FileChoices();

  constructor(private readonly deps: LocalFilesDeps) {}

  /**
   * The file of a document: itself, the only file of a ZIP archive, or a copy of a document that only
   * VS Code can read.
   * @param signal cancels, when the table is closed.
   * @throws UserError, UnpackError, FileError, CancelledError, an error of the file system.
   */
  async of(uri: vscode.Uri, signal: AbortSignal): Promise<LocalTable> {
    await this.deps.tempCopies.sweep();
    const encoding = this.choices.encodingOf(uri);
    return { ...(await this.find(uri, signal)), encoding, list: this.choices.of(uri).list };
  }

  private find(uri: vscode.Uri, signal: AbortSignal): Promise<LocalTable> {
    const file = localPath(uri);
    if (file === undefined) {
      return this.ofContent(uri, signal);
    }
    const { findingsFiles, fileInfo } = this.deps;
    const isReport =
      uri.scheme === reportScheme &&
      !findingsFiles.owns(file) &&
      fileInfo()?.isComparison(file) !== true;
    return isReport ? this.ofReport(file, signal) : this.ofFile(file, signal);
  }

  private async ofFile(file: string, signal: AbortSignal): Promise<LocalTable> {
    const { findingsFiles } = this.deps;
    if (findingsFiles.owns(file)) {
      if (!(await findingsFiles.touch(file))) {
        throw new UserError(
          t('The findings of this table were deleted. Open them as a table again.'),
          'notFound',
        );
      }
      return inPlace(file, true);
    }
    const comparison = await this.deps.fileInfo()?.aboutComparison(file);
    if (comparison) {
      return { ...inPlace(file), ...comparison };
    }
    if ((await contentIfFile(file)) !== 'zip') {
      return inPlace(file);
    }
    try {
      return await this.inFolder((folder) =>
        withProgress(file, signal, (options) => unpack(file, 'zip', folder, options)),
      );
    } catch (error) {
      throw error instanceof UnpackError ? await unpackError(file, error) : error;
    }
  }

  /** The report may have been removed: VS Code restores the tabs of earlier windows. */
  private async ofReport(file: string, signal: AbortSignal): Promise<LocalTable> {
    const { unpacked } = this.deps;
    const report = await reportOfFile(this.deps, file);
    if (!report) {
      throw new UserError(
        t('This report is no longer in the Reports view. Open another report from there.'),
        'notFound',
      );
    }
    const plain =
      (await contentIfFile(file)) === 'zip'
        ? await withProgress(file, signal, (options) =>
            unpacked.of(report.id, file, 'zip', options),
          )
        : file;
    const previous = previousReport(report, this.deps.reports.all());
    return {
      ...inPlace(plain),
      report,
      about: {
        title: reportName(report),
        madeAt: madeAt(report),
        ...(previous && { previousAt: madeAt(previous) }),
      },
      tabTitle: reportTabTitle(report),
    };
  }

  private async ofContent(uri: vscode.Uri, signal: AbortSignal): Promise<LocalTable> {
    const bytes = await contentFromVSCode(uri);
    if (signal.aborted) {
      throw new CancelledError();
    }
    return this.inFolder(async (folder) => {
      const file = path.join(folder, safeFileName(path.basename(uri.path)) || 'table');
      await writeWhole(localDisk, { path: file, replace: false }, (put) => put(bytes));
      return file;
    });
  }

  /** Creates a file in a new folder. Releasing the table removes both. */
  private async inFolder(make: (folder: string) => Promise<string>): Promise<LocalTable> {
    const folder = await this.deps.tempCopies.make();
    const release = () => removeFolder(folder).catch(() => undefined);
    try {
      return { path: await make(folder), isMasked: false, release };
    } catch (error) {
      await release();
      throw error;
    }
  }
}

/** Unpacks an archive, with progress if it takes seconds. */
async function withProgress(
  file: string,
  signal: AbortSignal,
  work: (options: UnpackOptions) => Promise<string>,
): Promise<string> {
  const { size } = await fs.stat(file);
  return size < largestSilentBytes
    ? work({ signal })
    : withUnpackProgress(path.basename(file), work, signal);
}

function inPlace(file: string, isMasked = false): LocalTable {
  return { path: file, isMasked, release: () => Promise.resolve() };
}

/** The error for a file of the user's: unlike a report, it cannot be made again. */
async function unpackError(file: string, cause: UnpackError): Promise<Error> {
  if (isSpreadsheet(await headOf(file))) {
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

/** Errors are ignored here: opening the file reports them. */
async function contentIfFile(file: string) {
  return contentOfFile(file).catch(() => undefined);
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

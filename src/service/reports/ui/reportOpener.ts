import * as path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import { plainText, withoutIcons } from '../../../base/text/plainText';
import { viewIds } from '../../../contributions';
import {
  contentOfFile,
  contentOfGzip,
  readHead,
  isTabular,
  type ReportContent,
} from '../../../files/fileContent';
import type { StoredReport } from '../storedReport';
import {
  defaultUnpackLimits,
  UnpackError,
  type UnpackLimits,
  type UnpackOptions,
} from '../../../files/unpack';
import type { UnpackedReports } from '../unpackedReports';
import { describeError } from '../../../workbench/describe';
import { formatBytes } from '../../../workbench/format';
import { showInformation } from '../../../workbench/messages';
import { largestSilentBytes, showUnpackProgress } from '../../../workbench/unpackProgress';
import { reportName } from './reportTexts';
import { inView, showTable } from '../../../workbench/views';
import { setting } from '../../../workbench/settings';
import { storedFileUri } from '../../../workbench/storedFiles';
import {
  fileAt,
  largestDocumentBytes,
  largestPrettyBytes,
  reportFile,
  type ReportFileOnDisk,
  saveFileWithDialog,
} from './reportFiles';
import { isLocalWindow } from '../../../workbench/localWindow';
import { revealFile } from '../../../workbench/saving/revealFile';

const { t } = vscode.l10n;

/**
 * Larger texts take VS Code more than a second for each 10 MB, because the text is sent to the
 * window and from there to all extensions. A table of any size opens within a second.
 */
const largestQuickBytes = 5 * 1024 * 1024;

/** A gzip file that is too large for the text editor is not unpacked: the table reads it packed. */
const editorLimits: UnpackLimits = { ...defaultUnpackLimits, maxBytes: largestDocumentBytes };

interface ReportOpenOptions {
  /** It opens automatically: do not take the focus, and start neither a program nor the file manager. */
  preserveFocus: boolean;
  /** A program opens it: it gets an error where a user would see a message. */
  isProgram?: boolean;
}

/** See openReport. */
export type OpenReport = (report: StoredReport, options: ReportOpenOptions) => Promise<boolean>;

/**
 * Shows a report. Tabular data opens as the setting says. Other JSON opens as a table if it is large; other text in a
 * read-only editor; a PDF in the system's viewer; an archive as its content; anything else in the file manager.
 *
 * @returns false, with nothing opened, if only another program can show it and no user requested
 *   that.
 * @throws UserError when its file is missing; for a program also when it cannot be shown.
 */
export async function openReport(
  unpacked: UnpackedReports,
  report: StoredReport,
  options: ReportOpenOptions,
): Promise<boolean> {
  // Shown immediately: VS Code takes seconds to show a large text, and shows no progress itself.
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Window,
      title: t('Opening "{0}"\u2026', withoutIcons(plainText(reportName(report), 60))),
    },
    () => openContent(unpacked, report, options),
  );
}

async function openContent(
  unpacked: UnpackedReports,
  report: StoredReport,
  options: ReportOpenOptions,
): Promise<boolean> {
  const file = await reportFile(report);
  const content = await contentOfFile(file.path);
  if (content !== 'gzip' && content !== 'zip') {
    return show(report, file, content, options);
  }
  const packed = content === 'gzip' ? await contentOfGzip(file.path) : undefined;
  if ((packed === 'csv' || packed === 'ndjson') && setting('reports.openAs') !== 'text') {
    // A table unpacks it by itself, for as long as it is open.
    await showTable(storedFileUri(file.path), options);
    return true;
  }
  const isTextual = packed !== undefined && textual.includes(packed);
  const limits = isTextual ? editorLimits : defaultUnpackLimits;
  let inner: string;
  try {
    const unpack = (unpacking: UnpackOptions) =>
      unpacked.of(report.id, file.path, content, { ...unpacking, limits });
    // If it takes long, the user who opened it can cancel.
    const isSilent =
      options.preserveFocus || options.isProgram === true || file.size < largestSilentBytes;
    inner = await (isSilent
      ? inView(viewIds.reports, () => unpack({}))
      : showUnpackProgress(reportName(report), unpack));
  } catch (error) {
    if (isTextual && error instanceof UnpackError && error.reason === 'tooLarge') {
      await showLarge(report, file, packed, options);
      return true;
    }
    if (!(error instanceof UnpackError) || error.reason === 'damaged') {
      throw error;
    }
    if (error.reason === 'entries') {
      // An archive of several files is left to the system's own program.
      return revealFor(file, options);
    }
    offerFile(report, file, describeError(error).text, options);
    return true;
  }
  return show(report, await fileAt(inner), await contentOfFile(inner), options);
}

async function show(
  report: StoredReport,
  file: ReportFileOnDisk,
  content: ReportContent,
  options: ReportOpenOptions,
): Promise<boolean> {
  switch (content) {
    case 'empty':
      showInformation(
        t('The report "{0}" is empty: the service sent 0 bytes.', reportName(report)),
      );
      return true;
    case 'pdf':
      return showPdf(report, file, options);
    case 'json':
    case 'ndjson':
    case 'csv':
    case 'text':
      if (setting('reports.openAs') !== 'text' && isTabular(await readHead(file.path), content)) {
        await showTable(storedFileUri(file.path), options);
      } else if (file.size > largestQuickBytes) {
        await showLarge(report, file, content, options);
      } else {
        await showText(file, content, options);
      }
      return true;
    case 'gzip':
    case 'zip':
    case 'other':
      // An archive in an archive is not unpacked.
      return revealFor(file, options);
  }
}

/** Shows a large file as a table, unless it is plain text. */
async function showLarge(
  report: StoredReport,
  file: ReportFileOnDisk,
  content: ReportContent,
  options: ReportOpenOptions,
): Promise<void> {
  if (content !== 'text') {
    await showTable(storedFileUri(file.path), options);
    return;
  }
  if (file.size <= largestDocumentBytes) {
    const { preserveFocus } = options;
    // This opens the editor immediately, before it has the text; `showTextDocument` opens it only
    // after extensions have the text.
    await vscode.commands.executeCommand('vscode.open', storedFileUri(file.path), {
      preview: false,
      preserveFocus,
    });
    return;
  }
  offerFile(
    report,
    file,
    t(
      '{0} is too large for the editor ({1}; the limit is 50 MB).',
      path.basename(file.path),
      formatBytes(file.size),
    ),
    options,
  );
}

const textual: readonly ReportContent[] = ['json', 'ndjson', 'csv', 'text'];

async function showText(
  file: ReportFileOnDisk,
  content: ReportContent,
  { preserveFocus }: ReportOpenOptions,
): Promise<void> {
  const isJson = content === 'json';
  const isPretty = isJson && file.size <= largestPrettyBytes && !(await isFormatted(file.path));
  const document = await vscode.workspace.openTextDocument(storedFileUri(file.path, { isPretty }));
  const shown =
    isJson && !['json', 'jsonc'].includes(document.languageId)
      ? await vscode.languages.setTextDocumentLanguage(document, 'json')
      : document;
  await vscode.window.showTextDocument(shown, { preview: false, preserveFocus });
  // Without focus, the command would fold another editor.
  if (isJson && !preserveFocus) {
    await vscode.commands.executeCommand('editor.foldLevel2');
  }
}

/** Whether a JSON text is already formatted over several lines. */
async function isFormatted(file: string): Promise<boolean> {
  return /^\s*[{[][ \t]*\r?\n[ \t]+\S/.test((await readHead(file)).toString('utf8'));
}

/**
 * Opens a PDF in the system's viewer. The system chooses the program by the file name, and a file
 * that starts like a PDF may be named like a program. So only a file that is named as a PDF is
 * opened.
 */
async function showPdf(
  report: StoredReport,
  file: ReportFileOnDisk,
  options: ReportOpenOptions,
): Promise<boolean> {
  if (options.preserveFocus) {
    return false;
  }
  const isNamedPdf = path.extname(file.path).toLowerCase() === '.pdf';
  if (
    !isLocalWindow() ||
    !isNamedPdf ||
    !(await vscode.env.openExternal(vscode.Uri.file(file.path)))
  ) {
    offerFile(
      report,
      file,
      t('"{0}" is a PDF, which the editor cannot show.', reportName(report)),
      options,
    );
  }
  return true;
}

async function revealFor(
  file: ReportFileOnDisk,
  { preserveFocus }: ReportOpenOptions,
): Promise<boolean> {
  if (!preserveFocus) {
    await revealFile(file.path);
  }
  return !preserveFocus;
}

/**
 * Shows a user why a file is not opened, and offers to reveal or save it.
 * @throws UserError for a program.
 */
function offerFile(
  report: StoredReport,
  file: ReportFileOnDisk,
  message: string,
  { isProgram }: ReportOpenOptions,
): void {
  if (isProgram === true) {
    throw new UserError(message, 'download');
  }
  showInformation(message, [
    { title: t('Reveal'), run: () => revealFile(file.path) },
    {
      title: t('Save As\u2026'),
      run: async () => {
        await saveFileWithDialog(report, file.path);
      },
    },
  ]);
}

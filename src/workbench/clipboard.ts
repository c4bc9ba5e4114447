import * as vscode from 'vscode';
import { plainText, withoutIcons } from '../base/text/plainText';

/** How long the status bar shows the message about a copy, in milliseconds. */
const statusMs = 4_000;

/** Puts a text on the clipboard. @param message says so in the status bar, in the display language. */
export async function writeToClipboard(text: string, message: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(`$(check) ${withoutIcons(message)}`, statusMs);
}

/** Puts the value of a field on the clipboard. */
export async function copyFieldText(name: string, text: string): Promise<void> {
  await writeToClipboard(text, vscode.l10n.t('Copied {0}', plainText(name, 60)));
}

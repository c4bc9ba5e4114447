import { randomBytes } from 'node:crypto';
import type { Message } from '../base/message';
import { titleMessages } from '../vocabulary/issueTypes';
import { ShownNames } from '../vocabulary/shownNames';
import { localize } from './describe';
import { pageHtml, type PageName } from '../protocol/pageHtml';
import { pageTexts } from '../summary/pageTexts';
import { severityLevels } from '../vocabulary/severity';
import * as vscode from 'vscode';

export function localizedTexts(): Record<string, string> {
  return { ...localizedEach(titleMessages), ...localizedEach(pageTexts) };
}

/** How users read keys of the service and severities, in the display language. */
export function localizedNames(): ShownNames {
  const severities = severityLevels.map((level) => [level, pageTexts[level]] as const);
  const { fixAvailable } = pageTexts;
  return new ShownNames(
    localizedEach({ ...titleMessages, ...Object.fromEntries(severities), fixAvailable }),
  );
}

function localizedEach(messages: Readonly<Record<string, Message>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(messages).map(([key, sentence]) => [key, localize(sentence)]),
  );
}

/** Shows one of our pages in a webview: with the script and the style that all pages share. */
export function showPage(
  { webview }: vscode.WebviewPanel,
  bundles: vscode.Uri,
  page: PageName,
  title: string,
): void {
  const address = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(bundles, name)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [bundles] };
  webview.html = pageHtml({
    page,
    script: address('table.js'),
    style: address('table.css'),
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString('hex'),
    title,
    language: textLanguage(),
  });
}

/** The language of our texts: English, unless VS Code has loaded those of its display language. BCP 47 */
export function textLanguage(): string {
  return vscode.l10n.bundle === undefined ? 'en' : vscode.env.language;
}

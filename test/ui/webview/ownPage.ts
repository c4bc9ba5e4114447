import * as fs from 'node:fs';
import * as path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import * as vscode from 'vscode';
import type { PageName } from '../../../src/protocol/pageHtml';
import { showPage } from '../../../src/workbench/webviewPage';
import { bundle } from '../../host/paths';
import { TableLine } from './tableLine';
import { standInForVsCode } from './tablePages';
import { themes, type ThemeName } from './themes';

const origin = 'http://page.example';

/** Opens a page that is no table, as it is shipped, and waits until its script runs. */
export async function openOwnPage(
  context: BrowserContext,
  name: PageName,
  theme: ThemeName,
): Promise<{ page: Page; line: TableLine }> {
  const page = await context.newPage();
  const line = new TableLine(page, origin);
  const panel = line.panel();
  const bundles = bundle('extension/dist');
  showPage(panel as unknown as vscode.WebviewPanel, vscode.Uri.file(bundles), name, 'A page');
  await page.route(`${origin}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    return pathname === '/'
      ? route.fulfill({ contentType: 'text/html', body: panel.webview.html })
      : route.fulfill({
          contentType: pathname.endsWith('.css') ? 'text/css' : 'text/javascript',
          body: fs.readFileSync(path.join(bundles, pathname)),
        });
  });
  await page.addInitScript(standInForVsCode, { ...themes[theme], kept: undefined });
  await line.open();
  const asked = line.until(() => line.fromPage.length > 0);
  await page.goto(`${origin}/`);
  await asked;
  return { page, line };
}

/** Sends a message of the host to a page. */
export async function tellPage(page: Page, message: object): Promise<void> {
  await page.evaluate((told) => {
    window.postMessage(told, '*');
  }, message);
}
